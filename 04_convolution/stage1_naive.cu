// stage1: naive kernel, one thread per pixel
//
// Each thread loads its 25 neighbors from global memory, byte by byte. Example 1 of the slides: 148
// ms for 2048 x 2048 pixels on an 8800 GT, which did not coalesce bytes: every lane's load was a
// transaction. Today a warp's load takes the sectors that it touches, and L1 serves most of them.
//
//   one load of a warp:  row y      ....[16 bytes]....   1 or 2 sectors
//                        row y + 1  ....[16 bytes]....   1 or 2 sectors
//
// Look at: sectors per load request, also with --rules 1.1; the memory-only twin takes as long, so
// that loads are the limit. MUL24=1 uses the slides' __umul24(), which is no faster today.
// make stage1 && ./stage1        ./stage1 --rules 1.1        ./stage1 --memory-only
// Expect (cpu, 512x512): ld_sectors == 2.75 * ld_requests
// Expect (cpu, 512x512, rules=1.1): ld_sectors == 31.75 * ld_requests
// Expect (sm_90, 32768x32768): rate >= 0.27 * stage10.rate
// Expect (sm_90, 8192x8192): stage1[memory-only].rate <= 1.02 * rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
#ifndef MUL24
#define MUL24 0
#endif
static_assert(BLOCK_X * BLOCK_Y <= 1024, "a block has at most 1024 threads");

template <bool memory_only> __global__ void convolve(struct image image, struct filter f)
{
    // the output pixel of this thread
    int x = blockIdx.x * BLOCK_X + threadIdx.x;
    int y = blockIdx.y * BLOCK_Y + threadIdx.y;

    if (x >= 2 && x < image.width - 2 && y >= 2 && y < image.height - 2) {
        int sum = 0, k = 0;
        for (int i = -2; i <= 2; i++)
            for (int j = -2; j <= 2; j++) {
                int row = MUL24 ? __umul24(y + i, image.pitch) : (y + i) * image.pitch;
                sum = tap<memory_only>(sum, f.c[k++], image.in[row + x + j]);
            }
        image.out[y * image.pitch + x] = pixel<memory_only>(sum, f.scale);
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, BLOCK_X), ceil_div(image->height, BLOCK_Y));

    if (image->memory_only)
        convolve<true><<<grid, block>>>(*image, *filter);
    else
        convolve<false><<<grid, block>>>(*image, *filter);
}
