// Tensor cores with bf16 factors and fp32 sums: mma.sync and what feeds it, which all GPUs since
// Ampere have; wgmma, which sm_90a alone has; and stmatrix. Names in brackets are sections of the
// PTX ISA manual.
#ifndef PTX_BF16_H
#define PTX_BF16_H

#include <cuda_bf16.h>

#include "ptx.h"

typedef __nv_bfloat16 bf16;

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 900   // ptx.h has it from 9.0 on
// The address of an object in shared memory as PTX takes it: a 32-bit offset from the start of the
// shared window.
__device__ inline unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}
#endif

// Two floats, rounded, in a word: x in its lower half.
__device__ inline unsigned pack_bf16(float x, float y)
{
    __nv_bfloat162 pair = __floats2bfloat162_rn(x, y);
    return *(unsigned *)&pair;
}

// Starts to copy 16 bytes from global to shared memory, past L1: the first `bytes` of them, and
// zeros for the rest. With 0 bytes, `from` is not read. ["cp.async"]
__device__ inline void copy_async_16(void *shared, const void *from, int bytes)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(shared)),
                 "l"(from), "r"(bytes)
                 : "memory");
}

// Loads four matrices of 8 x 8 words of 16 bits from shared memory: 16 rows of 16 columns, if `row`
// points to row lane % 16 and column lane / 16 * 8 of them. Each row of 16 bytes is aligned to 16.
// A lane receives columns 2 (lane % 4) and the next of row lane / 4 of each matrix. These are the
// rows 0 to 7 and 8 to 15 of columns 0 to 7, then of columns 8 to 15. ["ldmatrix"]
__device__ inline void ldmatrix(unsigned (&word)[4], const bf16 *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
                 : "r"(shared_address(row))
                 : "memory");
}

// The same, but each matrix is transposed: a lane receives rows 2 (lane % 4) and the next of column
// lane / 4.
__device__ inline void ldmatrix_trans(unsigned (&word)[4], const bf16 *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
                 : "r"(shared_address(row))
                 : "memory");
}

// d += a b for a warp. a is 16 x 16, as ldmatrix() loads it; b is 16 x 8, words 0 and 1 or words 2
// and 3 of ldmatrix_trans(); d is 16 x 8 floats. The lane holds columns 2 (lane % 4) and the next
// of row lane / 4 in d[0] and d[1], of row lane / 4 + 8 in d[2] and d[3]. ["Matrix Fragments for
// mma.m16n8k16"]
__device__ inline void mma_m16n8k16(float (&d)[4], const unsigned (&a)[4], const unsigned *b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, "
                 "%6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

#if defined EMU_CPU_DEVICE || !defined __CUDA_ARCH__ || defined __CUDA_ARCH_FEAT_SM90_ALL
// The reverse of ldmatrix(): stores four matrices to shared memory. ["stmatrix"]
__device__ inline void stmatrix(bf16 *row, unsigned w0, unsigned w1, unsigned w2, unsigned w3)
{
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                     shared_address(row)),
                 "r"(w0), "r"(w1), "r"(w2), "r"(w3)
                 : "memory");
}

// The matrix descriptor of a tile whose rows run along N, as the rows of B do (MN-major): slabs of
// 64 columns, `slab` bytes apart, each with rows of 128 bytes one after the other along K, in the
// layout that a copy with CU_TENSOR_MAP_SWIZZLE_128B produces. Slabs are aligned to 1024 bytes. To
// start 16 rows further along K, add 128 to the descriptor. ["Strides"]
__device__ inline uint64_t wgmma_descriptor_n(const void *tile, int slab)
{
    uint64_t start = shared_address(tile) >> 4 & 0x3fff;   // bits 0-13: the address
    uint64_t leading = slab >> 4;                          // bits 16-29: from a slab to the next
    uint64_t stride = 1024 >> 4;   // bits 32-45: from 8 rows to the next 8 along K
    uint64_t swizzle = 1;          // bits 62-63: the swizzle of 128 bytes

    return start | leading << 16 | stride << 32 | swizzle << 62;
}

// Commits the wgmmas that this warpgroup has started since the last commit: they are a group.
__device__ inline void wgmma_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits until at most PENDING groups of this warpgroup are not complete. Then one thread may
// report it for the warpgroup, as in CUTLASS (PipelineTmaAsync in a cluster: one arrival per
// warpgroup).
template <int PENDING> __device__ inline void wgmma_wait_groups()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory");
}

// The same, before `d` is read: the empty asm statements keep the compiler from accessing it
// before.
template <int PENDING, int N> __device__ inline void wgmma_wait_groups(float (&d)[N])
{
    wgmma_wait_groups<PENDING>();
#pragma unroll
    for (int i = 0; i < N; i++)
        asm volatile("" : "+f"(d[i])::"memory");
}

// The same for the sums of M wgmmas.
template <int PENDING, int M, int N> __device__ inline void wgmma_wait_groups(float (&d)[M][N])
{
#pragma unroll
    for (int i = 0; i < M; i++)
        wgmma_wait_groups<PENDING>(d[i]);
}

// Starts D = A B or, with `add`, D += A B. A is 64 x 16, B is 16 x N, both bf16 in shared memory: a
// is a wgmma_descriptor(), b a wgmma_descriptor_n(). D is 64 x N in fp32, N is 64, 128, 192 or 256,
// and `d` has N / 2 elements. Do not access `d` before the wgmma is complete. Warp w of the four
// holds rows 16 w to 16 w + 15. Of these, its lane l holds
//
//   d[4 j], d[4 j + 1]  columns 8 j + 2 (l % 4) and the next of row l / 4
//   d[4 j + 2], + 3     the same columns of row l / 4 + 8
//
// ["Register Fragments for wgmma.mma_async.m64nNk16", "wgmma.mma_async"]
#define D_0_31                                                                                   \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, " \
    "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define D_32_63                                                                                  \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, " \
    "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define D_64_95                                                                                  \
    "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, " \
    "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define D_96_127                                                                                 \
    "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, "     \
    "%111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, " \
    "%126, %127"
#define D_8(d, i)                                                                               \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
        "+f"(d[i + 6]), "+f"(d[i + 7])
#define D_32(d, i) D_8(d, i), D_8(d, i + 8), D_8(d, i + 16), D_8(d, i + 24)
// The arguments are N, the list of the registers of D, and the numbers of three more operands.
// After the predicate come the signs of A and B, and whether they are transposed: B is.
#define WGMMA(N, D, A, B, ADD)                                                   \
    "{\n\t"                                                                      \
    ".reg .pred p;\n\t"                                                          \
    "setp.ne.b32 p, " ADD ", 0;\n\t"                                             \
    "wgmma.mma_async.sync.aligned.m64n" N "k16.f32.bf16.bf16 {" D "}, " A ", " B \
    ", p, 1, 1, 0, 1;\n\t"                                                       \
    "}"

__device__ inline void wgmma_bf16(float (&d)[32], uint64_t a, uint64_t b, bool add)
{
    asm volatile(WGMMA("64", D_0_31, "%32", "%33", "%34")
                 : D_32(d, 0)
                 : "l"(a), "l"(b), "r"((int)add));
}

__device__ inline void wgmma_bf16(float (&d)[64], uint64_t a, uint64_t b, bool add)
{
    asm volatile(WGMMA("128", D_0_31 ", " D_32_63, "%64", "%65", "%66")
                 : D_32(d, 0), D_32(d, 32)
                 : "l"(a), "l"(b), "r"((int)add));
}

__device__ inline void wgmma_bf16(float (&d)[96], uint64_t a, uint64_t b, bool add)
{
    asm volatile(WGMMA("192", D_0_31 ", " D_32_63 ", " D_64_95, "%96", "%97", "%98")
                 : D_32(d, 0), D_32(d, 32), D_32(d, 64)
                 : "l"(a), "l"(b), "r"((int)add));
}

__device__ inline void wgmma_bf16(float (&d)[128], uint64_t a, uint64_t b, bool add)
{
    asm volatile(
        WGMMA("256", D_0_31 ", " D_32_63 ", " D_64_95 ", " D_96_127, "%128", "%129", "%130")
        : D_32(d, 0), D_32(d, 32), D_32(d, 64), D_32(d, 96)
        : "l"(a), "l"(b), "r"((int)add));
}

#undef D_0_31
#undef D_32_63
#undef D_64_95
#undef D_96_127
#undef D_8
#undef D_32
#undef WGMMA
#endif

#endif
