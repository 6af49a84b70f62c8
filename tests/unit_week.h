// A small week for the unit tests: out = in for a matrix of ints or floats. It has options of each
// kind.
#ifndef UNIT_WEEK_H
#define UNIT_WEEK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "week.h"

static const enum type unit_types[] = { TYPE_F32, TYPE_I32 };

enum { UNIT_SHIFT, UNIT_MIRROR, UNIT_LOAD, UNIT_SAVE };   // indices of the options

static inline const char *unit_shift(const char *text, struct problem *p)
{
    p->option[UNIT_SHIFT] = atoi(text);
    return p->option[UNIT_SHIFT] > 0 ? NULL : "no shift; expected a number from 1";
}

static inline const char *unit_mirror(const char *text, struct problem *p)
{
    (void)text;
    p->option[UNIT_MIRROR] = 1;
    return NULL;
}

static inline const char *unit_load(const char *text, struct problem *p)
{
    (void)text;
    p->dim[0] = 3, p->dim[1] = 5, p->dim[2] = 1;
    p->option[UNIT_LOAD] = 1;
    return NULL;
}

static inline const char *unit_save(const char *text, struct problem *p)
{
    (void)text;
    p->option[UNIT_SAVE] = 1;
    return NULL;
}

static const struct week_option unit_options[] = {
    { "shift", "N", "shifts", ONE_SIZE, unit_shift },
    { "mirror", NULL, "mirrors", ANY_SIZE, unit_mirror },
    { "load", "FILE", "gives the size", ONE_SIZE, unit_load },
    { "save", "FILE", "keeps the result", ONE_RESULT, unit_save },
    { 0 },
};

static inline const char *unit_variant(const struct problem *p)
{
    const char *list = p->option[UNIT_SHIFT] ? text_of("shift=%lld", p->option[UNIT_SHIFT]) : "";

    return p->option[UNIT_MIRROR] ? with_word(list, "mirror") : list;
}

static inline const char *unit_limit(const struct problem *p)
{
    if (p->option[UNIT_SHIFT] > p->dim[1])
        return "the shift must be at most the columns";
    return p->dim[0] > INT32_MAX / p->dim[1] ? "rows x columns must be below 2^31" : NULL;
}

static inline int unit_buffers(const struct problem *p, struct buffer out[MAX_BUFFERS])
{
    out[0] = (struct buffer){ .name = "in",
                              .role = IN,
                              .type = p->type,
                              .count = (size_t)(p->dim[0] * p->dim[1]),
                              .row = p->dim[1] };
    out[1] = (struct buffer){ .name = "out",
                              .role = OUT,
                              .type = p->type,
                              .count = (size_t)(p->dim[0] * p->dim[1]),
                              .row = p->dim[1] };
    return 2;
}

static inline void unit_fill(const struct problem *p, void *const host[])
{
    for (long long i = 0; i < p->dim[0] * p->dim[1]; i++)
        ((int *)host[0])[i] = (int)i + 1;
}

const struct week week = {
    .name = "00_unit",
    .problem = "out = in",
    .size_form = "RxC",
    .size_words = "rows x columns",
    .dims = 2,
    .types = unit_types,
    .n_types = 2,
    .unit = "GB/s",
    .limit = unit_limit,
    .buffers = unit_buffers,
    .fill = unit_fill,
    .check_sizes = "1x1 7x5 33x65",
    .gpu_sizes = "4x8",
    .cpu_size = "4x8",
    .options = unit_options,
    .variant = unit_variant,
};

#endif
