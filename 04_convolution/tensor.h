// Packed pixels, from stage 16 on, and eight pixels per lane by tensor cores, from stage 20 on, as
// stage 19 shows and explains. Pixels are unsigned bytes, coefficients are signed bytes.
#ifndef TENSOR_H
#define TENSOR_H

// Four pixels, each clamped to 0..255, as the bytes of a word; p0 is the lowest.
__device__ inline unsigned pack_u8(int p0, int p1, int p2, int p3)
{
    return cvt_pack_sat_u8(p1, p0, cvt_pack_sat_u8(p3, p2, 0));
}

// Sixteen bytes of a row: a lane's own eight pixels, and four on each side of them.
struct sixteen_pixels {
    unsigned word[4];
};

// From shared memory; `own` is where the lane's eight lie.
__device__ inline struct sixteen_pixels around(const unsigned *own)
{
    uint2 middle = *(const uint2 *)own;

    return { { own[-1], middle.x, middle.y, own[2] } };
}

// Each row of coefficients as bytes, five and three zeros, with three rows of zeros before them and
// four behind.
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

// The lane's part of the matrices b[n][k]: for columns 2n and 2n + 1 of a word, and the first (k =
// 0) or second four of the eight bytes in a row that they depend on; of these the upper and the
// lower four rows. `bands` is a kernel's __grid_constant__ parameter: it is read where it lies,
// with an index that each lane has for itself.
__device__ inline void make_banded(unsigned b[2][2][2], const struct bands &bands)
{
    // column g of b: column 2n + g % 2 in row g / 2 of the four
    int g = threadIdx.x / 4, t = threadIdx.x % 4;

    for (int half = 0; half < 2; half++) {
        unsigned long long row = bands.row[3 + 4 * half + t - g / 2] << 8 * (g % 2);
        b[0][0][half] = row << 16;
        b[0][1][half] = row >> 16;
        b[1][0][half] = row;
        b[1][1][half] = row >> 32;
    }
}

// The eight pixels that lane 4 g + t stores, in row t of four: from row t of eight, `upper`, and
// row t + 4, `lower`, where pixels 8 g on lie. All lanes of a warp call it. In the twin they are
// those of the input.
template <bool memory_only>
__device__ inline uint2 eight_pixels(struct sixteen_pixels upper, struct sixteen_pixels lower,
                                     const unsigned b[2][2][2], const struct filter &f)
{
    // the bits of 2^23 as a float: see stage 16
    const int start = 0x4B000000, zero[4] = { start, start, start, start };
    float value[4], back = -0x1p23f * f.scale;
    unsigned pixels[2];
    int sum[2][4];

    for (int n = 0; n < 2 && !memory_only; n++)
        for (int j = n; j < n + 2; j++) {
            unsigned a[4] = { upper.word[j], upper.word[j + 1], lower.word[j], lower.word[j + 1] };
            mma_m16n8k32(sum[n], a, b[n][j - n], j == n ? zero : sum[n]);
        }
    for (int h = 0; h < 2 && !memory_only; h++) {
        for (int p = 0; p < 4; p++)
            value[p] = fmaf(__int_as_float(sum[p / 2][2 * h + p % 2]), f.scale, back);
        pixels[h] = pack_u8((int)value[0], (int)value[1], (int)value[2], (int)value[3]);
    }
    // the row to store was loaded by the lane two on or back
    for (int h = 0; h < 2 && memory_only; h++) {
        unsigned middle =
            __shfl_xor_sync(~0u, threadIdx.x % 4 < 2 ? lower.word[1 + h] : upper.word[1 + h], 2);
        pixels[h] =
            middle | ((upper.word[0] | upper.word[3] | lower.word[0] | lower.word[3]) & f.c[0]);
    }
    return make_uint2(pixels[0], pixels[1]);
}

#endif
