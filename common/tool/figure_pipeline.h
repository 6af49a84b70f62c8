// The asynchronous operations of a block in the figure of its trace: a row per mbarrier, below
// those of the warps.
#ifndef FIGURE_PIPELINE_H
#define FIGURE_PIPELINE_H

#include "figure_events.h"

enum { MOST_OBJECTS = 16 };

enum pipeline_look { P_WAITS, P_PRODUCTS, P_COPIES, P_EVEN, P_ODD, P_ARRIVAL, PIPELINE_LOOKS };

struct pipeline {
    const struct events *all;
    long end;   // the first position that is not drawn
    int warps;
    struct object {
        const char *name, *label;
    } object[MOST_OBJECTS];
    int objects;
    int used[PIPELINE_LOOKS];
    int most_copies;   // in flight while a warp accesses memory or starts a product
};

struct pipeline pipeline_of(const struct events *, long end, int warps);

// Bars, a line each: from to low high color. Waits are in the upper half of the row of a warp.
void put_pipeline(struct sheet *, struct pipeline *);

// The text of the legend and its color.
const char *pipeline_says(enum pipeline_look);
int pipeline_color(enum pipeline_look);

#endif
