// stage7: FP32 FMA instead of integer multiply-add
//
// Stage 6's limit is the integer multiply-add: an SM does 64 per cycle, but 128 FP32 FMA. Change:
// convert each row to floats once, when it enters the window, and sum in floats. Sums are integers
// up to 2^24, which floats represent exactly in any order; larger sums are refused.
//
//   rows[k] --unpack--> window[(k + 4) % 5]: 12 floats; a sum reads window[0..4]
//
// Look at: FFMA in make sass STAGES=stage7: 1000 for 40 pixels, where stage 6 has 1004 IMAD. So
// hardly fewer instructions (make instructions), yet a higher rate. The limit is now their issue:
// one per cycle for each of an SM's four schedulers.
// make stage7 && ./stage7        make diff B=7
// Expect (sm_90, 32768x32768): rate >= 1.19 * stage6.rate
#include "convolution.h"

const int BLOCK = 128, ROWS = 20;   // threads per block, output rows per thread

using stage4::store_vector, stage6::row;

// The 12 pixels that the sums need, as floats.
__device__ inline void unpack(float pixels[12], struct row row)
{
    for (int k = 0; k < 12; k++)
        pixels[k] = row.word[(k + 2) / 4] >> 8 * ((k + 2) % 4) & 255;
}

__global__ void convolve(struct image image, struct filter f)
{
    struct row rows[5] = {};   // the next 5 rows
    float window[5][12];   // row k as floats is window[k % 5]; a step is 5 rows: constant indices

    // thread tile: output rows y to end - 1, 8 pixels from column x on; `in` starts 2 rows above it
    int x = 8 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + ROWS * blockIdx.y, end = min(y + ROWS, image.height - 2);
    const unsigned char *in = image.in + (y - 2) * image.pitch + x;

    if (x >= image.width || y >= end)
        return;
    for (int i = 0; i < 4; i++, in += image.pitch)
        unpack(window[i], row::load(in, x, image.pitch));
    for (; y < end; y += 5) {
        for (int k = 0; k < 5; k++, in += image.pitch)   // 5 rows in flight
            if (y + k < end)
                rows[k] = row::load(in, x, image.pitch);
#pragma unroll
        for (int k = 0; k < 5; k++) {
            unsigned pixels[2] = {};
            unpack(window[(k + 4) % 5], rows[k]);
#pragma unroll
            for (int p = 0; p < 8; p++) {
                float sum = 0;
                for (int i = 0; i < 5; i++)
                    for (int j = 0; j < 5; j++)
                        sum += f.w[5 * i + j] * window[(k + i) % 5][p + j];
                pixels[p / 4] |= min(max((int)(sum * f.scale), 0), 255) << 8 * (p % 4);
            }
            if (y + k < end)
                store_vector(image.out + (y + k) * image.pitch, x, image.width,
                             make_uint2(pixels[0], pixels[1]));
        }
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 grid(ceil_div(image->width, 8 * BLOCK), ceil_div(max(image->height - 4, 1), ROWS));

    if (image->pitch % 8)
        return refuse("pitches that are multiples of 8 only");
    if (max_sum(filter) > 1 << 24)
        return refuse("sums of pixels up to 2^24 only: floats hold no larger ones exactly");
    convolve<<<grid, BLOCK>>>(*image, *filter);
}
