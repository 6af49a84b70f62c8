// stage7: vectorized loads and stores (float4)
//
// A thread of stage 6 loads and stores 4 bytes at a time. Here it loads and stores 16 bytes, which
// must be aligned to 16 bytes: the stage refuses sizes that are not multiples of 4. Shared memory
// still takes single floats, because the rows of a padded tile are not aligned.
//
//   a warp    lanes  0 to 15: row y,     columns 0 to 63     [xyzw] [xyzw] ... [xyzw]
//             lanes 16 to 31: row y + 1, columns 0 to 63     [xyzw] [xyzw] ... [xyzw]
//
// Padding does not remove these bank conflicts: lanes 8 apart access floats 32 columns apart
// (stores) or 32 rows apart (loads). Look at: a quarter of the requests, twice the wavefronts, and
// the rate of stage 6. On an H200 shared memory is busy for 42 % of the time, and DRAM for 86 %.
// make stage7 && ./stage7        make diff A=6 B=7
// Expect (cpu, 1024x1024): ld_requests == stage6.ld_requests / 4
// Expect (cpu, 1024x1024): shared_wavefronts == 2 * shared_requests
// Expect (sm_90, 16384x16384): rate <= 1.02 * stage6.rate
#include "transpose.h"

#define TILE 64
#define ROWS 2               // of the tile, per thread: one float4 in each, 8 floats as before
#define STEP (TILE / ROWS)   // rows of the block

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    const int W = TILE + 1;   // words from one row of the tile to the next
    __shared__ float tile[TILE][W];
    float4 v[ROWS] = {};   // zero where the tile reaches past the matrix

    int x = blockIdx.y * TILE + 4 * threadIdx.x;   // first of 4 columns of `in`
    int y = blockIdx.x * TILE + threadIdx.y;       // row of `in`

    for (int i = 0; i < ROWS; i++)   // x and cols are multiples of 4: all 4 columns are inside
        if (x < cols && y + i * STEP < rows)
            v[i] = *(const float4 *)&in[(y + i * STEP) * cols + x];   // one load of 16 bytes
    for (int i = 0; i < ROWS; i++) {
        float *row = &tile[threadIdx.y + i * STEP][4 * threadIdx.x];   // 4 words of a row
        row[0] = v[i].x;
        row[1] = v[i].y;
        row[2] = v[i].z;
        row[3] = v[i].w;
    }
    __syncthreads();   // a thread reads what other threads stored

    x = blockIdx.x * TILE + 4 * threadIdx.x;   // first of 4 columns of `out`
    y = blockIdx.y * TILE + threadIdx.y;       // row of `out`
    for (int i = 0; i < ROWS; i++) {
        float *col = &tile[4 * threadIdx.x][threadIdx.y + i * STEP];   // 4 words of a column
        if (x < rows && y + i * STEP < cols)
            *(float4 *)&out[(y + i * STEP) * rows + x] =
                make_float4(col[0], col[W], col[2 * W], col[3 * W]);
    }
}

void transpose(const float *in, float *out, int rows, int cols)
{
    if (rows % 4 || cols % 4)   // reports why, and launches nothing
        return refuse("multiples of 4 only");
    dim3 block(TILE / 4, STEP);
    dim3 grid(ceil_div(rows, TILE), ceil_div(cols, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}
