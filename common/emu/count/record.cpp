// Records what one block or every block does, in the order of execution (emu_record). One worker at
// a time runs what is recorded, so a recording needs no lock.
#include <cstring>
#include <set>

#include "record.h"
#include "report/report.h"

namespace emu {

static struct {
    bool on;
    emu_watch watch;
    std::vector<emu_event> events;
    std::vector<uintptr_t> pcs;   // of each event
    // Events from here on are steps of lanes that have not stopped since: other lanes of the warp
    // may join them.
    size_t open;
    uint64_t order, omitted;
    std::set<std::string> objects;   // the events point to these names
    std::vector<emu_piece> pieces;   // of all events, one after the other
    struct {
        const char *object;
        uint64_t phase;
        bool is_over;
    } wait[MAX_WARPS];   // the last one of each warp
} recording;

bool records_every_block() { return recording.on && recording.watch.which == EMU_EVERY_BLOCK; }

bool is_recorded(const Launch &l, uint64_t block)
{
    const unsigned *at = recording.watch.block;

    if (!recording.on)
        return false;
    switch (recording.watch.which) {
    case EMU_LINEAR_BLOCK: return block == at[0];
    case EMU_BLOCK:
        return at[0] < l.grid.x && at[1] < l.grid.y && at[2] < l.grid.z &&
               block == at[0] + l.grid.x * (at[1] + (uint64_t)l.grid.y * at[2]);
    case EMU_EVERY_BLOCK: return !l.cooperative;
    case EMU_MIDDLE_BLOCK: break;
    }
    return block == l.grid.x / 2 + l.grid.x * (l.grid.y / 2 + (uint64_t)l.grid.y * (l.grid.z / 2));
}

// Adds an event with the worker's place, all else 0. Null: it is not recorded.
static emu_event *add(const Worker &w, unsigned warp, uintptr_t pc, emu_step step)
{
    if (recording.watch.warp >= 0 && warp != (unsigned)recording.watch.warp)
        return nullptr;
    if (recording.events.size() == recording.watch.most) {
        recording.omitted++;
        return nullptr;
    }
    recording.events.emplace_back();
    recording.pcs.push_back(pc);
    emu_event &e = recording.events.back();
    e.step = step;
    e.order = recording.order;
    e.launch = w.launch->number;
    e.kernel = w.launch->kernel;
    e.object = "";
    e.grid[0] = w.launch->grid.x;
    e.grid[1] = w.launch->grid.y;
    e.grid[2] = w.launch->grid.z;
    e.threads[0] = w.launch->block.x;
    e.threads[1] = w.launch->block.y;
    e.threads[2] = w.launch->block.z;
    e.block[0] = w.block_index.x;
    e.block[1] = w.block_index.y;
    e.block[2] = w.block_index.z;
    e.warp = warp;
    return &e;
}

static void add_request(const Worker &w, const Warp &warp, const Request &r, emu_kind kind,
                        uintptr_t pc, const Cost &cost, emu_step step)
{
    emu_event *e = add(w, warp.index, pc, step);

    recording.open = recording.events.size();
    if (!e)
        return;
    bool is_shared = r.lanes && in_shared(w, r.address[0]);
    e->kind = kind;
    e->is_shared = is_shared;
    e->size = r.size;
    e->units = cost.units;
    e->ideal = cost.ideal;
    if (step == EMU_COPY)
        e->group = w.pipelines[warp.lane[r.lane[0]].id].committed + 1;
    for (unsigned i = 0; i < r.lanes; i++) {
        e->lanes |= 1u << r.lane[i];
        e->address[r.lane[i]] = r.address[i] - (is_shared ? (uintptr_t)w.arena : 0);
    }
}

void record_request(const Worker &w, const Warp &warp, const Request &r, emu_kind kind,
                    uintptr_t pc, const Cost &cost)
{
    recording.order++;
    add_request(w, warp, r, kind, pc, cost, EMU_REQUEST);
}

void record_outside(const Worker &w, const Warp &warp, const Request &r, unsigned i, emu_kind kind,
                    uintptr_t pc)
{
    Request one = r;

    if (!records_every_block())
        return;
    one.lanes = 1;
    one.lane[0] = r.lane[i];
    one.address[0] = r.address[i];
    record_request(w, warp, one, kind, pc, Cost());
}

void record_copies(const Worker &w, const Warp &warp, const CopyRequest &r, uintptr_t pc,
                   const CopyCost &cost, const Cost &of_zeros)
{
    Request read = lanes_of(r.from, r.zeros, false), stored = lanes_of(r.to, r.zeros, false),
            zeros = lanes_of(r.to, r.zeros, true);

    recording.order++;
    if (read.lanes) {
        add_request(w, warp, read, EMU_LD, pc, cost.load, EMU_COPY);
        add_request(w, warp, stored, EMU_SHARED_ST, pc, cost.store, EMU_COPY);
    }
    if (zeros.lanes)
        add_request(w, warp, zeros, EMU_SHARED_ST, pc, of_zeros, EMU_COPY);
}

void record_step(const Worker &w, const Warp &warp, emu_step step, uint32_t lanes, uintptr_t pc,
                 bool first, uint64_t group)
{
    recording.order += first;
    emu_event *e = add(w, warp.index, pc, step);

    recording.open = recording.events.size();
    if (e)
        e->lanes = lanes, e->group = group;
}

void record_group(const Worker &w, emu_step step, uint64_t group, uintptr_t pc)
{
    unsigned warp = w.current->id / WARP;
    uint32_t lane = 1u << w.current->id % WARP;

    for (size_t i = recording.open; i < recording.events.size(); i++) {
        emu_event &e = recording.events[i];

        if (e.step == step && e.warp == warp && e.group == group && recording.pcs[i] == pc &&
            !(e.lanes & lane)) {
            e.lanes |= lane;
            return;
        }
    }
    if (recording.events.size() == recording.watch.most)
        return;
    recording.order++;
    emu_event *e = add(w, warp, pc, step);
    if (e) {
        e->lanes = lane;
        e->group = group;
    }
}

// ---- asynchronous operations of Hopper ----

static const char *object_of(const AsyncStep &s)
{
    return recording.objects.insert(s.object).first->c_str();
}

// Only one warp is recorded: of its steps, those that access memory.
bool records_pieces() { return recording.watch.warp >= 0; }

static unsigned warp_of(const AsyncStep &s) { return s.by ? s.by->id / WARP : EMU_NO_WARP; }

static emu_event *add_async(const AsyncStep &s, const Worker &w)
{
    emu_event *e = add(w, warp_of(s), s.pc, s.step);

    if (!e)
        return nullptr;
    e->object = object_of(s);
    e->group = s.group;
    e->lanes = s.by ? 1u << s.by->id % WARP : 0;
    return e;
}

void record_async(const AsyncStep &s, const Worker &w)
{
    const char *object = object_of(s);

    for (size_t i = recording.open; s.by && i < recording.events.size(); i++) {
        emu_event &e = recording.events[i];
        uint32_t lane = 1u << s.by->id % WARP;

        if (e.step == s.step && e.warp == warp_of(s) && e.group == s.group && e.object == object &&
            recording.pcs[i] == s.pc && !(e.lanes & lane)) {
            e.lanes |= lane;
            return;
        }
    }
    if (recording.events.size() < recording.watch.most)
        recording.order++;
    add_async(s, w);
}

void record_wait(const AsyncStep &s, const Worker &w, bool is_over)
{
    auto &last = recording.wait[w.current->id / WARP];
    const char *object = object_of(s);

    if (last.object == object && last.phase == s.group && (last.is_over || !is_over))
        return;   // another lane, or another attempt
    last = { object, s.group, is_over };
    record_async({ is_over ? EMU_RESUMED : EMU_BLOCKED, w.current, s.pc, s.object, s.group }, w);
}

void record_box(const AsyncStep &s, const Worker &w, emu_kind kind, bool is_shared, unsigned bytes,
                const Cost &cost, std::vector<emu_piece> &&pieces)
{
    emu_event *e = add_async(s, w);

    recording.open = recording.events.size();
    if (!e)
        return;
    e->kind = kind;
    e->is_shared = is_shared;
    e->size = bytes;
    e->units = cost.units;
    e->ideal = cost.ideal;
    e->pieces = (unsigned)pieces.size();
    recording.pieces.insert(recording.pieces.end(), pieces.begin(), pieces.end());
}

void record_next() { recording.order++; }

}   // namespace emu

extern "C" {

void emu_record(const struct emu_watch *watch)
{
    emu::recording = {};
    emu::recording.on = watch != nullptr;
    if (watch)
        emu::recording.watch = *watch;
}

int emu_events(const struct emu_event **out, uint64_t *omitted)
{
    static std::vector<emu::Place> at;   // the events point to these names
    const emu_piece *piece = emu::recording.pieces.data();

    at = emu::places(emu::recording.pcs);
    for (size_t i = 0; i < at.size(); i++) {
        emu::recording.events[i].file = at[i].file.c_str();
        emu::recording.events[i].line = at[i].line;
        emu::recording.events[i].pc = emu::recording.pcs[i];
        emu::recording.events[i].piece = piece;
        piece += emu::recording.events[i].pieces;
    }
    *out = emu::recording.events.data();
    *omitted = emu::recording.omitted;
    return (int)emu::recording.events.size();
}
}
