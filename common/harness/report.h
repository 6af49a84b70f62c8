// What a run prints: one screen, with a unit for every number.
#ifndef REPORT_H
#define REPORT_H

#include "claims.h"
#include "measure.h"
#include "results.h"

// A time in microseconds with its unit; in milliseconds from 10 ms on.
const char *time_text(double us);
// Blocks of a grid or threads of a block: "12", "32x8".
const char *shape_text(const unsigned n[3]);
// The part of the recorded runs that has this stage's times: "ladder".
const char *recorded_part(const struct contender *);

// The stage, its lesson, the problem and the device.
void report_head(const struct measurement *, const struct problem *);

// The first line of a brief report: the stage and its lesson.
void report_brief_head(const struct measurement *);
// Its lines after that of the check: the launch, three counts, and the next command.
void report_brief(const struct measurement *);

// The result of the check. Besides this size, `awkward` sizes were correct; the stage refused
// `refused` sizes, the last one for the reason `why`.
void report_check(const struct measurement *, int awkward, int refused, const char *why);

// The launch, then the times and rates of the stage and the references, or the counted requests.
// Shows at most `lines` source lines.
void report_measurement(const struct measurement *, struct results *, int lines);

// The same in one line.
void report_line(const struct measurement *);

// The stage's rate in the recorded run of the repository, labeled as such; nothing if there is
// none.
void report_recorded(const struct contender *, const struct results *);

#endif
