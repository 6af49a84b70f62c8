// Launches with their arguments, and dry runs.
#include <cuda_pipeline.h>

#include <cstring>

#include "emu.h"
#include "ok.h"

struct pair {
    char c;
    double d;
};
struct empty {};

__global__ void plain(int n, double d, char c, pair p, float *a)
{
    if (!(threadIdx.x | blockIdx.x | blockIdx.y))
        a[0] = (float)(n + d + c + p.d);
}
static __global__ void hidden(float *a) { a[0] = 1; }
namespace {
template <class T> __global__ void nameless(T *a) { a[0] = 2; }
}   // namespace
template <class T> __global__ void deduced(const T *from, T *to, long long n, unsigned char c)
{
    to[n] = from[c];
}
template <class... T> __global__ void any(float *a, T... t) { a[0] = sizeof...(t); }
extern "C" __global__ void of_c(empty, float *a, short s) { a[0] = s; }

// The launch in this place, 0 for the first.
static const struct emu_launch &launch(int i)
{
    const struct emu_launch *l;

    emu_launches(&l);
    return l[i];
}

// Has the launch this value at this place of its arguments?
template <class T> static bool has(int i, size_t at, T value)
{
    const struct emu_launch &l = launch(i);
    T got;

    for (int p = 0; p < l.n_arguments; p++)
        if (at >= l.place[p].at && at + sizeof got <= l.place[p].at + l.place[p].bytes) {
            memcpy(&got, l.arguments + at, sizeof got);
            return got == value;
        }
    return false;
}

static bool is_named(int i, const char *name)
{
    const char *symbol = launch(i).symbol;

    return symbol && strncmp(symbol, name, strlen(name)) == 0;
}

static void test_arguments(float *a)
{
    const struct emu_launch *all;

    emu_reset();
    plain<<<2, 32>>>(7, 2.5, 'x', pair{ 'c', 1 }, a);
    ok(!launch(0).symbol && !launch(0).arguments, "launches keep no arguments unless asked to");
    emu_keep_arguments(1);
    emu_reset();
    plain<<<dim3(2, 3), 32, 64>>>(7, 2.5, 'x', pair{ 'c', 1 }, a);
    hidden<<<1, 1>>>(a);
    nameless<<<1, 1>>>(a);
    deduced<<<1, 1>>>(a, a, 5, 3);
    any<<<1, 1>>>(a, 1, 2.0);
    of_c<<<1, 1>>>(empty{}, a, 9);
    ok(emu_launches(&all) == 6, "each launch is kept");
    ok(is_named(0, "_Z5plainid") && is_named(1, "_ZL6hiddenPf") && is_named(5, "of_c"),
       "a launch has the mangled name of its kernel");
    ok(is_named(2, "_ZN12_GLOBAL__N_18namelessIfEEvPT_") && is_named(3, "_Z7deducedIfEvPKT_PS0_xh"),
       "also if the arguments select the kernel");
    ok(has(0, 0, 7) && has(0, 8, 2.5) && has(0, 16, 'x') && has(0, 24, 'c') && has(0, 32, 1.0) &&
           has(0, 40, a),
       "arguments are at multiples of their alignment");
    ok(has(3, 8, a) && has(3, 16, 5ll) && has(3, 24, (unsigned char)3),
       "arguments have the types of the parameters, not of the expressions");
    ok(has(4, 8, 1) && has(4, 16, 2.0), "arguments of a parameter pack");
    ok(has(5, 8, a) && has(5, 16, (short)9), "an empty class takes a byte");
    ok(launch(0).grid[1] == 3 && launch(0).dynamic_shared == 64 && launch(0).cluster[0] == 1,
       "grid, shared memory and cluster");
}

static void test_operations(float *a)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStream_t stream;
    cudaLaunchAttribute early;
    cudaLaunchConfig_t config = {};

    emu_reset();
    cudaMemset(a, 0, 12);
    cudaMemcpy(a + 4, a, 12, cudaMemcpyDeviceToDevice);
    ok(launch(0).moved == 12 && strcmp(launch(0).kernel, "cudaMemset") == 0 &&
           launch(1).moved == 12,
       "memsets and copies within the device are operations, too");
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = 1;
    config.blockDim = 32;
    config.attrs = &early;
    config.numAttrs = 1;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    hidden<<<1, 1, 0, stream>>>(a);
    config.stream = stream;
    cudaLaunchKernelEx(&config, hidden, a + 1);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    emu_reset();
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    ok(launch(0).in_graph && !launch(0).follows, "a launch of a graph");
    ok(launch(1).in_graph && launch(1).follows, "a programmatic dependent launch of a graph");
    emu_reset();
    hidden<<<1, 1>>>(a);
    ok(!launch(0).in_graph && !launch(0).follows, "a launch after the graph");
}

__global__ void strided(const float *from, float *to, int stride)
{
    to[threadIdx.x] = from[threadIdx.x * stride];
}
__global__ void increments(float *a) { a[threadIdx.x] += 1; }
__global__ void tickets(int *a) { atomicAdd(a + threadIdx.x / 32 * 8, 1); }
__global__ void fetches(cudaTextureObject_t texture, float *to)
{
    to[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}
__global__ void copies(const float4 *from)
{
    __shared__ float4 tile[256];

    __pipeline_memcpy_async(&tile[threadIdx.x], &from[threadIdx.x], sizeof *from);
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

static struct emu_launch seen;
static float seen_value;
static const float *watched;

static void see(const struct emu_launch *l)
{
    seen = *l;
    seen_value = *watched;
}

// Whether the last launch read and wrote this many sectors.
static void moves(unsigned read, unsigned written, const char *what)
{
    if (seen.read_sectors != read || seen.written_sectors != written)
        printf("# read %llu, written %llu\n", (unsigned long long)seen.read_sectors,
               (unsigned long long)seen.written_sectors);
    ok(seen.read_sectors == read && seen.written_sectors == written, what);
}

static void test_sectors()
{
    constexpr int N = 4096;
    cudaResourceDesc array = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    float *a, *b;

    cudaMalloc(&a, N * sizeof *a);
    cudaMalloc(&b, N * sizeof *b);
    cudaMemset(a, 0, N * sizeof *a);
    array.resType = cudaResourceTypeLinear;
    array.res.linear.devPtr = a;
    array.res.linear.desc = cudaCreateChannelDesc<float>();
    array.res.linear.sizeInBytes = N * sizeof *a;
    cudaCreateTextureObject(&texture, &array, &how, nullptr);
    watched = a;
    emu_on_launch(see);
    strided<<<1, 256>>>(a, b, 1);
    moves(32, 32, "256 floats are 32 sectors");
    strided<<<1, 256>>>(a, b, 0);
    moves(1, 32, "a sector that is read again counts once");
    strided<<<1, 256>>>(a, b, 16);
    moves(256, 32, "a word per sector");
    increments<<<1, 256>>>(a);
    moves(32, 32, "what is read and written counts as both");
    ok(seen_value == 0, "the handler sees memory as before the launch");
    increments<<<1, 256>>>(a);
    ok(seen_value == 1, "and what the launch before has stored");
    tickets<<<1, 256>>>((int *)b);
    moves(8, 8, "atomics read and write");
    fetches<<<1, 256>>>(texture, b);
    moves(32, 32, "texture fetches read");
    copies<<<1, 256>>>((const float4 *)a);
    moves(128, 0, "asynchronous copies read");
    emu_on_launch(nullptr);
}

static void test_dry_run(float *a)
{
    size_t available, total, bytes;
    float *large, host = 5;

    cudaMemGetInfo(&available, &total);
    bytes = 2 * total;
    emu_dry_run(1);
    emu_reset();
    ok(cudaMalloc(&large, bytes) == cudaSuccess, "a dry run allocates more than there is");
    ok(cudaMemset(large, 0, bytes) == cudaSuccess && !emu_readable((char *)large + bytes / 2, 4),
       "a large memset does nothing");
    cudaMemcpy(large, &host, sizeof host, cudaMemcpyHostToDevice);
    ok(emu_readable(large, 4) && !emu_readable(large, 8), "a small copy is made");
    emu_open_memory(1);
    ok(*large == 5, "the host reads what was copied while the memory is open");
    emu_open_memory(0);
    plain<<<1 << 30, 1024>>>(1, 2, 3, pair{}, large);
    ok(launch(1).grid[0] == 1 << 30 && has(1, 0, 1), "a launch is kept and not executed");
    ok(cudaDeviceSynchronize() == cudaSuccess, "waiting is possible");
    plain<<<1, 2048>>>(1, 2, 3, pair{}, a);
    ok(cudaGetLastError() == cudaErrorInvalidConfiguration, "a wrong shape is refused");
}

__global__ void polynomial(float *a)
{
    float x = a[threadIdx.x];

    a[threadIdx.x] = ((x * x + 1) * x + 2) * x;
    a[threadIdx.x + 32] = x;
}

// What the model of time estimates arithmetic from: the host's code between two requests. g++ calls
// the runtime before it computes what is stored.
static void test_work(float *a)
{
    struct emu_watch middle = {};
    const struct emu_event *e;
    uint64_t omitted;

    middle.warp = -1;
    middle.most = 100;
    emu_record(&middle);
    polynomial<<<1, 32>>>(a);
    int n = emu_events(&e, &omitted);
    ok(n == 3 && e[0].kind == EMU_LD && e[1].kind == EMU_ST, "a load and two stores are recorded");
    if (n == 3) {
        struct emu_work w = emu_work_between(e[1].pc, e[2].pc);
#ifdef __x86_64__
        ok(w.is_known && w.products == 3 && w.sums == 2, "between them: three products, two sums");
#else
        ok(w.is_known, "the path between them is known");
#endif
        ok(!emu_work_between(e[1].pc, e[0].pc).is_known, "no path leads back");
    }
    emu_record(nullptr);
}

int main(void)
{
    float *a;

    cudaMalloc(&a, 64 * sizeof *a);
    cudaMemset(a, 0, 64 * sizeof *a);
    test_arguments(a);
    test_operations(a);
    test_sectors();
    test_work(a);
    test_dry_run(a);
    printf("1..%d\n", tests);
    return 0;
}
