// How a program of the ladder ends, and the one line on stderr that says why.
#ifndef DIE_H
#define DIE_H

#include <cuda_runtime_api.h>

enum {
    EXIT_RIGHT = 0,
    // a wrong result, a diagnosis of the CPU device, or with --claims a claim that does not hold
    EXIT_WRONG = 1,
    EXIT_USAGE = 2,   // bad usage, or a file that cannot be read or written
    EXIT_CUDA = 3,    // a CUDA error, or out of memory
    EXIT_SKIP = 77,   // this device, or this size, is not for this stage
};

// Prints "program: message" to stderr, after what stdout still holds.
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Has `handler` called, once, before die() ends the program, with the status that it ends with.
void on_die(void (*handler)(int status));

// The same as warn(), and ends the program with this status.
_Noreturn void die(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Ends the program with EXIT_CUDA unless `result` is cudaSuccess; `doing` says in words what
// failed.
void cuda_must(cudaError_t result, const char *doing);

// malloc() that ends the program with EXIT_CUDA where there is no memory.
void *must_malloc(size_t bytes);

#endif
