// stage16: TMA, one bulk tensor copy per tile
//
// In stage 15 every lane computes addresses, and L2 sends a sector of 32 bytes per 16-byte copy.
// Change: one thread issues one copy of the whole tile, a box of the tensor that `map` describes.
// TMA, the tensor memory accelerator, executes it. An mbarrier, a barrier in shared memory, counts
// the bytes that arrive; all threads wait for it. The box starts at a multiple of 32 bytes: whole
// sectors. TMA writes zeros where the box is outside the image.
//   tile row   | 32 | 512 pixels | 32 |      thread 0: arrive_expect(bytes), tma_load -> mbarrier
//              halo                halo      all: wait(mbarrier), then mma from the tile
// L2 sends half as many bytes (ncu). Rows are now 16 banks apart: 2-way conflicts, not the limit.
// Look at: bytes of bulk copies. make stage16 && ./stage16        make diff B=16
// Needs: sm_90
// Expect (cpu, 512x512): ld_requests == 0
// Expect (cpu, 512x512): bulk_ld_bytes <= 0.8 * stage15.ld_bytes
// Expect (sm_90, 32768x32768): rate >= 1.06 * stage15.rate
// Expect (sm_90, 32768x32768): rate >= 0.92 * ref_memcpy.rate
#include "convolution.h"

// Warps per block; output rows per tile, and chunks of 16 pixels per row of it.
const int WARPS = 4, ROWS = 32, CHUNKS = 32;

using stage15::convolve_columns;

// Describes the input to TMA, which copies boxes of it: `rows` rows of `chunks` chunks. The columns
// of the map are words, because a box has at most 256 elements per row.
inline CUtensorMap image_map(const struct image &image, int rows, int chunks)
{
    return *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_UINT32, image.in, image.height, image.pitch / 4,
                          rows, 4 * chunks, CU_TENSOR_MAP_SWIZZLE_NONE);
}

__global__ void convolve(struct image image, const __grid_constant__ Banded banded,
                         const __grid_constant__ CUtensorMap map)
{
    __shared__ alignas(128) uint4 tile[ROWS + 4][2 + CHUNKS + 2];
    __shared__ uint64_t full;

    // lane 4g + t: columns 8g to 8g + 7, rows t and t + 4 of 8; output tile at (left, top)
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int left = 16 * CHUNKS * blockIdx.x, top = 2 + ROWS * blockIdx.y;

    if (threadIdx.x + threadIdx.y == 0) {   // one thread
        mbarrier_init(&full, 1);            // a phase ends after 1 arrival and all expected bytes
        fence_proxy_async();                // TMA must see the initialized mbarrier
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        tma_load_2d(tile, &map, (left - 32) / 4, top - 2, &full);
    }
    unsigned b[2][2][2];
    banded.fragments(b);
    __syncthreads();           // the mbarrier must be initialized before any thread waits on it
    mbarrier_wait(&full, 0);   // 0: the first phase

    // each warp: 64 columns of the tile, group k; lane 4g + t starts at row t, word 2g of the group
    for (int k = threadIdx.y; k < CHUNKS / 4; k += WARPS) {
        const unsigned *own = (const unsigned *)&tile[t][2 + 4 * k] + 2 * g;
        convolve_columns<ROWS, CHUNKS + 4>(own, image, left + 64 * k + 8 * g, top + t, b,
                                           banded.scale);
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 grid(ceil_div(image->width, 16 * CHUNKS), ceil_div(max(image->height - 4, 1), ROWS));

    if (image->pitch % 16)
        return refuse("pitches that are multiples of 16 only");
    struct filter f = *filter;   // a copy: signed_bytes() may negate it
    if (!signed_bytes(&f))
        return;
    CUtensorMap map = image_map(*image, ROWS + 4, CHUNKS + 4);
    convolve<<<grid, dim3(32, WARPS)>>>(*image, Banded(f), map);
}
