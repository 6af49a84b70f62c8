// stage27: a tile in boxes, with an mbarrier each
//
// In stage 26 a block waits until its whole tile has arrived. Only then do its warps convolve, and
// only then does it trigger the next call. Change: the tile of a small image comes in five boxes of
// 4 rows, each with its own mbarrier. A block triggers when its first box has arrived. A warp waits
// for a box before it needs the rows in it: two boxes for the first 4 output rows, then one more
// for every 4. Large images keep one box per tile.
//   stage 26    | wait for 20 rows            | convolve 4 rows | convolve 4 rows | ...
//   stage 27    | wait: 4 rows | wait: 4 rows | convolve 4 rows | wait: 4 rows | convolve ...
// make stage27 && ./stage27 -n 2048        make diff B=27
// Needs: sm_90
// This page is long because it shows convolve_columns() again, with the waits in it.
// Expect (sm_90, 2048x2048): rate >= 1.05 * stage26.rate
// Expect (sm_90, 2048x2048): rate >= 1.3 * stage24.rate
// Expect (sm_90, 2048x2048): rate >= 0.9 * ref_memcpy.rate
// Expect (sm_90, 32768x32768): rate >= 0.94 * ref_memcpy.rate
#include "convolution.h"

using stage9::store_vector, stage12::row, stage21::padded_rows, stage21::pad_rows,
    stage21::make_banded, stage20::convolve_mma, stage22::load_shared_row,
    stage25::dependent_launch;

// Stage 22's function; before each step it waits for the box with the next 4 rows.
template <int rows, int chunks, int box_rows>
__device__ inline void convolve_columns(const unsigned *own, uint64_t *full,
                                        const struct image &image, int x, int y,
                                        const unsigned b[2][2][2], const struct filter &f)
{
    struct row upper = load_shared_row(own);

#pragma unroll 4
    for (int i = 0; i < rows; i += 4) {
        if (box_rows < rows + 4)                           // more than one box
            mbarrier_wait(&full[(i + 4) / box_rows], 0);   // the box with rows i + 4 to i + 7
        own += 4 * chunks * 4;                             // 4 rows of `chunks` chunks of 4 words
        struct row lower = load_shared_row(own);
        uint2 pixels = convolve_mma(upper, lower, b, f);
        if (y + i < image.height - 2)
            store_vector(image.out + (y + i) * image.pitch, x, image.width, pixels);
        upper = lower;
    }
}

// Tiles of ROWS rows of CHUNKS chunks of 16 pixels, loaded in boxes of BOX rows; WARPS warps
// per block.
template <int ROWS, int CHUNKS, int WARPS, int BOX>
__global__ void convolve(struct image image, struct filter f,
                         const __grid_constant__ struct padded_rows padded,
                         const __grid_constant__ CUtensorMap map)
{
    const int BOXES = (ROWS + 4) / BOX;
    __shared__ alignas(128) uint4 tile[ROWS + 4][2 + CHUNKS + 2];
    __shared__ uint64_t full[BOXES];

    // lane 4g + t: columns 8g to 8g + 7, rows t and t + 4 of 8; output tile at (left, top)
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int left = 16 * CHUNKS * blockIdx.x, top = 2 + ROWS * blockIdx.y;
    // in small images, each lane of the last warp prefetches a row of the tile
    int row = top - 2 + threadIdx.x;
    const bool small = ROWS < 32;   // large images have tiles of 32 rows

    if (small && threadIdx.y == WARPS - 1 && threadIdx.x < ROWS + 4 && row < image.height)
        prefetch_l2(image.in + row * image.pitch + left, min(16 * CHUNKS, image.pitch - left));
    unsigned b[2][2][2];
    make_banded(b, padded);
    if (threadIdx.x + threadIdx.y == 0) {   // one thread
        for (int box = 0; box < BOXES; box++)
            mbarrier_init(&full[box], 1);   // its phase ends after 1 arrival and all expected bytes
        fence_proxy_async();                // TMA must see the initialized mbarrier
        cudaGridDependencySynchronize();    // the previous call may have written the input
        for (int box = 0; box < BOXES; box++) {
            mbarrier_arrive_expect_tx(&full[box], sizeof tile / BOXES);
            tma_load_2d(tile[BOX * box], &map, (left - 32) / 4, top - 2 + BOX * box, &full[box]);
        }
    }
    __syncthreads();              // the mbarrier must be initialized before any thread waits on it
    mbarrier_wait(&full[0], 0);   // the first box; 0: the first phase
    cudaTriggerProgrammaticLaunchCompletion();   // the next call may start
    cudaGridDependencySynchronize();             // the previous call has ended: stores are allowed

    // each warp: 64 columns of the tile, group k; lane 4g + t starts at row t, word 2g of the group
    for (int k = threadIdx.y; k < CHUNKS / 4; k += WARPS) {
        const unsigned *group = (const unsigned *)&tile[t][2 + 4 * k];
        convolve_columns<ROWS, CHUNKS + 4, BOX>(group + 2 * g, full, image, left + 64 * k + 8 * g,
                                                top + t, b, f);
    }
}

template <int ROWS, int CHUNKS, int WARPS, int BOX>
void launch(const struct image *image, struct filter f)
{
    dim3 block(32, WARPS);
    dim3 grid(ceil_div(image->width, 16 * CHUNKS), ceil_div(max(image->height - 4, 1), ROWS));
    // columns of the map are words: a box has at most 256 elements per row
    CUtensorMap map =
        *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_UINT32, image->in, image->height, image->pitch / 4,
                       BOX, 4 * (CHUNKS + 4), CU_TENSOR_MAP_SWIZZLE_NONE);
    cudaLaunchConfig_t config = dependent_launch(grid, block);
    cudaLaunchKernelEx(&config, convolve<ROWS, CHUNKS, WARPS, BOX>, *image, f, pad_rows(f), map);
}

void convolution(const struct image *image, const struct filter *filter)
{
    if (image->pitch % 16)
        return refuse("pitches that are multiples of 16 only");
    struct filter f = *filter;   // a copy: signed_bytes() may negate it
    if (!signed_bytes(&f))
        return;
    // small: less than one wave of large tiles, 4 per SM
    if ((long long)image->width * image->height < 4 * 32 * 896 * multiprocessors())
        launch<16, 32, 8, 4>(image, f);   // rows, chunks, warps, rows per box
    else
        launch<32, 56, 7, 36>(image, f);   // rows, chunks, warps, rows per box
}
