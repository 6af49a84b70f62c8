// demo_events: how to time a kernel of your own: events, a warm-up, many calls, the median
//
// The program times the copy of stage 0 in four ways. The first two are wrong: the host's clock
// without a wait measures the launch only, and one call without a warm-up includes work that is
// done once. Copy us_per_call() into your own program.
// make demo_events && ./demo_events
#include <cuda_runtime.h>
#include <algorithm>
#include <chrono>
#include <stdio.h>
#include <stdlib.h>

enum { N = 4096, TILE = 32 };
static const double BYTES = 2.0 * sizeof(float) * N * N;   // each element is read and written

__global__ void copy(const float *in, float *out)
{
    int i = (blockIdx.y * TILE + threadIdx.y) * N + blockIdx.x * TILE + threadIdx.x;

    out[i] = in[i];
}

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "demo_events: %s\n", cudaGetErrorString(error));
    exit(3);
}

static float *in, *out;

static void launch() { copy<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(in, out); }

// The microseconds per call of `calls` launches between two events. An event is recorded by the
// GPU, when all work before it in the stream is done.
static float us_between_events(int calls)
{
    cudaEvent_t start, stop;
    float ms;

    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
    check(cudaEventRecord(start));
    for (int i = 0; i < calls; i++)
        launch();
    check(cudaGetLastError());   // of the launches
    check(cudaEventRecord(stop));
    check(cudaEventSynchronize(stop));   // the host waits until `stop` is recorded
    check(cudaEventElapsedTime(&ms, start, stop));
    check(cudaEventDestroy(start));
    check(cudaEventDestroy(stop));
    return 1000 * ms / calls;
}

// The median of several batches, after a warm-up.
static float us_per_call()
{
    enum { BATCHES = 11, CALLS = 20 };
    float us[BATCHES];

    us_between_events(CALLS);   // the warm-up; its time is not used
    for (int i = 0; i < BATCHES; i++)
        us[i] = us_between_events(CALLS);
    std::sort(us, us + BATCHES);
    return us[BATCHES / 2];
}

// The microseconds of one launch by the host's clock.
static float us_of_host(bool wait)
{
    auto start = std::chrono::steady_clock::now();

    launch();
    if (wait)
        check(cudaDeviceSynchronize());
    return std::chrono::duration<float, std::micro>(std::chrono::steady_clock::now() - start)
        .count();
}

static void print(const char *way, float us)
{
    printf("%-44s %9.2f us  %7.0f GB/s\n", way, us, BYTES / us / 1000);
}

int main()
{
    check(cudaMalloc((void **)&in, BYTES / 2));
    check(cudaMalloc((void **)&out, BYTES / 2));
    check(cudaMemset(in, 0, BYTES / 2));
    check(cudaDeviceSynchronize());

    float first = us_between_events(1);
    if (first != first) {
        printf("SKIP: this device does not measure time\n");
        return 77;
    }
    float launched = us_of_host(false);
    check(cudaDeviceSynchronize());
    print("wrong: host's clock, no wait", launched);
    print("wrong: events, the first call", first);
    print("host's clock, with a wait", us_of_host(true));
    print("events, median of 11 x 20 calls, warm", us_per_call());
    check(cudaFree(in));
    check(cudaFree(out));
    return 0;
}
