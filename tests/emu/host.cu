// The runtime API, and device functions other than the integer functions of intrinsics.cu.
#include <cuda_profiler_api.h>
#include <device_launch_parameters.h>
#include <math_constants.h>
#include <string.h>
#include <atomic>
#include <memory>
#include <thread>

#include "ok.h"

__global__ void twice(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= 2;
}
__global__ void add_one(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += 1;
}
template <class T> __global__ void fill(T *p, T value, int n)
{
    if ((int)threadIdx.x < n)
        p[threadIdx.x] = value;
}

__global__ void functions(float *out)
{
    float s, c;
    int i = 0;

    __sincosf(0.5f, &s, &c);
    out[i++] = rsqrtf(4) == 0.5f && __fdividef(1, 4) == 0.25f && __expf(0) == 1 && __logf(1) == 0;
    out[i++] = fabsf(s * s + c * c - 1) < 1e-6f && __powf(2, 3) == 8 && sinpif(0.5f) == 1;
    out[i++] = __brevll(1) == 1ull << 63 && __umul64hi(1ull << 40, 1ull << 40) == 1 << 16;
    out[i++] = __mul64hi(-1, 1) == -1 && __double2int_rn(2.5) == 2;
    out[i++] = __hiloint2double(__double2hiint(1.5), __double2loint(1.5)) == 1.5;
    out[i++] = fabs(normcdf(normcdfinv(1e-9)) - 1e-9) < 1e-20 && normcdfinvf(0.5f) == 0;
    out[i++] =
        fabsf(erff(erfinvf(0.3f)) - 0.3f) < 1e-6f && fabs(erfcinv(0.3) - erfinv(0.7)) < 1e-12;
    __builtin_assume(i < 10);
    out[i++] = abs(-1.5f) == 1.5f && CUDART_INF_F > 1e38f && isnan(CUDART_NAN_F);
}

static int managed(void)
{
    int *p, sum = 0;

    cudaMallocManaged(&p, 100 * sizeof *p);
    for (int i = 0; i < 100; i++)
        p[i] = i;
    cudaMemPrefetchAsync(p, 100 * sizeof *p, 0);
    twice<<<4, 32>>>(p, 100);
    cudaDeviceSynchronize();
    for (int i = 0; i < 100; i++)
        sum += p[i];
    return cudaFree(p) == cudaSuccess && sum == 9900;
}

static int pinned(void)
{
    int *host, *mapped, *device, copy[4];

    cudaHostAlloc(&host, 4 * sizeof *host, cudaHostAllocMapped);
    cudaMalloc(&device, 4 * sizeof *device);
    for (int i = 0; i < 4; i++)
        host[i] = i + 1;
    cudaHostGetDevicePointer(&mapped, host, 0);
    twice<<<1, 4>>>(mapped, 4);
    int right = cudaMemcpy(device, host, 16, cudaMemcpyHostToDevice) == cudaSuccess &&
                cudaMemcpy(copy, device, 16, cudaMemcpyDeviceToHost) == cudaSuccess &&
                copy[3] == 8 && host[0] == 2;
    cudaFree(device);
    return cudaFreeHost(host) == cudaSuccess && right;
}

static int streams(void)
{
    cudaStream_t stream;
    cudaEvent_t start, stop;
    float ms = 0;
    int *p;

    cudaStreamCreate(&stream);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaMallocAsync(&p, 4, stream);
    cudaEventRecord(start, stream);
    cudaMemsetAsync(p, 0, 4, stream);
    twice<<<1, 1, 0, stream>>>(p, 1);
    cudaEventRecord(stop, stream);
    cudaStreamWaitEvent(stream, stop, 0);
    return cudaEventSynchronize(stop) == cudaSuccess && cudaEventQuery(stop) == cudaSuccess &&
           cudaEventElapsedTime(&ms, start, stop) == cudaSuccess && isnan(ms) &&
           cudaFreeAsync(p, stream) == cudaSuccess && cudaEventDestroy(start) == cudaSuccess &&
           cudaStreamDestroy(stream) == cudaSuccess;
}

static void launched(int *out)
{
    int n = 3, value = 21;
    void *fill_args[] = { &out, &value, &n }, *twice_args[] = { &out, &n };

    cudaLaunchKernel((const void *)fill<int>, dim3(1), dim3(4), fill_args, 0, 0);
    cudaLaunchKernel(twice, dim3(1), dim3(4), twice_args);
}

static int by_void_pointer(void)
{
    void *kernel = (void *)twice, *args[] = { NULL, NULL };
    return cudaLaunchKernel(kernel, dim3(1), dim3(1), args, 0, 0) == cudaErrorNotSupported &&
           cudaGetLastError() == cudaErrorNotSupported;
}

static int occupancy(void)
{
    int blocks, grid, block;
    cudaFuncAttributes attributes;
    cudaDeviceProp p;

    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, twice, 256, 0) == cudaSuccess &&
           blocks == 8 &&
           cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill<int>, 0, 0) == cudaSuccess &&
           block == 1024 && cudaFuncGetAttributes(&attributes, twice) == cudaSuccess &&
           attributes.maxThreadsPerBlock == 1024 && cudaGetDeviceProperties(&p, 0) == cudaSuccess &&
           grid == 2 * p.multiProcessorCount && p.warpSize == 32 && p.regsPerBlock == 65536 &&
           p.maxThreadsPerMultiProcessor == 2048 && p.maxThreadsDim[2] == 64 &&
           p.maxGridSize[1] == 65535 && p.sharedMemPerBlock == 49152 && p.l2CacheSize == 0;
}

__device__ int table[32];
__global__ void fill_table(int *p) { p[threadIdx.x] = (int)threadIdx.x; }

// Copies with the address of a variable, and of mapped memory.
static int addresses(void)
{
    int host[32] = {}, *p, *mapped;
    void *device;

    cudaGetSymbolAddress((void **)&p, table);
    fill_table<<<1, 32>>>(p);
    bool right = cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess &&
                 host[31] == 31 && cudaMemset(p + 30, 0, 8) == cudaSuccess &&
                 cudaMemcpy(host, p + 16, 64, cudaMemcpyDefault) == cudaSuccess && host[15] == 0 &&
                 cudaMemcpy(p, host, 4, cudaMemcpyHostToDevice) == cudaSuccess &&
                 cudaMemcpy(p + 1, host, sizeof host, cudaMemcpyHostToDevice) != cudaSuccess &&
                 cudaMemset(host, 0, 4) != cudaSuccess;
    cudaHostAlloc(&mapped, 64, cudaHostAllocMapped);
    mapped[0] = 5;
    cudaHostGetDevicePointer(&device, mapped, 0);
    right &= cudaMemcpy((int *)device + 8, device, 4, cudaMemcpyDeviceToDevice) == cudaSuccess &&
             cudaDeviceSynchronize() == cudaSuccess && mapped[8] == 5;
    cudaGetLastError();
    return right && cudaFreeHost(mapped) == cudaSuccess;
}

static int other_names(void)
{
    cudaDeviceProp p;
    cudaStreamAttrValue window = {};
    cudaMemLocation here = { cudaMemLocationTypeDevice, 0 };
    int device = 1, value = -1, *managed;

    cudaGetDeviceProperties(&p, 0);
    cudaMallocManaged(&managed, 64);
    window.accessPolicyWindow.base_ptr = managed;
    window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    return cudaChooseDevice(&device, &p) == cudaSuccess && device == 0 &&
           cudaDeviceGetAttribute(&value, cudaDevAttrL2CacheSize, 0) == cudaSuccess &&
           value == p.l2CacheSize && p.pageableMemoryAccessUsesHostPageTables == 0 &&
           cudaStreamSetAttribute(0, cudaStreamAttributeAccessPolicyWindow, &window) ==
               cudaSuccess &&
           cudaMemPrefetchAsync(managed, 64, here, 0, 0) == cudaSuccess &&
           cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, here) == cudaSuccess &&
           cudaThreadSynchronize() == cudaSuccess && cudaFree(managed) == cudaSuccess &&
           cudaThreadExit() == cudaSuccess;
}

static void note_call(cudaStream_t, cudaError_t status, void *data)
{
    *(std::atomic<int> *)data += status == cudaSuccess;
}
static int host_threads(void)
{
    std::thread threads[4];
    int right[4];

    for (int t = 0; t < 4; t++)
        threads[t] = std::thread([&right, t] {
            int *p, sum = 0, host[100] = {};

            cudaMalloc(&p, sizeof host);
            cudaMemset(p, 0, sizeof host);
            for (int i = 0; i < 50; i++) {
                cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
                host[t] += 1;
                cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
                add_one<<<4, 32>>>(p, 100);
            }
            cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
            for (int i = 0; i < 100; i++)
                sum += host[i];
            right[t] = sum == 50 * 101;
            cudaFree(p);
        });
    for (std::thread &t : threads)
        t.join();
    return right[0] && right[1] && right[2] && right[3];
}
static int host_library(void)
{
    std::atomic<int> calls{ 0 };
    std::shared_ptr<int> shared = std::make_shared<int>(3);
    std::shared_ptr<int> again = shared;

    cudaStreamAddCallback(0, note_call, &calls, 0);
    cudaLaunchHostFunc(
        0, [](void *n) { ++*(std::atomic<int> *)n; }, &calls);
    return calls == 2 && *again == 3 && shared.use_count() == 2;
}

int main(void)
{
    // Supported: `cudaMallocManaged`, `cudaHostAlloc`, `cudaMallocHost`,
    // `cudaHostGetDevicePointer`, `cudaMallocAsync`
    ok(managed(), "managed memory on both sides");
    ok(pinned(), "pinned memory in copies and in kernels");
    // Supported: `cudaGetSymbolAddress` in copies; `cudaHostRegister` for copies; the former names
    // `cudaThreadSynchronize` and `cudaThreadExit`; hints (`cudaStreamSetAttribute`,
    // `cudaMemAdvise`, `cudaMemPrefetchAsync`), without effect
    ok(addresses(), "addresses of variables and of mapped memory in copies");
    ok(other_names(), "former names, and hints");
    // Supported: streams and events; `cudaEventElapsedTime` returns NaN, because time is not
    // measured
    ok(streams(), "streams and events");
    // Supported: host code with the C++ library: `std::atomic`, `std::shared_ptr`, callbacks of
    // streams
    ok(host_library(), "host atomics, and callbacks");
    // Supported: several host threads; their launches run one after another
    ok(host_threads(), "several host threads");
    // Supported: `cudaLaunchKernel` with the kernel's name in the call
    gives<int>(
        3, launched, [](int) { return 42; }, "cudaLaunchKernel");
    ok(by_void_pointer(), "cudaLaunchKernel of a pointer to void is refused");
    // Supported: occupancy calls, `cudaFuncGetAttributes`, the common members of `cudaDeviceProp`
    ok(occupancy(), "occupancy, attributes and properties");
    // Supported: `rsqrtf`, `normcdfinv`, `__fdividef`, `__expf` ..., `__brevll`, `__umul64hi`,
    // `math_constants.h`
    gives<float>(
        8, [](float *out) { functions<<<1, 1>>>(out); }, [](int) { return 1; }, "device functions");
    printf("1..%d\n", tests);
    return 0;
}
