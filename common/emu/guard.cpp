// What keeps a program that others wrote from its own counts, when it is linked for grading
// (common/make/exercise.mk). Its kernels may not call functions of the C and C++ libraries, whose
// accesses nothing counts: `ladder exercise grade` puts a gate in front of each. The functions that
// copy memory are counted. An indirect call does not reach the runtime. Host code may not store to
// the runtime's variables; on x86-64 they are read-only while it runs, also for the functions of
// the libraries that it calls.
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "internal.h"

// In a program that is linked for grading, its sections and those of the runtime.
extern "C" {
extern char __start_submission_text __attribute__((weak)),
    __stop_submission_text __attribute__((weak));
extern char __start_runtime_text __attribute__((weak)), __stop_runtime_text __attribute__((weak));
extern char __start_runtime_data __attribute__((weak)), __stop_runtime_data __attribute__((weak));
extern char __start_runtime_bss __attribute__((weak)), __stop_runtime_bss __attribute__((weak));
extern const Elf64_Ehdr __ehdr_start;   // of the image
unsigned char emu_locked;               // the runtime's variables are read-only
}

namespace emu {

static bool within(uintptr_t address, const char &low, const char &high)
{
    return address >= (uintptr_t)&low && address < (uintptr_t)&high;
}

const char guarded_text[] = "write to the memory of the CPU device";

bool is_guarded(uintptr_t address, size_t size)
{
    for (uintptr_t end : { address, address + size - (size > 0) })
        if ((&__start_runtime_data && within(end, __start_runtime_data, __stop_runtime_data)) ||
            (&__start_runtime_bss && within(end, __start_runtime_bss, __stop_runtime_bss)))
            return true;
    return false;
}

bool is_for_grading() { return &__start_runtime_bss; }

static void protect(const char *low, const char *high, int protection)
{
    if (low && mprotect((void *)low, (size_t)(high - low), protection) < 0) {
        static const char wrong[] = "CPU device: its variables cannot be protected\n";
        (void)!write(STDERR_FILENO, wrong, sizeof wrong - 1);
        _exit(3);
    }
}

// Makes the variables read-only, or writable again. One of them says which.
static void lock(bool yes)
{
    int protection = yes ? PROT_READ : PROT_READ | PROT_WRITE;

    if (yes)
        emu_locked = 1;
    else if (!emu_locked)
        return;
    protect(&__start_runtime_data, &__stop_runtime_data, protection);
    protect(&__start_runtime_bss, &__stop_runtime_bss, protection);
    if (!yes)
        emu_locked = 0;
}

// Ends the program as a diagnosis does.
[[noreturn]] static void refuse_host(const std::string &what, uintptr_t pc)
{
    lock(false);
    report({ what, pc, "", 0, "in host code" });
    print_findings();
    abort();
}

void guard_open() { lock(false); }

void guard_store(uintptr_t address, size_t size, uintptr_t pc)
{
    if (is_guarded(address, size))
        refuse_host(guarded_text, pc);
}

static Worker *on_lane() { return worker && worker->current ? worker : nullptr; }

// A piece of memory that a function of the library reads or writes.
static void touch(void *pointer, size_t bytes, bool writes, void *call_site)
{
    if (on_lane())
        count_range(pointer, bytes, writes, call_site);
    else if (writes)
        guard_store((uintptr_t)pointer, bytes, (uintptr_t)call_site);
}

}   // namespace emu

extern "C" {

// The return addresses of calls between host code and the runtime.
static uintptr_t returns[16];
static unsigned depth;

static void keep(uintptr_t return_address)
{
    if (depth == sizeof returns / sizeof *returns)
        abort();
    returns[depth++] = return_address;
}

// A call of host code that enters the runtime, and its end (emu_entry).
void emu_enter(uintptr_t return_address)
{
    emu::lock(false);
    keep(return_address);
}

uintptr_t emu_leave(void)
{
    uintptr_t to = returns[--depth];

    emu::lock(true);
    return to;
}

// A call of host code by the harness, and its end (emu_host_entry).
void emu_enter_host(uintptr_t return_address)
{
    keep(return_address);
    emu::lock(true);
}

uintptr_t emu_leave_host(void)
{
    emu::lock(false);
    return returns[--depth];
}

void *emu_host_function;   // that emu_host_entry calls
void emu_host_entry(void);

void *emu_guarded(void *function)
{
#if defined(__x86_64__)
    if (emu::is_for_grading()) {
        emu_host_function = function;
        return (void *)emu_host_entry;
    }
#endif
    return function;
}

// The functions of memory, with counted accesses in a kernel.
void *emu_memcpy(void *to, const void *from, size_t n)
{
    emu::touch((void *)from, n, false, __builtin_return_address(0));
    emu::touch(to, n, true, __builtin_return_address(0));
    return memcpy(to, from, n);
}

void *emu_memmove(void *to, const void *from, size_t n)
{
    emu::touch((void *)from, n, false, __builtin_return_address(0));
    emu::touch(to, n, true, __builtin_return_address(0));
    return memmove(to, from, n);
}

void *emu_memset(void *to, int value, size_t n)
{
    emu::touch(to, n, true, __builtin_return_address(0));
    return memset(to, value, n);
}

int emu_memcmp(const void *a, const void *b, size_t n)
{
    emu::touch((void *)a, n, false, __builtin_return_address(0));
    emu::touch((void *)b, n, false, __builtin_return_address(0));
    return memcmp(a, b, n);
}

// Every gate calls this: `name` is the function behind it.
void emu_check_host_call(const char *name, void *call_site)
{
    emu::Worker *w = emu::on_lane();

    if (!w)
        return;
    emu::fail(*w, std::string("call of the host function ") + name + " in a kernel",
              (uintptr_t)call_site);
}

// Is this the address of a function in a table of the image that is read-only after its start, such
// as the virtual functions of the C++ library?
static bool is_in_tables(uintptr_t target)
{
    const char *image = (const char *)&__ehdr_start;
    const Elf64_Phdr *header = (const Elf64_Phdr *)(image + __ehdr_start.e_phoff);

    for (int i = 0; i < __ehdr_start.e_phnum; i++) {
        const uintptr_t *at = (const uintptr_t *)header[i].p_vaddr;

        if (header[i].p_type == PT_GNU_RELRO &&
            std::find(at, at + header[i].p_memsz / sizeof *at, target) <
                at + header[i].p_memsz / sizeof *at)
            return true;
    }
    return false;
}

// An indirect call, which the compiler makes through a thunk. In a kernel it must stay in the
// program; host code calls the virtual functions of the C++ library, too.
void emu_check_target(uintptr_t target, uintptr_t call_site)
{
    if (!&__start_submission_text ||
        emu::within(target, __start_submission_text, __stop_submission_text))
        return;
    if (emu::Worker *w = emu::on_lane())
        emu::fail(*w, "indirect call of a function that is not the program's own", call_site);
    else if (emu::within(target, __start_runtime_text, __stop_runtime_text) ||
             !is_in_tables(target))
        emu::refuse_host("indirect call of a function that is not the program's own", call_site);
}

// A gate sets two registers that a call neither preserves nor passes arguments in, and jumps to
// emu_gate: the function, and its name. Both check with all registers kept.
#if defined(__x86_64__)
#define SAVE(room)                                                                           \
    "push %rdi; push %rsi; push %rdx; push %rcx; push %r8; push %r9; push %rax; push %r10\n" \
    "sub $" room ", %rsp\n"                                                                  \
    "movups %xmm0, (%rsp); movups %xmm1, 16(%rsp); movups %xmm2, 32(%rsp)\n"                 \
    "movups %xmm3, 48(%rsp); movups %xmm4, 64(%rsp); movups %xmm5, 80(%rsp)\n"               \
    "movups %xmm6, 96(%rsp); movups %xmm7, 112(%rsp)\n"
#define RESTORE(room)                                                          \
    "movups (%rsp), %xmm0; movups 16(%rsp), %xmm1; movups 32(%rsp), %xmm2\n"   \
    "movups 48(%rsp), %xmm3; movups 64(%rsp), %xmm4; movups 80(%rsp), %xmm5\n" \
    "movups 96(%rsp), %xmm6; movups 112(%rsp), %xmm7\n"                        \
    "add $" room ", %rsp\n"                                                    \
    "pop %r10; pop %rax; pop %r9; pop %r8; pop %rcx; pop %rdx; pop %rsi; pop %rdi\n"

// The stack is aligned to 16 bytes at each call.
asm(".text\n"
    ".globl emu_gate\n"
    "emu_gate:\n" SAVE("136") "mov %r11, %rdi\n"
                              "mov 200(%rsp), %rsi\n"
                              "call emu_check_host_call\n" RESTORE("136") "jmp *%r10\n");

// A call between host code and the runtime. Its arguments on the stack stay where they are, because
// the return address moves to returns[] before, and back after it.
#define CROSS(name, first, enter, function, leave)                                              \
    asm(".globl " name "\n" name ":\n" first                                                    \
        "1:\n" SAVE("136") "mov 200(%rsp), %rdi\n"                                              \
                           "call " enter                                                        \
                           "\n" RESTORE("136") "add $8, %rsp\n"                                 \
                                               "call *" function "\n"                           \
                                               "sub $8, %rsp\n"                                 \
                                               "push %rax; push %rdx\n"                         \
                                               "sub $40, %rsp\n"                                \
                                               "movups %xmm0, (%rsp); movups %xmm1, 16(%rsp)\n" \
                                               "call " leave "\n"                               \
                                               "mov %rax, 56(%rsp)\n"                           \
                                               "movups (%rsp), %xmm0; movups 16(%rsp), %xmm1\n" \
                                               "add $40, %rsp\n"                                \
                                               "pop %rdx; pop %rax\n"                           \
                                               "ret\n");
// The gates of the runtime's functions jump here, with r10 = the function. Nothing is to do in a
// kernel.
CROSS("emu_entry", "cmpb $0, emu_locked(%rip)\njne 1f\njmp *%r10\n", "emu_enter", "%r10",
      "emu_leave")
CROSS("emu_host_entry", "", "emu_enter_host", "emu_host_function(%rip)", "emu_leave_host")

// gcc -mindirect-branch=thunk-extern calls these in place of a register.
#define THUNK(reg)                                            \
    asm(".globl __x86_indirect_thunk_" reg "\n"               \
        "__x86_indirect_thunk_" reg ":\n"                     \
        "push %" reg "\n" SAVE("128") "mov 192(%rsp), %rdi\n" \
                                      "mov 200(%rsp), %rsi\n" \
                                      "call emu_check_target\n" RESTORE("128") "ret\n");
THUNK("rax")
THUNK("rbx")
THUNK("rcx")
THUNK("rdx")
THUNK("rsi")
THUNK("rdi")
THUNK("rbp")
THUNK("r8")
THUNK("r9")
THUNK("r10")
THUNK("r11")
THUNK("r12")
THUNK("r13")
THUNK("r14")
THUNK("r15")
#else
asm(".text\n"
    ".globl emu_gate\n"
    "emu_gate:\n"   // x16 = the function, x17 = its name
    "sub sp, sp, #224\n"
    "stp x0, x1, [sp]\n"
    "stp x2, x3, [sp, #16]\n"
    "stp x4, x5, [sp, #32]\n"
    "stp x6, x7, [sp, #48]\n"
    "stp x8, x30, [sp, #64]\n"
    "str x16, [sp, #80]\n"
    "stp q0, q1, [sp, #96]\n"
    "stp q2, q3, [sp, #128]\n"
    "stp q4, q5, [sp, #160]\n"
    "stp q6, q7, [sp, #192]\n"
    "mov x0, x17\n"
    "mov x1, x30\n"
    "bl emu_check_host_call\n"
    "ldp x0, x1, [sp]\n"
    "ldp x2, x3, [sp, #16]\n"
    "ldp x4, x5, [sp, #32]\n"
    "ldp x6, x7, [sp, #48]\n"
    "ldp x8, x30, [sp, #64]\n"
    "ldr x16, [sp, #80]\n"
    "ldp q0, q1, [sp, #96]\n"
    "ldp q2, q3, [sp, #128]\n"
    "ldp q4, q5, [sp, #160]\n"
    "ldp q6, q7, [sp, #192]\n"
    "add sp, sp, #224\n"
    "br x16\n");
#endif
}
