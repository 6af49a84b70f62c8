// Clusters: blocks that run at the same time on neighboring SMs and access each other's shared
// memory; and bulk copies from shared memory to global memory. They need sm_90. Names in brackets
// are sections of the PTX ISA manual.
#ifndef PTX_CLUSTER_H
#define PTX_CLUSTER_H

#include "ptx.h"

// The number of this block in its cluster. ["%cluster_ctarank"]
__device__ inline int cluster_rank()
{
    int rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

// Waits until all threads of all blocks of the cluster are here. ["barrier.cluster"]
__device__ inline void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release;\n\t"
                 "barrier.cluster.wait.acquire;" ::
                     : "memory");
}

// Makes mbarriers that this thread initialized visible to the cluster, and to bulk copies.
// ["fence.mbarrier_init"]
__device__ inline void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Arrives at the mbarrier of block `rank` of the cluster that has the same place in its shared
// memory as `barrier` has in this block's. It releases to this block only: what this thread wrote
// is not made visible to the other one. (".release.cluster" would: a fence that waits for all of
// this thread's stores.) ["mapa", "mbarrier.arrive"]
__device__ inline void mbarrier_arrive_cluster(uint64_t *barrier, int rank)
{
    asm volatile("{\n\t"
                 ".reg .b32 remote;\n\t"
                 "mapa.shared::cluster.u32 remote, %0, %1;\n\t"
                 "mbarrier.arrive.shared::cluster.b64 _, [remote];\n\t"
                 "}" ::"r"(shared_address(barrier)),
                 "r"(rank)
                 : "memory");
}

// tma_load_2d() into the shared memory of several blocks of the cluster: those whose bits are set
// in `blocks`. In each of them, the box and the barrier have the same place as in this block.
__device__ inline void tma_load_2d_multicast(void *shared, const CUtensorMap *map, int x, int y,
                                             uint64_t *barrier, int blocks)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(shared)),
        "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier)), "h"((uint16_t)blocks)
        : "memory");
}

// Starts to copy a box from shared memory to a tensor, and commits the copy: it is a group of this
// thread. Elements outside the tensor are not copied. All threads that stored to the box have
// called fence_proxy_async() before.
__device__ inline void tma_store_2d(const CUtensorMap *map, const void *shared, int x, int y)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];\n\t"
        "cp.async.bulk.commit_group;" ::"l"(map),
        "r"(x), "r"(y), "r"(shared_address(shared))
        : "memory");
}

// Waits until at most PENDING of this thread's groups still read shared memory; the others may not
// have written yet.
template <int PENDING> __device__ inline void tma_store_wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(PENDING) : "memory");
}

// Allows the kernel that follows in the stream to start, if its launch has the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization, once all blocks of this one have called this
// or ended. ["griddepcontrol"]
__device__ inline void launch_dependents()
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

// Waits until the kernel before in the stream is complete and its stores are visible. Does nothing
// in a launch without that attribute.
__device__ inline void wait_for_previous_kernel()
{
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

#endif
