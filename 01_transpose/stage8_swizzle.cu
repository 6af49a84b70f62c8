// stage8: XOR swizzle of the shared-memory tile (no padding, no bank conflicts)
//
// Padded rows are not 16-byte aligned, and stage 7 has bank conflicts. Here a row is 16 chunks of 4
// floats: every row starts in bank 0. Lanes read one chunk of rows 4 apart: all from the same
// banks. So chunk c of row r is stored at position c ^ (r / 4 % 8):
//
//   chunk                   0  1  2  3  4  5  6  7     chunks 8 to 15: the same, plus 8
//   position, rows 0 to 3   0  1  2  3  4  5  6  7
//             rows 4 to 7   1  0  3  2  5  4  7  6     one chunk of rows 0, 4, 8, ... 28 is at
//             rows 8 to 11  2  3  0  1  6  7  4  5     8 positions: in 32 different banks
// A thread reads a chunk of 4 rows, and stores 4x4 floats: 40 registers, 6 blocks per SM, not 8.
// Look at: half of stage 7's wavefronts, and the same rate. MIN_BLOCKS=8: 8 blocks, and spills.
// make stage8 && ./stage8        make diff A=7 B=8        make stage8 MIN_BLOCKS=8
// Expect (cpu, 1024x1024): shared_wavefronts == stage7.shared_wavefronts / 2
// Expect (sm_90, 16384x16384): rate <= 1.02 * stage7.rate
// Expect (cpu, 1024x1024): shared_requests == stage7.shared_requests / 4
#include "transpose.h"

#define TILE 64
#define ROWS 4               // of the tile, per thread: one float4 in each
#define STEP (TILE / ROWS)   // rows of the block
#define CHUNKS (TILE / 4)    // of 4 floats, in a row of the tile
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1   // that must fit on an SM: 8 leave 32 registers per thread
#endif

__global__ void __launch_bounds__(CHUNKS *STEP, MIN_BLOCKS)
    transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 tile[TILE][CHUNKS];
    float4 v[ROWS] = {};   // zero where the tile reaches past the matrix

    int x = blockIdx.y * TILE + 4 * threadIdx.x;   // first of 4 columns of `in`
    int y = blockIdx.x * TILE + threadIdx.y;       // row of `in`

    for (int i = 0; i < ROWS; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = *(const float4 *)&in[(y + i * STEP) * cols + x];
    for (int i = 0; i < ROWS; i++) {
        int row = threadIdx.y + i * STEP;
        tile[row][threadIdx.x ^ (row / 4 % 8)] = v[i];   // 8 lanes store to 32 banks
    }
    __syncthreads();   // a thread reads what other threads stored

    // A thread stores a square of 4x4 floats: it reads one chunk of 4 rows. 8 lanes read one chunk
    // of rows 4 apart, from 32 banks.
    int position = threadIdx.y ^ (threadIdx.x % 8);   // r / 4 is threadIdx.x in its rows r
    float4 a[4];
    for (int i = 0; i < 4; i++)
        a[i] = tile[4 * threadIdx.x + i][position];

    x = blockIdx.x * TILE + 4 * threadIdx.x;   // first of 4 columns of `out`
    y = blockIdx.y * TILE + 4 * threadIdx.y;   // first of 4 rows of `out`
    // The 4x4 transpose in registers. cols is a multiple of 4: then all 4 rows are inside.
    if (x < rows && y < cols) {
        float *to = &out[y * rows + x];
        *(float4 *)to = make_float4(a[0].x, a[1].x, a[2].x, a[3].x);
        *(float4 *)(to + rows) = make_float4(a[0].y, a[1].y, a[2].y, a[3].y);
        *(float4 *)(to + 2 * rows) = make_float4(a[0].z, a[1].z, a[2].z, a[3].z);
        *(float4 *)(to + 3 * rows) = make_float4(a[0].w, a[1].w, a[2].w, a[3].w);
    }
}

void transpose(const float *in, float *out, int rows, int cols)
{
    if (rows % 4 || cols % 4)   // reports why, and launches nothing
        return refuse("multiples of 4 only");
    dim3 block(CHUNKS, STEP);
    dim3 grid(ceil_div(rows, TILE), ceil_div(cols, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}
