// stage22: early. A small image takes little longer than a launch: the next call begins before this one has ended.
//
// Calls in a stream wait for each other, and launching, filling and draining the GPU is most of a short one. Change: programmatic dependent launch.
// A kernel launched so may start as soon as every block of the one before has said that it may, here when its tile has come. It takes the places
// that become free, and waits only where it needs what the other kernel made: before its first load or store. Up to there it makes b and, where
// tiles are few, asks for its rows to be brought into L2, where what is stored later still replaces them. The launch is a function call, since
// <<<>>> has no word for it.
//
// make stage22 && ./stage22 -n 2048; make stage22 PREFETCH=0 && ./stage22 -n 2048; make diff A=21 B=22
//
// Needs: sm_90
#include "convolution.h"

#ifndef WARPS
#define WARPS 4
#endif
#ifndef PIECES
#define PIECES 32         // of 16 pixels, in a row of the tile
#endif
#ifndef PREFETCH
#define PREFETCH 1
#endif
#define ZERO 0x4B000000   // the bits of 2^23 as a float
static_assert(WARPS <= 32 && PIECES % 8 == 0, "at most 32 warps; PIECES must be a multiple of 8");

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

__device__ inline void store(unsigned char *row, int x, int width, unsigned char pixel)
{
    if (x >= 2 && x < width - 2)
        row[x] = pixel;
}

template <bool memory_only, class Unit, int ROWS> __global__ void convolve(struct image image, struct filter f, struct band band)
{
    const int unit = sizeof(Unit);
    __shared__ uint4 tile[ROWS + 4][1 + PIECES + 1];
    __shared__ uint4 result[unit < 16 ? ROWS : 1][PIECES + 2];
    const int zero[4] = { ZERO, ZERO, ZERO, ZERO };
    unsigned b[2][2][2];
    float value[4], back = -0x1p23f * f.scale;

    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int left = 16 * PIECES * blockIdx.x, top = 2 + ROWS * blockIdx.y;

    for (int i = threadIdx.y; i < ROWS + 4 && PREFETCH && ROWS == 8; i += WARPS) {
        int x = left + 128 * threadIdx.x;
        if (threadIdx.x < 16 * PIECES / 128 && x < image.pitch)
            prefetch_l2(image.in + min(top - 2 + i, image.height - 1) * image.pitch + x);
    }
    fill(b, band);
    cudaGridDependencySynchronize();
    for (int i = threadIdx.y; i < ROWS + 4; i += WARPS) {
        const unsigned char *in = image.in + min(top - 2 + i, image.height - 1) * image.pitch;
        for (int k = threadIdx.x; k < 16 * (PIECES + 2) / unit; k += 32) {
            const Unit *from = (const Unit *)(in + min(max(left - 16 + unit * k, 0), image.pitch - unit));
            if (unit == 1)
                ((Unit *)tile[i])[k] = *from;
            else
                __pipeline_memcpy_async((Unit *)tile[i] + k, from, unit);
        }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    cudaTriggerProgrammaticLaunchCompletion();

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
            if (unit < 16)
                ((uint2 *)result[i + t])[8 * k + g] = make_uint2(pixels[0], pixels[1]);
            else if (y < image.height - 2)
                store(image.out + y * image.pitch, x, image.width, make_uint2(pixels[0], pixels[1]));
        }
    if (unit == 16)
        return;
    __syncthreads();
    for (int i = threadIdx.y; i < ROWS && top + i < image.height - 2; i += WARPS)
        for (int k = threadIdx.x; k < 16 * PIECES / unit; k += 32)
            store(image.out + (top + i) * image.pitch, left + unit * k, image.width, ((const Unit *)result[i])[k]);
}

template <class Unit, int ROWS> void launch(const struct image *image, struct filter f, struct band band)
{
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.blockDim = dim3(32, WARPS);
    config.gridDim = dim3(ceil_div(image->width, 16 * PIECES), ceil_div(max(image->height - 4, 1), ROWS));
    config.stream = cudaStreamPerThread;
    config.attrs = &early;
    config.numAttrs = 1;

    if (image->memory_only)
        cudaLaunchKernelEx(&config, convolve<true, Unit, ROWS>, *image, f, band);
    else
        cudaLaunchKernelEx(&config, convolve<false, Unit, ROWS>, *image, f, band);
}

template <class Unit> void launch(const struct image *image, struct filter f, struct band band)
{
    if ((long long)image->width * image->height < 512 * 32 * 16 * multiprocessors())
        launch<Unit, 8>(image, f, band);
    else
        launch<Unit, 32>(image, f, band);
}

void convolution(const struct image *image, const struct filter *filter)
{
    struct filter f = *filter;
    struct band band = {};
    if (!signed_bytes(&f))
        return;
    for (int k = 0; k < 25; k++)
        band.row[k / 5] |= (f.c[k] & 255ull) << 8 * (k % 5);
    if (image->pitch % 16 == 0)
        launch<uint4>(image, f, band);
    else if (image->pitch % 4 == 0)
        launch<unsigned>(image, f, band);
    else
        launch<unsigned char>(image, f, band);
}
