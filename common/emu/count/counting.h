// Counts per call site, per warp and per launch.
#ifndef EMU_COUNTING_H
#define EMU_COUNTING_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ahead.h"
#include "lanes/worker.h"
#include "merged.h"
#include "rules.h"
#include "shape.h"

struct emu_counts;

namespace emu {

struct Site {
    uintptr_t pc;
    emu_kind kind;
    uint64_t requests, units, ideal, bytes, lanes;
};

extern const Rules *rules;   // the rules by which requests are counted

// memory instructions per kernel; a power of two, assumed by the hash in Sites::find
constexpr size_t SITES = 4096;

struct Sites {
    std::vector<Site> table;   // hash table with open addressing by pc
    uint16_t find(uintptr_t pc, emu_kind kind);
    void clear();
};

struct WarpCounts {
    std::unique_ptr<Merged> merged;   // null until the warp loads from shared memory
    Ahead ahead;
    unsigned loads;   // requests of global loads and asynchronous copies
};

// The counts of a worker.
struct Counting {
    Counting();

    Sites sites;
    emu_counts &tally;   // of the launch: what is not counted per call site
    Costs costs;
    MergedSites merged;
    std::vector<std::unique_ptr<Merged>> idle;   // free, for reuse by the next warp
    std::vector<WarpCounts> warps;
};

void count_begin_launch(Worker &);
void count_begin_block(Worker &);
void count_end_launch(Worker &);   // adds the worker's counts to those of the program
void add_merged_counts();          // adds those of the launch that has ended
void forget_merged_counts();       // of the launch that has ended
void forget_counts();
// What the host does, and is counted, too.
emu_counts &host_counts();

// The cost of a load or store by the current rules.
Cost cost_of(Worker &, const Request &, const Shape &, bool is_shared, bool is_store);
inline void count(Worker &w, uint16_t index, const Cost &cost, unsigned lanes)
{
    Site &site = w.counts.sites.table[index];

    site.requests++;
    site.units += cost.units;
    site.ideal += cost.ideal;
    site.bytes += cost.bytes;
    site.lanes += lanes;
}
inline Ahead &ahead_of(Worker &w, const Warp &warp) { return w.counts.warps[warp.index].ahead; }
void count_barriers(Worker &, unsigned warps);
// A barrier of a block that a part of its threads does not reach.
void count_partial_barrier(Worker &);
// Loads that the warp made ahead of use, which something takes up.
void count_ahead(Worker &, unsigned loads);
// An asynchronous copy starts while `in_flight` are under way.
void count_copy(Worker &, size_t in_flight);
// A wgmma starts while `groups` of its warpgroup are under way.
void count_groups(Worker &, size_t groups);
void count_load(Worker &, const Warp &);   // of global memory, or an asynchronous copy
Merged &merged_of(Worker &, const Warp &);
// Ends the merging of the warp's loads: at a store to shared memory, a barrier or a fence.
void close_merged(Worker &, const Warp &);

}   // namespace emu

#endif
