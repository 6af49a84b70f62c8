// The CPU device's counts for kernels that were profiled on an H200 (ncu, 1024 x 1024 floats, sums
// over the launch).
#include <stdio.h>

#include "emu.h"

enum { N = 1024, TILE = 32 };

__global__ void naive(const float *in, float *out)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    out[x * N + y] = in[y * N + x];
}

template <int PAD> __global__ void tiled(const float *in, float *out)
{
    __shared__ float tile[TILE][TILE + PAD];
    int x = threadIdx.x, y = threadIdx.y;

    tile[y][x] = in[(blockIdx.y * TILE + y) * N + blockIdx.x * TILE + x];
    __syncthreads();
    out[(blockIdx.x * TILE + y) * N + blockIdx.y * TILE + x] = tile[x][y];
}

__global__ void copy4(const float4 *in, float4 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

__global__ void shifted(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N * N - 1)
        out[i] = in[i + 1];
}

__global__ void stride2(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[2 * i];
}

__global__ void reversed4(const float4 *in, float4 *out)
{
    __shared__ float4 s[256];
    int i = blockIdx.x * 256 + threadIdx.x;

    s[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = s[255 - threadIdx.x];
}

// The stored value comes from make_float4 and constants; it is still one store.
__global__ void made4(float4 *out)
{
    int i = blockIdx.x * 256 + threadIdx.x;

    out[i] = i % 2 ? make_float4(1, 2, 3, 4) : make_float4(i, 0, 0, i);
}

// nvcc copies a struct member by member, unless its type is aligned to its size. (From its PTX, not
// from the profiler.)
struct Four {
    float x, y, z, w;
};

__global__ void members(const Four *in, Four *out)
{
    int i = blockIdx.x * 256 + threadIdx.x;

    out[i] = in[i];
}

// Structs that are arguments and results are in registers. (From nvcc's machine code for sm_90, as
// the following.)
struct Three {
    float x, y, z;
};

__device__ Three sum(Three a, Three b) { return { a.x + b.x, a.y + b.y, a.z + b.z }; }

__global__ void sums(const Three *in, Three *out)
{
    Three a = in[threadIdx.x], b = sum(a, in[threadIdx.x + 32]);

    out[threadIdx.x] = sum(sum(a, b), b);
}

// An exception: nvcc loads only the member that is used, in one request.
__device__ float first(Three a) { return a.x; }

__global__ void firsts(const Three *in, float *out) { out[threadIdx.x] = first(in[threadIdx.x]); }

// One store instruction that accesses first shared memory, then global memory.
__global__ void either(float *out, bool global)
{
    __shared__ float s[256];
    float *p = global ? out + blockIdx.x * 256 : s;

    p[threadIdx.x] = 1;
}

// One atomic per warp on shared memory, and one per block on global memory.
__global__ void two_levels(float *out)
{
    __shared__ float sum;

    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        atomicAdd(&sum, 1.0f);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

// The index is written each time. nvcc loads the word once.
__global__ void repeated(const float *in, float *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] =
        in[blockIdx.x * blockDim.x + threadIdx.x] * in[blockIdx.x * blockDim.x + threadIdx.x] +
        in[blockIdx.x * blockDim.x + threadIdx.x];
}

// One store to shared memory and one of these atomics per warp. The wavefronts are those of ncu.
template <int CASE> __global__ void add_to_shared(float *out)
{
    __shared__ unsigned sums[64];

    sums[threadIdx.x] = 0;
    __syncthreads();
    if (CASE == 0)
        atomicAdd(&sums[threadIdx.x / 2], threadIdx.x);
    else if (CASE == 1)
        atomicAdd(&sums[threadIdx.x / 2], 1);
    else if (CASE == 2)
        atomicCAS(&sums[threadIdx.x / 2], 0, 1);
    else
        atomicAdd((float *)&sums[threadIdx.x / 2], out[0]);
}

static int tests;

static void is(const char *kernel, const char *what, uint64_t got, uint64_t want)
{
    printf("%sok %d - %s: %s is %llu\n", got == want ? "" : "not ", ++tests, kernel, what,
           (unsigned long long)want);
    if (got != want)
        printf("# got %llu\n", (unsigned long long)got);
}

static void check(const char *kernel, uint64_t ld_requests, uint64_t ld_sectors,
                  uint64_t st_sectors, uint64_t wavefronts)
{
    struct emu_counts c;

    emu_totals(&c);
    is(kernel, "ld_requests", c.ld_requests, ld_requests);
    is(kernel, "ld_sectors", c.ld_sectors, ld_sectors);
    is(kernel, "st_sectors", c.st_sectors, st_sectors);
    is(kernel, "shared_wavefronts", c.shared_wavefronts, wavefronts);
    emu_reset();
}

static void check_structs(const float *in, float *out)
{
    members<<<N * N / 4 / 256, 256>>>((const Four *)in, (Four *)out);
    check("struct of four floats", 32768, 524288, 524288, 0);
    sums<<<1, 32>>>((const Three *)in, (Three *)out);
    check("structs as arguments and results", 6, 72, 36, 0);
    firsts<<<1, 32>>>((const Three *)in, out);
    check("a struct of which one member is used", 3, 36, 4, 0);
}

int main(void)
{
    float *in, *out;
    dim3 grid(N / TILE, N / TILE), block(TILE, TILE);

    cudaMalloc(&in, N * N * sizeof(float));
    cudaMalloc(&out, N * N * sizeof(float));
    cudaMemset(in, 0, N * N * sizeof(float));

    naive<<<grid, block>>>(in, out);
    check("naive transpose", 32768, 131072, 1048576, 0);
    tiled<0><<<grid, block>>>(in, out);
    check("tile [32][32]", 32768, 131072, 131072, 1081344);
    tiled<1><<<grid, block>>>(in, out);
    check("tile [32][33]", 32768, 131072, 131072, 65536);
    copy4<<<N * N / 4 / 256, 256>>>((const float4 *)in, (float4 *)out);
    check("float4 copy", 8192, 131072, 131072, 0);
    shifted<<<N * N / 256, 256>>>(in, out);
    check("copy shifted by one word", 32768, 163839, 131072, 0);
    stride2<<<N * N / 2 / 256, 256>>>(in, out);
    check("stride 2 read", 16384, 131072, 65536, 0);
    reversed4<<<N * N / 4 / 256, 256>>>((const float4 *)in, (float4 *)out);
    check("float4 through shared memory, reversed", 8192, 131072, 131072, 65536);
    made4<<<N * N / 4 / 256, 256>>>((float4 *)out);
    check("float4 made and stored", 0, 0, 131072, 0);
    check_structs(in, out);
    either<<<1024, 256>>>(out, false);
    either<<<1024, 256>>>(out, true);
    check("one store for two kinds of memory", 0, 0, 32768, 8192);
    add_to_shared<0><<<1, 32>>>(out);
    check("sum in shared memory, two lanes per word", 0, 0, 0, 1 + 2);
    add_to_shared<1><<<1, 32>>>(out);
    check("sum of ones in shared memory, two lanes per word", 0, 0, 0, 1 + 1);
    add_to_shared<2><<<1, 32>>>(out);
    check("compare-and-swap in shared memory, two lanes per word", 0, 0, 0, 1 + 4);
    add_to_shared<3><<<1, 32>>>(out);
    check("sum of floats in shared memory, two lanes per word", 1, 1, 0, 1 + 6);
    repeated<<<N * N / 256, 256>>>(in, out);
    check("one word loaded three times", 32768, 131072, 131072, 0);
    two_levels<<<1024, 256>>>(out);
    struct emu_counts c;
    emu_totals(&c);
    is("atomics on two levels", "atomic_requests", c.atomic_requests, 1024);
    emu_reset();

    // A worker that gets no block of the second launch must not report the static shared memory of
    // the first.
    const struct emu_launch *launches;
    tiled<0><<<grid, block>>>(in, out);
    copy4<<<1, 256>>>((const float4 *)in, (float4 *)out);
    emu_launches(&launches);
    is("tile [32][32]", "static_shared", launches[0].static_shared, 4096);
    is("float4 copy", "static_shared", launches[1].static_shared, 0);
    printf("1..%d\n", tests);
    return 0;
}
