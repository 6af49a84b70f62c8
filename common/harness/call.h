// One call of a stage, from the harness's side: what stage.h offers the stage during it, and how it
// ended.
#ifndef CALL_H
#define CALL_H

#include "status.h"
#include "week.h"

// Makes the call and waits for it. STATUS_OK; STATUS_SKIPPED if the stage refused it, or
// STATUS_ERROR if CUDA reports an error, and then call_why() is the reason.
enum status call_stage(stage_fn *, const struct problem *, void *const device[]);

// The two halves of that, for a caller that makes the call in another way.
void call_begin(void);
enum status call_end(void);

// Why the last call was refused or failed.
const char *call_why(void);

// Ends the program if CUDA takes no more calls in this process, as after an illegal address.
void call_must_recover(void);

#endif
