// Times a stage and its references in other processes, for grading on a GPU.
#ifndef ISOLATED_TIME_H
#define ISOLATED_TIME_H

#include "measure.h"

// Fills in the timing of the stage and of each reference. The stage was checked. Each round gives
// every set of arrays other inputs, times one call per set on this process's clock, and compares
// the outputs of a set that is chosen afterwards; so a stage that skips a call is wrong.
void isolated_time(struct measurement *);

#endif
