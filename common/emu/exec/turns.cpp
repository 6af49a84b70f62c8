// The order of blocks in launches that may depend on it. If threads synchronize by memory, a fault
// may show only if one block or warp comes before another. So that a verdict depends neither on
// chance nor on the number of workers, the blocks of such a launch take turns in the order of their
// indices, and in a second run in reverse order (grid.cpp). A block's turn ends with the block, or
// when it makes no progress. When it is known that a launch is long, all workers run at once.
#include <semaphore.h>

#include <cstring>
#include <mutex>
#include <string_view>
#include <vector>

#include "include/cuda_runtime.h"
#include "exec.h"
#include "lanes/flow.h"
#include "order/snapshot.h"
#include "report/report.h"

extern "C" char etext, __data_start;

namespace emu {

constexpr uint64_t LONG = 1 << 13;   // requests of a launch that is long, without repetitions
constexpr unsigned FRUITLESS = 16;   // rounds without progress after which no block can continue

static std::mutex &turn_lock = *new std::mutex;   // workers may wait until the process ends
static sem_t go[1 << 14];                         // by worker
static __thread unsigned own_number;              // the number of this worker
static unsigned turn_holder;                      // the worker that runs
static std::vector<bool> is_over;           // by worker that has been started: it has no block
static uint64_t first_fresh, round_fresh;   // when the launch, and the round, began
static unsigned fruitless;                  // rounds without progress
static bool is_error;                       // a block that waits for one of lower index

// ---- programs with fences ----

// Is there a call of one of these functions in the program's code?
static bool calls_one_of(const std::vector<uintptr_t> &functions)
{
    for (uintptr_t pc = (uintptr_t)&__executable_start; pc + 5 <= (uintptr_t)&etext;) {
        uintptr_t target = 0;
#if defined(__x86_64__)
        int32_t distance;
        const void *next = memchr((const void *)pc, 0xe8, (uintptr_t)&etext - 4 - pc);
        if (!next)
            return false;
        pc = (uintptr_t)next + 1;
        memcpy(&distance, (const void *)pc, sizeof distance);
        target = pc + 4 + (intptr_t)distance;
#else
        Instruction i;
        if (decode(pc, &i) && i.leaves == Leaves::call)
            target = i.target;
        pc += 4;
#endif
        for (uintptr_t f : functions)
            if (f == target)
                return true;
    }
    return false;
}

// Is there inline PTX with a fence, an acquire or a release in the program's constants?
static bool has_ptx_fences()
{
    static const char *const instructions[] = { "fence.s",      "fence.a",      "fence.r",
                                                "membar.",      "ld.acquire",   "st.release",
                                                "atom.acquire", "atom.acq_rel", "atom.release",
                                                "red.release",  "red.acq_rel" };
    std::string_view constants(&etext, (size_t)(&__data_start - &etext));

    for (const char *text : instructions)
        for (size_t at = constants.find(text); at != std::string_view::npos;
             at = constants.find(text, at + 1))
            if (constants.data() + at != text)
                return true;
    return false;
}

bool has_fences()
{
    static const bool has =
        has_ptx_fences() ||
        calls_one_of({ (uintptr_t)__threadfence, (uintptr_t)__threadfence_block,
                       (uintptr_t)__threadfence_system, (uintptr_t)emu_atomic_fence,
                       (uintptr_t)emu_atomic_load, (uintptr_t)emu_atomic_store,
                       (uintptr_t)emu_atomic_update });
    return has;
}

// ---- turns ----

void turns_begin_launch(Launch &l)
{
    std::lock_guard<std::mutex> hold(turn_lock);

    l.takes_turns = keeps_changes && has_fences() && !l.cooperative;
    turn_holder = 0;
    is_over.assign(1, false);
    first_fresh = round_fresh = all_fresh();
    fruitless = 0;
}

static void give_turn(unsigned worker)
{
    turn_holder = worker;
    sem_post(&go[worker]);
}

// From now on, all workers run at once.
static void end_turns(Launch &l)
{
    l.takes_turns = false;
    for (unsigned i = 0; i < is_over.size(); i++)
        sem_post(&go[i]);
    if (!l.stop)
        use_all_workers(l);
}

static bool has_blocks(const Launch &l) { return l.next_block < l.blocks / cluster_blocks(l); }

// All workers have had their turn. Without progress, one that waits for a block that has not
// started could wait for ever, so more of them start. Returns the worker that is next.
static unsigned end_round(Worker &w, Launch &l)
{
    uint64_t fresh = all_fresh();
    unsigned next = 0;

    fruitless = std::exchange(round_fresh, fresh) == fresh ? fruitless + 1 : 0;
    if (fresh - first_fresh > LONG)
        end_turns(l);
    else if (fruitless && has_blocks(l) && add_workers(l)) {
        next = (unsigned)is_over.size();
        is_over.resize(started_workers(), false);
    } else if (fruitless > FRUITLESS && l.is_reversed && has_blocks(l)) {
        l.waits_at = w.progress.waits_at;
        l.stop = true;
        end_turns(l);
    }
    return next;
}

// The next worker that has a block; without one, `from`.
static unsigned next_worker(Worker &w, Launch &l, unsigned from)
{
    for (unsigned next = from + 1;; next++) {
        if (next >= is_over.size())
            next = end_round(w, l);
        if (!l.takes_turns || next == from || !is_over[next])
            return next;
    }
}

void turns_wait(Launch &l, unsigned worker)
{
    own_number = worker;
    for (;;) {
        {
            std::lock_guard<std::mutex> hold(turn_lock);
            if (!l.takes_turns || turn_holder == own_number)
                return;
        }
        while (sem_wait(&go[own_number]))
            ;
    }
}

void turns_pass(Worker &w)
{
    Launch &l = *w.launch;
    {
        std::lock_guard<std::mutex> hold(turn_lock);

        if (!l.takes_turns)
            return;
        unsigned next = next_worker(w, l, own_number);
        if (!l.takes_turns || next == own_number)
            return;
        give_turn(next);
    }
    turns_wait(l, own_number);
}

void turns_after_block(Launch &l)
{
    if (!l.takes_turns)
        return;
    std::lock_guard<std::mutex> hold(turn_lock);
    if (l.takes_turns && all_fresh() - first_fresh > LONG)
        end_turns(l);
}

void turns_end_worker(Worker &w)
{
    Launch &l = *w.launch;

    if (!l.takes_turns)
        return;
    std::lock_guard<std::mutex> hold(turn_lock);
    is_over[own_number] = true;
    if (l.stop)
        return end_turns(l);
    for (unsigned i = 1; i < is_over.size(); i++) {
        unsigned next = (own_number + i) % is_over.size();
        if (!is_over[next])
            return give_turn(next);
    }
}

void report_order(const Launch &l)
{
    static const char text[] =
        "a block waits here for a block of lower index that has not started. CUDA does not start "
        "blocks in the order of their indices: take the index from a counter (atomicAdd), in the "
        "order in which blocks start";

    if (is_error)
        report({ text, l.waits_at, "", 0, std::string("in ") + l.kernel });
    else
        note(l.waits_at, text);
}

}   // namespace emu

extern "C" void emu_order_matters(int is_error) { emu::is_error = is_error; }
