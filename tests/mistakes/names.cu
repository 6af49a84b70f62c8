// Names of device variables that host code uses for other things, and rightly.
#include <cstdio>
#include <map>

namespace config {
__constant__ int limit;
__device__ float data[8];
__device__ int calls;
}   // namespace config

struct counter {
    int data;
    counter() : data(3) {}
    int get() { return data; }
};
__device__ int n = 4;

template <class T> void set(T &symbol, T value)
{
    cudaMemcpyToSymbol(symbol, &value, sizeof value);
}

__global__ void k(int *out) { out[0] = config::limit + (int)config::data[1] + config::calls + n; }

int data(int x) { return x; }

int main()
{
    int *out, limit = 3, result, two = 2, *address;
    float values[8] = { 1, 2, 3 };
    std::map<int, int> squares;

    cudaMallocManaged(&out, 4);
    cudaMemcpyToSymbol(config::limit, &limit, 4);
    cudaMemcpyToSymbol(config::data, values, sizeof config::data);
    set(config::calls, 7);
    for (int n = 0; n < 3; n++)
        squares[n] = n * n;
    auto next = [&](int n) { return n + 1; };
    k<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    cudaGetSymbolAddress((void **)&address, n);
    cudaMemcpy(address, &two, 4, cudaMemcpyHostToDevice);
    cudaMemcpyFromSymbol(&result, n, 4);
    printf("%d %d %d %d %d\n", out[0], result, next(squares[2]), counter().get(), data(4));
}
