// What the compiler calls before every memory access of a kernel (-fsanitize=thread; these
// functions replace those of the sanitizer's library). An access by a kernel is logged (log.h), or
// stops its lane here until the warp serves it.
#include "internal.h"
#include "log.h"
#include "streams.h"

namespace emu {

bool instrumented;

// Properties of an access other than its address and size.
struct How {
    bool writes, is_volatile, is_ptx;
    Atomic atomic;      // of an atomic
    uintptr_t object;   // the object that is copied, in one or several accesses
    size_t object_bytes;
};

static void stop_at(Worker &w, uintptr_t address, unsigned size, emu_kind kind, const How &how,
                    uintptr_t pc)
{
    Lane &lane = *w.current;

    lane.address = address;
    lane.size = size;
    lane.kind = kind;
    lane.is_volatile = how.is_volatile;
    lane.is_ptx = how.is_ptx;
    lane.atomic = how.atomic;
    lane.object_offset = address - how.object;
    lane.object_bytes = how.object_bytes;
    lane.pc = pc;
    park(w, State::memory);
}

static inline bool in_allocation(Worker &w, uintptr_t address, size_t size, uintptr_t pc)
{
    Range &recent = w.recent[pc % 16];

    if (!recent.contains(address, size))
        recent = allocation_of(address);
    return recent.contains(address, size);
}

// Logs an access. False: the lane has to stop at it, because it is volatile, or something may be
// wrong with it.
static inline bool log_access(Worker &w, uintptr_t address, unsigned size, bool shared,
                              const How &how, uintptr_t pc)
{
    Lane &lane = *w.current;
    Position &p = lane.position;
    Spot s = spot_at(pc);
    size_t offset = address - how.object;

    if (how.is_volatile || address % size || !s.order || s.function != p.function ||
        p.stack == UNKNOWN_CALLS || how.object_bytes > 255 ||
        !(shared ? in_shared_variable(w, address, size) : in_allocation(w, address, size, pc)))
        return false;
    Key key = { (uint32_t)(pc - (uintptr_t)&__executable_start),
                p.stack,
                (uint8_t)(2 * shared + how.writes + (how.is_ptx ? (uint8_t)Entry::ptx : 0)),
                (uint8_t)__builtin_ctz(size),
                (uint8_t)how.object_bytes,
                (uint8_t)offset };
    unsigned char *value = log_entry(w, key, address);
    p.order = s.order;
    if (how.writes) {
        lane.stored = value;
        lane.stored_at = address;
        lane.stored_bytes = (uint16_t)size;
    }
    return true;
}

// An access that is not logged.
__attribute__((noinline)) static void access_of_device(Worker *w, uintptr_t address, unsigned size,
                                                       const How &how, uintptr_t pc)
{
    bool writes = how.writes;

    if (in_shared(*w, address))
        return stop_at(*w, address, size, writes ? EMU_SHARED_ST : EMU_SHARED_LD, how, pc);
    if (in_heap(address))
        return stop_at(*w, address, size, writes ? EMU_ST : EMU_LD, how, pc);
    if (address - (uintptr_t)w->launch->args < w->launch->arg_bytes)
        return;   // kernel parameters
    Image image = in_image(address);
    if (image == Image::device)
        return stop_at(*w, address, size, writes ? EMU_ST : EMU_LD, how, pc);
    std::string wrong = image == Image::constant ? check_variable(address, size) : "";
    if (!writes && wrong.empty() && image != Image::none)
        return;   // constants are not counted: the constant cache serves them
    if (wrong.empty())
        wrong =
            std::string(writes ? "write to" : "read of") +
            (address < 4096 ? " a null pointer"
                            : " an address that is not device memory: a host variable, another "
                              "thread's local variable, memory from malloc or new, or a constant");
    fail(*w, wrong, pc);
}

static inline void access(void *pointer, unsigned size, const How &how, void *call_site)
{
    Worker *w = worker;
    uintptr_t address = (uintptr_t)pointer;

    if (w && w->current && address - w->current->stack_low >= STACK_BYTES) {
        bool shared = in_shared(*w, address);

        if (!(shared || in_heap(address)) ||
            !log_access(*w, address, size, shared, how, (uintptr_t)call_site))
            access_of_device(w, address, size, how, (uintptr_t)call_site);
    } else if (w && w->current) {   // the thread's own variables
        if (__builtin_expect(w->has_products, 0))
            hopper::local_access(*w, address, size, how.writes, (uintptr_t)call_site);
    } else if (how.writes || how.is_volatile) {
        if (how.is_volatile)
            host_polls(address);
        if (how.writes)
            guard_store(address, size, (uintptr_t)call_site);
    }
    // otherwise a load of host code
}

void access_at(uintptr_t address, unsigned size, bool writes, bool is_volatile, uintptr_t pc)
{
    access((void *)address, size, { writes, is_volatile, true, {}, address, size }, (void *)pc);
}

void stop_at_atomic(Worker &w, uintptr_t address, unsigned size, uintptr_t pc, Atomic how)
{
    if (!in_shared(w, address) && !in_heap(address) && in_image(address) != Image::device)
        fail(w, "atomic on an address that is not device memory", pc);
    stop_at(w, address, size, EMU_ATOMIC, { true, false, false, how, 0, 0 }, pc);
}

// Copies of structs whose alignment does not make them one access. nvcc moves them member by
// member. Most members have 4 bytes, or 1 in a small struct. Larger structs whose size is a
// multiple of 16 are assumed to consist of vectors.
void count_range(void *pointer, unsigned long size, bool writes, void *call_site)
{
    unsigned piece = size > 16 && size % 16 == 0 && (uintptr_t)pointer % 16 == 0 ? 16
                   : size > 4 && size % 4 == 0 && (uintptr_t)pointer % 4 == 0    ? 4
                                                                                 : 1;

    for (unsigned long done = 0; done < size; done += piece)
        access((char *)pointer + done, piece,
               { writes, false, false, {}, (uintptr_t)pointer, size }, call_site);
}

}   // namespace emu

#define ACCESS(name, size, writes, is_volatile)                                      \
    void __tsan_##name##size(void *p)                                                \
    {                                                                                \
        emu::access(p, size, { writes, is_volatile, false, {}, (uintptr_t)p, size }, \
                    __builtin_return_address(0));                                    \
    }
// Accesses with an alignment below their size, which nvcc moves member by member.
#define UNALIGNED(name, size, writes)                                              \
    void __tsan_unaligned_##name##size(void *p)                                    \
    {                                                                              \
        if ((uintptr_t)p % size)                                                   \
            emu::count_range(p, size, writes, __builtin_return_address(0));        \
        else                                                                       \
            emu::access(p, size, { writes, false, false, {}, (uintptr_t)p, size }, \
                        __builtin_return_address(0));                              \
    }
#define HOOK(size)                           \
    ACCESS(read, size, false, false)         \
    ACCESS(write, size, true, false)         \
    UNALIGNED(read, size, false)             \
    UNALIGNED(write, size, true)             \
    ACCESS(volatile_read, size, false, true) \
    ACCESS(volatile_write, size, true, true)

extern "C" {

HOOK(1)
HOOK(2)
HOOK(4)
HOOK(8)
HOOK(16)

void __tsan_read_range(void *p, unsigned long size)
{
    emu::count_range(p, size, false, __builtin_return_address(0));
}
void __tsan_write_range(void *p, unsigned long size)
{
    emu::count_range(p, size, true, __builtin_return_address(0));
}
// Called at program start by each object that calls the functions of this file.
void __tsan_init(void) { emu::instrumented = true; }
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void) {}
// The pointer to the table of virtual functions, in an object that is constructed.
void __tsan_vptr_update(void **p, void *)
{
    emu::access(p, sizeof *p, { true, false, false, {}, (uintptr_t)p, sizeof *p },
                __builtin_return_address(0));
}
}
