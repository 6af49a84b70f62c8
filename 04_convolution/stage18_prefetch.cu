// stage18: software pipelining (register prefetch) of rows
//
// Stage 17 loads five rows and waits for them. Change: row k + 4 is loaded into the registers of
// row k as soon as row k has left them. Three more changes save loads: 16 pixels per thread, in
// 16-byte loads; neighbors come by warp shuffle; every second thread tile is walked bottom-up
// (REVERSE), so that two tiles need the halo rows that they share at the same time.
//   take row k -> load row k + 4         tile 0  |    0 and 1 end at their common edge
//              -> convolve row k                 v
//   4 rows in flight                     tile 1  ^    1 and 2 start at theirs
//                                                |
// Look at: load requests; --memory-only takes nearly as long. Power may limit the clock.
// make stage18 && ./stage18 --memory-only        make stage18 REVERSE=0        make diff A=17 B=18
// Long: a pipelined loop in two directions.
// Expect (cpu, 512x512): ld_requests <= 0.3 * stage17.ld_requests
// Expect (sm_90, 32768x32768): rate >= 1.05 * stage17.rate
// Expect (sm_90, 32768x32768): rate >= 0.77 * ref_memcpy.rate
#include "convolution.h"

#ifndef BLOCK
#define BLOCK 128
#endif
#ifndef BLOCKS_PER_SM
#define BLOCKS_PER_SM 6
#endif
#ifndef MAX_ROWS
#define MAX_ROWS 32   // output rows per thread; fewer for small images
#endif
#ifndef REVERSE
#define REVERSE 1   // walk every second thread tile from its bottom up
#endif
static_assert(BLOCK % 32 == 0 && BLOCK <= 1024 && MAX_ROWS >= 4,
              "BLOCK must be a multiple of 32 up to 1024, MAX_ROWS 4 or more");
static_assert(BLOCK * BLOCKS_PER_SM <= 2048,
              "an SM has room for 2048 threads: for BLOCKS_PER_SM blocks of BLOCK");

using stage16::magic, stage16::pack_u8, stage17::columns, stage17::column_coefficients;

// 24 pixels of a row: the thread's 16, and 4 on each side of them (undefined outside the row).
struct row {
    unsigned word[6];
};

// A row in flight: the thread's 16 pixels and, in lanes 0 and 31, the halo word outside the warp.
struct loading {
    uint4 own;
    unsigned halo;
};

__device__ inline void prefetch_row(struct loading &row, const unsigned char *own, int halo)
{
    row.own = *(const uint4 *)own;
    if (halo)
        row.halo = *(const unsigned *)(own + halo);
}

// Completes a row with words from the neighboring lanes.
__device__ inline struct row take_row(struct loading row, int lane)
{
    unsigned left = __shfl_up_sync(~0u, row.own.w, 1), right = __shfl_down_sync(~0u, row.own.x, 1);

    return { { lane == 0 ? row.halo : left, row.own.x, row.own.y, row.own.z, row.own.w,
               lane == 31 ? row.halo : right } };
}

// Coefficients for walking down [0] and, with the rows reversed, for walking up [1].
struct directions {
    struct columns c[2];
};

// Pushes the row's 20 inner pixels into the words of their columns, as the highest byte.
__device__ inline void push_row(unsigned column[20], struct row row)
{
#pragma unroll
    for (int k = 0; k < 20; k++)
        column[k] = __byte_perm(column[k], row.word[(k + 2) / 4], 0x4321 + 0x1000 * ((k + 2) % 4));
}

// Memory-only twin: copies the output row, two before the newest: the third byte of a column's
// word.
__device__ inline void copy_columns(unsigned pixels[4], const unsigned column[20], unsigned others)
{
    for (int i = 0; i < 4; i++) {
        const unsigned *own = column + 2 + 4 * i;
        unsigned left = __byte_perm(own[0], own[1], 0x62),
                 right = __byte_perm(own[2], own[3], 0x62);
        pixels[i] = __byte_perm(left, right, 0x5410) | others;
    }
}

template <bool memory_only>
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    convolve(struct image image, struct filter f,
             const __grid_constant__ struct directions directions, int tile_rows)
{
    struct loading next[4] = {};   // rows in flight: row y + k in next[k]
    unsigned column[20] = {};      // 4 pixels of each column before the next row
    unsigned others = 0;           // keeps loads in the memory-only twin
    float value[4], bias = -0x1p23f * f.scale;

    // thread tile: 16 pixels from column x on; halo: offset of the halo word, 0 for none
    int x = 16 * (BLOCK * blockIdx.x + threadIdx.x), lane = threadIdx.x % 32;
    int halo = lane == 0 && x > 0 ? -4 : lane == 31 && x + 16 < image.pitch ? 16 : 0;
    bool inside = x >= 2 && x + 16 <= image.width - 2;
    // input rows top to top + rows - 1; each but the first four completes an output row
    int top = tile_rows * blockIdx.y, rows = min(tile_rows, image.height - 4 - top) + 4;
    bool reversed = REVERSE && blockIdx.y % 2;
    int first = reversed ? top + rows - 1 : top, step = reversed ? -image.pitch : image.pitch;
    const unsigned char *in = image.in + first * image.pitch + min(x, image.pitch - 16);
    unsigned char *out = image.out + first * image.pitch + 2 * step + x;

    if (x - 16 * lane >= image.width || rows <= 4)   // whole warps only: shuffles need all lanes
        return;
#pragma unroll
    for (int k = 0; k < 4; k++, in += step)
        prefetch_row(next[k], in, halo);
#pragma unroll
    for (int k = 0; k < 4; k++, in += step) {
        struct row row = take_row(next[k], lane);

        if (4 + k < rows)
            prefetch_row(next[k], in, halo);
        push_row(column, row);
        others |= row.word[0] | row.word[5];
    }
#pragma unroll 1
    for (int y = 4; y < rows; y += 4) {
#pragma unroll
        for (int k = 0; k < 4; k++, in += step, out += step) {
            if (y + k >= rows)
                return;
            unsigned pixels[4];
            struct row row = take_row(next[k], lane);

            if (y + k + 4 < rows)
                prefetch_row(next[k], in, halo);
#pragma unroll
            for (int p = 0; p < 16; p++) {
                int sum = magic;
                for (int j = 0; j < 5; j++)
                    sum = dp4a(column[p + j], directions.c[reversed].column[j], sum);
                for (int j = 0; j < 2; j++)
                    sum = dp4a(row.word[(p + 2) / 4 + j],
                               directions.c[reversed].last[(p + 2) % 4][j], sum);
                value[p % 4] = fmaf(__int_as_float(sum), f.scale, bias);
                if (p % 4 == 3)
                    pixels[p / 4] = pack_u8(value);
            }
            others |= row.word[0] | row.word[5];
            if (memory_only)
                copy_columns(pixels, column, others & f.c[0]);
            push_row(column, row);
            if (inside)
                *(uint4 *)out = make_uint4(pixels[0], pixels[1], pixels[2], pixels[3]);
            else if (x < image.width)
                store(out - x, x, image.width,
                      make_uint4(pixels[0], pixels[1], pixels[2], pixels[3]));
        }
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    // at least 8192 warps, if tiles of 4 rows allow it; at most 65,535 blocks in y
    long long rows = (long long)image->width * image->height / (8192 * 32 * 16);
    int tile_rows =
        max((int)min(rows, (long long)MAX_ROWS), max(4, ceil_div(image->height, 65535)));
    dim3 grid(ceil_div(image->width, 16 * BLOCK), ceil_div(max(image->height - 4, 1), tile_rows));

    if (image->pitch % 16)
        return refuse("pitches that are multiples of 16 only");
    struct filter f = *filter;
    if (!signed_bytes(&f))
        return;
    struct filter flipped = f;
    for (int k = 0; k < 25; k++)
        flipped.c[k] = f.c[5 * (4 - k / 5) + k % 5];
    struct directions directions = { { column_coefficients(f), column_coefficients(flipped) } };
    if (image->memory_only)
        convolve<true><<<grid, BLOCK>>>(*image, f, directions, tile_rows);
    else
        convolve<false><<<grid, BLOCK>>>(*image, f, directions, tile_rows);
}
