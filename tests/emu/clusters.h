// Inline PTX for the tests of clusters, beside hopper.h.
#ifndef CLUSTERS_H
#define CLUSTERS_H

#include <cooperative_groups.h>

#include "hopper.h"

namespace cg = cooperative_groups;

__device__ inline unsigned cluster_rank()
{
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
// The address, in shared::cluster, of a shared variable in the block of that rank.
__device__ inline unsigned in_block(const void *p, unsigned rank)
{
    unsigned at;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(shared_address(p)), "r"(rank));
    return at;
}
__device__ inline void cluster_arrive()
{
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
}
__device__ inline void cluster_arrive_relaxed()
{
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
__device__ inline void cluster_wait()
{
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}
__device__ inline void cluster_sync()
{
    cluster_arrive();
    cluster_wait();
}
__device__ inline void remote_arrive(uint64_t *barrier, unsigned rank)
{
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                     in_block(barrier, rank))
                 : "memory");
}
__device__ inline void remote_expect(uint64_t *barrier, unsigned rank, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(
                     in_block(barrier, rank)),
                 "r"(bytes)
                 : "memory");
}
__device__ inline int remote_load(const int *p, unsigned rank)
{
    int v;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(in_block(p, rank)) : "memory");
    return v;
}
__device__ inline void remote_store(int *p, unsigned rank, int v)
{
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(in_block(p, rank)), "r"(v) : "memory");
}
__device__ inline int remote_add(int *p, unsigned rank, int v)
{
    int old;
    asm volatile("atom.relaxed.cluster.shared::cluster.add.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "r"(in_block(p, rank)), "r"(v)
                 : "memory");
    return old;
}
__device__ inline void store_async(int *p, unsigned rank, int v, uint64_t *barrier)
{
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(
            in_block(p, rank)),
        "r"(v), "r"(in_block(barrier, rank))
        : "memory");
}
__device__ inline void add_async(int *p, unsigned rank, int v, uint64_t *barrier)
{
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
                 "[%0], %1, [%2];" ::"r"(in_block(p, rank)),
                 "r"(v), "r"(in_block(barrier, rank))
                 : "memory");
}
__device__ inline void copy_to_block(void *to, unsigned rank, const void *from, int bytes,
                                     uint64_t *barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], "
                 "[%1], %2, [%3];" ::"r"(in_block(to, rank)),
                 "r"(shared_address(from)), "r"(bytes), "r"(in_block(barrier, rank))
                 : "memory");
}
__device__ inline void tma_multicast_2d(void *to, const CUtensorMap *map, int x, int y,
                                        uint64_t *barrier, uint16_t mask)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
                 "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier)), "h"(mask)
                 : "memory");
}
__device__ inline void multicast(void *to, const void *from, int bytes, uint64_t *barrier,
                                 uint16_t mask)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier)), "h"(mask)
                 : "memory");
}

#endif
