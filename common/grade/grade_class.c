// make grade FROM=folder: grades what is in the folder, and writes the table, the CSV and the
// feedback.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "class.h"
#include "content.h"
#include "version.h"
#include "workers.h"

// --- options

const char *take_path(struct arguments *a, const char *option, const char *name)
{
    const char *path = take_option(a, option);

    if (path && !path[0])
        fail("%s= is empty; expected a file or folder", name);
    return path;
}

static void abandon(void *context, enum status status, const char *message)
{
    (void)status, (void)message;
    points_abandon(context);
}

struct grading_of_class take_class(struct arguments *a, const char *from)
{
    struct grading_of_class gc = {
        .out = take_path(a, "--out", "OUT"),
        .resume = take_path(a, "--resume", "RESUME"),
        .feedback = { .folder = take_path(a, "--feedback", "FEEDBACK") },
        .gradebook = { take_path(a, "--csv", "CSV"), take_option(a, "--format"),
                       take_option(a, "--assignment") },
    };
    const char *given = gc.out             ? "OUT"
                      : gc.resume          ? "RESUME"
                      : gc.gradebook.path  ? "CSV"
                      : gc.feedback.folder ? "FEEDBACK"
                                           : NULL;

    gradebook_check(&gc.gradebook);
    if (!from && given)
        fail("%s is an option of FROM=folder, which grades the files of a class", given);
    return gc;
}

void open_class(struct grading_of_class *gc, const struct grading *g, const char *from)
{
    gc->g = g;
    gc->class = class_read(from, g->e->number);
    if (gc->out)
        must_be_outside("OUT", gc->out, from);
    if (gc->gradebook.path)
        must_be_outside("CSV", gc->gradebook.path, from);
    if (gc->out && gc->gradebook.path && strcmp(gc->out, gc->gradebook.path) == 0)
        fail("CSV=%s: is OUT, too; expected another file", gc->out);
    if (gc->feedback.folder)
        must_be_outside("FEEDBACK", gc->feedback.folder, from);
    gc->feedback.of = text_of("exercise%d %s, course %s, master %s", g->e->number, g->e->head.name,
                              LADDER_VERSION, content_of_text(read_text(g->e->path)));
    feedback_check(&gc->feedback, &gc->class);
    gc->points = points_open(g, gc->out, gc->class.n);
    on_die(abandon, &gc->points);
    points_take_over(&gc->points, &gc->class, &gc->feedback, gc->resume);
}

// --- rows

static void clear_progress(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}

static void show_graded(const struct points_file *p)
{
    if (isatty(STDERR_FILENO) && points_missing(p))
        fprintf(stderr, "\r\033[K%d of %d graded", p->n - points_missing(p), p->n);
}

// `r` is NULL for a file that cannot be graded. Returns 0 if the row or the feedback is not
// written.
static int report_entry(struct grading_of_class *gc, int i, const struct result *r)
{
    const struct entry *e = &gc->class.entry[i];
    struct cells row = points_row(gc->g, e, r);

    clear_progress();
    if (gc->feedback.folder && !e->beside && points_row_is_grade(&row) &&
        !feedback_write(&gc->feedback, gc->g, e, r))
        gc->wrong = text_of("FEEDBACK=%s: %s", gc->feedback.folder, strerror(errno));
    else if (!points_add(&gc->points, i, &row))
        gc->wrong = text_of("%s: %s", points_name(&gc->points), strerror(errno));
    show_graded(&gc->points);
    return !gc->wrong;
}

static int report_submission(struct queue *q, int i)
{
    struct grading_of_class *gc = q->context;

    return report_entry(gc, gc->entry[i], &q->r[i]);
}

// What is to be graded: all but the rows of an earlier run, and what cannot be graded.
static struct queue queue_of(struct grading_of_class *gc)
{
    struct submission *s = must_calloc(gc->class.n, sizeof *s);
    struct queue q = { .g = gc->g, .s = s, .report = report_submission, .context = gc };

    q.only_here = gc->points.descriptor;
    gc->entry = must_calloc(gc->class.n, sizeof *gc->entry);
    for (int i = 0; i < gc->class.n; i++) {
        if (gc->points.row[i].cell[0] || gc->class.entry[i].why)
            continue;
        gc->entry[q.n] = i;
        s[q.n] = submission_of(gc->g, gc->class.entry[i].path, q.n + 1);
        q.n++;
    }
    q.r = shared_results(q.n);
    return q;
}

static void print_summary(const struct grading_of_class *gc, const char *where)
{
    const struct points_file *p = &gc->points;
    FILE *out = p->out ? stdout : stderr;
    int n = 0;

    fprintf(out, "%d of %d submissions graded:", p->n - points_missing(p), p->n);
    for (enum outcome o = SOLVED; o < OUTCOMES; o++) {
        int count = 0;

        for (int i = 0; i < p->n; i++)
            count += p->row[i].cell[0] && strcmp(p->row[i].cell[CELL_STATUS], outcome_word(o)) == 0;
        if (count)
            fprintf(out, "%s %d %s", n++ ? "," : "", count, outcome_word(o));
    }
    if (p->kept)
        fprintf(out, "; %d of them by an earlier run", p->kept);
    if (gc->class.skipped[0])
        fprintf(out, "; skipped: %s", gc->class.skipped);
    fprintf(out, "%s%s\n", p->out ? "; the points are in " : "", p->out ? where : "");
}

static enum status write_gradebook(const struct grading_of_class *gc)
{
    const struct gradebook *b = &gc->gradebook;
    int without;

    if (!b->path)
        return STATUS_OK;
    if (points_missing(&gc->points)) {
        warn("CSV=%s: not written, because not all submissions are graded", b->path);
        return STATUS_ERROR;
    }
    without = gradebook_write(b, &gc->class, &gc->points);
    if (without < 0)
        warn("CSV=%s: %s", b->path, strerror(errno));
    else if (without)
        warn("CSV=%s: without %d of the students, whose names have no identifier of %s", b->path,
             without, b->format);
    return without < 0 ? STATUS_USAGE : STATUS_OK;
}

enum status grade_class(struct grading_of_class *gc)
{
    struct queue q = queue_of(gc);
    enum ending ending = ALL_GRADED;
    enum status status;
    const char *where;

    setenv("EMU_THREADS", "1", 1);   // the submissions are graded in parallel
    for (int i = 0; i < gc->class.n && ending == ALL_GRADED; i++)
        if (gc->class.entry[i].why && !report_entry(gc, i, NULL))
            ending = STOPPED_BY_REPORT;
    if (ending == ALL_GRADED)
        ending = grade_all(&q);
    clear_progress();
    where = points_close(&gc->points, ending == ALL_GRADED);
    if (!where && !gc->wrong)
        gc->wrong = text_of("%s: %s", points_name(&gc->points), strerror(errno));
    if (gc->wrong)
        die(STATUS_USAGE, "%s%s", gc->wrong, points_kept_in(&gc->points));
    print_summary(gc, where);
    if (ending == INTERRUPTED)
        die(STATUS_ERROR, "interrupted%s", points_kept_in(&gc->points));
    status = write_gradebook(gc);
    return points_missing(&gc->points) ? STATUS_ERROR : status;
}
