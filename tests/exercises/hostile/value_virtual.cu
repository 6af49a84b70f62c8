// Graded: 6 partial|refused|stopped|wrong|uncompiled: .
// Attack: passes a struct in the tile by value to a virtual function.
#include "transpose.h"

struct one {
    float v;
};
struct base {
    __device__ virtual float get(one s) { return s.v; }
};
struct next : base {
    __device__ float get(one s) override { return s.v; }
};
__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;

    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < cols && y + i < rows)
            tile[i][threadIdx.x] = in[(y + i) * cols + x];
    __syncthreads();
    base b;
    next n;
    base *p = rows > 100000 ? &b : &n;
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < rows && y + i < cols)
            out[(y + i) * rows + x] = p->get(*(const one *)&tile[threadIdx.x][i]);
}

// Here: transpose of honest.cu
