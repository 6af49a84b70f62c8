// Global memory that one block writes and another reads in the same launch. That is right only
// where the writer fences (__threadfence) and then does an atomic, and the reader does an atomic
// later and then fences: the ticket of a last block. Order is told by a clock of atomics.
#include <sys/mman.h>

#include <map>
#include <mutex>

#include "internal.h"

namespace emu {

// Of each 4-byte word: who stored to it last, by ordinary stores.
struct Stored {
    uint32_t launch;
    uint32_t block;
    uint32_t store;   // how many store requests of its block came before
    uint32_t pc;      // call site: programs for the CPU device lie in the lowest 4 GB
};

// That block's first `stores` store requests were fenced and then followed by an atomic at `time`.
struct Release {
    uint32_t stores;
    uint64_t time;
};

static Stored *shadow;   // reserved for the whole heap, touched where kernels store
static std::atomic<uint64_t> now{ 1 };
static std::mutex lock;
static std::map<uint32_t, std::vector<Release>> releases;   // by block of this launch

void between_blocks_begin_launch()
{
    if (!shadow && heap_size()) {
        void *p = mmap(nullptr, heap_size() / 4 * sizeof *shadow, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        shadow = p == MAP_FAILED ? nullptr : (Stored *)p;
    }
    releases.clear();
}

void between_blocks_forget(size_t heap_offset, size_t bytes)
{
    if (shadow)
        madvise(shadow + heap_offset / 4, bytes / 4 * sizeof *shadow, MADV_DONTNEED);
}

void between_blocks_begin_block(Worker &w) { w.order = Order(); }

void fenced(Worker &w)
{
    w.order.fenced_stores = w.order.stores;
    w.order.acquired = w.order.last_atomic;
}

// A lane is about to do an atomic.
void releasing(Worker &w)
{
    Order &o = w.order;

    if (o.fenced_stores == o.released_stores)
        return;
    std::lock_guard<std::mutex> hold(lock);
    releases[w.block_linear].push_back({ o.fenced_stores, now++ });
    o.released_stores = o.fenced_stores;
}

// A lane has done its atomic: it may have seen what others did before.
void acquired(Worker &w) { w.order.last_atomic = now++; }

static bool is_ordered(const Worker &w, const Stored &s)
{
    std::lock_guard<std::mutex> hold(lock);
    auto of_block = releases.find(s.block);

    if (of_block != releases.end())
        for (const Release &r : of_block->second)
            if (r.stores > s.store)
                return r.time < w.order.acquired;
    return false;
}

void between_blocks_request(Worker &w, const Warp &warp, const Request &r, emu_kind kind,
                            uintptr_t pc)
{
    if (!shadow)
        return;
    for (unsigned i = 0; i < r.lanes; i++) {
        if (!in_heap(r.address[i]))
            continue;
        size_t first = heap_offset(r.address[i]) / 4,
               last = (heap_offset(r.address[i]) + r.size - 1) / 4;

        for (size_t word = first; word <= last; word++) {
            Stored &s = shadow[word];

            if (kind == EMU_ST)
                s = { w.launch->id, (uint32_t)w.block_linear, w.order.stores, (uint32_t)pc };
            else if (kind == EMU_TEX && s.launch == w.launch->id)
                report({ "read through a texture of memory that this launch stored: the texture "
                         "cache may not know of it",
                         pc, "stored here, by block " + std::to_string(s.block), s.pc,
                         where(w, warp.lane[r.lane[i]]) });
            else if (kind == EMU_LD && s.launch == w.launch->id &&
                     s.block != (uint32_t)w.block_linear && !is_ordered(w, s))
                report({ "race between blocks: read of global memory that another block stored in "
                         "this launch, without __threadfence and "
                         "then an atomic there, or without an atomic and then __threadfence here",
                         pc, "stored here, by block " + std::to_string(s.block), s.pc,
                         where(w, warp.lane[r.lane[i]]) });
        }
    }
    w.order.stores += kind == EMU_ST;
}

}   // namespace emu
