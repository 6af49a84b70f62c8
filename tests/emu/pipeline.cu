// Asynchronous copies from global to shared memory: when bytes arrive, and what is counted.
#include <stdio.h>

#include <cuda_pipeline.h>

#include "emu.h"

enum { N = 64, ROUNDS = 10, SLOTS = 4 };

// A multistage pipeline with SLOTS stages, filled SLOTS - 1 iterations ahead. Every iteration
// commits a group, even an empty one, so that the argument of the wait stays constant.
__global__ void ring(const float *in, float *out)
{
    __shared__ float s[SLOTS][N];
    int t = threadIdx.x;
    float sum = 0;

    for (int i = 0; i < SLOTS - 1; i++) {
        __pipeline_memcpy_async(&s[i][t], &in[i * N + t], sizeof(float));
        __pipeline_commit();
    }
    for (int i = 0; i < ROUNDS; i++) {
        int ahead = i + SLOTS - 1;

        __pipeline_wait_prior(SLOTS - 2);
        __syncthreads();
        if (ahead < ROUNDS)
            __pipeline_memcpy_async(&s[ahead % SLOTS][t], &in[ahead * N + t], sizeof(float));
        __pipeline_commit();
        sum += s[i % SLOTS][N - 1 - t];
    }
    out[t] = sum;
}

// The tail of the last vector is not read.
__global__ void zero_filled(const float *in, float *out, int n)
{
    __shared__ float4 s[N];
    int t = threadIdx.x, left = n - 4 * t;

    if (left >= 4)
        __pipeline_memcpy_async(&s[t], in + 4 * t, 16);
    else
        __pipeline_memcpy_async(&s[t], in + (left > 0 ? 4 * t : 0), 16,
                                left > 0 ? 16 - 4 * left : 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    ((float4 *)out)[t] = s[t];
}

// Empty groups count; a wait never leaves more than eight groups pending.
__global__ void groups(const float *in, float *out)
{
    __shared__ float s[2][N];
    int t = threadIdx.x;

    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    __pipeline_commit();
    __pipeline_commit();
    __pipeline_wait_prior(1);
    out[t] = s[0][t];
    __pipeline_memcpy_async(&s[1][t], &in[t], 4);
    for (int i = 0; i < 9; i++)
        __pipeline_commit();
    __pipeline_wait_prior(100);
    out[t] += s[1][t];
}

// Reads the copy of a neighboring lane of the same warp, ordered by __syncwarp.
__global__ void within_warp(const float *in, float *out)
{
    __shared__ float2 s[N];
    int t = threadIdx.x;

    __pipeline_memcpy_async(&s[t], in + 2 * t, 8);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    float2 v = s[t ^ 1];
    out[t] = v.x - v.y;
}

// Transposes during the copy: each lane writes to another row.
__global__ void conflicts(const float *in, float *out)
{
    __shared__ float s[32][32];
    int t = threadIdx.x;

    __pipeline_memcpy_async(&s[t][0], in + t, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = s[t][0];
}

static int tests;

static void ok(int right, const char *what)
{
    printf("%sok %d - %s\n", right ? "" : "not ", ++tests, what);
}

static void counted(const char *kernel, uint64_t ld_requests, uint64_t ld_sectors,
                    uint64_t shared_requests, uint64_t shared_wavefronts)
{
    struct emu_counts c;

    emu_totals(&c);
    ok(c.ld_requests == ld_requests && c.ld_sectors == ld_sectors &&
           c.shared_requests == shared_requests && c.shared_wavefronts == shared_wavefronts,
       kernel);
    if (c.ld_requests != ld_requests || c.ld_sectors != ld_sectors ||
        c.shared_requests != shared_requests || c.shared_wavefronts != shared_wavefronts)
        printf("# %llu requests, %llu sectors, %llu shared requests, %llu wavefronts\n",
               (unsigned long long)c.ld_requests, (unsigned long long)c.ld_sectors,
               (unsigned long long)c.shared_requests, (unsigned long long)c.shared_wavefronts);
    emu_reset();
}

static float host[ROUNDS * N], back[4 * N], *in, *out;

static void test_ring(void)
{
    bool right = true;

    ring<<<1, N>>>(in, out);
    cudaMemcpy(back, out, N * sizeof(float), cudaMemcpyDeviceToHost);
    for (int t = 0; t < N; t++) {
        float sum = 0;
        for (int i = 0; i < ROUNDS; i++)
            sum += host[i * N + N - 1 - t];
        right &= back[t] == sum;
    }
    ok(right, "a multistage pipeline of four stages");
    counted("a copy is a load from global memory and a store to shared memory", 2 * ROUNDS,
            2 * ROUNDS * 4, 4 * ROUNDS, 4 * ROUNDS);
}

static void test_zero_fill(void)
{
    int n = 37;   // floats: thread 9's vector has one of them, later vectors have none
    bool right = true;
    float *few;

    cudaMalloc(&few, n * sizeof(float));
    cudaMemcpy(few, host, n * sizeof(float), cudaMemcpyHostToDevice);
    zero_filled<<<1, N>>>(few, out, n);
    cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4 * N; i++)
        right &= back[i] == (i < n ? host[i] : 0);
    ok(right, "bytes that are filled with zeros are not read");
    // Lanes 0 to 8 load 9 * 16 bytes, lane 9 loads 4. The copies of the other lanes, 22 and 32,
    // only store zeros.
    counted("lanes that load different sizes are separate requests", 2, 5 + 1, 4 + 2,
            2 + 1 + 3 + 4 + 8);
}

static void test_groups(void)
{
    bool right = true;

    groups<<<1, N>>>(in, out);
    cudaMemcpy(back, out, N * sizeof(float), cudaMemcpyDeviceToHost);
    for (int t = 0; t < N; t++)
        right &= back[t] == 2 * host[t];
    ok(right, "empty groups, and a wait that leaves many pending");
    emu_reset();
}

static void test_within_warp(void)
{
    bool right = true;

    within_warp<<<1, N>>>(in, out);
    cudaMemcpy(back, out, N * sizeof(float), cudaMemcpyDeviceToHost);
    for (int t = 0; t < N; t++)
        right &= back[t] == host[2 * (t ^ 1)] - host[2 * (t ^ 1) + 1];
    ok(right, "__syncwarp suffices within a warp");
    counted("8 bytes per lane: 8 sectors, two wavefronts", 2, 16, 4, 8);
}

int main(void)
{
    for (int i = 0; i < ROUNDS * N; i++)
        host[i] = i * 37 % 101;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof back);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    // Supported: `cuda_pipeline.h`: `__pipeline_memcpy_async`, `__pipeline_commit`,
    // `__pipeline_wait_prior`
    test_ring();
    test_zero_fill();
    test_groups();
    test_within_warp();
    conflicts<<<1, 32>>>(in, out);
    counted("a copy's store has bank conflicts too", 1, 4, 2, 64);
    printf("1..%d\n", tests);
    return 0;
}
