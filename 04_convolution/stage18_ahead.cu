// stage18: ahead. Rows are asked for five rows before they are needed, and a pixel's neighbours come from the neighbour thread.
//
// Stage 17 loads five rows, and every thread waits for the first of them; what it waits for most are three loads a row. Change: as soon as a row has
// been taken over, the one five below is asked for, into the same registers. The words left and right of the thread's own are shuffled from the
// lanes beside it: only a warp's first and last lane load one. So there are two loads a row in flight, always five rows of them, and
// fewer registers for it: 80 a thread, as __launch_bounds__ asks, leave room for six blocks.
//
// With the shuffles it is an instruction a pixel more, 16. What bounds it is the pipe that does dp4a, and next to it the issue slots: ask ncu for
// sm__pipe_fmaheavy_cycles_active and smsp__issue_active.
//
// make stage18 && ./stage18; make diff A=17 B=18
//
// Long: as stage 17.
// Expect (cpu, 512x512): ld_sectors <= 0.5 * stage17.ld_sectors
// Expect (cpu, 512x512): ld_requests == stage18[memory-only].ld_requests
// Expect (sm_90, 32768x32768): rate >= 1.05 * stage17.rate
// Expect (sm_90, 32768x32768): rate >= 0.72 * ref_memcpy.rate
#include "convolution.h"

#ifndef BLOCK
#define BLOCK 128
#endif
#ifndef BLOCKS_PER_SM
#define BLOCKS_PER_SM 6
#endif
#ifndef STRIP
#define STRIP 20
#endif
static_assert(BLOCK % 32 == 0 && BLOCK <= 1024 && STRIP % 5 == 0, "BLOCK must be a multiple of 32 up to 1024, STRIP one of 5");

// Sixteen bytes of a row: the thread's own eight pixels, and four on each side of them.
struct row { unsigned word[4]; };

// A row on its way: the thread's own pixels, and for a warp's first and last lane the word beside them, or zeros where the row ends.
struct coming { uint2 own; unsigned beside; };

__device__ inline struct coming load(const unsigned char *at, int beside)
{
    return { *(const uint2 *)at, beside ? *(const unsigned *)(at + beside) : 0 };
}

__device__ inline struct row take(struct coming row, int lane)
{
    unsigned left = __shfl_up_sync(~0u, row.own.y, 1), right = __shfl_down_sync(~0u, row.own.x, 1);

    return { { lane == 0 ? row.beside : left, row.own.x, row.own.y, lane == 31 ? row.beside : right } };
}

// The coefficients in fours: the first of each row; of the last column the first; and the last of all alone, as byte 0, 1, 2 and 3.
struct fours { unsigned row[5], column, last[4]; };

// For each of the eight pixels the four bytes that begin two before it.
__device__ inline void permute(unsigned four[8], struct row row)
{
    for (int p = 0; p < 8; p++) {
        int word = (p + 2) / 4, byte = (p + 2) % 4;
        four[p] = byte ? __byte_perm(row.word[word], row.word[word + 1], 0x3210 + 0x1111 * byte) : row.word[word];
    }
}

// Byte k of a row comes in at the top of the word; the lowest byte leaves.
__device__ inline unsigned push(unsigned word, struct row row, int k) { return __byte_perm(word, row.word[k / 4], 0x4321 + 0x1000 * (k % 4)); }

#define ZERO 0x4B000000   // the bits of 2^23 as a float

template <bool memory_only> __global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM) convolve(struct image image, struct filter f, struct fours fours)
{
    struct coming next[5];     // row k at place k % 5
    unsigned ring[5][8];       // those that are worked on, permuted, likewise
    unsigned column[8] = {};   // for each pixel the four bytes down the column two behind it
    unsigned others = 0;
    float value[4], back = -0x1p23f * f.scale;

    int x = 8 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + STRIP * blockIdx.y, end = min(y + STRIP, image.height - 2);
    int lane = threadIdx.x % 32, beside = lane == 0 && x > 0 ? -4 : lane == 31 && x + 8 < image.pitch ? 8 : 0;
    const unsigned char *in = image.in + (y - 2) * image.pitch + min(x, image.pitch - 8);

    if (x - 8 * lane >= image.width || y >= end)   // the warp
        return;
    #pragma unroll
    for (int i = 0; i < 9; i++, in += image.pitch) {
        if (i >= 5) {
            struct row row = take(next[i - 5], lane);
            permute(ring[i - 5], row);
            for (int p = 0; p < 8; p++)
                column[p] = push(column[p], row, p + 6);
            others |= row.word[0] | row.word[3];
        }
        if (y + i < end + 4)
            next[i % 5] = load(in, beside);
    }
    for (; y < end; y += 5) {
        #pragma unroll
        for (int k = 0; k < 5; k++, in += image.pitch) {
            if (y + k >= end)
                return;
            unsigned pixels[2];
            struct row row = take(next[(k + 4) % 5], lane);
            if (y + k + 9 < end + 4)
                next[(k + 4) % 5] = load(in, beside);
            permute(ring[(k + 4) % 5], row);
            others |= row.word[0] | row.word[3];
            #pragma unroll
            for (int p = 0; p < 8; p++) {
                int sum = ZERO;
                for (int i = 0; i < 5; i++)
                    sum = dp4a(ring[(k + i) % 5][p], fours.row[i], sum);
                sum = dp4a(column[p], fours.column, sum);
                sum = dp4a(row.word[(p + 6) / 4], fours.last[(p + 6) % 4], sum);
                column[p] = push(column[p], row, p + 6);
                value[p % 4] = fmaf(__int_as_float(sum), f.scale, back);
                if (p % 4 == 3)
                    pixels[p / 4] = pack_u8((int)value[0], (int)value[1], (int)value[2], (int)value[3]);
            }
            for (int i = 0; i < 2 && memory_only; i++)
                pixels[i] = ring[(k + 2) % 5][2 + 4 * i] | (others & f.c[0]);
            if (x < image.width)
                store(image.out + (y + k) * image.pitch, x, image.width, make_uint2(pixels[0], pixels[1]));
        }
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 grid(ceil_div(image->width, 8 * BLOCK), ceil_div(max(image->height - 4, 1), STRIP));

    if (image->pitch % 8)
        return refuse("pitches that are multiples of 8 only");
    struct filter f = *filter;
    struct fours fours = {};
    if (!signed_bytes(&f))
        return;
    for (int k = 0; k < 20; k++)
        fours.row[k / 4] |= (f.c[k / 4 * 5 + k % 4] & 255) << 8 * (k % 4);
    for (int k = 0; k < 4; k++) {
        fours.column |= (f.c[5 * k + 4] & 255) << 8 * k;
        fours.last[k] = (f.c[24] & 255) << 8 * k;
    }
    if (image->memory_only)
        convolve<true><<<grid, BLOCK>>>(*image, f, fours);
    else
        convolve<false><<<grid, BLOCK>>>(*image, f, fours);
}
