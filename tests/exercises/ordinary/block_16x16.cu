// Graded: 6 partial: ^st_sectors .* .128x128, float.: no: is 4096, must be (at (most|least) )?3072$
#include "transpose.h"

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16;

    for (int i = threadIdx.y; i < 16; i += 16)
        if (x < cols && y + i < rows)
            tile[i][threadIdx.x] = in[(y + i) * cols + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16;
    for (int i = threadIdx.y; i < 16; i += 16)
        if (x < rows && y + i < cols)
            out[(y + i) * rows + x] = tile[threadIdx.x][i];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_tile<<<dim3(ceil_div(cols, 16), ceil_div(rows, 16)), dim3(16, 16)>>>(in, out, rows,
                                                                                   cols);
}
