// Order of asynchronous operations: vector clocks of threads, the operations that read or wrote
// each granule of shared memory, and lanes that wait. hopper.h describes them.
#include "hopper.h"

#include <algorithm>
#include <cstring>

#include "log.h"

namespace emu::hopper {

constexpr unsigned POLLS = 3;            // failed polls before copies land for a thread that polls
constexpr unsigned MOST_POLLS = 1000;    // without progress, before this is a deadlock
constexpr uint32_t RESTART = 1u << 31;   // numbers of operations restart beyond it

static std::atomic<bool> is_used;

static uint32_t time_of(const Block &b, uint64_t time)
{
    return time > b.origin ? (uint32_t)(time - b.origin) : 0;
}

uint32_t now(Worker &w)
{
    w.time++;
    return time_of(*w.asyncs, w.time);
}

void join(Clock &to, const Clock &from)
{
    if (to.size() < from.size())
        to.resize(from.size());
    uint32_t *a = to.data();
    const uint32_t *b = from.data();
    for (size_t i = 0; i < from.size(); i++)
        a[i] = std::max(a[i], b[i]);
}

// Accesses before the block's last barrier, and before a __syncwarp of two lanes, are ordered.
static void begin_clocks(Worker &w, Block &b)
{
    b.origin = w.order.barrier - 1;
    b.seen.resize(b.threads);
    b.proxied.resize(b.threads);
    for (unsigned t = 0; t < b.threads; t++) {
        const Warp &warp = w.warps[t / WARP];

        b.seen[t].reserve(b.threads + 32);
        b.proxied[t].reserve(b.threads + 32);
        b.seen[t].assign(b.threads, 1);
        b.proxied[t].assign(b.threads, 0);
        for (unsigned i = 0; i < warp.lanes; i++) {
            uint64_t both = warp.pair_sync ? warp.pair_sync[t % WARP][i] : 0;
            uint32_t &seen = b.seen[t][warp.index * WARP + i];
            seen = std::max({ seen, time_of(b, warp.full_sync), time_of(b, both) });
        }
    }
}

Block::Block() : origin(0), threads(0), has_woken(false), waiting(0), first(1), free_registers(0)
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
    b.cluster_phase.clear();
    for (unsigned i = 0; i < MAX_WARPS; i++) {
        b.converged[i].clear();
        b.converging[i] = 0;
    }
    for (Named &n : b.named)
        n = Named{};
    begin_clocks(w, b);
    w.asyncs = &b;
    is_used.store(true, std::memory_order_relaxed);
    return b;
}

// Also after a launch that was stopped.
void begin_block(Worker &w)
{
    Block *b = w.asyncs;

    if (!b)
        return;
    for (const Barrier &barrier : b->barriers)
        b->barrier_at[barrier.offset / 8] = 0;
    b->barriers.clear();
    b->first += (uint32_t)b->operations.size();
    b->operations.clear();
    b->waiting = 0;
    b->has_woken = false;
    if (b->first > RESTART) {
        std::fill(b->granules.begin(), b->granules.end(), Granule{});
        b->first = 1;
    }
    begin_copies(*b);
    begin_products(*b);
    w.has_products = false;
    w.asyncs = nullptr;
}

void end_block(Worker &w)
{
    end_products(w);
    end_copies(w);
    begin_block(w);
}

Block &enter(Worker &w, uintptr_t pc)
{
    serve_log(w);
    w.current->pc = pc;
    return block_of(w);
}

uint32_t shared_range(Worker &w, const void *at, size_t bytes, size_t alignment, const char *what,
                      uintptr_t pc)
{
    size_t offset = (uintptr_t)at - (uintptr_t)w.shared.arena;

    if (!in_shared(w, (uintptr_t)at))
        fail(w, std::string(what) + " at an address that is not shared memory", pc);
    if (offset % alignment)
        fail(w,
             std::string(what) + " at an address that is " + std::to_string(offset % alignment) +
                 " past a multiple of " + std::to_string(alignment),
             pc);
    std::string wrong = shared_out_of_bounds(w, offset, bytes);
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
        b.seen[t].assign(seen.begin(), seen.end());
        b.proxied[t].assign(proxied.begin(), proxied.end());
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
        barrier.is_fenced |= barrier.thread == w.current->id;
}

// ---- operations ----

uint32_t issue(Worker &w, Operation &&op)
{
    Block &b = *w.asyncs;

    op.issued = now(w);
    b.operations.push_back(op);
    return b.first + (uint32_t)b.operations.size() - 1;
}

static bool product_is_visible(const Block &b, const Operation &op, unsigned thread)
{
    for (unsigned i = 0; i < 4; i++) {
        unsigned first = op.thread + i * WARP;

        if (!op.waited[i])
            continue;
        if (thread / WARP == first / WARP)
            return true;
        for (unsigned v = first; v < std::min(first + WARP, b.threads); v++)
            if (b.seen[thread][v] >= op.waited[i])
                return true;
    }
    return false;
}

bool is_visible(Worker &w, const Operation &op, unsigned thread)
{
    const Block &b = *w.asyncs;
    const Clock &seen = b.seen[thread];

    switch (op.kind) {
    case Kind::load:
        return op.has_landed && b.threads + op.barrier < seen.size() &&
               seen[b.threads + op.barrier] > op.phase;
    case Kind::store:
        return op.waited[0] && (thread == op.thread || seen[op.thread] >= op.waited[0]);
    default: return product_is_visible(b, op, thread);
    }
}

static std::string name_of(const Worker &w, size_t offset)
{
    return shared_name(w, (uintptr_t)w.shared.arena + offset);
}

static const char *name_of(const Operation &op)
{
    switch (op.kind) {
    case Kind::load: return "a bulk copy to shared memory";
    case Kind::store: return "a bulk copy from shared memory";
    default: return "a product of a warpgroup";
    }
}

static std::string starter(const Worker &w, const Operation &op)
{
    if (op.kind == Kind::product)
        return "started here by the warpgroup of " + thread_name(w, op.thread);
    return "started here by " + thread_name(w, op.thread);
}

// What a thread has not done that conflicts with an operation.
static std::string missing_wait(Worker &w, const Operation &op, unsigned thread)
{
    if (op.kind == Kind::load) {
        const Barrier &barrier = w.asyncs->barriers[op.barrier];
        const Clock &seen = w.asyncs->seen[thread];
        uint32_t at = w.asyncs->threads + op.barrier, known = at < seen.size() ? seen[at] : 0;

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

static void report_conflict(Worker &w, const char *verb, size_t offset, const Operation &op,
                            const Lane &lane, uintptr_t pc)
{
    const char *how = op.kind == Kind::load ? ", which " : ", while ";

    report({ std::string("race: ") + verb + " " + name_of(w, offset) + how + name_of(op) +
                 (op.kind == Kind::load ? " writes: " : " may read it: ") +
                 missing_wait(w, op, lane.id),
             pc, starter(w, op), op.pc, where(w, lane) });
}

static void check_barrier_bytes(Worker &w, const Lane &lane, size_t offset, size_t size,
                                bool writes, uintptr_t pc)
{
    Block &b = *w.asyncs;

    for (size_t i = offset / 8; i <= (offset + size - 1) / 8; i++)
        if (uint16_t index = b.barrier_at[i])
            if (b.barriers[index - 1].is_live)
                report({ std::string(writes ? "write of " : "read of ") +
                             barrier_name(w, b.barriers[index - 1]) +
                             ", which is initialized: only mbarrier instructions may access it",
                         pc, "initialized here", b.barriers[index - 1].pc, where(w, lane) });
}

void shared_access(Worker &w, const Warp &warp, const Request &r, const Stop &head, bool writes)
{
    Block &b = *w.asyncs;

    for (unsigned i = 0; i < r.lanes; i++) {
        const Lane &lane = warp.lane[r.lane[i]];
        size_t offset = r.address[i] - (uintptr_t)w.shared.arena;

        if (!b.barriers.empty())
            check_barrier_bytes(w, lane, offset, r.size, writes, head.pc);
        for (size_t g = offset / GRANULE; g <= (offset + r.size - 1) / GRANULE; g++) {
            const Granule &at = b.granules[g];

            if (at.writer >= b.first && !is_visible(w, b.operation(at.writer), lane.id))
                report_conflict(w, writes ? "write of" : "read of", offset, b.operation(at.writer),
                                lane, head.pc);
            for (unsigned k = 0; writes && k < READERS; k++)
                if (at.reader[k] >= b.first && !is_visible(w, b.operation(at.reader[k]), lane.id))
                    report_conflict(w, "write of", offset, b.operation(at.reader[k]), lane,
                                    head.pc);
        }
    }
}

namespace {

enum Verdict { FINE, UNORDERED, NO_FENCE };

// Were all lanes of a thread's warp at one wgmma.wait_group after a read at `time`, and then one of
// them released to `lane`?
bool has_read(const Worker &w, const Block &b, const Lane &lane, unsigned thread, uint32_t time)
{
    const Warp &warp = w.warps[thread / WARP];
    const std::vector<uint32_t> &times = b.converged[warp.index];
    auto after = std::upper_bound(times.begin(), times.end(), time);

    if (after == times.end())
        return false;
    for (unsigned i = 0; i < warp.lanes; i++)
        if (b.seen[lane.id][warp.index * WARP + i] > *after)
            return true;
    return false;
}

// Judges accesses of threads before an operation of a lane, or of the lanes of a warpgroup. Of each
// warp, one lane must know of the access.
class Judge {
    Worker &w;
    const Lane *const *lanes;
    unsigned count;
    Mark last{};
    bool last_writes = false;
    Verdict verdict = FINE;

    Verdict of(const Lane &lane, const Mark &m, bool writes) const
    {
        const Block &b = *w.asyncs;
        const Epoch &e = epoch_of(w, SHARED, m.epoch);
        uint32_t time = time_of(b, e.created);

        if (m.thread != lane.id && b.seen[lane.id][m.thread] <= time &&
            (writes || !has_read(w, b, lane, m.thread, time)))
            return is_acquired(w, w.warps[lane.id / WARP], lane, e, m.thread) ? FINE : UNORDERED;
        return writes && b.proxied[lane.id][m.thread] <= time ? NO_FENCE : FINE;
    }

  public:
    Judge(Worker &worker, const Lane *const *of_lanes, unsigned number)
        : w(worker), lanes(of_lanes), count(number)
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

static void report_mark(Worker &w, const Lane &lane, const char *verb, const Operation &op,
                        size_t offset, const Mark &m, Plane plane, Verdict verdict)
{
    bool reads = plane == READ || plane == READ_LAST;
    std::string what = std::string(verb) + " " + name_of(w, offset);

    what = verdict == NO_FENCE
             ? "missing fence.proxy.async: " + std::string(name_of(op)) + " " + what +
                   ", which a thread has written: the fence belongs after the write"
             : "race: " + std::string(name_of(op)) + " " + what + ", which another thread has " +
                   (reads ? "read" : "written") + ", and nothing orders the two";
    report({ what, op.pc, (reads ? "read here by " : "written here by ") + thread_name(w, m.thread),
             pc_of(m), where(w, lane) });
}

// Judges the marks of accesses of threads to these bytes. Reads matter only to a writer.
static void check_marks(Worker &w, const Lane *const *lanes, unsigned count, const Bytes &range,
                        const Operation &op, bool writes)
{
    static const Plane planes[] = { WRITE, ATOMIC, ATOMIC_LAST, READ, READ_LAST };
    const char *verb = writes ? "writes" : "reads";
    Judge judge(w, lanes, count);

    for (size_t at = range.start; at < range.end;) {
        Page &p = w.shared.pages[at / PAGE_BYTES];
        size_t end = std::min<size_t>(range.end, (at / PAGE_BYTES + 1) * PAGE_BYTES);
        size_t first = at % PAGE_BYTES >> p.shift(), last = (end - 1) % PAGE_BYTES >> p.shift();

        for (Plane plane : planes) {
            bool stores = plane != READ && plane != READ_LAST;
            Mark *marks = p.marks[plane];
            uint32_t live = stores ? w.order.local.first : w.order.local.interval;

            if (!marks || !(stores || writes))
                continue;
            for (size_t c = first; c <= last; c++) {
                if (marks[c].epoch < live)
                    continue;
                if (Verdict v = judge(marks[c], stores))
                    report_mark(w, *lanes[0], verb, op,
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
static bool is_visible_to(Worker &w, const Lane *const *lanes, unsigned count, const Operation &op)
{
    for (unsigned i = 0; i < count;) {
        unsigned warp = lanes[i]->id / WARP;
        bool one = false;

        for (; i < count && lanes[i]->id / WARP == warp; i++)
            one = one || is_visible(w, op, lanes[i]->id);
        if (!one)
            return false;
    }
    return true;
}

static void check_operation(Worker &w, const Lane *const *lanes, unsigned count, size_t granule,
                            uint32_t earlier, const Operation &op, const char *verb)
{
    Block &b = *w.asyncs;
    const Operation &before = b.operation(earlier);
    bool wrote = before.kind == Kind::load;

    if (is_visible_to(w, lanes, count, before))
        return;
    report({ std::string("race: ") + name_of(op) + " " + verb + " " +
                 name_of(w, granule * GRANULE) + (wrote ? ", which " : ", while ") +
                 name_of(before) + (wrote ? " writes: " : " may read it: ") +
                 missing_wait(w, before, lanes[0]->id),
             op.pc, starter(w, before), before.pc, where(w, *lanes[0]) });
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
    check_marks(w, lanes, count, range, op, false);
    for (size_t g = range.start / GRANULE; g < (range.end + GRANULE - 1) / GRANULE; g++) {
        Granule &at = b.granules[g];

        if (at.writer >= b.first && at.writer != checked)
            check_operation(w, lanes, count, g, checked = at.writer, op, "reads");
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

        if (p.marks[WRITE] || p.marks[ATOMIC] ||
            memcmp(w.shared.bytes + g * GRANULE, all, GRANULE) != 0) {
            check_read(w, lanes, count, { g * GRANULE, (g + 1) * GRANULE }, number, reader, what);
        } else if (at.writer >= b.first && at.writer != visible) {
            check_operation(w, lanes, count, g, at.writer, b.operation(number), "reads");
            visible = at.writer;
        }
        at.reader[reader] = number;
    }
}

void check_write(Worker &w, const Lane &lane, const Bytes &range, uint32_t number)
{
    Block &b = *w.asyncs;
    const Operation &op = b.operation(number);
    const Lane *lanes[] = { &lane };
    uint32_t checked[READERS + 1] = {};

    for (size_t i = range.start / 8; i < (range.end + 7) / 8; i++)
        if (b.barrier_at[i] && b.barriers[b.barrier_at[i] - 1].is_live)
            fail(w, "a bulk copy overwrites " + barrier_name(w, b.barriers[b.barrier_at[i] - 1]),
                 op.pc);
    check_marks(w, lanes, 1, range, op, true);
    for (size_t g = range.start / GRANULE; g < (range.end + GRANULE - 1) / GRANULE; g++) {
        Granule &at = b.granules[g];

        if (at.writer >= b.first && at.writer != checked[READERS])
            check_operation(w, lanes, 1, g, checked[READERS] = at.writer, op, "writes");
        for (unsigned k = 0; k < READERS; k++)
            if (at.reader[k] >= b.first && at.reader[k] != checked[k])
                check_operation(w, lanes, 1, g, checked[k] = at.reader[k], op, "writes");
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

// "thread (0,0,0)", and how many more there are.
static std::string names(const Worker &w, const std::vector<unsigned> &threads)
{
    std::string text = thread_name(w, threads[0]);

    if (threads.size() > 1)
        text += " and " + std::to_string(threads.size() - 1) + " more";
    return text;
}

static std::string place_name(uintptr_t pc)
{
    return "line " + std::to_string(places({ pc })[0].line);
}

// What a thread is doing that could still arrive.
static std::string state_of(Worker &w, unsigned t)
{
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
            waiting.push_back(t);
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
    case Wait::cluster: return "barrier.cluster.wait: not all threads of the cluster arrive";
    default:
        return "waits for phase " + std::to_string(waiter.phase) + " of " +
               barrier_name(w, w.asyncs->barriers[waiter.barrier]) + ", which cannot complete";
    }
}

static void report_deadlock(Worker &w)
{
    Block &b = *w.asyncs;
    const Lane *first = nullptr;
    std::string lines;

    for (unsigned t = 0; t < b.threads; t++)
        if (w.lanes[t].state == State::waiting && (!first || w.lanes[t].pc < first->pc))
            first = &w.lanes[t];
    for (uint32_t i = 0; i < b.barriers.size(); i++)
        if (b.barriers[i].is_live)
            lines += "\n        " + state_of(w, b.barriers[i], i);
    report_and_stop(w,
                    { "deadlock: " + why(w, *first), first->pc, "", 0, where(w, *first) + lines });
}

void advance(Worker &w, bool is_last)
{
    Block &b = *w.asyncs;

    if (b.has_woken || wake_pollers(w, POLLS) || land_for_waiting(w) ||
        wake_pollers(w, MOST_POLLS)) {
        b.has_woken = false;
        return;
    }
    if (is_last)
        report_deadlock(w);
}

}   // namespace emu::hopper

extern "C" int emu_is_asynchronous(void) { return emu::hopper::is_used; }
void emu::hopper::forget_use() { is_used = false; }
