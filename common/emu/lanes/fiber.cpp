#include "fiber.h"

#include <cstdint>

#if defined(__x86_64__)

void *emu::fiber_prepare(void *stack_top, void (*entry)())
{
    uintptr_t top = (uintptr_t)stack_top & ~(uintptr_t)15;
    void **sp = (void **)top;

    // entry()'s return address; leaves the stack as after a call: 8 bytes below a multiple of 16
    *--sp = nullptr;
    *--sp = (void *)entry;   // emu_switch jumps there
    return sp;
}

#elif defined(__aarch64__)

// Registers that the calling convention requires a callee to save are pushed on the old stack. Only
// the stack pointer is kept elsewhere.

asm(R"(
    .text
    .globl emu_switch
    .type emu_switch, %function
emu_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size emu_switch, .-emu_switch
)");

void *emu::fiber_prepare(void *stack_top, void (*entry)())
{
    uintptr_t top = (uintptr_t)stack_top & ~(uintptr_t)15;
    void **sp = (void **)(top - 160);

    for (int i = 0; i < 20; i++)
        sp[i] = nullptr;
    sp[11] = (void *)entry;   // x30, the target of emu_switch's ret
    return sp;
}

#else
#error "the CPU device runs on x86-64 and aarch64"
#endif
