// exercise8: the sum of a block
//
// Task: out[block] is the sum of the 8 elements of a block, after section 8 of docs/start.md.
// Thread 0 sums alone now, with 8 loads. Let all threads work: each stores its element into shared
// memory. Then 4 threads each add the element that is 4 places further. Then 2 threads add what is
// 2 places further, then 1 thread. The sum is then in place 0. All 8 threads reach each barrier,
// also those without an element: none returns before it. The last block can have fewer elements, 4
// if n is 12. An element that is missing counts as 0.
// Predict first: after which of these steps must the threads wait?
//
// Hint: Declare an array of 8 floats in shared memory. A thread without an element, i >= n, must
// store 0. Then no later step needs n.
// Hint: A loop has s = 4, 2, 1. In it, the threads with t < s add place t + s to place t. All 8
// threads execute the loop.
// Hint: Each step reads what the step before has stored. So a barrier is needed before each step.
// Every thread must reach it: it stands in the loop, but not in the `if`.
//
// Computes: block_sums
// Points 3: correct
// Points 6 (cpu, 1x60): ld_requests == 8 and st_requests == 8 and barriers >= 24 and
//     partial_barriers == 0 and shared_requests >= 48
#include "launch.h"

__global__ void block_sum(const float *a, float *out, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * 8 + t;
#ifdef SOLUTION
    __shared__ float part[8];

    part[t] = i < n ? a[i] : 0;
    for (int s = 4; s > 0; s /= 2) {
        __syncthreads();
        if (t < s)
            part[t] += part[t + s];
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
#else
    float sum = 0;

    if (t == 0) {   // TODO: all threads
        for (int k = i; k < i + 8 && k < n; k++)
            sum += a[k];
        out[blockIdx.x] = sum;
    }
#endif
}

void launch(const float *a, const float *b, float *out, int rows, int cols)
{
    int n = rows * cols;

    block_sum<<<ceil_div(n, 8), 8>>>(a, out, n);
}
