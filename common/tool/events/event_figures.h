// Figures of what a block did on the CPU device (events.h), from the files that --lanes and --trace
// of a stage write.
#ifndef EVENT_FIGURES_H
#define EVENT_FIGURES_H

#include <stdlib.h>

#include "events.h"
#include "figures.h"

static inline enum event_kind kind_of(const struct event *e) { return event_kind_of(e->kind); }
// Its position in the order of execution.
static inline double step_of(const struct event *e) { return atof(e->event); }

// --- figure_events.c, figure_lanes.c, figure_trace.c ---

// Which lanes of a warp touch which sectors and banks, from a file of --lanes: the requests `first`
// to `last` of each source line and kind (of a range, only those of loops), from source line `line`
// on. `kind`: only those whose kind has all of these words, "shared store"; "": all. Ends the
// program if there is none.
struct lanes_query {
    int first, last, line;
    const char *kind;
};
void draw_lanes(struct sheet *, const struct events *, struct lanes_query);

// The first `most` positions in the order of execution, from a file of --trace.
void draw_trace(struct sheet *, const struct events *, long most);

// ladder figure lanes [--access N or M-N] [--line L] [--kind WORDS] [--format F] FILE
// ladder figure trace [--events N] [--format F] FILE
enum status command_lanes(struct arguments);
enum status command_trace(struct arguments);

// --- figure_box.c ---

// Panels of `ladder figure lanes` for bulk copies and operands of products: the first rows of a box
// in the sectors of global memory, or in the banks of shared memory.

// The cells of panel `panel`. Returns the largest x.
int put_box(struct sheet *, const struct event *, int panel);

// --- figure_pipeline.c ---

// The asynchronous operations of a block in the figure of its trace: a row per mbarrier, below
// those of the warps.

enum { MOST_OBJECTS = 16 };

enum pipeline_look { P_WAITS, P_PRODUCTS, P_COPIES, P_EVEN, P_ODD, P_ARRIVAL, PIPELINE_LOOKS };

struct pipeline {
    const struct events *all;   // those that are drawn
    long end;                   // the first position that is not drawn
    int warps;
    struct object {
        const char *name, *label;
    } object[MOST_OBJECTS];
    int objects;
    int used[PIPELINE_LOOKS];
    int most_copies;   // in flight while a warp accesses memory or starts a product
};

struct pipeline pipeline_of(const struct events *, long end, int warps);

// Where the first event of this kind completes the group of an event of its warp; the end of the
// drawing if none does.
double end_of_group(const struct pipeline *, size_t first, enum event_kind);

// Bars, a line each: from to low high color. Waits are in the upper half of the row of a warp.
void put_pipeline(struct sheet *, struct pipeline *);

// The text of the legend and its color.
const char *pipeline_says(enum pipeline_look);
int pipeline_color(enum pipeline_look);

#endif
