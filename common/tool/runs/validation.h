// The tables of `make validate`, plots/data/model/GPU.tsv, and of estimated machine code,
// plots/data/estimated/GPU.tsv: the modeled time beside each recorded one, and what is computed
// from them. docs/model.md shows it.
#ifndef VALIDATION_H
#define VALIDATION_H

#include "text.h"

#define VALIDATED(X)     \
    X(week)              \
    X(stage)             \
    X(name)              \
    X(type)              \
    X(size)              \
    X(variant)           \
    X(mode)              \
    X(recorded_us)       \
    X(recorded_graph_us) \
    X(bound_us)          \
    X(model_us)          \
    X(model_graph_us)    \
    X(limiter) X(instructions) X(recorded_instructions) X(half) X(lacks) X(busiest) X(waits)

// A row; a field is "" if it is not known.
struct validated {
#define FIELD(name) const char *name;
    VALIDATED(FIELD)
#undef FIELD
};

struct validation {
    const char *gpu;   // "h200"
    int estimated;     // the times of estimated machine code: plots/data/estimated
    struct note *note;
    int n_notes;
    struct validated *row;
    int n;
};

// The recorded tables of a GPU, of all GPUs with NULL. Sets *n; 0: there is none.
struct validation *validations_read(const char *gpu, int estimated, int *n);

// Replaces the recorded table.
void validation_save(const struct validation *);

// The number in a field; NaN for "".
double validated_number(const char *field);

// The stages are in two halves: nothing in the model was changed because of a time of a stage that
// is held out. plots/data/model/tuned lists the others.
enum { TUNED = 1, HELD_OUT = 2, BOTH_HALVES = 3 };
extern const char *const half_word[BOTH_HALVES + 1];
int half_of(const char *word);   // 0: none

// Calls that take less are judged by their time in a graph.
enum { SHORT_US = 15 };

// Whether a row is one of the stage itself (no variant) with a time of at least SHORT_US.
int is_long(const struct validated *);

// The error of a stage: the median over its rows of e^|log(model / recorded)| - 1. A row without a
// modeled time has a larger one than any other; medians of more than MOST_ERROR are of such rows.
enum { MOST_ERROR = 1000, NO_TIME = 1000000 };
struct stage_error {
    const struct validated *row;   // the first of the stage
    double error, ratio;           // ratio: the median of model / recorded
    int rows;
};
struct stage_errors {
    struct stage_error *of;
    int n;
    double median;
    int within;   // of n: with an error of at most 25 %
    int rows, rows_within, bounds_within;
};
// Of a week, of all weeks with NULL.
struct stage_errors stage_errors(const struct validation *, const char *week, int halves);

// Calls of less than SHORT_US in a graph: within 1 us or 20 %.
struct short_calls {
    int n, within;
    double median_us;   // of |model - recorded|
};
struct short_calls short_calls(const struct validation *, const char *week, int halves);

// Steps from a stage to the next one of a ladder at one size that change the time by more than
// 10 %: in how many the model changes in the same direction, and by a factor within 1.3. A step is
// in the tuned half if both stages are.
struct steps {
    int n, right, within;
};
struct steps steps_of(const struct validation *, const char *week, int halves);

#endif
