// stage6: 32-bit loads from global memory into the tile, misaligned by the halo
//
// Stage 4 fetches its tile byte by byte. Change: four steps load words of four pixels. The halo
// shifts all loads by a word, so that no row starts at a multiple of 64 bytes. On the slides' GPU
// this made every lane's load a transaction (example 5, 3.6 ms).
//
//   tile of words   [halo| BLOCK_X words |halo]      steps 1, 2: rows of the block, then rows below
//   step 1, 3        0 1 2 ... 15                    1, 3: BLOCK_X columns; 2, 4: the last two
//   step 2, 4                      0 1
// Look at: sectors per request; 18 with --rules 1.1. Memory-only, it is faster than stage 4.
// make stage6 && ./stage6 --rules 1.1        make diff A=4 B=6
// From: stage4
// Expect (cpu, 512x512): ld_sectors >= 4.7 * ld_requests
// Expect (cpu, 512x512, rules=1.1): ld_sectors == 18 * ld_requests
// Expect (sm_90, 8192x8192): stage6[memory-only].rate >= 1.8 * stage4[memory-only].rate
// Expect (sm_90, 8192x8192): rate <= 0.17 * stage6[memory-only].rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
static_assert(BLOCK_X >= 2 && BLOCK_Y >= 4 && BLOCK_X * BLOCK_Y <= 1024,
              "a block has rows for the halo's columns, and at most 1024 threads");

using stage1::pixel, stage2::load_clamped, stage2::store_word;

// Loads a tile of height + 4 rows and width + 2 columns of Pixels with a block of width x height
// threads. x and y are the position of this thread's pixels.
template <int width, int height, class Pixels, int columns>
__device__ inline void load_tile(Pixels (*tile)[columns], const struct image &image, int x, int y)
{
    const int size = sizeof(Pixels);
    int tx = threadIdx.x, left = x - size;
    int ty = threadIdx.y, top = y - 2;

    tile[ty][tx] = load_clamped<Pixels>(image, left, top);
    if (tx < 2)
        tile[ty][width + tx] = load_clamped<Pixels>(image, left + width * size, top);
    if (ty < 4)
        tile[height + ty][tx] = load_clamped<Pixels>(image, left, top + height);
    if (tx < 2 && ty < 4)
        tile[height + ty][width + tx] =
            load_clamped<Pixels>(image, left + width * size, top + height);
}

__global__ void convolve(struct image image, struct filter f)
{
    __shared__ unsigned tile[2 + BLOCK_Y + 2][1 + BLOCK_X + 1];   // words of 4 pixels

    // this thread's pixels: columns from x on in row y, tile[ty + 2][tx + 1]
    int tx = threadIdx.x, x = 4 * (BLOCK_X * blockIdx.x + tx);
    int ty = threadIdx.y, y = BLOCK_Y * blockIdx.y + ty;

    load_tile<BLOCK_X, BLOCK_Y>(tile, image, x, y);
    __syncthreads();

    unsigned pixels = 0;
    for (int p = 0; p < 4; p++) {
        TWIN(pixels = tile[ty + 2][tx + 1]; break;)
        int sum = 0;
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                sum += f.c[5 * i + j] * ((unsigned char *)tile[ty + i])[4 * tx + p + j + 2];
        pixels |= pixel(sum, f.scale) << 8 * p;
    }
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
