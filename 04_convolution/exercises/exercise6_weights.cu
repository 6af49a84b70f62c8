// exercise6: find the bug: a few pixels differ by 1
//
// Task: do this after stage 23. To save a multiplication per pixel, the host multiplies the float
// coefficients by the scale once, for all pixels. That is the same number, in mathematics. But
// ./exercise6 reports pixels that differ by 1. Explain why, and fix it. Results must be exact.
//
// Question: Where do the results become inexact?
// a) In the coefficients: a product of a whole number and 1/25 is rounded, and the sum adds the
//    errors.
// b) In the sum: it exceeds 2^24, from which on a float does not hold each whole number.
// c) In the conversion: it rounds to the nearest number, and must round down.
// d) In the bytes of the texture: they are rounded to floats between 0 and 1.
// Answer: a
//
// Hint: Run ./exercise6 --check. The filters gaussian, sharpen and emboss are right at all sizes,
// box and test are not. What do the scales of the first three have in common (filters.c)?
// Hint: They are powers of two, so products with them are exact. 1/25 and 1/121 are not exact in
// float. With these scales, which products and sums of the kernel round? Which would round with the
// whole numbers in filter->w?
// Hint: Products of whole numbers, and sums up to 2^24, are exact in float. So add with the whole
// coefficients, and multiply the complete sum by the scale, as the contract in convolution.h says.
//
// Points 3: correct
// Points 1: answer
// Points 5 (cpu, 64x256): ld_requests == 15 * 2 * 60 and kernels == 1
// Points 1 (gpu, 8192x8192): rate >= 0.05 * ref_memcpy.rate
// Check (cpu, 75x37, pitch=1000004)
// Check (cpu, 33003x8)
#include "convolution.h"

using stage1::pixel, stage2::load_clamped, stage2::store_word;

#define BLOCK_X 32
#define BLOCK_Y 8

// Pixel k of the 12 in three words.
__device__ inline float byte(const unsigned *word, int k)
{
    return word[k / 4] >> 8 * (k % 4) & 255;
}

__global__ void convolve(struct image image, struct filter f)
{
    int x = 4 * (BLOCK_X * blockIdx.x + threadIdx.x);   // the first of this thread's four pixels
    int y = BLOCK_Y * blockIdx.y + threadIdx.y;

    if (x >= image.width - 2 || y < 2 || y >= image.height - 2)
        return;
    float sum[4] = {};
    for (int i = 0; i < 5; i++) {
        unsigned word[3];
        for (int n = 0; n < 3; n++)
            word[n] = load_clamped<unsigned>(image, x - 4 + 4 * n, y + i - 2);
        for (int p = 0; p < 4; p++)
            for (int j = 0; j < 5; j++)
                sum[p] += f.w[5 * i + j] * byte(word, p + j + 2);
    }
    unsigned pixels = 0;
    for (int p = 0; p < 4; p++)
#ifdef SOLUTION
        pixels |= pixel(sum[p], f.scale) << 8 * p;
#else
        pixels |= (unsigned)min(max((int)sum[p], 0), 255) << 8 * p;
#endif
    store_word(image.out + y * image.pitch, x, image.width, pixels);
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, 4 * BLOCK_X), ceil_div(image->height, BLOCK_Y));
    struct filter f = *filter;

#ifdef SOLUTION
#else
    for (int k = 0; k < 25; k++)
        f.w[k] *= f.scale;
#endif
    if (image->pitch % 4)
        return refuse("pitches that are multiples of 4 only");
    if (max_sum(filter) > 1 << 24)
        return refuse("sums of pixels up to 2^24 only: floats hold no larger ones exactly");
    convolve<<<grid, block>>>(*image, f);
}
