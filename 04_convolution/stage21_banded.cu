// stage21: the banded (Toeplitz) matrix of coefficients, made in registers
//
// In stage 20 each lane looks up 12 words of six matrices. Two of the six hold only zeros: output
// columns 0 and 1 of a word do not reach the word after it, columns 2 and 3 not the word before.
// The others are banded: all columns hold the same coefficients, shifted by the position of the
// output pixel. Change: a lane looks up two rows of coefficients and shifts them, and a warp makes
// four mma instead of six.
//   8 input rows  | before | word | after |      output: 4 rows of the word's 4 columns
//   columns 0, 1 = before x left[0] + word x left[1]        4 mma per warp: 16 words, 256 pixels
//   columns 2, 3 =   word x right[0] + after x right[1]
// Look at: fewer instructions per pixel than in stage 17, but a lower rate: 8 rows are loaded for 4
// rows of output. make stage21 && ./stage21 --memory-only        make diff B=21
// Long: it makes the matrices and multiplies by them.
// Expect (cpu, 512x512): ld_sectors == stage20.ld_sectors
// Expect (sm_90, 32768x32768): rate >= 3 * stage20.rate
// Expect (sm_90, 32768x32768): rate <= 0.73 * stage17.rate
#include "convolution.h"

const int WARPS = 4, GROUPS = 4;   // warps per block, groups of 64 columns per warp

using stage9::store_vector, stage12::row, stage15::magic, stage20::pack_sums,
    stage20::copy_fragment, stage20::load_row;

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

__global__ void convolve(struct image image, struct filter f,
                         const __grid_constant__ struct bands bands)
{
    struct row rows[GROUPS][2];   // upper and lower

    // lane 4g + t: columns x to x + 7 of each group, output row y
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int x = 64 * GROUPS * blockIdx.x + 8 * g;
    int y = 2 + 4 * (WARPS * blockIdx.y + threadIdx.y) + t;

    for (int k = 0; k < GROUPS; k++)
        for (int half = 0; half < 2; half++)
            rows[k][half] = load_row(image, x + 64 * k, y - 2 + 4 * half);
    struct banded b = make_banded(bands);
#pragma unroll
    for (int k = 0; k < GROUPS; k++) {
        uint2 pixels = convolve_mma(rows[k][0], rows[k][1], b, f);
        if (y < image.height - 2)
            store_vector(image.out + y * image.pitch, x + 64 * k, image.width, pixels);
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(32, WARPS);
    dim3 grid(ceil_div(image->width, 64 * GROUPS), ceil_div(max(image->height - 4, 1), 4 * WARPS));

    if (image->pitch % 8)
        return refuse("pitches that are multiples of 8 only");
    struct filter f = *filter;
    if (!signed_bytes(&f))
        return;
    convolve<<<grid, block>>>(*image, f, bands_of(f));
}
