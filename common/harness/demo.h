// What demonstrations have in common, beyond the harness's modules that they are linked with: their
// options, the time of a launch, their rows of the result table.
#ifndef DEMO_H
#define DEMO_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../table/program.h"
#include "../table/stats.h"
#include "../table/table.h"
#include "device.h"

// --- options

// One option. It has a value if `value` is given, and none if `flag` is.
struct demo_option {
    const char *name;
    const char **value;
    bool *flag;
};

// Fills in what the command line gives; --help prints `help` and ends the program.
inline void demo_options(int argc, char **argv, const char *help, const struct demo_option *options,
                         int n)
{
    for (int i = 1; i < argc; i++) {
        size_t length = strcspn(argv[i], "=");
        int o = 0;

        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(help, stdout);
            exit(finish(STATUS_OK));
        }
        while (o < n && (strlen(options[o].name) != length ||
                         strncmp(argv[i], options[o].name, length) != 0))
            o++;
        if (o == n && argv[i][0] == '-' && argv[i][1])
            die(STATUS_USAGE, "%s: unknown option; see --help", argv[i]);
        if (o == n)
            die(STATUS_USAGE, "'%s': unknown argument; see --help", argv[i]);
        if (options[o].flag && argv[i][length])
            die(STATUS_USAGE, "%s: takes no value; see --help", argv[i]);
        if (options[o].flag)
            *options[o].flag = true;
        else if (argv[i][length])
            *options[o].value = argv[i] + length + 1;
        else if (i + 1 == argc)
            die(STATUS_USAGE, "%s: needs a value; see --help", argv[i]);
        else
            *options[o].value = argv[++i];
    }
}

// --- the device

inline int demo_attribute(enum cudaDeviceAttr attribute)
{
    int value;

    cuda_must(cudaDeviceGetAttribute(&value, attribute, 0), "asking for a limit of the device");
    return value;
}

template <class T> T *demo_allocate(size_t count)
{
    void *p;

    cuda_must(cudaMalloc(&p, count * sizeof(T)), "allocating");
    return (T *)p;
}

// --- time

enum { DEMO_SAMPLES = 15 };

// The time in microseconds of what `launch` launches. Before each sample, `before` launches what is
// not timed. The first launch is the warm-up.
template <class Before, class Launch> struct stats demo_time_of(Before before, Launch launch)
{
    cudaEvent_t start, stop;
    double us[DEMO_SAMPLES];
    float ms;

    cuda_must(cudaEventCreate(&start), "making an event");
    cuda_must(cudaEventCreate(&stop), "making an event");
    for (int i = -1; i < DEMO_SAMPLES; i++) {
        before();
        cuda_must(cudaEventRecord(start, cudaStreamPerThread), "recording the start");
        launch();
        cuda_must(cudaGetLastError(), "launching");
        cuda_must(cudaEventRecord(stop, cudaStreamPerThread), "recording the end");
        cuda_must(cudaEventSynchronize(stop), "running the kernel");
        cuda_must(cudaEventElapsedTime(&ms, start, stop), "reading the time");
        us[i < 0 ? 0 : i] = 1e3 * ms;
    }
    cuda_must(cudaEventDestroy(start), "freeing an event");
    cuda_must(cudaEventDestroy(stop), "freeing an event");
    return stats_of(us, DEMO_SAMPLES);
}

// --- rows of the result table

struct demo_table {
    struct row common;   // what all rows have in common; each one starts as a copy of it
    struct note note[3];
    struct appender appender;
};

// Opens the file of --tsv. `week` and `name` are the demonstration's, "03_matmul", "demo_access".
inline void demo_table_open(struct demo_table *t, const char *path, const char *week,
                            const char *name, const struct device *d, int argc, char **argv)
{
    t->common = row_empty();
    t->common.week = week;
    t->common.stage = name;
    t->common.device = d->name;
    t->common.status = status_word(STATUS_OK);
    t->common.cuda = d->cuda;
    t->common.date = date_text();
    if (d->peak_gbs > 0)
        row_set(&t->common, peak_gbs, "%.6g", d->peak_gbs);
    if (d->l2_bytes > 0)
        row_set(&t->common, l2_bytes, "%.0f", d->l2_bytes);
    t->note[0] = { "device", d->name };
    t->note[1] = { "cuda", d->cuda };
    t->note[2] = { "date", t->common.date };
    appender_open(&t->appender, path, t->note, 3, command_text(argc, argv));
}

inline void demo_set_time(struct row *row, const struct stats *us)
{
    row_set(row, reps, "%d", DEMO_SAMPLES);
    row_set(row, median_us, "%.3f", us->median);
    row_set(row, p10_us, "%.3f", us->p10);
    row_set(row, p90_us, "%.3f", us->p90);
}

#endif
