// stage4: texture into shared memory. A block fetches each pixel once, and its threads take the
// neighbours from there.
//
// Stage 3 fetches every pixel for 25 others. Change: the block's pixels and an apron of two around
// them go to a tile in shared memory; after the barrier the arithmetic is fed from it. 3.3 ms in
// the slides, and 1.1 of it without the arithmetic: that is how they look for the limit, and
// --memory-only does the same. They then tried blocks of 16x8 and 16x20 threads for more blocks an
// SM and less apron.
//
// The slides: shared memory has huge benefits, 1.9 times the rate. Confirmed beside textures, 1.5
// times, but it is no faster than stage 1, whose loads L1 serves. Memory takes a third of the time:
// confirmed, nearly the same. Other blocks have little effect: confirmed. Textures reach about half
// of what memory can do: refuted, a quarter of the copy's rate.
//
// make stage4 && ./stage4; ./stage4 --memory-only; make stage4 BLOCK_Y=8 && ./stage4
//
// Expect (cpu, 512x512): tex_requests <= 0.07 * stage3.tex_requests
// Expect (cpu, 512x512): tex_requests == stage4[memory-only].tex_requests
// Expect (sm_90, 32768x32768): rate >= 1.5 * stage3.rate
// Expect (sm_90, 32768x32768): rate <= 1.1 * stage1.rate
// Expect (sm_90, 8192x8192): rate <= 0.31 * stage4[memory-only].rate
// Expect (sm_90, 8192x8192): stage4[memory-only].rate <= 0.28 * ref_memcpy.rate
// Expect (sm_90, 8192x8192): stage4[BLOCK_Y=8].rate <= 1.02 * rate
// Expect (sm_90, 8192x8192): stage4[BLOCK_Y=20].rate <= 1.02 * rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
static_assert(BLOCK_X * BLOCK_Y <= 1024, "a block has at most 1024 threads");

template <bool memory_only> __global__ void convolve(struct image image, struct filter f)
{
    __shared__ unsigned char tile[2 + BLOCK_Y + 2][2 + 4 * BLOCK_X + 2];

    int tx = threadIdx.x, left = 4 * BLOCK_X * blockIdx.x;
    int ty = threadIdx.y, top = BLOCK_Y * blockIdx.y;

    for (int i = ty; i < 2 + BLOCK_Y + 2; i += BLOCK_Y)
        for (int j = tx; j < 2 + 4 * BLOCK_X + 2; j += BLOCK_X)
            tile[i][j] = tex2D<unsigned char>(image.bytes, left + j - 2, top + i - 2);
    __syncthreads();

    unsigned pixels = 0;
    for (int p = 0; p < 4; p++) {
        int sum = memory_only ? tile[ty + 2][4 * tx + p + 2] : 0;
        for (int i = 0; i < 5 && !memory_only; i++)
            for (int j = 0; j < 5; j++)
                sum += f.c[5 * i + j] * tile[ty + i][4 * tx + p + j];
        pixels |= pixel<memory_only>(sum, f.scale) << 8 * p;
    }
    if (top + ty >= 2 && top + ty < image.height - 2)
        store(image.out + (top + ty) * image.pitch, left + 4 * tx, image.width, pixels);
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, 4 * BLOCK_X), ceil_div(image->height, BLOCK_Y));

    if (!image->bytes)
        return refuse("textures do not take this pitch or size");
    if (image->memory_only)
        convolve<true><<<grid, block>>>(*image, *filter);
    else
        convolve<false><<<grid, block>>>(*image, *filter);
}
