// Graded: 9 solved:
#include "transpose.h"

// Four columns per thread with one load if the row is aligned; else one by one.
__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];
    int lane = threadIdx.x, y = blockIdx.y * 32 + threadIdx.x,
        x = blockIdx.x * 32 + 4 * threadIdx.y;
    float4 v = {};

    if (y < rows && x + 3 < cols && cols % 4 == 0)
        v = *reinterpret_cast<const float4 *>(&in[y * cols + x]);
    else if (y < rows)
        for (int k = 0; k < 4; k++)
            if (x + k < cols)
                (&v.x)[k] = in[y * cols + x + k];
    for (int k = 0; k < 4; k++)
        tile[4 * threadIdx.y + k][lane] = (&v.x)[k];
    __syncthreads();
    for (int i = threadIdx.y; i < 32; i += 8)
        if (blockIdx.y * 32 + lane < rows && blockIdx.x * 32 + i < cols)
            out[(blockIdx.x * 32 + i) * rows + blockIdx.y * 32 + lane] = tile[i][lane];
}

// Here: transpose of honest.cu
