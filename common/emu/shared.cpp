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
constexpr size_t GAP = 128;   // between variables, so that one past the end of each is nobody's

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

    s.variables.push_back({ key, name, offset, bytes });
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

static void race(Worker &w, const char *what, const Lane &lane, const std::string &before,
                 uint16_t site, size_t offset, bool same_warp)
{
    report({ std::string(same_warp ? "race within a warp: " : "race: ") + what + " " +
                 in_variable(w.shared, offset) +
                 (same_warp ? " with no __syncwarp after the other access"
                            : " with no __syncthreads after the other access"),
             lane.pc, before, w.sites.table[site].pc, where(w, lane) });
}

static void touch(Worker &w, const Warp &warp, const Lane &lane, Word &word, size_t offset,
                  emu_kind kind, uint16_t site)
{
    bool reads = kind != EMU_SHARED_ST, writes = kind != EMU_SHARED_LD, atomic = kind == EMU_ATOMIC;
    Shared &s = w.shared;
    unsigned position = lane.id % WARP, self = 1u << position;

    if (word.under_way)
        return report({ std::string(writes ? "write of " : "read of ") + in_variable(s, offset) +
                            ", into which an asynchronous copy is under way: its thread has not "
                            "waited for it",
                        lane.pc, "started here by " + thread_name(w, word.writer),
                        w.sites.table[word.write_site].pc, where(w, lane) });
    if (reads && !word.written)
        report({ "read of " + in_variable(s, offset) + ", which nothing in this block wrote",
                 lane.pc, "", 0, where(w, lane) });

    // The same instruction of one warp is one request: which of two lanes' writes stays is
    // undefined, but not a race of two accesses. Nor are two atomics.
    if (word.write_interval == s.interval && word.writer != lane.id && word.write_time != w.time &&
        !(atomic && word.atomic)) {
        bool same_warp = word.writer / WARP == warp.index;

        if (!same_warp || unordered(warp, 1u << word.writer % WARP, position, word.write_time))
            race(w, writes ? "write of" : "read of", lane,
                 "written here by " + thread_name(w, word.writer), word.write_site, offset,
                 same_warp);
    }
    if (writes && word.read_interval == s.interval && word.read_time != w.time) {
        if (word.reader_warp == MANY)
            race(w, "write of", lane, "read here by threads of several warps", word.read_site,
                 offset, false);
        else if (word.reader_warp != warp.index)
            race(w, "write of", lane,
                 "read here by " +
                     thread_name(w, word.reader_warp * WARP + __builtin_ctz(word.readers)),
                 word.read_site, offset, false);
        else if (unsigned others = unordered(warp, word.readers & ~self, position, word.read_time))
            race(w, "write of", lane,
                 "read here by " + thread_name(w, warp.index * WARP + __builtin_ctz(others)),
                 word.read_site, offset, true);
    }

    if (writes) {
        word.written = true;
        word.atomic = atomic;
        word.write_interval = s.interval;
        word.write_time = w.time;
        word.write_site = site;
        word.writer = lane.id;
        return;
    }
    bool alone = word.read_interval != s.interval;
    if (alone) {
        word.reader_warp = (uint16_t)warp.index;
        word.readers = self;
    } else if (word.reader_warp != warp.index)
        word.reader_warp = MANY;
    else {
        word.readers =
            (word.read_time == w.time ? word.readers
                                      : unordered(warp, word.readers, position, word.read_time)) |
            self;
        alone = word.readers == self;
    }
    if (alone)
        // else that of the first: of a thread that reads and writes, the others' reads are what
        // counts
        word.read_site = site;
    word.read_interval = s.interval;
    word.read_time = w.time;
}

// One lane's access within the word at `offset`.
static void touch_word(Worker &w, const Warp &warp, const Lane &lane, size_t offset, unsigned bytes,
                       emu_kind kind, uint16_t site)
{
    Shared &s = w.shared;
    Word &word = s.words[offset / 4];

    if (word.block != s.block) {
        word = Word{};
        word.block = s.block;
    }
    if (bytes < 4 && !word.split) {
        std::fill_n(&s.bytes[offset / 4 * 4], 4, word);
        word.split = true;
    }
    if (!word.split)
        return touch(w, warp, lane, word, offset, kind, site);
    for (unsigned i = 0; i < bytes; i++)
        touch(w, warp, lane, s.bytes[offset + i], offset + i, kind, site);
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
            touch_word(w, warp, lane, offset + done, std::min(4u, r.size - done), kind, site);
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
