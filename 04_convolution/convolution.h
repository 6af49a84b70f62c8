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
// A stage accepts any width, height and pitch, unless it refuses them; height * pitch < 2^31. The
// sum of 255 |c[k]| and its product with |scale| are below 2^31, so that nothing overflows.
//
// The memory-only twin of a stage makes the same loads and stores without the arithmetic. It copies
// out[y][x] = in[y][x] for the same x and y, which is checked as well. A kernel is therefore
//
//   template <bool memory_only> __global__ void convolve(struct image image, struct filter f)
//
// The compiler removes loads whose results are not used. In a stage with a tile in shared memory,
// the twin loads the tile and stores its middle. In other stages, every loaded value goes through
// tap(), which masks it in the twin: the coefficients are then -1 in the middle and 0 elsewhere,
// and the compiler does not know that. With packed pixels the twin computes
// `out = middle | (all the others ORed together & f.c[0])`. A stage without a twin refuses.
#ifndef CONVOLUTION_H
#define CONVOLUTION_H

#include <stdlib.h>

#include "../common/stage/stage.h"

#ifdef __cplusplus
#include <cuda_pipeline_primitives.h>
#endif

struct image {
    // Device memory, 256-byte aligned: height rows of pitch bytes, all of them readable.
    const unsigned char *in;
    unsigned char *out;         // the same shape; does not overlap `in`
    int width, height, pitch;   // in pixels, rows, bytes; width <= pitch
    int memory_only;            // run the memory-only twin
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
inline int reach(const struct filter *f)
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

// One tap of the filter: adds c * in to the sum. In the memory-only twin, it only keeps the load.
template <bool memory_only = false> __device__ inline int tap(int sum, int c, int in)
{
    return memory_only ? sum | (in & c) : sum + c * in;
}

// The output pixel: the scaled sum, truncated and clamped to 0..255.
template <bool memory_only = false, class Sum>
__device__ inline unsigned pixel(Sum sum, float scale)
{
    return memory_only ? (int)sum : min(max((int)((float)sum * scale), 0), 255);
}

// Memory-only twin of stages 12 to 18: copies the middle one of five rows. ORs all their words
// under a mask that is 0, so that the compiler keeps the loads.
template <class Row>
__device__ inline void copy_row(unsigned pixels[2], const Row *rows, const struct filter &f)
{
    unsigned others = 0;

    for (int i = 0; i < 20; i++)
        others |= rows[i / 4].word[i % 4];
    for (int i = 0; i < 2; i++)
        pixels[i] = rows[2].word[1 + i] | (others & f.c[0]);
}

// Memory-only twin of stages 19 and 20: copies the row two above the next one, which is the third
// byte of each column's word. The outermost columns keep the loads of the halo.
__device__ inline void copy_columns(unsigned pixels[4], const unsigned column[20],
                                    const struct filter &f)
{
    for (int i = 0; i < 4; i++) {
        const unsigned *own = column + 2 + 4 * i;
        unsigned left = __byte_perm(own[0], own[1], 0x62);
        unsigned right = __byte_perm(own[2], own[3], 0x62);
        pixels[i] = __byte_perm(left, right, 0x5410) | ((column[0] | column[19]) & f.c[0]);
    }
}

// Memory-only twin of the stages with tensor cores: copies 8 pixels of output row t. Lane t - 2
// loaded them (lower) or t + 2 (upper).
template <class Row>
__device__ inline uint2 copy_fragment(Row upper, Row lower, const struct filter &f)
{
    bool first = threadIdx.x % 4 < 2;
    unsigned others = upper.word[0] | upper.word[3] | lower.word[0] | lower.word[3];
    uint2 pixels;

    pixels.x = __shfl_xor_sync(~0u, first ? lower.word[1] : upper.word[1], 2) | (others & f.c[0]);
    pixels.y = __shfl_xor_sync(~0u, first ? lower.word[2] : upper.word[2], 2) | (others & f.c[0]);
    return pixels;
}

// Loads Pixels (unsigned, uint2 or uint4: 4, 8 or 16 pixels) at column x, row y of the input.
// Clamps both to the image, because the halo of a tile extends beyond it; pixels loaded from there
// are never used for output. x and the pitch are multiples of sizeof(Pixels).
template <class Pixels>
__device__ inline Pixels load_clamped(const struct image &image, int x, int y)
{
    x = min(max(x, 0), image.pitch - (int)sizeof(Pixels));
    y = min(max(y, 0), image.height - 1);
    return *(const Pixels *)(image.in + y * image.pitch + x);
}

// Loads a tile of blockDim.y + 4 rows and blockDim.x + 2 columns of Pixels in six coalesced steps,
// as stage 7 shows. x and y are the position of this thread's pixels.
template <class Pixels, int rows, int columns>
__device__ inline void load_tile(Pixels (&tile)[rows][columns], const struct image &image, int x,
                                 int y)
{
    int tx = threadIdx.x, width = blockDim.x, left = x - width * (int)sizeof(Pixels),
        right = x + width * (int)sizeof(Pixels);
    int ty = threadIdx.y, height = blockDim.y;

    tile[ty][1 + tx] = load_clamped<Pixels>(image, x, y - 2);
    if (ty < 4)
        tile[height + ty][1 + tx] = load_clamped<Pixels>(image, x, y - 2 + height);
    if (tx == width - 1)
        tile[ty][0] = load_clamped<Pixels>(image, left, y - 2);
    if (tx == width - 1 && ty < 4)
        tile[height + ty][0] = load_clamped<Pixels>(image, left, y - 2 + height);
    if (tx == 0)
        tile[ty][1 + width] = load_clamped<Pixels>(image, right, y - 2);
    if (tx == 0 && ty < 4)
        tile[height + ty][1 + width] = load_clamped<Pixels>(image, right, y - 2 + height);
}

// Stores one pixel, or 4, 8 or 16 packed pixels (unsigned, uint2, uint4 or an array of words), at
// column x of an output row. One instruction stores them if none belongs to the border. Otherwise
// they are stored word by word, and words with border pixels byte by byte. x and the pitch are
// multiples of the number of pixels.
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
__device__ inline void store(unsigned char *row, int x, int width, const unsigned (&pixels)[2])
{
    store(row, x, width, make_uint2(pixels[0], pixels[1]));
}
__device__ inline void store(unsigned char *row, int x, int width, const unsigned (&pixels)[4])
{
    store(row, x, width, make_uint4(pixels[0], pixels[1], pixels[2], pixels[3]));
}
__device__ inline void store(unsigned char *row, int x, int width, unsigned char pixel)
{
    if (x >= 2 && x < width - 2)
        row[x] = pixel;
}

#include "stages.h"
#endif

#endif
