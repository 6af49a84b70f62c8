// wrong: allocates device memory in each call and does not free it. The result is correct.
//
// Rejected: leaks device memory: [0-9]+ bytes per call
// Rejected (gpu): leaks device memory: [0-9]+ bytes per call
#include "transpose.h"

__global__ void transpose_copy(const float *copy, float *out, int rows, int cols)
{
    int i = blockIdx.x * 256 + threadIdx.x;

    if (i < rows * cols)
        out[i % cols * rows + i / cols] = copy[i];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    size_t bytes = (size_t)rows * cols * sizeof(float);
    float *copy = NULL;

    cudaMalloc((void **)&copy, bytes);
    cudaMemcpyAsync(copy, in, bytes, cudaMemcpyDeviceToDevice, cudaStreamPerThread);
    transpose_copy<<<ceil_div(rows * cols, 256), 256>>>(copy, out, rows, cols);
}
