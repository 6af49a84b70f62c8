// The lab "find the cheat": what an entry is, and what a benchmark may call. docs/lab_cheat.md
//
// The CPU device measures no time. So the lab has a model of a clock: each launch takes 2 us, plus
// its sectors over 1000 bytes per us. Streams run side by side. A launch costs the host 1 us.
#ifndef LAB_H
#define LAB_H

#include <cuda_runtime.h>

// A transpose that is offered to the course: out[c * rows + r] = in[r * cols + c].
struct entry {
    // Called once for a pair of arrays, before the first transpose of them, and not timed.
    void (*prepare)(const float *in, float *out, int rows, int cols);
    void (*transpose)(const float *in, float *out, int rows, int cols);
};

enum { ROWS = 128, COLS = 128 };   // the size at which entries are timed

// Yours, in benchmark.cu. Returns whether the results of the entry are right. *us: the time of one
// call at ROWS x COLS, in microseconds, with `in` in memory, not in L2.
bool benchmark(const struct entry *, double *us);

// An event of the default stream, and the time between two of them in microseconds. On a GPU:
// cudaEventRecord(), cudaEventElapsedTime().
double record_event(void);
double us_between(double start, double stop);

// Waits for all streams: cudaDeviceSynchronize().
void wait_for_gpu(void);

// Replaces what is in L2, as a kernel does that writes a large array.
void flush_l2(void);

#endif
