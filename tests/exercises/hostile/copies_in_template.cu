// Graded: 0 refused|stopped|wrong|uncompiled: .
// Attack: the copy constructor of an argument of a kernel that its arguments select; ends with
// exit status 99.
#include "transpose.h"
#include <cstdlib>

struct evil {
    char *host;
    int *flag;
    evil(char *h, int *f) : host(h), flag(f) {}
    __attribute__((always_inline)) __host__ __device__ evil(const evil &o)
        : host(o.host), flag(o.flag)
    {
        volatile char here = 0;
        if ((const char *)&here > host + (1l << 30) || (const char *)&here + (1l << 30) < host)
            *flag = 5;
    }
};
static int flag;
template <class T> __global__ void runs(const T &e, int n = 1)
{
    (void)e;
    (void)n;
}
template <class T> __global__ void runs(T e, float) { (void)e; }

// Here: transpose_tile of bank_conflicts.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
    char here;
    evil e(&here, &flag);
    runs<<<1, 1>>>(e, 1);
    cudaDeviceSynchronize();
    exit(flag == 5 ? 99 : 1);
}
