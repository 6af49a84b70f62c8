// What the compiler calls before every memory access of a stage (-fsanitize=thread, with these
// functions in place of the sanitizer's): a kernel's access stops its lane here until the warp
// serves it.
#include "internal.h"

namespace emu {

static void stop_at(Worker &w, uintptr_t address, unsigned size, emu_kind kind, uintptr_t pc,
                    bool is_volatile = false)
{
    Lane &lane = *w.current;

    lane.address = address;
    lane.size = size;
    lane.kind = kind;
    lane.is_volatile = is_volatile;
    lane.pc = pc;
    park(w, State::memory);
}

static inline void access(void *pointer, unsigned size, bool writes, void *call_site,
                          bool is_volatile = false)
{
    Worker *w = worker;
    uintptr_t address = (uintptr_t)pointer, pc = (uintptr_t)call_site;

    if (!w || !w->current || address - w->current->stack_low < STACK_BYTES)
        return;   // host code, or a thread's own variables
    if (in_shared(*w, address))
        return stop_at(*w, address, size, writes ? EMU_SHARED_ST : EMU_SHARED_LD, pc, is_volatile);
    if (in_heap(address))
        return stop_at(*w, address, size, writes ? EMU_ST : EMU_LD, pc);
    if (address - (uintptr_t)w->launch->args < w->launch->arg_bytes)
        return;   // kernel parameters
    switch (in_image(address)) {
    case Image::device: return stop_at(*w, address, size, writes ? EMU_ST : EMU_LD, pc);
    case Image::constant:
    case Image::read_only:
        if (!writes)
            return;   // constants are served by a cache of their own
        [[fallthrough]];
    case Image::none:
        report_and_stop(*w,
                        { std::string(writes ? "write to" : "read of") +
                              (address < 4096 ? " a null pointer"
                                              : " an address that is not device memory: a variable "
                                                "of the host, of another thread, or a constant"),
                          pc, "", 0, where(*w, *w->current) });
        park(*w, State::barrier);   // for good: the launch is over
    }
}

void stop_at_atomic(Worker &w, uintptr_t address, unsigned size, uintptr_t pc)
{
    if (!in_shared(w, address) && !in_heap(address) && in_image(address) != Image::device) {
        report_and_stop(w, { "atomic on an address that is not device memory", pc, "", 0,
                             where(w, *w.current) });
        park(w, State::barrier);
    }
    stop_at(w, address, size, EMU_ATOMIC, pc);
}

// A struct that moves in one piece because its type is aligned to that does not come here. nvcc
// moves others member by member, and a member has 4 bytes more often than not, or 1 in a struct of
// few bytes. Larger ones with a multiple of 16 are taken for vectors.
static void range(void *pointer, unsigned long size, bool writes, void *call_site)
{
    unsigned piece = size > 16 && size % 16 == 0 && (uintptr_t)pointer % 16 == 0 ? 16
                   : size > 4 && size % 4 == 0 && (uintptr_t)pointer % 4 == 0    ? 4
                                                                                 : 1;

    for (unsigned long done = 0; done < size; done += piece)
        access((char *)pointer + done, piece, writes, call_site);
}

}   // namespace emu

#define HOOK(size)                                                                                \
    void __tsan_read##size(void *p) { emu::access(p, size, false, __builtin_return_address(0)); } \
    void __tsan_write##size(void *p) { emu::access(p, size, true, __builtin_return_address(0)); } \
    void __tsan_unaligned_read##size(void *p)                                                     \
    {                                                                                             \
        emu::access(p, size, false, __builtin_return_address(0));                                 \
    }                                                                                             \
    void __tsan_unaligned_write##size(void *p)                                                    \
    {                                                                                             \
        emu::access(p, size, true, __builtin_return_address(0));                                  \
    }                                                                                             \
    void __tsan_volatile_read##size(void *p)                                                      \
    {                                                                                             \
        emu::access(p, size, false, __builtin_return_address(0), true);                           \
    }                                                                                             \
    void __tsan_volatile_write##size(void *p)                                                     \
    {                                                                                             \
        emu::access(p, size, true, __builtin_return_address(0), true);                            \
    }

extern "C" {

HOOK(1)
HOOK(2)
HOOK(4)
HOOK(8)
HOOK(16)

void __tsan_read_range(void *p, unsigned long size)
{
    emu::range(p, size, false, __builtin_return_address(0));
}
void __tsan_write_range(void *p, unsigned long size)
{
    emu::range(p, size, true, __builtin_return_address(0));
}
void __tsan_init(void) {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}
}
