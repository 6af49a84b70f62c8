// Device memory: one reserved range of addresses. Every allocation starts on a new page and is
// followed by a guard page. The host accesses device memory only through copies; a direct access
// from host code is diagnosed.
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "memory.h"
#include "report/report.h"

namespace emu {

// Bytes. A quarter of it, which `written` uses, is a multiple of every system's page size.
constexpr size_t PAGE = 256 << 10;

// A kernel multiplies an index, which may have overflowed, by at most 16 bytes.
constexpr uintptr_t FARTHEST = (uintptr_t)16 << 32, OVERFLOW_FROM = 1 << 29;

// Addresses that a dry run reserves: more than any GPU has.
constexpr size_t DRY_BYTES = (size_t)1 << 40;

struct Allocation {
    uintptr_t start;
    size_t bytes;   // 0: free
    size_t pages;   // including the guard page
    Home home;
    bool is_of_kernel;     // by malloc in a kernel
    bool is_freed_there;   // by a kernel, and not yet given back
};

char *heap;   // a reserved range; only allocated parts are used
size_t heap_bytes;
// One mask per 4 bytes of the heap. Bit i: byte i was stored.
static unsigned char *written;
constexpr unsigned char ALL_BYTES = 0xf;
constexpr uint64_t ALL_ROWS = ALL_BYTES * 0x0101010101010101u;   // of GROUP lanes
static uint32_t *owner;   // per page: index in allocations + 1; 0: none
static std::vector<Allocation> allocations;
static size_t used;   // bytes allocated
static size_t used_by_kernels;
bool is_dry_run;
static bool has_freed_there;   // an allocation with is_freed_there exists
// So that the list does not move while kernels run, in which one allocates.
constexpr size_t MOST_ALLOCATIONS = 1 << 17;
static std::mutex heap_lock;

// The limit of the address space in bytes; 0: none.
static size_t address_limit()
{
    struct rlimit limit;
    bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;

    return is_limited ? (size_t)limit.rlim_cur : 0;
}

// Bytes of memory that a program may use: those of the machine, or an eighth of the limit of its
// address space, because the heap below reserves four times as much.
static size_t find_physical()
{
    size_t bytes = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGE_SIZE);

    return address_limit() ? std::min(bytes, address_limit() / 8) : bytes;
}

size_t physical()
{
    static const size_t bytes = find_physical();
    return bytes;
}

// Where device memory begins if that is free. The bank of L1 and the line that hold an element
// follow from its address, so the modeled time of a program would otherwise differ from run to run.
static void *const USUAL_HEAP = (void *)0x200000000000;

static void *reserve(size_t bytes, int protection, void *near = nullptr)
{
    void *p = mmap(near, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? nullptr : p;
}

void use_large_pages(void *start, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    uintptr_t first = ((uintptr_t)start + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE,
              end = ((uintptr_t)start + bytes) / LARGE_PAGE * LARGE_PAGE;

    if (first < end)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
#endif
}

void populate(void *start, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    madvise(start, bytes, MADV_POPULATE_WRITE);
#endif
}

// An index that has overflowed leads to the margin, and not to other memory of the process.
static bool start_heap(size_t margin)
{
    if (heap)
        return true;
    allocations.reserve(MOST_ALLOCATIONS);
    for (heap_bytes = is_dry_run ? DRY_BYTES : 4 * physical(); heap_bytes > PAGE; heap_bytes /= 2) {
        heap_bytes -= heap_bytes % PAGE;
        char *start = (char *)reserve(margin + heap_bytes, PROT_NONE, USUAL_HEAP);
        heap = start ? start + margin : nullptr;
        written = (unsigned char *)reserve(heap_bytes / 4, PROT_READ | PROT_WRITE);
        owner = (uint32_t *)reserve(heap_bytes / PAGE * sizeof *owner, PROT_READ | PROT_WRITE);
        if (heap && written && owner)
            return true;
        if (heap)
            munmap(start, margin + heap_bytes);
        if (written)
            munmap(written, heap_bytes / 4);
        if (owner)
            munmap(owner, heap_bytes / PAGE * sizeof *owner);
        heap = nullptr;
        written = nullptr;
        owner = nullptr;
        if (margin)   // as under valgrind
            return start_heap(0);
    }
    return false;
}

static size_t page_of(uintptr_t address) { return (address - (uintptr_t)heap) / PAGE; }

size_t heap_offset(uintptr_t address) { return address - (uintptr_t)heap; }

size_t heap_size() { return heap ? heap_bytes : 0; }

size_t heap_used() { return used; }

size_t heap_top()
{
    std::lock_guard<std::mutex> hold(heap_lock);

    return allocations.empty()
             ? 0
             : allocations.back().start - (uintptr_t)heap + allocations.back().pages * PAGE;
}

uint64_t hash_of(const void *data, size_t bytes, uint64_t hash)
{
    const unsigned char *p = (const unsigned char *)data;

    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t word = 0;

        memcpy(&word, p + i, std::min<size_t>(8, bytes - i));
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash;
}

uint64_t hash_of_memory()
{
    Range variables = device_variables();
    uint64_t hash = hash_of((const void *)variables.start, variables.bytes, 1);

    std::lock_guard<std::mutex> hold(heap_lock);
    for (const Allocation &a : allocations)
        hash = hash_of((const void *)a.start, a.bytes, hash);
    return hash;
}

// Returns an array's pages, which then read as zero again.
static void give_back(Allocation &a)
{
    madvise((void *)a.start, a.pages * PAGE, MADV_DONTNEED);
    madvise(written + (a.start - (uintptr_t)heap) / 4, a.pages * PAGE / 4, MADV_DONTNEED);
    races_forget(heap_offset(a.start), a.pages * PAGE);
    a.is_freed_there = a.is_of_kernel = false;
}

// What kernels have freed: other blocks may still have used it.
static void give_back_freed()
{
    if (!has_freed_there)
        return;
    for (Allocation &a : allocations)
        if (a.is_freed_there)
            give_back(a);
    has_freed_there = false;
}

// Changes the protection of the ranges between allocations that the host may access; those stay
// open.
void protect_device(bool open)
{
    int protection = open ? PROT_READ | PROT_WRITE : PROT_NONE;
    uintptr_t from = (uintptr_t)heap;
    static size_t top;       // bytes; memory above was never allocated
    static unsigned users;   // number of host threads that have the heap open
    std::lock_guard<std::mutex> hold(heap_lock);
    auto protect = [&](uintptr_t end) {
        if (end > from)
            mprotect((void *)from, end - from, protection);
    };

    users += open ? 1 : -1;
    if (!open && users > 0)
        return;   // another host thread still needs it
    for (const Allocation &a : allocations) {
        top = std::max(top, (size_t)(a.start - (uintptr_t)heap) + a.pages * PAGE);
        if (a.home == Home::device || !a.bytes)
            continue;
        protect(a.start);
        from = a.start + (a.pages - 1) * PAGE;
    }
    if (heap && top)
        protect((uintptr_t)heap + top);
    if (!open)
        give_back_freed();
}

void collect_uses_of_heap(bool all, std::vector<Interval> used[USES])
{
    std::lock_guard<std::mutex> hold(heap_lock);
    Range variables = device_variables();

    if (all && variables.bytes)
        collect_uses(variables.start, variables.bytes, used);
    for (const Allocation &a : allocations)
        if (a.bytes && (all || a.home != Home::device))
            collect_uses(a.start, a.bytes, used);
}

// Reuses the place of a freed array with the same number of pages, else takes the space after the
// last array.
// Null: there is no memory.
static Allocation *take(size_t bytes, Home home, bool is_of_kernel)
{
    bool is_too_much = bytes > physical() || used + bytes > physical() / 5 * 4;

    if ((is_too_much && !is_dry_run) || !start_heap(address_limit() ? 0 : FARTHEST))
        return nullptr;

    size_t pages = (bytes + PAGE - 1) / PAGE + 1, which = 0;

    while (which < allocations.size() &&
           !(allocations[which].bytes == 0 && allocations[which].pages == pages &&
             !allocations[which].is_freed_there))
        which++;
    if (which == allocations.size()) {
        // Kernels read the list while one of them allocates.
        while (!is_of_kernel && !allocations.empty() && allocations.back().bytes == 0) {
            std::fill_n(owner + page_of(allocations.back().start), allocations.back().pages, 0);
            allocations.pop_back();
        }
        which = allocations.size();
        // page 0 is a guard page, for accesses before the first allocation
        size_t end = which ? page_of(allocations.back().start) + allocations.back().pages : 1;
        if ((end + pages) * PAGE > heap_bytes ||
            (is_of_kernel && allocations.size() == allocations.capacity()))
            return nullptr;
        allocations.push_back({ (uintptr_t)heap + end * PAGE, 0, pages, home, false, false });
    }
    Allocation &a = allocations[which];
    a.bytes = bytes;
    a.home = home;
    a.is_of_kernel = is_of_kernel;
    used += bytes;
    std::fill_n(owner + page_of(a.start), pages, (uint32_t)which + 1);
    return &a;
}

cudaError_t allocate(void **pointer, size_t bytes, Home home)
{
    std::lock_guard<std::mutex> hold(heap_lock);

    if (!pointer)
        return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0)
        return cudaSuccess;
    const Allocation *a = take(bytes, home, false);
    if (!a)
        return cudaErrorMemoryAllocation;
    *pointer = (void *)a->start;
    use_large_pages(*pointer, bytes);
    use_large_pages(written + (a->start - (uintptr_t)heap) / 4, bytes / 4);
    if (home != Home::device) {
        mprotect(*pointer, (a->pages - 1) * PAGE, PROT_READ | PROT_WRITE);
        mark_written(a->start, bytes);
    }
    return cudaSuccess;
}

void reserve_heap()
{
    std::lock_guard<std::mutex> hold(heap_lock);
    start_heap(address_limit() ? 0 : FARTHEST);
}

void *allocate_in_kernel(size_t bytes, size_t limit)
{
    std::lock_guard<std::mutex> hold(heap_lock);
    bool fits = bytes && bytes <= limit && used_by_kernels <= limit - bytes;
    const Allocation *a = fits ? take(bytes, Home::device, true) : nullptr;

    if (!a)
        return nullptr;
    used_by_kernels += bytes;
    mprotect((void *)a->start, (a->pages - 1) * PAGE, PROT_READ | PROT_WRITE);
    return (void *)a->start;
}

std::string free_in_kernel(void *pointer)
{
    std::lock_guard<std::mutex> hold(heap_lock);
    uint32_t index = in_heap((uintptr_t)pointer) ? owner[page_of((uintptr_t)pointer)] : 0;
    Allocation *a = index ? &allocations[index - 1] : nullptr;

    if (a && a->is_freed_there)
        return "free of memory that was freed before";
    if (!a || a->start != (uintptr_t)pointer || !a->is_of_kernel)
        return "free of an address that malloc or new in a kernel has not returned";
    used -= a->bytes;
    used_by_kernels -= a->bytes;
    a->bytes = 0;
    a->is_freed_there = has_freed_there = true;
    return "";
}

static Allocation *allocation_at(void *pointer)
{
    for (Allocation &a : allocations)
        if (a.start == (uintptr_t)pointer && a.bytes)
            return &a;
    return nullptr;
}

size_t allocated_bytes(void *pointer)
{
    std::lock_guard<std::mutex> hold(heap_lock);
    const Allocation *a = allocation_at(pointer);

    return a ? a->bytes : 0;
}

cudaError_t release(void *pointer)
{
    std::lock_guard<std::mutex> hold(heap_lock);

    if (!pointer)
        return cudaSuccess;
    Allocation *a = allocation_at(pointer);
    if (!a || a->is_of_kernel)
        return cudaErrorInvalidValue;
    give_back(*a);
    if (a->home != Home::device)
        mprotect(pointer, a->pages * PAGE, PROT_NONE);
    used -= a->bytes;
    a->bytes = 0;
    return cudaSuccess;
}

// A message for an address before the next array, if it is closer to that array than to the end of
// the previous one; otherwise "".
static std::string in_front(uintptr_t address, size_t size, uintptr_t end_before)
{
    size_t next = page_of(address) + 1;

    if (next * PAGE >= heap_bytes || !owner[next])
        return "";
    const Allocation &a = allocations[owner[next] - 1];
    if (!a.bytes || a.start <= address || a.start - address > address - end_before)
        return "";
    return "out of bounds: " + std::to_string(size) + " bytes of global memory, " +
           std::to_string(a.start - address) + " bytes before an array that has " +
           std::to_string(a.bytes);
}

// The bits that the bytes [address, end) have in the mask of the word that contains `address`.
static unsigned mask_of(uintptr_t address, uintptr_t end)
{
    unsigned first = address % 4, past = (unsigned)std::min<uintptr_t>(end - address + first, 4);

    return (1u << past) - (1u << first);
}

static unsigned char &flags_of(uintptr_t address)
{
    return written[(address - (uintptr_t)heap) / 4];
}

// The first of these bytes that was not written; `end` if all were.
static uintptr_t first_unwritten(uintptr_t address, uintptr_t end)
{
    for (uintptr_t next; address < end; address = next) {
        unsigned missing = mask_of(address, end) & ~flags_of(address);

        next = (address & ~(uintptr_t)3) + 4;
        if (missing)
            return (address & ~(uintptr_t)3) + __builtin_ctz(missing);
    }
    return end;
}

// Are these bytes padding of a struct that is copied whole? Only if another byte of the struct was
// written.
static bool is_padding(const Stop *of, uintptr_t address, uintptr_t start, uintptr_t end)
{
    if (!of || of->object_bytes <= end - start)
        return false;
    uintptr_t object = address - of->object_offset;
    for (uintptr_t a = object; a < object + of->object_bytes; a++)
        if (first_unwritten(a, a + 1) > a)
            return is_padding(of->pc, of->object_bytes, start - object, end - start);
    return false;
}

Range allocation_of(uintptr_t address)
{
    uint32_t index = owner[page_of(address)];

    if (!index || !allocations[index - 1].bytes)
        return { 0, 0 };
    return { allocations[index - 1].start, allocations[index - 1].bytes };
}

bool all_written(const Request &r)
{
    unsigned all = ALL_BYTES, part = (1u << r.size) - 1;   // of a word, if the size is 1 or 2

    if (r.size < 4) {
        bool is_all = true;
        for (unsigned i = 0; i < r.lanes; i++)
            is_all &= (~flags_of(r.address[i]) >> r.address[i] % 4 & part) == 0;
        return is_all;
    }
    uint64_t rows = ALL_ROWS, row;
    for (unsigned i = 0; i < r.lanes; i++) {
        const unsigned char *flags = &flags_of(r.address[i]);
        Pattern pattern = r.pattern[i / GROUP];

        for (size_t word = 0; pattern == Pattern::row && word < r.size / 4 * GROUP; word += 8) {
            memcpy(&row, flags + word, 8);
            rows &= row;
        }
        if (pattern != Pattern::row)
            for (size_t word = 0; word < r.size / 4; word++)
                all &= flags[word];
        if (pattern != Pattern::any)
            i += GROUP - 1;
    }
    return all == ALL_BYTES && rows == ALL_ROWS;
}

std::string far_from_arrays(uintptr_t address, size_t size)
{
    std::string what = "out of bounds: " + std::to_string(size) + " bytes of global memory";
    const Allocation *nearest = nullptr;
    uintptr_t distance = FARTHEST;
    std::lock_guard<std::mutex> hold(heap_lock);

    for (const Allocation &a : allocations) {
        uintptr_t apart = address < a.start ? a.start - address : address - a.start;
        if (a.bytes && apart < distance) {
            distance = apart;
            nearest = &a;
        }
    }
    if (is_host_copy(address))   // the heap's reserved range may contain it
        return host_copy_used(address);
    if (!nearest)
        return what + " where nothing is allocated";
    bool is_before = address < nearest->start;
    return what + ", " + std::to_string(distance) +
           (is_before ? " bytes before" : " bytes after the start of") +
           " the nearest array, which has " + std::to_string(nearest->bytes) +
           (distance >= OVERFLOW_FROM ? "; does an index overflow an int?" : "");
}

std::string check_global(uintptr_t address, size_t size)
{
    if (!in_heap(address))
        return check_variable(address, size);
    uint32_t index = owner[page_of(address)];

    if (!index) {
        std::string front = in_front(address, size, 0);
        return !front.empty() ? front : far_from_arrays(address, size);
    }
    const Allocation &a = allocations[index - 1];
    if (address >= a.start + a.bytes) {
        std::string front = in_front(address, size, a.start + a.bytes);
        if (!front.empty())
            return front;
    }
    if (!a.bytes)
        return "use after free: " + std::to_string(size) + " bytes of global memory that was freed";
    if (address + size > a.start + a.bytes)
        return "out of bounds: " + std::to_string(size) + " bytes of global memory at byte " +
               std::to_string(address - a.start) + " of an array that has " +
               std::to_string(a.bytes);
    return "";
}

// The end of the bytes from `start` on that were not written, in the same word and before `end`.
static uintptr_t end_of_unwritten(uintptr_t start, uintptr_t end)
{
    end = std::min(end, (start & ~(uintptr_t)3) + 4);
    while (++start < end && first_unwritten(start, start + 1) == start)
        ;
    return start;
}

std::string check_written(uintptr_t address, size_t size, const Stop *of)
{
    uintptr_t end = address + size, byte = address, past;

    if (!in_heap(address))
        return "";
    // Padding is marked, so that the next copy need not ask again.
    for (; (byte = first_unwritten(byte, end)) < end; mark_written(byte, past - byte))
        if (past = end_of_unwritten(byte, end); !is_padding(of, address, byte, past))
            break;
    if (byte == end)
        return "";
    Range array = allocation_of(address);
    size_t missing = 0;
    for (uintptr_t b = byte; b < end; b++)
        missing += first_unwritten(b, b + 1) == b;
    return "uninitialized read of global memory: byte " + std::to_string(byte - array.start) +
           " of an array that has " + std::to_string(array.bytes) +
           (missing == size ? ""
                            : " (" + std::to_string(missing) + " of the " + std::to_string(size) +
                                  " bytes of this read)");
}

bool may_go_on(uintptr_t address, size_t size)
{
    return in_heap(address) && heap_offset(address) + size <= heap_top();
}

std::string global_name(uintptr_t address)
{
    uint32_t index = in_heap(address) ? owner[page_of(address)] : 0;

    if (!in_heap(address))
        return variable_name(address);
    if (!index)
        return "global memory";
    const Allocation &a = allocations[index - 1];
    return "global memory (byte " + std::to_string(address - a.start) + " of an array that has " +
           std::to_string(a.bytes) + ")";
}

bool is_written(uintptr_t address, size_t size)
{
    return !in_heap(address) || !size || first_unwritten(address, address + size) == address + size;
}

// Sets or clears bits of the mask of a word. Threads of several workers may change one word.
static void mark_bytes(uintptr_t address, uintptr_t end, bool yes)
{
    unsigned char &flags = flags_of(address);
    unsigned char mask = (unsigned char)mask_of(address, end);

    if (yes && (flags & mask) != mask)
        __atomic_fetch_or(&flags, mask, __ATOMIC_RELAXED);
    else if (!yes)
        __atomic_fetch_and(&flags, (unsigned char)~mask, __ATOMIC_RELAXED);
}

void mark_written(uintptr_t address, size_t size, bool yes)
{
    uintptr_t end = address + size;

    if (!in_heap(address) || !size)
        return;
    if (address % 4 || size < 4) {
        mark_bytes(address, end, yes);
        address = (address & ~(uintptr_t)3) + 4;
    }
    if (address >= end)
        return;
    memset(&flags_of(address), yes ? ALL_BYTES : 0, (end - address) / 4);
    if (end % 4)
        mark_bytes(end & ~(uintptr_t)3, end, yes);
}

unsigned char *written_flags(uintptr_t address)
{
    return written + (address - (uintptr_t)heap) / 4;
}

void mark_written(const Request &r)
{
    for (unsigned i = 0; i < r.lanes; i++) {
        unsigned char *flags = &flags_of(r.address[i]);

        if (r.size < 4) {
            mark_bytes(r.address[i], r.address[i] + r.size, true);
            continue;
        }
        Pattern pattern = r.pattern[i / GROUP];
        if (pattern == Pattern::row)
            for (size_t word = 0; word < r.size / 4 * GROUP; word += 8)
                memcpy(flags + word, &ALL_ROWS, 8);
        else
            for (size_t word = 0; word < r.size / 4; word++)
                flags[word] = ALL_BYTES;
        if (pattern != Pattern::any)
            i += GROUP - 1;
    }
}

extern "C" void emu_forget(const void *device, size_t bytes)
{
    mark_written((uintptr_t)device, bytes, false);
}

Home home_of(const void *pointer)
{
    uint32_t index = in_heap((uintptr_t)pointer) ? owner[page_of((uintptr_t)pointer)] : 0;

    if (index)
        return allocations[index - 1].home;
    if (is_managed_variable((uintptr_t)pointer))
        return Home::managed;
    Image image = in_image((uintptr_t)pointer);
    return in_heap((uintptr_t)pointer) || image == Image::device || image == Image::constant
             ? Home::device
             : Home::pinned;
}

bool fits(const void *pointer, size_t bytes)
{
    if (!in_heap((uintptr_t)pointer))
        return home_of(pointer) == Home::pinned ||
               check_variable((uintptr_t)pointer, bytes).empty();
    uint32_t index = owner[page_of((uintptr_t)pointer)];
    if (!index)
        return false;
    const Allocation &a = allocations[index - 1];
    size_t offset = (uintptr_t)pointer - a.start;
    // The host cannot use what kernels have allocated.
    return !a.is_of_kernel && offset <= a.bytes && bytes <= a.bytes - offset;
}

}   // namespace emu
