// Streams: selected by name, a program in which nothing orders two operations, or an operation and
// host code, that use the same memory. A comment "FAULT name: text" expects a diagnosis with this
// text, at the next line of code. Names with "ok_" are correct programs: nothing may be reported.
#include <atomic>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4096, HALF = N / 2 };
constexpr size_t BYTES = N * sizeof(int);

__device__ int total;

static int *a, *b, *pinned, *other_pinned, *managed;
static cudaStream_t one, two, apart;   // apart: does not synchronize with the default stream
static cudaEvent_t event;
static volatile int sink;

__global__ void copy(int *to, const int *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        // FAULT kernel_reads: race between streams: copy reads .*cudaMemcpyAsync writes in another
        // FAULT after_event_before: race between streams: copy reads .*cudaMemsetAsync writes
        // FAULT default_and_apart: race between streams: copy reads .*cudaMemset writes
        // FAULT two_kernels: race between streams: copy reads global memory .*which twice writes
        // FAULT per_thread: race between streams: copy reads global memory .*which twice writes
        to[i] = from[i];
}

__global__ void twice(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        // FAULT freed_in_stream: race between streams: twice .*which cudaMallocAsync writes
        p[i] *= 2;
}

__global__ void add_up(int n)
{
    // FAULT atomic_and_plain: race between streams: add_up changes by atomics .*cudaMemcpyToSymbol
    atomicAdd(&total, n);
}

__global__ void bytes_from(char *p, int first, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        p[first + i] = 1;
}

static void twice_in(cudaStream_t stream, int *p, int n)
{
    twice<<<n / 256, 256, 0, stream>>>(p, n);
}
static void copy_in(cudaStream_t stream, int *to, const int *from, int n)
{
    copy<<<n / 256, 256, 0, stream>>>(to, from, n);
}
static void to_device(cudaStream_t stream, int *to, const int *from, int n)
{
    cudaMemcpyAsync(to, from, n * sizeof(int), cudaMemcpyHostToDevice, stream);
}
static void to_host(cudaStream_t stream, int *to, const int *from, int n)
{
    cudaMemcpyAsync(to, from, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
}

// ---- faults ----

static void kernel_reads()
{
    to_device(one, a, pinned, N);
    copy_in(two, b, a, N);
}

static void copy_reads()
{
    twice_in(one, a, N);
    // FAULT copy_reads: race between streams: cudaMemcpyAsync reads .*which twice writes
    cudaMemcpyAsync(pinned, a, BYTES, cudaMemcpyDeviceToHost, two);
}

static void overwrites()
{
    to_host(one, pinned, a, N);
    // FAULT overwrites: race between streams: cudaMemsetAsync writes .*cudaMemcpyAsync reads
    cudaMemsetAsync(a, 0, BYTES, two);
}

// The third operation waits for one of the two readers of its target.
static void one_of_two_readers()
{
    copy_in(one, b, a, HALF);
    copy_in(two, b + HALF, a, HALF);
    cudaStreamSynchronize(two);
    // FAULT one_of_two_readers: race between streams: cudaMemsetAsync writes .*which copy reads
    cudaMemsetAsync(a, 0, BYTES, two);
}

static void one_byte()
{
    bytes_from<<<1, 32, 0, one>>>((char *)a, 0, 4097);
    // FAULT one_byte: race between streams: cudaMemsetAsync writes global memory .byte 4096 of
    cudaMemsetAsync((char *)a + 4096, 0, 4096, two);
}

static void after_event_before()
{
    cudaEventRecord(event, one);
    cudaMemsetAsync(a, 0, BYTES, one);
    cudaStreamWaitEvent(two, event, 0);
    copy_in(two, b, a, N);
}

static void default_and_apart()
{
    cudaMemset(a, 0, BYTES);
    copy_in(apart, b, a, N);
}

static void two_kernels()
{
    twice_in(apart, a, N);
    copy<<<N / 256, 256>>>(b, a, N);
}

static void per_thread()
{
    twice_in(apart, a, N);
    copy_in(cudaStreamPerThread, b, a, N);
}

static void freed_in_stream()
{
    int *p;

    cudaMallocAsync(&p, BYTES, one);
    cudaMemsetAsync(p, 0, BYTES, one);
    twice_in(two, p, N);
}

static void atomic_and_plain()
{
    int zero = 0;

    cudaMemcpyToSymbolAsync(total, &zero, sizeof zero, 0, cudaMemcpyHostToDevice, one);
    add_up<<<1, 1, 0, two>>>(1);
}

static void host_reads()
{
    to_host(one, pinned, a, N);
    // FAULT host_reads: host code reads or writes memory before it waits for cudaMemcpyAsync
    sink = sink + pinned[7];
}

static void host_copies()
{
    static int host[N];

    to_host(one, pinned, a, N);
    // FAULT host_copies: host code reads or writes memory before it waits for cudaMemcpyAsync
    memcpy(host, pinned, BYTES);
}

static void host_writes()
{
    to_device(one, a, pinned, N);
    // FAULT host_writes: host code writes memory before it waits for cudaMemcpyAsync, which reads
    pinned[N - 1] = 3;
}

static void host_reads_managed()
{
    twice<<<N / 256, 256>>>(managed, N);
    // FAULT host_reads_managed: host code reads or writes memory before it waits for twice, which
    sink = sink + managed[0];
}

static void host_writes_managed()
{
    copy<<<N / 256, 256>>>(a, managed, N);
    // FAULT host_writes_managed: host code writes memory before it waits for copy, which reads it
    managed[1] = 4;
}

static void host_reads_mapped()
{
    twice<<<N / 256, 256>>>(pinned, N);
    cudaStreamSynchronize(apart);
    // FAULT host_reads_mapped: host code reads or writes memory before it waits for twice, which
    sink = sink + pinned[0];
}

static void host_reads_registered()
{
    int *host = (int *)aligned_alloc(4096, BYTES);

    cudaHostRegister(host, BYTES, cudaHostRegisterDefault);
    to_host(one, host, a, N);
    // FAULT host_reads_registered: host code reads or writes memory before it waits for cudaMemcpy
    sink = sink + host[N / 2];
}

static void callback_reads()
{
    to_host(one, pinned, a, N);
    cudaLaunchHostFunc(
        // FAULT callback_reads: host code reads or writes memory before it waits for cudaMemcpy
        two, [](void *) { sink = sink + pinned[0]; }, NULL);
}

// ---- correct programs ----

static void ok_halves()
{
    for (int i = 0; i < 4; i++) {
        cudaStream_t s = i % 2 ? two : one;
        int from = i % 2 * HALF;

        to_device(s, a + from, pinned + from, HALF);
        twice_in(s, a + from, HALF);
        to_host(s, other_pinned + from, a + from, HALF);
    }
    cudaStreamSynchronize(one);
    sink = sink + other_pinned[0];
    pinned[0] = 1;
    cudaStreamSynchronize(two);
    sink = sink + other_pinned[HALF];
}

// Neighboring bytes of one word.
static void ok_bytes()
{
    bytes_from<<<1, 32, 0, one>>>((char *)a, 0, 4097);
    bytes_from<<<1, 32, 0, two>>>((char *)a, 4097, 1000);
    cudaMemsetAsync((char *)a + 5097, 0, 7, apart);
}

static void ok_events()
{
    to_device(one, a, pinned, N);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(two, event, 0);
    copy_in(two, b, a, N);
}

static void ok_event_chain()
{
    to_device(one, a, pinned, N);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(two, event, 0);
    cudaEventRecord(event, two);
    cudaStreamWaitEvent(apart, event, 0);
    twice_in(apart, a, N);
    cudaEventRecord(event, apart);
    cudaEventSynchronize(event);
    pinned[0] = 2;
    cudaMemcpy(b, a, BYTES, cudaMemcpyDeviceToDevice);
}

// Blocking streams wait for the default stream, and it waits for them.
static void ok_default()
{
    cudaMemset(a, 0, BYTES);
    twice_in(one, a, N);
    twice<<<N / 256, 256>>>(a, N);
    copy_in(cudaStreamPerThread, b, a, N);
    cudaMemcpy(pinned, b, BYTES, cudaMemcpyDeviceToHost);
    sink = sink + pinned[0];
}

static void ok_readers()
{
    copy_in(one, b, a, HALF);
    copy_in(two, b + HALF, a, HALF);
    to_host(apart, pinned, a, N);
    cudaDeviceSynchronize();
    cudaMemsetAsync(a, 0, BYTES, two);
    sink = sink + pinned[0];
}

static void ok_atomics()
{
    add_up<<<4, 64, 0, one>>>(1);
    add_up<<<4, 64, 0, two>>>(2);
}

// The source is staged, and a copy to pageable memory is complete when the call returns.
static void ok_pageable()
{
    static int host[N];

    for (int i = 0; i < 2; i++) {
        host[0] = i;
        to_device(one, a, host, N);
        host[1] = i;
    }
    to_host(one, host, a, N);
    sink = sink + host[0];
}

static void ok_query()
{
    to_host(one, pinned, a, N);
    while (cudaStreamQuery(one) != cudaSuccess)
        ;
    sink = sink + pinned[0];
    to_host(two, pinned, a, N);
    cudaEventRecord(event, two);
    while (cudaEventQuery(event) != cudaSuccess)
        ;
    sink = sink + pinned[0];
}

// A free waits for all streams. The memory may then be used again.
static void ok_free()
{
    int *p, *q;

    cudaMalloc(&p, BYTES);
    cudaMemsetAsync(p, 0, BYTES, one);
    to_host(apart, pinned, a, N);
    cudaFree(p);
    sink = sink + pinned[0];
    cudaMalloc(&q, BYTES);
    cudaMemsetAsync(q, 0, BYTES, two);
    cudaFreeAsync(q, two);
    cudaMallocAsync(&p, BYTES, one);
    cudaMemsetAsync(p, 0, BYTES, one);
    cudaFreeAsync(p, one);
}

// The host uses the part of an array that a kernel does not use, or only reads what it reads.
static void ok_parts()
{
    twice<<<1, 256>>>(managed + 256, 256);
    copy<<<1, 256>>>(a, managed + 1024, 256);
    for (int i = 0; i < 256; i++)
        managed[i] = managed[i + 512] = i + managed[1024 + i];
    to_device(one, a, pinned, 10);
    sink = sink + pinned[3];
    pinned[10] = 7;
}

// The host waits for a flag in mapped memory.
static void ok_polls()
{
    copy<<<1, 256>>>(pinned, a, 256);
    while (*(volatile int *)pinned < 0)
        ;
    copy<<<1, 256>>>(managed, a, 256);
    while (((std::atomic<int> *)managed)->load() < 0)
        ;
}

static void ok_callback()
{
    to_host(one, pinned, a, N);
    cudaLaunchHostFunc(
        one, [](void *) { sink = sink + pinned[0]; }, NULL);
    cudaStreamSynchronize(one);
}

static void ok_many()
{
    for (int i = 0; i < 1000; i++) {
        cudaStream_t s;

        cudaStreamCreate(&s);
        twice_in(s, a + i % 16 * 256, 256);
        cudaStreamSynchronize(s);
        cudaStreamDestroy(s);
    }
}

static void ok_registered()
{
    int *host = (int *)malloc(BYTES);
    bool right = cudaHostRegister(host, BYTES, cudaHostRegisterDefault) == cudaSuccess &&
                 cudaHostRegister(host, 4, 0) == cudaErrorHostMemoryAlreadyRegistered;

    to_host(one, host, a, N);
    right &= cudaHostUnregister(host) == cudaSuccess &&
             cudaHostUnregister(host) == cudaErrorHostMemoryNotRegistered;
    free(host);
    exit(!right);
}

static void ok_handles()
{
    cudaStream_t none = (cudaStream_t)0x1234, s;
    cudaEvent_t e;

    cudaStreamCreate(&s);
    cudaEventCreate(&e);
    bool right = cudaStreamDestroy(s) == cudaSuccess && cudaEventDestroy(e) == cudaSuccess &&
                 cudaStreamSynchronize(s) == cudaErrorInvalidResourceHandle &&
                 cudaEventRecord(e, one) == cudaErrorInvalidResourceHandle &&
                 cudaMemsetAsync(a, 0, 4, none) == cudaErrorInvalidResourceHandle;
    cudaGetLastError();
    twice<<<1, 1, 0, none>>>(a, 1);
    exit(!right || cudaGetLastError() != cudaErrorInvalidResourceHandle);
}

// Without the host's wait for both events there is no time between them.
static void ok_elapsed()
{
    cudaEvent_t start, stop;
    float ms = 0;

    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    bool right = cudaEventElapsedTime(&ms, start, stop) == cudaErrorInvalidResourceHandle;
    cudaEventRecord(start, one);
    twice<<<1, 1, 0, one>>>(a, 1);
    cudaEventRecord(stop, one);
    right &= cudaEventElapsedTime(&ms, start, stop) == cudaErrorNotReady && ms == 0;
    cudaEventSynchronize(start);
    right &= cudaEventElapsedTime(&ms, start, stop) == cudaErrorNotReady;
    cudaEventSynchronize(stop);
    cudaGetLastError();
    exit(!right);
}

#define CASE(f) \
    {           \
#f, f   \
    }
static const struct {
    const char *name;
    void (*run)();
} cases[] = {
    CASE(kernel_reads),
    CASE(copy_reads),
    CASE(overwrites),
    CASE(one_of_two_readers),
    CASE(one_byte),
    CASE(after_event_before),
    CASE(default_and_apart),
    CASE(two_kernels),
    CASE(per_thread),
    CASE(freed_in_stream),
    CASE(atomic_and_plain),
    CASE(host_reads),
    CASE(host_copies),
    CASE(host_writes),
    CASE(host_reads_managed),
    CASE(host_writes_managed),
    CASE(host_reads_mapped),
    CASE(host_reads_registered),
    CASE(callback_reads),
    CASE(ok_halves),
    CASE(ok_bytes),
    CASE(ok_events),
    CASE(ok_event_chain),
    CASE(ok_default),
    CASE(ok_readers),
    CASE(ok_atomics),
    CASE(ok_pageable),
    CASE(ok_query),
    CASE(ok_free),
    CASE(ok_parts),
    CASE(ok_polls),
    CASE(ok_callback),
    CASE(ok_many),
    CASE(ok_registered),
    CASE(ok_handles),
    CASE(ok_elapsed),
};

int main(int argc, char **argv)
{
    if (argc == 1)
        for (auto &c : cases)
            printf("%s\n", c.name);
    cudaMalloc(&a, BYTES);
    cudaMalloc(&b, BYTES);
    cudaMallocHost(&pinned, BYTES);
    cudaMallocHost(&other_pinned, BYTES);
    cudaMallocManaged(&managed, BYTES);
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cudaMemset(a, 0, BYTES);
    cudaMemset(b, 0, BYTES);
    cudaDeviceSynchronize();
    for (auto &c : cases)
        if (argc == 2 && strcmp(c.name, argv[1]) == 0)
            c.run();
    return 0;
}
