// stage20: tile. A block asks for all that it needs at once, and it is copied past the registers
// into shared memory.
//
// Stage 19's loads are of 32 bytes in four rows each, most pixels are loaded twice, and registers
// hold what is on its way. Change: a block has a tile of 512 x 32 pixels, whose rows are copied
// asynchronously, 16 bytes a lane and 512 in a row. Six blocks fit an SM: while one computes, the
// others' tiles are on their way, up to 117 KB in all; blocks are short and the hardware starts
// them in order, so that SMs read close together. A row of the tile begins 8 banks behind the one
// above it: loads of 8 bytes from four rows meet no conflict. The profiler counts 10.5 instructions
// a pixel, more than in stage 19, which did not wait for them. Small images make few such tiles,
// and gain nothing. Exact, as stage 15.
//
// make stage20 && ./stage20; ./stage20 --memory-only; make stage20 ROWS=16 && ./stage20;
// make diff A=19 B=20
//
// Expect (cpu, 512x512): ld_sectors <= 0.16 * stage19.ld_sectors
// Expect (cpu, 512x512): ld_requests == stage20[memory-only].ld_requests
// Expect (sm_90, 32768x32768): rate >= 1.45 * stage19.rate
// Expect (sm_90, 32768x32768): rate >= 0.83 * ref_memcpy.rate
// Expect (sm_90, 2048x2048): rate <= 0.97 * stage19.rate
#include "convolution.h"

#ifndef WARPS
#define WARPS 4
#endif
#ifndef ROWS
#define ROWS 32
#endif
#ifndef PIECES
#define PIECES 32   // of 16 pixels, in a row of the tile
#endif
static_assert(WARPS <= 32 && ROWS % 4 == 0 && PIECES % 8 == 0,
              "at most 32 warps; ROWS must be a multiple of 4, PIECES one of 8");

template <bool memory_only>
__global__ void convolve(struct image image, struct filter f,
                         const __grid_constant__ struct bands bands)
{
    __shared__ uint4 tile[ROWS + 4][1 + PIECES + 1];
    unsigned b[2][2][2];

    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int left = 16 * PIECES * blockIdx.x, top = 2 + ROWS * blockIdx.y;

    for (int i = threadIdx.y; i < ROWS + 4; i += WARPS) {
        const unsigned char *in = image.in + min(top - 2 + i, image.height - 1) * image.pitch;
        for (int k = threadIdx.x; k < PIECES + 2; k += 32)
            __pipeline_memcpy_async(&tile[i][k],
                                    in + min(max(left + 16 * (k - 1), 0), image.pitch - 16), 16);
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

            if (y < image.height - 2)
                store(image.out + y * image.pitch, x, image.width, pixels);
            upper = lower;
        }
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(32, WARPS);
    dim3 grid(ceil_div(image->width, 16 * PIECES), ceil_div(max(image->height - 4, 1), ROWS));

    if (image->pitch % 16)
        return refuse("pitches that are multiples of 16 only");
    struct filter f = *filter;
    if (!signed_bytes(&f))
        return;
    if (image->memory_only)
        convolve<true><<<grid, block>>>(*image, f, bands_of(f));
    else
        convolve<false><<<grid, block>>>(*image, f, bands_of(f));
}
