// stage8: XOR swizzle of the shared-memory tile (no padding, no bank conflicts)
//
// The padded rows of stage 7 are not 16-byte aligned, and its accesses have bank conflicts. Here a
// tile row is 16 chunks of 4 floats (4 banks). Chunk c of row r is at position c ^ (r / 4):
//
//   chunk                   0  1  2  3  4  5  6  7     chunks 8 to 15, and rows 32 to 63: likewise
//   position, rows 0 to 3   0  1  2  3  4  5  6  7
//             rows 4 to 7   1  0  3  2  5  4  7  6     one chunk of rows 0, 4, 8, ... 28 is at
//             rows 8 to 11  2  3  0  1  6  7  4  5     8 positions: in 32 different banks
//
// A thread loads and stores 4x4 floats, and transposes them in registers. Look at: 4 wavefronts for
// 16 bytes per lane, the minimum; half of stage 7's wavefronts.
// make stage8 && ./stage8        make diff A=7 B=8
// Expect (cpu, 1024x1024): shared_wavefronts == stage7.shared_wavefronts / 2
// Expect (sm_90, 16384x16384): rate >= 0.98 * stage7.rate
// Expect (sm_90, 16384x16384): rate >= 1.035 * ref_cublas.rate
#include "transpose.h"

#define TILE 64
#define CHUNKS (TILE / 4)   // of 4 floats, in a row of the tile

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 tile[TILE][CHUNKS];
    float4 v[4] = {};   // 4 rows; zero where the tile reaches past the matrix

    int x = blockIdx.y * TILE + 4 * threadIdx.x;   // first of 4 columns of `in`
    int y = blockIdx.x * TILE + 4 * threadIdx.y;   // first of 4 rows of `in`

    // rows and cols are multiples of 4: if the first row or column is inside, all 4 are.
    if (x < cols && y < rows)
        for (int i = 0; i < 4; i++)
            v[i] = *(const float4 *)&in[(y + i) * cols + x];
    // The swizzle. This thread stores chunk threadIdx.x of rows 4 * threadIdx.y + i, and loads
    // chunk threadIdx.y of rows 4 * threadIdx.x + i: both are at the same position of their rows.
    int position = threadIdx.x ^ threadIdx.y;
    for (int i = 0; i < 4; i++)
        tile[4 * threadIdx.y + i][position] = v[i];
    __syncthreads();

    x = blockIdx.x * TILE + 4 * threadIdx.x;   // first of 4 columns of `out`
    y = blockIdx.y * TILE + 4 * threadIdx.y;   // first of 4 rows of `out`
    if (x < rows && y < cols) {
        for (int i = 0; i < 4; i++)
            v[i] = tile[4 * threadIdx.x + i][position];
        *(float4 *)&out[(y + 0) * rows + x] = make_float4(v[0].x, v[1].x, v[2].x, v[3].x);
        *(float4 *)&out[(y + 1) * rows + x] = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
        *(float4 *)&out[(y + 2) * rows + x] = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
        *(float4 *)&out[(y + 3) * rows + x] = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
    }
}

void transpose(const float *in, float *out, int rows, int cols)
{
    if (rows % 4 || cols % 4)
        return refuse("multiples of 4 only");
    dim3 block(CHUNKS, CHUNKS);
    dim3 grid(ceil_div(rows, TILE), ceil_div(cols, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}
