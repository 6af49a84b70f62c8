// What the lanes of a warp do between two stops. A lane runs until it has to stop: at a barrier, an
// exchange, an atomic, a volatile access, an asynchronous copy, a fence, printf, or the end of its
// log. It logs its accesses and the iterations of its loops. The warp serves what was logged later,
// in the order in which lanes in lockstep would have made it (warp.cpp). So lanes switch once per
// log and not at each access.
//
// Loads and stores take effect when they are logged. Lanes that run ahead of each other so can only
// see different values if their accesses race, which is reported.
#ifndef EMU_LOG_H
#define EMU_LOG_H

#include <cstdint>
#include <cstring>

#include "fiber.h"
#include "flow.h"
#include "worker.h"

namespace emu {

constexpr unsigned ROWS = 64;

// iteration: the lane waits for the end of an iteration of a loop (loops.cpp).
// ptx is added to the number of an access by inline PTX.
enum class Entry : uint8_t { load, store, shared_load, shared_store, iteration, ptx = 8 };

// An entry without its address: what lanes that make one request have in common.
struct Key {
    uint32_t pc;         // from the start of the program
    uint8_t stack;       // index in Worker::calls
    uint8_t entry : 4;   // enum Entry
    uint8_t log2 : 4;    // of the number of bytes
    // The object that is copied: its size, and the place of this access in it.
    uint8_t object_bytes, object_offset;
};
static_assert(sizeof(Key) == 8, "two keys are compared as integers");

struct AccessLog {
    uint32_t lanes;   // bit i: lane i has entries that are not served, [first[i], end[i])
    uint32_t known;   // bit i: head[i] is the first entry of lane i
    uint16_t first[WARP], end[WARP];
    // What a lane does is in one column. The rows are padded: columns at multiples of 512 bytes
    // would share few sets of the cache.
    struct {
        // of the access; of an iteration, the order of lanes that wait for its end
        uintptr_t address[WARP];
        uint64_t key[WARP];
        uint64_t padding[8];
    } row[ROWS];
    unsigned char value[ROWS][WARP + 4][16];   // what a store has stored
    Stop head[WARP];
};

// The same without a Key in memory, which would have to be written in parts and read as a whole.
inline uint64_t key_bits(uintptr_t pc, uint8_t stack, Entry entry, unsigned log2,
                         uint8_t object_bytes, uint8_t object_offset)
{
    return (uint32_t)(pc - (uintptr_t)&__executable_start) | (uint64_t)stack << 32 |
           (uint64_t)entry << 40 | (uint64_t)log2 << 44 | (uint64_t)object_bytes << 48 |
           (uint64_t)object_offset << 56;
}

inline Key key_of(uint64_t bits)
{
    Key key;

    memcpy(&key, &bits, sizeof key);
    return key;
}

// A chain of calls in which a lane is: the upper words of its rank, and their number.
struct Calls {
    Rank callers;
    unsigned depth;
};
constexpr uint8_t UNKNOWN_CALLS = 255;

inline void log_last_stored(Worker &w)
{
    switch (w.late_bytes) {
    case 1: memcpy(w.late_store, (const void *)w.late_address, 1); break;
    case 2: memcpy(w.late_store, (const void *)w.late_address, 2); break;
    case 4: memcpy(w.late_store, (const void *)w.late_address, 4); break;
    case 8: memcpy(w.late_store, (const void *)w.late_address, 8); break;
    default: memcpy(w.late_store, (const void *)w.late_address, 16);
    }
    w.late_store = nullptr;
}

// What the last store of the lane has stored is in memory now: logs it.
static inline __attribute__((always_inline)) void log_stored(Worker &w)
{
    if (w.late_store)
        log_last_stored(w);
}

// warp.cpp: the running lane has stopped. Returns the stack of the next lane of the queue, or the
// scheduler's. Lanes that run in turn switch to each other, because this takes half the time.
void *next_stack(Worker &);
[[noreturn]] void exit_lane(Worker &);   // the running lane

// Stops the running lane until it is resumed.
static inline __attribute__((always_inline)) void park(Worker &w, State state)
{
    Lane &lane = *w.current;

    log_stored(w);
    if (overflows(w) && !stops(w) && state != State::paused)
        fail(w, stack_text, lane.pc);
    lane.state = state;
    if (!stops(w) && state != State::paused) {
        Position &p = lane.position;
        Spot s = spot_at(lane.pc);

        if (state == State::barrier && s.order && s.function == p.function)
            p.order = s.order;   // its rank is not used
        else
            lane.rank = state == State::branch ? p.rank() : rank_at(&p, lane.pc);
    }
    emu_switch(&w.sp[lane.id], next_stack(w));
}

__attribute__((noinline)) void pause_lane(Worker &);   // warp.cpp: until its log is served

// Can an entry be added to the log of the running lane without anything else?
static inline __attribute__((always_inline)) bool has_room(const Worker &w)
{
    return !w.late_store && w.log->end[w.current->id % WARP] != ROWS;
}

// Adds an entry to the log of the running lane, which pauses first if its log is full. Returns the
// place for what a store stores.
static inline __attribute__((always_inline)) unsigned char *log_entry(Worker &w, uint64_t key,
                                                                      uintptr_t address)
{
    Lane &lane = *w.current;
    AccessLog &log = *w.log;
    unsigned i = lane.id % WARP;

    log_stored(w);
    if (log.end[i] == ROWS)
        pause_lane(w);
    unsigned at = log.end[i]++;
    log.row[at].address[i] = address;
    log.row[at].key[i] = key;
    return log.value[at][i];
}

// Waits until everything that the running lane has logged is served. Called before whatever others
// can observe.
inline void serve_log(Worker &w)
{
    log_stored(w);
    if (w.log->end[w.current->id % WARP])
        park(w, State::paused);
}

}   // namespace emu

#endif
