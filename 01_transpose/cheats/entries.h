// The lab "find the cheat": what its entries have in common. Not for benchmark.cu, which must not
// know the entries.
#ifndef ENTRIES_H
#define ENTRIES_H

#include "lab.h"

struct named_entry {
    const char *name;
    struct entry entry;
    bool honest;
    // If not, its results can be right. Then the right time catches it, too.
    bool must_be_rejected;
};
extern const struct named_entry entries[];
extern const int n_entries;

// Launches kernel<<<grid, block, 0, stream>>>(...), and advances the clock.
#define LAUNCH(stream, kernel, grid, block, ...) \
    (launch_begins(), kernel<<<grid, block, 0, stream>>>(__VA_ARGS__), launch_ends(stream))
void launch_begins(void);
void launch_ends(cudaStream_t);

// The next launch reads this array and uses streaming stores. So the array stays in L2 until
// flush_l2(), or until another launch. Loads from L2 take a quarter of the time.
void next_keeps_in_l2(const void *array);

#endif
