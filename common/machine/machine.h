// Benchmarks of the parts of a GPU: what they share. Each file measures one unit, and records its
// numbers with record(). The page docs/machine.md explains them.
//
// Each kernel says what its loop executes: tests/machine.t reads "SASS: KERNEL OPCODE N". In the
// machine code of each kernel whose mangled name contains KERNEL, a loop has N instructions whose
// names begin with OPCODE.
#ifndef MACHINE_H
#define MACHINE_H

#include <algorithm>
#include <vector>

#include "../harness/demo.h"

// PTX that needs Ampere or later; earlier GPUs do not run what is in it.
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
#define SM_80(ptx) ptx
#else
#define SM_80(ptx) ""
#endif

// Hopper's own instructions: bulk copies and clusters; wgmma.
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
#define HAS_BULK_COPIES
#endif
#if !defined __CUDA_ARCH__ || defined __CUDA_ARCH_FEAT_SM90_ALL
#define HAS_WGMMA
#endif

extern struct device gpu;

// --- the table

// Records a number: the median of the samples, and its 10th and 90th percentiles. `name` is a
// stable key: the model reads it. The formula is looked up in datasheets.tsv, under this name and
// the GPU's compute capability, if there is one.
void record(const char *name, const char *unit, std::vector<double> samples);

// The same with a formula for this GPU, in words, and its value.
void record(const char *name, const char *unit, std::vector<double> samples, const char *formula,
            double value);

// The median of a number that was recorded before; 0 without it.
double recorded(const char *name);

// --- cycles of an SM

typedef long long cycle;

// The clock of the SM after a barrier. The instruction that follows a barrier can execute before
// the warp waits there, but not before it waited at the barrier before that one.
__device__ inline cycle clock_after_barrier()
{
    __syncthreads();
    __syncthreads();
    return clock64();
}

// Runs `body` in all threads of the block. cycles[block] is the time from the start of the first
// warp to the end of the last one. The loop is not unrolled, so `body` is all it executes.
template <class Body> __device__ inline void timed(int rounds, cycle *cycles, Body body)
{
    cycle start = clock_after_barrier();
#pragma unroll 1
    for (int round = 0; round < rounds; round++)
        body();
    cycle end = clock_after_barrier();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = end - start;
}

// The cycles of a round: `launch` runs `rounds` rounds in `blocks` blocks. The difference of two
// numbers of rounds does not contain what happens once: the first fetch of the instructions, the
// barrier, the last results. A sample per block, of three launches.
template <class Launch> std::vector<double> cycles_per_round(int blocks, int rounds, Launch launch)
{
    static cycle *cycles = demo_allocate<cycle>(1 << 16);
    std::vector<double> samples;

    launch(rounds, cycles);
    for (int i = 0; i < 3; i++) {
        launch(rounds, cycles);
        std::vector<cycle> one = demo_results(cycles, blocks);
        launch(2 * rounds, cycles);
        std::vector<cycle> two = demo_results(cycles, blocks);
        for (int block = 0; block < blocks; block++)
            samples.push_back((double)(two[block] - one[block]) / rounds);
    }
    return samples;
}

// The samples as `work` per sample, or as sample per `work`.
inline std::vector<double> per_sample(double work, std::vector<double> samples)
{
    for (double &sample : samples)
        sample = work / sample;
    return samples;
}

inline std::vector<double> divided(std::vector<double> samples, double work)
{
    for (double &sample : samples)
        sample /= work;
    return samples;
}

// --- time of launches

enum { SAMPLES = 15 };

// The times of `launch` in microseconds, between two events.
template <class Launch> std::vector<double> times_of(Launch launch)
{
    cudaEvent_t start, stop;
    std::vector<double> us;
    float ms;

    cuda_must(cudaEventCreate(&start), "making an event");
    cuda_must(cudaEventCreate(&stop), "making an event");
    for (int i = -2; i < SAMPLES; i++) {
        cuda_must(cudaEventRecord(start, cudaStreamPerThread), "recording the start");
        launch();
        cuda_must(cudaGetLastError(), "launching");
        cuda_must(cudaEventRecord(stop, cudaStreamPerThread), "recording the end");
        cuda_must(cudaEventSynchronize(stop), "running the kernel");
        cuda_must(cudaEventElapsedTime(&ms, start, stop), "reading the time");
        if (i >= 0)
            us.push_back(1e3 * ms);
    }
    cuda_must(cudaEventDestroy(start), "freeing an event");
    cuda_must(cudaEventDestroy(stop), "freeing an event");
    return us;
}

// The times of a round in microseconds, for work of the whole GPU whose blocks end at different
// times: `launch` runs `rounds` rounds, and the difference of two numbers of rounds contains no
// launch.
template <class Launch> std::vector<double> us_per_round(int rounds, Launch launch)
{
    std::vector<double> one = times_of([=] { launch(rounds); }),
                        two = times_of([=] { launch(2 * rounds); });

    for (size_t i = 0; i < two.size(); i++)
        two[i] = (two[i] - one[i]) / rounds;
    return two;
}

// --- memory that contains its own addresses

// Each word of 8 bytes in device memory contains its address. So a thread that follows the pointer
// stays where it is, and each load depends on the one before, without an instruction between them.
unsigned long long *own_addresses(size_t bytes);

// The units, one per file.
void measure_launch(void);
void measure_blocks(void);
void measure_pipes(void);
void measure_shared(void);
void measure_l1(void);
void measure_l2(void);
void measure_dram(void);
void measure_atomics(void);
void measure_texture(void);
void measure_barriers(void);
void measure_constant(void);
void measure_copies(void);
void measure_tensor(void);
void measure_wgmma(void);

#endif
