// Loops in which lanes skip what others do: lanes of one request are in one round, and lanes that
// have left the loop wait behind it.
#include <stdio.h>
#include <string.h>

#include "emu.h"

enum { ROUNDS = 8, PITCH = 64 };

// Every other lane has something to do in a round.
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

// The loop has two ways back to its start.
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

// Two accesses a round, the first of which some lanes skip.
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

// Rounds that differ in number: lane t has t.
__global__ void as_many(const float *in, float *out)
{
    int t = threadIdx.x;
    float sum = 0;

    for (int i = 0; i < t; i++)
        sum += in[i * PITCH + t];
    out[t] = sum;
}

// A 5 x 5 window at an image's border: what lies outside is not read.
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

// Two loops within one, each lane in one of them.
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

// Leaves the loop from its middle.
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

// A shuffle in a round that only some lanes make.
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

// A loop in which lanes skip, in one in which they do not.
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
    counted("two ways back", 2 * ROUNDS, 1, ROUNDS * 32 + 32);
    some_skip<<<1, 32>>>(in, out);
    counted("a guard before what all do", ROUNDS, ROUNDS, ROUNDS * (28 + 32));
    as_many<<<1, 32>>>(in, out);
    counted("as many rounds as each lane likes", 31, 1, 31 * 32 / 2 + 32);
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
    printf("1..%d\n", tests);
    return 0;
}
