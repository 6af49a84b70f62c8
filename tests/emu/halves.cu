// 16-bit floating point.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "ok.h"

__global__ void scale(const half *in, float *out, half factor)
{
    int i = threadIdx.x;
    out[i] = __half2float(in[i] * factor + __float2half(0.5f));
}
__global__ void pairs(const half2 *in, float *out)
{
    half2 v = __hfma2(in[threadIdx.x], __float2half2_rn(2), __floats2half2_rn(1, -1));
    float2 f = __half22float2(v);
    out[2 * threadIdx.x] = f.x + __low2float(v);
    out[2 * threadIdx.x + 1] = f.y + __half2float(__high2half(v));
}
__global__ void brain(const __nv_bfloat16 *in, float *out)
{
    int i = threadIdx.x;
    __nv_bfloat162 two = __halves2bfloat162(in[i], in[i]);
    out[i] = __bfloat162float(__hadd(two.x, two.y)) + (in[i] > __float2bfloat16(1));
}
__global__ void sums(float *out)
{
    __shared__ half s;
    half v = threadIdx.x;

    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    atomicAdd(&s, v);
    for (int i = 16; i > 0; i /= 2)
        v += __shfl_down_sync(~0u, v, i);
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = (float)v + (float)s;
}

template <class T> static T *on_device(const T *host, int n)
{
    T *p;
    cudaMalloc(&p, n * sizeof *p);
    cudaMemcpy(p, host, n * sizeof *p, cudaMemcpyHostToDevice);
    return p;
}

// Every half converts to float and back unchanged. A float between two halves rounds to the
// nearest, ties to even.
static bool all_round_trip(void)
{
    for (unsigned bits = 0; bits < 0x7c00; bits++) {
        half h = __ushort_as_half(bits), next = __ushort_as_half(bits + 1);
        float low = h, high = bits == 0x7bff ? 65536.0f : (float)next, middle = (low + high) / 2;
        unsigned even = bits & 1 ? bits + 1 : bits;

        if (__half_as_ushort(__float2half(low)) != bits ||
            __half_as_ushort(__float2half(-low)) != (bits | 0x8000) ||
            __half_as_ushort(__float2half(middle)) != even ||
            __half_as_ushort(__float2half(nextafterf(middle, low))) != bits ||
            __half_as_ushort(__float2half(nextafterf(middle, 1e9f))) != bits + 1)
            return false;
    }
    return __half_as_ushort(__float2half(INFINITY)) == 0x7c00 && __hisnan(__float2half(NAN)) &&
           __half_as_ushort(__float2half(1e-9f)) == 0;
}

int main(void)
{
    half h[64];
    half2 h2[32];
    __nv_bfloat16 b[64];

    for (int i = 0; i < 64; i++) {
        h[i] = __float2half(i / 4.0f);
        b[i] = __float2bfloat16(i / 8.0f);
        if (i < 32)
            h2[i] = __floats2half2_rn(i, -i);
    }
    // Supported: `cuda_fp16.h` and `cuda_bf16.h`: conversions, arithmetic, comparisons, functions,
    // pairs, `atomicAdd`, shuffles
    ok(all_round_trip(), "every half, and rounding between all of them");
    ok(__bfloat16_as_ushort(__float2bfloat16(1.00390625f)) == 0x3f80 &&
           __bfloat16_as_ushort(__float2bfloat16(1.01171875f)) == 0x3f82,
       "bfloat16 rounds ties to even");
    ok(sizeof(half2) == 4 && alignof(half2) == 4 && (float)__hfma(h[5], h[6], h[7]) == 3.625f &&
           h[3] < h[4] && __hge(h[3], h[3]) && (float)hsqrt(h[16]) == 2,
       "on the host too");
    half *in = on_device(h, 64);
    half2 *in2 = on_device(h2, 32);
    __nv_bfloat16 *inb = on_device(b, 64);
    gives<float>(
        64, [=](float *out) { scale<<<1, 64>>>(in, out, 2); },
        [](int i) { return i / 2.0f + 0.5f; }, "half");
    gives<float>(
        64, [=](float *out) { pairs<<<1, 32>>>(in2, out); },
        [](int i) { return i % 2 ? -4 * (i / 2) - 2 : 4 * (i / 2) + 2; }, "half2");
    gives<float>(
        64, [=](float *out) { brain<<<1, 64>>>(inb, out); },
        [](int i) { return i / 4.0f + (i > 8); }, "bfloat16");
    gives<float>(
        1, [](float *out) { sums<<<1, 32>>>(out); }, [](int) { return 2 * 496; },
        "atomics and shuffles");
    printf("1..%d\n", tests);
    return 0;
}
