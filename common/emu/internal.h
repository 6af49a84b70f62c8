// Types and functions that the parts of the CPU device share. A launch runs on worker threads; each
// worker runs one block at a time. A block consists of warps, a warp of lanes. A lane is a fiber
// that logs its memory accesses until it stops (log.h). Its warp serves what lanes did at one place
// as one request.
#ifndef EMU_INTERNAL_H
#define EMU_INTERNAL_H

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ahead.h"
#include "emu.h"
#include "include/cuda_runtime_api.h"
#include "merged.h"
#include "races.h"
#include "rules.h"
#include "shape.h"

namespace emu {

constexpr unsigned MAX_THREADS = 1024, MAX_WARPS = MAX_THREADS / WARP;
constexpr size_t STACK_BYTES = 64 << 10;     // local memory per thread
constexpr size_t STATIC_SHARED = 48 << 10;   // per block, without opt-in
// per block, with cudaFuncAttributeMaxDynamicSharedMemorySize (compute capability 9.0)
constexpr size_t OPTIN_SHARED = 227 << 10;
// per SM; of that, reserved per block
constexpr int SM_SHARED = 228 << 10, RESERVED_SHARED = 1 << 10;

// ---- lanes and warps (warp.cpp) ----

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

    uintptr_t block;            // return address of the call at its start; 0: no such calls
    void *frame;                // address of the frame of the current function call
    Rank callers;               // ranks of the callers, the upper words of the lane's rank
    uint32_t order, function;   // flow.h
    unsigned depth;             // number of callers
    uint8_t stack;              // number of callers and depth in the worker's table (log.h)
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
    bool is_volatile;
    bool is_ptx;     // of inline PTX, whose loads nvcc does not merge
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
struct Recent {
    Range range;
    uintptr_t pc;   // 0: only the range is known
    uint64_t key;
    uint32_t order, function;
    uint8_t stack;
};

constexpr unsigned RECENT = 64;   // call sites that a worker remembers

struct AccessLog;
struct Calls;

struct Warp {
    Lane *lane;   // the first of `lanes` lanes
    unsigned lanes;
    unsigned index;       // in the block
    uint64_t full_sync;   // time of the last __syncwarp of all lanes
    // [a][b]: time of the last partial __syncwarp that lanes a and b took part in; null until there
    // is one
    std::unique_ptr<uint64_t[][WARP]> pair_sync;
    uint32_t epoch[SPACES];   // 0: the next access starts a new one
    // After a __syncwarp or a fence, until the next barrier: the warp has epochs of its own.
    bool is_apart;
    std::unique_ptr<Merged> merged;   // null until the warp loads from shared memory
    std::unique_ptr<AccessLog> log;   // null while it is empty
    Ahead ahead;
    unsigned loads;   // requests of global loads and asynchronous copies
};

// ---- shared memory of the block that a worker runs (shared.cpp) ----

struct SharedVariable {
    const void *key;
    const char *name;
    size_t offset, bytes;   // in the arena
    size_t align;           // as declared
};

struct Shared {
    char *arena;            // static and dynamic variables, with gaps between them
    unsigned char *bytes;   // flags of each byte of the arena (shared.cpp)
    std::vector<Page> pages;
    std::vector<SharedVariable> variables;
    size_t used;   // bytes of the arena in use
    // of the variable that was accessed last
    size_t recent_start, recent_bytes;
    size_t static_bytes;
    size_t dynamic_bytes;
    uint64_t block;      // number of blocks that this worker has started
    uint32_t interval;   // number of the span between two barriers, unique per worker
};

// ---- asynchronous copies (pipeline.cpp) ----

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

// ---- counts (counts.cpp) ----

// What is not counted per call site; as in struct emu_counts.
struct Tally {
    uint64_t barriers, ld_ahead, exchanges, warp_ld_requests, copies, copies_in_flight;
};

struct Site {
    uintptr_t pc;
    emu_kind kind;
    uint64_t requests, units, ideal, bytes, lanes;
};

extern const Rules *rules;   // the rules by which requests are counted

// memory instructions per kernel; a power of two, assumed by the hash in Sites::find
constexpr size_t SITES = 4096;

struct Sites {
    std::vector<Site> table;   // hash table with open addressing by pc
    uint16_t find(uintptr_t pc, emu_kind kind);
    void clear();
};

// A source location.
struct Place {
    std::string file;
    int line;
};
// Call site `pc` stands for an instruction of inline PTX in the call that returns to `call`.
void note_site(uintptr_t pc, uintptr_t call);
// Resolves call sites with addr2line: to the innermost inlined frame in a .cu file, else to the
// innermost frame.
std::vector<Place> places(const std::vector<uintptr_t> &pcs);
// Are two call sites copies of one statement, in an unrolled loop or an inlined function?
bool is_one_statement(uintptr_t pc, uintptr_t other_pc);
void add_counts(const Sites &, const Tally &);
// streams.cpp: the counts of events, and sets them to 0.
void count_events(struct emu_counts *);
void forget_events();
int launches_so_far();      // grid.cpp: since emu_reset()
void add_merged_counts();   // adds those of the launch that has ended

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
    // Epochs of the kernel before, if this one may start before that has ended (dependent.cpp).
    uint32_t before_first = 0, before_end = 0;
};
inline unsigned cluster_blocks(const Launch &l) { return l.cluster.x * l.cluster.y * l.cluster.z; }

constexpr std::pair<uintptr_t, unsigned> NOWHERE{ UINTPTR_MAX, 0 };

namespace hopper {
struct Block;
}
struct Cluster;
constexpr unsigned MAX_CLUSTER = 16;   // blocks

// One of the 16 barriers that part of the block's warps pass (named.cpp).
struct NamedBarrier {
    uint32_t expected, arrived;   // threads; 0: none has arrived
};
constexpr unsigned NAMED_BARRIERS = 16;

struct Worker {
    pthread_t thread;
    unsigned index;
    void *scheduler;   // saved stack pointer of the worker's own code
    Lane *current;     // the running lane; null while the scheduler runs
    // Of the running lane: the start of its stack, and the bytes of it that the kernel may access.
    uintptr_t stack_low;
    size_t stack_open = STACK_BYTES;
    // The bytes that its last access stores are logged there at its next entry or stop (log.h).
    // Null: none.
    unsigned char *late_store;
    uintptr_t late_address;
    unsigned late_bytes;
    Launch *launch;
    uint3 block_index;
    uint64_t block_linear;   // linear block index, x fastest
    Order order;
    unsigned threads;   // threads per block
    std::vector<Lane> lanes;
    std::vector<Warp> warps;
    char *stacks;
    std::vector<uint16_t> free_stacks;
    std::vector<void *> sp;   // saved stack pointer of each lane; null before its start
    Shared shared;
    std::vector<Pipeline> pipelines;   // one per thread; empty until the first copy
    NamedBarrier named[NAMED_BARRIERS];
    bool has_named;   // the block has used one
    // Of the last __syncthreads: the lanes that passed it, and those of them with a predicate.
    unsigned passed, passed_true;
    bool named_released;   // since run_block() looked: lanes can continue
    Sites sites;
    MergedSites merged;
    Costs costs;
    AccessLog *log;             // of the warp that runs
    Recent recent[RECENT];      // variables and allocations accessed last, by call site
    std::vector<Calls> calls;   // log.h
    std::vector<std::unique_ptr<Merged>> idle;   // free, for reuse by the next warp
    std::vector<std::unique_ptr<AccessLog>> idle_logs;
    // Logical clock: grows with every request, exchange, barrier and fence; never reset.
    uint64_t time;
    Tally tally;                          // of the launch
    uintptr_t unknown_code;               // address of kernel code to analyze; 0: none
    Stored stored;                        // by the last request
    std::vector<LateValue> late_values;   // of these stores
    std::vector<Doubt> doubts;            // conflicts of these stores
    std::atomic<uint64_t> storing;        // index + 1 of the block that is storing; 0: none
    // races reported in this launch, by pair of call sites
    std::vector<std::pair<uintptr_t, uintptr_t>> reported;
    // By address, a thread that stored to the word in this interval before the one of the mark.
    std::unordered_map<uintptr_t, uint16_t> also_stored;
    // call sites of exchanges that were served together
    std::vector<std::pair<uintptr_t, uintptr_t>> paired;
    std::vector<uint32_t> seen;   // hash table of halves of request fingerprints
    size_t seen_count;
    std::atomic<uint64_t> fresh;   // requests not found in `seen`: these are progress
    std::atomic<uint64_t> steps;   // for the watchdog: grows whenever lanes stop
    uint64_t judged_time, judged_fresh, yielded_fresh;
    // Since judged_time: the lowest code address that was served, and the first thread there.
    std::pair<uintptr_t, unsigned> lowest;
    double moved;   // CPU seconds of the thread at the last progress
    bool running;
    bool recorded;   // the block is recorded (record.cpp)
    // Asynchronous operations of the block; null until its first such instruction. And the memory
    // for them, which is kept for later blocks.
    hopper::Block *asyncs, *spare_asyncs;
    bool has_products;   // products of warpgroups use registers of threads
    // The cluster of several blocks that this worker runs, or whose block it is; else null. The
    // rank of the block in it.
    Cluster *cluster;
    unsigned rank;
    std::unique_ptr<Cluster> own_cluster;   // of a worker that runs clusters
    // Times at which threads have waited for the kernel before, and the first one; empty unless the
    // launch depends on it (dependent.cpp).
    std::vector<uint64_t> grid_waits;
    uint64_t first_grid_wait;
};

// grid.cpp: the running lane ends the launch with this error; does not return
void refuse(Worker &, cudaError_t);

// Null on threads that are not workers. The runtime is part of the program, and no library.
extern __thread Worker *worker __attribute__((tls_model("local-exec")));

// ---- order of lanes (loops.cpp) ----

// Of the lane that runs, or ran last; null for host code.
extern __thread Position *position __attribute__((tls_model("local-exec")));
// The rank of a lane that stops in the call that returns to `pc`. Updates its position.
Rank rank_at(Position *, uintptr_t pc);

// Does the running lane have less than 4 KiB of stack left?
inline bool overflows(const Worker &w)
{
    return (uintptr_t)__builtin_frame_address(0) < w.stack_low + 4096;
}

void run_block(Worker &, uint64_t block);   // warp.cpp
// A block that runs in turn with others: its start, and its warps' turns. waits: no lane can
// continue before another block does something.
enum class Round { progress, busy, waits, over };
void begin_block(Worker &, uint64_t block);
Round run_round(Worker &);
// cluster.cpp
void run_cluster(Worker &, uint64_t cluster);
// Is the address in shared memory of another block of the cluster?
bool in_cluster(const Worker &, uintptr_t address);
// A request of such memory.
void serve_cluster(Worker &, Warp &, const Request &, const Stop &head);
// grid.cpp: a worker takes part in the launch, on this thread; and ends
void begin_launch(Worker &, Launch &, pthread_t);
void end_launch(Worker &);
std::unique_ptr<Worker> new_member();   // grid.cpp: a worker without a thread
// Has the launch been stopped?
inline bool stops(const Worker &w) { return w.launch->stop.load(std::memory_order_relaxed); }
extern const char stack_text[];   // the diagnosis of a thread that needs more than STACK_BYTES
// The cost of a load or store by the current rules.
Cost cost_of(Worker &, const Request &, const Shape &, bool is_shared, bool is_store);
void count(Worker &, uint16_t site, const Cost &, unsigned lanes);
void count_load(Worker &, Warp &);   // a request of a global load, or of an asynchronous copy
Merged &merged_of(Worker &, Warp &);
// Ends the merging of the warp's loads: at a store to shared memory, a barrier or a fence.
void close_merged(Worker &, Warp &);
// a request was served; a new one is progress
void note_progress(Worker &, uint64_t fingerprint);
// What distinguishes a request from others of the launch.
uint64_t fingerprint_of(Worker &, const Warp &, uintptr_t address, const Shape &, uintptr_t pc);
// exchange.cpp: this thread's worker; on the host, reports the call and ends the program
[[noreturn]] void refuse_host_call(void *call_site);
inline Worker &on_device(void *call_site)
{
    if (__builtin_expect(!worker, 0))
        refuse_host_call(call_site);
    return *worker;
}
uint64_t all_fresh();              // grid.cpp: sum of Worker::fresh
void let_others_run(Worker &);     // grid.cpp: yields the core while no block makes progress
bool is_storing(uint64_t block);   // grid.cpp: is the block storing?
// Prints a line if an access to this address was beyond the end of the main thread's stack.
void report_full_stack(uintptr_t address);

// CPU seconds without progress after which a launch is stopped (EMU_PATIENCE)
double patience();
double cpu_seconds(pthread_t thread);

// hooks.cpp: were the kernels compiled with its calls?
extern bool instrumented;
// hooks.cpp: an access of the current lane by inline PTX, of at most 16 bytes. The caller reads or
// writes the bytes after it.
void access_at(uintptr_t address, unsigned size, bool writes, bool is_volatile, uintptr_t pc);
// exchange.cpp: waits for the other lanes of the mask. Returns the lane's result.
uint64_t exchange(Exchange how, unsigned mask, uint64_t value, uintptr_t pc);
void barrier(int predicate, uintptr_t pc);   // exchange.cpp: of the block

// ---- named barriers (named.cpp) ----

void named_begin_block(Worker &);
// The current lane's warp arrives at barrier `id` of `threads` threads; and waits for the others.
void named_arrive(Worker &, unsigned id, unsigned threads, uintptr_t pc);
void named_sync(Worker &, unsigned id, unsigned threads, uintptr_t pc);
// Lets lanes continue whose barrier is complete.
void named_release(Worker &);

// hooks.cpp: stops the current lane at an atomic
void stop_at_atomic(Worker &w, uintptr_t address, unsigned size, uintptr_t pc, Atomic how);

// hooks.cpp: an access of kernel or host code to several elements
void count_range(void *pointer, unsigned long size, bool writes, void *call_site);

// ---- programs that are graded ----

// Code that others wrote, which could change what the runtime counts. A program that grades defines
// these functions (common/grade/guard.cpp); in all others they are null.

// An access of their host code, or of the runtime to an address that it gave: ends the program if
// the memory is not that code's own. On the stack, that begins at `stack`; 0: at this call. A
// kernel may not make the runtime access an address in this way.
__attribute__((weak)) void guard_access(uintptr_t address, size_t size, bool writes, uintptr_t pc,
                                        uintptr_t stack);
// A function that the runtime is to call for them: ends the program if it is not theirs.
__attribute__((weak)) void guard_target(uintptr_t function, uintptr_t pc);
// A lane starts, on an empty stack.
__attribute__((weak)) void guard_lane(const Worker &w);
// Bytes of the running lane's stack, from stack_low, that belong to the kernel; the rest is the
// runtime's.
__attribute__((weak)) size_t guard_stack(const Worker &w);

void lane_main();   // warp.cpp: calls the kernel, on the lane's stack
inline bool is_for_grading() { return guard_access; }
inline __attribute__((always_inline)) void guard_result(const void *pointer, size_t size,
                                                        bool writes, void *call_site)
{
    // the frame of the function that calls this is the runtime's
    if (guard_access)
        guard_access((uintptr_t)pointer, size, writes, (uintptr_t)call_site,
                     (uintptr_t)__builtin_dwarf_cfa());
}

// ---- memory (memory.cpp) ----

extern char *heap;   // start; null before the first allocation
extern size_t heap_bytes;
inline bool in_heap(uintptr_t address) { return address - (uintptr_t)heap < heap_bytes && heap; }
size_t heap_offset(uintptr_t address);
size_t heap_size();   // reserved; 0 before the first allocation
size_t heap_top();    // the part that was allocated
// Opens or closes device memory: it is accessible only while kernels and copies run.
void open_heap(bool open);
// The allocation that contains an address of the heap; without bytes if there is none.
Range allocation_of(uintptr_t address);
// Were all bytes of these aligned reads of arrays written?
bool all_written(const Request &);
// Checks a kernel's access against the allocations. Returns "" or what is wrong. `of` copies an
// object whose padding may be uninitialized; null: no object.
std::string check_global(uintptr_t address, size_t size, bool is_read, const Stop *of = nullptr);
std::string global_name(uintptr_t address);   // for messages
void mark_written(uintptr_t address, size_t size, bool yes = true);
void mark_written(const Request &);                // aligned stores to arrays
bool is_written(uintptr_t address, size_t size);   // all of it; true for variables
// Where an allocation lives. device: only kernels access it. managed: kernels and the host access
// it; in copies it is host or device memory. pinned: kernels and the host access it; in copies it
// is host memory.
enum class Home { device, managed, pinned };
cudaError_t allocate(void **pointer, size_t bytes, Home home = Home::device);
Home home_of(const void *pointer);   // pinned: also for all other host memory
cudaError_t release(void *pointer);
size_t allocated_bytes(void *pointer);   // 0 if no allocation starts there
// Does the range lie within one allocation? True for host memory.
bool fits(const void *pointer, size_t bytes);
size_t physical();   // physical memory of the machine, in bytes
constexpr size_t LARGE_PAGE = 2 << 20;
// Asks the system for large pages where they lie within this memory.
void use_large_pages(void *start, size_t bytes);
void populate(void *start, size_t bytes);   // by one call, if the system can do that
enum class Image { none, device, constant, read_only };
// The kind of device variable or read-only data at the address; `none` for anything else.
Image in_image(uintptr_t address);
size_t device_variables_bytes();   // of the sections of device and managed variables
size_t device_variable_offset(uintptr_t address);   // in these sections

// ---- variables of the program (symbols.cpp) ----

std::string variable_name(uintptr_t address);   // for messages
// Is there a __device__ or __constant__ variable of that name, in any namespace?
bool is_variable(const std::string &name);
// Returns "" or a message: the access goes past the end of the variable before it.
std::string check_variable(uintptr_t address, size_t size);

// ---- types of the program (types.cpp) ----

// Does the translation unit of the code at `pc` have a struct of `struct_bytes` bytes in which the
// `bytes` bytes from `offset` on are padding? The first call runs readelf and is slow.
bool is_padding(uintptr_t pc, size_t struct_bytes, size_t offset, size_t bytes);
// The same for another program, whose own code is at `self`.
bool padding_of(const std::string &program, uintptr_t pc, uintptr_t self, size_t struct_bytes,
                size_t offset, size_t bytes);

// ---- files and other programs (outside.cpp) ----

// Answers a question about this program; emu.h explains them.
std::string outside(const emu_question &question);
std::string outside(emu_asks what, const std::vector<uint64_t> &numbers, const std::string &file);
// Starts a program, without a shell, and reads what it prints. argv[] ends with null.
void read_output(const char *const argv[], const std::function<void(FILE *)> &read);

// runtime.cpp: if a library function that host code called is at `pc`, the place of the call
uintptr_t caller_in_program(uintptr_t pc);

// ---- cooperative launches (cooperative.cpp) ----

void cooperative_begin_launch();
void cooperative_end_block();

// ---- copies (copies.cpp) ----

// A call of the API that copies or sets memory.
struct Call {
    const char *name;
    uintptr_t pc;
    cudaStream_t stream;
    bool is_asynchronous;
    bool is_symbol = false;   // of a variable, whose bounds are checked
};
// The call of the API function in which this is used.
#define CALL(stream, is_asynchronous)                                             \
    {                                                                             \
        __func__, (uintptr_t)__builtin_return_address(0), stream, is_asynchronous \
    }
// Copies `height` rows of `width` bytes; pitches are in bytes. Errors are those of cudaMemcpy2D.
cudaError_t copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                      size_t height, cudaMemcpyKind kind, const Call &);

// ---- shared memory (shared.cpp) ----

void shared_begin_block(Worker &);
void shared_begin_interval(Worker &);
// Bytes between variables, so that an access just past the end of one belongs to no variable.
constexpr size_t GAP = 128;
// Static variables and dynamic memory have separate limits; the gaps need additional space.
constexpr size_t ARENA = STATIC_SHARED + OPTIN_SHARED + (64 << 10);

inline bool in_shared(const Worker &w, uintptr_t address)
{
    return address - (uintptr_t)w.shared.arena < ARENA;
}

// Makes the variable that contains the range the recent one. False: no variable contains it.
bool find_shared_variable(Worker &, size_t offset, size_t size);
// The variable that contains the range; without bytes if there is none.
Range shared_variable_of(Worker &, uintptr_t address, size_t size);

inline bool in_shared_variable(Worker &w, uintptr_t address, size_t size)
{
    const Shared &s = w.shared;
    size_t offset = address - (uintptr_t)s.arena;

    return offset - s.recent_start + size <= s.recent_bytes ||
           find_shared_variable(w, offset, size);
}
// The declared alignment of the variable at this address; 1 if there is no variable.
size_t shared_alignment(const Worker &, uintptr_t address);
// Checks a request for accesses out of bounds, uninitialized reads and races, and records it.
// False: it reported a fault that ends the launch. is_checked: each address is within a variable.
bool shared_request(Worker &, const Warp &, const Request &, const Stop &head, emu_kind kind,
                    bool is_checked = false);
// The address of the same variable, which may be new there, in the memory of another block.
uintptr_t shared_in(Worker &to, const Worker &from, uintptr_t address);
std::string shared_name(const Worker &, uintptr_t address);   // for messages
// The first byte of a range that no thread has written; ARENA: all were.
size_t shared_unwritten(const Worker &, size_t offset, size_t bytes);
void shared_mark_written(Worker &, size_t offset, size_t bytes, bool yes = true);
// "" or what is wrong with an access to this range.
std::string shared_out_of_bounds(const Worker &, size_t offset, size_t size);
// An asynchronous copy, which shared_request has checked as a store. Until it arrives, no thread
// may access its bytes.
void shared_copy_starts(Worker &, size_t offset, unsigned bytes);
void shared_copy_arrives(Worker &, const Lane &, size_t offset, unsigned bytes);

// ---- textures and arrays (texture.cpp, array.cpp) ----

// Limits of compute capability 9.0 (Guide 11.7, table "Technical Specifications";
// cudaDeviceGetAttribute).
constexpr size_t TEXTURE_ALIGNMENT = 512, TEXTURE_PITCH_ALIGNMENT = 32;   // bytes
constexpr size_t MAX_TEXTURE_WIDTH = 131072, MAX_TEXTURE_HEIGHT = 65536;
constexpr size_t MAX_PITCHED_TEXTURE_HEIGHT = 65000, MAX_PITCHED_TEXTURE_PITCH = 2097120;
constexpr size_t MAX_LINEAR_TEXTURE = 1 << 28;   // elements

struct Format {
    cudaChannelFormatKind kind;
    // bits per component, components per element, bytes per element
    unsigned bits, components, bytes;
};

bool is_array(const cudaArray *);                          // of cudaMallocArray
bool format_of(const cudaChannelFormatDesc &, Format *);   // false: not a texture format
void serve_texture(Worker &, Warp &, unsigned group);

// ---- asynchronous copies (pipeline.cpp) ----

void pipeline_begin_block(Worker &);
// By the current lane: copies `size` bytes, of which the last `zfill` become zeros; commits its
// copies as a group; waits until at most `prior` groups are pending.
void pipeline_copy(Worker &, uintptr_t to, uintptr_t from, size_t size, size_t zfill, uintptr_t pc);
void pipeline_commit(Worker &, uintptr_t pc);
void pipeline_wait(Worker &, uint64_t prior, uintptr_t pc);
// The number of copies that a thread of the block has started; and the first `end` of them arrive.
uint64_t pipeline_started(const Worker &, unsigned thread);
void pipeline_land(Worker &, unsigned thread, uint64_t end);
void serve_copy(Worker &, Warp &, unsigned group);

// ---- asynchronous operations of Hopper (hopper.cpp) ----

// What the execution of a block calls. All but the first are called only if Worker::asyncs is set,
// and local_access() only if has_products is.
namespace hopper {

void begin_block(Worker &);
void end_block(Worker &);
void forget_use();   // emu_is_asynchronous() is 0 again
// No lane of the block can continue, and some are in State::waiting: lets operations land. Ends the
// launch with a report if that does not help. is_last: false if other lanes can continue.
void advance(Worker &, bool is_last);
bool has_waiting(const Worker &);
void after_barrier(Worker &);   // __syncthreads
void after_syncwarp(Worker &, const Warp &, unsigned mask);
// A named barrier: the current lane arrives; all have arrived; the current lane passes.
void named_arrives(Worker &, unsigned id);
void named_completes(Worker &, unsigned id);
void named_passes(Worker &, unsigned id);
// Do mbarriers order an access of `thread` in an epoch created at `time` before what `lane` does?
bool is_ordered(const Worker &, const Lane &, unsigned thread, uint64_t time);
// The same of a block of the grid that may be another one of the cluster.
bool is_ordered_in_cluster(const Worker &, const Lane &, uint64_t block, unsigned thread,
                           uint64_t time);
void begin_cluster_block(Worker &);
// Checks a request of shared memory against asynchronous operations.
void shared_access(Worker &, const Warp &, const Request &, const Stop &head, bool writes);
// Checks an access of the running lane to its own variables.
void local_access(Worker &, uintptr_t address, unsigned size, bool writes, uintptr_t pc);

}   // namespace hopper

// ---- programmatic dependent launches (dependent.cpp) ----

void dependent_launch_wanted(bool);   // by the attributes of the next launch
// Something else happens in a stream, or the host waits.
void dependent_forget();
void dependent_begin_launch(Launch &, cudaStream_t);
void dependent_end_launch(cudaStream_t);
void dependent_begin_block(Worker &);
// A request of global memory that must come after the kernel before.
void check_dependence(Worker &, const Warp &, const Request &, const Stop &head, bool writes);

// ---- recordings (record.cpp) ----

// All but the first are called only for the block that is recorded.
bool is_recorded(const Launch &, uint64_t block);
void record_request(const Worker &, const Warp &, const Request &, emu_kind, uintptr_t pc,
                    const Cost &);
// Copies cost `cost`, or `of_zeros` for those that only fill with zeros.
void record_copies(const Worker &, const Warp &, const CopyRequest &, uintptr_t pc,
                   const CopyCost &, const Cost &of_zeros);
// A step that the warps of a barrier take at once: `first` is false for all but the first of them.
void record_step(const Worker &, const Warp &, emu_step, uint32_t lanes, uintptr_t pc,
                 bool first = true);
// A commit or a wait of the current lane. Lanes of its warp that do the same before they stop are
// one event.
void record_group(const Worker &, emu_step, uint64_t group, uintptr_t pc);

// A step of an asynchronous operation of Hopper, by the lane `by` of the block, or by none.
struct AsyncStep {
    emu_step step;
    const Lane *by;
    uintptr_t pc;
    std::string object;
    uint64_t group;
};
// Lanes of a warp that do the same one after another are one event.
void record_async(const AsyncStep &, const Worker &);
// The current lane waits for a phase of an object, or has waited (`is_over`).
void record_wait(const AsyncStep &, const Worker &, bool is_over);
// A side of a bulk copy, or an operand of a product: all its bytes, and some of its pieces.
bool records_pieces();
constexpr unsigned PIECE_ROWS = 16, MOST_PIECES = 1024;
void record_next();   // what follows comes after what was recorded
void record_box(const AsyncStep &, const Worker &, emu_kind, bool is_shared, unsigned bytes,
                const Cost &, std::vector<emu_piece> &&);

// ---- diagnoses (diagnose.cpp) ----

struct Finding {
    std::string what;   // one sentence, without a source location
    uintptr_t pc;
    std::string other_what;   // about a second source location; "" if there is none
    uintptr_t other_pc;
    std::string where;   // block, thread and kernel
};
std::string where(const Worker &, const Lane &);
std::string thread_name(const Worker &, unsigned id);
void report(const Finding &);   // records it, once per pair of call sites and kind
void report_again();            // counts a repetition of a recorded one
void report_and_stop(Worker &, const Finding &);   // records it and ends the launch
// warp.cpp: a fault of the running lane ends the launch. Does not return.
void fail(Worker &, const std::string &what, uintptr_t pc);

// legal but noteworthy; no effect on the exit status
void note(uintptr_t pc, const std::string &what);
// Prints a limit of the CPU device that was reached, once.
void note_limit(const char *what);
// A launch at `pc` was refused. Unless the program asks for the error, this is noted when it ends.
void note_refused(uintptr_t pc, const char *kernel, const std::string &why);
void forget_refused();   // the program has asked
// Prints notes and findings. If there are findings, ends the program with status 1.
void print_findings();
std::string source_line(const Place &, bool trimmed);   // "" if there is no such file or line

}   // namespace emu

struct cudaArray {
    void *data;
    emu::Format format;
    size_t width, height, pitch;   // elements, rows, bytes
};

// runtime.cpp: records an error for cudaGetLastError and returns it
extern "C" cudaError_t emu_failed(cudaError_t);

#endif
