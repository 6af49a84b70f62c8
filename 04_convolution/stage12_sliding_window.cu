// stage12: strips. No shared memory: a thread walks down the image, and the rows that it works on
// stay in its registers.
//
// A tile is stored into shared memory, waited for and read again. Change: a thread owns a strip,
// eight pixels wide and 20 rows high, and keeps the rows that reach into its sums. It loads each
// row once, five at a time, so that they are on their way together: its own eight bytes, and the
// words left and right of them, which its neighbours have brought into the L1 cache. The profiler
// counts 39.5 instructions a pixel, and 54 in stage 11; 25 of them are multiplications, of which an
// SM can do 64 in a cycle (CUDA C++ Programming Guide, arithmetic instructions): these are the
// limit. A small image has few strips, and they take long: there stage 11 is ahead.
//
// make stage12 && ./stage12; make stage12 STRIP=40 && ./stage12; make sass STAGES=stage12
//
// Expect (cpu, 512x512): shared_requests == 0
// Expect (cpu, 512x512): ld_requests == stage12[memory-only].ld_requests
// Expect (sm_90, 32768x32768): rate >= 1.13 * stage11.rate
// Expect (sm_90, 32768x32768): rate >= 1.3 * ref_npp.rate
// Expect (sm_90, 2048x2048): rate <= 0.77 * stage11.rate
#include "convolution.h"

#ifndef BLOCK
#define BLOCK 128
#endif
#ifndef STRIP
#define STRIP 20
#endif
static_assert(BLOCK % 32 == 0 && BLOCK <= 1024 && STRIP % 5 == 0,
              "BLOCK must be a multiple of 32 up to 1024, STRIP one of 5");

// Sixteen bytes of a row: the thread's own eight pixels, and four on each side of them, or zeros
// where the row ends.
struct row {
    unsigned word[4];
};

__device__ inline struct row load(const unsigned char *at, bool left, bool right)
{
    uint2 own = *(const uint2 *)at;

    return { { left ? *(const unsigned *)(at - 4) : 0, own.x, own.y,
               right ? *(const unsigned *)(at + 8) : 0 } };
}

__device__ inline int byte(struct row row, int k) { return row.word[k / 4] >> 8 * (k % 4) & 255; }

template <bool memory_only> __global__ void convolve(struct image image, struct filter f)
{
    struct row rows[9];   // four from above, and five more

    int x = 8 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + STRIP * blockIdx.y, end = min(y + STRIP, image.height - 2);
    bool left = x > 0, right = x + 8 < image.pitch;
    const unsigned char *in = image.in + (y - 2) * image.pitch + x;

    if (x >= image.width || y >= end)
        return;
    for (int i = 0; i < 4; i++, in += image.pitch)
        rows[i] = load(in, left, right);
    for (; y < end; y += 5) {
        for (int k = 0; k < 5; k++, in += image.pitch)
            if (y + k < end)
                rows[4 + k] = load(in, left, right);
#pragma unroll
        for (int k = 0; k < 5; k++) {
            unsigned pixels[2] = {}, others = 0;
#pragma unroll
            for (int p = 0; p < 8; p++) {
                int sum = 0;
                for (int i = 0; i < 5; i++)
                    for (int j = 0; j < 5; j++)
                        sum += f.c[5 * i + j] * byte(rows[k + i], p + 2 + j);
                pixels[p / 4] |= pixel(sum, f.scale) << 8 * (p % 4);
            }
            for (int i = 0; i < 20 && memory_only; i++)
                others |= rows[k + i / 4].word[i % 4];
            for (int i = 0; i < 2 && memory_only; i++)
                pixels[i] = rows[k + 2].word[1 + i] | (others & f.c[0]);
            if (y + k < end)
                store(image.out + (y + k) * image.pitch, x, image.width,
                      make_uint2(pixels[0], pixels[1]));
        }
        for (int i = 0; i < 4; i++)
            rows[i] = rows[5 + i];
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 grid(ceil_div(image->width, 8 * BLOCK), ceil_div(max(image->height - 4, 1), STRIP));

    if (image->pitch % 8)
        return refuse("pitches that are multiples of 8 only");
    if (image->memory_only)
        convolve<true><<<grid, BLOCK>>>(*image, *filter);
    else
        convolve<false><<<grid, BLOCK>>>(*image, *filter);
}
