// stage7: strictly coalesced. Six steps fill the tile, so that thread k of a half-warp always reads
// word k of 64 aligned bytes. Example 6.
//
// Change: the middle is read without a shift, thread 15 takes the left apron from the end of the 64
// bytes before, thread 0 the right one from the beginning of those behind, and all three again for
// the rows below. Every load follows the rule of the slides' GPU: 3.4 ms, memory only 1.2. Today
// there is no such rule, and these are half as many requests again as stage 6's, though of fewer
// sectors. The slides' pathological cases break the rule: BLOCK_X=19 BLOCK_Y=13 (5.1 ms), and a
// pitch that is no multiple of 64 bytes (4.3).
//
// The slides: strict coalescing is worth the work. Refuted for today: slower than stage 6, also
// without the arithmetic. Blocks 19 wide and unaligned pitches cost a quarter to a half: refuted,
// nothing. Other heights of the block have no benefit: confirmed. "Texture is slightly better, even
// with all this work": confirmed, stage 4 is ahead. What they did not try: 32 threads side by side
// are one row, whose lanes meet in no bank, where two rows of 16 do; 1.8 times the rate.
//
// make stage7 && ./stage7; ./stage7 --rules 1.1; ./stage7 --pitch 516;
// make stage7 BLOCK_X=32 && ./stage7; make diff A=6 B=7
//
// Expect (cpu, 512x512): ld_requests == 1.5 * stage6.ld_requests
// Expect (cpu, 512x512): ld_sectors <= 0.85 * stage6.ld_sectors
// Expect (cpu, 512x512): stage7[pitch=516].ld_sectors >= 1.2 * ld_sectors
// Expect (cpu, 512x512): stage7[BLOCK_X=19 BLOCK_Y=13].ld_sectors >= 1.2 * ld_sectors
// Expect (cpu, 512x512): stage7[BLOCK_X=32 BLOCK_Y=16].shared_wavefronts <= 0.6 * shared_wavefronts
// Expect (cpu, 512x512): ld_requests == stage7[memory-only].ld_requests
// Expect (cpu, 512x512, rules=1.1): ld_sectors == 2 * ld_requests
// Expect (cpu, 512x512, rules=1.1): stage7[pitch=516 rules=1.1].ld_sectors >= 5 * ld_sectors
// Expect (sm_90, 32768x32768): rate <= 0.995 * stage6.rate
// Expect (sm_90, 8192x8192): stage7[memory-only].rate <= 0.97 * stage6[memory-only].rate
// Expect (sm_90, 32768x32768): rate <= 0.98 * stage4.rate
// Expect (sm_90, 8192x8192): stage7[BLOCK_X=19 BLOCK_Y=13].rate >= 0.98 * rate
// Expect (sm_90, 8192x8192): stage7[pitch=8196].rate >= 0.98 * rate
// Expect (sm_90, 8192x8192): stage7[pitch=8196 memory-only].rate >= 0.98 * stage7[memory-only].rate
// Expect (sm_90, 8192x8192): stage7[BLOCK_Y=8].rate <= 1.02 * rate
// Expect (sm_90, 8192x8192): stage7[BLOCK_Y=20].rate <= 1.02 * rate
// Expect (sm_90, 8192x8192): stage7[BLOCK_X=32 BLOCK_Y=16].rate >= 1.75 * rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
static_assert(BLOCK_X >= 2 && BLOCK_Y >= 4 && BLOCK_X * BLOCK_Y <= 1024,
              "a block has rows for the apron's columns, and at most 1024 threads");

template <bool memory_only> __global__ void convolve(struct image image, struct filter f)
{
    __shared__ unsigned tile[2 + BLOCK_Y + 2][1 + BLOCK_X + 1];   // words of 4 pixels

    int tx = threadIdx.x, x = 4 * (BLOCK_X * blockIdx.x + tx);
    int ty = threadIdx.y, y = BLOCK_Y * blockIdx.y + ty;

    tile[ty][1 + tx] = nearest<unsigned>(image, x, y - 2);
    if (ty < 4)
        tile[BLOCK_Y + ty][1 + tx] = nearest<unsigned>(image, x, y - 2 + BLOCK_Y);
    if (tx == BLOCK_X - 1)
        tile[ty][0] = nearest<unsigned>(image, x - 4 * BLOCK_X, y - 2);
    if (tx == BLOCK_X - 1 && ty < 4)
        tile[BLOCK_Y + ty][0] = nearest<unsigned>(image, x - 4 * BLOCK_X, y - 2 + BLOCK_Y);
    if (tx == 0)
        tile[ty][1 + BLOCK_X] = nearest<unsigned>(image, x + 4 * BLOCK_X, y - 2);
    if (tx == 0 && ty < 4)
        tile[BLOCK_Y + ty][1 + BLOCK_X] =
            nearest<unsigned>(image, x + 4 * BLOCK_X, y - 2 + BLOCK_Y);
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
