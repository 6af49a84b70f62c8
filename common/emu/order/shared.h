// Shared memory of the block that a worker runs (shared.cpp).
#ifndef EMU_SHARED_H
#define EMU_SHARED_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lanes/worker.h"
#include "order.h"

namespace emu {

struct SharedVariable {
    const void *key;
    const char *name;
    size_t offset, bytes;   // in the arena
    size_t align;           // as declared
};

struct Shared {
    unsigned char *bytes;   // flags of each byte of the arena (shared.cpp)
    std::vector<Page> pages;
    std::vector<SharedVariable> variables;
    size_t used;   // bytes of the arena in use
    // of the variable that was accessed last
    size_t recent_start, recent_bytes;
    size_t static_bytes;
    size_t dynamic_bytes;
    uint64_t block;      // number of blocks that this worker has started
    uint32_t interval;   // number of the span between two barriers, unique per worker
};

void shared_begin_block(Worker &);
void shared_begin_interval(Worker &);
// Bytes between variables, so that an access just past the end of one belongs to no variable.
constexpr size_t GAP = 128;
// Makes the variable that contains the range the recent one. False: no variable contains it.
bool find_shared_variable(Worker &, size_t offset, size_t size);
// The variable that contains the range; without bytes if there is none.
Range shared_variable_of(Worker &, uintptr_t address, size_t size);

inline bool in_shared_variable(Worker &w, uintptr_t address, size_t size)
{
    const Shared &s = w.shared;
    size_t offset = address - (uintptr_t)w.arena;

    return offset - s.recent_start + size <= s.recent_bytes ||
           find_shared_variable(w, offset, size);
}
// The declared alignment of the variable at this address; 1 if there is no variable.
size_t shared_alignment(const Worker &, uintptr_t address);
// Checks a request for accesses out of bounds, uninitialized reads and races, and records it.
// False: it reported a fault that ends the launch. is_checked: each address is within a variable.
bool shared_request(Worker &, const Warp &, const Request &, const Stop &head, emu_kind kind,
                    bool is_checked = false);
// The address of the same variable, which may be new there, in the memory of another block.
uintptr_t shared_in(Worker &to, const Worker &from, uintptr_t address);
std::string shared_name(const Worker &, uintptr_t address);   // for messages
// The first byte of a range that no thread has written; ARENA: all were.
size_t shared_unwritten(const Worker &, size_t offset, size_t bytes);
void shared_mark_written(Worker &, size_t offset, size_t bytes, bool yes = true);
// "" or what is wrong with an access to this range.
std::string shared_out_of_bounds(const Worker &, long offset, long size);
// An asynchronous copy, which shared_request has checked as a store. Until it arrives, no thread
// may access its bytes.
void shared_copy_starts(Worker &, size_t offset, unsigned bytes);
void shared_copy_arrives(Worker &, const Lane &, size_t offset, unsigned bytes);

}   // namespace emu

#endif
