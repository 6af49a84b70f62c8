// Atomic functions (update.h).
#include <algorithm>
#include <type_traits>
#include <utility>

#include "include/cuda_bf16.h"
#include "include/cuda_fp16.h"
#include "update.h"

namespace emu {

// update(), called by a kernel.
template <class T, class F>
static T atomic(T *address, void *call_site, F change, Atomic how, Scope scope)
{
    return update(on_device(call_site), address, (uintptr_t)call_site, how, scope, change);
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

// Defines a function, and its variants of block and of system scope.
#define SCOPES(DEFINE, ...)                        \
    DEFINE(, emu::Scope::device, __VA_ARGS__)      \
    DEFINE(_block, emu::Scope::block, __VA_ARGS__) \
    DEFINE(_system, emu::Scope::system, __VA_ARGS__)

// The operations as defined in the programming guide, section "Atomic Functions". Sums of ints wrap
// around.
#define ONE_ATOMIC(suffix, scope, name, T, result)                                          \
    T name##suffix(T *address, T value)                                                     \
    {                                                                                       \
        return emu::atomic(                                                                 \
            address, __builtin_return_address(0), [value](T old) -> T { return (result); }, \
            emu::arithmetic<T>(), scope);                                                   \
    }
#define ATOMIC(name, T, result) SCOPES(ONE_ATOMIC, name, T, result)

ATOMIC(atomicAddAny, int, (int)((unsigned)old + (unsigned)value))
ATOMIC(atomicAddAny, unsigned, old + value)
ATOMIC(atomicAdd, emu_u64, old + value)
ATOMIC(atomicAdd, float, old + value)
ATOMIC(atomicAdd, double, old + value)
ONE_ATOMIC(, emu::Scope::device, atomicAdd, __half, old + value)
ONE_ATOMIC(, emu::Scope::device, atomicAdd, __half2, old + value)
ONE_ATOMIC(, emu::Scope::device, atomicAdd, __nv_bfloat16, old + value)
ONE_ATOMIC(, emu::Scope::device, atomicAdd, __nv_bfloat162, old + value)
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

#define ADD_ONE(suffix, scope, T)                                                          \
    T atomicAddOne##suffix(T *address)                                                     \
    {                                                                                      \
        return emu::atomic(                                                                \
            address, __builtin_return_address(0),                                          \
            [](T old) -> T { return (T)((unsigned)old + 1); }, emu::Atomic::count, scope); \
    }

SCOPES(ADD_ONE, int)
SCOPES(ADD_ONE, unsigned)

#define EXCHANGE(suffix, scope, T)                                                   \
    T atomicExch##suffix(T *address, T value)                                        \
    {                                                                                \
        return emu::atomic(                                                          \
            address, __builtin_return_address(0), [value](T) -> T { return value; }, \
            emu::exchange_of(), scope);                                              \
    }

SCOPES(EXCHANGE, int)
SCOPES(EXCHANGE, unsigned)
SCOPES(EXCHANGE, emu_u64)
SCOPES(EXCHANGE, float)

#define COMPARE_AND_SWAP(suffix, scope, T)                                         \
    T atomicCAS##suffix(T *address, T compare, T value)                            \
    {                                                                              \
        return emu::atomic(                                                        \
            address, __builtin_return_address(0),                                  \
            [compare, value](T old) -> T { return old == compare ? value : old; }, \
            emu::Atomic::swap, scope);                                             \
    }

SCOPES(COMPARE_AND_SWAP, int)
SCOPES(COMPARE_AND_SWAP, unsigned)
SCOPES(COMPARE_AND_SWAP, emu_u64)
SCOPES(COMPARE_AND_SWAP, unsigned short)

extern "C" {

void emu_drops_result(void)
{
    if (emu::worker && emu::worker->current)
        emu::worker->current->drops_result = true;
}

void __threadfence_block(void)
{
    emu::fence(emu::on_device(__builtin_return_address(0)), emu::Scope::block);
}
void __threadfence(void)
{
    emu::fence(emu::on_device(__builtin_return_address(0)), emu::Scope::device);
}
void __threadfence_system(void)
{
    emu::fence(emu::on_device(__builtin_return_address(0)), emu::Scope::system);
}
}
