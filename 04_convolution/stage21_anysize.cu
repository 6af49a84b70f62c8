// stage21: any pitch, and tile heights chosen for the image size
//
// Stage 20 copies 16 bytes and stores 8: rows must start at multiples of 16. Change: the tile is
// copied in the largest unit that the pitch allows: 16, 4 or 1 bytes (1 through a register, because
// cp.async needs 4). Where 8-byte stores are not aligned, results go through shared memory. Images
// with too few tiles of 32 rows for all SMs get tiles of 8.
//   pitch 1920    unit 16    tile -> mma -> 8-byte stores
//   pitch 1921    unit 1     tile -> mma -> result (shared memory) -> 1-byte stores, coalesced
// Look at: sectors with --pitch 517; the rate of small images.
// make stage21 && ./stage21 -n 1080x1921 --pitch 1921        make diff A=20 B=21
// Long: one kernel for three units and two heights.
// Expect (cpu, 512x512): stage21[pitch=516].ld_sectors <= 1.3 * ld_sectors
// Expect (cpu, 512x512): stage21[pitch=517].st_sectors <= 3 * st_sectors
// Expect (sm_90, 32768x32768): rate >= 0.98 * stage20.rate
// Expect (sm_90, 2048x2048): rate >= 1.12 * stage20.rate
#include "convolution.h"

#ifndef WARPS
#define WARPS 4
#endif
#ifndef PIECES
#define PIECES 32   // of 16 pixels per row of the tile
#endif
static_assert(WARPS <= 32 && PIECES % 8 == 0, "at most 32 warps; PIECES must be a multiple of 8");

using stage12::row, stage19::bands, stage19::bands_of, stage19::make_banded, stage19::convolve_mma,
    stage20::load_row;

// Copies the tile, whose output starts at (left, top): a warp per row, one Unit per lane. Columns
// and rows are clamped to the image.
template <class Unit, int ROWS>
__device__ inline void load_tile(uint4 (&tile)[ROWS + 4][1 + PIECES + 1], const struct image &image,
                                 int left, int top)
{
    const int unit = sizeof(Unit);

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
}

template <bool memory_only, class Unit, int ROWS>
__global__ void convolve(struct image image, struct filter f,
                         const __grid_constant__ struct bands bands)
{
    const int unit = sizeof(Unit);
    __shared__ uint4 tile[ROWS + 4][1 + PIECES + 1];
    __shared__ uint4 result[unit < 16 ? ROWS : 1][PIECES + 2];
    unsigned b[2][2][2];

    // lane 4g + t: columns 8g to 8g + 7, rows t and t + 4 of 8; output tile at (left, top)
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int left = 16 * PIECES * blockIdx.x, top = 2 + ROWS * blockIdx.y;

    load_tile<Unit, ROWS>(tile, image, left, top);
    make_banded(b, bands);
    __pipeline_wait_prior(0);
    __syncthreads();

    // each warp: 64 columns of the tile, top to bottom, 4 rows per step
    for (int k = threadIdx.y; k < PIECES / 4; k += WARPS) {
        const unsigned *own = (const unsigned *)&tile[t][1 + 4 * k] + 2 * g;
        struct row upper = load_row(own);
#pragma unroll 4
        for (int i = 0; i < ROWS; i += 4) {
            own += 4 * 4 * (PIECES + 2);
            struct row lower = load_row(own);
            uint2 pixels = convolve_mma<memory_only>(upper, lower, b, f, threadIdx.x % 4);
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
    __syncthreads();   // store the result: a warp per row, one Unit per lane
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

// Tiles of 8 rows where tiles of 32 would give an SM fewer than 16 blocks.
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
