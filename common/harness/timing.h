// How long calls take on a GPU.
#ifndef TIMING_H
#define TIMING_H

#include "contender.h"
#include "device.h"

// The number of buffer sets among which calls rotate so that none finds its data in L2: together
// they exceed four times the size of L2. At most 4096, and no more than fit into the device's
// memory.
int cold_sets(const struct device *, const struct problem *);

// Times contenders that were found correct. They take turns, so that all run at the same clocks.
// Calls rotate among the sets of their arrays; with one set, the cache is hot. `samples` is the
// number of samples; 0: until the spread converges, for at most 2 s or, if `quick`, 0.15 s. Fills
// in timing, or STATUS_ERROR and why.
void time_all(const struct device *, struct contender *const contender[], int n, int samples,
              int quick);

#endif
