// Inline PTX for the tests of Hopper's instructions, beside common/stage/ptx.h.
#ifndef HOPPER_H
#define HOPPER_H

#include <cuda.h>

#include "../../common/stage/ptx.h"

__device__ inline void mbarrier_inval(uint64_t *barrier)
{
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(barrier)) : "memory");
}
__device__ inline void mbarrier_expect_tx(uint64_t *barrier, int bytes)
{
    asm volatile(
        "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
        "r"(bytes)
        : "memory");
}
__device__ inline uint64_t mbarrier_arrive_state(uint64_t *barrier, int count)
{
    uint64_t state;
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(shared_address(barrier)), "r"(count)
                 : "memory");
    return state;
}
__device__ inline bool mbarrier_test(uint64_t *barrier, uint64_t state)
{
    int done;
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 "mbarrier.test_wait.shared::cta.b64 p, [%1], %2;\n\t"
                 "selp.s32 %0, 1, 0, p;\n\t"
                 "}"
                 : "=r"(done)
                 : "r"(shared_address(barrier)), "l"(state)
                 : "memory");
    return done;
}
// 4 bytes; and an arrival when the thread's copies have arrived.
__device__ inline void copy_word(float *to, const float *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(to)), "l"(from)
                 : "memory");
}
__device__ inline void copies_arrive(uint64_t *barrier)
{
    asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(shared_address(barrier))
                 : "memory");
}
__device__ inline void copies_arrive_noinc(uint64_t *barrier)
{
    asm volatile(
        "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(barrier))
        : "memory");
}
__device__ inline void grid_wait() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
__device__ inline void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ inline void bulk_store(void *to, const void *from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                 "r"(shared_address(from)), "r"(bytes)
                 : "memory");
}
__device__ inline void bulk_add(float *to, const void *from, int bytes)
{
    asm volatile(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(to),
        "r"(shared_address(from)), "r"(bytes)
        : "memory");
}
__device__ inline void tma_store_2d(const CUtensorMap *map, const void *from, int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], "
                 "[%3];" ::"l"(map),
                 "r"(x), "r"(y), "r"(shared_address(from))
                 : "memory");
}
__device__ inline void tma_load_3d(void *to, const CUtensorMap *map, int x, int y, int z,
                                   uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(shared_address(to)),
                 "l"(map), "r"(x), "r"(y), "r"(z), "r"(shared_address(barrier))
                 : "memory");
}
__device__ inline void bulk_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ inline void bulk_wait() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
__device__ inline void bulk_wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

// A matrix descriptor. Offsets are in bytes; swizzle as CUtensorMapSwizzle.
__device__ inline uint64_t descriptor(const void *tile, int leading, int stride, int swizzle)
{
    return (uint64_t)(shared_address(tile) >> 4 & 0x3fff) | (uint64_t)(leading >> 4) << 16 |
           (uint64_t)(stride >> 4) << 32 | (uint64_t)((4 - swizzle) % 4) << 62;
}

// D = A B or D += A B, 64 x 8, A and B in shared memory. d: four sums.
template <int TRANSPOSE_A, int TRANSPOSE_B>
__device__ inline void wgmma_bf16_n8(float (&d)[4], uint64_t a, uint64_t b, int add)
{
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %6, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, "
                 "1, 1, %7, %8;\n\t}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(a), "l"(b), "r"(add), "n"(TRANSPOSE_A), "n"(TRANSPOSE_B));
}
__device__ inline void wgmma_s8_n8(int (&d)[4], uint64_t a, uint64_t b, int add)
{
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %6, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%0, %1, %2, %3}, %4, %5, p;\n\t}"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "l"(a), "l"(b), "r"(add));
}
__device__ inline void wgmma_tf32_n8(float (&d)[4], uint64_t a, uint64_t b, int add)
{
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %6, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0, %1, %2, %3}, %4, %5, p, "
                 "1, 1;\n\t}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(a), "l"(b), "r"(add));
}
__device__ inline void wgmma_f16_n8(unsigned (&d)[2], uint64_t a, uint64_t b, int add)
{
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %4, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, %2, %3, p, 1, 1, 0, "
                 "0;\n\t}"
                 : "+r"(d[0]), "+r"(d[1])
                 : "l"(a), "l"(b), "r"(add));
}
__device__ inline void wgmma_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
__device__ inline void wgmma_wait_all()
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

#endif
