// exercise9: a ring of rows: a block walks down and copies each row once
//
// Task: do this after stage 15. A block computes 512 columns of 64 rows, from top to bottom. The
// last rows of its input are in a ring of 8 rows in shared memory. In each step one row is copied
// in, with cp.async, and one row is computed from five. start_row() starts the copy of a row and
// commits it as a group. Write what comes before a row is computed: start a copy, wait, and
// synchronize. Two rows shall stay in flight. It is solved if ./exercise9 finds no wrong pixel, and
// each row is copied once per block. Input row top - 2 + n is in ring[n % RING].
//
//   step 0    needs n = 0 to 4      in flight 5, 6
//   step 1    needs n = 1 to 5      in flight 6, 7
//
// Hint: Before the loop, rows n = 0 to 5 are started. Which row must step 0 start, so that two are
// in flight while it computes? Which row may be replaced in the ring at that time?
// Hint: __pipeline_wait_prior(k) waits until at most the last k groups of this thread are
// incomplete. Other threads copied parts of the row as well.
// Hint: A step starts the copies of one row, waits until all but the AHEAD newest groups are
// complete, and meets the other threads. Why is one barrier per step enough, with 8 rows in the
// ring and 7 in use?
//
// Points 5: correct
// Points 4 (cpu, 128x512): ld_requests <= 5 * (2 * 6 + 124) and copies_in_flight >= 2
// Points 1 (gpu, 8192x8192): rate >= 0.08 * ref_memcpy.rate
// Check (cpu, 75x37, pitch=1000004, kernel=large)
// Check (cpu, 8x40003)
#include "convolution.h"

using stage1::pixel, stage2::store_word;

#define BLOCK 128
#define ROWS 64   // output rows per block
#define RING 8    // rows in shared memory
#define AHEAD 2   // rows in flight while one is computed

// Starts the copy of input row y, from a word before column `left` on, to a row of the ring.
__device__ inline void start_row(unsigned *slot, const struct image &image, int left, int y)
{
    const unsigned char *in = image.in + min(y, image.height - 1) * image.pitch;

    for (int k = threadIdx.x; k < BLOCK + 2; k += BLOCK)
        __pipeline_memcpy_async(&slot[k], in + min(max(left + 4 * (k - 1), 0), image.pitch - 4), 4);
    __pipeline_commit();
}

__global__ void convolve(struct image image, struct filter f)
{
    __shared__ unsigned ring[RING][1 + BLOCK + 1];

    // output rows top to end - 1, four pixels from column x on
    int left = 4 * BLOCK * blockIdx.x, x = left + 4 * threadIdx.x;
    int top = 2 + ROWS * blockIdx.y, end = min(top + ROWS, image.height - 2);

    for (int n = 0; n < 4 + AHEAD; n++)
        start_row(ring[n], image, left, top - 2 + n);
    for (int n = 0, y = top; y < end; n++, y++) {   // step n
#ifdef SOLUTION
        start_row(ring[(n + 4 + AHEAD) % RING], image, left, y + 2 + AHEAD);
        __pipeline_wait_prior(AHEAD);
        __syncthreads();
#else
        // TODO: start the copy of one more row; wait until rows n to n + 4 have arrived, of all
        // threads
#endif
        unsigned pixels = 0;
        for (int p = 0; p < 4; p++) {
            int sum = 0;
            for (int i = 0; i < 5; i++) {
                const unsigned char *row = (const unsigned char *)ring[(n + i) % RING];
                for (int j = 0; j < 5; j++)
                    sum += f.c[5 * i + j] * row[4 + 4 * threadIdx.x + p + j - 2];
            }
            pixels |= pixel(sum, f.scale) << 8 * p;
        }
        store_word(image.out + y * image.pitch, x, image.width, pixels);
    }
    __pipeline_wait_prior(0);   // no copy may be in flight when the block ends
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 grid(ceil_div(image->width, 4 * BLOCK), ceil_div(max(image->height - 4, 1), ROWS));

    if (image->pitch % 4)
        return refuse("pitches that are multiples of 4 only");
    convolve<<<grid, BLOCK>>>(*image, *filter);
}
