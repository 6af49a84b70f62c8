// What a run prints: one screen, with a unit for every number.
#ifndef REPORT_H
#define REPORT_H

#include "claims.h"
#include "measure.h"
#include "results.h"

// The stage, its lesson, the problem and the device.
void report_head(const struct measurement *, const struct problem *);

// How a check went: `awkward` sizes were correct before this one, `refused` ones the stage did not
// take, `why` being its reason or "".
void report_check(const struct measurement *, int awkward, int refused, const char *why);

// Launch, then times and rates beside those of the references, or the counted requests. `lines` is
// the most source lines to show.
void report_measurement(const struct measurement *, const struct results *, int lines);

// The same in one line.
void report_line(const struct measurement *);

// The stage's rate in the recorded run of the repository, labeled as such; nothing if there is
// none.
void report_recorded(const struct contender *, const struct results *);

// One line per GPU with a recorded time of the stage: the lower bound of that time, what limits it,
// and the time.
void report_bounds(const struct contender *, const struct results *);

#endif
