// The arrays of a measurement in which each call gets other inputs, and what proves that it ran.
#ifndef SHIFT_H
#define SHIFT_H

#include "buffers.h"

// Makes the inputs of set `to` from those of set `from`: other numbers at other places, which
// depend on the shift. arrays_shift_host() does the same with host arrays.
void arrays_shift(const struct arrays *, int to, int from, uint64_t shift);
void arrays_shift_host(struct arrays *, void *const from[], uint64_t shift);

// Copies `bytes` bytes of the largest output of a set, from a place that the number determines; the
// rest of a smaller output is POISON.
void arrays_probe(const struct arrays *, int set, uint64_t place, unsigned char *to, size_t bytes);

#endif
