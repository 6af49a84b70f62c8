// Loops in which lanes skip what others do. The compiler calls in at every block of a kernel's code
// (-fsanitize-coverage=trace-pc). A lane that has jumped back, which may have skipped the accesses
// of a round, stops there until the others have come to the end of the round too: else it would go
// on to the next round's, and lanes in different rounds would be served as one request.
#include "internal.h"

extern "C" void __sanitizer_cov_trace_pc(void);

namespace emu {

constexpr size_t LOOPS = 1024;   // slots; loops that share one are analyzed again

__thread Position position;

// The function that the call which ends before `pc` calls; 0 if no call ends there.
static uintptr_t called(uintptr_t pc)
{
    int32_t distance;

#if defined(__x86_64__)
    if (*(const unsigned char *)(pc - 5) != 0xe8)
        return 0;
    __builtin_memcpy(&distance, (const void *)(pc - 4), sizeof distance);
    return pc + distance;
#else
    if (pc % 4)
        return 0;
    uint32_t instruction = *(const uint32_t *)(pc - 4);
    if (instruction >> 26 != 0x25)   // bl
        return 0;
    distance = (int32_t)(instruction << 6) >> 4;
    return pc - 4 + distance;
#endif
}

// Is there a call between two blocks of the code, other than at the start of one: something that a
// lane may stop at? Bytes that look like a call of the program's own code but are none only cost
// time.
static bool has_calls(uintptr_t start, uintptr_t end)
{
    for (uintptr_t pc = start + 1; pc <= end; pc++) {
        uintptr_t function = called(pc);

        if (function && function != (uintptr_t)__sanitizer_cov_trace_pc &&
            in_image(function) == Image::read_only)
            return true;
    }
    return false;
}

// The lane that runs has jumped back from the block at `before` to that at `pc`.
__attribute__((noinline)) static void jumped_back(uintptr_t pc, uintptr_t before)
{
    Worker *w = worker;

    if (!w || !w->current)
        return;
    if (w->loops.empty())
        w->loops.resize(LOOPS);
    Lane &lane = *w->current;
    Loop &loop = w->loops[(pc * 0x9E3779B97F4A7C15u) >> 54];
    bool is_known = loop.start == pc;
    // it stopped in that block, where others that come through it were too
    bool has_met = lane.position.block == before;
    if (!is_known || loop.end < before)
        loop = { pc, before, before, has_calls(pc, before), is_known };
    loop.has_ways |= before < loop.end;
    if (has_met && before == loop.end && lane.pc > loop.last)
        loop.last = lane.pc;
    if ((has_met && !loop.has_ways) || !loop.stops)
        return;
    lane.pc = loop.last + 1;
    park(*w, State::branch);
}

}   // namespace emu

// After a forward jump no lane has to wait, because lanes at lower addresses are served first. In a
// loop of one basic block nothing can be skipped. A change of the function is not a jump.
extern "C" void __sanitizer_cov_trace_pc(void)
{
    emu::Position before = emu::position,
                  now = { (uintptr_t)__builtin_return_address(0), __builtin_dwarf_cfa() };

    emu::position = now;
    if (now.block < before.block && now.frame == before.frame)
        emu::jumped_back(now.block, before.block);
}
