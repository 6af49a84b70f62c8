// The control flow of a kernel, read from its machine code at its first execution, and the order in
// which diverged lanes run.
//
// The order is a weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with
// widenings", 1993): the blocks of a loop are contiguous, inner loops included, and every jump
// leads forward except those to the head of an enclosing loop. Lanes are served in this order, and
// wait at the end of each iteration of a loop, so they reconverge where their paths meet. What
// lanes do when they leave a loop (a store before `break`) belongs to the iteration in which
// they leave.
#include "flow.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include <unistd.h>

#include "include/cuda_runtime.h"
#include "cluster.h"

extern "C" void __sanitizer_cov_trace_pc(void);
// Here only their addresses are used.
extern "C" {
void __ubsan_handle_out_of_bounds();
void __ubsan_handle_shift_out_of_bounds();
void __ubsan_handle_float_cast_overflow();
void __ubsan_handle_missing_return();
}

namespace emu {

constexpr size_t INSTRUCTIONS = 1 << 20;                   // per function
constexpr unsigned LOOPS = 1 << 16, FUNCTIONS = 1 << 15;   // per program

std::atomic<uint64_t> *spots;
Loop loops[LOOPS];
static uint32_t next_order = 1, next_loop = 1, next_function = 1;

static size_t program_bytes() { return (size_t)(&__data_start - &__executable_start); }

static size_t slot_of(uintptr_t pc) { return pc - (uintptr_t)&__executable_start; }

__attribute__((constructor)) static void reserve()
{
    void *p = mmap(nullptr, program_bytes() * sizeof *spots, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (p == MAP_FAILED) {
        fprintf(stderr, "CPU device: not enough memory for the control flow of kernels\n");
        _exit(3);
    }
    spots = (std::atomic<uint64_t> *)p;
}

static void publish(uintptr_t pc, Spot spot)
{
    uint64_t s;

    memcpy(&s, &spot, sizeof s);
    if (!spots[slot_of(pc)].load(std::memory_order_relaxed))
        spots[slot_of(pc)].store(s, std::memory_order_release);
}

// ---- basic blocks of a function ----

struct Block {
    std::vector<uintptr_t> calls;    // return addresses of its calls
    std::vector<uintptr_t> traces;   // of those of __sanitizer_cov_trace_pc
    std::vector<unsigned> next;
    bool stops;           // may a lane stop here?
    bool calls_kernels;   // may it call a function that is traced?
};

using Function = std::vector<Block>;
using Edges = std::vector<std::vector<unsigned>>;   // successors of each block

// Runtime functions in which lanes do not stop, or stop for good: a report of an index ends the
// launch.
static bool is_passive(uintptr_t function)
{
#define INDEX(name) (uintptr_t) name, (uintptr_t)name##_x, (uintptr_t)name##_y, (uintptr_t)name##_z
    static const uintptr_t passive[] = {
        (uintptr_t)__sanitizer_cov_trace_pc,
        (uintptr_t)__ubsan_handle_out_of_bounds,
        (uintptr_t)__ubsan_handle_shift_out_of_bounds,
        (uintptr_t)__ubsan_handle_float_cast_overflow,
        (uintptr_t)emu_in_kernel,
        (uintptr_t)emu_drops_result,
        INDEX(emu_thread_index),
        INDEX(emu_block_index),
        INDEX(emu_block_dim),
        INDEX(emu_grid_dim),
    };
#undef INDEX

    return std::find(std::begin(passive), std::end(passive), function) != std::end(passive);
}

static bool is_code(uintptr_t pc) { return slot_of(pc) < program_bytes(); }

// Is the function compiled with calls of __sanitizer_cov_trace_pc? The first one is before any
// other call or branch.
static bool is_traced(uintptr_t function)
{
    Instruction i = {};

    for (uintptr_t pc = function; is_code(pc) && decode(pc, &i) && i.leaves == Leaves::next;)
        pc += i.bytes;
    return i.leaves == Leaves::call && i.target == (uintptr_t)__sanitizer_cov_trace_pc;
}

using Code = std::map<uintptr_t, Instruction>;

// All instructions reachable from `entry`, and the starts of blocks. *is_whole: were all decoded?
static Code read_code(uintptr_t entry, std::set<uintptr_t> *starts, bool *is_whole)
{
    Code code;
    std::vector<uintptr_t> left = { entry };

    *is_whole = true;

    while (!left.empty() && code.size() < INSTRUCTIONS) {
        uintptr_t pc = left.back();
        Instruction i;

        left.pop_back();
        starts->insert(pc);
        for (; !code.count(pc); pc += i.bytes) {
            if (!is_code(pc) || !decode(pc, &i)) {
                *is_whole = false;
                break;
            }
            if (i.target == (uintptr_t)__ubsan_handle_missing_return)   // no code follows
                i.leaves = Leaves::nowhere;
            code[pc] = i;
            if (i.leaves == Leaves::jump || i.leaves == Leaves::branch)
                left.push_back(i.target);
            if (i.leaves == Leaves::branch)
                left.push_back(pc + i.bytes);
            if (i.leaves != Leaves::next && i.leaves != Leaves::call)
                break;
        }
    }
    return code;
}

static Function read_function(uintptr_t entry, bool *is_whole)
{
    std::set<uintptr_t> starts;
    Code code = read_code(entry, &starts, is_whole);
    std::map<uintptr_t, unsigned> number;   // number of the block that starts at an address
    Function f;

    for (uintptr_t start : starts)
        if (code.count(start))
            number.insert({ start, (unsigned)number.size() });
    f.resize(number.size());
    for (const auto &start : number) {
        Block &b = f[start.second];
        uintptr_t pc = start.first;
        auto at = code.find(pc);

        if (pc == entry)
            b.calls.push_back(entry);
        do {
            const Instruction &i = at->second;

            pc += i.bytes;
            if (i.leaves == Leaves::call) {
                b.calls.push_back(pc);
                b.stops |= !i.target || (is_code(i.target) && !is_passive(i.target));
                b.calls_kernels |= !i.target || (is_code(i.target) && is_traced(i.target));
                if (i.target == (uintptr_t)__sanitizer_cov_trace_pc)
                    b.traces.push_back(pc);
            }
            if ((i.leaves == Leaves::jump || i.leaves == Leaves::branch) && number.count(i.target))
                b.next.push_back(number[i.target]);
            if (i.leaves == Leaves::jump || i.leaves == Leaves::nowhere)
                pc = 0;
        } while (pc && !number.count(pc) && (at = code.find(pc)) != code.end());
        if (pc && number.count(pc))
            b.next.push_back(number[pc]);
    }
    return f;
}

// The edges of a function without those that lead to no further stop: lanes that return must not
// delay the others.
static Edges ways_on(const Function &f)
{
    std::vector<bool> goes_on(f.size());
    Edges next(f.size());

    for (bool changed = true; changed;) {
        changed = false;
        for (size_t b = f.size(); b-- > 0;) {
            bool now = f[b].stops;

            for (unsigned n : f[b].next)
                now = now || goes_on[n];
            changed |= now != goes_on[b];
            goes_on[b] = now;
        }
    }
    for (size_t b = 0; b < f.size(); b++)
        for (unsigned n : f[b].next)
            if (goes_on[n])
                next[b].push_back(n);
    return next;
}

// ---- order of blocks ----

// A block; if it is the head of a loop, with the rest of the loop.
struct Part {
    unsigned block;
    bool is_loop;
    std::vector<Part> inner;   // in reverse order
};

class Sorter {
  public:
    explicit Sorter(const Edges &next) : next(next), number(next.size()) {}
    std::vector<Part> sort(unsigned entry)
    {
        std::vector<Part> parts;

        visit(entry, &parts);
        return parts;
    }

  private:
    const Edges &next;
    std::vector<unsigned> number, stack;
    unsigned numbers = 0;

    // Of several successors, the one with the lowest address comes first in the order.
    template <class F> void each_next(unsigned b, F call)
    {
        std::vector<unsigned> of = next[b];

        std::sort(of.rbegin(), of.rend());
        for (unsigned n : of)
            call(n);
    }

    unsigned visit(unsigned b, std::vector<Part> *parts)
    {
        unsigned head = number[b] = ++numbers;
        bool is_loop = false;

        stack.push_back(b);
        each_next(b, [&](unsigned n) {
            unsigned least = number[n] ? number[n] : visit(n, parts);

            if (least <= head) {
                head = least;
                is_loop = true;
            }
        });
        if (head != number[b])
            return head;
        number[b] = UINT_MAX;
        for (unsigned top; (top = stack.back()) != b; stack.pop_back())
            number[top] = 0;
        stack.pop_back();
        Part part = { b, is_loop, {} };
        if (is_loop)
            each_next(b, [&](unsigned n) {
                if (!number[n])
                    visit(n, &part.inner);
            });
        parts->push_back(std::move(part));
        return head;
    }
};

// The blocks in order, with the extents of loops.
struct Step {
    unsigned block;
    unsigned head;         // head of the innermost loop around it, or NO_HEAD
    unsigned loop_steps;   // steps of the loop that it heads, itself included; 0: no head
};
constexpr unsigned NO_HEAD = UINT_MAX;

static void flatten(const std::vector<Part> &parts, unsigned head, std::vector<Step> *steps)
{
    for (size_t i = parts.size(); i-- > 0;) {
        const Part &p = parts[i];
        size_t at = steps->size();

        steps->push_back({ p.block, p.is_loop ? p.block : head, 0 });
        if (p.is_loop) {
            flatten(p.inner, p.block, steps);
            (*steps)[at].loop_steps = (unsigned)(steps->size() - at);
        }
    }
}

// The part of a function that contains a loop: the enclosing loop, or the whole function.
static std::vector<bool> around(const std::vector<Step> &steps, size_t at, size_t blocks)
{
    std::vector<bool> inside(blocks, true);

    for (size_t i = 0; i < at; i++)   // outer loops come before inner ones
        if (i + steps[i].loop_steps > at) {
            inside.assign(blocks, false);
            for (size_t k = i + 1; k < i + steps[i].loop_steps; k++)
                inside[steps[k].block] = true;
        }
    return inside;
}

// The blocks of a part that can be reached from `from` without passing through `without`. *passed:
// can the part be left without passing through it?
static std::vector<bool> reach(const Edges &next, std::vector<unsigned> from,
                               const std::vector<bool> &part, unsigned without, bool *passed)
{
    std::vector<bool> seen(next.size());

    *passed = false;
    while (!from.empty()) {
        unsigned b = from.back();

        from.pop_back();
        if (b == without || seen[b])
            continue;
        seen[b] = true;
        *passed |= next[b].empty();
        for (unsigned n : next[b])
            if (part[n])
                from.push_back(n);
            else
                *passed = true;   // to the head of the enclosing loop, or out of it
    }
    return seen;
}

// If the exits of a loop lead to one block, their immediate postdominator, makes the blocks between
// part of the loop: adds edges back to its head, which only the order uses. Returns whether it
// added any.
static bool extend(const Edges &ways, const std::vector<Step> &steps, size_t at, Edges *next)
{
    std::vector<bool> part = around(steps, at, ways.size()), inside(ways.size());
    std::vector<unsigned> exits;
    size_t end = at + steps[at].loop_steps;

    for (size_t i = at; i < end; i++)
        inside[steps[i].block] = true;
    for (size_t i = at; i < end; i++)
        for (unsigned n : ways[steps[i].block])
            if (!inside[n] && part[n] && !std::count(exits.begin(), exits.end(), n))
                exits.push_back(n);
    for (size_t i = end; exits.size() > 1 && i < steps.size(); i++) {
        bool passed, added = false;
        std::vector<bool> seen = reach(ways, exits, part, steps[i].block, &passed);

        for (unsigned b = 0; !passed && b < seen.size(); b++)
            if (seen[b] && !inside[b]) {
                (*next)[b].push_back(steps[at].block);
                added = true;
            }
        if (!passed)
            return added;
    }
    return false;
}

static std::vector<Step> order_of(const Function &f, unsigned entry)
{
    std::vector<Step> steps;
    Edges ways = ways_on(f), next;

    for (const Block &b : f)
        next.push_back(b.next);
    for (bool again = true; again;) {
        again = false;
        steps.clear();
        flatten(Sorter(next).sort(entry), NO_HEAD, &steps);
        for (size_t i = 0; i < steps.size(); i++)
            again |= steps[i].loop_steps && extend(ways, steps, i, &next);
    }
    return steps;
}

// Must lanes wait at the end of the iteration? See struct Loop.
static bool must_wait(const Function &f, const std::vector<Step> &steps, size_t at)
{
    size_t last = at + steps[at].loop_steps;
    unsigned head = steps[at].block;

    while (last > at && !f[steps[last - 1].block].stops)
        last--;
    if (last == at)
        return false;
    const Step &stop = steps[last - 1];
    if (stop.head != head)
        return true;
    Edges next;
    bool passed;
    for (const Block &b : f)
        next.push_back(b.next);
    return stop.block != head &&
           reach(next, next[head], std::vector<bool>(f.size(), true), stop.block, &passed)[head];
}

// ---- numbers ----

// Numbers all calls and ends of loops. Loops are stored before spots are published, because a
// thread that sees a spot may look up its loop. The spot of the entry is published last: a worker
// that sees it takes the whole function for analyzed.
static void number_steps(const Function &f, const std::vector<Step> &steps, uintptr_t entry)
{
    std::map<unsigned, unsigned> loop_at = { { NO_HEAD, 0 } };   // number of a loop, by its head
    std::vector<std::pair<size_t, unsigned>> open;               // end and number of each open loop
    std::vector<std::pair<uintptr_t, Spot>> found;

    for (size_t i = 0; i <= steps.size(); i++) {
        for (; !open.empty() && open.back().first == i; open.pop_back())
            loops[open.back().second].last = next_order++;
        if (i == steps.size())
            break;
        if (steps[i].loop_steps) {
            unsigned n = std::min(next_loop++, LOOPS - 1),
                     parent = open.empty() || n == LOOPS - 1 ? 0 : open.back().second;

            loop_at[steps[i].block] = n;
            loops[n] = { 0, (uint16_t)parent, must_wait(f, steps, i) };
            open.push_back({ i + steps[i].loop_steps, n });
        }
        // A jump to the head of a loop starts the next iteration of that loop, not of an enclosing
        // one.
        unsigned loop = loop_at[steps[i].head];
        bool waits = loops[loop].waits;
        for (unsigned n = loop; !waits && n && !steps[i].loop_steps; n = loops[n].parent)
            waits = loops[n].waits;
        for (uintptr_t pc : f[steps[i].block].calls)
            found.push_back({ pc, { next_order++, loop, waits, next_function } });
    }
    Spot first = {};
    for (const auto &at : found)
        if (at.first == entry)
            first = at.second;
        else
            publish(at.first, at.second);
    publish(entry, first);
}

// ---- calls that are not needed ----

static std::mutex lock;
static std::set<uintptr_t> entries;   // of functions that are analyzed

// A lane jumps back only to the head of a loop, and from there on forward. So it is known whether
// it starts another iteration if it traces the heads of loops whose lanes wait, and those of loops
// around them; and the start of a function, from which the frame is known. A function that calls
// others keeps its traces also for the return from them: except in loops in which no lane stops.
static void remove_traces(const Function &f, const std::vector<Step> &steps)
{
    std::vector<bool> is_kept(f.size()), is_idle(f.size());   // is_idle: in a loop without stops
    std::vector<bool> must(steps.size());
    std::vector<uintptr_t> removed;
    bool calls_kernels = false;

    for (size_t i = 0; i < steps.size(); i++) {
        must[i] = steps[i].loop_steps && must_wait(f, steps, i);
        calls_kernels |= f[steps[i].block].calls_kernels;
    }
    for (size_t i = 0; i < steps.size(); i++) {
        size_t end = i + steps[i].loop_steps;
        bool waits = false, stops = false;

        for (size_t k = i; k < end; k++) {
            waits |= must[k];
            stops |= f[steps[k].block].stops;
        }
        if (waits && f[steps[i].block].traces.empty())
            return;
        is_kept[steps[i].block] = !i || waits;
        for (size_t k = i; !stops && k < end; k++)
            is_idle[steps[k].block] = true;
    }
    for (const Step &s : steps)
        if (!is_kept[s.block] && (!calls_kernels || is_idle[s.block]))
            removed.insert(removed.end(), f[s.block].traces.begin(), f[s.block].traces.end());
    remove_calls(removed);
}

// Is the instruction no call that may access memory?
static bool accesses_nothing(const Instruction &i)
{
    return i.leaves != Leaves::call || (i.target && is_code(i.target) && is_passive(i.target));
}

// The start of the outermost loop without accesses around an instruction of the code.
static uintptr_t idle_loop_in(const Code &code, uintptr_t pc)
{
    uintptr_t least = 0;

    for (const auto &at : code) {
        const Instruction &i = at.second;
        uintptr_t start = i.target;

        if ((i.leaves != Leaves::jump && i.leaves != Leaves::branch) || start > pc ||
            at.first + i.bytes <= pc || (least && start >= least))
            continue;
        bool is_idle = true;
        for (auto in = code.lower_bound(start); in != code.end() && in->first <= at.first; ++in)
            is_idle &= accesses_nothing(in->second);
        if (is_idle)
            least = start;
    }
    return least;
}

uintptr_t loop_around(uintptr_t pc, uintptr_t block)
{
    std::lock_guard<std::mutex> hold(lock);
    std::set<uintptr_t> starts;
    bool is_whole;
    auto after = entries.upper_bound(pc);

    pc--;
    for (uintptr_t entry : { after == entries.begin() ? 0 : *std::prev(after), block })
        if (entry && is_code(entry))
            if (uintptr_t start = idle_loop_in(read_code(entry, &starts, &is_whole), pc))
                return start + 1;
    return 0;
}

void analyze(uintptr_t entry)
{
    std::lock_guard<std::mutex> hold(lock);
    bool is_whole;

    if (spot_at(entry).order)
        return;
    entries.insert(entry);
    Function f = read_function(entry, &is_whole);
    if (f.empty())
        return publish(entry, { next_order++, 0, 0, next_function });
    unsigned first = 0;
    while (f[first].calls.empty() || f[first].calls[0] != entry)
        first++;
    std::vector<Step> steps = order_of(f, first);
    if (is_whole)
        remove_traces(f, steps);
    number_steps(f, steps, entry);
    next_function = std::min(next_function + 1, FUNCTIONS - 1);
}

}   // namespace emu
