// Asynchronous copies from global to shared memory (cuda_pipeline.h). The bytes arrive as late as
// the program allows: when their thread waits for them. An access to the target before that is
// reported.
#include <algorithm>
#include <cstring>

#include "pipeline.h"
#include "count/counting.h"
#include "count/record.h"
#include "exec.h"
#include "lanes/log.h"
#include "order/memory.h"
#include "order/shared.h"
#include "report/report.h"

namespace emu {

// Groups that a wait can leave pending. A larger `prior` counts as 8, as in CUDA's own header.
constexpr uint64_t MOST_PENDING = 8;

void pipeline_begin_block(Worker &w)
{
    for (Pipeline &p : w.pipelines) {
        p.copies.clear();
        p.committed = p.landed = 0;
    }
}

static Pipeline &pipeline_of(Worker &w)
{
    if (w.pipelines.empty())
        w.pipelines.resize(MAX_THREADS);
    return w.pipelines[w.current->id];
}

// Returns "" or what is wrong with the arguments of a copy.
static std::string check(const Worker &w, uintptr_t to, uintptr_t from, size_t size, size_t zfill)
{
    if (size != 4 && size != 8 && size != 16)
        return "asynchronous copy of " + std::to_string(size) + " bytes: it must be 4, 8 or 16";
    if (zfill > size)
        return "asynchronous copy of " + std::to_string(size) + " bytes that fills " +
               std::to_string(zfill) + " with zeros";
    if (!in_shared(w, to))
        return "asynchronous copy to an address that is not shared memory";
    if (zfill < size && !in_heap(from) && in_image(from) != Image::device)
        return "asynchronous copy from an address that is not global memory";
    if (to % size || from % size)
        return "misaligned asynchronous copy: " + std::to_string(size) + " bytes " +
               (to % size ? "to" : "from") + " an address that is " +
               std::to_string((to % size ? to : from) % size) + " past a multiple of " +
               std::to_string(size);
    return "";
}

// Counts a load from global memory and a store to shared memory. Copies that only fill with zeros
// are a separate instruction, which loads nothing.
static void count_copies(Worker &w, Warp &warp, const CopyRequest &r, uintptr_t pc)
{
    CopyCost cost = copies(*rules, r);
    unsigned zeros = (unsigned)__builtin_popcount(r.zeros), loads = r.to.lanes - zeros;
    uint16_t store = w.counts.sites.find(pc, EMU_SHARED_ST);

    if (loads) {
        count(w, w.counts.sites.find(pc, EMU_LD), cost.load, loads);
        count(w, store, cost.store, loads);
        count_load(w, warp);
        count_copy(w, ahead_of(w, warp).in_flight());
        ahead_of(w, warp).copy(w.pipelines[warp.lane[r.to.lane[0]].id].committed);
    }
    Cost of_zeros = loads ? Cost{ 0, 0, 0 } : cost.store;
    if (zeros)
        count(w, store, of_zeros, zeros);
    if (w.recorded)
        record_copies(w, warp, r, pc, cost, of_zeros);
}

// Serves lanes that all read the same number of bytes or none. False: it reported a fault that ends
// the launch.
static bool serve_alike(Worker &w, Warp &warp, unsigned group)
{
    const Lane &head = warp.lane[__builtin_ctz(group)];
    unsigned read = 0;   // bytes
    CopyRequest r = { { 0, 0, {}, {} }, { 0, head.size, {}, {} }, 0 };
    Request loaded = { 0, 0, {}, {} };

    for (unsigned left = group; left; left &= left - 1) {
        unsigned i = __builtin_ctz(left);
        const Lane &lane = warp.lane[i];
        std::string wrong = lane.read ? check_global(lane.address, lane.read) : "";

        if (!wrong.empty())
            return report_and_stop(w, { wrong, lane.pc, "", 0, where(w, lane) }), false;
        if (lane.read)
            report_unwritten(w, lane, lane.address, lane.read, lane.pc);
        if (lane.read) {
            loaded.address[loaded.lanes] = lane.address;
            loaded.lane[loaded.lanes++] = i;
            read = lane.read;
        } else
            r.zeros |= 1u << r.to.lanes;
        r.from.address[r.from.lanes] = lane.address;
        r.from.lane[r.from.lanes++] = i;
        r.to.address[r.to.lanes] = lane.target;
        r.to.lane[r.to.lanes++] = i;
    }
    r.from.size = loaded.size = read;
    w.order.stored.value = w.order.stored.own;
    for (unsigned i = 0; i < r.to.lanes; i++) {
        memset(w.order.stored.value[i], 0, r.to.size);
        memcpy(w.order.stored.value[i], (const void *)r.from.address[i],
               r.zeros >> i & 1 ? 0 : read);
    }
    w.order.stored.known = ~0u;
    if (!shared_request(w, warp, r.to, head, EMU_SHARED_ST))
        return false;
    if (loaded.lanes)
        race_check(w, warp, loaded, EMU_LD, head);
    count_copies(w, warp, r, head.pc);
    for (unsigned i = 0; i < r.to.lanes; i++) {
        Pipeline &p = w.pipelines[warp.lane[r.to.lane[i]].id];
        Copy c = { r.to.address[i] - (uintptr_t)w.arena, r.to.size, p.committed, {} };

        memcpy(c.bytes, (const void *)r.from.address[i], r.zeros >> i & 1 ? 0 : read);
        p.copies.push_back(c);
        shared_copy_starts(w, c.offset, c.size);
    }
    stores_are_done(w);
    note_progress(w, fingerprint_of(w, warp, r.from.address[0], shape_of(r.from), head.pc));
    return true;
}

// Copies that read only part of their bytes are a separate request for each number of bytes read.
void serve_copy(Worker &w, Warp &warp, unsigned group)
{
    close_merged(w, warp);
    auto bytes = [](const Lane &lane) { return lane.read == lane.size ? 0 : lane.read; };

    while (group) {
        const Lane &head = warp.lane[__builtin_ctz(group)];
        unsigned alike = 0;

        for (unsigned left = group; left; left &= left - 1)
            if (bytes(warp.lane[__builtin_ctz(left)]) == bytes(head))
                alike |= left & -left;
        if (!serve_alike(w, warp, alike))
            return;
        group &= ~alike;
    }
}

void pipeline_copy(Worker &w, uintptr_t to, uintptr_t from, size_t size, size_t zfill, uintptr_t pc)
{
    std::string wrong = check(w, to, from, size, zfill);
    Lane &lane = *w.current;

    lane.pc = pc;
    if (!wrong.empty())
        fail(w, wrong, pc);
    pipeline_of(w);
    lane.target = to;
    lane.address = from;
    lane.size = size;
    lane.read = size - zfill;
    park(w, State::copy);
}

void pipeline_commit(Worker &w, uintptr_t pc)
{
    serve_log(w);
    uint64_t group = ++pipeline_of(w).committed;
    if (w.recorded)
        record_group(w, EMU_COMMIT, group, pc);
}

// The copies before `end` have arrived.
static void land(Worker &w, const Lane &lane, Pipeline &p, std::vector<Copy>::iterator end)
{
    for (auto c = p.copies.begin(); c != end; c++) {
        memcpy(w.arena + c->offset, c->bytes, c->size);
        shared_copy_arrives(w, lane, c->offset, c->size);
    }
    p.landed += (uint64_t)(end - p.copies.begin());
    p.copies.erase(p.copies.begin(), end);
}

uint64_t pipeline_started(const Worker &w, unsigned thread)
{
    if (w.pipelines.empty())
        return 0;
    return w.pipelines[thread].landed + w.pipelines[thread].copies.size();
}

void pipeline_land(Worker &w, unsigned thread, uint64_t end)
{
    if (w.pipelines.empty() || w.pipelines[thread].landed >= end)
        return;
    Pipeline &p = w.pipelines[thread];
    land(w, w.lanes[thread], p, p.copies.begin() + (long)(end - p.landed));
}

// Completes all but the last `prior` committed groups of this thread. Copies after the last commit
// belong to no group yet.
void pipeline_wait(Worker &w, uint64_t prior, uintptr_t pc)
{
    serve_log(w);
    Pipeline &p = pipeline_of(w);
    uint64_t end = p.committed - std::min(prior, p.committed);
    if (w.recorded)
        record_group(w, EMU_WAIT, end, pc);
    auto first_pending = std::find_if(p.copies.begin(), p.copies.end(),
                                      [end](const Copy &c) { return c.group >= end; });

    land(w, *w.current, p, first_pending);
    // the first lane of the warp that waits takes up the copies
    count_ahead(w, ahead_of(w, w.warps[w.current->id / WARP]).wait(end));
}

}   // namespace emu

#define CALL_SITE ((uintptr_t)__builtin_return_address(0))

extern "C" {

void __pipeline_memcpy_async(void *shared, const void *global, size_t size, size_t zfill)
{
    emu::pipeline_copy(emu::on_device((void *)CALL_SITE), (uintptr_t)shared, (uintptr_t)global,
                       size, zfill, CALL_SITE);
}

void __pipeline_commit(void) { emu::pipeline_commit(emu::on_device((void *)CALL_SITE), CALL_SITE); }

void __pipeline_wait_prior(size_t prior)
{
    emu::pipeline_wait(emu::on_device((void *)CALL_SITE), std::min(prior, emu::MOST_PENDING),
                       CALL_SITE);
}
}
