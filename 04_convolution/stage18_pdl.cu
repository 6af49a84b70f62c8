// stage18: programmatic dependent launch (PDL), overlapping calls
//
// Each call of stage 17 starts when the one before has ended. The memory is idle while the last
// blocks compute, the next kernel is launched, and its first tiles arrive. In a small image this is
// much of the time. Change: the next call starts when all blocks of this one have triggered. Its
// loading threads wait for the end of this one, and barriers order the stores after their wait.
//   call n      | prologue | load | trigger | convolve, store |
//   call n + 1                              | prologue, wait  | load | trigger | ...
// Prologue: the coefficient matrix b and the mbarrier. Look at: the time of a call in a stream and
// from a graph. Large images gain nothing.
// make stage18 && ./stage18 -n 2048        make diff B=18
// Needs: sm_90
// Expect (cpu, 512x512): dependent_kernels == 1 and bulk_ld_bytes == stage17.bulk_ld_bytes
// Expect (sm_90, 2048x2048): median_us <= 0.9 * stage17.median_us
// Expect (sm_90, 2048x2048): graph_us <= 0.95 * stage17.graph_us
// Expect (sm_90, 32768x32768): rate >= 0.94 * ref_memcpy.rate
#include "convolution.h"

using stage15::convolve_columns, stage16::image_map;

// How to launch a kernel that may start before the previous one of the stream has ended.
inline cudaLaunchConfig_t dependent_launch(dim3 grid, dim3 block)
{
    static cudaLaunchAttribute pdl;   // the configuration refers to it

    pdl.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    pdl.val.programmaticStreamSerializationAllowed = 1;
    // 0 bytes of dynamic shared memory; 1 attribute
    return { grid, block, 0, cudaStreamPerThread, &pdl, 1 };
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
    cudaTriggerProgrammaticLaunchCompletion();   // no more loads here: the next call may start

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
