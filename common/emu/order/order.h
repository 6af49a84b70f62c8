// Which thread accessed a word when (races.cpp), and what orders two accesses: barriers,
// __syncwarp, and fences with atomics or volatile accesses (order.cpp).
//
// Time is the worker's logical clock. An epoch is a span of time of one block or warp in which
// nothing orders its accesses with those of other threads: it ends at a barrier, a __syncwarp or a
// fence. An access is recorded by its epoch, thread and call site.
#ifndef EMU_ORDER_H
#define EMU_ORDER_H

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lanes/worker.h"

namespace emu {

struct Epoch {
    uint32_t block;      // linear block index, x fastest
    uint32_t interval;   // number of the span between two barriers
    uint64_t created;    // time before the first access
};

// A recorded access. Epoch 0: none.
struct Mark {
    uint32_t epoch;
    uint32_t thread : 10, place : 16;
    uint32_t strength : 2;     // of an atomic, a volatile access, or one with an order
    uint32_t is_release : 1;   // a volatile store after a fence, or a store with an order
    uint32_t only_cas : 1;     // atomics: all since then are atomicCAS
    // Stores: other threads stored the same value, unordered.
    uint32_t several_threads : 1, several_blocks : 1;
};

// Two marks of reads and of atomics are kept: the first that nothing orders with later ones, and
// the last.
enum Plane { WRITE, READ, READ_LAST, ATOMIC, ATOMIC_LAST, PLANES };

constexpr size_t PAGE_BYTES = 1024;   // bytes of memory per Page
constexpr size_t LINE_BYTES = 128, LINES = PAGE_BYTES / LINE_BYTES;

// Marks of each 4 bytes, or of fewer after a smaller access. A plane is allocated at its first use.
struct Page {
    unsigned finer;    // log2 of the marks per 4 bytes
    uint32_t launch;   // first epoch of the last launch that accessed it
    Mark *marks[PLANES];
    uint32_t *values;   // what the last store of each mark's bytes has stored
    // A line that lanes of a warp have accessed in their order, by words or vectors, has one mark
    // for all words, with the thread of the first. Epoch 0: none. A page has such marks until it is
    // accessed in another way.
    unsigned lane_bytes;               // of each lane's access; 0: there are no such marks
    Mark line[READ_LAST + 1][LINES];   // stores, reads, and last reads

    unsigned shift() const { return 2 - finer; }
};

// Epochs of a worker's shared memory. Only those of the current block are kept.
struct LocalEpochs {
    uint32_t first, next;   // ids of the current block: [first, next)
    uint32_t interval;      // first id of the current interval
    std::vector<Epoch> table;
};

// ---- order.cpp ----

struct Log;   // the releases through one word

// How far an access or a fence reaches, by its scope: 0 for a weak access.
enum Strength : uint8_t { WEAK, IN_BLOCK, IN_CLUSTER, EVERYWHERE, STRENGTHS };
inline Strength strength_of(Scope scope)
{
    return (Strength)std::min((unsigned)scope, (unsigned)EVERYWHERE);
}
// What an operation needs to reach from one block to another one.
Strength needed_strength(const Launch &, uint32_t block, uint32_t other);

// What a thread or block has acquired: everything that the first `count` releases of the log cover,
// as far as the weaker one of the load and the fence reaches.
struct Known {
    Log *log;
    uint32_t count;
    Strength strength;
};

// A word that was read by an atomic, a volatile load, or a load with an order.
struct Polled {
    uintptr_t address;
    Strength strength;
};

// Acquired by the lanes `mask` of a warp at `time`.
struct KnownByLanes {
    Known what;
    unsigned warp;
    uint32_t mask;
    uint64_t time;
};

// A fence, and what was ordered before it. Time 0: no fence.
struct Fence {
    uint64_t time;
    uint64_t barrier;     // time of the block's last barrier before it
    uint64_t warp_sync;   // time of the warp's last __syncwarp before it
};

constexpr unsigned MAX_POLLED = 8;

struct LaneOrder {
    uint64_t block;           // the block that the other members are about (Order::block)
    Fence fence[STRENGTHS];   // the last one that reaches as far
    // Words that the lane has polled since its last fence of all blocks. Only the last MAX_POLLED
    // are kept.
    Polled polled[MAX_POLLED];
    unsigned polls;
    uint64_t poll_time;
    // The last release, so that a loop does not repeat it.
    uintptr_t released;
    uint64_t released_version;
    bool is_releasing;   // by the operation that it performs (Releasing)
};

// A store to a word that another thread stored unordered. It is a race if the values differ.
struct Doubt {
    uintptr_t address;
    unsigned bytes;
    uint32_t before;   // the value of the other store
    Mark mark;
    unsigned index;   // of the lane in the request
    unsigned lane;    // index in the block
    Space space;
    int relation;
    uintptr_t pc;
    bool is_narrow;   // only the scope of one of the two is wrong
};

// What a request has stored to a mark's bytes. It replaces the value of the stores before when all
// lanes have been compared with these.
struct LateValue {
    Page *page;
    size_t cell;
    uint32_t value;
};

// What the lanes of a request have stored.
struct Stored {
    Request request;   // lanes 0: none, or nothing is left to do
    uintptr_t pc;
    uint32_t known;                // bit i: the value of its i-th address is known
    uint32_t same_address;         // bit i: another lane stored to its i-th address
    unsigned char (*value)[16];    // of the i-th address
    unsigned char own[WARP][16];   // space for values that are not in the log
};

struct Order {
    uint64_t block;                   // number of blocks that this worker has started
    uint64_t barrier;                 // time of the last barrier
    uint64_t version;                 // grows with every fence, barrier and acquisition
    bool has_fenced, has_polled;      // by a thread of the block since the last barrier
    bool has_ever_polled;             // since the start of the block
    uint32_t block_epoch[SPACES];     // 0: none in this interval yet
    uint32_t next_epoch, end_epoch;   // of global memory: ids reserved for this worker
    LocalEpochs local;
    std::vector<LaneOrder> lanes;
    std::vector<uint64_t> warp_fence;   // time of the last __threadfence of each warp
    // warp_fence at the last barrier; null until there is one
    std::shared_ptr<const std::vector<uint64_t>> fenced;
    std::vector<Known> block_polled, block_known;
    std::vector<KnownByLanes> known;
    std::unordered_map<uintptr_t, Log *> logs;   // of words in shared memory
    std::vector<std::shared_ptr<Log>> own_logs;

    Stored stored;                        // by the last request
    std::vector<LateValue> late_values;   // of these stores
    std::vector<Doubt> doubts;            // conflicts of these stores
    std::atomic<uint64_t> storing{ 0 };   // index + 1 of the block that is storing; 0: none
    // races reported in this launch, by pair of call sites
    std::vector<std::pair<uintptr_t, uintptr_t>> reported;
    // By address, a thread that stored to the word in this interval before the one of the mark.
    std::unordered_map<uintptr_t, uint16_t> also_stored;
    // Times at which threads have waited for the kernel before, and the first one; empty unless the
    // launch depends on it (dependent.cpp).
    std::vector<uint64_t> grid_waits;
    uint64_t first_grid_wait;
};

void order_begin_launch();
void order_begin_block(Worker &);
void order_barrier(Worker &);
// After a __syncwarp or a fence, the warp's accesses belong to new epochs.
void end_epoch(Warp &);
uint32_t current_epoch(Worker &, Warp &, Space);
const Epoch &epoch_of(const Worker &, Space, uint32_t id);
// Marks with lower epochs are stale: the first epoch of the launch; for shared memory, of the
// current interval.
uint32_t first_epoch(const Worker &, Space);
uint32_t launch_epoch();    // the first epoch of the last launch
uint32_t end_of_epochs();   // those of the launches so far are below it
// By the current lane.
void fence(Worker &, Scope, bool acquires = true, bool releases = true);
// The current lane has read this word by an operation that acquires.
void acquire(Worker &, uintptr_t address, Scope);
// While it exists, an operation of the current lane releases what the lane did before. Scope
// thread: it releases nothing.
class Releasing {
    Worker &w;
    LaneOrder *lane = nullptr;
    Fence before[STRENGTHS];

  public:
    Releasing(Worker &, Scope);
    ~Releasing();
    Releasing(const Releasing &) = delete;
};
// The lane is about to change a word by an atomic, a volatile store, or a store with an order. Does
// this release what the lane has done before? created: of the epoch of this operation.
bool release(Worker &, const Warp &, const Lane &, uintptr_t address, Scope, uint64_t created = 0);
// The lane is about to read a word by an atomic, a volatile load, or a load with an order. A later
// fence acquires what was released through the word.
void poll(Worker &, const Lane &, uintptr_t address, Scope);
bool has_fenced(const Worker &, const Lane &);   // has the lane fenced in this block?
// The lanes of `set` whose accesses at `time` are not ordered by a common __syncwarp before what
// `lane` does.
unsigned unordered(const Warp &, unsigned set, unsigned lane, uint64_t time);
// Do fences order an access of `thread` in that epoch before what `lane` does?
bool is_acquired(Worker &, const Warp &, const Lane &, const Epoch &, unsigned thread);
// Has `lane` acquired through this word after the last release of that block through it?
bool has_observed(Worker &, const Warp &, const Lane &, uintptr_t address, uint32_t block);
// Has `lane` read, in another word than `address`, what a thread has released after an access of
// `thread` in that epoch: with or without a fence, and in any scope?
bool is_signaled(Worker &, const Lane &, uintptr_t address, const Epoch &, unsigned thread);
// The fence whose absence leaves an access of `thread` in that epoch, by another block, unordered
// with what `lane` does: after the access, or before what `lane` does. NARROW_SCOPE: none, but a
// fence or another operation does not reach the other block. UNKNOWN_FENCE: more than one fence is
// missing, or the atomic or volatile access.
enum MissingFence { UNKNOWN_FENCE, FENCE_THERE, FENCE_HERE, NARROW_SCOPE };
MissingFence missing_fence(Worker &, const Lane &, const Epoch &, unsigned thread);

// ---- races.cpp ----

void races_begin_launch();
void races_begin_worker(Worker &);                     // a worker takes part in the launch
void races_forget(size_t heap_offset, size_t bytes);   // of freed memory; SIZE_MAX: of all memory
void races_forget_shared(Worker &);
// Checks a request for races, and records it. `head` is what its lanes have in common.
void race_check(Worker &, const Warp &, const Request &, int kind, const Stop &head);
// Brings what a later race_check() of this address in global memory needs into the cache: in two
// calls, of which the first is for the second.
void races_prefetch(uintptr_t address, bool second);
// Around the operation of an atomic of the running lane. Lanes are served, and so marked, before
// they perform their operations. So the mark of the last atomic is made again, in one step with the
// operation: the thread that performed the last one is known.
void races_begin_atomic(Worker &, uintptr_t address);
void races_end_atomic(Worker &, uintptr_t address, unsigned size, uintptr_t pc);
// An asynchronous copy of this lane has arrived.
void race_copy_arrives(Worker &, const Lane &, size_t offset, unsigned bytes);
// The mark of the last store to a byte of shared memory.
Mark last_store(const Worker &, size_t offset);
uintptr_t pc_of(const Mark &);
// The marks with epochs in [first, end) of the bytes of a request of global memory: of stores and
// atomics, and with `reads` of reads. index: of the address in the request.
struct FoundMark {
    unsigned index;
    Plane plane;
    Mark mark;
};
std::vector<FoundMark> marks_of(Worker &, const Request &, bool reads, uint32_t first,
                                uint32_t end);
// The lanes of the last request have resumed, so all that it stored is in memory.
void stores_are_done(Worker &);

struct Interval {
    uintptr_t start, end;
    uintptr_t pc;   // of an access to it
};
// Sorted by address, disjoint. Atomics and volatile accesses of kernels do not race with each
// other.
enum Use { READS, WRITES, ATOMICS, USES };

// Adds what the last launch accessed in this range to `used`.
void collect_uses(uintptr_t start, size_t bytes, std::vector<Interval> used[USES]);

// ---- programmatic dependent launches (dependent.cpp) ----

void dependent_launch_wanted(bool);   // by the attributes of the next launch
bool dependent_launch_is_wanted();    // and forgets it
// Something else happens in a stream, or the host waits.
void dependent_forget();
void dependent_begin_launch(Launch &, cudaStream_t);
void dependent_end_launch(cudaStream_t);
void dependent_begin_block(Worker &);
// A request of global memory that must come after the kernel before.
void check_dependence(Worker &, const Warp &, const Request &, const Stop &head, bool writes);

}   // namespace emu

#endif
