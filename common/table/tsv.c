#define _GNU_SOURCE   // strchrnul

#include "tsv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "die.h"

static int append_to = -1, to_stdout;
static struct note append_note;
static int appended;

// Cuts the field that *line starts with off the rest. NULL after the last.
static char *next_field(char **line)
{
    char *field = *line;

    if (field) {
        char *end = strchrnul(field, '\t');
        *line = *end ? end + 1 : NULL;
        *end = '\0';
    }
    return field;
}

// A table that several programs have appended to may hold more than one header: each holds for the
// rows below it.
int tsv_read(const char *path, int (*each)(const struct row *, void *), void *context)
{
    enum { MOST = 256 };
    int column_of[MOST], known = 0, n = 0, stop = 0;
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;

    if (!file)
        return TSV_NO_FILE;
    while (!stop && getline(&line, &room, file) >= 0) {
        struct row row = { 0 };
        char *rest = line, *field;

        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (strncmp(line, "week\t", 5) == 0) {
            for (known = 0; known < MOST && (field = next_field(&rest)); known++)
                column_of[known] = column_index(field);
            continue;
        }
        if (!known)
            break;
        for (int i = 0; i < known && (field = next_field(&rest)); i++)
            if (column_of[i] >= 0)
                snprintf(row.field[column_of[i]], FIELD, "%s", field);
        stop = each(&row, context);
        n++;
    }
    free(line);
    fclose(file);
    return known ? n : TSV_BAD;
}

static void write_note(FILE *file, const char *word, const char *text)
{
    if (text)
        fprintf(file, "# %s: %s\n", word, text);
}

void tsv_write_head(FILE *file, const struct note *note)
{
    write_note(file, "device", note->device);
    write_note(file, "driver", note->driver);
    write_note(file, "cuda", note->cuda);
    write_note(file, "date", note->date);
    write_note(file, "command", note->command);
    for (int i = 0; i < N_COLUMNS; i++)
        fprintf(file, "%s%c", columns[i], i < N_COLUMNS - 1 ? '\t' : '\n');
}

void tsv_write_row(FILE *file, const struct row *row)
{
    for (int i = 0; i < N_COLUMNS; i++)
        fprintf(file, "%s%c", row->field[i], i < N_COLUMNS - 1 ? '\t' : '\n');
}

// The columns of what is there must be ours, in our order, for rows are appended without a header
// of their own.
static void must_be_ours(const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL, *head;
    size_t room = 0, length;
    FILE *memory = open_memstream(&head, &length);
    int ours = 1;

    tsv_write_head(memory, &(struct note){ 0 });
    fclose(memory);
    while (file && getline(&line, &room, file) >= 0)
        if (line[0] != '#') {
            ours = strcmp(line, head) == 0;
            break;
        }
    if (!ours)
        die(EXIT_USAGE,
            "--tsv '%s': holds something else; accepted is a new or empty file, or a table of this "
            "version",
            path);
    free(head);
    free(line);
    if (file)
        fclose(file);
}

void tsv_append_open(const char *path, const struct note *note)
{
    struct stat is;

    append_note = *note;
    if (strcmp(path, "-") == 0) {   // stdout is for the rows alone
        fflush(stdout);
        append_to = dup(STDOUT_FILENO);
        to_stdout = 1;
        if (append_to < 0 || !freopen("/dev/null", "w", stdout))
            die(EXIT_USAGE, "--tsv -: %s", strerror(errno));
        return;
    }
    append_to = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (append_to < 0 || fstat(append_to, &is) < 0)
        die(EXIT_USAGE, "--tsv '%s': %s; accepted is a file that can be written, or - for stdout",
            path, strerror(errno));
    if (S_ISREG(is.st_mode) && is.st_size > 0)
        must_be_ours(path);
}

void tsv_append(const struct row *row)
{
    char *text;
    size_t length;
    FILE *memory;
    struct stat is;

    if (append_to < 0)
        return;
    // two programs may both find the file empty; a pipe cannot be locked, and need not be
    flock(append_to, LOCK_EX);
    memory = open_memstream(&text, &length);
    // stdout's file may hold anything
    if (!to_stdout && fstat(append_to, &is) == 0 && S_ISREG(is.st_mode) ? is.st_size == 0
                                                                        : !appended)
        tsv_write_head(memory, &append_note);
    else if (!appended)
        write_note(memory, "command", append_note.command);
    tsv_write_row(memory, row);
    fclose(memory);
    appended = 1;
    for (size_t done = 0; done < length;) {
        ssize_t n = write(append_to, text + done, length - done);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            die(EXIT_USAGE, "--tsv: cannot write: %s", strerror(errno));
        done += n;
    }
    flock(append_to, LOCK_UN);
    free(text);
}
