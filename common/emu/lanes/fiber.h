// Fibers: a CUDA thread is a stack and a saved stack pointer.
#ifndef EMU_FIBER_H
#define EMU_FIBER_H

#include <cstddef>

// Saves the caller's stack pointer in *from and continues at `to`, which an earlier call saved or
// fiber_prepare() returned.
#if defined(__x86_64__)
// Not a function, because the processor mispredicts each return after a switch: it expects to
// return to the fiber that ran before. The place to continue at is on top of the stack, the frame
// pointer below it; the compiler saves the other registers that it uses. The code around must be
// compiled with -mno-red-zone: otherwise its variables may be below the stack pointer.
static inline __attribute__((always_inline)) void emu_switch(void **from, void *to)
{
    asm volatile("pushq %%rbp\n\t"
                 "leaq 1f(%%rip), %%rax\n\t"
                 "pushq %%rax\n\t"
                 "movq %%rsp, (%0)\n\t"
                 "movq %1, %%rsp\n\t"
                 "popq %%rax\n\t"
                 "jmp *%%rax\n"
                 "1:\n\t"
                 "popq %%rbp"
                 : "+D"(from), "+S"(to)
                 :
                 : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
                   "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                   "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
}
// The same, and never returns.
[[noreturn]] static inline void emu_leave(void *to)
{
    asm volatile("movq %0, %%rsp\n\t"
                 "popq %%rax\n\t"
                 "jmp *%%rax"
                 :
                 : "r"(to)
                 : "memory");
    __builtin_unreachable();
}
#else
extern "C" void emu_switch(void **from, void *to);
[[noreturn]] static inline void emu_leave(void *to)
{
    void *unused;

    emu_switch(&unused, to);
    __builtin_unreachable();
}
#endif

namespace emu {

// Returns a stack pointer for emu_switch: entry() starts on this stack. entry() must never return.
void *fiber_prepare(void *stack_top, void (*entry)());

}   // namespace emu

#endif
