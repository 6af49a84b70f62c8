// What a run prints: one screen, a unit in every figure.
#ifndef REPORT_H
#define REPORT_H

#include "measure.h"
#include "claims.h"

// The stage, its lesson, the problem and the device.
void report_head(const struct measurement *, const struct problem *);

// How a check went; `awkward` sizes were right before this one, `refused` ones the stage would not
// take, `why` being its reason or "".
void report_check(const struct measurement *, int awkward, int refused, const char *why);

// Launch, then times and rates beside the references', or the requests that were counted. `lines`
// is the most source lines to show.
void report_bench(const struct measurement *, int lines);

// The same in one line.
void report_line(const struct measurement *);

// What the stage reached in the recorded run of the repository, named as such; nothing where there
// is none.
void report_recorded(const struct contender *);

// One claim, judged; own is the runner that makes it.
void report_claim(const struct device *, const struct contender *own, const struct claim *,
                  const struct claim_result *);

#endif
