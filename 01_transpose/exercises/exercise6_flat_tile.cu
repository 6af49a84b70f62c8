// exercise6: find the bug: a padded tile that still has bank conflicts
//
// Task: do this after stage 4. The tile is an array of one dimension, in which padded() adds one
// unused word after every 32 words. That rule is right for a tile of 32x32: each row starts one
// bank later. This tile has 64x64 floats. The result is right, but a shared request takes 1.5
// wavefronts on average. Which access has the conflict, and which lanes access the same bank?
// Correct the padding.
//
// Question: Which access has two wavefronts, and why?
// a) The store to the tile: a request along a row crosses an unused word.
// b) The store to the tile: the rows of the two halves of a warp start in the same bank.
// c) The read of the tile: rows are 64 words apart, so all lanes are in one bank.
// d) The read of the tile: rows are 66 words apart, so lanes l and l + 16 are in one bank.
// Answer: d
//
// Hint: ./exercise6 prints wavefronts per line. Which line has 2? Does that line access the tile
// along a row or along a column?
// Hint: How many words apart are two neighboring rows of the tile, unused words included? Take the
// rule of the week's page: wavefronts = gcd(s, 32).
// Hint: A row has 64 words and two unused ones: s = 66, and gcd(66, 32) = 2. Lanes l and l + 16 are
// in one bank. One unused word per row is enough. After how many words must padded() add it? How
// long is the array then?
//
// Points 2: correct
// Points 1: answer
// Points 4 (cpu, 256x256): shared_wavefronts == 4096 and ld_sectors + st_sectors == 16384
// Points 2 (cpu, 256x256): shared_bytes >= 16384 and shared_bytes <= 16640
// Points 1 (gpu, 16384x16384): rate >= 0.75 * ref_memcpy.rate
// Check (cpu, 70001x5)
// Check (cpu, 5x70001)
#include "transpose.h"

#define TILE 64
#define ROWS 8
#define STEP (TILE / ROWS)   // rows of the block

// Returns the index in the array of word i of the tile.
#ifdef SOLUTION
__device__ int padded(int i) { return i + i / TILE; }   // one unused word per row
#define WORDS (TILE * TILE + TILE)
#else
__device__ int padded(int i) { return i + i / 32; }   // one unused word per 32 banks
#define WORDS (TILE * TILE + TILE * TILE / 32)
#endif

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[WORDS];
    float v[ROWS] = {};   // zero where the tile reaches past the matrix

    int x = blockIdx.x * TILE + threadIdx.x;   // column of `in`
    int y = blockIdx.y * TILE + threadIdx.y;   // row of `in`

    for (int i = 0; i < ROWS; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = in[(y + i * STEP) * cols + x];
    for (int i = 0; i < ROWS; i++)
        tile[padded((threadIdx.y + i * STEP) * TILE + threadIdx.x)] = v[i];
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;   // column of `out`
    y = blockIdx.x * TILE + threadIdx.y;   // row of `out`
    for (int i = 0; i < ROWS; i++)
        if (x < rows && y + i * STEP < cols)
            out[(y + i * STEP) * rows + x] =
                tile[padded(threadIdx.x * TILE + threadIdx.y + i * STEP)];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(TILE, STEP);
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}
