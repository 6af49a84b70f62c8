// stage8: strictly coalesced tile load, in six aligned steps
//
// Stage 7's halo shifts its loads by a word, so that no row of them starts at a multiple of 64
// bytes. Change: six aligned steps. In each, thread k of a half-warp loads word k of a segment of
// 64 aligned bytes, or nothing. The slides' GPU coalesced only such loads; --rules 1.1 counts so.
//   segments of 64 bytes   [left halo: word 15] [words 0 1 2 ... 14 15] [right halo: word 0]
//   threads that load                       15         0 1 2 ... 14 15                    0
//   three steps for the first BLOCK_Y rows of the tile, and the same three for its last 4 rows
// Look at: more requests, fewer sectors, and a lower rate than stage 7: on today's GPUs misaligned
// rows (--pitch 516, BLOCK_X=19 BLOCK_Y=13) cost nothing. With BLOCK_X=32, each warp reads one row
// of the tile, and not two whose banks overlap: half of the wavefronts of its shared loads.
// make stage8 && ./stage8 --rules 1.1    make stage8 BLOCK_X=32 && ./stage8    make diff B=8
// Expect (cpu, 512x512): ld_requests == 1.5 * stage7.ld_requests
// Expect (cpu, 512x512, rules=1.1): ld_sectors == 2 * ld_requests
// Expect (sm_90, 32768x32768): rate <= 0.99 * stage7.rate
// Expect (sm_90, 8192x8192): stage8[BLOCK_X=32 BLOCK_Y=16].rate >= 1.75 * rate
#include "convolution.h"

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
static_assert(BLOCK_X >= 2 && BLOCK_Y >= 4 && BLOCK_X * BLOCK_Y <= 1024,
              "the halo needs 2 columns and 4 rows of threads; a block has at most 1024");

using stage1::pixel, stage2::load_clamped, stage2::store_word;

__global__ void convolve(struct image image, struct filter f)
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

    // pixel p is byte 4 + 4 tx + p of its row of the tile; its neighbors start 2 bytes before
    unsigned pixels = 0;
    for (int p = 0; p < 4; p++) {
        TWIN(pixels = tile[ty + 2][tx + 1]; break;)
        int sum = 0;
        for (int i = 0; i < 5; i++) {
            const unsigned char *row = (const unsigned char *)tile[ty + i];
            for (int j = 0; j < 5; j++)
                sum += f.c[5 * i + j] * row[4 + 4 * tx + p + j - 2];
        }
        pixels |= pixel(sum, f.scale) << 8 * p;
    }
    if (y >= 2 && y < image.height - 2)
        store_word(image.out + y * image.pitch, x, image.width, pixels);
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(BLOCK_X, BLOCK_Y);
    dim3 grid(ceil_div(image->width, 4 * BLOCK_X), ceil_div(image->height, BLOCK_Y));

    if (image->pitch % 4)
        return refuse("pitches that are multiples of 4 only");
    convolve<<<grid, block>>>(*image, *filter);
}
