// stage14: tensor cores, mma.m16n8k32 with a banded (Toeplitz) matrix
//
// In stage 11, dp4a's pipe and the issue slots are as busy as DRAM. Change: tensor cores multiply.
// A warp's mma multiplies 16 x 32 pixels (a) by 32 x 8 coefficients (b), exactly. A row of a is one
// word (4 columns) of 8 input rows; the columns of b make 4 rows of 2 output pixels from it:
//   coefficients 0 to 4 of a row, in the words   | before  |   own   |  after  |
//   output column 0 of the own word              | . . 0 1 | 2 3 4 . |            pair 0
//   output column 1                              | . . . 0 | 1 2 3 4 |
//   output column 2                                        | 0 1 2 3 | 4 . . . |  pair 1
//   output column 3                                        | . 0 1 2 | 3 4 . . |
// Large images lose: a warp loads 8 rows for 4 rows of output, with conflicts in L1 (part 6).
// Look at: load sectors.    make stage14 && ./stage14    make diff B=14
// From: stage11
// Expect (cpu, 516x512): mma_products == 4 * 512 * 512 / 256
// Expect (cpu, 512x512): ld_sectors >= 2 * stage11.ld_sectors
// Expect (sm_90, 32768x32768): rate <= 0.95 * stage11.rate
#include "convolution.h"

const int WARPS = 4, GROUPS = 4;   // warps per block, groups of 64 columns per warp

using stage2::load_clamped, stage4::store_vector, stage6::row, stage9::bits_2p23, stage10::pack_u8;

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

// Convolves 8 input rows. Each lane passes rows t (upper) and t + 4 (lower) at pixel columns 8g to
// 8g + 7, and its parts of the four b, and gets these 8 pixels of output row t.
__device__ inline uint2 convolve_mma(struct row upper, struct row lower, const unsigned b[2][2][2],
                                     float scale)
{
    int sum[2][4] = { { bits_2p23, bits_2p23, bits_2p23, bits_2p23 },
                      { bits_2p23, bits_2p23, bits_2p23, bits_2p23 } };
    float value[4], bias = -0x1p23f * scale;   // as in stage 9
    unsigned pixels[2];

    for (int pair = 0; pair < 2; pair++)
        for (int k = pair; k < pair + 2; k++) {   // pair 0: words before and own; 1: own and after
            unsigned a[4] = { upper.word[k], upper.word[k + 1], lower.word[k], lower.word[k + 1] };
            mma_m16n8k32(sum[pair], a, b[pair][k - pair], sum[pair]);
        }
    for (int word = 0; word < 2; word++) {
        for (int p = 0; p < 4; p++)
            value[p] = fmaf(__int_as_float(sum[p / 2][2 * word + p % 2]), scale, bias);
        pixels[word] = pack_u8(value);
    }
    return make_uint2(pixels[0], pixels[1]);
}

// Loads the row whose 8 pixels start at column x.
__device__ inline struct row load_row(const struct image &image, int x, int y)
{
    uint2 own = load_clamped<uint2>(image, x, y);
    unsigned left = load_clamped<unsigned>(image, x - 4, y);
    unsigned right = load_clamped<unsigned>(image, x + 8, y);

    return { { left, own.x, own.y, right } };
}

// __grid_constant__: fragments() reads the parameter in place, and not a copy in each thread.
__global__ void convolve(struct image image, const __grid_constant__ Banded banded)
{
    struct row rows[GROUPS][2];   // upper and lower
    unsigned b[2][2][2];          // [pair][input word][input row t or t + 4]

    // lane 4g + t: columns x to x + 7 of each group, output row y
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int x = 64 * GROUPS * blockIdx.x + 8 * g;
    int y = 2 + 4 * (WARPS * blockIdx.y + threadIdx.y) + t;

    for (int k = 0; k < GROUPS; k++)
        for (int half = 0; half < 2; half++)
            rows[k][half] = load_row(image, x + 64 * k, y - 2 + 4 * half);
    banded.fragments(b);
#pragma unroll
    for (int k = 0; k < GROUPS; k++) {
        uint2 pixels = convolve_mma(rows[k][0], rows[k][1], b, banded.scale);
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
    convolve<<<grid, dim3(32, WARPS)>>>(*image, Banded(f));
}
