// exercise4: wait for the other threads of the block
//
// Task: reverse an array, after section 6 of docs/start.md: out[i] = a[n - 1 - i]. There is one
// block, with a multiple of 64 threads, so some threads have no element. Each other thread stores
// its element into shared memory. Then it reads an element that another thread has stored. Write
// one line, so that this element is always there. All threads of the block must reach it: none may
// skip it or return before it.
// Predict first: which thread stores the element that thread 0 reads?
//
// Hint: Thread 0 reads what the last thread stores. What if the last thread has not stored it yet?
// Hint: Which function returns when all threads of the block have called it?
// Hint: All stores must be before it, and all loads after it. Every thread has to reach it, also
// those without an element. So is its place inside of an `if`, or between the two?
//
// Computes: reversed
// Points 3: correct
// Points 6 (cpu, 1x12): ld_requests == 1 and st_requests == 1 and shared_requests == 2 and
//     partial_barriers == 0 and barriers == 2
#include "launch.h"

__global__ void reverse(const float *a, float *out, int n)
{
    __shared__ float tile[1024];
    int i = threadIdx.x;

    // All elements must be stored before any of them is read.
    if (i < n)
        tile[i] = a[i];
#ifdef SOLUTION
    __syncthreads();
#else
#endif
    if (i < n)
        out[i] = tile[n - 1 - i];
}

void launch(const float *a, const float *b, float *out, int rows, int cols)
{
    int n = rows * cols;

    if (n > 1024)
        return refuse("at most 1024 elements");
    reverse<<<1, ceil_div(n, 64) * 64>>>(a, out, n);   // ceil_div: a quotient that is rounded up
}
