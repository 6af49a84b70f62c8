// The second part of stages.h: types and functions of the stages with tensor cores, 20 to 27.
#ifndef STAGES_MMA_H
#define STAGES_MMA_H

namespace stage20 {
using stage2::load_clamped, stage12::row, stage15::magic, stage16::pack_u8;

// A lane's parts (fragments) of the matrices of one mma. It is lane 4g + t and has two words of 16:
// word 2g, which is row g of a, and word 2g + 1, which is row g + 8. (mma does not mix rows, so any
// order of the words will do: the sums of a word are in the same row of `sum`.)
//
//   a: 16 words x 8 input rows     row t   row t + 4       b: 8 input rows x 8 columns   column g
//   row g:     word 2g             a[0]    a[2]            input row t                   b[0]
//   row g + 8: word 2g + 1         a[1]    a[3]            input row t + 4               b[1]
//
//   sum: 16 words x 8 columns      column 2t   2t + 1      columns 2t and 2t + 1 are output row t:
//   row g:     word 2g             sum[0]      sum[1]      the lane gets its own two words of
//   row g + 8: word 2g + 1         sum[2]      sum[3]      output row t

// The 8 output pixels of a lane. sum[pair] has columns 2 * pair and 2 * pair + 1 of its two words.
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

// sum += a x b, where a has, of each of the lane's two words, k = 0: the word before it, 1: the
// word itself, 2: the word after it. (Those of the second word, a[1] and a[3], are one further.)
__device__ inline void multiply_words(int sum[4], const struct row &upper, const struct row &lower,
                                      int k, const unsigned b[2])
{
    unsigned a[4] = { upper.word[k], upper.word[k + 1], lower.word[k], lower.word[k + 1] };

    mma_m16n8k32(sum, a, b, sum);
}

// Convolves 8 input rows. Each lane passes rows t (upper) and t + 4 (lower) at pixel columns 8g to
// 8g + 7, and its parts of the four b, and gets these 8 pixels of output row t.
__device__ inline uint2 convolve_mma(struct row upper, struct row lower, const unsigned b[2][2][2],
                                     const struct filter &f)
{
    int sum[2][4] = { { magic, magic, magic, magic }, { magic, magic, magic, magic } };
    float bias = -0x1p23f * f.scale;   // as in stage 15

    TWIN(return copy_fragment(upper, lower, f));
    multiply_words(sum[0], upper, lower, 0, b[0][0]);   // columns 0 and 1: the word before
    multiply_words(sum[0], upper, lower, 1, b[0][1]);   //                  the word
    multiply_words(sum[1], upper, lower, 1, b[1][0]);   // columns 2 and 3: the word
    multiply_words(sum[1], upper, lower, 2, b[1][1]);   //                  the word after
    return pack_sums(sum, f.scale, bias);
}

// Loads the row whose 8 pixels start at column x.
__device__ inline struct row load_row(const struct image &image, int x, int y)
{
    uint2 own = load_clamped<uint2>(image, x, y);
    unsigned left = load_clamped<unsigned>(image, x - 4, y);
    unsigned right = load_clamped<unsigned>(image, x + 8, y);

    return { { left, own.x, own.y, right } };
}
}   // namespace stage20

namespace stage21 {
// The rows of coefficients as 5 bytes and three zeros, with 3 rows of zeros above and below.
struct padded_rows {
    unsigned long long row[3 + 5 + 3];
};

inline struct padded_rows pad_rows(const struct filter &f)
{
    struct padded_rows padded = {};

    for (int k = 0; k < 25; k++)
        padded.row[3 + k / 5] |= (f.c[k] & 255ull) << 8 * (k % 5);
    return padded;
}

// Makes this lane's parts of the four b: [pair][input word][input row t or t + 4].
__device__ inline void make_banded(unsigned b[2][2][2], const struct padded_rows &padded)
{
    int g = threadIdx.x / 4, t = threadIdx.x % 4;

    for (int half = 0; half < 2; half++) {
        // Matrix column g for input row 4 half + t: that row's coefficients of output row g / 2,
        // one byte further if the output column is odd. Only the lower 32 bits are kept.
        unsigned long long row = padded.row[3 + 4 * half + t - g / 2] << 8 * (g % 2);
        b[0][0][half] = row << 16;   // coefficient 0: the third pixel of the word before
        b[0][1][half] = row >> 16;   // coefficient 2: the first pixel of the own word
        b[1][0][half] = row;         // coefficient 0: the first pixel of the own word
        b[1][1][half] = row >> 32;   // coefficient 4: the first pixel of the word after
    }
}
}   // namespace stage21

namespace stage22 {
using stage9::store_vector, stage12::row, stage20::convolve_mma;

// The row whose 8 pixels start at `own` in shared memory.
__device__ inline struct row load_shared_row(const unsigned *own)
{
    uint2 middle = *(const uint2 *)own;

    return { { own[-1], middle.x, middle.y, own[2] } };
}

// One step: a warp convolves 64 columns of 8 rows of a tile into 4 rows of output. `upper` is the
// lane's row t; at `own` are its 8 pixels in row t + 4. Stores 8 pixels at column x of output row
// y + i. Returns row t + 4, which is row t of the next step.
__device__ inline struct row convolve_step(struct row upper, const unsigned *own,
                                           const struct image &image, int x, int y, int i,
                                           const unsigned b[2][2][2], const struct filter &f)
{
    struct row lower = load_shared_row(own);
    uint2 pixels = convolve_mma(upper, lower, b, f);

    if (y + i < image.height - 2)
        store_vector(image.out + (y + i) * image.pitch, x, image.width, pixels);
    return lower;
}

// A warp convolves 64 columns of a tile with rows of `chunks` chunks of 4 words, top to bottom, 4
// rows per step. Lane 4g + t loads 8 pixels at `own`, in row t, and in every fourth row below. It
// stores 8 at column x of rows y, y + 4, ...
template <int rows, int chunks>
__device__ inline void convolve_columns(const unsigned *own, const struct image &image, int x,
                                        int y, const unsigned b[2][2][2], const struct filter &f)
{
    struct row upper = load_shared_row(own);

#pragma unroll 4
    for (int i = 0; i < rows; i += 4) {
        own += 4 * chunks * 4;   // 4 rows of `chunks` chunks of 4 words
        upper = convolve_step(upper, own, image, x, y, i, b, f);
    }
}
}   // namespace stage22

namespace stage23 {
// Describes the input to TMA, which copies boxes of it: `rows` rows of `chunks` chunks. The columns
// of the map are words, because a box has at most 256 elements per row.
inline CUtensorMap image_map(const struct image &image, int rows, int chunks)
{
    return *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_UINT32, image.in, image.height, image.pitch / 4,
                          rows, 4 * chunks, CU_TENSOR_MAP_SWIZZLE_NONE);
}
}   // namespace stage23

namespace stage25 {
// How to launch a kernel that may start before the previous one of the stream has ended.
inline cudaLaunchConfig_t dependent_launch(dim3 grid, dim3 block)
{
    static cudaLaunchAttribute pdl;   // the configuration refers to it

    pdl.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    pdl.val.programmaticStreamSerializationAllowed = 1;
    // 0 bytes of dynamic shared memory; 1 attribute
    return { grid, block, 0, cudaStreamPerThread, &pdl, 1 };
}
}   // namespace stage25

namespace stage26 {
// In small images, each lane of the block's last warp asks for a row of the tile to be brought into
// L2. A tile has `rows` rows of `chunks` chunks, and 2 rows above and below. The output starts at
// (left, top).
template <int rows, int chunks, int warps>
__device__ inline void prefetch_tile(const struct image &image, int left, int top)
{
    int row = top - 2 + threadIdx.x;
    const bool small = rows < 32;   // large images have tiles of 32 rows

    if (small && threadIdx.y == warps - 1 && threadIdx.x < rows + 4 && row < image.height)
        prefetch_l2(image.in + row * image.pitch + left, min(16 * chunks, image.pitch - left));
}
}   // namespace stage26

#endif
