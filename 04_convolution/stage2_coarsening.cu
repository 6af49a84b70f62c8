// stage2: thread coarsening, four pixels per thread
//
// Stage 1 loads 25 bytes per pixel and stores one byte per lane. Change: a thread computes four
// neighboring pixels from the 8 bytes of each row that they need: 40 loads instead of 100. It packs
// the pixels into a word and stores the word.
//
//   thread:  byte  0 1 [2 3 4 5] 6 7     8 bytes in each of 5 rows = 40, for 4 pixels
//
// Look at: load and store requests. Where the border cuts a word, store_word() writes single bytes.
// A neighbor of a border pixel may lie outside the image, so load_clamped() clamps its position.
// make stage2 && ./stage2        make diff B=2
// Expect (cpu, 512x512): ld_requests == 0.4 * stage1.ld_requests
// Expect (cpu, 512x512): st_requests == 0.375 * stage1.st_requests
// Expect (sm_90, 32768x32768): rate >= 2.2 * stage1.rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
static_assert(BLOCK_X * BLOCK_Y <= 1024, "a block has at most 1024 threads");

using stage1::pixel;

// Loads Pixels (a byte here; later stages load words of 4 pixels, and more) at column x, row y.
// Clamps both to the image: the neighbors of border pixels lie outside, but border pixels are not
// written. x and the pitch are multiples of sizeof(Pixels).
template <class Pixels>
__device__ inline Pixels load_clamped(const struct image &image, int x, int y)
{
    x = min(max(x, 0), image.pitch - (int)sizeof(Pixels));
    y = min(max(y, 0), image.height - 1);
    return *(const Pixels *)(image.in + y * image.pitch + x);
}

// Stores four packed pixels at column x of an output row: as a word, or byte by byte where the
// border cuts the word. x and the pitch are multiples of 4.
__device__ inline void store_word(unsigned char *row, int x, int width, unsigned pixels)
{
    if (x >= 2 && x + 4 <= width - 2)
        *(unsigned *)(row + x) = pixels;
    else
        for (int p = 0; p < 4; p++)
            if (x + p >= 2 && x + p < width - 2)
                row[x + p] = pixels >> (8 * p);
}

__global__ void convolve(struct image image, struct filter f)
{
    // the first of this thread's four output pixels
    int x = 4 * (blockIdx.x * BLOCK_X + threadIdx.x);
    int y = blockIdx.y * BLOCK_Y + threadIdx.y;

    if (x < image.width - 2 && y >= 2 && y < image.height - 2) {
        int sum[4] = {};
#pragma unroll   // nvcc unrolls this loop anyway
        for (int i = 0; i < 5; i++) {
            unsigned char byte[8];   // columns x - 2 to x + 5 of the row
            for (int n = 0; n < 8; n++)
                byte[n] = load_clamped<unsigned char>(image, x + n - 2, y + i - 2);
            for (int p = 0; p < 4; p++)
                for (int j = 0; j < 5; j++)
                    sum[p] += f.c[5 * i + j] * byte[p + j];
        }
        unsigned pixels = 0;
        for (int p = 0; p < 4; p++)
            pixels |= pixel(sum[p], f.scale) << 8 * p;
        store_word(image.out + y * image.pitch, x, image.width, pixels);
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, 4 * BLOCK_X), ceil_div(image->height, BLOCK_Y));

    if (image->pitch % 4)
        return refuse("pitches that are multiples of 4 only");
    convolve<<<grid, block>>>(*image, *filter);
}
