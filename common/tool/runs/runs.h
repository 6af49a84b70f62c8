// What `ladder` does with runs and claims: the file `runs`, the make rules of the programs, their
// runs, and the tables in which rows are kept.
#ifndef RUNS_H
#define RUNS_H

#include "text.h"

// Commands; main.c says what each does.
enum status command_rules(struct arguments);   // rules.c
enum status command_list(struct arguments);
enum status command_measure(struct arguments);   // make_runs.c
enum status command_record(struct arguments);
enum status command_claims(struct arguments);   // claims.c
enum status command_table(struct arguments);    // show.c
enum status command_columns(struct arguments);
enum status command_bounds(struct arguments);         // bounds.c
enum status command_gpu(struct arguments);            // gpus.c
enum status command_machine_code(struct arguments);   // machine_code.c
enum status command_validate(struct arguments);       // validate.c
enum status command_limiters(struct arguments);       // limiters.c
enum status command_modeled(struct arguments);        // modeled.c
enum status command_unseen(struct arguments);         // unseen.c
enum status command_new(struct arguments);            // new.c
enum status command_help(struct arguments);           // goals.c
enum status command_wrong_words(struct arguments);

// --- runs.c ---

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

// How and what to run.
struct machine {
    const char *device;   // gpu or cpu
    int on_cpu;
    const char *build;   // folder of the programs: build/gpu
    const char *run;     // prefix of every run: "srun --gres=gpu:1", or ""
    const char *ncu;
    int brief;           // print nothing but failures
    const char *only;    // the requested stages; "": all
    const char *knobs;   // "TILE=16,32 ROWS=4": added to each line's programs that have them
    const char *plan;   // not to run: print the targets of the programs, "plain" ones or those with
                        // "knobs"; NULL: run
};

void runs_add(struct runs *, struct run);

// Adds the runs of a line without PART and DEVICE.
void runs_of_line(struct runs *, const char *line, const struct machine *);

// Adds the runs of a part of the file `runs`. `options` replace the line's options of the same
// name; other options are added to runs of stages. Returns the number of lines for the device.
int runs_of_part(struct runs *, const char *part, const char *options, const struct machine *);

// The parts of the file `runs` in their order, each once: "ladder shmoo"; with `device`, those that
// have a line for it. "" if there is no such file.
const char *parts_of_file(const char *device);

// --- make_runs.c ---

// Runs programs, which make has built, and collects their rows in a table.

// Takes the options --device D [--run PREFIX] [--ncu NCU] [--brief] [--only STAGES]
// [--set KNOB=VALUE]... [--plan plain|knobs].
struct machine take_machine(struct arguments *);

// Makes the runs one after the other. The table is new; it does not exist if no run wrote a row. A
// run that fails does not stop the others; with `failures_are_rows`, it has a row with its status.
// Returns STATUS_OK, or STATUS_WRONG if a run failed. With `plan`, prints targets instead.
enum status make_runs(const struct machine *, struct runs *, const char *table,
                      int failures_are_rows);

// Measures these parts of the file `runs`, into results/.
enum status measure_into_results(const struct machine *, const char *parts);

// --- goals.c ---

// The targets of make in this folder that users call.
const char *target_names(void);

// --- record.c ---

// Recorded tables, and tables in results/.

// Replaces a recorded table. With `some`, each run in the new table replaces the recorded run with
// the same command, and the other recorded runs are kept.
void record_replace(const char *table, const char *recorded, int some);

// Moves a table to results/<device>/PART.tsv. The device is the one that the table names; with
// `cpu`, the CPU device.
void keep_in_results(const char *table, const char *part, int cpu);

// Adds a row for a run that failed: a copy of another row of the stage, with the run's knobs,
// status error and no measurement.
void put_failed_run(const char *table, const struct run *);

// --- ncu.c ---

// Counters of Nsight Compute (ncu), as rows of the result table.

// Ends the program if one of the columns "column,column" is not counted by ncu.
void ncu_must_count(const char *columns);

// The metrics of these columns, as ncu --metrics takes them; "" stands for requests, sectors and
// wavefronts. A metric that not every GPU has is included only if the text `known`, the output of
// ncu --query-metrics, has it.
const char *ncu_metrics(const char *columns, const char *known);

// Appends a row to a table: the stage's row in the table `timed`, with the counts in ncu's CSV
// instead of times. Returns 0, or -1 if nothing was counted.
int ncu_append_counts(const char *table, const char *timed, const char *csv, const char *columns);

// Appends the rows of the table `timed`. The column is filled in from the last launches in the CSV,
// one per row; not if csv is NULL. Returns 0, or -1 if there are too few launches.
int ncu_append_rows(const char *table, const char *timed, const char *csv, const char *column);

// Splits a line of ncu's CSV into at most `most` fields, and modifies it. Returns their number.
// Numbers are written as "1,048,576", and names of kernels have commas, too.
int ncu_split(char *line, char *field[], int most);

// --- validate.c ---

// The cell of a column in what --model-rows prints, a header and a row.
const char *model_cell(const char *header, const char *row, const char *column);

// --- new.c ---

// What `make new` and `make new-exercise` have in common. They end the program with the command's
// name if an argument is not usable.

// NAME can be a part of a file's name: letters, digits and _.
void must_be_new_name(const char *command, const char *name);

// The file of the stage that the user gave as FROM: "3" or "stage3".
const char *stage_to_copy(const char *command, const char *from);

// "my_stage" is "my stage".
const char *name_with_blanks(const char *name);

// --- claims.c ---

// How many claims the head of a .cu file has for this kind of device, and how many of them hold
// with the rows of a table. Claims about another GPU are not counted.
struct claims_held {
    int claims, hold, missing;
};
struct claims_held claims_held(const struct table *, const char *file, int on_cpu);

// --- show.c ---

// Prints tables for the terminal: one column or, with "", the rates or counts.
void show_table(const struct arguments *tables, const char *column);

// The column of that name. Ends the program if there is none.
enum column wanted_column(const char *name);

#endif
