// Named device functions for what CUDA C has no words for: all inline PTX of the project, each with
// a second half for the CPU device wherever that can be had. The terms are those of the PTX ISA
// manual, where each instruction has a section of its own name.
#ifndef PTX_H
#define PTX_H

#include "ptx_mma.h"

// Makes the compiler forget what it knows of memory: each pass of a loop around this loads and
// stores again. Costs no instruction.
__device__ inline void compiler_fence() { asm volatile("" ::: "memory"); }

// Hopper's bulk copies and the barriers in shared memory that they arrive at. The CPU device has
// none: stages that use them need sm_90.
#if !defined EMU_CPU_DEVICE && (!defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900)
#include <cuda.h>
#include <stdint.h>

// PTX takes an address in shared memory as 32 bits that count from the window's start.
__device__ inline uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

// An mbarrier is 8 bytes of shared memory that count arrivals and bytes. Its phase ends when
// `arrivals` threads have arrived and all bytes that they announced have been copied; then the next
// phase begins. One thread initialises it, before anyone uses it.
__device__ inline void mbarrier_init(uint64_t *barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(arrivals)
                 : "memory");
}

// Arrives, and sets how many bytes the copies of this phase will bring.
__device__ inline void mbarrier_arrive_expect(uint64_t *barrier, int bytes)
{
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
        "r"(bytes)
        : "memory");
}

// Arrives, and announces nothing.
__device__ inline void mbarrier_arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
                 : "memory");
}

// Waits for the end of a phase, by its parity: 0 for the first, 1 for the second, 0 for the third.
// What was copied is then visible.
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

// Orders what this thread did to shared memory by ordinary instructions before what bulk copies do
// to it later: a fresh mbarrier, or a tile that is to be copied out.
__device__ inline void fence_proxy_async()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Starts the copy of one box of a tensor, its corner at column x and row y, into shared memory, and
// arrives at the barrier with its bytes. What lies outside the tensor comes as zeros and counts as
// bytes too. One thread calls it. `shared` is 128-byte aligned, 1024 with a 128-byte swizzle.
__device__ inline void tma_load_2d(void *shared, const CUtensorMap *map, int x, int y,
                                   uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(shared)),
                 "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier))
                 : "memory");
}

// Asks for a stretch of global memory to be brought into L2, and waits for nothing. `at` and
// `bytes` are multiples of 16; each thread that calls it asks for a stretch of its own.
__device__ inline void prefetch_l2(const void *at, int bytes)
{
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(at), "r"(bytes) : "memory");
}

#if !defined __CUDA_ARCH__ || defined __CUDA_ARCH_FEAT_SM90_ALL
#include "ptx_wgmma.h"
#endif
#endif

#endif
