// stage20: a tile in boxes, with an mbarrier each
//
// In stage 19 a block waits until its whole tile has arrived. Only then do its warps convolve, and
// only then does it trigger the next call. Change: the tile of a small image comes in five boxes of
// 4 rows, each with its own mbarrier. A block triggers when its first box has arrived. A warp waits
// for a box before it needs the rows in it: two boxes for the first 4 output rows, then one more
// for every 4. An early trigger gains 0.5 us (LATE=1: none). Large images keep one box per tile.
//   stage 19    | wait for 20 rows            | convolve 4 rows | convolve 4 rows | ...
//   stage 20    | wait: 4 rows | wait: 4 rows | convolve 4 rows | wait: 4 rows | convolve ...
// Look at: the number of bulk copies; LATE=1.   make stage20 && ./stage20 -n 2048    make diff B=20
// Needs: sm_90
// Expect (cpu, 256x512): bulk_ld_requests == stage19.bulk_ld_requests + 64
// Expect (sm_90, 2048x2048): graph_us <= 0.95 * stage19.graph_us
// Expect (sm_90, 2048x2048): rate >= 0.9 * ref_memcpy.rate
// Expect (sm_90, 32768x32768): rate >= 0.93 * ref_memcpy.rate
#include "convolution.h"

#ifndef LATE
#define LATE 0   // 1: the next call may start only when this block has computed its tile
#endif

using stage15::convolve_columns, stage16::image_map, stage18::dependent_launch,
    stage19::prefetch_tile;

// Tiles of ROWS rows of CHUNKS chunks of 16 pixels, loaded in boxes of BOX rows; WARPS warps
// per block.
template <int ROWS, int CHUNKS, int WARPS, int BOX, int BOXES = (ROWS + 4) / BOX>
__global__ void convolve(struct image image, const __grid_constant__ Banded banded,
                         const __grid_constant__ CUtensorMap map)
{
    __shared__ alignas(128) uint4 tile[ROWS + 4][2 + CHUNKS + 2];
    __shared__ uint64_t full[BOXES];

    // lane 4g + t: columns 8g to 8g + 7, rows t and t + 4 of 8; output tile at (left, top)
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int left = 16 * CHUNKS * blockIdx.x, top = 2 + ROWS * blockIdx.y;

    prefetch_tile<ROWS, CHUNKS, WARPS>(image, left, top);
    unsigned b[2][2][2];
    banded.fragments(b);
    if (threadIdx.x + threadIdx.y == 0) {   // one thread
        for (int box = 0; box < BOXES; box++)
            mbarrier_init(&full[box], 1);   // its phase ends after 1 arrival and all expected bytes
        fence_proxy_async();                // TMA must see the initialized mbarrier
        cudaGridDependencySynchronize();    // the previous call has ended
        for (int box = 0; box < BOXES; box++) {
            mbarrier_arrive_expect_tx(&full[box], sizeof tile / BOXES);
            tma_load_2d(tile[BOX * box], &map, (left - 32) / 4, top - 2 + BOX * box, &full[box]);
        }
    }
    __syncthreads();              // the mbarrier must be initialized before any thread waits on it
    mbarrier_wait(&full[0], 0);   // the first box; 0: the first phase
    if (!LATE)
        cudaTriggerProgrammaticLaunchCompletion();   // the next call may start

    auto wait = [&](int row) {   // for the box that has this row of the tile
        if (BOXES > 1)
            mbarrier_wait(&full[row / BOX], 0);
    };
    // each warp: 64 columns of the tile, group k; lane 4g + t starts at row t, word 2g of the group
    for (int k = threadIdx.y; k < CHUNKS / 4; k += WARPS) {
        const unsigned *own = (const unsigned *)&tile[t][2 + 4 * k] + 2 * g;
        convolve_columns<ROWS, CHUNKS + 4>(own, image, left + 64 * k + 8 * g, top + t, b,
                                           banded.scale, wait);
    }
    if (LATE)
        cudaTriggerProgrammaticLaunchCompletion();
}

template <int ROWS, int CHUNKS, int WARPS, int BOX>
void launch(const struct image *image, struct filter f)
{
    dim3 grid(ceil_div(image->width, 16 * CHUNKS), ceil_div(max(image->height - 4, 1), ROWS));
    CUtensorMap map = image_map(*image, BOX, CHUNKS + 4);
    cudaLaunchConfig_t config = dependent_launch(grid, dim3(32, WARPS));
    cudaLaunchKernelEx(&config, convolve<ROWS, CHUNKS, WARPS, BOX>, *image, Banded(f), map);
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
