// Shared memory: where a block's variables lie, and who touched each word when. A word that two
// threads touch within one interval between barriers, one of them writing, is a race; within one
// warp a __syncwarp orders them too.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "internal.h"

namespace emu {

constexpr uint16_t MANY = 0xffff;
constexpr size_t GAP =
    128;   // between variables, so that one past the end of each belongs to no variable

// Static variables and dynamic memory each have a bound of their own; the gaps need room beside
// them.
constexpr size_t ARENA = STATIC_SHARED + OPTIN_SHARED + (64 << 10);

static std::string in_variable(const Shared &s, size_t offset)
{
    for (const SharedVariable &v : s.variables)
        if (offset >= v.offset && offset < v.offset + v.bytes)
            return std::string(v.name) + " (byte " + std::to_string(offset - v.offset) + " of " +
                   std::to_string(v.bytes) + ")";
    return "shared memory";
}

static const char *place(Worker &w, const void *key, const char *name, size_t bytes, size_t align)
{
    Shared &s = w.shared;
    size_t offset =
        (s.used + std::max(align, GAP) - 1) / std::max(align, GAP) * std::max(align, GAP);

    s.variables.push_back({ key, name, offset, bytes, align });
    s.used = offset + bytes + GAP;
    return s.arena + offset;
}

void shared_begin_block(Worker &w)
{
    Shared &s = w.shared;

    if (!s.arena) {
        s.arena = (char *)aligned_alloc(1024, ARENA);
        // takes memory only where it is used
        s.words = (Word *)calloc(ARENA / 4, sizeof *s.words);
        s.bytes = (Word *)calloc(ARENA, sizeof *s.bytes);
        if (!s.arena || !s.words || !s.bytes) {
            fprintf(stderr, "CPU device: no memory for a block's shared memory\n");
            _exit(3);
        }
    }
    s.variables.clear();
    s.used = 0;
    s.static_bytes = 0;
    s.dynamic_bytes = w.launch->dynamic_shared;
    s.block++;
    shared_begin_interval(w);
}

void shared_begin_interval(Worker &w) { w.shared.interval++; }

bool in_shared(const Worker &w, uintptr_t address)
{
    return address - (uintptr_t)w.shared.arena < ARENA;
}

size_t shared_alignment(const Worker &w, uintptr_t address)
{
    size_t offset = address - (uintptr_t)w.shared.arena;

    for (const SharedVariable &v : w.shared.variables)
        if (offset - v.offset < v.bytes)
            return v.align;
    return 1;
}

static std::string out_of_bounds(const Shared &s, size_t offset, size_t size)
{
    for (const SharedVariable &v : s.variables) {
        if (offset >= v.offset && offset + size <= v.offset + v.bytes)
            return "";
        if (offset < v.offset + v.bytes + GAP && offset + GAP > v.offset)
            return "out of bounds: " + std::to_string(size) + " bytes of shared memory at byte " +
                   std::to_string((long)offset - (long)v.offset) + " of " + v.name +
                   ", which has " + std::to_string(v.bytes);
    }
    return "out of bounds: " + std::to_string(size) +
           " bytes of shared memory where the block has none";
}

// Those of the warp's lanes `set` whose accesses at `time` no __syncwarp of both orders before what
// `lane` does now.
static unsigned unordered(const Warp &warp, unsigned set, unsigned lane, uint64_t time)
{
    if (warp.full_sync > time)
        return 0;
    if (warp.pair_sync)
        for (unsigned left = set; left; left &= left - 1)
            if (warp.pair_sync[__builtin_ctz(left)][lane] > time)
                set &= ~(left & -left);
    return set;
}

// One lane's access to a word, or to one byte of it.
struct Access {
    const Warp &warp;
    const Lane &lane;
    size_t offset;   // in the arena
    bool reads, writes, atomic;
    uint16_t site;

    unsigned position() const { return lane.id % WARP; }
    const char *name() const { return writes ? "write of " : "read of "; }
};

static void race(Worker &w, const Access &a, const std::string &before, uint16_t site,
                 bool same_warp)
{
    report({ std::string(same_warp ? "race within a warp: " : "race: ") + a.name() +
                 in_variable(w.shared, a.offset) +
                 (same_warp ? " with no __syncwarp after the other access"
                            : " with no __syncthreads after the other access"),
             a.lane.pc, before, w.sites.table[site].pc, where(w, a.lane) });
}

// The same instruction of one warp is one request: which of two lanes' writes stays is undefined,
// but not a race of two accesses. Nor are two atomics.
static void check_last_write(Worker &w, const Access &a, const Word &word)
{
    bool same_warp = word.writer / WARP == a.warp.index;

    if (word.write_interval != w.shared.interval || word.writer == a.lane.id ||
        word.write_time == w.time || (a.atomic && word.atomic))
        return;
    if (!same_warp || unordered(a.warp, 1u << word.writer % WARP, a.position(), word.write_time))
        race(w, a, "written here by " + thread_name(w, word.writer), word.write_site, same_warp);
}

static void check_last_reads(Worker &w, const Access &a, const Word &word)
{
    unsigned others = word.readers;
    bool same_warp = word.reader_warp == a.warp.index;

    if (word.read_interval != w.shared.interval || word.read_time == w.time)
        return;
    if (word.reader_warp == MANY)
        return race(w, a, "read here by threads of several warps", word.read_site, false);
    if (same_warp)
        others = unordered(a.warp, others & ~(1u << a.position()), a.position(), word.read_time);
    if (others)
        race(w, a,
             "read here by " + thread_name(w, word.reader_warp * WARP + __builtin_ctz(others)),
             word.read_site, same_warp);
}

static void remember_read(const Worker &w, const Access &a, Word &word)
{
    unsigned self = 1u << a.position();
    bool alone = word.read_interval != w.shared.interval;

    if (alone) {
        word.reader_warp = (uint16_t)a.warp.index;
        word.readers = self;
    } else if (word.reader_warp != a.warp.index)
        word.reader_warp = MANY;
    else {
        word.readers = (word.read_time == w.time
                            ? word.readers
                            : unordered(a.warp, word.readers, a.position(), word.read_time)) |
                       self;
        alone = word.readers == self;
    }
    if (alone)
        // else that of the first: of a thread that reads and writes, the others' reads are what
        // counts
        word.read_site = a.site;
    word.read_interval = w.shared.interval;
    word.read_time = w.time;
}

static void touch(Worker &w, const Access &a, Word &word)
{
    if (word.under_way)
        return report({ a.name() + in_variable(w.shared, a.offset) +
                            ", into which an asynchronous copy is under way: its thread has not "
                            "waited for it",
                        a.lane.pc, "started here by " + thread_name(w, word.writer),
                        w.sites.table[word.write_site].pc, where(w, a.lane) });
    if (a.reads && !word.written)
        report(
            { "read of " + in_variable(w.shared, a.offset) + ", which nothing in this block wrote",
              a.lane.pc, "", 0, where(w, a.lane) });
    check_last_write(w, a, word);
    if (!a.writes)
        return remember_read(w, a, word);
    check_last_reads(w, a, word);
    word.written = true;
    word.atomic = a.atomic;
    word.write_interval = w.shared.interval;
    word.write_time = w.time;
    word.write_site = a.site;
    word.writer = a.lane.id;
}

// Of an access within one word, its `bytes` from a.offset on.
static void touch_word(Worker &w, Access a, unsigned bytes)
{
    Shared &s = w.shared;
    Word &word = s.words[a.offset / 4];

    if (word.block != s.block) {
        word = Word{};
        word.block = s.block;
    }
    if (bytes < 4 && !word.split) {
        std::fill_n(&s.bytes[a.offset / 4 * 4], 4, word);
        word.split = true;
    }
    if (!word.split)
        return touch(w, a, word);
    for (size_t end = a.offset + bytes; a.offset < end; a.offset++)
        touch(w, a, s.bytes[a.offset]);
}

bool shared_request(Worker &w, const Warp &warp, const Request &r, emu_kind kind, uint16_t site)
{
    for (unsigned i = 0; i < r.lanes; i++) {
        const Lane &lane = warp.lane[r.lane[i]];
        size_t offset = r.address[i] - (uintptr_t)w.shared.arena;
        std::string wrong = out_of_bounds(w.shared, offset, r.size);

        if (!wrong.empty()) {
            report_and_stop(w, { wrong, lane.pc, "", 0, where(w, lane) });
            return false;
        }
        for (unsigned done = 0; done < r.size; done += 4)
            touch_word(w,
                       { warp, lane, offset + done, kind != EMU_SHARED_ST, kind != EMU_SHARED_LD,
                         kind == EMU_ATOMIC, site },
                       std::min(4u, r.size - done));
    }
    return true;
}

// Calls change() for what is known of each word, or of its bytes.
template <class F> static void each_word(Shared &s, size_t offset, unsigned bytes, F change)
{
    for (size_t word = offset / 4; word < (offset + bytes) / 4; word++) {
        change(s.words[word]);
        for (size_t byte = 4 * word; s.words[word].split && byte < 4 * word + 4; byte++)
            change(s.bytes[byte]);
    }
}

void shared_copy_starts(Worker &w, size_t offset, unsigned bytes)
{
    each_word(w.shared, offset, bytes, [](Word &word) { word.under_way = true; });
}

void shared_copy_arrives(Worker &w, const Lane &lane, size_t offset, unsigned bytes)
{
    each_word(w.shared, offset, bytes, [&](Word &word) {
        word.under_way = false;
        word.writer = lane.id;
        word.write_interval = w.shared.interval;
        word.write_time = w.time;
    });
}

}   // namespace emu

extern "C" void *emu_shared(const struct emu_variable *key, size_t bytes, size_t align)
{
    emu::Worker &w = emu::on_device(__builtin_return_address(0));

    for (const emu::SharedVariable &v : w.shared.variables)
        if (v.key == key)
            return w.shared.arena + v.offset;
    w.shared.static_bytes += bytes;
    if (w.shared.static_bytes > emu::STATIC_SHARED) {
        emu::report_and_stop(
            w, { "more than 48 KiB of static shared memory in a block: use dynamic shared memory",
                 (uintptr_t)__builtin_return_address(0), "", 0, emu::where(w, *w.current) });
        emu::park(w, emu::State::barrier);
    }
    return (void *)emu::place(w, key, *(const char *const *)key, bytes, align);
}

extern "C" void *emu_dynamic_shared(const char *name)
{
    emu::Worker &w = emu::on_device(__builtin_return_address(0));
    static const char dynamic_key = 0;

    for (const emu::SharedVariable &v : w.shared.variables)
        if (v.key == &dynamic_key)
            return w.shared.arena + v.offset;
    return (void *)emu::place(w, &dynamic_key, name, w.shared.dynamic_bytes, 1024);
}
