// The second part of stages.h: types and functions of the stages with tensor cores, 19 to 26.
#ifndef STAGES_MMA_H
#define STAGES_MMA_H

namespace stage20 {
using stage2::load_clamped, stage12::row, stage16::pack_u8;

// The 8 output pixels of a lane: sum[0] has columns 0 and 1 of its two words, sum[1] columns 2
// and 3.
__device__ inline uint2 pack_sums(const int sum[2][4], float scale, float bias)
{
    unsigned pixels[2];
    float value[4];

    for (int word = 0; word < 2; word++) {
        for (int p = 0; p < 4; p++)
            value[p] = fmaf(__int_as_float(sum[p / 2][2 * word + p % 2]), scale, bias);
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

    pixels.x =
        __shfl_xor_sync(0xffffffff, first ? lower.word[1] : upper.word[1], 2) | (others & f.c[0]);
    pixels.y =
        __shfl_xor_sync(0xffffffff, first ? lower.word[2] : upper.word[2], 2) | (others & f.c[0]);
    return pixels;
}

// Loads the row whose 8 pixels start at column x.
__device__ inline struct row load_row(const struct image &image, int x, int y)
{
    uint2 own = load_clamped<uint2>(image, x, y);

    return { { load_clamped<unsigned>(image, x - 4, y), own.x, own.y,
               load_clamped<unsigned>(image, x + 8, y) } };
}
}   // namespace stage20

namespace stage21 {
using stage12::row, stage15::magic, stage20::pack_sums, stage20::copy_fragment;

// A lane's part of b: the coefficients of input rows t (0) and t + 4 (1) in column g.
struct fragment {
    unsigned half[2];
};

// sum += a x b. The lane's part of a is words j and j + 1 of two input rows.
__device__ inline void multiply(int sum[4], struct row upper, struct row lower, int j,
                                struct fragment b)
{
    unsigned a[4] = { upper.word[j], upper.word[j + 1], lower.word[j], lower.word[j + 1] };

    mma_m16n8k32(sum, a, b.half, sum);
}

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
    int sum[2][4] = { { magic, magic, magic, magic }, { magic, magic, magic, magic } };
    float bias = -0x1p23f * f.scale;   // as in stage 15

    TWIN(return copy_fragment(upper, lower, f));
    multiply(sum[0], upper, lower, 0, b.left[0]);
    multiply(sum[0], upper, lower, 1, b.left[1]);
    multiply(sum[1], upper, lower, 1, b.right[0]);
    multiply(sum[1], upper, lower, 2, b.right[1]);
    return pack_sums(sum, f.scale, bias);
}
}   // namespace stage21

namespace stage22 {
using stage9::store_vector, stage12::row, stage21::banded, stage21::convolve_mma;

// The row whose 8 pixels start at `own` in shared memory.
__device__ inline struct row load_row(const unsigned *own)
{
    uint2 middle = *(const uint2 *)own;

    return { { own[-1], middle.x, middle.y, own[2] } };
}

// A warp convolves 64 columns of a tile with rows of `pieces` pieces (of 4 words), top to bottom, 4
// rows per step. Lane 4g + t loads 8 pixels at `own`, in row t, and in every fourth row below. It
// stores 8 at column x of rows y, y + 4, ...
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
}   // namespace stage22

namespace stage25 {
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
}   // namespace stage25

#endif
