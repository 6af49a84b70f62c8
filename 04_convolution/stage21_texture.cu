// stage21: texture fetches
//
// Stage 1's byte loads were not coalesced on the slides' GPU. Change: load the 25 pixels through
// the texture unit, which has a cache and no coalescing rules. In the slides (example 2): 7.8 ms
// instead of 148. Today plain loads have the same L1 cache, and texture fetches are slower: the
// four texture units of an SM deliver four pixels per cycle, and a pixel of the result needs 25.
//
// Look at: texture requests, as many as stage 1's loads. ARRAY=1 first copies the image into a
// cudaArray, whose texels have a 2D layout; the copy costs more than it saves.
// make stage21 && ./stage21        make stage21 ARRAY=1 && ./stage21        make diff B=21
// From: stage1
// Expect (cpu, 512x512): tex_requests == stage1.ld_requests
// Expect (sm_90, 32768x32768): rate <= 0.29 * stage1.rate
// Expect (sm_90, 8192x8192): stage21[ARRAY=1].rate <= 0.95 * rate
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

using stage1::pixel;

__global__ void convolve(struct image image, struct filter f)
{
    // the output pixel of this thread
    int x = blockIdx.x * BLOCK_X + threadIdx.x;
    int y = blockIdx.y * BLOCK_Y + threadIdx.y;

    if (x >= 2 && x < image.width - 2 && y >= 2 && y < image.height - 2) {
        int sum = 0;
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                sum += f.c[5 * i + j] * tex2D<unsigned char>(image.bytes, x + j - 2, y + i - 2);
        image.out[y * image.pitch + x] = pixel(sum, f.scale);
    }
}

void convolution(const struct image *given, const struct filter *filter)
{
    struct image image = ARRAY ? copy_into_array(given) : *given;   // ARRAY=0: as in stage 1
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image.width, BLOCK_X), ceil_div(image.height, BLOCK_Y));

    if (!image.bytes)
        return refuse("textures do not support this pitch or size");
    convolve<<<grid, block>>>(image, *filter);
}
