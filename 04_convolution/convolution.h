// Week 4. The contract of a stage: a 5 x 5 convolution of an image of 8-bit pixels.
//
//   sum = sum over i, j of c[5 * i + j] * in[y + i - 2][x + j - 2]
//   out[y][x] = clamp((int)((float)sum * scale), 0, 255)
//
// for 2 <= x < width - 2 and 2 <= y < height - 2. The border of `out`, two pixels wide, must not be
// written, nor the padding bytes between the end of a row and the start of the next. The
// coefficients are not flipped (a correlation, as in the slides). The sum is an int; its product
// with the scale is rounded to a float and then truncated. Results must be exact. Work goes to
// cudaStreamPerThread, which is what <<<grid, block>>> uses here.
//
// Heights are at most 524280 (65535 blocks of 8 rows), widths at most 2^31 - 256, and height *
// pitch is below 2^31. A stage accepts all of these with any pitch, unless it refuses them. The sum
// of 255 |c[k]| and its product with |scale| are below 2^31, so that nothing overflows.
#ifndef CONVOLUTION_H
#define CONVOLUTION_H

#include <stdlib.h>

#include "../common/stage/stage.h"

struct image {
    // Device memory, 256-byte aligned: height rows of pitch bytes, all of them readable.
    const unsigned char *in;
    unsigned char *out;         // the same shape; does not overlap `in`
    int width, height, pitch;   // in pixels, rows, bytes; width <= pitch
    // Textures of `in`, width x height, with unnormalized coordinates and clamp addressing; 0 where
    // textures do not support this pitch or size.
    cudaTextureObject_t bytes;    // tex2D<unsigned char>() returns the pixel
    cudaTextureObject_t floats;   // tex2D<float>() returns pixel / 255.0f
};

// Passed to kernels by value: kernel parameters are in constant memory, like the slides'
// __constant__ coefficients.
struct filter {
    int c[25];     // row-major
    float w[25];   // the same as floats
    float scale;
};

EXTERN_C void convolution(const struct image *image, const struct filter *filter);

// Copies the input into a cudaArray, which persists across calls. Returns the image with textures
// of that array, or with 0 for both if an array of this size cannot be allocated.
EXTERN_C struct image copy_into_array(const struct image *image);

#ifdef __cplusplus
// The largest magnitude that a sum can have: 255 times the sum of the coefficients' magnitudes.
inline int max_sum(const struct filter *f)
{
    int sum = 0;

    for (int k = 0; k < 25; k++)
        sum += abs(f->c[k]);
    return 255 * sum;
}

// For stages with signed 8-bit coefficients. Negates all coefficients if the scale is negative,
// which changes no result. Refuses coefficients that do not fit. Returns whether they fit.
inline bool signed_bytes(struct filter *f)
{
    int sign = f->scale < 0 ? -1 : 1;
    bool fit = true;

    for (int k = 0; k < 25; k++) {
        f->c[k] *= sign;
        fit = fit && f->c[k] == (signed char)f->c[k];
    }
    f->scale *= sign;
    if (!fit)
        refuse("coefficients from -128 to 127 only, with a negative scale from -127 to 128");
    return fit;
}

// For dp4a down the columns: word[k] has the upper four coefficients of column k, as signed bytes.
// last[s] is the last row as 8 bytes, shifted by s bytes, as in stage 8.
struct Columns {
    unsigned word[5] = {}, last[4][2] = {};

    explicit Columns(const struct filter &f)
    {
        for (int k = 0; k < 20; k++)
            word[k % 5] |= (f.c[k] & 255) << 8 * (k / 5);
        for (int k = 0; k < 20; k++) {   // coefficient k / 4, shifted by k % 4
            int place = k / 4 + k % 4;
            last[k % 4][place / 4] |= (f.c[20 + k / 4] & 255) << 8 * (place % 4);
        }
    }
};

// For tensor cores: the banded matrices b, from the coefficients. Stage 14 draws them.
struct Banded {
    unsigned long long row[3 + 5 + 3] = {};   // 5 bytes and three zeros; 3 zero rows on both sides
    float scale;

    explicit Banded(const struct filter &f) : scale(f.scale)
    {
        for (int k = 0; k < 25; k++)
            row[3 + k / 5] |= (f.c[k] & 255ull) << 8 * (k % 5);
    }

    // Makes this lane's parts of the four b: [pair][input word][input row t or t + 4].
    __device__ void fragments(unsigned b[2][2][2]) const
    {
        int g = threadIdx.x / 4, t = threadIdx.x % 4;

        for (int half = 0; half < 2; half++) {
            // Matrix column g for input row 4 half + t: that row's coefficients of output row
            // g / 2, one byte further if the output column is odd.
            unsigned long long c = row[3 + 4 * half + t - g / 2] << 8 * (g % 2);
            b[0][0][half] = (unsigned)(c << 16);   // coefficient 0: third pixel of the word before
            b[0][1][half] = (unsigned)(c >> 16);   // coefficient 2: first pixel of the own word
            b[1][0][half] = (unsigned)c;           // coefficient 0: first pixel of the own word
            b[1][1][half] = (unsigned)(c >> 32);   // coefficient 4: first pixel of the word after
        }
    }
};

#include "stages.h"
#endif

#endif
