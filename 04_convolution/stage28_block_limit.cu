// stage28: x
#include "convolution.h"

using stage12::row, stage21::bands, stage21::bands_of, stage21::make_banded, stage21::convolve_mma,
    stage22::load_row;

// Stage 22's function, which waits for the box with the next 4 rows before each step.
template <bool memory_only, int rows, int pieces, int box>
__device__ inline void convolve_columns(const unsigned *own, uint64_t *full,
                                        const struct image &image, int x, int y,
                                        const unsigned b[2][2][2], const struct filter &f)
{
    struct row upper = load_row(own);

#pragma unroll 4
    for (int i = 0; i < rows; i += 4) {
        mbarrier_wait(&full[(i + 7) / box], 0);   // the box with rows i + 4 to i + 7
        own += 4 * 4 * pieces;
        struct row lower = load_row(own);
        uint2 pixels =
            memory_only ? copy_fragment(upper, lower, f) : convolve_mma(upper, lower, b, f);
        if (y + i < image.height - 2)
            store(image.out + (y + i) * image.pitch, x, image.width, pixels);
        upper = lower;
    }
}

// Tiles of ROWS rows of PIECES pieces of 16 pixels, loaded in boxes of BOX rows; WARPS warps per
// block.
template <bool memory_only, int ROWS, int PIECES, int WARPS, int BOX>
__global__ void convolve(struct image image, struct filter f,
                         const __grid_constant__ struct bands bands,
                         const __grid_constant__ CUtensorMap map)
{
    const int BOXES = (ROWS + 4) / BOX;
    __shared__ alignas(128) uint4 tile[ROWS + 4][2 + PIECES + 2];
    __shared__ uint64_t full[BOXES];
    unsigned b[2][2][2];

    // lane 4g + t: columns 8g to 8g + 7, rows t and t + 4 of 8; output tile at (left, top)
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    int left = 16 * PIECES * blockIdx.x, top = 2 + ROWS * blockIdx.y;
    int row = top - 2 + lane;   // that this lane prefetches

    if (BOXES > 1 && threadIdx.y == WARPS - 1 && lane < ROWS + 4 && row < image.height)
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
        convolve_columns<memory_only, ROWS, PIECES + 4, BOX>(
            (const unsigned *)&tile[t][2 + 4 * k] + 2 * g, full, image, left + 64 * k + 8 * g,
            top + t, b, f);
}

template <int ROWS, int PIECES, int WARPS, int BOX, int SMEM>
void launch(const struct image *image, struct filter f)
{
    CUtensorMap map =
        *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_UINT32, image->in, image->height, image->pitch / 4,
                       BOX, 4 * (PIECES + 4), CU_TENSOR_MAP_SWIZZLE_NONE);
    auto *kernel = image->memory_only ? convolve<true, ROWS, PIECES, WARPS, BOX>
                                      : convolve<false, ROWS, PIECES, WARPS, BOX>;
    cudaLaunchAttribute pdl = {};
    pdl.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    pdl.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.blockDim = dim3(32, WARPS);
    config.gridDim =
        dim3(ceil_div(image->width, 16 * PIECES), ceil_div(max(image->height - 4, 1), ROWS));
    config.dynamicSmemBytes = max(SMEM - (ROWS + 4) * (PIECES + 4) * 16, 0);
    config.stream = cudaStreamPerThread;
    config.attrs = &pdl;
    config.numAttrs = 1;

    cudaLaunchKernelEx(&config, kernel, *image, f, bands_of(f), map);
}

void convolution(const struct image *image, const struct filter *filter)
{
    if (image->pitch % 16)
        return refuse("pitches that are multiples of 16 only");
    struct filter f = *filter;
    if (!signed_bytes(&f))
        return;
    if ((long long)image->width * image->height < 16 * 512 * 32 * multiprocessors())
        launch<16, 32, 8, 4, 45 * 1024>(image, f);
    else
        launch<32, 56, 7, 36, 0>(image, f);
}
