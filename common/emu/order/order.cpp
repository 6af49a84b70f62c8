// What orders accesses of different threads: barriers, __syncwarp, and fences. A thread that
// executes a fence and then changes a word by an atomic or a volatile store releases what it did
// before. A thread that reads the word by an atomic or a volatile load and then executes a fence
// acquires it (PTX ISA, "Release and Acquire Patterns"). The releases through one word form a log.
// What a thread has acquired is a prefix of some logs, together with what the releasing threads had
// acquired.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <tuple>

#include "count/counting.h"
#include "lanes/asyncs.h"
#include "lanes/log.h"
#include "shared.h"
#include "report/report.h"

namespace emu {

struct Release {
    uint32_t block;
    uint32_t previous;   // previous release of the same block in this log: index + 1
    uint16_t thread;
    Strength strength;   // of the store or atomic
    // Of a store or atomic that is itself the release, and not after a fence: of its epoch. Else 0.
    uint64_t created;
    Fence fence[STRENGTHS];
    // time of each warp's last __threadfence before the block's last barrier; null: none
    std::shared_ptr<const std::vector<uint64_t>> fenced;
    std::vector<Known> known;
};

struct Log {
    std::vector<Release> releases;
    std::unordered_map<uint32_t, uint32_t> last;   // per block, the last release: index + 1
    std::vector<uint32_t> linked;                  // indices of releases with `known`
};

constexpr size_t MOST_RELEASES = 1 << 20;
constexpr uint32_t BATCH = 256;         // epochs that a worker reserves at once
constexpr uint32_t CHUNK = 1 << 16;     // epochs per chunk
constexpr uint32_t RESTART = 1 << 31;   // beyond this id, ids restart at the next launch

static std::mutex log_lock;
static std::unordered_map<uintptr_t, std::unique_ptr<Log>> logs;   // of words in global memory
static std::atomic<size_t> releases;                               // in all logs
static std::atomic<Epoch *> chunks[(1ull << 32) / CHUNK];
static std::atomic<uint32_t> next_epoch{ BATCH };
static uint32_t launch_first, first_chunk;

void order_begin_launch()
{
    logs.clear();
    releases = 0;
    for (uint32_t c = first_chunk; c < next_epoch / CHUNK; c++)
        free(chunks[c].exchange(nullptr));
    if (next_epoch > RESTART) {
        races_forget(0, SIZE_MAX);
        next_epoch = BATCH;
    }
    launch_first = next_epoch;
    first_chunk = launch_first / CHUNK;
}

void order_begin_block(Worker &w)
{
    Order &o = w.order;

    o.block++;
    o.lanes.resize(MAX_THREADS);
    o.warp_fence.assign(MAX_WARPS, 0);
    o.fenced.reset();
    o.block_polled.clear();
    o.block_known.clear();
    o.known.clear();
    o.logs.clear();
    o.own_logs.clear();
    o.has_fenced = o.has_polled = o.has_ever_polled = false;
    if (o.local.next > RESTART || o.local.next == 0) {
        races_forget_shared(w);
        o.local.next = 1;
    }
    o.local.first = o.local.next;
    o.local.table.clear();
    order_barrier(w);
}

void end_epoch(Warp &warp)
{
    warp.is_apart = true;
    warp.epoch[GLOBAL] = warp.epoch[SHARED] = 0;
}

static uint32_t new_epoch(Worker &w, Space space)
{
    Order &o = w.order;
    Epoch e = { (uint32_t)w.block_linear, w.shared.interval, w.time };

    if (space == SHARED) {
        o.local.table.push_back(e);
        return o.local.next++;
    }
    if (o.next_epoch == o.end_epoch || o.next_epoch < launch_first ||
        !chunks[o.next_epoch / CHUNK].load(std::memory_order_relaxed)) {
        std::lock_guard<std::mutex> hold(log_lock);
        o.next_epoch = next_epoch.fetch_add(BATCH);
        o.end_epoch = o.next_epoch + BATCH;
        std::atomic<Epoch *> &chunk = chunks[o.next_epoch / CHUNK];
        if (!chunk)
            chunk = (Epoch *)calloc(CHUNK, sizeof(Epoch));
        if (!chunk) {
            fprintf(stderr, "CPU device: not enough memory for the race check\n");
            _exit(3);
        }
    }
    chunks[o.next_epoch / CHUNK].load(std::memory_order_relaxed)[o.next_epoch % CHUNK] = e;
    return o.next_epoch++;
}

uint32_t current_epoch(Worker &w, Warp &warp, Space space)
{
    uint32_t &of_block = w.order.block_epoch[space];

    if (warp.epoch[space])
        return warp.epoch[space];
    if (warp.is_apart)
        return warp.epoch[space] = new_epoch(w, space);
    if (!of_block)
        of_block = new_epoch(w, space);
    return warp.epoch[space] = of_block;
}

const Epoch &epoch_of(const Worker &w, Space space, uint32_t id)
{
    if (space == SHARED)
        return w.order.local.table[id - w.order.local.first];
    return chunks[id / CHUNK].load(std::memory_order_relaxed)[id % CHUNK];
}

uint32_t first_epoch(const Worker &w, Space space)
{
    return space == SHARED ? w.order.local.interval : launch_first;
}

uint32_t launch_epoch() { return launch_first; }
uint32_t end_of_epochs() { return next_epoch; }

static LaneOrder &order_of(Worker &w, const Lane &lane)
{
    LaneOrder &l = w.order.lanes[lane.id];

    if (l.block != w.order.block)
        l = LaneOrder{};
    l.block = w.order.block;
    return l;
}

// Null: nothing was released through this word.
static Log *find_log(Worker &w, uintptr_t address)
{
    if (in_shared(w, address)) {
        auto found = w.order.logs.find(address / 4);
        return found == w.order.logs.end() ? nullptr : found->second;
    }
    auto found = logs.find(address / 4);
    return found == logs.end() ? nullptr : found->second.get();
}

static Log &make_log(Worker &w, uintptr_t address)
{
    if (!in_shared(w, address)) {
        std::unique_ptr<Log> &log = logs[address / 4];
        if (!log)
            log.reset(new Log);
        return *log;
    }
    Log *&log = w.order.logs[address / 4];
    if (!log) {
        w.order.own_logs.emplace_back(new Log);
        log = w.order.own_logs.back().get();
    }
    return *log;
}

static void merge(std::vector<Known> &all, const Known &k)
{
    for (Known &old : all)
        if (old.log == k.log && old.strength == k.strength) {
            old.count = std::max(old.count, k.count);
            return;
        }
    all.push_back(k);
}

unsigned unordered(const Warp &warp, unsigned set, unsigned lane, uint64_t time)
{
    if (warp.full_sync > time)
        return 0;
    if (warp.pair_sync)
        for (unsigned left = set; left; left &= left - 1)
            if (warp.pair_sync[__builtin_ctz(left)][lane] > time)
                set &= ~(left & -left);
    return set;
}

// Was what the lanes `mask` of warp `of_warp` had acquired or read at `time` passed on to `lane`?
static bool reaches(const Warp &warp, const Lane &lane, unsigned of_warp, uint32_t mask,
                    uint64_t time)
{
    unsigned self = lane.id % WARP;

    return of_warp == warp.index &&
           ((mask >> self & 1) || unordered(warp, mask, self, time) != mask);
}

// All threads pass the barrier, so each acquires what any of them had acquired.
void order_barrier(Worker &w)
{
    Order &o = w.order;

    o.barrier = w.time;
    o.version++;
    if (!w.order.also_stored.empty())
        w.order.also_stored.clear();
    o.block_epoch[GLOBAL] = o.block_epoch[SHARED] = 0;
    o.local.interval = o.local.next;
    for (Warp &warp : w.warps) {
        warp.is_apart = false;
        warp.epoch[GLOBAL] = warp.epoch[SHARED] = 0;
    }
    for (const KnownByLanes &k : o.known)
        merge(o.block_known, k.what);
    o.known.clear();
    if (o.has_fenced)
        o.fenced = std::make_shared<std::vector<uint64_t>>(o.warp_fence);
    if (o.has_polled) {
        std::lock_guard<std::mutex> hold(log_lock);

        for (unsigned i = 0; i < w.threads; i++) {
            LaneOrder &l = order_of(w, w.lanes[i]);

            for (unsigned p = 0; p < std::min(l.polls, MAX_POLLED); p++)
                if (Log *log = find_log(w, l.polled[p].address))
                    merge(o.block_polled,
                          { log, (uint32_t)log->releases.size(), l.polled[p].strength });
            l.polls = 0;
        }
    }
    o.has_fenced = o.has_polled = false;
    if (w.asyncs)
        hopper::after_barrier(w);
}

static void learn(Worker &w, const Lane &lane, const Known &what)
{
    uint32_t self = 1u << lane.id % WARP;
    Order &o = w.order;

    for (const Known &k : o.block_known)
        if (k.log == what.log && k.count >= what.count && k.strength >= what.strength)
            return;
    for (KnownByLanes &k : o.known)
        if (k.what.log == what.log && k.what.strength == what.strength &&
            k.warp == lane.id / WARP && (k.what.count == what.count || k.mask == self)) {
            k = { what, k.warp, k.mask | self, w.time };
            return;
        }
    o.known.push_back({ what, lane.id / WARP, self, w.time });
}

// From here on, the accesses of the lane's warp are in new epochs.
static Fence new_fence(Worker &w, Warp &warp)
{
    Order &o = w.order;

    serve_log(w);
    w.time++;
    o.version++;
    o.has_fenced = true;
    end_epoch(warp);
    close_merged(w, warp);
    // After a __syncwarp with a partial mask, all lanes of the warp are assumed to be ordered.
    return { w.time, o.barrier, warp.pair_sync ? w.time : warp.full_sync };
}

static void learn_polled(Worker &w, const Lane &lane, const LaneOrder &l, Strength s)
{
    for (unsigned p = 0; p < std::min(l.polls, MAX_POLLED); p++)
        if (Log *log = find_log(w, l.polled[p].address))
            learn(w, lane,
                  { log, (uint32_t)log->releases.size(), std::min(l.polled[p].strength, s) });
}

void fence(Worker &w, Scope scope, bool acquires, bool releases)
{
    Order &o = w.order;
    const Lane &lane = *w.current;
    Warp &warp = w.warps[lane.id / WARP];
    LaneOrder &self = order_of(w, lane);
    Strength s = strength_of(scope);

    if (s == WEAK)
        return;
    Fence f = new_fence(w, warp);
    for (unsigned i = IN_BLOCK; releases && i <= s; i++)
        self.fence[i] = f;
    if (releases && s > IN_BLOCK)
        o.warp_fence[warp.index] = w.time;
    if (!acquires)
        return;
    std::lock_guard<std::mutex> hold(log_lock);
    for (const Known &k : o.block_polled)
        learn(w, lane, { k.log, k.count, std::min(k.strength, s) });
    for (unsigned i = 0; o.has_polled && i < warp.lanes; i++) {
        LaneOrder &l = order_of(w, warp.lane[i]);

        if (l.polls && reaches(warp, lane, warp.index, 1u << i, l.poll_time))
            learn_polled(w, lane, l, s);
    }
    if (s == EVERYWHERE)
        self.polls = 0;
}

void acquire(Worker &w, uintptr_t address, Scope scope)
{
    const Lane &lane = *w.current;

    if (scope == Scope::thread)
        return;
    new_fence(w, w.warps[lane.id / WARP]);
    std::lock_guard<std::mutex> hold(log_lock);
    if (Log *log = find_log(w, address))
        learn(w, lane, { log, (uint32_t)log->releases.size(), strength_of(scope) });
}

Releasing::Releasing(Worker &worker, Scope scope) : w(worker)
{
    if (scope == Scope::thread)
        return;
    Fence f = new_fence(w, w.warps[w.current->id / WARP]);
    lane = &order_of(w, *w.current);
    std::copy(std::begin(lane->fence), std::end(lane->fence), before);
    std::fill(lane->fence + IN_BLOCK, lane->fence + strength_of(scope) + 1, f);
    lane->is_releasing = true;
}

Releasing::~Releasing()
{
    if (!lane)
        return;
    std::copy(std::begin(before), std::end(before), lane->fence);
    lane->is_releasing = false;
    // What the lane does next is not released.
    w.time++;
    end_epoch(w.warps[w.current->id / WARP]);
}

bool has_fenced(const Worker &w, const Lane &lane)
{
    const LaneOrder &l = w.order.lanes[lane.id];

    return w.order.fenced || (l.block == w.order.block && l.fence[IN_BLOCK].time);
}

void poll(Worker &w, const Lane &lane, uintptr_t address, Scope scope)
{
    LaneOrder &l = order_of(w, lane);
    Strength s = strength_of(scope);

    w.order.has_polled = w.order.has_ever_polled = true;
    l.poll_time = w.time;
    for (unsigned p = 0; p < std::min(l.polls, MAX_POLLED); p++)
        if (l.polled[p].address == address) {
            l.polled[p].strength = std::max(l.polled[p].strength, s);
            return;
        }
    l.polled[l.polls++ % MAX_POLLED] = { address, s };
    if (l.polls == 2 * MAX_POLLED)
        l.polls = MAX_POLLED;
}

bool release(Worker &w, const Warp &warp, const Lane &lane, uintptr_t address, Scope scope,
             uint64_t created)
{
    Order &o = w.order;
    LaneOrder &l = order_of(w, lane);

    if ((!l.fence[IN_BLOCK].time && !o.fenced) || releases > MOST_RELEASES ||
        (l.released == address && l.released_version == o.version))
        return false;
    l.released = address;
    l.released_version = o.version;

    std::lock_guard<std::mutex> hold(log_lock);
    Log &log = make_log(w, address);
    uint32_t &last = log.last[(uint32_t)w.block_linear];
    Release r = { (uint32_t)w.block_linear,     last, (uint16_t)lane.id, strength_of(scope),
                  l.is_releasing ? created : 0, {},   o.fenced,          o.block_known };
    std::copy(std::begin(l.fence), std::end(l.fence), r.fence);
    for (const KnownByLanes &k : o.known)
        if (reaches(warp, lane, k.warp, k.mask, k.time))
            merge(r.known, k.what);
    releases++;
    last = (uint32_t)log.releases.size() + 1;
    if (!r.known.empty())
        log.linked.push_back(last - 1);
    log.releases.push_back(std::move(r));
    return true;
}

Strength needed_strength(const Launch &l, uint32_t block, uint32_t other)
{
    auto cluster_of = [&](uint32_t b) {
        return std::make_tuple(b % l.grid.x / l.cluster.x, b / l.grid.x % l.grid.y / l.cluster.y,
                               b / l.grid.x / l.grid.y / l.cluster.z);
    };

    if (block == other)
        return IN_BLOCK;
    return cluster_blocks(l) > 1 && cluster_of(block) == cluster_of(other) ? IN_CLUSTER
                                                                           : EVERYWHERE;
}

namespace {

// Searches for a release that covers an access.
struct Search {
    const Launch &launch;
    const Epoch &epoch;
    unsigned thread;
    bool any_scope = false;     // as if all operations reached everywhere
    unsigned steps = 1 << 14;   // left; at 0 the search ends and assumes that the access is ordered
    std::map<std::tuple<const Log *, Strength, uint32_t>, uint32_t> visited = {};

    // Has a thread that released it so released the access?
    bool covers(const Release &r, Strength reach) const
    {
        const Fence &f = r.fence[any_scope ? IN_BLOCK : reach];
        uint64_t time = epoch.created;

        return (f.time && (time < f.barrier || (thread == r.thread && time < f.time) ||
                           (thread / WARP == r.thread / WARP && time < f.warp_sync))) ||
               (r.fenced && time < (*r.fenced)[thread / WARP]) ||
               (r.created && time == r.created && thread == r.thread);
    }

    // How far the synchronization must reach from a block to another; WEAK: it does not.
    Strength reach(uint32_t from, Strength there, uint32_t to, Strength here) const
    {
        Strength s = needed_strength(launch, from, to);

        return any_scope || (there >= s && here >= s) ? s : WEAK;
    }

    // The search ends, and the access counts as ordered.
    static bool give_up()
    {
        note_limit(
            "the race check is incomplete: accesses of a long chain of fences and atomics are "
            "assumed to be ordered");
        return true;
    }

    // Among what a block knows.
    bool find(const Known &k, uint32_t block)
    {
        uint32_t &seen = visited[{ k.log, k.strength, block }], from = seen;

        // Those before `from` have been looked at.
        if (k.count <= from)
            return false;
        const std::vector<Release> &all = k.log->releases;
        const std::vector<uint32_t> &linked = k.log->linked;
        auto of_block = k.log->last.find(epoch.block);
        for (uint32_t i = of_block == k.log->last.end() ? 0 : of_block->second; i > from;
             i = all[i - 1].previous) {
            Strength s =
                i > k.count ? WEAK : reach(epoch.block, all[i - 1].strength, block, k.strength);
            if (s && covers(all[i - 1], s))
                return true;
        }
        seen = k.count;
        for (auto n = std::lower_bound(linked.begin(), linked.end(), from);
             n != linked.end() && *n < k.count; n++) {
            uint32_t i = *n;
            Strength s = reach(all[i].block, all[i].strength, block, k.strength);
            if (!s || (!any_scope && !all[i].fence[s].time && !all[i].fenced))
                continue;
            if (steps == 0)
                return give_up();
            steps--;
            for (const Known &further : all[i].known)
                if (find(further, all[i].block))
                    return true;
        }
        return false;
    }
};

}   // namespace

// Among what the lane knows.
static bool finds(Search &s, const Worker &w, const Warp &warp, const Lane &lane)
{
    uint32_t block = (uint32_t)w.block_linear;

    for (const Known &k : w.order.block_known)
        if (s.find(k, block))
            return true;
    for (const KnownByLanes &k : w.order.known)
        if (reaches(warp, lane, k.warp, k.mask, k.time) && s.find(k.what, block))
            return true;
    return false;
}

bool is_acquired(Worker &w, const Warp &warp, const Lane &lane, const Epoch &e, unsigned thread)
{
    const Order &o = w.order;

    if (o.block_known.empty() && o.known.empty())
        return false;
    if (releases > MOST_RELEASES) {
        note_limit("the race check is incomplete: after more than a million fences with atomics in "
                   "one launch, accesses of other threads are assumed to be ordered");
        return true;
    }
    std::lock_guard<std::mutex> hold(log_lock);
    Search s = { *w.launch, e, thread };

    return finds(s, w, warp, lane);
}

bool has_observed(Worker &w, const Warp &warp, const Lane &lane, uintptr_t address, uint32_t block)
{
    std::lock_guard<std::mutex> hold(log_lock);
    const Order &o = w.order;
    const Log *log = find_log(w, address);

    if (!log || !log->last.count(block))
        return false;
    uint32_t last = log->last.at(block);
    auto covers = [&](const Known &k) { return k.log == log && last <= k.count; };
    for (const Known &k : o.block_known)
        if (covers(k))
            return true;
    for (const KnownByLanes &k : o.known)
        if (covers(k.what) && reaches(warp, lane, k.warp, k.mask, k.time))
            return true;
    return false;
}

// The same, and among what a fence of the lane would acquire, or its block has acquired since.
static bool finds_polled(Search &s, const Worker &w, const Lane &lane)
{
    if (finds(s, w, w.warps[lane.id / WARP], lane))
        return true;
    for (const Known &k : w.order.block_polled)
        if (s.find(k, (uint32_t)w.block_linear))
            return true;
    return false;
}

bool is_signaled(Worker &w, const Lane &lane, uintptr_t address, const Epoch &e, unsigned thread)
{
    std::lock_guard<std::mutex> hold(log_lock);
    Search s = { *w.launch, e, thread, true };
    const LaneOrder &l = order_of(w, lane);
    uint32_t block = (uint32_t)w.block_linear;

    if (finds_polled(s, w, lane))
        return true;
    for (unsigned p = 0; p < std::min(l.polls, MAX_POLLED); p++) {
        Log *log = l.polled[p].address == address ? nullptr : find_log(w, l.polled[p].address);
        if (log && s.find({ log, (uint32_t)log->releases.size(), EVERYWHERE }, block))
            return true;
    }
    return false;
}

MissingFence missing_fence(Worker &w, const Lane &lane, const Epoch &e, unsigned thread)
{
    std::lock_guard<std::mutex> hold(log_lock);
    Search s = { *w.launch, e, thread }, widened = { *w.launch, e, thread, true };
    const LaneOrder &l = order_of(w, lane);
    uint32_t block = (uint32_t)w.block_linear;

    if (finds_polled(s, w, lane))
        return FENCE_HERE;
    if (finds(widened, w, w.warps[lane.id / WARP], lane))
        return NARROW_SCOPE;
    for (unsigned p = 0; p < std::min(l.polls, MAX_POLLED); p++)
        if (Log *log = find_log(w, l.polled[p].address)) {
            Known k = { log, (uint32_t)log->releases.size(), l.polled[p].strength };
            if (s.find(k, block))
                return FENCE_HERE;
            if (widened.find(k, block))
                return NARROW_SCOPE;
        }
    for (const auto &entry : logs) {
        Search all = { *w.launch, e, thread };
        if (all.find({ entry.second.get(), (uint32_t)entry.second->releases.size(), EVERYWHERE },
                     block))
            return UNKNOWN_FENCE;   // released, but this lane has not read that word
    }
    return has_fenced(w, lane) && w.order.has_ever_polled ? FENCE_THERE : UNKNOWN_FENCE;
}

}   // namespace emu
