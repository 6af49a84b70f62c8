// Runs inline PTX for one lane (ptx.h), and translates addresses of shared memory.
#include <alloca.h>

#include <atomic>
#include <mutex>
#include <unordered_map>

#include "ptx.h"
#include "include/cuda_runtime.h"
#include "exec/exec.h"
#include "lanes/cluster.h"
#include "lanes/log.h"
#include "order/memory.h"
#include "order/shared.h"
#include "report/report.h"

namespace emu {

// ---- addresses of shared memory ----

uint32_t shared_offset(const Worker &w, const void *p)
{
    const Worker *of = w.cluster ? owner_of((Worker &)w, (uintptr_t)p) : &w;

    return (uint32_t)((const char *)p - (of ? of : &w)->arena) + SHARED_WINDOW +
           (of && of != &w ? (of->rank + 1) << RANK_BITS : 0);
}

void *shared_pointer(const Worker &w, uint32_t offset)
{
    unsigned rank = (offset >> RANK_BITS) - 1;

    if (offset >> RANK_BITS && w.cluster && rank < w.cluster->count)
        return w.cluster->block[rank]->arena + (offset & ((1u << RANK_BITS) - 1)) - SHARED_WINDOW;
    return w.arena + (int64_t)offset - SHARED_WINDOW;
}

namespace ptx {

// ---- special registers ----

static const SpecialRegister *registers;

SpecialRegister::SpecialRegister(const char *name_, unsigned bits_, uint64_t (*read_)(Worker &))
    : name(name_), bits(bits_), read(read_), next(registers)
{
    registers = this;
}

// Index 0 is the register that was registered first, so that indices do not change.
static const SpecialRegister *special_of(unsigned index)
{
    unsigned n = 0;

    for (const SpecialRegister *r = registers; r; r = r->next)
        n++;
    const SpecialRegister *r = registers;
    for (n--; n > index; n--)
        r = r->next;
    return r;
}

int special_index(const std::string &name, unsigned *bits)
{
    int n = 0, found = -1;

    for (const SpecialRegister *r = registers; r; r = r->next, n++)
        if (found < 0 && name == r->name) {
            found = n;
            *bits = r->bits;
        }
    return found < 0 ? -1 : n - 1 - found;
}

uint64_t special_value(unsigned index, Worker &w)
{
    static std::vector<uint64_t (*)(Worker &)> *table = [] {
        auto *all = new std::vector<uint64_t (*)(Worker &)>;
        unsigned n = 0;
        for (const SpecialRegister *r = registers; r; r = r->next)
            n++;
        for (unsigned i = 0; i < n; i++)
            all->push_back(special_of(i)->read);
        return all;
    }();
    return (*table)[index](w);
}

#define SPECIAL(id, name, bits, value) \
    static const SpecialRegister id(name, bits, [](Worker &w) -> uint64_t { return value; });
#define SPECIAL_VECTOR(id, name, value)     \
    SPECIAL(id##_x, name ".x", 32, value.x) \
    SPECIAL(id##_y, name ".y", 32, value.y) \
    SPECIAL(id##_z, name ".z", 32, value.z)

static unsigned lane_of(const Worker &w) { return w.current->id % WARP; }
SPECIAL_VECTOR(tid, "%tid", w.current->thread)
SPECIAL_VECTOR(ntid, "%ntid", w.launch->block)
SPECIAL_VECTOR(ctaid, "%ctaid", w.block_index)
SPECIAL_VECTOR(nctaid, "%nctaid", w.launch->grid)
SPECIAL(laneid, "%laneid", 32, lane_of(w))
SPECIAL(warpid, "%warpid", 32, w.current->id / WARP)
SPECIAL(nwarpid, "%nwarpid", 32, ((void)w, 64))
SPECIAL(smid, "%smid", 32, w.index)
SPECIAL(nsmid, "%nsmid", 32, ((void)w, 132))
SPECIAL(gridid, "%gridid", 64, w.launch->id)
SPECIAL(lanemask_eq, "%lanemask_eq", 32, 1u << lane_of(w))
SPECIAL(lanemask_lt, "%lanemask_lt", 32, (1u << lane_of(w)) - 1)
SPECIAL(lanemask_le, "%lanemask_le", 32, ((1u << lane_of(w)) - 1) << 1 | 1)
SPECIAL(lanemask_gt, "%lanemask_gt", 32, ~(((1u << lane_of(w)) - 1) << 1 | 1))
SPECIAL(lanemask_ge, "%lanemask_ge", 32, ~((1u << lane_of(w)) - 1))
SPECIAL(clock32, "%clock", 32, read_clock(w))
SPECIAL(clock_hi, "%clock_hi", 32, read_clock(w) >> 32)
SPECIAL(clock_64, "%clock64", 64, read_clock(w))
SPECIAL(globaltimer, "%globaltimer", 64, read_clock(w))
SPECIAL(globaltimer_lo, "%globaltimer_lo", 32, read_clock(w))
SPECIAL(globaltimer_hi, "%globaltimer_hi", 32, read_clock(w) >> 32)
SPECIAL(dynamic_smem, "%dynamic_smem_size", 32, w.launch->dynamic_shared)
SPECIAL(total_smem, "%total_smem_size", 32, w.shared.static_bytes + w.launch->dynamic_shared)
// A launch without clusters has clusters of one block.
#define SPECIAL_OF_CLUSTER(id, name, value)                                                       \
    SPECIAL(id##_x, name ".x", 32, value(w.block_index.x, w.launch->cluster.x, w.launch->grid.x)) \
    SPECIAL(id##_y, name ".y", 32, value(w.block_index.y, w.launch->cluster.y, w.launch->grid.y)) \
    SPECIAL(id##_z, name ".z", 32, value(w.block_index.z, w.launch->cluster.z, w.launch->grid.z))
static unsigned cluster_id(unsigned block, unsigned size, unsigned) { return block / size; }
static unsigned clusters(unsigned, unsigned size, unsigned grid) { return grid / size; }
static unsigned cluster_ctaid(unsigned block, unsigned size, unsigned) { return block % size; }
SPECIAL_OF_CLUSTER(clusterid, "%clusterid", cluster_id)
SPECIAL_OF_CLUSTER(nclusterid, "%nclusterid", clusters)
SPECIAL_OF_CLUSTER(cluster_ctaid, "%cluster_ctaid", cluster_ctaid)
SPECIAL_VECTOR(cluster_nctaid, "%cluster_nctaid", w.launch->cluster)
SPECIAL(cluster_ctarank, "%cluster_ctarank", 32, w.rank)
SPECIAL(cluster_nctarank, "%cluster_nctarank", 32, cluster_blocks(*w.launch))
SPECIAL(is_explicit_cluster, "%is_explicit_cluster", 1, w.launch->has_clusters)

// ---- call sites ----

// Call sites that do not exist in the code: they stand for later instructions of a statement. A
// call has at least four bytes, so no other call returns to one of the three bytes after it.
static std::mutex sites_lock;

static uintptr_t site_of(uintptr_t pc, unsigned site)
{
    if (site == 0)
        return pc;
    std::atomic<uint64_t> *spot = spots + (pc - (uintptr_t)&__executable_start);
    uint64_t s = spot[0].load(std::memory_order_acquire);

    if (spot[site].load(std::memory_order_relaxed) != s) {
        std::lock_guard<std::mutex> hold(sites_lock);
        note_site(pc + site, pc);
        spot[site].store(s, std::memory_order_release);
    }
    return pc + site;
}

// ---- for handlers ----

void Operands::fail(const std::string &what) const
{
    emu::fail(w, in.name + ": " + what, pc);
    __builtin_unreachable();   // the launch has stopped
}

void *Operands::object(unsigned i, Space space) const
{
    uint64_t a = address(i);

    if (space != Space::shared && space != Space::cluster)
        return (void *)a;
    if (a >> 32)
        fail("the address is not an offset in shared memory; use __cvta_generic_to_shared()");
    uintptr_t p = (uintptr_t)shared_pointer(w, (uint32_t)a);
    bool is_own = in_shared(w, p);
    if (!is_own && !in_cluster(w, p))
        fail("out of bounds: the block has no shared memory at address " + std::to_string(a));
    if (!is_own && space == Space::shared)
        fail("the address is in another block of the cluster: this needs .shared::cluster");
    return (void *)p;
}

void access(Operands &o, void *address, unsigned size, unsigned how)
{
    access_at((uintptr_t)address, size, how & WRITE_ACCESS, how & VOLATILE_ACCESS, o.pc);
}

void atomic_access(Operands &o, void *address, unsigned size, unsigned how, Scope scope)
{
    atomic_access_at((uintptr_t)address, size, how & WRITE_ACCESS, scope, true, o.pc);
}

void collect(Operands &o, unsigned mask, void *data, Collective *act)
{
    Gathered g = { data, act };

    exchange(Exchange::collective, mask, (uint64_t)&g, o.pc);
}

// ---- statements ----

// Programs are kept here and not in the statement, which belongs to the program that is run: code
// that is graded must not be able to replace them.
static const Program &program_of(const emu_ptx_statement *s)
{
    struct Recent {
        const emu_ptx_statement *statement;
        const Program *program;
    };
    static __thread Recent recent[256];
    static std::mutex lock;
    static std::unordered_map<const emu_ptx_statement *, Program *> all;
    Recent &r = recent[(uintptr_t)s / sizeof *s % 256];

    if (r.statement == s)
        return *r.program;
    std::lock_guard<std::mutex> hold(lock);
    Program *&p = all[s];
    if (!p)
        p = parse(s->text, s->constraints);
    r = { s, p };
    return *p;
}

// Places are written without a check, so they have to be the thread's own variables.
static void check_places(Worker &w, const Program &p, const uint64_t *slots, uintptr_t pc)
{
    for (unsigned i = 0; i < p.places; i++)
        if (slots[i] - w.stack_low > STACK_BYTES - sizeof(uint64_t))
            fail(w, "inline PTX: an operand of wgmma.mma_async is not a local variable", pc);
}

static void run(const emu_ptx_statement *statement, uint64_t *slots, size_t slot_count,
                uintptr_t pc)
{
    Worker &w = on_device((void *)pc);
    const Program &p = program_of(statement);

    if (!p.error.empty())
        fail(w, "inline PTX: " + p.error, pc);
    check_places(w, p, slots, pc);
    uint64_t *variables = slots;
    if (p.variables > slot_count) {
        variables = (uint64_t *)alloca(p.variables * sizeof *variables);
        memcpy(variables, slots, slot_count * sizeof *variables);
        memset(variables + slot_count, 0, (p.variables - slot_count) * sizeof *variables);
    }
    for (uint32_t n = 0; n < p.code.size();) {
        const Instruction &in = p.code[n];
        Operands o = { w, *w.current, in, pc, variables, n + 1 };

        if (in.is_guarded && (o.value(in.guard) & 1) == in.is_guard_negated) {
            n++;
            continue;
        }
        if (!in.handler)
            fail(w, "inline PTX: the CPU device does not execute " + in.name, pc);
        if (in.site)
            o.pc = site_of(pc, in.site);
        in.handler(in, o);
        n = o.next;
    }
    if (variables != slots)
        memcpy(slots, variables, slot_count * sizeof *variables);
}

}   // namespace ptx
}   // namespace emu

#define RUN(n)                                                                                   \
    emu_ptx_slots<n> emu_ptx_run_##n(const emu_ptx_statement *statement, emu_ptx_slots<n> slots) \
    {                                                                                            \
        emu::ptx::run(statement, slots.slot, n, (uintptr_t)__builtin_return_address(0));         \
        return slots;                                                                            \
    }
extern "C" {

RUN(4)
RUN(8)
RUN(16)
RUN(32)
RUN(64)
RUN(272)

unsigned emu_shared_offset(const void *p)
{
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    emu::Worker &w = emu::on_device((void *)pc);

    if (!emu::in_shared(w, (uintptr_t)p) && !emu::in_cluster(w, (uintptr_t)p))
        emu::fail(w, "__cvta_generic_to_shared of an address that is not shared memory", pc);
    return emu::shared_offset(w, p);
}

void *emu_shared_pointer(size_t offset)
{
    return emu::shared_pointer(emu::on_device(__builtin_return_address(0)), (uint32_t)offset);
}

int emu_is_in(const void *p, enum emu_space space)
{
    emu::Worker &w = emu::on_device(__builtin_return_address(0));
    uintptr_t a = (uintptr_t)p;

    switch (space) {
    case EMU_IN_SHARED: return emu::in_shared(w, a);
    case EMU_IN_CONSTANT: return emu::in_image(a) == emu::Image::constant;
    case EMU_IN_LOCAL: return a - w.stack_low < emu::STACK_BYTES;
    case EMU_IN_GLOBAL: return emu::in_heap(a) || emu::in_image(a) == emu::Image::device;
    }
    return 0;
}
}
