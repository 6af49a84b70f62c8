// Graded: 9 solved:
// Another style: one index, both loops the other way round, constants by name.
#include "transpose.h"

enum { H = 64, W = 32, P = W + 1 };

__global__ void rectangle(const float *a, float *b, int m, int n)
{
    __shared__ float s[H * P];
    const int r0 = blockIdx.y * H, c0 = blockIdx.x * W, lane = threadIdx.x, warp = threadIdx.y;
    float v[8];

#pragma unroll
    for (int k = 7; k >= 0; k--)
        v[k] = r0 + 8 * k + warp < m && c0 + lane < n ? a[(r0 + 8 * k + warp) * n + c0 + lane] : 0;
#pragma unroll
    for (int k = 0; k < 8; k++)
        s[(8 * k + warp) * P + lane] = v[k];
    __syncthreads();
    for (int half = 0; half < 2; half++)
        for (int k = warp; k < W; k += 8)
            if (c0 + k < n && r0 + 32 * half + lane < m)
                b[(c0 + k) * m + r0 + 32 * half + lane] = s[(32 * half + lane) * P + k];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 grid((cols + W - 1) / W, (rows + H - 1) / H);
    rectangle<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}
