// demo_combine: ways to combine the sums of all threads into one: time, and different float sums
//
//   kernel             one sum per block; a second kernel adds them
//   CPU                one sum per block; the host copies and adds them
//   atomic per block   block_sum, then one atomicAdd per block: stage 9
//   atomic per warp    cg::reduce, then one atomicAdd per warp
//   atomic per thread  one atomicAdd per thread
//
// Atomics on one word are served one after the other, in an undefined order. So the time depends on
// their number, and sums of floats may differ between runs.
// make demo_combine && ./demo_combine
#include <math.h>
#include <algorithm>
#include "../common/harness/demo.h"
#include "sums.h"

using stage8::block_sum;

namespace cg = cooperative_groups;

enum way { KERNEL, CPU, PER_BLOCK, PER_WARP, PER_THREAD, WAYS };
enum { BLOCK = 512, BLOCKS_PER_SM = 2048 / BLOCK, RUNS = 10, CALLS = 20 };
static const char *const names[] = { "kernel", "CPU", "atomic per block", "atomic per warp",
                                     "atomic per thread" };

template <enum way WAY> __global__ void reduce(const float *in, float *out, int n)
{
    float sum = 0;   // of elements one grid apart
    for (long long i = (long long)blockIdx.x * BLOCK + threadIdx.x; i < n;
         i += (long long)gridDim.x * BLOCK)
        sum += in[i];

    if (WAY == PER_THREAD) {
        atomicAdd(out, sum);
    } else if (WAY == PER_WARP) {
        sum = cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), sum, cg::plus<float>());
        if (threadIdx.x % 32 == 0)
            atomicAdd(out, sum);
    } else {
        sum = block_sum(sum);
        if (threadIdx.x == 0 && WAY == PER_BLOCK)
            atomicAdd(out, sum);
        else if (threadIdx.x == 0)
            out[blockIdx.x] = sum;
    }
}

static float *out, *sums;   // the result, and one sum per block
static int most_blocks;

// Adds n elements. Afterward *out is their sum.
static void launch(enum way way, const float *in, int n)
{
    int blocks = std::min(ceil_div(n, BLOCK), most_blocks);

    if (way == KERNEL) {
        reduce<KERNEL><<<blocks, BLOCK>>>(in, sums, n);
        reduce<KERNEL><<<1, BLOCK>>>(sums, out, blocks);
    } else if (way == CPU) {
        std::vector<float> host(blocks);
        float sum = 0;

        reduce<CPU><<<blocks, BLOCK>>>(in, sums, n);
        cudaMemcpy(host.data(), sums, blocks * sizeof *sums, cudaMemcpyDeviceToHost);
        for (float block : host)
            sum += block;
        cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice);
    } else {
        cudaMemsetAsync(out, 0, sizeof *out, cudaStreamPerThread);
        if (way == PER_BLOCK)
            reduce<PER_BLOCK><<<blocks, BLOCK>>>(in, out, n);
        else if (way == PER_WARP)
            reduce<PER_WARP><<<blocks, BLOCK>>>(in, out, n);
        else
            reduce<PER_THREAD><<<blocks, BLOCK>>>(in, out, n);
    }
}

// Returns how many different sums RUNS calls compute. Ends the program if one is wrong.
static int different_sums(enum way way, const float *in, int n, double exact)
{
    std::vector<float> results;

    for (int run = 0; run < RUNS; run++) {
        launch(way, in, n);
        results.push_back(demo_results(out, 1)[0]);
        // The error of each of the n additions of positive numbers is at most 2^-24 of the sum.
        if (!(fabs(results[run] - exact) <= n * exact / (1 << 24)))
            die(STATUS_WRONG, "%s: the sum is %.9g, too far from %.9g", names[way], results[run],
                exact);
    }
    std::sort(results.begin(), results.end());
    return std::unique(results.begin(), results.end()) - results.begin();
}

// Returns the time of a call in microseconds. Calls take turns on arrays, so that L2 has none of
// them.
static double time_of(enum way way, const float *in, int most, int n)
{
    int arrays = most / n, array = 0;

    return demo_time_of([&] {
               for (int call = 0; call < CALLS; call++, array = (array + 1) % arrays)
                   launch(way, in + (size_t)array * n, n);
           }).median /
           CALLS;
}

int main(int argc, char **argv)
{
    const int small = 1 << 16, medium = 1 << 20, large = 1 << 24;
    const int most = on_cpu_device ? medium : 16 * large;
    std::vector<float> host(medium);
    struct device device;
    double exact = 0;

    take_arguments(argc, argv, "Ways to combine the sums of all threads", NULL, 0);
    device_open(0, &device);
    most_blocks = BLOCKS_PER_SM * multiprocessors();
    out = demo_allocate<float>(1);
    sums = demo_allocate<float>(most_blocks);

    for (unsigned i = 0; i < host.size(); i++) {
        host[i] = (float)(i * 2654435769u >> 8) / (1 << 24);   // from 0 to below 1
        exact += host[i];
    }
    float *in = demo_allocate<float>(most);
    for (int i = 0; i < most; i += medium)
        cuda_must(cudaMemcpy(in + i, host.data(), medium * sizeof *in, cudaMemcpyHostToDevice),
                  "copying the elements");

    printf("%s%s%s. Different sums of %d calls for 2^20 floats%s.\n\n%-20s%8s", device.name,
           device.cuda[0] ? ", CUDA " : "", device.cuda, RUNS,
           on_cpu_device ? "" : "; us per call in a stream, by number of elements", "", "sums");
    if (!on_cpu_device)
        printf("%10s%10s%10s", "2^16", "2^20", "2^24");
    printf("\n");
    for (int i = 0; i < WAYS; i++) {
        enum way way = (enum way)i;

        printf("%-20s%8d", names[way], different_sums(way, in, medium, exact));
        for (int n : { small, medium, large })
            if (!on_cpu_device)
                printf("%10.2f", time_of(way, in, most, n));
        printf("\n");
    }
    return finish(STATUS_OK);
}
