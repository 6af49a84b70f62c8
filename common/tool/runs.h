// Runs: what is measured, as lines of words.
//
//   PART DEVICE [ncu[=COLUMN,...]] PROGRAM... [KNOB=VALUE,...]... [--option [VALUE,...]]...
//
// PART     the table that the rows belong to: plots/data/NAME/WEEK.PART.tsv; also a make target
// DEVICE   gpu, cpu or any
// ncu      counts with Nsight Compute: these columns, or else requests, sectors and wavefronts
// PROGRAM  stages: all of them; stage8-: those from 8 on; stage3; demo_roofs; summation
//
// A list of values stands for one run per value, in all combinations. A week's file `runs` has such
// lines; others come without PART and DEVICE.
#ifndef RUNS_H
#define RUNS_H

// One run of one program.
struct run {
    const char *columns;   // that ncu counts, "" for its default; NULL: without ncu
    const char *program;   // "stage4"
    const char *knobs;     // "TILE=16 ROWS=4"
    const char *options;   // "--bench --size 2048"
};

struct runs {
    struct run *run;
    int n;
};

// The stages that there are, and those that are wanted, if not "".
struct choice {
    const char *device, *stages, *only;
};

void runs_add(struct runs *, struct run);

// Adds the runs of a line without PART and DEVICE.
void runs_of_line(struct runs *, const char *line, const struct choice *);

// Adds the runs of a part of the file `runs`, with these options in place of those of the line with
// the same name. Options that the line does not have are added to runs of stages. Returns how many
// lines are for the device.
int runs_of_part(struct runs *, const char *part, const char *options, const struct choice *);

// The parts of the file `runs` in their order, each once: "ladder shmoo"; with `device`, those that
// have a line for it. "" if there is no such file.
const char *parts_of_file(const char *device);

#endif
