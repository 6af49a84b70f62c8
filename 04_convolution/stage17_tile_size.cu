// stage17: tile size, chosen by the image size
//
// Stage 16's tile of 512 x 32 pixels has much halo for a large image, and makes too few blocks of a
// small one. Change: the tile size is a template parameter. Large images get tiles of 896 x 32 and
// seven warps: less halo. Small images get tiles of 512 x 16 and eight warps: 512 blocks at 2048 x
// 2048, where 896 x 32 would be 192, of 528 that an H200 holds at a time.
//   large image    tile 896 x 32, 7 warps     box 960 x 36 bytes: 1.21 bytes loaded per pixel
//   small image    tile 512 x 16, 8 warps     box 576 x 20 bytes: 1.41 bytes loaded per pixel
// Look at: bytes of bulk copies, and the number of blocks. 32768 x 32768 gains 2 % (H100: nothing),
// and 8192 x 8192 loses 3 % (H100: 2 %). The next three stages are about the small image.
// make stage17 && ./stage17 -n 2048        ./stage17 -n 256x512        make diff B=17
// Needs: sm_90
// Expect (cpu, 256x1792): bulk_ld_bytes <= 0.94 * stage16.bulk_ld_bytes
// Expect (cpu, 256x512): bulk_ld_requests == 2 * stage16.bulk_ld_requests
// Expect (sm_90, 2048x2048): rate >= 1.05 * stage16.rate
// Expect (sm_90, 32768x32768): rate >= 0.92 * ref_memcpy.rate
#include "convolution.h"

#ifndef SMALL_WARPS
#define SMALL_WARPS 8   // warps per block of a small image's tiles, 512 x 16; stage 16 has 4
#endif

using stage15::convolve_columns, stage16::image_map;

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

    if (threadIdx.x + threadIdx.y == 0) {   // one thread
        mbarrier_init(&full, 1);            // a phase ends after 1 arrival and all expected bytes
        fence_proxy_async();                // TMA must see the initialized mbarrier
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        tma_load_2d(tile, &map, (left - 32) / 4, top - 2, &full);
    }
    unsigned b[2][2][2];
    banded.fragments(b);
    __syncthreads();           // the mbarrier must be initialized before any thread waits on it
    mbarrier_wait(&full, 0);   // 0: the first phase

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

    convolve<ROWS, CHUNKS, WARPS><<<grid, dim3(32, WARPS)>>>(*image, Banded(f), map);
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
        launch<16, 32, SMALL_WARPS>(image, f);   // rows, chunks, warps
    else
        launch<32, 56, 7>(image, f);   // rows, chunks, warps
}
