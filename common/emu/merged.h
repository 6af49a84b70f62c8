// Loads of shared memory as the compiler for the GPU leaves them (merged.cpp).
#ifndef EMU_MERGED_H
#define EMU_MERGED_H

#include <cstdint>
#include <memory>
#include <vector>

#include "rules.h"

namespace emu {

constexpr unsigned WINDOW_CASES = 4;   // no windows, and those of 4, 8 and 16 bytes
constexpr unsigned NOT_UNROLLED = WINDOW_CASES, CASES = WINDOW_CASES + 1;

// One load of the unrolled code, and what it counts in each case.
struct MergedLoad {
    // the address modulo the window's bytes, if it is always the same
    uint8_t phase[WINDOW_CASES];
    uint64_t requests[CASES], wavefronts[CASES];
    bool looped;   // by a loop that is not unrolled
};

// By call site, and how often a warp has been there since its last store or barrier.
struct MergedSite {
    uintptr_t pc;
    std::vector<std::unique_ptr<MergedLoad>> load;
    bool looped;   // as above
};
using MergedSites = std::vector<MergedSite>;   // by number of the site

struct MergedWindow {
    unsigned which;   // case
    Request base;     // where it starts for each lane; size: 4, or of the loads if they have less
    uint32_t mask;    // of lanes
    unsigned bytes;   // bit i: byte i is loaded
    unsigned loads;
    struct {
        MergedLoad *load;
        unsigned units;
    } of[16];
    uint16_t site;     // of the first load
    uint32_t number;   // of the first load, counted by the warp
};

// The loads of one warp since its last store or barrier.
class Merged {
  public:
    Merged();
    // Of a variable that is declared with an alignment of `align` bytes.
    void add(MergedSites &, const Request &, uint16_t site, uintptr_t pc, const Cost &,
             size_t align);
    // Has it fetched these coordinates of a texture before?
    bool is_repeated(const Request &coordinates, uint64_t texture);
    // At a store to shared memory, a barrier, a fence, the end of the warp.
    void close();

  private:
    std::vector<MergedWindow> windows;
    std::vector<uint16_t> slots, used;      // a hash table of windows; which slots are not 0
    std::vector<uint16_t> times, touched;   // of each site; sites that are not 0
    std::vector<uint32_t> first;            // of each site: the number of its first load
    uint32_t number = 0, closed = 0;        // of the last load; of that when windows closed
    unsigned last_loop = 0;                 // of the last load
    void close_before(uint16_t site, uintptr_t pc);
    MergedLoad &next_load(MergedSites &, uint16_t site, uintptr_t pc);
    MergedWindow &window(unsigned which, const Request &base, uint32_t mask);
};

struct MergedCounts {
    uint64_t requests, wavefronts;
};
// The loads of a worker in the launch that runs, which it forgets.
void take_merged(MergedSites *);
// What they are over all workers, when the launch is over.
MergedCounts count_merged();

}   // namespace emu

#endif
