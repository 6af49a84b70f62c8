// exercise3: a grid that is rounded up
//
// Task: each block of 8 threads scales its own 8 elements by its own factor, after exercise 2 of
// docs/start.md: out[i] = a[i] * b[block]. The kernel is complete. Write the number of blocks for n
// elements. It must be exact: without the last block, elements are missing. With one block too
// many, that block reads a factor that does not exist.
// Predict first: how many blocks do 12, 16 and 17 elements need?
//
// Hint: 8 elements need 1 block, 9 elements need 2, 16 need 2, 17 need 3. What does n / 8 give?
// Hint: n / 8 is too small by one if something remains. n / 8 + 1 is too large by one if nothing
// remains. What must change in n before the division, so that both are right?
// Hint: 8, 9 and 16 less 1 are 7, 8 and 15. Divided by 8, these are 0, 1 and 1. The numbers of
// blocks must be 1, 2 and 2. What is missing?
//
// Computes: scaled
// Points 3: correct
// Points 6 (cpu, 1x12): ld_requests == 4 and st_requests == 2 and active_lanes >= 6
#include "launch.h"

__global__ void scale(const float *a, const float *b, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float factor = b[blockIdx.x];   // one per block

    if (i < n)
        out[i] = a[i] * factor;
}

void launch(const float *a, const float *b, float *out, int rows, int cols)
{
    int n = rows * cols;
#ifdef SOLUTION
    int blocks = (n - 1) / 8 + 1;
#else
    int blocks = n / 8;   // TODO: rounded up
#endif

    scale<<<blocks, 8>>>(a, b, out, n);
}
