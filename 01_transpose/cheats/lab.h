// The lab "find the cheat": what an entry is, and what a benchmark may call. docs/lab_cheat.md
//
// The CPU device measures no time. So the lab has a model of a clock: each launch takes 2 us, plus
// its sectors over 1000 bytes per us. Streams run side by side. A launch costs the host 1 us.
#ifndef LAB_H
#define LAB_H

#include <cuda_runtime.h>

// --- for the benchmark

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

// --- for entries.cu and lab.cu

struct named_entry {
    const char *name;
    struct entry entry;
    bool honest;
    bool
        must_be_rejected;   // if not, its results can be right: then the right time also catches it
};
extern const struct named_entry entries[];
extern const int n_entries;

// Launches kernel<<<grid, block, 0, stream>>>(...), and advances the clock.
#define LAUNCH(stream, kernel, grid, block, ...) \
    (launch_begins(), kernel<<<grid, block, 0, stream>>>(__VA_ARGS__), launch_ends(stream))
void launch_begins(void);
void launch_ends(cudaStream_t);

// The next launch reads this array and uses streaming stores. So the array stays in L2 until
// flush_l2(), or until such a launch reads another one. Loads from L2 take a quarter of the time.
void next_keeps_in_l2(const void *array);

// The time that all launches have taken.
double busy_us(void);

#endif
