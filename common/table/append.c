#define _GNU_SOURCE   // open_memstream
#include "table.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/folders.h"
#include "../base/program.h"
#include "select.h"

enum { LARGE_FILE = 1 << 20 };

// All columns of this version, in their order. Rows are appended without a header, so that a file
// must have this one.
static const char *header(void) { return header_text(column_name, N_COLUMNS); }

// --- text

static void write_notes(const struct note *note, size_t n, FILE *to)
{
    for (size_t i = 0; i < n; i++)
        if (note[i].text[0])
            fprintf(to, "# %s: %s\n", note[i].word, note[i].text);
}

// Writes these cells of the columns that are used.
static void write_cells(const char *const cell[N_COLUMNS], const unsigned char *used, FILE *to)
{
    for (int i = 0, before = 0; i < N_COLUMNS; i++)
        if (used[i])
            fprintf(to, "%s%s", before++ ? "\t" : "", cell[i]);
    fputc('\n', to);
}

static void write_table(const struct table *t, int all_columns, FILE *to)
{
    unsigned char used[N_COLUMNS] = { [COLUMN_week] = 1 };   // it identifies a header
    const char *command = "", *time = "";

    for (int i = 0; i < N_COLUMNS; i++) {
        used[i] |= all_columns;
        for (size_t r = 0; r < t->n; r++)
            used[i] |= t->row[r].cell[i][0] != '\0';
    }
    write_notes(t->note, t->n_notes, to);
    for (size_t r = 0; r < t->n; r++) {
        if (strcmp(t->row[r].command, command) != 0)
            fprintf(to, "# command: %s\n", command = t->row[r].command);
        if (strcmp(t->row[r].time, time) != 0)
            fprintf(to, "# time: %s\n", time = t->row[r].time);
        if (r == 0)
            write_cells(column_name, used, to);
        write_cells(t->row[r].cell, used, to);
    }
    if (t->n == 0)
        write_cells(column_name, used, to);
}

// --- files

// Locks the end of a file, and first opens it if `file` is negative. Another program that had the
// lock may have replaced the file: then the new one is opened. Returns -1 with errno.
static int locked(const char *path, int file)
{
    struct stat is, there;

    for (;; file = -1) {
        if (file < 0)
            file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0)
            return -1;
        flock(file, LOCK_EX);
        if (fstat(file, &is) < 0 || !S_ISREG(is.st_mode) ||
            (stat(path, &there) == 0 && there.st_ino == is.st_ino))
            return file;
        close(file);
    }
}

// -1: not an ordinary file.
static off_t size_of_file(int file)
{
    struct stat is;

    return fstat(file, &is) == 0 && S_ISREG(is.st_mode) ? is.st_size : -1;
}

// Writes a text at the end of a file; if that fails, the file stays as it was. Returns 0, or -1
// with errno.
static int write_end(int file, const char *text, size_t length)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
    off_t size = size_of_file(file);
    int reason = 0;

    sigaction(SIGXFSZ, &ignore, &before);   // a file that is too large is an error, as a full disk
    for (size_t done = 0; done < length && !reason;) {
        ssize_t n = write(file, text + done, length - done);

        if (n < 0 && errno != EINTR)
            reason = errno;
        done += n > 0 ? n : 0;
    }
    sigaction(SIGXFSZ, &before, NULL);
    if (reason && size >= 0 && ftruncate(file, size) < 0)
        reason = errno;
    errno = reason;
    return reason ? -1 : 0;
}

int table_save(const struct table *t, const char *path, int all_columns)
{
    char *unfinished = text_of("%s.new", path), *text;
    int file = locked(unfinished, -1), failed, reason;
    size_t length;
    FILE *memory;

    if (file < 0)
        return -1;
    memory = open_memstream(&text, &length);
    write_table(t, all_columns, memory);
    fclose(memory);
    failed =
        ftruncate(file, 0) < 0 || write_end(file, text, length) < 0 || rename(unfinished, path) < 0;
    reason = errno;
    if (failed)
        unlink(unfinished);
    close(file);
    free(text);
    errno = reason;
    return failed ? -1 : 0;
}

// --- appending

// A program that was interrupted leaves a part of a line at the end of the file. It becomes a note,
// so that nothing is lost and the next row starts on a new line. Returns the size without it.
static off_t end_partial_line(const struct appender *a, off_t size, FILE *memory)
{
    FILE *file = size > 0 ? fopen(a->path, "r") : NULL;
    off_t start = size;
    char *line = NULL;
    size_t room = 0;

    while (file && start > 0 && fseeko(file, start - 1, SEEK_SET) == 0 && fgetc(file) != '\n')
        start--;
    if (file && start < size && fseeko(file, start, SEEK_SET) == 0 &&
        getline(&line, &room, file) > 0 && ftruncate(a->file, start) == 0) {
        warn("%s: its last line is incomplete and becomes a note", a->name);
        fprintf(memory, "# incomplete line: %s\n", line);
        size = start;
    }
    free(line);
    if (file)
        fclose(file);
    return size;
}

void appender_put(struct appender *a, const struct row *row, size_t n)
{
    int to_stdout = a->path && strcmp(a->path, "-") == 0;
    unsigned char used[N_COLUMNS];
    char *text;
    size_t length;
    off_t size;
    FILE *memory;

    if (!a->path)
        return;
    a->file = to_stdout ? a->file : locked(a->path, a->file);
    if (a->file < 0)
        die(STATUS_USAGE, "%s: cannot be written: %s", a->name, strerror(errno));
    // the size of stdout says nothing: it may be a file with other text
    size = to_stdout ? -1 : size_of_file(a->file);
    memory = open_memstream(&text, &length);
    size = size < 0 ? a->end : end_partial_line(a, size, memory);
    memset(used, 1, sizeof used);
    if (size == 0)
        write_notes(a->note, a->n_notes, memory);
    if (size == 0 || size != a->end)   // the latest rows are those of another program
        fprintf(memory, "# command: %s\n", a->command);
    if (row->time[0])
        fprintf(memory, "# time: %s\n", row->time);
    if (size == 0)
        write_cells(column_name, used, memory);
    for (size_t i = 0; i < n; i++)
        write_cells(row[i].cell, used, memory);
    fclose(memory);
    if (write_end(a->file, text, length) < 0)
        die(STATUS_USAGE, "%s: cannot be written: %s", a->name, strerror(errno));
    a->end = size + (off_t)length;
    flock(a->file, LOCK_UN);
    free(text);
}

void appender_open(struct appender *a, const char *path, const struct note *note, size_t n_notes,
                   const char *command)
{
    *a = (struct appender){
        .path = path, .file = -1, .note = note, .n_notes = n_notes, .command = command
    };
    if (!path)
        return;
    a->name = text_of("--tsv '%s'", path);
    if (strcmp(path, "-") == 0) {
        fflush(stdout);
        a->file = dup(STDOUT_FILENO);
        if (a->file < 0 || !freopen("/dev/null", "w", stdout))
            die(STATUS_USAGE, "%s: %s", a->name, strerror(errno));
        return;
    }
    a->file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (a->file < 0)
        die(STATUS_USAGE, "%s: %s; expected a file that can be written, or - for stdout", a->name,
            strerror(errno));
    if (size_of_file(a->file) > 0 && !file_has_header(path, header()))
        die(STATUS_USAGE,
            "%s: holds something else; expected a new or empty file, or a table of this version",
            a->name);
}

// --- results

// Rewrites results in the columns of this version, without what later rows replace.
static void tidy(const char *path)
{
    struct table t = { 0 };
    size_t before;

    if (table_read(&t, path) == TABLE_BAD) {
        if (rename(path, text_of("%s.bad", path)) == 0)
            warn("%s: not a result table; it is now %s.bad", path, path);
        return;
    }
    before = t.n;
    table_drop_replaced(&t);
    if ((before > 2 * t.n || !file_has_header(path, header())) && table_save(&t, path, 1) < 0)
        die(STATUS_USAGE, "%s: cannot be written: %s", path, strerror(errno));
}

void results_open_file(struct appender *a, const char *folder, const struct note *note,
                       size_t n_notes, const char *command)
{
    const char *path = text_of("%s/rows.tsv", folder);
    int file = locked(path, -1);
    off_t size = size_of_file(file);

    if (file < 0)
        die(STATUS_USAGE, "%s: %s; results are kept there", path, strerror(errno));
    if (size > LARGE_FILE || (size > 0 && !file_has_header(path, header())))
        tidy(path);
    close(file);
    appender_open(a, path, note, n_notes, command);
    a->name = path;
}

void results_read(struct table *t, const char *folder)
{
    static const enum column said[] = { COLUMN_driver, COLUMN_cuda, COLUMN_date };
    struct files old = files_in(folder, "@(ref_*|stage*).tsv");
    const char *path = text_of("%s/rows.tsv", folder);
    int file = open(path, O_RDONLY | O_CLOEXEC);

    for (size_t i = 0; i < old.n; i++) {
        size_t r = t->n;

        table_must_read(t, old.path[i]);
        while (r < t->n)
            t->row[r++].time = text_of("%f", file_time(old.path[i]));
    }
    if (file >= 0 && flock(file, LOCK_SH) == 0 && size_of_file(file) > 0)
        table_must_read(t, path);
    if (file >= 0)
        close(file);
    table_drop_replaced(t);
    for (int i = 0; i < 3; i++)   // the notes are of the first run, which may be old
        if (t->n && t->row[t->n - 1].cell[said[i]][0])
            table_set_note(t, column_name[said[i]], t->row[t->n - 1].cell[said[i]]);
}

const char *command_text(int argc, char *const argv[])
{
    const char *text = "";

    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--tsv") == 0)
            i++;
        else if (strncmp(argv[i], "--tsv=", 6) != 0)
            text = with_word(text, argv[i]);
    return text;
}

const char *date_text(void)
{
    static char text[16];
    time_t now = time(NULL);

    strftime(text, sizeof text, "%Y-%m-%d", localtime(&now));
    return text;
}
