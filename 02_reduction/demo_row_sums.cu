// demo_row_sums: one sum per row of a matrix: with a thread, a warp or a block per row
//
//   thread per row   lanes read neighboring rows: 32 sectors per request
//   warp per row     lanes read neighboring columns; five shuffles add 32 partial sums
//   block per row    8 warps read neighboring columns; shuffles, shared memory and a barrier
//
// Softmax and layer norm begin with such sums. The matrices have equally many elements. Which
// kernel is fastest depends on their shape. Every sum is compared with one of the host.
// make demo_row_sums && ./demo_row_sums
// Modeled times: make -C .. run-file FILE=02_reduction/demo_row_sums.cu FOR=h200
#include <cuda_runtime.h>
#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

enum { BLOCK = 256, WARPS = BLOCK / 32 };

__global__ void thread_per_row(const float *in, float *sums, int rows, int cols)
{
    int row = blockIdx.x * BLOCK + threadIdx.x;

    if (row >= rows)
        return;
    float sum = 0;
    for (int col = 0; col < cols; col++)
        sum += in[(size_t)row * cols + col];
    sums[row] = sum;
}

// Returns the sum of the 32 lanes, in lane 0. All lanes call it.
__device__ float warp_sum(float sum)
{
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    return sum;
}

__global__ void warp_per_row(const float *in, float *sums, int rows, int cols)
{
    int row = blockIdx.x * WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;

    if (row >= rows)   // the same for all lanes of the warp
        return;
    float sum = 0;
    for (int col = lane; col < cols; col += 32)
        sum += in[(size_t)row * cols + col];
    sum = warp_sum(sum);
    if (lane == 0)
        sums[row] = sum;
}

__global__ void block_per_row(const float *in, float *sums, int cols)
{
    __shared__ float warp_sums[WARPS];
    int row = blockIdx.x, tid = threadIdx.x;

    float sum = 0;
    for (int col = tid; col < cols; col += BLOCK)
        sum += in[(size_t)row * cols + col];
    sum = warp_sum(sum);
    if (tid % 32 == 0)
        warp_sums[tid / 32] = sum;
    __syncthreads();
    if (tid >= 32)   // all but warp 0
        return;
    sum = warp_sum(tid < WARPS ? warp_sums[tid] : 0);
    if (tid == 0)
        sums[row] = sum;
}

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "demo_row_sums: %s\n", cudaGetErrorString(error));
    exit(3);
}

static const char *const names[] = { "thread per row", "warp per row", "block per row" };

static void launch(int kernel, const float *in, float *sums, int rows, int cols)
{
    if (kernel == 0)
        thread_per_row<<<(rows - 1) / BLOCK + 1, BLOCK>>>(in, sums, rows, cols);
    else if (kernel == 1)
        warp_per_row<<<(rows - 1) / WARPS + 1, BLOCK>>>(in, sums, rows, cols);
    else
        block_per_row<<<rows, BLOCK>>>(in, sums, cols);
    check(cudaGetLastError());
}

// Ends the program if a sum is wrong. All values are small integers, so the sums are exact.
static void check_sums(const char *name, const std::vector<float> &in, const float *sums, int rows,
                       int cols)
{
    std::vector<float> got(rows);

    check(cudaMemcpy(got.data(), sums, rows * sizeof(float), cudaMemcpyDeviceToHost));
    for (int row = 0; row < rows; row++) {
        float want = 0;
        for (int col = 0; col < cols; col++)
            want += in[(size_t)row * cols + col];
        if (got[row] != want) {
            printf("%s: row %d has the sum %g, expected %g\n", name, row, got[row], want);
            exit(1);
        }
    }
}

// Returns the microseconds of a launch, the median of 15, or NaN after one launch if the device
// does not measure time.
static float us_of(int kernel, const float *in, float *sums, int rows, int cols)
{
    cudaEvent_t start, stop;
    float ms[15];

    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
    for (float &sample : ms) {
        check(cudaEventRecord(start));
        launch(kernel, in, sums, rows, cols);
        check(cudaEventRecord(stop));
        check(cudaEventSynchronize(stop));
        check(cudaEventElapsedTime(&sample, start, stop));
        if (sample != sample)
            return sample;
    }
    std::sort(ms, ms + 15);
    return 1000 * ms[7];
}

int main()
{
    static const int shapes[][2] = { { 131072, 32 }, { 4096, 1024 }, { 8, 524288 } };
    const int n = 1 << 22;
    std::vector<float> host(n);
    float *in, *sums;

    for (int i = 0; i < n; i++)
        host[i] = (unsigned)i * 2654435769u >> 29;   // 0 to 7
    check(cudaMalloc((void **)&in, n * sizeof(float)));
    check(cudaMalloc((void **)&sums, shapes[0][0] * sizeof(float)));
    check(cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    for (const int *shape : shapes)
        for (int kernel = 0; kernel < 3; kernel++) {
            float us = us_of(kernel, in, sums, shape[0], shape[1]);
            check_sums(names[kernel], host, sums, shape[0], shape[1]);
            printf("%6d rows of %6d  %-15s right", shape[0], shape[1], names[kernel]);
            printf(us == us ? "%10.2f us\n" : "\n", us);
        }
    check(cudaFree(in));
    check(cudaFree(sums));
    return 0;
}
