// stage1: naive kernel, one thread per pixel
//
// Each thread loads its 25 neighbors from global memory, byte by byte. Example 1 of the slides: 148
// ms for 2048 x 2048 pixels on an 8800 GT, which did not coalesce bytes: every lane's load was a
// transaction. Today a warp's load takes the sectors that it touches, and L1 serves most of them.
//   one load of a warp:  row y      ....[16 bytes]....   1 or 2 sectors
//                        row y + 1  ....[16 bytes]....   1 or 2 sectors
//
// Look at: sectors per load request; --rules 1.1 counts as GPUs of compute capability 1.1 did.
// --memory-only, without the arithmetic, takes as long: loads are the limit. A line TWIN(...) is
// code of --memory-only: skip it.
// make stage1 && ./stage1        ./stage1 --rules 1.1        ./stage1 --memory-only
// Expect (cpu, 512x512): ld_sectors == 2.75 * ld_requests
// Expect (cpu, 512x512, rules=1.1): ld_sectors == 31.75 * ld_requests
// Expect (sm_90, 32768x32768): rate >= 0.27 * stage11.rate
// Expect (sm_90, 8192x8192): stage1[memory-only].rate <= 1.02 * rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
static_assert(BLOCK_X * BLOCK_Y <= 1024, "a block has at most 1024 threads");

// One tap of the filter.
__device__ inline int tap(int sum, int c, int in)
{
    TWIN(return sum | (in & c));
    return sum + c * in;
}

// The output pixel: the scaled sum, truncated and clamped to 0..255.
__device__ inline unsigned pixel(int sum, float scale)
{
    TWIN(return sum);
    return min(max((int)((float)sum * scale), 0), 255);
}

__global__ void convolve(struct image image, struct filter f)
{
    // the output pixel of this thread
    int x = blockIdx.x * BLOCK_X + threadIdx.x;
    int y = blockIdx.y * BLOCK_Y + threadIdx.y;

    if (x >= 2 && x < image.width - 2 && y >= 2 && y < image.height - 2) {
        int sum = 0;
        for (int i = -2; i <= 2; i++)
            for (int j = -2; j <= 2; j++)
                sum = tap(sum, f.c[5 * (i + 2) + j + 2], image.in[(y + i) * image.pitch + x + j]);
        image.out[y * image.pitch + x] = pixel(sum, f.scale);
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, BLOCK_X), ceil_div(image->height, BLOCK_Y));

    convolve<<<grid, block>>>(*image, *filter);
}
