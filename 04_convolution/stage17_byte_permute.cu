// stage17: byte permutes, dp4a down columns: 7 instead of 10 per pixel
//
// 15 of the 40 products of stage 16's ten dp4a are with zeros. Change: the upper four rows go
// through dp4a down the columns: four pixels are a word without zeros. __byte_perm (PRMT) pushes a
// column's newest pixel into its word, and the oldest out. The last row takes two dp4a, as before.
//   column j:  row 0   a          word = a b c d    5 columns = 5 dp4a per pixel
//              row 1   b          next row, e:
//              row 2   c          word = b c d e    1 permute; 12 columns serve 8 pixels
//              row 3   d
// Look at: IDP.4A and PRMT in make sass STAGES=stage17. PRMT runs in another pipe than dp4a.
// make stage17 && ./stage17        make diff A=16 B=17
// Long: it packs the coefficients and the columns.
// Expect (cpu, 512x512): ld_requests == stage12.ld_requests
// Expect (sm_90, 32768x32768): rate >= 1.1 * stage16.rate
// Expect (sm_90, 32768x32768): rate >= 0.72 * ref_memcpy.rate
#include "convolution.h"

#ifndef BLOCK
#define BLOCK 128
#endif
#ifndef ROWS
#define ROWS 20   // output rows per thread
#endif
static_assert(BLOCK % 32 == 0 && BLOCK <= 1024 && ROWS % 5 == 0,
              "BLOCK must be a multiple of 32 up to 1024, ROWS one of 5");

using stage12::row, stage12::load_row, stage16::magic, stage16::pack_u8;

// The coefficients for dp4a: the upper four of each column as one word, and the last row as 8
// bytes, shifted by 0, 1, 2 and 3 bytes.
struct columns {
    unsigned column[5], last[4][2];
};

inline struct columns column_coefficients(const struct filter &f)
{
    struct columns c = {};

    for (int k = 0; k < 20; k++)
        c.column[k % 5] |= (f.c[k] & 255) << 8 * (k / 5);
    for (int k = 0; k < 5; k++)
        for (int shift = 0; shift < 4; shift++) {
            int place = shift + k;   // byte of the 8
            c.last[shift][place / 4] |= (f.c[20 + k] & 255) << 8 * (place % 4);
        }
    return c;
}

// Pushes the row's 12 inner pixels into the words of their columns, as the highest byte.
__device__ inline void push_row(unsigned column[12], struct row row)
{
    for (int k = 0; k < 12; k++)
        column[k] = __byte_perm(column[k], row.word[(k + 2) / 4], 0x4321 + 0x1000 * ((k + 2) % 4));
}

template <bool memory_only>
__global__ void convolve(struct image image, struct filter f, struct columns c)
{
    struct row rows[9];         // the window: 4 rows and the next 5
    unsigned column[12] = {};   // 4 pixels of each column above the next row
    float value[4], bias = -0x1p23f * f.scale;

    // thread tile: output rows y to end - 1, 8 pixels from column x on; `in` starts 2 rows above it
    int x = 8 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + ROWS * blockIdx.y, end = min(y + ROWS, image.height - 2);
    bool has_left = x > 0, has_right = x + 8 < image.pitch;
    const unsigned char *in = image.in + (y - 2) * image.pitch + x;

    if (x >= image.width || y >= end)
        return;
    for (int i = 0; i < 4; i++, in += image.pitch) {
        rows[i] = load_row(in, has_left, has_right);
        push_row(column, rows[i]);
    }
    for (; y < end; y += 5) {
        for (int k = 0; k < 5; k++, in += image.pitch)   // 5 rows in flight
            if (y + k < end)
                rows[4 + k] = load_row(in, has_left, has_right);
#pragma unroll
        for (int k = 0; k < 5; k++) {
            unsigned pixels[2];
#pragma unroll
            for (int p = 0; p < 8; p++) {
                int sum = magic;
                for (int j = 0; j < 5; j++)
                    sum = dp4a(column[p + j], c.column[j], sum);
                for (int j = 0; j < 2; j++)
                    sum = dp4a(rows[4 + k].word[(p + 2) / 4 + j], c.last[(p + 2) % 4][j], sum);
                value[p % 4] = fmaf(__int_as_float(sum), f.scale, bias);
                if (p % 4 == 3)
                    pixels[p / 4] = pack_u8(value);
            }
            push_row(column, rows[4 + k]);
            if (memory_only)
                copy_row(pixels, &rows[k], f);
            if (y + k < end)
                store(image.out + (y + k) * image.pitch, x, image.width,
                      make_uint2(pixels[0], pixels[1]));
        }
        for (int i = 0; i < 4; i++)   // slide the window down by 5 rows
            rows[i] = rows[5 + i];
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
    struct columns c = column_coefficients(f);
    if (image->memory_only)
        convolve<true><<<grid, BLOCK>>>(*image, f, c);
    else
        convolve<false><<<grid, BLOCK>>>(*image, f, c);
}
