// The one way in which a lane changes a word atomically: atomic functions and inline PTX.
#ifndef EMU_UPDATE_H
#define EMU_UPDATE_H

#include "exec.h"
#include "order/order.h"

namespace emu {

// Atomically replaces *address by change(*address), and returns the previous value. The lane stops
// as at any access and is served with its warp. When it resumes, it performs its operation with the
// host's atomics, because blocks on other cores may update the same word.
template <class T, class F>
static T update(Worker &w, T *address, uintptr_t pc, Atomic how, Scope scope, F change)
{
    T old, next;

    stop_at_atomic(w, (uintptr_t)address, sizeof(T), pc, how, scope);
    races_begin_atomic(w, (uintptr_t)address);
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    do
        next = change(old);
    while (!__atomic_compare_exchange(address, &old, &next, false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED));
    races_end_atomic(w, (uintptr_t)address, sizeof(T), pc);
    return old;
}

}   // namespace emu

#endif
