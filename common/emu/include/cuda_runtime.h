// CUDA C++ for g++: what nvcc has built in. The source pass (pass/) rewrites launches and the
// declarations of __shared__, __device__ and __constant__ variables.
#ifndef EMU_CUDA_RUNTIME_H
#define EMU_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

#define __CUDA_RUNTIME_H__
#ifdef __cplusplus

#define EMU_INCLUDES_CMATH   // see the header cmath
#include <math.h>

#include <cmath>
#undef EMU_INCLUDES_CMATH
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "emu_argument.h"

// In a program that is graded, this is a macro, so that the program's own copies are counted
// (guard.cpp).
#pragma push_macro("__builtin_memcpy")
#undef __builtin_memcpy

// No registers are allocated.
#define __maxnreg__(registers)

// The source pass rewrites these words and the index names. Files that it does not process get
// macros.
#ifndef EMU_SOURCE_PASS
#define __host__
#define __device__ __attribute__((always_inline))
#define __global__ __attribute__((noinline))
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define threadIdx (emu_thread_index())
#define blockIdx (emu_block_index())
#define blockDim (emu_block_dim())
#define gridDim (emu_grid_dim())
#endif

// ---- what the source pass writes ----

// One __shared__ variable of the source. Its address distinguishes it from others of the same name.
struct emu_variable {
    const char *name;
};

// A subscript in the source. Its key is the position of its closing bracket in the output of the
// source pass.
struct emu_subscript {
    const char *file;
    unsigned line, column;
    const char *array;   // name of the array
    bool is_row;         // array[...][index]
    bool is_flat;        // array[...][0][index]: the index may run through all rows
};

extern "C" {
// Returns this block's copy of a __shared__ variable. The result is the same for all threads of the
// block.
void *emu_shared(const struct emu_variable *, size_t bytes, size_t align) __attribute__((const));
void *emu_dynamic_shared(const char *name) __attribute__((const));
// `args` begins with the arguments, of these types, each at the next multiple of its alignment.
// returns_error: the program gets the result. Otherwise a refused launch for whose error it does
// not ask is named when it ends.
cudaError_t emu_run(const char *name, const void *kernel, dim3 grid, dim3 block, size_t shared,
                    void (*thread)(const void *), const void *args, size_t arg_bytes,
                    const emu_argument *types, bool cooperative = false, cudaStream_t stream = 0,
                    bool returns_error = false, const uint3 *cluster = nullptr);
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
void emu_per_thread_default_stream(void) __attribute__((constructor));
#endif
// What the source pass writes before and after a call of the runtime API whose result is not used:
// if the call is refused, a note names it. And before an atomicExch whose result is not used: it
// reads nothing.
void emu_begin_call(void);
void emu_drop_result(const char *function);
void emu_drops_result(void);
// The address of the host's copy of a __device__ or __constant__ variable, which exists only as an
// address. For any other variable, and in a kernel, the address itself.
void *emu_host_address(const volatile void *variable) __attribute__((const));
// Does a kernel call this? The source pass writes it for code of two views (pass/views.cpp).
int emu_in_kernel(void);
// Called at the start of a kernel with __launch_bounds__: refuses a launch with larger blocks.
void emu_launch_bounds(unsigned threads);
// The same with __cluster_dims__: starts a launch with clusters of this size.
void emu_cluster_dims(unsigned x, unsigned y = 1, unsigned z = 1);
}

template <class T> __attribute__((always_inline)) constexpr T &emu_host_copy(T &variable)
{
    return __builtin_is_constant_evaluated()
             ? variable
             : *(T *)emu_host_address(__builtin_addressof(variable));
}
// A function of the same name, in another namespace.
template <class R, class... P> constexpr R (&emu_host_copy(R (&function)(P...)))(P...)
{
    return function;
}

// Is a parameter of this type passed by address, because of its copy constructor or destructor? A
// program could specialize the templates of the standard library.
template <class P>
constexpr bool emu_by_address =
    !(__is_trivially_constructible(P, const P &) && __has_trivial_destructor(P));

// How a launch keeps an argument. As on a GPU, an object is copied once on the host, and its bytes
// are passed to the threads without calls of its copy constructor and destructor.
template <class P> struct emu_bytes {
    alignas(P) char bytes[sizeof(P)];
    explicit emu_bytes(const P &p) { memcpy(bytes, &p, sizeof p); }
    operator P &() { return *(P *)bytes; }
};
template <class P> using emu_kept = std::conditional_t<emu_by_address<P>, emu_bytes<P>, P>;
template <class P> using emu_passed = std::conditional_t<emu_by_address<P>, P &, P>;

// What a __shared__ variable, a reference of the type that the source declares, refers to. `align`
// is 0 without __align__. Not a template of the variable: g++ 11 does not find one that is static
// in a template.
struct emu_shared_of_constant_size {
    const emu_variable *variable;
    size_t align;
    template <class T> __attribute__((always_inline)) operator T &() const
    {
        return *(T *)emu_shared(variable, sizeof(T), align ? align : alignof(T));
    }
};

struct emu_dynamic_shared_memory {
    const emu_variable *variable;
    template <class T> __attribute__((always_inline)) operator T &() const
    {
        return *(T *)emu_dynamic_shared(variable->name);
    }
};

template <size_t, class T> struct emu_arg {
    T value;
};
template <class, class... P> struct emu_args;
template <size_t... I, class... P>
struct emu_args<std::index_sequence<I...>, P...> : emu_arg<I, P>... {
    emu_args(const P &...p) : emu_arg<I, P>{ p }... {}
};
#if __has_attribute(no_sanitize_coverage)   // since g++ 12
#define EMU_NO_BLOCKS __attribute__((no_sanitize_coverage))
#else
#define EMU_NO_BLOCKS
#endif
// The processor mispredicts returns where lanes have switched, so a thread jumps to its kernel.
#define EMU_JUMPS __attribute__((no_sanitize("thread"), optimize("optimize-sibling-calls")))
// A kernel and its arguments. Threads read these without the calls that count accesses.
template <class, class F, class... P> struct emu_pack_of_args;
template <size_t... I, class F, class... P>
struct emu_pack_of_args<std::index_sequence<I...>, F, P...> {
    emu_args<std::index_sequence<I...>, P...> args;   // first: as in the kernel's parameter space
    F kernel;

    EMU_JUMPS EMU_NO_BLOCKS static void thread(const void *packed)
    {
        const emu_pack_of_args *p = (const emu_pack_of_args *)packed;
        p->kernel(static_cast<const emu_arg<I, P> &>(p->args).value...);
    }
};
// The same for objects with copy constructors, whose accesses count.
template <class, class F, class... P> struct emu_pack_of_copies;
template <size_t... I, class F, class... P>
struct emu_pack_of_copies<std::index_sequence<I...>, F, P...> {
    emu_args<std::index_sequence<I...>, P...> args;
    F kernel;

    static void thread(const void *packed)
    {
        const emu_pack_of_copies *p = (const emu_pack_of_copies *)packed;
        p->kernel(static_cast<const emu_arg<I, P> &>(p->args).value...);
    }
};
template <class F, class... P>
using emu_pack = emu_pack_of_args<std::index_sequence_for<P...>, F, P...>;
// An argument that is passed by address: each thread has a copy of its own. To the callee, such a
// parameter is a reference.
template <class, class... P> struct emu_pack_of_objects;
template <size_t... I, class... P> struct emu_pack_of_objects<std::index_sequence<I...>, P...> {
    emu_args<std::index_sequence<I...>, emu_kept<P>...> args;
    void (*kernel)(P...);

    static void thread(const void *packed)
    {
        const emu_pack_of_objects *p = (const emu_pack_of_objects *)packed;
        auto own = p->args;
        ((void (*)(emu_passed<P>...))(void *)p->kernel)(
            static_cast<emu_arg<I, emu_kept<P>> &>(own).value...);
    }
};
template <class... P>
using emu_pack_for = std::conditional_t<(emu_by_address<P> || ...),
                                        emu_pack_of_objects<std::index_sequence_for<P...>, P...>,
                                        emu_pack<void (*)(P...), P...>>;

template <class... P> struct emu_call {
    const char *name;
    void (*kernel)(P...);
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;

    __attribute__((always_inline)) void operator()(P... args) const { run(args...); }
    __attribute__((always_inline)) void run(const P &...args) const
    {
        emu_pack_for<P...> p = { { emu_kept<P>(args)... }, kernel };
        emu_run(name, (const void *)kernel, grid, block, shared, p.thread, &p, sizeof p,
                emu_argument_types<P...>(), false, stream);
    }
};

template <class... P>
emu_call<P...> emu_launch(const char *name, void (*kernel)(P...), dim3 grid, dim3 block = 1,
                          size_t shared = 0, cudaStream_t stream = 0)
{
    return { name, kernel, grid, block, shared, stream };
}

// A kernel that only the arguments of the launch select. `find` returns the one with exactly their
// types, if there is one.
template <class Call, class Find> struct emu_selected {
    Call call;
    Find find;
};
template <class Call, class Find> emu_selected<Call, Find> emu_select(Call call, Find find)
{
    return { call, find };
}
template <class T> struct emu_type {
    using type = T;
};
template <class F, class... A>
auto emu_accepts(int) -> decltype((void)std::declval<F>()(std::declval<A>()...), std::true_type());
template <class, class...> std::false_type emu_accepts(...);

template <class Call, class Find> struct emu_selected_call {
    const char *name;
    emu_selected<Call, Find> kernel;
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;

    template <class... A> __attribute__((always_inline)) void operator()(A... args) const
    {
        if constexpr ((emu_by_address<A> || ...) &&
                      decltype(emu_accepts<Find, emu_type<A>...>(0))::value) {
            emu_call<A...>{ name, kernel.find(emu_type<A>()...), grid, block, shared, stream }.run(
                args...);
        } else {
            std::conditional_t<(emu_by_address<A> || ...),
                               emu_pack_of_copies<std::index_sequence_for<A...>, Call, A...>,
                               emu_pack<Call, A...>>
                p = { { args... }, kernel.call };
            emu_run(name, nullptr, grid, block, shared, p.thread, &p, sizeof p,
                    emu_argument_types<A...>(), false, stream);
        }
    }
};

template <class Call, class Find>
emu_selected_call<Call, Find> emu_launch(const char *name, emu_selected<Call, Find> kernel,
                                         dim3 grid, dim3 block = 1, size_t shared = 0,
                                         cudaStream_t stream = 0)
{
    return { name, kernel, grid, block, shared, stream };
}

// ---- indices of threads ----

extern "C" {
uint3 emu_thread_index(void) __attribute__((const));
uint3 emu_block_index(void) __attribute__((const));
uint3 emu_block_dim(void) __attribute__((const));
uint3 emu_grid_dim(void) __attribute__((const));
#define EMU_COMPONENTS(name)                        \
    unsigned name##_x(void) __attribute__((const)); \
    unsigned name##_y(void) __attribute__((const)); \
    unsigned name##_z(void) __attribute__((const));
EMU_COMPONENTS(emu_thread_index)
EMU_COMPONENTS(emu_block_index)
EMU_COMPONENTS(emu_block_dim)
EMU_COMPONENTS(emu_grid_dim)
#undef EMU_COMPONENTS
}
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
enum emu_reduction {
    EMU_REDUCE_ADD,
    EMU_REDUCE_MIN,
    EMU_REDUCE_MAX,
    EMU_REDUCE_MIN_SIGNED,
    EMU_REDUCE_MAX_SIGNED,
    EMU_REDUCE_AND,
    EMU_REDUCE_OR,
    EMU_REDUCE_XOR
};
unsigned emu_reduce(enum emu_reduction operation, unsigned mask, unsigned value);
unsigned __activemask(void);
int emu_is_cooperative(void);
void emu_grid_barrier(void);
// Clusters: the address of a shared variable in another block, the rank of the block that has an
// address; the cluster's place in the grid and its size; the block's rank.
void *emu_cluster_map(const void *p, unsigned rank);
unsigned emu_cluster_rank_of(const void *p);
uint3 emu_cluster_index(void);
uint3 emu_cluster_dim(void);
unsigned emu_cluster_rank(void);
int emu_has_clusters(void);
void emu_cluster_arrive(int is_release);
void emu_cluster_wait(void);
// Not times: they return the logical clock of the worker, which counts what it has served.
long long clock64(void);
long emu_clock(void);   // clock()
// memcpy() and others, with counted accesses in a kernel. The source pass writes these names.
void *emu_memcpy(void *to, const void *from, size_t n);
void *emu_memmove(void *to, const void *from, size_t n);
void *emu_memset(void *to, int value, size_t n);
// malloc() and free(), in device memory if a kernel calls them. The source pass writes these names
// in device code.
void *emu_malloc(size_t n);
void emu_free(void *p);
// libc.a, for programs that are linked statically, has another function of this name.
void __nanosleep(unsigned nanoseconds) __asm__("emu_nanosleep");
void __trap(void);
}
namespace std {
using ::emu_free;
using ::emu_malloc;
using ::emu_memcpy;
using ::emu_memmove;
using ::emu_memset;
}   // namespace std
// The source pass writes in device code: `new (emu_device_heap()) T` for new T, `emu_delete() %= p`
// for delete p, and `emu_delete_array() %= p` for delete[] p.
struct emu_device_heap {};
struct emu_delete {};
struct emu_delete_array {};
inline __attribute__((always_inline)) void *operator new(size_t n, emu_device_heap)
{
    return emu_malloc(n);
}
inline __attribute__((always_inline)) void *operator new[](size_t n, emu_device_heap)
{
    return emu_malloc(n);
}
template <class T> inline __attribute__((always_inline)) void operator%=(emu_delete, T *p)
{
    void *whole = (void *)p;

    if (!p)
        return;
    if constexpr (std::is_polymorphic<T>::value)
        whole = dynamic_cast<void *>(p);
    p->~T();
    emu_free(whole);
}
// Before elements with destructors, g++ stores their number.
template <class T> inline __attribute__((always_inline)) void operator%=(emu_delete_array, T *p)
{
    if constexpr (std::is_trivially_destructible<T>::value) {
        emu_free((void *)p);
    } else if (p) {
        for (size_t n = ((size_t *)p)[-1]; n > 0; n--)
            p[n - 1].~T();
        emu_free((char *)p - (alignof(T) > sizeof(size_t) ? alignof(T) : sizeof(size_t)));
    }
}
#define __builtin_assume(condition) ((void)0)
#define __syncwarp(...) emu_syncwarp(emu_mask(__VA_ARGS__))
constexpr unsigned emu_mask(unsigned mask = 0xffffffffu) { return mask; }

template <class T>
__device__ inline T emu_shuffle_of(emu_shuffle how, unsigned mask, T value, int lane, int width)
{
    static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
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
template <class T>
__device__ inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    return emu_shuffle_of(EMU_SHFL_UP, mask, value, (int)delta, width);
}
template <class T>
__device__ inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    return emu_shuffle_of(EMU_SHFL_DOWN, mask, value, (int)delta, width);
}
template <class T>
__device__ inline T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32)
{
    return emu_shuffle_of(EMU_SHFL_XOR, mask, value, lanes, width);
}
__device__ inline unsigned __ballot_sync(unsigned mask, int predicate)
{
    return emu_ballot(mask, predicate);
}
__device__ inline int __any_sync(unsigned mask, int predicate)
{
    return emu_ballot(mask, predicate) != 0;
}
__device__ inline int __all_sync(unsigned mask, int predicate)
{
    return emu_ballot(mask, !predicate) == 0;
}
// The lanes of `mask` with the same value. __match_all_sync returns `mask` if all lanes have the
// same value, else 0.
template <class T> __device__ inline unsigned __match_any_sync(unsigned mask, T value)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8,
                  "__match_*_sync compares values of 4 or 8 bytes");
    uint64_t bits = 0;
    unsigned same = mask;

    __builtin_memcpy(&bits, &value, sizeof value);
    for (unsigned i = 0; i < 8 * sizeof value; i++) {
        unsigned ones = emu_ballot(mask, (int)(bits >> i & 1));
        same &= bits >> i & 1 ? ones : ~ones;
    }
    return same;
}
template <class T>
__device__ inline unsigned __match_all_sync(unsigned mask, T value, int *predicate)
{
    *predicate = __all_sync(mask, __match_any_sync(mask, value) == mask);
    return *predicate ? mask : 0;
}

__device__ inline unsigned __reduce_add_sync(unsigned mask, unsigned value)
{
    return emu_reduce(EMU_REDUCE_ADD, mask, value);
}
__device__ inline unsigned __reduce_min_sync(unsigned mask, unsigned value)
{
    return emu_reduce(EMU_REDUCE_MIN, mask, value);
}
__device__ inline unsigned __reduce_max_sync(unsigned mask, unsigned value)
{
    return emu_reduce(EMU_REDUCE_MAX, mask, value);
}
__device__ inline int __reduce_add_sync(unsigned mask, int value)
{
    return (int)emu_reduce(EMU_REDUCE_ADD, mask, (unsigned)value);
}
__device__ inline int __reduce_min_sync(unsigned mask, int value)
{
    return (int)emu_reduce(EMU_REDUCE_MIN_SIGNED, mask, (unsigned)value);
}
__device__ inline int __reduce_max_sync(unsigned mask, int value)
{
    return (int)emu_reduce(EMU_REDUCE_MAX_SIGNED, mask, (unsigned)value);
}
__device__ inline unsigned __reduce_and_sync(unsigned mask, unsigned value)
{
    return emu_reduce(EMU_REDUCE_AND, mask, value);
}
__device__ inline unsigned __reduce_or_sync(unsigned mask, unsigned value)
{
    return emu_reduce(EMU_REDUCE_OR, mask, value);
}
__device__ inline unsigned __reduce_xor_sync(unsigned mask, unsigned value)
{
    return emu_reduce(EMU_REDUCE_XOR, mask, value);
}

// ---- programmatic dependent launches: a kernel starts when the one before has ended ----

extern "C" void emu_grid_wait(void);
__device__ inline void cudaGridDependencySynchronize() { emu_grid_wait(); }
__device__ inline void cudaTriggerProgrammaticLaunchCompletion() {}

// ---- loads and stores with caching hints: the request is the same ----

template <class T> __device__ inline T __ldg(const T *p) { return *p; }
template <class T> __device__ inline T __ldca(const T *p) { return *p; }
template <class T> __device__ inline T __ldcg(const T *p) { return *p; }
template <class T> __device__ inline T __ldcs(const T *p) { return *p; }
template <class T> __device__ inline T __ldlu(const T *p) { return *p; }
template <class T> __device__ inline T __ldcv(const T *p) { return *p; }
template <class T> using emu_value = std::enable_if_t<true, T>;   // converts to T
template <class T> __device__ inline void __stwb(T *p, emu_value<T> value) { *p = value; }
template <class T> __device__ inline void __stcg(T *p, emu_value<T> value) { *p = value; }
template <class T> __device__ inline void __stcs(T *p, emu_value<T> value) { *p = value; }
template <class T> __device__ inline void __stwt(T *p, emu_value<T> value) { *p = value; }

// ---- atomics and fences ----

#include "emu_atomics.h"

// ---- inline PTX ----

#include "emu_ptx.h"

// ---- integer and math functions ----

#define EMU_MIN_MAX(type, a_type, b_type)             \
    __device__ inline type min(a_type a, b_type b)    \
    {                                                 \
        return (type)a < (type)b ? (type)a : (type)b; \
    }                                                 \
    __device__ inline type max(a_type a, b_type b) { return (type)a > (type)b ? (type)a : (type)b; }
EMU_MIN_MAX(int, int, int)
EMU_MIN_MAX(unsigned, unsigned, unsigned)
EMU_MIN_MAX(unsigned, int, unsigned)
EMU_MIN_MAX(unsigned, unsigned, int)
EMU_MIN_MAX(long, long, long)
EMU_MIN_MAX(unsigned long, unsigned long, unsigned long)
EMU_MIN_MAX(unsigned long, long, unsigned long)
EMU_MIN_MAX(unsigned long, unsigned long, long)
EMU_MIN_MAX(long long, long long, long long)
EMU_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
#undef EMU_MIN_MAX
__device__ inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
__device__ inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
__device__ inline long long llmin(long long a, long long b) { return min(a, b); }
__device__ inline long long llmax(long long a, long long b) { return max(a, b); }
__device__ inline float min(float a, float b) { return fminf(a, b); }
__device__ inline float max(float a, float b) { return fmaxf(a, b); }
__device__ inline double min(double a, double b) { return fmin(a, b); }
__device__ inline double max(double a, double b) { return fmax(a, b); }

#include "emu_intrinsics.h"

#include "emu_math.h"
#include "emu_rounding.h"
#include "emu_host.h"

#pragma pop_macro("__builtin_memcpy")

#endif

#endif
