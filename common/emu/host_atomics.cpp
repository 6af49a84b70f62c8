// The calls that g++ emits for std::atomic and __sync functions under -fsanitize=thread. They are
// for host code; kernels use CUDA's atomics (atomics.cpp).
#include <cstdint>

#include "streams.h"

#define OPERATION(bits, name)                                                                      \
    uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *p, uint##bits##_t v, int) \
    {                                                                                              \
        return __atomic_##name(p, v, __ATOMIC_SEQ_CST);                                            \
    }
#define COMPARE_EXCHANGE(bits, strength, is_weak)                                         \
    int __tsan_atomic##bits##_compare_exchange_##strength(                                \
        volatile uint##bits##_t *p, uint##bits##_t *expected, uint##bits##_t v, int, int) \
    {                                                                                     \
        return __atomic_compare_exchange_n(p, expected, v, is_weak, __ATOMIC_SEQ_CST,     \
                                           __ATOMIC_SEQ_CST);                             \
    }
#define ATOMICS(bits)                                                                           \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *p, int)            \
    {                                                                                           \
        emu::host_polls((uintptr_t)p);                                                          \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                            \
    }                                                                                           \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *p, uint##bits##_t v, int)         \
    {                                                                                           \
        emu::host_polls((uintptr_t)p);                                                          \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                               \
    }                                                                                           \
    uint##bits##_t __tsan_atomic##bits##_exchange(volatile uint##bits##_t *p, uint##bits##_t v, \
                                                  int)                                          \
    {                                                                                           \
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
