// The table of points, which a class gets.
#define _GNU_SOURCE   // strsep
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "class.h"
#include "content.h"
#include "version.h"
#include "visible.h"

static const char *const title[CELLS] = {
    [CELL_FILE] = "file",     [CELL_POINTS] = "points",   [CELL_MAXIMUM] = "maximum",
    [CELL_STATUS] = "status", [CELL_REASON] = "reason",   [CELL_STUDENT] = "student",
    [CELL_ID] = "id",         [CELL_CONTENT] = "content",
};

// --- rows

// A row that says "not graded" has no points, so that a spreadsheet does not read 0; nor has a file
// beside the one that is graded, so that a student has one number.
struct cells points_row(const struct grading *g, const struct entry *e, const struct result *r)
{
    enum outcome outcome = r ? r->outcome : UNREADABLE;
    const char *reason = r ? r->reason : e->why;
    int none = outcome == NOT_GRADED || e->beside;

    return (struct cells){ {
        [CELL_FILE] = e->field,
        [CELL_POINTS] = none ? "" : text_of("%d", r ? points_earned(g, r) : 0),
        [CELL_MAXIMUM] = text_of("%d", points_most(g)),
        [CELL_STATUS] = outcome_word(outcome),
        [CELL_REASON] = outcome == SOLVED ? "" : field_of_text(reason),
        [CELL_STUDENT] = field_of_name(e->student),
        [CELL_ID] = e->id,
        [CELL_CONTENT] = r ? text_of("%s", r->content) : "",
    } };
}

int points_row_is_grade(const struct cells *row)
{
    return row->cell[0] && strcmp(row->cell[CELL_STATUS], outcome_word(NOT_GRADED)) != 0;
}

int points_missing(const struct points_file *p)
{
    int n = 0;

    for (int i = 0; i < p->n; i++)
        n += !points_row_is_grade(&p->row[i]);
    return n;
}

static const char *row_text(const struct cells *row)
{
    const char *line = "";

    for (int i = 0; i < CELLS; i++)
        line = text_of("%s%s%s", line, row->cell[i], i + 1 < CELLS ? "\t" : "\n");
    return line;
}

// --- the head

static const char *identity_of(const struct grading *g)
{
    return text_of("# course: %s\n"
                   "# exercise: %d %s\n"
                   "# master: %s\n"
                   "# limits: %d s of CPU time%s\n"
                   "# device: CPU device%s\n",
                   LADDER_VERSION, g->e->number, g->e->head.name, content_of(g->e->path),
                   g->seconds, g->confined ? "" : ", not confined", g->on_gpu ? " and GPU" : "");
}

static const char *head_of_table(const char *identity)
{
    time_t now = time(NULL);
    char date[40];
    struct cells titles;

    strftime(date, sizeof date, "%Y-%m-%d %H:%M %z", localtime(&now));
    memcpy(titles.cell, title, sizeof title);
    return text_of("# date: %s\n%s%s", date, identity, row_text(&titles));
}

// --- an earlier table

// The text after the head, or NULL if the head is another one. `text` is changed.
static char *rows_with(char *text, const char *identity)
{
    struct cells titles;
    const char *line;
    size_t n;

    if (strncmp(text, "# date: ", strlen("# date: ")) != 0 || !strchr(text, '\n'))
        return NULL;
    text = strchr(text, '\n') + 1;
    n = strlen(identity);
    if (strncmp(text, identity, n) != 0)
        return NULL;
    text += n;
    memcpy(titles.cell, title, sizeof title);
    line = row_text(&titles);
    return strncmp(text, line, strlen(line)) == 0 ? text + strlen(line) : NULL;
}

// The next complete row, whose end may be missing if a disk was full. Returns 0 at the end.
static int next_row(char **text, struct cells *row)
{
    while (*text && strchr(*text, '\n')) {
        char *line = strsep(text, "\n"), *cell;
        int n = 0;

        for (; (cell = strsep(&line, "\t")); n++)
            if (n < CELLS)
                row->cell[n] = cell;
        if (n == CELLS)
            return 1;
    }
    return 0;
}

struct taking {
    struct points_file *p;
    const struct class *c;
    const struct feedback *f;
};

static int is_unchanged(const struct taking *t, int i, const struct cells *row)
{
    const struct entry *e = &t->c->entry[i];
    const char *content = row->cell[CELL_CONTENT];

    return points_row_is_grade(row) && content[0] && strcmp(content_of(e->path), content) == 0 &&
           feedback_is_there(t->f, e, content);
}

static void take_old_row(const struct taking *t, const struct cells *row)
{
    struct points_file *p = t->p;
    const struct class *c = t->c;

    for (int i = 0; i < c->n; i++) {
        if (c->entry[i].why || strcmp(c->entry[i].field, row->cell[CELL_FILE]) != 0)
            continue;
        if (is_unchanged(t, i, row)) {
            p->kept += !p->row[i].cell[0];
            p->row[i] = *row;
        }
        return;
    }
}

static void take_rows(const struct taking *t, char *rows)
{
    struct cells row;

    while (next_row(&rows, &row))
        take_old_row(t, &row);
}

static int says_not_graded(const char *rows)
{
    char *copy = text_of("%s", rows);
    struct cells row;

    while (next_row(&copy, &row))
        if (!points_row_is_grade(&row))
            return 1;
    return 0;
}

// The rows of an earlier OUT that is to be continued; NULL if there is none.
static char *unfinished(const struct points_file *p)
{
    char *rows;

    if (!p->path || access(p->path, R_OK) < 0)
        return NULL;
    rows = rows_with(read_text(p->path), p->identity);
    return rows && says_not_graded(rows) ? rows : NULL;
}

void points_take_over(struct points_file *p, const struct class *c, const struct feedback *f,
                      const char *resume)
{
    const struct taking t = { p, c, f };
    char *rows = unfinished(p);

    if (rows)
        take_rows(&t, rows);
    if (resume) {
        rows = rows_with(read_text(resume), p->identity);
        if (!rows)
            fail("RESUME=%s: not a table of this exercise, course version, device and limits",
                 resume);
        take_rows(&t, rows);
    }
    if (p->partial && (rows = rows_with(read_text(p->partial), p->identity)))
        take_rows(&t, rows);
}

// --- opening

// Opens PARTIAL, and locks it. Another run may remove it between the two.
static int lock_partial(const char *out, const char *partial)
{
    struct stat is;
    int file;

    do {
        file = open(partial, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (file < 0)
            return -1;
        if (flock(file, LOCK_EX | LOCK_NB) < 0)
            fail("OUT=%s: another run writes to %s now", out, partial);
        if (fstat(file, &is) == 0 && is.st_nlink)
            return file;
        close(file);
    } while (1);
}

// Makes the partial table ready for more rows: it has a head, and ends with a complete line.
static int open_partial(struct points_file *p)
{
    char *text = read_text(p->partial), *end = strrchr(text, '\n');
    size_t n = end ? (size_t)(end + 1 - text) : 0;

    if (n && !rows_with(text, p->identity))
        fail("OUT=%s: %s has rows of another exercise, course version, device or limit; move or "
             "remove it",
             p->out, p->partial);
    p->is_new = n == 0;
    return ftruncate(p->descriptor, (off_t)n) == 0 &&
           (n || (fputs(head_of_table(p->identity), p->file) >= 0 && fflush(p->file) == 0));
}

void points_abandon(struct points_file *p)
{
    if (p->is_new)
        unlink(p->partial);
}

struct points_file points_open(const struct grading *g, const char *out, int n)
{
    struct points_file p = { .out = out, .identity = identity_of(g), .n = n };
    char real[PATH_MAX];
    struct stat is;

    p.row = must_calloc(n, sizeof *p.row);
    if (out && strncmp(out, "/dev/", 5) != 0 && (stat(out, &is) < 0 || S_ISREG(is.st_mode))) {
        p.path = realpath(out, real) ? text_of("%s", real) : out;
        p.partial = text_of("%s.partial", p.path);
        p.descriptor = lock_partial(out, p.partial);
        p.file = p.descriptor >= 0 ? fdopen(p.descriptor, "a") : NULL;
        if (p.file && open_partial(&p))
            return p;
        points_abandon(&p);
        fail("OUT=%s: %s", out, strerror(errno));
    }
    p.file = out ? fopen(out, "w") : stdout;
    if (!p.file || fputs(head_of_table(p.identity), p.file) < 0 || fflush(p.file) != 0)
        fail("%s: %s", points_name(&p), strerror(errno));
    return p;
}

const char *points_name(const struct points_file *p)
{
    return p->out ? text_of("OUT=%s", p->out) : "stdout";
}

const char *points_kept_in(const struct points_file *p)
{
    if (!p->path || access(p->partial, F_OK) < 0)
        return "";
    return text_of("; the finished rows are in %s, and the same command continues", p->partial);
}

// --- writing

static int write_row(struct points_file *p, int i)
{
    return fputs(row_text(&p->row[i]), p->file) >= 0 && fflush(p->file) == 0;
}

int points_add(struct points_file *p, int i, const struct cells *row)
{
    p->row[i] = *row;
    if (p->path) {
        p->is_new = 0;
        return write_row(p, i);
    }
    for (; p->written < p->n && p->row[p->written].cell[0]; p->written++)
        if (!write_row(p, p->written))
            return 0;
    return 1;
}

static int close_stream(struct points_file *p)
{
    for (; p->written < p->n; p->written++)
        if (p->row[p->written].cell[0] && !write_row(p, p->written))
            return 0;
    return 1;
}

static const char *whole_table(const struct points_file *p)
{
    char *text;
    size_t length;
    FILE *memory = open_memstream(&text, &length);

    fputs(head_of_table(p->identity), memory);
    for (int i = 0; i < p->n; i++)
        fputs(row_text(&p->row[i]), memory);
    if (fclose(memory) != 0)
        die(STATUS_ERROR, "out of memory");
    return text;
}

// A complete table gets the name OUT, unless it has rows "not graded" and OUT has none.
const char *points_close(struct points_file *p, int complete)
{
    struct stat is;

    if (!p->path)
        return close_stream(p) ? p->out ? p->out : "" : NULL;
    if (p->is_new)
        unlink(p->partial);   // it has no row
    if (!complete || (points_missing(p) && stat(p->path, &is) == 0 && is.st_size && !unfinished(p)))
        return p->partial;
    if (!write_file(p->path, whole_table(p)))
        return NULL;
    unlink(p->partial);   // while it is locked
    return p->out;
}
