// stage11: loop unrolling
//
// In stage 10 each of the 100 taps of a word is a byte load from shared memory. Change: #pragma
// unroll on the loop over the word's four pixels. nvcc then sees that they share neighbors, and
// loads each row's 8 bytes with 3 instructions: 15 loads instead of 100. Byte permutes (PRMT) take
// the bytes apart. (nvcc unrolls the two inner loops anyway.) Example 10, the slides' last: 2.5 ms
// instead of 2.9.
//
// Look at: shared requests; the LDS instructions in make sass. Without the arithmetic, a third of
// the time remains: arithmetic is still the limit. The next stages reduce it.
// make stage11 && ./stage11        make diff B=11
// Expect (cpu, 512x512): shared_requests <= 0.17 * stage10.shared_requests
// Expect (sm_90, 32768x32768): rate >= 1.67 * stage10.rate
// Expect (sm_90, 8192x8192): rate <= 0.4 * stage11[memory-only].rate
// Expect (sm_90, 32768x32768): rate >= 1.1 * ref_npp.rate
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
#pragma unroll
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
