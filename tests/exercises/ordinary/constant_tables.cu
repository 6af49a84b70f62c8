// Graded: 9 solved:
#include "transpose.h"
__constant__ int step_table[4];
__constant__ float scale = 1.0f;
static __device__ int counter;
__device__ __constant__ int rows_of_tile[] = { 0, 8, 16, 24 };
static const int host_table[4] = { 0, 8, 16, 24 };
__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 4; k++)
        if (x < cols && y + step_table[k] < rows)
            tile[threadIdx.y + step_table[k]][threadIdx.x] =
                scale * in[(y + rows_of_tile[k]) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < rows && y + k < cols)
            out[(y + k) * rows + x] = tile[threadIdx.x][threadIdx.y + k];
}
void transpose(const float *in, float *out, int rows, int cols)
{
    float one = 1.f;
    int zero = 0;
    cudaMemcpyToSymbol(step_table, host_table, sizeof host_table);
    cudaMemcpyToSymbol(scale, &one, sizeof(float), 0, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(counter, &zero, sizeof(int));
    void *address;
    size_t size;
    cudaGetSymbolAddress(&address, step_table);
    cudaGetSymbolSize(&size, step_table);
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}
