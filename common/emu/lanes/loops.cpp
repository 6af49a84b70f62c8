// Tracks where lanes are in their code: the compiler inserts a call at every basic block of a
// kernel (-fsanitize-coverage=trace-pc). A lane that jumps back to the head of a loop, and may have
// skipped accesses of the iteration, waits there until the other lanes have finished the iteration:
// it logs that. Otherwise one request would contain lanes of different iterations.
#include "flow.h"
#include "guard.h"
#include "log.h"

namespace emu {

__thread Position *position __attribute__((tls_model("local-exec")));

static void leave(Position *p)
{
    const Position::Caller &c = p->caller[--p->depth];

    p->frame = c.frame;
    p->order = c.order;
    p->function = c.function;
    p->callers = c.callers;
    p->stack = c.stack;
}

Rank rank_at(Position *p, uintptr_t pc)
{
    Spot s = spot_at(pc);

    while (s.order && s.function != p->function && p->depth)
        leave(p);   // a function has returned, and its caller has not entered a new block since
    if (s.order)
        p->order = s.order;
    return p->rank();
}

// The number of the calls in which the lane is, for its log.
static uint8_t number_of(Worker &w, const Position &p)
{
    size_t n = 0;

    while (n < w.calls.size() && !(w.calls[n].callers == p.callers && w.calls[n].depth == p.depth))
        n++;
    if (n == UNKNOWN_CALLS)
        return UNKNOWN_CALLS;
    if (n == w.calls.size())
        w.calls.push_back({ p.callers, p.depth });
    return (uint8_t)n;
}

// The lane has entered a function, or returned from one or more. Calls nested more deeply than
// FRAMES count as part of the deepest frame that is tracked.
static void change_frame(Position *p, void *frame, Spot s)
{
    while (p->depth && p->frame < frame)
        leave(p);
    if (p->frame && frame < p->frame && p->depth + 1 < Position::FRAMES) {
        p->caller[p->depth] = { p->frame, p->order, p->function, p->callers, (uint8_t)p->stack };
        p->callers = p->rank();
        p->depth++;
        p->stack = number_of(*worker, *p);
    }
    if (p->frame != frame)
        p->order = 0;
    p->frame = frame;
    p->function = s.function;
}

static Spot analyzed(uintptr_t pc)
{
    Worker *w = worker;

    while (!spot_at(pc).order) {
        // analyzed on the scheduler's stack, which is larger than a lane's
        w->unknown_code = pc;
        w->current->pc = pc;
        park(*w, State::branch);
    }
    return spot_at(pc);
}

// The lane has gone from the block with order `before` to one that is not later in the order.
__attribute__((noinline)) static void jump_back(Position *p, uintptr_t pc, Spot s, uint32_t before)
{
    Worker *w = worker;
    unsigned loop = s.loop;

    while (loop && loops[loop].last < before)
        loop = loops[loop].parent;
    if (!loop || !loops[loop].waits)
        return;
    uint32_t last = loops[loop].last;
    if (p->stack == UNKNOWN_CALLS) {
        w->current->pc = pc;
        p->order = last;
        park(*w, State::branch);
    } else
        log_entry(*w, key_bits(pc, p->stack, Entry::iteration, 0, 0, 0), last);
    p->order = s.order;
}

static inline void enter_block(Position *p, uintptr_t pc, Spot s)
{
    uint32_t before = p->order;

    p->block = pc;
    p->order = s.order;
    if (s.order <= before && s.waits)
        jump_back(p, pc, s, before);
}

static inline void enter_kernel(Position *p, uintptr_t pc, void *frame, Spot s)
{
    p->frame = frame;
    p->function = s.function;
    p->block = pc;
    p->order = s.order;
}

// The rare cases are apart, so that the common one saves no registers.
__attribute__((noinline)) static void enter_elsewhere(Position *p, uintptr_t pc, void *frame)
{
    Lane &lane = *worker->current;

    if (overflows(*worker)) {   // before the function stores anything below its stack
        lane.pc = pc;
        park(*worker, State::barrier);   // reports it, and does not return
    }
    Spot s = analyzed(pc);
    if (frame != p->frame)
        change_frame(p, frame, s);
    enter_block(p, pc, s);
}

}   // namespace emu

extern "C" void __sanitizer_cov_trace_pc(void)
{
    emu::Position *p = emu::position;
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    void *frame = __builtin_dwarf_cfa();

    if (!p)
        return;   // host code
    emu::Spot s = emu::spot_at(pc);
    if (s.order && frame == p->frame)
        emu::enter_block(p, pc, s);
    else if (s.order && !p->frame && !emu::overflows(*emu::worker))   // the kernel starts
        emu::enter_kernel(p, pc, frame, s);
    else
        emu::enter_elsewhere(p, pc, frame);
}
