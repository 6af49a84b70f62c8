// wrong: copies the input in the first call and uses that copy in all later calls
//
// Rejected: the first call was correct; this second call
// Rejected (gpu): the first call was correct; this second call
#include "transpose.h"

__global__ void keep(const float *in, float *kept, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;

    if (i < n && kept[n] == 0)
        kept[i] = in[i];
}

__global__ void transpose_kept(float *kept, float *out, int rows, int cols)
{
    int i = blockIdx.x * 256 + threadIdx.x;

    if (i < rows * cols)
        out[i % cols * rows + i / cols] = kept[i];
    if (i == 0)
        kept[rows * cols] = 1;
}

void transpose(const float *in, float *out, int rows, int cols)
{
    int n = rows * cols;
    float *kept = (float *)scratch((n + 1) * sizeof *kept);

    keep<<<ceil_div(n, 256), 256>>>(in, kept, n);
    transpose_kept<<<ceil_div(n, 256), 256>>>(kept, out, rows, cols);
}
