// Atomics and reductions within a warp, with many blocks that access one address.
#include <stdio.h>

enum { BLOCKS = 64, THREADS = 128, N = BLOCKS * THREADS };

// Each operation has its own word.
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

// Each number from 0 to N-1 is exchanged exactly once.
__global__ void exchanges(int *place, int *seen)
{
    int got = atomicExch(place, blockIdx.x * blockDim.x + threadIdx.x);

    if (got >= 0)
        atomicAdd(&seen[got], 1);
}

// A sum by compare-and-swap, which is repeated when another thread has changed the word.
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

template <class T> static T *on_device(const T *host, size_t bytes)
{
    T *p;

    cudaMalloc(&p, bytes);
    cudaMemcpy(p, host, bytes, cudaMemcpyHostToDevice);
    return p;
}

static void test_operations(void)
{
    int s[7] = { 0, 0, 0, 0, 0xff, 0, 0 }, *s_d = on_device(s, sizeof s), all = 0;
    unsigned u[4] = { 0, 0, ~0u, 0 }, *u_d = on_device(u, sizeof u);
    unsigned long long l[2] = { 0, 0 }, *l_d = on_device(l, sizeof l);
    float f = 0, *f_d = on_device(&f, sizeof f);
    double d = 0, *d_d = on_device(&d, sizeof d);

    operations<<<BLOCKS, THREADS>>>(s_d, u_d, l_d, f_d, d_d);
    cudaMemcpy(s, s_d, sizeof s, cudaMemcpyDeviceToHost);
    cudaMemcpy(u, u_d, sizeof u, cudaMemcpyDeviceToHost);
    cudaMemcpy(l, l_d, sizeof l, cudaMemcpyDeviceToHost);
    cudaMemcpy(&f, f_d, sizeof f, cudaMemcpyDeviceToHost);
    cudaMemcpy(&d, d_d, sizeof d, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        all ^= i;
    ok(s[0] == N / 2 * (N - 1) && s[1] == -s[0], "add and subtract");
    ok(s[2] == -(N - 1) && s[3] == N - 1, "minimum and maximum, signed");
    ok(s[4] == 0 && s[5] == 0xff && s[6] == all, "and, or, exclusive or");
    ok(u[0] == N % 100 && u[1] == (100 - N % 100) % 100,
       "increment and decrement wrap at their limit");
    ok(u[2] == 0x80000000u && u[3] == 0x80000000u + N - 1, "minimum and maximum, unsigned");
    ok(l[0] == (unsigned long long)N << 33 && l[1] == (N - 1ull) << 20, "64 bits");
    ok(f == N && d == N / 2, "float and double");
}

static void test_exchanges(void)
{
    static int seen[N];
    int last = -1, *last_d = on_device(&last, sizeof last), *seen_d = on_device(seen, sizeof seen);
    bool right = true;

    exchanges<<<BLOCKS, THREADS>>>(last_d, seen_d);
    cudaMemcpy(&last, last_d, sizeof last, cudaMemcpyDeviceToHost);
    cudaMemcpy(seen, seen_d, sizeof seen, cudaMemcpyDeviceToHost);
    seen[last]++;
    for (int i = 0; i < N; i++)
        right &= seen[i] == 1;
    ok(right, "atomicExch loses no value");
}

static void test_swaps(void)
{
    int sum = 0, *sum_d = on_device(&sum, sizeof sum);

    swaps<<<BLOCKS, THREADS>>>(sum_d);
    cudaMemcpy(&sum, sum_d, sizeof sum, cudaMemcpyDeviceToHost);
    ok(sum == 3 * N, "a sum by compare-and-swap");
}

static void test_block(void)
{
    static int host[4 * THREADS];
    int *out = on_device(host, sizeof host);
    bool right = true;

    in_shared<<<1, THREADS>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int t = 0; t < THREADS; t++)
        right &= host[t] == THREADS;
    ok(right, "atomics in shared memory");

    right = true;
    reductions<<<1, THREADS>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int t = 0; t < THREADS; t++)
        right &= host[t] == 32 * (t / 32 * 32 - 20) + 31 * 16 && host[THREADS + t] == -20 &&
                 host[2 * THREADS + t] == -1 && host[3 * THREADS + t] == -1;
    ok(right, "reductions within a warp");
}

int main(void)
{
    // Supported: `atomicAdd`, `Sub`, `Exch`, `Min`, `Max`, `Inc`, `Dec`, `And`, `Or`, `Xor`, `CAS`,
    // and the three memory fences
    test_operations();
    test_exchanges();
    test_swaps();
    test_block();
    printf("1..%d\n", tests);
    return 0;
}
