// stage23: a tile of floats, converted by the texture unit
//
// Stage 22 loads single bytes from shared memory, 100 per thread, and these limit it (ncu: 99 %).
// Change: the tile holds floats, which tex2D<float>() returns: pixel / 255, and times 255 exactly
// the pixel again (cudaReadModeNormalizedFloat). A load of 16 bytes brings four of them.
//   bytes    | a | b | c | d | e | f | g | h |     8 pixels, read one by one by each tap
//   floats   |   a b c d   |   e f g h   |         2 loads of 16 bytes
// Example 4 of the slides, "Oops...bad idea!": 6.5 ms instead of 3.3, for four times the shared
// memory. Today it is more than twice as fast. Sums are exact up to 2^24; the stage refuses
// coefficients whose sums could exceed it.
// Look at: requests and wavefronts of shared memory. Instruction issue is now busiest (ncu: 81 %).
// make stage23 && ./stage23        make diff B=23
// Expect (cpu, 512x512): shared_wavefronts <= 0.25 * stage22.shared_wavefronts
// Expect (sm_90, 32768x32768): rate >= 2.25 * stage22.rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
static_assert(BLOCK_X * BLOCK_Y <= 1024, "a block has at most 1024 threads");

using stage2::store_word;

__global__ void convolve(struct image image, struct filter f)
{
    __shared__ float tile[2 + BLOCK_Y + 2][2 + 4 * BLOCK_X + 2];

    // (left, top): the block's first pixel; this thread's four: column left + 4 tx on, row top + ty
    int tx = threadIdx.x, left = 4 * BLOCK_X * blockIdx.x;
    int ty = threadIdx.y, top = BLOCK_Y * blockIdx.y;

    // tile[i][j] is the pixel at (left + j - 2, top + i - 2)
    for (int i = ty; i < 2 + BLOCK_Y + 2; i += BLOCK_Y)
        for (int j = tx; j < 2 + 4 * BLOCK_X + 2; j += BLOCK_X)
            tile[i][j] = 255 * tex2D<float>(image.floats, left + j - 2, top + i - 2);
    __syncthreads();

    unsigned pixels = 0;
    for (int p = 0; p < 4; p++) {
        float sum = 0;
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                sum += f.w[5 * i + j] * tile[ty + i][4 * tx + p + j];
        pixels |= min(max((int)(sum * f.scale), 0), 255) << 8 * p;
    }
    if (top + ty >= 2 && top + ty < image.height - 2)
        store_word(image.out + (top + ty) * image.pitch, left + 4 * tx, image.width, pixels);
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, 4 * BLOCK_X), ceil_div(image->height, BLOCK_Y));

    // such a pitch is a multiple of 32 bytes, so the words that are stored are aligned
    if (!image->floats)
        return refuse("textures do not support this pitch or size");
    if (max_sum(filter) > 1 << 24)
        return refuse("sums of pixels up to 2^24 only: floats hold no larger ones exactly");
    convolve<<<grid, block>>>(*image, *filter);
}
