// exercise3: sliding sums: each row is loaded and unpacked once
//
// Task: do this after stage 6. Its window keeps rows of pixels, and each pixel is taken from its
// word again for each of the five rows of output that need it. Here a thread keeps sums: a row that
// it loads is row 0 of the filter for the output two rows below, ... and row 4 for the output two
// rows above. Write the loop over the rows. It is solved if ./exercise3 finds no wrong pixel, and a
// warp makes 3 load requests per row. byte(word, k) is pixel k of the 12 in three words; the
// thread's four pixels are 4 to 7.
//
//   input row r            r            r            r            r
//   is row of the filter   0            1            2            3            4
//   for output row         r + 2        r + 1        r            r - 1        r - 2
//   kept in                sum[0]       sum[1]       sum[2]       sum[3]       sum[4] -> store
//
// Hint: For which output row is sum[0] while the thread works on row r? In which element must it be
// kept when row r + 1 comes?
// Hint: From row to row, sum[i] becomes sum[i + 1], and sum[0] starts at 0. Then add the products
// of the row to all five. When is sum[4] complete?
// Hint: Rows go from two above the first output row to two below the last. In each row: move the
// sums on, add the products of this row to all five, and store the one that is complete. Which
// output row is that, and for which first rows is there none yet?
//
// Points 4: correct
// Points 5 (cpu, 128x256): ld_requests <= 3 * 2 * (6 * 24 + 8) and ld_requests >= 3 * 2 * 124
// Points 1 (gpu, 8192x8192): rate >= 0.06 * ref_memcpy.rate
// Check (cpu, 75x37, pitch=1000004, kernel=large)
// Check (cpu, 33003x8)
#include "convolution.h"

using stage1::pixel, stage2::load_clamped, stage2::store_word;

#define BLOCK 32
#define ROWS 20   // output rows per thread

// Pixel k of the 12 in three words.
__device__ inline int byte(const unsigned *word, int k) { return word[k / 4] >> 8 * (k % 4) & 255; }

// Stores four pixels at column x of an output row.
__device__ inline void store_sums(unsigned char *row, int x, int width, const int sum[4],
                                  float scale)
{
    unsigned pixels = 0;

    for (int p = 0; p < 4; p++)
        pixels |= pixel(sum[p], scale) << 8 * p;
    store_word(row, x, width, pixels);
}

__global__ void convolve(struct image image, struct filter f)
{
    // output rows y to end - 1, 4 pixels from column x on
    int x = 4 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + ROWS * blockIdx.y, end = min(y + ROWS, image.height - 2);

    if (x >= image.width - 2 || y >= end)
        return;
    int sum[5][4] = {};
#ifdef SOLUTION
    for (int r = y - 2; r < end + 2; r++) {
        unsigned word[3];
        for (int n = 0; n < 3; n++)
            word[n] = load_clamped<unsigned>(image, x - 4 + 4 * n, r);
        for (int i = 4; i >= 0; i--)   // downward: sum[i - 1] still belongs to the last row
            for (int p = 0; p < 4; p++) {
                sum[i][p] = i > 0 ? sum[i - 1][p] : 0;
                for (int j = 0; j < 5; j++)
                    sum[i][p] += f.c[5 * i + j] * byte(word, p + j + 2);
            }
        if (r - 2 >= y)
            store_sums(image.out + (r - 2) * image.pitch, x, image.width, sum[4], f.scale);
    }
#else
    // TODO: the loop over the rows of the input, with store_sums() for each row of the output
#endif
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 grid(ceil_div(image->width, 4 * BLOCK), ceil_div(max(image->height - 4, 1), ROWS));

    if (image->pitch % 4)
        return refuse("pitches that are multiples of 4 only");
    convolve<<<grid, BLOCK>>>(*image, *filter);
}
