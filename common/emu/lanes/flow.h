// The order in which diverged lanes of a warp run, derived from the machine code of the kernel:
// lanes reconverge at the immediate postdominator of the branch at which they diverged.
#ifndef EMU_FLOW_H
#define EMU_FLOW_H

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

extern "C" char __executable_start, __data_start;

namespace emu {

// ---- machine instructions (decode.cpp, patch.cpp) ----

// Where control goes after an instruction: to the next one, to the next one after a call, to the
// target, to either of both, or nowhere in this function (return, indirect jump, trap).
enum class Leaves : uint8_t { next, call, jump, branch, nowhere };

struct Instruction {
    unsigned bytes;
    Leaves leaves;
    uintptr_t target;   // of a jump or branch; of a call, 0 if it is indirect
};

// Decodes the instruction at an address. False: unknown instruction.
bool decode(uintptr_t pc, Instruction *);

// Makes calls do nothing: those that return to these addresses. Other threads may execute them
// meanwhile. False: the system does not allow it.
bool remove_calls(const std::vector<uintptr_t> &after);

// ---- control flow (flow.cpp) ----

// What is known of the return address of a call in the kernel's code. All zero: not analyzed yet.
struct Spot {
    uint32_t order;           // lanes at the place with the lower order run first
    uint32_t loop : 16;       // innermost loop around it; 0: none
    uint32_t waits : 1;       // set if this loop or one around it has `waits`
    uint32_t function : 15;   // numbered from 1
};

struct Loop {
    uint32_t last;     // order of lanes that wait for the end of this iteration
    uint16_t parent;   // enclosing loop; 0: none
    // Must a lane wait there before it starts another iteration? No, if all lanes in the loop stop
    // at one place in each iteration and nowhere after it.
    bool waits;
};

extern std::atomic<uint64_t> *spots;   // indexed by distance from the program's start
extern Loop loops[];                   // indexed by number

// The spot of a code address.
inline Spot spot_at(uintptr_t pc)
{
    uint64_t s = spots[pc - (uintptr_t)&__executable_start].load(std::memory_order_acquire);
    Spot spot;

    memcpy(&spot, &s, sizeof spot);
    return spot;
}

// Analyzes the function whose first block calls in from `entry`, and publishes its spots. Removes
// calls of __sanitizer_cov_trace_pc that are not needed.
void analyze(uintptr_t entry);
// The start of the loop around the instruction before `pc` in which a lane makes no access: the
// outermost one. 0: there is none, or the function is not known. block: a traced block of it, or 0.
uintptr_t loop_around(uintptr_t pc, uintptr_t block);

}   // namespace emu

#endif
