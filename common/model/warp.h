/* A warp's registers, and its path through a kernel. Lanes whose values are not known (they come
 * from memory that may not be read, or from an instruction that is not played) are marked. */
#pragma once

#include <stdint.h>

#include "code.h"

enum { LANES = 32, MOST_GROUPS = 32, BARRIERS = 16, MOST_UNIFORM = 256 };

// What the warps of a block share.
struct block {
    const struct model_launch *launch;
    const struct model_code *code;
    const struct model_kernel *kernel;
    unsigned index[3], threads, warps, rank;   // rank in the cluster
    uint8_t *shared;                           // bytes, and for each word whether it is not known
    uint8_t *unknown;
    size_t shared_bytes;
};

// Lanes that are at the same instruction.
struct group {
    uint32_t lanes;
    int at, waits;   // at a BSYNC of barrier waits - 1; 0: runs
};

struct warp {
    struct block *block;
    unsigned first;         // thread of lane 0
    uint32_t (*r)[LANES];   // [registers + 1]
    uint32_t *unknown;      // lanes of each register
    uint32_t p[8], p_unknown[8];
    uint32_t ur[MOST_UNIFORM];
    uint8_t ur_unknown[MOST_UNIFORM], up[8], up_unknown[8];
    uint32_t barrier[BARRIERS];
    struct group group[MOST_GROUPS];
    int n_groups, now;   // the group that runs
    uint32_t lanes;      // that exist
    int assumed;         // branches that depend on unknown values
    long steps;
};

// The lanes of the running group for which the guard holds.
uint32_t warp_active(const struct warp *w, const struct instruction *i);
// Executes the instruction of the running group on its registers, if a path or an address depends
// on it.
void warp_compute(struct warp *w, const struct instruction *i);
// Goes to the next instruction: branches, returns, exits, convergence. Returns 0 when all lanes
// have exited.
int warp_advance(struct warp *w, const struct instruction *i);
// Goes over instructions that need not be computed, up to a branch or a barrier; returns how many.
long warp_skip(struct warp *w, long most);
// The next instruction of the running group.
const struct instruction *warp_next(const struct warp *w);

void warp_start(struct warp *w, struct block *b, unsigned first);

// Addresses of the active lanes of a memory instruction; returns the lanes whose address is known.
uint32_t warp_addresses(struct warp *w, const struct instruction *i, const struct operand *o,
                        uint64_t address[LANES]);

// Operands, as values of all lanes. The result may point into w or to scratch.
const uint32_t *warp_source(struct warp *w, const struct operand *o, int word, uint32_t *scratch,
                            uint32_t *unknown);
uint32_t warp_predicate(const struct warp *w, const struct operand *o, uint32_t *unknown);
void warp_put(struct warp *w, const struct instruction *i, const struct operand *o, int word,
              const uint32_t *value, uint32_t unknown);
void warp_put_predicate(struct warp *w, const struct instruction *i, const struct operand *o,
                        uint32_t value, uint32_t unknown);
