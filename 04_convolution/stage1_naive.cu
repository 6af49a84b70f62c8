// stage1: naive kernel, one thread per pixel
//
// Each thread loads its 25 neighbors from global memory, byte by byte. Example 1 of the slides: 148
// ms for 2048 x 2048 pixels on an 8800 GT, which did not coalesce bytes: every lane's load was a
// transaction. Today a warp's load takes the sectors that it touches, and L1 serves most of them.
//   one load of a warp:  row y      ....[16 bytes]....   1 or 2 sectors
//                        row y + 1  ....[16 bytes]....   1 or 2 sectors
//
// Look at: sectors per load request; --rules 1.1 counts as GPUs of compute capability 1.1 did. The
// model of time (./stage1 --for h200) names the limiter: L1, whose banks a request takes twice.
// make stage1 && ./stage1        ./stage1 --rules 1.1        ./stage1 --for h200
// Expect (cpu, 512x512): ld_sectors == 2.75 * ld_requests
// Expect (cpu, 512x512, rules=1.1): ld_sectors == 31.75 * ld_requests
// Expect (sm_90, 32768x32768): rate >= 0.25 * stage5.rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
static_assert(BLOCK_X * BLOCK_Y <= 1024, "a block has at most 1024 threads");

// The output pixel: the scaled sum, truncated and clamped to 0..255.
__device__ inline unsigned pixel(int sum, float scale)
{
    return min(max((int)((float)sum * scale), 0), 255);
}

__global__ void convolve(struct image image, struct filter f)
{
    // the output pixel of this thread
    int x = blockIdx.x * BLOCK_X + threadIdx.x;
    int y = blockIdx.y * BLOCK_Y + threadIdx.y;

    if (x >= 2 && x < image.width - 2 && y >= 2 && y < image.height - 2) {
        int sum = 0;
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                sum += f.c[5 * i + j] * image.in[(y + i - 2) * image.pitch + x + j - 2];
        image.out[y * image.pitch + x] = pixel(sum, f.scale);
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, BLOCK_X), ceil_div(image->height, BLOCK_Y));

    convolve<<<grid, block>>>(*image, *filter);
}
