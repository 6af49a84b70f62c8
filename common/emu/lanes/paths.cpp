// What a lane computes between two of its requests: the instructions of the host's code on the
// shortest path from one call of the runtime to the next, by kind. A model of time that has no
// machine code of a GPU estimates its instructions from them.
#include <algorithm>
#include <deque>
#include <cstring>
#include <map>

#include "flow.h"
#include "interface.h"

namespace emu {

constexpr size_t MOST_VISITED = 20000;
constexpr int MOST_ROUNDS = 1024;

#if defined(__x86_64__)
// Opcodes after 0F that compute with floating-point numbers: sqrt, rsqrt, rcp, add, mul, cvt, sub,
// min, div, max.
static void count_float(const unsigned char *at, bool is_double, emu_work *b)
{
    switch (*at) {
    case 0x51:
    case 0x52:
    case 0x53:
    case 0x5e: b->special++; break;
    case 0x59: (is_double ? b->fp64 : b->products)++; break;
    case 0x58:
    case 0x5c: (is_double ? b->fp64 : b->sums)++; break;
    case 0x5d:
    case 0x5f: b->integers++; break;
    case 0x2a:
    case 0x2c:
    case 0x2d: b->special++; break;
    case 0xaf: b->integers++; break;   // imul
    }
}

// Integer arithmetic: not moves, and not comparisons, which belong to a branch.
static bool is_integer(unsigned op, unsigned field)
{
    if (op < 0x40)
        return (op & 7) < 6 && op >> 3 != 7;
    if (op == 0x69 || op == 0x6b || (op & ~3u) == 0xd0 || (op & ~1u) == 0xc0)
        return true;
    if (op >= 0x80 && op <= 0x83)
        return field != 7;
    return (op & ~1u) == 0xf6 && field >= 2;
}

static void count_instruction(uintptr_t pc, emu_work *b)
{
    const unsigned char *at = (const unsigned char *)pc;
    bool is_double = false;

    for (; *at == 0x66 || *at == 0xf2 || *at == 0xf3; at++)
        is_double = *at == 0xf2 || *at == 0x66;
    if ((*at & 0xf0) == 0x40)
        at++;
    if (*at == 0x0f)
        count_float(at + 1, is_double, b);
    else if (*at == 0x8d)
        b->addresses++;
    else if (is_integer(*at, at[1] >> 3 & 7))
        b->integers++;
}
#else
static void count_instruction(uintptr_t, emu_work *b) { b->integers++; }
#endif

struct Reached {
    uintptr_t from;   // the instruction before; 0: the first one
    bool jumped;
};

// The next instructions on a path.
static void reach(std::map<uintptr_t, Reached> &steps, std::deque<uintptr_t> &left, uintptr_t from,
                  uintptr_t to, bool jumped)
{
    if (steps.emplace(to, Reached{ from, jumped }).second)
        left.push_back(to);
}

// The number that an instruction compares a register with, or adds to one: its immediate operand of
// 8 or 32 bits. 0: it is another instruction.
static int immediate_of(uintptr_t pc, unsigned field)
{
#if defined(__x86_64__)
    const unsigned char *at = (const unsigned char *)pc;
    int value;

    if ((*at & 0xf0) == 0x40)
        at++;
    if (field == 7 && *at == 0x3d) {
        memcpy(&value, at + 1, 4);
        return value;
    }
    if ((*at != 0x83 && *at != 0x81) || at[1] >> 6 != 3 || (at[1] >> 3 & 7) != field)
        return 0;
    if (*at == 0x83)
        return (signed char)at[2];
    memcpy(&value, at + 2, 4);
    return value;
#else
    (void)pc, (void)field;
    return 0;
#endif
}

// The rounds of a loop whose counter is compared with a constant; else 1.
static unsigned rounds_of(const std::vector<uintptr_t> &path, size_t first, size_t last)
{
    int end = last > first ? immediate_of(path[last - 1], 7) : 0, step = 1;

    for (size_t i = first; i < last; i++)
        if (int sum = immediate_of(path[i], 0))
            step = sum;
    return end > 0 && step > 0 && end / step < MOST_ROUNDS ? std::max(1, end / step) : 1;
}

static emu_work count_path(const std::map<uintptr_t, Reached> &reached, uintptr_t at)
{
    emu_work b = {};
    std::vector<uintptr_t> path = { at };
    std::vector<unsigned> times;

    while ((at = reached.at(at).from))
        path.push_back(at);
    std::reverse(path.begin(), path.end());
    times.assign(path.size(), 1);
    for (size_t k = 0; k + 1 < path.size(); k++) {
        Instruction i;

        if (!decode(path[k], &i) || i.leaves != Leaves::branch || i.target >= path[k] ||
            i.target == path[k + 1])
            continue;
        auto start = std::find(path.begin(), path.begin() + k, i.target);
        unsigned rounds = rounds_of(path, start - path.begin(), k);

        for (size_t j = start - path.begin(); j <= k; j++)
            times[j] = std::min(times[j] * rounds, (unsigned)MOST_ROUNDS);
    }
    b.is_known = 1;
    for (size_t k = 0; k + 1 < path.size(); k++) {
        for (unsigned n = times[k]; n > 0; n--)
            count_instruction(path[k], &b);
        b.branches += reached.at(path[k + 1]).jumped && path[k + 1] <= path[k];
    }
    return b;
}

static emu_work find_path(uintptr_t from, uintptr_t to)
{
    std::map<uintptr_t, Reached> steps;
    std::deque<uintptr_t> left;
    bool is_first = true;

    left.push_back(from);
    steps[from] = { 0, false };
    while (!left.empty() && steps.size() < MOST_VISITED) {
        uintptr_t pc = left.front();
        Instruction i;

        left.pop_front();
        if (pc == to && !is_first)
            return count_path(steps, pc);
        is_first = false;
        if (pc - (uintptr_t)&__executable_start >=
                (uintptr_t)&__data_start - (uintptr_t)&__executable_start ||
            !decode(pc, &i))
            continue;
        if (i.leaves != Leaves::jump && i.leaves != Leaves::nowhere)
            reach(steps, left, pc, pc + i.bytes, false);
        if (i.leaves == Leaves::jump || i.leaves == Leaves::branch)
            reach(steps, left, pc, i.target, true);
    }
    return {};
}

// A loop leads from a call back to it: to its own instruction, which is reached again.
static emu_work find_round(uintptr_t pc)
{
    emu_work best = {};
    Instruction i;

    if (!decode(pc, &i) || i.leaves != Leaves::next)
        return best;
    best = find_path(pc + i.bytes, pc);
    if (best.is_known)
        count_instruction(pc, &best);
    return best;
}

}   // namespace emu

struct emu_work emu_work_between(uintptr_t from, uintptr_t to)
{
    static std::map<std::pair<uintptr_t, uintptr_t>, struct emu_work> known;
    auto found = known.find({ from, to });

    if (found == known.end())
        found = known
                    .emplace(std::make_pair(from, to),
                             from == to ? emu::find_round(from) : emu::find_path(from, to))
                    .first;
    return found->second;
}
