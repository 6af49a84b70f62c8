// Loads from shared memory as nvcc and ptxas leave them: repeated loads of one address are removed,
// and adjacent loads become one wider load. The rules were derived from the widths of LDS
// instructions in machine code for sm_90, CUDA 13.0 (README.md):
//
// - Between two stores to shared memory, barriers or fences of a warp, a load of an address that
//   was already loaded is removed.
// - Of an aligned window of 16 bytes, three or four loaded words become one load of 16 bytes; words
//   0 and 1, or 2 and 3, become one of 8 bytes. Other words remain separate loads.
// - The compiler must be able to prove the alignment. Here it counts as proved if all lanes have
//   the same address modulo 16 in all executions of an instruction, numbered from the last store or
//   barrier: loops are assumed to be unrolled. If this holds only modulo 8, windows have 8 bytes.
//
// Whether the addresses agree is known only at the end of the launch. Until then, each instruction
// has counts for each case.
#include "merged.h"

#include <algorithm>
#include <map>

#include "counting.h"
#include "lanes/flow.h"

namespace emu {

constexpr unsigned TIMES = 256;   // executions of a site that are distinguished
// nvcc unrolls nested loops with this many loads of less than 4 bytes, and not with 100.
constexpr unsigned UNROLLED_LOADS = 75;
constexpr unsigned WINDOWS = 1024;   // open windows at most; beyond that, all are closed
constexpr unsigned SLOTS = 4 * WINDOWS;
constexpr uint8_t UNKNOWN = 0xff, MIXED = 0xfe;

static std::map<std::pair<uintptr_t, size_t>, MergedLoad> launch_loads;

Merged::Merged() : slots(SLOTS), times(SITES), first(SITES) {}

static void add_to(MergedLoad *load, unsigned which, unsigned units)
{
    load->requests[which]++;
    load->wavefronts[which] += units;
}

// Finds the open window of a load, or opens one.
MergedWindow &Merged::window(unsigned which, const Request &r, const Shape &shape, uintptr_t start,
                             unsigned size)
{
    size_t slot = ((start ^ shape.hash) * 4 + which) * 0x9E3779B97F4A7C15u >> 52;

    for (; slots[slot]; slot = (slot + 1) % SLOTS) {
        MergedWindow &w = windows[slots[slot] - 1];

        if (w.which == which && w.shape == shape.hash && w.size == size && w.start == start)
            return w;
    }
    if (!which) {
        requests.push_back(r);
        shapes.push_back(shape);
    }
    windows.emplace_back();
    used.push_back((uint16_t)slot);
    slots[slot] = (uint16_t)windows.size();
    MergedWindow &w = windows.back();
    w.which = which;
    w.start = start;
    w.shape = shape.hash;
    w.size = size;
    w.bytes = w.loads = 0;
    w.request = (uint32_t)requests.size() - 1;
    return w;
}

// Size of the widest aligned load at byte `at` of the window that covers only loaded bytes.
static unsigned piece(const MergedWindow &w, unsigned at)
{
    unsigned n = 16;

    while (at % n || (w.bytes >> at & ((1u << n) - 1)) != (1u << n) - 1)
        n /= 2;
    return n;
}

// Counts the loads that remain after merging a window.
void Merged::count_window(Worker &worker, const MergedWindow &w)
{
    MergedLoad *first = w.of[0].load;
    bool low = (w.bytes & 0xff) == 0xff, high = w.bytes >> 8 == 0xff;
    unsigned covered = (unsigned)__builtin_popcount(w.bytes);
    auto add_wide = [&](unsigned at, unsigned bytes) {
        Request wide = requests[w.request];

        wide.size = bytes;
        for (unsigned i = wide.lanes; i-- > 0;)
            wide.address[i] += w.start + at - wide.address[0];
        add_to(first, w.which, cost_of(worker, wide, shapes[w.request], true, false).units);
    };

    if (w.size < 4)
        for (unsigned at = 0, bytes; at < 16; at += bytes) {
            bytes = w.bytes >> at & 1 ? piece(w, at) : 1;
            if (w.bytes >> at & 1)
                add_wide(at, bytes);
        }
    else if (w.loads > 1 && (covered >= 12 || low || high))
        add_wide(high && !low && covered == 8 ? 8 : 0, covered >= 12 ? 16 : 8);
    else
        for (unsigned i = 0; i < w.loads; i++)
            add_to(w.of[i].load, w.which, w.of[i].units);
}

void Merged::close(Worker &worker)
{
    for (const MergedWindow &w : windows)
        if (w.which)
            count_window(worker, w);
    for (uint16_t slot : used)
        slots[slot] = 0;
    for (uint16_t site : touched)
        times[site] = 0;
    windows.clear();
    requests.clear();
    shapes.clear();
    used.clear();
    touched.clear();
    closed = number;
}

MergedLoad &Merged::next_load(MergedSites &sites, uint16_t site, uintptr_t pc)
{
    if (sites.size() <= site)
        sites.resize(site + 1);
    sites[site].pc = pc;
    number++;
    if (!times[site]) {
        touched.push_back(site);
        first[site] = number;
    }

    unsigned n = times[site];
    std::vector<std::unique_ptr<MergedLoad>> &load = sites[site].load;

    times[site] = (uint16_t)std::min(n + 1, TIMES);
    if (load.size() <= n)
        load.emplace_back(new MergedLoad{ { UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN }, {}, {}, false });
    return *load[n];
}

// Records the phase of a load's addresses. Do all lanes have the same offset in a window of this
// case?
static bool note_phase(MergedLoad *load, unsigned which, uintptr_t address, const Shape &shape)
{
    unsigned bytes = 2u << which, phase = address % bytes;
    bool agree = agrees(shape, bytes);

    if (load->phase[which] == UNKNOWN)
        load->phase[which] = (uint8_t)phase;
    if (!agree || load->phase[which] != phase)
        load->phase[which] = MIXED;
    return agree;
}

// Are these two different loops, neither of which contains the other, within a third loop?
static bool are_siblings(unsigned a, unsigned b)
{
    unsigned outer;

    if (!a || !b || a == b)
        return false;
    for (outer = loops[a].parent; outer && outer != b; outer = loops[outer].parent)
        ;
    if (outer)
        return false;
    for (outer = loops[b].parent; outer && outer != a; outer = loops[outer].parent)
        ;
    return !outer && loops[a].parent;
}

// Closes the windows if the compiler cannot merge them with the next load of this site.
void Merged::close_before(Worker &worker, uint16_t site, uintptr_t pc)
{
    unsigned loop = spot_at(pc).loop;

    // The site runs again after a sibling loop: an enclosing loop has started another iteration,
    // and is not unrolled.
    if ((times[site] && are_siblings(loop, last_loop)) || windows.size() + WINDOW_CASES > WINDOWS)
        close(worker);
    last_loop = loop;
}

void Merged::add(Worker &worker, const Request &r, const Shape &shape, uint16_t site, uintptr_t pc,
                 const Cost &cost, size_t align)
{
    MergedSites &sites = worker.counts.merged;
    uintptr_t address = r.address[0];
    bool agree[WINDOW_CASES];

    close_before(worker, site, pc);
    MergedLoad &load = next_load(sites, site, pc);
    for (unsigned c = 0; c < WINDOW_CASES; c++)
        agree[c] = note_phase(&load, c, address, shape) && rules == &rules_9_0;
    if (rules == &rules_9_0) {
        MergedWindow &same = window(0, r, shape, address, r.size);

        if (same.loads++ > 0) {                               // loaded before
            if (r.size < 4 && first[site] <= same.number) {   // in an earlier iteration
                add_to(&load, NOT_UNROLLED, cost.units);
                if (number - closed > UNROLLED_LOADS)
                    sites[site].looped = sites[same.site].looped = true;
            }
            return;
        }
        same.site = site, same.number = number;
    }
    add_to(&load, NOT_UNROLLED, cost.units);
    add_to(&load, 0, cost.units);
    for (unsigned c = 1; c < WINDOW_CASES; c++) {
        unsigned bytes = 2u << c, set = ((1u << r.size) - 1) << address % bytes;
        MergedWindow *w = agree[c] && align >= 4 && r.size < bytes
                            ? &window(c, r, shape, address - address % bytes, std::min(r.size, 4u))
                            : nullptr;

        if (!w || w->bytes & set) {   // partly loaded, by a load of a different size
            add_to(&load, c, cost.units);
            continue;
        }
        w->bytes |= set;
        w->of[w->loads++] = { &load, cost.units };
    }
}

bool Merged::is_repeated(Worker &worker, const Request &coordinates, uint64_t texture)
{
    if (windows.size() == WINDOWS)
        close(worker);
    // a size that no load has
    return window(0, coordinates, shape_of(coordinates), coordinates.address[0],
                  1000 + (unsigned)texture)
               .loads++ > 0;
}

void take_merged(MergedSites *sites)
{
    for (MergedSite &s : *sites)
        for (size_t n = 0; n < s.load.size(); n++) {
            MergedLoad &from = *s.load[n];
            MergedLoad &to =
                launch_loads
                    .insert(
                        { { s.pc, n }, { { UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN }, {}, {}, false } })
                    .first->second;

            to.looped |= s.looped;
            for (unsigned c = 0; c < WINDOW_CASES; c++)
                to.phase[c] =
                    to.phase[c] == UNKNOWN || to.phase[c] == from.phase[c] ? from.phase[c] : MIXED;
            for (unsigned c = 0; c < CASES; c++) {
                to.requests[c] += from.requests[c];
                to.wavefronts[c] += from.wavefronts[c];
            }
        }
    sites->clear();
}

MergedCounts count_merged()
{
    MergedCounts all = { 0, 0 };

    for (const auto &at : launch_loads) {
        const MergedLoad &load = at.second;
        unsigned c = WINDOW_CASES - 1;

        while (c && load.phase[c] == MIXED)
            c--;
        c = load.looped ? NOT_UNROLLED : c;
        all.requests += load.requests[c];
        all.wavefronts += load.wavefronts[c];
    }
    launch_loads.clear();
    return all;
}

}   // namespace emu
