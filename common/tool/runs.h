// Runs: what to measure, described by lines of words.
//
//   PART DEVICE [ncu[=COLUMN,...]] PROGRAM... [KNOB=VALUE,...]... [--option [VALUE,...]]...
//
// PART     the table that the rows belong to: plots/data/NAME/WEEK.PART.tsv; also a make target
// DEVICE   gpu, cpu or any
// ncu      counts with Nsight Compute: these columns; by default requests, sectors and wavefronts
// PROGRAM  stages: all of them; stage8-: stage 8 and later ones; stage8-12: stages 8 to 12; stage3;
//          demo_roofs; summation
//
// A list of values stands for one run per value, in all combinations. A week's file `runs` has such
// lines. Lines from the command line have no PART and DEVICE.
#ifndef RUNS_H
#define RUNS_H

// One run of one program.
struct run {
    const char *columns;   // columns that ncu counts, "": the default ones; NULL: run without ncu
    const char *program;   // "stage4"
    const char *knobs;     // "TILE=16 ROWS=4"
    const char *options;   // "--bench --size 2048"
};

struct runs {
    struct run *run;
    int n;
};

// The device, all stages, and the requested stages ("": all).
struct choice {
    const char *device, *stages, *only;
};

void runs_add(struct runs *, struct run);

// Adds the runs of a line without PART and DEVICE.
void runs_of_line(struct runs *, const char *line, const struct choice *);

// Adds the runs of a part of the file `runs`. `options` replace the line's options of the same
// name; other options are added to runs of stages. Returns the number of lines for the device.
int runs_of_part(struct runs *, const char *part, const char *options, const struct choice *);

// The parts of the file `runs` in their order, each once: "ladder shmoo"; with `device`, those that
// have a line for it. "" if there is no such file.
const char *parts_of_file(const char *device);

#endif
