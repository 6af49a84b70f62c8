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
#include <mutex>

#include "flow.h"
#include "internal.h"
#include "log.h"
#include "streams.h"

extern "C" size_t emu_dynamic_limit(const void *kernel);   // runtime.cpp
extern "C" size_t emu_shared_limit(const void *kernel);    // runtime.cpp

namespace emu {

constexpr unsigned MOST_WORKERS = 1 << 14, MOST_USUAL_WORKERS = 256;
// Stacks below those of a worker's lanes: of its signal handler, an inaccessible one, and space.
constexpr size_t SPARE_STACKS = 18;

// Running workers read the table while others are added: a worker is there before it is counted.
static Worker *workers[MOST_WORKERS];
static std::atomic<unsigned> worker_count;
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
static std::vector<emu_launch> launches;
// Where the watchdog's signal interrupted a worker; if that is a small function of the runtime,
// where it was called; and the last block that its lane has traced.
static std::atomic<uintptr_t> caught_pc, caught_caller, caught_block;

uint64_t all_fresh()
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < worker_count; i++)
        sum += workers[i]->fresh.load(std::memory_order_relaxed);
    return sum;
}

bool is_storing(uint64_t block)
{
    for (unsigned i = 0; i < worker_count; i++)
        if (workers[i]->storing.load(std::memory_order_acquire) == block + 1)
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

        w->launch = &launch;
        w->threads = launch.block.x * launch.block.y * launch.block.z;
        w->sites.clear();
        w->barriers = w->ld_ahead = 0;
        w->judged_time = w->time;
        w->lowest = NOWHERE;
        w->reported.clear();
        w->calls.resize(1);   // lanes of this launch are in other calls
        races_begin_worker(*w);
        std::fill(std::begin(w->recent), std::end(w->recent), Range{ 0, 0 });
        w->moved = cpu_seconds(w->thread);
        w->running = true;
        size_t static_shared = 0;
        for (uint64_t b; !launch.stop && (b = launch.next_block++) < launch.blocks;) {
            run_block(*w, b);
            if (launch.cooperative)
                cooperative_end_block();
            static_shared = std::max(static_shared, w->shared.static_bytes);
        }
        w->running = false;
        w->current = nullptr;

        hold.lock();
        launch.static_shared = std::max(launch.static_shared, static_shared);
        add_counts(w->sites, w->barriers, w->ld_ahead);
        take_merged(&w->merged);
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

static void add_worker()
{
    Worker &w = *new Worker();

    w.index = worker_count;
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
static void double_workers(const Launch &l)
{
    uint64_t waiting = l.blocks - std::min<uint64_t>(l.next_block, l.blocks),
             room = resident_blocks(l);

    activate_workers(active + (unsigned)std::min<uint64_t>(
                                  { active, waiting, room - std::min<uint64_t>(room, active) }));
}

void let_others_run(Worker &w)
{
    uint64_t fresh = all_fresh();

    if (std::exchange(w.yielded_fresh, fresh) == fresh)
        sched_yield();
}

double cpu_seconds(pthread_t thread)
{
    clockid_t clock;
    struct timespec t;

    if (pthread_getcpuclockid(thread, &clock) || clock_gettime(clock, &t))
        return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Waits for the workers. Reports a worker whose lane has not stopped for longer than patience():
// its thread loops without accessing memory.
static void wait_for_workers(std::unique_lock<std::mutex> &hold)
{
    std::vector<uint64_t> steps;
    std::vector<double> since;
    uint64_t fresh = 0;
    double moved = 0;

    while (!done.wait_for(hold, std::chrono::milliseconds(50), [] { return busy == 0; })) {
        double spent = 0;
        for (unsigned i = 0; i < worker_count; i++)
            spent += cpu_seconds(workers[i]->thread);
        if (std::exchange(fresh, all_fresh()) != fresh)
            moved = spent;
        else if (spent - moved > 0.02 * active)
            double_workers(*current);
        steps.resize(worker_count);
        since.resize(worker_count);
        for (unsigned i = 0; i < worker_count; i++) {
            Worker &w = *workers[i];
            uint64_t now = w.steps.load(std::memory_order_relaxed);
            double seconds = cpu_seconds(w.thread);

            if (now != steps[i] || !w.running || since[i] == 0) {
                steps[i] = now;
                since[i] = seconds;
            } else if (seconds - since[i] > patience()) {
                pthread_kill(w.thread, SIGUSR2);
                while (!caught_pc)
                    usleep(1000);
                uintptr_t block = removed_trace(caught_pc);
                if (!block)
                    block = removed_trace(caught_caller);
                if (!block)
                    block = caught_block ? caught_block : caught_pc;
                report({ "no progress: a thread loops without accessing memory", block, "", 0,
                         where(w, w.current ? *w.current : w.lanes[0]) });
                print_findings();
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

// Returns an error, and what is wrong.
static cudaError_t check(const Launch &l, const void *kernel, std::string *wrong)
{
    size_t limit = emu_dynamic_limit(kernel);

    *wrong = wrong_shape(l);
    if (!wrong->empty())
        return cudaErrorInvalidConfiguration;
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

static cudaError_t refused(cudaError_t error, const Launch &l, uintptr_t pc, const std::string &why)
{
    emu_failed(error);
    if (pc)
        note_refused(pc, l.kernel, why);
    return error;
}

void refuse(Worker &w, cudaError_t error)
{
    serve_log(w);
    w.launch->refused = error;
    w.launch->stop = true;
    park(w, State::barrier);   // does not return
}

static void refuse_nested_launch(const char *name, uintptr_t pc)
{
    fail(*worker,
         std::string(name) + " is launched by a kernel: dynamic parallelism is not supported", pc);
}

}   // namespace emu

extern "C" {

void emu_forget_launches(void) { emu::launches.clear(); }

int emu_launches(const struct emu_launch **out)
{
    *out = emu::launches.data();
    return (int)emu::launches.size();
}

cudaError_t emu_run(const char *name, const void *kernel, dim3 grid, dim3 block, size_t shared,
                    void (*thread)(const void *), const void *args, size_t arg_bytes,
                    bool cooperative, cudaStream_t stream, bool returns_error)
{
    static uint32_t id;
    uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    std::string wrong;

    if (emu::worker)
        emu::refuse_nested_launch(name, pc);
    if (returns_error)
        pc = 0;
    // Launches of several host threads run one after another.
    std::lock_guard<std::mutex> turn(emu::one_launch);
    emu::Launch launch = {
        ++id,       name,   grid,  block,     shared, thread,      (const char *)args,
        arg_bytes,  blocks, { 0 }, { false }, 0,      cooperative, emu_shared_limit(kernel),
        cudaSuccess
    };

    launch.number = (unsigned)emu::launches.size() + 1;
    if (cudaError_t error = emu::check(launch, kernel, &wrong))
        return emu::refused(error, launch, pc, wrong);
    if (!emu::is_stream(stream))
        return cudaPeekAtLastError();
    if (!emu::usual)
        emu::prepare_workers();
    emu::cooperative_begin_launch();
    emu::races_begin_launch();
    emu::open_heap(true);
    {
        std::unique_lock<std::mutex> hold(emu::lock);

        emu::current = &launch;
        emu::generation++;
        emu::busy = emu::active = 0;
        emu::activate_workers(
            (unsigned)(cooperative ? blocks : std::min<uint64_t>(blocks, emu::usual)));
        emu::wait_for_workers(hold);
    }
    emu::open_heap(false);
    emu::add_merged_counts();
    emu::print_findings();
    emu::Operation operation = { name, std::string("in ") + name, {} };
    emu::collect_uses_of_heap(emu::has_streams(), operation.used);
    emu::operation_done(stream, std::move(operation), false);
    if (launch.refused != cudaSuccess)
        return emu::refused(launch.refused, launch, pc, cudaGetErrorString(launch.refused));
    emu::launches.push_back({ name,
                              { grid.x, grid.y, grid.z },
                              { block.x, block.y, block.z },
                              launch.static_shared,
                              shared });
    return cudaSuccess;
}
}
