// stage20: tensor cores, mma.m16n8k32
//
// A thread's dp4a multiplies 4 pixels. Change: a warp's mma (common/stage/ptx_mma.h) multiplies a
// matrix of 16 x 32 pixels (a) by one of 32 x 8 coefficients (b), and adds in exact ints. A row of
// a is one word (4 columns) of 8 input rows. A column of b makes one output pixel: coefficients
// where the pixel's neighbors are, else zeros. The 8 columns make 4 output rows of 2 columns.
//   8 input rows | before | word | after |     output: 4 rows of the word's 4 columns
//   columns 0, 1 = before x b[0][0] + word x b[0][1]     the host makes the four matrices,
//   columns 2, 3 = word x b[1][0] + after x b[1][1]      which are kernel parameters
// Look at: --memory-only is faster: the lookups of b are the limit. Each lane has another address,
// and constant memory, where kernel parameters are, serves one at a time.
// make stage20 && ./stage20 --memory-only        make diff B=20
// From: stage17
// This page is long because it shows a product of matrices from the coefficients to the pixels.
// Expect (cpu, 512x512): ld_sectors >= 2 * stage17.ld_sectors
// Expect (sm_90, 32768x32768): rate <= 0.4 * stage17.rate
#include "convolution.h"

const int WARPS = 4, GROUPS = 4;   // warps per block, groups of 64 columns per warp

using stage2::load_clamped, stage9::store_vector, stage12::row, stage15::magic, stage16::pack_u8;

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

// The coefficients of the four matrices, in the order in which the lanes need them.
struct matrices {
    unsigned b[32][2][2][2];   // [lane][pair of output columns][input word][input row / 4]
};

inline struct matrices matrices_of(const struct filter &f)
{
    struct matrices m = {};

    // Matrix column g: output row g / 2, and of its columns the first or second one of the pair.
    // The bytes of a row of coefficients c0 to c4, for each of the four columns of a word:
    //                        before       word         after
    //   column 0, pair 0     .  .  c0 c1  c2 c3 c4 .
    //   column 1, pair 0     .  .  .  c0  c1 c2 c3 c4
    //   column 2, pair 1                  c0 c1 c2 c3  c4 .  .  .
    //   column 3, pair 1                  .  c0 c1 c2  c3 c4 .  .
    for (int pair = 0; pair < 2; pair++)
        for (int g = 0; g < 8; g++)
            for (int k = 0; k < 25; k++) {
                int row = g / 2 + k / 5;   // input row of coefficient k
                // Its byte, of the 8 of two input words. Coefficient 0 of the pair's first column
                // is at byte 2 of `before` in pair 0, and at byte 0 of `word` in pair 1.
                int place = 2 - 2 * pair + g % 2 + k % 5;
                int lane = 4 * g + row % 4;
                m.b[lane][pair][place / 4][row / 4] |= (f.c[k] & 255) << (8 * (place % 4));
            }
    return m;
}

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

// __grid_constant__: the lookups read the parameter in place, and not a copy of it in each thread.
__global__ void convolve(struct image image, struct filter f,
                         const __grid_constant__ struct matrices m)
{
    struct row rows[GROUPS][2];   // upper and lower

    // lane 4g + t: columns x to x + 7 of each group, output row y
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int x = 64 * GROUPS * blockIdx.x + 8 * g;
    int y = 2 + 4 * (WARPS * blockIdx.y + threadIdx.y) + t;

    for (int k = 0; k < GROUPS; k++)
        for (int half = 0; half < 2; half++)
            rows[k][half] = load_row(image, x + 64 * k, y - 2 + 4 * half);
#pragma unroll
    for (int k = 0; k < GROUPS; k++) {
        uint2 pixels = convolve_mma(rows[k][0], rows[k][1], m.b[threadIdx.x], f);
        if (y < image.height - 2)
            store_vector(image.out + y * image.pitch, x + 64 * k, image.width, pixels);
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 grid(ceil_div(image->width, 64 * GROUPS), ceil_div(max(image->height - 4, 1), 4 * WARPS));

    if (image->pitch % 8)
        return refuse("pitches that are multiples of 8 only");
    struct filter f = *filter;   // a copy: signed_bytes() may negate it
    if (!signed_bytes(&f))
        return;
    convolve<<<grid, dim3(32, WARPS)>>>(*image, f, matrices_of(f));
}
