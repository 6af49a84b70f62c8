// cuda::barrier, cuda::pipeline, cuda::memcpy_async and cuda::ptx, used as in the CUDA C++
// Programming Guide. With the argument "early", operations take effect at once.
#include <stdio.h>
#include <string.h>

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

#include "ok.h"

#ifdef EMU_CPU_DEVICE
#include "emu.h"
#endif

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;

enum { T = 64, BATCHES = 5 };

__global__ void split_arrive(int *out)
{
    __shared__ barrier b;
    __shared__ int v[T];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;

    if (block.thread_rank() == 0)
        init(&b, block.size());
    block.sync();
    for (int i = 0; i < 3; i++) {
        v[t] = 10 * i + t;
        barrier::arrival_token token = b.arrive();
        b.wait(std::move(token));
        out[i * T + t] = v[T - 1 - t];
        b.arrive_and_wait();
    }
}

// One warp produces into two buffers, the other one consumes them.
__global__ void producer_consumer(const int *in, int *out)
{
    __shared__ int buffer[2][32];
    __shared__ barrier ready[2], filled[2];
    int t = threadIdx.x;

    if (t < 2) {
        init(&ready[t], blockDim.x);
        init(&filled[t], blockDim.x);
    }
    __syncthreads();
    for (int i = 0; i < BATCHES; i++)
        if (t < 32) {
            ready[i % 2].arrive_and_wait();
            buffer[i % 2][t] = in[i * 32 + t];
            (void)filled[i % 2].arrive();
        } else {
            if (i < 2)
                (void)ready[i % 2].arrive();
            filled[i % 2].arrive_and_wait();
            out[i * 32 + t - 32] = buffer[i % 2][t - 32];
            if (i + 2 < BATCHES)
                (void)ready[i % 2].arrive();
        }
}

__global__ void copy_with_barrier(const int *in, int *out)
{
    __shared__ int v[T];
    __shared__ barrier b;
    auto block = cg::this_thread_block();

    if (threadIdx.x == 0)
        init(&b, block.size());
    block.sync();
    for (int i = 0; i < 2; i++) {
        cuda::memcpy_async(block, v, in + i * T, cuda::aligned_size_t<4>(sizeof v), b);
        b.arrive_and_wait();
        out[i * T + threadIdx.x] = v[T - 1 - threadIdx.x];
        block.sync();
    }
}

__global__ void pipeline_of_thread(const int *in, int *out)
{
    __shared__ int v[2][T];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x;

    for (int compute = 0, fetch = 0; compute < BATCHES; compute++) {
        for (; fetch < BATCHES && fetch < compute + 2; fetch++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&v[fetch % 2][t], in + fetch * T + t, sizeof(int), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[compute * T + t] = v[compute % 2][t];
        pipe.consumer_release();
    }
}

// Two stages; all but the last have arrived.
__global__ void pipeline_by_prior(const int *in, int *out)
{
    __shared__ int v[2][T];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x;

    for (int i = 0; i <= BATCHES; i++) {
        if (i < BATCHES)
            cuda::memcpy_async(&v[i % 2][t], in + i * T + t, sizeof(int), pipe);
        pipe.producer_commit();
        cuda::pipeline_consumer_wait_prior<1>(pipe);
        if (i > 0)
            out[(i - 1) * T + t] = v[(i - 1) % 2][t];
    }
}

__global__ void pipeline_of_block(const int *in, int *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int v[2][T];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int t = threadIdx.x;

    for (int compute = 0, fetch = 0; compute < BATCHES; compute++) {
        for (; fetch < BATCHES && fetch < compute + 2; fetch++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, v[fetch % 2], in + fetch * T, sizeof v[0], pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[compute * T + t] = v[compute % 2][T - 1 - t];
        pipe.consumer_release();
    }
}

// The first warp produces, the second one consumes.
__global__ void pipeline_of_roles(const int *in, int *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int v[2][32];
    auto block = cg::this_thread_block();
    int t = threadIdx.x % 32;
    bool produces = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(
        block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);

    for (int i = 0; i < BATCHES; i++)
        if (produces) {
            pipe.producer_acquire();
            cuda::memcpy_async(&v[i % 2][t], in + i * 32 + t, sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            out[i * 32 + t] = v[i % 2][31 - t];
            pipe.consumer_release();
        }
}

// Guide, "Using TMA to transfer one-dimensional arrays".
__global__ void one_dimension(int *data)
{
    __shared__ alignas(16) int v[T];
    __shared__ barrier b;

    if (threadIdx.x == 0) {
        init(&b, blockDim.x);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(v, data, cuda::aligned_size_t<16>(sizeof v), b);
        token = cuda::device::barrier_arrive_tx(b, 1, sizeof v);
    } else
        token = b.arrive();
    b.wait(std::move(token));
    v[threadIdx.x] += 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, data, v, sizeof v);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

__global__ void with_ptx(const int *in, int *out)
{
    __shared__ alignas(16) int v[T];
    __shared__ uint64_t full;

    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                       sizeof v);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, v, in, sizeof v, &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0))
        ;
    out[threadIdx.x] = v[threadIdx.x];
}

// Guide, "Distributed Shared Memory": a histogram whose bins are in all blocks of the cluster.
__global__ void __cluster_dims__(4, 1, 1) histogram(const int *in, int *bins, int n)
{
    __shared__ int mine[4];
    cg::cluster_group cluster = cg::this_cluster();
    int t = blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x < 4)
        mine[threadIdx.x] = 0;
    cluster.sync();
    for (int i = t; i < n; i += gridDim.x * blockDim.x) {
        int bin = in[i] % 16;
        atomicAdd(cluster.map_shared_rank(mine, bin / 4) + bin % 4, 1);
    }
    cluster.sync();
    if (threadIdx.x < 4)
        atomicAdd(&bins[cluster.block_rank() * 4 + threadIdx.x], mine[threadIdx.x]);
}

int main(int argc, char **argv)
{
    int *in, host[BATCHES * T];

#ifdef EMU_CPU_DEVICE
    emu_land_early(argc > 1 && strcmp(argv[1], "early") == 0);
#else
    (void)argc, (void)argv;
#endif
    cudaMalloc(&in, sizeof host);
    for (int i = 0; i < BATCHES * T; i++)
        host[i] = i * 7 % 1000;
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    // Supported: `cuda::barrier` and `cuda::pipeline` of a block or thread, `cuda::memcpy_async`,
    // `cuda::ptx` for bulk copies, mbarriers and clusters
    gives<int>(
        3 * T, [](int *out) { split_arrive<<<1, T>>>(out); },
        [](int i) { return 10 * (i / T) + T - 1 - i % T; }, "arrive and wait");
    gives<int>(
        BATCHES * 32, [&](int *out) { producer_consumer<<<1, T>>>(in, out); },
        [&](int i) { return host[i]; }, "producers and consumers with barriers");
    gives<int>(
        2 * T, [&](int *out) { copy_with_barrier<<<1, T>>>(in, out); },
        [&](int i) { return host[i / T * T + T - 1 - i % T]; }, "memcpy_async with a barrier");
    gives<int>(
        BATCHES * T, [&](int *out) { pipeline_of_thread<<<1, T>>>(in, out); },
        [&](int i) { return host[i]; }, "a pipeline of each thread");
    gives<int>(
        BATCHES * T, [&](int *out) { pipeline_by_prior<<<1, T>>>(in, out); },
        [&](int i) { return host[i]; }, "a pipeline of each thread, all but one stage");
    gives<int>(
        BATCHES * T, [&](int *out) { pipeline_of_block<<<1, T>>>(in, out); },
        [&](int i) { return host[i / T * T + T - 1 - i % T]; }, "a pipeline of the block");
    gives<int>(
        BATCHES * 32, [&](int *out) { pipeline_of_roles<<<1, T>>>(in, out); },
        [&](int i) { return host[i / 32 * 32 + 31 - i % 32]; },
        "a pipeline of producers and consumers");
    gives<int>(
        T, [](int *out) { one_dimension<<<1, T>>>(out); }, [](int) { return 1; },
        "a one-dimensional array through the TMA");
    gives<int>(
        T, [&](int *out) { with_ptx<<<1, T>>>(in, out); }, [&](int i) { return host[i]; },
        "cuda::ptx");
    gives<int>(
        16, [&](int *out) { histogram<<<8, T>>>(in, out, BATCHES * T); },
        [&](int i) {
            int n = 0;
            for (int v : host)
                n += v % 16 == i;
            return n;
        },
        "a histogram in distributed shared memory");
    cudaFree(in);
    printf("1..%d\n", tests);
    return 0;
}
