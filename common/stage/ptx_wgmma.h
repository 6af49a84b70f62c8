// Hopper's tensor cores: wgmma, the matrix product of a warpgroup, and the instructions that a
// kernel needs with it. A warpgroup is four consecutive warps, the first of which has a number that
// is a multiple of four. Included by ptx.h. Only sm_90a has these instructions. Names in brackets
// are sections of the PTX ISA manual.
#ifndef PTX_WGMMA_H
#define PTX_WGMMA_H

// Releases registers, or acquires registers that other warpgroups released, so that each thread of
// this warpgroup has COUNT registers: a multiple of 8 from 24 to 256. All warps of the warpgroup
// call it, in a kernel with __launch_bounds__(threads, 1). setmaxnreg_inc() waits until enough
// registers are free. ["setmaxnreg"]
template <int COUNT> __device__ inline void setmaxnreg_dec()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(COUNT));
}
template <int COUNT> __device__ inline void setmaxnreg_inc()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(COUNT));
}

// The matrix descriptor of a tile in shared memory: rows of 128 bytes along K, one after the other
// along M or N, in the layout that a copy with CU_TENSOR_MAP_SWIZZLE_128B produces. The tile is
// aligned to 1024 bytes. To start 32 bytes further along K, add 2 to the descriptor. Its lengths
// are in units of 16 bytes. ["Matrix Descriptor Format", "Swizzling Modes"]
__device__ inline uint64_t wgmma_descriptor(const void *tile)
{
    uint64_t start = shared_address(tile) >> 4 & 0x3fff;   // bits 0-13: the address
    uint64_t leading = 1;          // bits 16-29: leading dimension offset, unused with this swizzle
    uint64_t stride = 1024 >> 4;   // bits 32-45: stride dimension offset, from 8 rows to the next 8
    uint64_t swizzle = 1;          // bits 62-63: the swizzle of 128 bytes

    return start | leading << 16 | stride << 32 | swizzle << 62;
}

// Call it before the first wgmma, and again after other instructions have written registers that a
// wgmma reads. ["wgmma.fence"]
__device__ inline void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

// Commits the wgmmas that this warp has started to a group, and waits for it and all groups before.
// The empty asm statements keep the compiler from accessing `d` earlier. ["wgmma.commit_group",
// "wgmma.wait_group"]
template <int N> __device__ inline void wgmma_wait(float (&d)[N])
{
    asm volatile("wgmma.commit_group.sync.aligned;\n\t"
                 "wgmma.wait_group.sync.aligned 0;" ::
                     : "memory");
#pragma unroll
    for (int i = 0; i < N; i++)
        asm volatile("" : "+f"(d[i])::"memory");
}

#define WGMMA_8(d, i)                                                                           \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
        "+f"(d[i + 6]), "+f"(d[i + 7])
#define WGMMA_32(d, i) WGMMA_8(d, i), WGMMA_8(d, i + 8), WGMMA_8(d, i + 16), WGMMA_8(d, i + 24)

// Starts D = A B or, with `add`, D += A B. A is 64 x 8 in registers, B is 8 x 128 in shared memory,
// both TF32. D is 64 x 128 in fp32, but its sums are truncated, not rounded. Do not access `d` and
// `a` before wgmma_wait. Warp w of the four holds rows 16 w to 16 w + 15. Of these, its lane l
// holds
//
//   a[0], a[1]          column l % 4 of rows l / 4 and l / 4 + 8
//   a[2], a[3]          column l % 4 + 4 of the same rows
//   d[4 j], d[4 j + 1]  columns 8 j + 2 (l % 4) and the next of row l / 4
//   d[4 j + 2], + 3     the same columns of row l / 4 + 8
//
// ["Register Fragments for wgmma.mma_async.m64nNk8", "wgmma.mma_async"]
__device__ inline void wgmma_tf32(float (&d)[64], const float (&a)[4], uint64_t b, bool add)
{
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 "setp.ne.b32 p, %69, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
                 "{%64, %65, %66, %67}, %68, p, 1, 1;\n\t"
                 "}"
                 : WGMMA_32(d, 0), WGMMA_32(d, 32)
                 : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])),
                   "r"(__float_as_uint(a[2])), "r"(__float_as_uint(a[3])), "l"(b), "r"((int)add));
}

#undef WGMMA_8
#undef WGMMA_32

#endif
