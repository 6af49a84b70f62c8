// demo_in_place: a square matrix is transposed in place
//
// A block swaps two tiles, one above the diagonal and its mirror image below it. Both are in shared
// memory before the block stores, and no other block touches them. `./demo_in_place 1000`
// transposes another size.
// make demo_in_place && ./demo_in_place
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum { TILE = 32, ROWS = 8 };   // a block of 32 x 8 threads; each moves four elements per tile

__device__ void load_tile(float tile[TILE][TILE + 1], const float *a, int n, int col, int row)
{
    for (int r = threadIdx.y; r < TILE; r += ROWS)
        if (row + r < n && col + threadIdx.x < n)
            tile[r][threadIdx.x] = a[(size_t)(row + r) * n + col + threadIdx.x];
}

// Stores the transposed tile: a column of it becomes a row of `a`.
__device__ void store_transposed(float *a, const float tile[TILE][TILE + 1], int n, int col,
                                 int row)
{
    for (int r = threadIdx.y; r < TILE; r += ROWS)
        if (row + r < n && col + threadIdx.x < n)
            a[(size_t)(row + r) * n + col + threadIdx.x] = tile[threadIdx.x][r];
}

__global__ void transpose_in_place(float *a, int n)
{
    __shared__ float upper[TILE][TILE + 1], lower[TILE][TILE + 1];
    int col = blockIdx.x * TILE, row = blockIdx.y * TILE;   // of the upper tile

    if (col < row)
        return;   // the block of the mirror image swaps these two tiles
    load_tile(upper, a, n, col, row);
    load_tile(lower, a, n, row, col);
    __syncthreads();   // both tiles are loaded before one is overwritten
    store_transposed(a, lower, n, col, row);
    if (col != row)   // a tile on the diagonal is its own mirror image
        store_transposed(a, upper, n, row, col);
}

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "demo_in_place: %s\n", cudaGetErrorString(error));
    exit(3);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000, tiles = (n - 1) / TILE + 1, wrong = 0;
    size_t count = (size_t)n * n, size = count * sizeof(float);
    float *a = (float *)malloc(size), *a_d;

    if (argc > 2 || n < 1 || n > 16384 || !a) {
        fprintf(stderr, "demo_in_place: expected one number of rows, 1 to 16384\n");
        return 2;
    }
    for (size_t i = 0; i < count; i++)
        a[i] = (float)(i % 16777213);
    check(cudaMalloc((void **)&a_d, size));
    check(cudaMemcpy(a_d, a, size, cudaMemcpyHostToDevice));
    transpose_in_place<<<dim3(tiles, tiles), dim3(TILE, ROWS)>>>(a_d, n);
    check(cudaGetLastError());
    check(cudaMemcpy(a, a_d, size, cudaMemcpyDeviceToHost));
    for (int row = 0; row < n; row++)
        for (int col = 0; col < n; col++)
            wrong += a[(size_t)row * n + col] != (float)(((size_t)col * n + row) % 16777213);
    printf("%d x %d in place: %d wrong\n", n, n, wrong);
    check(cudaFree(a_d));
    free(a);
    return wrong != 0;
}
