// The head of a submission, for the program that checks it and for the submission's own program:
// what a submission's head says does not change how it is judged.
#include "week.h"

static const char *const claims[] = { NULL };

const struct stage_info stage_info = {
    .file = "exercise.cu",
    .key = "exercise",
    .name = "submission",
    .lesson = "",
    .needs = "",
    .computes = "",
    .arithmetic = "",
    .type = "",
    .knobs = "",
    .claims = claims,
};
