// A small week for the unit tests: out = in for a matrix of ints or floats.
#ifndef UNIT_WEEK_H
#define UNIT_WEEK_H

#include "ladder.h"

static const enum type unit_types[] = { TYPE_F32, TYPE_I32 };

static inline const char *unit_limit(const struct problem *p)
{
    return p->dim[0] > INT32_MAX / p->dim[1] ? "rows x columns must be below 2^31" : NULL;
}

static inline int unit_buffers(const struct problem *p, struct buffer out[MAX_BUFFERS])
{
    out[0] = (struct buffer) { "in", IN, p->type, (size_t)(p->dim[0] * p->dim[1]), p->dim[1] };
    out[1] = (struct buffer) { "out", OUT, p->type, (size_t)(p->dim[0] * p->dim[1]), p->dim[1] };
    return 2;
}

static inline void unit_fill(const struct problem *p, void *const host[])
{
    for (long long i = 0; i < p->dim[0] * p->dim[1]; i++)
        ((int *)host[0])[i] = (int)i + 1;
}

const struct week week = {
    .name = "00_unit", .problem = "out = in", .size_form = "RxC", .size_words = "rows x columns", .dims = 2, .types = unit_types, .n_types = 2,
    .unit = "GB/s", .limit = unit_limit, .buffers = unit_buffers, .fill = unit_fill,
};

#endif
