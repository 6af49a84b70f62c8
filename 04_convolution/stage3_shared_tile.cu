// stage3: shared-memory tile with a halo
//
// In stage 2 neighboring threads load the same pixels again, byte by byte. Change: the block loads
// its pixels and a halo into shared memory once, in four steps, and all sums read the pixels there.
// A load is a word of four pixels, so the halo is two rows above and below, and a word on each
// side.
//
//   tile of words     [halo| BLOCK_X words |halo]   steps 1, 2: the tile's first BLOCK_Y rows
//   tx in steps 1, 3   0 1 2 ... 15                 steps 3, 4: its last four rows
//   tx in steps 2, 4                 0 1
// Look at: load requests, and shared requests: as in stage 2, a thread reads 8 bytes of each of 5
// rows. In shared memory they are aligned, so nvcc merges them: 15 loads instead of 40.
// make stage3 && ./stage3        make stage3 BLOCK_X=32 BLOCK_Y=8 && ./stage3        make diff B=3
// Expect (cpu, 512x512): ld_requests <= 0.07 * stage2.ld_requests
// Expect (cpu, 512x512): ld_requests + shared_requests <= 0.51 * stage2.ld_requests
// Expect (sm_90, 32768x32768): rate >= 1.1 * stage2.rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
static_assert(BLOCK_X >= 2 && BLOCK_Y >= 4 && BLOCK_X * BLOCK_Y <= 1024,
              "the halo needs 2 columns and 4 rows of threads; a block has at most 1024");

using stage1::pixel, stage2::load_clamped, stage2::store_word;

// Loads the block's tile of words. x and y are the position of this thread's pixels.
__device__ inline void load_tile(unsigned tile[][1 + BLOCK_X + 1], const struct image &image, int x,
                                 int y)
{
    int tx = threadIdx.x, left = x - 4, right = left + 4 * BLOCK_X;
    int ty = threadIdx.y, top = y - 2;

    tile[ty][tx] = load_clamped<unsigned>(image, left, top);
    if (tx < 2)
        tile[ty][BLOCK_X + tx] = load_clamped<unsigned>(image, right, top);
    if (ty < 4)
        tile[BLOCK_Y + ty][tx] = load_clamped<unsigned>(image, left, top + BLOCK_Y);
    if (tx < 2 && ty < 4)
        tile[BLOCK_Y + ty][BLOCK_X + tx] = load_clamped<unsigned>(image, right, top + BLOCK_Y);
}

// Convolves the four pixels in column `word` of the tile, as stage 2 does, and returns them packed.
// The first of the five rows is at `rows`; a row has `words` words.
__device__ inline unsigned convolve_word(const unsigned *rows, int words, int word,
                                         const struct filter &f)
{
    int sum[4] = {};
    unsigned pixels = 0;

#pragma unroll
    for (int i = 0; i < 5; i++) {
        unsigned char byte[8];   // the word's four pixels, and two on each side of them
        for (int n = 0; n < 8; n++)
            byte[n] = ((const unsigned char *)(rows + i * words))[4 * word + n - 2];
        for (int p = 0; p < 4; p++)
            for (int j = 0; j < 5; j++)
                sum[p] += f.c[5 * i + j] * byte[p + j];
    }
    for (int p = 0; p < 4; p++)
        pixels |= pixel(sum[p], f.scale) << 8 * p;
    return pixels;
}

__global__ void convolve(struct image image, struct filter f)
{
    __shared__ unsigned tile[2 + BLOCK_Y + 2][1 + BLOCK_X + 1];   // words of 4 pixels

    // this thread's four pixels: from column x on in row y, word tile[ty + 2][tx + 1]
    int tx = threadIdx.x, x = 4 * (BLOCK_X * blockIdx.x + tx);
    int ty = threadIdx.y, y = BLOCK_Y * blockIdx.y + ty;

    load_tile(tile, image, x, y);
    __syncthreads();

    unsigned pixels = convolve_word(tile[ty], 1 + BLOCK_X + 1, 1 + tx, f);
    if (y >= 2 && y < image.height - 2)
        store_word(image.out + y * image.pitch, x, image.width, pixels);
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, 4 * BLOCK_X), ceil_div(image->height, BLOCK_Y));

    if (image->pitch % 4)
        return refuse("pitches that are multiples of 4 only");
    convolve<<<grid, block>>>(*image, *filter);
}
