// A launch runs on worker threads; each worker runs one block at a time. A block consists of warps,
// a warp of lanes.
#ifndef EMU_WORKER_H
#define EMU_WORKER_H

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "include/cuda_runtime_api.h"
#include "lane.h"

namespace emu {

struct Launch {
    uint32_t id;   // counts launches from 1
    const char *kernel;
    dim3 grid, block;
    size_t dynamic_shared;
    void (*thread)(const void *);
    const char *args;
    size_t arg_bytes;
    uint64_t blocks;
    std::atomic<uint64_t> next_block;   // or the next cluster
    std::atomic<bool> stop;             // set by a diagnosis that ends the launch
    size_t static_shared;               // maximum over the blocks; guarded by grid.cpp's lock
    bool cooperative;                   // all blocks run at once
    size_t shared_limit;                // per block, static plus dynamic memory
    std::atomic<cudaError_t> refused;   // error that a block found while it ran
    unsigned number = 0;                // since emu_reset(), from 1
    uint3 cluster = { 1, 1, 1 };        // blocks per cluster
    bool has_clusters = false;          // the launch or the kernel names their size
    uint3 wanted = { 0, 0, 0 };         // by the kernel, if that differs
    bool follows = false;               // programmatic dependent launch
    // Epochs of the kernel before, if this one may start before that has ended (dependent.cpp).
    uint32_t before_first = 0, before_end = 0;
    // Blocks wait for their turns until it is known how long the launch takes (turns.cpp).
    std::atomic<bool> takes_turns{ false };
    // A thread has released something: the launch may depend on the order of blocks and warps.
    std::atomic<bool> has_released{ false };
    // The second run, in which blocks and warps are in reverse order. It only judges: it counts and
    // prints nothing.
    bool is_reversed = false;
    std::atomic<bool> has_allocated{ false };   // malloc or free was called
    std::atomic<uintptr_t> waits_at{
        0
    };   // of that run: where a block waits for one of lower index
};
inline unsigned cluster_blocks(const Launch &l) { return l.cluster.x * l.cluster.y * l.cluster.z; }

struct AccessLog;   // log.h
struct Calls;
struct Cluster;    // cluster.h
struct Counting;   // count/counting.h
struct Order;      // order/order.h
struct Shared;     // order/shared.h
namespace hopper {
struct Block;   // hopper/hopper.h
}

constexpr unsigned RECENT = 512;   // call sites that a worker remembers

// One of the 16 barriers that part of the block's warps pass (named.cpp).
struct NamedBarrier {
    uint32_t expected, arrived;   // threads; 0: none has arrived
};
constexpr unsigned NAMED_BARRIERS = 16;

// The barriers of a block.
struct Barriers {
    NamedBarrier named[NAMED_BARRIERS];
    bool has_named;        // the block has used one
    bool named_released;   // since run_block() looked: lanes can continue
    // Of the last __syncthreads: the lanes that passed it, and those of them with a predicate.
    unsigned passed, passed_true;
    // Of the next one: the call site of the lane that arrived last, whether others have arrived at
    // another one, and the lanes with a predicate.
    uintptr_t pc;
    bool differs;
    unsigned arrived_true;
};

constexpr std::pair<uintptr_t, unsigned> NOWHERE{ UINTPTR_MAX, 0 };

// Whether a block makes progress.
struct Progress {
    std::vector<uint32_t> seen;   // hash table of halves of request fingerprints
    size_t seen_count = 0;
    std::atomic<uint64_t> fresh{ 0 };   // requests not found in `seen`: these are progress
    std::atomic<uint64_t> steps{ 0 };   // for the watchdog: grows whenever lanes stop
    uint64_t judged_time = 0, yielded_fresh = 0, spun_fresh = 0;
    uintptr_t waits_at = 0;   // where a warp was when its turn ended
    // Since judged_time: the lowest code address that was served, and the first thread there.
    std::pair<uintptr_t, unsigned> lowest = NOWHERE;
};

// What executes lanes is here. What other folders know of a worker is in structs that they declare,
// and that a worker refers to: a change of these concerns only those who use them. Workers exist
// until the program ends, and so do these structs.
struct Worker {
    Worker();
    ~Worker();
    Worker(const Worker &) = delete;

    pthread_t thread{};
    unsigned index = 0;
    void *scheduler = nullptr;   // saved stack pointer of the worker's own code
    Lane *current = nullptr;     // the running lane; null while the scheduler runs
    Warp *warp = nullptr;        // of the running lane
    uint32_t queue = 0;          // lanes of this warp that run after it
    // Of the running lane: the start of its stack, and the bytes of it that the kernel may access.
    uintptr_t stack_low = 0;
    size_t stack_open = STACK_BYTES;
    // The bytes that its last access stores are logged there at its next entry or stop (log.h).
    // Null: none.
    unsigned char *late_store = nullptr;
    uintptr_t late_address = 0;
    unsigned late_bytes = 0;
    AccessLog *log = nullptr;   // of the warp that runs
    // Logical clock: grows with every request, exchange, barrier and fence; never reset.
    uint64_t time = 0;
    uint64_t clock_reads = 0;   // by kernels, of this block
    uint64_t clock_ahead = 0;   // of time (read_clock())

    Launch *launch = nullptr;
    uint3 block_index{};
    uint64_t block_linear = 0;   // linear block index, x fastest
    unsigned threads = 0;        // threads per block
    bool running = false;
    bool recorded = false;   // the block is recorded (record.cpp)
    std::vector<Lane> lanes;
    std::vector<Warp> warps;
    char *stacks = nullptr;
    std::vector<uint16_t> free_stacks;
    std::vector<void *> sp;   // saved stack pointer of each lane; null before its start
    std::vector<Calls> calls;
    std::vector<std::unique_ptr<AccessLog>> idle_logs;   // free, for reuse by the next warp
    Recent recent[RECENT]{};      // variables and allocations accessed last, by call site
    uintptr_t unknown_code = 0;   // address of kernel code to analyze; 0: none
    // call sites of exchanges that were served together
    std::vector<std::pair<uintptr_t, uintptr_t>> paired;
    Barriers barriers{};
    Progress progress;
    std::vector<Pipeline> pipelines;   // one per thread; empty until the first copy

    // Shared memory of the block: static and dynamic variables, with gaps between them.
    char *arena = nullptr;
    Shared &shared;
    Order &order;
    Counting &counts;

    // Asynchronous operations of the block; null until its first such instruction. And the memory
    // for them, which is kept for later blocks.
    hopper::Block *asyncs = nullptr, *spare_asyncs = nullptr;
    bool has_products = false;   // products of warpgroups use registers of threads
    // The cluster of several blocks that this worker runs, or whose block it is; else null. The
    // rank of the block in it.
    Cluster *cluster = nullptr;
    unsigned rank = 0;
    Cluster *own_cluster = nullptr;   // of a worker that runs clusters
};

// grid.cpp: the running lane ends the launch with this error; does not return
void refuse(Worker &, cudaError_t);
// warp.cpp: a fault of the running lane ends the launch. Does not return.
void fail(Worker &, const std::string &what, uintptr_t pc);
extern const char stack_text[];   // the diagnosis of a thread that needs more than STACK_BYTES

// Null on threads that are not workers. The runtime is part of the program, and no library.
extern __thread Worker *worker __attribute__((tls_model("local-exec")));

// exchange.cpp: this thread's worker; on the host, reports the call and ends the program
[[noreturn]] void refuse_host_call(void *call_site);
inline Worker &on_device(void *call_site)
{
    if (__builtin_expect(!worker, 0))
        refuse_host_call(call_site);
    return *worker;
}

// Has the launch been stopped?
inline bool stops(const Worker &w) { return w.launch->stop.load(std::memory_order_relaxed); }
bool is_storing(uint64_t block);   // grid.cpp: is the block storing?
int launches_so_far();             // launches.cpp: since emu_reset()
// grid.cpp: CPU seconds of the process, and how many of them without progress end a launch
// (EMU_PATIENCE); the start of a message about that
double process_seconds();
double patience();
std::string no_progress();

// Static variables and dynamic memory have separate limits; the gaps need additional space.
constexpr size_t ARENA = STATIC_SHARED + OPTIN_SHARED + (64 << 10);

inline bool in_shared(const Worker &w, uintptr_t address)
{
    return address - (uintptr_t)w.arena < ARENA;
}

// Does the running lane have less than 4 KiB of stack left?
inline bool overflows(const Worker &w)
{
    return (uintptr_t)__builtin_frame_address(0) < w.stack_low + 4096;
}

// ---- order of lanes (loops.cpp) ----

// Of the lane that runs, or ran last; null for host code.
extern __thread Position *position __attribute__((tls_model("local-exec")));
// The rank of a lane that stops in the call that returns to `pc`. Updates its position.
Rank rank_at(Position *, uintptr_t pc);

}   // namespace emu

#endif
