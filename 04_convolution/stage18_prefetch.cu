// stage18: ahead. Rows are asked for before they are needed, and two strips that share rows need
// them at the same time.
//
// Stage 17 loads five rows, and every thread waits for the first of them. A strip's first four are
// the last of the one above, which asks for them much later. Changes, all to how pixels come. As
// soon as a row has been taken over, the one four rows on is asked for, into the same registers. A
// thread has sixteen pixels, in one load of 16 bytes, and the words beside them are shuffled from
// the lanes beside it: only a warp's first and last lane load one. What it takes to go from row to
// row is spread over twice the pixels. And every second strip is walked from its bottom up, with
// the kernel upside down: neighbours begin together where they meet, or end there. A strip is as
// long as leaves 8192 warps to make, from 4 to STRIP rows: a small image needs short ones. Exact,
// as stage 15.
//
// Without the arithmetic it takes nearly as long. What else may hold it up: the pipe that does dp4a
// (ask ncu for sm__pipe_fmaheavy_cycles_active) and, with both at work, the power that the GPU may
// draw, at which its clock falls (nvidia-smi, clocks.sm).
//
// make stage18 && ./stage18; ./stage18 --memory-only;
// make stage18 TURN=0 && ./stage18 --memory-only; make diff A=17 B=18
//
// Long: as stage 17, both ways up.
// Expect (cpu, 512x512): ld_requests <= 0.3 * stage17.ld_requests
// Expect (cpu, 512x512): ld_requests == stage18[memory-only].ld_requests
// Expect (sm_90, 32768x32768): rate >= 1.05 * stage17.rate
// Expect (sm_90, 32768x32768): rate >= 0.77 * ref_memcpy.rate
#include "convolution.h"

#ifndef BLOCK
#define BLOCK 128
#endif
#ifndef BLOCKS_PER_SM
#define BLOCKS_PER_SM 6
#endif
#ifndef STRIP
#define STRIP 32
#endif
#ifndef TURN
#define TURN 1
#endif
static_assert(BLOCK % 32 == 0 && BLOCK <= 1024 && STRIP >= 4,
              "BLOCK must be a multiple of 32 up to 1024, STRIP 4 or more");
static_assert(BLOCK * BLOCKS_PER_SM <= 2048,
              "an SM has room for 2048 threads: for BLOCKS_PER_SM blocks of BLOCK");

// Of a row the thread's own sixteen pixels, and four on each side of them, whatever those are where
// the row ends.
struct row {
    unsigned word[6];
};

// A row on its way: the thread's own pixels, and for a warp's first and last lane the word beside
// them.
struct coming {
    uint4 own;
    unsigned beside;
};

__device__ inline void ask(struct coming &row, const unsigned char *at, int beside)
{
    row.own = *(const uint4 *)at;
    if (beside)
        row.beside = *(const unsigned *)(at + beside);
}

__device__ inline struct row take(struct coming row, int lane)
{
    unsigned left = __shfl_up_sync(~0u, row.own.w, 1), right = __shfl_down_sync(~0u, row.own.x, 1);

    return { { lane == 0 ? row.beside : left, row.own.x, row.own.y, row.own.z, row.own.w,
               lane == 31 ? row.beside : right } };
}

// As in stage 17, for walking down and for walking up.
struct fours {
    struct {
        unsigned column[5], last[4][2];
    } walking[2];
};

__device__ inline void push(unsigned column[20], struct row row)
{
#pragma unroll
    for (int k = 0; k < 20; k++)
        column[k] = __byte_perm(column[k], row.word[(k + 2) / 4], 0x4321 + 0x1000 * ((k + 2) % 4));
}

#define ZERO 0x4B000000   // the bits of 2^23 as a float

template <bool memory_only>
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    convolve(struct image image, struct filter f, const __grid_constant__ struct fours fours,
             int strip)
{
    struct coming next[4] = {};   // row y + k at place k
    unsigned column[20] = {};
    unsigned others = 0;
    float value[4], back = -0x1p23f * f.scale;

    int x = 16 * (BLOCK * blockIdx.x + threadIdx.x), lane = threadIdx.x % 32;
    int beside = lane == 0 && x > 0 ? -4 : lane == 31 && x + 16 < image.pitch ? 16 : 0;
    bool inside = x >= 2 && x + 16 <= image.width - 2;
    // to be read; all but the first four end a row of output
    int top = strip * blockIdx.y, rows = min(strip, image.height - 4 - top) + 4;
    bool up = TURN && blockIdx.y % 2;
    int first = up ? top + rows - 1 : top, step = up ? -image.pitch : image.pitch;
    const unsigned char *in = image.in + first * image.pitch + min(x, image.pitch - 16);
    unsigned char *out = image.out + first * image.pitch + 2 * step + x;

    if (x - 16 * lane >= image.width || rows <= 4)   // the warp
        return;
#pragma unroll
    for (int k = 0; k < 4; k++, in += step)
        ask(next[k], in, beside);
#pragma unroll
    for (int k = 0; k < 4; k++, in += step) {
        struct row row = take(next[k], lane);

        if (4 + k < rows)
            ask(next[k], in, beside);
        push(column, row);
        others |= row.word[0] | row.word[5];
    }
#pragma unroll 1
    for (int y = 4; y < rows; y += 4) {
#pragma unroll
        for (int k = 0; k < 4; k++, in += step, out += step) {
            if (y + k >= rows)
                return;
            unsigned pixels[4];
            struct row row = take(next[k], lane);

            if (y + k + 4 < rows)
                ask(next[k], in, beside);
#pragma unroll
            for (int p = 0; p < 16; p++) {
                int sum = ZERO;
                for (int j = 0; j < 5; j++)
                    sum = dp4a(column[p + j], fours.walking[up].column[j], sum);
                for (int j = 0; j < 2; j++)
                    sum = dp4a(row.word[(p + 2) / 4 + j], fours.walking[up].last[(p + 2) % 4][j],
                               sum);
                value[p % 4] = fmaf(__int_as_float(sum), f.scale, back);
                if (p % 4 == 3)
                    pixels[p / 4] =
                        pack_u8((int)value[0], (int)value[1], (int)value[2], (int)value[3]);
            }
            others |= row.word[0] | row.word[5];
            // two rows back is the third byte of a column
            for (int i = 0; i < 4 && memory_only; i++) {
                unsigned *own = column + 2 + 4 * i;
                unsigned left = __byte_perm(own[0], own[1], 0x62),
                         right = __byte_perm(own[2], own[3], 0x62);
                pixels[i] = __byte_perm(left, right, 0x5410) | (others & f.c[0]);
            }
            push(column, row);
            if (inside)
                *(uint4 *)out = make_uint4(pixels[0], pixels[1], pixels[2], pixels[3]);
            else if (x < image.width)
                store(out - x, x, image.width,
                      make_uint4(pixels[0], pixels[1], pixels[2], pixels[3]));
        }
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    int strip = min((long long)image->width * image->height / (8192 * 32 * 16), (long long)STRIP);
    strip = max(strip, max(4, ceil_div(image->height, 65535)));   // of which a grid has no more
    dim3 grid(ceil_div(image->width, 16 * BLOCK), ceil_div(max(image->height - 4, 1), strip));

    if (image->pitch % 16)
        return refuse("pitches that are multiples of 16 only");
    struct filter f = *filter;
    struct fours fours = {};
    if (!signed_bytes(&f))
        return;
    for (int up = 0; up < 2; up++)
        for (int k = 0; k < 25; k++) {
            auto &four = fours.walking[up];
            int c = f.c[up ? 5 * (4 - k / 5) + k % 5 : k] & 255;
            if (k < 20)
                four.column[k % 5] |= c << 8 * (k / 5);
            for (int zeros = 0; zeros < 4 && k >= 20; zeros++)
                four.last[zeros][(zeros + k - 20) / 4] |= c << 8 * ((zeros + k - 20) % 4);
        }
    if (image->memory_only)
        convolve<true><<<grid, BLOCK>>>(*image, f, fours, strip);
    else
        convolve<false><<<grid, BLOCK>>>(*image, f, fours, strip);
}
