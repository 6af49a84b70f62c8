// Recordings of one block (record.cpp).
#ifndef EMU_RECORD_H
#define EMU_RECORD_H

#include <cstdint>
#include <string>
#include <vector>

#include "lanes/worker.h"
#include "rules.h"

namespace emu {

bool records_every_block();
// All that follow are called only for a block that is recorded.
bool is_recorded(const Launch &, uint64_t block);
void record_request(const Worker &, const Warp &, const Request &, emu_kind, uintptr_t pc,
                    const Cost &);
// An access of one lane that is out of bounds.
void record_outside(const Worker &, const Warp &, const Request &, unsigned i, emu_kind,
                    uintptr_t pc);
// Copies cost `cost`, or `of_zeros` for those that only fill with zeros.
void record_copies(const Worker &, const Warp &, const CopyRequest &, uintptr_t pc,
                   const CopyCost &, const Cost &of_zeros);
// A step that the warps of a barrier take at once: `first` is false for all but the first of them.
void record_step(const Worker &, const Warp &, emu_step, uint32_t lanes, uintptr_t pc,
                 bool first = true, uint64_t group = 0);
// A commit or a wait of the current lane. Lanes of its warp that do the same before they stop are
// one event.
void record_group(const Worker &, emu_step, uint64_t group, uintptr_t pc);

// A step of an asynchronous operation of Hopper, by the lane `by` of the block, or by none.
struct AsyncStep {
    emu_step step;
    const Lane *by;
    uintptr_t pc;
    std::string object;
    uint64_t group;
};
// Lanes of a warp that do the same one after another are one event.
void record_async(const AsyncStep &, const Worker &);
// The current lane waits for a phase of an object, or has waited (`is_over`).
void record_wait(const AsyncStep &, const Worker &, bool is_over);
// A side of a bulk copy, or an operand of a product: all its bytes, and some of its pieces.
bool records_pieces();
constexpr unsigned PIECE_ROWS = 16, MOST_PIECES = 1024;
void record_next();   // what follows comes after what was recorded
void record_box(const AsyncStep &, const Worker &, emu_kind, bool is_shared, unsigned bytes,
                const Cost &, std::vector<emu_piece> &&);

}   // namespace emu

#endif
