// wrong: reads past the end of the input in the last tile. The output is correct.
//
// Rejected: reads_past\.cu:[0-9]+: .*(out of bounds|beyond|past)
#include "transpose.h"

__global__ void transpose_naive(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    // volatile: otherwise the compiler moves the load below the test
    float value = *(const volatile float *)&in[y * cols + x];

    if (x < cols && y < rows)
        out[x * rows + y] = value;
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(32, 32);
    dim3 grid(ceil_div(cols, 32), ceil_div(rows, 32));

    transpose_naive<<<grid, block>>>(in, out, rows, cols);
}
