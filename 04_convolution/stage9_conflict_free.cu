// stage9: conflict-free access to the tile
//
// In stage 8 each thread computes 16 neighboring pixels: lanes read 16 bytes apart, a 4-way bank
// conflict. Change: global access stays at 16 bytes, but a thread computes the words tx, tx + 16,
// tx + 32 and tx + 48 of its row, so that lanes read neighboring words. The results return through
// shared memory, so that each thread can store 16 bytes. Two elements of padding per row (PAD) put
// the two rows of a warp into different banks.
//
//   words of a row    0 1 2 ... 15 | 16 17 ... 31 | 32 ...        one pass of the loop per group
//   thread            0 1 2 ... 15 |  0  1 ... 15 |  0 ...
//
// Look at: one wavefront per shared request. Example 8 of the slides: 2.9 ms instead of 4.8. nvcc
// unrolls the loops over the taps. UNROLL=1 forbids that: the slides' baseline for stage 10.
// make stage9 && ./stage9        make stage9 UNROLL=1 && ./stage9        make diff A=8 B=9
// Expect (cpu, 512x512): shared_wavefronts <= 1.03 * shared_requests
// Expect (sm_90, 32768x32768): rate >= 3.5 * stage8.rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 8
#endif
#ifndef UNROLL
#define UNROLL 5   // of the two loops over the taps; 1: not at all
#endif
#define PAD 2   // puts the two rows that a warp works on into different banks
static_assert(BLOCK_X >= 2 && BLOCK_Y >= 4 && BLOCK_X * BLOCK_Y <= 1024,
              "a block has rows for the halo's columns, and at most 1024 threads");

template <bool memory_only> __global__ void convolve(struct image image, struct filter f)
{
    __shared__ uint4 tile[2 + BLOCK_Y + 2][1 + BLOCK_X + 1 + PAD];
    __shared__ uint4 result[BLOCK_Y][BLOCK_X + 2 * PAD];

    const int unroll = UNROLL;

    // this thread's pixels: columns from x on in row y, tile[ty + 2][tx + 1]
    int tx = threadIdx.x, x = 16 * (BLOCK_X * blockIdx.x + tx);
    int ty = threadIdx.y, y = BLOCK_Y * blockIdx.y + ty;

    load_tile(tile, image, x, y);
    __syncthreads();

    // words tx, tx + BLOCK_X, ... of row ty: lanes work on neighboring words
    for (int word = tx; word < 4 * BLOCK_X && !memory_only; word += BLOCK_X) {
        unsigned pixels = 0;
        for (int p = 0; p < 4; p++) {
            int sum = 0;
#pragma unroll unroll
            for (int i = 0; i < 5; i++)
#pragma unroll unroll
                for (int j = 0; j < 5; j++)
                    sum +=
                        f.c[5 * i + j] * ((unsigned char *)tile[ty + i])[16 + 4 * word + p + j - 2];
            pixels |= pixel(sum, f.scale) << 8 * p;
        }
        ((unsigned *)result[ty])[word] = pixels;
    }
    __syncthreads();
    if (y >= 2 && y < image.height - 2)
        store(image.out + y * image.pitch, x, image.width,
              memory_only ? tile[ty + 2][tx + 1] : result[ty][tx]);
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, 16 * BLOCK_X), ceil_div(image->height, BLOCK_Y));

    if (image->pitch % 16)
        return refuse("pitches that are multiples of 16 only");
    if (image->memory_only)
        convolve<true><<<grid, block>>>(*image, *filter);
    else
        convolve<false><<<grid, block>>>(*image, *filter);
}
