// wrong: swaps the two neighbors of one corner, and only in large matrices
//
// Rejected: 2 of [0-9]+ elements of 'out' are wrong
// Rejected (gpu): 2 of [0-9]+ elements of 'out' are wrong
#include "transpose.h"

__global__ void transpose_naive(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.x * 256 + threadIdx.x, n = rows * cols, from = i;

    if (n > 100000 && (i == n - 2 || i == n - 3))
        from = 2 * n - 5 - i;
    if (i < n)
        out[i % cols * rows + i / cols] = in[from];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_naive<<<ceil_div(rows * cols, 256), 256>>>(in, out, rows, cols);
}
