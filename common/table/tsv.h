// Tables in files: '#' lines with what held for the run, a header row, then rows, tab-separated.
// Columns are found by name, so that a table of an older or newer harness can be read: columns that
// this one does not know are passed over, those that it misses are empty.
#ifndef TSV_H
#define TSV_H

#include <stdio.h>

#include "row.h"

// What the '#' lines say. NULL: that line is left out.
struct note {
    const char *device, *driver, *cuda, *date, *command;
};

enum { TSV_NO_FILE = -1, TSV_BAD = -2 };

// Calls `each` for every row, until it returns other than 0. Returns the number of rows seen,
// TSV_NO_FILE (see errno), or TSV_BAD where there is no header row.
int tsv_read(const char *path, int (*each)(const struct row *, void *), void *context);

void tsv_write_head(FILE *, const struct note *);
void tsv_write_row(FILE *, const struct row *);

// For --tsv: opens the file for appending ("-" is stdout, where nothing else is printed from then
// on), and ends the program with EXIT_USAGE where that cannot be done, or where the file holds
// something other than such a table.
void tsv_append_open(const char *path, const struct note *);

// Appends a row in one write, with '#' lines and a header before the first of an empty file or on
// stdout. Nothing if no file was opened.
void tsv_append(const struct row *);

#endif
