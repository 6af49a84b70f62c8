// `ladder`, the tool that reads heads of .cu files, `runs`, claims and result tables, and prints
// what make, gnuplot and the READMEs need. Each command is one function of its arguments; it
// returns the exit status.
#ifndef TOOL_H
#define TOOL_H

#include <stdio.h>

#include "program.h"
#include "select.h"
#include "table.h"

struct arguments {
    int n;
    char **word;   // after the command
};

// Ends the program for bad usage or an unusable file.
#define fail(...) die(STATUS_USAGE, __VA_ARGS__)

// Removes "--name VALUE" from the arguments and returns the value; NULL if it is not there.
// no_options() ends the program if a word that begins with "-" is left.
const char *take_option(struct arguments *, const char *name);
int take_flag(struct arguments *, const char *name);
// The format of --format, svg without it.
const char *take_format(struct arguments *);
void no_options(const struct arguments *);

// All rows of these tables, and the notes of the first. A table is a path that ends in .tsv, or the
// name of a recorded table: 01_transpose.ladder is plots/data/NAME/01_transpose.ladder.tsv, where
// NAME is recorded_from(WEEK); cpu/02_reduction.counts names the folder itself. Ends the program if
// a table cannot be read.
struct table read_tables(const struct arguments *);
struct table read_table(const char *path);

// Prints tables for the terminal: one column or, with "", the rates or counts.
void show_table(const struct arguments *tables, const char *column);

// Ends the program unless `name`, which the user gave for `what`, can be the name of a file or
// folder.
void must_be_name(const char *what, const char *name);

// The column of that name. Ends the program if there is none.
enum column wanted_column(const char *name);

// The folder that holds the weeks and plots/: the parent of the folder of this program.
const char *root_folder(void);

// A setting that make passes in the environment, "" if it is not set.
const char *setting(const char *name);

// The name of the recorded runs of a week to show: LADDER_FROM of the environment, or the default.
const char *recorded_from(const char *week);

// The device of a table and its versions: "NVIDIA H200, CUDA 13.0, driver 580.159.04".
const char *device_words(const struct table *, const char *separator);

// A text as one word of a shell's command, in quotes if it needs them.
const char *shell_word(const char *text);

// Ends the program unless plots/data has a recorded run of this name with tables of the week; ""
// is any week. `option` names where the user gave it.
void must_be_recorded(const char *option, const char *name, const char *week);

// The text of a file. Ends the program if it cannot be read.
char *read_text(const char *path);

// The lines of a text file with comments, which begin with #.
struct lines {
    const char *name, *where;   // where: "runs:3", of the latest line
    char *rest;
    int number;
};
// `name` is for `where`. A file that does not exist has no lines.
struct lines lines_of(const char *path, const char *name);
// The next line that is neither empty nor a comment, without blanks around it; NULL at the end.
char *next_line(struct lines *);

// Whether a text matches an extended regular expression.
int matches(const char *text, const char *pattern);

// Removes blanks and line ends around a text, in place.
char *trimmed(char *);

// The folder of a week.
const char *folder_of(const char *week);

// The file of a stage or reference in a folder; NULL if there is none.
const char *stage_file(const char *folder, const char *stage);

// What a command of the shell prints. *failed: whether its exit status is not 0.
char *output_of(const char *command, int *failed);

// Writes a text to a new file and renames it, unless the file already has this text.
void write_if_changed(const char *path, const char *text);

// The files of a folder whose names match a pattern (files_in()).
struct arguments files_like(const char *folder, const char *pattern, ...)
    __attribute__((format(printf, 2, 3)));

// The tables in a folder of results that have the rows of a part: for the parts that every stage
// measures, those of the references and the stages, and then the part's own.
struct arguments result_files(const char *folder, const char *part);

// The published tables of a week: plots/data/published/s2050_transpose.tsv.
struct arguments published_files(const char *week);

// Of 01_transpose: transpose.
const char *topic_of(const char *week);

// The name of a file without its folder and its endings: "a/b.cu" is "b".
char *stem_of(const char *path);

// How many claims the head of a .cu file has for this kind of device, and how many of them hold
// with the rows of a table. Claims about a GPU of another generation are not counted.
struct claims_held {
    int claims, hold;
};
struct claims_held claims_held(const struct table *, const char *file, int on_cpu);

// The bytes of the sectors that a call loads and stores, divided by the bytes that the problem must
// move; NaN unless both are counted.
double moved_share(const struct row *);

// Runs a command of a page in the page's folder, with a shell. Returns what it prints; ends the
// program if it fails.
char *command_output(const char *page, const char *command);

// A place as tables name it: "2^24, cold" for 16777216/cold.
const char *place_words(const struct place *);

enum status command_rules(struct arguments);
enum status command_list(struct arguments);
enum status command_measure(struct arguments);
enum status command_claims(struct arguments);
enum status command_table(struct arguments);
enum status command_markdown(struct arguments);
enum status command_figure(struct arguments);
enum status command_overview(struct arguments);
enum status command_hardware(struct arguments);
enum status command_slides(struct arguments);
enum status command_code(struct arguments);
enum status command_record(struct arguments);
enum status command_rename(struct arguments);
enum status command_readme(struct arguments);
enum status command_numbers(struct arguments);
enum status command_differences(struct arguments);
enum status command_bounds(struct arguments);
enum status command_traffic(struct arguments);
enum status command_exercise(struct arguments);
enum status command_collect(struct arguments);
enum status command_new(struct arguments);
enum status command_progress(struct arguments);
enum status command_columns(struct arguments);
enum status command_values(struct arguments);

// Accesses that g++ does not announce, in its list of statements
// (-fdump-tree-optimized-lineno-uid): the first one, as "line 12: ...", or NULL.
const char *value_in_memory(const char *path);

#endif
