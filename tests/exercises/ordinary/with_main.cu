// Graded: 0 uncompiled|refused: (main|undefined reference to .transpose)
#include "transpose.h"
#include <iostream>

__global__ void transpose_tile(const float *in, float *out, int rows, int cols) {}

int main()
{
    transpose_tile<<<1, 32>>>(nullptr, nullptr, 0, 0);
    std::cout << "done" << std::endl;
}
