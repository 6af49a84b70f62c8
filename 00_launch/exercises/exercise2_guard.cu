// exercise2: more threads than elements
//
// Task: out[i] = a[i] + 10, after exercise 1 of docs/start.md. Blocks have 4 threads. This launch
// starts n / 4 + 1 blocks, so there are threads without an element. They must not access memory.
// Write the guard: one `if`.
// Predict first: how many threads have no element if n is 12? `make draw N=2` shows what they do.
//
// Hint: Which elements does an array of n elements have? Which is the last?
// Hint: n is a parameter of the kernel. Which threads may execute the last line: those with which
// i?
// Hint: The last element is n - 1. So i == n is one too many. Compare i with n so that n itself is
// excluded.
//
// Computes: plus_ten
// Points 3: correct
// Points 6 (cpu, 1x10): ld_requests == 3 and st_requests == 3 and active_lanes <= 3.4
#include "launch.h"

__global__ void add_ten(const float *a, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

#ifdef SOLUTION
    if (i < n)
        out[i] = a[i] + 10;
#else
    out[i] = a[i] + 10;   // TODO: only in threads that have an element
#endif
}

void launch(const float *a, const float *b, float *out, int rows, int cols)
{
    int n = rows * cols;

    add_ten<<<n / 4 + 1, 4>>>(a, out, n);
}
