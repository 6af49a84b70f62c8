// stage20: tensor cores, mma.m16n8k32
//
// A thread's dp4a multiplies 4 pixels. Change: a warp's mma multiplies a matrix of 16 x 32 pixels
// (a) by one of 32 x 8 coefficients (b), and adds in exact ints. A row of a is one word (4 columns)
// of 8 input rows. A column of b makes one output pixel: it has coefficients where the pixel's
// neighbors are, and zeros elsewhere. The 8 columns make 4 output rows of 2 columns.
//   8 input rows | before | word | after |     output: 4 rows of the word's 4 columns
//   columns 0, 1 = before x b[0] + word x b[1] + after x b[2]     the host makes the six matrices,
//   columns 2, 3 = before x b[3] + word x b[4] + after x b[5]     which are kernel parameters
// Look at: --memory-only is faster: the lookups of b are the limit. Each lane has another address,
// and constant memory, where kernel parameters are, serves one at a time.
// make stage20 && ./stage20 --memory-only        make diff B=20
// From: stage17
// Long: it shows which parts of the matrices a lane has.
// Expect (cpu, 512x512): ld_sectors >= 2 * stage17.ld_sectors
// Expect (sm_90, 32768x32768): rate <= 0.3 * stage17.rate
#include "convolution.h"

const int WARPS = 4, GROUPS = 4;   // warps per block, groups of 64 columns per warp

using stage2::load_clamped, stage9::store_vector, stage12::row, stage15::magic, stage16::pack_u8;

// The matrices: word r of a column has the coefficients of input row r.
struct matrices {
    unsigned b[6][8][8];   // 3 * pair of output columns + input word, matrix column, input row
};

inline struct matrices matrices_of(const struct filter &f)
{
    struct matrices m = {};

    for (int n = 0; n < 6 * 8 * 32; n++) {
        int matrix = n / 256, column = n / 32 % 8, k = n % 32;
        // (i, j): the tap of output pixel `column` (row column / 2, one of a pair of columns) that
        // input pixel k (row k / 4, column k % 4 of its word) is multiplied with
        int i = k / 4 - column / 2;
        int j = 2 + 4 * (matrix % 3 - 1) + k % 4 - (2 * (matrix / 3) + column % 2);
        if (i >= 0 && i < 5 && j >= 0 && j < 5)
            m.b[matrix][column][k / 4] |= (f.c[5 * i + j] & 255) << 8 * (k % 4);
    }
    return m;
}

// Which part of the matrices lane 4g + t has in its registers (fragments):
//
//   a, 16 words x 8 input rows       t     t + 4       b, 8 input rows x 8 columns    g
//   word g      (lane's first)      a[0]   a[2]        input row t                   b[0]
//   word g + 8  (lane's second)     a[1]   a[3]        input row t + 4               b[1]
//
//   d, 16 words x 8 columns         2t    2t + 1       matrix columns 2t and 2t + 1 are output row
//   word g                         d[0]    d[1]        t: the lane gets its own words, of output
//   word g + 8                     d[2]    d[3]        row t

// The 8 output pixels of a lane: sum[0] has columns 0 and 1 of its two words, sum[1] columns 2
// and 3.
__device__ inline uint2 pack_sums(const int sum[2][4], float scale, float bias)
{
    unsigned pixels[2];
    float value[4];

    for (int word = 0; word < 2; word++) {
        for (int p = 0; p < 4; p++)
            value[p] = fmaf(__int_as_float(sum[p / 2][2 * word + p % 2]), scale, bias);
        pixels[word] = pack_u8(value);
    }
    return make_uint2(pixels[0], pixels[1]);
}

// The twin's result: 8 pixels of output row t, which lane t - 2 loaded (lower) or t + 2 (upper).
__device__ inline uint2 copy_fragment(struct row upper, struct row lower, const struct filter &f)
{
    bool first = threadIdx.x % 4 < 2;
    unsigned others = upper.word[0] | upper.word[3] | lower.word[0] | lower.word[3];
    uint2 pixels;

    pixels.x =
        __shfl_xor_sync(0xffffffff, first ? lower.word[1] : upper.word[1], 2) | (others & f.c[0]);
    pixels.y =
        __shfl_xor_sync(0xffffffff, first ? lower.word[2] : upper.word[2], 2) | (others & f.c[0]);
    return pixels;
}

// Loads the row whose 8 pixels start at column x.
__device__ inline struct row load_row(const struct image &image, int x, int y)
{
    uint2 own = load_clamped<uint2>(image, x, y);

    return { { load_clamped<unsigned>(image, x - 4, y), own.x, own.y,
               load_clamped<unsigned>(image, x + 8, y) } };
}

__global__ void convolve(struct image image, struct filter f,
                         const __grid_constant__ struct matrices m)
{
    struct row rows[GROUPS][2];   // upper and lower

    // lane 4g + t: columns x to x + 7 of each group, output row y
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int x = 64 * GROUPS * blockIdx.x + 8 * g;
    int y = 2 + 4 * (WARPS * blockIdx.y + threadIdx.y) + t;

    for (int k = 0; k < GROUPS; k++)
        for (int half = 0; half < 2; half++)
            rows[k][half] = load_row(image, x + 64 * k, y - 2 + 4 * half);
#pragma unroll
    for (int k = 0; k < GROUPS; k++) {
        int sum[2][4] = { { magic, magic, magic, magic }, { magic, magic, magic, magic } };
        for (int n = 0; n < 6; n++) {
            const unsigned *upper = &rows[k][0].word[n % 3], *lower = &rows[k][1].word[n % 3];
            unsigned a[4] = { upper[0], upper[1], lower[0], lower[1] };
            unsigned b[2] = { m.b[n][g][t], m.b[n][g][t + 4] };
            mma_m16n8k32(sum[n / 3], a, b, sum[n / 3]);
        }
        uint2 pixels = pack_sums(sum, f.scale, -0x1p23f * f.scale);
        TWIN(pixels = copy_fragment(rows[k][0], rows[k][1], f));
        if (y < image.height - 2)
            store_vector(image.out + y * image.pitch, x + 64 * k, image.width, pixels);
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 block(32, WARPS);
    dim3 grid(ceil_div(image->width, 64 * GROUPS), ceil_div(max(image->height - 4, 1), 4 * WARPS));

    if (image->pitch % 8)
        return refuse("pitches that are multiples of 8 only");
    struct filter f = *filter;
    if (!signed_bytes(&f))
        return;
    convolve<<<grid, block>>>(*image, f, matrices_of(f));
}
