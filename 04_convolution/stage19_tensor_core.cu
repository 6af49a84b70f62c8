// stage19: tensor. A matrix product for 256 pixels at once: the coefficients are a matrix with a
// band of them and zeros elsewhere (Toeplitz).
//
// Change: mma.m16n8k32 multiplies 16 x 32 pixels with 32 x 8 coefficients, as exactly as dp4a. Take
// a word of four pixels in each of four rows. Its left two columns depend on eight rows of eight
// bytes, and so do its right two: 64 bytes are two such products. The 4 x 2 results are the eight
// columns of b, in which each row of coefficients is shifted to where it belongs; the rows of a are
// 16 such words. What a lane has to hold of a is just what it would hold of a strip: its own eight
// pixels in a row and four on each side. So four mma make 256 pixels; of 64 products a pixel 39 are
// with zeros. The profiler counts nine instructions a pixel, most of them for addresses and for b.
// Exact, as stage 15.
//
// A large image takes longer than in stage 18, and hardly less without the arithmetic: it waits for
// memory, and asks for most of it twice, in pieces of 32 bytes. A small image, which is cut into
// more and shorter pieces of work than there, is faster.
//
// make stage19 && ./stage19; ./stage19 --memory-only; make diff A=16 B=19
//
// Long: it makes the matrix of the coefficients.
// Expect (cpu, 512x512): ld_requests == stage19[memory-only].ld_requests
// Expect (cpu, 512x512): ld_sectors >= 3.8 * stage18.ld_sectors
// Expect (sm_90, 32768x32768): rate <= 0.7 * stage18.rate
// Expect (sm_90, 8192x8192): rate >= 0.93 * stage19[memory-only].rate
// Expect (sm_90, 2048x2048): rate >= 1.04 * stage18.rate
#include "convolution.h"

#ifndef WARPS
#define WARPS 4
#endif
#define GROUPS 4          // of 64 pixels side by side, for each warp
#define ZERO 0x4B000000   // the bits of 2^23 as a float
static_assert(WARPS <= 32, "a block has at most 32 warps");

// Sixteen bytes of a row: the lane's own eight pixels, and four on each side of them.
struct row {
    unsigned word[4];
};

__device__ inline struct row load(const struct image &image, int x, int y)
{
    uint2 own = nearest<uint2>(image, x, y);

    return { { nearest<unsigned>(image, x - 4, y), own.x, own.y,
               nearest<unsigned>(image, x + 8, y) } };
}

// Each row of coefficients as bytes, five and three zeros, with three rows of zeros before them and
// four behind.
struct band {
    unsigned long long row[3 + 5 + 4];
};

// The lane's part of the matrices b[n][k]: for columns 2n and 2n + 1 of a word, and the first (k =
// 0) or second four of the eight bytes in a row that they depend on; of these the upper and the
// lower four rows.
__device__ inline void fill(unsigned b[2][2][2], const struct band &band)
{
    // column g of b: column 2n + g % 2 in row g / 2 of the four
    int g = threadIdx.x / 4, t = threadIdx.x % 4;

    for (int half = 0; half < 2; half++) {
        unsigned long long row = band.row[3 + 4 * half + t - g / 2] << 8 * (g % 2);
        b[0][0][half] = row << 16;
        b[0][1][half] = row >> 16;
        b[1][0][half] = row;
        b[1][1][half] = row >> 32;
    }
}

template <bool memory_only>
__global__ void convolve(struct image image, struct filter f,
                         const __grid_constant__ struct band band)
{
    const int zero[4] = { ZERO, ZERO, ZERO, ZERO };
    struct row rows[GROUPS][2];
    unsigned b[2][2][2];
    float value[4], back = -0x1p23f * f.scale;

    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int x = 64 * GROUPS * blockIdx.x + 8 * g;
    int y = 2 + 4 * (WARPS * blockIdx.y + threadIdx.y) + t;

    for (int k = 0; k < GROUPS; k++)
        for (int half = 0; half < 2; half++)
            rows[k][half] = load(image, x + 64 * k, y - 2 + 4 * half);
    fill(b, band);

#pragma unroll
    for (int k = 0; k < GROUPS; k++) {
        struct row upper = rows[k][0], lower = rows[k][1];
        unsigned pixels[2];
        int sum[2][4];

        for (int n = 0; n < 2 && !memory_only; n++)
            for (int i = n; i < n + 2; i++) {
                unsigned a[4] = { upper.word[i], upper.word[i + 1], lower.word[i],
                                  lower.word[i + 1] };
                mma_m16n8k32(sum[n], a, b[n][i - n], i == n ? zero : sum[n]);
            }
        for (int i = 0; i < 2 && !memory_only; i++) {
            for (int p = 0; p < 4; p++)
                value[p] = fmaf(__int_as_float(sum[p / 2][2 * i + p % 2]), f.scale, back);
            pixels[i] = pack_u8((int)value[0], (int)value[1], (int)value[2], (int)value[3]);
        }
        // row y was loaded by the lane two on or back
        for (int i = 0; i < 2 && memory_only; i++) {
            unsigned middle =
                __shfl_xor_sync(~0u, t < 2 ? lower.word[1 + i] : upper.word[1 + i], 2);
            pixels[i] =
                middle | ((upper.word[0] | upper.word[3] | lower.word[0] | lower.word[3]) & f.c[0]);
        }
        if (y < image.height - 2)
            store(image.out + y * image.pitch, x + 64 * k, image.width,
                  make_uint2(pixels[0], pixels[1]));
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(32, WARPS);
    dim3 grid(ceil_div(image->width, 64 * GROUPS), ceil_div(max(image->height - 4, 1), 4 * WARPS));

    if (image->pitch % 8)
        return refuse("pitches that are multiples of 8 only");
    struct filter f = *filter;
    struct band band = {};
    if (!signed_bytes(&f))
        return;
    for (int k = 0; k < 25; k++)
        band.row[3 + k / 5] |= (f.c[k] & 255ull) << 8 * (k % 5);
    if (image->memory_only)
        convolve<true><<<grid, block>>>(*image, f, band);
    else
        convolve<false><<<grid, block>>>(*image, f, band);
}
