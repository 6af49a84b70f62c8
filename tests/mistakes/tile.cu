#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int TILE = 16;

int ceil_div(int a, int b) { return (a + b - 1) / b; }

__device__ bool is_inside(int x, int y, int cols, int rows) { return x < cols && y < rows; }

__global__ void transpose_tile(float *out, const float *in, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;

    if (is_inside(x, y, cols, rows)) {
        tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    }
    __syncthreads();
    int out_x = blockIdx.y * TILE + threadIdx.x;
    int out_y = blockIdx.x * TILE + threadIdx.y;
    if (is_inside(out_x, out_y, rows, cols))
        out[out_y * rows + out_x] = tile[threadIdx.x][threadIdx.y];
}

int main()
{
    int rows = 50, cols = 70, wrong = 0;
    size_t bytes = (size_t)(rows * cols) * sizeof(float);
    std::vector<float> host(rows * cols), back(rows * cols);
    float *in, *out;

    for (int i = 0; i < rows * cols; i++)
        host[i] = (float)i;
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice);
    dim3 block(TILE, TILE), grid(ceil_div(cols, TILE), ceil_div(rows, TILE));
    transpose_tile<<<grid, block>>>(out, in, rows, cols);
    cudaMemcpy(back.data(), out, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < rows * cols; i++)
        wrong += back[i / cols + i % cols * rows] != host[i];
    printf("%d wrong\n", wrong);
    cudaFree(in);
    cudaFree(out);
}
