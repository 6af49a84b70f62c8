// Graded: 0 uncompiled: ^missing_device_of_member.cu:15: error: .*bounds::has., .* host function
#include "transpose.h"

struct bounds {
    int cols, rows;
    bool has(int x, int y) const { return x < cols && y < rows; }
};

__global__ void transpose_tile(const float *in, float *out, bounds b)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;

    for (int i = threadIdx.y; i < 32; i += 8)
        if (b.has(x, y + i))
            tile[i][threadIdx.x] = in[(y + i) * b.cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < b.rows && y + i < b.cols)
            out[(y + i) * b.rows + x] = tile[threadIdx.x][i];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    bounds b = { cols, rows };
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, b);
}
