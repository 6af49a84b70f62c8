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
    else if ((*at & ~1u) == 0xf6 && (at[1] >> 3 & 7) >= 6) {
        // nvcc divides by a reciprocal: two conversions, MUFU.RCP, and about twelve others
        b->special += 3;
        b->integers += 12;
    } else if (is_integer(*at, at[1] >> 3 & 7))
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

// An instruction with a constant: which number it compares with (field 7) or adds (field 0), and to
// which register; -1: memory. The number is 0 for any other instruction.
struct Constant {
    int value, reg;
};

static Constant constant_of(uintptr_t pc, unsigned field)
{
    Constant c = { 0, 0 };
#if defined(__x86_64__)
    const unsigned char *at = (const unsigned char *)pc;
    unsigned upper = 0;

    if ((*at & 0xf0) == 0x40)
        upper = *at++ & 1 ? 8 : 0;
    if (field == 7 && *at == 0x3d) {
        memcpy(&c.value, at + 1, 4);
        return c;
    }
    if ((*at != 0x83 && *at != 0x81) || (at[1] >> 3 & 7) != field)
        return c;
    // the constant is behind the address of memory: it ends the instruction
    Instruction i;
    size_t bytes = *at == 0x83 ? 1 : 4;
    if (!decode(pc, &i))
        return c;
    c.reg = at[1] >> 6 == 3 ? (int)(upper + (at[1] & 7)) : -1;
    if (bytes == 1)
        c.value = *(const signed char *)(pc + i.bytes - 1);
    else
        memcpy(&c.value, (const void *)(pc + i.bytes - 4), 4);
#else
    (void)pc, (void)field;
#endif
    return c;
}

// The constant that a register has before path[first]; 0 if it is not known.
static int start_of(const std::vector<uintptr_t> &path, size_t first, int reg)
{
#if defined(__x86_64__)
    constexpr size_t MOST = 64;

    for (size_t i = first; i-- > 0 && first - i < MOST && reg >= 0;) {
        const unsigned char *at = (const unsigned char *)path[i];
        int upper = (*at & 0xf0) == 0x40 && *at & 1 ? 8 : 0, value;

        at += (*at & 0xf0) == 0x40;
        if ((*at == 0x31 || *at == 0x33) && at[1] >> 6 == 3 && upper + (at[1] & 7) == reg)
            return 0;
        if ((*at & 0xf8) == 0xb8 && upper + (*at & 7) == reg) {
            memcpy(&value, at + 1, 4);
            return value;
        }
    }
#endif
    (void)path, (void)first, (void)reg;
    return 0;
}

// The rounds of a loop whose counter is compared with a constant; else 1. A counter in memory is
// loaded before.
static unsigned rounds_of(const std::vector<uintptr_t> &path, size_t first, size_t last)
{
    Constant end = last > first ? constant_of(path[last - 1], 7) : Constant{};
    int step = 1;

    for (size_t i = first; i < last; i++) {
        Constant sum = constant_of(path[i], 0);

        if (sum.value && (sum.reg == end.reg || (sum.reg < 0 && step == 1)))
            step = sum.value;
    }
    int way = end.value > 0 ? end.value - start_of(path, first, end.reg) : 0;

    return step > 0 && way / step < MOST_ROUNDS ? std::max(1, way / step) : 1;
}

// The instructions of a path, none of which is twice in it, and how often each is executed.
struct Path {
    std::vector<uintptr_t> pc;
    std::vector<unsigned> times;
    std::vector<bool> has_free_integers;
    std::map<uintptr_t, size_t> at;
    unsigned marks, spared, multiplications;
};

// Where a way that goes on at `pc` comes back to the path before its instruction k; k: nowhere, or
// not without another branch. Adds the instructions in between to `detour`.
static size_t back_at(const Path &path, size_t k, uintptr_t pc, std::vector<uintptr_t> *detour)
{
    constexpr int MOST = 64;

    for (int n = 0; n < MOST; n++) {
        Instruction i;
        auto found = path.at.find(pc);

        if (found != path.at.end() && found->second < k)
            return found->second;
        if (found != path.at.end() || !decode(pc, &i) || i.leaves == Leaves::nowhere ||
            i.leaves == Leaves::branch)
            return k;
        detour->push_back(pc);
        pc = i.leaves == Leaves::jump ? i.target : pc + i.bytes;
    }
    return k;
}

// The number of integer operations for which emu_one() in emu_intrinsics.h stands; 0: another
// instruction.
static unsigned mark_at(uintptr_t pc)
{
#if defined(__x86_64__)
    static const unsigned char mark[] = { 0x0f, 0x1f, 0x40 };

    return memcmp((const void *)pc, mark, sizeof mark) ? 0 : ((const unsigned char *)pc)[3];
#else
    (void)pc;
    return 0;
#endif
}

static bool is_multiplication(uintptr_t pc)
{
#if defined(__x86_64__)
    const unsigned char *at = (const unsigned char *)pc;

    if ((*at & 0xf0) == 0x40)
        at++;
    return *at == 0x69 || *at == 0x6b || (*at == 0x0f && at[1] == 0xaf);
#else
    (void)pc;
    return false;
#endif
}

// nvcc unrolls a loop of a constant number of rounds that makes no request. Its counters and the
// addresses of its arrays, which are registers, then cost nothing. Beside arithmetic of floats, all
// its integers are such indexes.
static void add_times(uintptr_t pc, unsigned times, bool has_free_integers, Path &path, emu_work *b)
{
    emu_work one = {};
    unsigned mark = mark_at(pc);

    count_instruction(pc, &one);
    if (has_free_integers || (times > 1 && constant_of(pc, 0).value))
        one.integers = 0;
    if (times > 1)
        one.addresses = 0;
    b->integers += times * one.integers;
    b->addresses += times * one.addresses;
    b->sums += times * one.sums;
    b->products += times * one.products;
    b->fp64 += times * one.fp64;
    b->special += times * one.special;
    path.multiplications += is_multiplication(pc) ? times : 0;
    path.marks += mark ? times : 0;
    path.spared += times * mark;
}

static bool has_floats(const Path &path, size_t first, size_t last)
{
    emu_work b = {};

    for (size_t k = first; k <= last; k++)
        count_instruction(path.pc[k], &b);
    return b.sums + b.products > 0;
}

// The loops of a path: at a branch, the way that the path does not take leads back.
static void count_loops(Path &path, emu_work *b)
{
    for (size_t k = 0; k + 1 < path.pc.size(); k++) {
        Instruction i;
        std::vector<uintptr_t> detour;

        if (!decode(path.pc[k], &i) || i.leaves != Leaves::branch)
            continue;
        size_t start =
            back_at(path, k, i.target == path.pc[k + 1] ? path.pc[k] + i.bytes : i.target, &detour);
        unsigned rounds = start < k ? rounds_of(path.pc, start, k) : 1;

        bool is_of_floats = rounds > 1 && has_floats(path, start, k);
        for (size_t j = start; j <= k && rounds > 1; j++) {
            path.times[j] = std::min(path.times[j] * rounds, (unsigned)MOST_ROUNDS);
            path.has_free_integers[j] = path.has_free_integers[j] || is_of_floats;
        }
        for (uintptr_t pc : detour)
            add_times(pc, rounds - 1, is_of_floats, path, b);
    }
}

static emu_work count_path(const std::map<uintptr_t, Reached> &reached, uintptr_t at)
{
    emu_work b = {};
    Path path = {};

    path.pc = { at };
    while ((at = reached.at(at).from))
        path.pc.push_back(at);
    std::reverse(path.pc.begin(), path.pc.end());
    path.times.assign(path.pc.size(), 1);
    path.has_free_integers.assign(path.pc.size(), false);
    for (size_t k = 0; k < path.pc.size(); k++)
        path.at.emplace(path.pc[k], k);
    count_loops(path, &b);
    b.is_known = 1;
    for (size_t k = 0; k + 1 < path.pc.size(); k++) {
        add_times(path.pc[k], path.times[k], path.has_free_integers[k], path, &b);
        b.branches += reached.at(path.pc[k + 1]).jumped && path.pc[k + 1] <= path.pc[k];
    }
    b.integers = b.integers > path.spared ? b.integers - path.spared : 0;
    // a product and a sum are an IMAD
    b.integers -= std::min(path.multiplications, b.integers / 2);
    b.integers += path.marks;
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
