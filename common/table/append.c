#define _GNU_SOURCE   // open_memstream
#include "table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// All columns of this version, in their order. Rows are appended without a header, so that a file
// must have this one.
static const char *header(void) { return header_text(column_name, N_COLUMNS); }

void appender_open(struct appender *a, const char *path, const struct note *note, size_t n_notes,
                   const char *command)
{
    struct stat is;

    *a = (struct appender){ path, -1, 0, note, n_notes, command };
    if (!path)
        return;
    if (strcmp(path, "-") == 0) {
        fflush(stdout);
        a->file = dup(STDOUT_FILENO);
        if (a->file < 0 || !freopen("/dev/null", "w", stdout))
            die(STATUS_USAGE, "--tsv '-': %s", strerror(errno));
        return;
    }
    a->file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (a->file < 0 || fstat(a->file, &is) < 0)
        die(STATUS_USAGE, "--tsv '%s': %s; expected a file that can be written, or - for stdout",
            path, strerror(errno));
    if (S_ISREG(is.st_mode) && is.st_size > 0 && !file_has_header(path, header()))
        die(STATUS_USAGE,
            "--tsv '%s': holds something else; expected a new or empty file, or a table of "
            "this version",
            path);
}

// Writes what precedes the row: notes, command and header in an empty file or on stdout, otherwise
// only the command.
static void write_head(const struct appender *a, FILE *memory)
{
    int to_stdout = strcmp(a->path, "-") == 0, empty = !a->began;
    struct stat is;

    // the size of stdout says nothing: it may be a pipe, or a file with other text
    if (!to_stdout && fstat(a->file, &is) == 0 && S_ISREG(is.st_mode))
        empty = is.st_size == 0;
    for (size_t i = 0; empty && i < a->n_notes; i++)
        if (a->note[i].text[0])
            fprintf(memory, "# %s: %s\n", a->note[i].word, a->note[i].text);
    if (empty || !a->began)
        fprintf(memory, "# command: %s\n", a->command);
    if (empty)
        fputs(header(), memory);
}

// A program that was interrupted leaves a part of a line at the end of the file. It becomes a note,
// so that nothing is lost and the next row starts on a new line.
static void end_partial_line(const struct appender *a, FILE *memory)
{
    struct stat is;
    char *line;
    off_t start;
    FILE *file;
    size_t n;

    if (strcmp(a->path, "-") == 0 || fstat(a->file, &is) < 0 || !S_ISREG(is.st_mode))
        return;
    file = fopen(a->path, "r");
    start = is.st_size;
    for (; file && start > 0; start--)
        if (fseeko(file, start - 1, SEEK_SET) < 0 || fgetc(file) == '\n')
            break;
    if (file && start < is.st_size && fseeko(file, start, SEEK_SET) == 0) {
        line = must_malloc(is.st_size - start + 1);
        n = fread(line, 1, is.st_size - start, file);
        line[n] = '\0';
        if (n == (size_t)(is.st_size - start) && ftruncate(a->file, start) == 0) {
            warn("--tsv '%s': its last line is incomplete and becomes a note", a->path);
            fprintf(memory, "# incomplete line: %s\n", line);
        }
        free(line);
    }
    if (file)
        fclose(file);
}

void appender_put(struct appender *a, const struct row *row)
{
    char *text;
    size_t length;
    FILE *memory;

    if (!a->path)
        return;
    // Without the lock, two programs could both find the file empty. A pipe needs no lock.
    flock(a->file, LOCK_EX);
    memory = open_memstream(&text, &length);
    end_partial_line(a, memory);
    write_head(a, memory);
    for (int i = 0; i < N_COLUMNS; i++)
        fprintf(memory, "%s%c", row->cell[i], i < N_COLUMNS - 1 ? '\t' : '\n');
    fclose(memory);
    a->began = 1;
    for (size_t done = 0; done < length;) {
        ssize_t n = write(a->file, text + done, length - done);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            die(STATUS_USAGE, "--tsv '%s': cannot be written: %s", a->path, strerror(errno));
        done += n;
    }
    flock(a->file, LOCK_UN);
    free(text);
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
