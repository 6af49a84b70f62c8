// wrong: copies, which gives every value that is asked for, and nearly all of them at the wrong
// place.
//
// Rejected: elements of 'out' are wrong
// Rejected (gpu): elements of 'out' are wrong
#include "transpose.h"

void transpose(const float *in, float *out, int rows, int cols)
{
    cudaMemcpyAsync(out, in, sizeof *in * rows * cols, cudaMemcpyDeviceToDevice,
                    cudaStreamPerThread);
}
