#define _GNU_SOURCE   // getline, strsep
#include "table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/program.h"

void table_add(struct table *t, const struct row *row)
{
    t->row = grown(t->row, t->n, sizeof *t->row);
    t->row[t->n] = *row;
    t->runs += !row_is_reference(row);
    t->row[t->n++].run = t->runs;
    for (int i = 0; i < N_COLUMNS; i++)
        t->has[i] |= row->cell[i][0] != '\0';
}

const char *table_note(const struct table *t, const char *word)
{
    for (size_t i = 0; i < t->n_notes; i++)
        if (strcmp(t->note[i].word, word) == 0)
            return t->note[i].text;
    return "";
}

const char *table_type(const struct table *t)
{
    const char *note = table_note(t, "type");

    return note[0] || t->n == 0 ? note : t->row[0].type;
}

void table_set_note(struct table *t, const char *word, const char *text)
{
    for (size_t i = 0; i < t->n_notes; i++)
        if (strcmp(t->note[i].word, word) == 0) {
            t->note[i].text = text;
            return;
        }
    t->note = grown(t->note, t->n_notes, sizeof *t->note);
    t->note[t->n_notes++] = (struct note){ word, text };
}

void days_add(struct days *d, const char *date)
{
    if (!date[0])
        return;
    if (!d->first || strcmp(date, d->first) < 0)
        d->first = date;
    if (!d->last || strcmp(date, d->last) > 0)
        d->last = date;
}

const char *days_text(const struct days *d)
{
    return !d->first                      ? ""
         : strcmp(d->first, d->last) == 0 ? d->first
                                          : text_of("%s to %s", d->first, d->last);
}

const char *row_day(const struct table *t, const struct row *row)
{
    return row->cell[COLUMN_date][0] ? row->cell[COLUMN_date] : table_note(t, "date");
}

struct days table_days(const struct table *t)
{
    struct days d = { 0 };

    for (size_t r = 0; r < t->n; r++)
        days_add(&d, row_day(t, &t->row[r]));
    return d;
}

enum { MOST_FIELDS = 256 };

struct reading {
    struct table *table;
    int first;                          // 1: this is the first file, whose notes are the table's
    int column[MOST_FIELDS], columns;   // of each field; -1: not known
    const char *command, *time;
    const char *path;
    int line, has_times;
};

int note_split(char *line, struct note *note)
{
    char *word = line + 1 + strspn(line + 1, " "), *end = strstr(word, ": ");

    if (!end)
        return 0;
    *end = '\0';
    *note = (struct note){ word, end + 2 };
    return 1;
}

static void take_note(struct reading *r, char *line)
{
    struct note note;

    if (!note_split(line, &note))
        return;
    if (strcmp(note.word, "command") == 0)
        r->command = note.text;
    else if (strcmp(note.word, "time") == 0)
        r->time = note.text;
    else if (r->first && !table_note(r->table, note.word)[0])
        table_set_note(r->table, note.word, note.text);
}

const char *header_text(const char *const column[], int n)
{
    const char *text = column[0];

    for (int i = 1; i < n; i++)
        text = text_of("%s\t%s", text, column[i]);
    return text_of("%s\n", text);
}

int file_has_header(const char *path, const char *header)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    int has = 0;

    while (file && getline(&line, &room, file) >= 0)
        if (line[0] != '#') {
            has = strcmp(line, header) == 0;
            break;
        }
    free(line);
    if (file)
        fclose(file);
    return has;
}

// A file to which several programs have appended may have several headers. Each applies to the rows
// below it.
static void take_header(struct reading *r, char *line)
{
    unsigned char has[N_COLUMNS] = { 0 };
    char *field;

    for (r->columns = 0; r->columns < MOST_FIELDS && (field = strsep(&line, "\t")); r->columns++) {
        int column = r->column[r->columns] = column_of_name(field);

        if (column >= 0)
            has[column] = r->table->has[column] = 1;
    }
    for (int i = 0; i < NEEDED; i++)
        if (!has[column_needed[i]])
            die(STATUS_USAGE,
                "%s: has no column '%s' in line %d; expected week, stage, mode, status", r->path,
                column_name[column_needed[i]], r->line);
    r->has_times = has[COLUMN_median_us];
}

static void take_row(struct reading *r, char *line)
{
    struct row row = row_empty();
    int fields = 1, lacks;

    for (const char *c = line; *c; c++)
        fields += *c == '\t';
    if (fields != r->columns)
        die(STATUS_USAGE,
            "%s:%d: %d fields; expected one for each of the %d columns, with a tab between two",
            r->path, r->line, fields, r->columns);
    for (int i = 0; i < fields; i++) {
        char *field = strsep(&line, "\t");
        const char *fault = r->column[i] >= 0 ? cell_fault(r->column[i], field) : NULL;

        if (fault)
            die(STATUS_USAGE, "%s:%d: %s '%s': %s", r->path, r->line, column_name[r->column[i]],
                text_head(field, 60), fault);
        if (r->column[i] >= 0)
            row.cell[r->column[i]] = field;
    }
    lacks = row_lacks(&row, r->has_times);
    if (lacks >= 0)
        die(STATUS_USAGE, "%s:%d: %s '%s': expected %s", r->path, r->line, column_name[lacks],
            row.cell[lacks], lacks == COLUMN_median_us ? "a time above 0" : "a word");
    row.command = r->command;
    row.time = r->time;
    table_add(r->table, &row);
}

// Reads a line with `length` bytes and its line end. Returns 0 if there is no header before a row.
static int take_line(struct reading *r, char *line, size_t length)
{
    r->line++;
    if (strlen(line) != length)
        die(STATUS_USAGE, "%s:%d: a byte 0; expected text", r->path, r->line);
    if (line[length - 1] != '\n') {
        if (r->columns)
            warn("%s: its last line is incomplete and is ignored: %s", r->path,
                 text_head(line, 60));
        return r->columns;
    }
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '#')
        take_note(r, line);
    else if (strncmp(line, "week\t", 5) == 0)
        take_header(r, line);
    else if (line[0] && r->columns)
        take_row(r, line);
    return r->columns || !line[0] || line[0] == '#';
}

int table_read(struct table *t, const char *path)
{
    struct reading r = {
        .table = t, .first = t->n_notes == 0 && t->n == 0, .command = "", .time = "", .path = path
    };
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    int failed;

    if (!file)
        return TABLE_NO_FILE;
    t->runs += t->n > 0;   // a run does not continue in another file
    while ((n = getline(&line, &room, file)) >= 0 && take_line(&r, line, n))
        line = NULL, room = 0;   // fields point into it
    failed = ferror(file) ? errno : 0;
    free(line);
    fclose(file);
    errno = failed;
    return failed ? TABLE_NO_FILE : r.columns ? 0 : TABLE_BAD;
}

void table_must_read(struct table *t, const char *path)
{
    int failed = table_read(t, path);

    if (failed == TABLE_NO_FILE)
        die(STATUS_USAGE, "%s: %s", path, strerror(errno));
    if (failed == TABLE_BAD)
        die(STATUS_USAGE, "%s: not a result table: it has no header", path);
}
