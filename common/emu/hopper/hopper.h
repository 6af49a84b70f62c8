// Asynchronous operations of a block on Hopper: bulk copies, tensor copies and products of
// warpgroups, and the mbarriers and groups by which threads wait for them.
//
// An operation is issued, it lands (its bytes are in memory), and it is visible to a thread that
// has waited for it or is ordered after one that has. By default it lands as late as the rules
// allow: when a wait requires it, or when no thread of the block can continue. `lands_early` lets
// it land when it is issued.
//
// Order is kept in vector clocks. A thread's clock says, for each thread of the block, up to which
// time its accesses are ordered before what this thread does next, and for each mbarrier, how many
// phases it knows to be complete. A second clock says up to which time a proxy fence has made the
// accesses visible to asynchronous operations (PTX ISA 8.6, 8.9.5). Accesses of threads are in the
// marks of races.cpp; operations are in a table of 16-byte granules of shared memory.
//
// A block that uses none of these instructions has no such state, and pays for none.
#ifndef EMU_HOPPER_STATE_H
#define EMU_HOPPER_STATE_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "include/emu_hopper.h"
#include "lanes/asyncs.h"
#include "remote.h"

namespace emu::hopper {

constexpr unsigned GRANULE = 16;   // bytes; all operands are multiples of it
constexpr unsigned WARPGROUP = 4 * WARP;
constexpr unsigned GROUPS = MAX_THREADS / WARPGROUP;
constexpr unsigned READERS = GROUPS + 1;            // of a granule: per warpgroup, and bulk copies
constexpr uint32_t MOST_ARRIVALS = (1 << 20) - 1;   // and bytes [9.7.13.15.2]

typedef std::vector<uint32_t> Times;   // of a block: threads, then mbarriers

// What a thread knows about its own block, and about the others of its cluster, by rank: null if it
// does not even know that the block has started. Threads that know the same share it.
struct Clock {
    Times own;
    std::vector<std::shared_ptr<const Times>> peers;   // empty in a cluster of one block

    uint32_t &operator[](size_t i) { return own[i]; }
    uint32_t operator[](size_t i) const { return own[i]; }
    void clear();   // knows nothing
    void swap(Clock &other)
    {
        own.swap(other.own);
        peers.swap(other.peers);
    }
};

// Index of the range of bytes [start, end) in the arena.
struct Bytes {
    uint32_t start, end;
};

// transfer: a bulk copy to another block of the cluster, which reads the memory of this one
enum class Kind : uint8_t { load, store, product, transfer };

bool lands_at_issue();   // that of an operation that is issued now

struct Operation {
    Kind kind;
    bool has_landed;   // its bytes are where they belong
    bool is_read;      // a store: its source has been read
    uint16_t thread;   // that issued it, the first one of the warpgroup for a product
    // Ranks in the cluster: of the block that issued it; of the one that has the mbarrier.
    uint8_t issuer, home;
    uintptr_t pc;
    uint32_t issued;   // time
    // load, transfer: the mbarrier, the phase in which it was issued, and in which it landed
    uint32_t barrier, phase;
    Bytes bytes;   // that a load writes, if they are not whole granules; else empty
    // store: the thread's bulk group; product: the warpgroup's
    uint32_t group;
    // Times of the waits that covered it; 0: none. store: [0] its source was read, [1] complete.
    // product: per warp.
    uint32_t waited[4];
    uint32_t copy;   // load, store: its index in Copies (bulk.cpp)
};

struct Granule {
    uint32_t writer;   // number of the operation; below Block::first: none
    uint32_t reader[READERS];
};

struct Barrier {
    uint32_t offset;        // in the arena
    bool is_live;           // initialized and not invalidated
    bool is_fenced;         // fence.mbarrier_init after the initialization, before this phase of
    uint32_t fenced;        // the cluster's barrier
    uint32_t expected;      // arrivals per phase
    uint32_t pending;       // arrivals of the current phase
    int64_t bytes;          // tx-count
    uint32_t phase;         // number of the current phase
    bool is_observed;       // has a wait for the phase before returned true?
    uint16_t thread;        // that initialized it
    uint32_t initialized;   // time
    uintptr_t pc, expect_pc, arrive_pc;
    Clock gathered, released;   // of arrivals in this phase, and in the one before
    Clock gathered_proxy, released_proxy;
    // Threads, with the rank of their block times MAX_THREADS: those that have arrived in the
    // current phase; those that have ever arrived.
    std::vector<uint16_t> arrived, known;
};

enum class Wait : uint8_t { none, phase, poll, registers, warpgroup, cluster, stopped };

// What a lane waits for in State::waiting.
struct Waiter {
    Wait what;
    bool has_failed;   // its first try_wait that had to wait has returned false
    uint32_t barrier, phase;
    uint32_t polls;
    uint32_t number;   // registers wanted; products to complete; does it acquire?
};

// A barrier of warps: bar.sync with a number (named.cpp counts its arrivals), and that of the
// cluster.
struct Named {
    uint32_t phase;
    Clock gathered, gathered_proxy, released, released_proxy;
};
constexpr unsigned CLUSTER_BARRIER = NAMED_BARRIERS;

// An arrival of a thread at an mbarrier when its first `copies` asynchronous copies have arrived.
struct LateArrival {
    uint32_t barrier;
    uint16_t thread;
    uint64_t copies;
    uintptr_t pc;
};

struct Copies;     // bulk.cpp
struct Products;   // wgmma.cpp

// A thread's setmaxnregs: how many, and where the last one is.
struct Change {
    uint32_t count;
    uintptr_t pc;
};

struct Block {
    Block();

    uint64_t origin;   // logical time that is 0 in clocks
    unsigned threads;
    bool has_woken;     // a waiting lane has become ready
    unsigned waiting;   // lanes in State::waiting
    uint32_t first;     // number of the block's first operation
    std::vector<Operation> operations;
    std::vector<Granule> granules;
    std::vector<uint16_t> barrier_at;   // per 8 bytes of the arena: index + 1
    std::vector<Barrier> barriers;
    std::vector<Clock> seen, proxied;   // per thread
    std::vector<Waiter> waiters;
    // Per warp: times at which all of its lanes were at one wgmma.wait_group, and their number.
    std::vector<uint32_t> converged[MAX_WARPS];
    unsigned converging[MAX_WARPS];
    std::vector<uint16_t> registers;   // per thread; empty until the first setmaxnreg
    int64_t free_registers;
    std::vector<Change> changes;   // of registers, per thread; empty until the first
    Named named[NAMED_BARRIERS + 1];
    std::vector<LateArrival> late;         // those that have not happened
    std::vector<uint32_t> cluster_phase;   // per thread: arrivals at the cluster's barrier
    std::vector<bool> may_wait;            // per thread: has arrived there since its last wait
    unsigned rank;                         // in the cluster
    RemoteMarks remote;                    // accesses by other blocks of the cluster
    std::shared_ptr<Copies> copies;
    std::shared_ptr<Products> products;

    Operation &operation(uint32_t number) { return operations[number - first]; }
};

// The state of the block that runs; made by the first instruction.
Block &block_of(Worker &);
// What a thread of a block knows about another one, or about its own; and which accesses there are
// visible to its asynchronous operations.
const Times &seen_of(const Block &of, unsigned thread, const Block &about);
const Times &proxied_of(const Block &of, unsigned thread, const Block &about);
inline uint32_t time_in(const Times &times, size_t i) { return i < times.size() ? times[i] : 0; }
// What a thread of a block knows, for a thread of another block.
Clock for_block(const Clock &, const Block &of, const Block &to);
uint32_t time_of(const Block &, uint64_t time);   // as in its clocks
uint32_t now(Worker &);                           // a new time
// The call site: `pc`, or the caller's.
inline uintptr_t site(uintptr_t pc, void *caller) { return pc ? pc : (uintptr_t)caller; }
// At the start of an instruction: what the running lane has logged is served.
Block &enter(Worker &, uintptr_t pc);

// The offset in its arena of a range of shared memory of the block `of`, for what the current lane
// does; ends the launch with a report if it is none.
uint32_t shared_range(Worker &of, const void *at, size_t bytes, size_t alignment, const char *what,
                      uintptr_t pc);

// ---- order (hopper.cpp) ----

void join(Clock &to, const Clock &from);
// The lane's accesses so far are ordered before what others do that join its clock.
void release(Worker &, const Lane &);
// Is an operation in the table of the block `of` visible to a thread of the block `by`?
bool is_visible(const Block &of, const Operation &, const Block &by, unsigned thread);
uint32_t issue(Worker &, Operation &&);
// The lane starts an operation that reads or writes these bytes. `reader`: its slot.
void check_read(Worker &, const Lane *const *lanes, unsigned count, const Bytes &, uint32_t number,
                unsigned reader, const char *what);
// The memory is of the block of the first worker, the lane of the other.
void check_write(Worker &of, Worker &by, const Lane &, const Bytes &, uint32_t number);
const char *name_of(const Operation &);
// check_read() of granules, in ascending order.
void check_granules(Worker &, const Lane *const *lanes, unsigned count,
                    const std::vector<uint32_t> &granules, uint32_t number, unsigned reader,
                    const char *what);
void wake(Worker &, Lane &);
void wait(Worker &, Wait, uint32_t number);

// ---- mbarrier.cpp ----

Barrier *barrier_at(Block &, uint32_t offset);
// The bytes of a copy have arrived.
void complete_bytes(Worker &, uint32_t barrier, uint32_t bytes, uintptr_t pc);
std::string barrier_name(Worker &, const Barrier &);
std::string barrier_label(const Worker &, const Barrier &);   // in recordings: "full[1]"
void end_arrivals(Worker &);                                  // of the block
// Lets copies land for which lanes wait. Returns whether a lane can continue.
bool land_for_waiting(Worker &);

// ---- bulk.cpp ----

bool land_copies(Worker &, uint32_t barrier);   // returns whether there were any
uint32_t copies_in_flight(Worker &, uint32_t barrier, uintptr_t *pc);
void end_copies(Worker &);
void begin_copies(Block &);

// ---- wgmma.cpp ----

void begin_products(Block &);
void end_products(Worker &);
void end_registers(Worker &);
std::string wgmma_waits(Worker &, const Lane &);
// The swizzle of the tensor map by which an operation has written, as CUtensorMapSwizzle; -1: it
// had no tensor map.
int swizzle_of(Worker &, const Operation &);

}   // namespace emu::hopper

#endif
