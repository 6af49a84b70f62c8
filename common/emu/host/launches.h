// The launches of the program (launches.cpp).
#ifndef EMU_LAUNCHES_H
#define EMU_LAUNCHES_H

#include "include/emu_argument.h"
#include "lanes/worker.h"

namespace emu {

// Adds a launch to those of emu_launches(). `function`: the kernel's, or null; `types` as for
// emu_run().
void keep_launch(const Launch &, const void *function, const emu_argument *types);
// Adds a cudaMemset, or a copy within the device, if arguments are kept.
void keep_operation(const char *name, size_t bytes);
void forget_launches();
bool launches_are_handled();   // emu_on_launch()
bool is_kernel(const void *function);

}   // namespace emu

#endif
