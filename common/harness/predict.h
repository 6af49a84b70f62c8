// The modeled time of a call on a GPU that is not here. The call is made in a dry run of the CPU
// device, so that any size takes milliseconds; the model plays its launches.
#ifndef PREDICT_H
#define PREDICT_H

#include "contender.h"
#include "../model/player.h"

// NULL in the programs of a week that is built without predict.c and the model (MODELED in
// week.mk).
#define WEAK __attribute__((weak))

// Ends the program with STATUS_USAGE if there is no GPU of this name for --for.
WEAK void predict_must_know(const char *gpu);

// Opens the GPU, and the machine code of the stage. Returns NULL, or why there is no machine code.
WEAK const char *predict_open(struct player *, const char *gpu, const struct week *,
                              const struct stage_info *);

// Without machine code: estimates it from a call at the CPU device's size. Returns NULL, or why
// not.
WEAK const char *predict_estimate(struct player *, struct contender *, const char *why_none);

// Makes the stage's call for its problem in a dry run. emu_launches() are then its launches.
// Returns its status, with the reason in c->why. No launch of the program is executed from here on.
WEAK enum status predict_call(struct contender *c, struct player *);

// After predict_call(): the table of the report; one line; a row of --model-rows.
WEAK void predict_report(const struct contender *, const struct player *);
WEAK void predict_line(const struct contender *, const struct player *);
WEAK void predict_print_header(void);
WEAK void predict_print_row(const struct contender *, const struct player *);

// The same in a line of a report; nothing if the model lacks something.
WEAK void predict_summary(const struct contender *, const struct player *);

#endif
