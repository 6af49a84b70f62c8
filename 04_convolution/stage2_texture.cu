// stage2: texture. The same 25 reads a pixel, through the texture unit: it has a cache, and asks
// for no order and no alignment.
//
// On the slides' GPU this was the cure for loads that could not be combined: 7.8 ms instead of 148.
// Today plain loads have that cache too, L1, and take any shape. Stores are of one byte as before.
// ARRAY=1 first copies the image into a cudaArray, whose texels lie in an order of the hardware's
// own: before CUDA 2.2 there were no textures without, and the slides count 0.6 ms for the copy.
//
// The slides: textures improve greatly upon naive code, 19 times. Refuted for today: more than
// three times slower. The fetches are the limit, for without the arithmetic it takes as long; and
// the profiler counts 177 instructions a pixel, where stage 1 has 112.
//
// make stage2 && ./stage2; make diff A=1 B=2; make stage2 ARRAY=1 && ./stage2
//
// Expect (cpu, 512x512): tex_requests == stage1.ld_requests
// Expect (cpu, 512x512): ld_requests == 0
// Expect (cpu, 512x512): tex_requests == stage2[memory-only].tex_requests
// Expect (sm_90, 32768x32768): rate <= 0.29 * stage1.rate
// Expect (sm_90, 2048x2048): rate <= 0.31 * stage1.rate
// Expect (sm_90, 8192x8192): stage2[memory-only].rate <= 1.02 * rate
// Expect (sm_90, 8192x8192): stage2[ARRAY=1].rate <= 0.95 * rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
#ifndef ARRAY
#define ARRAY 0
#endif
static_assert(BLOCK_X * BLOCK_Y <= 1024, "a block has at most 1024 threads");

template <bool memory_only> __global__ void convolve(struct image image, struct filter f)
{
    int x = blockIdx.x * BLOCK_X + threadIdx.x;
    int y = blockIdx.y * BLOCK_Y + threadIdx.y;

    if (x >= 2 && x < image.width - 2 && y >= 2 && y < image.height - 2) {
        int sum = 0, k = 0;
        for (int i = -2; i <= 2; i++)
            for (int j = -2; j <= 2; j++)
                sum = tap<memory_only>(sum, f.c[k++],
                                       tex2D<unsigned char>(image.bytes, x + j, y + i));
        image.out[y * image.pitch + x] = pixel<memory_only>(sum, f.scale);
    }
}

void convolution(const struct image *given, const struct filter *filter)
{
    struct image image = ARRAY ? copy_into_array(given) : *given;
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image.width, BLOCK_X), ceil_div(image.height, BLOCK_Y));

    if (!image.bytes)
        return refuse("textures do not take this pitch or size");
    if (image.memory_only)
        convolve<true><<<grid, block>>>(image, *filter);
    else
        convolve<false><<<grid, block>>>(image, *filter);
}
