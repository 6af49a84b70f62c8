// stage16: cvt.pack.sat, conversion and clamping of packed pixels (with a magic number)
//
// Half of stage 15's instructions are no products: each sum is converted to float, scaled,
// converted back, clamped twice, shifted and ORed. Two changes. A sum starts at 0x4B000000, the
// bits of 2^23 as a float: adding n to the int adds n to the float, so that no conversion is
// needed. And cvt.pack.sat clamps two ints and packs them as bytes in one instruction.
//
//   int bits    0x4B000000 + sum  =  float 2^23 + sum
//   scaled sum  fma(2^23 + sum, scale, -2^23 * scale)          rounded once: exact, as stage 15
//
// Floats below 2^23 have steps of 1/2: a negative sum still comes out negative, and is clamped to
// 0. The host makes a negative scale positive (signed_bytes() in convolution.h).
// make stage16 && ./stage16        make diff A=15 B=16
// Expect (cpu, 512x512): ld_requests == stage12.ld_requests
// Expect (sm_90, 32768x32768): rate >= 1.04 * stage15.rate
#include "convolution.h"

#ifndef BLOCK
#define BLOCK 128
#endif
#ifndef ROWS
#define ROWS 20   // output rows per thread
#endif
static_assert(BLOCK % 32 == 0 && BLOCK <= 1024 && ROWS % 5 == 0,
              "BLOCK must be a multiple of 32 up to 1024, ROWS one of 5");

using stage12::row, stage12::load_row, stage15::shifted, stage15::shifted_coefficients;

// The bits of 2^23 as a float: adding n < 2^23 to this int adds n to the float.
const int magic = 0x4B000000;

// Four floats as the bytes of a word, each truncated and clamped to 0..255; v[0] is the lowest.
__device__ inline unsigned pack_u8(const float v[4])
{
    return cvt_pack_sat_u8((int)v[1], (int)v[0], cvt_pack_sat_u8((int)v[3], (int)v[2], 0));
}

template <bool memory_only>
__global__ void convolve(struct image image, struct filter f, struct shifted c)
{
    struct row rows[9];   // the window: 4 rows and the next 5
    float value[4], bias = -0x1p23f * f.scale;

    // thread tile: output rows y to end - 1, 8 pixels from column x on; `in` starts 2 rows above it
    int x = 8 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + ROWS * blockIdx.y, end = min(y + ROWS, image.height - 2);
    bool has_left = x > 0, has_right = x + 8 < image.pitch;
    const unsigned char *in = image.in + (y - 2) * image.pitch + x;

    if (x >= image.width || y >= end)
        return;
    for (int i = 0; i < 4; i++, in += image.pitch)
        rows[i] = load_row(in, has_left, has_right);
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
                for (int i = 0; i < 5; i++)
                    for (int j = 0; j < 2; j++)
                        sum =
                            dp4a(rows[k + i].word[(p + 2) / 4 + j], c.row[i][(p + 2) % 4][j], sum);
                value[p % 4] = fmaf(__int_as_float(sum), f.scale, bias);
                if (p % 4 == 3)
                    pixels[p / 4] = pack_u8(value);
            }
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
    struct shifted c = shifted_coefficients(f);
    if (image->memory_only)
        convolve<true><<<grid, BLOCK>>>(*image, f, c);
    else
        convolve<false><<<grid, BLOCK>>>(*image, f, c);
}
