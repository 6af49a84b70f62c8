// Types and functions which one stage shows and later stages use. Each namespace is named after the
// stage that shows its contents, and has the same text. A stage names what it uses:
// `using stage12::load_row;`.
#ifndef STAGES_H
#define STAGES_H

#include <cuda_pipeline_primitives.h>

namespace stage1 {
// One tap of the filter.
__device__ inline int tap(int sum, int c, int in)
{
    TWIN(return sum | (in & c));
    return sum + c * in;
}

// The output pixel: the scaled sum, truncated and clamped to 0..255.
__device__ inline unsigned pixel(int sum, float scale)
{
    TWIN(return sum);
    return min(max((int)((float)sum * scale), 0), 255);
}
}   // namespace stage1

namespace stage2 {
// Loads Pixels (4 pixels as an unsigned, 8 as a uint2, ...) at column x, row y. Clamps both to the
// image: the neighbors of border pixels lie outside, but border pixels are not written. x and the
// pitch are multiples of sizeof(Pixels).
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
                row[x + p] = pixels >> 8 * p;
}
}   // namespace stage2

namespace stage7 {
using stage2::load_clamped;

// Loads a tile of height + 4 rows and width + 2 columns of Pixels with a block of width x height
// threads. x and y are the position of this thread's pixels.
template <int width, int height, class Pixels, int columns>
__device__ inline void load_tile(Pixels (*tile)[columns], const struct image &image, int x, int y)
{
    const int size = sizeof(Pixels);
    int tx = threadIdx.x, left = x - size;
    int ty = threadIdx.y, top = y - 2;

    tile[ty][tx] = load_clamped<Pixels>(image, left, top);
    if (tx < 2)
        tile[ty][width + tx] = load_clamped<Pixels>(image, left + width * size, top);
    if (ty < 4)
        tile[height + ty][tx] = load_clamped<Pixels>(image, left, top + height);
    if (tx < 2 && ty < 4)
        tile[height + ty][width + tx] =
            load_clamped<Pixels>(image, left + width * size, top + height);
}
}   // namespace stage7

namespace stage9 {
using stage2::store_word;

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
}   // namespace stage9

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

// The twin's result: the 8 pixels of the middle one of five rows. ORs all other words under a mask
// that is 0, so that the compiler keeps their loads.
__device__ inline void copy_row(unsigned pixels[2], const struct row *rows, const struct filter &f)
{
    unsigned others = 0;

    for (int i = 0; i < 20; i++)
        others |= rows[i / 4].word[i % 4];
    for (int i = 0; i < 2; i++)
        pixels[i] = rows[2].word[1 + i] | (others & f.c[0]);
}
}   // namespace stage12

namespace stage14 {
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
}   // namespace stage14

namespace stage15 {
// The bits of 2^23 as a float: adding n to this int adds n to the float, if 0 <= n < 2^23.
const int magic = 0x4B000000;
}   // namespace stage15

namespace stage16 {
// Four floats as the bytes of a word, each truncated and clamped to 0..255; v[0] is the lowest.
__device__ inline unsigned pack_u8(const float v[4])
{
    return cvt_pack_sat_u8((int)v[1], (int)v[0], cvt_pack_sat_u8((int)v[3], (int)v[2], 0));
}
}   // namespace stage16

namespace stage17 {
using stage12::row, stage14::shifted, stage14::shifted_coefficients, stage15::magic, stage16::pack_u8;

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

// Pushes 12 pixels of the row, from byte 2 on, into the words of their columns: bytes 1 to 3 of a
// word become bytes 0 to 2, and the pixel becomes byte 3.
__device__ inline void push_row(unsigned column[12], struct row row)
{
    for (int k = 0; k < 12; k++) {
        int upper_three = 0x321, pixel = 4 + (k + 2) % 4;   // 4 to 7: bytes of the row's word
        column[k] = __byte_perm(column[k], row.word[(k + 2) / 4], upper_three + 0x1000 * pixel);
    }
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
}   // namespace stage17

namespace stage19 {
using stage2::load_clamped, stage12::row, stage16::pack_u8;

// A lane's part of b: the coefficients of input rows t (0) and t + 4 (1) in column g.
struct fragment {
    unsigned half[2];
};

// d = a x b + c. The lane's part of a is words j and j + 1 of two input rows.
__device__ inline void multiply(int d[4], struct row upper, struct row lower, int j,
                                struct fragment b, const int c[4])
{
    unsigned a[4] = { upper.word[j], upper.word[j + 1], lower.word[j], lower.word[j + 1] };

    mma_m16n8k32(d, a, b.half, c);
}

// The 8 output pixels of a lane: left[] and right[] are the sums of columns 0, 1 and 2, 3 of its
// two words.
__device__ inline uint2 pack_sums(const int left[4], const int right[4], float scale,
                                  float bias)
{
    unsigned pixels[2];

    for (int word = 0; word < 2; word++) {
        int sum[4] = { left[2 * word], left[2 * word + 1], right[2 * word], right[2 * word + 1] };
        float value[4];
        for (int p = 0; p < 4; p++)
            value[p] = fmaf(__int_as_float(sum[p]), scale, bias);
        pixels[word] = pack_u8(value);
    }
    return make_uint2(pixels[0], pixels[1]);
}

// The twin's result: 8 pixels of output row t, which lane t - 2 loaded (lower) or t + 2 (upper).
__device__ inline uint2 copy_fragment(struct row upper, struct row lower, const struct filter &f)
{
    bool first = threadIdx.x % 4 < 2;
    unsigned others = upper.word[0] | upper.word[3] | lower.word[0] | lower.word[3];
    uint2 pixels;

    pixels.x = __shfl_xor_sync(0xffffffff, first ? lower.word[1] : upper.word[1], 2) |
               (others & f.c[0]);
    pixels.y = __shfl_xor_sync(0xffffffff, first ? lower.word[2] : upper.word[2], 2) |
               (others & f.c[0]);
    return pixels;
}

// Loads the row whose 8 pixels start at column x.
__device__ inline struct row load_row(const struct image &image, int x, int y)
{
    uint2 own = load_clamped<uint2>(image, x, y);

    return { { load_clamped<unsigned>(image, x - 4, y), own.x, own.y,
               load_clamped<unsigned>(image, x + 8, y) } };
}
}   // namespace stage19

namespace stage20 {
using stage12::row, stage15::magic, stage19::fragment, stage19::multiply, stage19::pack_sums,
    stage19::copy_fragment;

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

// This lane's fragments: left[j] of the matrices of output columns 0 and 1, which multiply the
// words before (0) and own (1); right[j] of columns 2 and 3, for the words own (0) and after (1).
struct banded {
    struct fragment left[2], right[2];
};

__device__ inline struct banded make_banded(const struct bands &bands)
{
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    struct banded b;

    for (int half = 0; half < 2; half++) {
        // Matrix column g for input row 4 half + t: that row's coefficients of output row g / 2,
        // one byte further if the output column is odd. `bands` has zeros above and below the 5.
        unsigned long long row = bands.row[3 + 4 * half + t - g / 2] << 8 * (g % 2);
        b.left[0].half[half] = row << 16;    // coefficient 0: the third pixel of the word before
        b.left[1].half[half] = row >> 16;    // coefficient 2: the first pixel of the own word
        b.right[0].half[half] = row;         // coefficient 0: the first pixel of the own word
        b.right[1].half[half] = row >> 32;   // coefficient 4: the first pixel of the word after
    }
    return b;
}

// Convolves 8 input rows with four mma per warp. Lane 4g + t passes rows t (upper) and t + 4
// (lower) at pixel columns 8g to 8g + 7, and gets these 8 pixels of output row t.
__device__ inline uint2 convolve_mma(struct row upper, struct row lower, const struct banded &b,
                                     const struct filter &f)
{
    const int zero[4] = { magic, magic, magic, magic };   // where sums start, as in stage 15
    int left[4], right[4];
    float bias = -0x1p23f * f.scale;

    TWIN(return copy_fragment(upper, lower, f));
    multiply(left, upper, lower, 0, b.left[0], zero);
    multiply(left, upper, lower, 1, b.left[1], left);
    multiply(right, upper, lower, 1, b.right[0], zero);
    multiply(right, upper, lower, 2, b.right[1], right);
    return pack_sums(left, right, f.scale, bias);
}
}   // namespace stage20

namespace stage21 {
using stage9::store_vector, stage12::row, stage20::banded, stage20::convolve_mma;

// The row whose 8 pixels start at `own` in shared memory.
__device__ inline struct row load_row(const unsigned *own)
{
    uint2 middle = *(const uint2 *)own;

    return { { own[-1], middle.x, middle.y, own[2] } };
}

// A warp convolves 64 columns of a tile with rows of `pieces` pieces (of 4 words), top to bottom, 4
// rows per step. Lane 4g + t loads 8 pixels at `own`, in row t, and in every fourth row below. It stores 8
// at column x of rows y, y + 4, ...
template <int rows, int pieces>
__device__ inline void convolve_columns(const unsigned *own, const struct image &image, int x,
                                        int y, const struct banded &b, const struct filter &f)
{
    struct row upper = load_row(own);

#pragma unroll 4
    for (int i = 0; i < rows; i += 4) {
        own += 4 * 4 * pieces;
        struct row lower = load_row(own);
        uint2 pixels = convolve_mma(upper, lower, b, f);
        if (y + i < image.height - 2)
            store_vector(image.out + (y + i) * image.pitch, x, image.width, pixels);
        upper = lower;
    }
}
}   // namespace stage21

#if !defined EMU_CPU_DEVICE
namespace stage24 {
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
}   // namespace stage24
#endif

#endif
