// The texts that `ladder` reads and prints: arguments, files, the folders of the weeks, the heads
// of .cu files, numbers. The other rooms of this folder build on these functions.
//
// Directions: main.c -> book, events, figures, runs -> text; events -> figures -> runs; book ->
// runs. tests/core.t checks them.
#ifndef TEXT_H
#define TEXT_H

#include <stdio.h>

#include "program.h"
#include "select.h"
#include "table.h"

// --- options.c ---

// What follows the name of a command. Each command is one function of its arguments, and returns
// the exit status.
struct arguments {
    int n;
    char **word;
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

// Ends the program unless `name`, which the user gave for `what`, can be the name of a file or
// folder.
void must_be_name(const char *what, const char *name);

// --- text.c ---

// A text as one word of a shell's command, in quotes if it needs them.
const char *shell_word(const char *text);

// The text of a file. Ends the program if it cannot be read.
char *read_text(const char *path);

// The lines of a text file with comments, which begin with #.
struct lines {
    const char *name, *where;   // where: "runs:3", of the latest line
    const char *accepted;       // what its lines are, for messages
    char *rest;
    int number;
    const struct keyword *words;   // keywords_of()
    char after;
};
// `name` is for `where`. A file that does not exist has no lines; the program ends for one without
// lines, or with control characters.
struct lines lines_of(const char *path, const char *name, const char *accepted);
// The next line that is neither empty nor a comment, without blanks around it; NULL at the end.
char *next_line(struct lines *);

// Whether a text matches an extended regular expression.
int matches(const char *text, const char *pattern);

// Removes blanks and line ends around a text, in place.
char *trimmed(char *);

// What a command of the shell prints. *failed: whether its exit status is not 0.
char *output_of(const char *command, int *failed);

// Writes a text to a new file and renames it, unless the file already has this text.
void write_if_changed(const char *path, const char *text);

// The files of a folder whose names match a pattern (files_in()).
struct arguments files_like(const char *folder, const char *pattern, ...)
    __attribute__((format(printf, 2, 3)));

// The name of a file without its folder and its endings: "a/b.cu" is "b".
char *stem_of(const char *path);

// --- week_files.c ---

// The folder that holds the weeks and plots/: the parent of the folder of this program.
const char *root_folder(void);

// A setting that make passes in the environment, "" if it is not set.
const char *setting(const char *name);

// The name of the recorded runs of a week to show: LADDER_FROM of the environment, or the default.
const char *recorded_from(const char *week);

// Ends the program unless plots/data has a recorded run of this name with tables of the week; ""
// is any week. `option` names where the user gave it.
void must_be_recorded(const char *option, const char *name, const char *week);

// All rows of these tables, and the notes of the first. A table is a path that ends in .tsv, or the
// name of a recorded table: 01_transpose.ladder is plots/data/NAME/01_transpose.ladder.tsv, where
// NAME is recorded_from(WEEK); cpu/02_reduction.counts names the folder itself. Ends the program if
// a table cannot be read.
struct table read_tables(const struct arguments *);
struct table read_table(const char *path);

// The device of a table and its versions: "NVIDIA H200, CUDA 13.0, driver 580.159.04".
const char *device_words(const struct table *, const char *separator);

// The week of the current folder: "01_transpose"; "" in another folder.
const char *this_week(void);

// The stages of the current folder, in the order of their numbers: "stage0 stage1".
const char *stages_here(void);

// The folder of a week.
const char *folder_of(const char *week);

// The file of a stage, exercise, reference or demonstration in a folder; NULL if there is none.
const char *stage_file(const char *folder, const char *stage);

// The rows of a part in a week's folder of results: for the parts that every stage measures, those
// of the stages and references that still have a file, and then the part's own.
struct table results_of_part(const char *folder, const char *part);

// The published tables of a week: plots/data/published/s2050_transpose.tsv.
struct arguments published_files(const char *week);

// Of 01_transpose: transpose.
const char *topic_of(const char *week);

// --- head.c ---

// The head of a .cu file: the comment lines at its top, and its knobs.

enum { HEAD_CLAIMS = 64, HEAD_CHECKS = 2 };

struct head {
    const char *file;   // "stage3_padding.cu"
    const char *key;    // "stage3", "ref_cublas", "demo_timing"
    const char *name;   // "padding", "cublas", "timing"
    // the first paragraph, without the key: "shared-memory padding (no bank conflicts)"
    const char *lesson;
    const char *needs, *computes, *arithmetic, *type;   // first word of such a line, or ""
    const char *from;                 // "stage11": the stage that it changes, or ""
    const char *links;                // of all "// Links:" lines: "-lcublas -lnppc"
    const char *knobs;                // "TILE ROWS", in the order of the file
    const char *claim[HEAD_CLAIMS];   // text of each "// Expect" or "// Points N" line
    int n_claims;
    // of an exercise, from its "// Points N" lines: of each claim, of a correct result, and of the
    // answer to its question; 0: none
    int points[HEAD_CLAIMS], points_correct, points_answer;
    const char *check[HEAD_CHECKS];   // text of each "// Check" line
    int n_checks;
};

// Reads the head of a file. A line with a claim that ends with "and" goes on in the next line. Ends
// the program if it cannot be read.
struct head head_of(const char *path);

// --- knob_choice.c ---

// Where `name` is in `text` as a whole word; NULL: nowhere.
const char *find_name(const char *text, const char *name);
// The line with its "NAME ? A : B" replaced by A or B. Brackets around a single word go, too.
const char *with_choice(const char *line, const char *name, int is_set);
// The same for each knob that this file defines, with its default. The line itself if there is no
// such file.
const char *with_default_knobs(const char *path, const char *line);

// --- keywords.c ---

// Files of lines "WORD TEXT" or "WORD: TEXT": which words there are, and what their texts hold. A
// line with anything else ends the program.

enum holds { HOLDS_TEXT, HOLDS_WORDS, HOLDS_QUANTITY, HOLDS_CONDITION };
struct keyword {
    const char *word;   // NULL ends a table
    enum holds holds;
    const char *accepted;   // of HOLDS_WORDS
};
struct keyword_line {
    const char *word, *text;
    const char *where;   // "common/figures:12", for messages
};
// The lines of a file with these words; `after`: what follows a word, a blank or ':'. With ':',
// more may follow the first word: "highlight bf16: ...".
struct lines keywords_of(const char *path, const char *name, const struct keyword *, char after);
// The next line. Returns 0 at the end.
int next_keyword(struct lines *, struct keyword_line *);
// Reads all lines. Returns the text of the first with this word; NULL if there is none.
const char *keyword_text(struct lines *, const char *word);

// A week's file `messages`: plots/README.md describes the lines.

// What follows "WORD: " in the first such line of FOLDER/messages; NULL if there is none.
const char *message(const char *folder, const char *word);

// The stages of the line "WORD: stage1 stage4 ..." in FOLDER/messages, or "" if there is no such
// line. Ends the program if the folder has no file of one of them.
const char *message_stages(const char *folder, const char *word);

// --- listing.c ---

// A table for readers: rows of cells, the first row is the heads. The text of a row has tabs
// between its cells.
struct listing {
    char **row;
    int n;
};

void listing_add(struct listing *, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Prints a table for the terminal. `widths` has the least width of each column, "-10 -22 13": a
// negative one aligns to the left. The last cell of a row with fewer cells has no width.
void listing_print(const struct listing *, const char *widths);

// Prints a table in Markdown. `align` has a letter for each column, the last one is for all further
// ones: l is left, r is right, - is the reader's default.
void listing_markdown(const struct listing *, const char *align, FILE *);

// --- number_text.c ---

// Numbers as figures and tables for readers show them.

// A value with three significant digits: 4531.17 "GB/s" is "4.53 TB/s". "" for NaN.
const char *readable(double value, const char *unit);
const char *short_number(double value);

// At least three digits: "4531", "45.3", "4.53".
const char *three_digits(double value);

// The factor by which a value is shown, a power of 1000. Sets the prefix of *unit: 4531 "GB/s" is
// 4.531 "TB/s".
double unit_scale(double value, const char **unit);
const char *percent_text(double share);

#endif
