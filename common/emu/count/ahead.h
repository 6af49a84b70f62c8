// Global loads that a warp makes ahead of use (struct emu_counts, ld_ahead): software prefetching.
//
// The warp has to wait for a load when it uses the loaded words. In a tiled kernel it stores them
// to shared memory: that store takes up the warp's pending loads. A load is ahead of use if the
// warp has work in the meantime: of its loads from shared memory since loads were last taken up,
// more than half follow the load. So one shared load after it is not enough, nor is an additional
// store that takes up nothing, and the rule needs no size of a tile.
//
// This is the order in the source. Whether a store has the loaded words is not known: every store
// to shared memory takes up all pending loads. An asynchronous copy is taken up by the wait that
// completes its group.
#ifndef EMU_AHEAD_H
#define EMU_AHEAD_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace emu {

// The pending loads of one warp.
class Ahead {
  public:
    void clear();   // at the start of the warp
    void shared_load() { now++; }
    void global_load()
    {
        made_at[next++ % MOST] = now;
        pending += pending < MOST;
    }
    size_t in_flight() const { return copies.size(); }
    void copy(uint64_t group) { copies.push_back({ now, group }); }
    // Both return how many of the requests that they take up were ahead of use.
    unsigned shared_store() { return pending ? take_up() : 0; }
    unsigned wait(uint64_t end);   // completes the groups before `end`

  private:
    // A thread has 255 registers, so it can wait for at most as many loads. Older ones are not
    // pending. A power of two, because `next` wraps around.
    static constexpr unsigned MOST = 256;
    struct Copy {
        uint32_t made_at;
        uint64_t group;
    };

    uint32_t now = 0;     // shared loads so far
    uint32_t start = 0;   // `now` when loads were last taken up
    unsigned pending = 0, next = 0;
    uint32_t made_at[MOST];   // `now` when the load was made, of the last `pending` before `next`
    std::vector<Copy> copies;

    bool is_ahead(uint32_t made_at) const { return now - made_at > (now - start) / 2; }
    unsigned take_up();
};

}   // namespace emu

#endif
