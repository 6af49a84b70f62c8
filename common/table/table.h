// Result tables in files: '#' lines about the run, a header, then rows; fields are separated by
// tabs. Columns are found by name. An unknown column is ignored; a column that the file does not
// have is empty in all rows.
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "../base/program.h"
#include "row.h"

#ifdef __cplusplus
extern "C" {
#endif

struct note {
    const char *word, *text;   // of "# word: text"
};

struct table {
    struct row *row;
    size_t n;
    unsigned char has[N_COLUMNS];   // whether a header names the column
    struct note *note;              // '#' lines of the first file, without its commands
    size_t n_notes;
    int runs;   // so far; a row that is not a reference's starts one
};

// Splits "# word: text", and modifies it. Returns 0 for any other line.
int note_split(char *line, struct note *);

// The line of a header, with its line end.
const char *header_text(const char *const column[], int n);

// Whether the first line of a file that is no note is this header, with its line end.
int file_has_header(const char *path, const char *header);

enum { TABLE_NO_FILE = -1, TABLE_BAD = -2 };

// Appends the rows of a file. A last line without a line end is unfinished, and ignored with a
// warning. Returns 0, TABLE_NO_FILE if it cannot be read (errno says why), or TABLE_BAD if it has
// no header. Ends the program with STATUS_USAGE if a line is not what the columns accept. Memory is
// kept until the program ends.
int table_read(struct table *, const char *path);

// The same for a file that must be a result table: otherwise the program ends with STATUS_USAGE.
void table_must_read(struct table *, const char *path);

// Appends a row. A reference's row belongs to the run of the row before it.
void table_add(struct table *, const struct row *);

// The text of the first "# word: text" line, "" if there is none.
const char *table_note(const struct table *, const char *word);

// The element type that a table's rows have unless they are asked for by another one: that of its
// notes, or else of its first row.
const char *table_type(const struct table *);
void table_set_note(struct table *, const char *word, const char *text);

// The first and the last day of some measurements; begin with { 0 }.
struct days {
    const char *first, *last;
};
void days_add(struct days *, const char *date);   // "" is no day
const char *days_text(const struct days *);       // "2026-01-02", "2026-01-02 to 2026-01-04", ""

// The day of a row: that of its column or, without one, that of the notes. Then those of all rows.
const char *row_day(const struct table *, const struct row *);
struct days table_days(const struct table *);

// --- append.c: the one writer

// Writes a table to a new file, which is renamed, so that an interrupted program loses nothing:
// notes, header and rows, each run below the command that made it. Columns that are empty in all
// rows are omitted unless `all_columns` is set. Returns 0, or -1 with errno.
int table_save(const struct table *, const char *path, int all_columns);

// A file to which several programs append rows: that of --tsv, or a device's results.
struct appender {
    const char *path, *name;   // NULL: nothing is appended; "-": stdout. Name: for messages
    int file;
    off_t end;   // of the file, after the latest rows of this program
    const struct note *note;
    size_t n_notes;
    const char *command;
};

// Opens the file of --tsv; with NULL, rows are dropped. With "-", stdout is for rows only:
// everything else that is printed there is dropped. Ends the program with STATUS_USAGE if the file
// cannot be written, or holds something other than a table with the columns of this version. The
// caller keeps `note` valid.
void appender_open(struct appender *, const char *path, const struct note *note, size_t n_notes,
                   const char *command);

// Opens the results in a folder: FOLDER/rows.tsv. A later run of the same measurement replaces an
// earlier one when they are read; a large file is rewritten without the replaced ones.
void results_open_file(struct appender *, const char *folder, const struct note *note,
                       size_t n_notes, const char *command);

// Appends the rows of a run in one write. Notes and header precede the first row of an empty file;
// the command precedes its rows. Ends the program with STATUS_USAGE if they cannot be written.
void appender_put(struct appender *, const struct row *, size_t n);

// Appends the rows of a folder of results, of each measurement only the latest run. Also reads the
// tables of single stages that version 1.0 kept there.
void results_read(struct table *, const char *folder);

// What every table says about the program that writes it: its command line, without --tsv, which
// does not change what is measured; and the date.
const char *command_text(int argc, char *const argv[]);
const char *date_text(void);

#ifdef __cplusplus
}
#endif

#endif
