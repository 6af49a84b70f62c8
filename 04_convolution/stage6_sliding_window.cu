// stage6: register tiling with a sliding window (thread tile of 8 x 20 pixels)
//
// Stage 5 stores its tile into shared memory, waits at a barrier, and reads it again. Change: no
// shared memory. A thread computes 8 columns of 20 rows, from top to bottom. It loads each row
// once, its 8 pixels and a word on each side, and keeps 9 rows in registers: the window.
//
//   rows[0..3]  | 4 px | 8 own pixels | 4 px |   the last rows of the step before
//   rows[4..8]  | 4 px | 8 own pixels | 4 px |   loaded together in this step: 5 rows in flight
//   A step computes output rows k = 0 to 4 from rows[k..k + 4], and slides the window down by 5.
//
// Look at: 25 integer multiply-adds per pixel are the limit; an SM executes 64 per cycle. An image
// of 2048 x 2048 has 199 threads per SM, and is slower than in stage 5. The reason is not tested.
// make stage6 && ./stage6        make diff B=6
// Expect (cpu, 512x512): shared_requests == 0
// Expect (sm_90, 32768x32768): rate >= 1.06 * stage5.rate
// Expect (sm_90, 2048x2048): rate <= 0.76 * stage5.rate
#include "convolution.h"

const int BLOCK = 128, ROWS = 20;   // threads per block, output rows per thread

using stage1::pixel, stage4::store_vector;

// 16 pixels of a row, one byte each: the thread's 8, and 4 on each side of them. Two of the 4 are
// neighbors; a whole word is one aligned load.
struct row {
    unsigned word[4];

    // Loads the row whose 8 pixels start at `own`, column x. Neighbors outside the row are 0.
    __device__ static row load(const unsigned char *own, int x, int pitch)
    {
        uint2 middle = *(const uint2 *)own;
        unsigned left = x > 0 ? *(const unsigned *)(own - 4) : 0;
        unsigned right = x + 8 < pitch ? *(const unsigned *)(own + 8) : 0;

        return { { left, middle.x, middle.y, right } };
    }
};

// Pixel k of the 16.
__device__ inline int byte(struct row row, int k) { return row.word[k / 4] >> 8 * (k % 4) & 255; }

__global__ void convolve(struct image image, struct filter f)
{
    struct row rows[9] = {};   // the window: 4 rows and the next 5

    // thread tile: output rows y to end - 1, 8 pixels from column x on; `in` starts 2 rows above it
    int x = 8 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + ROWS * blockIdx.y, end = min(y + ROWS, image.height - 2);
    const unsigned char *in = image.in + (y - 2) * image.pitch + x;

    if (x >= image.width || y >= end)
        return;
    for (int i = 0; i < 4; i++, in += image.pitch)
        rows[i] = row::load(in, x, image.pitch);
    for (; y < end; y += 5) {
        // 5 rows in flight; rows beyond the end are not loaded, and their results are not stored
        for (int k = 0; k < 5; k++, in += image.pitch)
            if (y + k < end)
                rows[4 + k] = row::load(in, x, image.pitch);
#pragma unroll   // rows[] is in registers only if its indices are constants
        for (int k = 0; k < 5; k++) {
            unsigned pixels[2] = {};   // pixel p is byte p + 4: it needs bytes p + 2 to p + 6
#pragma unroll
            for (int p = 0; p < 8; p++) {
                int sum = 0;
                for (int i = 0; i < 5; i++)
                    for (int j = 0; j < 5; j++)
                        sum += f.c[5 * i + j] * byte(rows[k + i], p + 2 + j);
                pixels[p / 4] |= pixel(sum, f.scale) << 8 * (p % 4);
            }
            if (y + k < end)
                store_vector(image.out + (y + k) * image.pitch, x, image.width,
                             make_uint2(pixels[0], pixels[1]));
        }
        for (int i = 0; i < 4; i++)   // slide the window down by 5 rows
            rows[i] = rows[5 + i];
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    // at least 1 row: a grid without blocks is an error
    dim3 grid(ceil_div(image->width, 8 * BLOCK), ceil_div(max(image->height - 4, 1), ROWS));

    if (image->pitch % 8)
        return refuse("pitches that are multiples of 8 only");
    convolve<<<grid, BLOCK>>>(*image, *filter);
}
