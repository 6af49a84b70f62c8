// Device functions for PTX instructions for which CUDA C++ has no intrinsics. The stages' inline
// PTX is here and in the two files that this one includes. Terms are those of the PTX ISA manual,
// which has a section named after each instruction.
#ifndef PTX_H
#define PTX_H

#include "ptx_mma.h"

// A compiler barrier: a loop around it loads and stores its values in every iteration. It generates
// no instruction.
__device__ inline void compiler_fence() { asm volatile("" ::: "memory"); }

// Hopper's bulk asynchronous copies, and the mbarriers in shared memory that track their
// completion. Stages that use them need sm_90.
#if defined EMU_CPU_DEVICE || !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
#include <cuda.h>
#include <stdint.h>

// The address of an object in shared memory as PTX takes it: a 32-bit offset from the start of the
// shared window.
__device__ inline uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

// An mbarrier is an 8-byte object in shared memory that counts arrivals and bytes. Its phase ends
// when `arrivals` threads have arrived and all bytes that they expect have been copied; then the
// next phase begins. One thread initializes it, before any other thread uses it.
__device__ inline void mbarrier_init(uint64_t *barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(arrivals)
                 : "memory");
}

// Arrives, and adds `bytes` to the bytes that the copies of this phase must deliver.
__device__ inline void mbarrier_arrive_expect_tx(uint64_t *barrier, int bytes)
{
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
        "r"(bytes)
        : "memory");
}

// Arrives, and expects no bytes.
__device__ inline void mbarrier_arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
                 : "memory");
}

// Waits until the phase with this parity ends: 0 for the first phase, 1 for the second, 0 for the
// third. The copied data is then visible to this thread.
__device__ inline void mbarrier_wait(uint64_t *barrier, int parity)
{
    int done;

    do
        asm volatile("{\n\t"
                     ".reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.s32 %0, 1, 0, p;\n\t"
                     "}"
                     : "=r"(done)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
    while (!done);
}

// Orders this thread's ordinary accesses to shared memory before later accesses by bulk copies.
// Needed after mbarrier_init(), and before a tile in shared memory is copied to global memory.
__device__ inline void fence_proxy_async()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Starts to copy one box of a tensor, which begins at column x and row y, into shared memory. The
// barrier counts the bytes as they arrive. Elements outside the tensor are zeros; their bytes
// count, too. One thread calls it. `shared` is aligned to 128 bytes, or to 1024 with a 128-byte
// swizzle.
__device__ inline void tma_load_2d(void *shared, const CUtensorMap *map, int x, int y,
                                   uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(shared)),
                 "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier))
                 : "memory");
}

// Starts to copy `bytes` bytes from global to shared memory. The barrier counts them as they
// arrive. Both addresses and `bytes` are multiples of 16. Each thread that calls it copies its own
// range.
__device__ inline void bulk_load(void *shared, const void *global, int bytes, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(shared)),
                 "l"(global), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}

// Prefetches `bytes` bytes of global memory at `at` into L2, and does not wait. Both are multiples
// of 16. Each thread that calls it prefetches its own range.
__device__ inline void prefetch_l2(const void *at, int bytes)
{
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(at), "r"(bytes) : "memory");
}

#if defined EMU_CPU_DEVICE || !defined __CUDA_ARCH__ || defined __CUDA_ARCH_FEAT_SM90_ALL
#include "ptx_wgmma.h"
#endif
#endif

#endif
