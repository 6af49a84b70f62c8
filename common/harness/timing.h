// How long calls take on a GPU.
#ifndef TIMING_H
#define TIMING_H

#include "contender.h"
#include "device.h"

// How many sets of buffers make every call find its data outside the L2 cache: together they exceed
// four times its size. At most 4096, and no more than fit into the device's memory.
int cold_sets(const struct device *, const struct problem *);

// Times contenders that were found correct, taking turns so that all see the same clocks. Calls
// rotate among the sets of their arrays; with one set, they are hot. `samples` is how many to take;
// 0 takes them until the spread converges. Fills in timing, or status STATUS_ERROR and why.
void time_all(const struct device *, struct contender *const contender[], int n, int samples);

#endif
