// exercise10: a ring of bulk copies: boxes of four rows, mbarriers and their phases
//
// Task: do this after stage 20. A block computes 512 columns of 32 rows, from top to bottom, 4 rows
// per step. Its input comes in boxes of 4 rows into a ring of 3 places. start_box(n) starts the
// copies of box n: bulk_load() copies a row, as TMA copies a tile. Each place has an mbarrier,
// which is used again for every third box: its phases are 0, 1, 0, 1 and so on. Write what a step
// needs: before it computes, the boxes that it reads must have arrived; after it, the place of one
// box is free and is filled again. It is solved if ./exercise10 finds no wrong pixel, and each box
// is copied once.
//
//   step s computes rows top + 4s to top + 4s + 3, from input rows 4s to 4s + 7: boxes s and s + 1
//   box n          0 1 2 3 4 5 6 7 8
//   place n % 3    0 1 2 0 1 2 0 1 2
//
// Hint: How many times was the place of box n filled before? Which phase does its mbarrier end
// then?
// Hint: Box n is at place n % RING and ends phase n / RING % 2. After step s no warp reads box s,
// if all warps have passed a barrier.
// Hint: Step s reads boxes s and s + 1: for each, wait with its place and the parity of its use.
// After the rows, all warps must be finished with box s, before one thread starts another box at
// its place. Which box is that, and does it exist?
//
// Points 5: correct
// Points 4 (cpu, 128x512): bulk_ld_requests == 4 * 9 * 4 and copies_in_flight >= 5
// Points 1 (gpu, 8192x8192): rate >= 0.08 * ref_memcpy.rate
// Check (cpu, 75x37, pitch=1000016, kernel=large)
// Needs: sm_90
#include "convolution.h"

using stage1::pixel, stage2::store_word;

#define BLOCK 128
#define BOX 4                         // rows per box
#define RING 3                        // boxes in shared memory
#define ROWS 32                       // output rows per block
#define BOXES (ROWS / BOX + 1)        // rows of input: 4 more
#define BYTES (16 + 4 * BLOCK + 16)   // per row of a box: 16 before and after the columns

// Starts the copies of box n: 4 rows, of which the first is row top - 2 + 4n of the image. Columns
// outside the rows are not copied, and rows outside are replaced: only the border needs them.
__device__ inline void start_box(unsigned char ring[][BOX][BYTES], uint64_t *full, int n,
                                 const struct image &image, int left, int top)
{
    int from = max(left - 16, 0), to = min(left + 4 * BLOCK + 16, image.pitch);

    mbarrier_arrive_expect_tx(&full[n % RING], BOX * (to - from));
    for (int k = 0; k < BOX; k++) {
        int y = min(top - 2 + BOX * n + k, image.height - 1);
        bulk_load(&ring[n % RING][k][from - (left - 16)], image.in + y * image.pitch + from,
                  to - from, &full[n % RING]);
    }
}

__global__ void convolve(struct image image, struct filter f)
{
    __shared__ alignas(128) unsigned char ring[RING][BOX][BYTES];
    __shared__ uint64_t full[RING];

    // four pixels from column x on, in rows `top` to `top` + ROWS - 1
    int left = 4 * BLOCK * blockIdx.x, x = left + 4 * threadIdx.x, top = 2 + ROWS * blockIdx.y;

    for (int k = threadIdx.x; k < RING * BOX * BYTES; k += BLOCK)   // what is never copied is 0
        ring[0][0][k] = 0;
    fence_proxy_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int n = 0; n < RING; n++)
            mbarrier_init(&full[n], 1);
        fence_proxy_async();
        for (int n = 0; n < RING; n++)
            start_box(ring, full, n, image, left, top);
    }
    __syncthreads();
    for (int s = 0; s < ROWS / BOX; s++) {
#ifdef SOLUTION
        for (int n = s; n < s + 2; n++)
            mbarrier_wait(&full[n % RING], n / RING % 2);
#else
        // TODO: wait for boxes s and s + 1
#endif
        for (int k = 0; k < BOX && x < image.width; k++) {   // from rows k to k + 4 of the boxes
            int y = top + BOX * s + k;
            unsigned pixels = 0;
            for (int p = 0; p < 4; p++) {
                int sum = 0;
                for (int i = 0; i < 5; i++) {
                    const unsigned char *row = ring[(s + (k + i) / BOX) % RING][(k + i) % BOX];
                    for (int j = 0; j < 5; j++)
                        sum += f.c[5 * i + j] * row[16 + 4 * threadIdx.x + p + j - 2];
                }
                pixels |= pixel(sum, f.scale) << 8 * p;
            }
            if (y < image.height - 2)
                store_word(image.out + y * image.pitch, x, image.width, pixels);
        }
#ifdef SOLUTION
        __syncthreads();   // all warps have read box s
        if (threadIdx.x == 0 && s + RING < BOXES)
            start_box(ring, full, s + RING, image, left, top);
#else
        // TODO: fill the place of box s again
#endif
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 grid(ceil_div(image->width, 4 * BLOCK), ceil_div(max(image->height - 4, 1), ROWS));

    if (image->pitch % 16)
        return refuse("pitches that are multiples of 16 only");
    convolve<<<grid, BLOCK>>>(*image, *filter);
}
