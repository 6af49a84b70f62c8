// stage23: early. A small image takes little longer than a launch: the next call begins before this one has ended.
//
// Calls in a stream wait for each other, and launching, filling and draining the GPU is most of a short one. Change: programmatic dependent launch.
// A kernel launched so may start as soon as every block of the one before has said that it may, here when its tile has come. It takes the places
// that become free, and waits only where it needs what the other kernel made: before its first load or store. Up to there it prepares the barrier
// and, where tiles are few, asks for its rows to be brought into L2, where what is stored later still replaces them. And images that make few tiles
// are cut into smaller ones. The launch is a function call, since <<<>>> has no word for it. Exact, as stage 15.
//
// make stage23 && ./stage23 -n 2048; make stage23 PREFETCH=0 && ./stage23 -n 2048; make diff A=22 B=23
//
// Long: two tiles, and the long form of a launch.
// Needs: sm_90
// Expect (sm_90, 2048x2048): rate >= 1.92 * stage22.rate
// Expect (sm_90, 2048x2048): rate >= 1.05 * ref_memcpy.rate
// Expect (sm_90, 2048x2048): rate >= 4 * ref_npp.rate
// Expect (sm_90, 32768x32768): rate >= 0.94 * ref_memcpy.rate
// Expect (sm_90, 32768x32768): rate >= 4.5 * ref_npp.rate
#include "convolution.h"

#ifndef PREFETCH
#define PREFETCH 1
#endif

// A tile of ROWS x 16 PIECES pixels, for WARPS warps. SMALL: one of those for small images.
template <bool memory_only, bool SMALL, int ROWS, int PIECES, int WARPS>
__global__ void convolve(struct image image, struct filter f, const __grid_constant__ struct bands bands, const __grid_constant__ CUtensorMap map)
{
    __shared__ alignas(128) uint4 tile[ROWS + 4][2 + PIECES + 2];
    __shared__ uint64_t full;
    unsigned b[2][2][2];

    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int left = 16 * PIECES * blockIdx.x, top = 2 + ROWS * blockIdx.y;

    for (int i = threadIdx.y; i < ROWS + 4 && PREFETCH && SMALL; i += WARPS) {
        int x = left + 128 * threadIdx.x;
        if (x < min(left + 16 * PIECES, image.pitch))
            prefetch_l2(image.in + min(top - 2 + i, image.height - 1) * image.pitch + x);
    }
    if (threadIdx.x + threadIdx.y == 0) {
        mbarrier_init(&full, 1);
        fence_proxy_async();
        cudaGridDependencySynchronize();
        mbarrier_arrive_expect(&full, sizeof tile);
        tma_load_2d(tile, &map, (left - 32) / 4, top - 2, &full);
    }
    make_banded(b, bands);
    __syncthreads();   // nobody waits at a barrier before it is one
    mbarrier_wait(&full, 0);
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();

    for (int k = threadIdx.y; k < PIECES / 4; k += WARPS) {   // 64 pixels side by side, down the tile
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

template <bool SMALL, int ROWS, int PIECES, int WARPS> void launch(const struct image *image, struct filter f)
{
    CUtensorMap map = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_UINT32, image->in, image->height, image->pitch / 4, ROWS + 4, 4 * (PIECES + 4),
                                     CU_TENSOR_MAP_SWIZZLE_NONE);
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.blockDim = dim3(32, WARPS);
    config.gridDim = dim3(ceil_div(image->width, 16 * PIECES), ceil_div(max(image->height - 4, 1), ROWS));
    config.stream = cudaStreamPerThread;
    config.attrs = &early;
    config.numAttrs = 1;

    if (image->memory_only)
        cudaLaunchKernelEx(&config, convolve<true, SMALL, ROWS, PIECES, WARPS>, *image, f, bands_of(f), map);
    else
        cudaLaunchKernelEx(&config, convolve<false, SMALL, ROWS, PIECES, WARPS>, *image, f, bands_of(f), map);
}

void convolution(const struct image *image, const struct filter *filter)
{
    if (image->pitch % 16)
        return refuse("pitches that are multiples of 16 only");
    struct filter f = *filter;
    if (!signed_bytes(&f))
        return;
    if ((long long)image->width * image->height < 16 * 512 * 32 * multiprocessors())
        launch<true, 8, 32, 4>(image, f);
    else
        launch<false, 32, 56, 7>(image, f);
}
