// One call of a stage: the functions of stage.h that the stage may use, and how the call ended.
#ifndef CALL_H
#define CALL_H

#include "status.h"
#include "week.h"

// Makes the call and waits for its end. Returns STATUS_OK, STATUS_SKIPPED if the stage refused the
// call, or STATUS_ERROR if CUDA reports an error. In the last two cases, call_why() is the reason.
enum status call_stage(stage_fn *, const struct problem *, void *const device[]);
// The same for two calls, of which the second does not wait for the end of the first.
enum status call_stage_twice(stage_fn *, const struct problem *, void *const device[]);

// What call_stage() does before and after the call, for a caller that makes the call itself.
void call_begin(void);
enum status call_end(void);

// Why the last call was refused or failed.
const char *call_why(void);

// Ends the program if CUDA accepts no more work from this process, as after an illegal address.
void call_must_recover(void);

#endif
