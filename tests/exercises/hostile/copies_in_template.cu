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

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;

    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < cols && y + i < rows)
            tile[i][threadIdx.x] = in[(y + i) * cols + x];
    __syncthreads();

    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < rows && y + i < cols)
            out[(y + i) * rows + x] = tile[threadIdx.x][i];
}

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
