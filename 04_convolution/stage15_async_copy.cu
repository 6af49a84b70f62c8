// stage15: asynchronous copies (cp.async) into a shared-memory tile
//
// A request of stage 14 loads only 64 bytes of each of four rows, and most pixels are loaded twice.
// Change: a block copies a tile of 512 x 32 pixels and its halo to shared memory once. Each
// __pipeline_memcpy_async() copies 16 bytes and needs no register: a warp starts the copies of its
// 9 rows, and waits once. With a load and a store in its place the stage takes 1.4 times as long.
// Seven blocks fit on an SM (H100: six): one can compute while others' tiles are in flight.
//   tile row   | 16 | 512 pixels | 16 |   544 bytes = 136 words: each row starts 8 banks after the
//              halo                halo   row above, so that 8-byte loads of 4 rows do not conflict
// Look at: load sectors, less than a fifth of stage 14's. At 2048 x 2048 stage 14 is faster.
// make stage15 && ./stage15        make diff B=15
// Expect (cpu, 512x512): ld_sectors <= 0.19 * stage14.ld_sectors
// Expect (sm_90, 32768x32768): rate >= 1.1 * stage14.rate
// Expect (sm_90, 32768x32768): rate >= 0.76 * ref_memcpy.rate
// Expect (sm_90, 2048x2048): rate <= 0.97 * stage14.rate
#include "convolution.h"

// Warps per block; output rows per tile, and chunks of 16 pixels per row of it.
const int WARPS = 4, ROWS = 32, CHUNKS = 32;

using stage4::store_vector, stage6::row, stage14::convolve_mma;

// The row whose 8 pixels start at `own` in shared memory.
__device__ inline struct row load_shared_row(const unsigned *own)
{
    uint2 middle = *(const uint2 *)own;

    return { { own[-1], middle.x, middle.y, own[2] } };
}

struct no_wait {
    __device__ void operator()(int) const {}
};

// A warp convolves 64 columns of a tile with rows of `chunks` chunks of 4 words, top to bottom. A
// step makes 4 rows of output from 8 rows: lane 4g + t has 8 pixels in row t of them, and loads 8
// in row t + 4, which is row t of the next step. It stores 8 at column x of rows y, y + 4, ...
// wait(i) waits for row i of the tile (stage 20).
template <int rows, int chunks, class Wait = no_wait>
__device__ inline void convolve_columns(const unsigned *own, const struct image &image, int x,
                                        int y, const unsigned b[2][2][2], float scale,
                                        Wait wait = {})
{
    struct row upper = load_shared_row(own);

#pragma unroll 4
    for (int i = 0; i < rows; i += 4) {
        wait(i + 4);
        own += 4 * chunks * 4;   // 4 rows of `chunks` chunks of 4 words
        struct row lower = load_shared_row(own);
        uint2 pixels = convolve_mma(upper, lower, b, scale);
        if (y + i < image.height - 2)
            store_vector(image.out + (y + i) * image.pitch, x, image.width, pixels);
        upper = lower;
    }
}

__global__ void convolve(struct image image, const __grid_constant__ Banded banded)
{
    __shared__ uint4 tile[ROWS + 4][1 + CHUNKS + 1];

    // lane 4g + t: columns 8g to 8g + 7, rows t and t + 4 of 8; output tile at (left, top)
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int left = 16 * CHUNKS * blockIdx.x, top = 2 + ROWS * blockIdx.y;

    // a warp per row, 16 bytes per lane; columns and rows are clamped to the image
    for (int i = threadIdx.y; i < ROWS + 4; i += WARPS) {
        const unsigned char *in = image.in + min(top - 2 + i, image.height - 1) * image.pitch;
        for (int k = threadIdx.x; k < CHUNKS + 2; k += 32)
            __pipeline_memcpy_async(&tile[i][k],
                                    in + min(max(left + 16 * (k - 1), 0), image.pitch - 16), 16);
    }
    __pipeline_commit();
    unsigned b[2][2][2];
    banded.fragments(b);
    __pipeline_wait_prior(0);   // this thread's copies have arrived
    __syncthreads();

    // each warp: 64 columns of the tile, group k; lane 4g + t starts at row t, word 2g of the group
    for (int k = threadIdx.y; k < CHUNKS / 4; k += WARPS) {
        const unsigned *own = (const unsigned *)&tile[t][1 + 4 * k] + 2 * g;
        convolve_columns<ROWS, CHUNKS + 2>(own, image, left + 64 * k + 8 * g, top + t, b,
                                           banded.scale);
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 grid(ceil_div(image->width, 16 * CHUNKS), ceil_div(max(image->height - 4, 1), ROWS));

    if (image->pitch % 16)
        return refuse("pitches that are multiples of 16 only");
    struct filter f = *filter;   // a copy: signed_bytes() may negate it
    if (!signed_bytes(&f))
        return;
    convolve<<<grid, dim3(32, WARPS)>>>(*image, Banded(f));
}
