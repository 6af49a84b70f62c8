// stage5: conflict-free access to the tile
//
// In stage 4 a thread computes 16 neighboring pixels, and lanes read words 4 apart. Change: a
// thread computes words tx, tx + 16, tx + 32 and tx + 48 of its row, so that neighboring lanes read
// and store neighboring words. The tile is still loaded with 16 bytes per thread.
//   words of a row    0 1 2 ... 15 | 16 17 ... 31 | 32 ...       one pass of the loop per group
//   thread tx         0 1 2 ... 15 |  0  1 ... 15 |  0 ...
//   A warp works on two rows: with PAD a row has 80 words, and the next starts 16 banks further.
//
// Look at: one wavefront (pass over the banks) per shared request; PAD=0. Examples 8 and 10 of the
// slides, whose results go through shared memory as well: 2.9, and unrolled 2.5 ms, instead of 4.8.
// make stage5 && ./stage5        make stage5 PAD=0 && ./stage5        make diff B=5
// Expect (cpu, 512x512): shared_wavefronts <= 1.1 * shared_requests
// Expect (sm_90, 32768x32768): rate >= 1.1 * stage4.rate
// Expect (sm_90, 32768x32768): rate >= 1.1 * ref_npp.rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
#ifndef PAD
#define PAD 2   // elements of 16 bytes: a row has 20, 80 words
#endif
static_assert(BLOCK_X >= 2 && BLOCK_Y >= 4 && BLOCK_X * BLOCK_Y <= 1024,
              "the halo needs 2 columns and 4 rows of threads; a block has at most 1024");

using stage2::store_word, stage3::convolve_word, stage4::load_tile;

__global__ void convolve(struct image image, struct filter f)
{
    const int columns = 1 + BLOCK_X + 1 + PAD;
    __shared__ uint4 tile[2 + BLOCK_Y + 2][columns];

    // the block's output starts at column `left`; this thread works on row y
    int tx = threadIdx.x, left = 16 * BLOCK_X * blockIdx.x;
    int ty = threadIdx.y, y = BLOCK_Y * blockIdx.y + ty;

    load_tile<BLOCK_X, BLOCK_Y>(tile, image, left + 16 * tx, y);
    __syncthreads();

    // words tx, tx + BLOCK_X, ... of the row: lanes work on neighboring words
    for (int w = tx; w < 4 * BLOCK_X; w += BLOCK_X) {
        unsigned pixels = convolve_word((const unsigned *)tile[ty], 4 * columns, 4 + w, f);
        if (y >= 2 && y < image.height - 2)
            store_word(image.out + y * image.pitch, left + 4 * w, image.width, pixels);
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, 16 * BLOCK_X), ceil_div(image->height, BLOCK_Y));

    if (image->pitch % 16)
        return refuse("pitches that are multiples of 16 only");
    convolve<<<grid, block>>>(*image, *filter);
}
