// stage22: bulk copies. One thread asks for the whole tile, and Hopper's copy engine (TMA) brings
// it.
//
// In stage 20 every lane makes copies and their addresses, and each copy of 16 bytes fetches a
// sector of 32 of its own (make instructions counts what L2 gives). Change: one instruction for the
// tile, and whole sectors, for the box begins at a multiple of 32 bytes: it has 32 more on either
// side where 16 would do. (Begun at 16, its stretches of 128 bytes would lie in five sectors each.)
// Sixteen bytes hold the four pixels that are needed, and 32 are an apron as well: a wider tile has
// less of it, 64 of 960 bytes here. Reads of the tile now meet two in a bank, which is not what
// this stage waits for: without the arithmetic it is as fast. Bounds are the engine's affair:
// outside the image it finds zeros. 8.4 instructions a pixel. Exact, as stage 15. Small images make
// even fewer of these tiles.
//
// make stage22 && ./stage22; ./stage22 --memory-only;
// make stage22 PIECES=32 WARPS=4 && ./stage22; make diff A=20 B=22
//
// Needs: sm_90
// Expect (sm_90, 32768x32768): rate >= 1.1 * stage20.rate
// Expect (sm_90, 32768x32768): rate >= 0.94 * ref_memcpy.rate
// Expect (sm_90, 32768x32768): rate >= 4.5 * ref_npp.rate
// Expect (sm_90, 8192x8192): rate >= 0.96 * stage22[memory-only].rate
// Expect (sm_90, 2048x2048): rate <= 0.8 * stage21.rate
#include "convolution.h"

#ifndef WARPS
#define WARPS 7
#endif
#ifndef ROWS
#define ROWS 32
#endif
#ifndef PIECES
#define PIECES 56   // of 16 pixels, in a row of the tile
#endif
static_assert(WARPS <= 32 && ROWS % 4 == 0 && PIECES % 4 == 0,
              "at most 32 warps; ROWS and PIECES must be multiples of 4");
static_assert(ROWS + 4 <= 256 && 4 * (PIECES + 4) <= 256,
              "a box has at most 256 rows, and 256 words in each");
static_assert((ROWS + 4) * (PIECES + 4) <= 3071, "the tile and its barrier must fit into 48 KB");

template <bool memory_only>
__global__ void convolve(struct image image, struct filter f,
                         const __grid_constant__ struct bands bands,
                         const __grid_constant__ CUtensorMap map)
{
    __shared__ alignas(128) uint4 tile[ROWS + 4][2 + PIECES + 2];
    __shared__ uint64_t full;
    unsigned b[2][2][2];

    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int left = 16 * PIECES * blockIdx.x, top = 2 + ROWS * blockIdx.y;

    if (threadIdx.x + threadIdx.y == 0) {
        mbarrier_init(&full, 1);
        fence_proxy_async();
        mbarrier_arrive_expect(&full, sizeof tile);
        tma_load_2d(tile, &map, (left - 32) / 4, top - 2, &full);
    }
    make_banded(b, bands);
    __syncthreads();   // nobody waits at a barrier before it is one
    mbarrier_wait(&full, 0);

    // 64 pixels side by side, down the tile
    for (int k = threadIdx.y; k < PIECES / 4; k += WARPS) {
        const unsigned *own = (const unsigned *)&tile[t][2 + 4 * k] + 2 * g;
        struct sixteen_pixels upper = around(own);
#pragma unroll 4
        for (int i = 0; i < ROWS; i += 4) {
            own += 4 * 4 * (PIECES + 4);
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
    CUtensorMap map =
        *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_UINT32, image->in, image->height, image->pitch / 4,
                       ROWS + 4, 4 * (PIECES + 4), CU_TENSOR_MAP_SWIZZLE_NONE);
    if (image->memory_only)
        convolve<true><<<grid, block>>>(*image, f, bands_of(f), map);
    else
        convolve<false><<<grid, block>>>(*image, f, bands_of(f), map);
}
