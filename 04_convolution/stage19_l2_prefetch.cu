// stage19: prefetch into L2 before the previous call has ended
//
// In stage 18 a call waits for the end of the previous one before it loads: that one may write what
// this one reads. Until then it loads nothing. Change: in small images, where the wait is a larger
// part of a call, one warp of each block asks for the tile's rows to be brought into L2 before it
// waits. That is allowed, because writes go to L2: a row that the previous call still writes is up
// to date there.
//
//   call n      | prologue | load | trigger | convolve, store              |
//   call n + 1                              | prologue, L2 prefetch, wait  | load | trigger | ...
//
// Look at: bytes of bulk copies, of which prefetches are half. Large images gain nothing.
// make stage19 && ./stage19 -n 2048        make diff B=19
// Needs: sm_90
// Expect (cpu, 256x512): bulk_ld_bytes == 2 * stage18.bulk_ld_bytes
// Expect (sm_90, 2048x2048): graph_us <= 0.95 * stage18.graph_us
#include "convolution.h"

using stage15::convolve_columns, stage16::image_map, stage18::dependent_launch;

// In small images, each lane of the block's last warp asks for a row of the tile to be brought into
// L2. A tile has `rows` rows of `chunks` chunks, and 2 rows above and below. The output starts at
// (left, top).
template <int rows, int chunks, int warps>
__device__ inline void prefetch_tile(const struct image &image, int left, int top)
{
    int row = top - 2 + threadIdx.x;
    const bool small = rows < 32;   // large images have tiles of 32 rows

    if (small && threadIdx.y == warps - 1 && threadIdx.x < rows + 4 && row < image.height)
        prefetch_l2(image.in + row * image.pitch + left, min(16 * chunks, image.pitch - left));
}

// Tiles of ROWS rows of CHUNKS chunks of 16 pixels; WARPS warps per block.
template <int ROWS, int CHUNKS, int WARPS>
__global__ void convolve(struct image image, const __grid_constant__ Banded banded,
                         const __grid_constant__ CUtensorMap map)
{
    __shared__ alignas(128) uint4 tile[ROWS + 4][2 + CHUNKS + 2];
    __shared__ uint64_t full;

    // lane 4g + t: columns 8g to 8g + 7, rows t and t + 4 of 8; output tile at (left, top)
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int left = 16 * CHUNKS * blockIdx.x, top = 2 + ROWS * blockIdx.y;

    prefetch_tile<ROWS, CHUNKS, WARPS>(image, left, top);
    unsigned b[2][2][2];
    banded.fragments(b);
    if (threadIdx.x + threadIdx.y == 0) {   // one thread
        mbarrier_init(&full, 1);            // a phase ends after 1 arrival and all expected bytes
        fence_proxy_async();                // TMA must see the initialized mbarrier
        cudaGridDependencySynchronize();    // the previous call has ended
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        tma_load_2d(tile, &map, (left - 32) / 4, top - 2, &full);
    }
    __syncthreads();           // the mbarrier must be initialized before any thread waits on it
    mbarrier_wait(&full, 0);   // 0: the first phase
    cudaTriggerProgrammaticLaunchCompletion();   // the next call may start

    // each warp: 64 columns of the tile, group k; lane 4g + t starts at row t, word 2g of the group
    for (int k = threadIdx.y; k < CHUNKS / 4; k += WARPS) {
        const unsigned *own = (const unsigned *)&tile[t][2 + 4 * k] + 2 * g;
        convolve_columns<ROWS, CHUNKS + 4>(own, image, left + 64 * k + 8 * g, top + t, b,
                                           banded.scale);
    }
}

template <int ROWS, int CHUNKS, int WARPS> void launch(const struct image *image, struct filter f)
{
    dim3 grid(ceil_div(image->width, 16 * CHUNKS), ceil_div(max(image->height - 4, 1), ROWS));
    CUtensorMap map = image_map(*image, ROWS + 4, CHUNKS + 4);
    cudaLaunchConfig_t config = dependent_launch(grid, dim3(32, WARPS));
    cudaLaunchKernelEx(&config, convolve<ROWS, CHUNKS, WARPS>, *image, Banded(f), map);
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
        launch<16, 32, 8>(image, f);   // rows, chunks, warps
    else
        launch<32, 56, 7>(image, f);   // rows, chunks, warps
}
