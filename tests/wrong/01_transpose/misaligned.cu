// wrong: float4 access to rows that are not aligned to 16 bytes. A GPU stops the kernel with an
// error.
//
// Rejected: misaligned\.cu:[0-9]+: .*misaligned
#include "transpose.h"

__global__ void transpose_float4(const float *in, float *out, int rows, int cols)
{
    int x = 4 * (blockIdx.x * 32 + threadIdx.x);
    int y = blockIdx.y;

    if (x + 3 < cols) {
        float4 four = *(const float4 *)&in[y * cols + x];
        out[(x + 0) * rows + y] = four.x;
        out[(x + 1) * rows + y] = four.y;
        out[(x + 2) * rows + y] = four.z;
        out[(x + 3) * rows + y] = four.w;
    } else
        for (; x < cols; x++)
            out[x * rows + y] = in[y * cols + x];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_float4<<<dim3(ceil_div(cols, 128), rows), 32>>>(in, out, rows, cols);
}
