// stage16: thread block clusters (distributed shared memory)
//
// In stage 12 each block takes a ticket. Here 8 blocks form a cluster: they run at the same time,
// on nearby SMs. Each stores its sum in the shared memory of the first, which takes a ticket.
//   block 0  sum ----> sums[0]              block 8   sum ----> sums[0]
//   block 7  sum ----> sums[7]  + ticket    block 15  sum ----> sums[7]  + ticket
//
// Look at: a lower rate than stage 12's. An H200 has places for 62 of 66 clusters: 8 SMs are idle,
// and 4 clusters start late. CLUSTER=2: all fit. CLUSTER=1: barriers and code cost 0.5 us.
// From: stage12
// make stage16 && ./stage16 -n 1073741824        make diff A=12 B=16        make stage16 CLUSTER=2
// Needs: sm_90
// Expect (cpu, 1048576): 8 * atomic_requests == stage12.atomic_requests
// Expect (H200, 1073741824): rate <= 0.95 * stage12.rate
// Expect (H200, 1073741824): stage16[CLUSTER=8].rate <= 0.95 * stage16[CLUSTER=2].rate
// Expect (H200, 16777216): stage16[CLUSTER=1].rate <= 0.98 * stage12.rate
#include <cooperative_groups.h>

#include "sums.h"

namespace cg = cooperative_groups;
using stage12::partial_sums;
using stage8::block_sum;
using tiles::thread_sum;

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads
#define LOADS 4
#ifndef CLUSTER
#define CLUSTER 8   // blocks per cluster, the most that every GPU with clusters has
#endif

// Adds the block sums of the cluster, which thread 0 of each block has. Returns the result in
// thread 0 of its first block (rank 0).
template <class T> __device__ T cluster_sum(T sum, cg::cluster_group cluster)
{
    __shared__ T sums[CLUSTER];

    cluster.barrier_wait();   // now all blocks of the cluster have started, so their memory exists
    if (threadIdx.x == 0)
        *cluster.map_shared_rank(&sums[cluster.block_rank()], 0) = sum;   // sums of rank 0
    cluster.sync();   // waits for all threads of the cluster, and makes their stores visible

    sum = 0;
    if (cluster.block_rank() == 0)
        for (int i = 0; i < CLUSTER; i++)
            sum += sums[i];
    return sum;
}

// combine_blocks of stage 12, with one sum per cluster. The cluster's first block calls it.
template <class T> __device__ void combine_clusters(T sum, T *out, partial_sums<T> *partial)
{
    unsigned clusters = gridDim.x / CLUSTER;
    bool last = false;

    if (threadIdx.x == 0) {
        partial->sums[blockIdx.x / CLUSTER] = sum;
        __threadfence();
        last = atomicInc(&partial->ticket, clusters - 1) == clusters - 1;
    }
    if (!__syncthreads_or(last))
        return;
    __threadfence();

    sum = 0;
    for (unsigned i = threadIdx.x; i < clusters; i += BLOCK)
        sum += __ldcg(&partial->sums[i]);
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

template <class T>
__global__ void __cluster_dims__(CLUSTER)
    reduce(const T *in, T *out, long long n, partial_sums<T> *partial)
{
    cg::cluster_group cluster = cg::this_cluster();

    cluster.barrier_arrive();   // this block has started; cluster_sum waits for the others
    T sum = cluster_sum(block_sum(thread_sum<BLOCK, LOADS>(in, n)), cluster);

    if (cluster.block_rank() == 0)
        combine_clusters(sum, out, partial);
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    const int tile = LOADS * BLOCK * (16 / sizeof(T));   // elements of a block's tile
    int resident = BLOCKS_PER_SM * multiprocessors();
    int blocks = (int)min(ceil_div(n, tile), (long long)resident);
    int clusters = ceil_div(blocks, CLUSTER);
    int bytes = sizeof(partial_sums<T>) + clusters * sizeof(T);

    reduce<<<clusters * CLUSTER, BLOCK>>>(in, out, n, (partial_sums<T> *)scratch(bytes));
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}
