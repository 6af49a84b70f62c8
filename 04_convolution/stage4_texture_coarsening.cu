// stage3: thread coarsening, four pixels per thread
//
// Stage 2 fetches 25 texels per pixel and stores one byte per lane. Change: a thread computes four
// neighboring pixels, packs them into a word, and stores the word. Example 2a of the slides: 6.3 ms
// instead of 7.8. nvcc unrolls the loop over the four pixels and fetches each texel that they share
// only once: 40 instead of 100.
//
//   thread:  texel  0 1 [2 3 4 5] 6 7     8 texels in each of 5 rows = 40, for 4 pixels
//
// Look at: texture and store requests; TEX in make sass. Where the border cuts a word, store() in
// convolution.h writes single bytes. TEXTURE=0 makes plain loads instead: a fair baseline for
// shared memory (stage 4).
// make stage3 TEXTURE=0 && ./stage3        make sass STAGES=stage3        make diff A=2 B=3
// Expect (cpu, 512x512): st_requests == 0.375 * stage2.st_requests
// Expect (sm_90, 32768x32768): rate >= 2.4 * stage2.rate
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
