// stage22: early. A small image takes little longer than a launch: the next call begins before this one has ended.
//
// Calls in a stream wait for each other, and launching, filling and draining the GPU is most of a short one. Change: programmatic dependent launch.
// A kernel launched so may start as soon as every block of the one before has said that it may, here when its tile has come. It takes the places
// that become free, and waits only where it needs what the other kernel made: before its first load or store. Up to there it makes b and, where
// tiles are few, asks for its rows to be brought into L2, where what is stored later still replaces them. The launch is a function call, since
// <<<>>> has no word for it.
//
// make stage22 && ./stage22 -n 2048; make stage22 PREFETCH=0 && ./stage22 -n 2048; make diff A=21 B=22
//
// Needs: sm_90
// Expect (sm_90, 2048x2048): rate >= stage21.rate
#include "convolution.h"

#ifndef WARPS
#define WARPS 4
#endif
#ifndef PIECES
#define PIECES 32         // of 16 pixels, in a row of the tile
#endif
#ifndef PREFETCH
#define PREFETCH 1
#endif
static_assert(WARPS <= 32 && PIECES % 8 == 0, "at most 32 warps; PIECES must be a multiple of 8");

template <bool memory_only, class Unit, int ROWS> __global__ void convolve(struct image image, struct filter f, struct bands bands)
{
    const int unit = sizeof(Unit);
    __shared__ uint4 tile[ROWS + 4][1 + PIECES + 1];
    __shared__ uint4 result[unit < 16 ? ROWS : 1][PIECES + 2];
    unsigned b[2][2][2];

    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int left = 16 * PIECES * blockIdx.x, top = 2 + ROWS * blockIdx.y;

    for (int i = threadIdx.y; i < ROWS + 4 && PREFETCH && ROWS == 8; i += WARPS) {
        int x = left + 128 * threadIdx.x;
        if (threadIdx.x < 16 * PIECES / 128 && x < image.pitch)
            prefetch_l2(image.in + min(top - 2 + i, image.height - 1) * image.pitch + x);
    }
    make_banded(b, bands);
    cudaGridDependencySynchronize();
    for (int i = threadIdx.y; i < ROWS + 4; i += WARPS) {
        const unsigned char *in = image.in + min(top - 2 + i, image.height - 1) * image.pitch;
        for (int k = threadIdx.x; k < 16 * (PIECES + 2) / unit; k += 32) {
            const Unit *from = (const Unit *)(in + min(max(left - 16 + unit * k, 0), image.pitch - unit));
            if (unit == 1)
                ((Unit *)tile[i])[k] = *from;
            else
                __pipeline_memcpy_async((Unit *)tile[i] + k, from, unit);
        }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    cudaTriggerProgrammaticLaunchCompletion();

    for (int i = 4 * threadIdx.y; i < ROWS; i += 4 * WARPS)
        #pragma unroll 2
        for (int k = 0; k < PIECES / 4; k++) {   // 64 pixels side by side, in four rows
            const uint4 *at = &tile[i + t][1 + 4 * k];
            uint2 pixels = eight_pixels<memory_only>(around((const unsigned *)at + 2 * g), around((const unsigned *)(at + 4 * (PIECES + 2)) + 2 * g), b, f);
            int x = left + 64 * k + 8 * g, y = top + i + t;

            if (unit < 16)
                ((uint2 *)result[i + t])[8 * k + g] = pixels;
            else if (y < image.height - 2)
                store(image.out + y * image.pitch, x, image.width, pixels);
        }
    if (unit == 16)
        return;
    __syncthreads();
    for (int i = threadIdx.y; i < ROWS && top + i < image.height - 2; i += WARPS)
        for (int k = threadIdx.x; k < 16 * PIECES / unit; k += 32)
            store(image.out + (top + i) * image.pitch, left + unit * k, image.width, ((const Unit *)result[i])[k]);
}

template <class Unit, int ROWS> void launch(const struct image *image, struct filter f)
{
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
        cudaLaunchKernelEx(&config, convolve<true, Unit, ROWS>, *image, f, bands_of(f));
    else
        cudaLaunchKernelEx(&config, convolve<false, Unit, ROWS>, *image, f, bands_of(f));
}

template <class Unit> void launch(const struct image *image, struct filter f)
{
    if ((long long)image->width * image->height < 512 * 32 * 16 * multiprocessors())
        launch<Unit, 8>(image, f);
    else
        launch<Unit, 32>(image, f);
}

void convolution(const struct image *image, const struct filter *filter)
{
    struct filter f = *filter;
    if (!signed_bytes(&f))
        return;
    if (image->pitch % 16 == 0)
        launch<uint4>(image, f);
    else if (image->pitch % 4 == 0)
        launch<unsigned>(image, f);
    else
        launch<unsigned char>(image, f);
}
