// How threads of a block exchange data and synchronize, and limits of launches and memory.
#include <stdio.h>
#include <unistd.h>

enum { N = 256 };

__constant__ int weights[4];
__device__ int result[8];

// The last warp of Harris (2007), which is correct only because lanes run in lockstep. In shared
// memory it is reported as a race within the warp, so this kernel uses global memory.
__global__ void lock_step(volatile int *s)
{
    int t = threadIdx.x;

    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
        s[t] += s[t + 1];
    }
}

__global__ void shuffles(int *out)
{
    int t = threadIdx.x, lane = t % 32, v = t;

    for (int delta = 16; delta > 0; delta /= 2)
        v += __shfl_down_sync(0xffffffff, v, delta);
    if (lane == 0)
        out[t / 32] = v;                                 // sum of the warp's values
    out[8 + t] = __shfl_sync(0xffffffff, t, 3);          // all lanes get lane 3's value
    out[8 + N + t] = __shfl_up_sync(0xffffffff, t, 1);   // lane 0 keeps its own value
    out[8 + 2 * N + t] = __shfl_xor_sync(0xffffffff, t, 1, 8);
    // 9 wraps around to 1 in each section of 8
    out[8 + 3 * N + t] = __shfl_sync(0xffffffff, lane, 9, 8);
}

__global__ void votes(unsigned *out)
{
    int t = threadIdx.x;
    unsigned odd = __ballot_sync(0xffffffff, t % 2), any = __any_sync(0xffffffff, t == 40),
             all = __all_sync(0xffffffff, t < 40);

    out[t] = odd;
    out[N + t] = any;
    out[2 * N + t] = all;
    if (t % 32 < 5)
        out[3 * N + t] = __activemask();
    __syncwarp();
    int below = __syncthreads_count(t < 100);
    out[4 * N + t] = below + 1000 * __syncthreads_and(t < N) + 2000 * __syncthreads_or(t == 7);
}

__global__ void reverse(const int *in, int *out)
{
    extern __shared__ int s[];

    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x] * weights[threadIdx.x % 4];
    if (threadIdx.x < 8)
        result[threadIdx.x] = 10 * threadIdx.x;
}

__global__ void places(int *out)
{
    int i = ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * blockDim.x *
                blockDim.y * blockDim.z +
            (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[i] = i;
}

static int tests;

static void ok(int right, const char *what)
{
    printf("%sok %d - %s\n", right ? "" : "not ", ++tests, what);
}

// Resident memory of this process in bytes.
static long resident(void)
{
    long total = 0, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");

    if (f && fscanf(f, "%ld %ld", &total, &pages) != 2)
        pages = 0;
    if (f)
        fclose(f);
    return pages * sysconf(_SC_PAGESIZE);
}

static void test_lock_step(void)
{
    int host[N], *s, sum = 0;

    for (int i = 0; i < N; i++)
        host[i] = i * i % 101;
    for (int i = 0; i < 64; i++)
        sum += host[i];
    cudaMalloc(&s, sizeof host);
    cudaMemcpy(s, host, sizeof host, cudaMemcpyHostToDevice);
    lock_step<<<1, 64>>>(s);
    cudaMemcpy(host, s, sizeof host, cudaMemcpyDeviceToHost);
    ok(host[0] == sum, "warp-synchronous code runs in lockstep");
}

static void test_shuffles(void)
{
    static int host[8 + 4 * N];
    bool down = true, broadcast = true, up = true, others = true;
    int *out;

    cudaMalloc(&out, sizeof host);
    shuffles<<<1, N>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int w = 0; w < N / 32; w++)
        down &= host[w] == 32 * 32 * w + 31 * 32 / 2;
    for (int t = 0; t < N; t++) {
        broadcast &= host[8 + t] == t / 32 * 32 + 3;
        up &= host[8 + N + t] == (t % 32 ? t - 1 : t);
        others &= host[8 + 2 * N + t] == (t ^ 1) && host[8 + 3 * N + t] == t % 32 / 8 * 8 + 1;
    }
    ok(down, "__shfl_down_sync sums a warp");
    ok(broadcast, "__shfl_sync broadcasts");
    ok(up, "__shfl_up_sync keeps the first lane's value");
    ok(others, "__shfl_xor_sync and a width of 8");
}

static void test_votes(void)
{
    static unsigned host[5 * N];
    bool warp = true, active = true, block = true;
    unsigned *out;

    cudaMalloc(&out, sizeof host);
    cudaMemset(out, 0, sizeof host);
    votes<<<1, N>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int t = 0; t < N; t++) {
        warp &=
            host[t] == 0xaaaaaaaa && host[N + t] == (t / 32 == 1) && host[2 * N + t] == (t < 32);
        active &= t % 32 >= 5 || host[3 * N + t] == 0x1f;
        block &= host[4 * N + t] == 3100;
    }
    ok(warp, "ballot, any, all");
    ok(active, "__activemask inside a branch");
    ok(block, "__syncthreads_count, _and, _or");
}

static void test_symbols(void)
{
    int in[N], out[N], w[4] = { 1, -1, 2, -2 }, back[8], *a, *b;
    bool right = true;

    for (int i = 0; i < N; i++)
        in[i] = i * i % 101;
    cudaMalloc(&a, sizeof in);
    cudaMalloc(&b, sizeof out);
    ok(cudaMemcpyToSymbol(weights, w, sizeof w) == cudaSuccess,
       "the host can write constant memory");
    cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
    reverse<<<1, N, N * sizeof(int)>>>(a, b);
    cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost);
    for (int t = 0; t < N; t++)
        right &= out[t] == in[N - 1 - t] * w[t % 4];
    ok(right, "dynamic shared memory and constants");
    cudaMemcpyFromSymbol(back, result, sizeof back);
    ok(back[7] == 70, "the host can read a __device__ variable");
}

__global__ void __launch_bounds__(64, 2) bounded(int *out) { out[threadIdx.x] = 1; }

template <int MOST> __launch_bounds__(2 * MOST) __global__ void bounded_by(int *out)
{
    out[threadIdx.x] = 2;
}

__global__ void both_kinds_of_shared(int *out)
{
    __shared__ int fixed[8 << 10];
    extern __shared__ int more[];

    fixed[threadIdx.x] = more[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = fixed[threadIdx.x] + more[threadIdx.x];
}

// Element 0 is never initialized.
__global__ void uninitialized(float *out)
{
    float local[8], sum = 0;

    for (unsigned i = 1; i < 8; i++)
        local[(i + threadIdx.x * 0) % 8] = i;
    for (unsigned i = 0; i < 8; i++)
        sum += local[(i + threadIdx.x) % 8];
    *out = sum;
}

static void test_uninitialized(void)
{
#if __GNUC__ >= 12
    float *out, host;

    cudaMalloc(&out, sizeof host);
    uninitialized<<<1, 1>>>(out);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    ok(host < -1e38f, "an uninitialized element of a local array is conspicuous in the result");
#endif
}

static void test_limits(void)
{
    int *out, host[128];

    cudaMalloc(&out, sizeof host);
    cudaMemset(out, 0, sizeof host);
    bounded<<<1, 65>>>(out);
    ok(cudaGetLastError() == cudaErrorInvalidValue,
       "more threads than __launch_bounds__ are refused");
    bounded_by<32><<<3, 96>>>(out);
    ok(cudaGetLastError() == cudaErrorInvalidValue,
       "also where a template's argument sets the bound");
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    ok(host[0] == 0 && host[64] == 0, "and nothing runs");
    bounded<<<1, 64>>>(out);
    bounded_by<32><<<1, 64>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    ok(cudaGetLastError() == cudaSuccess && host[63] == 2 && host[64] == 0,
       "as many threads as the bound are accepted");

    both_kinds_of_shared<<<1, 64, 16 << 10>>>(out);
    ok(cudaGetLastError() == cudaSuccess, "32 KiB static and 16 KiB dynamic shared memory");
    both_kinds_of_shared<<<1, 64, (16 << 10) + 4>>>(out);
    ok(cudaGetLastError() == cudaErrorInvalidValue,
       "static and dynamic shared memory together have a limit of 48 KiB");
    cudaFuncSetAttribute(both_kinds_of_shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         40 << 10);
    both_kinds_of_shared<<<1, 64, 40 << 10>>>(out);
    ok(cudaGetLastError() == cudaSuccess, "more after cudaFuncSetAttribute");
}

static void test_launches(void)
{
    int host[12 * 60], *out;
    bool right = true;

    cudaMalloc(&out, 1025 * sizeof *out);
    cudaMemset(out, 0xff, sizeof host);
    places<<<dim3(3, 2, 2), dim3(5, 4, 3)>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 12 * 60; i++)
        right &= host[i] == i;
    ok(right, "three dimensions of threads and blocks");

    places<<<1, 1025>>>(out);
    ok(cudaGetLastError() == cudaErrorInvalidConfiguration,
       "1025 threads are an invalid configuration");
    ok(cudaGetLastError() == cudaSuccess, "a launch error is reported once");
    places<<<1, 32, 49 * 1024>>>(out);
    ok(cudaGetLastError() == cudaErrorInvalidValue,
       "49 KiB of dynamic shared memory need cudaFuncSetAttribute");
    cudaFuncSetAttribute(places, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024);
    places<<<1, 32, 49 * 1024>>>(out);
    ok(cudaGetLastError() == cudaSuccess, "49 KiB are available after cudaFuncSetAttribute");
}

static void test_errors(void)
{
    int host[4] = {}, *a;
    cudaEvent_t e;
    float ms;
    void *p;

    cudaMalloc(&a, sizeof host);
    cudaMemset(a, 0, sizeof host);
    ok(cudaMalloc(&p, (size_t)1 << 60) == cudaErrorMemoryAllocation && !p,
       "more memory than there is");
    cudaGetLastError();
    ok(cudaMemcpy(a, host, sizeof host * 2, cudaMemcpyHostToDevice) == cudaErrorInvalidValue,
       "a copy past the end");
    ok(cudaMemcpy(a, host, 4, cudaMemcpyDeviceToHost) == cudaErrorInvalidMemcpyDirection,
       "a copy in the wrong direction");
    ok(cudaMemcpy(host, a, (size_t)-4, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue,
       "a copy larger than the address space");
    cudaEventCreate(&e);
    cudaEventRecord(e, 0);
    cudaEventSynchronize(e);
    ok(cudaEventElapsedTime(&ms, e, e) == cudaSuccess && ms != ms, "elapsed times are NaN");
    ok(cudaFree(a) == cudaSuccess && cudaFree(a) == cudaErrorInvalidValue,
       "freeing twice is an error");
    cudaGetLastError();
}

static void test_freed_memory(void)
{
    long before = resident();
    void *p;

    for (size_t megabytes = 1; megabytes < 100 && cudaMalloc(&p, megabytes << 20) == cudaSuccess;
         megabytes++)
        cudaFree(p);
    ok(resident() - before < 16 << 20, "freed memory is returned to the system");
}

int main(void)
{
    test_lock_step();
    // Supported: `__shfl_sync` and its variants, `__ballot_sync`, `__any_sync`, `__all_sync`,
    // `__reduce_*_sync`, `__activemask`, `__syncwarp`, `__syncthreads`, `__syncthreads_count`,
    // `_and`, `_or`
    test_shuffles();
    test_votes();
    test_symbols();
    test_uninitialized();
    test_limits();
    test_launches();
    test_errors();
    test_freed_memory();
    printf("1..%d\n", tests);
    return 0;
}
