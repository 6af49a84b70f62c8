// Runs a block: its warps in turn. Lanes run until all have stopped, and log what they do until
// then (log.h). What the lanes did, or where they have stopped, at the first place in the kernel's
// order (flow.h) is served as one request, as if the warp ran in lockstep. So diverged lanes
// reconverge where their paths meet, and warp-synchronous code behaves as on GPUs before Volta.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "include/cuda_runtime.h"
#include "count/counting.h"
#include "count/record.h"
#include "emu.h"
#include "exec.h"
#include "pipeline.h"
#include "lanes/asyncs.h"
#include "lanes/cluster.h"
#include "lanes/guard.h"
#include "lanes/log.h"
#include "order/memory.h"
#include "order/shared.h"
#include "report/report.h"

namespace emu {

__thread Worker *worker __attribute__((tls_model("local-exec"))) = nullptr;

// requests of a warp before the block's next warp runs
constexpr unsigned QUANTUM = 4096;
constexpr unsigned SPIN =
    256;                        // of these, requests after which a turn ends that makes no progress
constexpr unsigned AHEAD = 3;   // lanes whose state is fetched before they run
constexpr unsigned STACK_LINES = 6;    // lines of the cache that these usually need
constexpr uint64_t WINDOW = 1 << 18;   // logical time between two checks for progress
constexpr size_t SEEN = 1 << 17;       // slots for fingerprints, of which at most half are used

const char stack_text[] = "local memory: the thread's variables need more than 64 KiB";

// What lanes have in common that logged this entry, except for the rank.
static Stop head_of(const Key &key)
{
    static const emu_kind kinds[] = { EMU_LD, EMU_ST, EMU_SHARED_LD, EMU_SHARED_ST };
    Stop head = {};

    head.pc = (uintptr_t)&__executable_start + key.pc;
    if (key.entry == (uint8_t)Entry::iteration) {
        head.state = State::branch;
        return head;
    }
    head.state = State::memory;
    head.kind = kinds[key.entry & 3];
    head.is_ptx = key.entry & (uint8_t)Entry::ptx;
    head.size = (uint16_t)(1u << key.log2);
    head.object_bytes = key.object_bytes;
    head.object_offset = key.object_offset;
    return head;
}

void pause_lane(Worker &w) { park(w, State::paused); }

void fail(Worker &w, const std::string &what, uintptr_t pc)
{
    Lane &lane = *w.current;

    serve_log(w);
    report_and_stop(w, { what, pc, "", 0, where(w, lane) });
    lane.state = State::barrier;
    emu_switch(&w.sp[lane.id], w.scheduler);   // does not return: the launch has stopped
}

// Stack tops have different offsets, because otherwise all lanes of a warp would compete for the
// same few cache sets.
static char *top_of_stack(const Worker &w, unsigned stack)
{
    return w.stacks + (stack + 1) * STACK_BYTES - stack % WARP * 192;
}

// What the switch to a lane will load: its stack, and its state.
static inline void prefetch(const Worker &w, const Lane &lane)
{
    const char *stack = (const char *)w.sp[lane.id];

    for (unsigned i = 0; stack && i < STACK_LINES; i++)
        __builtin_prefetch(stack + 64 * i, 1);
    for (unsigned i = 0; i < 2; i++)
        __builtin_prefetch((const char *)&lane + 64 * i, 1);
}

// Prepares the service of what lanes have logged, while the next ones run. Lane i was the last one.
// A line of the cache has the marks of 8 words.
static inline void prefetch_marks(const Worker &w, unsigned i)
{
    const AccessLog &log = *w.log;
    unsigned lane = i & ~7u;

    if (i % 4 == 0)
        for (unsigned at = log.first[lane]; at < log.end[lane] && at < log.first[lane] + 8u; at++)
            races_prefetch(log.row[at].address[lane], i != lane);
}

// The lane runs from now on, on its stack, which is new if it starts.
static inline void enter(Worker &w, Lane &lane, bool starts)
{
    lane.state = State::ready;
    w.current = &lane;
    w.stack_low = (uintptr_t)w.stacks + lane.stack * STACK_BYTES;
    position = &lane.position;
    if (starts)
        lane.position.clear();
    if (guard_lane && starts)
        guard_lane(w);
    if (guard_stack)
        w.stack_open = guard_stack(w);
}

// Takes the next lane of the queue. Returns its stack.
static inline void *take_next(Worker &w)
{
    unsigned i = __builtin_ctz(w.queue);
    Lane &lane = w.warp->lane[i];
    bool starts = !w.sp[lane.id];

    if (w.queue >> i >> AHEAD & 1)
        prefetch(w, w.warp->lane[i + AHEAD]);
    w.queue &= w.queue - 1;
    if (starts) {
        lane.stack = w.free_stacks.back();
        w.free_stacks.pop_back();
        w.sp[lane.id] = fiber_prepare(top_of_stack(w, lane.stack), lane_main);
    }
    enter(w, lane, starts);
    return w.sp[lane.id];
}

// The running lane has stopped.
static inline void leave(Worker &w)
{
    const Lane &lane = *w.current;
    unsigned i = lane.id % WARP;

    if (lane.state == State::barrier)
        w.warp->barrier |= 1u << i;
    else if (lane.state == State::exited)
        w.warp->exited |= 1u << i;
    if (w.log->end[i]) {
        w.log->lanes |= 1u << i;
        prefetch_marks(w, i);
    }
}

void *next_stack(Worker &w)
{
    leave(w);
    return w.queue ? take_next(w) : w.scheduler;
}

// The running lane has exited. If the next one has not started yet, it runs on the same stack,
// which is in the cache. False: the stack is free.
__attribute__((noinline)) static bool start_next(Worker &w)
{
    Lane &lane = *w.current;

    log_stored(w);
    lane.state = State::exited;
    if (w.queue) {
        Lane &next = w.warp->lane[__builtin_ctz(w.queue)];

        if (!w.sp[next.id]) {
            leave(w);
            w.queue &= w.queue - 1;
            next.stack = lane.stack;
            enter(w, next, true);
            return true;
        }
    }
    w.free_stacks.push_back(lane.stack);
    return false;
}

void lane_main()
{
    do
        worker->launch->thread(worker->launch->args);
    while (start_next(*worker));   // is read again, and so not kept on the stack
    emu_leave(next_stack(*worker));
}

void exit_lane(Worker &w)
{
    w.current->state = State::exited;
    w.free_stacks.push_back(w.current->stack);
    emu_leave(next_stack(w));
}

// Runs lanes of a warp until each of them has stopped.
static void run_lanes(Worker &w, Warp &warp, uint32_t lanes)
{
    w.warp = &warp;
    w.queue = lanes;
    warp.ready &= ~lanes;
    for (unsigned i = 0; i < AHEAD; i++)
        if (lanes >> i & 1)
            prefetch(w, warp.lane[i]);
    while (w.queue)   // a lane that ends the launch comes here at once
        emu_switch(&w.scheduler, take_next(w));
    w.current = nullptr;
}

// Makes the first logged entry of each lane known.
static void read_log(const Worker &w, AccessLog &log)
{
    for (unsigned left = log.lanes & ~log.known; left; left &= left - 1) {
        unsigned i = __builtin_ctz(left), at = log.first[i];
        Key key = key_of(log.row[at].key[i]);
        const Calls &calls = w.calls[key.stack];
        Stop &head = log.head[i];

        head = head_of(key);
        head.address = log.row[at].address[i];
        uint32_t order = key.entry == (uint8_t)Entry::iteration ? (uint32_t)head.address
                                                                : spot_at(head.pc).order;
        head.rank = calls.callers | (Rank)order << 32 * (Position::FRAMES - 1 - calls.depth);
    }
    log.known = log.lanes;
}

// What lane i did or stopped at first of what is not served yet.
static const Stop &first_of(const Warp &warp, unsigned i)
{
    return warp.log->lanes >> i & 1 ? warp.log->head[i] : warp.lane[i];
}

constexpr uint32_t ALL = ~0u;

// The first logged entry of a lane was served. Returns whether the lane can run.
static bool take_entry(AccessLog &log, const Lane &lane, unsigned i)
{
    log.known &= ~(1u << i);
    if (++log.first[i] < log.end[i])
        return false;
    log.first[i] = log.end[i] = 0;
    log.lanes &= ~(1u << i);
    return lane.state == State::paused;
}

// Do all lanes of the warp have the same first row?
static bool is_even(const AccessLog &log)
{
    unsigned differ = 0;

    for (unsigned i = 0; i < WARP; i++)
        differ |= log.first[i] ^ log.first[0];
    return log.lanes == ALL && !differ;
}

// If all lanes of a full warp have more than one entry, takes the first one of each.
static bool take_row(AccessLog &log)
{
    uint16_t ends = 0;

    for (unsigned i = 0; i < WARP; i++)
        ends |= (uint16_t)(log.first[i] + 1) == log.end[i];
    if (log.lanes != ALL || ends)
        return false;
    for (unsigned i = 0; i < WARP; i++)
        log.first[i]++;
    log.known = 0;
    return true;
}

// What these lanes have done or stopped at first was served. Returns those that can run.
static uint32_t take_entries(const Warp &warp, AccessLog &log, uint32_t group)
{
    uint32_t logged = group & log.lanes, running = group & ~logged;

    if (logged == ALL && take_row(log))
        return 0;
    for (; logged; logged &= logged - 1) {
        unsigned i = __builtin_ctz(logged);

        running |= (uint32_t)take_entry(log, warp.lane[i], i) << i;
    }
    return running;
}

// The lanes whose first logged entries are one request, if all lanes that have entries agree in
// this and no other lane can continue. Otherwise 0: choose() has to decide.
static unsigned agreeing(const Warp &warp, const AccessLog &log)
{
    if (!log.lanes)
        return 0;
    if (is_even(log)) {
        const uint64_t *keys = log.row[log.first[0]].key;
        uint64_t differ = 0;

        for (unsigned i = 0; i < WARP; i++)
            differ |= keys[i] ^ keys[0];
        return differ ? 0 : ALL;
    }
    unsigned head = __builtin_ctz(log.lanes);
    uint64_t key = log.row[log.first[head]].key[head];

    for (uint32_t left = log.lanes; left; left &= left - 1) {
        unsigned i = __builtin_ctz(left);
        if (log.row[log.first[i]].key[i] != key)
            return 0;
    }
    for (uint32_t left = warp.all() & ~(log.lanes | warp.barrier | warp.exited); left;
         left &= left - 1) {
        const Lane &lane = warp.lane[__builtin_ctz(left)];
        bool waits_for_these = lane.state == State::exchange && lane.exchange != Exchange::active &&
                               (lane.mask & log.lanes);
        if (lane.state != State::waiting && !waits_for_these)
            return 0;
    }
    return log.lanes;
}

// The lanes of an exchange, if all lanes of the warp that have not exited wait for it at one place.
// Otherwise 0: choose() has to decide.
static unsigned exchanging(const Warp &warp, const AccessLog &log)
{
    const Lane *head = nullptr;
    unsigned group = 0;

    if (log.lanes)
        return 0;
    for (unsigned i = 0; i < warp.lanes; i++) {
        const Lane &lane = warp.lane[i];

        if (lane.state == State::exited)
            continue;
        if (!head)
            head = &lane;
        if (lane.state != State::exchange || lane.pc != head->pc || lane.mask != head->mask ||
            lane.exchange != head->exchange || lane.exchange == Exchange::active)
            return 0;
        group |= 1u << i;
    }
    return head && !(group & ~head->mask) ? group : 0;
}

// Have all lanes that a lane waits for arrived? Lanes that have exited are not waited for.
static bool is_complete(const Warp &warp, const Lane &lane)
{
    if (lane.exchange == Exchange::active)
        return true;
    for (unsigned i = 0; i < warp.lanes; i++) {
        const Lane &other = warp.lane[i];
        State state = first_of(warp, i).state;

        if ((lane.mask >> i & 1) && state != State::exited &&
            (state != State::exchange || other.exchange != lane.exchange ||
             other.mask != lane.mask))
            return false;
    }
    return true;
}

static bool can_go_on(const Warp &warp, unsigned i)
{
    switch (first_of(warp, i).state) {
    case State::memory:
    case State::copy:
    case State::texture:
    case State::branch: return true;
    case State::exchange: return is_complete(warp, warp.lane[i]);
    default: return false;
    }
}

// Did two lanes stop at one call site for the same kind of operation?
static bool are_alike(const Warp &warp, unsigned i, unsigned k)
{
    const Stop &a = first_of(warp, i), &b = first_of(warp, k);

    if (a.state != b.state)
        return false;
    if (a.state == State::exchange)
        return warp.lane[i].exchange == warp.lane[k].exchange &&
               warp.lane[i].mask == warp.lane[k].mask;
    if (a.state == State::branch)
        return true;
    return a.size == b.size && (a.state == State::copy || a.kind == b.kind);
}

// The lanes to serve next: of those that can continue, the ones at the first place in the order. 0:
// none can.
static unsigned choose(Worker &w, const Warp &warp)
{
    const Stop *first = nullptr;
    unsigned group = 0, head = 0;

    if (!warp.log->lanes && warp.is_idle())
        return 0;
    read_log(w, *warp.log);
    for (unsigned i = 0; i < warp.lanes; i++) {
        const Stop &stop = first_of(warp, i);

        if ((first && stop.rank > first->rank) || !can_go_on(warp, i))
            continue;
        if (!first || stop.rank < first->rank || stop.pc < first->pc) {
            first = &stop;
            head = i;
            group = 0;
        }
        if (stop.pc == first->pc && are_alike(warp, i, head))
            group |= 1u << i;
    }
    const Lane &lane = warp.lane[head];
    if (group && first->state == State::exchange && lane.exchange != Exchange::active)
        // the whole mask is served together, from different call sites if need be
        for (unsigned i = 0; i < warp.lanes; i++)
            if ((lane.mask >> i & 1) && first_of(warp, i).state == State::exchange)
                group |= 1u << i;
    return group;
}

// Is this request unlike all that the worker remembers? A launch that only repeats itself makes no
// new requests.
static bool is_new(Worker &w, uint64_t fingerprint)
{
    if (w.progress.seen.empty() || w.progress.seen_count == SEEN / 2) {
        w.progress.seen.assign(SEEN, 0);
        w.progress.seen_count = 0;
    }
    uint32_t half = (uint32_t)fingerprint | 1;   // 0 marks an empty slot
    size_t slot = fingerprint >> 47;
    while (w.progress.seen[slot] && w.progress.seen[slot] != half)
        slot = (slot + 1) % SEEN;
    w.progress.seen_count += !w.progress.seen[slot];
    return std::exchange(w.progress.seen[slot], half) == 0;
}

uint64_t fingerprint_of(Worker &w, const Warp &warp, uintptr_t address, const Shape &shape,
                        uintptr_t pc)
{
    uint64_t place = w.shared.block * MAX_WARPS + warp.index + pc,
             fingerprint =
                 ((place ^ address) * 0x9E3779B97F4A7C15u ^ shape.hash) * 0xBF58476D1CE4E5B9u;

    if (!w.progress.seen.empty())
        __builtin_prefetch(&w.progress.seen[fingerprint >> 47]);
    return fingerprint;
}

void note_progress(Worker &w, uint64_t fingerprint)
{
    if (is_new(w, fingerprint))
        w.progress.fresh.store(w.progress.fresh.load(std::memory_order_relaxed) + 1,
                               std::memory_order_relaxed);
}

void report_unwritten(Worker &w, const Lane &lane, uintptr_t address, size_t size, uintptr_t pc,
                      const Stop *of, const char *how)
{
    std::string wrong = check_written(address, size, of);

    if (wrong.empty())
        return;
    report_and_go_on(w, { wrong + how, pc, "", 0, where(w, lane) });
    mark_written(address, size);   // each word is reported once
}

static std::string name_of(const Worker &w, uintptr_t address)
{
    return in_shared(w, address) ? shared_name(w, address) : global_name(address);
}

// A part of an access that the compiler knows to be misaligned, and so not to be a copy of a struct
// (hooks.cpp). On a GPU it is one access, which faults before its bounds matter.
static bool is_misaligned_part(const Stop &head, uintptr_t address, unsigned size)
{
    uint32_t whole = head.object_bytes;
    bool is_word = whole == 2 || whole == 4 || whole == 8 || whole == 16;

    return is_word && whole > size && (address - head.object_offset) % whole;
}

enum class Verdict { right, dropped, fatal };

// Checks the address of a lane's access. dropped: it is out of bounds, was reported, and changes
// nothing that belongs to the program.
static Verdict check_address(Worker &w, const Lane &lane, uintptr_t address, unsigned size,
                             const Stop &head, bool is_shared)
{
    if (address % size) {
        report_and_stop(w,
                        { misaligned(name_of(w, address), size), head.pc, "", 0, where(w, lane) });
        return Verdict::fatal;
    }
    std::string wrong = !is_shared ? check_global(address, size)
                      : in_shared_variable(w, address, size)
                          ? ""
                          : shared_out_of_bounds(w, address - (uintptr_t)w.arena, size);
    if (wrong.empty()) {
        if (!is_shared && head.kind != EMU_ST && head.atomic != Atomic::overwrite)
            report_unwritten(w, lane, address, size, head.pc, &head);
        return Verdict::right;
    }
    if (is_misaligned_part(head, address, size))
        wrong = misaligned(name_of(w, address - head.object_offset), head.object_bytes);
    else if (is_shared || may_go_on(address, size)) {
        report_and_go_on(w, { wrong, head.pc, "", 0, where(w, lane) });
        return Verdict::dropped;
    }
    report_and_stop(w, { wrong, head.pc, "", 0, where(w, lane) });
    return Verdict::fatal;
}

// Removes the i-th address of a request, and what it has stored.
static void remove_address(Worker &w, Request &r, unsigned i)
{
    Stored &s = w.order.stored;

    if (s.value != s.own)
        memcpy(s.own, s.value, sizeof s.own);
    s.value = s.own;
    std::fill(std::begin(r.pattern), std::end(r.pattern), Pattern::any);
    r.lanes--;
    memmove(r.address + i, r.address + i + 1, (r.lanes - i) * sizeof *r.address);
    memmove(r.lane + i, r.lane + i + 1, (r.lanes - i) * sizeof *r.lane);
    memmove(s.own + i, s.own + i + 1, (r.lanes - i) * sizeof *s.own);
    s.known = (s.known & ((1u << i) - 1)) | (uint32_t)((uint64_t)s.known >> (i + 1) << i);
}

// Checks the addresses of a request, and that global memory that it reads was written. Removes
// those that are out of bounds, after the report. False: a fault ends the launch, or no address
// is left.
static bool check_request(Worker &w, const Warp &warp, Request &r, const Stop &head, bool is_shared)
{
    for (unsigned i = 0; i < r.lanes;)
        switch (check_address(w, warp.lane[r.lane[i]], r.address[i], r.size, head, is_shared)) {
        case Verdict::right: i++; break;
        case Verdict::dropped:
            if (w.recorded)
                record_outside(w, warp, r, i, head.kind, head.pc);
            remove_address(w, r, i);
            break;
        case Verdict::fatal:
            if (w.recorded)
                record_outside(w, warp, r, i, head.kind, head.pc);
            return false;
        }
    return r.lanes > 0;
}

// Serves a request. `head` is what its lanes have in common. is_checked: addresses are aligned and
// within one allocation or variable each.
static void serve_memory(Worker &w, Warp &warp, Request &r, const Stop &head, bool is_checked)
{
    if (head.kind >= EMU_CLUSTER_LD)
        return serve_cluster(w, warp, r, head);
    bool shared = in_shared(w, r.address[0]);

    if (!(is_checked && (shared || head.kind == EMU_ST || all_written(r))) &&
        !check_request(w, warp, r, head, shared))
        return;
    Shape shape = shape_of(r);
    uint64_t fingerprint = fingerprint_of(w, warp, r.address[0], shape, head.pc);
    uint16_t index = w.counts.sites.find(
        head.pc, shared && head.kind == EMU_ATOMIC ? EMU_SHARED_ATOMIC : head.kind);

    if (head.kind == EMU_ST && is_checked)
        mark_written(r);
    else if (head.kind == EMU_ST || head.atomic == Atomic::overwrite)
        for (unsigned i = 0; i < r.lanes; i++)
            mark_written(r.address[i], r.size);
    if (shared && !shared_request(w, warp, r, head, head.kind, is_checked))
        return;
    if (!shared && w.launch->before_end)
        check_dependence(w, warp, r, head, head.kind != EMU_LD);
    if (!shared)
        race_check(w, warp, r, head.kind, head);

    Cost cost = head.kind == EMU_ATOMIC && shared && rules == &rules_9_0
                  ? atomic_wavefronts(r, head.atomic)
                  : cost_of(w, r, shape, shared, head.kind == EMU_SHARED_ST);
    count(w, index, cost, r.lanes);
    if (w.recorded)
        record_request(w, warp, r, head.kind, head.pc, cost);
    if (shared && (head.kind != EMU_SHARED_LD || head.is_volatile || head.is_ptx))
        close_merged(w, warp);
    if (shared && head.kind == EMU_SHARED_LD)
        merged_of(w, warp).add(w, r, shape, index, head.pc, cost,
                               shared_alignment(w, r.address[0]));
    if (shared && head.is_ptx)
        close_merged(w, warp);
    if (shared && head.kind == EMU_SHARED_LD)
        ahead_of(w, warp).shared_load();
    else if (shared)
        count_ahead(w, ahead_of(w, warp).shared_store());
    else if (head.kind == EMU_LD) {
        ahead_of(w, warp).global_load();
        count_load(w, warp);
    }
    note_progress(w, fingerprint);
}

// Serves what the lanes of a group have logged, or have stopped at. `head` is what they have in
// common.
static void serve_accesses(Worker &w, Warp &warp, unsigned group, const Stop &head)
{
    const AccessLog &log = *w.log;
    bool is_store = head.kind == EMU_ST || head.kind == EMU_SHARED_ST;
    Request r;

    r.lanes = 0;
    r.size = head.size;
    w.order.stored.known = 0;
    w.order.stored.value = w.order.stored.own;
    if (group == ALL && is_even(log)) {
        unsigned at = log.first[0];

        memcpy(r.address, log.row[at].address, sizeof r.address);
        for (unsigned i = 0; i < WARP; i++)
            r.lane[i] = (uint8_t)i;
        r.lanes = WARP;
        find_patterns(r);
        if (is_store) {
            w.order.stored.value = w.log->value[at];
            w.order.stored.known = ALL;
        }
        return serve_memory(w, warp, r, head, true);
    }
    for (unsigned left = group; left; left &= left - 1) {
        unsigned i = __builtin_ctz(left), at = log.first[i];
        bool is_logged = log.lanes >> i & 1;

        r.address[r.lanes] = is_logged ? log.row[at].address[i] : warp.lane[i].address;
        if (is_logged && is_store) {
            memcpy(w.order.stored.own[r.lanes], log.value[at][i], sizeof log.value[at][i]);
            w.order.stored.known |= 1u << r.lanes;
        }
        r.lane[r.lanes++] = i;
    }
    if (r.lanes == WARP)
        find_patterns(r);
    serve_memory(w, warp, r, head, !(group & ~log.lanes));
}

// Records for the race check which lanes a __syncwarp orders. Lanes of the mask that are not in the
// group have exited, and are not waited for.
static void remember_sync(Worker &w, Warp &warp, unsigned mask)
{
    unsigned all = warp.all();

    mask &= all;
    end_epoch(warp);
    if (w.asyncs)
        hopper::after_syncwarp(w, warp, mask);
    if (mask == all) {
        warp.full_sync = w.time;
        return;
    }
    if (!warp.pair_sync)
        warp.pair_sync.reset(new uint64_t[WARP][WARP]());
    for (unsigned a = mask; a; a &= a - 1)
        for (unsigned b = mask; b; b &= b - 1)
            warp.pair_sync[__builtin_ctz(a)][__builtin_ctz(b)] = w.time;
}

// __reduce_*_sync on 32-bit values; sums wrap around.
static uint32_t reduce(unsigned operation, const uint64_t *value, unsigned group)
{
    uint32_t result = (uint32_t)value[__builtin_ctz(group)];

    for (unsigned left = group & (group - 1); left; left &= left - 1) {
        uint32_t v = (uint32_t)value[__builtin_ctz(left)];

        switch (operation) {
        case EMU_REDUCE_ADD: result += v; break;
        case EMU_REDUCE_MIN: result = std::min(result, v); break;
        case EMU_REDUCE_MAX: result = std::max(result, v); break;
        case EMU_REDUCE_MIN_SIGNED: result = (uint32_t)std::min((int32_t)result, (int32_t)v); break;
        case EMU_REDUCE_MAX_SIGNED: result = (uint32_t)std::max((int32_t)result, (int32_t)v); break;
        case EMU_REDUCE_AND: result &= v; break;
        case EMU_REDUCE_OR: result |= v; break;
        case EMU_REDUCE_XOR: result ^= v; break;
        }
    }
    return result;
}

// Lanes that exchange values may have arrived at different statements. Since Volta, a GPU serves
// them together, too (PTX ISA, vote.sync and shfl.sync; seen on an H200), but this is rarely meant.
static void note_places(Worker &w, const Warp &warp, unsigned group)
{
    const Lane &head = warp.lane[__builtin_ctz(group)];

    for (unsigned left = group; left; left &= left - 1) {
        const Lane &lane = warp.lane[__builtin_ctz(left)];
        std::pair<uintptr_t, uintptr_t> pair(head.pc, lane.pc);

        if (lane.pc == head.pc ||
            std::find(w.paired.begin(), w.paired.end(), pair) != w.paired.end())
            continue;
        w.paired.push_back(pair);
        if (!is_one_statement(head.pc, lane.pc))
            note(std::min(head.pc, lane.pc),
                 "lanes that diverged exchange values here with lanes at line " +
                     std::to_string(places({ std::max(head.pc, lane.pc) })[0].line) +
                     ": legal since Volta, not before");
    }
}

// Performs an exchange of all lanes of the mask by one function. False: lanes wait for different
// ones, which was reported.
static bool act_together(Worker &w, Warp &warp, unsigned group)
{
    void *data[WARP] = {};
    const Lane &head = warp.lane[__builtin_ctz(group)];
    auto act = ((const Gathered *)head.value)->act;

    for (unsigned left = group; left; left &= left - 1) {
        const Lane &lane = warp.lane[__builtin_ctz(left)];
        const Gathered *g = (const Gathered *)lane.value;

        if (g->act != act) {
            report_and_stop(w, { "lanes of a warp wait for each other at different instructions",
                                 lane.pc, "another lane waits here", head.pc, where(w, lane) });
            return false;
        }
        data[__builtin_ctz(left)] = g->data;
    }
    act(w, data, group);
    return true;
}

// A shuffle whose mask is __activemask(), written in one statement, from lanes that are not the
// same for all. The mask has the lanes that happen to run together, which need not be those to read
// from (Programming Guide, "Warp Shuffle Functions"). False: it was reported.
static bool has_sure_mask(Worker &w, const Warp &warp, unsigned group)
{
    const Lane &head = warp.lane[__builtin_ctz(group)];
    bool differ = false;

    if (head.exchange != Exchange::shuffle || !head.active_pc || head.active != head.mask)
        return true;
    for (unsigned left = group; left; left &= left - 1)
        differ |= warp.lane[__builtin_ctz(left)].source != head.source;
    if (!differ || !is_one_statement(head.active_pc, head.pc))
        return true;
    report_and_stop(w, { "a shuffle by the mask of __activemask(), which may lack lanes that it "
                         "reads from: name the lanes that take part, 0xffffffff for all",
                         head.pc, "", 0, where(w, head) });
    return false;
}

static bool is_of_values(Exchange how)
{
    return how == Exchange::shuffle || how == Exchange::ballot || how == Exchange::reduce;
}

static void serve_exchange(Worker &w, Warp &warp, unsigned group)
{
    Lane &head = warp.lane[__builtin_ctz(group)];
    uint64_t brought[WARP], ballot = 0;
    bool brings_values = head.exchange != Exchange::sync;

    if (brings_values)
        note_places(w, warp, group);
    if (!has_sure_mask(w, warp, group))
        return;
    for (unsigned left = brings_values ? group : 0; left; left &= left - 1) {
        unsigned i = __builtin_ctz(left);

        brought[i] = warp.lane[i].value;
        if (warp.lane[i].exchange == Exchange::ballot && brought[i])
            ballot |= 1u << i;
    }
    if (head.exchange == Exchange::sync) {
        remember_sync(w, warp, head.mask);
        close_merged(w, warp);
    }
    w.counts.tally.exchanges += is_of_values(head.exchange);
    if (w.recorded && head.exchange != Exchange::active && head.exchange != Exchange::together)
        record_step(w, warp, head.exchange == Exchange::sync ? EMU_SYNCWARP : EMU_EXCHANGE, group,
                    head.pc, true, head.exchange == Exchange::collective);
    if (head.exchange == Exchange::collective && !act_together(w, warp, group))
        return;
    uint32_t reduced =
        head.exchange == Exchange::reduce ? reduce(head.operation, brought, group) : 0;
    for (unsigned left = brings_values ? group : 0; left; left &= left - 1) {
        Lane &lane = warp.lane[__builtin_ctz(left)];

        switch (lane.exchange) {
        case Exchange::sync: break;
        case Exchange::ballot: lane.value = ballot; break;
        case Exchange::active:
            lane.value = lane.active = group;
            lane.active_pc = lane.pc;
            break;
        case Exchange::reduce: lane.value = reduced; break;
        case Exchange::together:
        case Exchange::collective: break;
        case Exchange::shuffle:
            if (!lane.has_source)
                break;
            if (!(group >> lane.source & 1))
                return report_and_stop(w, { "shuffle from lane " + std::to_string(lane.source) +
                                                ", which is inactive: it has exited, does not "
                                                "exist or is not in the mask",
                                            lane.pc, "", 0, where(w, lane) });
            lane.value = brought[lane.source];
        }
    }
}

// Reports no progress at the lowest code address that the window served, so that the report does
// not depend on when the patience ends.
static void judge_progress(Worker &w, uintptr_t pc, unsigned lane)
{
    std::pair<uintptr_t, unsigned> place(pc, lane);

    w.progress.lowest = std::min(w.progress.lowest, place);
    if (w.time - w.progress.judged_time < WINDOW)
        return;
    w.progress.judged_time = w.time;
    place = std::exchange(w.progress.lowest, NOWHERE);
    if (is_without_progress())
        report_and_stop(w, { no_progress() + ": the same accesses and barriers repeat", place.first,
                             "", 0, where(w, w.lanes[place.second]) });
}

enum class Turn { over, waits, exhausted };

static void serve(Worker &w, Warp &warp, unsigned group, const Stop &head)
{
    switch (head.state) {
    case State::memory: serve_accesses(w, warp, group, head); break;
    case State::copy: serve_copy(w, warp, group); break;
    case State::texture: serve_texture(w, warp, group); break;
    case State::branch:
        if (w.unknown_code)
            analyze(std::exchange(w.unknown_code, 0));
        break;
    default: serve_exchange(w, warp, group);
    }
}

// Takes an unused log for a warp that has none.
static void open_log(Worker &w, Warp &warp)
{
    if (!warp.log && !w.idle_logs.empty()) {
        warp.log = std::move(w.idle_logs.back());
        w.idle_logs.pop_back();
    }
    if (!warp.log)
        warp.log.reset(new AccessLog());
    w.log = warp.log.get();
}

static void close_log(Worker &w, Warp &warp)
{
    if (!warp.log || warp.log->lanes)
        return;
    w.idle_logs.push_back(std::move(warp.log));
}

// Do the warp's last requests repeat earlier ones, while others wait for their turn?
static bool spins(Worker &w)
{
    uint64_t fresh = w.progress.fresh.load(std::memory_order_relaxed);

    return w.launch->takes_turns.load(std::memory_order_relaxed) &&
           std::exchange(w.progress.spun_fresh, fresh) == fresh;
}

// Runs a warp until none of its lanes can continue without other warps, or its turn is over.
static Turn run_warp(Worker &w, Warp &warp)
{
    unsigned group = warp.ready;   // lanes that were served

    open_log(w, warp);
    for (unsigned served = 0;; served++) {
        AccessLog &log = *w.log;

        run_lanes(w, warp, take_entries(warp, log, group));
        stores_are_done(w);
        w.progress.steps.store(w.progress.steps.load(std::memory_order_relaxed) + 1,
                               std::memory_order_relaxed);
        if (stops(w))
            return Turn::over;
        group = agreeing(warp, log);
        Stop head = {};
        if (group) {
            unsigned i = __builtin_ctz(group);
            head = head_of(key_of(log.row[log.first[i]].key[i]));
        } else if ((group = exchanging(warp, log)) || (group = choose(w, warp)))
            head = first_of(warp, __builtin_ctz(group));
        if (!group)
            return close_log(w, warp), Turn::waits;
        if (served == QUANTUM || (served % SPIN == SPIN - 1 && spins(w))) {
            w.progress.waits_at = head.pc;
            return Turn::exhausted;
        }
        w.time++;
        serve(w, warp, group, head);
        judge_progress(w, head.pc, warp.lane[__builtin_ctz(group)].id);
        if (stops(w))
            return Turn::over;
    }
}

// Some lanes wait for others that do not come. `first`: a lane that has reached a __syncthreads, or
// null.
static void report_stuck(Worker &w, const Lane &stuck, const Lane *first)
{
    std::string what = "lanes of its warp that do not arrive";

    if (stuck.state == State::barrier) {
        const NamedBarrier &b = w.barriers.named[stuck.barrier - 1];
        what = std::to_string(b.expected) + " threads at barrier " +
               std::to_string(stuck.barrier - 1) + ", of which " + std::to_string(b.arrived) +
               " have arrived";
    }
    report_and_stop(w, { "no progress: waits for " + what, stuck.pc,
                         first ? "other threads of the block wait here" : "", first ? first->pc : 0,
                         where(w, stuck) });
}

// Reports a barrier that cannot complete, or at which lanes wait at different places. False: it was
// reported.
static bool check_barrier(Worker &w)
{
    const Lane *first = nullptr, *other = nullptr, *stuck = nullptr;

    for (const Warp &warp : w.warps)
        for (uint32_t left = warp.all() & ~warp.exited; left; left &= left - 1) {
            const Lane &lane = warp.lane[__builtin_ctz(left)];
            if (lane.state != State::barrier || lane.barrier)
                stuck = &lane;
            else if (!first)
                first = &lane;
            else if (lane.pc != first->pc)
                other = &lane;
        }
    if (stuck)
        return report_stuck(w, *stuck, first), false;
    if (other) {
        std::vector<Place> at = places({ first->pc, other->pc });

        if (at[0].line != at[1].line || at[0].file != at[1].file) {
            report_and_stop(w, { "barrier that part of the block does not reach", first->pc,
                                 "the others wait at this one: " + thread_name(w, other->id),
                                 other->pc, where(w, *first) });
            return false;
        }
    }
    return true;
}

// All live lanes of the block have reached a barrier, or the barrier can never complete.
static void release_barrier(Worker &w)
{
    Barriers &b = w.barriers;
    const Lane *first = nullptr;
    bool is_regular = !b.has_named && !b.differs;
    unsigned exited = 0, live = 0;

    for (const Warp &warp : w.warps) {
        is_regular &= warp.is_idle();
        exited += (unsigned)__builtin_popcount(warp.exited);
        live += (unsigned)__builtin_popcount(warp.barrier);
        if (!first && warp.barrier)
            first = &warp.lane[__builtin_ctz(warp.barrier)];
    }
    if (!is_regular && !check_barrier(w))
        return;
    if (exited) {
        note(first->pc, "part of the block does not reach this barrier: legal since Volta if it "
                        "has returned, undefined behavior if it has skipped the barrier in a "
                        "branch");
        count_partial_barrier(w);
    }
    for (unsigned i = 0; i < w.warps.size(); i++) {
        Warp &warp = w.warps[i];
        unsigned here = warp.barrier;
        bool is_here = here != 0;

        if (w.recorded && is_here)
            record_step(w, warp, EMU_BARRIER, here, first->pc, i == first->id / WARP);
        close_merged(w, warp);
        count_barriers(w, is_here);
        w.time += is_here;
        warp.release(here);
    }
    b.passed = live;
    b.passed_true = b.arrived_true;
    b.pc = b.arrived_true = 0;
    b.differs = false;
    shared_begin_interval(w);
    judge_progress(w, first->pc, first->id);
}

void begin_block(Worker &w, uint64_t block)
{
    const Launch &launch = *w.launch;
    unsigned n = w.threads;

    w.recorded = !launch.is_reversed && is_recorded(launch, block);
    dependent_begin_block(w);
    w.block_linear = block;
    w.clock_reads = 0;
    w.block_index = { (unsigned)(block % launch.grid.x),
                      (unsigned)(block / launch.grid.x % launch.grid.y),
                      (unsigned)(block / launch.grid.x / launch.grid.y) };
    w.warps.resize((n + WARP - 1) / WARP);
    uint3 at = { 0, 0, 0 };
    for (unsigned i = 0; i < n; i++) {
        Lane &lane = w.lanes[i];

        lane.state = State::ready;
        w.sp[i] = nullptr;
        lane.barrier = 0;
        lane.active_pc = 0;
        lane.id = i;
        lane.thread = at;
        if (++at.x == launch.block.x) {
            at.x = 0;
            if (++at.y == launch.block.y) {
                at.y = 0;
                at.z++;
            }
        }
    }
    w.free_stacks.clear();
    for (unsigned i = n; i-- > 0;)
        w.free_stacks.push_back((uint16_t)i);
    for (unsigned i = 0; i < w.warps.size(); i++) {
        Warp &warp = w.warps[i];

        warp.lane = &w.lanes[i * WARP];
        warp.lanes = std::min(WARP, n - i * WARP);
        warp.index = i;
        warp.ready = warp.all();
        warp.barrier = warp.exited = 0;
        warp.full_sync = 0;
        if (warp.log)   // left by a launch that was stopped
            warp.log.reset();
        if (warp.pair_sync)
            memset(warp.pair_sync.get(), 0, WARP * sizeof warp.pair_sync[0]);
    }
    count_begin_block(w);
    if (w.asyncs)
        hopper::begin_block(w);
    w.barriers = {};
    shared_begin_block(w);
    pipeline_begin_block(w);
    order_begin_block(w);
}

// The block of a worker that runs no cluster has no others to wait for.
Round run_round(Worker &w)
{
    bool exhausted = false, live = false;

    for (size_t i = 0; i < w.warps.size(); i++) {
        Warp &warp = w.warps[w.launch->is_reversed ? w.warps.size() - 1 - i : i];
        Turn turn = run_warp(w, warp);

        if (stops(w))
            return Round::over;
        named_release(w);
        exhausted |= turn == Turn::exhausted;
        live = live || warp.exited != warp.all();
    }
    if (exhausted) {
        if (w.asyncs && !w.cluster)
            hopper::advance(w, false);
        let_others_run(w);
        return Round::busy;
    }
    if (std::exchange(w.barriers.named_released, false))
        return Round::progress;
    if (live && w.asyncs && hopper::has_waiting(w)) {
        if (w.cluster)
            return Round::waits;
        hopper::advance(w, true);
    } else if (live)
        release_barrier(w);
    else
        for (Warp &warp : w.warps)
            close_merged(w, warp);
    return live ? Round::progress : Round::over;
}

void run_block(Worker &w, uint64_t block)
{
    begin_block(w, block);
    while (run_round(w) != Round::over && !stops(w))
        ;
    if (w.asyncs && !stops(w))
        hopper::end_block(w);
}

}   // namespace emu
