// Lanes and warps. A lane is a fiber that logs its memory accesses until it stops (log.h). Its warp
// serves what lanes did at one place as one request.
#ifndef EMU_LANE_H
#define EMU_LANE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "include/cuda_runtime_api.h"
#include "include/emu_scope.h"
#include "interface.h"
#include "request.h"

namespace emu {

constexpr unsigned MAX_THREADS = 1024, MAX_WARPS = MAX_THREADS / WARP;
constexpr size_t STACK_BYTES = 64 << 10;     // local memory per thread
constexpr size_t STATIC_SHARED = 48 << 10;   // per block, without opt-in
// per block, with cudaFuncAttributeMaxDynamicSharedMemorySize (compute capability 9.0)
constexpr size_t OPTIN_SHARED = 227 << 10;
// per SM; of that, reserved per block
constexpr int SM_SHARED = 228 << 10, RESERVED_SHARED = 1 << 10;

// Global and shared memory.
enum Space { GLOBAL, SHARED, SPACES };

// paused: the lane continues as soon as what it has logged is served (log.h). waiting: for an
// asynchronous operation or for threads that need not arrive at once (hopper.h).
enum class State : uint8_t {
    ready,
    memory,
    copy,
    texture,
    branch,
    exchange,
    barrier,
    waiting,
    paused,
    exited
};
// together: all lanes of the warp execute an instruction, which exchanges nothing.
enum class Exchange : uint8_t { sync, shuffle, ballot, active, reduce, collective, together };

// Scheduling order: of two lanes, the one with the lower rank runs first (loops.cpp). The upper
// word is the order of the lane's place in the kernel (flow.h), the next word that of its place in
// the function called there, and so on.
typedef unsigned __int128 Rank;

// The last known place of a lane in its code.
struct Position {
    static constexpr unsigned FRAMES = sizeof(Rank) / sizeof(uint32_t);
    struct Caller {
        void *frame;
        uint32_t order, function;
        Rank callers;
        uint8_t stack;
    };

    uintptr_t block;   // return address of the call at its start; 0: no such calls
    void *frame;       // address of the frame of the current function call
    Rank callers;      // ranks of the callers, the upper words of the lane's rank
    uint32_t order;    // flow.h
    unsigned depth;    // number of callers
    // The function (flow.h), and the number of callers and depth in the worker's table (log.h),
    // which an access compares with those of a Recent.
    uint32_t function, stack;
    Caller caller[FRAMES - 1];

    void clear()   // at the start of a lane
    {
        block = 0;
        frame = nullptr;
        order = function = depth = 0;
        callers = 0;
        stack = 0;
    }
    Rank rank() const { return callers | (Rank)order << 32 * (FRAMES - 1 - depth); }
};

// Where and for what a lane has stopped.
struct Stop {
    Rank rank;
    uintptr_t pc;   // the call site
    // State memory and texture. Address 0 of a texture is its border.
    uintptr_t address;
    emu_kind kind;
    uint16_t size;
    State state;
    // Others may synchronize with it: a volatile access, or a load or store with an order.
    // is_atomic: the latter.
    bool is_volatile, is_atomic;
    bool is_ptx;     // of inline PTX, whose loads nvcc does not merge
    Scope scope;     // if others may synchronize with it
    Atomic atomic;   // of an atomic
    // State barrier.
    uint8_t barrier;   // number of the named barrier, from 1; 0: of the block
    int predicate;
    // The object that is copied, in one or several accesses: its size, and the place of this one.
    uint32_t object_bytes, object_offset;
};

// What lanes need that neither make atomics nor exchange values is in the first two lines of the
// cache.
struct alignas(64) Lane : Stop {
    uint16_t stack;   // its number
    uint16_t id;      // index in the block, x fastest
    uint3 thread;
    Position position;
    uint8_t carry;           // of add.cc and its like (ptx_integer.cpp)
    bool drops_result;       // of the next exchange (emu_drops_result)
    uint32_t atomic_epoch;   // of its last atomic in global memory (races.cpp)
    // State copy: an asynchronous copy of `size` bytes from `address`. The first `read` bytes are
    // read, the rest become 0.
    uintptr_t target;
    uint16_t read;
    // State exchange: with other lanes of the warp.
    Exchange exchange;
    unsigned mask;
    uint64_t value;        // in: the lane's value; out: the result. collective: its Gathered
    unsigned source;       // the lane whose value is returned
    bool has_source;       // false: a shuffle returns the lane's own value
    unsigned active;       // the mask that the last __activemask() returned
    uintptr_t active_pc;   // of that call; 0: none
    unsigned operation;    // of a reduction, one of enum emu_reduction
};

struct Worker;

// What a lane brings to an exchange that one function performs for all lanes of the mask (ptx.h).
struct Gathered {
    void *data;
    void (*act)(Worker &, void *const lane[WARP], unsigned mask);
};

// Bytes of one allocation.
struct Range {
    uintptr_t start;
    size_t bytes;

    bool contains(uintptr_t address, size_t size) const
    {
        return address >= start && address - start + size <= bytes;
    }
};

// What a worker remembers of the last access of a call site: the variable or allocation. Of an
// access that is no part of a larger one, and that the compiler has inserted, also its key (log.h),
// and the place of the lane.
struct alignas(64) Recent {
    Range range;
    uintptr_t pc;   // 0: only the range is known
    uint64_t key;
    uint32_t function, stack, order;
};

// ---- asynchronous copies of a thread (pipeline.cpp) ----

// A pending copy: its thread has not waited for it, so its bytes are not in shared memory yet.
struct Copy {
    size_t offset;   // in the arena
    unsigned size;
    uint64_t group;   // commit group of the thread, counted from 0
    unsigned char bytes[16];
};

struct Pipeline {
    std::vector<Copy> copies;
    uint64_t committed;   // number of committed groups
    uint64_t landed;      // copies that are no longer in `copies`
};

struct AccessLog;

struct Warp {
    Lane *lane;   // the first of `lanes` lanes
    unsigned lanes;
    unsigned index;   // in the block
    // Lanes in these states: their states are far apart in memory.
    uint32_t ready, barrier, exited;
    uint64_t full_sync;   // time of the last __syncwarp of all lanes
    // [a][b]: time of the last partial __syncwarp that lanes a and b took part in; null until there
    // is one
    std::unique_ptr<uint64_t[][WARP]> pair_sync;
    uint32_t epoch[SPACES];   // 0: the next access starts a new one
    // After a __syncwarp or a fence, until the next barrier: the warp has epochs of its own.
    bool is_apart;
    std::unique_ptr<AccessLog> log;   // null while it is empty

    uint32_t all() const { return lanes < WARP ? (1u << lanes) - 1 : ~0u; }
    // Has each lane exited, or stopped at a barrier?
    bool is_idle() const { return (barrier | exited) == all(); }
    // The lane continues when its warp runs.
    void release(uint32_t those)
    {
        ready |= those;
        barrier &= ~those;
    }
};

}   // namespace emu

#endif
