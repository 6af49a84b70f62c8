#define _GNU_SOURCE   // getline, strsep
#include "table.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/folders.h"

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

enum { MOST_FIELDS = 256 };

struct reading {
    struct table *table;
    int first;                          // 1: this is the first file, whose notes are the table's
    int column[MOST_FIELDS], columns;   // of each field; -1: not known
    const char *command;
    const char *path;
    int line;
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
    char *field;

    for (r->columns = 0; r->columns < MOST_FIELDS && (field = strsep(&line, "\t")); r->columns++) {
        r->column[r->columns] = column_of_name(field);
        if (r->column[r->columns] >= 0)
            r->table->has[r->column[r->columns]] = 1;
    }
}

// Whether a row was cut because its program was interrupted: it has no line end, and fewer fields
// than the header.
static int is_torn(const struct reading *r, const char *line, int ended)
{
    int fields = 1;

    for (const char *c = line; *c; c++)
        fields += *c == '\t';
    return !ended && fields < r->columns;
}

static void take_row(struct reading *r, char *line)
{
    struct row row = row_empty();
    char *field;

    for (int i = 0; i < r->columns && (field = strsep(&line, "\t")); i++) {
        const char *fault = r->column[i] >= 0 ? cell_fault(r->column[i], field) : NULL;

        if (fault)
            die(STATUS_USAGE, "%s:%d: %s '%s': %s", r->path, r->line, column_name[r->column[i]],
                text_head(field, 60), fault);
        if (r->column[i] >= 0)
            row.cell[r->column[i]] = field;
    }
    row.command = r->command;
    table_add(r->table, &row);
}

int table_read(struct table *t, const char *path)
{
    struct reading r = {
        .table = t, .first = t->n_notes == 0 && t->n == 0, .command = "", .path = path
    };
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    int failed;

    if (!file)
        return TABLE_NO_FILE;
    t->runs += t->n > 0;   // a run does not continue in another file
    for (; getline(&line, &room, file) >= 0; line = NULL, room = 0) {   // fields point into it
        int ended = strchr(line, '\n') != NULL;

        r.line++;
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '#')
            take_note(&r, line);
        else if (strncmp(line, "week\t", 5) == 0)
            take_header(&r, line);
        else if (line[0] && !r.columns)
            break;
        else if (line[0] && is_torn(&r, line, ended))
            warn("%s: its last row is incomplete and is ignored: %s", path, text_head(line, 60));
        else if (line[0])
            take_row(&r, line);
    }
    failed = ferror(file) ? errno : 0;
    free(line);
    fclose(file);
    errno = failed;
    return failed ? TABLE_NO_FILE : r.columns ? 0 : TABLE_BAD;
}

static void write_command(FILE *file, const char *command)
{
    if (command[0])
        fprintf(file, "# command: %s\n", command);
}

void table_write(const struct table *t, FILE *file)
{
    unsigned char used[N_COLUMNS] = { 0 };
    const char *command = t->n ? t->row[0].command : "";

    for (size_t r = 0; r < t->n; r++)
        for (int i = 0; i < N_COLUMNS; i++)
            used[i] |= t->row[r].cell[i][0] != '\0';
    used[COLUMN_week] = 1;   // it identifies a header
    for (size_t i = 0; i < t->n_notes; i++)
        fprintf(file, "# %s: %s\n", t->note[i].word, t->note[i].text);
    write_command(file, command);
    for (int i = 0, before = 0; i < N_COLUMNS; i++)
        if (used[i])
            fprintf(file, "%s%s", before++ ? "\t" : "", column_name[i]);
    fputc('\n', file);
    for (size_t r = 0; r < t->n; r++) {
        if (strcmp(t->row[r].command, command) != 0)
            write_command(file, command = t->row[r].command);
        for (int i = 0, before = 0; i < N_COLUMNS; i++)
            if (used[i])
                fprintf(file, "%s%s", before++ ? "\t" : "", t->row[r].cell[i]);
        fputc('\n', file);
    }
}

// Removes what programs that were killed while they wrote this file have left.
static void remove_unfinished(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = strlen(name);
    struct files found = files_in(text_of("%.*s", (int)(name - path), path), "*.*[0-9].new");

    for (size_t i = 0; i < found.n; i++) {
        const char *is =
            strrchr(found.path[i], '/') ? strrchr(found.path[i], '/') + 1 : found.path[i];
        int pid = strncmp(is, name, n) == 0 && is[n] == '.' ? atoi(is + n + 1) : 0;

        if (pid > 0 && kill(pid, 0) < 0 && errno == ESRCH)
            unlink(found.path[i]);
    }
}

int table_save(const struct table *t, const char *path)
{
    char *unfinished = text_of("%s.%d.new", path, (int)getpid());
    struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
    FILE *file;
    int ok, reason;

    remove_unfinished(path);
    file = fopen(unfinished, "w");
    if (!file)
        return -1;
    sigaction(SIGXFSZ, &ignore, &before);   // a file that is too large is an error, as a full disk
    table_write(t, file);
    ok = !ferror(file);
    ok = fclose(file) == 0 && ok && rename(unfinished, path) == 0;
    reason = errno;
    sigaction(SIGXFSZ, &before, NULL);
    if (!ok)
        unlink(unfinished);
    errno = reason;
    return ok ? 0 : -1;
}
