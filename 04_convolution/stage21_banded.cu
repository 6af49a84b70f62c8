// stage21: the banded (Toeplitz) matrix of coefficients, made in registers
//
// In stage 20 each lane looks up 8 words of four matrices. The matrices are banded: all columns
// hold the same coefficients, shifted by the position of the output pixel. Change: a lane looks up
// two rows of coefficients, and shifts them to the positions of its column.
//   coefficients 0 to 4 of a row, in the words   | before  |   own   |  after  |
//   output column 0 of the own word              | . . 0 1 | 2 3 4 . |
//   output column 1                              | . . . 0 | 1 2 3 4 |
//   output column 2                                        | 0 1 2 3 | 4 . . . |
//   output column 3                                        | . 0 1 2 | 3 4 . . |
// Look at: fewer instructions per pixel than in stage 17, but a lower rate: 8 rows are loaded for 4
// rows of output.
// make stage21 && ./stage21 --memory-only        make diff B=21
// Expect (cpu, 512x512): ld_sectors == stage20.ld_sectors
// Expect (sm_90, 32768x32768): rate >= 2.4 * stage20.rate
// Expect (sm_90, 32768x32768): rate <= 0.95 * stage17.rate
#include "convolution.h"

const int WARPS = 4, GROUPS = 4;   // warps per block, groups of 64 columns per warp

using stage9::store_vector, stage12::row, stage20::convolve_mma, stage20::load_row;

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

__global__ void convolve(struct image image, struct filter f,
                         const __grid_constant__ struct padded_rows padded)
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
    make_banded(b, padded);
#pragma unroll
    for (int k = 0; k < GROUPS; k++) {
        uint2 pixels = convolve_mma(rows[k][0], rows[k][1], b, f);
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
    convolve<<<grid, dim3(32, WARPS)>>>(*image, f, pad_rows(f));
}
