// stage10: unrolled. One line, and the compiler sees that the four pixels of a word share their
// neighbours. Example 10, the slides' last.
//
// Change: #pragma unroll on the loop over the four. 2.5 ms in the slides. nvcc of today unrolls the
// two inner loops by itself, and not this one: then each of 100 bytes is a load from shared memory
// of its own. Unrolled, it takes a row's eight bytes in three loads and shifts them apart: 15 loads
// for the 100 (make sass; the CPU device counts the source). What is left are 25 multiplications a
// pixel.
//
// The slides: unrolling still helps, 1.2 times the rate. Confirmed, 1.7 times. They end with a
// sixth of the time for memory, and today it is a third: the arithmetic is the limit as before, and
// all further stages are about it.
//
// make stage10 && ./stage10; make diff A=9 B=10
//
// Expect (cpu, 512x512): shared_requests == stage9.shared_requests
// Expect (cpu, 512x512): ld_requests == stage10[memory-only].ld_requests
// Expect (sm_90, 32768x32768): rate >= 1.67 * stage9.rate
// Expect (sm_90, 2048x2048): rate >= 1.46 * stage9.rate
// Expect (sm_90, 8192x8192): rate <= 0.34 * stage10[memory-only].rate
// Expect (sm_90, 32768x32768): rate >= 1.1 * ref_npp.rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 8
#endif
#define PAD 2   // so that the two rows that a warp works on lie in different banks
static_assert(BLOCK_X >= 2 && BLOCK_Y >= 4 && BLOCK_X * BLOCK_Y <= 1024,
              "a block has rows for the apron's columns, and at most 1024 threads");

template <bool memory_only> __global__ void convolve(struct image image, struct filter f)
{
    __shared__ uint4 tile[2 + BLOCK_Y + 2][1 + BLOCK_X + 1 + PAD];
    __shared__ uint4 result[BLOCK_Y][BLOCK_X + 2 * PAD];

    int tx = threadIdx.x, x = 16 * (BLOCK_X * blockIdx.x + tx);
    int ty = threadIdx.y, y = BLOCK_Y * blockIdx.y + ty;

    fill_coalesced(tile, image, x, y);
    __syncthreads();

    for (int word = tx; word < 4 * BLOCK_X && !memory_only; word += BLOCK_X) {
        unsigned pixels = 0;
#pragma unroll
        for (int p = 0; p < 4; p++) {
            int sum = 0;
            for (int i = 0; i < 5; i++)
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
