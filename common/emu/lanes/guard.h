// Programs that are graded.
#ifndef EMU_GUARD_H
#define EMU_GUARD_H

#include <cstddef>
#include <cstdint>

namespace emu {

struct Worker;

// Code that others wrote, which could change what the runtime counts. A program that grades defines
// these functions (common/grade/guard.cpp); in all others they are null.

// An access of their host code, or of the runtime to an address that it gave: ends the program if
// the memory is not that code's own. On the stack, that begins at `stack`; 0: at this call. A
// kernel may not make the runtime access an address in this way.
__attribute__((weak)) void guard_access(uintptr_t address, size_t size, bool writes, uintptr_t pc,
                                        uintptr_t stack);
// A function that the runtime is to call for them: ends the program if it is not theirs.
__attribute__((weak)) void guard_target(uintptr_t function, uintptr_t pc);
// A lane starts, on an empty stack.
__attribute__((weak)) void guard_lane(const Worker &w);
// Bytes of the running lane's stack, from stack_low, that belong to the kernel; the rest is the
// runtime's.
__attribute__((weak)) size_t guard_stack(const Worker &w);

void lane_main();   // warp.cpp: calls the kernel, on the lane's stack
inline bool is_for_grading() { return guard_access; }
inline __attribute__((always_inline)) void guard_result(const void *pointer, size_t size,
                                                        bool writes, void *call_site)
{
    // the frame of the function that calls this is the runtime's
    if (guard_access)
        guard_access((uintptr_t)pointer, size, writes, (uintptr_t)call_site,
                     (uintptr_t)__builtin_dwarf_cfa());
}

}   // namespace emu

#endif
