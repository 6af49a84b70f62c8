// Figures of what a block did on the CPU device (events.h).
#ifndef FIGURE_EVENTS_H
#define FIGURE_EVENTS_H

#include "events.h"
#include "sheet.h"
#include "tool.h"

// Which lanes of a warp touch which sectors and banks, from a file of --lanes: the nth request of
// each source line and kind, from source line `line` on. Ends the program if there is none.
void draw_lanes(struct sheet *, const struct events *, int nth, int line);

// The first `most` positions in the order of execution, from a file of --trace.
void draw_trace(struct sheet *, const struct events *, long most);

// The figures of files, not of result tables.
#define EVENT_FIGURES "lanes trace"

// ladder figure lanes [--access N] [--line L] [--format F] FILE
// ladder figure trace [--events N] [--format F] FILE
enum status events_figure(struct arguments);

#endif
