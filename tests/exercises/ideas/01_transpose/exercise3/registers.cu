// Graded: 2 partial: no: is 16384, must be (at (most|least) )?8192$
// 4 x 4 elements per thread in registers: vectors, but a stored sector is used by halves.
#include "transpose.h"

__global__ void four(const float *in, float *out, int rows, int cols)
{
    int x = 4 * (32 * blockIdx.x + threadIdx.x), y = 4 * (8 * blockIdx.y + threadIdx.y);
    alignas(16) float v[4][4];
    bool loads = cols % 4 == 0, stores = rows % 4 == 0;

    if (x >= cols || y >= rows)
        return;
    for (int i = 0; i < 4 && y + i < rows; i++)
        if (loads)
            *(float4 *)v[i] = *(const float4 *)&in[(y + i) * cols + x];
        else
            for (int j = 0; j < 4 && x + j < cols; j++)
                v[i][j] = in[(y + i) * cols + x + j];
    for (int j = 0; j < 4 && x + j < cols; j++)
        if (stores)
            *(float4 *)&out[(x + j) * rows + y] = make_float4(v[0][j], v[1][j], v[2][j], v[3][j]);
        else
            for (int i = 0; i < 4 && y + i < rows; i++)
                out[(x + j) * rows + y + i] = v[i][j];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    four<<<dim3(ceil_div(cols, 128), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows, cols);
}
