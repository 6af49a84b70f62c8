// stage18: software pipelining (register prefetch) of rows
//
// Stage 17 loads five rows, waits for them, convolves them, and only then loads the next five.
// Change: as soon as a row is copied out of its registers, the thread loads the row five below it
// into them. While it convolves, the next rows are in flight. The window of nine rows is not
// needed: the columns' words keep the four rows above.
//
//   stage 17   load 4-8 | wait | convolve 4-8 | load 9-13 | wait | convolve 9-13 | ...
//   stage 18   load 4-8 | wait | copy 4, load 9, convolve 4 | copy 5, load 10, convolve 5 | ...
//   Numbers are input rows. Rows 0-3 are loaded before, and only pushed into the columns' words.
//
// Look at: --memory-only takes nearly as long, so that loads and stores are the limit.
// make stage18 && ./stage18 --memory-only        make diff B=18
// Expect (cpu, 512x512): ld_requests == stage17.ld_requests
#include "convolution.h"

const int BLOCK = 128;   // threads
#ifndef ROWS
#define ROWS 20   // output rows per thread
#endif
static_assert(ROWS % 5 == 0, "ROWS must be a multiple of 5");

using stage9::store_vector, stage12::row, stage12::load_row, stage17::columns,
    stage17::column_coefficients, stage17::push_row, stage17::four_pixels;

// The twin's result: the 8 pixels two rows above the next one, which are byte 2 of their columns'
// words. The outermost columns keep the loads of the neighbors.
__device__ inline void copy_columns(unsigned pixels[2], const unsigned column[12], int mask)
{
    for (int h = 0; h < 2; h++) {
        const unsigned *own = column + 2 + 4 * h;
        unsigned left = __byte_perm(own[0], own[1], 0x62);
        unsigned right = __byte_perm(own[2], own[3], 0x62);
        pixels[h] = __byte_perm(left, right, 0x5410) | ((column[0] | column[11]) & mask);
    }
}

__global__ void convolve(struct image image, struct filter f, struct columns c)
{
    struct row rows[5];         // the next 5 rows, in flight
    unsigned column[12] = {};   // a word for each: its 4 pixels above the next row

    // thread tile: output rows y to end - 1, 8 pixels from column x on; `in` starts 2 rows above it
    int x = 8 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + ROWS * blockIdx.y, end = min(y + ROWS, image.height - 2);
    const unsigned char *in = image.in + (y - 2) * image.pitch + x;

    if (x >= image.width || y >= end)
        return;
    for (int i = 0; i < 4; i++, in += image.pitch)
        push_row(column, load_row(in, x, image.pitch));
    for (int k = 0; k < 5; k++, in += image.pitch)
        if (y + k < end)
            rows[k] = load_row(in, x, image.pitch);
    for (; y < end; y += 5) {
#pragma unroll
        for (int k = 0; k < 5; k++, in += image.pitch) {
            unsigned pixels[2];
            struct row row = rows[k];
            if (y + k + 5 < end)   // 5 rows further down, while this one is convolved
                rows[k] = load_row(in, x, image.pitch);
            for (int h = 0; h < 2; h++)
                pixels[h] = four_pixels(column + 4 * h, row.word + h, c, f.scale);
            TWIN(copy_columns(pixels, column, f.c[0]));
            push_row(column, row);
            if (y + k < end)
                store_vector(image.out + (y + k) * image.pitch, x, image.width,
                             make_uint2(pixels[0], pixels[1]));
        }
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 grid(ceil_div(image->width, 8 * BLOCK), ceil_div(max(image->height - 4, 1), ROWS));

    if (image->pitch % 8)
        return refuse("pitches that are multiples of 8 only");
    struct filter f = *filter;
    if (!signed_bytes(&f))
        return;
    convolve<<<grid, BLOCK>>>(*image, f, column_coefficients(f));
}
