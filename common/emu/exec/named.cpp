// Named barriers (bar.sync a, b in inline PTX), which threads of some of the block's warps pass. As
// a __syncthreads(), they order the accesses before them with those after them, but only of these
// threads: the first lane of each warp releases what the warp did, and after the barrier acquires
// what others have released through a word of the barrier.
#include <algorithm>

#include "count/counting.h"
#include "exec.h"
#include "lanes/asyncs.h"
#include "lanes/log.h"
#include "order/shared.h"

namespace emu {

// A word that no variable has, at the end of the arena.
static uintptr_t word_of(const Worker &w, unsigned id)
{
    return (uintptr_t)w.arena + ARENA - 4 * (id + 1);
}

static bool is_first_live(const Warp &warp, const Lane &lane)
{
    unsigned i = 0;

    while (warp.lane[i].state == State::exited)
        i++;
    return &warp.lane[i] == &lane;
}

// The warp arrives. Returns whether this lane acts for its warp.
static bool arrive(Worker &w, unsigned id, unsigned threads, uintptr_t pc)
{
    Lane &lane = *w.current;
    Warp &warp = w.warps[lane.id / WARP];
    NamedBarrier &b = w.barriers.named[id];

    exchange(Exchange::sync, warp.all(), 0, pc);
    if (!is_first_live(warp, lane))
        return false;
    if (b.expected && b.expected != threads)
        fail(w,
             "barrier " + std::to_string(id) + " for " + std::to_string(threads) +
                 " threads, at which others have arrived for " + std::to_string(b.expected),
             pc);
    fence(w, Scope::block);
    release(w, warp, lane, word_of(w, id), Scope::block);
    if (w.asyncs)
        hopper::named_arrives(w, id);
    w.barriers.has_named = true;
    count_barriers(w, 1);
    b.expected = threads;
    b.arrived += WARP;
    return true;
}

void named_arrive(Worker &w, unsigned id, unsigned threads, uintptr_t pc)
{
    // The warp does not wait, and may arrive at the next phase before others run.
    if (arrive(w, id, threads, pc))
        named_release(w);
}

void named_sync(Worker &w, unsigned id, unsigned threads, uintptr_t pc)
{
    Lane &lane = *w.current;
    Warp &warp = w.warps[lane.id / WARP];
    bool acts = arrive(w, id, threads, pc);

    lane.pc = pc;
    lane.barrier = (uint8_t)(id + 1);
    park(w, State::barrier);
    if (acts) {
        poll(w, lane, word_of(w, id), Scope::block);
        fence(w, Scope::block);
        if (w.asyncs)
            hopper::named_passes(w, id);
    }
    exchange(Exchange::sync, warp.all(), 0, pc);
}

void named_release(Worker &w)
{
    for (unsigned id = 0; w.barriers.has_named && id < NAMED_BARRIERS; id++) {
        NamedBarrier &b = w.barriers.named[id];
        if (!b.expected || b.arrived < b.expected)
            continue;
        b = { 0, 0 };
        w.barriers.named_released = true;
        if (w.asyncs)
            hopper::named_completes(w, id);
        w.progress.fresh.store(w.progress.fresh.load(std::memory_order_relaxed) + 1,
                               std::memory_order_relaxed);
        for (Warp &warp : w.warps)
            for (unsigned i = 0; i < warp.lanes; i++) {
                Lane &lane = warp.lane[i];
                if (lane.state == State::barrier && lane.barrier == id + 1) {
                    lane.barrier = 0;
                    lane.state = State::ready;
                    warp.release(1u << i);
                }
            }
    }
}

}   // namespace emu
