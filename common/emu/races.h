// Who accessed a word when (races.cpp), and what orders two accesses: barriers, __syncwarp, and
// fences with atomics or volatile accesses (order.cpp).
//
// Time is a worker's counter of requests. An epoch is a span of time of one block or warp in which
// nothing orders its accesses with those of other threads: it ends at a barrier, a __syncwarp or a
// fence. An access is remembered by its epoch, thread and call site.
#ifndef EMU_RACES_H
#define EMU_RACES_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace emu {

enum Space { GLOBAL, SHARED, SPACES };

struct Epoch {
    uint32_t block;      // x fastest
    uint32_t interval;   // between two barriers of the block
    uint64_t created;    // before the first access
};

// An access. Epoch 0: none.
struct Mark {
    uint32_t epoch;
    uint32_t thread : 10, place : 16;
    uint32_t is_volatile : 1;
    uint32_t is_release : 1;   // a volatile store after a fence
    uint32_t only_cas : 1;     // of atomics: all since then are atomicCAS
    // of stores: others stored the same value, unordered
    uint32_t several_threads : 1, several_blocks : 1;
};

// Two marks of reads and atomics are kept: the first that nothing orders with later ones, and the
// last.
enum Plane { WRITE, READ, READ_LAST, ATOMIC, ATOMIC_LAST, PLANES };

constexpr size_t PAGE_BYTES = 1024;   // of memory that one Page describes

// Marks of each 4 bytes, or of fewer once there was a smaller access. Planes are allocated when
// they are first used.
struct Page {
    unsigned finer;   // log2 of the marks per 4 bytes
    Mark *marks[PLANES];

    unsigned shift() const { return 2 - finer; }
};

// Epochs of a worker's shared memory: only those of the block that runs are kept.
struct LocalEpochs {
    uint32_t first, next;   // of the block
    uint32_t interval;      // first of the interval
    std::vector<Epoch> table;
};

// ---- order.cpp ----

struct Log;   // of releases through one word

// What a thread or block knows: everything that the first `count` releases cover.
struct Known {
    Log *log;
    uint32_t count;
};

// Known to the lanes `mask` of a warp since `time`.
struct KnownByLanes {
    Known what;
    unsigned warp;
    uint32_t mask;
    uint64_t time;
};

// A fence, and what was ordered before it. Time 0: none.
struct Fence {
    uint64_t time;
    uint64_t barrier;     // the block's last barrier before it
    uint64_t warp_sync;   // the warp's last __syncwarp before it
};

enum Scope { BLOCK_SCOPE, DEVICE_SCOPE, SCOPES };

constexpr unsigned MAX_POLLED = 8;

struct LaneOrder {
    uint64_t block;   // which the rest is about
    Fence fence[SCOPES];
    // words that it read by atomics or volatile loads since its last fence, the last ones
    uintptr_t polled[MAX_POLLED];
    unsigned polls;
    uint64_t poll_time;
    // the last release, so that a loop does not repeat it
    uintptr_t released;
    uint64_t released_version;
};

struct Order {
    uint64_t block;                   // of all that this worker ran
    uint64_t barrier;                 // time of the last one
    uint64_t version;                 // changes with every fence, barrier and acquisition
    bool has_fenced, has_polled;      // since the last barrier
    uint32_t block_epoch[SPACES];     // 0: none in this interval yet
    uint32_t next_epoch, end_epoch;   // of global memory, reserved for this worker
    LocalEpochs local;
    std::vector<LaneOrder> lanes;
    std::vector<uint64_t> warp_fence;   // time of the last __threadfence of each warp
    // those before the last barrier; null until there is one
    std::shared_ptr<const std::vector<uint64_t>> fenced;
    std::vector<Known> block_polled, block_known;
    std::vector<KnownByLanes> known;
    std::unordered_map<uintptr_t, Log *> logs;   // of words in shared memory
    std::vector<std::shared_ptr<Log>> own_logs;
};

struct Lane;
struct Warp;
struct Worker;
struct Request;

void order_begin_launch();
void order_begin_block(Worker &);
void order_barrier(Worker &);
// After a __syncwarp or a fence the warp's accesses belong to new epochs.
void end_epoch(Warp &);
uint32_t current_epoch(Worker &, Warp &, Space);
const Epoch &epoch_of(const Worker &, Space, uint32_t id);
// Older marks matter no more: of the launch; of shared memory, of the interval.
uint32_t first_epoch(const Worker &, Space);
void fence(Worker &, Scope);   // of the current lane
// A lane is about to change a word by an atomic or a volatile store.
void release(Worker &, const Warp &, const Lane &, uintptr_t address);
// A lane is about to read a word by an atomic or a volatile load: a fence after it acquires what
// was released there.
void poll(Worker &, const Lane &, uintptr_t address);
bool has_fenced(const Worker &, const Lane &);   // in this block
// Those of the warp's lanes `set` whose accesses at `time` no __syncwarp of both orders before what
// `lane` does.
unsigned unordered(const Warp &, unsigned set, unsigned lane, uint64_t time);
// Do fences order an access of `thread` in that epoch before what `lane` does?
bool is_acquired(Worker &, const Warp &, const Lane &, const Epoch &, unsigned thread);
// The fence whose absence leaves an access of `thread` in that epoch, by another block, unordered
// with what `lane` does: after the access, or before what `lane` does. UNKNOWN_FENCE: more than one
// fence is missing, or the atomic.
enum MissingFence { UNKNOWN_FENCE, FENCE_THERE, FENCE_HERE };
MissingFence missing_fence(Worker &, const Lane &, const Epoch &, unsigned thread);

// ---- races.cpp ----

void races_begin_launch();
void races_forget(size_t heap_offset, size_t bytes);   // freed memory; SIZE_MAX: all
void races_forget_shared(Worker &);
// Checks one request for races, and remembers it.
void race_check(Worker &, const Warp &, const Request &, int kind, uintptr_t pc);
// An asynchronous copy that thread started has arrived now.
void race_copy_arrives(Worker &, const Lane &, size_t offset, unsigned bytes);
// The mark of the last store to a byte of shared memory.
Mark last_store(const Worker &, size_t offset);
uintptr_t pc_of(const Mark &);
// Lane i of a warp, one of Worker::one_address.lanes, has gone on: keeps what it stored.
void keep_stored(Worker &, unsigned i);
// The lanes that stored have gone on: their values are in memory.
void stores_are_done(Worker &);

// A store to a word that another thread stored unordered: a race if the values differ.
struct Doubt {
    uintptr_t address;
    unsigned bytes;
    uint32_t before;
    Mark mark;
    unsigned lane;   // of the block
    Space space;
    int relation;
    uintptr_t pc;
};

// A store of one warp in which several lanes have the same address.
struct OneAddress {
    uint32_t lanes;   // the mask of those lanes; 0: none
    unsigned size;
    uintptr_t pc;
    uintptr_t address[32];
    unsigned char value[32][16];
};

}   // namespace emu

#endif
