// Textures: fetches per cycle and latency, by type and filter. All fetches hit.
#include "machine.h"

enum { SIDE = 64, STEPS = 16, ROUNDS = 64, BLOCK = 1024 };

__device__ inline float value_of(float v) { return v; }
__device__ inline float value_of(unsigned char v) { return v; }
__device__ inline float value_of(float4 v) { return v.x + v.y + v.z + v.w; }

// Neighboring lanes fetch neighboring texels, 16 x 2 of them. All texels are 0, so the sum moves no
// place; but the next fetch needs it, if CHAINED. So the latency includes what makes a float of the
// result: one FADD for a float, 4 for a vector, and a conversion for a byte.
// SASS: 7fetches TEX 16
template <class T, bool CHAINED>
static __global__ void fetches(int rounds, cudaTextureObject_t texture, cycle *cycles, float *out)
{
    float x = threadIdx.x % 16 + 0.5f, y = threadIdx.x / 16 + 0.5f, sum = 0;

    timed(rounds, cycles, [&] {
#pragma unroll
        for (int i = 0; i < STEPS; i++) {
            float v = value_of(tex2D<T>(texture, CHAINED ? x : x + i, y));
            if (CHAINED)
                x += v;
            else
                sum += v;
        }
        y += sum;   // so that no fetch can be moved out of the loop
    });
    out[blockIdx.x * blockDim.x + threadIdx.x] = x + y;
}

template <class T>
static cudaTextureObject_t texture_of(cudaArray_t *array, cudaTextureFilterMode filter,
                                      cudaTextureReadMode mode)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    cudaTextureObject_t texture;
    std::vector<char> zeros(SIDE * SIDE * sizeof(T));

    cuda_must(cudaMallocArray(array, &format, SIDE, SIDE), "allocating an array");
    cuda_must(cudaMemcpy2DToArray(*array, 0, 0, zeros.data(), SIDE * sizeof(T), SIDE * sizeof(T),
                                  SIDE, cudaMemcpyHostToDevice),
              "clearing an array");
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = *array;
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = filter;
    description.readMode = mode;
    cuda_must(cudaCreateTextureObject(&texture, &resource, &description, NULL), "making a texture");
    return texture;
}

// Texel: what the array has; Value: what a fetch returns.
template <class Texel, class Value>
static void measure(const char *name, cudaTextureFilterMode filter, cudaTextureReadMode mode)
{
    float *out = demo_allocate<float>((size_t)gpu.sms * BLOCK);
    cudaArray_t array;
    cudaTextureObject_t texture = texture_of<Texel>(&array, filter, mode);

    record(
        text_of("texture.%s.rate", name), "fetches/cycle/SM",
        per_sample(BLOCK * STEPS, cycles_per_round(gpu.sms, ROUNDS, [=](int rounds, cycle *cycles) {
                       fetches<Value, false><<<gpu.sms, BLOCK>>>(rounds, texture, cycles, out);
                   })));
    record(text_of("texture.%s.latency", name), "cycles",
           divided(cycles_per_round(gpu.sms, ROUNDS,
                                    [=](int rounds, cycle *cycles) {
                                        fetches<Value, true>
                                            <<<gpu.sms, 32>>>(rounds, texture, cycles, out);
                                    }),
                   STEPS));
    cuda_must(cudaDestroyTextureObject(texture), "freeing a texture");
    cuda_must(cudaFreeArray(array), "freeing an array");
    cuda_must(cudaFree(out), "freeing");
}

void measure_texture(void)
{
    measure<unsigned char, unsigned char>("u8_point", cudaFilterModePoint, cudaReadModeElementType);
    measure<unsigned char, float>("u8_linear", cudaFilterModeLinear, cudaReadModeNormalizedFloat);
    measure<float, float>("f32_point", cudaFilterModePoint, cudaReadModeElementType);
    measure<float, float>("f32_linear", cudaFilterModeLinear, cudaReadModeElementType);
    measure<uchar4, float4>("u8x4_linear", cudaFilterModeLinear, cudaReadModeNormalizedFloat);
    measure<float4, float4>("f32x4_linear", cudaFilterModeLinear, cudaReadModeElementType);
}
