// The launches that Nsight Compute (ncu --csv) has measured, one by one.
#ifndef LAUNCHES_H
#define LAUNCHES_H

struct measured_metric {
    const char *name;   // "gpu__time_duration.sum"
    double value;       // NaN: n/a
};

struct measured_launch {
    const char *id, *kernel;      // as ncu prints them: "0", "add(const float *, int)"
    const char *grid, *block;     // "1024x1x1"
    struct measured_metric *of;   // n of them
    int n;
};

struct measured_launches {
    struct measured_launch *of;
    int n;
};

// The launches in ncu's output, in their order. Lines that are not CSV, of the program itself, are
// skipped.
struct measured_launches launches_of(const char *csv);

// The value of a metric; NaN if ncu did not measure it.
double launch_value(const struct measured_launch *, const char *metric);

// What a command prints, on one line; "unknown" if it fails. Of the GPU: a field of nvidia-smi.
const char *said(const char *command);
const char *gpu_said(const char *field);

#endif
