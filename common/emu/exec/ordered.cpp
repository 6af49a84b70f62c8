// Loads, stores and atomics with an order and a scope, and fences: what <cuda/atomic> calls
// (emu_atomics.h). An acquire is one of the word that is read, and a release one of what comes
// before the store. seq_cst adds a fence before the operation, as nvcc does.
#include "include/cuda_runtime.h"
#include "host/streams.h"
#include "lanes/guard.h"
#include "bits.h"
#include "update.h"

namespace emu {

static bool acquires(MemoryOrder o)
{
    return o == MemoryOrder::acquire || o == MemoryOrder::acq_rel || o == MemoryOrder::seq_cst;
}
static bool releases(MemoryOrder o)
{
    return o == MemoryOrder::release || o == MemoryOrder::acq_rel || o == MemoryOrder::seq_cst;
}

static emu_u64 read_word(const Word &word)
{
    switch (word.bytes) {
    case 1: return __atomic_load_n((uint8_t *)word.address, __ATOMIC_SEQ_CST);
    case 2: return __atomic_load_n((uint16_t *)word.address, __ATOMIC_SEQ_CST);
    case 4: return __atomic_load_n((uint32_t *)word.address, __ATOMIC_SEQ_CST);
    default: return __atomic_load_n((uint64_t *)word.address, __ATOMIC_SEQ_CST);
    }
}
static void write_word(const Word &word, emu_u64 value)
{
    switch (word.bytes) {
    case 1: return __atomic_store_n((uint8_t *)word.address, (uint8_t)value, __ATOMIC_SEQ_CST);
    case 2: return __atomic_store_n((uint16_t *)word.address, (uint16_t)value, __ATOMIC_SEQ_CST);
    case 4: return __atomic_store_n((uint32_t *)word.address, (uint32_t)value, __ATOMIC_SEQ_CST);
    default: __atomic_store_n((uint64_t *)word.address, value, __ATOMIC_SEQ_CST);
    }
}

// T: unsigned, signed or floating-point. Sums of ints wrap around.
template <class T> static T updated(Update how, T old, T value, T compare)
{
    switch (how) {
    case Update::add:
    case Update::subtract:
        if constexpr (std::is_integral<T>::value)
            return (T)(how == Update::add ? (emu_u64)old + (emu_u64)value
                                          : (emu_u64)old - (emu_u64)value);
        else
            return how == Update::add ? old + value : old - value;
    case Update::min: return value < old ? value : old;
    case Update::max: return old < value ? value : old;
    case Update::exchange: return value;
    case Update::compare_exchange: return bits_of(old) == bits_of(compare) ? value : old;
    default: break;
    }
    emu_u64 a = bits_of(old), b = bits_of(value);
    return as<T>(how == Update::bit_and ? a & b : how == Update::bit_or ? a | b : a ^ b);
}

// Calls f() with a value of the word's type.
template <class F> static emu_u64 with_type(const Word &word, F f)
{
    switch (word.bytes + (unsigned)word.number * 16) {
    case 1: return f(uint8_t());
    case 2: return f(uint16_t());
    case 4: return f(uint32_t());
    case 17: return f(int8_t());
    case 18: return f(int16_t());
    case 20: return f(int32_t());
    case 24: return f(int64_t());
    case 36: return f(float());
    case 40: return f(double());
    default: return f(uint64_t());
    }
}

static Atomic cost_of(const Word &word, Update how)
{
    return how == Update::compare_exchange ? Atomic::swap
         : how == Update::exchange || (word.bytes == 4 && word.number != Number::real)
             ? Atomic::native
             : Atomic::loop;
}

// Null: host code, for which it checks the access.
static Worker *on_device_or_host(const Word &word, bool writes, void *call_site)
{
    if (worker && worker->current)
        return worker;
    guard_result(word.address, word.bytes, writes, call_site);
    host_polls((uintptr_t)word.address);
    return nullptr;
}

extern "C" {

emu_u64 emu_atomic_load(Word word, MemoryOrder order, Scope scope)
{
    void *site = __builtin_return_address(0);
    Worker *w = on_device_or_host(word, false, site);

    if (!w)
        return read_word(word);
    if (order == MemoryOrder::seq_cst)
        fence(*w, scope);
    atomic_access_at((uintptr_t)word.address, word.bytes, false, scope, false, (uintptr_t)site);
    emu_u64 value = read_word(word);
    if (acquires(order))
        acquire(*w, (uintptr_t)word.address, scope);
    return value;
}

void emu_atomic_store(Word word, emu_u64 value, MemoryOrder order, Scope scope)
{
    void *site = __builtin_return_address(0);
    Worker *w = on_device_or_host(word, true, site);

    if (!w)
        return write_word(word, value);
    if (order == MemoryOrder::seq_cst)
        fence(*w, scope);
    Releasing released(*w, releases(order) ? scope : Scope::thread);
    atomic_access_at((uintptr_t)word.address, word.bytes, true, scope, false, (uintptr_t)site);
    write_word(word, value);
}

emu_u64 emu_atomic_update(Word word, Update how, emu_u64 value, emu_u64 compare, MemoryOrder order,
                          Scope scope)
{
    void *site = __builtin_return_address(0);
    Worker *w = on_device_or_host(word, true, site);

    if (w && order == MemoryOrder::seq_cst)
        fence(*w, scope);
    return with_type(word, [&](auto typed) {
        using T = decltype(typed);
        auto change = [&](T old) { return updated(how, old, as<T>(value), as<T>(compare)); };
        T *p = (T *)word.address;

        if (!w) {
            T old, next;
            __atomic_load(p, &old, __ATOMIC_SEQ_CST);
            do
                next = change(old);
            while (!__atomic_compare_exchange(p, &old, &next, false, __ATOMIC_SEQ_CST,
                                              __ATOMIC_SEQ_CST));
            return bits_of(old);
        }
        T old;
        {
            Releasing released(*w, releases(order) ? scope : Scope::thread);
            old = update(*w, p, (uintptr_t)site, cost_of(word, how), scope, change);
        }
        if (acquires(order))
            acquire(*w, (uintptr_t)word.address, scope);
        return bits_of(old);
    });
}

void emu_atomic_fence(MemoryOrder order, Scope scope)
{
    if (worker && worker->current && order != MemoryOrder::relaxed)
        fence(*worker, scope, acquires(order), releases(order));
    else if (!(worker && worker->current))
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
}

}   // namespace emu
