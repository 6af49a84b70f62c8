// Clusters of several blocks (cluster.h): runs their blocks in turn, and checks accesses to shared
// memory of other blocks.

#include <algorithm>
#include <cstring>

#include "include/cuda_runtime.h"
#include "count/counting.h"
#include "count/record.h"
#include "exec/exec.h"
#include "hopper.h"
#include "order/shared.h"
#include "report/report.h"

namespace emu {

// ---- running ----

static uint3 index_of(uint64_t i, uint3 size)
{
    return { (unsigned)(i % size.x), (unsigned)(i / size.x % size.y),
             (unsigned)(i / size.x / size.y) };
}

// The cluster of a worker, whose blocks take part in its launch.
static Cluster &cluster_of(Worker &w)
{
    Launch &launch = *w.launch;

    if (!w.own_cluster)
        w.own_cluster = new Cluster();
    Cluster &c = *w.own_cluster;
    c.count = cluster_blocks(launch);
    c.block[0] = &w;
    while (c.members.size() + 1 < c.count)
        c.members.push_back(new_member());
    for (unsigned i = 1; i < c.count; i++) {
        c.block[i] = c.members[i - 1].get();
        if (c.block[i]->launch != &launch || !c.block[i]->running)
            begin_launch(*c.block[i], launch, w.thread);
    }
    for (unsigned i = 0; i < c.count; i++) {
        c.block[i]->cluster = &c;
        c.block[i]->rank = i;
    }
    return c;
}

// From now on, this block runs, at the time that the one before has reached.
static void change_to(Worker &w)
{
    w.time = std::max(w.time, worker->time);
    worker = &w;
}

void run_cluster(Worker &leader, uint64_t number)
{
    const Launch &launch = *leader.launch;
    Cluster &c = cluster_of(leader);
    uint3 size = launch.cluster;
    bool over[MAX_CLUSTER] = {};

    c.index = index_of(number,
                       { launch.grid.x / size.x, launch.grid.y / size.y, launch.grid.z / size.z });
    for (unsigned i = 0; i < c.count; i++) {
        uint3 in = index_of(i, size);
        uint64_t x = c.index.x * size.x + in.x, y = c.index.y * size.y + in.y,
                 z = c.index.z * size.z + in.z;

        change_to(*c.block[i]);
        begin_block(*c.block[i], (z * launch.grid.y + y) * launch.grid.x + x);
    }
    for (unsigned i = 0; i < c.count; i++)
        hopper::begin_cluster_block(*c.block[i]);
    for (unsigned left = c.count; left && !stops(leader);) {
        bool moves = false, busy = false;

        for (unsigned i = 0; i < c.count && !stops(leader); i++) {
            if (over[i])
                continue;
            change_to(*c.block[i]);
            Round round = run_round(*c.block[i]);
            leader.progress.steps.store(leader.progress.steps.load() + 1);
            over[i] = round == Round::over;
            left -= over[i];
            moves |= round != Round::waits && round != Round::busy;
            busy |= round == Round::busy;
        }
        if (left && !moves && !stops(leader))
            hopper::advance(leader, !busy);
    }
    for (unsigned i = 0; i < c.count && !stops(leader); i++) {
        change_to(*c.block[i]);
        hopper::check_ends(*c.block[i]);
        hopper::end_block(*c.block[i]);
    }
    change_to(leader);
}

// ---- addresses ----

Worker *owner_of(Worker &w, uintptr_t address)
{
    if (in_shared(w, address))
        return &w;
    for (unsigned i = 0; w.cluster && i < w.cluster->count; i++)
        if (in_shared(*w.cluster->block[i], address))
            return w.cluster->block[i];
    return nullptr;
}

uintptr_t in_block(Worker &w, uintptr_t address, unsigned rank, uintptr_t pc)
{
    Worker *from = owner_of(w, address);
    unsigned count = w.cluster ? w.cluster->count : 1;

    if (!from)
        fail(w, "an address in another block of the cluster, of a variable that is not shared", pc);
    if (rank >= count)
        fail(w, "block " + std::to_string(rank) + " of a cluster that has " + std::to_string(count),
             pc);
    Worker &to = w.cluster ? *w.cluster->block[rank] : w;
    if (&to == from)
        return address;
    return shared_in(to, *from, address);
}

// ---- accesses to other blocks ----

namespace hopper {

void begin_cluster_block(Worker &w)
{
    change_to(w);
    block_of(w);
}

bool is_ordered_in_cluster(const Worker &w, const Lane &lane, uint64_t block, unsigned thread,
                           uint64_t time)
{
    for (unsigned i = 0; i < w.cluster->count; i++) {
        const Worker &other = *w.cluster->block[i];

        if (other.block_linear == block && other.asyncs)
            return time_in(seen_of(*w.asyncs, lane.id, *other.asyncs), thread) >
                   time_of(*other.asyncs, time);
    }
    return false;
}

static bool has_started(const Block &of, const Block &by, const Lane &lane)
{
    const Clock &seen = by.seen[lane.id];

    return of.rank < seen.peers.size() && seen.peers[of.rank];
}

static bool has_ended(const Worker &w)
{
    for (unsigned t = 0; t < w.threads; t++)
        if (w.lanes[t].state != State::exited)
            return false;
    return true;
}

static std::string block_name(const Worker &w)
{
    return "block " + std::to_string(w.rank) + " of the cluster";
}

void check_alive(Worker &of, Worker &by, const Lane &lane, const char *what, uintptr_t pc)
{
    if (!has_started(*of.asyncs, *by.asyncs, lane))
        report({ std::string(what) + " to shared memory of " + block_name(of) +
                     ", which may not have started: a barrier of the cluster must come before",
                 pc, "", 0, where(by, lane) });
    else if (has_ended(of))
        report({ std::string(what) + " to shared memory of " + block_name(of) +
                     ", which has ended: a barrier of the cluster belongs at its end",
                 pc, "", 0, where(by, lane) });
}

void note_use(Worker &of, Worker &by, const Lane &lane, const RemoteUse &use)
{
    RemoteMarks &remote = of.asyncs->remote;

    remote.uses.resize(MAX_CLUSTER);
    remote.uses[by.rank].resize(MAX_THREADS);
    remote.uses[by.rank][lane.id] = use;
}

// Does a thread of the block know of the use?
static bool is_known(const Block &b, unsigned rank, unsigned thread, const RemoteUse &use)
{
    for (unsigned t = 0; t < b.threads; t++) {
        const Clock &seen = b.seen[t];

        if (use.barrier && time_in(seen.own, b.threads + use.barrier - 1) > use.phase)
            return true;
        if (rank < seen.peers.size() && seen.peers[rank] &&
            time_in(*seen.peers[rank], thread) > use.time)
            return true;
    }
    return false;
}

void check_ends(Worker &w)
{
    const Block &b = *w.asyncs;

    for (unsigned rank = 0; rank < b.remote.uses.size(); rank++)
        for (unsigned t = 0; t < b.remote.uses[rank].size(); t++) {
            const RemoteUse &use = b.remote.uses[rank][t];
            const Worker &by = *w.cluster->block[rank];

            if (use.time && !is_known(b, rank, t, use)) {
                report({ block_name(w) + " may end before this access to its shared memory: no "
                                         "thread of it waits for something that comes after",
                         use.pc, "", 0, where(by, by.lanes[t]) });
                return;
            }
        }
}

static RemoteWord &word_at(RemoteMarks &remote, size_t offset)
{
    std::unique_ptr<RemoteMarks::Page> &page = remote.pages[offset / PAGE_BYTES];

    if (!page)
        page.reset(new RemoteMarks::Page());
    return page->word[offset % PAGE_BYTES / 4];
}

// Does a mark conflict with an access, which nothing orders after it?
static bool conflicts(const RemoteAccess &a, const RemoteMark &m, unsigned bytes, bool is_atomic)
{
    const Block &by = *a.by.asyncs, &other = *a.of.cluster->block[m.rank]->asyncs;

    if (!m.time || !(m.bytes & bytes) ||
        ((a.is_atomic || a.is_volatile) && (is_atomic || m.is_volatile)) ||
        (&other == &by && m.thread == a.lane.id) ||
        (m.pc == a.pc && &other == &by && !is_atomic && m.time == time_of(by, a.by.time)))
        return false;
    const Times &known =
        a.operation ? proxied_of(by, a.lane.id, other) : seen_of(by, a.lane.id, other);
    return time_in(known, m.thread) <= m.time;
}

static void report_remote(const RemoteAccess &a, size_t offset, const RemoteMark &m,
                          const char *did)
{
    const Worker &other = *a.of.cluster->block[m.rank];
    std::string verb = a.operation
                         ? std::string(name_of(*a.operation)) + (a.writes ? " writes " : " reads ")
                     : a.is_atomic ? "atomic on "
                     : a.writes    ? "write of "
                                   : "read of ";
    bool only_fence =
        a.operation && time_in(seen_of(*a.by.asyncs, a.lane.id, *other.asyncs), m.thread) > m.time;

    report({ (only_fence ? "missing fence.proxy.async: " : "race between blocks of a cluster: ") +
                 verb + shared_name(a.of, (uintptr_t)a.of.arena + offset) +
                 (&a.of == &a.by ? "" : " of " + block_name(a.of)) + ", which " +
                 block_name(other) + " has " + did +
                 (only_fence ? "" : ", and nothing orders the two"),
             a.pc, std::string(did) + " here by " + thread_name(other, m.thread), m.pc,
             where(a.by, a.lane) });
}

void check_remote(const RemoteAccess &a)
{
    RemoteMarks &remote = a.of.asyncs->remote;

    for (size_t at = a.offset / 4 * 4; at < a.offset + a.bytes; at += 4) {
        if (!remote.pages[at / PAGE_BYTES]) {
            at = at / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES - 4;
            continue;
        }
        RemoteWord &word = word_at(remote, at);
        unsigned first = at < a.offset ? a.offset - (uint32_t)at : 0,
                 last = std::min<uint32_t>(4, a.offset + a.bytes - (uint32_t)at),
                 bytes = (1u << last) - (1u << first);

        if (conflicts(a, word.write, bytes, false))
            report_remote(a, at, word.write, "written");
        if (conflicts(a, word.atomic, bytes, true))
            report_remote(a, at, word.atomic, "changed by an atomic");
        for (const RemoteMark &m : word.read)
            if (a.writes && !a.operation && conflicts(a, m, bytes, false))
                report_remote(a, at, m, "read");
            else if (a.writes && a.operation) {
                RemoteAccess plain = a;
                plain.operation = nullptr;
                if (conflicts(plain, m, bytes, false))
                    report_remote(a, at, m, "read");
            }
        if (a.operation && a.writes)
            word = RemoteWord();
    }
}

// Marks an access by a lane of another block, which check_remote() has judged.
static void mark_remote(const RemoteAccess &a)
{
    Block &b = *a.of.asyncs;
    RemoteMark mark = {};

    b.remote.pages.resize(ARENA / PAGE_BYTES + 1);
    mark.time = time_of(b, a.by.time);
    mark.thread = a.lane.id;
    mark.rank = (uint8_t)a.by.rank;
    mark.is_volatile = a.is_volatile;
    mark.pc = a.pc;
    for (size_t at = a.offset / 4 * 4; at < a.offset + a.bytes; at += 4) {
        RemoteWord &word = word_at(b.remote, at);
        unsigned first = at < a.offset ? a.offset - (uint32_t)at : 0,
                 last = std::min<uint32_t>(4, a.offset + a.bytes - (uint32_t)at);

        mark.bytes = (uint8_t)((1u << last) - (1u << first));
        if (a.is_atomic)
            word.atomic = mark;
        else if (a.writes)
            word.write = mark;
        else {
            if (word.read[0].thread != mark.thread || word.read[0].rank != mark.rank)
                word.read[1] = word.read[0];
            word.read[0] = mark;
        }
    }
}

// Accesses by the block's own threads, and its asynchronous operations.
static void check_own(const RemoteAccess &a)
{
    static const Plane planes[] = { WRITE, ATOMIC, ATOMIC_LAST, READ, READ_LAST };
    Worker &of = a.of;
    Block &b = *of.asyncs;
    Page &p = of.shared.pages[a.offset / PAGE_BYTES];
    const Times &seen = seen_of(*a.by.asyncs, a.lane.id, b);

    for (Plane plane : planes) {
        bool reads = plane == READ || plane == READ_LAST, is_atomic = !reads && plane != WRITE;

        if (!p.marks[plane] || (reads && !a.writes) || (is_atomic && a.is_atomic))
            continue;
        for (size_t c = a.offset % PAGE_BYTES >> p.shift();
             c << p.shift() < a.offset % PAGE_BYTES + a.bytes; c++) {
            const Mark &m = p.marks[plane][c];

            if (m.epoch < of.order.local.first ||
                ((a.is_volatile || a.is_atomic) && (m.strength || is_atomic)) ||
                time_in(seen, m.thread) > time_of(b, epoch_of(of, SHARED, m.epoch).created))
                continue;
            report(
                { "race between blocks of a cluster: " +
                      std::string(a.is_atomic ? "atomic on "
                                  : a.writes  ? "write of "
                                              : "read of ") +
                      shared_name(of, (uintptr_t)of.arena + a.offset) + " of " + block_name(of) +
                      ", which its own thread has " + (reads ? "read" : "written") +
                      ", and nothing orders the two",
                  a.pc,
                  std::string(reads ? "read" : "written") + " here by " + thread_name(of, m.thread),
                  pc_of(m), where(a.by, a.lane) });
        }
    }
    check_operations(of, a.by, a.lane, a.offset, a.bytes, a.writes, a.pc);
}

static bool check_access(const RemoteAccess &a, emu_kind kind)
{
    Worker &of = a.of;
    std::string wrong = shared_out_of_bounds(of, a.offset, a.bytes);

    if (a.offset % a.bytes)
        wrong = misaligned(
            shared_name(of, (uintptr_t)of.arena + a.offset) + " of " + block_name(of), a.bytes);
    else if (!wrong.empty())
        wrong += " of " + block_name(of);
    if (!wrong.empty()) {
        report_and_stop(a.by, { wrong, a.pc, "", 0, where(a.by, a.lane) });
        return false;
    }
    check_alive(of, a.by, a.lane, "an access", a.pc);
    size_t unwritten = kind == EMU_CLUSTER_ST ? ARENA : shared_unwritten(of, a.offset, a.bytes);
    if (unwritten != ARENA)
        report({ "uninitialized read of " + shared_name(of, (uintptr_t)of.arena + unwritten) +
                     " of " + block_name(of) + ", which no thread has written",
                 a.pc, "", 0, where(a.by, a.lane) });
    if (a.writes)
        shared_mark_written(of, a.offset, a.bytes);
    if (!of.asyncs->remote.empty())
        check_remote(a);
    check_own(a);
    mark_remote(a);
    note_use(of, a.by, a.lane, { time_of(*of.asyncs, a.by.time), 0, 0, a.pc });
    return true;
}

}   // namespace hopper

void serve_cluster(Worker &w, Warp &warp, const Request &r, const Stop &head)
{
    Cost cost = {};

    for (unsigned i = 0; i < r.lanes; i++) {
        Worker &of = *owner_of(w, r.address[i]);

        if (!hopper::check_access({ of, w, warp.lane[r.lane[i]],
                                    (uint32_t)(r.address[i] - (uintptr_t)of.arena), r.size,
                                    head.kind != EMU_CLUSTER_LD, head.kind == EMU_CLUSTER_ATOMIC,
                                    head.is_volatile, nullptr, head.pc },
                                  head.kind))
            return;
    }
    Shape shape = shape_of(r);
    cost = rules->global(r);
    cost.bytes = r.lanes * r.size;
    count(w, w.counts.sites.find(head.pc, head.kind), cost, r.lanes);
    if (w.recorded)
        record_request(w, warp, r, head.kind, head.pc, cost);
    note_progress(w, fingerprint_of(w, warp, r.address[0], shape, head.pc));
}

}   // namespace emu

// ---- what kernels call ----

extern "C" {

// At the start of a kernel with __cluster_dims__. A launch without this size starts again with it.
void emu_cluster_dims(unsigned x, unsigned y, unsigned z)
{
    emu::Worker &w = emu::on_device(__builtin_return_address(0));
    const uint3 &is = w.launch->cluster;

    if (is.x == x && is.y == y && is.z == z && w.launch->has_clusters)
        return;
    if (!w.launch->has_clusters)
        w.launch->wanted = { x, y, z };
    emu::refuse(w, cudaErrorInvalidClusterSize);
}

void *emu_cluster_map(const void *p, unsigned rank)
{
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    return (void *)emu::in_block(emu::on_device((void *)pc), (uintptr_t)p, rank, pc);
}

unsigned emu_cluster_rank_of(const void *p)
{
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    emu::Worker &w = emu::on_device((void *)pc), *of = emu::owner_of(w, (uintptr_t)p);

    if (!of)
        emu::fail(w, "the rank of the block of an address that is not shared memory", pc);
    return of->rank;
}

uint3 emu_cluster_index(void)
{
    emu::Worker &w = emu::on_device(__builtin_return_address(0));
    return w.cluster ? w.cluster->index : w.block_index;
}
uint3 emu_cluster_dim(void) { return emu::on_device(__builtin_return_address(0)).launch->cluster; }
unsigned emu_cluster_rank(void) { return emu::on_device(__builtin_return_address(0)).rank; }
int emu_has_clusters(void)
{
    return emu::on_device(__builtin_return_address(0)).launch->has_clusters;
}
void emu_cluster_arrive(int is_release)
{
    emu::hopper::cluster_arrive(is_release, (uintptr_t)__builtin_return_address(0));
}
void emu_cluster_wait(void) { emu::hopper::cluster_wait((uintptr_t)__builtin_return_address(0)); }

// The size of the clusters of a launch, null if it has none. It is here, so that a program whose
// launches may have clusters is linked with this file.
const uint3 *emu_clusters_of_launch(bool has_clusters, const uint3 *size)
{
    return has_clusters ? size : nullptr;
}
}
