// exercise7: find the bug: right, but two wavefronts per shared request
//
// Task: do this after stage 5. A block has 8 x 32 threads, so a warp reads 8 words in each of 4
// rows of the tile. Rows of 10 words are padded to 16. The result is right, but reads of the tile
// have 2 wavefronts per request. Explain which lanes conflict, and choose the shortest row without
// conflicts. The shape of the block stays.
//
// Question: Which lanes of a read share banks?
// a) All lanes of one row: their words are 16 apart.
// b) Those of neighboring rows, of which each starts 8 banks after the one before.
// c) Those of the first and the third row, and those of the second and the fourth.
// d) Those of the first and the fourth row only.
// Answer: c
//
// Hint: In which bank does each of the 4 rows start that a warp reads?
// Hint: With rows of 16 words, they start in banks 0, 16, 0 and 16, and each takes 8 banks. Where
// must 4 rows start, so that they have all 32 banks? Why are rows of 10 words no solution?
// Hint: Each of the four rows must start in another bank of 0, 8, 16 and 24, in any order. How
// far must the next row be, modulo 32? Which is the smallest row length above 16 words with this
// property?
//
// Points 2: correct
// Points 1: answer
// Points 4 (cpu, 64x256): shared_wavefronts == shared_requests and ld_requests <= 288 and
//     kernels == 1
// Points 2 (cpu, 64x256): shared_bytes <= 36 * 24 * 4 and ld_requests <= 288
// Points 1 (gpu, 8192x8192): rate >= 0.03 * ref_memcpy.rate
// Check (cpu, 75x37, pitch=1000004, kernel=large)
// Check (cpu, 33003x8)
#include "convolution.h"

using stage1::pixel, stage2::load_clamped, stage2::store_word;

#define BLOCK_X 8
#define BLOCK_Y 32
#ifdef SOLUTION
#define ROW 24   // words per row of the tile: 10 and padding
#else
#define ROW 16   // words per row of the tile: 10 and padding
#endif

// Pixel k of the 12 in three words.
__device__ inline int byte(const unsigned *word, int k) { return word[k / 4] >> 8 * (k % 4) & 255; }

__global__ void convolve(struct image image, struct filter f)
{
    __shared__ unsigned tile[2 + BLOCK_Y + 2][ROW];   // words of 4 pixels

    // this thread's pixels: columns from x on in row y, tile[ty + 2][tx + 1]
    int tx = threadIdx.x, x = 4 * (BLOCK_X * blockIdx.x + tx);
    int ty = threadIdx.y, y = BLOCK_Y * blockIdx.y + ty;

    for (int i = 0; ty + i < 2 + BLOCK_Y + 2; i += BLOCK_Y)
        for (int j = 0; tx + j < 1 + BLOCK_X + 1; j += BLOCK_X)
            tile[ty + i][tx + j] = load_clamped<unsigned>(image, x - 4 + 4 * j, y - 2 + i);
    __syncthreads();

    int sum[4] = {};
    for (int i = 0; i < 5; i++) {
        unsigned word[3];
        for (int n = 0; n < 3; n++)
            word[n] = tile[ty + i][tx + n];
        for (int p = 0; p < 4; p++)
            for (int j = 0; j < 5; j++)
                sum[p] += f.c[5 * i + j] * byte(word, p + j + 2);
    }
    unsigned pixels = 0;
    for (int p = 0; p < 4; p++)
        pixels |= pixel(sum[p], f.scale) << 8 * p;
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
