#include <cstdio>

struct range {
    int first, count;
    __host__ __device__ range(int a, int n) : first(a), count(n) {}
    __host__ __device__ int end() const { return first + count; }
};

__constant__ float scale[2];
__device__ float total;
__device__ int table[4];
__managed__ int calls;
__device__ const int THREADS = 128;
constexpr int BLOCKS = 4;

__device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    return v;
}

__global__ void sum(const float *a, range r)
{
    __shared__ float part[THREADS / 32];
    float v = 0;
    int first = r.first + blockIdx.x * blockDim.x + threadIdx.x;

    for (int i = first; i < r.end(); i += gridDim.x * blockDim.x)
        v += a[i] * scale[0];
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; w++)
            v += part[w];
        atomicAdd(&total, v);
        atomicAdd(&calls, 1);
    }
}

int main()
{
    float factors[2] = { 2, 3 }, zero = 0, result;
    float *a, *address;
    size_t size;

    cudaMallocManaged(&a, 1000 * sizeof *a);
    for (int i = 0; i < 1000; i++)
        a[i] = 1;
    cudaMemcpyToSymbol(scale, factors, sizeof scale);
    cudaMemcpyToSymbol(total, &zero, sizeof zero);
    cudaGetSymbolAddress((void **)&address, total);
    cudaGetSymbolSize(&size, scale);
    decltype(total) same_type = (float)sizeof table;
    sum<<<BLOCKS, THREADS>>>(a, range(0, 1000));
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&result, total, sizeof result);
    cudaMemcpy(&same_type, address, sizeof same_type, cudaMemcpyDeviceToHost);
    printf("%g %g %zu %d\n", result, same_type, size, calls);
}
