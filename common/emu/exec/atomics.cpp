// Atomic functions (update.h).
#include <algorithm>
#include <type_traits>
#include <utility>

#include "include/cuda_bf16.h"
#include "include/cuda_fp16.h"
#include "update.h"

namespace emu {

// update(), called by a kernel.
template <class T, class F> static T atomic(T *address, void *call_site, F change, Atomic how)
{
    return update(on_device(call_site), address, (uintptr_t)call_site, how, change);
}

// A GPU has instructions for arithmetic on integers of 32 bits in shared memory.
template <class T> constexpr Atomic arithmetic()
{
    return std::is_integral<T>::value && sizeof(T) == 4 ? Atomic::native : Atomic::loop;
}

// How the running lane's next exchange is done.
static Atomic exchange_of()
{
    bool drops = worker && worker->current && std::exchange(worker->current->drops_result, false);
    return drops ? Atomic::overwrite : Atomic::native;
}

}   // namespace emu

// The operations as defined in the programming guide, section "Atomic Functions". Sums of ints wrap
// around.
#define ATOMIC(name, T, result)                                                             \
    T name(T *address, T value)                                                             \
    {                                                                                       \
        return emu::atomic(                                                                 \
            address, __builtin_return_address(0), [value](T old) -> T { return (result); }, \
            emu::arithmetic<T>());                                                          \
    }

ATOMIC(atomicAddAny, int, (int)((unsigned)old + (unsigned)value))
ATOMIC(atomicAddAny, unsigned, old + value)
ATOMIC(atomicAdd, emu_u64, old + value)
ATOMIC(atomicAdd, float, old + value)
ATOMIC(atomicAdd, double, old + value)
ATOMIC(atomicAdd, __half, old + value)
ATOMIC(atomicAdd, __half2, old + value)
ATOMIC(atomicAdd, __nv_bfloat16, old + value)
ATOMIC(atomicAdd, __nv_bfloat162, old + value)
ATOMIC(atomicSub, int, (int)((unsigned)old - (unsigned)value))
ATOMIC(atomicSub, unsigned, old - value)
ATOMIC(atomicMin, int, std::min(old, value))
ATOMIC(atomicMin, unsigned, std::min(old, value))
ATOMIC(atomicMin, long long, std::min(old, value))
ATOMIC(atomicMin, emu_u64, std::min(old, value))
ATOMIC(atomicMax, int, std::max(old, value))
ATOMIC(atomicMax, unsigned, std::max(old, value))
ATOMIC(atomicMax, long long, std::max(old, value))
ATOMIC(atomicMax, emu_u64, std::max(old, value))
ATOMIC(atomicInc, unsigned, old >= value ? 0 : old + 1)
ATOMIC(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)
ATOMIC(atomicAnd, int, old &value)
ATOMIC(atomicAnd, unsigned, old &value)
ATOMIC(atomicAnd, emu_u64, old &value)
ATOMIC(atomicOr, int, old | value)
ATOMIC(atomicOr, unsigned, old | value)
ATOMIC(atomicOr, emu_u64, old | value)
ATOMIC(atomicXor, int, old ^ value)
ATOMIC(atomicXor, unsigned, old ^ value)
ATOMIC(atomicXor, emu_u64, old ^ value)

#define ADD_ONE(T)                                                                  \
    T atomicAddOne(T *address)                                                      \
    {                                                                               \
        return emu::atomic(                                                         \
            address, __builtin_return_address(0),                                   \
            [](T old) -> T { return (T)((unsigned)old + 1); }, emu::Atomic::count); \
    }

ADD_ONE(int)
ADD_ONE(unsigned)

#define EXCHANGE(T)                                                                  \
    T atomicExch(T *address, T value)                                                \
    {                                                                                \
        return emu::atomic(                                                          \
            address, __builtin_return_address(0), [value](T) -> T { return value; }, \
            emu::exchange_of());                                                     \
    }

EXCHANGE(int)
EXCHANGE(unsigned)
EXCHANGE(emu_u64)
EXCHANGE(float)

#define COMPARE_AND_SWAP(T)                                                        \
    T atomicCAS(T *address, T compare, T value)                                    \
    {                                                                              \
        return emu::atomic(                                                        \
            address, __builtin_return_address(0),                                  \
            [compare, value](T old) -> T { return old == compare ? value : old; }, \
            emu::Atomic::swap);                                                    \
    }

COMPARE_AND_SWAP(int)
COMPARE_AND_SWAP(unsigned)
COMPARE_AND_SWAP(emu_u64)
COMPARE_AND_SWAP(unsigned short)

extern "C" {

void emu_drops_result(void)
{
    if (emu::worker && emu::worker->current)
        emu::worker->current->drops_result = true;
}

void __threadfence_block(void)
{
    emu::fence(emu::on_device(__builtin_return_address(0)), emu::BLOCK_SCOPE);
}
void __threadfence(void)
{
    emu::fence(emu::on_device(__builtin_return_address(0)), emu::DEVICE_SCOPE);
}
void __threadfence_system(void)
{
    emu::fence(emu::on_device(__builtin_return_address(0)), emu::DEVICE_SCOPE);
}
}
