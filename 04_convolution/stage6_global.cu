// stage6: global memory into shared. No texture: words of four pixels, with the tile shifted one
// word left and two rows up. Example 5.
//
// Change: the threads load the tile as words, all with the same shift, then the two columns that
// are left on the right, the four rows below, and the corner. The shift is what an apron asks for,
// and it costs: no row of a half-warp's loads begins at a multiple of 64 bytes, so that on the
// slides' GPU each load of each thread was a transaction (3.6 ms, memory only 1.6). Today it means
// a sector more for each row. The slides shift by the "apron amount"; a word's address must be a
// multiple of four.
//
// The slides: all loads are uncoalesced, and textures fill a tile faster, 1.1 ms against 1.6.
// Refuted for today: without the arithmetic it has nearly twice the rate of stage 4. With it they
// are equal, for the arithmetic on bytes in shared memory is the same, and is the limit.
//
// make stage6 && ./stage6; ./stage6 --rules 1.1; make diff A=4 B=6
//
// Expect (cpu, 512x512): ld_sectors >= 4.7 * ld_requests
// Expect (cpu, 512x512): ld_requests == stage6[memory-only].ld_requests
// Expect (cpu, 512x512, rules=1.1): ld_sectors == 18 * ld_requests
// Expect (sm_90, 8192x8192): stage6[memory-only].rate >= 1.8 * stage4[memory-only].rate
// Expect (sm_90, 8192x8192): rate <= 0.17 * stage6[memory-only].rate
// Expect (sm_90, 32768x32768): rate <= 1.01 * stage4.rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
static_assert(BLOCK_X >= 2 && BLOCK_Y >= 4 && BLOCK_X * BLOCK_Y <= 1024,
              "a block has rows for the apron's columns, and at most 1024 threads");

template <bool memory_only> __global__ void convolve(struct image image, struct filter f)
{
    __shared__ unsigned tile[2 + BLOCK_Y + 2][1 + BLOCK_X + 1];   // words of 4 pixels

    int tx = threadIdx.x, x = 4 * (BLOCK_X * blockIdx.x + tx);
    int ty = threadIdx.y, y = BLOCK_Y * blockIdx.y + ty;

    tile[ty][tx] = nearest<unsigned>(image, x - 4, y - 2);
    if (tx < 2)
        tile[ty][BLOCK_X + tx] = nearest<unsigned>(image, x - 4 + 4 * BLOCK_X, y - 2);
    if (ty < 4)
        tile[BLOCK_Y + ty][tx] = nearest<unsigned>(image, x - 4, y - 2 + BLOCK_Y);
    if (tx < 2 && ty < 4)
        tile[BLOCK_Y + ty][BLOCK_X + tx] =
            nearest<unsigned>(image, x - 4 + 4 * BLOCK_X, y - 2 + BLOCK_Y);
    __syncthreads();

    unsigned pixels = memory_only ? tile[ty + 2][tx + 1] : 0;
    for (int p = 0; p < 4 && !memory_only; p++) {
        int sum = 0;
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                sum += f.c[5 * i + j] * ((unsigned char *)tile[ty + i])[4 * tx + p + j + 2];
        pixels |= pixel(sum, f.scale) << 8 * p;
    }
    if (y >= 2 && y < image.height - 2)
        store(image.out + y * image.pitch, x, image.width, pixels);
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, 4 * BLOCK_X), ceil_div(image->height, BLOCK_Y));

    if (image->pitch % 4)
        return refuse("pitches that are multiples of 4 only");
    if (image->memory_only)
        convolve<true><<<grid, block>>>(*image, *filter);
    else
        convolve<false><<<grid, block>>>(*image, *filter);
}
