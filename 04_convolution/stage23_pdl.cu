// stage23: programmatic dependent launch (PDL), for images that take little longer than a launch
//
// Stage 22's calls wait for each other: launch, fill and drain dominate a small image. Change: the
// next call starts when all blocks of this one have triggered, and waits for its end with
// cudaGridDependencySynchronize() before it touches memory that this call may write.
//   call n      | prologue | load | trigger | convolve, store |
//   call n + 1                              | prologue, L2 prefetch | load | trigger | ...
// Small images also get smaller tiles, in boxes of 4 rows with an mbarrier each: a warp starts when
// its first box arrives. Look at: -n 2048, and the same with PREFETCH=0 or SMEM_KB=0.
// make stage23 && ./stage23 -n 2048        make diff A=22 B=23
// Needs: sm_90
// Expect (sm_90, 2048x2048): rate >= 2.1 * stage22.rate
// Expect (sm_90, 2048x2048): rate >= 1.15 * ref_memcpy.rate
// Expect (sm_90, 2048x2048): rate >= 4.5 * ref_npp.rate
// Expect (sm_90, 32768x32768): rate >= 0.94 * ref_memcpy.rate
#include "convolution.h"

#ifndef PREFETCH
#define PREFETCH 1   // prefetch rows into L2 before the previous call has ended
#endif
#ifndef SMEM_KB
// Shared memory per block of a small image: more than a fifth of an SM's 228 KB, so that at most 4
// blocks fit an SM. If 5 fit, the next call's blocks would crowd onto the SMs that finish first.
#define SMEM_KB 46
#endif
static_assert(SMEM_KB >= 0 && SMEM_KB <= 48, "SMEM_KB must be from 0 to 48");

using stage12::row, stage19::bands, stage19::bands_of, stage19::make_banded, stage19::convolve_mma,
    stage20::load_row;

// Convolves a warp's 64 columns of the tile, top to bottom, 4 rows per step. This lane loads 8
// pixels at `own` and stores 8 at (x, y). If `inside`, no pixel belongs to the border.
template <bool memory_only, bool inside, int ROWS, int COLUMNS, int BOX>
__device__ inline void convolve_columns(const unsigned *own, uint64_t *full, int x, int y,
                                        const struct image &image, const unsigned b[2][2][2],
                                        const struct filter &f)
{
    const int BOXES = (ROWS + 4) / BOX, UNROLL = inside ? 4 : 1;
    struct row upper = load_row(own);
    unsigned char *out = image.out + y * image.pitch;

#pragma unroll UNROLL
    for (int i = 0; i < ROWS; i += 4, out += 4 * image.pitch) {
        if (BOXES > 1)
            mbarrier_wait(&full[(i + 7) / BOX], 0);   // the box with rows i + 4 to i + 7
        own += 4 * 16 * (COLUMNS + 1);
        struct row lower = load_row(own);
        uint2 pixels = convolve_mma<memory_only>(upper, lower, b, f, threadIdx.x % 4);

        if (inside)
            *(uint2 *)(out + x) = pixels;
        else if (y + i < image.height - 2)
            store(out, x, image.width, pixels);
        upper = lower;
    }
}

// Tiles of ROWS x 64 COLUMNS pixels, loaded in boxes of BOX rows. SMALL: the tiles for small
// images.
template <bool memory_only, bool SMALL, int ROWS, int COLUMNS, int WARPS, int BOX>
__global__ void convolve(struct image image, struct filter f,
                         const __grid_constant__ struct bands bands,
                         const __grid_constant__ CUtensorMap map)
{
    const int PIECES = 4 * COLUMNS, BOXES = (ROWS + 4) / BOX;
    __shared__ alignas(128) uint4 tile[ROWS + 4][2 + PIECES + 2];
    __shared__ uint64_t full[BOXES];
    unsigned b[2][2][2];

    // lane 4g + t: columns 8g to 8g + 7, rows t and t + 4 of 8; output tile at (left, top)
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    int left = 64 * COLUMNS * blockIdx.x, top = 2 + ROWS * blockIdx.y;
    int row = top - 2 + lane;   // that this lane prefetches

    if (PREFETCH && SMALL && threadIdx.y == WARPS - 1 && lane < ROWS + 4 && row < image.height)
        prefetch_l2(image.in + row * image.pitch + left, min(64 * COLUMNS, image.pitch - left));
    if (threadIdx.y == 0 && lane < BOXES) {   // one lane per box: its mbarrier and its copy
        mbarrier_init(&full[lane], 1);
        fence_proxy_async();
        __syncwarp((1 << BOXES) - 1);
        cudaGridDependencySynchronize();
        mbarrier_arrive_expect(&full[lane], sizeof tile / BOXES);
        tma_load_2d(tile[BOX * lane], &map, (left - 32) / 4, top - 2 + BOX * lane, &full[lane]);
    }
    make_banded(b, bands);
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
    mbarrier_wait(&full[0], 0);
    cudaTriggerProgrammaticLaunchCompletion();   // the next call may start
    cudaGridDependencySynchronize();             // the previous call has ended: stores are allowed

    for (int k = threadIdx.y; k < COLUMNS; k += WARPS) {
        const unsigned *own = (const unsigned *)&tile[t][2 + 4 * k] + 2 * g;
        int x = left + 64 * k + 8 * g, y = top + t;

        if (left + 64 * k >= 2 && left + 64 * k + 64 <= image.width - 2 &&
            top + ROWS <= image.height - 2)
            convolve_columns<memory_only, true, ROWS, COLUMNS, BOX>(own, full, x, y, image, b, f);
        else
            convolve_columns<memory_only, false, ROWS, COLUMNS, BOX>(own, full, x, y, image, b, f);
    }
}

template <bool SMALL, int ROWS, int COLUMNS, int WARPS, int BOX>
void launch(const struct image *image, struct filter f)
{
    const int words = 16 * COLUMNS + 16, tile = (ROWS + 4) * 4 * words + (ROWS + 4) / BOX * 8;
    CUtensorMap map = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_UINT32, image->in, image->height,
                                     image->pitch / 4, BOX, words, CU_TENSOR_MAP_SWIZZLE_NONE);
    auto *kernel = image->memory_only ? convolve<true, SMALL, ROWS, COLUMNS, WARPS, BOX>
                                      : convolve<false, SMALL, ROWS, COLUMNS, WARPS, BOX>;
    cudaLaunchAttribute pdl = {};
    pdl.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    pdl.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.blockDim = dim3(32, WARPS);
    config.gridDim =
        dim3(ceil_div(image->width, 64 * COLUMNS), ceil_div(max(image->height - 4, 1), ROWS));
    config.dynamicSmemBytes = SMALL ? max(1024 * SMEM_KB - tile, 0) : 0;
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
        launch<true, 16, 8, 8, 4>(image, f);
    else
        launch<false, 32, 14, 7, 36>(image, f);
}
