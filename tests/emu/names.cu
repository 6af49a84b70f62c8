// Names of the runtime API that programs use, beside those of host.cu: memory with three
// dimensions, pools, peers, flags, properties; cuBLAS's products; complex numbers.
#include <cublas_v2.h>
#include <cuComplex.h>
#include <cudaTypedefs.h>
#include <emu.h>

#include <cstring>

#include "ok.h"

__global__ void __maxnreg__(64) add_to_slices(cudaPitchedPtr p, cudaExtent e)
{
    for (size_t z = 0; z < e.depth; z++)
        for (size_t y = 0; y < e.height; y++) {
            int *row = (int *)((char *)p.ptr + (z * p.ysize + y) * p.pitch);
            if (threadIdx.x < e.width / sizeof(int))
                row[threadIdx.x] += (int)(100 * z + 10 * y + threadIdx.x);
        }
}

// A box within a larger one, to the device, changed there, and back.
static int three_dimensions(void)
{
    enum { X = 5, Y = 3, Z = 2 };
    static int host[Z][Y][X], back[Z + 1][Y + 1][X];
    cudaExtent e = make_cudaExtent(X * sizeof(int), Y, Z);
    cudaPitchedPtr p;
    cudaMemcpy3DParms in = {}, out = {};
    int right;

    right = cudaMalloc3D(&p, e) == cudaSuccess && p.pitch >= X * sizeof(int) && p.ysize == Y;
    right &= cudaMemset3D(p, 0, e) == cudaSuccess;
    for (int i = 0; i < X * Y * Z; i++)
        (&host[0][0][0])[i] = 1000;
    in.srcPtr = make_cudaPitchedPtr(host, X * sizeof(int), X, Y);
    in.dstPtr = p;
    in.extent = e;
    in.kind = cudaMemcpyHostToDevice;
    right &= cudaMemcpy3D(&in) == cudaSuccess;
    add_to_slices<<<1, 32>>>(p, e);
    out.srcPtr = p;
    out.srcPos = make_cudaPos(sizeof(int), 0, 0);
    out.dstPtr = make_cudaPitchedPtr(back, X * sizeof(int), X, Y + 1);
    out.dstPos = make_cudaPos(0, 1, 1);
    out.extent = make_cudaExtent((X - 1) * sizeof(int), Y, Z);
    out.kind = cudaMemcpyDeviceToHost;
    right &= cudaMemcpy3DAsync(&out, 0) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
    right &= back[1][1][0] == 1001 && back[2][3][3] == 1000 + 100 + 20 + 4 && back[0][1][0] == 0;
    out.extent.depth = 3;
    return right && cudaMemcpy3D(&out) == cudaErrorInvalidValue &&
           cudaGetLastError() != cudaSuccess;
}

static int pools(void)
{
    cudaMemPool_t usual, own;
    cudaMemPoolProps how = {};
    unsigned long long used = 1;
    int *p;

    how.allocType = cudaMemAllocationTypePinned;
    how.location.type = cudaMemLocationTypeDevice;
    int right = cudaDeviceGetDefaultMemPool(&usual, 0) == cudaSuccess &&
                cudaMemPoolCreate(&own, &how) == cudaSuccess && own != usual &&
                cudaMallocFromPoolAsync(&p, 256, own, 0) == cudaSuccess &&
                cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess &&
                used == 256 && cudaFreeAsync(p, 0) == cudaSuccess;
    right &= cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess;
    right &= used == 0 && cudaMemPoolTrimTo(own, 0) == cudaSuccess;
    return right && cudaMemPoolDestroy(own) == cudaSuccess &&
           cudaMemPoolTrimTo(own, 0) == cudaErrorInvalidValue && cudaGetLastError() != cudaSuccess;
}

static int peers(void)
{
    int can = 1, value;
    char id[16];
    bool is_refused = cudaDeviceEnablePeerAccess(0, 0) == cudaErrorInvalidDevice &&
                      cudaDeviceEnablePeerAccess(1, 0) == cudaErrorInvalidDevice &&
                      cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1) ==
                          cudaErrorInvalidDevice;

    cudaGetLastError();
    return is_refused && cudaDeviceCanAccessPeer(&can, 0, 0) == cudaSuccess && can == 0 &&
           cudaDeviceGetPCIBusId(id, sizeof id, 0) == cudaSuccess &&
           cudaDeviceGetByPCIBusId(&can, id) == cudaSuccess && can == 0;
}

static int flags(void)
{
    cudaStream_t stream;
    unsigned of_stream, of_memory, of_device;
    int priority = 1, *pinned;
    cudaSharedMemConfig banks;
    cudaFuncCache cache;
    size_t heap;

    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaHostAlloc(&pinned, 64, cudaHostAllocWriteCombined);
    cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);
    cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4 << 20);
    return cudaStreamGetFlags(stream, &of_stream) == cudaSuccess &&
           of_stream == cudaStreamNonBlocking &&
           cudaStreamGetPriority(stream, &priority) == cudaSuccess && priority == 0 &&
           cudaHostGetFlags(&of_memory, pinned) == cudaSuccess &&
           of_memory == (cudaHostAllocWriteCombined | cudaHostAllocMapped) &&
           cudaGetDeviceFlags(&of_device) == cudaSuccess &&
           cudaDeviceGetSharedMemConfig(&banks) == cudaSuccess &&
           banks == cudaSharedMemBankSizeFourByte &&
           cudaDeviceGetCacheConfig(&cache) == cudaSuccess && cache == cudaFuncCachePreferL1 &&
           cudaDeviceGetLimit(&heap, cudaLimitPrintfFifoSize) == cudaSuccess && heap == 4 << 20;
}

static int occupancy(void)
{
    int grid, block, blocks, value;
    size_t bytes;

    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, add_to_slices,
                                                          [](int n) { return (size_t)n * 256; }) ==
               cudaSuccess &&
           block == 896 && grid == 2 &&
           cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, add_to_slices, 2, 256) ==
               cudaSuccess &&
           bytes == 113 << 10 &&
           cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, add_to_slices, 512, 0,
                                                                  0) == cudaSuccess &&
           blocks == 4 &&
           cudaDeviceGetAttribute(&value, cudaDevAttrMaxRegistersPerBlock, 0) == cudaSuccess &&
           value == 65536 &&
           cudaDeviceGetAttribute(&value, cudaDevAttrHostNumaId, 0) == cudaSuccess;
}

// C = 2 op(A) op(B) + 3 C with leading dimensions that are larger than the matrices.
static int products(void)
{
    enum { M = 7, N = 30, K = 5, LD = 33 };
    static float a[LD * LD], b[LD * LD], c[LD * LD], got[LD * LD], *d[3];
    float alpha = 2, beta = 3;
    cublasHandle_t handle;
    int right = cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS;

    for (int i = 0; i < LD * LD; i++) {
        a[i] = (float)(i * 7 % 13 - 6);
        b[i] = (float)(i * 5 % 11 - 5);
        c[i] = (float)(i % 3);
    }
    for (int i = 0; i < 3; i++) {
        cudaMalloc(&d[i], sizeof a);
        cudaMemcpy(d[i], i == 0 ? a : i == 1 ? b : c, sizeof a, cudaMemcpyHostToDevice);
    }
    right &= cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, M, N, K, &alpha, d[0], LD, d[1], LD,
                         &beta, d[2], LD) == CUBLAS_STATUS_SUCCESS;
    cudaMemcpy(got, d[2], sizeof got, cudaMemcpyDeviceToHost);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += a[k + i * LD] * b[k + j * LD];
            right &= got[i + j * LD] == 2 * sum + 3 * c[i + j * LD];
        }
    right &= got[M] == c[M];
    right &= cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, M, N, &alpha, d[0], LD, &beta, d[1], LD,
                         d[2], LD) == CUBLAS_STATUS_SUCCESS;
    cudaMemcpy(got, d[2], sizeof got, cudaMemcpyDeviceToHost);
    right &= got[3 + 4 * LD] == 2 * a[4 + 3 * LD] + 3 * b[3 + 4 * LD];
    return right &&
           cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha, d[0], 1, d[1], LD, &beta,
                       d[2], LD) == CUBLAS_STATUS_INVALID_VALUE &&
           cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS;
}

__global__ void add(int *a, int v) { a[threadIdx.x] += v; }
static void count_call(void *data) { ++*(int *)data; }

// Two streams, joined by events: a = 0, 2, 2 + 3 ...; the copy to the host is part of the graph.
static int graphs(void)
{
    int *a, *host, calls = 0, right;
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaGraph_t graph, invalid;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus status;
    size_t nodes = 0;

    cudaMalloc(&a, 128);
    cudaMallocHost(&host, 128);
    cudaStreamCreate(&s);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    host[31] = -1;
    right = cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal) == cudaSuccess;
    cudaMemsetAsync(a, 0, 128, s);
    add<<<1, 32, 0, s>>>(a, 2);
    cudaEventRecord(fork, s);
    cudaStreamWaitEvent(t, fork, 0);
    add<<<1, 32, 0, t>>>(a, 3);
    cudaEventRecord(join, t);
    cudaStreamWaitEvent(s, join, 0);
    cudaMemcpyAsync(host, a, 128, cudaMemcpyDeviceToHost, s);
    cudaLaunchHostFunc(s, count_call, &calls);
    right &=
        cudaStreamIsCapturing(t, &status) == cudaSuccess && status == cudaStreamCaptureStatusActive;
    right &= cudaStreamEndCapture(s, &graph) == cudaSuccess && host[31] == -1 && calls == 0;
    right &= cudaGraphGetNodes(graph, NULL, &nodes) == cudaSuccess && nodes == 5;
    right &= cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess;
    for (int i = 0; i < 3; i++)
        right &= cudaGraphLaunch(exec, s) == cudaSuccess;
    right &= cudaStreamSynchronize(s) == cudaSuccess && host[31] == 5 && calls == 3;
    right &= cudaGraphExecDestroy(exec) == cudaSuccess && cudaGraphDestroy(graph) == cudaSuccess;

    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    right &= cudaStreamSynchronize(s) == cudaErrorStreamCaptureUnsupported;
    right &= cudaStreamEndCapture(s, &invalid) == cudaErrorStreamCaptureInvalidated;
    right &= cudaGraphCreate(&invalid, 0) == cudaErrorNotSupported;
    cudaGetLastError();
    return right;
}

__global__ void complex_numbers(float *out)
{
    cuComplex z = make_cuComplex(3, 4), w = cuCmulf(z, cuConjf(z));
    cuDoubleComplex q = cuCdiv(make_cuDoubleComplex(1, 0), make_cuDoubleComplex(0, 2));

    out[0] = cuCabsf(z) + cuCrealf(w) + (float)cuCimag(q);
}

int main()
{
    // Supported: `cudaMalloc3D`, `cudaMemcpy3D`, `cudaMemset3D`, between linear memory and 2-D
    // arrays
    ok(three_dimensions(), "memory with three dimensions");
    // Supported: `cudaMemPool_t`: create, attributes, `cudaMallocFromPoolAsync`
    ok(pools(), "pools of memory");
    // Supported: peer access, of which one device has none
    ok(peers(), "peers");
    // Supported: flags of streams, of pinned memory and of the device; cache, bank and limit
    // settings
    ok(flags(), "flags");
    // Supported: all attributes of the device; those that only a GPU has are 0
    ok(occupancy(), "occupancy and attributes");
    // Supported: `cublas_v2.h`: `cublasSgemm`, `Dgemm`, `Hgemm`, `GemmEx`, `Sgeam`, `Dgeam` and
    // strided batches, on the host
    ok(products(), "products of cuBLAS");
    // Supported: graphs that a stream captures, which run in the order of the capture
    ok(graphs(), "graphs");
    // Supported: `cuComplex.h`, `cudaTypedefs.h`, `__maxnreg__`
    gives<float>(
        1, [](float *out) { complex_numbers<<<1, 1>>>(out); }, [](int) { return 5 + 25 - 0.5f; },
        "complex numbers");
    printf("1..%d\n", tests);
}
