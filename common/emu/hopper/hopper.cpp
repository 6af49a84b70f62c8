// Order of asynchronous operations: vector clocks of threads, the operations that read or wrote
// each granule of shared memory, and lanes that wait. hopper.h describes them.
#include "hopper.h"

#include <algorithm>
#include <cstring>

#include "lanes/log.h"
#include "order/shared.h"
#include "report/report.h"

namespace emu::hopper {

constexpr unsigned POLLS = 3;            // failed polls before copies land for a thread that polls
constexpr unsigned MOST_POLLS = 1000;    // without progress, before this is a deadlock
constexpr uint32_t RESTART = 1u << 31;   // numbers of operations restart beyond it

bool lands_at_issue()
{
    is_asynchronous.store(true, std::memory_order_relaxed);
    return lands_early;
}

uint32_t time_of(const Block &b, uint64_t time)
{
    return time > b.origin ? (uint32_t)(time - b.origin) : 0;
}

// The clock is that of the block that runs; the others of its cluster follow it.
uint32_t now(Worker &w) { return time_of(*w.asyncs, ++worker->time); }

static void join(Times &to, const Times &from)
{
    if (to.size() < from.size())
        to.resize(from.size());
    uint32_t *a = to.data();
    const uint32_t *b = from.data();
    for (size_t i = 0; i < from.size(); i++)
        a[i] = std::max(a[i], b[i]);
}

typedef std::shared_ptr<const Times> Shared;

// Threads that know the same join the same: so the last result is kept.
static void join(Shared &to, const Shared &from)
{
    static __thread struct Last {
        Shared to, from, both;
    } * last;

    if (to == from || !from)
        return;
    if (!to) {
        to = from;
        return;
    }
    if (!last)
        last = new Last;
    if (last->to != to || last->from != from) {
        Times both = *to;
        join(both, *from);
        *last = { to, from,
                  both == *to     ? to
                  : both == *from ? from
                                  : std::make_shared<const Times>(std::move(both)) };
    }
    to = last->both;
}

void join(Clock &to, const Clock &from)
{
    join(to.own, from.own);
    if (to.peers.size() < from.peers.size())
        to.peers.resize(from.peers.size());
    for (size_t i = 0; i < from.peers.size(); i++)
        join(to.peers[i], from.peers[i]);
}

void Clock::clear()
{
    std::fill(own.begin(), own.end(), 0);
    peers.clear();
}

static const Times &about(const Clock &c, const Block &of, const Block &block)
{
    static const Times nothing;

    if (&of == &block)
        return c.own;
    return block.rank < c.peers.size() && c.peers[block.rank] ? *c.peers[block.rank] : nothing;
}

const Times &seen_of(const Block &of, unsigned thread, const Block &block)
{
    return about(of.seen[thread], of, block);
}

const Times &proxied_of(const Block &of, unsigned thread, const Block &block)
{
    return about(of.proxied[thread], of, block);
}

Clock for_block(const Clock &c, const Block &of, const Block &to)
{
    Clock there;

    there.own = about(c, of, to);
    there.peers = c.peers;
    there.peers.resize(MAX_CLUSTER);
    there.peers[to.rank].reset();
    there.peers[of.rank] = std::make_shared<const Times>(c.own);
    return there;
}

// Accesses before the block's last barrier, and before a __syncwarp of two lanes, are ordered.
static void begin_clocks(Worker &w, Block &b)
{
    b.origin = (w.cluster ? w.cluster->block[0] : &w)->order.barrier - 1;
    b.seen.resize(b.threads);
    b.proxied.resize(b.threads);
    for (unsigned t = 0; t < b.threads; t++) {
        const Warp &warp = w.warps[t / WARP];

        b.seen[t].own.reserve(b.threads + 32);
        b.proxied[t].own.reserve(b.threads + 32);
        b.seen[t].own.assign(b.threads, 1);
        b.proxied[t].own.assign(b.threads, 0);
        b.seen[t].peers.clear();
        b.proxied[t].peers.clear();
        for (unsigned i = 0; i < warp.lanes; i++) {
            uint64_t both = warp.pair_sync ? warp.pair_sync[t % WARP][i] : 0;
            uint32_t &seen = b.seen[t][warp.index * WARP + i];
            seen = std::max({ seen, time_of(b, warp.full_sync), time_of(b, both) });
        }
    }
}

Block::Block()
    : origin(0), threads(0), has_woken(false), waiting(0), first(1), free_registers(0), rank(0)
{
    granules.resize(ARENA / GRANULE + 1);
    barrier_at.resize(ARENA / 8 + 1);
    begin_copies(*this);
    begin_products(*this);
}

Block &block_of(Worker &w)
{
    if (w.asyncs)
        return *w.asyncs;
    if (!w.spare_asyncs)
        w.spare_asyncs = new Block;
    Block &b = *w.spare_asyncs;
    b.threads = w.threads;
    b.waiters.assign(w.threads, Waiter{});
    b.registers.clear();
    b.changes.clear();
    b.cluster_phase.assign(w.threads, 0);
    b.may_wait.assign(w.threads, false);
    b.rank = w.rank;
    for (unsigned i = 0; i < MAX_WARPS; i++) {
        b.converged[i].clear();
        b.converging[i] = 0;
    }
    for (Named &n : b.named)
        n = Named{};
    begin_clocks(w, b);
    w.asyncs = &b;
    return b;
}

// Also after a launch that was stopped.
void begin_block(Worker &w)
{
    Block *b = w.asyncs;

    for (const Barrier &barrier : b->barriers)
        b->barrier_at[barrier.offset / 8] = 0;
    b->barriers.clear();
    b->first += (uint32_t)b->operations.size();
    b->operations.clear();
    b->late.clear();
    b->waiting = 0;
    b->has_woken = false;
    if (b->first > RESTART) {
        std::fill(b->granules.begin(), b->granules.end(), Granule{});
        b->first = 1;
    }
    b->remote.clear();
    begin_copies(*b);
    begin_products(*b);
    w.has_products = false;
    w.asyncs = nullptr;
}

void end_block(Worker &w)
{
    end_products(w);
    end_registers(w);
    end_arrivals(w);
    end_copies(w);
    begin_block(w);
}

Block &enter(Worker &w, uintptr_t pc)
{
    serve_log(w);
    w.current->pc = pc;
    return block_of(w);
}

uint32_t shared_range(Worker &of, const void *at, size_t bytes, size_t alignment, const char *what,
                      uintptr_t pc)
{
    Worker &w = *worker;
    size_t offset = (uintptr_t)at - (uintptr_t)of.arena;

    if (!in_shared(of, (uintptr_t)at))
        fail(w, std::string(what) + " at an address that is not shared memory", pc);
    if (offset % alignment)
        fail(w,
             std::string(what) + " at an address that is " + std::to_string(offset % alignment) +
                 " past a multiple of " + std::to_string(alignment),
             pc);
    std::string wrong = shared_out_of_bounds(of, offset, bytes);
    if (!wrong.empty())
        fail(w, std::string(what) + ": " + wrong, pc);
    return (uint32_t)offset;
}

// ---- order of threads ----

void release(Worker &w, const Lane &lane)
{
    Block &b = *w.asyncs;

    b.seen[lane.id][lane.id] = now(w);
    end_epoch(w.warps[lane.id / WARP]);
}

bool is_ordered(const Worker &w, const Lane &lane, unsigned thread, uint64_t time)
{
    const Block &b = *w.asyncs;
    return b.seen[lane.id][thread] > time_of(b, time);
}

template <class Members> static void synchronize(Worker &w, const Members &members)
{
    Block &b = *w.asyncs;
    Clock seen, proxied;
    uint32_t time = now(w);

    for (unsigned t : members) {
        join(seen, b.seen[t]);
        join(proxied, b.proxied[t]);
    }
    for (unsigned t : members)
        seen[t] = time;
    for (unsigned t : members) {
        b.seen[t] = seen;
        b.proxied[t] = proxied;
    }
}

void after_barrier(Worker &w)
{
    std::vector<unsigned> all(w.threads);

    for (unsigned t = 0; t < w.threads; t++)
        all[t] = t;
    synchronize(w, all);
}

void after_syncwarp(Worker &w, const Warp &warp, unsigned mask)
{
    std::vector<unsigned> lanes;

    for (; mask; mask &= mask - 1)
        lanes.push_back(warp.index * WARP + (unsigned)__builtin_ctz(mask));
    synchronize(w, lanes);
}

void fence_proxy_async(uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    Block &b = enter(w, site(pc, __builtin_return_address(0)));
    unsigned self = w.current->id;

    release(w, *w.current);
    join(b.proxied[self], b.seen[self]);
}

void fence_mbarrier_init(uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    Block &b = enter(w, site(pc, __builtin_return_address(0)));

    for (Barrier &barrier : b.barriers)
        if (barrier.thread == w.current->id && !barrier.is_fenced) {
            barrier.is_fenced = true;
            barrier.fenced = b.named[CLUSTER_BARRIER].phase;
        }
}

// ---- operations ----

uint32_t issue(Worker &w, Operation &&op)
{
    Block &b = *w.asyncs;

    op.issued = now(w);
    b.operations.push_back(op);
    return b.first + (uint32_t)b.operations.size() - 1;
}

static bool product_is_visible(const Block &b, const Operation &op, const Times &seen,
                               unsigned thread)
{
    for (unsigned i = 0; i < 4; i++) {
        unsigned first = op.thread + i * WARP;

        if (!op.waited[i])
            continue;
        if (thread / WARP == first / WARP)
            return true;
        for (unsigned v = first; v < std::min(first + WARP, b.threads); v++)
            if (time_in(seen, v) >= op.waited[i])
                return true;
    }
    return false;
}

bool is_visible(const Block &of, const Operation &op, const Block &by, unsigned thread)
{
    const Times &seen = seen_of(by, thread, of);
    unsigned self = &of == &by ? thread : MAX_THREADS;   // none of the block's

    switch (op.kind) {
    case Kind::load: return op.has_landed && time_in(seen, of.threads + op.barrier) > op.phase;
    case Kind::transfer: {
        const Block &home = *worker->cluster->block[op.home]->asyncs;
        const Times &there = seen_of(by, thread, home);

        return op.has_landed && time_in(there, home.threads + op.barrier) > op.phase;
    }
    case Kind::store:
        return op.waited[0] && (self == op.thread || time_in(seen, op.thread) >= op.waited[0]);
    default: return product_is_visible(of, op, seen, self);
    }
}

// Does an operation that writes use any of these bytes of a granule that it writes?
static bool touches(const Operation &op, size_t offset, size_t size)
{
    return op.bytes.start == op.bytes.end ||
           (offset < op.bytes.end && offset + size > op.bytes.start);
}

static std::string name_of(const Worker &w, size_t offset)
{
    return shared_name(w, (uintptr_t)w.arena + offset);
}

const char *name_of(const Operation &op)
{
    switch (op.kind) {
    case Kind::transfer: return "a bulk copy to another block";
    case Kind::load: return "a bulk copy to shared memory";
    case Kind::store: return "a bulk copy from shared memory";
    default: return "a product of a warpgroup";
    }
}

static std::string starter(const Worker &w, const Operation &op)
{
    if (op.kind == Kind::product)
        return "started here by the warpgroup of " + thread_name(w, op.thread);
    if (op.issuer != w.rank)
        return "started here by " + thread_name(*w.cluster->block[op.issuer], op.thread) +
               " of block " + std::to_string(op.issuer) + " of the cluster";
    return "started here by " + thread_name(w, op.thread);
}

// What a thread of the block `by` has not done that conflicts with an operation of the other one.
static std::string missing_wait(Worker &of, const Operation &op, const Worker &by, unsigned thread)
{
    if (op.kind == Kind::load || op.kind == Kind::transfer) {
        Worker &w = of.cluster ? *of.cluster->block[op.home] : of;
        const Barrier &barrier = w.asyncs->barriers[op.barrier];
        uint32_t known =
            time_in(seen_of(*by.asyncs, thread, *w.asyncs), w.asyncs->threads + op.barrier);

        return "this thread has not waited for phase " + std::to_string(op.phase) + " of " +
               barrier_name(w, barrier) +
               (known ? ", only for phase " + std::to_string(known - 1) : "");
    }
    if (op.kind == Kind::store)
        return op.waited[0] ? "nothing orders it after the wait of that thread"
                            : "its thread has not waited for its bulk group";
    return op.waited[0] | op.waited[1] | op.waited[2] | op.waited[3]
             ? "nothing orders it after the wait of that warpgroup"
             : "its warpgroup has not waited for it";
}

static void report_conflict(Worker &of, Worker &by, const char *verb, size_t offset,
                            const Operation &op, const Lane &lane, uintptr_t pc)
{
    const char *how = op.kind == Kind::load ? ", which " : ", while ";

    report({ std::string("race: ") + verb + " " + name_of(of, offset) + how + name_of(op) +
                 (op.kind == Kind::load ? " writes: " : " may read it: ") +
                 missing_wait(of, op, by, lane.id),
             pc, starter(of, op), op.pc, where(by, lane) });
}

static void check_barrier_bytes(Worker &of, Worker &by, const Lane &lane, size_t offset,
                                size_t size, bool writes, uintptr_t pc)
{
    Block &b = *of.asyncs;

    for (size_t i = offset / 8; i <= (offset + size - 1) / 8; i++)
        if (uint16_t index = b.barrier_at[i])
            if (b.barriers[index - 1].is_live)
                report({ std::string(writes ? "write of " : "read of ") +
                             barrier_name(of, b.barriers[index - 1]) +
                             ", which is initialized: only mbarrier instructions may access it",
                         pc, "initialized here", b.barriers[index - 1].pc, where(by, lane) });
}

void check_operations(Worker &of, Worker &by, const Lane &lane, size_t offset, size_t size,
                      bool writes, uintptr_t pc)
{
    Block &b = *of.asyncs;

    if (!b.barriers.empty())
        check_barrier_bytes(of, by, lane, offset, size, writes, pc);
    for (size_t g = offset / GRANULE; g <= (offset + size - 1) / GRANULE; g++) {
        const Granule &at = b.granules[g];

        if (at.writer >= b.first && !is_visible(b, b.operation(at.writer), *by.asyncs, lane.id) &&
            touches(b.operation(at.writer), offset, size))
            report_conflict(of, by, writes ? "write of" : "read of", offset, b.operation(at.writer),
                            lane, pc);
        for (unsigned k = 0; writes && k < READERS; k++)
            if (at.reader[k] >= b.first &&
                !is_visible(b, b.operation(at.reader[k]), *by.asyncs, lane.id))
                report_conflict(of, by, "write of", offset, b.operation(at.reader[k]), lane, pc);
    }
}

void shared_access(Worker &w, const Warp &warp, const Request &r, const Stop &head, bool writes)
{
    for (unsigned i = 0; i < r.lanes; i++) {
        const Lane &lane = warp.lane[r.lane[i]];
        size_t offset = r.address[i] - (uintptr_t)w.arena;

        if (!w.asyncs->remote.empty())
            check_remote({ w, w, lane, (uint32_t)offset, r.size, writes, head.kind == EMU_ATOMIC,
                           head.is_volatile, nullptr, head.pc });
        check_operations(w, w, lane, offset, r.size, writes, head.pc);
    }
}

namespace {

enum Verdict { FINE, UNORDERED, NO_FENCE };

// Were all lanes of a thread's warp at one wgmma.wait_group after a read at `time`, and then one of
// them released to `lane`?
bool has_read(const Worker &w, const Times &seen, unsigned thread, uint32_t time)
{
    const Warp &warp = w.warps[thread / WARP];
    const std::vector<uint32_t> &times = w.asyncs->converged[warp.index];
    auto after = std::upper_bound(times.begin(), times.end(), time);

    if (after == times.end())
        return false;
    for (unsigned i = 0; i < warp.lanes; i++)
        if (time_in(seen, warp.index * WARP + i) > *after)
            return true;
    return false;
}

// Judges accesses of threads before an operation of a lane, or of the lanes of a warpgroup. Of each
// warp, one lane must know of the access.
class Judge {
    Worker &w, &by;   // the blocks of the memory and of the lanes
    const Lane *const *lanes;
    unsigned count;
    Mark last{};
    bool last_writes = false;
    Verdict verdict = FINE;
    bool needs_fence;   // it accesses memory through the asynchronous proxy

    Verdict of(const Lane &lane, const Mark &m, bool writes) const
    {
        const Epoch &e = epoch_of(w, SHARED, m.epoch);
        uint32_t time = time_of(*w.asyncs, e.created);
        const Times &seen = seen_of(*by.asyncs, lane.id, *w.asyncs);
        bool is_own = &w == &by && m.thread == lane.id;

        if (!is_own && time_in(seen, m.thread) <= time &&
            (writes || !has_read(w, seen, m.thread, time)))
            return &w == &by && is_acquired(w, w.warps[lane.id / WARP], lane, e, m.thread)
                     ? FINE
                     : UNORDERED;
        const Times &proxied = proxied_of(*by.asyncs, lane.id, *w.asyncs);
        return needs_fence && writes && time_in(proxied, m.thread) <= time ? NO_FENCE : FINE;
    }

  public:
    Judge(Worker &of, Worker &other, const Lane *const *of_lanes, unsigned number, bool is_async)
        : w(of), by(other), lanes(of_lanes), count(number), needs_fence(is_async)
    {
    }

    Verdict operator()(const Mark &m, bool writes)
    {
        if (m.epoch == last.epoch && m.thread == last.thread && writes == last_writes)
            return verdict;
        last = m;
        last_writes = writes;
        verdict = FINE;
        for (unsigned i = 0; i < count && verdict == FINE;) {
            unsigned warp = lanes[i]->id / WARP;
            Verdict best = UNORDERED;

            for (; i < count && lanes[i]->id / WARP == warp; i++) {
                Verdict v = best == FINE ? FINE : of(*lanes[i], m, writes);
                best = v == FINE || best == UNORDERED ? v : best;
            }
            verdict = best;
        }
        return verdict;
    }
};

}   // namespace

static void report_mark(Worker &w, Worker &by, const Lane &lane, const char *verb,
                        const Operation &op, size_t offset, const Mark &m, Plane plane,
                        Verdict verdict)
{
    bool reads = plane == READ || plane == READ_LAST;
    std::string what = std::string(verb) + " " + name_of(w, offset);

    what = verdict == NO_FENCE
             ? "missing fence.proxy.async: " + std::string(name_of(op)) + " " + what +
                   ", which a thread has written: the fence belongs after the write"
             : "race: " + std::string(name_of(op)) + " " + what + ", which another thread has " +
                   (reads ? "read" : "written") + ", and nothing orders the two";
    report({ what, op.pc, (reads ? "read here by " : "written here by ") + thread_name(w, m.thread),
             pc_of(m), where(by, lane) });
}

// Judges the marks of accesses of threads to these bytes. Reads matter only to a writer.
static void check_marks(Worker &w, Worker &by, const Lane *const *lanes, unsigned count,
                        const Bytes &range, const Operation &op, bool writes)
{
    static const Plane planes[] = { WRITE, ATOMIC, ATOMIC_LAST, READ, READ_LAST };
    const char *verb = writes ? "writes" : "reads";
    bool is_generic = op.bytes.start < op.bytes.end;   // st.async
    Judge judge(w, by, lanes, count, !is_generic);

    if (!w.asyncs->remote.empty())
        check_remote({ w, by, *lanes[0], range.start, range.end - range.start, writes, false, false,
                       is_generic ? nullptr : &op, op.pc });

    for (size_t at = range.start; at < range.end;) {
        Page &p = w.shared.pages[at / PAGE_BYTES];
        size_t end = std::min<size_t>(range.end, (at / PAGE_BYTES + 1) * PAGE_BYTES);
        size_t first = at % PAGE_BYTES >> p.shift(), last = (end - 1) % PAGE_BYTES >> p.shift();

        for (Plane plane : planes) {
            bool stores = plane != READ && plane != READ_LAST;
            Mark *marks = p.marks[plane];
            // A barrier of this block orders reads with its threads, but not with others.
            uint32_t live = stores || &w != &by ? w.order.local.first : w.order.local.interval;

            if (!marks || !(stores || writes))
                continue;
            for (size_t c = first; c <= last; c++) {
                if (marks[c].epoch < live)
                    continue;
                if (Verdict v = judge(marks[c], stores))
                    report_mark(w, by, *lanes[0], verb, op,
                                at / PAGE_BYTES * PAGE_BYTES + (c << p.shift()), marks[c], plane,
                                v);
            }
        }
        // What follows is ordered after the operation, or is found to conflict with it.
        for (Mark *marks : p.marks)
            if (writes && marks)
                for (size_t c = first; c <= last; c++)
                    marks[c].epoch = 0;
        at = end;
    }
}

// Is the operation visible to a lane of each warp?
static bool is_visible_to(Worker &of, Worker &by, const Lane *const *lanes, unsigned count,
                          const Operation &op)
{
    for (unsigned i = 0; i < count;) {
        unsigned warp = lanes[i]->id / WARP;
        bool one = false;

        for (; i < count && lanes[i]->id / WARP == warp; i++)
            one = one || is_visible(*of.asyncs, op, *by.asyncs, lanes[i]->id);
        if (!one)
            return false;
    }
    return true;
}

static void check_operation(Worker &w, Worker &by, const Lane *const *lanes, unsigned count,
                            size_t granule, uint32_t earlier, const Operation &op, const char *verb)
{
    Block &b = *w.asyncs;
    const Operation &before = b.operation(earlier);
    bool wrote = before.kind == Kind::load;

    if (is_visible_to(w, by, lanes, count, before) ||
        (op.bytes.start < op.bytes.end &&
         !touches(before, op.bytes.start, op.bytes.end - op.bytes.start)))
        return;
    report({ std::string("race: ") + name_of(op) + " " + verb + " " +
                 name_of(w, granule * GRANULE) + (wrote ? ", which " : ", while ") +
                 name_of(before) + (wrote ? " writes: " : " may read it: ") +
                 missing_wait(w, before, by, lanes[0]->id),
             op.pc, starter(w, before), before.pc, where(by, *lanes[0]) });
}

void check_read(Worker &w, const Lane *const *lanes, unsigned count, const Bytes &range,
                uint32_t number, unsigned reader, const char *what)
{
    Block &b = *w.asyncs;
    const Operation &op = b.operation(number);
    size_t unwritten = shared_unwritten(w, range.start, range.end - range.start);
    uint32_t checked = 0;

    if (unwritten != ARENA)
        report({ "uninitialized read of " + name_of(w, unwritten) + " by " + what +
                     ", which no thread of the block has written",
                 op.pc, "", 0, where(w, *lanes[0]) });
    check_marks(w, w, lanes, count, range, op, false);
    for (size_t g = range.start / GRANULE; g < (range.end + GRANULE - 1) / GRANULE; g++) {
        Granule &at = b.granules[g];

        if (at.writer >= b.first && at.writer != checked)
            check_operation(w, w, lanes, count, g, checked = at.writer, op, "reads");
        at.reader[reader] = number;
    }
}

void check_granules(Worker &w, const Lane *const *lanes, unsigned count,
                    const std::vector<uint32_t> &granules, uint32_t number, unsigned reader,
                    const char *what)
{
    static const unsigned char all[GRANULE] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    Block &b = *w.asyncs;
    uint32_t visible = 0;   // the last writer that was found to be

    for (uint32_t g : granules) {
        const Page &p = w.shared.pages[g * GRANULE / PAGE_BYTES];
        Granule &at = b.granules[g];

        if (p.marks[WRITE] || p.marks[ATOMIC] || !b.remote.empty() ||
            memcmp(w.shared.bytes + g * GRANULE, all, GRANULE) != 0) {
            check_read(w, lanes, count, { g * GRANULE, (g + 1) * GRANULE }, number, reader, what);
        } else if (at.writer >= b.first && at.writer != visible) {
            check_operation(w, w, lanes, count, g, at.writer, b.operation(number), "reads");
            visible = at.writer;
        }
        at.reader[reader] = number;
    }
}

void check_write(Worker &w, Worker &by, const Lane &lane, const Bytes &range, uint32_t number)
{
    Block &b = *w.asyncs;
    const Operation &op = b.operation(number);
    const Lane *lanes[] = { &lane };
    uint32_t checked[READERS + 1] = {};

    for (size_t i = range.start / 8; i < (range.end + 7) / 8; i++)
        if (b.barrier_at[i] && b.barriers[b.barrier_at[i] - 1].is_live)
            fail(by, "a bulk copy overwrites " + barrier_name(w, b.barriers[b.barrier_at[i] - 1]),
                 op.pc);
    check_marks(w, by, lanes, 1, range, op, true);
    for (size_t g = range.start / GRANULE; g < (range.end + GRANULE - 1) / GRANULE; g++) {
        Granule &at = b.granules[g];

        if (at.writer >= b.first && at.writer != checked[READERS])
            check_operation(w, by, lanes, 1, g, checked[READERS] = at.writer, op, "writes");
        for (unsigned k = 0; k < READERS; k++)
            if (at.reader[k] >= b.first && at.reader[k] != checked[k])
                check_operation(w, by, lanes, 1, g, checked[k] = at.reader[k], op, "writes");
        at = Granule{};
        at.writer = number;
    }
}

// ---- lanes that wait ----

void wait(Worker &w, Wait what, uint32_t number)
{
    Block &b = *w.asyncs;
    Waiter &self = b.waiters[w.current->id];

    self.what = what;
    self.number = number;
    b.waiting++;
    park(w, State::waiting);
}

void wake(Worker &w, Lane &lane)
{
    Block &b = *w.asyncs;

    lane.state = State::ready;
    w.warps[lane.id / WARP].release(1u << lane.id % WARP);
    b.waiters[lane.id].what = Wait::none;
    b.waiting--;
    b.has_woken = true;
}

bool has_waiting(const Worker &w) { return w.asyncs->waiting || w.asyncs->has_woken; }

// Resumes threads that poll. Returns whether there were any that have polled less than `most`
// times.
static bool wake_pollers(Worker &w, unsigned most)
{
    Block &b = *w.asyncs;
    bool any = false;

    for (unsigned t = 0; t < b.threads; t++)
        if (b.waiters[t].what == Wait::poll && b.waiters[t].polls < most) {
            b.waiters[t].polls++;
            wake(w, w.lanes[t]);
            any = true;
        }
    return any;
}

// ---- deadlocks ----

static std::string number_of(size_t count, const char *what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// The block of a thread of the cluster, whose number contains the rank.
static Worker &block_of(Worker &w, unsigned thread)
{
    return w.cluster ? *w.cluster->block[thread / MAX_THREADS] : w;
}

// "thread (0,0,0)", and how many more there are.
static std::string names(Worker &w, const std::vector<unsigned> &threads)
{
    Worker &of = block_of(w, threads[0]);
    std::string text = thread_name(of, threads[0] % MAX_THREADS);

    if (&of != &w)
        text += " of block " + std::to_string(of.rank) + " of the cluster";

    if (threads.size() > 1)
        text += " and " + std::to_string(threads.size() - 1) + " more";
    return text;
}

static std::string place_name(uintptr_t pc)
{
    return "line " + std::to_string(places({ pc })[0].line);
}

// What a thread of the cluster is doing that could still arrive.
static std::string state_of(Worker &cluster, unsigned thread)
{
    Worker &w = block_of(cluster, thread);
    unsigned t = thread % MAX_THREADS;
    const Lane &lane = w.lanes[t];
    const Waiter &waiter = w.asyncs->waiters[t];

    switch (lane.state) {
    case State::exited: return "has exited";
    case State::barrier: return "waits at the barrier of " + place_name(lane.pc);
    case State::exchange: return "waits for lanes of its warp at " + place_name(lane.pc);
    default: break;
    }
    switch (waiter.what) {
    case Wait::phase:
    case Wait::poll:
        return "waits for phase " + std::to_string(waiter.phase) + " of " +
               barrier_name(w, w.asyncs->barriers[waiter.barrier]);
    case Wait::registers: return "waits for " + std::to_string(waiter.number) + " registers";
    case Wait::warpgroup: return "waits for its warpgroup";
    case Wait::cluster: return "waits at barrier.cluster.wait";
    default: return "can continue";
    }
}

static std::string state_of(Worker &w, const Barrier &barrier, uint32_t index)
{
    Block &b = *w.asyncs;
    std::vector<unsigned> waiting, late;
    std::string text = barrier_name(w, barrier) + ": phase " + std::to_string(barrier.phase) +
                       ", pending: " + std::to_string(barrier.pending) + " of " +
                       number_of(barrier.expected, "arrival") + ", " +
                       std::to_string(barrier.bytes) + " bytes";

    for (unsigned t = 0; t < b.threads; t++)
        if ((b.waiters[t].what == Wait::phase || b.waiters[t].what == Wait::poll) &&
            b.waiters[t].barrier == index)
            waiting.push_back(w.rank * MAX_THREADS + t);
    for (unsigned t : barrier.known)
        if (std::find(barrier.arrived.begin(), barrier.arrived.end(), t) == barrier.arrived.end())
            late.push_back(t);
    text += waiting.empty() ? "; no thread waits"
                            : "; " + names(w, waiting) + " wait" + (waiting.size() == 1 ? "s" : "");
    if (barrier.pending && late.empty())
        text +=
            barrier.known.empty() ? "; no thread has ever arrived" : "; all arrived that ever have";
    else if (barrier.pending)
        text += "; could still arrive: " + names(w, late) + ", which " + state_of(w, late[0]);
    else if (barrier.bytes < 0)
        text +=
            "; more bytes have arrived than are expected: a box counts as a whole, also what is "
            "outside the tensor";
    else if (barrier.bytes)
        text += "; no copy is in flight that would deliver them";
    return text;
}

static std::string why(Worker &w, const Lane &lane)
{
    const Waiter &waiter = w.asyncs->waiters[lane.id];

    switch (waiter.what) {
    case Wait::registers:
        return "setmaxnreg.inc waits for " + std::to_string(waiter.number) +
               " registers per thread, but the block's pool has only " +
               std::to_string(w.asyncs->free_registers) + " left, and no warp will release any";
    case Wait::warpgroup: return wgmma_waits(w, lane);
    case Wait::cluster: return "barrier.cluster.wait: not all threads of the cluster have arrived";
    default:
        return "waits for phase " + std::to_string(waiter.phase) + " of " +
               barrier_name(w, w.asyncs->barriers[waiter.barrier]) + ", which cannot complete";
    }
}

// Threads of the cluster that have not arrived at its barrier; "" if no thread waits there.
static std::string cluster_barrier_state(Worker &w)
{
    std::vector<unsigned> waiting, late;
    size_t arrived = 0;

    each_block(w, [&](Worker &of) {
        const Block &b = *of.asyncs;

        for (unsigned t = 0; t < b.threads; t++) {
            bool has_arrived = b.cluster_phase[t] > b.named[CLUSTER_BARRIER].phase;

            arrived += has_arrived;
            if (b.waiters[t].what == Wait::cluster)
                waiting.push_back(of.rank * MAX_THREADS + t);
            else if (!has_arrived && of.lanes[t].state != State::exited)
                late.push_back(of.rank * MAX_THREADS + t);
        }
    });
    if (waiting.empty())
        return "";
    return "\n        cluster barrier: " + number_of(arrived, "thread") + " arrived; " +
           names(w, waiting) + " wait" + (waiting.size() == 1 ? "s" : "") +
           (late.empty() ? ""
                         : "; not arrived: " + names(w, late) + ", which " + state_of(w, late[0]));
}

static void report_deadlock(Worker &w)
{
    const Lane *first = nullptr;
    Worker *block = nullptr;
    std::string lines;

    each_block(w, [&](Worker &of) {
        Block &b = *of.asyncs;

        for (unsigned t = 0; t < b.threads; t++)
            if (of.lanes[t].state == State::waiting && (!first || of.lanes[t].pc < first->pc)) {
                first = &of.lanes[t];
                block = &of;
            }
        for (uint32_t i = 0; i < b.barriers.size(); i++)
            if (b.barriers[i].is_live)
                lines +=
                    "\n        " +
                    (of.cluster ? "block " + std::to_string(of.rank) + " of the cluster: " : "") +
                    state_of(of, b.barriers[i], i);
    });
    lines = cluster_barrier_state(w) + lines;
    report_and_stop(
        w, { "deadlock: " + why(*block, *first), first->pc, "", 0, where(*block, *first) + lines });
}

// Does f() let a lane of the block, or of one of the cluster, continue?
template <class F> static bool any_block(Worker &w, F f)
{
    bool any = false;

    each_block(w, [&](Worker &of) { any |= of.asyncs->waiting | of.asyncs->has_woken && f(of); });
    return any;
}

void advance(Worker &w, bool is_last)
{
    bool can_continue = any_block(w, [](Worker &of) { return of.asyncs->has_woken; }) ||
                        complete_cluster_barrier(w) ||
                        any_block(w, [](Worker &of) { return wake_pollers(of, POLLS); }) ||
                        any_block(w, [](Worker &of) { return land_for_waiting(of); }) ||
                        any_block(w, [](Worker &of) { return wake_pollers(of, MOST_POLLS); });

    each_block(w, [](Worker &of) { of.asyncs->has_woken = false; });
    if (!can_continue && is_last)
        report_deadlock(w);
}

}   // namespace emu::hopper
