// What the compiler calls before every memory access of a kernel (-fsanitize=thread; these
// functions replace those of the sanitizer's library). An access by a kernel is logged (log.h), or
// stops its lane here until the warp serves it.
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "exec.h"
#include "host/streams.h"
#include "lanes/asyncs.h"
#include "lanes/cluster.h"
#include "lanes/guard.h"
#include "lanes/log.h"
#include "order/memory.h"
#include "order/shared.h"
#include "order/snapshot.h"
#include "report/report.h"

namespace emu {

bool instrumented;

// Properties of an access other than its address and size.
struct How {
    bool writes, is_volatile, is_ptx;
    Atomic atomic;      // of an atomic
    uintptr_t object;   // the object that is copied, in one or several accesses
    size_t object_bytes;
    // Of an access with which others may synchronize; is_atomic: it has an order.
    Scope scope = Scope::system;
    bool is_atomic = false;
};

static void stop_at(Worker &w, uintptr_t address, unsigned size, emu_kind kind, const How &how,
                    uintptr_t pc)
{
    Lane &lane = *w.current;

    if (how.writes)
        before_store(address, size);
    lane.address = address;
    lane.size = size;
    lane.kind = kind;
    lane.is_volatile = how.is_volatile;
    lane.is_atomic = how.is_atomic;
    lane.scope = how.scope;
    lane.is_ptx = how.is_ptx;
    lane.atomic = how.atomic;
    lane.object_offset = address - how.object;
    lane.object_bytes = how.object_bytes;
    lane.pc = pc;
    park(w, State::memory);
}

// Finds the variable or allocation that contains the range, for the next access of this call site.
__attribute__((noinline)) static bool find_range(Worker &w, uintptr_t address, size_t size,
                                                 Range *range)
{
    Range found = in_shared(w, address) ? shared_variable_of(w, address, size)
                : in_heap(address)      ? allocation_of(address)
                                        : Range{ 0, 0 };

    if (found.bytes)
        *range = found;
    return found.contains(address, size);
}

// Call sites of one kernel have entries of their own, unless it has more bytes of code.
static Recent &recent_of(Worker &w, uintptr_t pc) { return w.recent[pc % RECENT]; }

// Adds an entry to the log of the running lane.
static inline __attribute__((always_inline)) void append(Worker &w, uintptr_t address,
                                                         unsigned size, bool writes, uint64_t key,
                                                         uint32_t order)
{
    unsigned char *value = log_entry(w, key, address);

    w.current->position.order = order;
    if (writes) {
        w.late_store = value;
        w.late_address = address;
        w.late_bytes = size;
        before_store(address, size);   // at the end: a call in between would cost registers
    }
}

// Logs an access. False: the lane has to stop at it, because it is volatile, or something may be
// wrong with it.
static inline __attribute__((always_inline)) bool log_access(Worker &w, uintptr_t address,
                                                             unsigned size, const How &how,
                                                             uintptr_t pc)
{
    const Position &p = w.current->position;
    Spot s = spot_at(pc);
    size_t offset = address - how.object;
    Recent &recent = recent_of(w, pc);

    if (how.is_volatile || address % size || !s.order || s.function != p.function ||
        p.stack == UNKNOWN_CALLS || how.object_bytes > 255)
        return false;
    recent.pc = 0;
    if (!recent.range.contains(address, size) && !find_range(w, address, size, &recent.range))
        return false;
    Entry entry = in_shared(w, address) ? how.writes ? Entry::shared_store : Entry::shared_load
                : how.writes            ? Entry::store
                                        : Entry::load;
    if (how.is_ptx)
        entry = (Entry)((uint8_t)entry | (uint8_t)Entry::ptx);
    uint64_t key = key_bits(pc, (uint8_t)p.stack, entry, (unsigned)__builtin_ctz(size),
                            (uint8_t)how.object_bytes, (uint8_t)offset);
    if (how.object_bytes == size && !how.is_ptx)
        recent = { recent.range, pc, key, s.function, p.stack, s.order };
    append(w, address, size, how.writes, key, s.order);
    return true;
}

// Is there memory that the host can read? A process that is graded may not make the calls that are
// meant for this question. This one reads its second argument, and then refuses the first one.
static bool is_readable(uintptr_t address)
{
    return syscall(SYS_rt_sigprocmask, -1, address & ~(uintptr_t)7, nullptr, 8) == 0 ||
           errno != EFAULT;
}

// What is wrong with an access to memory that is not the device's.
static std::string wrong_memory(const Worker &w, uintptr_t address, unsigned size, bool writes)
{
    uintptr_t before = (uintptr_t)w.arena - address;

    if (before <= GAP && !w.shared.variables.empty())   // tile[-1]
        return shared_out_of_bounds(w, -(long)before, size);
    if (address >= 4096 && !is_readable(address))
        return far_from_arrays(address, size);
    if (writes && in_image(address) == Image::constant)
        return "write to " + variable_name(address) +
               ", a __constant__ variable, which kernels cannot change: use a __device__ variable, "
               "or cudaMemcpyToSymbol in host code";
    if (std::string name = host_template(address); !name.empty())
        return std::string(writes ? "write to " : "read of ") + name +
               ", which is in host memory; if it is a template of __device__ variables, this needs "
               "g++ 14";
    return std::string(writes ? "write to" : "read of") +
           (address < 4096 ? " a null pointer"
                           : " an address that is not device memory: a host variable, another "
                             "thread's local variable, memory from malloc or new, or a constant");
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
    if (!writes && address - (uintptr_t)w->launch->args < w->launch->arg_bytes)
        return;   // kernel parameters
    if (in_cluster(*w, address))
        return stop_at(*w, address, size, writes ? EMU_CLUSTER_ST : EMU_CLUSTER_LD, how, pc);
    Image image = in_image(address);
    if (image == Image::device)
        return stop_at(*w, address, size, writes ? EMU_ST : EMU_LD, how, pc);
    std::string wrong = image == Image::constant ? check_variable(address, size) : "";
    if (!writes && wrong.empty() && image != Image::none)
        return;   // constants are not counted: the constant cache serves them
    if (wrong.empty() && is_host_copy(address))
        wrong = host_copy_used(address);
    fail(*w, wrong.empty() ? wrong_memory(*w, address, size, writes) : wrong, pc);
}

static void access_of_host(uintptr_t address, unsigned size, const How &how, uintptr_t pc)
{
    if (how.is_volatile)
        host_polls(address);
    if (guard_access)
        guard_access(address, size, how.writes, pc, 0);
}

static inline __attribute__((always_inline)) void access(void *pointer, unsigned size,
                                                         const How &how, void *call_site)
{
    Worker *w = worker;
    uintptr_t address = (uintptr_t)pointer, pc = (uintptr_t)call_site;

    if (!(w && w->current))
        return access_of_host(address, size, how, pc);
    if (address - w->stack_low < w->stack_open) {   // the thread's own variables
        if (__builtin_expect(w->has_products, 0))
            hopper::local_access(*w, address, size, how.writes, pc);
    } else if (!log_access(*w, address, size, how, pc)) {
        access_of_device(w, address, size, how, pc);
    }
}

template <unsigned size, bool writes>
__attribute__((noinline)) static void append_later(Worker *w, uintptr_t address, uint64_t key,
                                                   uint32_t order)
{
    append(*w, address, size, writes, key, order);
}

template <unsigned size, bool writes>
__attribute__((noinline)) static void new_access_outside(Worker *w, uintptr_t address, uintptr_t pc)
{
    How how = { writes, false, false, {}, address, size };

    if (!log_access(*w, address, size, how, pc))
        access_of_device(w, address, size, how, pc);
}

// An access of the running lane outside its stack. What is usual, an access like the last one of
// this call site, makes no call, and so saves no registers.
template <unsigned size, bool writes>
__attribute__((noinline)) static void plain_access_outside(Worker *w, uintptr_t address,
                                                           uintptr_t pc)
{
    Lane &lane = *w->current;
    const Recent &recent = recent_of(*w, pc);
    uint64_t here, there;

    static_assert(offsetof(Position, stack) == offsetof(Position, function) + 4);
    static_assert(offsetof(Recent, stack) == offsetof(Recent, function) + 4);
    memcpy(&here, &lane.position.function, sizeof here);
    memcpy(&there, &recent.function, sizeof there);
    if (recent.pc == pc && here == there && address % size == 0 &&
        address - recent.range.start <= recent.range.bytes - size)
        return has_room(*w) ? append(*w, address, size, writes, recent.key, recent.order)
                            : append_later<size, writes>(w, address, recent.key, recent.order);
    new_access_outside<size, writes>(w, address, pc);
}

template <unsigned size, bool writes>
__attribute__((noinline)) static void plain_access_of_host(uintptr_t address, uintptr_t pc)
{
    access_of_host(address, size, { writes, false, false, {}, address, size }, pc);
}

// What kernels call most. The common cases save no registers.
template <unsigned size, bool writes>
static inline __attribute__((always_inline)) void plain_access(void *pointer, void *call_site)
{
    Worker *w = worker;
    uintptr_t address = (uintptr_t)pointer, pc = (uintptr_t)call_site;

    if (!(w && w->current))
        return writes || guard_access ? plain_access_of_host<size, writes>(address, pc) : void();
    if (address - w->stack_low >= w->stack_open)
        plain_access_outside<size, writes>(w, address, pc);
    else if (__builtin_expect(w->has_products, 0))   // the thread's own variables
        hopper::local_access(*w, address, size, writes, pc);
}

void access_at(uintptr_t address, unsigned size, bool writes, bool is_volatile, uintptr_t pc)
{
    access((void *)address, size, { writes, is_volatile, true, {}, address, size }, (void *)pc);
}

void atomic_access_at(uintptr_t address, unsigned size, bool writes, Scope scope, bool is_ptx,
                      uintptr_t pc)
{
    access((void *)address, size, { writes, true, is_ptx, {}, address, size, scope, true },
           (void *)pc);
}

void stop_at_atomic(Worker &w, uintptr_t address, unsigned size, uintptr_t pc, Atomic how,
                    Scope scope)
{
    bool is_remote = in_cluster(w, address);

    if (!in_shared(w, address) && !in_heap(address) && in_image(address) != Image::device &&
        !is_remote)
        fail(w,
             in_image(address) == Image::constant
                 ? wrong_memory(w, address, size, true)
                 : "atomic on an address that is not device memory",
             pc);
    stop_at(w, address, size, is_remote ? EMU_CLUSTER_ATOMIC : EMU_ATOMIC,
            { true, false, false, how, 0, 0, scope, true }, pc);
}

// Copies of structs whose alignment does not make them one access. nvcc moves them member by
// member. Most members have 4 bytes, or 1 in a small struct. Larger structs whose size is a
// multiple of 16 are assumed to consist of vectors.
static unsigned piece_of(const void *pointer, unsigned long size)
{
    return size > 16 && size % 16 == 0 && (uintptr_t)pointer % 16 == 0 ? 16
         : size > 4 && size % 4 == 0 && (uintptr_t)pointer % 4 == 0    ? 4
                                                                       : 1;
}

// Calls done(offset, bytes) after each access.
template <class F>
static void each_piece(void *pointer, unsigned long size, bool writes, void *call_site, F done)
{
    unsigned piece = piece_of(pointer, size);

    for (unsigned long at = 0; at < size; at += piece) {
        access((char *)pointer + at, piece, { writes, false, false, {}, (uintptr_t)pointer, size },
               call_site);
        done(at, piece);
    }
}

void count_range(void *pointer, unsigned long size, bool writes, void *call_site)
{
    each_piece(pointer, size, writes, call_site, [](unsigned long, unsigned) {});
}

}   // namespace emu

#define ACCESS(name, size, writes)                                            \
    void __tsan_##name##size(void *p)                                         \
    {                                                                         \
        emu::plain_access<size, writes>(p, __builtin_return_address(0));      \
    }                                                                         \
    void __tsan_volatile_##name##size(void *p)                                \
    {                                                                         \
        emu::access(p, size, { writes, true, false, {}, (uintptr_t)p, size }, \
                    __builtin_return_address(0));                             \
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
#define HOOK(size)               \
    ACCESS(read, size, false)    \
    ACCESS(write, size, true)    \
    UNALIGNED(read, size, false) \
    UNALIGNED(write, size, true)

// Stores n bytes, piece by piece: the log takes what an access has stored when the next one comes.
// False: host code stores; it calls the function of memory last, so that a fault there is found at
// the caller's line.
template <class F> static bool store_pieces(void *to, size_t n, void *call_site, F store)
{
    if (emu::worker && emu::worker->current) {
        emu::each_piece(to, n, true, call_site, store);
        return true;
    }
    emu::guard_result(to, n, true, call_site);
    return false;
}

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
// The functions of memory. g++ would expand them without a hook.
#define HERE __builtin_return_address(0)
static void touch(const void *p, size_t n, bool writes, void *call_site)
{
    if (emu::worker && emu::worker->current)
        emu::count_range((void *)p, n, writes, call_site);
    else
        emu::guard_result(p, n, writes, call_site);
}

void *emu_memcpy(void *to, const void *from, size_t n)
{
    touch(from, n, false, HERE);
    if (store_pieces(to, n, HERE, [=](size_t at, size_t bytes) {
            memcpy((char *)to + at, (const char *)from + at, bytes);
        }))
        return to;
    return memcpy(to, from, n);
}

void *emu_memmove(void *to, const void *from, size_t n)
{
    touch(from, n, false, HERE);
    touch(to, n, true, HERE);
    return memmove(to, from, n);
}

void *emu_memset(void *to, int value, size_t n)
{
    if (store_pieces(to, n, HERE,
                     [=](size_t at, size_t bytes) { memset((char *)to + at, value, bytes); }))
        return to;
    return memset(to, value, n);
}

int emu_memcmp(const void *a, const void *b, size_t n)
{
    touch(a, n, false, HERE);
    touch(b, n, false, HERE);
    return memcmp(a, b, n);
}

// Called at program start by each object that calls the functions of this file.
void __tsan_init(void) { emu::instrumented = true; }
// A program that is graded has its own (common/grade/guard.cpp).
__attribute__((weak)) void __tsan_func_entry(void *) {}
__attribute__((weak)) void __tsan_func_exit(void) {}
// The pointer to the table of virtual functions, in an object that is constructed.
void __tsan_vptr_update(void **p, void *)
{
    emu::access(p, sizeof *p, { true, false, false, {}, (uintptr_t)p, sizeof *p },
                __builtin_return_address(0));
}
}
