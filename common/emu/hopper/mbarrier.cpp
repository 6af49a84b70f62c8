// Mbarriers [PTX ISA 9.7.13.15]: counters of arrivals and of bytes in shared memory. The counters
// are kept here; the 8 bytes of the program's object are not used.
#include <algorithm>

#include "count/record.h"
#include "exec/pipeline.h"
#include "hopper.h"
#include "order/shared.h"
#include "report/report.h"

namespace emu::hopper {

std::string barrier_name(Worker &w, const Barrier &barrier)
{
    return "mbarrier " + shared_name(w, (uintptr_t)w.arena + barrier.offset);
}

std::string barrier_label(const Worker &w, const Barrier &barrier)
{
    for (const SharedVariable &v : w.shared.variables)
        if (barrier.offset >= v.offset && barrier.offset < v.offset + v.bytes) {
            size_t byte = barrier.offset - v.offset;

            if (v.bytes == 8)
                return v.name;
            return v.bytes > 256 ? v.name + (" + " + std::to_string(byte))
                                 : v.name + ("[" + std::to_string(byte / 8) + "]");
        }
    return "mbarrier";
}

Barrier *barrier_at(Block &b, uint32_t offset)
{
    uint16_t index = b.barrier_at[offset / 8];

    return index && b.barriers[index - 1].is_live ? &b.barriers[index - 1] : nullptr;
}

static uint32_t index_of(const Block &b, const Barrier &barrier)
{
    return (uint32_t)(&barrier - b.barriers.data());
}

// The mbarrier of the block of an address. Only some instructions accept those of other blocks.
static Worker &home_of(Worker &w, const void *at, bool may_be_remote, const char *what,
                       uintptr_t pc)
{
    Worker *of = owner_of(w, (uintptr_t)at);

    if (of && of != &w && !may_be_remote)
        fail(w,
             std::string(what) + " on " + shared_name(*of, (uintptr_t)at) + " of block " +
                 std::to_string(of->rank) +
                 " of the cluster: of another block's mbarrier, only arrive, expect_tx and "
                 "complete_tx are possible",
             pc);
    if (of && of != &w)
        check_alive(*of, w, *w.current, what, pc);
    return of ? *of : w;
}

// An initialized mbarrier of the block `of`. Reports a thread that nothing orders after the
// initialization.
static Barrier &find(Worker &of, const void *at, const char *what, uintptr_t pc)
{
    Worker &w = *worker;
    uint32_t offset = shared_range(of, at, 8, 8, what, pc);
    Barrier *found = barrier_at(*of.asyncs, offset);
    const Lane &lane = *w.current;

    if (!found)
        fail(w,
             std::string(what) + " on " + shared_name(of, (uintptr_t)at) +
                 ", which is not an initialized mbarrier",
             pc);
    // The fence and a barrier of the cluster are enough, even a relaxed one.
    bool is_fenced = found->is_fenced && w.asyncs->named[CLUSTER_BARRIER].phase > found->fenced &&
                     w.asyncs->cluster_phase[lane.id] > found->fenced;
    bool is_ordered =
        (&of == &w && found->thread == lane.id) || is_fenced ||
        time_in(seen_of(*w.asyncs, lane.id, *of.asyncs), found->thread) > found->initialized;
    if (!is_ordered && &of != &w)
        report({ "race: " + std::string(what) + " on " + barrier_name(of, *found) +
                     " of another block, whose initialization is not visible to this thread: "
                     "fence.mbarrier_init and a barrier of the cluster belong after it",
                 pc, "initialized here by " + thread_name(of, found->thread), found->pc,
                 where(w, lane) });
    else if (!is_ordered)
        report({ "race: " + std::string(what) + " on " + barrier_name(w, *found) +
                     " with no __syncthreads after its initialization",
                 pc, "initialized here by " + thread_name(w, found->thread), found->pc,
                 where(w, lane) });
    return *found;
}

void mbarrier_init(void *at, uint32_t count, uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    Block &b = enter(w, pc);
    uint32_t offset = shared_range(w, at, 8, 8, "mbarrier.init", pc);

    if (count < 1 || count > MOST_ARRIVALS)
        fail(w, "mbarrier.init with " + std::to_string(count) + " arrivals: 1 to 1048575 are valid",
             pc);
    if (Barrier *old = barrier_at(b, offset)) {
        report_and_stop(w, { "mbarrier.init of " + barrier_name(w, *old) +
                                 ", which is initialized: mbarrier.inval must come before",
                             pc, "initialized here", old->pc, where(w, *w.current) });
        wait(w, Wait::stopped, 0);   // does not return: the launch has stopped
    }
    release(w, *w.current);
    Barrier barrier = {};
    barrier.offset = offset;
    barrier.is_live = true;
    barrier.expected = barrier.pending = count;
    barrier.is_observed = true;
    barrier.thread = w.current->id;
    barrier.initialized = now(w);
    barrier.pc = pc;
    b.barriers.push_back(barrier);
    b.barrier_at[offset / 8] = (uint16_t)b.barriers.size();
    for (unsigned t = 0; t < b.threads; t++) {
        b.seen[t].own.resize(b.threads + b.barriers.size());
        b.proxied[t].own.resize(b.threads + b.barriers.size());
    }
    shared_mark_written(w, offset, 8);
    if (w.recorded)
        record_async({ EMU_INIT, w.current, pc, barrier_label(w, b.barriers.back()), 0 }, w);
    release(w, *w.current);
}

void mbarrier_inval(void *at, uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    Block &b = enter(w, pc);
    Barrier &barrier = find(home_of(w, at, false, "mbarrier.inval", pc), at, "mbarrier.inval", pc);
    uint32_t index = index_of(b, barrier);

    for (unsigned t = 0; t < b.threads; t++)
        if ((b.waiters[t].what == Wait::phase || b.waiters[t].what == Wait::poll) &&
            b.waiters[t].barrier == index)
            fail(w,
                 "mbarrier.inval of " + barrier_name(w, barrier) + ", for which " +
                     thread_name(w, t) + " waits",
                 pc);
    barrier.is_live = false;
}

// A thread of the barrier's block acquires what the last complete phase has released.
static void acquire(Block &b, unsigned thread, const Barrier &barrier)
{
    join(b.seen[thread], barrier.released);
    join(b.proxied[thread], barrier.released_proxy);
    b.seen[thread][b.threads + index_of(b, barrier)] = barrier.phase;
}

// The current phase is complete: starts the next one, and resumes the threads that wait for it.
static void end_phase(Worker &w, Barrier &barrier, uintptr_t pc)
{
    Block &b = *w.asyncs;
    uint32_t index = index_of(b, barrier);
    uintptr_t copy_pc = 0;

    if (copies_in_flight(w, index, &copy_pc))
        report({ "phase " + std::to_string(barrier.phase) + " of " + barrier_name(w, barrier) +
                     " ends while a bulk copy is in flight: fewer bytes are expected than arrive",
                 barrier.expect_pc ? barrier.expect_pc : pc, "the copy starts here", copy_pc,
                 w.current ? where(w, *w.current) : where(w, w.lanes[barrier.thread]) });
    if (w.recorded)
        record_async({ EMU_PHASE, nullptr, pc, barrier_label(w, barrier), barrier.phase }, w);
    barrier.released.swap(barrier.gathered);
    barrier.released_proxy.swap(barrier.gathered_proxy);
    barrier.gathered.clear();
    barrier.gathered_proxy.clear();
    barrier.phase++;
    barrier.pending = barrier.expected;
    barrier.is_observed = false;
    barrier.arrived.clear();
    for (unsigned t = 0; t < b.threads; t++) {
        Waiter &waiter = b.waiters[t];

        if ((waiter.what != Wait::phase && waiter.what != Wait::poll) || waiter.barrier != index)
            continue;
        barrier.is_observed = true;
        if (waiter.number)   // acquires
            acquire(b, t, barrier);
        waiter.polls = 0;
        waiter.phase = UINT32_MAX;   // it has completed
        wake(w, w.lanes[t]);
    }
}

static void end_phase_if_complete(Worker &w, Barrier &barrier, uintptr_t pc)
{
    if (barrier.pending == 0 && barrier.bytes == 0)
        end_phase(w, barrier, pc);
}

static void add_bytes(Worker &w, Barrier &barrier, int64_t bytes, uintptr_t pc)
{
    barrier.bytes += bytes;
    if (barrier.bytes > MOST_ARRIVALS || barrier.bytes < -(int64_t)MOST_ARRIVALS)
        report({ "the tx-count of " + barrier_name(w, barrier) + " is " +
                     std::to_string(barrier.bytes) + ": -1048575 to 1048575 are valid",
                 pc, "", 0, where(w, w.current ? *w.current : w.lanes[barrier.thread]) });
}

void complete_bytes(Worker &w, uint32_t index, uint32_t bytes, uintptr_t pc)
{
    Barrier &barrier = w.asyncs->barriers[index];

    add_bytes(w, barrier, -(int64_t)bytes, pc);
    end_phase_if_complete(w, barrier, pc);
}

static void add_once(std::vector<uint16_t> &threads, uint16_t thread)
{
    if (std::find(threads.begin(), threads.end(), thread) == threads.end())
        threads.push_back(thread);
}

void mbarrier_expect_tx(void *at, uint32_t bytes, uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    enter(w, pc);
    Worker &of = home_of(w, at, true, "mbarrier.expect_tx", pc);
    Barrier &barrier = find(of, at, "mbarrier.expect_tx", pc);

    barrier.expect_pc = pc;
    add_bytes(of, barrier, bytes, pc);
    end_phase_if_complete(of, barrier, pc);
}

void mbarrier_complete_tx(void *at, uint32_t bytes, uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    enter(w, pc);
    Worker &of = home_of(w, at, true, "mbarrier.complete_tx", pc);

    complete_bytes(of, index_of(*of.asyncs, find(of, at, "mbarrier.complete_tx", pc)), bytes, pc);
}

// An arrival on a barrier of the block `of` releases what a thread of the block `by` knows.
static void gather(Barrier &barrier, const Block &of, const Clock &seen, const Clock &proxied,
                   const Block &by)
{
    join(barrier.gathered, &of == &by ? seen : for_block(seen, by, of));
    join(barrier.gathered_proxy, &of == &by ? proxied : for_block(proxied, by, of));
}

static void report_unobserved(Worker &w, Barrier &barrier, const char *what, uintptr_t pc,
                              const std::string &by)
{
    report({ std::string(what) + " in phase " + std::to_string(barrier.phase) + " of " +
                 barrier_name(w, barrier) + ": no thread has waited for phase " +
                 std::to_string(barrier.phase - 1) + ", and one must before this",
             pc, "an arrival in that phase", barrier.arrive_pc, by });
    barrier.is_observed = true;
}

static uint64_t arrive(Worker &w, const void *at, uint32_t count, uint32_t bytes, bool is_release,
                       bool drops, const char *what, uintptr_t pc)
{
    Block &b = enter(w, pc);
    Worker &of = home_of(w, at, !drops, what, pc);
    Barrier &barrier = find(of, at, what, pc);
    const Lane &lane = *w.current;
    uint64_t state = (uint64_t)barrier.pending << 32 | barrier.phase;
    uint16_t thread = (uint16_t)(w.rank * MAX_THREADS + lane.id);

    if (!barrier.is_observed)
        report_unobserved(of, barrier, what, pc, where(w, lane));
    if (count < 1 || count > barrier.pending)
        fail(w,
             std::string(what) + " with " + std::to_string(count) + " arrivals on " +
                 barrier_name(of, barrier) + ", of which phase " + std::to_string(barrier.phase) +
                 " has " + std::to_string(barrier.pending) + " of " +
                 std::to_string(barrier.expected) + " pending",
             pc);
    if (bytes) {
        barrier.expect_pc = pc;
        add_bytes(of, barrier, bytes, pc);
    }
    if (&of != &w)
        note_use(of, w, lane, { now(w), index_of(*of.asyncs, barrier) + 1, barrier.phase, pc });
    if (is_release) {
        release(w, lane);
        gather(barrier, *of.asyncs, b.seen[lane.id], b.proxied[lane.id], b);
    }
    barrier.arrive_pc = pc;
    if (of.recorded)
        record_async({ EMU_ARRIVE, &of == &w ? &lane : nullptr, pc, barrier_label(of, barrier),
                       barrier.phase },
                     of);
    add_once(barrier.arrived, thread);
    add_once(barrier.known, thread);
    barrier.pending -= count;
    if (drops)
        barrier.expected -= count;
    end_phase_if_complete(of, barrier, pc);
    return state;
}

uint64_t mbarrier_arrive(void *at, uint32_t count, bool is_release, bool drops, uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    return arrive(w, at, count, 0, is_release, drops, "mbarrier.arrive",
                  site(pc, __builtin_return_address(0)));
}

uint64_t mbarrier_arrive_expect_tx(void *at, uint32_t bytes, bool is_release, bool drops,
                                   uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    return arrive(w, at, 1, bytes, is_release, drops, "mbarrier.arrive.expect_tx",
                  site(pc, __builtin_return_address(0)));
}

// ---- arrivals of asynchronous copies (cp.async.mbarrier.arrive) ----

// The copies have arrived, and what the thread has done so far is released.
static void happen(Worker &w, const LateArrival &late)
{
    Block &b = *w.asyncs;
    Barrier &barrier = b.barriers[late.barrier];
    const Lane &lane = w.lanes[late.thread];
    const char *what = "cp.async.mbarrier.arrive";

    if (!barrier.is_live)
        return;
    pipeline_land(w, late.thread, late.copies);
    if (!barrier.is_observed)
        report_unobserved(w, barrier, what, late.pc, where(w, lane));
    if (!barrier.pending) {
        report({ std::string(what) + " on " + barrier_name(w, barrier) + ", of which phase " +
                     std::to_string(barrier.phase) + " has no arrival pending",
                 late.pc, "", 0, where(w, lane) });
        return;
    }
    release(w, lane);
    gather(barrier, b, b.seen[lane.id], b.proxied[lane.id], b);
    barrier.arrive_pc = late.pc;
    if (w.recorded)
        record_async({ EMU_ARRIVE, nullptr, late.pc, barrier_label(w, barrier), barrier.phase }, w);
    add_once(barrier.arrived, lane.id);
    barrier.pending--;
    end_phase_if_complete(w, barrier, late.pc);
}

void mbarrier_copies_arrive(void *at, bool is_noinc, uintptr_t pc)
{
    const char *what = "cp.async.mbarrier.arrive";
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    Block &b = enter(w, pc);
    Barrier &barrier = find(home_of(w, at, false, what, pc), at, what, pc);
    uint16_t thread = w.current->id;

    if (!is_noinc && barrier.pending++ == MOST_ARRIVALS)
        fail(w, "more than 1048575 pending arrivals of " + barrier_name(w, barrier), pc);
    add_once(barrier.known, (uint16_t)(w.rank * MAX_THREADS + thread));
    b.late.push_back({ index_of(b, barrier), thread, pipeline_started(w, thread), pc });
    if (lands_at_issue()) {
        happen(w, b.late.back());
        b.late.pop_back();
    }
}

// Those at an mbarrier, until its phase ends. Returns whether there were any.
static bool land_arrivals(Worker &w, uint32_t barrier)
{
    Block &b = *w.asyncs;
    uint32_t phase = b.barriers[barrier].phase;
    bool any = false;

    for (size_t i = 0; i < b.late.size() && b.barriers[barrier].phase == phase;) {
        LateArrival late = b.late[i];

        if (late.barrier != barrier) {
            i++;
            continue;
        }
        b.late.erase(b.late.begin() + (long)i);
        happen(w, late);
        any = true;
    }
    return any;
}

void end_arrivals(Worker &w)
{
    std::vector<LateArrival> late;

    late.swap(w.asyncs->late);
    for (const LateArrival &l : late)
        happen(w, l);
}

uint32_t mbarrier_pending_count(uint64_t state) { return (uint32_t)(state >> 32); }

// Is the phase that a wait names complete? It is the current one or the one before.
static bool is_complete(Worker &w, const Barrier &barrier, bool by_parity, uint64_t what,
                        uintptr_t pc)
{
    uint32_t phase = (uint32_t)what;

    if (by_parity) {
        if (what > 1)
            fail(w, "a wait for parity " + std::to_string(what) + ": 0 and 1 are valid", pc);
        return what != barrier.phase % 2;
    }
    if (phase != barrier.phase && phase + 1 != barrier.phase)
        fail(w,
             "a wait for phase " + std::to_string(phase) + " of " + barrier_name(w, barrier) +
                 ", which is in phase " + std::to_string(barrier.phase) +
                 ": only the current phase and the one before can be waited for",
             pc);
    return phase != barrier.phase;
}

static bool wait_for(void *at, bool by_parity, uint64_t what, bool is_try, bool is_acquire,
                     uintptr_t pc, void *caller)
{
    Worker &w = on_device(caller);
    const char *name = is_try ? "mbarrier.try_wait" : "mbarrier.test_wait";
    pc = site(pc, caller);
    Block &b = enter(w, pc);
    Barrier *barrier = &find(home_of(w, at, false, name, pc), at, name, pc);
    unsigned self = w.current->id;
    uint32_t index = index_of(b, *barrier);
    Waiter &waiter = b.waiters[self];

    if (!is_complete(w, *barrier, by_parity, what, pc)) {
        bool blocks = is_try && waiter.has_failed;
        AsyncStep step = { EMU_BLOCKED, w.current, pc, "", barrier->phase };

        if (w.recorded) {
            step.object = barrier_label(w, *barrier);
            record_wait(step, w, false);
        }
        waiter.has_failed = true;
        waiter.barrier = index;
        waiter.phase = barrier->phase;
        wait(w, blocks ? Wait::phase : Wait::poll, is_acquire);
        bool is_over = waiter.phase == UINT32_MAX;   // end_phase() has done the rest
        if (w.recorded && is_over)
            record_wait(step, w, true);
        return is_over;
    }
    if (w.recorded && barrier->phase)
        record_wait(
            { EMU_RESUMED, w.current, pc, barrier_label(w, *barrier), barrier->phase - 1ull }, w,
            true);
    waiter.polls = 0;
    barrier->is_observed = true;
    if (is_acquire)
        acquire(b, self, *barrier);
    return true;
}

bool mbarrier_test_wait(void *at, uint64_t state, bool is_acquire, uintptr_t pc)
{
    return wait_for(at, false, state, false, is_acquire, pc, __builtin_return_address(0));
}
bool mbarrier_test_wait_parity(void *at, uint32_t parity, bool is_acquire, uintptr_t pc)
{
    return wait_for(at, true, parity, false, is_acquire, pc, __builtin_return_address(0));
}
bool mbarrier_try_wait(void *at, uint64_t state, bool is_acquire, uintptr_t pc)
{
    return wait_for(at, false, state, true, is_acquire, pc, __builtin_return_address(0));
}
bool mbarrier_try_wait_parity(void *at, uint32_t parity, bool is_acquire, uintptr_t pc)
{
    return wait_for(at, true, parity, true, is_acquire, pc, __builtin_return_address(0));
}

bool land_for_waiting(Worker &w)
{
    Block &b = *w.asyncs;

    for (unsigned t = 0; t < b.threads && !b.has_woken; t++)
        if (b.waiters[t].what == Wait::phase || b.waiters[t].what == Wait::poll)
            if (!land_arrivals(w, b.waiters[t].barrier) || !b.has_woken)
                land_copies(w, b.waiters[t].barrier);
    return b.has_woken;
}

// ---- barriers of warps ----

static void gather(Worker &w, Named &n)
{
    unsigned self = w.current->id;

    release(w, *w.current);
    join(n.gathered, w.asyncs->seen[self]);
    join(n.gathered_proxy, w.asyncs->proxied[self]);
}

static void acquire(Worker &w, const Named &n, unsigned thread)
{
    join(w.asyncs->seen[thread], n.released);
    join(w.asyncs->proxied[thread], n.released_proxy);
}

static void complete(Named &n)
{
    n.released.swap(n.gathered);
    n.released_proxy.swap(n.gathered_proxy);
    n.gathered.clear();
    n.gathered_proxy.clear();
    n.phase++;
}

void named_arrives(Worker &w, unsigned id) { gather(w, w.asyncs->named[id]); }
void named_completes(Worker &w, unsigned id) { complete(w.asyncs->named[id]); }
void named_passes(Worker &w, unsigned id) { acquire(w, w.asyncs->named[id], w.current->id); }

// ---- the barrier of the cluster ----

// All threads of the cluster have arrived: each of its blocks learns what they have released.
static void exchange_knowledge(Worker &w, Clock Named::*gathered)
{
    std::shared_ptr<const Times> known[MAX_CLUSTER];

    each_block(w, [&](Worker &of) {
        Clock all;

        all.own.swap((of.asyncs->named[CLUSTER_BARRIER].*gathered).own);
        all.peers.resize(1);
        each_block(w, [&](Worker &other) {
            const Clock &c = other.asyncs->named[CLUSTER_BARRIER].*gathered;
            Clock about;

            if (&other != &of && of.rank < c.peers.size() && c.peers[of.rank]) {
                about.own = *c.peers[of.rank];
                join(all, about);
            }
        });
        known[of.rank] = std::make_shared<const Times>(std::move(all.own));
    });
    each_block(w, [&](Worker &of) {
        Clock &to = of.asyncs->named[CLUSTER_BARRIER].*gathered;

        to.own = *known[of.rank];
        to.peers.assign(known, known + w.cluster->count);
        to.peers[of.rank].reset();
    });
}

// Called when no lane can continue, so that all lanes of a warp continue together. Threads that
// have exited are not waited for.
bool complete_cluster_barrier(Worker &w)
{
    bool all = true, any = false;

    each_block(w, [&](Worker &of) {
        const Block &b = *of.asyncs;

        for (unsigned t = 0; t < b.threads && all; t++) {
            bool has_arrived = b.cluster_phase[t] > b.named[CLUSTER_BARRIER].phase;

            all = has_arrived || of.lanes[t].state == State::exited;
            any |= has_arrived;
        }
    });
    if (!all || !any)
        return false;
    if (w.cluster) {
        exchange_knowledge(w, &Named::gathered);
        exchange_knowledge(w, &Named::gathered_proxy);
    }
    any = false;
    each_block(w, [&](Worker &of) {
        Block &b = *of.asyncs;
        Named &n = b.named[CLUSTER_BARRIER];

        complete(n);
        for (unsigned t = 0; t < b.threads; t++)
            if (b.waiters[t].what == Wait::cluster) {
                acquire(of, n, t);
                wake(of, of.lanes[t]);
                any = true;
            }
    });
    return any;
}

void cluster_arrive(bool is_release, uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    Block &b = enter(w, pc);
    Named &n = b.named[CLUSTER_BARRIER];

    if (b.cluster_phase[w.current->id] > n.phase)
        fail(w, "barrier.cluster.arrive of a thread that has arrived and not waited", pc);
    b.cluster_phase[w.current->id] = n.phase + 1;
    b.may_wait[w.current->id] = true;
    if (is_release)
        gather(w, n);
}

void cluster_wait(uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    Block &b = enter(w, pc);
    Named &n = b.named[CLUSTER_BARRIER];
    unsigned self = w.current->id;

    AsyncStep step = { EMU_BLOCKED, w.current, pc, "cluster", n.phase };

    if (!b.may_wait[self])   // [9.7.13.3]: all threads have to arrive, and this is one of them
        fail(w,
             "barrier.cluster.wait of a thread that has not arrived since its last wait: it would "
             "wait for itself",
             pc);
    b.may_wait[self] = false;

    if (w.recorded)
        record_wait(step, w, false);
    if (b.cluster_phase[self] > n.phase)
        wait(w, Wait::cluster, 0);
    else
        acquire(w, n, self);
    if (w.recorded)
        record_wait(step, w, true);
}

}   // namespace emu::hopper
