// Atomic functions and memory fences, for cuda_runtime.h. Types that CUDA does not support for a
// function do not compile.
#ifndef EMU_ATOMICS_H
#define EMU_ATOMICS_H

#include <type_traits>

#include "emu_scope.h"

typedef unsigned long long emu_u64;

// A function and its variants of block and of system scope.
#define EMU_ATOMIC(name, T)              \
    T name(T *address, T value);         \
    T name##_block(T *address, T value); \
    T name##_system(T *address, T value);
EMU_ATOMIC(atomicAdd, emu_u64)
EMU_ATOMIC(atomicAdd, float)
EMU_ATOMIC(atomicAdd, double)
EMU_ATOMIC(atomicSub, int)
EMU_ATOMIC(atomicSub, unsigned)
EMU_ATOMIC(atomicExch, int)
EMU_ATOMIC(atomicExch, unsigned)
EMU_ATOMIC(atomicExch, emu_u64)
EMU_ATOMIC(atomicExch, float)
EMU_ATOMIC(atomicMin, int)
EMU_ATOMIC(atomicMin, unsigned)
EMU_ATOMIC(atomicMin, long long)
EMU_ATOMIC(atomicMin, emu_u64)
EMU_ATOMIC(atomicMax, int)
EMU_ATOMIC(atomicMax, unsigned)
EMU_ATOMIC(atomicMax, long long)
EMU_ATOMIC(atomicMax, emu_u64)
EMU_ATOMIC(atomicInc, unsigned)
EMU_ATOMIC(atomicDec, unsigned)
EMU_ATOMIC(atomicAnd, int)
EMU_ATOMIC(atomicAnd, unsigned)
EMU_ATOMIC(atomicAnd, emu_u64)
EMU_ATOMIC(atomicOr, int)
EMU_ATOMIC(atomicOr, unsigned)
EMU_ATOMIC(atomicOr, emu_u64)
EMU_ATOMIC(atomicXor, int)
EMU_ATOMIC(atomicXor, unsigned)
EMU_ATOMIC(atomicXor, emu_u64)
#undef EMU_ATOMIC

// nvcc has an instruction that counts the lanes that add 1.
#define EMU_ADD(T, suffix)                                                                       \
    T atomicAddAny##suffix(T *address, T value);                                                 \
    T atomicAddOne##suffix(T *address);                                                          \
    __device__ inline T atomicAdd##suffix(T *address, T value)                                   \
    {                                                                                            \
        return __builtin_constant_p(value) && value == 1 ? atomicAddOne##suffix(address)         \
                                                         : atomicAddAny##suffix(address, value); \
    }
EMU_ADD(int, )
EMU_ADD(int, _block)
EMU_ADD(int, _system)
EMU_ADD(unsigned, )
EMU_ADD(unsigned, _block)
EMU_ADD(unsigned, _system)
#undef EMU_ADD

#define EMU_CAS(T)                                     \
    T atomicCAS(T *address, T compare, T value);       \
    T atomicCAS_block(T *address, T compare, T value); \
    T atomicCAS_system(T *address, T compare, T value);
EMU_CAS(int)
EMU_CAS(unsigned)
EMU_CAS(emu_u64)
EMU_CAS(unsigned short)
#undef EMU_CAS

extern "C" {
void __threadfence_block(void);
void __threadfence(void);
void __threadfence_system(void);
}

// ---- accesses with an order and a scope, for <cuda/atomic> ----
//
// Operations on a word of 1, 2, 4 or 8 bytes that is aligned to its size: of any trivially copyable
// type T, except that arithmetic needs a number (fetch_min and fetch_max compare it as its type
// does; pointers are added to as integers). In a kernel, they are checked and counted as
// ld.relaxed, st.release, atom.acq_rel and so on; seq_cst is fence.sc followed by the operation
// with acquire or release. In host code they are sequentially consistent.
//
//     int n = emu::atomic_load(p, emu::MemoryOrder::acquire, emu::Scope::device);
//     emu::atomic_store(p, n, emu::MemoryOrder::release, emu::Scope::block);
//     int old = emu::atomic_update(emu::Update::add, p, 1, order, scope);
//     bool done = emu::atomic_compare_exchange(p, expected, wanted, order, scope);   // expected:
//     by reference emu::atomic_fence(emu::MemoryOrder::acq_rel, emu::Scope::system);
namespace emu {

enum class Update : unsigned char {
    add,
    subtract,
    min,
    max,
    bit_and,
    bit_or,
    bit_xor,
    exchange,
    compare_exchange
};
enum class Number : unsigned char { natural, integer, real };   // unsigned, signed, floating-point

// A word, and how to compute with it.
struct Word {
    void *address;
    unsigned bytes;
    Number number;
};

}   // namespace emu

extern "C" {
emu_u64 emu_atomic_load(emu::Word, emu::MemoryOrder, emu::Scope);
void emu_atomic_store(emu::Word, emu_u64 value, emu::MemoryOrder, emu::Scope);
emu_u64 emu_atomic_update(emu::Word, emu::Update, emu_u64 value, emu_u64 compare, emu::MemoryOrder,
                          emu::Scope);
void emu_atomic_fence(emu::MemoryOrder, emu::Scope);
}

namespace emu {

#define EMU_INLINE __host__ __device__ inline __attribute__((always_inline))

template <class T> EMU_INLINE Word word_of(const volatile T *p)
{
    static_assert(sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                  "the CPU device has atomics of 1, 2, 4 and 8 bytes");
    return { (void *)p, sizeof(T),
             std::is_floating_point<T>::value ? Number::real
             : std::is_signed<T>::value       ? Number::integer
                                              : Number::natural };
}
template <class T> EMU_INLINE emu_u64 to_bits(const T &value)
{
    emu_u64 bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> EMU_INLINE T of_bits(emu_u64 bits)
{
    alignas(T) unsigned char bytes[sizeof(T)];
    __builtin_memcpy(bytes, &bits, sizeof bytes);
    return *(T *)bytes;
}

template <class T> EMU_INLINE T atomic_load(const volatile T *p, MemoryOrder order, Scope scope)
{
    return of_bits<T>(emu_atomic_load(word_of(p), order, scope));
}
template <class T>
EMU_INLINE void atomic_store(volatile T *p, std::remove_cv_t<T> value, MemoryOrder order,
                             Scope scope)
{
    emu_atomic_store(word_of(p), to_bits(value), order, scope);
}
// Returns the value before.
template <class T>
EMU_INLINE T atomic_update(Update how, volatile T *p, std::remove_cv_t<T> value, MemoryOrder order,
                           Scope scope)
{
    return of_bits<T>(emu_atomic_update(word_of(p), how, to_bits(value), 0, order, scope));
}
// Stores `wanted` if *p has the bytes of `expected`; otherwise sets `expected`. Never fails without
// a reason. The order is that of a success.
template <class T>
EMU_INLINE bool atomic_compare_exchange(volatile T *p, std::remove_cv_t<T> &expected,
                                        std::remove_cv_t<T> wanted, MemoryOrder order, Scope scope)
{
    emu_u64 before = to_bits(expected),
            old = emu_atomic_update(word_of(p), Update::compare_exchange, to_bits(wanted), before,
                                    order, scope);

    if (old != before)
        expected = of_bits<std::remove_cv_t<T>>(old);
    return old == before;
}
EMU_INLINE void atomic_fence(MemoryOrder order, Scope scope) { emu_atomic_fence(order, scope); }

#undef EMU_INLINE

}   // namespace emu

#endif
