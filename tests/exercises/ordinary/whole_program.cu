// Graded: 0 refused: ^not allowed: line 26: a definition of .main.: remove it
#include "transpose.h"

// Here: transpose_tile of honest.cu

// Here: transpose of honest.cu

int main()
{
    float *a;
    cudaMalloc(&a, 4);
    cudaMemcpy(a, a, 4, cudaMemcpyDeviceToHost);
    return 0;
}
