// stage21: any size. Any pitch, and tiles as high as suit the image.
//
// Stage 20 copies and stores 16 and 8 bytes, so that rows must begin at multiples of 16. Change:
// the tile is copied in the largest units that the pitch allows, 16 bytes, 4 or one; single bytes
// go through a register, as there are no asynchronous copies of them. Where stores of 8 bytes are
// not aligned, the results go back to shared memory and from there, in the same units, to rows of
// the output, neighbouring lanes to neighbouring bytes. And images that make too few tiles of 32
// rows for all SMs are cut into tiles of 8. Exact, as stage 15.
//
// make stage21 && ./stage21; ./stage21 -n 1080x1921 --pitch 1921; make diff A=20 B=21
//
// Long: one kernel for three units and two heights.
// Expect (cpu, 512x512): stage21[pitch=516].ld_sectors <= 1.3 * ld_sectors
// Expect (cpu, 512x512): stage21[pitch=517].st_sectors <= 3 * st_sectors
// Expect (cpu, 512x512): ld_requests == stage21[memory-only].ld_requests
// Expect (sm_90, 32768x32768): rate >= 0.98 * stage20.rate
// Expect (sm_90, 2048x2048): rate >= 1.12 * stage20.rate
#include "convolution.h"

#ifndef WARPS
#define WARPS 4
#endif
#ifndef PIECES
#define PIECES 32   // of 16 pixels, in a row of the tile
#endif
static_assert(WARPS <= 32 && PIECES % 8 == 0, "at most 32 warps; PIECES must be a multiple of 8");

template <bool memory_only, class Unit, int ROWS>
__global__ void convolve(struct image image, struct filter f,
                         const __grid_constant__ struct bands bands)
{
    const int unit = sizeof(Unit);
    __shared__ uint4 tile[ROWS + 4][1 + PIECES + 1];
    __shared__ uint4 result[unit < 16 ? ROWS : 1][PIECES + 2];
    unsigned b[2][2][2];

    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int left = 16 * PIECES * blockIdx.x, top = 2 + ROWS * blockIdx.y;

    for (int i = threadIdx.y; i < ROWS + 4; i += WARPS) {
        const unsigned char *in = image.in + min(top - 2 + i, image.height - 1) * image.pitch;
        for (int k = threadIdx.x; k < 16 * (PIECES + 2) / unit; k += 32) {
            const Unit *from =
                (const Unit *)(in + min(max(left - 16 + unit * k, 0), image.pitch - unit));
            if (unit == 1)
                ((Unit *)tile[i])[k] = *from;
            else
                __pipeline_memcpy_async((Unit *)tile[i] + k, from, unit);
        }
    }
    __pipeline_commit();
    make_banded(b, bands);
    __pipeline_wait_prior(0);
    __syncthreads();

    // 64 pixels side by side, down the tile
    for (int k = threadIdx.y; k < PIECES / 4; k += WARPS) {
        const unsigned *own = (const unsigned *)&tile[t][1 + 4 * k] + 2 * g;
        struct sixteen_pixels upper = around(own);
#pragma unroll 4
        for (int i = 0; i < ROWS; i += 4) {
            own += 4 * 4 * (PIECES + 2);
            struct sixteen_pixels lower = around(own);
            uint2 pixels = eight_pixels<memory_only>(upper, lower, b, f);
            int x = left + 64 * k + 8 * g, y = top + i + t;

            if (unit < 16)
                ((uint2 *)result[i + t])[8 * k + g] = pixels;
            else if (y < image.height - 2)
                store(image.out + y * image.pitch, x, image.width, pixels);
            upper = lower;
        }
    }
    if (unit == 16)
        return;
    __syncthreads();
    for (int i = threadIdx.y; i < ROWS && top + i < image.height - 2; i += WARPS)
        for (int k = threadIdx.x; k < 16 * PIECES / unit; k += 32)
            store(image.out + (top + i) * image.pitch, left + unit * k, image.width,
                  ((const Unit *)result[i])[k]);
}

template <class Unit, int ROWS> void launch(const struct image *image, struct filter f)
{
    dim3 block(32, WARPS);
    dim3 grid(ceil_div(image->width, 16 * PIECES), ceil_div(max(image->height - 4, 1), ROWS));

    if (image->memory_only)
        convolve<true, Unit, ROWS><<<grid, block>>>(*image, f, bands_of(f));
    else
        convolve<false, Unit, ROWS><<<grid, block>>>(*image, f, bands_of(f));
}

template <class Unit> void launch(const struct image *image, struct filter f)
{
    if ((long long)image->width * image->height < 512 * 32 * 16 * multiprocessors())
        launch<Unit, 8>(image, f);
    else
        launch<Unit, 32>(image, f);
}

void convolution(const struct image *image, const struct filter *filter)
{
    struct filter f = *filter;
    if (!signed_bytes(&f))
        return;
    if (image->pitch % 16 == 0)
        launch<uint4>(image, f);
    else if (image->pitch % 4 == 0)
        launch<unsigned>(image, f);
    else
        launch<unsigned char>(image, f);
}
