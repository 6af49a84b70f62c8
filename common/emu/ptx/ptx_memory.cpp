// Handlers of inline PTX: loads, stores, atomics, fences, addresses and asynchronous copies (PTX
// ISA, "Data Movement and Conversion Instructions", "Parallel Synchronization").
#include <algorithm>

#include "include/cuda_runtime.h"
#include "exec/pipeline.h"
#include "exec/update.h"
#include "lanes/cluster.h"
#include "order/memory.h"
#include "order/shared.h"
#include "ptx_types.h"
#include "report/report.h"

namespace emu {
namespace ptx {

namespace {

const std::string &type_of(const Instruction &in) { return in.parts.back(); }

// Bytes of a type such as u32 or f16x2; 0: none.
unsigned bytes_of(const std::string &type)
{
    if (type == "f16x2" || type == "bf16x2")
        return 4;
    if (type == "bf16")
        return 2;
    int bits = type.size() > 1 && strchr("busf", type[0]) ? atoi(type.c_str() + 1) : 0;
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? (unsigned)bits / 8 : 0;
}

// Without a scope, atomics have that of the device (PTX ISA, atom).
Scope scope_of(const Instruction &in)
{
    return in.has("cta")                   ? Scope::block
         : in.has("cluster")               ? Scope::cluster
         : in.has("sys") || in.has("mmio") ? Scope::system
                                           : Scope::device;
}

// ---- loads and stores ----

// detail of ld and st: [0] bytes per element, [1] elements, [2] the state space, [3] signed, [4]
// how others see it: ORDINARY, VOLATILE, RELAXED, or with an acquire or a release.
enum Order : uint32_t { ORDINARY, VOLATILE, RELAXED, ACQUIRES };

bool read_access(const Instruction &in)
{
    const std::string &t = type_of(in);

    if (!has_only(in,
                  "weak volatile relaxed acquire release mmio cta cluster gpu sys global shared "
                  "shared::cta shared::cluster const local ca cg cs lu cv wb wt nc v2 v4 v8 "
                  "unified L1:: L2::"))
        return false;
    in.detail[0] = bytes_of(t);
    in.detail[1] = in.has("v2") ? 2 : in.has("v4") ? 4 : in.has("v8") ? 8 : 1;
    in.detail[2] = (uint32_t)in.space();
    in.detail[3] = t[0] == 's';
    in.detail[4] = in.has("volatile")                     ? VOLATILE
                 : in.has("relaxed") || in.has("mmio")    ? RELAXED
                 : in.has("acquire") || in.has("release") ? ACQUIRES
                                                          : ORDINARY;
    return in.detail[0] && in.operands.size() >= 2 && in.space() != Space::parameter;
}

// At most 16 bytes of a vector, from `done` on.
void access_part(const Instruction &in, Operands &o, char *p, unsigned done, unsigned how)
{
    unsigned bytes = std::min(in.detail[0] * in.detail[1] - done, 16u);

    if (in.detail[4] >= RELAXED)
        return atomic_access(o, p + done, bytes, how, scope_of(in));
    access(o, p + done, bytes, how | (in.detail[4] ? (unsigned)VOLATILE_ACCESS : 0u));
}

void ld(const Instruction &in, Operands &o)
{
    char *const start = (char *)o.object(1, (Space)in.detail[2]), *p = start;

    for (unsigned done = 0; done < in.detail[0] * in.detail[1]; done += 16)
        access_part(in, o, p, done, READ_ACCESS);
    for (unsigned k = 0; k < in.detail[1]; k++) {
        uint64_t v = 0;
        switch (in.detail[0]) {
        case 1: v = *(uint8_t *)p; break;
        case 2: v = *(uint16_t *)p; break;
        case 4: v = *(uint32_t *)p; break;
        default: v = *(uint64_t *)p;
        }
        unsigned unused = 64 - 8 * in.detail[0];
        o.write(0, in.detail[3] ? (uint64_t)((int64_t)(v << unused) >> unused) : v, k);
        p += in.detail[0];
    }
    if (in.detail[4] == ACQUIRES)
        acquire(o.w, (uintptr_t)start, scope_of(in));
}

void st(const Instruction &in, Operands &o)
{
    char *p = (char *)o.object(0, (Space)in.detail[2]);

    Releasing released(o.w, in.detail[4] == ACQUIRES ? scope_of(in) : Scope::thread);
    for (unsigned done = 0, k = 0; k < in.detail[1]; k++, done += in.detail[0]) {
        uint64_t v = o.bits(1, k);
        if (done % 16 == 0)
            access_part(in, o, p, done, WRITE_ACCESS);
        memcpy(p + done, &v, in.detail[0]);
    }
}

Handler *ld_of(const Instruction &in)
{
    return read_access(in) && in.operands[1].kind == Kind::memory &&
                   in.operands[0].values.size() == in.detail[1]
             ? ld
             : nullptr;
}
Handler *st_of(const Instruction &in)
{
    return read_access(in) && in.operands[0].kind == Kind::memory && !in.has("async") &&
                   in.operands[1].values.size() == in.detail[1]
             ? st
             : nullptr;
}

// ---- atomics ----

enum Operation : uint32_t { ADD, MIN, MAX, INC, DEC, AND, OR, XOR, EXCH, CAS, OPERATIONS };

// detail: [0] operation, [1] 1 if there is a result, [2] the state space, [3] release, [4]
// acquire.
template <class T> T changed(uint32_t operation, T old, T b, T c)
{
    switch (operation) {
    case ADD:
        if constexpr (std::is_integral<T>::value)
            return (T)((uint64_t)old + (uint64_t)b);
        else
            return T(old + b);
    case MIN: return b < old ? b : old;
    case MAX: return b > old ? b : old;
    case EXCH: return b;
    case CAS: return old == b ? c : old;
    default: break;
    }
    if constexpr (std::is_integral<T>::value)
        switch (operation) {
        case INC: return old >= b ? 0 : (T)(old + 1);
        case DEC: return old == 0 || old > b ? b : (T)(old - 1);
        case AND: return old & b;
        case OR: return old | b;
        case XOR: return old ^ b;
        default: break;
        }
    return old;
}
template <class T> Pair<T> changed(uint32_t operation, Pair<T> old, Pair<T> b, Pair<T>)
{
    return { changed(operation, old.low, b.low, b.low),
             changed(operation, old.high, b.high, b.high) };
}

template <class T> void atom(const Instruction &in, Operands &o)
{
    unsigned first = in.detail[1];
    T *p = (T *)o.object(first, (Space)in.detail[2]);
    T b = as<T>(o.bits(first + 1)), c = in.detail[0] == CAS ? as<T>(o.bits(first + 2)) : b;
    Atomic how = in.detail[0] == CAS ? Atomic::swap
               : in.detail[0] == EXCH || (std::is_integral<T>::value && sizeof(T) == 4)
                   ? Atomic::native
                   : Atomic::loop;

    T old;
    {
        Releasing released(o.w, in.detail[3] ? scope_of(in) : Scope::thread);
        old = update(o.w, p, o.pc, how, scope_of(in),
                     [&](T v) { return changed(in.detail[0], v, b, c); });
    }
    if (in.detail[1])
        o.write(0, bits_of(old));
    if (in.detail[4])
        acquire(o.w, (uintptr_t)p, scope_of(in));
}

Handler *atom_of(const Instruction &in)
{
    static const char *const names[] = { "add", "min", "max", "inc",  "dec",
                                         "and", "or",  "xor", "exch", "cas" };
    bool has_result = in.parts[0] == "atom";

    in.detail[0] = OPERATIONS;
    for (uint32_t i = 0; i < OPERATIONS; i++)
        if (in.has(names[i]))
            in.detail[0] = i;
    if (!has_only(in, "add min max inc dec and or xor exch cas relaxed acquire release acq_rel cta "
                      "cluster gpu sys global shared shared::cta shared::cluster noftz L2::"))
        return nullptr;
    size_t count = 2u + has_result + (in.detail[0] == CAS);
    if (in.detail[0] == OPERATIONS || in.has("async") || in.operands.size() < count ||
        in.operands[has_result].kind != Kind::memory ||
        in.operands[has_result + 1].values.size() > 1)
        return nullptr;
    in.detail[1] = has_result;
    in.detail[2] = (uint32_t)in.space();
    in.detail[3] = in.has("release") || in.has("acq_rel");
    in.detail[4] = in.has("acquire") || in.has("acq_rel");
    Handler *h = with_integer(type_of(in), [](auto t) -> Handler * { return atom<decltype(t)>; });
    return h ? h : with_float(type_of(in), [](auto t) -> Handler * { return atom<decltype(t)>; });
}

// ---- fences and addresses ----

void fence(const Instruction &in, Operands &o)
{
    fence(o.w, scope_of(in), !in.has("release"), !in.has("acquire"));
}
Handler *fence_of(const Instruction &in)
{
    bool has_scope = false;

    for (const char *scope : { "cta", "cluster", "gpu", "gl", "sys" })
        has_scope |= in.has(scope);
    return has_scope && has_only(in, "sc acq_rel acquire release cta cluster gpu gl sys", 0)
             ? (Handler *)fence
             : nullptr;
}

void copy(const Instruction &, Operands &o) { o.write(0, o.bits(1)); }
void to_shared(const Instruction &, Operands &o)
{
    if (!in_shared(o.w, o.u64(1)) && !in_cluster(o.w, o.u64(1)))
        o.fail("the address is not one in shared memory");
    o.write(0, shared_offset(o.w, (const void *)o.u64(1)));
}
void from_shared(const Instruction &, Operands &o)
{
    o.write(0, (uint64_t)shared_pointer(o.w, o.u32(1)));
}
Handler *cvta_of(const Instruction &in)
{
    if (in.space() != Space::shared && in.space() != Space::cluster)
        return copy;
    return in.has("to") ? to_shared : from_shared;
}
void isspacep(const Instruction &in, Operands &o)
{
    uintptr_t a = o.u64(1);

    switch (in.space()) {
    case Space::shared: return o.write(0, in_shared(o.w, a));
    case Space::cluster: return o.write(0, in_shared(o.w, a) || in_cluster(o.w, a));
    case Space::constant: return o.write(0, in_image(a) == Image::constant);
    case Space::local: return o.write(0, a - o.w.stack_low < STACK_BYTES);
    default: o.write(0, in_heap(a) || in_image(a) == Image::device);
    }
}

// ---- asynchronous copies ----

// cp.async.cg.shared.global [to], [from], 16, source_bytes or ignored; detail: [0] bypasses L1, [1]
// operands without the cache policy
void cp_async(const Instruction &in, Operands &o)
{
    uint32_t size = o.u32(2), read = size;

    if (in.detail[1] > 3 && in.operands[3].values[0].bits == 1)
        read = o.predicate(3) ? 0 : size;
    else if (in.detail[1] > 3)
        read = std::min(o.u32(3), size);
    if (in.detail[0] && size != 16)
        o.fail("a copy that bypasses L1 has 16 bytes, not " + std::to_string(size));
    pipeline_copy(o.w, (uintptr_t)o.object(0, Space::shared), o.address(1), size, size - read,
                  o.pc);
}
void commit(const Instruction &, Operands &o) { pipeline_commit(o.w, o.pc); }
void wait_group(const Instruction &, Operands &o) { pipeline_wait(o.w, o.u32(0), o.pc); }
void wait_all(const Instruction &, Operands &o)
{
    pipeline_commit(o.w, o.pc);
    pipeline_wait(o.w, 0, o.pc);
}
Handler *cp_async_of(const Instruction &in)
{
    if (in.name == "cp.async.commit_group")
        return commit;
    if (in.name == "cp.async.wait_group" && in.operands.size() == 1)
        return wait_group;
    if (in.name == "cp.async.wait_all")
        return wait_all;
    in.detail[0] = in.has("cg");
    if (!has_only(in, "async ca cg shared shared::cta global L2::", 0))
        return nullptr;
    bool is_copy = (in.has("ca") || in.has("cg")) && in.has("global") &&
                   in.space() == Space::shared && in.operands.size() >= 3 &&
                   in.operands[0].kind == Kind::memory && in.operands[1].kind == Kind::memory;
    in.detail[1] = (uint32_t)in.operands.size() - in.has("L2::cache_hint");
    return is_copy ? cp_async : nullptr;
}

void nothing(const Instruction &, Operands &) {}
void policy(const Instruction &, Operands &o) { o.write(0, 0); }

template <Handler *H> Handler *always(const Instruction &) { return H; }

}   // namespace

static const Opcode all[] = {
    { "ld", ld_of },
    { "ldu", ld_of },
    { "st", st_of },
    { "atom", atom_of },
    { "red", atom_of },
    { "membar", fence_of },
    { "fence", fence_of },
    { "cvta", cvta_of },
    { "isspacep", always<isspacep> },
    { "cp.async", cp_async_of },
    // Hints: no effect on what is counted.
    { "prefetch", always<nothing> },
    { "prefetchu", always<nothing> },
    { "applypriority", always<nothing> },
    { "createpolicy", always<policy> },
};

}   // namespace ptx
}   // namespace emu
