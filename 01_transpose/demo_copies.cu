// demo_copies: copies between host and device: pageable and pinned memory, overlap with streams
//
// The program copies an array to the device, doubles it there, and copies it back, in three ways:
// from pageable memory, from pinned memory, and in parts that overlap in several streams.
// `./demo_copies 67108864` does it for another number of elements. Times need a GPU.
// make demo_copies && ./demo_copies
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 256, STREAMS = 4, PARTS = 16 };

__global__ void twice(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        a[i] = 2 * a[i];
}

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "demo_copies: %s\n", cudaGetErrorString(error));
    exit(3);
}

// One copy in, one kernel, one copy out. cudaMemcpy returns when the host may use the memory.
static void one_after_the_other(float *a, float *a_d, int n, cudaStream_t *)
{
    check(cudaMemcpy(a_d, a, n * sizeof *a, cudaMemcpyHostToDevice));
    twice<<<(n - 1) / THREADS + 1, THREADS>>>(a_d, n);
    check(cudaGetLastError());
    check(cudaMemcpy(a, a_d, n * sizeof *a, cudaMemcpyDeviceToHost));
}

// The array in parts. The three operations of a part are in one stream, so they run in this order.
// Parts in different streams overlap: one is copied in while another one is copied out.
static void in_parts(float *a, float *a_d, int n, cudaStream_t *streams)
{
    int part = (n - 1) / PARTS + 1;

    for (int i = 0; i * part < n; i++) {
        cudaStream_t stream = streams[i % STREAMS];
        int first = i * part, count = n - first < part ? n - first : part;
        size_t size = count * sizeof *a;

        check(cudaMemcpyAsync(a_d + first, a + first, size, cudaMemcpyHostToDevice, stream));
        twice<<<(count - 1) / THREADS + 1, THREADS, 0, stream>>>(a_d + first, count);
        check(cudaGetLastError());
        check(cudaMemcpyAsync(a + first, a_d + first, size, cudaMemcpyDeviceToHost, stream));
    }
    check(cudaDeviceSynchronize());   // until then the host must not touch `a`
}

typedef void way(float *a, float *a_d, int n, cudaStream_t *streams);

// The milliseconds of one call. The default stream, in which the events are, waits for the others.
static float ms_of(way run, float *a, float *a_d, int n, cudaStream_t *streams)
{
    cudaEvent_t start, stop;
    float ms;

    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
    check(cudaEventRecord(start));
    run(a, a_d, n, streams);
    check(cudaEventRecord(stop));
    check(cudaEventSynchronize(stop));
    check(cudaEventElapsedTime(&ms, start, stop));
    check(cudaEventDestroy(start));
    check(cudaEventDestroy(stop));
    return ms;
}

// Runs it twice, the first time as a warm-up, and returns the number of wrong elements.
static int report(const char *name, way run, float *a, float *a_d, int n, cudaStream_t *streams)
{
    int wrong = 0;
    float ms = 0;

    for (int call = 0; call < 2; call++) {
        for (int i = 0; i < n; i++)
            a[i] = (float)(i % 1000);
        ms = ms_of(run, a, a_d, n, streams);
        for (int i = 0; i < n; i++)
            wrong += a[i] != 2 * (float)(i % 1000);
    }
    printf("%-36s %d wrong", name, wrong);
    if (ms == ms)   // not NaN: this device measures time
        printf("  %8.2f ms  %6.1f GB/s in both directions together", ms,
               2.0 * n * sizeof *a / ms / 1e6);
    printf("\n");
    return wrong;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 20, wrong = 0;
    float *a_d, *pinned, *pageable = (float *)malloc((size_t)n * sizeof *pageable);
    cudaStream_t streams[STREAMS];

    if (argc > 2 || n < 1 || n > 1 << 28 || !pageable) {
        fprintf(stderr, "demo_copies: expected one number of elements, 1 to %d\n", 1 << 28);
        return 2;
    }
    check(cudaMallocHost((void **)&pinned, n * sizeof *pinned));
    check(cudaMalloc((void **)&a_d, n * sizeof *a_d));
    for (int i = 0; i < STREAMS; i++)
        check(cudaStreamCreate(&streams[i]));

    printf("%d elements to the device, doubled, and back\n", n);
    wrong += report("pageable", one_after_the_other, pageable, a_d, n, streams);
    wrong += report("pinned", one_after_the_other, pinned, a_d, n, streams);
    wrong += report("pinned, 16 parts in 4 streams", in_parts, pinned, a_d, n, streams);

    for (int i = 0; i < STREAMS; i++)
        check(cudaStreamDestroy(streams[i]));
    check(cudaFree(a_d));
    check(cudaFreeHost(pinned));
    free(pageable);
    return wrong != 0;
}
