// CUDA C++ as g++ sees it on the CPU device: the words that nvcc has built in. The source pass (source_pass.awk) has already rewritten
// launches and declarations of __shared__, __device__ and __constant__ variables.
#ifndef EMU_CUDA_RUNTIME_H
#define EMU_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

#ifdef __cplusplus

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tuple>

#define __host__
#define __device__ __attribute__((always_inline))   // so that addresses of code follow the kernel's text: the warp scheduler goes by them
#define __global__ __attribute__((noinline))
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))

// ---- what the source pass writes ----

#define EMU_DEVICE_VARIABLE __attribute__((section("emu_device")))
#define EMU_CONSTANT_VARIABLE __attribute__((section("emu_constant")))

// One __shared__ variable of the source; its address tells it from others of the same name.
struct emu_variable {
    const char *name;
};

extern "C" {
// This block's copy of a __shared__ variable; the same for every thread of the block.
void *emu_shared(const struct emu_variable *, size_t bytes, size_t align) __attribute__((const));
void *emu_dynamic_shared(const char *name) __attribute__((const));
void emu_run(const char *name, const void *kernel, dim3 grid, dim3 block, size_t shared, void (*thread)(const void *), const void *args,
             size_t arg_bytes);
}

template <class... P> struct emu_call {
    const char *name;
    void (*kernel)(P...);
    dim3 grid, block;
    size_t shared;

    struct pack {
        void (*kernel)(P...);
        std::tuple<P...> args;
    };
    static void thread(const void *packed)
    {
        const pack *p = (const pack *)packed;
        std::apply(p->kernel, p->args);
    }
    void operator()(P... args) const
    {
        pack p = { kernel, { args... } };
        emu_run(name, (const void *)kernel, grid, block, shared, thread, &p, sizeof p);
    }
};

template <class... P>
emu_call<P...> emu_launch(const char *name, void (*kernel)(P...), dim3 grid, dim3 block, size_t shared = 0, cudaStream_t = 0)
{
    return { name, kernel, grid, block, shared };
}

// ---- where a thread is ----

extern "C" {
uint3 emu_thread_index(void) __attribute__((const));
uint3 emu_block_index(void) __attribute__((const));
uint3 emu_block_dim(void) __attribute__((const));
uint3 emu_grid_dim(void) __attribute__((const));
}
#define threadIdx (emu_thread_index())
#define blockIdx (emu_block_index())
#define blockDim (emu_block_dim())
#define gridDim (emu_grid_dim())
constexpr int warpSize = 32;

// ---- barriers and exchanges within a warp ----

extern "C" {
void __syncthreads(void);
int __syncthreads_count(int predicate);
int __syncthreads_and(int predicate);
int __syncthreads_or(int predicate);
void emu_syncwarp(unsigned mask);
enum emu_shuffle { EMU_SHFL, EMU_SHFL_UP, EMU_SHFL_DOWN, EMU_SHFL_XOR };
uint64_t emu_shfl(enum emu_shuffle how, unsigned mask, uint64_t value, int lane, int width);
unsigned emu_ballot(unsigned mask, int predicate);
unsigned __activemask(void);
}
#define __syncwarp(...) emu_syncwarp(emu_mask(__VA_ARGS__))
constexpr unsigned emu_mask(unsigned mask = 0xffffffffu) { return mask; }

template <class T> __device__ inline T emu_shuffle_of(emu_shuffle how, unsigned mask, T value, int lane, int width)
{
    static_assert(sizeof(T) <= 8, "a shuffle moves 4 or 8 bytes");
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    bits = emu_shfl(how, mask, bits, lane, width);
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}
template <class T> __device__ inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32)
{
    return emu_shuffle_of(EMU_SHFL, mask, value, lane, width);
}
template <class T> __device__ inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    return emu_shuffle_of(EMU_SHFL_UP, mask, value, (int)delta, width);
}
template <class T> __device__ inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    return emu_shuffle_of(EMU_SHFL_DOWN, mask, value, (int)delta, width);
}
template <class T> __device__ inline T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32)
{
    return emu_shuffle_of(EMU_SHFL_XOR, mask, value, lanes, width);
}
__device__ inline unsigned __ballot_sync(unsigned mask, int predicate) { return emu_ballot(mask, predicate); }
__device__ inline int __any_sync(unsigned mask, int predicate) { return emu_ballot(mask, predicate) != 0; }
__device__ inline int __all_sync(unsigned mask, int predicate) { return emu_ballot(mask, !predicate) == 0; }

// ---- loads and stores with caching hints: the request is the same ----

template <class T> __device__ inline T __ldg(const T *p) { return *p; }
template <class T> __device__ inline T __ldca(const T *p) { return *p; }
template <class T> __device__ inline T __ldcg(const T *p) { return *p; }
template <class T> __device__ inline T __ldcs(const T *p) { return *p; }
template <class T> __device__ inline T __ldlu(const T *p) { return *p; }
template <class T> __device__ inline T __ldcv(const T *p) { return *p; }
template <class T> __device__ inline void __stwb(T *p, T value) { *p = value; }
template <class T> __device__ inline void __stcg(T *p, T value) { *p = value; }
template <class T> __device__ inline void __stcs(T *p, T value) { *p = value; }
template <class T> __device__ inline void __stwt(T *p, T value) { *p = value; }

// ---- integer and math functions ----

__device__ inline int min(int a, int b) { return a < b ? a : b; }
__device__ inline int max(int a, int b) { return a > b ? a : b; }
__device__ inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
__device__ inline unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
__device__ inline long long min(long long a, long long b) { return a < b ? a : b; }
__device__ inline long long max(long long a, long long b) { return a > b ? a : b; }
__device__ inline float min(float a, float b) { return fminf(a, b); }
__device__ inline float max(float a, float b) { return fmaxf(a, b); }
__device__ inline int __popc(unsigned v) { return __builtin_popcount(v); }
__device__ inline int __ffs(int v) { return __builtin_ffs(v); }
__device__ inline int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }

// ---- host calls that are templates in CUDA ----

extern "C" {
cudaError_t emu_symbol_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, const void *symbol, size_t symbol_bytes);
}
template <class T> cudaError_t cudaMalloc(T **pointer, size_t bytes) { return cudaMalloc((void **)pointer, bytes); }
template <class T> cudaError_t cudaMallocHost(T **pointer, size_t bytes) { return cudaMallocHost((void **)pointer, bytes); }
template <class T> cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return emu_symbol_copy((char *)&symbol + offset, from, bytes, kind, &symbol, sizeof symbol);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, T &symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return emu_symbol_copy(to, (const char *)&symbol + offset, bytes, kind, &symbol, sizeof symbol);
}

#endif

#endif
