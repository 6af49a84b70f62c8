// stage23: early. A small image takes little longer than a launch: the next call begins before this
// one has ended.
//
// Calls in a stream wait for each other, and launching, filling and draining the GPU is most of a
// short one. Change: programmatic dependent launch. A kernel launched so may start as soon as every
// block of the one before has said that it may, here when its first rows have come. It takes the
// places that become free, and waits only where it needs what the other kernel made: before its
// first load or store. Up to there it prepares the barriers and asks for its rows to be brought
// into L2, where what is stored later still replaces them. The launch is a function call, since
// <<<>>> has no word for it. Images that make few tiles are cut into smaller ones, and these come
// four rows at a time, each with a barrier of its own: the first rows are worked on while the last
// are on their way.
//
// As many blocks as make 2048 x 2048 are four an SM of an H200. Were there room for more, the
// blocks of the next call would crowd onto the SMs that are done first, and all wait for those.
// Registers let four in; the twin, which needs fewer, would let in six, but for so much shared
// memory that a fifth finds no room. Exact, as stage 15.
//
// make stage23 && ./stage23 -n 2048; the same with PREFETCH=0; with SHARE=0 and --memory-only;
// make diff A=22 B=23
//
// Long: two tiles, and the long form of a launch.
// Needs: sm_90
// Expect (sm_90, 2048x2048): rate >= 2.1 * stage22.rate
// Expect (sm_90, 2048x2048): rate >= 1.15 * ref_memcpy.rate
// Expect (sm_90, 2048x2048): rate >= 4.5 * ref_npp.rate
// Expect (sm_90, 32768x32768): rate >= 0.94 * ref_memcpy.rate
// Expect (sm_90, 32768x32768): rate >= 4.5 * ref_npp.rate
#include "convolution.h"

#ifndef PREFETCH
#define PREFETCH 1
#endif
#ifndef SHARE
// KB of shared memory for a block of a small image: more than a fifth of the 228 of an SM
#define SHARE 46
#endif
static_assert(SHARE >= 0 && SHARE <= 48, "SHARE must be from 0 to 48");

// Down the tile: a warp's 64 pixels side by side, of which the lane loads those from `own` on and
// stores those from x and y on. With `inside` all are to be stored, which needs no asking.
template <bool memory_only, bool inside, int ROWS, int COLUMNS, int BOX>
__device__ inline void down(const unsigned *own, uint64_t *full, int x, int y,
                            const struct image &image, const unsigned b[2][2][2],
                            const struct filter &f)
{
    const int BOXES = (ROWS + 4) / BOX, UNROLL = inside ? 4 : 1;
    struct sixteen_pixels upper = around(own);
    unsigned char *out = image.out + y * image.pitch;

#pragma unroll UNROLL
    for (int i = 0; i < ROWS; i += 4, out += 4 * image.pitch) {
        if (BOXES > 1)
            mbarrier_wait(&full[(i + 7) / BOX], 0);
        own += 4 * 16 * (COLUMNS + 1);
        struct sixteen_pixels lower = around(own);
        uint2 pixels = eight_pixels<memory_only>(upper, lower, b, f);

        if (inside)
            *(uint2 *)(out + x) = pixels;
        else if (y + i < image.height - 2)
            store(out, x, image.width, pixels);
        upper = lower;
    }
}

// A tile of ROWS x 64 COLUMNS pixels, for WARPS warps, which comes in boxes of BOX rows. SMALL: one
// of those for small images.
template <bool memory_only, bool SMALL, int ROWS, int COLUMNS, int WARPS, int BOX>
__global__ void convolve(struct image image, struct filter f,
                         const __grid_constant__ struct bands bands,
                         const __grid_constant__ CUtensorMap map)
{
    const int PIECES = 4 * COLUMNS, BOXES = (ROWS + 4) / BOX;
    __shared__ alignas(128) uint4 tile[ROWS + 4][2 + PIECES + 2];
    __shared__ uint64_t full[BOXES];
    unsigned b[2][2][2];

    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    int left = 64 * COLUMNS * blockIdx.x, top = 2 + ROWS * blockIdx.y, row = top - 2 + lane;

    if (PREFETCH && SMALL && threadIdx.y == WARPS - 1 && lane < ROWS + 4 && row < image.height)
        prefetch_l2(image.in + row * image.pitch + left, min(64 * COLUMNS, image.pitch - left));
    if (threadIdx.y == 0 && lane < BOXES) {   // a lane for each box
        mbarrier_init(&full[lane], 1);
        fence_proxy_async();
        __syncwarp((1 << BOXES) - 1);
        cudaGridDependencySynchronize();
        mbarrier_arrive_expect(&full[lane], sizeof tile / BOXES);
        tma_load_2d(tile[BOX * lane], &map, (left - 32) / 4, top - 2 + BOX * lane, &full[lane]);
    }
    make_banded(b, bands);
    __syncthreads();   // nobody waits at a barrier before it is one
    mbarrier_wait(&full[0], 0);
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();

    for (int k = threadIdx.y; k < COLUMNS; k += WARPS) {
        const unsigned *own = (const unsigned *)&tile[t][2 + 4 * k] + 2 * g;
        int x = left + 64 * k + 8 * g, y = top + t;

        if (left + 64 * k >= 2 && left + 64 * k + 64 <= image.width - 2 &&
            top + ROWS <= image.height - 2)
            down<memory_only, true, ROWS, COLUMNS, BOX>(own, full, x, y, image, b, f);
        else
            down<memory_only, false, ROWS, COLUMNS, BOX>(own, full, x, y, image, b, f);
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
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.blockDim = dim3(32, WARPS);
    config.gridDim =
        dim3(ceil_div(image->width, 64 * COLUMNS), ceil_div(max(image->height - 4, 1), ROWS));
    config.dynamicSmemBytes = SMALL ? max(1024 * SHARE - tile, 0) : 0;
    config.stream = cudaStreamPerThread;
    config.attrs = &early;
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
