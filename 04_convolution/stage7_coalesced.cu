// stage7: strictly coalesced tile load, in six aligned steps
//
// Stage 6's loads are misaligned by the halo. Change: lane k of a half-warp always loads word k of
// 64 aligned bytes, the rule of the slides' GPU (example 6, 3.4 ms). The halo comes from aligned
// loads of the neighboring segments, in which only one thread takes part:
//
//   segments of 64 bytes   [ ............ L] [0 1 2 ... 14 15] [R ............ ]
//   thread                               15   0 1 2 ... 14 15   0       twice: 4 more rows below
//
// Look at: more requests, fewer sectors, and slower than stage 6 today. Misalignment (--pitch 516,
// BLOCK_X=19 BLOCK_Y=13) costs nothing. With BLOCK_X=32 a warp reads one row, without conflicts.
// make stage7 && ./stage7 --rules 1.1    make stage7 BLOCK_X=32 && ./stage7    make diff A=6 B=7
// Expect (cpu, 512x512): ld_requests == 1.5 * stage6.ld_requests
// Expect (cpu, 512x512, rules=1.1): ld_sectors == 2 * ld_requests
// Expect (sm_90, 32768x32768): rate <= 0.995 * stage6.rate
// Expect (sm_90, 8192x8192): stage7[BLOCK_X=32 BLOCK_Y=16].rate >= 1.75 * rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
static_assert(BLOCK_X >= 2 && BLOCK_Y >= 4 && BLOCK_X * BLOCK_Y <= 1024,
              "a block has rows for the halo's columns, and at most 1024 threads");

template <bool memory_only> __global__ void convolve(struct image image, struct filter f)
{
    __shared__ unsigned tile[2 + BLOCK_Y + 2][1 + BLOCK_X + 1];   // words of 4 pixels

    // this thread's pixels: columns from x on in row y, tile[ty + 2][tx + 1]
    int tx = threadIdx.x, x = 4 * (BLOCK_X * blockIdx.x + tx);
    int ty = threadIdx.y, y = BLOCK_Y * blockIdx.y + ty;

    // the middle; the left halo, by the last thread of a row; the right halo, by the first
    tile[ty][1 + tx] = load_clamped<unsigned>(image, x, y - 2);
    if (ty < 4)
        tile[BLOCK_Y + ty][1 + tx] = load_clamped<unsigned>(image, x, y - 2 + BLOCK_Y);
    if (tx == BLOCK_X - 1)
        tile[ty][0] = load_clamped<unsigned>(image, x - 4 * BLOCK_X, y - 2);
    if (tx == BLOCK_X - 1 && ty < 4)
        tile[BLOCK_Y + ty][0] = load_clamped<unsigned>(image, x - 4 * BLOCK_X, y - 2 + BLOCK_Y);
    if (tx == 0)
        tile[ty][1 + BLOCK_X] = load_clamped<unsigned>(image, x + 4 * BLOCK_X, y - 2);
    if (tx == 0 && ty < 4)
        tile[BLOCK_Y + ty][1 + BLOCK_X] =
            load_clamped<unsigned>(image, x + 4 * BLOCK_X, y - 2 + BLOCK_Y);
    __syncthreads();

    unsigned pixels = memory_only ? tile[ty + 2][tx + 1] : 0;
    for (int p = 0; p < 4 && !memory_only; p++) {
        int sum = 0;
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                sum += f.c[5 * i + j] * ((unsigned char *)tile[ty + i])[4 * tx + p + j + 2];
        pixels |= pixel(sum, f.scale) << 8 * p;
    }
    if (y >= 2 && y < image.height - 2)
        store(image.out + y * image.pitch, x, image.width, pixels);
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, 4 * BLOCK_X), ceil_div(image->height, BLOCK_Y));

    if (image->pitch % 4)
        return refuse("pitches that are multiples of 4 only");
    if (image->memory_only)
        convolve<true><<<grid, block>>>(*image, *filter);
    else
        convolve<false><<<grid, block>>>(*image, *filter);
}
