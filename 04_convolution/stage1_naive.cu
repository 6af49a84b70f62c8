// stage1: naive. One thread a pixel, which loads 25 bytes from global memory. "Do not try this at
// home", the slides warn.
//
// On their 8800 GT it took 148 ms for 2048 x 2048 pixels: half a warp's loads became one only where
// they were words of 4 bytes or more, in order and aligned, and bytes are none of these; each was a
// transaction (./stage1 --rules 1.1). Today a load takes as many 32-byte sectors as its lanes
// touch: two rows of 16 bytes that begin anywhere, 2 to 4 of them. What remains is instructions, 25
// loads for one byte of output. MUL24=1 takes the slides' __umul24() for the rows' places: the
// faster multiplication then, a multiplication and a mask now (make sass).
//
// The slides: naive code can be very bad, here 59 times slower than their last stage. Refuted for
// today: less than 4 times. The loads are the limit all the same, for without the arithmetic it
// takes as long.
//
// make stage1 && ./stage1; ./stage1 --memory-only; make stage1 MUL24=1 && ./stage1
//
// Expect (cpu, 512x512): ld_requests == 25 * st_requests
// Expect (cpu, 512x512): ld_sectors == 2.75 * ld_requests
// Expect (cpu, 512x512): ld_requests == stage1[memory-only].ld_requests
// Expect (cpu, 512x512, rules=1.1): ld_sectors == 31.75 * ld_requests
// Expect (cpu, 512x512, rules=1.3): ld_sectors == 2.75 * ld_requests
// Expect (sm_90, 32768x32768): rate >= 0.27 * stage10.rate
// Expect (sm_90, 2048x2048): rate >= 0.37 * stage10.rate
// Expect (sm_90, 8192x8192): stage1[memory-only].rate <= 1.02 * rate
// Expect (sm_90, 8192x8192): stage1[MUL24=1].rate <= 1.01 * rate
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
