// Types and functions which one stage shows and later stages use. Each namespace is named after the
// stage that shows its contents, and has the same text. A stage names what it uses:
// `using stage12::load_row;`.
#ifndef STAGES_H
#define STAGES_H

namespace stage12 {
// 16 pixels of a row, one byte each: the thread's 8, and 4 on each side of them.
struct row {
    unsigned word[4];
};

// Loads the row whose 8 pixels start at `own`. Neighbors outside the row are 0.
__device__ inline struct row load_row(const unsigned char *own, bool has_left, bool has_right)
{
    uint2 middle = *(const uint2 *)own;

    return { { has_left ? *(const unsigned *)(own - 4) : 0, middle.x, middle.y,
               has_right ? *(const unsigned *)(own + 8) : 0 } };
}
}   // namespace stage12

namespace stage15 {
// Each row of coefficients as 8 bytes, shifted by 0, 1, 2 and 3 bytes; the other bytes are 0.
struct shifted {
    unsigned row[5][4][2];
};

inline struct shifted shifted_coefficients(const struct filter &f)
{
    struct shifted c = {};

    for (int k = 0; k < 25; k++)
        for (int shift = 0; shift < 4; shift++) {
            int place = shift + k % 5;   // byte of the 8
            c.row[k / 5][shift][place / 4] |= (f.c[k] & 255) << 8 * (place % 4);
        }
    return c;
}
}   // namespace stage15

namespace stage16 {
// The bits of 2^23 as a float: adding n < 2^23 to this int adds n to the float.
const int magic = 0x4B000000;

// Four floats as the bytes of a word, each truncated and clamped to 0..255; v[0] is the lowest.
__device__ inline unsigned pack_u8(const float v[4])
{
    return cvt_pack_sat_u8((int)v[1], (int)v[0], cvt_pack_sat_u8((int)v[3], (int)v[2], 0));
}
}   // namespace stage16

namespace stage17 {
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
}   // namespace stage17

namespace stage19 {
using stage12::row, stage16::magic, stage16::pack_u8;

// Each row of coefficients as 5 bytes and three zeros, with 3 rows of zeros above and 4 below.
struct bands {
    unsigned long long row[3 + 5 + 4];
};

inline struct bands bands_of(const struct filter &f)
{
    struct bands bands = {};

    for (int k = 0; k < 25; k++)
        bands.row[3 + k / 5] |= (f.c[k] & 255ull) << 8 * (k % 5);
    return bands;
}

// This lane's fragments of the banded matrix: b[n][k][half] has the coefficients of output columns
// 2n and 2n + 1 of a word. They multiply word n + k of (before, word, after), in the upper or lower
// 4 of 8 input rows.
__device__ inline void make_banded(unsigned b[2][2][2], const struct bands &bands)
{
    // column g of b: output column 2n + g % 2 of output row g / 2
    int g = threadIdx.x / 4, t = threadIdx.x % 4;

    for (int half = 0; half < 2; half++) {
        unsigned long long row = bands.row[3 + 4 * half + t - g / 2] << 8 * (g % 2);
        b[0][0][half] = row << 16;
        b[0][1][half] = row >> 16;
        b[1][0][half] = row;
        b[1][1][half] = row >> 32;
    }
}

// Convolves with four mma per warp. Lane 4g + t passes rows t (upper) and t + 4 (lower) of 8 input
// rows at pixel columns 8g to 8g + 7, and gets 8 pixels of output row t. Its words are rows g and
// g + 8 of a. In the memory-only twin, it gets the pixels of the input.
template <bool memory_only>
__device__ inline uint2 convolve_mma(struct row upper, struct row lower, const unsigned b[2][2][2],
                                     const struct filter &f, int t)
{
    const int zero[4] = { magic, magic, magic, magic };
    float value[4], bias = -0x1p23f * f.scale;
    unsigned pixels[2];
    int sum[2][4];

    for (int n = 0; n < 2 && !memory_only; n++)
        for (int j = n; j < n + 2; j++) {
            unsigned a[4] = { upper.word[j], upper.word[j + 1], lower.word[j], lower.word[j + 1] };
            mma_m16n8k32(sum[n], a, b[n][j - n], j == n ? zero : sum[n]);
        }
    for (int h = 0; h < 2 && !memory_only; h++) {
        for (int p = 0; p < 4; p++)
            value[p] = fmaf(__int_as_float(sum[p / 2][2 * h + p % 2]), f.scale, bias);
        pixels[h] = pack_u8(value);
    }
    // output row t was loaded by lane t - 2 (lower) or t + 2 (upper)
    for (int h = 0; h < 2 && memory_only; h++) {
        unsigned middle = __shfl_xor_sync(~0u, t < 2 ? lower.word[1 + h] : upper.word[1 + h], 2);
        pixels[h] =
            middle | ((upper.word[0] | upper.word[3] | lower.word[0] | lower.word[3]) & f.c[0]);
    }
    return make_uint2(pixels[0], pixels[1]);
}
}   // namespace stage19

namespace stage20 {
using stage12::row;

// The row whose 8 pixels start at `own` in shared memory.
__device__ inline struct row load_row(const unsigned *own)
{
    uint2 middle = *(const uint2 *)own;

    return { { own[-1], middle.x, middle.y, own[2] } };
}
}   // namespace stage20

#endif
