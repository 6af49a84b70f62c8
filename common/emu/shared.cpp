// Shared memory: where a block's variables lie, and who touched each word when. A word that two threads touch within one interval between
// barriers, one of them writing, is a race; within one warp a __syncwarp orders them too.
#include <algorithm>

#include "internal.h"

namespace emu {

constexpr uint16_t MANY = 0xffff, MANY_IN_WARP = 0xfffe;
constexpr size_t GAP = 128;   // between variables, so that one past the end of each is nobody's

// Static variables and dynamic memory each have a bound of their own; the gaps need room beside them.
constexpr size_t ARENA = STATIC_SHARED + OPTIN_SHARED + (64 << 10);

static std::string in_variable(const Shared &s, size_t offset)
{
    for (const SharedVariable &v : s.variables)
        if (offset >= v.offset && offset < v.offset + v.bytes)
            return std::string(v.name) + " (byte " + std::to_string(offset - v.offset) + " of " + std::to_string(v.bytes) + ")";
    return "shared memory";
}

static const char *place(Worker &w, const void *key, const char *name, size_t bytes, size_t align)
{
    Shared &s = w.shared;
    size_t offset = (s.used + std::max(align, GAP) - 1) / std::max(align, GAP) * std::max(align, GAP);

    s.variables.push_back({ key, name, offset, bytes });
    s.used = offset + bytes + GAP;
    return s.arena + offset;
}

void shared_begin_block(Worker &w)
{
    Shared &s = w.shared;

    if (!s.arena) {
        s.arena = (char *)aligned_alloc(4096, ARENA);
        s.words.resize(ARENA / 4);
    }
    s.variables.clear();
    s.used = 0;
    s.static_bytes = 0;
    s.dynamic_bytes = w.launch->dynamic_shared;
    s.block++;
    shared_begin_interval(w);
}

void shared_begin_interval(Worker &w) { w.shared.interval++; }

bool in_shared(const Worker &w, uintptr_t address) { return address - (uintptr_t)w.shared.arena < ARENA; }

static std::string out_of_bounds(const Shared &s, size_t offset, size_t size)
{
    for (const SharedVariable &v : s.variables) {
        if (offset >= v.offset && offset + size <= v.offset + v.bytes)
            return "";
        if (offset < v.offset + v.bytes + GAP && offset + GAP > v.offset)
            return "out of bounds: " + std::to_string(size) + " bytes of shared memory at byte " + std::to_string((long)offset - (long)v.offset)
                   + " of " + v.name + ", which has " + std::to_string(v.bytes);
    }
    return "out of bounds: " + std::to_string(size) + " bytes of shared memory where the block has none";
}

// Are thread a's access at `time` and thread b's now ordered by a __syncwarp of both?
static bool ordered_in_warp(const Warp &warp, unsigned a, unsigned b, uint64_t time)
{
    return warp.full_sync > time || (warp.pair_sync && warp.pair_sync[a % WARP][b % WARP] > time);
}

static void race(Worker &w, const char *what, const Lane &lane, const char *before, uint16_t other, uint16_t site, size_t offset,
                 bool same_warp)
{
    std::string by = other == MANY ? "several threads" : other == MANY_IN_WARP ? "several threads of this warp" : thread_name(w, other);

    report({ std::string(same_warp ? "race within a warp: " : "race: ") + what + " " + in_variable(w.shared, offset)
                 + (same_warp ? " with no __syncwarp after the other access" : " with no __syncthreads after the other access"),
             lane.pc, before + by, w.sites.table[site].pc, where(w, lane) });
}

static void touch(Worker &w, Warp &warp, const Lane &lane, size_t offset, unsigned bytes, bool writes, uint16_t site)
{
    Shared &s = w.shared;
    Word &word = s.words[offset / 4];
    uint8_t mask = (uint8_t)(((1u << bytes) - 1) << offset % 4);
    uint16_t id = lane.id;
    bool is_new = word.block != s.block;

    if (!writes && (is_new || (word.written & mask) != mask))
        report({ "read of " + in_variable(s, offset) + ", which nothing in this block wrote", lane.pc, "", 0, where(w, lane) });

    // The same instruction of one warp is one request: which of two lanes' writes stays is undefined, but not a race of two accesses.
    if (word.write_interval == s.interval && word.writer != id && (word.last_bytes & mask) && word.write_time != w.time) {
        bool same_warp = word.writer / WARP == id / WARP;

        if (!same_warp || !ordered_in_warp(warp, word.writer, id, word.write_time))
            race(w, writes ? "write of" : "read of", lane, "written here by ", word.writer, word.write_site, offset, same_warp);
    }
    if (writes && word.read_interval == s.interval && word.reader != id && word.read_time != w.time) {
        bool same_warp = word.reader != MANY && word.reader_warp == id / WARP;
        bool ordered = same_warp && (word.reader == MANY_IN_WARP ? warp.full_sync > word.read_time
                                                                 : ordered_in_warp(warp, word.reader, id, word.read_time));
        if (!ordered)
            race(w, "write of", lane, "read here by ", word.reader, word.read_site, offset, same_warp);
    }

    if (writes) {
        word.written = is_new ? mask : word.written | mask;
        word.block = s.block;
        word.write_interval = s.interval;
        word.write_time = w.time;
        word.write_site = site;
        word.last_bytes = word.writer == id && !is_new ? word.last_bytes | mask : mask;
        word.writer = id;
        return;
    }
    if (word.read_interval != s.interval || word.reader == id)
        word.reader = id;
    else if (word.reader != MANY && word.reader_warp == id / WARP)
        word.reader = MANY_IN_WARP;
    else
        word.reader = MANY;
    word.read_interval = s.interval;
    word.reader_warp = id / WARP;
    word.read_time = w.time;
    word.read_site = site;
}

bool shared_request(Worker &w, Warp &warp, unsigned group, emu_kind kind, uint16_t site)
{
    for (unsigned left = group; left; left &= left - 1) {
        const Lane &lane = warp.lane[__builtin_ctz(left)];
        size_t offset = lane.address - (uintptr_t)w.shared.arena;
        std::string wrong = out_of_bounds(w.shared, offset, lane.size);

        if (!wrong.empty()) {
            report_and_stop(w, { wrong, lane.pc, "", 0, where(w, lane) });
            return false;
        }
        for (unsigned done = 0; done < lane.size; done += 4)
            touch(w, warp, lane, offset + done, std::min(4u, lane.size - done), kind == EMU_SHARED_ST, site);
    }
    return true;
}

}

extern "C" void *emu_shared(const struct emu_variable *key, size_t bytes, size_t align)
{
    emu::Worker &w = *emu::worker;

    for (const emu::SharedVariable &v : w.shared.variables)
        if (v.key == key)
            return w.shared.arena + v.offset;
    w.shared.static_bytes += bytes;
    if (w.shared.static_bytes > emu::STATIC_SHARED) {
        emu::report_and_stop(w, { "more than 48 KiB of static shared memory in a block: use dynamic shared memory",
                                  (uintptr_t)__builtin_return_address(0), "", 0, emu::where(w, *w.current) });
        emu::park(w, emu::State::barrier);
    }
    return (void *)emu::place(w, key, *(const char *const *)key, bytes, align);
}

extern "C" void *emu_dynamic_shared(const char *name)
{
    emu::Worker &w = *emu::worker;
    static const char dynamic_key = 0;

    for (const emu::SharedVariable &v : w.shared.variables)
        if (v.key == &dynamic_key)
            return w.shared.arena + v.offset;
    return (void *)emu::place(w, &dynamic_key, name, w.shared.dynamic_bytes, 1024);
}
