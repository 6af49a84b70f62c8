// Launches: the time of a kernel that does nothing, alone, in a stream, in a graph, and after a
// kernel on which it depends.
#include "machine.h"

#ifdef HAS_BULK_COPIES
#include "../stage/ptx_cluster.h"
#endif

enum { MANY = 200, SPIN = 20000 };   // kernels in a row; cycles

static __global__ void empty() {}

// All threads are busy for this many cycles.
static __global__ void spin(cycle cycles)
{
    cycle start = clock64();

    while (clock64() - start < cycles)
        ;
}

// The same, but the next kernel may start early, and waits until this one is complete.
static __global__ void spin_early(cycle cycles)
{
#ifdef HAS_BULK_COPIES
    launch_dependents();
    wait_for_previous_kernel();
#endif
    cycle start = clock64();

    while (clock64() - start < cycles)
        ;
}

static void launch_early(int blocks, cycle cycles)
{
    cudaLaunchAttribute early = { cudaLaunchAttributeProgrammaticStreamSerialization };
    cudaLaunchConfig_t config = {};

    early.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(256);
    config.stream = cudaStreamPerThread;
    config.attrs = &early;
    config.numAttrs = 1;
    cuda_must(cudaLaunchKernelEx(&config, spin_early, cycles), "launching");
}

// The times of `kernels` launches from a graph, which is launched once per sample.
template <class Launch> static std::vector<double> graph_times(int kernels, Launch launch)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready;

    cuda_must(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeRelaxed), "capture");
    for (int i = 0; i < kernels; i++)
        launch();
    cuda_must(cudaStreamEndCapture(cudaStreamPerThread, &graph), "capturing");
    cuda_must(cudaGraphInstantiate(&ready, graph, 0), "instantiating the graph");
    std::vector<double> us = times_of([=] { cudaGraphLaunch(ready, cudaStreamPerThread); });
    cuda_must(cudaGraphExecDestroy(ready), "freeing the graph");
    cuda_must(cudaGraphDestroy(graph), "freeing the graph");
    return us;
}

// What a kernel adds that waits for the kernel before: `kernels` kernels that each spin, against
// one that spins as long as all of them.
template <class Launch>
static void record_dependent(const char *name, bool graph, cycle cycles, Launch launch)
{
    const int kernels = 20;
    auto chain = [=] {
        for (int i = 0; i < kernels; i++)
            launch(cycles);
    };
    std::vector<double> alone = times_of([=] { launch(kernels * cycles); }),
                        us =
                            graph ? graph_times(kernels, [=] { launch(cycles); }) : times_of(chain);
    double one = stats_of(alone.data(), alone.size()).median;

    for (double &t : us)
        t = (t - one) / (kernels - 1);
    record(name, "us", us);
}

// The time per kernel of many, which wait in the stream until a kernel before them ends: what the
// GPU needs, while the host may be slower.
static std::vector<double> queued_times(void)
{
    cudaEvent_t start, stop;
    std::vector<double> us;
    float ms;

    cuda_must(cudaEventCreate(&start), "making an event");
    cuda_must(cudaEventCreate(&stop), "making an event");
    for (int i = -1; i < SAMPLES; i++) {
        spin<<<1, 32>>>(100 * SPIN);
        cuda_must(cudaEventRecord(start, cudaStreamPerThread), "recording the start");
        for (int k = 0; k < MANY; k++)
            empty<<<1, 32>>>();
        cuda_must(cudaEventRecord(stop, cudaStreamPerThread), "recording the end");
        cuda_must(cudaEventSynchronize(stop), "running the kernels");
        cuda_must(cudaEventElapsedTime(&ms, start, stop), "reading the time");
        if (i >= 0)
            us.push_back(1e3 * ms / MANY);
    }
    cuda_must(cudaEventDestroy(start), "freeing an event");
    cuda_must(cudaEventDestroy(stop), "freeing an event");
    return us;
}

static std::vector<double> host_times(void)
{
    std::vector<double> us;

    for (int i = 0; i < SAMPLES + 1; i++) {
        double start = seconds_now();

        empty<<<1, 32>>>();
        cuda_must(cudaStreamSynchronize(cudaStreamPerThread), "running the kernel");
        if (i)
            us.push_back(1e6 * (seconds_now() - start));
    }
    return us;
}

void measure_launch(void)
{
    auto nothing = [] { empty<<<1, 32>>>(); };
    auto full = [](cycle cycles) { spin<<<8 * gpu.sms, 256>>>(cycles); };
    auto small = [](cycle cycles) { spin<<<gpu.sms, 256>>>(cycles); };

    record("launch.no_kernel", "us", times_of([] {}));
    record("launch.one", "us", times_of(nothing));
    record("launch.one_graph", "us", graph_times(1, nothing));
    record("launch.queued", "us", queued_times());
    record("launch.stream", "us",
           divided(times_of([=] {
                       for (int i = 0; i < MANY; i++)
                           nothing();
                   }),
                   MANY));
    record("launch.graph", "us", divided(graph_times(MANY, nothing), MANY));
    record("launch.host", "us", host_times());
    record_dependent("launch.dependent", false, SPIN, small);
    record_dependent("launch.dependent_full", false, SPIN, full);
    record_dependent("launch.dependent_graph", true, SPIN, small);
    record_dependent("launch.dependent_full_graph", true, SPIN, full);
    if (gpu.sm >= 90) {
        auto early = [](cycle cycles) { launch_early(gpu.sms, cycles); };

        record_dependent("launch.early", false, SPIN, early);
        record_dependent("launch.early_graph", true, SPIN, early);
    }
}
