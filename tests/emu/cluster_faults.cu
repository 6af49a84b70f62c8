// Faults in clusters of several blocks, as in hopper_faults.cu: each with the correct program
// beside it. Numbers in brackets are sections of the PTX ISA 9.1.
#include <stdio.h>
#include <string.h>

#include "clusters.h"
#include "pairs.h"

enum { T = 64 };

struct arguments {
    int *in, *out;
};
#define FAULT(name) FAULT_OF(name, [[maybe_unused]] arguments a)
// The block's own array for results.
#define OUT (a.out + blockIdx.x * T)
// The other block of a cluster of two; a variable that both have written, known to both.
#define PAIR                          \
    __shared__ alignas(128) int v[T]; \
    unsigned rank = cluster_rank();   \
    int t = threadIdx.x;              \
    v[t] = t;                         \
    cluster_sync();                   \
    [[maybe_unused]] unsigned other = rank ^ 1
// The same, with an mbarrier of N arrivals in each block.
#define PAIR_WITH_BARRIER(n)   \
    __shared__ uint64_t b;     \
    if (threadIdx.x == 0) {    \
        mbarrier_init(&b, n);  \
        fence_mbarrier_init(); \
    }                          \
    PAIR

// A tile that multicasts fill in both blocks, and an mbarrier that expects it.
#define FILLED                                         \
    __shared__ alignas(128) int tile[T];               \
    __shared__ uint64_t full;                          \
    unsigned rank = cluster_rank();                    \
    int t = threadIdx.x;                               \
    if (t == 0) {                                      \
        mbarrier_init(&full, 1);                       \
        fence_mbarrier_init();                         \
        mbarrier_arrive_expect_tx(&full, sizeof tile); \
    }                                                  \
    cluster_sync()
// The same for tiles one after the other; `empty` counts blocks that have read the last one.
#define RING(arrivals)                   \
    __shared__ alignas(128) int tile[T]; \
    __shared__ uint64_t full, empty;     \
    unsigned rank = cluster_rank();      \
    int t = threadIdx.x, sum = 0;        \
    if (t == 0) {                        \
        mbarrier_init(&full, 1);         \
        mbarrier_init(&empty, arrivals); \
        fence_mbarrier_init();           \
    }                                    \
    cluster_sync()

// [8.9, Programming Guide, "Distributed Shared Memory"]: all blocks must have started
FAULT(not_started)
{
    __shared__ int v[T];
    unsigned rank = cluster_rank();
    int t = threadIdx.x;
    if (RIGHT)
        cluster_sync();
    // FAULT not_started: an access to shared memory of block [01] of the cluster, which may not
    // have started: a barrier of the cluster must come before
    remote_store(&v[t], rank ^ 1, t);
    cluster_sync();
    OUT[t] = v[t];
}
// [9.7.9.23]: a block may not end before accesses to its memory
FAULT(ends_before_access)
{
    PAIR;
    // FAULT ends_before_access: block [01] of the cluster may end before this access to its shared
    // memory
    OUT[t] = remote_load(&v[t], other);
    if (RIGHT)
        cluster_sync();
}
// The block that is read waits for its reader, but the reader only for some of its threads.
FAULT(ends_before_some)
{
    PAIR_WITH_BARRIER(1);
    if (rank == 1)
        // FAULT ends_before_some: block 0 of the cluster may end before this access
        OUT[t] = remote_load(&v[t], 0);
    if (RIGHT)
        __syncthreads();
    if (rank == 1 && t == 0)
        remote_arrive(&b, 0);
    if (rank == 0)
        mbarrier_wait(&b, 0);
}
FAULT(no_barrier_after_store)
{
    PAIR;
    // FAULT no_barrier_after_store: written here by thread
    remote_store(&v[t], other, 2 * t);
    if (RIGHT)
        cluster_sync();
    // FAULT no_barrier_after_store: race between blocks of a cluster: read of v .*, which block
    // [01] of the cluster has written, and nothing orders the two
    OUT[t] = v[t];
    cluster_sync();
}
FAULT(no_barrier_before_load)
{
    PAIR;
    // FAULT no_barrier_before_load: written here by thread
    v[t] = 2 * t;
    if (RIGHT)
        cluster_sync();
    else
        __syncthreads();
    // FAULT no_barrier_before_load: race between blocks of a cluster: read of v .* of block [01] of
    // the cluster, which its own thread has written
    OUT[t] = remote_load(&v[t], other);
    cluster_sync();
}
// The values are equal, which does not matter.
FAULT(equal_values)
{
    PAIR;
    // FAULT equal_values: race between blocks of a cluster: write of v .* of block 0 of the cluster
    remote_store(&v[t], RIGHT ? other : 0, t);
    cluster_sync();
    OUT[t] = v[t];
}
// [9.7.13.3]: a relaxed arrival releases nothing
FAULT(relaxed_arrive)
{
    PAIR;
    // FAULT relaxed_arrive: written here by thread
    remote_store(&v[t], other, 2 * t);
    if (RIGHT)
        cluster_arrive();
    else
        cluster_arrive_relaxed();
    cluster_wait();
    // FAULT relaxed_arrive: race between blocks of a cluster: read of v
    OUT[t] = v[t];
    cluster_sync();
}
FAULT(atomic_and_read)
{
    PAIR;
    if (rank == 1)
        // FAULT atomic_and_read: race between blocks of a cluster: atomic on v .* of block 0
        remote_add(&v[0], 0, 1);
    if (RIGHT)
        cluster_sync();
    if (rank == 0 && t == 0)
        // FAULT atomic_and_read: read here by thread
        OUT[t] = v[0];
    cluster_sync();
}
// Three blocks: two write to one word of the third.
FAULT(two_writers)
{
    PAIR;
    if (rank != 2 && (RIGHT ? t / 32 == (int)rank % 2 : true) && rank < 2)
        // FAULT two_writers: race between blocks of a cluster: write of v .* of block 2 of the
        // cluster, which block 0 of the cluster has written
        remote_store(&v[t], 2, 5);
    cluster_sync();
    OUT[t] = v[t];
}
FAULT(outside)
{
    PAIR;
    // FAULT outside: out of bounds: 4 bytes of shared memory at byte 256 of v, which has 256 of
    // block [01] of the cluster
    remote_store(v + t + (RIGHT ? 0 : 1), other, t);
    cluster_sync();
    OUT[t] = v[t];
}
FAULT(uninitialized)
{
    __shared__ int v[T];
    int t = threadIdx.x;
    if (RIGHT)
        v[t] = t;
    cluster_sync();
    // FAULT uninitialized: uninitialized read of v .* of block [01] of the cluster
    OUT[t] = remote_load(&v[t], cluster_rank() ^ 1);
    cluster_sync();
}
FAULT(no_such_block)
{
    PAIR;
    // FAULT no_such_block: block 3 of a cluster that has 2
    OUT[t] = remote_load(&v[t], RIGHT ? other : 3);
    cluster_sync();
}
// [9.7.13.3]: each thread arrives once per phase
FAULT(arrives_twice)
{
    int t = threadIdx.x;
    cluster_arrive();
    if (!RIGHT)
        // FAULT arrives_twice: barrier.cluster.arrive of a thread that has arrived and not waited
        cluster_arrive();
    cluster_wait();
    OUT[t] = t;
}
// [9.7.13.3]: a wait is for the arrivals of all threads, its own included
FAULT(waits_twice)
{
    int t = threadIdx.x;
    cluster_arrive();
    cluster_wait();
    if (RIGHT)
        cluster_arrive();
    // FAULT waits_twice: barrier.cluster.wait of a thread that has not arrived since its last wait
    cluster_wait();
    OUT[t] = t;
}
FAULT(one_block_only)
{
    int t = threadIdx.x;
    if (RIGHT || cluster_rank() == 0 || t < 32) {
        cluster_arrive();
        // FAULT one_block_only: deadlock: barrier.cluster.wait: not all threads of the cluster have
        // arrived
        cluster_wait();
    } else
        __syncthreads();
    OUT[t] = t;
}
// [9.7.13.3]: .aligned: all threads of the warp
FAULT(part_of_warp)
{
    int t = threadIdx.x;
    if (RIGHT || t % 32 < 16)
        // FAULT part_of_warp: waits for lanes of its warp that do not arrive
        cluster_arrive();
    else
        __syncwarp(0xffff0000);
    if (!RIGHT)
        __syncthreads();
    cluster_wait();
    OUT[t] = t;
}
// [9.7.13.15.16]: only arrivals and bytes are possible at another block's mbarrier
FAULT(wait_at_other)
{
    PAIR_WITH_BARRIER(1);
    if (t == 0)
        remote_arrive(&b, other);
    uint64_t *mine = &b, *there = cg::this_cluster().map_shared_rank(&b, other);
    // FAULT wait_at_other: mbarrier.try_wait.* the address is in another block of the cluster
    mbarrier_wait(RIGHT ? mine : there, 0);
    OUT[t] = v[t];
    cluster_sync();
}
// [9.7.13.4]: the initialization must be visible to the other block
FAULT(no_init_fence)
{
    __shared__ uint64_t b;
    int t = threadIdx.x;
    if (t == 0) {
        // FAULT no_init_fence: initialized here by thread .0,0,0.
        mbarrier_init(&b, 1);
        if (RIGHT)
            fence_mbarrier_init();
    }
    cluster_arrive_relaxed();
    cluster_wait();
    if (t == 0)
        // FAULT no_init_fence: race: mbarrier.arrive on mbarrier b .* of another block, whose
        // initialization is not visible to this thread
        remote_arrive(&b, cluster_rank() ^ 1);
    if (RIGHT || t == 0)
        mbarrier_wait(&b, 0);
    cluster_sync();
}
// The consumers of one block tell only their own producer that a buffer is free.
FAULT(arrives_at_one)
{
    RING(2);
    for (int i = 0; i < 2; i++) {
        if (t == 0) {
            if (i)
                // FAULT arrives_at_one: deadlock: waits for phase 0 of mbarrier empty .*, which
                // cannot complete
                mbarrier_wait(&empty, 0);
            mbarrier_arrive_expect_tx(&full, sizeof tile);
            multicast(tile + rank * T / 2, a.in, sizeof tile / 2, &full, 3);
        }
        mbarrier_wait(&full, i);
        sum += tile[t];
        __syncthreads();
        if (t < (RIGHT ? 2 : 1) && i == 0)
            remote_arrive(&empty, t);
    }
    OUT[t] = sum;
    cluster_sync();
}
// A multicast overwrites what the other block still reads: only the own `empty` is awaited.
FAULT(empty_of_one)
{
    RING(RIGHT ? 2 : 1);
    for (int i = 0; i < 2; i++) {
        if (t == 0) {
            if (i)
                mbarrier_wait(&empty, 0);
            mbarrier_arrive_expect_tx(&full, sizeof tile);
            // FAULT empty_of_one: race: a bulk copy to shared memory writes tile
            multicast(tile + rank * T / 2, a.in, sizeof tile / 2, &full, 3);
        }
        mbarrier_wait(&full, i);
        // FAULT empty_of_one: read here by thread
        sum += tile[t];
        __syncthreads();
        if (i == 0 && (RIGHT ? t < 2 : t == (int)rank))
            remote_arrive(&empty, t);
    }
    OUT[t] = sum;
    cluster_sync();
}
// A block ends before a multicast to it has landed.
FAULT(ends_before_multicast)
{
    FILLED;
    if (rank == 0 && t == 0)
        // FAULT ends_before_multicast: the block ends while a bulk copy to its shared memory is in
        // flight
        multicast(tile, a.in, sizeof tile, &full, 3);
    if (RIGHT || rank == 0) {
        mbarrier_wait(&full, 0);
        OUT[t] = tile[t];
    }
}
FAULT(mask_of_absent)
{
    FILLED;
    if (rank == 0 && t == 0)
        // FAULT mask_of_absent: a multicast to block 2 of a cluster that has 2
        multicast(tile, a.in, sizeof tile, &full, RIGHT ? 3 : 7);
    mbarrier_wait(&full, 0);
    OUT[t] = tile[t];
}
// [9.7.9.25.4.1]: the mbarrier is in the block of the destination
FAULT(barrier_elsewhere)
{
    PAIR_WITH_BARRIER(1);
    if (t == 0)
        mbarrier_arrive_expect_tx(&b, 4);
    if (t == 0)
        // FAULT barrier_elsewhere: a bulk copy to one block of the cluster, with an mbarrier of
        // another one
        asm volatile(
            "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(
                in_block(v, other)),
            "r"(t), "r"(in_block(&b, RIGHT ? other : rank))
            : "memory");
    mbarrier_wait(&b, 0);
    OUT[t] = v[t];
    cluster_sync();
}
FAULT(async_without_wait)
{
    PAIR_WITH_BARRIER(1);
    if (t == 0)
        mbarrier_arrive_expect_tx(&b, sizeof v);
    // FAULT async_without_wait: started here by thread
    store_async(&v[t], other, 3, &b);
    if (RIGHT || t == 0)
        mbarrier_wait(&b, 0);
    // FAULT async_without_wait: race: read of v .*, which a bulk copy to shared memory writes: this
    // thread has not waited for phase 0 of mbarrier b
    OUT[t] = v[t];
    cluster_sync();
}
// A copy to another block reads what was written without a fence.
FAULT(copy_without_fence)
{
    __shared__ alignas(16) int from[T];
    PAIR_WITH_BARRIER(1);
    // FAULT copy_without_fence: written here by thread
    from[t] = t;
    if (RIGHT)
        fence_proxy_async();
    __syncthreads();
    if (t == 0) {
        mbarrier_arrive_expect_tx(&b, sizeof v);
        // FAULT copy_without_fence: missing fence.proxy.async: a bulk copy to another block reads
        // from
        copy_to_block(v, other, from, sizeof v, &b);
    }
    mbarrier_wait(&b, 0);
    OUT[t] = v[t];
    cluster_sync();
}
// The source of a copy to another block is free when that block's mbarrier completes the
// phase, and this block knows.
FAULT(source_of_copy)
{
    __shared__ alignas(16) int from[T];
    PAIR_WITH_BARRIER(1);
    from[t] = t;
    fence_proxy_async();
    __syncthreads();
    if (t == 0) {
        mbarrier_arrive_expect_tx(&b, sizeof v);
        copy_to_block(v, other, from, sizeof v, &b);
    }
    mbarrier_wait(&b, 0);
    if (RIGHT)
        cluster_sync();
    // FAULT source_of_copy: race: write of from .*, while a bulk copy to another block may read it
    from[t] = 0;
    OUT[t] = v[t];
    cluster_sync();
}
// Global memory, too, is ordered by the cluster's barrier only.
FAULT(global_memory)
{
    PAIR;
    OUT[t] = t;
    if (RIGHT)
        cluster_sync();
    else
        __syncthreads();
    // FAULT global_memory: race between blocks: read of .*, which another block stored
    v[t] = a.out[(blockIdx.x ^ 1) * T + t];
    cluster_sync();
}

static const struct {
    const char *name;
    void (*wrong)(arguments), (*right)(arguments);
    int in_cluster;
} kernels[] = {
#define KERNEL(name)                          \
    {                                         \
#name, name < false>, name < true>, 2 \
    }
    KERNEL(not_started),
    KERNEL(ends_before_access),
    KERNEL(ends_before_some),
    KERNEL(no_barrier_after_store),
    KERNEL(no_barrier_before_load),
    KERNEL(equal_values),
    KERNEL(relaxed_arrive),
    KERNEL(atomic_and_read),
    { "two_writers", two_writers<false>, two_writers<true>, 4 },
    KERNEL(outside),
    KERNEL(uninitialized),
    KERNEL(no_such_block),
    KERNEL(arrives_twice),
    KERNEL(waits_twice),
    KERNEL(one_block_only),
    KERNEL(part_of_warp),
    KERNEL(wait_at_other),
    KERNEL(no_init_fence),
    KERNEL(arrives_at_one),
    KERNEL(empty_of_one),
    KERNEL(ends_before_multicast),
    KERNEL(mask_of_absent),
    KERNEL(barrier_elsewhere),
    KERNEL(async_without_wait),
    KERNEL(copy_without_fence),
    KERNEL(source_of_copy),
    KERNEL(global_memory),
};

int main(int argc, char **argv)
{
    arguments a;
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute cluster = {};

    cudaMalloc(&a.in, 4 * T * sizeof(int));
    cudaMalloc(&a.out, 4 * T * sizeof(int));
    cudaMemset(a.in, 0, 4 * T * sizeof(int));
    cudaMemset(a.out, 0, 4 * T * sizeof(int));
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    config.gridDim = dim3(4);
    config.blockDim = dim3(T);
    config.attrs = &cluster;
    config.numAttrs = 1;
    for (auto &k : kernels) {
        cluster.val.clusterDim.x = k.in_cluster;
        chosen(argc, argv, k.name, [&](bool is_right) {
            cudaLaunchKernelEx(&config, is_right ? k.right : k.wrong, a);
        });
    }
    return 0;
}
