// exercise15: find the bug: a CUDA graph, and a sum that is right once
//
// Task: do this after "Many short kernels" in docs/practice.md. A small sum takes as long as its
// launches. Here the two launches of a call are captured into a CUDA graph, once, and each call
// launches the graph, which is one call for the host. The first sum is right, and later ones are
// wrong. Find the cause, and correct it. Solved: each sum is right, and a graph launches both
// kernels. Capture only where it is necessary: a capture takes longer than two launches.
//
// Question: Why are later sums wrong?
// a) A capture also runs the kernels, so they run twice in one call and once in the others.
// b) A graph keeps the arguments of its capture, so each call sums the first array again.
// c) The graph is launched in another stream than it was captured in, so nothing orders it.
// d) A graph may be launched once, and must be instantiated again for each call.
// Answer: b
//
// Hint: `./exercise15 --check` prints the first wrong size. What is different from the call before:
// in, out, n, or the kernels?
// Hint: When are the arguments of <<<>>> evaluated, and which calls reach that line?
// Hint: Keep the arguments of the last capture. If one differs, capture and instantiate a new
// graph, and destroy the old one.
//
// Points 3: correct
// Points 1: answer
// Points 5 (cpu, 1048576): graph_kernels == 2 and kernels == 2
// Check (cpu, 1048577, sms=5)
#include "sums.h"

using stage8::block_sum;

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    T sum = 0;   // of elements one grid apart
    for (long long i = (long long)blockIdx.x * BLOCK + threadIdx.x; i < n;
         i += (long long)gridDim.x * BLOCK)
        sum += in[i];

    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

// Captures the launches of a sum, and returns them as a graph that can be launched.
template <class T> cudaGraphExec_t captured(const T *in, T *sums, T *out, long long n, int blocks)
{
    static cudaStream_t stream;   // the default streams cannot be captured
    cudaGraph_t graph;
    cudaGraphExec_t ready;

    if (!stream)
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    reduce<<<blocks, BLOCK, 0, stream>>>(in, sums, n);
    reduce<<<1, BLOCK, 0, stream>>>(sums, out, blocks);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiateWithFlags(&ready, graph, 0);
    cudaGraphDestroy(graph);
    return ready;
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    static cudaGraphExec_t ready;   // the graph of the last capture
    int blocks = (int)min(ceil_div(n, BLOCK), (long long)BLOCKS_PER_SM * multiprocessors());
    T *sums = (T *)scratch(blocks * sizeof(T));
#ifdef SOLUTION
    static const T *last_in;   // its arguments
    static T *last_sums, *last_out;
    static long long last_n;

    if (!ready || in != last_in || sums != last_sums || out != last_out || n != last_n) {
        if (ready)
            cudaGraphExecDestroy(ready);
        ready = captured(in, sums, out, n, blocks);
        last_in = in;
        last_sums = sums;
        last_out = out;
        last_n = n;
    }
#else

    if (!ready)
        ready = captured(in, sums, out, n, blocks);
#endif
    cudaGraphLaunch(ready, cudaStreamPerThread);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}
