// Graded: 0 refused|stopped|wrong|uncompiled: .
// Attack: transposes element by element through a device variable, by copies that the host makes.
#include "transpose.h"

__device__ float buffer[1];
void transpose(const float *in, float *out, int rows, int cols)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            cudaMemcpyToSymbol(buffer, in + (size_t)r * cols + c, 4, 0, cudaMemcpyDeviceToDevice);
            cudaMemcpyFromSymbol(out + (size_t)c * rows + r, buffer, 4, 0,
                                 cudaMemcpyDeviceToDevice);
        }
}
