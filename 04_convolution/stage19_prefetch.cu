// stage19: software pipelining (register prefetch) of rows
//
// Stage 18 loads four rows, waits for them, convolves them, and only then loads the next four.
// Change: as soon as a row is copied out of its registers, the thread loads the row four below it
// into them. While it convolves, the next rows are in flight.
//
//   stage 18   load 4-7 | wait | convolve 4-7 | load 8-11 | wait | convolve 8-11 | ...
//   stage 19   load 4-7 | wait | copy 4, load 8, convolve 4 | copy 5, load 9, convolve 5 | ...
//   Numbers are input rows. Rows 0-3 are loaded before, and only pushed into the columns' words.
//
// Look at: --memory-only takes nearly as long, so loads and stores are the limit.
// make stage19 && ./stage19 --memory-only        make diff B=19
// Expect (cpu, 512x512): ld_requests == stage18.ld_requests
// Expect (H200, 32768x32768): rate >= 1.01 * stage18.rate
// Expect (sm_90, 32768x32768): rate >= 0.83 * ref_memcpy.rate
// Expect (sm_90, 8192x8192): rate >= 0.93 * stage19[memory-only].rate
#include "convolution.h"

const int BLOCK = 128, ROWS = 32;   // threads per block, output rows per thread

using stage9::store_vector, stage17::coefficients, stage17::column_coefficients,
    stage17::four_pixels, stage17::push_row, stage18::row, stage18::load_row, stage18::complete;

__global__ void __launch_bounds__(BLOCK, 6)   // 6 blocks per SM: at most 80 registers
    convolve(struct image image, struct filter f, struct coefficients c)
{
    struct row rows[4];         // row k of the thread tile's input is in rows[k % 4]
    unsigned column[20] = {};   // column[k]: the 4 pixels of column k above the next row

    // thread tile: output rows y to end - 1, 16 pixels from column x on; `in` starts 2 rows above
    int x = 16 * (BLOCK * blockIdx.x + threadIdx.x), lane = threadIdx.x % 32;
    int y = 2 + ROWS * blockIdx.y, end = min(y + ROWS, image.height - 2);
    const unsigned char *in = image.in + (y - 2) * image.pitch + min(x, image.pitch - 16);

    // offset of the word that lane 0 or 31 loads beside its 16 pixels, 0 for none
    int halo = lane == 0 && x > 0 ? -4 : lane == 31 && x + 16 < image.pitch ? 16 : 0;
    if (x - 16 * lane >= image.width || y >= end)   // whole warps only: shuffles need all lanes
        return;
    for (int k = 0; k < 4; k++, in += image.pitch)   // 4 rows in flight
        rows[k] = load_row(in, halo);
#pragma unroll   // the first four rows: only pushed
    for (int k = 0; k < 4; k++, in += image.pitch) {
        push_row(column, complete(rows[k]));
        if (y + k < end)
            rows[k] = load_row(in, halo);
    }
    for (; y < end; y += 4) {
#pragma unroll
        for (int k = 0; k < 4; k++, in += image.pitch) {
            unsigned pixels[4];
            struct row full = complete(rows[k]);
            if (y + k + 4 < end)   // 4 rows further down, while this one is convolved
                rows[k] = load_row(in, halo);
            for (int h = 0; h < 4; h++)   // a quarter of the 16 pixels
                pixels[h] = four_pixels(column + 4 * h, full.word + h, c, f.scale);
            TWIN(copy_columns(pixels, column, f));
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
    convolve<<<grid, BLOCK>>>(*image, f, column_coefficients(f));
}
