// stage10: cvt.pack.sat, conversion and clamping of packed pixels
//
// Stage 9 clamps each pixel with two instructions, shifts it and ORs it into its word. Change:
// cvt.pack.sat clamps two ints to 0..255 and packs them as bytes, in one instruction. Two of them
// make a word of four pixels.
//
//   cvt.pack.sat(a, b, word)  =  | lower half of word | a | b |     the highest byte on the left
//
// Look at: F2IP in make sass STAGES=stage10, one for two pixels: nvcc merges the conversion from
// float to int as well. A fifth fewer instructions per pixel (make instructions), for 6 %: the
// limit is dp4a's pipe, the heavy half of the FMA pipe, and those that went used others.
// make stage10 && ./stage10        make diff B=10
// Expect (cpu, 504x512): packed_conversions == 500 * 512 / 2
// Expect (sm_90, 32768x32768): rate >= 1.02 * stage9.rate
#include "convolution.h"

const int BLOCK = 128, ROWS = 20;   // threads per block, output rows per thread

using stage4::store_vector, stage6::row, stage8::Shifted, stage9::bits_2p23;

// Four floats as the bytes of a word, each truncated and clamped to 0..255; v[0] is the lowest.
__device__ inline unsigned pack_u8(const float v[4])
{
    return cvt_pack_sat_u8((int)v[1], (int)v[0], cvt_pack_sat_u8((int)v[3], (int)v[2], 0));
}

// Four output pixels from 5 rows, of which they need words `first` to `first` + 2. Pixel p is byte
// p + 4: it needs bytes p + 2 to p + 6.
__device__ inline unsigned four_pixels(const struct row *rows, int first, const Shifted &c,
                                       float scale)
{
    float value[4], bias = -0x1p23f * scale;

    for (int p = 0; p < 4; p++) {
        int sum = bits_2p23;
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 2; j++)
                sum = dp4a(rows[i].word[first + (p + 2) / 4 + j], c.at[i][(p + 2) % 4][j], sum);
        value[p] = fmaf(__int_as_float(sum), scale, bias);
    }
    return pack_u8(value);
}

__global__ void convolve(struct image image, struct filter f, Shifted c)
{
    struct row rows[9] = {};   // the window: 4 rows and the next 5

    // thread tile: output rows y to end - 1, 8 pixels from column x on; `in` starts 2 rows above it
    int x = 8 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + ROWS * blockIdx.y, end = min(y + ROWS, image.height - 2);
    const unsigned char *in = image.in + (y - 2) * image.pitch + x;

    if (x >= image.width || y >= end)
        return;
    for (int i = 0; i < 4; i++, in += image.pitch)
        rows[i] = row::load(in, x, image.pitch);
    for (; y < end; y += 5) {
        for (int k = 0; k < 5; k++, in += image.pitch)   // 5 rows in flight
            if (y + k < end)
                rows[4 + k] = row::load(in, x, image.pitch);
#pragma unroll
        for (int k = 0; k < 5; k++) {
            unsigned pixels[2];
            for (int h = 0; h < 2; h++)   // half of the 8 pixels
                pixels[h] = four_pixels(&rows[k], h, c, f.scale);
            if (y + k < end)
                store_vector(image.out + (y + k) * image.pitch, x, image.width,
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
    struct filter f = *filter;   // a copy: signed_bytes() may negate it
    if (!signed_bytes(&f))
        return;
    convolve<<<grid, BLOCK>>>(*image, f, Shifted(f));
}
