// Types and functions which one stage shows and later stages use. Each namespace is named after the
// stage that shows its contents, and has the same text. A stage names what it uses:
// `using stage12::load_row;`.
#ifndef STAGES_H
#define STAGES_H

namespace stage12 {
// 16 pixels of a row, one byte each: the thread's 8, and 4 on each side of them. Two of the 4 are
// neighbors; a whole word is one aligned load.
struct row {
    unsigned word[4];
};

// Loads the row whose 8 pixels start at `own`, column x. Neighbors outside the row are 0.
__device__ inline struct row load_row(const unsigned char *own, int x, int pitch)
{
    uint2 middle = *(const uint2 *)own;

    return { { x > 0 ? *(const unsigned *)(own - 4) : 0, middle.x, middle.y,
               x + 8 < pitch ? *(const unsigned *)(own + 8) : 0 } };
}
}   // namespace stage12

namespace stage15 {
// at[i][s]: row i of the coefficients as 8 bytes, shifted by s bytes; the other bytes are 0.
struct shifted {
    unsigned at[5][4][2];
};

inline struct shifted shifted_coefficients(const struct filter &f)
{
    struct shifted c = {};

    for (int n = 0; n < 100; n++) {   // coefficient k, at byte `place` of the 8
        int k = n / 4, shift = n % 4, place = shift + k % 5;
        c.at[k / 5][shift][place / 4] |= (f.c[k] & 255) << 8 * (place % 4);
    }
    return c;
}
}   // namespace stage15

namespace stage16 {
// The bits of 2^23 as a float: adding n to this int adds n to the float, if 0 <= n < 2^23.
const int magic = 0x4B000000;
}   // namespace stage16

namespace stage17 {
// Four floats as the bytes of a word, each truncated and clamped to 0..255; v[0] is the lowest.
__device__ inline unsigned pack_u8(const float v[4])
{
    return cvt_pack_sat_u8((int)v[1], (int)v[0], cvt_pack_sat_u8((int)v[3], (int)v[2], 0));
}
}   // namespace stage17

namespace stage18 {
using stage15::shifted, stage15::shifted_coefficients, stage16::magic, stage17::pack_u8;

// The coefficients for dp4a: the upper four of each column as one word, and the rows shifted.
struct columns {
    unsigned column[5];
    struct shifted rows;
};

inline struct columns column_coefficients(const struct filter &f)
{
    struct columns c = { {}, shifted_coefficients(f) };

    for (int k = 0; k < 20; k++)
        c.column[k % 5] |= (f.c[k] & 255) << 8 * (k / 5);
    return c;
}

// Pushes the row's inner pixels into the words of their columns, as the highest byte. Column k is
// byte k + 2 of the row. Digits of the selector, the lowest first: bytes 1, 2 and 3 of the word
// (1, 2, 3), and the byte of the row's word (4 to 7).
template <int n, class Row> __device__ inline void push_row(unsigned (&column)[n], Row row)
{
#pragma unroll
    for (int k = 0; k < n; k++)
        column[k] = __byte_perm(column[k], row.word[(k + 2) / 4], 0x4321 + 0x1000 * ((k + 2) % 4));
}

// Four output pixels: dp4a down their 8 columns (pixel p: p to p + 4), and along the 3 words of the
// last row.
__device__ inline unsigned four_pixels(const unsigned *column, const unsigned *word,
                                       const struct columns &c, float scale)
{
    float value[4], bias = -0x1p23f * scale;

    for (int p = 0; p < 4; p++) {
        int sum = magic;
        for (int j = 0; j < 5; j++)
            sum = dp4a(column[p + j], c.column[j], sum);
        for (int j = 0; j < 2; j++)
            sum = dp4a(word[(p + 2) / 4 + j], c.rows.at[4][(p + 2) % 4][j], sum);
        value[p] = fmaf(__int_as_float(sum), scale, bias);
    }
    return pack_u8(value);
}
}   // namespace stage18

namespace stage19 {
// 24 pixels of a row: the thread's 16, and 4 on each side of them (undefined outside the image).
struct row {
    unsigned word[6];
};

// Loads the thread's 16 pixels. halo: offset in bytes of the word that lane 0 needs on the left or
// lane 31 on the right, 0 for none. It becomes both outer words: complete() keeps the one needed.
__device__ inline struct row load_row(const unsigned char *own, int halo)
{
    uint4 middle = *(const uint4 *)own;
    unsigned edge = halo ? *(const unsigned *)(own + halo) : 0;

    return { { edge, middle.x, middle.y, middle.z, middle.w, edge } };
}

// Completes a row with words from the neighboring lanes. All lanes of the warp call it.
__device__ inline struct row complete(struct row row)
{
    unsigned left = __shfl_up_sync(~0u, row.word[4], 1);
    unsigned right = __shfl_down_sync(~0u, row.word[1], 1);

    row.word[0] = threadIdx.x % 32 == 0 ? row.word[0] : left;
    row.word[5] = threadIdx.x % 32 == 31 ? row.word[5] : right;
    return row;
}
}   // namespace stage19

namespace stage21 {
using stage12::row, stage16::magic, stage17::pack_u8;

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

// This lane's fragments (parts of a matrix, in registers) of the banded matrix: b[n][k][half] has
// coefficients of output columns 2n and 2n + 1 of a word. They multiply word n + k of before, word
// and after, in the upper or lower 4 of 8 input rows.
__device__ inline void make_banded(unsigned b[2][2][2], const struct bands &bands)
{
    // column g of b: output column 2n + g % 2 of output row g / 2. Input row 4 half + t is that
    // row's 4 half + t - g / 2 of 5; bands has zeros for the rows before and after the 5. The 5
    // coefficients are bytes of `row`, for column 2n + 1 one byte further than for column 2n.
    int g = threadIdx.x / 4, t = threadIdx.x % 4;

    for (int half = 0; half < 2; half++) {
        unsigned long long row = bands.row[3 + 4 * half + t - g / 2] << 8 * (g % 2);
        b[0][0][half] = row << 16;   // before: coefficient 0 of column 0 is for its third pixel
        b[0][1][half] = row >> 16;   // word: coefficient 2 of column 0 is for its first
        b[1][0][half] = row;         // word: coefficient 0 of column 2 is for its first
        b[1][1][half] = row >> 32;   // after: coefficient 4 of column 2 is for its first
    }
}

// Convolves with four mma per warp. Lane 4g + t passes rows t (upper) and t + 4 (lower) of 8 input
// rows at pixel columns 8g to 8g + 7, and gets these 8 pixels of output row t. Its two words of a
// row belong to rows g and g + 8 of a. sum[n][2h + i] is column 2n + i of its word h.
__device__ inline uint2 convolve_mma(struct row upper, struct row lower, const unsigned b[2][2][2],
                                     const struct filter &f)
{
    const int zero[4] = { magic, magic, magic, magic };   // where sums start, as in stage 16
    float value[4], bias = -0x1p23f * f.scale;
    unsigned pixels[2];
    int sum[2][4];

    for (int n = 0; n < 2; n++)
        for (int j = n; j < n + 2; j++) {
            unsigned a[4] = { upper.word[j], upper.word[j + 1], lower.word[j], lower.word[j + 1] };
            mma_m16n8k32(sum[n], a, b[n][j - n], j == n ? zero : sum[n]);
        }
    for (int h = 0; h < 2; h++) {
        for (int p = 0; p < 4; p++)
            value[p] = fmaf(__int_as_float(sum[p / 2][2 * h + p % 2]), f.scale, bias);
        pixels[h] = pack_u8(value);
    }
    return make_uint2(pixels[0], pixels[1]);
}
}   // namespace stage21

namespace stage22 {
using stage12::row, stage21::convolve_mma;

// The row whose 8 pixels start at `own` in shared memory.
__device__ inline struct row load_row(const unsigned *own)
{
    uint2 middle = *(const uint2 *)own;

    return { { own[-1], middle.x, middle.y, own[2] } };
}

// A warp convolves 64 columns of a tile with rows of `pieces` pieces (of 4 words), top to bottom, 4
// rows per step. Lane 4g + t loads 8 pixels at `own`, in row t, and in every fourth row below. It
// stores 8 at column x of rows y, y + 4, ...
template <bool memory_only, int rows, int pieces>
__device__ inline void convolve_columns(const unsigned *own, const struct image &image, int x,
                                        int y, const unsigned b[2][2][2], const struct filter &f)
{
    struct row upper = load_row(own);

#pragma unroll 4
    for (int i = 0; i < rows; i += 4) {
        own += 4 * 4 * pieces;
        struct row lower = load_row(own);
        uint2 pixels =
            memory_only ? copy_fragment(upper, lower, f) : convolve_mma(upper, lower, b, f);
        if (y + i < image.height - 2)
            store(image.out + (y + i) * image.pitch, x, image.width, pixels);
        upper = lower;
    }
}
}   // namespace stage22

#if !defined EMU_CPU_DEVICE
namespace stage26 {
// Launches a kernel that may start before the previous one of the stream has ended.
template <class... Parameters>
inline void launch_dependent(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                             Parameters... parameters)
{
    cudaLaunchAttribute pdl = { cudaLaunchAttributeProgrammaticStreamSerialization };
    pdl.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = { grid, block, 0, cudaStreamPerThread, &pdl, 1 };

    cudaLaunchKernelEx(&config, kernel, parameters...);
}
}   // namespace stage26
#endif

#endif
