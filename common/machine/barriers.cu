// Barriers: their cost when all warps arrive together, and the latency after the last arrival.
#include "machine.h"

#ifdef HAS_BULK_COPIES
#include "../stage/ptx_cluster.h"
#endif

enum { STEPS = 16, ROUNDS = 64, LATE = 1000 };

// SASS: 8barriers BAR 16
static __global__ void barriers(int rounds, cycle *cycles)
{
    timed(rounds, cycles, [] {
#pragma unroll
        for (int i = 0; i < STEPS; i++)
            asm volatile("bar.sync 0;" ::: "memory");
    });
}

// Warp 0 arrives late. latency[i]: from its arrival to when each warp is at the next barrier, in
// cycles.
static __global__ void late_arrival(cycle *latency)
{
    __shared__ cycle last;

    for (int i = 0; i < STEPS; i++) {
        __syncthreads();
        cycle start = clock64();
        while (threadIdx.x / 32 == 0 && clock64() - start < LATE)
            ;
        cycle arrival = clock64();
        cycle now = clock_after_barrier();
        if (threadIdx.x == 0)
            last = arrival;
        __syncthreads();
        if (threadIdx.x % 32 == 0)
            latency[(i * gridDim.x + blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32] =
                now - last;
    }
}

// SASS: 9mbarriers SYNCS.ARRIVE 1
// Each warp arrives at an mbarrier and waits for the others.
static __global__ void mbarriers(int rounds, cycle *cycles)
{
#ifdef HAS_BULK_COPIES
    __shared__ uint64_t barrier;
    int parity = 0;

    if (threadIdx.x == 0)
        mbarrier_init(&barrier, blockDim.x / 32);
    timed(rounds, cycles, [&] {
        if (threadIdx.x % 32 == 0)
            mbarrier_arrive(&barrier);
        mbarrier_wait(&barrier, parity);
        parity ^= 1;
    });
#endif
}

// With FENCE, what a thread has written before is visible to the cluster after the barrier.
// SASS: 16cluster_barriersILb0 UCGABAR_WAIT 1
template <bool FENCE> static __global__ void cluster_barriers(int rounds, cycle *cycles)
{
#ifdef HAS_BULK_COPIES
    timed(rounds, cycles, [] {
        if (FENCE)
            cluster_sync();
        else
            asm volatile("barrier.cluster.arrive.relaxed;\n\tbarrier.cluster.wait;" ::: "memory");
    });
#endif
}

template <bool FENCE> static void launch_clusters(int size, int blocks, int rounds, cycle *cycles)
{
    cudaLaunchAttribute cluster = { cudaLaunchAttributeClusterDimension };
    cudaLaunchConfig_t config = {};

    cluster.val.clusterDim.x = size;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(256);
    config.stream = cudaStreamPerThread;
    config.attrs = &cluster;
    config.numAttrs = 1;
    cuda_must(cudaLaunchKernelEx(&config, cluster_barriers<FENCE>, rounds, cycles), "launching");
}

static void measure_late(int warps)
{
    int n = STEPS * gpu.sms * warps;
    cycle *latency = demo_allocate<cycle>(n);
    std::vector<double> samples;

    late_arrival<<<gpu.sms, 32 * warps>>>(latency);
    for (cycle cycles : demo_results(latency, n))
        samples.push_back(cycles);
    record(text_of("barrier.after_last_%dwarps", warps), "cycles", samples);
    cuda_must(cudaFree(latency), "freeing");
}

void measure_barriers(void)
{
    for (int warps : { 1, 4, 8, 16, 32 })
        record(text_of("barrier.together_%dwarps", warps), "cycles",
               divided(cycles_per_round(gpu.sms, ROUNDS,
                                        [=](int rounds, cycle *cycles) {
                                            barriers<<<gpu.sms, 32 * warps>>>(rounds, cycles);
                                        }),
                       STEPS));
    for (int warps : { 4, 8, 16, 32 })
        measure_late(warps);
    if (gpu.sm < 90)
        return;
    for (int warps : { 1, 8 })
        record(text_of("barrier.mbarrier_%dwarps", warps), "cycles",
               cycles_per_round(gpu.sms, ROUNDS, [=](int rounds, cycle *cycles) {
                   mbarriers<<<gpu.sms, 32 * warps>>>(rounds, cycles);
               }));
    for (int size : { 2, 4, 8 }) {
        record(text_of("barrier.cluster_%dblocks", size), "cycles",
               cycles_per_round(8 * size, ROUNDS, [=](int rounds, cycle *cycles) {
                   launch_clusters<true>(size, 8 * size, rounds, cycles);
               }));
        record(text_of("barrier.cluster_relaxed_%dblocks", size), "cycles",
               cycles_per_round(8 * size, ROUNDS, [=](int rounds, cycle *cycles) {
                   launch_clusters<false>(size, 8 * size, rounds, cycles);
               }));
    }
}
