/* What the warps of a recorded block have to do with each other: barriers, and mbarriers: how many
 * threads arrive in a phase, and how many bytes bulk copies bring. */
#pragma once

#include "../emu/interface.h"

struct async;

// Of all events of a block, which the caller keeps.
struct async *async_of(const struct emu_event *events, int n, int warps);
void async_free(struct async *);

// How many warps a barrier of threads has released together, and the first of them.
int async_together(const struct async *, const struct emu_event *, unsigned *first);

// The most requests that a warp makes between its barriers k - 1 and k of all warps.
int async_most_requests(const struct async *, int k);

// Arrivals that end a phase of the event's mbarrier; 0: none of them is of this block's warps.
int async_arrivals(const struct async *, const struct emu_event *);
// The number of the mbarrier, from 0.
int async_number(const struct async *, const struct emu_event *);
// Bytes that this arrival has to expect: in each phase, the first arrival of the warp that copies.
double async_expected(const struct async *, const struct emu_event *);
// Bytes that arrive at the mbarrier with this copy, also those that other blocks' multicasts bring
// meanwhile.
double async_landing(const struct async *, const struct emu_event *);
