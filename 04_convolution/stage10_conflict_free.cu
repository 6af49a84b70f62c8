// stage10: conflict-free access to the tile
//
// In stage 9 a thread computes 16 neighboring pixels. Lanes therefore read words 4 apart, a 4-way
// bank conflict. Change: a thread computes words tx, tx + 16, tx + 32 and tx + 48 of its row, so
// that neighboring lanes read neighboring words. Global loads and stores stay at 16 bytes: results
// go through shared memory, from which each thread copies 16 neighboring pixels to the output. The
// block has 8 rows, because on the slides' GPU two such arrays of 16 rows leave room for one block
// per SM. Today 16 rows are as fast.
//   words of a row    0 1 2 ... 15 | 16 17 ... 31 | 32 ...       one pass of the loop per group
//   thread tx         0 1 2 ... 15 |  0  1 ... 15 |  0 ...
//   A warp works on two rows: with PAD a row has 80 words, and the next starts 16 banks further.
// Look at: one wavefront (pass over the banks) per shared request. Example 8 of the slides: 2.9 ms
// instead of 4.8.
// make stage10 && ./stage10        make diff B=10
// Expect (cpu, 512x512): shared_wavefronts <= 1.03 * shared_requests
// Expect (sm_90, 32768x32768): rate >= 3.55 * stage9.rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 8
#endif
#define PAD 2   // a row of both arrays has 20 elements, 80 words: the next starts 16 banks further
static_assert(BLOCK_X >= 2 && BLOCK_Y >= 4 && BLOCK_X * BLOCK_Y <= 1024,
              "the halo needs 2 columns and 4 rows of threads; a block has at most 1024");

using stage1::pixel, stage9::load_tile, stage9::store_vector;

__global__ void convolve(struct image image, struct filter f)
{
    __shared__ uint4 tile[2 + BLOCK_Y + 2][1 + BLOCK_X + 1 + PAD];
    __shared__ uint4 result[BLOCK_Y][BLOCK_X + 2 * PAD];

    // this thread loads and stores columns x to x + 15 of row y, tile[ty + 2][tx + 1]
    int tx = threadIdx.x, x = 16 * (BLOCK_X * blockIdx.x + tx);
    int ty = threadIdx.y, y = BLOCK_Y * blockIdx.y + ty;

    load_tile<BLOCK_X, BLOCK_Y>(tile, image, x, y);
    __syncthreads();

    // words tx, tx + BLOCK_X, ... of row ty: lanes work on neighboring words. Pixel p of a word is
    // byte 16 + 4 word + p of its row of the tile; its neighbors start 2 bytes before
    for (int word = tx; word < 4 * BLOCK_X; word += BLOCK_X) {
        TWIN(result[ty][tx] = tile[ty + 2][tx + 1]; break;)
        unsigned pixels = 0;
        for (int p = 0; p < 4; p++) {
            int sum = 0;
            for (int i = 0; i < 5; i++) {
                const unsigned char *row = (const unsigned char *)tile[ty + i];
                for (int j = 0; j < 5; j++)
                    sum += f.c[5 * i + j] * row[16 + 4 * word + p + j - 2];
            }
            pixels |= pixel(sum, f.scale) << 8 * p;
        }
        ((unsigned *)result[ty])[word] = pixels;
    }
    __syncthreads();
    if (y >= 2 && y < image.height - 2)
        store_vector(image.out + y * image.pitch, x, image.width, result[ty][tx]);
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, 16 * BLOCK_X), ceil_div(image->height, BLOCK_Y));

    if (image->pitch % 16)
        return refuse("pitches that are multiples of 16 only");
    convolve<<<grid, block>>>(*image, *filter);
}
