// The order in which diverged lanes of a warp go on, from the machine code of the kernel: lanes
// meet where their paths do, at the immediate postdominator of the branch that parted them.
#ifndef EMU_FLOW_H
#define EMU_FLOW_H

#include <atomic>
#include <cstdint>
#include <cstring>

extern "C" char __executable_start, __data_start;

namespace emu {

// ---- machine instructions (decode.cpp) ----

// How control leaves an instruction: to the next one, to the next one after a call, to the target,
// to both, or nowhere in this function (return, indirect jump, trap).
enum class Leaves : uint8_t { next, call, jump, branch, nowhere };

struct Instruction {
    unsigned bytes;
    Leaves leaves;
    uintptr_t target;   // of a jump or branch; of a call, 0 if it is indirect
};

// False: an instruction that it does not know.
bool decode(uintptr_t pc, Instruction *);

// ---- control flow (flow.cpp) ----

// What is known of the place behind a call in the kernel's code. All zero: nothing yet.
struct Spot {
    uint32_t order;       // of two places in a function lanes at that with the lower one go first
    uint32_t loop : 16;   // the innermost around it; 0 if there is none
    uint32_t waits : 1;   // whether that loop, or one around it, has `waits`
    uint32_t function : 15;   // numbered from 1
};

struct Loop {
    uint32_t last;     // the order of lanes that wait for the end of this iteration
    uint16_t parent;   // the next loop around it; 0 if there is none
    // Must a lane wait there before it starts another iteration? Not if all lanes in the loop stop
    // at one place in each iteration, and nowhere behind it.
    bool waits;
};

extern std::atomic<uint64_t> *spots;   // by the distance from the program's start
extern Loop loops[];                   // by number

// Of a place in the program.
inline Spot spot_at(uintptr_t pc)
{
    uint64_t s = spots[pc - (uintptr_t)&__executable_start].load(std::memory_order_acquire);
    Spot spot;

    memcpy(&spot, &s, sizeof spot);
    return spot;
}

// Reads the function whose first block calls in from `entry`.
void analyze(uintptr_t entry);

}   // namespace emu

#endif
