// The calls that g++ emits for std::atomic and __sync functions under -fsanitize=thread. They are
// for host code; kernels use CUDA's atomics (atomics.cpp), and nothing would count or check these.
#include <cstdint>

#include "host.h"
#include "streams.h"
#include "lanes/guard.h"

// In a kernel, ends it. `address` is that of the atomic variable.
static void on_host(const volatile void *address, size_t size, bool writes, void *call_site)
{
    if (emu::worker && emu::worker->current)
        emu::fail(*emu::worker,
                  "an atomic operation of the host in a kernel (std::atomic, __atomic or __sync): "
                  "use CUDA's atomic functions, such as atomicAdd",
                  (uintptr_t)call_site);
    emu::guard_result((const void *)address, size, writes, call_site);
}
#define ON_HOST(writes) on_host(p, sizeof *p, writes, __builtin_return_address(0))

#define OPERATION(bits, name)                                                                      \
    uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *p, uint##bits##_t v, int) \
    {                                                                                              \
        ON_HOST(true);                                                                             \
        return __atomic_##name(p, v, __ATOMIC_SEQ_CST);                                            \
    }
#define COMPARE_EXCHANGE(bits, strength, is_weak)                                         \
    int __tsan_atomic##bits##_compare_exchange_##strength(                                \
        volatile uint##bits##_t *p, uint##bits##_t *expected, uint##bits##_t v, int, int) \
    {                                                                                     \
        ON_HOST(true);                                                                    \
        emu::guard_result(expected, sizeof *expected, true, __builtin_return_address(0)); \
        return __atomic_compare_exchange_n(p, expected, v, is_weak, __ATOMIC_SEQ_CST,     \
                                           __ATOMIC_SEQ_CST);                             \
    }
#define ATOMICS(bits)                                                                           \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *p, int)            \
    {                                                                                           \
        ON_HOST(false);                                                                         \
        emu::host_polls((uintptr_t)p);                                                          \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                            \
    }                                                                                           \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *p, uint##bits##_t v, int)         \
    {                                                                                           \
        ON_HOST(true);                                                                          \
        emu::host_polls((uintptr_t)p);                                                          \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                               \
    }                                                                                           \
    uint##bits##_t __tsan_atomic##bits##_exchange(volatile uint##bits##_t *p, uint##bits##_t v, \
                                                  int)                                          \
    {                                                                                           \
        ON_HOST(true);                                                                          \
        return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                     \
    }                                                                                           \
    OPERATION(bits, fetch_add)                                                                  \
    OPERATION(bits, fetch_sub)                                                                  \
    OPERATION(bits, fetch_and)                                                                  \
    OPERATION(bits, fetch_or)                                                                   \
    OPERATION(bits, fetch_xor)                                                                  \
    COMPARE_EXCHANGE(bits, strong, false)                                                       \
    COMPARE_EXCHANGE(bits, weak, true)

extern "C" {
ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
}
