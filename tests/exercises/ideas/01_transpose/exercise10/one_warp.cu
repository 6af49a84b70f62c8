// Graded: 9 solved:
// Another style: a block is a warp; the lane is swizzled.
#include "transpose.h"

__global__ void warp_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][32];
    int lane = threadIdx.x, x = blockIdx.x * 32, y = blockIdx.y * 32;

    for (int r = 0; r < 32; r++)
        if (y + r < rows && x + lane < cols)
            tile[r][lane ^ r] = in[(y + r) * cols + x + lane];
    __syncwarp();
    for (int c = 0; c < 32; c++)
        if (x + c < cols && y + lane < rows)
            out[(x + c) * rows + y + lane] = tile[lane][c ^ lane];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    warp_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), 32>>>(in, out, rows, cols);
}
