// A snapshot of device memory: pages of it, with the flags of what was written, are copied before
// their first store. So a launch can be undone, run again, and have its first result in the end.
#include "snapshot.h"

#include <sys/mman.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "memory.h"
#include "report/report.h"

namespace emu {

constexpr size_t KEPT_PAGE = 4096;

namespace {

struct Kept {
    uintptr_t start;
    size_t bytes;
    std::unique_ptr<unsigned char[]> content, written;
};

// Pages of the heap or of the device variables.
struct Area {
    uintptr_t start = 0;
    size_t bytes = 0;
    std::atomic<bool> *is_kept = nullptr;   // by page

    bool contains(uintptr_t address) const { return address - start < bytes; }
    void set(uintptr_t from, size_t size)
    {
        if (is_kept || !size)
            return;
        void *flags = mmap(nullptr, size / KEPT_PAGE + 1, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (flags == MAP_FAILED)
            return;
        start = from;
        bytes = size;
        is_kept = (std::atomic<bool> *)flags;
    }
};

}   // namespace

bool keeps_changes;
static Area areas[2];
static std::mutex pages_lock;
static std::vector<Kept> pages;
static bool is_too_large;

static void keep_page(Area &area, size_t number)
{
    std::lock_guard<std::mutex> hold(pages_lock);

    if (area.is_kept[number].load(std::memory_order_relaxed))
        return;
    if (pages.size() * KEPT_PAGE > physical() / 8) {
        is_too_large = true;
        keeps_changes = false;
        return;
    }
    uintptr_t start = area.start + number * KEPT_PAGE;
    size_t bytes = std::min(KEPT_PAGE, area.start + area.bytes - start);
    if (in_heap(start) && !may_go_on(start, bytes))
        return;   // nothing was ever allocated there: the store is reported
    Kept page = { start, bytes, std::unique_ptr<unsigned char[]>(new unsigned char[bytes]),
                  nullptr };
    memcpy(page.content.get(), (const void *)start, bytes);
    if (in_heap(start)) {
        page.written.reset(new unsigned char[bytes / 4]);
        memcpy(page.written.get(), written_flags(start), bytes / 4);
    }
    pages.push_back(std::move(page));
    area.is_kept[number].store(true, std::memory_order_release);
}

void keep_before_store(uintptr_t address, size_t bytes)
{
    for (Area &area : areas)
        if (area.contains(address) && area.contains(address + bytes - 1))
            for (size_t n = (address - area.start) / KEPT_PAGE;
                 n <= (address + bytes - 1 - area.start) / KEPT_PAGE; n++)
                if (!area.is_kept[n].load(std::memory_order_acquire))
                    keep_page(area, n);
}

void snapshot_begin()
{
    Range variables = device_variables();

    areas[0].set((uintptr_t)heap, heap_size());
    areas[1].set(variables.start, variables.bytes);
    is_too_large = false;
    keeps_changes = true;
}

// Exchanges memory and what was kept of it.
static void exchange_pages()
{
    for (Kept &page : pages) {
        std::swap_ranges(page.content.get(), page.content.get() + page.bytes,
                         (unsigned char *)page.start);
        if (page.written)
            std::swap_ranges(page.written.get(), page.written.get() + page.bytes / 4,
                             written_flags(page.start));
    }
}

bool snapshot_exchange()
{
    if (!is_too_large)
        exchange_pages();
    return !is_too_large;
}

bool snapshot_undo()
{
    if (snapshot_exchange())
        return true;
    note_limit("a kernel whose threads synchronize by memory has changed too much of it to run "
               "in a second order: faults that depend on which block comes first may be missed");
    return false;
}

void snapshot_redo()
{
    exchange_pages();
    snapshot_forget();
}

void snapshot_forget()
{
    for (const Kept &page : pages)
        for (Area &area : areas)
            if (area.contains(page.start))
                area.is_kept[(page.start - area.start) / KEPT_PAGE] = false;
    pages.clear();
    keeps_changes = false;
}

}   // namespace emu
