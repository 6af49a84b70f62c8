// Graded: 9 solved:
#include "transpose.h"
#include <cstdint>
union Bits {
    float f;
    unsigned u;
    uint8_t b[4];
};
struct Flags {
    unsigned a : 3, b : 5;
    int : 0;
    unsigned c : 1;
};
union Pack {
    float4 v;
    float f[4];
};
__device__ __forceinline__ unsigned as_bits(float v)
{
    Bits b;
    b.f = v;
    return b.u;
}
__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];
    const int2 at = make_int2(blockIdx.x * 32 + threadIdx.x, blockIdx.y * 32 + threadIdx.y);
    float4 r;
    Pack p;
    Flags flags = { 1, 2, 1 };
    r.x = r.y = r.z = r.w = 0;
    float *e = &r.x;
    for (int k = 0; k < 4; k++)
        if (at.x < cols && at.y + k * 8 < rows)
            e[k] = __uint_as_float(as_bits(in[(at.y + k * 8) * cols + at.x]));
    p.v = r;
    if (flags.b == 2)
        for (int k = 0; k < 4; k++)
            tile[threadIdx.y + k * 8][threadIdx.x] = p.f[k];
    __syncthreads();
    const int2 to = { (int)(blockIdx.y * 32 + threadIdx.x), (int)(blockIdx.x * 32 + threadIdx.y) };
    for (int k = 0; k < 4; k++)
        if (to.x < rows && to.y + k * 8 < cols)
            out[(to.y + k * 8) * rows + to.x] = tile[threadIdx.x][threadIdx.y + k * 8];
}
void transpose(const float *in, float *out, int rows, int cols)
{
    float host = 1.5f;
    uint32_t bits;
    memcpy(&bits, &host, sizeof bits);
    bits = *reinterpret_cast<uint32_t *>(&host);
    uintptr_t a = reinterpret_cast<uintptr_t>(in);
    if (a % 4 || bits == 0 || __builtin_expect(rows < 0, 0))
        return;
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}
