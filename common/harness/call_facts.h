// What a call of a stage did: its launches, and its counts.
#ifndef CALL_FACTS_H
#define CALL_FACTS_H

#include "columns.h"

// One field per counter of the result table; -1: unknown.
struct counts {
#define X(name, says) double name;
    COUNTERS(X)
#undef X
};

struct facts {
    int kernels;   // launches in the call; -1: unknown
    // the kernel with the most threads, which the other fields describe, too; "": unknown
    char kernel[256];
    unsigned grid[3], block[3];
    int regs;            // per thread; -1: unknown
    long shared_bytes;   // per block, static and dynamic; -1: unknown
    int blocks_per_sm;   // resident, by the occupancy rules; -1: unknown
    struct counts counts;
};

static const struct facts facts_unknown = { .kernels = -1,
                                            .regs = -1,
                                            .shared_bytes = -1,
                                            .blocks_per_sm = -1,
#define X(name, says) .counts.name = -1,
                                            COUNTERS(X)
#undef X
};

#endif
