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

using stage12::row, stage16::magic, stage17::pack_u8;

// Loads the row whose 8 pixels start at column x.
__device__ inline struct row load_row(const struct image &image, int x, int y)
{
    uint2 own = load_clamped<uint2>(image, x, y);

    return { { load_clamped<unsigned>(image, x - 4, y), own.x, own.y,
               load_clamped<unsigned>(image, x + 8, y) } };
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

template <bool memory_only>
__global__ void convolve(struct image image, struct filter f,
                         const __grid_constant__ struct bands bands)
{
    struct row rows[GROUPS][2];
    unsigned b[2][2][2];

    // lane 4g + t: columns x to x + 7 of each group, output row y
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int x = 64 * GROUPS * blockIdx.x + 8 * g;
    int y = 2 + 4 * (WARPS * blockIdx.y + threadIdx.y) + t;

    for (int k = 0; k < GROUPS; k++)
        for (int half = 0; half < 2; half++)
            rows[k][half] = load_row(image, x + 64 * k, y - 2 + 4 * half);
    make_banded(b, bands);

#pragma unroll
    for (int k = 0; k < GROUPS; k++) {
        uint2 pixels = memory_only ? copy_fragment(rows[k][0], rows[k][1], f)
                                   : convolve_mma(rows[k][0], rows[k][1], b, f);
        if (y < image.height - 2)
            store(image.out + y * image.pitch, x + 64 * k, image.width, pixels);
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
    if (image->memory_only)
        convolve<true><<<grid, block>>>(*image, f, bands_of(f));
    else
        convolve<false><<<grid, block>>>(*image, f, bands_of(f));
}
