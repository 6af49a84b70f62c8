// Week 4. The contract of a stage: a 5 x 5 convolution of an image of 8-bit pixels.
//
//   sum = sum over i, j of c[5 * i + j] * in[y + i - 2][x + j - 2]
//   out[y][x] = clamp((int)((float)sum * scale), 0, 255)
//
// for 2 <= x < width - 2 and 2 <= y < height - 2: the outermost two pixels of `out` stay as they
// are, and so do the bytes between the end of a row and the beginning of the next. The coefficients
// are not flipped (a correlation, as in the slides). The sum is an int, its product with the scale
// is rounded to a float and then truncated. Results must be exact. Work goes to
// cudaStreamPerThread, which is what <<<grid, block>>> uses here.
//
// Any width, height and pitch, unless the stage refuses them; height * pitch < 2^31. The sum of 255
// |c[k]| is below 2^31 and so is its product with |scale|: nothing overflows.
//
// The memory-only twin of a stage makes the same loads and stores without the arithmetic, and
// copies: out[y][x] = in[y][x] for the same x and y, which is checked too. So a kernel is
//
//   template <bool memory_only> __global__ void convolve(struct image image, struct filter f)
//
// In a stage with a tile in shared memory, the twin fills the tile and stores the middle of it. In
// other stages, every value that was loaded goes through tap(), which in a twin masks it. There the
// coefficients are -1 in the middle and 0 elsewhere, which the compiler does not know, so that it
// keeps all loads. With packed pixels that is `out = middle | (all the others ORed together &
// f.c[0])`. A stage that has no twin refuses.
#ifndef CONVOLUTION_H
#define CONVOLUTION_H

#include <stdlib.h>

#include "../common/stage/stage.h"

#ifdef __cplusplus
#include <cuda_pipeline_primitives.h>
#endif

struct image {
    // device memory, 256-byte aligned: height rows, pitch bytes from one to the next; all of them
    // can be read
    const unsigned char *in;
    unsigned char *out;         // likewise; it is not part of `in`
    int width, height, pitch;   // width <= pitch
    int memory_only;            // asks for the twin
    // Textures of `in`, width x height, with pixels counted from 0; 0 where textures do not support
    // this pitch or size.
    cudaTextureObject_t bytes;    // tex2D<unsigned char>() is the pixel
    cudaTextureObject_t floats;   // tex2D<float>() is pixel / 255.0f
};

// Passed to kernels by value: a kernel's parameters are in constant memory, like the slides'
// __constant__ coefficients.
struct filter {
    int c[25];     // row-major
    float w[25];   // the same as floats
    float scale;
};

EXTERN_C void convolution(const struct image *image, const struct filter *filter);

// Copies the input into a cudaArray, which is kept across calls, and returns the image with
// textures of that array: 0 if an array of this size cannot be allocated.
EXTERN_C struct image copy_into_array(const struct image *image);

#ifdef __cplusplus
// Returns the largest magnitude of a sum of pixels: 255 times the sum of the magnitudes of all
// coefficients.
inline int reach(const struct filter *f)
{
    int sum = 0;

    for (int k = 0; k < 25; k++)
        sum += abs(f->c[k]);
    return 255 * sum;
}

// For stages whose coefficients are signed bytes: flips all signs if the scale is negative, which
// changes no pixel, and refuses coefficients that do not fit. Returns whether they fit.
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

// One tap, and the pixel that results from all of them. In the memory-only twin, only what keeps
// the loads.
template <bool memory_only = false> __device__ inline int tap(int sum, int c, int in)
{
    return memory_only ? sum | (in & c) : sum + c * in;
}
template <bool memory_only = false, class Sum>
__device__ inline unsigned pixel(Sum sum, float scale)
{
    return memory_only ? (int)sum : min(max((int)((float)sum * scale), 0), 255);
}

// Loads Pixels (unsigned, uint2, uint4) from pixel x of row y of the input on, or from the nearest
// row and position in the image: the halo of a tile extends beyond the image, for pixels that are
// not stored. x and the pitch are multiples of the number of pixels in Pixels.
template <class Pixels> __device__ inline Pixels nearest(const struct image &image, int x, int y)
{
    x = min(max(x, 0), image.pitch - (int)sizeof(Pixels));
    y = min(max(y, 0), image.height - 1);
    return *(const Pixels *)(image.in + y * image.pitch + x);
}

// Loads a tile of BLOCK_Y + 4 rows of Pixels, with one more Pixels on the left and one on the right
// of those of the block's threads, as in stage 7. x and y are the position of this thread's pixels.
template <class Pixels, int rows, int columns>
__device__ inline void fill_coalesced(Pixels (&tile)[rows][columns], const struct image &image,
                                      int x, int y)
{
    int tx = threadIdx.x, width = blockDim.x, left = x - width * (int)sizeof(Pixels),
        right = x + width * (int)sizeof(Pixels);
    int ty = threadIdx.y, height = blockDim.y;

    tile[ty][1 + tx] = nearest<Pixels>(image, x, y - 2);
    if (ty < 4)
        tile[height + ty][1 + tx] = nearest<Pixels>(image, x, y - 2 + height);
    if (tx == width - 1)
        tile[ty][0] = nearest<Pixels>(image, left, y - 2);
    if (tx == width - 1 && ty < 4)
        tile[height + ty][0] = nearest<Pixels>(image, left, y - 2 + height);
    if (tx == 0)
        tile[ty][1 + width] = nearest<Pixels>(image, right, y - 2);
    if (tx == 0 && ty < 4)
        tile[height + ty][1 + width] = nearest<Pixels>(image, right, y - 2 + height);
}

// Stores one pixel, or 4, 8 or 16 packed pixels (unsigned, uint2, uint4), from x on into a row of
// the output: with one instruction if none belongs to the frame, else word by word, and pixel by
// pixel in a word with pixels of the frame. x and the pitch are multiples of the number of pixels.
__device__ inline void store(unsigned char *row, int x, int width, unsigned pixels)
{
    if (x >= 2 && x + 4 <= width - 2)
        *(unsigned *)(row + x) = pixels;
    else
        for (int p = 0; p < 4; p++)
            if (x + p >= 2 && x + p < width - 2)
                row[x + p] = pixels >> 8 * p;
}
template <class Pixels>
__device__ inline void store(unsigned char *row, int x, int width, Pixels pixels)
{
    if (x >= 2 && x + (int)sizeof pixels <= width - 2)
        *(Pixels *)(row + x) = pixels;
    else
        for (int p = 0; p < (int)sizeof pixels; p += 4)
            store(row, x + p, width, ((unsigned *)&pixels)[p / 4]);
}
__device__ inline void store(unsigned char *row, int x, int width, unsigned char pixel)
{
    if (x >= 2 && x < width - 2)
        row[x] = pixel;
}

#include "tensor.h"
#endif

#endif
