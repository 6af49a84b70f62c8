// wrong: copies the input: all values are there, nearly all of them at the wrong place
//
// Rejected: elements of 'out' are wrong
// Rejected (gpu): elements of 'out' are wrong
#include "transpose.h"

void transpose(const float *in, float *out, int rows, int cols)
{
    cudaMemcpyAsync(out, in, sizeof *in * rows * cols, cudaMemcpyDeviceToDevice,
                    cudaStreamPerThread);
}
