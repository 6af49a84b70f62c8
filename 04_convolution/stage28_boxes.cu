// stage28: a tile in boxes, with an mbarrier each
//
// In stage 27 a warp waits for all rows of its tile, and the next call waits for that too: a block
// triggers when its tile has arrived. Change: the tile of a small image comes in five boxes of 4
// rows, each with its own mbarrier. A block triggers when its first box has arrived, and a warp
// waits for a box only before it needs the rows in it.
//
//   stage 27    | wait for 20 rows        | convolve 4 rows | convolve 4 rows | ...
//   stage 28    | 4 rows | 4 rows | convolve | wait for 4 rows | convolve | ...
//
// make stage28 && ./stage28 -n 2048        make diff A=27 B=28
// Needs: sm_90
// Expect (sm_90, 2048x2048): rate >= 2.1 * stage24.rate
// Expect (sm_90, 2048x2048): rate >= 1.15 * ref_memcpy.rate
// Expect (sm_90, 2048x2048): rate >= 4.5 * ref_npp.rate
// Expect (sm_90, 32768x32768): rate >= 0.94 * ref_memcpy.rate
#include "convolution.h"

using stage21::bands, stage21::bands_of, stage21::make_banded, stage22::convolve_columns,
    stage26::launch_dependent;

// Tiles of ROWS rows of PIECES pieces of 16 pixels, loaded in boxes of BOX rows; WARPS warps per
// block.
template <bool memory_only, int ROWS, int PIECES, int WARPS, int BOX>
__global__ void __launch_bounds__(32 * WARPS, 4)   // 4 blocks per SM
    convolve(struct image image, struct filter f, const __grid_constant__ struct bands bands,
             const __grid_constant__ CUtensorMap map)
{
    const int BOXES = (ROWS + 4) / BOX, STEP = BOXES > 1 ? BOX : ROWS;   // rows per wait
    __shared__ alignas(128) uint4 tile[ROWS + 4][2 + PIECES + 2];
    __shared__ uint64_t full[BOXES];
    unsigned b[2][2][2];

    // lane 4g + t: columns 8g to 8g + 7, rows t and t + 4 of 8; output tile at (left, top)
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    int left = 16 * PIECES * blockIdx.x, top = 2 + ROWS * blockIdx.y;
    int row = top - 2 + lane;   // that this lane prefetches, in small images

    if (ROWS < 32 && threadIdx.y == WARPS - 1 && lane < ROWS + 4 && row < image.height)
        prefetch_l2(image.in + row * image.pitch + left, min(16 * PIECES, image.pitch - left));
    make_banded(b, bands);
    if (threadIdx.y == 0 && lane < BOXES) {   // one lane per box: its mbarrier and its copy
        mbarrier_init(&full[lane], 1);
        fence_proxy_async();
        cudaGridDependencySynchronize();   // the previous call may have written the input
        mbarrier_arrive_expect(&full[lane], sizeof tile / BOXES);
        tma_load_2d(tile[BOX * lane], &map, (left - 32) / 4, top - 2 + BOX * lane, &full[lane]);
    }
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
    mbarrier_wait(&full[0], 0);
    cudaTriggerProgrammaticLaunchCompletion();   // the next call may start
    cudaGridDependencySynchronize();             // the previous call has ended: stores are allowed

    for (int k = threadIdx.y; k < PIECES / 4; k += WARPS)   // each warp: 64 columns of the tile
#pragma unroll
        for (int i = 0; i < ROWS; i += STEP) {
            mbarrier_wait(&full[(i + STEP + 3) / BOX], 0);   // rows up to i + STEP + 3 are here
            convolve_columns<memory_only, STEP, PIECES + 4>(
                (const unsigned *)&tile[i + t][2 + 4 * k] + 2 * g, image, left + 64 * k + 8 * g,
                top + i + t, b, f);
        }
}

template <int ROWS, int PIECES, int WARPS, int BOX>
void launch(const struct image *image, struct filter f)
{
    dim3 block(32, WARPS);
    dim3 grid(ceil_div(image->width, 16 * PIECES), ceil_div(max(image->height - 4, 1), ROWS));
    CUtensorMap map =
        *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_UINT32, image->in, image->height, image->pitch / 4,
                       BOX, 4 * (PIECES + 4), CU_TENSOR_MAP_SWIZZLE_NONE);
    auto *kernel = image->memory_only ? convolve<true, ROWS, PIECES, WARPS, BOX>
                                      : convolve<false, ROWS, PIECES, WARPS, BOX>;
    launch_dependent(kernel, grid, block, *image, f, bands_of(f), map);
}

void convolution(const struct image *image, const struct filter *filter)
{
    if (image->pitch % 16)
        return refuse("pitches that are multiples of 16 only");
    struct filter f = *filter;
    if (!signed_bytes(&f))
        return;
    // small: less than one wave of large tiles, 4 per SM
    if ((long long)image->width * image->height < 4 * 32 * 896 * multiprocessors())
        launch<16, 32, 8, 4>(image, f);
    else
        launch<32, 56, 7, 36>(image, f);
}
