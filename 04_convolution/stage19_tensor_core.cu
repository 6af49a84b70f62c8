// stage19: tensor cores, mma.m16n8k32
//
// A thread's dp4a multiplies 4 pixels. Change: a warp's mma multiplies a matrix of 16 x 32 pixels
// (a) by one of 32 x 8 coefficients (b), and adds in exact ints. A row of a is one word (4 columns)
// of 8 input rows. A column of b makes one output pixel: it has coefficients where the pixel's
// neighbors are, and zeros elsewhere. The 8 columns make 4 output rows of 2 columns.
//
//   8 input rows | before | word | after |    output: 4 rows of the word's 4 columns
//   columns 0, 1 = before x b[0][0] + word x b[0][1] + after x b[0][2]     the host makes the six
//   columns 2, 3 = before x b[1][0] + word x b[1][1] + after x b[1][2]     matrices b[pair][word]
//
// Look at: --memory-only takes nearly as long. 8 rows are loaded for 4 rows of output.
// make stage19 && ./stage19 --memory-only        make diff B=19
// Long: it shows the parts of the matrices that each lane has.
// Expect (cpu, 512x512): ld_sectors >= 1.5 * stage18.ld_sectors
#include "convolution.h"

const int WARPS = 4, GROUPS = 4;   // warps per block, groups of 64 columns per warp

using stage2::load_clamped, stage9::store_vector, stage12::row, stage15::magic, stage16::pack_u8;

// The matrices: word r of a column has the coefficients of input row r.
struct matrices {
    unsigned b[2][3][8][8];   // pair of output columns, input word, matrix column, input row
};

inline struct matrices matrices_of(const struct filter &f)
{
    struct matrices m = {};

    for (int n = 0; n < 2 * 3 * 8 * 32; n++) {
        int k = n % 32, column = n / 32 % 8, word = n / 256 % 3, pair = n / 768;
        // the tap between an input pixel (k / 4, column k % 4 of its word) and the output pixel
        int i = k / 4 - column / 2;
        int j = 4 * (word - 1) + k % 4 + 2 - (2 * pair + column % 2);
        if (i >= 0 && i < 5 && j >= 0 && j < 5)
            m.b[pair][word][column][k / 4] |= (f.c[5 * i + j] & 255) << 8 * (k % 4);
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
// A lane's part of b: the coefficients of input rows t (0) and t + 4 (1) in column g.
struct fragment {
    unsigned half[2];
};

// d = a x b + c. The lane's part of a is words j and j + 1 of two input rows.
__device__ inline void multiply(int d[4], struct row upper, struct row lower, int j,
                                struct fragment b, const int c[4])
{
    unsigned a[4] = { upper.word[j], upper.word[j + 1], lower.word[j], lower.word[j + 1] };

    mma_m16n8k32(d, a, b.half, c);
}

// The 8 output pixels of a lane: left[] and right[] are the sums of columns 0, 1 and 2, 3 of its
// two words.
__device__ inline uint2 pack_sums(const int left[4], const int right[4], float scale,
                                  float bias)
{
    unsigned pixels[2];

    for (int word = 0; word < 2; word++) {
        int sum[4] = { left[2 * word], left[2 * word + 1], right[2 * word], right[2 * word + 1] };
        float value[4];
        for (int p = 0; p < 4; p++)
            value[p] = fmaf(__int_as_float(sum[p]), scale, bias);
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

    pixels.x = __shfl_xor_sync(0xffffffff, first ? lower.word[1] : upper.word[1], 2) |
               (others & f.c[0]);
    pixels.y = __shfl_xor_sync(0xffffffff, first ? lower.word[2] : upper.word[2], 2) |
               (others & f.c[0]);
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
    const int zero[4] = { magic, magic, magic, magic };   // where sums start, as in stage 15
    struct row rows[GROUPS][2];   // upper and lower
    struct fragment b[2][3];
    float bias = -0x1p23f * f.scale;

    // lane 4g + t: columns x to x + 7 of each group, output row y
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    int x = 64 * GROUPS * blockIdx.x + 8 * g;
    int y = 2 + 4 * (WARPS * blockIdx.y + threadIdx.y) + t;

    for (int k = 0; k < GROUPS; k++)
        for (int half = 0; half < 2; half++)
            rows[k][half] = load_row(image, x + 64 * k, y - 2 + 4 * half);
    for (int n = 0; n < 6; n++)
        b[n / 3][n % 3] = { { m.b[n / 3][n % 3][g][t], m.b[n / 3][n % 3][g][t + 4] } };
#pragma unroll
    for (int k = 0; k < GROUPS; k++) {
        int sum[2][4];
        for (int n = 0; n < 6; n++)
            multiply(sum[n / 3], rows[k][0], rows[k][1], n % 3, b[n / 3][n % 3],
                     n % 3 == 0 ? zero : sum[n / 3]);
        uint2 pixels = pack_sums(sum[0], sum[1], f.scale, bias);
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
