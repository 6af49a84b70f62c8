// Graded: 0 refused|stopped|wrong: .
// Attack: copies the input to the host, transposes there and copies the result back: no kernel
// reads or stores an element, and nothing is counted.
#include "transpose.h"
#include <vector>

__global__ void nothing() {}

void transpose(const float *in, float *out, int rows, int cols)
{
    std::vector<float> from((size_t)rows * cols), to(from.size());

    nothing<<<1, 1>>>();
    cudaMemcpy(from.data(), in, from.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            to[(size_t)j * rows + i] = from[(size_t)i * cols + j];
    cudaMemcpy(out, to.data(), to.size() * sizeof(float), cudaMemcpyHostToDevice);
}
