// stage13: software pipelining (register prefetch) of rows
//
// Stage 12 loads five rows, waits for them, convolves them, and only then loads the next five.
// Change: as soon as a row is copied out of its registers, the thread loads the row five below it
// into them. While it convolves, the next rows are in flight.
//
//   stage 12   load 4-8 | wait | convolve 4-8 | load 9-13 | wait | convolve 9-13 | ...
//   stage 13   load 4-8 | wait | copy 4, load 9, convolve 4 | copy 5, load 10, convolve 5 | ...
//   Numbers are input rows. Rows 0-3 are loaded before, and only pushed into the columns' words.
//
// Look at: in make sass STAGES=stage13, 448 dp4a (IDP) stand between the load (LDG) of a row and
// its first use; in stage 12 there are 7 to 447. No row is loaded twice, nor one below the tile.
// The gain is 4 % at 8192 x 8192, and 1 % in larger images.
// make stage13 && ./stage13 --for h200        make diff B=13
// Expect (cpu, 512x512): ld_requests == stage12.ld_requests
// Expect (sm_90, 8192x8192): rate >= 1.01 * stage12.rate
#include "convolution.h"

const int BLOCK = 128, ROWS = 20;   // threads per block, output rows per thread
const int BLOCKS_PER_SM = 6;        // shall fit: at most 80 registers per thread

using stage4::store_vector, stage11::four_pixels, stage11::push_row, stage12::row;

__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    convolve(struct image image, struct filter f, Columns c)
{
    struct row rows[5];         // row k of the thread tile's input is in rows[k % 5]
    unsigned column[20] = {};   // column[k]: the 4 pixels of column k above the next row

    // thread tile: output rows y to end - 1, 16 pixels from column x on; `in` starts 2 rows above
    int x = 16 * (BLOCK * blockIdx.x + threadIdx.x), lane = threadIdx.x % 32;
    int y = 2 + ROWS * blockIdx.y, end = min(y + ROWS, image.height - 2);
    const unsigned char *in = image.in + (y - 2) * image.pitch + min(x, image.pitch - 16);

    // offset of the word that lane 0 or 31 loads beside its 16 pixels, 0 for none
    int halo = lane == 0 && x > 0 ? -4 : lane == 31 && x + 16 < image.pitch ? 16 : 0;
    if (x - 16 * lane >= image.width || y >= end)   // whole warps only: shuffles need all lanes
        return;
    for (int k = 0; k < 5; k++, in += image.pitch)   // 5 rows in flight: a tile has at least 5
        rows[k] = row::load(in, halo);
#pragma unroll   // the first four rows: only pushed
    for (int k = 0; k < 4; k++, in += image.pitch) {
        push_row(column, rows[k].complete());
        if (y + k + 1 < end)
            rows[k] = row::load(in, halo);
    }
    for (; y < end; y += 5) {
#pragma unroll
        for (int k = 0; k < 5; k++, in += image.pitch) {
            unsigned pixels[4];
            struct row &next = rows[(k + 4) % 5];
            struct row full = next.complete();
            if (y + k + 5 < end)   // 5 rows further down, while this one is convolved
                next = row::load(in, halo);
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
