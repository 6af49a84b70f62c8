// exercise2: tile with a halo, filled by one strided loop
//
// Task: do this after stage 3. It fills its tile in four steps, and in three of them most threads
// do nothing: 20 load requests per block. Write a single loop instead, in which the 256 threads
// load words 0 to 255 of the tile, then words 256 to 359. It is solved if ./exercise2 finds no
// wrong pixel, and a block makes 12 load requests.
//
//   tile of ROWS x WORDS words     0   1   2 ... 17      word i is in row i / WORDS and
//   (20 x 18 = 360)               18  19  20 ... 35      column i % WORDS
//                                 36 ...
//
// Hint: Number the threads of the block from 0 to 255. Which words of the tile does thread 7 load?
// Hint: Words 7 and 263. tile[0][0] is the word at column left - 4, row top - 2 of the image. Where
// in the image is tile[i / WORDS][i % WORDS]?
// Hint: One loop covers all words: it starts at the number of the thread, and moves by the
// threads of the block. How does the number of a word become its row and column of the tile, and
// these a place of the image, as for words 7 and 263? What must follow, before a thread reads
// the tile?
//
// Points 5: correct
// Points 4 (cpu, 128x256): ld_requests <= 12 * 4 * 8 and warp_ld_requests <= 2 and kernels == 1
// Points 1 (gpu, 8192x8192): rate >= 0.03 * ref_memcpy.rate
// Check (cpu, 75x37, pitch=1000004, kernel=large)
// Check (cpu, 8x40003)
#include "convolution.h"

using stage1::pixel, stage2::load_clamped, stage2::store_word;

#define BLOCK_X 16
#define BLOCK_Y 16
#define ROWS (2 + BLOCK_Y + 2)    // of the tile
#define WORDS (1 + BLOCK_X + 1)   // per row, of 4 pixels

__global__ void convolve(struct image image, struct filter f)
{
    __shared__ unsigned tile[ROWS][WORDS];

    // (left, top): the block's first pixel; this thread's four: column left + 4 tx on, row top + ty
    int tx = threadIdx.x, left = 4 * BLOCK_X * blockIdx.x;
    int ty = threadIdx.y, top = BLOCK_Y * blockIdx.y;

#ifdef SOLUTION
    for (int i = BLOCK_X * ty + tx; i < ROWS * WORDS; i += BLOCK_X * BLOCK_Y)
        tile[i / WORDS][i % WORDS] =
            load_clamped<unsigned>(image, left - 4 + 4 * (i % WORDS), top - 2 + i / WORDS);
    __syncthreads();
#else
    // TODO: fill the tile
#endif

    unsigned pixels = 0;
#pragma unroll
    for (int p = 0; p < 4; p++) {
        int sum = 0;
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                sum += f.c[5 * i + j] * ((unsigned char *)tile[ty + i])[4 * tx + p + j + 2];
        pixels |= pixel(sum, f.scale) << 8 * p;
    }
    if (top + ty >= 2 && top + ty < image.height - 2)
        store_word(image.out + (top + ty) * image.pitch, left + 4 * tx, image.width, pixels);
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, 4 * BLOCK_X), ceil_div(image->height, BLOCK_Y));

    if (image->pitch % 4)
        return refuse("pitches that are multiples of 4 only");
    convolve<<<grid, block>>>(*image, *filter);
}
