// Types and functions which one stage shows and later stages use. Each namespace is named after the
// stage that shows its contents, and has the same text. A stage names what it uses:
// `using stage6::row;`.
#ifndef STAGES_H
#define STAGES_H

#include <cuda_pipeline_primitives.h>

namespace stage1 {
// The output pixel: the scaled sum, truncated and clamped to 0..255.
__device__ inline unsigned pixel(int sum, float scale)
{
    return min(max((int)((float)sum * scale), 0), 255);
}
}   // namespace stage1

namespace stage2 {
// Loads Pixels (a byte here; later stages load words of 4 pixels, and more) at column x, row y.
// Clamps both to the image: the neighbors of border pixels lie outside, but border pixels are not
// written. x and the pitch are multiples of sizeof(Pixels).
template <class Pixels>
__device__ inline Pixels load_clamped(const struct image &image, int x, int y)
{
    x = min(max(x, 0), image.pitch - (int)sizeof(Pixels));
    y = min(max(y, 0), image.height - 1);
    return *(const Pixels *)(image.in + y * image.pitch + x);
}

// Stores four packed pixels at column x of an output row: as a word, or byte by byte where the
// border cuts the word. x and the pitch are multiples of 4.
__device__ inline void store_word(unsigned char *row, int x, int width, unsigned pixels)
{
    if (x >= 2 && x + 4 <= width - 2)
        *(unsigned *)(row + x) = pixels;
    else
        for (int p = 0; p < 4; p++)
            if (x + p >= 2 && x + p < width - 2)
                row[x + p] = pixels >> (8 * p);
}
}   // namespace stage2

namespace stage3 {
using stage1::pixel;

// Convolves the four pixels in column `word` of the tile, as stage 2 does, and returns them packed.
// The first of the five rows is at `rows`; a row has `words` words.
__device__ inline unsigned convolve_word(const unsigned *rows, int words, int word,
                                         const struct filter &f)
{
    int sum[4] = {};
    unsigned pixels = 0;

#pragma unroll
    for (int i = 0; i < 5; i++) {
        unsigned char byte[8];   // the word's four pixels, and two on each side of them
        for (int n = 0; n < 8; n++)
            byte[n] = ((const unsigned char *)(rows + i * words))[4 * word + n - 2];
        for (int p = 0; p < 4; p++)
            for (int j = 0; j < 5; j++)
                sum[p] += f.c[5 * i + j] * byte[p + j];
    }
    for (int p = 0; p < 4; p++)
        pixels |= pixel(sum[p], f.scale) << 8 * p;
    return pixels;
}
}   // namespace stage3

namespace stage4 {
using stage2::load_clamped, stage2::store_word;

// Loads a tile of elements of 16 pixels, as stage 3 loads words, with a block of width x height
// threads. (Stage 5 pads the columns.)
template <int width, int height, int columns>
__device__ inline void load_tile(uint4 tile[][columns], const struct image &image, int x, int y)
{
    int tx = threadIdx.x, left = x - 16;
    int ty = threadIdx.y, top = y - 2;

    tile[ty][tx] = load_clamped<uint4>(image, left, top);
    if (tx < 2)
        tile[ty][width + tx] = load_clamped<uint4>(image, left + 16 * width, top);
    if (ty < 4)
        tile[height + ty][tx] = load_clamped<uint4>(image, left, top + height);
    if (tx < 2 && ty < 4)
        tile[height + ty][width + tx] = load_clamped<uint4>(image, left + 16 * width, top + height);
}

// Stores 8 or 16 packed pixels (uint2, uint4) at column x of an output row: in one access, or word
// by word if some belong to the border. x and the pitch are multiples of sizeof(Pixels).
template <class Pixels>
__device__ inline void store_vector(unsigned char *row, int x, int width, Pixels pixels)
{
    if (x >= 2 && x + (int)sizeof pixels <= width - 2)
        *(Pixels *)(row + x) = pixels;
    else
        for (int p = 0; p < (int)sizeof pixels; p += 4)
            store_word(row, x + p, width, ((unsigned *)&pixels)[p / 4]);
}
}   // namespace stage4

namespace stage6 {
// 16 pixels of a row, one byte each: the thread's 8, and 4 on each side of them. Two of the 4 are
// neighbors; a whole word is one aligned load.
struct row {
    unsigned word[4];

    // Loads the row whose 8 pixels start at `own`, column x. Neighbors outside the row are 0.
    __device__ static row load(const unsigned char *own, int x, int pitch)
    {
        uint2 middle = *(const uint2 *)own;
        unsigned left = x > 0 ? *(const unsigned *)(own - 4) : 0;
        unsigned right = x + 8 < pitch ? *(const unsigned *)(own + 8) : 0;

        return { { left, middle.x, middle.y, right } };
    }
};
}   // namespace stage6

namespace stage8 {
// at[i][s]: row i of the coefficients as 8 bytes, shifted by s bytes; the other bytes are 0.
struct Shifted {
    unsigned at[5][4][2] = {};

    explicit Shifted(const struct filter &f)
    {
        for (int k = 0; k < 25; k++)
            for (int shift = 0; shift < 4; shift++) {
                int place = shift + k % 5;   // the coefficient's byte, of the 8
                at[k / 5][shift][place / 4] |= (f.c[k] & 255) << (8 * (place % 4));
            }
    }
};
}   // namespace stage8

namespace stage9 {
// The bits of 2^23 as a float: adding n to this int adds n to the float, if 0 <= n < 2^23. Sums are
// small enough: 25 * 255 * 128 < 2^20.
const int bits_2p23 = 0x4B000000;
}   // namespace stage9

namespace stage10 {
// Four floats as the bytes of a word, each truncated and clamped to 0..255; v[0] is the lowest.
__device__ inline unsigned pack_u8(const float v[4])
{
    return cvt_pack_sat_u8((int)v[1], (int)v[0], cvt_pack_sat_u8((int)v[3], (int)v[2], 0));
}
}   // namespace stage10

namespace stage11 {
using stage10::pack_u8;
using stage6::row, stage9::bits_2p23;

// Pushes the pixels of the row that sums need, from byte 2 on, into the words of their columns:
// bytes 1 to 3 of a column's word become bytes 0 to 2, and the pixel becomes byte 3. Each hex digit
// of __byte_perm's selector picks a byte: 0 to 3 of its first argument, 4 to 7 of its second. For
// column 0, whose pixel is byte 2 of the row's word, the selector is 0x6321: bytes 1, 2, 3, pixel.
template <int n, class Row>   // here 12 columns; later stages have more, and longer rows
__device__ inline void push_row(unsigned (&column)[n], const Row &row)
{
#pragma unroll
    for (int k = 0; k < n; k++)
        column[k] = __byte_perm(column[k], row.word[(k + 2) / 4], (4 + (k + 2) % 4) << 12 | 0x321);
}

// Four output pixels: dp4a down their 8 columns (pixel p: p to p + 4), and along the 3 words of the
// last row.
__device__ inline unsigned four_pixels(const unsigned *column, const unsigned *word,
                                       const Columns &c, float scale)
{
    float value[4], bias = -0x1p23f * scale;

    for (int p = 0; p < 4; p++) {
        int sum = bits_2p23;
        for (int j = 0; j < 5; j++)
            sum = dp4a(column[p + j], c.word[j], sum);
        for (int j = 0; j < 2; j++)
            sum = dp4a(word[(p + 2) / 4 + j], c.last[(p + 2) % 4][j], sum);
        value[p] = fmaf(__int_as_float(sum), scale, bias);
    }
    return pack_u8(value);
}
}   // namespace stage11
namespace stage12 {
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
}   // namespace stage12

#include "stages_mma.h"

#endif
