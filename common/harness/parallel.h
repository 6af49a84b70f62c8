// Work for all CPUs that this process may use.
#ifndef PARALLEL_H
#define PARALLEL_H

// Calls work(i, context) once for every i from 0 to n - 1, in any order and several at a time, and
// returns when all have returned.
void parallel(long long n, void (*work)(long long i, void *context), void *context);

#endif
