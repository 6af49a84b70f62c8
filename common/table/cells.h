// A row of a table cut at its tabs, for programs that stand without the harness: columns are found
// by name, as everywhere.
#ifndef CELLS_H
#define CELLS_H

#include <string.h>

enum { FIELDS = 128 };   // columns, at most

// Cuts a line, which it changes, into its cells; returns how many. Further ones than FIELDS are
// left out.
static int split(char *line, char *out[FIELDS])
{
    int n = 0;

    line[strcspn(line, "\r\n")] = '\0';
    while (line && n < FIELDS)
        out[n++] = strsep(&line, "\t");
    return n;
}

// The cell of a row of n in the column of that name, or "" where there is none.
static const char *field(char **head, char **row, int n, const char *column)
{
    for (int i = 0; i < n; i++)
        if (head[i] && row[i] && strcmp(head[i], column) == 0)
            return row[i];
    return "";
}

#endif
