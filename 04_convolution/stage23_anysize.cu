// stage23: any pitch, copied in the largest unit that it allows
//
// Stage 22 copies 16 bytes and stores 8: rows must start at multiples of 16. Change: the tile is
// copied in the largest unit that the pitch allows: 16, 4 or 1 bytes (1 through a register, because
// cp.async needs 4). Where 8-byte stores are not aligned, the kernel stores into an image in shared
// memory, and copies that to the output in the same unit.
//   pitch 1920    unit 16    tile -> mma -> 8-byte stores
//   pitch 1921    unit 1     tile -> mma -> result (shared memory) -> 1-byte stores, coalesced
// Look at: sectors with --pitch 517.
// make stage23 && ./stage23 -n 1080x1921 --pitch 1921        make diff A=22 B=23
// Long: one kernel for three units.
// Expect (cpu, 512x512): stage23[pitch=516].ld_sectors <= 1.3 * ld_sectors
// Expect (cpu, 512x512): stage23[pitch=517].st_sectors <= 3 * st_sectors
// Expect (sm_90, 32768x32768): rate >= 0.98 * stage22.rate
#include "convolution.h"

// warps per block, pieces of 16 pixels per row of the tile, output rows per tile
const int WARPS = 4, PIECES = 32, ROWS = 32;

using stage21::bands, stage21::bands_of, stage21::make_banded, stage22::convolve_columns;

// Copies the tile, whose output starts at (left, top): a warp per row, one Unit per lane. Columns
// and rows are clamped to the image.
template <class Unit>
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

template <bool memory_only, class Unit>
__global__ void convolve(struct image image, struct filter f,
                         const __grid_constant__ struct bands bands)
{
    const int unit = sizeof(Unit);
    __shared__ uint4 tile[ROWS + 4][1 + PIECES + 1];
    __shared__ uint4 result[unit < 16 ? ROWS : 1][1 + PIECES + 1];
    unsigned b[2][2][2];

    // lane 4g + t: columns 8g to 8g + 7, rows t and t + 4 of 8; output tile at (left, top)
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int left = 16 * PIECES * blockIdx.x, top = 2 + ROWS * blockIdx.y;

    load_tile<Unit>(tile, image, left, top);
    make_banded(b, bands);
    __pipeline_wait_prior(0);
    __syncthreads();

    // where 8-byte stores are not aligned, the output is an image in shared memory
    struct image out = image;
    int out_left = left, out_top = top;
    if (unit < 16) {
        out.out = (unsigned char *)result;
        out.width = out.pitch = sizeof result[0];
        out.height = ROWS + 2;
        out_left = 16, out_top = 0;
    }
    for (int k = threadIdx.y; k < PIECES / 4; k += WARPS)   // each warp: 64 columns of the tile
        convolve_columns<memory_only, ROWS, PIECES + 2>(
            (const unsigned *)&tile[t][1 + 4 * k] + 2 * g, out, out_left + 64 * k + 8 * g,
            out_top + t, b, f);
    if (unit == 16)
        return;
    __syncthreads();   // store the result: a warp per row, one Unit per lane
    for (int i = threadIdx.y; i < ROWS && top + i < image.height - 2; i += WARPS)
        for (int k = threadIdx.x; k < 16 * PIECES / unit; k += 32)
            store(image.out + (top + i) * image.pitch, left + unit * k, image.width,
                  ((const Unit *)&result[i][1])[k]);
}

template <class Unit> void launch(const struct image *image, struct filter f)
{
    dim3 block(32, WARPS);
    dim3 grid(ceil_div(image->width, 16 * PIECES), ceil_div(max(image->height - 4, 1), ROWS));

    if (image->memory_only)
        convolve<true, Unit><<<grid, block>>>(*image, f, bands_of(f));
    else
        convolve<false, Unit><<<grid, block>>>(*image, f, bands_of(f));
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
