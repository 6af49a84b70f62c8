// exercise5: find the bug: a tile whose halo is incomplete
//
// Task: do this after stage 22. Each thread loads its own pixel; threads at an edge of the block
// also load the halo beyond that edge. Small images are right, but ./exercise5 reports a read of
// shared memory "which no thread of the block has written". Explain which part of the tile is
// missing, and fix the kernel. All taps still read the tile.
//
// Question: Which part of the tile does no thread fill?
// a) The two columns on the right of the block.
// b) The two rows below the block.
// c) The pixels of the block itself that are outside of the image.
// d) The four corners of the halo.
// Answer: d
//
// Hint: Which byte of the tile does the diagnosis name? A row has 36 bytes: which row and column?
// Hint: Draw the tile, 12 rows of 36 bytes, and mark what each of the five loads fills. Which pixel
// of the block needs what is not marked?
// Hint: The four corners, 2 x 2 bytes each, are missing. Threads that load two sides load a corner,
// too: with tx < 2 and ty < 2, for example, the one at the top left. Or fill the tile in two loops,
// as stage 22 does.
//
// Points 3: correct
// Points 1: answer
// Points 5 (cpu, 64x128): ld_requests <= 32 * 36 and shared_requests >= 3000
// Points 1 (gpu, 8192x8192): rate >= 0.03 * ref_memcpy.rate
// Check (cpu, 75x37, pitch=1000004, kernel=large)
// Check (cpu, 33003x8)
#include "convolution.h"

using stage1::pixel, stage2::load_clamped;

#define BLOCK_X 32
#define BLOCK_Y 8

__global__ void convolve(struct image image, struct filter f)
{
    __shared__ unsigned char tile[2 + BLOCK_Y + 2][2 + BLOCK_X + 2];

    int tx = threadIdx.x, x = BLOCK_X * blockIdx.x + tx;   // this thread's pixel
    int ty = threadIdx.y, y = BLOCK_Y * blockIdx.y + ty;
    bool is_left = tx < 2, is_right = tx >= BLOCK_X - 2;
    bool is_top = ty < 2, is_bottom = ty >= BLOCK_Y - 2;

    // tile[ty + 2][tx + 2] is the pixel at (x, y)
    tile[ty + 2][tx + 2] = load_clamped<unsigned char>(image, x, y);
    if (is_left)
        tile[ty + 2][tx] = load_clamped<unsigned char>(image, x - 2, y);
    if (is_right)
        tile[ty + 2][tx + 4] = load_clamped<unsigned char>(image, x + 2, y);
    if (is_top)
        tile[ty][tx + 2] = load_clamped<unsigned char>(image, x, y - 2);
    if (is_bottom)
        tile[ty + 4][tx + 2] = load_clamped<unsigned char>(image, x, y + 2);
#ifdef SOLUTION
    if (is_top && is_left)
        tile[ty][tx] = load_clamped<unsigned char>(image, x - 2, y - 2);
    if (is_top && is_right)
        tile[ty][tx + 4] = load_clamped<unsigned char>(image, x + 2, y - 2);
    if (is_bottom && is_left)
        tile[ty + 4][tx] = load_clamped<unsigned char>(image, x - 2, y + 2);
    if (is_bottom && is_right)
        tile[ty + 4][tx + 4] = load_clamped<unsigned char>(image, x + 2, y + 2);
#else
#endif
    __syncthreads();

    if (x < 2 || x >= image.width - 2 || y < 2 || y >= image.height - 2)
        return;
    int sum = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            sum += f.c[5 * i + j] * tile[ty + i][tx + j];
    image.out[y * image.pitch + x] = pixel(sum, f.scale);
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, BLOCK_X), ceil_div(image->height, BLOCK_Y));

    convolve<<<grid, block>>>(*image, *filter);
}
