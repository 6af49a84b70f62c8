// Counts per call site, their sums, and the rules by which requests are counted.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "counting.h"
#include "emu.h"
#include "include/cuda_runtime.h"
#include "report/report.h"

__thread unsigned long long emu_dot_products, emu_packed_conversions;

namespace emu {

const Rules *rules = &rules_9_0;

// Per call site, in the runtime's own variables, which a graded program cannot reach (guard.cpp).
static Site totals[2 * SITES];
static size_t sites_used;
static emu_counts total;            // what is not counted per call site
static MergedCounts total_merged;   // shared-memory loads after merging
static std::vector<emu_line> lines;

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

// All counts start as 0.
Counting::Counting() : tally(*new emu_counts()) {}

emu_counts &host_counts() { return total; }

void count_begin_launch(Worker &w)
{
    w.counts.sites.clear();
    w.counts.tally = {};
    emu_dot_products = emu_packed_conversions = 0;
}

void count_begin_block(Worker &w)
{
    w.counts.warps.resize(w.warps.size());
    for (WarpCounts &warp : w.counts.warps) {
        warp.ahead.clear();
        warp.loads = 0;
    }
}

void count_end_launch(Worker &w)
{
    emu_counts &tally = w.counts.tally;

    tally.dot_products = emu_dot_products;
    tally.packed_conversions = emu_packed_conversions;
    if (w.launch->is_reversed)   // forget_merged_counts() is next
        return take_merged(&w.counts.merged);
    for (const Site &s : w.counts.sites.table)
        if (s.requests) {
            Site &t = total_of(s.pc, s.kind);

            t.requests += s.requests;
            t.units += s.units;
            t.ideal += s.ideal;
            t.bytes += s.bytes;
            t.lanes += s.lanes;
        }
#define SUM(name) total.name += tally.name;
#define MOST(name) total.name = std::max(total.name, tally.name);
    EMU_COUNTS(SUM, MOST)
    SUM(copies)
#undef SUM
#undef MOST
    take_merged(&w.counts.merged);
}

void add_merged_counts()
{
    MergedCounts c = count_merged();

    total_merged.requests += c.requests;
    total_merged.wavefronts += c.wavefronts;
}

void forget_merged_counts() { count_merged(); }

Cost cost_of(Worker &w, const Request &r, const Shape &shape, bool is_shared, bool is_store)
{
    // Since compute capability 5.0, sectors depend on the place in a sector, and bank conflicts on
    // the place in a word. Before, the largest segment had 256 bytes.
    bool is_older = rules->global != sectors;
    unsigned period = is_older ? 512 : is_shared ? 4 : 32;

    return w.counts.costs.of(*rules, shape, r, is_shared * 2 + is_store, period, [&] {
        return is_shared ? rules->shared(r, is_store) : rules->global(r);
    });
}

void count_barriers(Worker &w, unsigned warps) { w.counts.tally.barriers += warps; }

void count_partial_barrier(Worker &w) { w.counts.tally.partial_barriers++; }

void count_ahead(Worker &w, unsigned loads) { w.counts.tally.ld_ahead += loads; }

void count_copy(Worker &w, size_t in_flight)
{
    w.counts.tally.copies++;
    w.counts.tally.copies_in_flight += in_flight;
}

void count_groups(Worker &w, size_t groups) { w.counts.tally.groups_in_flight += groups; }

void count_load(Worker &w, const Warp &warp)
{
    emu_counts &c = w.counts.tally;

    c.warp_ld_requests = std::max<uint64_t>(c.warp_ld_requests, ++w.counts.warps[warp.index].loads);
}

Merged &merged_of(Worker &w, const Warp &warp)
{
    std::unique_ptr<Merged> &merged = w.counts.warps[warp.index].merged;

    if (!merged && !w.counts.idle.empty()) {
        merged = std::move(w.counts.idle.back());
        w.counts.idle.pop_back();
    }
    if (!merged)
        merged.reset(new Merged);
    return *merged;
}

void close_merged(Worker &w, const Warp &warp)
{
    std::unique_ptr<Merged> &merged = w.counts.warps[warp.index].merged;

    if (!merged)
        return;
    merged->close(w);
    w.counts.idle.push_back(std::move(merged));
}

void forget_counts()
{
    sites_used = 0;
    total = {};
    total_merged = {};
}

static bool before(const emu_line &a, const emu_line &b)
{
    int file = strcmp(a.file, b.file);
    return file ? file < 0 : a.line != b.line ? a.line < b.line : a.kind < b.kind;
}

}   // namespace emu

extern "C" {

const char *emu_rules(const char *capability)
{
    const emu::Rules *chosen = capability ? emu::rules_of(capability) : nullptr;

    if (!chosen)
        return emu::capabilities;
    emu::rules = chosen;
    return nullptr;
}

const char *emu_unit(void) { return emu::rules->unit; }

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
    case EMU_SHARED_ATOMIC:
        c->shared_requests_source += s.requests;
        c->shared_wavefronts_source += s.units;
        break;
    }
    if (s.kind != EMU_ATOMIC && s.kind < EMU_TEX)
        c->lanes += s.lanes;
}

void emu_totals(struct emu_counts *c)
{
    *c = emu::total;
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
    static std::vector<emu::Place> found;   // the lines point at its names of files
    found = emu::places(pcs);
    emu::lines.clear();
    for (size_t i = 0; i < emu::sites_used; i++) {
        const emu::Site &s = emu::totals[i];
        const emu::Place &p = found[i];
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
