// stage12: neighbors by warp shuffle
//
// A thread of stage 11 makes three loads per row: its 8 pixels, and a word on each side, which its
// neighbors load as well. Change: it has 16 pixels, which one load of 16 bytes brings, and the
// words on both sides come from the neighboring lanes' registers by warp shuffle. Only lanes 0 and
// 31 load a word, the halo.
//   lane 0             halo | own 4 words | first of lane 1     right word: __shfl_down_sync
//   lane 1   last of lane 0 | own 4 words | first of lane 2     left word: __shfl_up_sync
// Look at: load requests for 512 pixels of a row. Stage 11 makes 6; 16 pixels and no shuffles
// would make 3, and be slower (0.82 times); the shuffles leave 2, or 1 without a halo.
// At 8192 x 8192 it is slower on an H200. Why is open: TILE_ROWS=25 has two waves, and no gain.
// make stage12 && ./stage12        make diff B=12
// Expect (cpu, 512x1024): ld_requests <= 0.34 * stage11.ld_requests
// Expect (H200, 32768x32768): rate >= 1.02 * stage11.rate
// Expect (sm_90, 8192x8192): rate <= stage11.rate
#include "convolution.h"

#ifndef TILE_ROWS
#define TILE_ROWS 20   // output rows per thread
#endif

const int BLOCK = 128, ROWS = TILE_ROWS;   // threads per block, output rows per thread
const int BLOCKS_PER_SM = 6;               // shall fit: at most 80 registers per thread

using stage4::store_vector, stage11::four_pixels, stage11::push_row;

// 24 pixels of a row: the thread's 16, and 4 on each side of them (undefined outside the image).
struct row {
    unsigned word[6];

    // Loads the thread's 16 pixels. halo: offset in bytes of the word that lane 0 needs on the left
    // or lane 31 on the right, 0 for none. It becomes both outer words, of which complete() keeps
    // the one that is needed.
    __device__ static row load(const unsigned char *own, int halo)
    {
        uint4 middle = *(const uint4 *)own;
        unsigned edge = halo ? *(const unsigned *)(own + halo) : 0;

        return { { edge, middle.x, middle.y, middle.z, middle.w, edge } };
    }

    // The row with words from the neighboring lanes. All lanes of the warp call it.
    __device__ row complete() const
    {
        unsigned left = __shfl_up_sync(0xffffffff, word[4], 1);
        unsigned right = __shfl_down_sync(0xffffffff, word[1], 1);
        int lane = threadIdx.x % 32;

        return { { lane == 0 ? word[0] : left, word[1], word[2], word[3], word[4],
                   lane == 31 ? word[5] : right } };
    }
};

__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    convolve(struct image image, struct filter f, Columns c)
{
    struct row rows[5] = {};   // the next 5 rows; those below the end are completed, but not loaded
    unsigned column[20] = {};   // column[k]: the 4 pixels of column k above the next row

    // thread tile: output rows y to end - 1, 16 pixels from column x on; `in` starts 2 rows above
    int x = 16 * (BLOCK * blockIdx.x + threadIdx.x), lane = threadIdx.x % 32;
    int y = 2 + ROWS * blockIdx.y, end = min(y + ROWS, image.height - 2);
    // min: lanes to the right of the image load the row's last 16 pixels and store nothing
    const unsigned char *in = image.in + (y - 2) * image.pitch + min(x, image.pitch - 16);

    // offset of the word that lane 0 or 31 loads beside its 16 pixels, 0 for none
    int halo = lane == 0 && x > 0 ? -4 : lane == 31 && x + 16 < image.pitch ? 16 : 0;
    if (x - 16 * lane >= image.width || y >= end)   // whole warps only: shuffles need all lanes
        return;
    for (int k = 0; k < 4; k++, in += image.pitch)
        push_row(column, row::load(in, halo).complete());
    for (; y < end; y += 5) {
        for (int k = 0; k < 5; k++, in += image.pitch)   // 5 rows in flight
            if (y + k < end)
                rows[k] = row::load(in, halo);
#pragma unroll
        for (int k = 0; k < 5; k++) {
            unsigned pixels[4];
            struct row full = rows[k].complete();
            for (int h = 0; h < 4; h++)   // a quarter of the 16 pixels
                pixels[h] = four_pixels(column + 4 * h, full.word + h, c, f.scale);
            push_row(column, full);
            if (y + k < end)
                store_vector(image.out + (y + k) * image.pitch, x, image.width,
                             make_uint4(pixels[0], pixels[1], pixels[2], pixels[3]));
        }
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 grid(ceil_div(image->width, 16 * BLOCK), ceil_div(max(image->height - 4, 1), ROWS));

    if (image->pitch % 16)
        return refuse("pitches that are multiples of 16 only");
    struct filter f = *filter;   // a copy: signed_bytes() may negate it
    if (!signed_bytes(&f))
        return;
    convolve<<<grid, BLOCK>>>(*image, f, Columns(f));
}
