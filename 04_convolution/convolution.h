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
struct Columns {
    unsigned word[5] = {};

    explicit Columns(const struct filter &f)
    {
        for (int k = 0; k < 20; k++)
            word[k % 5] |= (f.c[k] & 255) << 8 * (k / 5);
    }
};

#include "stages.h"
#endif

#endif
