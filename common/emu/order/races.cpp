// Data races: two accesses of different threads to the same bytes, at least one of them a store,
// that nothing orders (order.cpp). Each word remembers its last store, and two of its reads and of
// its atomics, so a race is found whichever access comes first.
#include <sched.h>
#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "lanes/asyncs.h"
#include "lanes/cluster.h"
#include "memory.h"
#include "shared.h"
#include "report/report.h"

namespace emu {

enum Relation { ORDERED, SAME_WARP, SAME_BLOCK, OTHER_BLOCK };

constexpr size_t PLACES = 1 << 16;
constexpr size_t LOCKS = 1 << 10;

static std::atomic<uint32_t> places_used[PLACES];   // call sites, indexed by Mark::place; 0: free
// of pages; in lines of the cache of their own, because workers access neighboring pages
static struct alignas(64) {
    std::atomic_flag flag;
} locks[LOCKS];
static Page *heap_pages, *image_pages;
static size_t heap_page_count, image_page_count;
static uintptr_t heap_start;
static std::atomic<size_t> plane_bytes;   // bytes of marks of global memory
// Workers whose lanes store what they have not logged: the values are known when they have resumed.
static std::atomic<unsigned> workers_storing;

// The number of a call site; 0 if the program has too many.
static uint16_t place_of(uintptr_t pc)
{
    size_t first = (pc * 0x9E3779B97F4A7C15u) >> 48;

    for (size_t tried = 0; tried < PLACES; tried++) {
        size_t i = (first + tried) % PLACES;
        uint32_t there = i ? places_used[i].load(std::memory_order_relaxed) : 1;

        if (i && (there == pc ||
                  (!there && places_used[i].compare_exchange_strong(there, (uint32_t)pc)) ||
                  there == pc))
            return (uint16_t)i;
    }
    return 0;
}

uintptr_t pc_of(const Mark &m) { return places_used[m.place]; }

static Page *reserve_pages(size_t count)
{
    void *p = mmap(nullptr, count * sizeof(Page), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? nullptr : (Page *)p;
}

// Memory of planes. A plane has 1, 2, 4 or 8 KiB. The C library's allocator would share each page
// of the system among few planes, and get it with two calls of the system.
namespace planes {

constexpr unsigned SIZES = 4;
constexpr size_t LEAST = 1024, CHUNK = 8 << 20;
// Bytes that are populated at once, at least. A quarter of those before, up to a large page.
constexpr size_t LEAST_AT_ONCE = 32 << 10;

struct Free {
    Free *next;
};
static Free *free_planes[SIZES];
static char *rest, *ready, *end;   // of the last chunk, which is zero: unused, populated up to
static size_t populated;           // bytes of all chunks
static std::atomic_flag lock;

static unsigned class_of(size_t bytes) { return (unsigned)__builtin_ctzl(bytes / LEAST); }

// Takes the next bytes of the chunk. Many pages of the system are populated by one call: workers
// that fault at the same time wait for each other.
static char *take(size_t bytes)
{
    if ((size_t)(end - rest) < bytes) {
        void *chunk = mmap(nullptr, CHUNK + LARGE_PAGE, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (chunk == MAP_FAILED)
            return nullptr;
        rest = ready = (char *)(((uintptr_t)chunk + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE);
        end = rest + CHUNK;
    }
    if ((size_t)(ready - rest) < bytes) {
        size_t more = std::max(populated / 4 / LEAST_AT_ONCE * LEAST_AT_ONCE, LEAST_AT_ONCE);
        more = std::min(more, LARGE_PAGE - (uintptr_t)ready % LARGE_PAGE);
        use_large_pages(ready, more);
        populate(ready, more);
        ready += more;
        populated += more;
    }
    return std::exchange(rest, rest + bytes);
}

// Memory that is zero; null if there is none.
static void *get(size_t bytes)
{
    Free *&first = free_planes[class_of(bytes)];

    while (lock.test_and_set(std::memory_order_acquire))
        sched_yield();
    char *found = (char *)first;
    bool is_used = found;
    if (is_used)
        first = first->next;
    else
        found = take(bytes);
    lock.clear(std::memory_order_release);
    return is_used ? memset(found, 0, bytes) : found;
}

static void put(void *plane, size_t bytes)
{
    Free *&first = free_planes[class_of(bytes)];

    while (lock.test_and_set(std::memory_order_acquire))
        sched_yield();
    ((Free *)plane)->next = first;
    first = (Free *)plane;
    lock.clear(std::memory_order_release);
}

}   // namespace planes

// Marks of type Mark, or values, for a page. Null: the limit is reached, and later accesses are not
// checked.
template <class T> static T *new_plane(unsigned finer)
{
    size_t bytes = (PAGE_BYTES / 4 << finer) * sizeof(T);

    if (plane_bytes > physical() / 4)
        return nullptr;
    T *plane = (T *)planes::get(bytes);
    if (plane)
        plane_bytes += bytes;
    return plane;
}

template <class T> static void release_plane(T *&plane, unsigned finer)
{
    size_t bytes = (PAGE_BYTES / 4 << finer) * sizeof(T);

    if (!plane)
        return;
    planes::put(std::exchange(plane, nullptr), bytes);
    plane_bytes -= bytes;
}

static void clear(Page &p)
{
    if (!p.launch)   // not accessed: its memory is not to be used, either
        return;
    p.launch = 0;
    for (Mark *&marks : p.marks)
        release_plane(marks, p.finer);
    release_plane(p.values, p.finer);
    p.finer = 0;
    p.lane_bytes = 0;
}

void races_forget(size_t offset, size_t bytes)
{
    size_t end = bytes == SIZE_MAX ? heap_page_count : (offset + bytes) / PAGE_BYTES;

    for (size_t p = offset / PAGE_BYTES; heap_pages && plane_bytes && p < end; p++)
        clear(heap_pages[p]);
    for (size_t p = 0; bytes == SIZE_MAX && p < image_page_count; p++)
        clear(image_pages[p]);
}

void races_forget_shared(Worker &w)
{
    for (Page &p : w.shared.pages)
        clear(p);
}

// Marks of earlier launches are stale: their memory is released if it exceeds 1/16 of the
// machine's.
void races_begin_launch()
{
    if (!heap_pages && heap_size()) {
        heap_page_count = heap_size() / PAGE_BYTES;
        heap_start = -heap_offset(0);
        heap_pages = reserve_pages(heap_page_count);
    }
    if (heap_pages)
        use_large_pages(heap_pages, heap_top() / PAGE_BYTES * sizeof(Page));
    if (!image_pages && device_variables().bytes) {
        image_page_count = device_variables().bytes / PAGE_BYTES + 2;
        image_pages = reserve_pages(image_page_count);
    }
    if (plane_bytes > physical() / 16)
        races_forget(0, SIZE_MAX);
    order_begin_launch();
}

// The page of an address, and the offset of the address in it. Null: accesses to it are not
// recorded.
static inline Page *page_at(Worker &w, uintptr_t address, Space space, size_t *offset)
{
    Page *pages = heap_pages;
    size_t from_start = address - heap_start;

    if (space == SHARED) {
        pages = w.shared.pages.data();
        from_start = address - (uintptr_t)w.arena;
    } else if (from_start >= heap_page_count * PAGE_BYTES) {
        pages = image_pages;
        from_start = address - device_variables().start;
    }
    *offset = from_start % PAGE_BYTES;
    return pages ? &pages[from_start / PAGE_BYTES] : nullptr;
}

// First epoch of the launches whose marks count: this one, and the one before if nothing has waited
// for its end (dependent.cpp).
static uint32_t oldest_epoch(const Worker &w)
{
    return w.launch->before_end ? w.launch->before_first : first_epoch(w, GLOBAL);
}

// Gives each word of the lines that a launch since that epoch has marked a mark of its own.
static void expand(Page &p, uint32_t oldest)
{
    unsigned words = std::exchange(p.lane_bytes, 0) / 4;   // of each lane

    if (p.launch < oldest)
        return;
    for (Plane plane : { WRITE, READ, READ_LAST })
        for (size_t l = 0; l < LINES; l++) {
            Mark mark = p.line[plane][l], *&marks = p.marks[plane];

            if (!mark.epoch || (!marks && !(marks = new_plane<Mark>(p.finer))))
                continue;
            unsigned each = 1u << p.finer;
            for (unsigned i = 0; i < WARP; i += words, mark.thread++)
                std::fill_n(marks + (l * WARP + i) * each, words * each, mark);
        }
}

static void refine(Page &p, unsigned finer)
{
    for (Mark *&marks : p.marks) {
        if (!marks)
            continue;
        Mark *fine = new_plane<Mark>(finer);
        unsigned each = 1u << (finer - p.finer);

        for (size_t i = 0; fine && i < PAGE_BYTES >> p.shift(); i++)
            std::fill_n(fine + i * each, each, marks[i]);
        release_plane(marks, p.finer);
        marks = fine;
    }
    if (p.values) {
        uint32_t *fine = new_plane<uint32_t>(finer);
        unsigned bytes = 1u << (2 - finer), each = 1u << (finer - p.finer);

        for (size_t i = 0; fine && i < PAGE_BYTES / bytes; i++)
            memcpy(&fine[i], (const char *)&p.values[i / each] + i % each * bytes, bytes);
        release_plane(p.values, p.finer);
        p.values = fine;
    }
    p.finer = finer;
}

namespace {

// One lane's access to one cell, the bytes that one mark describes.
struct Access {
    Worker &w;
    Warp &warp;
    const Request &r;
    Space space;
    bool writes, atomic, texture;
    uintptr_t pc;
    uint32_t first;   // first epoch that is not stale
    Mark mark;        // mark of this access
    // the lane
    unsigned index;   // index in the request
    const Lane *lane;
    // the cell
    Page *page;
    size_t cell;
    uintptr_t address;
};

}   // namespace

// Stores by lanes of one request to one address are unordered but no race: one of the values
// remains.
static bool same_request(const Access &a, const Mark &m)
{
    if (m.place != a.mark.place)
        return false;
    for (unsigned i = 0; i < a.index; i++)
        if (a.warp.lane[a.r.lane[i]].id == m.thread && a.r.address[i] < a.address + 4 &&
            a.address < a.r.address[i] + a.r.size)
            return true;
    return false;
}

static Relation relation(const Access &a, const Mark &m)
{
    if (m.epoch == a.mark.epoch && m.thread == a.mark.thread)
        return ORDERED;
    const Epoch &e = epoch_of(a.w, a.space, m.epoch);
    Relation how = OTHER_BLOCK;

    if (e.block == (uint32_t)a.w.block_linear) {
        bool same_warp = m.thread / WARP == a.warp.index;

        if (e.interval != a.w.shared.interval || m.thread == a.mark.thread ||
            (same_warp &&
             (!unordered(a.warp, 1u << m.thread % WARP, a.mark.thread % WARP, e.created) ||
              same_request(a, m))))
            return ORDERED;
        if (a.w.asyncs && hopper::is_ordered(a.w, *a.lane, m.thread, e.created))
            return ORDERED;
        how = same_warp ? SAME_WARP : SAME_BLOCK;
    } else if (a.w.cluster &&
               hopper::is_ordered_in_cluster(a.w, *a.lane, e.block, m.thread, e.created))
        return ORDERED;
    return is_acquired(a.w, a.warp, *a.lane, e, m.thread) ? ORDERED : how;
}

static std::string name_of(const Worker &w, uintptr_t address, Space space)
{
    return space == SHARED ? shared_name(w, address) : global_name(address);
}

// Has this worker reported this pair of call sites? Then it only counts the repetition.
static bool is_known(Worker &w, Relation how, const Mark &m, uintptr_t pc)
{
    std::pair<uintptr_t, uintptr_t> key(pc * 4 + how, pc_of(m));

    if (std::find(w.order.reported.begin(), w.order.reported.end(), key) !=
        w.order.reported.end()) {
        report_again();
        return true;
    }
    w.order.reported.push_back(key);
    return false;
}

static const char *stored(Relation how) { return how == OTHER_BLOCK ? "stored" : "written"; }

// What would order a race between blocks. Only a reader can wait for the other access: so only then
// may a fence there be all that is missing.
static std::string remedy(Worker &w, const Epoch &e, unsigned thread, const Lane &lane, bool reads)
{
    switch (missing_fence(w, lane, e, thread)) {
    case NARROW_SCOPE:
        return " in this launch: the scope of a fence or atomic between them is too narrow. "
               "Between "
               "blocks, use that of the device (__threadfence, atomicAdd, .gpu), not that of the "
               "block (__threadfence_block, atomicAdd_block, .cta)";
    case FENCE_HERE:
        return " in this launch: __threadfence is missing here, between the atomic or volatile "
               "load and this access";
    case FENCE_THERE:
        if (reads)
            return " in this launch: __threadfence is missing there, between that access and an "
                   "atomic or volatile store";
        // fallthrough
    default:
        if (!reads)
            return " in this launch with nothing to order them: if an element belongs to one "
                   "block, "
                   "correct the index; else use an atomic or a second launch";
        return " in this launch with nothing to order them: use a second launch, or __threadfence "
               "and then an atomic or volatile store there, and an atomic or volatile load and "
               "then "
               "__threadfence here";
    }
}

// Who made the other access of a race that `lane` has found. Its mark may be of a later store of
// the same value, by this lane or block itself.
static std::string other_thread(const Worker &w, Relation how, const Mark &m, const Epoch &e,
                                const Lane &lane, uintptr_t address)
{
    if (how == OTHER_BLOCK)
        return e.block == (uint32_t)w.block_linear ? "by this block and another one"
                                                   : "by block " + std::to_string(e.block);
    if (m.thread != lane.id)
        return "by " + thread_name(w, m.thread);
    auto before = w.order.also_stored.find(address);
    return before == w.order.also_stored.end() ? "by another thread"
                                               : "by " + thread_name(w, before->second);
}

// is_narrow: only the scope of one of the two is wrong.
static void race(Worker &w, const char *verb, uintptr_t address, const char *other, Relation how,
                 const Mark &m, uintptr_t pc, const Lane &lane, Space space, bool is_narrow)
{
    std::string what = verb + (" " + name_of(w, address, space)),
                who = other_thread(w, how, m, epoch_of(w, space, m.epoch), lane, address);

    if (is_narrow)
        what = "scope too narrow: " + what + ", which another " +
               (how == OTHER_BLOCK ? "block " : "thread ") + other +
               " in this launch: a race, because the scope of one of the two excludes the other "
               "thread. Between blocks, use that of the device (atomicAdd, .gpu), not that of the "
               "block (atomicAdd_block, .cta)";
    else if (how == OTHER_BLOCK)
        what = "race between blocks: " + what + ", which another block " + other +
               remedy(w, epoch_of(w, space, m.epoch), m.thread, lane, strcmp(verb, "read of") == 0);
    else if (how == SAME_WARP)
        what = "race within a warp: " + what +
               " with no __syncthreads or __syncwarp after the other access";
    else
        what = "race: " + what + " with no __syncthreads after the other access";
    report({ what, pc, std::string(other) + " here" + (how == OTHER_BLOCK ? ", " : " ") + who,
             pc_of(m), where(w, lane) });
}

static void race(const Access &a, const Mark &m, const char *other, Relation how,
                 bool is_narrow = false)
{
    const char *verb = a.atomic ? "atomic on" : a.writes ? "write of" : "read of";

    if (!is_known(a.w, how, m, a.pc))
        race(a.w, verb, a.address, other, how, m, a.pc, *a.lane, a.space, is_narrow);
}

// Accesses that threads synchronize with: atomics and volatile accesses. In shared memory, a
// volatile store is one of these only after a fence. Otherwise it is assumed to be legacy code that
// uses volatile instead of __syncwarp.
static bool is_strong(const Mark &m, bool atomic, bool writes, Space space)
{
    return m.strength && (atomic || !writes || m.is_release || space == GLOBAL);
}

static bool both_strong(const Access &a, const Mark &m, bool atomic, bool writes)
{
    return is_strong(a.mark, a.atomic, a.writes, a.space) && is_strong(m, atomic, writes, a.space);
}

// Do two accesses that are strong reach each other's block?
static bool reach_each_other(const Access &a, const Mark &m)
{
    unsigned least = std::min(a.mark.strength, m.strength);

    return least == EVERYWHERE ||
           least >= needed_strength(*a.w.launch, epoch_of(a.w, a.space, m.epoch).block,
                                    (uint32_t)a.w.block_linear);
}

static bool may_meet(const Access &a, const Mark &m, bool atomic, bool writes)
{
    return both_strong(a, m, atomic, writes) && reach_each_other(a, m);
}

static void check_last_store(Access &a, Mark &m)
{
    Relation how = relation(a, m);

    if (how == ORDERED) {
        // ordered with the last store, but perhaps not with equal stores before it
        const Epoch &e = epoch_of(a.w, a.space, m.epoch);
        bool own = e.block == (uint32_t)a.w.block_linear;

        if (own && m.several_threads && e.interval == a.w.shared.interval)
            how = SAME_BLOCK;
        else if (own && m.several_blocks)
            how = OTHER_BLOCK;
        else
            return;
    }
    if (may_meet(a, m, false, true))
        return;
    if (!a.writes || a.atomic)
        return race(a, m, stored(how), how, both_strong(a, m, false, true));
    if (how != OTHER_BLOCK && m.thread != a.lane->id)
        a.w.order.also_stored[a.address] = m.thread;
    a.mark.several_threads |= how != OTHER_BLOCK;
    a.mark.several_blocks |= how == OTHER_BLOCK || m.several_blocks;
    a.w.order.doubts.push_back({ a.address, 1u << a.page->shift(),
                                 a.page->values ? a.page->values[a.cell] : 0, m, a.index,
                                 a.lane->id, a.space, how, a.pc, both_strong(a, m, false, true) });
}

// The bytes of a cell among those that lane i of the request has stored.
static uint32_t stored_in(const Stored &s, const Request &r, unsigned i, uintptr_t address,
                          unsigned bytes)
{
    uint32_t value = 0;

    memcpy(&value, s.value[i] + (address - r.address[i]), bytes);
    return value;
}

static LateValue value_of(const Access &a)
{
    return { a.page, a.cell,
             stored_in(a.w.order.stored, a.r, a.index, a.address, 1u << a.page->shift()) };
}

static void keep_value(const LateValue &v)
{
    uint32_t *&values = v.page->values;

    if (values || (values = new_plane<uint32_t>(v.page->finer)))
        values[v.cell] = v.value;
}

static void check_reads(const Access &a, const Mark &m)
{
    Relation how = relation(a, m);

    if (how == ORDERED || may_meet(a, m, false, false))
        return;
    if (a.mark.only_cas)
        return note(pc_of(m), "plain read of a word that other threads change by atomicCAS: it may "
                              "return a stale value");
    race(a, m, "read", how, both_strong(a, m, false, false));
}

// A thread whose own atomic was the last one may store after it, as a last block that resets its
// ticket. So may a thread that has acquired after the atomic: it has observed the atomic's value
// (PTX ISA, "Causality Order").
static void check_atomics(const Access &a, const Mark &m, const Mark &last)
{
    Relation how = relation(a, m);

    if (how == ORDERED || may_meet(a, m, true, true) ||
        (how == OTHER_BLOCK && a.writes && relation(a, last) == ORDERED) ||
        (how == OTHER_BLOCK &&
         has_observed(a.w, a.warp, *a.lane, a.address, epoch_of(a.w, a.space, m.epoch).block)))
        return;
    if (!a.writes && m.only_cas)
        return note(a.pc, "plain read of a word that other threads change by atomicCAS: it may "
                          "return a stale value");
    race(a, m, how == OTHER_BLOCK ? "changed by an atomic" : "written", how,
         both_strong(a, m, true, true));
}

// Atomics on one word do not race with each other, except if the scope of one of them excludes the
// other thread (PTX ISA, "Morally strong operations"). That is not reported if the thread has
// waited for a flag which the other one has set after a fence: then, at most a fence is missing.
static void check_scopes(const Access &a, const Mark &m)
{
    if (reach_each_other(a, m))
        return;
    Relation how = relation(a, m);
    if (how != ORDERED &&
        !is_signaled(a.w, *a.lane, a.address, epoch_of(a.w, a.space, m.epoch), m.thread))
        race(a, m, how == OTHER_BLOCK ? "changed by an atomic" : "written", how, true);
}

// Keeps the first access that nothing orders before the later ones, and the last access. With a
// last one, the first is replaced by it, so that the last is always the last in time.
static void remember(const Access &a, Plane plane)
{
    Mark *&first = a.page->marks[plane], *&last = a.page->marks[plane + 1];

    if (!first && !(first = new_plane<Mark>(a.page->finer)))
        return;
    Mark &m = first[a.cell];
    if (m.epoch < a.first) {
        m = a.mark;
        return;
    }
    // Skips the search in two cases: within one epoch only fences may order accesses, and if the
    // last mark is of this epoch, the first was not ordered before it.
    if ((m.epoch == a.mark.epoch && m.thread == a.mark.thread) ||
        (m.epoch != a.mark.epoch && !(last && last[a.cell].epoch == a.mark.epoch) &&
         relation(a, m) == ORDERED)) {
        m = last && last[a.cell].epoch >= a.first ? std::exchange(last[a.cell], a.mark) : a.mark;
        return;
    }
    if (!last && !(last = new_plane<Mark>(a.page->finer)))
        return;
    Mark mark = a.mark;
    mark.only_cas &= m.only_cas && (last[a.cell].epoch < a.first || last[a.cell].only_cas);
    last[a.cell] = mark;
}

static Mark *live(const Access &a, Plane plane)
{
    Mark *marks = a.page->marks[plane];

    return marks && marks[a.cell].epoch >= a.first ? &marks[a.cell] : nullptr;
}

static void touch(Access &a)
{
    Mark before = a.mark;

    if (a.texture) {
        if (Mark *m = live(a, WRITE))
            report(
                { "read through a texture of memory that this launch stored: the texture cache "
                  "is not coherent with stores",
                  a.pc,
                  "stored here, by block " + std::to_string(epoch_of(a.w, GLOBAL, m->epoch).block),
                  pc_of(*m), where(a.w, *a.lane) });
        return remember(a, READ);
    }
    if (Mark *m = live(a, WRITE))
        check_last_store(a, *m);
    if (a.atomic) {
        for (Plane plane : { ATOMIC, ATOMIC_LAST })
            if (Mark *m = live(a, plane))
                check_scopes(a, *m);
    } else {
        Mark *m = live(a, ATOMIC), *last = live(a, ATOMIC_LAST);

        if (m)
            check_atomics(a, *m, last ? *last : *m);
        if (last)
            check_atomics(a, *last, *last);
    }
    if (!a.writes)
        return remember(a, READ);
    for (Plane plane : { READ, READ_LAST })
        if (Mark *m = live(a, plane))
            check_reads(a, *m);
    if (a.atomic)
        return remember(a, ATOMIC);
    Mark *&marks = a.page->marks[WRITE];
    if (marks || (marks = new_plane<Mark>(a.page->finer)))
        marks[a.cell] = a.mark;
    if (a.w.order.stored.known >> a.index & 1)
        a.w.order.late_values.push_back(value_of(a));
    a.mark = before;
}

// Calls visit() for each cell of lane i's access.
template <class F> static void each_cell(Access &a, unsigned i, F visit)
{
    size_t size = a.r.size, done = 0;

    a.index = i;
    a.lane = &a.warp.lane[a.r.lane[i]];
    a.mark.thread = a.lane->id;
    while (done < size) {
        uintptr_t address = a.r.address[i] + done;
        size_t offset;
        a.page = page_at(a.w, address, a.space, &offset);
        if (!a.page)
            return;
        if (a.page->lane_bytes)
            expand(*a.page, oldest_epoch(a.w));
        a.page->launch = a.first;
        size_t end = std::min(PAGE_BYTES, offset + size - done);
        unsigned finer = size % 2 || offset % 2 ? 2 : size % 4 || offset % 4 ? 1 : 0;

        if (finer > a.page->finer)
            refine(*a.page, finer);
        unsigned shift = a.page->shift();
        for (a.cell = offset >> shift; a.cell << shift < end; a.cell++) {
            a.address = address - offset + (a.cell << shift);
            visit();
        }
        done += end - offset;
    }
}

namespace {

// How a request is ordered with an epoch that is not its own. unordered: of another block, and no
// fences order anything. earlier: of this block, before a barrier.
enum class Judged { unordered, earlier, other };

bool has_acquired(const Worker &w)
{
    return !(w.order.block_known.empty() && w.order.known.empty());
}

__attribute__((noinline)) Judged judge(const Access &a, uint32_t id)
{
    const Epoch &e = epoch_of(a.w, a.space, id);

    if (e.block != (uint32_t)a.w.block_linear)
        return has_acquired(a.w) || a.w.cluster ? Judged::other : Judged::unordered;
    return e.interval != a.w.shared.interval ? Judged::earlier : Judged::other;
}

// Marks plain accesses in the common cases, as touch() does. It remembers what it has found out for
// the lane before, and has copies of what it needs: the compiler must assume that a store to a mark
// changes any other object.
class Marker {
    const Access &a;
    const uintptr_t start;   // of the pages' memory
    Page *const pages;
    const size_t bytes;
    const uint32_t first, own;   // first live epoch; epoch of this access
    const bool writes;
    const unsigned size;
    const uint32_t known;
    const unsigned char (*const value)[16];
    const Mark warp_mark;            // of the warp's first lane
    size_t page = SIZE_MAX;          // the page whose planes these are
    unsigned shift = 0, cells = 0;   // of the page; of an access to it
    Mark *write = nullptr, *read = nullptr, *last = nullptr, *atomic = nullptr;
    uint32_t *values = nullptr;
    uint32_t epoch = 0;   // the epoch that was judged last
    Judged judged = Judged::other;

    bool is_live(const Mark &m) const { return m.epoch >= first; }

    // Finds the planes of a page. False: its marks are of more bytes than the access has, or its
    // first plane for this access is missing.
    bool find(size_t number)
    {
        page = SIZE_MAX;
        if (number >= bytes / PAGE_BYTES)
            return false;
        Page &p = pages[number];
        if (p.lane_bytes)
            expand(p, oldest_epoch(a.w));
        shift = p.shift();
        cells = size >> shift;
        if (!cells || !p.marks[writes ? WRITE : READ] || (writes && !p.values))
            return false;
        write = p.marks[WRITE];
        read = p.marks[READ];
        atomic = p.marks[ATOMIC];
        last = p.marks[READ_LAST];
        values = p.values;
        p.launch = first;
        page = number;
        return true;
    }

    void judge_again(uint32_t id)
    {
        if (id != epoch)
            judged = judge(a, id);
        epoch = id;
    }

    bool is_live_at(const Mark *plane, size_t c) const { return plane && is_live(plane[c]); }

    // Marks a read of a cell that was read before, as remember() does. False: it has done nothing.
    bool read_again(size_t c, const Mark &mark)
    {
        Mark m = read[c];

        if (m.epoch == own) {
            if (m.thread == mark.thread)
                read[c] = last && is_live(last[c]) ? std::exchange(last[c], mark) : mark;
            else if (last)
                last[c] = mark;
            else
                return false;
            return true;
        }
        if (!last)
            return false;
        if (last[c].epoch != own) {
            judge_again(m.epoch);
            if (judged == Judged::other)
                return false;
            if (judged == Judged::earlier) {
                read[c] = is_live(last[c]) ? std::exchange(last[c], mark) : mark;
                return true;
            }
        }
        last[c] = mark;
        return true;
    }

    // A mark as a number, to which one thread more adds NEXT_THREAD.
    typedef uint64_t __attribute__((may_alias)) Raw;
    static constexpr Raw NEXT_THREAD = 1ull << 32;

    // Are these marks equal, but for their threads, which are in order?
    static bool is_even(const Raw *marks)
    {
        Raw differ = 0;

        for (unsigned k = 1; k < GROUP; k++)
            differ |= marks[k] ^ (marks[0] + k * NEXT_THREAD);
        return !differ;
    }

    static void put(Raw *marks, Raw mark)
    {
        for (unsigned k = 0; k < GROUP; k++)
            marks[k] = mark + k * NEXT_THREAD;
    }

    bool has_live(const Mark *plane, size_t c) const
    {
        uint32_t most = 0;

        for (unsigned k = 0; plane && k < GROUP; k++)
            most = std::max(most, plane[c + k].epoch);
        return most >= first;
    }

    // Marks reads of one word each by GROUP lanes, from cell c on, as read_cell() would do. False:
    // the cells differ, or are not easy, and it has done nothing.
    bool read_row(size_t c, const Mark &mark)
    {
        Raw *const reads = (Raw *)(read + c), *const lasts = last ? (Raw *)(last + c) : nullptr;
        const Mark before = read[c], later = last ? last[c] : Mark{};
        Raw raw;

        memcpy(&raw, &mark, sizeof raw);
        if (has_live(write, c) || has_live(atomic, c) || !is_even(reads) ||
            (lasts && !is_even(lasts)))
            return false;
        if (!is_live(before)) {
            put(reads, raw);
            return true;
        }
        bool replaces = before.epoch == own && before.thread == mark.thread;
        if (!replaces && !lasts)
            return false;
        if (before.epoch != own && later.epoch != own) {
            judge_again(before.epoch);
            if (judged == Judged::other)
                return false;
            replaces = judged == Judged::earlier;
        }
        if (replaces && is_live(later))
            memcpy(reads, lasts, GROUP * sizeof *reads);
        else if (replaces)
            put(reads, raw);
        if (!replaces || is_live(later))
            put(lasts, raw);
        return true;
    }

    __attribute__((always_inline)) bool read_cell(size_t c, const Mark &mark)
    {
        if (is_live_at(write, c) || is_live_at(atomic, c))
            return false;
        if (is_live(read[c]))
            return read_again(c, mark);
        read[c] = mark;
        return true;
    }

    __attribute__((always_inline)) bool write_cells(size_t c, unsigned n, const Mark &mark,
                                                    const unsigned char *stored)
    {
        for (unsigned k = 0; k < n; k++)
            if (is_live(write[c + k]) || is_live_at(read, c + k) || is_live_at(atomic, c + k))
                return false;
        for (unsigned k = 0; k < n; k++)
            write[c + k] = mark;
        if (shift == 2)
            memcpy(values + c, stored, n * 4);
        else
            for (unsigned k = 0; k < n; k++) {
                values[c + k] = 0;
                memcpy(values + c + k, stored + (k << shift), 1u << shift);
            }
        return true;
    }

    // one: accesses have 4 bytes. Marks every step-th lane of [i, end).
    template <bool is_write, bool one>
    __attribute__((always_inline)) unsigned mark_all(const Request &r, unsigned i, unsigned end,
                                                     unsigned step = 1)
    {
        for (; i < end; i += step) {
            size_t from_start = r.address[i] - start, number = from_start / PAGE_BYTES;

            if (number != page && !find(number))
                return i;
            size_t c = from_start % PAGE_BYTES >> (one ? 2 : shift);
            Mark mark = warp_mark;
            mark.thread += r.lane[i];
            if (one && shift != 2)
                return i;
            if (is_write) {
                if (!(known >> i & 1) || !write_cells(c, one ? 1 : cells, mark, value[i]))
                    return i;
                continue;
            }
            for (unsigned k = 0; k < (one ? 1 : cells); k++)
                if (!read_cell(c + k, mark))
                    return i;
        }
        return end;
    }

    // Marks reads of one word each by groups of lanes.
    unsigned mark_groups(const Request &r)
    {
        for (unsigned i = 0, end; i < WARP; i = end) {
            size_t from_start = r.address[i] - start, number = from_start / PAGE_BYTES,
                   c = from_start % PAGE_BYTES / 4;
            Pattern pattern = r.pattern[i / GROUP];
            Mark mark = warp_mark;

            mark.thread += i;
            end = i + GROUP;
            if (pattern == Pattern::row && c + GROUP <= PAGE_BYTES / 4 &&
                (number == page || find(number)) && shift == 2 && read_row(c, mark))
                continue;
            while (pattern == Pattern::same && end < WARP && r.address[end] == r.address[i] &&
                   r.pattern[end / GROUP] == Pattern::same)
                end += GROUP;
            // Of lanes that read one word, the first and the last remain.
            unsigned step = pattern == Pattern::same ? end - i - 1 : 1,
                     marked = mark_all<false, true>(r, i, end, step);
            if (marked < end)
                return marked;
        }
        return WARP;
    }

  public:
    Marker(const Access &access, Page *first_page, uintptr_t from, size_t size_of_all)
        : a(access), start(from), pages(first_page), bytes(size_of_all), first(access.first),
          own(access.mark.epoch), writes(access.writes), size(access.r.size),
          known(access.w.order.stored.known), value(access.w.order.stored.value),
          warp_mark(of_warp(access))
    {
    }

    static Mark of_warp(const Access &access)
    {
        Mark mark = access.mark;

        mark.thread = access.warp.index * WARP;
        return mark;
    }

    // The planes may have changed.
    void forget() { page = SIZE_MAX; }

    // Marks the accesses from the i-th on. Returns the first that touch() must mark, or the number
    // of all. It marks cells before a difficult one again, which changes nothing.
    unsigned mark(const Request &r, unsigned i)
    {
        if (size == 4 && i == 0) {
            if (writes)
                return mark_all<true, true>(r, i, r.lanes);
            return r.lanes == WARP ? mark_groups(r) : mark_all<false, true>(r, i, r.lanes);
        }
        return writes ? mark_all<true, false>(r, i, r.lanes)
                      : mark_all<false, false>(r, i, r.lanes);
    }
};

// Locks all pages of global memory that a request touches.
class PageLocks {
    uint16_t indices[2 * WARP];
    unsigned count = 0;

    // The next address. Those between the first and the last one of a group with a pattern are on
    // the pages of these.
    static unsigned next(const Request &r, unsigned i)
    {
        bool is_first = i % GROUP == 0 && r.pattern[i / GROUP] != Pattern::any;

        return i + (is_first ? GROUP - 1 : 1);
    }

  public:
    explicit PageLocks(const Request &r)
    {
        uintptr_t differ = 0;   // bits in which any addresses differ

        for (unsigned i = 0; i < r.lanes; i = next(r, i))
            differ |= (r.address[i] ^ r.address[0]) | ((r.address[i] + r.size - 1) ^ r.address[0]);
        if (differ < PAGE_BYTES) {   // one page, as usual
            indices[count++] = r.address[0] / PAGE_BYTES % LOCKS;
            lock();
            return;
        }
        bool is_rising = true;
        auto add = [&](uintptr_t address) {
            uint16_t index = address / PAGE_BYTES % LOCKS;
            if (count && indices[count - 1] == index)
                return;
            is_rising &= !count || index > indices[count - 1];
            indices[count++] = index;
        };
        for (unsigned i = 0; i < r.lanes; i = next(r, i)) {
            add(r.address[i]);
            if (r.address[i] % PAGE_BYTES + r.size > PAGE_BYTES)
                add(r.address[i] + r.size - 1);
        }
        if (!is_rising) {
            std::sort(indices, indices + count);
            count = (unsigned)(std::unique(indices, indices + count) - indices);
        }
        lock();
    }
    ~PageLocks() { unlock(); }
    void lock()
    {
        for (unsigned i = 0; i < count; i++)
            while (locks[indices[i]].flag.test_and_set(std::memory_order_acquire))
                sched_yield();
    }
    void unlock()
    {
        for (unsigned i = 0; i < count; i++)
            locks[indices[i]].flag.clear(std::memory_order_release);
    }
};

}   // namespace

// Index + 1 of another block that is storing to a word of this request; 0 if there is none. Its
// store must finish before values are compared.
static uint64_t storing_block(Access &a)
{
    uint64_t found = 0;

    for (unsigned i = 0; i < a.r.lanes && !found; i++)
        each_cell(a, i, [&] {
            Mark *m = live(a, WRITE);
            uint32_t block = m && !found ? epoch_of(a.w, GLOBAL, m->epoch).block : 0;

            if (m && !found && block != (uint32_t)a.w.block_linear && is_storing(block))
                found = block + 1;
        });
    return found;
}

static void wait_for_stores(Access &a, PageLocks &locks)
{
    for (int i = 0; i < 10000 && workers_storing.load() && storing_block(a); i++) {
        struct timespec pause = { 0, i < 100 ? 1000 : 100000 };

        locks.unlock();
        nanosleep(&pause, nullptr);
        locks.lock();
    }
}

// Atomics and volatile accesses may order other accesses.
static void release_and_poll(Access &a, const Request &r, Scope scope)
{
    uint64_t created = epoch_of(a.w, a.space, a.mark.epoch).created;

    for (unsigned i = 0; i < r.lanes; i++) {
        const Lane &lane = a.warp.lane[r.lane[i]];

        if (a.writes && release(a.w, a.warp, lane, r.address[i], scope, created))
            a.w.launch->has_released.store(true, std::memory_order_relaxed);
        if (!a.writes || a.atomic)
            poll(a.w, lane, r.address[i], scope);
    }
}

// The lanes that store to the same address as another one, found by a hash table of addresses. Bit
// i stands for the i-th address.
static uint32_t at_one_address(const Request &r)
{
    uint8_t slots[2 * WARP] = {};   // i + 1; 0: free
    unsigned rising = 1;
    uint32_t found = 0;

    while (rising < r.lanes && r.address[rising] > r.address[rising - 1])
        rising++;
    for (unsigned i = 0; rising < r.lanes && i < r.lanes; i++) {
        size_t s = (r.address[i] * 0x9E3779B97F4A7C15u) >> 58;

        while (slots[s] && r.address[slots[s] - 1] != r.address[i])
            s = (s + 1) % (2 * WARP);
        if (slots[s])
            found |= 1u << i | 1u << (slots[s] - 1);
        slots[s] = i + 1;
    }
    return found;
}

// Different values of lanes of one store are legal (one remains), so this is a note.
static void compare_stored(const Stored &s)
{
    const Request &r = s.request;

    for (unsigned left = s.same_address; left; left &= left - 1) {
        unsigned i = __builtin_ctz(left);

        for (unsigned others = left & (left - 1); others; others &= others - 1) {
            unsigned k = __builtin_ctz(others);
            if (r.address[i] == r.address[k] && memcmp(s.value[i], s.value[k], r.size) != 0)
                return note(s.pc, "lanes of a warp store different values to one word: which one "
                                  "remains is undefined");
        }
    }
}

// After all lanes of a request were checked: keeps what stores have stored, for later ones; and the
// request, if values are to be compared when all are known.
static void keep_stores(const Access &a)
{
    Worker &w = a.w;
    uint32_t all = (uint32_t)((1ull << a.r.lanes) - 1);

    for (const LateValue &v : w.order.late_values)
        keep_value(v);
    w.order.late_values.clear();
    if (!a.writes || a.atomic ||
        !(w.order.stored.same_address || !w.order.doubts.empty() || (all & ~w.order.stored.known)))
        return;
    w.order.stored.request = a.r;
    if (w.order.stored.value != w.order.stored.own)   // the log, which lanes that resume overwrite
        memcpy(w.order.stored.own, w.order.stored.value, sizeof w.order.stored.own);
    w.order.stored.value = w.order.stored.own;
}

// The lines of global memory that lanes of a whole warp access in their order, each a word or a
// vector; 0: the request is another one.
static unsigned lines_of(const Request &r)
{
    if (r.lanes != WARP || r.size < 4 || r.address[0] % LINE_BYTES ||
        r.address[0] - heap_start >= heap_page_count * PAGE_BYTES)
        return 0;
    for (unsigned g = 0; g < WARP / GROUP; g++)
        if (r.pattern[g] != Pattern::row ||
            r.address[g * GROUP] != r.address[0] + r.size * GROUP * g)
            return 0;
    return r.size * WARP / LINE_BYTES;
}

// Marks a read of a whole line, as remember() does for a word. False: remember() has to decide.
static bool mark_read(const Access &a, const Mark &mark, Mark &read, Mark &last, bool applies)
{
    bool is_first = !read.epoch, replaces = read.epoch == mark.epoch && read.thread == mark.thread;

    if (!is_first && read.epoch != mark.epoch && last.epoch != mark.epoch) {
        Judged judged = judge(a, read.epoch);

        if (judged == Judged::other)
            return false;
        replaces = judged == Judged::earlier;
    }
    if (!applies)
        return true;
    if (is_first || (replaces && !last.epoch))
        read = mark;
    else {
        if (replaces)
            read = last;
        last = mark;
    }
    return true;
}

// Marks an access to the line at the address of the i-th lane, and those after it, if that is
// possible: if only the same threads have stored to it in this launch, in the same epoch, if they
// alone have read it or only read it now, and if the page was accessed only in this way.
static bool mark_line(const Access &a, unsigned i, bool applies)
{
    size_t from_start = a.r.address[i] - heap_start, l = from_start % PAGE_BYTES / LINE_BYTES;
    Page &p = heap_pages[from_start / PAGE_BYTES];
    Mark mark = a.mark, &write = p.line[WRITE][l], &read = p.line[READ][l],
         &last = p.line[READ_LAST][l];

    mark.thread = a.warp.index * WARP + i;
    if (p.launch != a.first) {
        if (p.lane_bytes && p.launch >= oldest_epoch(a.w))   // of the launch before
            return false;
        memset(p.line, 0, sizeof p.line);
        p.lane_bytes = p.finer ? 0 : a.r.size;
        p.launch = a.first;
    }
    auto is_own = [&](const Mark &m) {
        return !m.epoch || (m.epoch == mark.epoch && m.thread == mark.thread);
    };
    if (p.lane_bytes != a.r.size || !is_own(write))
        return false;
    if (!a.writes)
        return mark_read(a, mark, read, last, applies);
    if (!is_own(read) || !is_own(last) || (!p.values && !(p.values = new_plane<uint32_t>(p.finer))))
        return false;
    if (!applies)
        return true;
    write = mark;
    for (unsigned at = 0; at < LINE_BYTES; at += a.r.size)
        memcpy((char *)(p.values + l * WARP) + at, a.w.order.stored.value[i++], a.r.size);
    return true;
}

// Marks a plain access to lines by one mark each. False: it has done nothing.
static bool mark_lines(const Access &a)
{
    unsigned lines = lines_of(a.r), lanes = lines ? WARP / lines : 0;   // of each line

    if (!lines || (a.writes && ~a.w.order.stored.known))
        return false;
    for (unsigned i = 0; lines > 1 && i < WARP; i += lanes)
        if (!mark_line(a, i, false))
            return false;
    for (unsigned i = 0; i < WARP; i += lanes)
        if (!mark_line(a, i, true))
            return false;
    return true;
}

void race_check(Worker &w, const Warp &of_lanes, const Request &r, int kind, const Stop &head)
{
    Warp &warp = w.warps[of_lanes.index];
    bool atomic = kind == EMU_ATOMIC, writes = atomic || kind == EMU_ST || kind == EMU_SHARED_ST;

    if (!r.lanes)
        return;
    Space space = in_shared(w, r.address[0]) ? SHARED : GLOBAL;
    Access a = {
        w,  warp, r,       space,   writes, atomic, kind == EMU_TEX, head.pc, first_epoch(w, space),
        {}, 0,    nullptr, nullptr, 0,      0
    };
    bool is_volatile = head.is_volatile && head.state == State::memory;

    a.mark.epoch = current_epoch(w, warp, space);
    a.mark.place = place_of(head.pc);
    a.mark.strength = atomic || is_volatile ? strength_of(head.scope) : WEAK;
    a.mark.only_cas = atomic && head.atomic == Atomic::swap;
    if (atomic || is_volatile)
        release_and_poll(a, r, head.scope);
    for (unsigned i = 0; atomic && space == GLOBAL && i < r.lanes; i++)
        warp.lane[r.lane[i]].atomic_epoch = a.mark.epoch;
    if (writes && !atomic) {
        w.order.stored.pc = head.pc;
        w.order.stored.same_address = head.state == State::memory ? at_one_address(r) : 0;
    }
    bool is_plain = !atomic && !is_volatile && !a.texture;
    bool is_shared = space == SHARED;
    Page *pages = is_shared ? w.shared.pages.data() : heap_pages;
    size_t start = is_shared ? (uintptr_t)w.arena : heap_start;
    size_t bytes = PAGE_BYTES * (is_shared ? w.shared.pages.size() : heap_page_count);
    auto touch_all = [&] {
        Marker marker(a, pages, start, pages ? bytes : 0);

        for (unsigned i = 0; i < r.lanes; i++) {
            if (is_plain && (i = marker.mark(r, i)) == r.lanes)
                break;
            marker.forget();
            a.mark.is_release =
                is_volatile && writes && (head.is_atomic || has_fenced(w, warp.lane[r.lane[i]]));
            each_cell(a, i, [&] { touch(a); });
        }
    };
    if (space == SHARED) {
        touch_all();
        return keep_stores(a);
    }
    PageLocks locks(r);
    if (writes && !atomic) {
        wait_for_stores(a, locks);
        if (~w.order.stored.known & (uint32_t)((1ull << r.lanes) - 1)) {
            workers_storing++;
            w.order.storing.store(w.block_linear + 1, std::memory_order_relaxed);
        }
    }
    if (!is_plain || !mark_lines(a))
        touch_all();
    keep_stores(a);
}

void races_prefetch(uintptr_t address, bool second)
{
    size_t offset = address - heap_start;
    const Page *p = heap_pages ? &heap_pages[offset / PAGE_BYTES] : nullptr;

    if (offset >= heap_page_count * PAGE_BYTES)
        return;
    if (!second)
        return __builtin_prefetch(p);
    size_t cell = offset % PAGE_BYTES >> p->shift();
    if (p->lane_bytes)
        __builtin_prefetch(&p->line[WRITE], 1), __builtin_prefetch(&p->line[READ], 1);
    for (Plane plane : { WRITE, READ, READ_LAST })
        if (p->marks[plane])
            __builtin_prefetch(&p->marks[plane][cell], 1);
    if (p->values)
        __builtin_prefetch(&p->values[cell], 1);
}

static std::atomic_flag &lock_of(uintptr_t address)
{
    return locks[address / PAGE_BYTES % LOCKS].flag;
}

void races_begin_atomic(Worker &w, uintptr_t address)
{
    if (in_shared(w, address) || in_cluster(w, address))   // of one thread of the system
        return;
    while (lock_of(address).test_and_set(std::memory_order_acquire))
        sched_yield();
}

void races_end_atomic(Worker &w, uintptr_t address, unsigned size, uintptr_t pc)
{
    if (in_shared(w, address) || in_cluster(w, address))
        return;
    const Lane &lane = *w.current;
    Request r;
    r.lanes = 1;
    r.size = size;
    r.address[0] = address;
    r.lane[0] = (uint8_t)(lane.id % WARP);
    Access a = { w,  w.warps[lane.id / WARP], r,  GLOBAL, true,    true,    false,
                 pc, first_epoch(w, GLOBAL),  {}, 0,      nullptr, nullptr, 0,
                 0 };

    a.mark.epoch = lane.atomic_epoch;
    a.mark.place = place_of(pc);
    a.mark.strength = strength_of(lane.scope);
    each_cell(a, 0, [&] {
        if (Mark *last = live(a, ATOMIC_LAST)) {
            a.mark.only_cas = last->only_cas;
            *last = a.mark;
        }
    });
    lock_of(address).clear(std::memory_order_release);
}

// What an earlier launch has left that was stopped.
void races_begin_worker(Worker &w)
{
    w.order.doubts.clear();
    w.order.stored.request.lanes = 0;
    if (w.order.storing.exchange(0))
        workers_storing--;
}

// Reads what the lanes have stored that had not logged it.
static void read_stored(Worker &w)
{
    Stored &s = w.order.stored;
    const Request &r = s.request;
    Space space = in_shared(w, r.address[0]) ? SHARED : GLOBAL;
    uint32_t unknown = ~s.known & (uint32_t)((1ull << r.lanes) - 1);
    Access a = { w,  w.warps[0], r,       space,   true, false, false, 0, first_epoch(w, space),
                 {}, 0,          nullptr, nullptr, 0,    0 };

    if (!unknown)
        return;
    std::unique_ptr<PageLocks> locks(space == GLOBAL ? new PageLocks(r) : nullptr);
    for (; unknown; unknown &= unknown - 1) {
        unsigned i = __builtin_ctz(unknown);

        memcpy(s.value[i], (const void *)r.address[i], r.size);
        each_cell(a, i, [&] { keep_value(value_of(a)); });
    }
}

void stores_are_done(Worker &w)
{
    Stored &s = w.order.stored;

    if (!s.request.lanes)
        return;
    read_stored(w);
    if (s.same_address)
        compare_stored(s);
    for (const Doubt &d : w.order.doubts)
        if (stored_in(s, s.request, d.index, d.address, d.bytes) == d.before)
            note(d.pc, "several threads store the same value to one word");
        else if (!is_known(w, (Relation)d.relation, d.mark, d.pc))
            race(w, "write of", d.address, stored((Relation)d.relation), (Relation)d.relation,
                 d.mark, d.pc, w.lanes[d.lane], d.space, d.is_narrow);
    w.order.doubts.clear();
    s.request.lanes = 0;
    if (w.order.storing.exchange(0, std::memory_order_release))
        workers_storing--;
}

void race_copy_arrives(Worker &w, const Lane &lane, size_t offset, unsigned bytes)
{
    Page &p = w.shared.pages[offset / PAGE_BYTES];
    Mark *marks = p.marks[WRITE];

    for (size_t i = offset % PAGE_BYTES >> p.shift();
         marks && i << p.shift() < offset % PAGE_BYTES + bytes; i++) {
        marks[i].epoch = current_epoch(w, w.warps[lane.id / WARP], SHARED);
        marks[i].thread = lane.id;
    }
}

static void add_use(std::vector<Interval> &all, uintptr_t start, size_t bytes, const Mark &m)
{
    constexpr size_t MANY = 1 << 16;   // intervals with different call sites
    uintptr_t pc = pc_of(m);

    if (!all.empty() && all.back().end == start && (all.back().pc == pc || all.size() > MANY))
        all.back().end += bytes;
    else
        all.push_back({ start, start + bytes, pc });
}

static void collect_cell(const Page &p, size_t cell, uintptr_t start,
                         std::vector<Interval> used[USES])
{
    const Mark *by_use[USES] = {};

    for (unsigned plane = 0; plane < PLANES; plane++) {
        const Mark *m = p.marks[plane] ? &p.marks[plane][cell] : nullptr;

        if (!m || m->epoch < p.launch)
            continue;
        Use use = plane >= ATOMIC || m->strength ? ATOMICS : plane == WRITE ? WRITES : READS;
        if (!by_use[use])
            by_use[use] = m;
    }
    for (unsigned use = 0; use < USES; use++)
        if (by_use[use])
            add_use(used[use], start, 1u << p.shift(), *by_use[use]);
}

static void collect_lines(const Page &p, uintptr_t start, std::vector<Interval> used[USES])
{
    for (size_t l = 0; l < LINES; l++) {
        if (p.line[WRITE][l].epoch)
            add_use(used[WRITES], start + l * LINE_BYTES, LINE_BYTES, p.line[WRITE][l]);
        if (p.line[READ][l].epoch)
            add_use(used[READS], start + l * LINE_BYTES, LINE_BYTES, p.line[READ][l]);
    }
}

void collect_uses(uintptr_t start, size_t bytes, std::vector<Interval> used[USES])
{
    bool is_heap = in_heap(start);
    const Page *pages = is_heap ? heap_pages : image_pages;
    size_t from = is_heap ? heap_offset(start) : 0;

    for (size_t p = from / PAGE_BYTES; pages && p < (from + bytes + PAGE_BYTES - 1) / PAGE_BYTES;
         p++) {
        if (pages[p].launch == launch_epoch() && pages[p].lane_bytes) {
            collect_lines(pages[p], start - from + p * PAGE_BYTES, used);
            continue;
        }
        for (size_t cell = 0;
             pages[p].launch == launch_epoch() && cell < PAGE_BYTES >> pages[p].shift(); cell++)
            collect_cell(pages[p], cell, start - from + p * PAGE_BYTES + (cell << pages[p].shift()),
                         used);
    }
}

Mark last_store(const Worker &w, size_t offset)
{
    const Page &p = w.shared.pages[offset / PAGE_BYTES];

    return p.marks[WRITE] ? p.marks[WRITE][offset % PAGE_BYTES >> p.shift()] : Mark{};
}

std::vector<FoundMark> marks_of(Worker &w, const Request &r, bool reads, uint32_t first,
                                uint32_t end)
{
    std::vector<FoundMark> found;
    PageLocks locks(r);

    for (unsigned i = 0; i < r.lanes; i++) {
        size_t offset;
        Page *p = page_at(w, r.address[i], GLOBAL, &offset);

        if (p && p->lane_bytes)
            expand(*p, first);
        for (Plane plane : { WRITE, ATOMIC, ATOMIC_LAST, READ, READ_LAST }) {
            const Mark *marks = p ? p->marks[plane] : nullptr;
            size_t last = std::min<size_t>(offset + r.size, PAGE_BYTES) - 1;

            if (!marks || (!reads && (plane == READ || plane == READ_LAST)))
                continue;
            for (size_t c = offset >> p->shift(); c <= last >> p->shift(); c++) {
                bool is_new = found.empty() || found.back().mark.epoch != marks[c].epoch ||
                              found.back().mark.thread != marks[c].thread;

                if (marks[c].epoch >= first && marks[c].epoch < end && is_new)
                    found.push_back({ i, plane, marks[c] });
            }
        }
    }
    return found;
}

}   // namespace emu
