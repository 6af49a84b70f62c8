// stage4: texture fetches, four pixels per thread
//
// Change: stage 3 with the four pixels per thread of stage 2. Example 2a of the slides: 6.3 ms
// instead of 7.8. nvcc unrolls the loop over the four pixels and fetches each texel that they share
// only once: 40 instead of 100.
//
// Look at: texture and store requests; TEX in make sass.
// make stage4 && ./stage4        make sass STAGES=stage4        make diff B=4
// Expect (cpu, 512x512): st_requests == 0.375 * stage3.st_requests
// Expect (sm_90, 32768x32768): rate >= 2.4 * stage3.rate
// Expect (sm_90, 32768x32768): rate <= 0.72 * stage1.rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
static_assert(BLOCK_X * BLOCK_Y <= 1024, "a block has at most 1024 threads");

using stage1::tap, stage1::pixel, stage2::store_word;

__global__ void convolve(struct image image, struct filter f)
{
    // the first of this thread's four output pixels
    int x = 4 * (blockIdx.x * BLOCK_X + threadIdx.x);
    int y = blockIdx.y * BLOCK_Y + threadIdx.y;

    if (x < image.width - 2 && y >= 2 && y < image.height - 2) {
        unsigned pixels = 0;
#pragma unroll
        for (int p = 0; p < 4; p++) {
            int sum = 0;
            for (int i = 0; i < 5; i++)
                for (int j = 0; j < 5; j++)
                    sum = tap(sum, f.c[5 * i + j],
                              tex2D<unsigned char>(image.bytes, x + p + j - 2, y + i - 2));
            pixels |= pixel(sum, f.scale) << 8 * p;
        }
        store_word(image.out + y * image.pitch, x, image.width, pixels);
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, 4 * BLOCK_X), ceil_div(image->height, BLOCK_Y));

    if (!image->bytes)
        return refuse("textures do not support this pitch or size");
    if (image->pitch % 4)
        return refuse("pitches that are multiples of 4 only");
    convolve<<<grid, block>>>(*image, *filter);
}
