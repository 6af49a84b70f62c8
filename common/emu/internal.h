// What the parts of the CPU device share. A launch runs on worker threads, one block at a time
// each; a block is warps, a warp is lanes, a lane is a fiber that stops at every memory access,
// barrier and exchange, so that its warp can serve those that stopped at one place as one request.
#ifndef EMU_INTERNAL_H
#define EMU_INTERNAL_H

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "emu.h"
#include "include/cuda_runtime_api.h"
#include "merged.h"
#include "races.h"
#include "rules.h"

namespace emu {

constexpr unsigned MAX_THREADS = 1024, MAX_WARPS = MAX_THREADS / WARP;
constexpr size_t STACK_BYTES = 64 << 10;     // a thread's local memory
constexpr size_t STATIC_SHARED = 48 << 10;   // of a block, without asking
// with cudaFuncAttributeMaxDynamicSharedMemorySize (compute capability 9.0)
constexpr size_t OPTIN_SHARED = 227 << 10;
constexpr int SM_SHARED = 228 << 10, RESERVED_SHARED = 1 << 10;   // of an SM; of that, a block's

// ---- lanes and warps (warp.cpp) ----

enum class State : uint8_t { ready, memory, copy, texture, branch, exchange, barrier, exited };
enum class Exchange : uint8_t { sync, shuffle, ballot, active, reduce };

// Of two lanes, the one with the lower number goes on first (loops.cpp): the order of a place in
// the kernel (flow.h), then that of the place in the function that it has called there, and so on.
typedef unsigned __int128 Rank;

// Where a lane was last in its code.
struct Position {
    static constexpr unsigned FRAMES = sizeof(Rank) / sizeof(uint32_t);
    struct Caller {
        void *frame;
        uint32_t order, function;
        Rank callers;
    };

    uintptr_t block;            // behind the call at its start; 0 where there are no such calls
    void *frame;                // of the function's call
    uint32_t order, function;   // flow.h
    Rank callers;               // the upper words of a lane's rank here
    unsigned depth;             // number of callers
    Caller caller[FRAMES - 1];

    Rank rank() const { return callers | (Rank)order << 32 * (FRAMES - 1 - depth); }
};

struct Lane {
    void *sp;   // where to go on
    uintptr_t stack_low;
    State state;
    uint16_t id;   // in the block, x fastest
    uint3 thread;
    uintptr_t pc;   // the call site at which it stopped
    Rank rank;
    Position position;
    // stopped at memory; at a texture, address 0 is its border
    uintptr_t address;
    emu_kind kind;
    uint16_t size;
    bool is_volatile, is_cas;
    uintptr_t object;   // what is copied, whole or in several accesses
    size_t object_bytes;
    // stopped at an asynchronous copy of `size` bytes from `address`, of which it reads `read` and
    // the rest become 0
    uintptr_t target;
    uint16_t read;
    // stopped at an exchange with other lanes of the warp
    Exchange exchange;
    unsigned mask;
    uint64_t value;       // what it brings, and when it goes on, what it got
    unsigned source;      // the lane whose value it takes
    bool has_source;      // false where a shuffle keeps the lane's own value
    unsigned operation;   // of a reduction, one of enum emu_reduction
    // stopped at a barrier
    int predicate;
};

struct Warp {
    Lane *lane;   // lanes of this warp, `lanes` of them
    unsigned lanes;
    unsigned index;       // in the block
    uint64_t full_sync;   // time of the last __syncwarp of all lanes
    // [a][b]: time of the last partial one that both took part in; null until there is one
    std::unique_ptr<uint64_t[][WARP]> pair_sync;
    uint32_t epoch[SPACES];           // 0: a new one is due
    bool is_apart;                    // has epochs of its own since its last __syncwarp or fence
    std::unique_ptr<Merged> merged;   // null until it loads from shared memory
};

// ---- shared memory of the block that a worker runs (shared.cpp) ----

struct SharedVariable {
    const void *key;
    const char *name;
    size_t offset, bytes;   // in the arena
    size_t align;           // as declared
};

struct Shared {
    char *arena;            // OPTIN_SHARED and some room for the gaps between variables
    unsigned char *bytes;   // of the arena: what is known of each
    std::vector<Page> pages;
    std::vector<SharedVariable> variables;
    size_t used;   // of the arena
    size_t static_bytes;
    size_t dynamic_bytes;
    uint64_t block;      // of all that this worker ran
    uint32_t interval;   // the time between two barriers of a block; all are different
};

// ---- asynchronous copies (pipeline.cpp) ----

// One that its thread has not waited for: its bytes are not in shared memory yet.
struct Copy {
    size_t offset;   // in the arena
    unsigned size;
    uint64_t group;   // of its thread, counted from 0
    unsigned char bytes[16];
};

struct Pipeline {
    std::vector<Copy> copies;
    uint64_t committed;   // groups
};

// ---- counts (counts.cpp) ----

struct Site {
    uintptr_t pc;
    emu_kind kind;
    uint64_t requests, units, ideal, bytes, lanes;
};

extern const Rules *rules;   // that requests are counted by

struct Sites {
    std::vector<Site> table;   // open addressing by pc
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
void add_merged_counts();   // of the launch that is over

// ---- workers (grid.cpp) ----

struct Launch {
    uint32_t id;   // counts launches from 1
    const char *kernel;
    dim3 grid, block;
    size_t dynamic_shared;
    void (*thread)(const void *);
    const char *args;
    size_t arg_bytes;
    uint64_t blocks;
    std::atomic<uint64_t> next_block;
    std::atomic<bool> stop;             // a diagnosis that nothing can go on after
    size_t static_shared;               // of the block that had the most; under grid.cpp's lock
    bool cooperative;                   // all blocks run at once
    size_t shared_limit;                // of a block, static and dynamic memory together
    std::atomic<cudaError_t> refused;   // the launch does not fit the device
};

constexpr std::pair<uintptr_t, unsigned> NOWHERE{ UINTPTR_MAX, 0 };

struct Worker {
    pthread_t thread;
    unsigned index;
    void *scheduler;   // where the worker's own code goes on when a lane stops
    Lane *current;     // the lane that runs; null while host or scheduler code does
    Launch *launch;
    uint3 block_index;
    uint64_t block_linear;   // x fastest
    Order order;
    unsigned threads;   // in a block
    std::vector<Lane> lanes;
    std::vector<Warp> warps;
    char *stacks;
    Shared shared;
    std::vector<Pipeline> pipelines;   // one a thread of the block, empty until there is a copy
    Sites sites;
    MergedSites merged;
    std::vector<std::unique_ptr<Merged>> idle;   // that no warp uses
    uint64_t time;                               // requests and exchanges served, ever
    uint64_t barriers;
    uintptr_t unknown_code;          // a block of the kernel that is to be analyzed
    std::vector<Doubt> doubts;       // stores of the last request
    OneAddress one_address;          // of the last request
    std::atomic<uint64_t> storing;   // the block + 1 that is just storing; 0: none
    // races, by places
    std::vector<std::pair<uintptr_t, uintptr_t>> reported;
    std::vector<uint64_t> seen;   // fingerprints of requests, a hash table
    size_t seen_count;
    std::atomic<uint64_t> fresh;   // requests that were not in it: something moves
    std::atomic<uint64_t> steps;   // for the watchdog: changes whenever a lane stops
    uint64_t judged_time, judged_fresh, yielded_fresh;
    // since judged_time: the lowest place in the code that was served, and the first thread there
    std::pair<uintptr_t, unsigned> lowest;
    double moved;   // the thread's CPU time when something had moved
    bool running;
};

// grid.cpp: ends the launch with this error; the current lane stops for good
void refuse(Worker &, cudaError_t);

extern __thread Worker *worker;   // null on threads that run no kernel

// ---- order of lanes (loops.cpp) ----

extern __thread Position *position;   // of the lane that runs, or ran last; null for host code
// Of a lane that stops behind the call at `pc`, where it then is.
Rank rank_at(Position *, uintptr_t pc);

// The lane that runs needs more local memory than it has.
inline bool overflows(const Lane &lane)
{
    return (uintptr_t)__builtin_frame_address(0) < lane.stack_low + 4096;
}

void run_block(Worker &, uint64_t block);   // warp.cpp
// the current lane stops here, and goes on when the scheduler lets it
void park(Worker &, State);
void count(Worker &, uint16_t site, const Cost &, unsigned lanes);
Merged &merged_of(Worker &, Warp &);
// The warp stores to shared memory, or orders its accesses.
void close_merged(Worker &, Warp &);
// a request was served: the launch goes on if it is a new one
void note_progress(Worker &, const Warp &, const Request &, uintptr_t pc);
// exchange.cpp: this thread's worker; on the host, a diagnosis that ends the program
Worker &on_device(void *call_site);
uint64_t all_fresh();              // grid.cpp: over all workers
void let_others_run(Worker &);     // grid.cpp: if nothing moves, blocks wait for each other
bool is_storing(uint64_t block);   // grid.cpp: is a store of that block under way?
// seconds of computing without any progress that are too many
double patience();
double cpu_seconds(pthread_t thread);

// hooks.cpp: do the kernels have its calls?
extern bool instrumented;
// hooks.cpp: the current lane stops at an atomic
void stop_at_atomic(Worker &w, uintptr_t address, unsigned size, uintptr_t pc, bool is_cas = false);

// ---- memory (memory.cpp) ----

bool in_heap(uintptr_t address);
size_t heap_offset(uintptr_t address);
size_t heap_size();   // reserved; 0 before the first allocation
// device memory can be touched only while kernels and copies run
void open_heap(bool open);
// Checks an access of a kernel against the allocations: "" or what is wrong with it. `lane` copies
// an object whose padding may be unwritten; null: no object.
std::string check_global(uintptr_t address, size_t size, bool is_read, const Lane *lane = nullptr);
std::string global_name(uintptr_t address);   // for messages
void mark_written(uintptr_t address, size_t size, bool yes = true);
// Who accesses an allocation: kernels; kernels and the host, either on either side of copies
// (managed); the same, but on the host's side of copies (pinned).
enum class Home { device, managed, pinned };
cudaError_t allocate(void **pointer, size_t bytes, Home home = Home::device);
Home home_of(const void *pointer);   // pinned also for other memory of the host
cudaError_t release(void *pointer);
// inside one allocation, if it is device memory at all?
bool fits(const void *pointer, size_t bytes);
size_t physical();   // bytes of the machine
enum class Image { none, device, constant, read_only };
// the program's variables; `none` also for those of the host
Image in_image(uintptr_t address);
size_t device_variables_bytes();                    // of their sections
size_t device_variable_offset(uintptr_t address);   // in them

// ---- variables of the program (symbols.cpp) ----

std::string variable_name(uintptr_t address);   // for messages
// Is there a __device__ or __constant__ variable of that name, in any namespace?
bool is_variable(const std::string &name);
// "", or how far the access goes past the end of the variable that lies before it.
std::string check_variable(uintptr_t address, size_t size);

// ---- types of the program (types.cpp) ----

// Is there, in the translation unit of that code, a struct of `struct_bytes` of which those `bytes`
// from `offset` on are padding? Slow at the first call.
bool is_padding(uintptr_t pc, size_t struct_bytes, size_t offset, size_t bytes);

// ---- cooperative launches (cooperative.cpp) ----

void cooperative_begin_launch();
void cooperative_end_block();

// ---- copies (copies.cpp) ----

// `height` rows of `width` bytes.
cudaError_t copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                      size_t height, cudaMemcpyKind kind);

// ---- shared memory (shared.cpp) ----

void shared_begin_block(Worker &);
void shared_begin_interval(Worker &);
bool in_shared(const Worker &, uintptr_t address);
// The alignment that the variable at this address is declared with; 1 if there is none.
size_t shared_alignment(const Worker &, uintptr_t address);
// Checks one request against bounds, writes and races, and remembers it. False: a diagnosis that
// ends the launch was made.
bool shared_request(Worker &, const Warp &, const Request &, emu_kind kind);
std::string shared_name(const Worker &, uintptr_t address);   // for messages
// An asynchronous copy, which shared_request has checked as a store. Until it arrives, no thread
// may access its words.
void shared_copy_starts(Worker &, size_t offset, unsigned bytes);
void shared_copy_arrives(Worker &, const Lane &, size_t offset, unsigned bytes);

// ---- textures and arrays (texture.cpp, array.cpp) ----

// Of GPUs of compute capability 9.0 (Guide 11.7, table "Technical Specifications";
// cudaDeviceGetAttribute).
constexpr size_t TEXTURE_ALIGNMENT = 512, TEXTURE_PITCH_ALIGNMENT = 32;   // bytes
constexpr size_t MAX_TEXTURE_WIDTH = 131072, MAX_TEXTURE_HEIGHT = 65536;
constexpr size_t MAX_PITCHED_TEXTURE_HEIGHT = 65000, MAX_PITCHED_TEXTURE_PITCH = 2097120;
constexpr size_t MAX_LINEAR_TEXTURE = 1 << 28;   // elements

struct Format {
    cudaChannelFormatKind kind;
    unsigned bits, components, bytes;   // of a component; number; of an element
};

bool format_of(const cudaChannelFormatDesc &, Format *);   // false: no format of a texture
void serve_texture(Worker &, Warp &, unsigned group);

// ---- asynchronous copies (pipeline.cpp) ----

void pipeline_begin_block(Worker &);
void serve_copy(Worker &, Warp &, unsigned group);

// ---- diagnoses (diagnose.cpp) ----

struct Finding {
    std::string what;   // one sentence, without a place
    uintptr_t pc;
    std::string other_what;   // a second place that it concerns
    uintptr_t other_pc;
    std::string where;   // block, thread and kernel
};
std::string where(const Worker &, const Lane &);
std::string thread_name(const Worker &, unsigned id);
void report(const Finding &);                       // once for each pair of places and text
void report_again();                                // counts one that was reported
void report_and_stop(Worker &, const Finding &);    // and ends the launch
void note(uintptr_t pc, const std::string &what);   // legal, but worth a line; does not fail
// and if there were any, ends the program with status 1
void print_findings();
std::string source_line(const Place &, bool trimmed);   // "" if there is no such file or line

}   // namespace emu

struct cudaArray {
    void *data;
    emu::Format format;
    size_t width, height, pitch;   // elements, rows, bytes
};

// runtime.cpp: notes an error for cudaGetLastError and passes it on
extern "C" cudaError_t emu_failed(cudaError_t);

#endif
