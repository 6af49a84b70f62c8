// stage22: shared-memory tile with a halo, fetched through textures
//
// In stage 21 neighboring threads fetch the same pixels again. Change: the block fetches its pixels
// and a halo of two pixels on each side into shared memory once, as in stage 3 of today's ladder.
// Example 3 of the slides, which call the halo an apron: 3.3 ms instead of 6.3 (their example 2a,
// textures with four pixels per thread).
//   +--2 rows of halo--+
//   |2 +------------+ 2|      tile: 2 + 4 BLOCK_X + 2 columns, 2 + BLOCK_Y + 2 rows of bytes
//   |  |   block    |  |      block: 4 BLOCK_X columns, BLOCK_Y rows; 4 pixels per thread
//   +--2 rows of halo--+
// Look at: texture requests. Each tap is a byte load from shared memory, as in the slides: 100 per
// thread, of two cycles each: the limit. A load of stage 1, from L1, takes two cycles as well.
// make stage22 && ./stage22        make stage22 BLOCK_Y=8        make diff B=22
// Expect (cpu, 512x512): tex_requests <= 0.064 * stage21.tex_requests
// Expect (sm_90, 32768x32768): rate >= 3.6 * stage21.rate
// Expect (sm_90, 32768x32768): rate <= 1.09 * stage1.rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
static_assert(BLOCK_X * BLOCK_Y <= 1024, "a block has at most 1024 threads");

using stage1::pixel, stage2::store_word;

__global__ void convolve(struct image image, struct filter f)
{
    __shared__ unsigned char tile[2 + BLOCK_Y + 2][2 + 4 * BLOCK_X + 2];

    // (left, top): the block's first pixel; this thread's four: column left + 4 tx on, row top + ty
    int tx = threadIdx.x, left = 4 * BLOCK_X * blockIdx.x;
    int ty = threadIdx.y, top = BLOCK_Y * blockIdx.y;

    // tile[i][j] is the pixel at (left + j - 2, top + i - 2)
    for (int i = ty; i < 2 + BLOCK_Y + 2; i += BLOCK_Y)
        for (int j = tx; j < 2 + 4 * BLOCK_X + 2; j += BLOCK_X)
            tile[i][j] = tex2D<unsigned char>(image.bytes, left + j - 2, top + i - 2);
    __syncthreads();

    // pixel p is tile[ty + 2][4 tx + p + 2]; its neighbors start 2 rows above it, 2 columns before
    unsigned pixels = 0;
    for (int p = 0; p < 4; p++) {
        int sum = 0;
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                sum += f.c[5 * i + j] * tile[ty + i][4 * tx + p + j];
        pixels |= pixel(sum, f.scale) << 8 * p;
    }
    if (top + ty >= 2 && top + ty < image.height - 2)
        store_word(image.out + (top + ty) * image.pitch, left + 4 * tx, image.width, pixels);
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, 4 * BLOCK_X), ceil_div(image->height, BLOCK_Y));

    // such a pitch is a multiple of 32 bytes, so the words that are stored are aligned
    if (!image->bytes)
        return refuse("textures do not support this pitch or size");
    convolve<<<grid, block>>>(*image, *filter);
}
