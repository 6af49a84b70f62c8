// A launch: distributes its blocks, in order, to as many worker threads as the process may use
// cores.
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>

#include "count/counting.h"
#include "count/record.h"
#include "emu.h"
#include "exec.h"
#include "host/graphs.h"
#include "host/host.h"
#include "host/launches.h"
#include "host/streams.h"
#include "lanes/asyncs.h"
#include "lanes/cluster.h"
#include "lanes/guard.h"
#include "lanes/log.h"
#include "order/memory.h"
#include "order/shared.h"
#include "order/snapshot.h"
#include "report/report.h"

extern "C" size_t emu_dynamic_limit(const void *kernel);     // runtime.cpp
extern "C" size_t emu_shared_limit(const void *kernel);      // runtime.cpp
extern "C" unsigned emu_cluster_limit(const void *kernel);   // runtime.cpp
extern "C" uint3 *emu_cluster_size(const void *kernel);      // runtime.cpp

namespace emu {

constexpr unsigned MOST_WORKERS = 1 << 14, MOST_USUAL_WORKERS = 256;
// Stacks below those of a worker's lanes: of its signal handler, an inaccessible one, and space.
constexpr size_t SPARE_STACKS = 18;

// Running workers read the table while others are added: a worker is there before it is counted.
static Worker *workers[MOST_WORKERS];
static std::atomic<unsigned> worker_count;
// The blocks of clusters that another worker runs; as above.
static Worker *members[MOST_WORKERS * 2];
static std::atomic<unsigned> member_count;
// Workers may wait on these until the process ends, so they are never destroyed.
static std::mutex &lock = *new std::mutex;
static std::condition_variable &wake = *new std::condition_variable,
                               &done = *new std::condition_variable;
static std::mutex &one_launch = *new std::mutex;
static Launch *current;       // the launch to run
static uint64_t generation;   // number of the current launch
static unsigned busy;
static unsigned usual;    // workers per launch of many blocks that do not wait for each other
static unsigned active;   // workers of the current launch
// Where the watchdog's signal interrupted a worker; if that is a small function of the runtime,
// where it was called; and the last block that its lane has traced.
static std::atomic<uintptr_t> caught_pc, caught_caller, caught_block;

uint64_t all_fresh()
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < worker_count; i++)
        sum += workers[i]->progress.fresh.load(std::memory_order_relaxed);
    for (unsigned i = 0; i < member_count; i++)
        sum += members[i]->progress.fresh.load(std::memory_order_relaxed);
    return sum;
}

bool is_storing(uint64_t block)
{
    for (unsigned i = 0; i < worker_count; i++)
        if (workers[i]->order.storing.load(std::memory_order_acquire) == block + 1)
            return true;
    for (unsigned i = 0; i < member_count; i++)
        if (members[i]->order.storing.load(std::memory_order_acquire) == block + 1)
            return true;
    return false;
}

// A setting of the environment; `usual` without it. Ends the program if it is not a number from
// `least` to `most`.
static double setting(const char *name, double least, double most, double usual)
{
    const char *text = getenv(name);
    char *end;

    if (!text || !text[0])
        return usual;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= least && value <= most)) {
        fprintf(stderr, "CPU device: %s='%.40s': expected a number from %g to %g\n", name, text,
                least, most);
        exit(2);
    }
    return value;
}

double patience()
{
    static const double seconds = setting("EMU_PATIENCE", 0.001, 1e6, 5);
    return seconds;
}

std::string no_progress()
{
    char text[64];

    snprintf(text, sizeof text, "no progress for %g s of CPU time", patience());
    return text;
}

static double cpu_seconds(pthread_t thread)
{
    clockid_t clock;
    struct timespec t;

    if (pthread_getcpuclockid(thread, &clock) || clock_gettime(clock, &t))
        return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double process_seconds()
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

namespace {

// The last progress of the launch.
struct Moved {
    std::mutex lock;
    uint64_t fresh;   // all_fresh()
    double seconds;   // process_seconds()
    struct Then {
        uint64_t steps;
        double seconds;
    };
    std::vector<Then> then;   // by worker
};

}   // namespace

static Moved &moved = *new Moved();

// Has the worker computed since the last progress, without a step?
static bool computes(unsigned worker)
{
    const Worker &w = *workers[worker];

    return w.running && worker < moved.then.size() &&
           moved.then[worker].steps == w.progress.steps.load(std::memory_order_relaxed) &&
           cpu_seconds(w.thread) > moved.then[worker].seconds + 0.01;
}

bool is_without_progress()
{
    std::lock_guard<std::mutex> hold(moved.lock);
    unsigned count = worker_count;

    if (uint64_t fresh = all_fresh(); fresh != moved.fresh) {
        moved.fresh = fresh;
        moved.seconds = process_seconds();
        moved.then.resize(count);
        for (unsigned i = 0; i < count; i++)
            moved.then[i] = { workers[i]->progress.steps, cpu_seconds(workers[i]->thread) };
        return false;
    }
    if (process_seconds() - moved.seconds <= patience())
        return false;
    for (unsigned i = 0; i < count; i++)
        if (computes(i))
            return false;   // it may make a new request yet, or is stopped for itself
    return true;
}

void begin_launch(Worker &w, Launch &launch, pthread_t thread)
{
    w.thread = thread;
    w.launch = &launch;
    w.threads = launch.block.x * launch.block.y * launch.block.z;
    count_begin_launch(w);
    w.progress.judged_time = w.time;
    w.progress.lowest = NOWHERE;
    w.order.reported.clear();
    w.calls.resize(1);   // lanes of this launch are in other calls
    races_begin_worker(w);
    std::fill(std::begin(w.recent), std::end(w.recent), Recent{});
    w.cluster = nullptr;
    w.rank = 0;
    w.running = true;
}

void end_launch(Worker &w)
{
    w.running = false;
    w.current = nullptr;
    count_end_launch(w);
}

// Runs blocks or clusters until there are no more. Returns the largest static shared memory.
static size_t run_blocks(Worker &w, Launch &launch)
{
    size_t static_shared = 0, in_clusters = cluster_blocks(launch);

    turns_wait(launch, w.index);
    for (uint64_t n, units = launch.blocks / in_clusters;
         !launch.stop && (n = launch.next_block++) < units;) {
        uint64_t unit = launch.is_reversed ? units - 1 - n : n;

        if (in_clusters > 1)
            run_cluster(w, unit);
        else
            run_block(w, unit);
        turns_after_block(launch);
        if (launch.cooperative)
            cooperative_end_block();
        static_shared = std::max(static_shared, w.shared.static_bytes);
    }
    worker = &w;
    turns_end_worker(w);
    return static_shared;
}

static void *work(void *argument)
{
    Worker *w = (Worker *)argument;
    uint64_t last = 0;
    stack_t own = {};

    // for SIGSEGV by a lane whose stack overflows
    own.ss_sp = w->stacks - SPARE_STACKS * STACK_BYTES;
    own.ss_size = STACK_BYTES;
    sigaltstack(&own, nullptr);
    worker = w;
    for (;;) {
        std::unique_lock<std::mutex> hold(lock);

        wake.wait(hold, [&] { return generation != last && w->index < active; });
        last = generation;
        Launch &launch = *current;
        hold.unlock();

        begin_launch(*w, launch, pthread_self());
        size_t static_shared = run_blocks(*w, launch);

        hold.lock();
        launch.static_shared = std::max(launch.static_shared, static_shared);
        end_launch(*w);
        for (size_t i = 0; w->own_cluster && i < w->own_cluster->members.size(); i++)
            if (w->own_cluster->members[i]->running)
                end_launch(*w->own_cluster->members[i]);
        if (--busy == 0)
            done.notify_one();
    }
}

static void on_watchdog(int, siginfo_t *, void *context)
{
    const ucontext_t *c = (const ucontext_t *)context;
#if defined(__x86_64__)
    uintptr_t pc = (uintptr_t)c->uc_mcontext.gregs[REG_RIP] + 1;
    caught_caller = *(const uintptr_t *)c->uc_mcontext.gregs[REG_RSP];
#else
    uintptr_t pc = (uintptr_t)c->uc_mcontext.pc + 1;
    caught_caller = (uintptr_t)c->uc_mcontext.regs[30];
#endif
    caught_block = position ? position->block : 0;
    caught_pc = pc;
    for (;;)
        pause();   // the program ends; meanwhile this thread must not continue
}

// What a worker needs to run a block.
static void equip(Worker &w)
{
    w.lanes.resize(MAX_THREADS);
    w.sp.resize(MAX_THREADS);
    w.time = 1;
    w.calls.push_back({ 0, 0 });
    // With space below the first stack, for a thread that overflows it: this is detected when the
    // thread enters a function, or at its next stop.
    size_t bytes = (MAX_THREADS + SPARE_STACKS) * STACK_BYTES;
    void *stacks = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED) {
        fprintf(stderr, "CPU device: not enough memory for the stacks of %u threads\n",
                MAX_THREADS);
        exit(3);
    }
    // Memory without access is between the signal handler's stack and the others.
    mprotect((char *)stacks + STACK_BYTES, STACK_BYTES, PROT_NONE);
    w.stacks = (char *)stacks + SPARE_STACKS * STACK_BYTES;
}

std::unique_ptr<Worker> new_member()
{
    static std::mutex &adding = *new std::mutex;
    std::unique_ptr<Worker> w(new Worker());

    equip(*w);
    std::lock_guard<std::mutex> hold(adding);
    if (member_count == sizeof members / sizeof *members) {
        fprintf(stderr, "CPU device: too many clusters at once\n");
        exit(3);
    }
    members[member_count] = w.get();
    member_count++;
    return w;
}

Worker::Worker() : shared(*new Shared()), order(*new Order()), counts(*new Counting()) {}

Worker::~Worker() = default;

static void add_worker()
{
    Worker &w = *new Worker();

    w.index = worker_count;
    equip(w);
    workers[worker_count] = &w;
    worker_count++;
    if (pthread_create(&w.thread, nullptr, work, &w)) {
        fprintf(stderr, "CPU device: cannot start a worker thread\n");
        exit(3);
    }
}

static void prepare_workers()
{
    if (!instrumented) {   // nothing would be counted, and claims would hold as 0 == 0
        fprintf(stderr, "CPU device: the kernels were compiled without -fsanitize=thread, so their "
                        "memory requests cannot be counted; check CXXFLAGS\n");
        exit(3);
    }
    cpu_set_t cores;
    struct sigaction action = {};

    usual = sched_getaffinity(0, sizeof cores, &cores) == 0 ? (unsigned)CPU_COUNT(&cores) : 1;
    usual = (unsigned)setting("EMU_THREADS", 1, MOST_USUAL_WORKERS, usual);
    patience();   // a bad value is refused before a kernel runs
    action.sa_sigaction = on_watchdog;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR2, &action, nullptr);
}

// Resident blocks: how many the device runs at once (compute capability 9.0, without a limit by
// registers).
static uint64_t resident_blocks(const Launch &l)
{
    int sms = 1, blocks = 1;

    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, nullptr, (int)(l.block.x * l.block.y * l.block.z), l.dynamic_shared);
    return std::min<uint64_t>((uint64_t)sms * blocks, MOST_WORKERS);
}

// Sets the number of workers of the current launch.
static void activate_workers(unsigned number)
{
    while (worker_count < number)
        add_worker();
    busy += number - active;
    active = number;
    wake.notify_all();
}

// Blocks that wait for other blocks, as at a barrier of the grid, continue only when those run. So
// each of them needs a worker.
static bool double_workers(const Launch &l)
{
    uint64_t units = l.blocks / cluster_blocks(l),
             waiting = units - std::min<uint64_t>(l.next_block, units),
             room = resident_blocks(l) / cluster_blocks(l),
             more =
                 std::min<uint64_t>({ active, waiting, room - std::min<uint64_t>(room, active) });

    activate_workers(active + (unsigned)more);
    return more;
}

bool add_workers(Launch &l)
{
    std::lock_guard<std::mutex> hold(lock);
    return double_workers(l);
}

unsigned started_workers() { return active; }

static unsigned usual_workers(const Launch &l)
{
    if (records_every_block())
        return 1;
    return (unsigned)std::min<uint64_t>(l.blocks / cluster_blocks(l), usual);
}

void use_all_workers(Launch &l)
{
    std::lock_guard<std::mutex> hold(lock);
    activate_workers(std::max(active, usual_workers(l)));
}

void let_others_run(Worker &w)
{
    if (w.launch->takes_turns)
        return turns_pass(w);
    uint64_t fresh = all_fresh();

    if (std::exchange(w.progress.yielded_fresh, fresh) == fresh)
        sched_yield();
}

// Of a worker that runs a cluster, the block whose lane runs.
static const Worker &running_block(const Worker &w)
{
    for (unsigned i = 0; w.cluster && i < w.cluster->count; i++)
        if (w.cluster->block[i]->current)
            return *w.cluster->block[i];
    return w;
}

// Of a lane: its last access or stop.
static uintptr_t last_access(const Worker &w, const Lane &lane)
{
    unsigned i = lane.id % WARP;

    return w.log && w.log->end[i] > w.log->first[i]
             ? (uintptr_t)&__executable_start + key_of(w.log->row[w.log->end[i] - 1].key[i]).pc
             : lane.pc;
}

// A thread has looped without an access until it was caught.
static void report_idle_loop(const Worker &w)
{
    const Lane &lane = w.current ? *w.current : w.lanes[0];
    uintptr_t loop = 0;

    for (uintptr_t pc : { caught_pc.load(), caught_caller.load() })
        if (!loop)
            loop = loop_around(pc, caught_block);
    uintptr_t last = last_access(w, lane), start = loop ? loop : last ? last : caught_block.load();
    report({ no_progress() + (loop || !last ? ": a thread loops without accessing memory"
                                            : ": the last access of this thread was here, and a "
                                              "loop without accesses is after it"),
             start, "", 0, where(w, lane) });
    print_findings();
}

// Waits for the workers. Reports a worker whose lane has not stopped for longer than patience():
// its thread loops without accessing memory.
static void wait_for_workers(std::unique_lock<std::mutex> &hold)
{
    std::vector<uint64_t> steps;
    std::vector<double> since;
    uint64_t fresh = 0;
    double progressed = 0;

    while (!done.wait_for(hold, std::chrono::milliseconds(50), [] { return busy == 0; })) {
        double spent = 0;
        for (unsigned i = 0; i < worker_count; i++)
            spent += cpu_seconds(workers[i]->thread);
        if (std::exchange(fresh, all_fresh()) != fresh)
            progressed = spent;
        else if (!current->takes_turns && spent - progressed > 0.02 * active)
            double_workers(*current);
        steps.resize(worker_count);
        since.resize(worker_count);
        for (unsigned i = 0; i < worker_count; i++) {
            Worker &w = *workers[i];
            uint64_t now = w.progress.steps.load(std::memory_order_relaxed);
            double seconds = cpu_seconds(w.thread);

            if (now != steps[i] || !w.running || since[i] == 0) {
                steps[i] = now;
                since[i] = seconds;
            } else if (seconds - since[i] > patience()) {
                pthread_kill(w.thread, SIGUSR2);
                while (!caught_pc)
                    usleep(1000);
                report_idle_loop(running_block(w));
            }
        }
    }
}

// What is wrong with the grid and the blocks; "" if nothing is.
static std::string wrong_shape(const Launch &l)
{
    uint64_t threads = (uint64_t)l.block.x * l.block.y * l.block.z;

    if (threads == 0 || l.blocks == 0)
        return std::string(threads ? "the grid" : "the block") + " is empty";
    if (threads > MAX_THREADS)
        return std::to_string(threads) + " threads per block; at most 1024 are possible";
    if (l.block.z > 64)
        return "blockDim.z is " + std::to_string(l.block.z) + "; at most 64 is possible";
    if (l.grid.x > 0x7fffffff || l.grid.y > 65535 || l.grid.z > 65535)
        return "the grid is larger than 2147483647 x 65535 x 65535 blocks";
    return "";
}

static bool is_multiple(unsigned of, unsigned n) { return n && of % n == 0; }

// What is wrong with the clusters; "" if nothing is.
static std::string wrong_clusters(const Launch &l, const void *kernel)
{
    uint3 c = l.cluster;
    uint64_t blocks = (uint64_t)c.x * c.y * c.z;
    unsigned most = emu_cluster_limit(kernel);
    std::string size =
        std::to_string(c.x) + " x " + std::to_string(c.y) + " x " + std::to_string(c.z) + " blocks";

    if (blocks == 0 || blocks > most)
        return "clusters of " + size + "; 1 to " + std::to_string(most) + " are possible" +
               (blocks <= MAX_CLUSTER ? " (cudaFuncAttributeNonPortableClusterSizeAllowed)" : "");
    if (!is_multiple(l.grid.x, c.x) || !is_multiple(l.grid.y, c.y) || !is_multiple(l.grid.z, c.z))
        return "the grid of " + std::to_string(l.grid.x) + " x " + std::to_string(l.grid.y) +
               " x " + std::to_string(l.grid.z) + " blocks is not a multiple of clusters of " +
               size;
    return "";
}

// Returns an error, and what is wrong.
static cudaError_t check(const Launch &l, const void *kernel, std::string *wrong)
{
    size_t limit = emu_dynamic_limit(kernel);

    *wrong = wrong_shape(l);
    if (!wrong->empty())
        return cudaErrorInvalidConfiguration;
    *wrong = wrong_clusters(l, kernel);
    if (!wrong->empty())
        return cudaErrorInvalidClusterSize;
    if (l.cooperative && cluster_blocks(l) > 1) {
        *wrong = "the CPU device has no cooperative launches with clusters";
        return cudaErrorNotSupported;
    }
    if (l.cooperative && l.blocks > resident_blocks(l)) {
        *wrong = "a cooperative launch of more blocks than run at once";
        return cudaErrorCooperativeLaunchTooLarge;
    }
    if (l.dynamic_shared <= limit)
        return cudaSuccess;
    *wrong = std::to_string(l.dynamic_shared) +
             " bytes of dynamic shared memory; the kernel's limit is " + std::to_string(limit) +
             " (cudaFuncAttributeMaxDynamicSharedMemorySize)";
    return cudaErrorInvalidValue;
}

static cudaError_t refused(cudaError_t error, const Launch &l, uintptr_t pc, bool returns_error,
                           const std::string &why)
{
    Refusal r = { pc, error, std::string("the launch of ") + l.kernel, why };

    returns_error ? refuse_openly(r) : refuse_silently(r);
    return emu_failed(error);
}

void refuse(Worker &w, cudaError_t error)
{
    serve_log(w);
    w.launch->refused = error;
    w.launch->stop = true;
    park(w, State::barrier);   // does not return
}

// Runs all blocks.
static void run_grid(Launch &launch)
{
    cooperative_begin_launch();
    races_begin_launch();
    turns_begin_launch(launch);
    moved.fresh = UINT64_MAX;
    std::unique_lock<std::mutex> hold(lock);
    current = &launch;
    generation++;
    busy = active = 0;
    activate_workers(launch.cooperative   ? (unsigned)launch.blocks
                     : launch.takes_turns ? 1
                                          : usual_workers(launch));
    wait_for_workers(hold);
}

// Runs a launch whose shape is right. Returns false if the kernel wants clusters of another size.
static bool run_launch(Launch &launch)
{
    open_heap(true);
    if ((has_fences() && !launch.cooperative) || launches_are_handled())
        snapshot_begin();
    run_grid(launch);
    open_heap(false);
    add_merged_counts();
    print_findings();
    if (!launch.wanted.x)
        return true;
    launch.cluster = launch.wanted;
    launch.wanted = { 0, 0, 0 };
    launch.has_clusters = true;
    launch.next_block = 0;
    launch.stop = false;
    launch.refused = cudaSuccess;
    return false;
}

// Runs a launch again, in which threads have synchronized by memory, with blocks and warps in
// reverse order: its faults must depend neither on that order nor on the number of workers. Its
// counts, its output and what it leaves in memory are those of the first run.
static void run_reversed(Launch &launch)
{
    open_heap(true);
    if (snapshot_undo()) {
        launch.is_reversed = true;
        launch.next_block = 0;
        launch.before_end = 0;
        run_grid(launch);
        forget_merged_counts();
        snapshot_redo();
    }
    open_heap(false);
    if (launch.waits_at)
        report_order(launch);
    print_findings();
}

static void prepare(Launch &launch, cudaStream_t stream)
{
    if (!usual) {
        prepare_workers();
        reserve_heap();
    }
    prints_are_flushed();
    dependent_begin_launch(launch, stream);
}

static void end_launch(Launch &launch, const void *kernel, const emu_argument *types,
                       cudaStream_t stream)
{
    Operation operation = { launch.kernel, std::string("in ") + launch.kernel, {} };

    collect_uses_of_heap(has_streams(), operation.used);
    operation_done(stream, std::move(operation), false);
    if (launch.refused == cudaSuccess)
        keep_launch(launch, kernel, types);
    // A launch that has allocated memory cannot be run again from the same state.
    if (keeps_changes && has_fences() && launch.has_released && !launch.has_allocated &&
        !launch.cooperative && launch.refused == cudaSuccess)
        run_reversed(launch);
    snapshot_forget();
    dependent_end_launch(stream);
}

static void refuse_nested_launch(const char *name, uintptr_t pc)
{
    fail(*worker,
         std::string(name) + " is launched by a kernel: dynamic parallelism is not supported", pc);
}

// Records a launch if the stream is captured, with a copy of the arguments.
static std::optional<cudaError_t> capture_launch(const char *name, const void *kernel, dim3 grid,
                                                 dim3 block, size_t shared,
                                                 void (*thread)(const void *), const void *args,
                                                 size_t arg_bytes, const emu_argument *types,
                                                 bool cooperative, cudaStream_t stream,
                                                 const uint3 *cluster, bool follows)
{
    constexpr size_t ALIGNMENT = 128;   // at least that of any argument

    if (!is_capturing())
        return {};
    std::shared_ptr<void> copy(
        aligned_alloc(ALIGNMENT, (arg_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT), free);
    memcpy(copy.get(), args, arg_bytes);
    std::optional<uint3> size;
    if (cluster)
        size = *cluster;
    return capture(stream, cudaGraphNodeTypeKernel, [=](cudaStream_t in) {
        dependent_launch_wanted(follows);
        return emu_run(name, kernel, grid, block, shared, thread, copy.get(), arg_bytes, types,
                       cooperative, in, true, size ? &*size : nullptr);
    });
}

}   // namespace emu

extern "C" {

void emu_reset(void)
{
    emu::forget_counts();
    emu::hopper::forget_use();
    emu::forget_launches();
}

int emu_is_dependent(void) { return emu::host_counts().dependent_kernels > 0; }

static void count_launch(cudaStream_t stream, bool follows)
{
    // the streams that CUDA has without cudaStreamCreate() are numbers up to this one
    emu::host_counts().stream_kernels += (uintptr_t)stream > (uintptr_t)cudaStreamPerThread;
    emu::host_counts().graph_kernels += emu::is_graph_launch();
    emu::host_counts().dependent_kernels += follows;
}

cudaError_t emu_run(const char *name, const void *kernel, dim3 grid, dim3 block, size_t shared,
                    void (*thread)(const void *), const void *args, size_t arg_bytes,
                    const emu_argument *types, bool cooperative, cudaStream_t stream,
                    bool returns_error, const uint3 *cluster)
{
    static uint32_t id;
    bool follows = emu::dependent_launch_is_wanted();
    uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    std::string wrong;

    if (emu::worker)
        emu::refuse_nested_launch(name, pc);
    if (emu::guard_target)
        emu::guard_target((uintptr_t)thread, pc);
    if (kernel && !emu::is_kernel(kernel)) {
        if (returns_error)
            return emu_failed(cudaErrorInvalidDeviceFunction);
        thread(args);   // f<<<...>>>(a) of a host function is a call of f, as with nvcc
        return cudaSuccess;
    }
    if (auto result = emu::capture_launch(name, kernel, grid, block, shared, thread, args,
                                          arg_bytes, types, cooperative, stream, cluster, follows))
        return emu_failed(*result);
    // Launches of several host threads run one after another.
    std::lock_guard<std::mutex> turn(emu::one_launch);
    emu::Launch launch = {
        ++id,       name,   grid,  block,     shared, thread,      (const char *)args,
        arg_bytes,  blocks, { 0 }, { false }, 0,      cooperative, emu_shared_limit(kernel),
        cudaSuccess
    };

    launch.number = (unsigned)emu::launches_so_far() + 1;
    launch.follows = follows;
    // of a kernel with __cluster_dims__, known since its first launch
    uint3 *of_kernel = emu_cluster_size(kernel);
    if (cluster || (of_kernel && of_kernel->x)) {
        launch.cluster = cluster ? *cluster : *of_kernel;
        launch.has_clusters = true;
    }
    if (cudaError_t error = emu::check(launch, kernel, &wrong))
        return emu::refused(error, launch, pc, returns_error, wrong);
    if (!emu::is_stream(stream))
        return cudaPeekAtLastError();
    if (emu::is_dry_run) {
        emu::keep_launch(launch, kernel, types);
        return cudaSuccess;
    }
    emu::prepare(launch, stream);
    count_launch(stream, follows);
    while (!emu::run_launch(launch)) {
        if (of_kernel)
            *of_kernel = launch.cluster;
        if (cudaError_t error = emu::check(launch, kernel, &wrong))
            return emu::refused(error, launch, pc, returns_error, wrong);
    }
    emu::end_launch(launch, kernel, types, stream);
    if (launch.refused != cudaSuccess)
        return emu::refused(launch.refused, launch, pc, returns_error,
                            cudaGetErrorString(launch.refused));
    return cudaSuccess;
}
}
