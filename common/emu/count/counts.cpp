// Counts per call site, and the source lines of call sites.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>

#include "lanes/internal.h"

namespace emu {

const Rules *rules = &rules_9_0;

// Per call site, in the runtime's own variables, which a graded program cannot reach (guard.cpp).
static Site totals[2 * SITES];
static size_t sites_used;
static Tally total;
static MergedCounts total_merged;   // shared-memory loads after merging
static std::vector<emu_line> lines;
static std::map<uintptr_t, Place> known;
static std::map<uintptr_t, std::string> statements;   // file and line of the innermost frame

uint16_t Sites::find(uintptr_t pc, emu_kind kind)
{
    if (table.empty())
        table.resize(SITES);
    for (size_t i = pc * 0x9E3779B97F4A7C15u >> 52, tried = 0; tried < SITES;
         i = (i + 1) % SITES, tried++) {
        if (table[i].pc == pc && table[i].kind == kind)
            return (uint16_t)i;
        if (!table[i].pc) {
            table[i].pc = pc;
            table[i].kind = kind;
            return (uint16_t)i;
        }
    }
    fprintf(stderr, "CPU device: a kernel has more than %zu memory instructions\n", SITES);
    _exit(3);
}

void Sites::clear() { std::fill(table.begin(), table.end(), Site{}); }

static Site &total_of(uintptr_t pc, emu_kind kind)
{
    Site *end = totals + sites_used,
         *same =
             std::find_if(totals, end, [&](const Site &t) { return t.pc == pc && t.kind == kind; });

    if (same < end)
        return *same;
    if (sites_used == sizeof totals / sizeof *totals) {
        fprintf(stderr, "CPU device: the kernels have more than %zu memory instructions\n",
                sites_used);
        _exit(3);
    }
    sites_used++;
    return *same = Site{ pc, kind, 0, 0, 0, 0, 0 };
}

void add_counts(const Sites &sites, const Tally &tally)
{
    for (const Site &s : sites.table)
        if (s.requests) {
            Site &t = total_of(s.pc, s.kind);

            t.requests += s.requests;
            t.units += s.units;
            t.ideal += s.ideal;
            t.bytes += s.bytes;
            t.lanes += s.lanes;
        }
    total.barriers += tally.barriers;
    total.ld_ahead += tally.ld_ahead;
    total.exchanges += tally.exchanges;
    total.warp_ld_requests = std::max(total.warp_ld_requests, tally.warp_ld_requests);
    total.copies += tally.copies;
    total.copies_in_flight += tally.copies_in_flight;
}

void add_merged_counts()
{
    MergedCounts c = count_merged();

    total_merged.requests += c.requests;
    total_merged.wavefronts += c.wavefronts;
}

// Chooses among the "file:line" lines that addr2line -i prints for one address, innermost inlined
// frame first: the first in a .cu file, else the first outside the headers of the CPU device.
static Place pick(const std::vector<std::string> &frames)
{
    Place best = { "?", 0 };

    for (const std::string &frame : frames) {
        size_t colon = frame.rfind(':');
        if (colon == std::string::npos)
            continue;
        Place p = { frame.substr(0, colon), atoi(frame.c_str() + colon + 1) };

        if (p.file.size() > 3 && p.file.compare(p.file.size() - 3, 3, ".cu") == 0)
            return p;
        if (best.file == "?" || best.file.find("/emu/include/") != std::string::npos)
            best = p;
    }
    return best;
}

// The innermost frame outside the headers of the CPU device.
static std::string statement_of(const std::vector<std::string> &frames)
{
    for (const std::string &frame : frames)
        if (frame.find("/emu/include/") == std::string::npos)
            return frame.substr(0, frame.find(" ("));   // without the discriminator
    return "";
}

static void keep_frames(uintptr_t pc, const std::vector<std::string> &frames)
{
    known[pc] = pick(frames);
    statements[pc] = statement_of(frames);
}

static void resolve(const std::vector<uintptr_t> &pcs)
{
    std::vector<std::string> frames;
    uintptr_t current = 0;
    std::vector<uint64_t> addresses;   // in the calls, not their return addresses

    for (uintptr_t pc : pcs) {
        known[pc] = { "?", 0 };
        addresses.push_back(pc - 1);
    }
    std::istringstream answer(outside(EMU_ASKS_PLACES, addresses, ""));
    for (std::string line; std::getline(answer, line);) {
        if (line.compare(0, 2, "0x") == 0) {
            if (current)
                keep_frames(current, frames);
            current = strtoull(line.c_str(), nullptr, 16) + 1;
            frames.clear();
        } else
            frames.push_back(line);
    }
    if (current)
        keep_frames(current, frames);
}

static std::mutex places_lock;                     // workers call these functions, too
static std::map<uintptr_t, uintptr_t> ptx_calls;   // by call sites that note_site() has named

void note_site(uintptr_t pc, uintptr_t call)
{
    std::lock_guard<std::mutex> hold(places_lock);
    ptx_calls[pc] = call;
}

bool is_one_statement(uintptr_t pc, uintptr_t other_pc)
{
    places({ pc, other_pc });
    std::lock_guard<std::mutex> hold(places_lock);
    return statements[pc] == statements[other_pc];
}

std::vector<Place> places(const std::vector<uintptr_t> &pcs)
{
    std::lock_guard<std::mutex> hold(places_lock);
    std::vector<uintptr_t> missing;
    std::vector<Place> result;

    auto call_of = [](uintptr_t pc) {
        auto found = ptx_calls.find(pc);
        return found == ptx_calls.end() ? pc : found->second;
    };
    for (uintptr_t pc : pcs)
        if (pc = call_of(pc);
            !known.count(pc) && std::find(missing.begin(), missing.end(), pc) == missing.end())
            missing.push_back(pc);
    if (!missing.empty())
        resolve(missing);
    for (uintptr_t pc : pcs) {
        known[pc] = known[call_of(pc)];
        statements[pc] = statements[call_of(pc)];
        result.push_back(known[pc]);
    }
    return result;
}

static bool before(const emu_line &a, const emu_line &b)
{
    int file = strcmp(a.file, b.file);
    return file ? file < 0 : a.line != b.line ? a.line < b.line : a.kind < b.kind;
}

}   // namespace emu

extern "C" {

void emu_forget_launches(void);   // grid.cpp

const char *emu_rules(const char *capability)
{
    const emu::Rules *chosen = capability ? emu::rules_of(capability) : nullptr;

    if (!chosen)
        return emu::capabilities;
    emu::rules = chosen;
    return nullptr;
}

const char *emu_unit(void) { return emu::rules->unit; }

void emu_reset(void)
{
    emu::sites_used = 0;
    emu::total = {};
    emu::total_merged = {};
    emu::forget_events();
    emu::hopper::forget_use();
    emu_forget_launches();
}

// Adds the requests of a call site.
static void add_site(struct emu_counts *c, const emu::Site &s)
{
    switch (s.kind) {
    case EMU_LD:
        c->ld_requests += s.requests;
        c->ld_sectors += s.units;
        c->ld_bytes += s.bytes;
        break;
    case EMU_ST:
        c->st_requests += s.requests;
        c->st_sectors += s.units;
        c->st_bytes += s.bytes;
        break;
    case EMU_ATOMIC: c->atomic_requests += s.requests; break;
    // Its requests are only in the table of lines, as ncu counts them separately.
    case EMU_SHARED_ATOMIC: c->shared_wavefronts_source += s.units; break;
    case EMU_TEX: c->tex_requests += s.requests; break;
    case EMU_BULK_LD:
        c->bulk_ld_requests += s.requests;
        c->bulk_ld_sectors += s.units;
        c->bulk_ld_bytes += s.bytes;
        break;
    case EMU_BULK_ST:
        c->bulk_st_requests += s.requests;
        c->bulk_st_sectors += s.units;
        c->bulk_st_bytes += s.bytes;
        break;
    case EMU_PRODUCT:
        c->products += s.requests;
        c->product_clocks += s.units;
        c->product_bytes += s.bytes;
        break;
    case EMU_CLUSTER_LD:
    case EMU_CLUSTER_ST:
    case EMU_CLUSTER_ATOMIC:
        c->cluster_requests += s.requests;
        c->cluster_bytes += s.bytes;
        break;
    case EMU_MULTICAST: c->multicast_bytes += s.bytes; break;
    case EMU_SHARED_LD:
    case EMU_SHARED_ST:
        c->shared_requests_source += s.requests;
        c->shared_wavefronts_source += s.units;
        break;
    }
    if (s.kind != EMU_ATOMIC && s.kind != EMU_SHARED_ATOMIC && s.kind < EMU_TEX)
        c->lanes += s.lanes;
}

void emu_totals(struct emu_counts *c)
{
    memset(c, 0, sizeof *c);
    c->barriers = emu::total.barriers;
    c->ld_ahead = emu::total.ld_ahead;
    c->exchanges = emu::total.exchanges;
    c->warp_ld_requests = emu::total.warp_ld_requests;
    c->copies = emu::total.copies;
    c->copies_in_flight = emu::total.copies_in_flight;
    emu::count_events(c);
    emu::MergedCounts loads = { 0, 0 };
    for (const emu::Site *s = emu::totals; s < emu::totals + emu::sites_used; s++) {
        add_site(c, *s);
        loads.requests += s->kind == EMU_SHARED_LD ? s->requests : 0;
        loads.wavefronts += s->kind == EMU_SHARED_LD ? s->units : 0;
    }
    // Operands of wgmma are read at 128 bytes per wavefront, as ncu counts them on an H200.
    c->shared_wavefronts_source += c->product_bytes / 128;
    c->shared_requests = c->shared_requests_source - loads.requests + emu::total_merged.requests;
    c->shared_wavefronts =
        c->shared_wavefronts_source - loads.wavefronts + emu::total_merged.wavefronts;
}

int emu_lines(const struct emu_line **out)
{
    std::vector<uintptr_t> pcs;

    for (size_t i = 0; i < emu::sites_used; i++)
        pcs.push_back(emu::totals[i].pc);
    emu::places(pcs);
    emu::lines.clear();
    for (size_t i = 0; i < emu::sites_used; i++) {
        const emu::Site &s = emu::totals[i];
        const emu::Place &p = emu::known[s.pc];
        auto same = std::find_if(emu::lines.begin(), emu::lines.end(), [&](const emu_line &l) {
            return p.file == l.file && p.line == l.line && s.kind == l.kind;
        });

        if (same == emu::lines.end()) {
            emu::lines.push_back({ p.file.c_str(), p.line, s.kind, 0, 0, 0, 0, 0 });
            same = emu::lines.end() - 1;
        }
        same->requests += s.requests;
        same->units += s.units;
        same->ideal += s.ideal;
        same->bytes += s.bytes;
        same->lanes += s.lanes;
    }
    std::sort(emu::lines.begin(), emu::lines.end(), emu::before);
    *out = emu::lines.data();
    return (int)emu::lines.size();
}
}
