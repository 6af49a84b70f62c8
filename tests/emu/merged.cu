// Loads from shared memory as nvcc and ptxas merge them. Expected are the widths of LDS that CUDA
// 13.0 emits for the same kernels for sm_90.
#include <stdio.h>

#include "emu.h"

// One warp fills `float s[1024]`, then executes the loads in `body`.
#define KERNEL(name, body)                                   \
    __global__ void name(const float *in, float *out, int n) \
    {                                                        \
        __shared__ float s[1024];                            \
        int t = threadIdx.x;                                 \
        float sum = 0;                                       \
                                                             \
        for (int i = t; i < 1024; i += 32)                   \
            s[i] = in[i];                                    \
        __syncthreads();                                     \
        body;                                                \
        out[t] = sum + n;                                    \
    }

KERNEL(words_0_1, sum = s[4 * t] + s[4 * t + 1])
KERNEL(words_1_2, sum = s[4 * t + 1] + s[4 * t + 2])
KERNEL(words_2_3, sum = s[4 * t + 2] + s[4 * t + 3])
KERNEL(words_0_2, sum = s[4 * t] + s[4 * t + 2])
KERNEL(words_0_3, sum = s[4 * t] + s[4 * t + 3])
KERNEL(words_1_2_3, sum = s[4 * t + 1] + s[4 * t + 2] + s[4 * t + 3])
KERNEL(words_0_1_3, sum = s[4 * t] + s[4 * t + 1] + s[4 * t + 3])
KERNEL(words_0_2_3, sum = s[4 * t] + s[4 * t + 2] + s[4 * t + 3])
KERNEL(words_1_to_8, for (int k = 0; k < 8; k++) sum += s[8 * t + k + 1])
KERNEL(row_of_16, for (int k = 0; k < 16; k++) sum += s[16 * t + k])
KERNEL(row_of_34, for (int k = 0; k < 20; k++) sum += s[34 * (t / 2) + k])
KERNEL(row_of_33, for (int k = 0; k < 20; k++) sum += s[33 * (t / 2) + k])
KERNEL(one_row_of_33, for (int k = 0; k < 32; k++) sum += s[33 + k])
KERNEL(neighbors, for (int k = 0; k < 5; k++) sum += s[t + k])
KERNEL(broadcast, for (int k = 0; k < 4; k++) sum += s[t / 4 * 4 + k])
KERNEL(per_block, for (int k = 0; k < 4; k++) sum += s[blockDim.x * 4 * (t % 8) + k])
KERNEL(again, out[t + 32] = s[t] * in[0]; out[t + 64] = s[t] * in[1]; sum = s[t])
KERNEL(across_syncwarp, sum = s[4 * t]; __syncwarp(); sum += s[4 * t + 1])
KERNEL(across_shuffle, sum = s[4 * t]; sum = __shfl_xor_sync(~0u, sum, 1); sum += s[4 * t + 1])
KERNEL(volatile_words, volatile float *v = s; sum = v[4 * t] + v[4 * t + 1] + v[4 * t])
KERNEL(across_store, sum = s[4 * t]; s[t + 500] = n; sum += s[4 * t + 1])
KERNEL(across_branch, sum = s[4 * t]; if (n > 3) out[t + 99] = sum; sum += s[4 * t + 1])
KERNEL(across_global_atomic, sum = s[4 * t]; atomicAdd(out + 99, sum); sum += s[4 * t + 1])

// Pixels of a row share their neighbors. nvcc unrolls nested loops with 75 such loads, but not with
// 100.
template <int PIXELS> __global__ void pixels(const float *in, float *out)
{
    __shared__ unsigned char s[1024];
    int t = threadIdx.x, sum = 0;

    for (int i = t; i < 1024; i += 32)
        s[i] = (unsigned char)in[i];
    __syncthreads();
    for (int k = 0; k < PIXELS; k++)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                sum += s[t + k + j + 64 * i];
    out[t] = (float)sum;
}

// The loop over k is too long for the compiler to unroll it.
__global__ void thread_tiles(const float *in, float *out)
{
    __shared__ float a[32][8], b[8][32];
    int t = threadIdx.x;
    float sum[8][8] = {}, total = 0, from_a[8], from_b[8];

    for (int i = t; i < 256; i += 32)
        a[i / 8][i % 8] = b[i / 32][i % 32] = in[i];
    __syncthreads();
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < 8; i++)
            from_a[i] = a[t / 8 * 8 + i][k];
        for (int j = 0; j < 8; j++)
            from_b[j] = b[k][t % 4 * 8 + j];
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++)
                sum[i][j] += from_a[i] * from_b[j];
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            total += sum[i][j];
    out[t] = total;
}

template <class T> __global__ void four_of(const float *in, float *out)
{
    __shared__ T s[1024];
    int t = threadIdx.x;
    float sum = 0;

    for (int i = t; i < 1024; i += 32)
        s[i] = (T)in[i];
    __syncthreads();
    for (int k = 0; k < 4; k++)
        sum += (float)s[4 * t + k];
    out[t] = sum;
}

// Eight bytes of a row of vectors, whose alignment is known to the compiler.
__global__ void bytes_of_vectors(const float *in, float *out)
{
    __shared__ uint4 s[2][16];
    int t = threadIdx.x;
    float sum = 0;

    s[t / 16][t % 16] = make_uint4(in[t], 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < 8; k++)
        sum += ((unsigned char *)s[t / 16])[4 * (t % 16) + 14 + k];
    out[t] = sum;
}

__global__ void pairs_of_vectors(const float *in, float *out)
{
    __shared__ float2 s[512];
    int t = threadIdx.x;

    for (int i = t; i < 512; i += 32)
        s[i] = make_float2(in[i], 0);
    __syncthreads();
    float2 a = s[2 * t], b = s[2 * t + 1];
    out[t] = a.x + a.y + b.x + b.y;
}

// nvcc unrolls this tree and merges the two loads of its first step: an H100 has 41 requests, 142
// wavefronts. Here, the loads of all steps count as one instruction, because barriers part them.
__global__ void unrolled_tree(const float *in, float *out)
{
    __shared__ float s[256];
    int t = threadIdx.x;

    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int j = 2 * d * t;
        if (j < 256)
            s[j] += s[j + d];
        __syncthreads();
    }
    if (t == 0)
        out[0] = s[0];
}

// An atomic is a request, and its wavefronts serve it: of 32 lanes that add to 4 words.
__global__ void atomics(const float *, float *)
{
    __shared__ int s[32];
    int t = threadIdx.x;

    s[t] = t;
    __syncthreads();
    atomicAdd(&s[t % 4 * 8], t);
}

static int tests;

// Checks the last kernel's wavefronts and requests. Requests are the stores plus the loads, in the
// source and merged.
static void loads(const char *kernel, uint64_t wavefronts, uint64_t stores, uint64_t source,
                  uint64_t merged)
{
    struct emu_counts c;

    emu_totals(&c);
    bool right = c.shared_requests_source == stores + source &&
                 c.shared_requests == stores + merged && c.shared_wavefronts == wavefronts;
    printf("%sok %d - %s: %llu of %llu loads\n", right ? "" : "not ", ++tests, kernel,
           (unsigned long long)merged, (unsigned long long)source);
    if (!right)
        printf("# %llu requests, %llu wavefronts; in the source %llu requests\n",
               (unsigned long long)c.shared_requests, (unsigned long long)c.shared_wavefronts,
               (unsigned long long)c.shared_requests_source);
    emu_reset();
}

int main(void)
{
    float *in, *out;

    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 4096);
    cudaMemset(out, 0, 4096);
#define LOADS(name, source, merged, wavefronts) \
    name<<<1, 32>>>(in, out, 5);                \
    loads(#name, 32 + wavefronts, 32, source, merged)
    LOADS(words_0_1, 2, 1, 4);
    LOADS(words_1_2, 2, 2, 8);
    LOADS(words_2_3, 2, 1, 4);
    LOADS(words_0_2, 2, 2, 8);
    LOADS(words_0_3, 2, 2, 8);
    LOADS(words_1_2_3, 3, 1, 4);
    LOADS(words_0_1_3, 3, 1, 4);
    LOADS(words_0_2_3, 3, 1, 4);
    LOADS(words_1_to_8, 8, 3, 8 + 8 + 8);
    LOADS(row_of_16, 16, 4, 4 * 16);
    LOADS(row_of_34, 20, 10, 10);
    LOADS(row_of_33, 20, 20, 20);
    LOADS(one_row_of_33, 32, 9, 8 * 2 + 1);
    LOADS(neighbors, 5, 5, 5);
    LOADS(broadcast, 4, 1, 2);
    LOADS(per_block, 4, 1, 32);
    LOADS(again, 3, 1, 1);
    LOADS(volatile_words, 3, 3, 12);
    LOADS(across_syncwarp, 2, 2, 8);
    LOADS(across_shuffle, 2, 1, 4);
    across_store<<<1, 32>>>(in, out, 5);
    loads("across_store", 33 + 8, 33, 2, 2);
    LOADS(across_branch, 2, 1, 4);
    LOADS(across_global_atomic, 2, 1, 4);
    thread_tiles<<<1, 32>>>(in, out);
    loads("thread_tiles", 16 + 64 * 4 + 16 * 4, 16, 8 * 16, 8 * 10);
    four_of<unsigned char><<<1, 32>>>(in, out);
    loads("four_of<unsigned char>", 32 + 4, 32, 4, 4);
    four_of<double><<<1, 32>>>(in, out);
    loads("four_of<double>", 32 * 2 + 2 * 8, 32, 4, 2);
    bytes_of_vectors<<<1, 32>>>(in, out);
    loads("bytes_of_vectors", 4 + 3 * 2, 1, 8, 3);
    pixels<3><<<1, 32>>>(in, out);
    loads("pixels<3>", 32 + 35, 32, 75, 35);
    pixels<4><<<1, 32>>>(in, out);
    loads("pixels<4>", 32 + 100, 32, 100, 100);
    pairs_of_vectors<<<1, 32>>>(in, out);
    loads("pairs_of_vectors", 16 * 2 + 4, 16, 2, 1);
    unrolled_tree<<<1, 256>>>(in, out);
    loads("unrolled_tree", 150, 8 + 12, 25, 25);
    atomics<<<1, 32>>>(in, out);
    loads("atomics", 1 + 8, 2, 0, 0);
    printf("1..%d\n", tests);
    return 0;
}
