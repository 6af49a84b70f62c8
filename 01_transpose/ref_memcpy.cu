// ref_memcpy: the runtime's own copy, device to device. It moves the bytes of a transpose and
// nothing more: what a transpose can hope for.
//
// Computes: copy
// Expect (sm_90, 16384x16384): rate <= 0.92 * peak_gbs
#include "transpose.h"

void transpose(const float *in, float *out, int rows, int cols)
{
    cudaMemcpyAsync(out, in, sizeof(float) * rows * cols, cudaMemcpyDeviceToDevice,
                    cudaStreamPerThread);
}
