// stage8: 128 bits. Sixteen pixels a thread, in one load and one store of 16 bytes. Example 7.
//
// Change: uint4 for unsigned. The same bytes in a quarter of the requests, and in the slides the
// memory-only time falls from 1.2 to 0.4 ms, while the whole goes from 3.4 up to 4.8. "What
// happened?" Shared memory did: neighbouring threads now work 16 bytes apart, so that a warp's
// bytes lie in every fourth bank, and four lanes wait for one another at each (wavefronts a
// request). PIXELS=uint2 takes 8 bytes ("64-bit is also good").
//
// The slides: memory is way faster, but compute is slow. Confirmed, both: without the
// arithmetic 1.9 times the rate of stage 7, with it little more than half, for every load of the
// arithmetic now takes four wavefronts where it took two.
//
// make stage8 && ./stage8; ./stage8 --memory-only; make diff A=7 B=8;
// make stage8 PIXELS=uint2 && ./stage8
//
// Expect (cpu, 512x512): ld_requests == stage7.ld_requests / 4
// Expect (cpu, 512x512): shared_wavefronts >= 3.9 * shared_requests
// Expect (cpu, 512x512): stage8[PIXELS=uint2].ld_requests == 2 * ld_requests
// Expect (cpu, 512x512): ld_requests == stage8[memory-only].ld_requests
// Expect (cpu, 512x512, rules=1.1): shared_wavefronts >= 8 * shared_requests
// Expect (sm_90, 8192x8192): stage8[memory-only].rate >= 1.84 * stage7[memory-only].rate
// Expect (sm_90, 8192x8192): stage8[PIXELS=uint2].rate >= 5.5 * rate
// Expect (sm_90, 32768x32768): rate <= 0.56 * stage7.rate
// Expect (sm_90, 2048x2048): rate <= 0.58 * stage7.rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
#ifndef PIXELS
#define PIXELS uint4
#endif
#define WIDTH ((int)sizeof(PIXELS))
static_assert(BLOCK_X >= 2 && BLOCK_Y >= 4 && BLOCK_X * BLOCK_Y <= 1024,
              "a block has rows for the apron's columns, and at most 1024 threads");

template <bool memory_only> __global__ void convolve(struct image image, struct filter f)
{
    __shared__ PIXELS tile[2 + BLOCK_Y + 2][1 + BLOCK_X + 1];

    int tx = threadIdx.x, x = WIDTH * (BLOCK_X * blockIdx.x + tx);
    int ty = threadIdx.y, y = BLOCK_Y * blockIdx.y + ty;

    fill_coalesced(tile, image, x, y);
    __syncthreads();

    PIXELS pixels = memory_only ? tile[ty + 2][tx + 1] : PIXELS();
    for (int p = 0; p < WIDTH && !memory_only; p++) {
        int sum = 0;
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                sum +=
                    f.c[5 * i + j] * ((unsigned char *)tile[ty + i])[WIDTH * (tx + 1) + p + j - 2];
        ((unsigned *)&pixels)[p / 4] |= pixel(sum, f.scale) << p % 4 * 8;
    }
    if (y >= 2 && y < image.height - 2)
        store(image.out + y * image.pitch, x, image.width, pixels);
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, WIDTH * BLOCK_X), ceil_div(image->height, BLOCK_Y));

    if (image->pitch % WIDTH)
        return refuse("pitches that are multiples of a load's width only");
    if (image->memory_only)
        convolve<true><<<grid, block>>>(*image, *filter);
    else
        convolve<false><<<grid, block>>>(*image, *filter);
}
