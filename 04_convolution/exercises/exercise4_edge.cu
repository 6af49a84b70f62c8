// exercise4: find the bug: a misaligned access at the right edge
//
// Task: do this after stage 3. A thread computes four pixels from three words of each row, without
// shared memory. `./exercise4 --check -n 64x256` is right. `./exercise4 --check -n 64x250` ends
// with a diagnosis of the CPU device. Explain which threads cause it, and fix the kernel. Its loads
// stay words.
//
// Question: Which threads make a misaligned access, and why?
// a) Those at the left edge: the first word begins at column -4.
// b) Those near the right edge: the limit of x is not a multiple of 4.
// c) Those of the last row: their words reach past the image.
// d) Those of odd rows: a row of 250 bytes begins at an address that is not a multiple of 4.
// Answer: b
//
// Hint: Which thread does the diagnosis name, and which columns does this thread load?
// Hint: At width 250 the thread at x = 244 loads words at 240, 244 and 248. What does load_word
// make of column 248?
// Hint: It makes 246, which is not a multiple of 4. The contract in convolution.h says that all
// bytes of a row up to the pitch are readable, and the pitch is a multiple of 4 here.
//
// Points 3: correct
// Points 1: answer
// Points 5 (cpu, 64x250): ld_requests == 15 * 2 * 60 and kernels == 1
// Points 1 (gpu, 8192x8192): rate >= 0.05 * ref_memcpy.rate
// Check (cpu, 75x37, pitch=1000004, kernel=large)
// Check (cpu, 33003x8)
#include "convolution.h"

using stage1::pixel, stage2::store_word;

#define BLOCK_X 32
#define BLOCK_Y 8

// The word at column x, a multiple of 4, of row y. Outside the row, a word inside it: only the
// border needs pixels outside, and it is not written.
__device__ inline unsigned load_word(const struct image &image, int x, int y)
{
#ifdef SOLUTION
    x = min(max(x, 0), image.pitch - 4);
#else
    x = min(max(x, 0), image.width - 4);
#endif
    return *(const unsigned *)(image.in + y * image.pitch + x);
}

// Pixel k of the 12 in three words.
__device__ inline int byte(const unsigned *word, int k) { return word[k / 4] >> 8 * (k % 4) & 255; }

__global__ void convolve(struct image image, struct filter f)
{
    int x = 4 * (BLOCK_X * blockIdx.x + threadIdx.x);   // the first of this thread's four pixels
    int y = BLOCK_Y * blockIdx.y + threadIdx.y;

    if (x >= image.width - 2 || y < 2 || y >= image.height - 2)
        return;
    int sum[4] = {};
    for (int i = 0; i < 5; i++) {
        unsigned word[3];
        for (int n = 0; n < 3; n++)
            word[n] = load_word(image, x - 4 + 4 * n, y + i - 2);
        for (int p = 0; p < 4; p++)
            for (int j = 0; j < 5; j++)
                sum[p] += f.c[5 * i + j] * byte(word, p + j + 2);
    }
    unsigned pixels = 0;
    for (int p = 0; p < 4; p++)
        pixels |= pixel(sum[p], f.scale) << 8 * p;
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
