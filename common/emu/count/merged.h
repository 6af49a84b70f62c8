// Loads from shared memory as nvcc and ptxas merge them (merged.cpp).
#ifndef EMU_MERGED_H
#define EMU_MERGED_H

#include <cstdint>
#include <memory>
#include <vector>

#include "rules.h"
#include "shape.h"

namespace emu {

constexpr unsigned WINDOW_CASES = 4;   // no windows, and windows of 4, 8 and 16 bytes
constexpr unsigned NOT_UNROLLED = WINDOW_CASES, CASES = WINDOW_CASES + 1;

// One load of the unrolled code, and its counts in each case.
struct MergedLoad {
    // the address modulo the window's size, if it is always the same
    uint8_t phase[WINDOW_CASES];
    uint64_t requests[CASES], wavefronts[CASES];
    bool looped;   // repeated by a loop that is not unrolled
};

// By call site and number of executions by a warp since its last store or barrier.
struct MergedSite {
    uintptr_t pc;
    std::vector<std::unique_ptr<MergedLoad>> load;
    bool looped;   // repeated by a loop that is not unrolled
};
using MergedSites = std::vector<MergedSite>;   // indexed by number of the site

struct MergedWindow {
    unsigned which;   // which case
    // The window of each lane: where the first one starts, and the shape of all starts.
    uintptr_t start;
    uint64_t shape;
    unsigned size;      // 4 bytes, or that of the loads if they have less
    unsigned bytes;     // bit i: byte i is loaded
    uint32_t request;   // index of the first load's request
    unsigned loads;
    struct {
        MergedLoad *load;
        unsigned units;
    } of[16];
    uint16_t site;     // of the first load
    uint32_t number;   // of the first load, counted per warp
};

struct Worker;

// The loads of one warp since its last store to shared memory or barrier.
class Merged {
  public:
    Merged();
    // Adds a load from a variable with a declared alignment of `align` bytes.
    void add(Worker &, const Request &, const Shape &, uint16_t site, uintptr_t pc, const Cost &,
             size_t align);
    // Has the warp fetched these coordinates of the texture before?
    bool is_repeated(Worker &, const Request &coordinates, uint64_t texture);
    // Called at a store to shared memory, a barrier, a fence and the end of the warp.
    void close(Worker &);

  private:
    std::vector<MergedWindow> windows;
    std::vector<Request> requests;          // one for each load that opened a window
    std::vector<Shape> shapes;              // of the requests
    std::vector<uint16_t> slots, used;      // hash table of windows; its slots that are not 0
    std::vector<uint16_t> times, touched;   // executions of each site; sites that are not 0
    std::vector<uint32_t> first;            // number of the first load of each site
    uint32_t number = 0, closed = 0;        // of the last load; of the last load before close()
    unsigned last_loop = 0;                 // loop of the last load
    void close_before(Worker &, uint16_t site, uintptr_t pc);
    void count_window(Worker &, const MergedWindow &);
    MergedLoad &next_load(MergedSites &, uint16_t site, uintptr_t pc);
    MergedWindow &window(unsigned which, const Request &, const Shape &, uintptr_t start,
                         unsigned size);
};

struct MergedCounts {
    uint64_t requests, wavefronts;
};
// Takes over a worker's loads of the current launch, and clears them.
void take_merged(MergedSites *);
// The counts over all workers, after the end of the launch.
MergedCounts count_merged();

}   // namespace emu

#endif
