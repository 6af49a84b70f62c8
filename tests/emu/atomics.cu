// Atomics and reductions within a warp on the CPU device, with many blocks at one address.
#include <stdio.h>
#include <string.h>

enum { BLOCKS = 64, THREADS = 128, N = BLOCKS * THREADS };

// Every operation on a word of its own.
__global__ void operations(int *s, unsigned *u, unsigned long long *l, float *f, double *d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    atomicAdd(&s[0], i);
    atomicSub(&s[1], i);
    atomicMin(&s[2], -i);
    atomicMax(&s[3], i);
    atomicAnd(&s[4], ~(1 << i % 8));
    atomicOr(&s[5], 1 << i % 8);
    atomicXor(&s[6], i);
    atomicInc(&u[0], 99);
    atomicDec(&u[1], 99);
    atomicMin(&u[2], 0x80000000u + i);
    atomicMax(&u[3], 0x80000000u + i);
    atomicAdd(&l[0], 1ull << 33);
    atomicMax(&l[1], (unsigned long long)i << 20);
    atomicAdd(&f[0], 1.0f);
    atomicAdd(&d[0], 0.5);
}

// Each number of 0..N-1 is handed on exactly once.
__global__ void exchanges(int *place, int *seen)
{
    int got = atomicExch(place, blockIdx.x * blockDim.x + threadIdx.x);

    if (got >= 0)
        atomicAdd(&seen[got], 1);
}

// A sum by compare-and-swap, which must be tried again when another thread came between.
__global__ void swaps(int *sum)
{
    int old = *(volatile int *)sum, assumed;

    do {
        assumed = old;
        old = atomicCAS(sum, assumed, assumed + 3);
    } while (old != assumed);
}

__global__ void in_shared(int *out)
{
    __shared__ int count;

    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    int mine = atomicAdd(&count, 1);
    __syncthreads();
    out[mine] = count;
}

__global__ void reductions(int *out)
{
    int t = threadIdx.x;

    out[t] = __reduce_add_sync(0xffffffff, t - 20);
    out[THREADS + t] = __reduce_min_sync(0xffffffff, t % 32 - 20);
    out[2 * THREADS + t] = (int)__reduce_max_sync(0xffffffff, (unsigned)(t % 32 - 20));
    out[3 * THREADS + t] = (int)__reduce_xor_sync(0xffffffff, 1u << t % 32);
}

static int tests;

static void ok(int right, const char *what)
{
    printf("%sok %d - %s\n", right ? "" : "not ", ++tests, what);
}

int main(void)
{
    static int host[N];
    int *s, *seen, right;
    unsigned *u, hu[4] = { 0, 0, ~0u, 0 };
    unsigned long long *l, hl[2] = { 0, 0 };
    float *f, hf = 0;
    double *d, hd = 0;
    int hs[7] = { 0, 0, 0, 0, 0xff, 0, 0 };

    cudaMalloc(&s, N * sizeof *s);
    cudaMalloc(&seen, N * sizeof *seen);
    cudaMalloc(&u, sizeof hu);
    cudaMalloc(&l, sizeof hl);
    cudaMalloc(&f, sizeof hf);
    cudaMalloc(&d, sizeof hd);
    cudaMemcpy(s, hs, sizeof hs, cudaMemcpyHostToDevice);
    cudaMemcpy(u, hu, sizeof hu, cudaMemcpyHostToDevice);
    cudaMemcpy(l, hl, sizeof hl, cudaMemcpyHostToDevice);
    cudaMemcpy(f, &hf, sizeof hf, cudaMemcpyHostToDevice);
    cudaMemcpy(d, &hd, sizeof hd, cudaMemcpyHostToDevice);
    operations<<<BLOCKS, THREADS>>>(s, u, l, f, d);
    cudaMemcpy(hs, s, sizeof hs, cudaMemcpyDeviceToHost);
    cudaMemcpy(hu, u, sizeof hu, cudaMemcpyDeviceToHost);
    cudaMemcpy(hl, l, sizeof hl, cudaMemcpyDeviceToHost);
    cudaMemcpy(&hf, f, sizeof hf, cudaMemcpyDeviceToHost);
    cudaMemcpy(&hd, d, sizeof hd, cudaMemcpyDeviceToHost);

    right = 0;
    for (int i = 0; i < N; i++)
        right ^= i;
    ok(hs[0] == N / 2 * (N - 1) && hs[1] == -hs[0], "add and subtract");
    ok(hs[2] == -(N - 1) && hs[3] == N - 1, "minimum and maximum, signed");
    ok(hs[4] == 0 && hs[5] == 0xff && hs[6] == right, "and, or, exclusive or");
    ok(hu[0] == N % 100 && hu[1] == (100 - N % 100) % 100,
       "increment and decrement wrap at their limit");
    ok(hu[2] == 0x80000000u && hu[3] == 0x80000000u + N - 1, "minimum and maximum, unsigned");
    ok(hl[0] == (unsigned long long)N << 33 && hl[1] == (N - 1ull) << 20, "64 bits");
    ok(hf == N && hd == N / 2, "float and double");

    memset(host, 0, sizeof host);
    hs[0] = -1;
    cudaMemcpy(s, hs, sizeof *hs, cudaMemcpyHostToDevice);
    cudaMemcpy(seen, host, sizeof host, cudaMemcpyHostToDevice);
    exchanges<<<BLOCKS, THREADS>>>(s, seen);
    cudaMemcpy(hs, s, sizeof *hs, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, seen, sizeof host, cudaMemcpyDeviceToHost);
    host[hs[0]]++;
    right = 1;
    for (int i = 0; i < N; i++)
        right &= host[i] == 1;
    ok(right, "exchanges lose nothing");

    hs[0] = 0;
    cudaMemcpy(s, hs, sizeof *hs, cudaMemcpyHostToDevice);
    swaps<<<BLOCKS, THREADS>>>(s);
    cudaMemcpy(hs, s, sizeof *hs, cudaMemcpyDeviceToHost);
    ok(hs[0] == 3 * N, "a sum by compare-and-swap");

    in_shared<<<1, THREADS>>>(s);
    cudaMemcpy(host, s, THREADS * sizeof *host, cudaMemcpyDeviceToHost);
    right = 1;
    for (int i = 0; i < THREADS; i++)
        right &= host[i] == THREADS;
    ok(right, "atomics in shared memory");

    reductions<<<1, THREADS>>>(s);
    cudaMemcpy(host, s, 4 * THREADS * sizeof *host, cudaMemcpyDeviceToHost);
    right = 1;
    for (int t = 0; t < THREADS; t++)
        right &= host[t] == 32 * (t / 32 * 32 - 20) + 31 * 16 && host[THREADS + t] == -20 &&
                 host[2 * THREADS + t] == -1 && host[3 * THREADS + t] == -1;
    ok(right, "reductions within a warp");
    printf("1..%d\n", tests);
    return 0;
}
