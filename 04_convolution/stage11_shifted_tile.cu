// stage11: tile load in four shifted steps, for GPUs that coalesce in any order
//
// Stage 10 loads its tile with the six aligned steps of stage 7. The GT200 of 2008 combined a
// half-warp's loads into segments, whatever their order and alignment. Change: stage 10 with the
// four shifted steps of stage 6, in units of 16 bytes: a third fewer requests for the same sectors.
//
//   tile of uint4   [halo| BLOCK_X uint4 |halo]      steps 1, 2: rows of the block, then rows below
//   step 1, 3        0 1 2 ... 15                    1, 3: BLOCK_X columns; 2, 4: the last two
//   step 2, 4                      0 1
//
// make stage11 && ./stage11        make diff A=10 B=11
// Expect (cpu, 512x512): ld_requests == 2 * stage10.ld_requests / 3
// Expect (cpu, 512x512): ld_sectors == stage10.ld_sectors
// Expect (sm_90, 32768x32768): rate >= 1.005 * stage10.rate
// Expect (sm_90, 8192x8192): stage11[memory-only].rate >= 1.17 * stage10[memory-only].rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 8
#endif
#define PAD 2   // puts the two rows that a warp works on into different banks
static_assert(BLOCK_X >= 2 && BLOCK_Y >= 4 && BLOCK_X * BLOCK_Y <= 1024,
              "a block has rows for the halo's columns, and at most 1024 threads");

template <bool memory_only> __global__ void convolve(struct image image, struct filter f)
{
    __shared__ uint4 tile[2 + BLOCK_Y + 2][1 + BLOCK_X + 1 + PAD];
    __shared__ uint4 result[BLOCK_Y][BLOCK_X + 2 * PAD];

    // this thread's pixels: columns from x on in row y, tile[ty + 2][tx + 1]
    int tx = threadIdx.x, x = 16 * (BLOCK_X * blockIdx.x + tx);
    int ty = threadIdx.y, y = BLOCK_Y * blockIdx.y + ty;

    // steps 1 and 2: rows of the block; 3 and 4: the four rows below
    tile[ty][tx] = load_clamped<uint4>(image, x - 16, y - 2);
    if (tx < 2)
        tile[ty][BLOCK_X + tx] = load_clamped<uint4>(image, x - 16 + 16 * BLOCK_X, y - 2);
    if (ty < 4)
        tile[BLOCK_Y + ty][tx] = load_clamped<uint4>(image, x - 16, y - 2 + BLOCK_Y);
    if (tx < 2 && ty < 4)
        tile[BLOCK_Y + ty][BLOCK_X + tx] =
            load_clamped<uint4>(image, x - 16 + 16 * BLOCK_X, y - 2 + BLOCK_Y);
    __syncthreads();

    // words tx, tx + BLOCK_X, ... of row ty: lanes work on neighboring words
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
