// Shared memory: the layout of a block's variables, which bytes were written, and which are the
// target of an asynchronous copy in flight.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "shared.h"
#include "lanes/asyncs.h"
#include "memory.h"
#include "report/report.h"

namespace emu {

// Flags of a byte.
enum { WRITTEN = 1, UNDER_WAY = 2 };

std::string shared_name(const Worker &w, uintptr_t address)
{
    const Shared &s = w.shared;
    size_t offset = address - (uintptr_t)w.arena;

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
    return w.arena + offset;
}

// The key of the dynamic shared memory.
static const char dynamic_key = 0;

uintptr_t shared_in(Worker &to, const Worker &from, uintptr_t address)
{
    size_t offset = address - (uintptr_t)from.arena;

    for (const SharedVariable &v : from.shared.variables) {
        if (offset < v.offset || offset > v.offset + v.bytes)
            continue;
        for (const SharedVariable &same : to.shared.variables)
            if (same.key == v.key)
                return (uintptr_t)to.arena + same.offset + (offset - v.offset);
        if (v.key != &dynamic_key)
            to.shared.static_bytes += v.bytes;
        return (uintptr_t)place(to, v.key, v.name, v.bytes, v.align) + (offset - v.offset);
    }
    return (uintptr_t)to.arena + offset;
}

void shared_begin_block(Worker &w)
{
    Shared &s = w.shared;

    if (!w.arena) {
        w.arena = (char *)aligned_alloc(1024, ARENA);
        // the system provides memory only for the pages that are used
        s.bytes = (unsigned char *)calloc(ARENA, 1);
        s.pages.resize(ARENA / PAGE_BYTES + 1);
        if (!w.arena || !s.bytes) {
            fprintf(stderr, "CPU device: not enough memory for a block's shared memory\n");
            _exit(3);
        }
    }
    for (Recent &recent : w.recent)
        if (in_shared(w, recent.range.start))   // this block may place its variables elsewhere
            recent = {};
    memset(s.bytes, 0, std::min(s.used, ARENA));
    s.variables.clear();
    s.used = s.recent_bytes = 0;
    s.static_bytes = 0;
    s.dynamic_bytes = w.launch->dynamic_shared;
    s.block++;
    s.interval++;
}

void shared_begin_interval(Worker &w)
{
    w.shared.interval++;
    order_barrier(w);
}

size_t shared_alignment(const Worker &w, uintptr_t address)
{
    size_t offset = address - (uintptr_t)w.arena;

    for (const SharedVariable &v : w.shared.variables)
        if (offset - v.offset < v.bytes)
            return v.align;
    return 1;
}

std::string shared_out_of_bounds(const Worker &w, long offset, long size)
{
    const Shared &s = w.shared;

    for (const SharedVariable &v : s.variables) {
        long start = (long)v.offset, end = start + (long)v.bytes;

        if (offset >= start && offset + size <= end)
            return "";
        if (offset < end + (long)GAP && offset + (long)GAP > start)
            return "out of bounds: " + std::to_string(size) + " bytes of shared memory at byte " +
                   std::to_string(offset - start) + " of " + v.name + ", which has " +
                   std::to_string(v.bytes);
    }
    return "out of bounds: " + std::to_string(size) +
           " bytes of shared memory where the block has none";
}

// The first of `size` bytes from `offset` on that has (or has not) `flag`; ARENA if there is none.
static size_t find_byte(const Shared &s, size_t offset, size_t size, int flag, bool has)
{
    for (size_t i = offset; i < offset + size; i++)
        if (((s.bytes[i] & flag) != 0) == has)
            return i;
    return ARENA;
}

// Padding of a struct that is copied whole may be uninitialized.
static void check_written(Worker &w, const Lane &lane, const Stop &head, size_t offset, size_t size)
{
    Shared &s = w.shared;
    size_t object = offset - head.object_offset;
    bool has_some = find_byte(s, object, head.object_bytes, WRITTEN, true) != ARENA;

    for (size_t i = offset; (i = find_byte(s, i, offset + size - i, WRITTEN, false)) != ARENA; i++)
        if (!has_some || !is_padding(head.pc, head.object_bytes, i - object, 1))
            return report({ "uninitialized read of " + shared_name(w, (uintptr_t)w.arena + i) +
                                ", which no thread of the block has written",
                            head.pc, "", 0, where(w, lane) });
}

static bool all_written(const Shared &s, size_t offset, size_t size)
{
    static const unsigned char all[16] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    const unsigned char *bytes = s.bytes + offset;

    switch (size) {
    case 4: return memcmp(bytes, all, 4) == 0;
    case 8: return memcmp(bytes, all, 8) == 0;
    case 16: return memcmp(bytes, all, 16) == 0;
    default: return memcmp(bytes, all, size) == 0;
    }
}

// False: an asynchronous copy to these bytes is in flight (and was reported).
static bool check_bytes(Worker &w, const Lane &lane, const Stop &head, size_t offset, size_t size,
                        bool writes, bool reads)
{
    Shared &s = w.shared;

    size_t at = find_byte(s, offset, size, UNDER_WAY, true);
    if (at != ARENA) {
        Mark m = last_store(w, at);
        report({ (writes ? "write of " : "read of ") + shared_name(w, (uintptr_t)w.arena + at) +
                     ", the target of an asynchronous copy in flight: its thread has not waited "
                     "for it",
                 head.pc, "started here by " + thread_name(w, m.thread), pc_of(m),
                 where(w, lane) });
        return false;
    }
    if (reads)
        check_written(w, lane, head, offset, size);
    if (writes)
        memset(s.bytes + offset, WRITTEN, size);
    return true;
}

bool find_shared_variable(Worker &w, size_t offset, size_t size)
{
    Shared &s = w.shared;

    for (const SharedVariable &v : s.variables)
        if (offset >= v.offset && offset + size <= v.offset + v.bytes) {
            s.recent_start = v.offset;
            s.recent_bytes = v.bytes;
            return true;
        }
    return false;
}

Range shared_variable_of(Worker &w, uintptr_t address, size_t size)
{
    if (!in_shared_variable(w, address, size))
        return { 0, 0 };
    return { (uintptr_t)w.arena + w.shared.recent_start, w.shared.recent_bytes };
}

// Were all bytes of these accesses within variables written, and is none the target of a copy?
static bool all_written(const Worker &w, const Request &r)
{
    const unsigned char *bytes = w.shared.bytes - (uintptr_t)w.arena;
    bool all = true;

    if (r.size == 4) {
        for (unsigned i = 0; i < r.lanes; i++) {
            uint32_t flags;

            memcpy(&flags, bytes + r.address[i], sizeof flags);
            all &= flags == 0x01010101u * WRITTEN;
        }
        return all;
    }
    for (unsigned i = 0; i < r.lanes; i++)
        all &= all_written(w.shared, r.address[i] - (uintptr_t)w.arena, r.size);
    return all;
}

bool shared_request(Worker &w, const Warp &warp, const Request &r, const Stop &head, emu_kind kind,
                    bool is_checked)
{
    bool is_there = true, is_plain = is_checked && all_written(w, r);

    for (unsigned i = is_plain ? r.lanes : 0; i < r.lanes; i++) {
        const Lane &lane = warp.lane[r.lane[i]];
        size_t offset = r.address[i] - (uintptr_t)w.arena;

        if (!in_shared_variable(w, r.address[i], r.size)) {
            report_and_stop(
                w, { shared_out_of_bounds(w, offset, r.size), head.pc, "", 0, where(w, lane) });
            return false;
        }
        if (!all_written(w.shared, offset, r.size))
            is_there &= check_bytes(w, lane, head, offset, r.size, kind != EMU_SHARED_LD,
                                    kind != EMU_SHARED_ST && head.atomic != Atomic::overwrite);
    }
    if (w.asyncs)
        hopper::shared_access(w, warp, r, head, kind != EMU_SHARED_LD);
    if (is_there)
        race_check(w, warp, r, kind, head);
    return true;
}

size_t shared_unwritten(const Worker &w, size_t offset, size_t bytes)
{
    return find_byte(w.shared, offset, bytes, WRITTEN, false);
}

void shared_mark_written(Worker &w, size_t offset, size_t bytes, bool yes)
{
    memset(w.shared.bytes + offset, yes ? WRITTEN : 0, bytes);
}

void shared_copy_starts(Worker &w, size_t offset, unsigned bytes)
{
    memset(w.shared.bytes + offset, WRITTEN | UNDER_WAY, bytes);
}

void shared_copy_arrives(Worker &w, const Lane &lane, size_t offset, unsigned bytes)
{
    memset(w.shared.bytes + offset, WRITTEN, bytes);
    race_copy_arrives(w, lane, offset, bytes);
}

}   // namespace emu

extern "C" void *emu_shared(const struct emu_variable *key, size_t bytes, size_t align)
{
    emu::Worker &w = emu::on_device(__builtin_return_address(0));

    for (const emu::SharedVariable &v : w.shared.variables)
        if (v.key == key)
            return w.arena + v.offset;
    w.shared.static_bytes += bytes;
    if (w.shared.static_bytes > emu::STATIC_SHARED)
        emu::fail(w,
                  "more than 48 KiB of static shared memory in a block: use dynamic shared memory",
                  (uintptr_t)__builtin_return_address(0));
    if (w.shared.static_bytes + w.shared.dynamic_bytes > w.launch->shared_limit)
        emu::refuse(w, cudaErrorInvalidValue);
    return (void *)emu::place(w, key, *(const char *const *)key, bytes, align);
}

extern "C" void *emu_dynamic_shared(const char *name)
{
    emu::Worker &w = emu::on_device(__builtin_return_address(0));

    for (const emu::SharedVariable &v : w.shared.variables)
        if (v.key == &emu::dynamic_key)
            return w.arena + v.offset;
    return (void *)emu::place(w, &emu::dynamic_key, name, w.shared.dynamic_bytes, 1024);
}
