// stage22: TMA, one bulk tensor copy per tile
//
// In stage 20 every lane computes addresses, and each 16-byte copy fetches a 32-byte sector.
// Change: one thread issues one TMA copy of the whole tile; an mbarrier counts its bytes. The box
// starts at a multiple of 32 bytes, so that it fetches whole sectors only. TMA returns zeros
// outside the image.
//   tile row   | 32 | 896 pixels | 32 |      thread 0: arrive_expect(bytes), tma_load -> mbarrier
//              halo                halo      all: wait(mbarrier), then mma from the tile
// Look at: MB from L2 (make instructions). Small images make even fewer tiles than in stage 20.
// make stage22 && ./stage22        make stage22 PIECES=32 WARPS=4        make diff A=20 B=22
// From: stage20
// Needs: sm_90
// Expect (sm_90, 32768x32768): rate >= 1.1 * stage20.rate
// Expect (sm_90, 32768x32768): rate >= 0.94 * ref_memcpy.rate
// Expect (sm_90, 32768x32768): rate >= 4.5 * ref_npp.rate
// Expect (sm_90, 2048x2048): rate <= 0.8 * stage21.rate
#include "convolution.h"

#ifndef WARPS
#define WARPS 7
#endif
#ifndef ROWS
#define ROWS 32
#endif
#ifndef PIECES
#define PIECES 56   // of 16 pixels per row of the tile
#endif
static_assert(WARPS <= 32 && ROWS % 4 == 0 && PIECES % 4 == 0,
              "at most 32 warps; ROWS and PIECES must be multiples of 4");
static_assert(ROWS + 4 <= 256 && 4 * (PIECES + 4) <= 256,
              "a box has at most 256 rows, and 256 words in each");
static_assert((ROWS + 4) * (PIECES + 4) <= 3071, "the tile and its barrier must fit into 48 KB");

using stage12::row, stage19::bands, stage19::bands_of, stage19::make_banded, stage19::convolve_mma,
    stage20::load_row;

template <bool memory_only>
__global__ void convolve(struct image image, struct filter f,
                         const __grid_constant__ struct bands bands,
                         const __grid_constant__ CUtensorMap map)
{
    __shared__ alignas(128) uint4 tile[ROWS + 4][2 + PIECES + 2];
    __shared__ uint64_t full;
    unsigned b[2][2][2];

    // lane 4g + t: columns 8g to 8g + 7, rows t and t + 4 of 8; output tile at (left, top)
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int left = 16 * PIECES * blockIdx.x, top = 2 + ROWS * blockIdx.y;

    if (threadIdx.x + threadIdx.y == 0) {
        mbarrier_init(&full, 1);
        fence_proxy_async();
        mbarrier_arrive_expect(&full, sizeof tile);
        tma_load_2d(tile, &map, (left - 32) / 4, top - 2, &full);
    }
    make_banded(b, bands);
    __syncthreads();   // the mbarrier must be initialized before any thread waits on it
    mbarrier_wait(&full, 0);

    // each warp: 64 columns of the tile, top to bottom, 4 rows per step
    for (int k = threadIdx.y; k < PIECES / 4; k += WARPS) {
        const unsigned *own = (const unsigned *)&tile[t][2 + 4 * k] + 2 * g;
        struct row upper = load_row(own);
#pragma unroll 4
        for (int i = 0; i < ROWS; i += 4) {
            own += 4 * 4 * (PIECES + 4);
            struct row lower = load_row(own);
            uint2 pixels = convolve_mma<memory_only>(upper, lower, b, f, threadIdx.x % 4);
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
    CUtensorMap map =
        *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_UINT32, image->in, image->height, image->pitch / 4,
                       ROWS + 4, 4 * (PIECES + 4), CU_TENSOR_MAP_SWIZZLE_NONE);
    if (image->memory_only)
        convolve<true><<<grid, block>>>(*image, f, bands_of(f), map);
    else
        convolve<false><<<grid, block>>>(*image, f, bands_of(f), map);
}
