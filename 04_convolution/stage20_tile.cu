// stage20: tile. A block asks for all that it needs at once, and it is copied past the registers into shared memory.
//
// Stage 19's loads are of 32 bytes in four rows each, most pixels are loaded twice, and registers hold what is on its way. Change: a block has a tile
// of 512 x 32 pixels, whose rows are copied asynchronously, 16 bytes a lane and 512 in a row. A thread needs so few registers that ten blocks
// fit an SM: while one computes, the others' tiles are on their way, up to 190 KB of them; blocks are short and the hardware starts them in order,
// so that SMs read close together. A row of the tile begins 8 banks behind the one above it: loads of 8 bytes from four rows meet no conflict. The
// loop over the tile takes 5.4 instructions a pixel. Exact, as stage 15.
//
// make stage20 && ./stage20; ./stage20 --memory-only; make stage20 ROWS=16 && ./stage20; make diff A=19 B=20
//
// Long: as stage 19.
// Expect (cpu, 512x512): ld_sectors <= 0.16 * stage19.ld_sectors
// Expect (cpu, 512x512): ld_requests == stage20[memory-only].ld_requests
#include "convolution.h"

#ifndef WARPS
#define WARPS 4
#endif
#ifndef ROWS
#define ROWS 32
#endif
#ifndef PIECES
#define PIECES 32         // of 16 pixels, in a row of the tile
#endif
#define ZERO 0x4B000000   // the bits of 2^23 as a float
static_assert(WARPS <= 32 && ROWS % 4 == 0 && PIECES % 8 == 0, "at most 32 warps; ROWS must be a multiple of 4, PIECES one of 8");

// Sixteen bytes of a row: the lane's own eight pixels, and four on each side of them.
struct row { unsigned word[4]; };

__device__ inline struct row load(const unsigned *word)
{
    uint2 own = *(const uint2 *)word;

    return { { word[-1], own.x, own.y, word[2] } };
}

// Each row of coefficients as bytes: five, and three zeros.
struct band { unsigned long long row[5]; };

// The lane's part of the matrices b[n][k]: for columns 2n and 2n + 1 of a word, and the first (k = 0) or second four of the eight bytes in a row that
// they depend on; of these the upper and the lower four rows.
__device__ inline void fill(unsigned b[2][2][2], struct band band)
{
    int g = threadIdx.x / 4, t = threadIdx.x % 4;   // column g of b: column 2n + g % 2 in row g / 2 of the four

    for (int half = 0; half < 2; half++) {
        unsigned long long row = 0;
        for (int i = 0; i < 5; i++)
            row = i == 4 * half + t - g / 2 ? band.row[i] << 8 * (g % 2) : row;
        b[0][0][half] = row << 16;
        b[0][1][half] = row >> 16;
        b[1][0][half] = row;
        b[1][1][half] = row >> 32;
    }
}

template <bool memory_only> __global__ void convolve(struct image image, struct filter f, struct band band)
{
    __shared__ uint4 tile[ROWS + 4][1 + PIECES + 1];
    const int zero[4] = { ZERO, ZERO, ZERO, ZERO };
    unsigned b[2][2][2];
    float value[4], back = -0x1p23f * f.scale;

    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int left = 16 * PIECES * blockIdx.x, top = 2 + ROWS * blockIdx.y;

    for (int i = threadIdx.y; i < ROWS + 4; i += WARPS) {
        const unsigned char *in = image.in + min(top - 2 + i, image.height - 1) * image.pitch;
        for (int k = threadIdx.x; k < PIECES + 2; k += 32)
            __pipeline_memcpy_async(&tile[i][k], in + min(max(left + 16 * (k - 1), 0), image.pitch - 16), 16);
    }
    __pipeline_commit();
    fill(b, band);
    __pipeline_wait_prior(0);
    __syncthreads();

    for (int i = 4 * threadIdx.y; i < ROWS; i += 4 * WARPS)
        #pragma unroll 2
        for (int k = 0; k < PIECES / 4; k++) {   // 64 pixels side by side, in four rows
            const uint4 *at = &tile[i + t][1 + 4 * k];
            struct row upper = load((const unsigned *)at + 2 * g), lower = load((const unsigned *)(at + 4 * (PIECES + 2)) + 2 * g);
            int x = left + 64 * k + 8 * g, y = top + i + t;
            unsigned pixels[2];
            int sum[2][4];

            for (int n = 0; n < 2 && !memory_only; n++)
                for (int j = n; j < n + 2; j++) {
                    unsigned a[4] = { upper.word[j], upper.word[j + 1], lower.word[j], lower.word[j + 1] };
                    mma_m16n8k32(sum[n], a, b[n][j - n], j == n ? zero : sum[n]);
                }
            for (int h = 0; h < 2 && !memory_only; h++) {
                for (int p = 0; p < 4; p++)
                    value[p] = fmaf(__int_as_float(sum[p / 2][2 * h + p % 2]), f.scale, back);
                pixels[h] = pack_u8((int)value[0], (int)value[1], (int)value[2], (int)value[3]);
            }
            for (int h = 0; h < 2 && memory_only; h++) {   // row y was loaded by the lane two on or back
                unsigned middle = __shfl_xor_sync(~0u, t < 2 ? lower.word[1 + h] : upper.word[1 + h], 2);
                pixels[h] = middle | ((upper.word[0] | upper.word[3] | lower.word[0] | lower.word[3]) & f.c[0]);
            }
            if (y < image.height - 2)
                store(image.out + y * image.pitch, x, image.width, make_uint2(pixels[0], pixels[1]));
        }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(32, WARPS);
    dim3 grid(ceil_div(image->width, 16 * PIECES), ceil_div(max(image->height - 4, 1), ROWS));

    if (image->pitch % 16)
        return refuse("pitches that are multiples of 16 only");
    struct filter f = *filter;
    struct band band = {};
    if (!signed_bytes(&f))
        return;
    for (int k = 0; k < 25; k++)
        band.row[k / 5] |= (f.c[k] & 255ull) << 8 * (k % 5);
    if (image->memory_only)
        convolve<true><<<grid, block>>>(*image, f, band);
    else
        convolve<false><<<grid, block>>>(*image, f, band);
}
