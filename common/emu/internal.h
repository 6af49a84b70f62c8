// What the parts of the CPU device share. A launch runs on worker threads, one block at a time each; a block is warps, a warp is lanes, a lane
// is a fiber that stops at every memory access, barrier and exchange, so that its warp can serve those that stopped at one place as one
// request.
#ifndef EMU_INTERNAL_H
#define EMU_INTERNAL_H

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "emu.h"
#include "include/cuda_runtime_api.h"
#include "rules.h"

namespace emu {

constexpr unsigned MAX_THREADS = 1024, MAX_WARPS = MAX_THREADS / WARP;
constexpr size_t STACK_BYTES = 64 << 10;                 // a thread's local memory
constexpr size_t STATIC_SHARED = 48 << 10;               // of a block, without asking
constexpr size_t OPTIN_SHARED = 227 << 10;               // with cudaFuncAttributeMaxDynamicSharedMemorySize (compute capability 9.0)

// ---- lanes and warps (warp.cpp) ----

enum class State : uint8_t { ready, memory, exchange, barrier, exited };
enum class Exchange : uint8_t { sync, shuffle, ballot, active };

struct Lane {
    void *sp;               // where to go on
    uintptr_t stack_low;
    State state;
    uint16_t id;            // in the block, x fastest
    uint3 thread;
    uintptr_t pc;           // the call site at which it stopped
    // stopped at memory
    uintptr_t address;
    emu_kind kind;
    uint16_t size;
    // stopped at an exchange with other lanes of the warp
    Exchange exchange;
    unsigned mask;
    uint64_t value;         // what it brings, and when it goes on, what it got
    unsigned source;        // the lane whose value it takes
    bool has_source;        // false where a shuffle keeps the lane's own value
    // stopped at a barrier
    int predicate;
};

struct Warp {
    Lane *lane;             // lanes of this warp, `lanes` of them
    unsigned lanes;
    unsigned index;         // in the block
    uint64_t full_sync;     // time of the last __syncwarp of all lanes
    uint64_t (*pair_sync)[WARP];   // [a][b]: time of the last partial one that both took part in; null until there is one
};

// ---- shared memory of the block that a worker runs (shared.cpp) ----

struct SharedVariable {
    const void *key;
    const char *name;
    size_t offset, bytes;   // in the arena
};

// Who touched a 4-byte word of shared memory last. An interval is the time between two barriers of a block; all are different.
struct Word {
    uint64_t block;          // the block that wrote it last
    uint32_t write_interval, read_interval;
    uint64_t write_time, read_time;
    uint16_t writer, reader; // threads; a reader may be MANY or MANY_IN_WARP
    uint16_t reader_warp;
    uint16_t write_site, read_site;
    uint8_t written;         // which of its bytes were written in this block
    uint8_t last_bytes;      // which of them by the last writer
};

struct Shared {
    char *arena;             // OPTIN_SHARED and some room for the gaps between variables
    std::vector<Word> words; // one for each 4 bytes of the arena
    std::vector<SharedVariable> variables;
    size_t used;             // of the arena
    size_t static_bytes;
    size_t dynamic_bytes;
    uint64_t block;          // of all that this worker ran
    uint32_t interval;
};

// ---- counts (counts.cpp) ----

struct Site {
    uintptr_t pc;
    emu_kind kind;
    uint64_t requests, units, ideal, lanes;
    uint64_t last;           // fingerprint of its last request, to see whether anything moves
};

struct Sites {
    std::vector<Site> table; // open addressing by pc
    uint16_t find(uintptr_t pc, emu_kind kind);
    void clear();
};

// A place in the source.
struct Place {
    std::string file;
    int line;
};
// Resolves call sites through addr2line; the innermost frame that is in a .cu file counts.
std::vector<Place> places(const std::vector<uintptr_t> &pcs);
void add_counts(const Sites &, uint64_t barriers);

// ---- workers (grid.cpp) ----

struct Launch {
    const char *kernel;
    dim3 grid, block;
    size_t dynamic_shared;
    void (*thread)(const void *);
    const char *args;
    size_t arg_bytes;
    uint64_t blocks;
    std::atomic<uint64_t> next_block;
    std::atomic<bool> stop;          // a diagnosis that nothing can go on after
    std::atomic<size_t> static_shared;
};

struct Worker {
    pthread_t thread;
    void *scheduler;                 // where the worker's own code goes on when a lane stops
    Lane *current;                   // the lane that runs; null while host or scheduler code does
    Launch *launch;
    uint3 block_index;
    unsigned threads;                // in a block
    std::vector<Lane> lanes;
    std::vector<Warp> warps;
    char *stacks;
    Shared shared;
    Sites sites;
    uint64_t time;                   // requests and exchanges served, ever
    uint64_t barriers;
    std::atomic<uint64_t> fresh;     // requests that differed from the last at their site: something moves
    std::atomic<uint64_t> steps;     // for the watchdog: changes whenever a lane stops
    uint64_t window_start, window_fresh, window_all_fresh;
    bool running;
};

extern thread_local Worker *worker;  // null on threads that run no kernel

void run_block(Worker &, uint64_t block);   // warp.cpp
void park(Worker &, State);                 // the current lane stops here, and goes on when the scheduler lets it
uint64_t all_fresh();                       // grid.cpp: over all workers
double patience();                          // seconds without any stop of a lane before the watchdog speaks

// ---- memory (memory.cpp) ----

bool in_heap(uintptr_t address);
void open_heap(bool open);                  // device memory can be touched only while kernels and copies run
// Checks an access of a kernel against the allocations: "" or what is wrong with it.
std::string check_global(uintptr_t address, size_t size, bool is_read);
void mark_written(uintptr_t address, size_t size);
enum class Image { none, device, constant, other };
Image in_image(uintptr_t address);          // the program's own variables

// ---- shared memory (shared.cpp) ----

void shared_begin_block(Worker &);
void shared_begin_interval(Worker &);
bool in_shared(const Worker &, uintptr_t address);
// Checks one request against bounds, writes and races, and remembers it. False: a diagnosis that ends the launch was made.
bool shared_request(Worker &, Warp &, unsigned group, emu_kind kind, uint16_t site);

// ---- diagnoses (diagnose.cpp) ----

struct Finding {
    std::string what;                // one sentence, without a place
    uintptr_t pc;
    std::string other_what;          // a second place that it concerns
    uintptr_t other_pc;
    std::string where;               // block, thread and kernel
};
std::string where(const Worker &, const Lane &);
std::string thread_name(const Worker &, unsigned id);
void report(const Finding &);                            // once for each pair of places and text
void report_and_stop(Worker &, const Finding &);         // and ends the launch
void note(uintptr_t pc, const std::string &what);        // legal, but worth a line; does not fail
void print_findings();                                   // and if there were any, ends the program with status 1

}

#endif
