// Streams and events (streams.h). Each stream, each event and the host has a vector clock: per
// stream, the number of its operations that are complete before what comes next.
#include "streams.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "count/counting.h"
#include "emu.h"
#include "graphs.h"
#include "host.h"
#include "lanes/guard.h"
#include "order/memory.h"
#include "report/report.h"

using Clock = std::vector<uint64_t>;

struct CUstream_st {
    unsigned id;
    bool is_blocking;    // with respect to the legacy default stream
    bool is_destroyed;   // by cudaStreamDestroy
    uint64_t count;      // operations so far
    Clock clock;
};

struct CUevent_st {
    Clock clock;
    bool is_recorded;
    int launches;   // since emu_reset(), when it was recorded
};

namespace emu {

// Operations that may be incomplete: at most this many are kept, with this many intervals.
constexpr size_t MOST_PENDING = 512, MOST_INTERVALS = 1 << 22;
constexpr size_t MOST_PROTECTED = 4096;   // ranges of pages

enum Access { ANY, READ_ONLY, NO_ACCESS };   // of host code to a page

struct Pages {
    uintptr_t start, end;
    Access access;
};

struct Pending {
    Operation operation;
    unsigned stream;
    uint64_t index;
    size_t intervals;
    std::vector<Pages> pages;   // that the host can access
};

// Used until the process ends, so it is never destroyed.
struct Streams {
    std::recursive_mutex lock;
    std::vector<std::unique_ptr<CUstream_st>> streams;
    std::set<const CUevent_st *> events;
    Clock host;
    std::deque<Pending> pending;
    size_t intervals = 0;
    bool has_streams = false;
    unsigned running = 0;   // kernels and copies that execute
    std::vector<Pages> pages;
    std::map<uintptr_t, Access> lowered;   // pages of `pages` with less protection
    bool per_thread = false;               // stream 0 is cudaStreamPerThread

    Streams() { add(true); }   // the legacy default stream
    CUstream_st *add(bool is_blocking)
    {
        for (auto &s : streams)
            if (s->is_destroyed && at(host, s->id) == s->count) {
                s->is_blocking = is_blocking;
                s->is_destroyed = false;
                return s.get();
            }
        streams.emplace_back(
            new CUstream_st{ (unsigned)streams.size(), is_blocking, false, 0, {} });
        return streams.back().get();
    }
    static uint64_t at(const Clock &c, unsigned id) { return id < c.size() ? c[id] : 0; }
};

static Streams &state()
{
    static Streams &s = *new Streams;
    return s;
}
using Hold = std::lock_guard<std::recursive_mutex>;

// cudaStreamPerThread
static thread_local struct OwnStream {
    CUstream_st *stream = nullptr;
    ~OwnStream()
    {
        if (stream)
            stream->is_destroyed = true;
    }
} own;
static thread_local const Clock *callback;      // of the stream whose callback runs
static thread_local uintptr_t polled_address;   // by the last volatile access of the host

static void merge(Clock &into, const Clock &from)
{
    if (into.size() < from.size())
        into.resize(from.size());
    for (size_t i = 0; i < from.size(); i++)
        into[i] = std::max(into[i], from[i]);
}

static CUstream_st &legacy() { return *state().streams[0]; }

// Null: there is no such stream.
static CUstream_st *find(cudaStream_t stream)
{
    Streams &s = state();

    if (stream == cudaStreamPerThread || (!stream && s.per_thread)) {
        if (!own.stream) {
            static bool is_second;

            own.stream = s.add(true);
            s.has_streams |= std::exchange(is_second, true);
        }
        return own.stream;
    }
    if (!stream || stream == cudaStreamLegacy)
        return &legacy();
    for (auto &known : s.streams)
        if (known.get() == stream && !known->is_destroyed)
            return stream;
    return nullptr;
}

bool is_stream(cudaStream_t stream)
{
    Hold hold(state().lock);

    return find(stream) || emu_failed(cudaErrorInvalidResourceHandle) == cudaSuccess;
}

bool has_streams() { return state().has_streams; }

// What precedes the next operation of the stream: operations of the legacy stream and of blocking
// streams wait for each other.
static Clock &clock_of(CUstream_st &stream)
{
    merge(stream.clock, state().host);
    if (&stream == &legacy()) {
        for (auto &other : state().streams)
            if (other->is_blocking)
                merge(stream.clock, other->clock);
    } else if (stream.is_blocking) {
        merge(stream.clock, legacy().clock);
    }
    if (stream.clock.size() <= stream.id)
        stream.clock.resize(stream.id + 1);
    return stream.clock;
}

static bool is_before(const Pending &p, const Clock &clock)
{
    return Streams::at(clock, p.stream) >= p.index;
}

// ---- memory that the host can access ----

static bool is_for_host(uintptr_t address)
{
    return in_heap(address) ? home_of((void *)address) != Home::device : in_registered(address);
}

static uintptr_t page_bytes() { return (uintptr_t)sysconf(_SC_PAGESIZE); }

// The pages with memory that an operation uses and the host can access. Pages that only overlap
// registered memory are not among them, because they hold other data, too.
static std::vector<Pages> pages_of(const Operation &o)
{
    const uintptr_t page = page_bytes();
    std::vector<Pages> pages;

    for (Use use : { READS, WRITES, ATOMICS })
        for (const Interval &i : o.used[use]) {
            uintptr_t start = i.start & -page, end = (i.end + page - 1) & -page, low, high;
            Access access = use == READS ? READ_ONLY : NO_ACCESS;

            if (!is_for_host(i.start))
                continue;
            if (in_registered(i.start, &low, &high)) {
                start = std::max(start, (low + page - 1) & -page);
                end = std::min(end, high & -page);
            }
            if (!pages.empty() && pages.back().access == access && start >= pages.back().start &&
                start <= pages.back().end)
                pages.back().end = std::max(pages.back().end, end);
            else if (start < end && pages.size() < MOST_PROTECTED)
                pages.push_back({ start, end, access });
        }
    return pages;
}

// Not in a program that is graded: host code there can write to these lists, and could make any
// memory writable.
static void set_access(uintptr_t start, uintptr_t end, Access access)
{
    if (!is_for_grading())
        mprotect((void *)start, end - start,
                 access == NO_ACCESS   ? PROT_NONE
                 : access == READ_ONLY ? PROT_READ
                                       : PROT_READ | PROT_WRITE);
}

// Protects the pages of pending operations.
static void protect_pending()
{
    Streams &s = state();

    if (s.running)
        return;
    for (const Pending &p : s.pending)
        if (s.pages.size() < MOST_PROTECTED)
            s.pages.insert(s.pages.end(), p.pages.begin(), p.pages.end());
    for (Access access : { READ_ONLY, NO_ACCESS })   // the stricter one last
        for (const Pages &p : s.pages)
            if (p.access == access)
                set_access(p.start, p.end, access);
}

static void unprotect()
{
    Streams &s = state();

    for (const Pages &p : s.pages)
        set_access(p.start, p.end, ANY);
    s.pages.clear();
    s.lowered.clear();
}

void operations_begin()
{
    Hold hold(state().lock);

    if (state().running++ == 0)
        unprotect();
}

void operations_end()
{
    Hold hold(state().lock);

    if (--state().running == 0)
        protect_pending();
}

void open_heap(bool open)
{
    if (open)
        operations_begin();
    protect_device(open);
    if (!open)
        operations_end();
}

// The host has waited: removes operations that are complete.
static void host_waited()
{
    dependent_forget();
    prints_are_flushed();
    Streams &s = state();
    size_t before = s.pending.size();

    for (auto p = s.pending.begin(); p != s.pending.end();)
        if (is_before(*p, s.host)) {
            s.intervals -= p->intervals;
            p = s.pending.erase(p);
        } else {
            ++p;
        }
    if (s.pending.size() != before && !s.running) {
        unprotect();
        protect_pending();
    }
}

static void host_waits(const Clock &clock)
{
    merge(state().host, clock);
    host_waited();
}

// Whether the host has waited for all operations of a clock.
static bool has_waited(const Clock &clock)
{
    for (unsigned id = 0; id < clock.size(); id++)
        if (clock[id] > Streams::at(state().host, id))
            return false;
    return true;
}

void wait_for_all()
{
    Hold hold(state().lock);

    for (auto &stream : state().streams) {
        clock_of(*stream)[stream->id] = stream->count;
        merge(state().host, stream->clock);
    }
    host_waited();
}

void host_polls(uintptr_t address) { polled_address = address; }

static const Interval *interval_at(const std::vector<Interval> &intervals, uintptr_t address)
{
    auto next = std::upper_bound(intervals.begin(), intervals.end(), address,
                                 [](uintptr_t a, const Interval &i) { return a < i.end; });

    return next != intervals.end() && next->start <= address ? &*next : nullptr;
}

static void report_host(const Pending &p, const Interval &i, bool is_read, uintptr_t pc)
{
    const Operation &o = p.operation;

    report({ std::string("host code ") + (is_read ? "writes" : "reads or writes") +
                 " memory before it waits for " + o.name + ", which " +
                 (is_read ? "reads" : "writes") +
                 " it: use cudaStreamSynchronize, cudaDeviceSynchronize or cudaEventSynchronize",
             caller_in_program(pc), std::string(is_read ? "read" : "written") + " here, " + o.where,
             i.pc, "on the host" });
    print_findings();
}

bool host_access(uintptr_t address, uintptr_t pc)
{
    const uintptr_t page = page_bytes();
    Streams &s = state();
    Hold hold(s.lock);
    Access access = ANY;
    auto lowered = s.lowered.find(address & -page);

    for (const Pages &p : s.pages)
        if (p.start <= address && address < p.end)
            access = std::max(access, p.access);
    if (access == ANY || is_for_grading())
        return false;
    if (lowered != s.lowered.end())
        access = lowered->second;
    bool writes = access == READ_ONLY;   // or it would not have been caught
    for (const Pending &p : s.pending) {
        if (is_before(p, callback ? *callback : s.host) || address == polled_address)
            continue;
        for (Use use : { WRITES, ATOMICS, READS })
            if (const Interval *i =
                    use != READS || writes ? interval_at(p.operation.used[use], address) : nullptr)
                report_host(p, *i, use == READS, pc);
    }
    // Another part of the page is in use.
    access = access == NO_ACCESS && address != polled_address ? READ_ONLY : ANY;
    polled_address = 0;
    s.lowered[address & -page] = access;
    set_access(address & -page, (address & -page) + page, access);
    return true;
}

// ---- races between streams ----

static std::pair<const Interval *, const Interval *> overlap(const std::vector<Interval> &a,
                                                             const std::vector<Interval> &b)
{
    for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
        if (a[i].end <= b[k].start)
            i++;
        else if (b[k].end <= a[i].start)
            k++;
        else
            return { &a[i], &b[k] };
    }
    return { nullptr, nullptr };
}

static const char *const verbs[] = { "reads", "writes", "changes by atomics" };
static const char *const done[] = { "read", "written", "changed" };

static std::string name_of(uintptr_t address)
{
    return in_registered(address) ? "registered host memory" : global_name(address);
}

// Reports a race of a new operation with a pending one. Returns whether there is one.
static bool races(const Operation &a, const Operation &b)
{
    for (Use x : { READS, WRITES, ATOMICS })
        for (Use y : { READS, WRITES, ATOMICS }) {
            if (x == y && x != WRITES)
                continue;
            auto found = overlap(a.used[x], b.used[y]);
            if (!found.first)
                continue;
            report({ "race between streams: " + a.name + " " + verbs[x] + " " +
                         name_of(std::max(found.first->start, found.second->start)) + ", which " +
                         b.name + " " + verbs[y] +
                         " in another stream, with nothing to order "
                         "them: use an event (cudaStreamWaitEvent) or wait in between",
                     found.first->pc, std::string(done[y]) + " here, " + b.where, found.second->pc,
                     a.where });
            return true;
        }
    return false;
}

void operation_done(cudaStream_t stream, Operation &&o, bool waits)
{
    bool found = false;
    {
        Streams &s = state();
        Hold hold(s.lock);
        CUstream_st &in = *find(stream);
        Clock &clock = clock_of(in);
        size_t intervals = 0;

        dependent_forget();
        for (const Pending &p : s.pending)
            if (!is_before(p, clock))
                found |= races(o, p.operation);
        for (const auto &used : o.used)
            intervals += used.size();
        clock[in.id] = ++in.count;
        if (waits) {
            host_waits(clock);
        } else if (intervals && intervals <= MOST_INTERVALS) {
            std::vector<Pages> pages = pages_of(o);
            s.pending.push_back({ std::move(o), in.id, in.count, intervals, std::move(pages) });
            s.intervals += intervals;
            while (s.pending.size() > MOST_PENDING || s.intervals > MOST_INTERVALS) {
                s.intervals -= s.pending.front().intervals;
                s.pending.pop_front();
            }
            unprotect();
            protect_pending();
        }
    }
    if (found)
        print_findings();
}

void forget_operations(uintptr_t start, size_t bytes)
{
    Hold hold(state().lock);

    auto remove = [=](auto &all) {
        all.erase(std::remove_if(
                      all.begin(), all.end(),
                      [=](const auto &i) { return i.start >= start && i.start < start + bytes; }),
                  all.end());
    };

    unprotect();
    for (Pending &p : state().pending) {
        for (auto &used : p.operation.used)
            remove(used);
        remove(p.pages);
    }
    protect_pending();
}

// ---- streams and events ----

static cudaError_t create(cudaStream_t *stream, unsigned flags)
{
    Hold hold(state().lock);

    if (!stream || flags > cudaStreamNonBlocking)
        return emu_failed(cudaErrorInvalidValue);
    guard_result(stream, sizeof *stream, true, __builtin_return_address(0));
    *stream = state().add(!(flags & cudaStreamNonBlocking));
    state().has_streams = true;
    return cudaSuccess;
}

static CUevent_st *find_event(cudaEvent_t event)
{
    return state().events.count(event) ? event : nullptr;
}

// The host waits for the stream.
static cudaError_t wait_for(cudaStream_t stream)
{
    Hold hold(state().lock);
    CUstream_st *s = find(stream);

    if (!s)
        return emu_failed(cudaErrorInvalidResourceHandle);
    if (cudaError_t error = forbidden_by_capture(&stream))
        return emu_failed(error);
    host_waits(clock_of(*s));
    return cudaSuccess;
}

static cudaError_t wait_for(cudaEvent_t event)
{
    Hold hold(state().lock);
    CUevent_st *e = find_event(event);

    if (!e)
        return emu_failed(cudaErrorInvalidResourceHandle);
    host_waits(e->clock);
    return cudaSuccess;
}

// Runs host code in stream order.
template <class F> static cudaError_t call_host(cudaStream_t stream, F function)
{
    if (auto result = capture(stream, cudaGraphNodeTypeHost,
                              [=](cudaStream_t s) { return call_host(s, function); }))
        return *result;
    Clock clock;
    {
        Hold hold(state().lock);
        CUstream_st *s = find(stream);

        if (!s)
            return emu_failed(cudaErrorInvalidResourceHandle);
        clock = clock_of(*s);
    }
    const Clock *before = std::exchange(callback, &clock);
    function();
    callback = before;
    return cudaSuccess;
}

}   // namespace emu

using emu::state;

extern "C" {

// A file that was compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM calls this before main().
void emu_per_thread_default_stream(void) { state().per_thread = true; }

cudaError_t cudaStreamCreate(cudaStream_t *stream) { return emu::create(stream, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return emu::create(stream, flags);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int)
{
    return emu::create(stream, flags);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    emu::Hold hold(state().lock);
    CUstream_st *s = emu::find(stream);

    if (!s || !flags)
        return emu_failed(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    emu::guard_result(flags, sizeof *flags, true, __builtin_return_address(0));
    *flags = s->is_blocking ? cudaStreamDefault : cudaStreamNonBlocking;
    return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    emu::guard_result(priority, sizeof *priority, true, __builtin_return_address(0));
    *priority = 0;
    return emu::is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    return cudaStreamGetPriority(stream, device);   // also 0
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    emu::Hold hold(state().lock);
    CUstream_st *s = emu::find(stream);

    if (!s || !id)
        return emu_failed(s ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    emu::guard_result(id, sizeof *id, true, __builtin_return_address(0));
    *id = s->id;
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    emu::Hold hold(state().lock);
    CUstream_st *s = emu::find(stream);

    if (!s || s != stream)
        return emu_failed(cudaErrorInvalidResourceHandle);
    s->is_destroyed = true;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return emu::wait_for(stream); }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return emu::wait_for(stream); }
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return emu::wait_for(event); }
cudaError_t cudaEventQuery(cudaEvent_t event) { return emu::wait_for(event); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int)
{
    emu::Hold hold(state().lock);

    if (!event)
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(event, sizeof *event, true, __builtin_return_address(0));
    *event = new CUevent_st{};
    state().events.insert(*event);
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    emu::Hold hold(state().lock);

    if (!state().events.erase(event))
        return emu_failed(cudaErrorInvalidResourceHandle);
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    emu::Hold hold(state().lock);
    CUevent_st *e = emu::find_event(event);
    CUstream_st *s = emu::find(stream);

    if (!e || !s)
        return emu_failed(cudaErrorInvalidResourceHandle);
    if (emu::capture_record(event, stream))
        return cudaSuccess;
    e->clock = emu::clock_of(*s);
    e->is_recorded = true;
    e->launches = emu::launches_so_far();
    emu::host_counts().events++;
    return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int)
{
    return cudaEventRecord(event, stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int)
{
    emu::Hold hold(state().lock);
    CUevent_st *e = emu::find_event(event);
    CUstream_st *s = emu::find(stream);

    if (!e || !s)
        return emu_failed(cudaErrorInvalidResourceHandle);
    if (!emu::capture_wait(stream, event))
        emu::merge(emu::clock_of(*s), e->clock);
    return cudaSuccess;
}

// A GPU returns cudaErrorNotReady only if it has not reached an event yet. Here an error does not
// depend on time: the host must have waited for both events.
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
    static unsigned times;
    constexpr unsigned MANY = 1000;
    emu::Hold hold(state().lock);

    if (!milliseconds)
        return emu_failed(cudaErrorInvalidValue);
    emu::guard_result(milliseconds, sizeof *milliseconds, true, __builtin_return_address(0));
    for (cudaEvent_t event : { start, stop }) {
        CUevent_st *e = emu::find_event(event);

        if (!e || !e->is_recorded)
            return emu_failed(cudaErrorInvalidResourceHandle);
        if (!emu::has_waited(e->clock))
            return emu_failed(cudaErrorNotReady);
    }
    if (++times == 1)
        emu::note_limit("the CPU device does not measure time: cudaEventElapsedTime returns NaN");
    if (times == MANY)
        emu::note_limit("cudaEventElapsedTime has returned NaN 1000 times: a loop until a time has "
                        "passed does not end on the CPU device");
    emu::host_counts().timed_kernels += (uint64_t)std::max(stop->launches - start->launches, 0);
    *milliseconds = NAN;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    emu::guard_result(least, sizeof *least, true, __builtin_return_address(0));
    emu::guard_result(greatest, sizeof *greatest, true, __builtin_return_address(0));
    *least = *greatest = 0;
    return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    return emu::call_host(stream, [=] { function(data); });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data,
                                  unsigned int)
{
    return emu::call_host(stream, [=] { function(stream, cudaSuccess, data); });
}
}
