// Fibers: a CUDA thread is a stack and a saved stack pointer.
#ifndef EMU_FIBER_H
#define EMU_FIBER_H

#include <cstddef>

extern "C" {
// Saves the caller's stack pointer in *from and continues at `to`, which an earlier call saved or
// fiber_prepare() returned.
void emu_switch(void **from, void *to);
}

namespace emu {

// Returns a stack pointer for emu_switch: entry() starts on this stack. entry() must never return.
void *fiber_prepare(void *stack_top, void (*entry)());

}   // namespace emu

#endif
