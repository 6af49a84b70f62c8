// stage4: vectorized access, 16-byte loads and stores
//
// Stage 3 loads 4 bytes per thread. Change: uint4, 16 pixels per load and store. A thread computes
// these 16 pixels, word by word: a quarter of the load requests. But neighboring threads now read
// words 4 apart, a 4-way bank conflict:
//   lane of the first row     0       1       2     ...     8       reads word 4 * lane
//   bank                      0       4       8     ...  32 = 0     lanes 0 and 8 conflict, and two
//                                                                   lanes of the warp's second row
// So it gains 4 % in the large image, and loses 6 % at 2048 x 2048. Stage 5 removes the conflict.
// Example 7 of the slides: 4.8 ms instead of 3.4, "Memory is way faster, but compute is SLOW".
// Look at: wavefronts per shared request; ./stage4 --lines names the line.
// make stage4 && ./stage4        ./stage4 --lines        make diff B=4
// Expect (cpu, 512x512): ld_requests == stage3.ld_requests / 4
// Expect (cpu, 512x512): shared_wavefronts >= 3.9 * shared_requests
// Expect (sm_90, 32768x32768): rate >= stage3.rate
// Expect (sm_90, 2048x2048): rate <= 0.97 * stage3.rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
static_assert(BLOCK_X >= 2 && BLOCK_Y >= 4 && BLOCK_X * BLOCK_Y <= 1024,
              "the halo needs 2 columns and 4 rows of threads; a block has at most 1024");

using stage2::load_clamped, stage2::store_word, stage3::convolve_word;

// Loads a tile of elements of 16 pixels, as stage 3 loads words, with a block of width x height
// threads. (Stage 5 pads the columns.)
template <int width, int height, int columns>
__device__ inline void load_tile(uint4 tile[][columns], const struct image &image, int x, int y)
{
    int tx = threadIdx.x, left = x - 16;
    int ty = threadIdx.y, top = y - 2;

    tile[ty][tx] = load_clamped<uint4>(image, left, top);
    if (tx < 2)
        tile[ty][width + tx] = load_clamped<uint4>(image, left + 16 * width, top);
    if (ty < 4)
        tile[height + ty][tx] = load_clamped<uint4>(image, left, top + height);
    if (tx < 2 && ty < 4)
        tile[height + ty][width + tx] = load_clamped<uint4>(image, left + 16 * width, top + height);
}

// Stores 8 or 16 packed pixels (uint2, uint4) at column x of an output row: in one access, or word
// by word if some belong to the border. x and the pitch are multiples of sizeof(Pixels).
template <class Pixels>
__device__ inline void store_vector(unsigned char *row, int x, int width, Pixels pixels)
{
    if (x >= 2 && x + (int)sizeof pixels <= width - 2)
        *(Pixels *)(row + x) = pixels;
    else
        for (int p = 0; p < (int)sizeof pixels; p += 4)
            store_word(row, x + p, width, ((unsigned *)&pixels)[p / 4]);
}

__global__ void convolve(struct image image, struct filter f)
{
    __shared__ uint4 tile[2 + BLOCK_Y + 2][1 + BLOCK_X + 1];

    // this thread's 16 pixels: from column x on in row y, tile[ty + 2][tx + 1]
    int tx = threadIdx.x, x = 16 * (BLOCK_X * blockIdx.x + tx);
    int ty = threadIdx.y, y = BLOCK_Y * blockIdx.y + ty;

    load_tile<BLOCK_X, BLOCK_Y>(tile, image, x, y);
    __syncthreads();

    uint4 pixels;
    for (int w = 0; w < 4; w++)
        ((unsigned *)&pixels)[w] =
            convolve_word((const unsigned *)tile[ty], 4 * (1 + BLOCK_X + 1), 4 * (1 + tx) + w, f);
    if (y >= 2 && y < image.height - 2)
        store_vector(image.out + y * image.pitch, x, image.width, pixels);
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, 16 * BLOCK_X), ceil_div(image->height, BLOCK_Y));

    if (image->pitch % 16)
        return refuse("pitches that are multiples of 16 only");
    convolve<<<grid, block>>>(*image, *filter);
}
