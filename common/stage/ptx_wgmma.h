// Hopper's tensor cores: wgmma, the matrix product of a warpgroup (four warps, the first a multiple
// of four), and what a kernel around it needs. Part of ptx.h. These instructions are in sm_90a
// alone. Names in brackets are those of sections of the PTX ISA manual.
#ifndef PTX_WGMMA_H
#define PTX_WGMMA_H

// Gives registers back, or takes some that others gave back, so that each thread of this warpgroup
// has COUNT: a multiple of 8 from 24 to 256. All its warps call it, in a kernel with
// __launch_bounds__(threads, 1); taking waits until there are enough. ["setmaxnreg"]
template <int COUNT> __device__ inline void give_registers()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(COUNT));
}
template <int COUNT> __device__ inline void take_registers()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(COUNT));
}

// Describes a tile in shared memory to wgmma: rows of 128 bytes along K, one after the other along
// M or N, as a copy by a tensor map with CU_TENSOR_MAP_SWIZZLE_128B leaves them. It starts at a
// multiple of 1024 bytes. Add 2 for each 32 bytes along K at which to start within the rows. All
// lengths count units of 16 bytes. ["Matrix Descriptor Format", "Swizzling Modes"]
__device__ inline uint64_t wgmma_tile(const void *tile)
{
    uint64_t start = shared_address(tile) >> 4 & 0x3fff;   // bits 0-13: the address
    uint64_t leading = 1;          // bits 16-29: leading dimension offset, unused with this swizzle
    uint64_t stride = 1024 >> 4;   // bits 32-45: stride dimension offset, from 8 rows to the next 8
    uint64_t swizzle = 1;          // bits 62-63: the swizzle of 128 bytes

    return start | leading << 16 | stride << 32 | swizzle << 62;
}

// Comes before the first wgmma, and again after other instructions have written registers that a
// wgmma reads. ["wgmma.fence"]
__device__ inline void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

// Waits for all wgmmas of this warp. The empty instructions keep the compiler from using `d` any
// earlier.
// ["wgmma.commit_group", "wgmma.wait_group"]
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

// Starts D = A B, or D += A B: A is 64 x 8, in registers, B 8 x 128, in shared memory, both TF32,
// and D 64 x 128 in fp32, although its sums are truncated where fp32 rounds. Do not access `d` and
// `a` before wgmma_wait. Warp w of the four holds rows 16 w to 16 w + 15, and its lane l of them
//
//   a[0], a[1]          column l % 4 of rows l / 4 and l / 4 + 8
//   a[2], a[3]          the same of column l % 4 + 4
//   d[4 j], d[4 j + 1]  columns 8 j + 2 (l % 4) and the next of row l / 4
//   d[4 j + 2], + 3     the same of row l / 4 + 8
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
