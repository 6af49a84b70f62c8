// stage11: the simple shift again. Four steps fill the tile in place of six, as the slides do on
// their GT200 of 2008.
//
// That GPU of compute capability 1.3 had buffers which turn what a half-warp asks for into as few
// transactions as hold it, in any order: "hideous" code became 2.5 times slower than the best, not
// 60 times. Change: stage 10 with the fill of stage 6, shifted by 16 bytes. Fewer requests.
//
// The slides: the simple shift is slightly faster than the six steps. Confirmed, and the tile alone
// is filled a fifth faster.
//
// make stage11 && ./stage11; make diff A=10 B=11
//
// Expect (cpu, 512x512): ld_requests == 2 * stage10.ld_requests / 3
// Expect (cpu, 512x512): ld_sectors == stage10.ld_sectors
// Expect (cpu, 512x512): ld_requests == stage11[memory-only].ld_requests
// Expect (cpu, 512x512, rules=1.3): ld_sectors == stage10.ld_sectors
// Expect (sm_90, 32768x32768): rate >= 1.005 * stage10.rate
// Expect (sm_90, 2048x2048): rate >= 1.005 * stage10.rate
// Expect (sm_90, 8192x8192): stage11[memory-only].rate >= 1.17 * stage10[memory-only].rate
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

    tile[ty][tx] = nearest<uint4>(image, x - 16, y - 2);
    if (tx < 2)
        tile[ty][BLOCK_X + tx] = nearest<uint4>(image, x - 16 + 16 * BLOCK_X, y - 2);
    if (ty < 4)
        tile[BLOCK_Y + ty][tx] = nearest<uint4>(image, x - 16, y - 2 + BLOCK_Y);
    if (tx < 2 && ty < 4)
        tile[BLOCK_Y + ty][BLOCK_X + tx] =
            nearest<uint4>(image, x - 16 + 16 * BLOCK_X, y - 2 + BLOCK_Y);
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
