// stage21: tensor cores, mma.m16n8k32 with a banded (Toeplitz) coefficient matrix
//
// A thread's dp4a multiplies 4 pixels. Change: a warp's mma multiplies a matrix of 16 x 32 pixels
// (a) by one of 32 x 8 coefficients (b), and adds in exact ints. A row of a is one word (4 columns)
// of 8 input rows. A column of b makes one output pixel: it has coefficients where the pixel's
// neighbors are, and zeros elsewhere. The 8 columns make 4 output rows of 2 columns.
//   8 input rows  | before | word | after |      output: 4 rows of the word's 4 columns
//   columns 0, 1 = before x b[0][0] + word x b[0][1]        4 mma per warp: 16 words, 256 pixels
//   columns 2, 3 =   word x b[1][0] + after x b[1][1]
// Look at: fewer instructions per pixel, but a lower rate than stage 20 for large images.
// --memory-only takes nearly as long: 8 rows are loaded for 4 rows of output, most pixels twice.
// make stage21 && ./stage21 --memory-only        make diff A=17 B=21
// From: stage17
// Long: it builds the coefficient matrix.
// Expect (cpu, 512x512): ld_sectors >= 6.9 * stage20.ld_sectors
// Expect (sm_90, 32768x32768): rate <= 0.67 * stage20.rate
#include "convolution.h"

const int WARPS = 4, GROUPS = 4;   // warps per block, groups of 64 columns per warp

using stage9::store_vector, stage12::row, stage15::magic, stage19::fragment, stage19::multiply,
    stage19::pack_sums, stage19::copy_fragment, stage19::load_row;

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
