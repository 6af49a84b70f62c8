// Loops in which some lanes skip accesses: a request contains lanes of one iteration only, and
// lanes that have left the loop wait after it.
#include <stdio.h>

#include <cuda_pipeline.h>
#include <string.h>

#include "emu.h"

enum { ROUNDS = 8, PITCH = 64 };

// In each iteration, every other lane has an access.
__global__ void continues(const float *in, float *out)
{
    int t = threadIdx.x;
    float sum = 0;

    for (int i = 0; i < ROUNDS; i++) {
        if ((i + t) % 2)
            continue;
        sum += in[i * PITCH + t];
    }
    out[t] = sum;
}

__global__ void guarded(const float *in, float *out)
{
    int t = threadIdx.x;
    float sum = 0;

    for (int i = 0; i < ROUNDS; i++)
        if ((i + t) % 2 == 0)
            sum += in[i * PITCH + t];
    out[t] = sum;
}

// The loop has two jumps back to its head.
__global__ void two_ways_back(const float *in, float *out)
{
    int t = threadIdx.x, i = 0;
    float sum = 0;

    while (i < ROUNDS) {
        int round = i++;
        if ((round + t) % 2)
            continue;
        sum += in[round * PITCH + t];
        if (sum > 5)
            continue;
        sum += in[round * PITCH + t + 1];
    }
    out[t] = sum;
}

// Two accesses per iteration; some lanes skip the first.
__global__ void some_skip(const float *in, float *out)
{
    int t = threadIdx.x;

    for (int i = 0; i < ROUNDS; i++) {
        float v = 0;
        if (t % 8 != i)
            v = in[i * PITCH + t];
        out[i * PITCH + t] = v;
    }
}

// Different numbers of iterations: lane t makes t.
__global__ void as_many(const float *in, float *out)
{
    int t = threadIdx.x;
    float sum = 0;

    for (int i = 0; i < t; i++)
        sum += in[i * PITCH + t];
    out[t] = sum;
}

// A 5 x 5 window at an image's border: pixels outside are not read.
__global__ void window(const float *in, float *out, int width, int height)
{
    int x = threadIdx.x, y = blockIdx.x;
    float sum = 0;

    for (int dy = -2; dy <= 2; dy++) {
        if (y + dy < 0 || y + dy >= height)
            continue;
        for (int dx = -2; dx <= 2; dx++)
            if (x + dx >= 0 && x + dx < width)
                sum += in[(y + dy) * PITCH + x + dx];
    }
    out[y * PITCH + x] = sum;
}

// Two loops within a third; each lane executes one of the two.
__global__ void either_loop(const float *in, float *out)
{
    int t = threadIdx.x;
    float sum = 0;

    for (int i = 0; i < ROUNDS; i++) {
        if ((t + i) % 2)
            for (int k = 0; k < 3; k++)
                sum += in[k * PITCH + t];
        else
            for (int k = 0; k < 5; k++)
                sum -= in[k * PITCH + t];
    }
    out[t] = sum;
}

// Leaves the loop in its middle.
__global__ void breaks(const float *in, float *out)
{
    int t = threadIdx.x, i = 0;
    float sum = 0;

    while (true) {
        sum += in[i * PITCH + t];
        if (i == t % 4)
            break;
        sum += in[i * PITCH + t + 1];
        i++;
    }
    out[t] = sum;
}

// A shuffle after a load that only some lanes execute.
__global__ void shuffles(const float *in, float *out)
{
    int t = threadIdx.x;
    float sum = 0;

    for (int i = 0; i < ROUNDS; i++) {
        float v = 0;
        if (t < i)
            v = in[i * PITCH + t];
        sum += __shfl_sync(0xffffffff, v, 0);
    }
    out[t] = sum;
}

// A loop in which lanes skip an access, within a loop in which they do not.
__global__ void nested(const float *in, float *out)
{
    int t = threadIdx.x;

    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k <= i; k++)
            if ((t + k) % 2)
                out[k * PITCH + t] = in[i * PITCH + t];
        out[i * PITCH + t] = 1;
    }
}

// Lanes would be in different iterations of the inner loop when the outer loop starts its next
// iteration.
__global__ void triangle(const float *in, float *out)
{
    float sum = 0;

    for (int row = 0; row < 4; row++)
        for (int k = 0; k <= (int)threadIdx.x; k++)
            sum += in[row * 32 + k];
    out[threadIdx.x] = sum;
}

// Three nested loops; the inner two have different lengths among lanes.
__global__ void three_loops(const float *in, const int *n, float *out)
{
    int t = threadIdx.x;
    float sum = 0;

    for (int a = 0; a < 2; a++)
        for (int b = 0; b <= t % 3; b++)
            for (int c = 0; c < n[t + b] + 1; c++)
                sum += in[a * 512 + b * 128 + c * 32 + t];
    out[t] = sum;
}

__global__ void continues_outer(const float *in, const int *n, float *out)
{
    int t = threadIdx.x;
    float sum = 0;

    for (int row = 0; row < 4; row++) {
        for (int k = 0; k < 4; k++) {
            sum += in[row * 128 + k * 32 + t];
            if (k == n[t + row])
                goto next_row;
        }
        sum += in[2048 + row * 32 + t];
    next_row:;
    }
    out[t] = sum;
}

__global__ void leaves_both(const float *in, const int *n, float *out)
{
    int t = threadIdx.x;
    float sum = 0;

    for (int row = 0; row < 3; row++) {
        for (int k = 0; k < 4; k++) {
            sum += in[row * 128 + k * 32 + t];
            if (row * 4 + k == n[t] * 2)
                goto done;
        }
        out[row * 32 + t] = sum;
    }
done:
    out[512 + t] = sum;
}

// What a lane does before it leaves the loop belongs to the iteration in which it leaves.
__global__ void stores_and_breaks(const float *in, const int *n, float *out)
{
    int t = threadIdx.x;
    float sum = 0;

    for (int k = 0; k < 8; k++) {
        sum += in[k * 32 + t];
        if (k == n[t]) {
            out[64 + k * 32 + t] = sum;
            sum += in[300 + k + t];
            break;
        }
        out[512 + t] = sum;
    }
    out[t] = sum;
}

__global__ void returns(const float *in, const int *n, float *out)
{
    int t = threadIdx.x;

    for (int k = 0; k < 6; k++) {
        out[k * 32 + t] = in[k * 32 + t];
        if (k == n[t])
            return;
        out[512 + k * 32 + t] = in[512 + k * 32 + t];
    }
    out[1024 + t] = 1;
}

__device__ float row_sum(const float *in, int n)
{
    float sum = 0;

    for (int k = 0; k < n; k++) {
        if (k % 5 == 4)
            continue;
        sum += in[k];
    }
    return sum;
}

__global__ void calls(const float *in, const int *n, float *out)
{
    int t = threadIdx.x;
    float sum = 0;

    for (int row = 0; row <= t % 3; row++)
        sum += row_sum(in + row * 32, n[t] + 1) * row_sum(in + 512 + row * 32, n[t + 1]);
    out[t] = sum;
}

// Asynchronous copies are served like other accesses.
__global__ void copies(const float *in, float *out)
{
    __shared__ float tile[3][4][32];
    int t = threadIdx.x;

    for (int row = 0; row <= t % 3; row++)
        for (int k = 0; k <= t % 4; k++)
            __pipeline_memcpy_async(&tile[row][k][t], &in[row * 128 + k * 32 + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = tile[0][0][t];
}

// The number of iterations depends irregularly on the lane (Collatz sequence).
__global__ void collatz(const float *in, float *out)
{
    int t = threadIdx.x, n = t + 1;
    float sum = 0;

    while (n != 1) {
        sum += in[n % 64];
        n = n % 2 ? 3 * n + 1 : n / 2;
    }
    out[t] = sum;
}

static int tests;

static void counted(const char *kernel, uint64_t ld_requests, uint64_t st_requests, uint64_t lanes)
{
    struct emu_counts c;

    emu_totals(&c);
    bool right = c.ld_requests == ld_requests && c.st_requests == st_requests && c.lanes == lanes;
    printf("%sok %d - %s\n", right ? "" : "not ", ++tests, kernel);
    if (!right)
        printf("# %llu loads, %llu stores, %llu lanes; want %llu, %llu, %llu\n",
               (unsigned long long)c.ld_requests, (unsigned long long)c.st_requests,
               (unsigned long long)c.lanes, (unsigned long long)ld_requests,
               (unsigned long long)st_requests, (unsigned long long)lanes);
    emu_reset();
}

// Counts that Nsight Compute reported on an H200 for the same kernels, compiled with `#pragma
// unroll 1` on each loop: CUDA 13.0, requests and sectors.
static void as_measured(const char *kernel, uint64_t ld_requests, uint64_t ld_sectors,
                        uint64_t st_requests, uint64_t st_sectors)
{
    struct emu_counts c;

    emu_totals(&c);
    bool right = c.ld_requests == ld_requests && c.ld_sectors == ld_sectors &&
                 c.st_requests == st_requests && c.st_sectors == st_sectors;
    printf("%sok %d - as measured: %s\n", right ? "" : "not ", ++tests, kernel);
    if (!right)
        printf("# %llu loads of %llu sectors, %llu stores of %llu\n",
               (unsigned long long)c.ld_requests, (unsigned long long)c.ld_sectors,
               (unsigned long long)c.st_requests, (unsigned long long)c.st_sectors);
    emu_reset();
}

static void measured(const float *in, float *out)
{
    int host[64], *n;

    for (int i = 0; i < 64; i++)
        host[i] = i * 13 % 7;
    cudaMalloc(&n, sizeof host);
    cudaMemcpy(n, host, sizeof host, cudaMemcpyHostToDevice);
    triangle<<<1, 32>>>(in, out);
    as_measured("an inner loop of different lengths", 128, 128, 1, 4);
    three_loops<<<1, 32>>>(in, n, out);
    as_measured("three loops of different lengths", 48, 180, 1, 4);
    continues_outer<<<1, 32>>>(in, n, out);
    as_measured("the next iteration of the outer loop from within the inner", 24, 99, 1, 4);
    leaves_both<<<1, 32>>>(in, n, out);
    as_measured("two loops left at once", 15, 60, 4, 16);
    stores_and_breaks<<<1, 32>>>(in, n, out);
    as_measured("a load and a store before break", 21, 85, 14, 56);
    returns<<<1, 32>>>(in, n, out);
    as_measured("a return from a loop", 18, 72, 13, 52);
    calls<<<1, 32>>>(in, n, out);
    as_measured("functions with loops in a loop", 35, 42, 1, 4);
    collatz<<<1, 32>>>(in, out);
    as_measured("an irregular number of iterations per lane", 111, 290, 1, 4);
    copies<<<1, 32>>>(in, out);
    counted("asynchronous copies in loops of different lengths", 12, 1, 2 * 157 + 32 + 32);
}

int main(void)
{
    float *in, *out;

    cudaMalloc(&in, 64 * PITCH * sizeof *in);
    cudaMalloc(&out, 64 * PITCH * sizeof *out);
    cudaMemset(in, 0, 64 * PITCH * sizeof *in);

    continues<<<1, 32>>>(in, out);
    counted("continue", ROUNDS, 1, ROUNDS * 16 + 32);
    guarded<<<1, 32>>>(in, out);
    counted("a guard", ROUNDS, 1, ROUNDS * 16 + 32);
    two_ways_back<<<1, 32>>>(in, out);
    counted("two jumps back to the head", 2 * ROUNDS, 1, ROUNDS * 32 + 32);
    some_skip<<<1, 32>>>(in, out);
    counted("a guard before an access of all lanes", ROUNDS, ROUNDS, ROUNDS * (28 + 32));
    as_many<<<1, 32>>>(in, out);
    counted("a different number of iterations per lane", 31, 1, 31 * 32 / 2 + 32);
    window<<<1, 32>>>(in, out, 32, 32);
    counted("the first row of an image", 3 * 5, 1, 3 * (30 + 31 + 32 + 31 + 30) + 32);
    window<<<32, 32>>>(in, out, 32, 32);
    counted("all rows of an image", (32 * 5 - 6) * 5, 32,
            (32 * 5 - 6) * (30 + 31 + 32 + 31 + 30) + 32 * 32);
    window<<<3, 5>>>(in, out, 5, 3);
    counted("a small image", 3 * 3 * 5, 3, 3 * 3 * (3 + 4 + 5 + 4 + 3) + 15);
    either_loop<<<1, 32>>>(in, out);
    counted("one loop or another", ROUNDS * (3 + 5), 1, ROUNDS * 16 * (3 + 5) + 32);
    nested<<<1, 32>>>(in, out);
    counted("a loop in a loop", ROUNDS * (ROUNDS + 1) / 2, ROUNDS * (ROUNDS + 1) / 2 + ROUNDS,
            ROUNDS * (ROUNDS + 1) / 2 * 32 + ROUNDS * 32);
    breaks<<<1, 32>>>(in, out);
    counted("a loop left from its middle", 4 + 3, 1, 32 + 24 + 16 + 8 + 24 + 16 + 8 + 32);
    shuffles<<<1, 32>>>(in, out);
    counted("a guard before a shuffle", ROUNDS - 1, 1, ROUNDS * (ROUNDS - 1) / 2 + 32);
    measured(in, out);
    printf("1..%d\n", tests);
    return 0;
}
