// Asynchronous copies of threads (pipeline.cpp).
#ifndef EMU_PIPELINE_H
#define EMU_PIPELINE_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lanes/worker.h"

namespace emu {

void pipeline_begin_block(Worker &);
// By the current lane: copies `size` bytes, of which the last `zfill` become zeros; commits its
// copies as a group; waits until at most `prior` groups are pending.
void pipeline_copy(Worker &, uintptr_t to, uintptr_t from, size_t size, size_t zfill, uintptr_t pc);
void pipeline_commit(Worker &, uintptr_t pc);
void pipeline_wait(Worker &, uint64_t prior, uintptr_t pc);
// The number of copies that a thread of the block has started; and the first `end` of them arrive.
uint64_t pipeline_started(const Worker &, unsigned thread);
void pipeline_land(Worker &, unsigned thread, uint64_t end);
void serve_copy(Worker &, Warp &, unsigned group);

}   // namespace emu

#endif
