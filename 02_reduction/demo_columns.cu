// demo_columns: the sum of each column of a row-major matrix, coalesced
//
// A thread per column: a warp reads 32 neighboring columns of one row. Blocks share the rows among
// them, and add their sums by an atomic. The second kernel has a warp per column, as a sum of rows
// has a warp per row, and needs a sector for each element.
// make demo_columns && ./demo_columns
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 256, SLICE = 64 };   // threads per block; rows per block of column_sums

__device__ int warp_sum(int sum)
{
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    return sum;
}

__global__ void column_sums(const int *a, int *sums, int rows, int cols)
{
    int col = blockIdx.x * THREADS + threadIdx.x, sum = 0;
    int first = blockIdx.y * SLICE, end = min(first + SLICE, rows);

    if (col >= cols)
        return;
    for (int row = first; row < end; row++)
        sum += a[(size_t)row * cols + col];   // neighboring lanes: neighboring elements
    atomicAdd(&sums[col], sum);               // `sums` starts at 0
}

// Neighboring lanes read neighboring rows of one column: 32 sectors per request.
__global__ void column_sums_strided(const int *a, int *sums, int rows, int cols)
{
    int col = (blockIdx.x * THREADS + threadIdx.x) / 32, lane = threadIdx.x % 32, sum = 0;

    if (col >= cols)
        return;
    for (int row = lane; row < rows; row += 32)
        sum += a[(size_t)row * cols + col];
    sum = warp_sum(sum);
    if (lane == 0)
        sums[col] = sum;
}

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "demo_columns: %s\n", cudaGetErrorString(error));
    exit(3);
}

static int wrong_sums(const char *name, const int *a, const int *sums_d, int rows, int cols)
{
    int wrong = 0, *sums = (int *)malloc(cols * sizeof *sums);

    check(cudaMemcpy(sums, sums_d, cols * sizeof *sums, cudaMemcpyDeviceToHost));
    for (int col = 0; col < cols; col++) {
        int sum = 0;

        for (int row = 0; row < rows; row++)
            sum += a[(size_t)row * cols + col];
        wrong += sum != sums[col];
    }
    printf("%-20s %d wrong\n", name, wrong);
    free(sums);
    return wrong;
}

int main(int argc, char **argv)
{
    int rows = argc == 3 ? atoi(argv[1]) : 1000, cols = argc == 3 ? atoi(argv[2]) : 900;
    int *a, *a_d, *sums_d, wrong = 0;

    if ((argc != 1 && argc != 3) || rows < 1 || cols < 1 || (long long)rows * cols > 1 << 28) {
        fprintf(stderr, "demo_columns: expected ROWS COLUMNS, at most %d elements\n", 1 << 28);
        return 2;
    }
    size_t size = (size_t)rows * cols * sizeof *a;
    a = (int *)malloc(size);
    for (size_t i = 0; i < size / sizeof *a; i++)
        a[i] = (int)(i % 1009) - 500;
    check(cudaMalloc((void **)&a_d, size));
    check(cudaMalloc((void **)&sums_d, cols * sizeof *sums_d));
    check(cudaMemcpy(a_d, a, size, cudaMemcpyHostToDevice));

    check(cudaMemset(sums_d, 0, cols * sizeof *sums_d));
    column_sums<<<dim3((cols - 1) / THREADS + 1, (rows - 1) / SLICE + 1), THREADS>>>(a_d, sums_d,
                                                                                     rows, cols);
    check(cudaGetLastError());
    wrong += wrong_sums("a thread per column", a, sums_d, rows, cols);
    column_sums_strided<<<(cols - 1) / (THREADS / 32) + 1, THREADS>>>(a_d, sums_d, rows, cols);
    check(cudaGetLastError());
    wrong += wrong_sums("a warp per column", a, sums_d, rows, cols);
    check(cudaFree(a_d));
    check(cudaFree(sums_d));
    free(a);
    return wrong != 0;
}
