// stage9: 128 bits without bank conflicts. Threads load and store 16 bytes, and compute words that
// lie next to their neighbours'. Example 8.
//
// Change: a thread makes the words tx, tx + 16, tx + 32 and tx + 48 of its row, so that a
// half-warp's bytes lie in 16 words side by side. Its results go back to shared memory, from where
// each thread takes 16 bytes to store: hence the smaller block. 2.9 ms in the slides, memory only
// 0.4. Their GPU's half-warps had 16 banks. Today a warp asks for two rows at once, of 32 banks:
// two places more in a row keep those apart.
//
// The slides: conflicts were it, 1.7 times the rate of stage 8 and 1.2 times that of stage 7.
// Confirmed, and more so: 3.6 and 2 times.
//
// make stage9 && ./stage9; make diff A=8 B=9; make stage9 BLOCK_X=32 && ./stage9
//
// Expect (cpu, 512x512): shared_wavefronts <= 1.03 * shared_requests
// Expect (cpu, 512x512): ld_requests == stage9[memory-only].ld_requests
// Expect (cpu, 512x512, rules=1.1): shared_wavefronts <= 2.3 * shared_requests
// Expect (sm_90, 32768x32768): rate >= 3.5 * stage8.rate
// Expect (sm_90, 32768x32768): rate >= 1.94 * stage7.rate
// Expect (sm_90, 2048x2048): rate >= 2.9 * stage8.rate
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
