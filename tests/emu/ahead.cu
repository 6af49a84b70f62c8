// Global loads ahead of use (ld_ahead): what counts as one, in one warp that makes STEPS steps over
// two buffers. And the other counts that say how the work is done: copies in flight, loads of one
// warp, exchanges, instructions on bytes, events.
#include <cuda_pipeline.h>

#include "emu.h"
#include "ok.h"

enum { STEPS = 10, WORDS = 8 };   // WORDS: shared loads per step

enum order {
    LOAD_MULTIPLY_STORE,
    MULTIPLY_LOAD_STORE,
    LOAD_STORE_MULTIPLY,
    LOAD_IN_FIRST_HALF,
    LOAD_IN_SECOND_HALF,
    LOAD_READ_ONE_STORE,   // after the multiplication
    STORE_BEFORE_LOAD      // the same, after a store of another value
};

__device__ float sum_of(const float *tile, int from, int to)
{
    float sum = 0;

    for (int i = from; i < to; i++)
        sum += tile[(threadIdx.x + i) % 32];
    return sum;
}

__global__ void steps(const float *in, float *out, order is)
{
    __shared__ float tile[2][32], other[32];
    int t = threadIdx.x;
    float sum = 0, v = 0;

    tile[0][t] = in[t];
    for (int step = 0; step < STEPS; step++) {
        const float *from = in + 32 * (step + 1) + t;
        float *tiles = tile[step % 2], *next = &tile[(step + 1) % 2][t];
        int before = is == LOAD_MULTIPLY_STORE || is == LOAD_STORE_MULTIPLY ? 0
                   : is == LOAD_IN_FIRST_HALF                               ? WORDS / 2 - 1
                   : is == LOAD_IN_SECOND_HALF                              ? WORDS / 2
                                                                            : WORDS;

        __syncthreads();
        sum += sum_of(tiles, 0, before);
        if (is == STORE_BEFORE_LOAD)
            other[t] = sum;
        v = *from;
        if (is == LOAD_STORE_MULTIPLY)
            *next = v;
        sum += sum_of(tiles, before, is >= LOAD_READ_ONE_STORE ? WORDS + 1 : WORDS);
        if (is != LOAD_STORE_MULTIPLY)
            *next = v;
    }
    out[t] = sum;
}

// The copy of a step is issued DISTANCE steps before.
template <int DISTANCE> __global__ void copies(const float *in, float *out)
{
    __shared__ float tile[DISTANCE + 1][32];
    int t = threadIdx.x;
    float sum = 0;

    for (int step = -DISTANCE; step < STEPS; step++) {
        if (step + DISTANCE < STEPS)
            __pipeline_memcpy_async(&tile[(step + DISTANCE) % (DISTANCE + 1)][t],
                                    in + 32 * (step + DISTANCE) + t, 4);
        __pipeline_commit();
        if (step < 0)
            continue;
        __pipeline_wait_prior(DISTANCE);
        __syncthreads();
        sum += sum_of(tile[step % (DISTANCE + 1)], 0, WORDS);
        __syncthreads();
    }
    out[t] = sum;
}

// More loads than a thread has registers: only the last of them can be pending.
__global__ void many(const float *in, float *out, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float sum = 0;

    s[t] = 0;
    for (int i = 0; i < n; i++)
        sum += in[t + i % 32];
    sum += sum_of(s, 0, 1);
    __syncwarp();
    s[t] = sum;
    out[32 * blockIdx.x + t] = sum;
}

// Each word that is loaded is taken up by an atomic.
__global__ void histogram(const float *in, int *out)
{
    __shared__ int bins[32];
    int t = threadIdx.x;
    float v = in[t];

    bins[t] = 0;
    __syncwarp();
    for (int i = 1; i <= STEPS; i++) {
        float next = in[32 * i + t];

        atomicAdd(&bins[(int)v], 1);
        v = next;
    }
    __syncwarp();
    out[t] = bins[t];
}

// Loads that are never stored to shared memory.
__global__ void no_store(const float *in, float *out)
{
    __shared__ float s[32];
    int t = threadIdx.x;

    s[t] = 1;
    __syncwarp();
    out[t] = in[t] + sum_of(s, t, t + 1);
}

static float *in, *out;

static void counts(const char *what, uint64_t requests, uint64_t ahead)
{
    struct emu_counts c;

    emu_totals(&c);
    ok(c.ld_requests == requests && c.ld_ahead == ahead, what);
    if (c.ld_requests != requests || c.ld_ahead != ahead)
        printf("# %llu of %llu load requests, not %llu of %llu\n", (unsigned long long)c.ld_ahead,
               (unsigned long long)c.ld_requests, (unsigned long long)ahead,
               (unsigned long long)requests);
    emu_reset();
}

// Warp 0 makes a load more than the others; each warp makes six exchanges.
__global__ void uneven(const float *in, float *out)
{
    int t = threadIdx.x;
    float v = in[t];

    if (t < 32)
        v += in[t + 32];
    for (int s = 16; s > 0; s /= 2)
        v += __shfl_xor_sync(0xffffffff, v, s);
    __syncwarp();
    out[t] = __any_sync(0xffffffff, v > 0) + v;
}

// Each thread makes two dp4a and packs once, five make one dp4a more; each warp makes two products.
__global__ void bytes(int *out)
{
    int t = threadIdx.x, sum = __dp4a(t, 0x01010101, 0), d[4];
    unsigned packed;

    asm("dp4a.u32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(t), "r"(0x02020202));
    if (t % 64 < 5)
        sum = __dp4a(sum, 1, sum);
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(packed) : "r"(t), "r"(sum), "r"(0));
    for (int k = 0; k < 2; k++)
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, "
                     "{%4, %4, %4, %4}, {%4, %4}, {%5, %5, %5, %5};"
                     : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                     : "r"(packed), "r"(k));
    out[t] = d[0];
}

static void is(uint64_t got, uint64_t want, const char *what)
{
    ok(got == want, what);
    if (got != want)
        printf("# %llu, not %llu\n", (unsigned long long)got, (unsigned long long)want);
}

static struct emu_counts totals(void)
{
    struct emu_counts c;

    emu_totals(&c);
    emu_reset();
    return c;
}

static void shares(void)
{
    uneven<<<2, 64>>>(in, out);
    is(totals().warp_ld_requests, 2, "the loads of the warp that makes the most");
    uneven<<<2, 64>>>(in, out);
    is(totals().exchanges, 2 * 2 * 6, "shuffles and votes are exchanges, __syncwarp() is not");
    bytes<<<3, 64>>>((int *)out);
    struct emu_counts c = totals();
    is(c.dot_products, 3 * (2 * 64 + 5), "dp4a of threads");
    is(c.packed_conversions, 3 * 64, "packed conversions of threads");
    is(c.mma_products, 3 * 2 * 2, "mma.sync of warps");
    copies<3><<<1, 32>>>(in, out);
    is(totals().copies_in_flight, 0 + 1 + 2 + (STEPS - 3) * 3,
       "copies in flight, three steps ahead");
    copies<0><<<1, 32>>>(in, out);
    is(totals().copies_in_flight, 0, "no copy is in flight if each is waited for at once");
    copies<0><<<1, 32>>>(in, out);
    is(totals().copies, STEPS, "copies");
}

// A capture launches nothing; each launch of the graph has two kernels.
static void graphs(void)
{
    cudaStream_t own;
    cudaGraph_t graph;
    cudaGraphExec_t ready;

    emu_reset();
    cudaStreamCreate(&own);
    cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal);
    no_store<<<1, 32, 0, own>>>(in, out);
    no_store<<<1, 32, 0, own>>>(in, out);
    cudaStreamEndCapture(own, &graph);
    is(totals().graph_kernels, 0, "a capture launches nothing");
    cudaGraphInstantiate(&ready, graph, 0);
    for (int i = 0; i < 3; i++)
        cudaGraphLaunch(ready, own);
    cudaDeviceSynchronize();
    is(totals().graph_kernels, 3 * 2, "launches by a graph");
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(own);
}

static void events(void)
{
    cudaEvent_t event[3];
    float ms;
    struct emu_counts c;

    for (cudaEvent_t &e : event) {
        cudaEventCreate(&e);
        cudaEventRecord(e);
        no_store<<<1, 32>>>(in, out);
    }
    cudaStream_t own;
    cudaStreamCreate(&own);
    cudaDeviceSynchronize();
    no_store<<<1, 32, 0, own>>>(in, out);
    cudaDeviceSynchronize();
    no_store<<<1, 32, 0, cudaStreamPerThread>>>(in, out);
    cudaDeviceSynchronize();
    cudaEventElapsedTime(&ms, event[0], event[2]);
    cudaEventElapsedTime(&ms, event[1], event[2]);
    c = totals();
    is(c.events, 3, "events that were recorded");
    is(c.timed_kernels, 2 + 1, "launches between the two events of each time");
    is(c.stream_kernels, 1, "launches in streams of the program");
    is(c.graph_kernels, 0, "launches without a graph");
    is(totals().events, 0, "emu_reset() sets the counts of events to 0");
}

static void counts_of(order is, uint64_t ahead, const char *what)
{
    steps<<<1, 32>>>(in, out, is);
    counts(what, STEPS + 1, ahead);
}

int main(void)
{
    cudaMalloc(&in, 32 * (STEPS + 1) * sizeof *in);
    cudaMalloc(&out, 4 * 32 * sizeof *out);
    cudaMemset(in, 0, 32 * (STEPS + 1) * sizeof *in);
    counts_of(LOAD_MULTIPLY_STORE, STEPS, "loads before the shared loads are ahead of use");
    counts_of(MULTIPLY_LOAD_STORE, 0, "loads after the shared loads are not");
    counts_of(LOAD_STORE_MULTIPLY, 0, "nor are loads that are stored at once");
    counts_of(LOAD_IN_FIRST_HALF, STEPS, "a load in the first half of the shared loads is");
    counts_of(LOAD_IN_SECOND_HALF, 0, "a load in the second half is not");
    counts_of(LOAD_READ_ONE_STORE, 0, "one shared load after it is not enough");
    counts_of(STORE_BEFORE_LOAD, 0, "nor is it after a store that takes up no load");
    copies<1><<<1, 32>>>(in, out);
    counts("asynchronous copies, one step ahead: all but the first", STEPS, STEPS - 1);
    copies<3><<<1, 32>>>(in, out);
    counts("asynchronous copies, three steps ahead: all but the first", STEPS, STEPS - 1);
    copies<0><<<1, 32>>>(in, out);
    counts("asynchronous copies that are waited for at once: none", STEPS, 0);
    many<<<1, 32>>>(in, out, 1000);
    counts("of many loads only the last 256 are pending", 1000, 256);
    many<<<4, 32>>>(in, out, 10);
    counts("the counts of blocks are added", 40, 40);
    histogram<<<1, 32>>>(in, (int *)out);
    counts("an atomic on shared memory takes up loads", STEPS + 1, 0);
    no_store<<<1, 32>>>(in, out);
    counts("loads that are never stored to shared memory are not counted", 1, 0);
    shares();
    graphs();
    events();
    printf("1..%d\n", tests);
    return 0;
}
