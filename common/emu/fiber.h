// Fibers: a CUDA thread is a stack and the place where it stopped.
#ifndef EMU_FIBER_H
#define EMU_FIBER_H

#include <cstddef>

extern "C" {
// Saves where the caller is in *from and goes on at `to`, which an earlier call saved or
// emu_fiber_prepare() made.
void emu_switch(void **from, void *to);
}

namespace emu {

// A place to switch to: calls entry() on this stack. entry() must never return.
void *fiber_prepare(void *stack_top, void (*entry)());

}   // namespace emu

#endif
