// What limits a stage according to Nsight Compute, beside what the model of time says:
// plots/data/GPU/WEEK.limiters.txt, a row per stage with the metrics of limiters.c.
#ifndef LIMITERS_H
#define LIMITERS_H

// A unit that ncu finds busy for this share of its peak or more is the limiter.
#define LIMITER_PERCENT 60.

// What ncu measured of a stage's longest launch.
struct profiled {
    const char *week, *name, *type, *size, *kernel;   // name: of the stage, as numbers change
    double us;
    // The busiest unit and the first reason for which warps stall, as ncu names them, and in the
    // model's words; a word is "" if the model has none.
    const char *metric, *unit, *reason, *stall;
    double percent;   // how busy the unit is
};

struct profiles {
    struct profiled *of;
    int n;
};

// The tables of a GPU; without rows if there are none.
struct profiles profiles_read(const char *gpu);

// Whether the model agrees with ncu: about the busiest unit; about the first reason for stalls,
// where `unit` may be the unit whose queue the warps wait for; and about the limiter, which is the
// unit at LIMITER_PERCENT or more, and otherwise the reason.
int agrees_unit(const struct profiled *, const char *busiest);
int agrees_stall(const struct profiled *, const char *waits);
int agrees_limiter(const struct profiled *, const char *limiter, const char *waits);

#endif
