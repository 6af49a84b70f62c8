// Graded: 0 uncompiled: ^host_table_in_kernel.cu:12: error: .* uses .steps., .* host variable
#include "transpose.h"

static const int steps[4] = { 0, 8, 16, 24 };

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;

    for (int k = 0; k < 4; k++) {
        int i = steps[k];
        if (x < cols && y + i < rows)
            tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * cols + x];
    }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (x < rows && y + i < cols)
            out[(y + i) * rows + x] = tile[threadIdx.x][threadIdx.y + i];
}

// Here: transpose of honest.cu
