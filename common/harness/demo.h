// What demonstrations have in common, beyond the modules that they are linked with: memory of the
// device, a sum that uses what a kernel reads, the time of a launch, rows of the result table.
#ifndef DEMO_H
#define DEMO_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#include "../base/arguments.h"
#include "../base/program.h"
#include "../base/stats.h"
#include "../table/table.h"
#include "device.h"

// --- the device

inline int demo_attribute(enum cudaDeviceAttr attribute)
{
    int value;

    cuda_must(cudaDeviceGetAttribute(&value, attribute, 0), "asking for a limit of the device");
    return value;
}

// Memory of the device, zeroed.
template <class T> T *demo_allocate(size_t count)
{
    void *p;

    cuda_must(cudaMalloc(&p, count * sizeof(T)), "allocating");
    cuda_must(cudaMemset(p, 0, count * sizeof(T)), "clearing");
    return (T *)p;
}

// The size of a large array: 2^31 bytes, or less if `arrays` of them need over half of the free
// memory.
inline size_t demo_large(int arrays)
{
    size_t bytes = (size_t)1 << 31;

    while (arrays * bytes > device_free_bytes() / 2)
        bytes /= 2;
    return bytes;
}

// Waits for the launched kernels. Returns a copy of `count` elements of device memory.
template <class T> std::vector<T> demo_results(const T *device, size_t count)
{
    std::vector<T> host(count);

    cuda_must(cudaGetLastError(), "launching");
    cuda_must(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost),
              "copying results");
    return host;
}

// --- a sum of what a kernel reads

enum { DEMO_SUMS = 4096 };   // enough that two warps rarely add to the same one

// Adds what a warp has read to one of the sums. Without it the compiler would remove the loads.
__device__ inline void demo_keep(unsigned read, unsigned *sums)
{
    for (int distance = 16; distance > 0; distance /= 2)
        read += __shfl_down_sync(0xffffffff, read, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&sums[(blockIdx.x * blockDim.x + threadIdx.x) / 32 % DEMO_SUMS], read);
}

// Ends the program unless `want` is the sum of what the launch reads. Only correct kernels are
// counted or timed.
template <class Launch>
void demo_check_sum(const char *what, unsigned want, unsigned *sums, Launch launch)
{
    unsigned sum = 0;

    cuda_must(cudaMemset(sums, 0, DEMO_SUMS * sizeof *sums), "clearing the sums");
    launch();
    for (unsigned part : demo_results(sums, DEMO_SUMS))
        sum += part;
    if (sum != want)
        die(STATUS_WRONG, "%s: the sum of what was read is %u, not %u", what, sum, want);
}

// --- time

enum { DEMO_SAMPLES = 15 };

// The time in microseconds of what `launch` launches. Before each sample, `before` launches what is
// not timed. The first launch is the warm-up.
template <class Before, class Launch> struct stats demo_time_of(Before before, Launch launch)
{
    cudaEvent_t start, stop;
    double us[DEMO_SAMPLES];
    float ms;

    cuda_must(cudaEventCreate(&start), "making an event");
    cuda_must(cudaEventCreate(&stop), "making an event");
    for (int i = -1; i < DEMO_SAMPLES; i++) {
        before();
        cuda_must(cudaEventRecord(start, cudaStreamPerThread), "recording the start");
        launch();
        cuda_must(cudaGetLastError(), "launching");
        cuda_must(cudaEventRecord(stop, cudaStreamPerThread), "recording the end");
        cuda_must(cudaEventSynchronize(stop), "running the kernel");
        cuda_must(cudaEventElapsedTime(&ms, start, stop), "reading the time");
        us[i < 0 ? 0 : i] = 1e3 * ms;
    }
    cuda_must(cudaEventDestroy(start), "freeing an event");
    cuda_must(cudaEventDestroy(stop), "freeing an event");
    return stats_of(us, DEMO_SAMPLES);
}

template <class Launch> struct stats demo_time_of(Launch launch)
{
    return demo_time_of([] {}, launch);
}

// --- rows of the result table

struct demo_table {
    struct row common;   // what all rows have in common; each one starts as a copy of it
    struct note note[3];
    struct appender appender;
};

// Opens the file of --tsv, and sets the fields that all rows share. `week` and `name` are the
// demonstration's, "03_matmul", "demo_access".
inline void demo_table_open(struct demo_table *t, const char *path, const char *week,
                            const char *name, const struct device *d, int argc, char **argv)
{
    t->common = row_empty();
    t->common.week = week;
    t->common.stage = name;
    t->common.device = d->name;
    t->common.status = status_word(STATUS_OK);
    t->common.cuda = d->cuda;
    t->common.date = date_text();
    if (d->peak_gbs > 0)
        row_set(&t->common, peak_gbs, "%.6g", d->peak_gbs);
    if (d->l2_bytes > 0)
        row_set(&t->common, l2_bytes, "%.0f", d->l2_bytes);
    t->note[0] = { "device", d->name };
    t->note[1] = { "cuda", d->cuda };
    t->note[2] = { "date", t->common.date };
    appender_open(&t->appender, path, t->note, 3, command_text(argc, argv));
}

// The time and the rate of a row.
inline void demo_set_rate(struct row *row, const struct stats *us, double rate, const char *unit)
{
    row->unit = unit;
    row_set(row, rate, "%.3f", rate);
    row_set(row, reps, "%d", DEMO_SAMPLES);
    row_set(row, median_us, "%.3f", us->median);
    row_set(row, p10_us, "%.3f", us->p10);
    row_set(row, p90_us, "%.3f", us->p90);
}

#endif
