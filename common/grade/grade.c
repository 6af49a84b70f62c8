// make grade: one exercise of this folder, or the files of a class.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arguments.h"
#include "class.h"
#include "confine.h"
#include "content.h"
#include "inherited.h"
#include "run_folder.h"
#include "text.h"
#include "visible.h"
#include "workers.h"

const char *outcome_word(enum outcome outcome)
{
    static const char *const word[OUTCOMES] = { [UNDECIDED] = "",
                                                [SOLVED] = "solved",
                                                [PARTIAL] = "partial",
                                                [WRONG] = "wrong",
                                                [STOPPED] = "stopped",
                                                [REFUSED] = "refused",
                                                [UNCOMPILED] = "uncompiled",
                                                [UNREADABLE] = "unreadable",
                                                [NOT_GRADED] = "not graded" };

    return word[outcome];
}

int points_earned(const struct grading *g, const struct result *r)
{
    int sum = r->correct.earned + r->answer.earned;

    for (int i = 0; i < g->e->head.n_claims; i++)
        sum += r->claim[i].earned;
    return sum;
}

int points_most(const struct grading *g)
{
    int sum = g->e->head.points_correct + g->e->head.points_answer;

    for (int i = 0; i < g->e->head.n_claims; i++)
        sum += g->e->claim[i].on_cpu || g->on_gpu ? g->e->head.points[i] : 0;
    return sum;
}

static void print_line(FILE *out, const struct line *line, int points)
{
    if (line->judged)
        fprintf(out, "  %2d of %2d  %s\n", line->earned, points, visible_text(line->says));
}

void print_details(FILE *out, const struct grading *g, const char *name, const struct result *r)
{
    if (r->outcome == NOT_GRADED) {
        fprintf(out, "%s: not graded: %s\n", name, visible_text(r->reason));
        return;
    }
    fprintf(out, "%s: %s\n", name, outcome_word(r->outcome));
    if (!r->correct.judged)
        fprintf(out, "   0 of %2d  %s\n", points_most(g), visible_text(r->reason));
    else
        print_line(out, &r->correct, g->e->head.points_correct);
    print_line(out, &r->answer, g->e->head.points_answer);
    for (int k = 0; k < g->e->head.n_claims; k++)
        print_line(out, &r->claim[k], g->e->head.points[k]);
    if (is_incorrect(r) && g->e->head.n_claims)
        fprintf(out, "          counts have points only if the result is right\n");
    fprintf(out, "  %2d of %2d  points\n", points_earned(g, r), points_most(g));
}

struct submission submission_of(const struct grading *g, const char *path, int number)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

    return (struct submission){ path, visible_name(name), text_of("%s/%d", g->folder, number) };
}

// --- the solution

static time_t time_of_change(const char *path)
{
    struct stat is;

    return stat(path, &is) == 0 ? is.st_mtime : 0;
}

// The name of the kept rows: they are those of this text of the master.
static const char *kept_rows(const struct grading *g)
{
    return text_of("build/cpu/obj/solution-%s.tsv", content_of_text(read_text(g->e->path)));
}

static int keep_running(struct queue *q, int i)
{
    if (q->r[i].outcome == SOLVED)
        write_if_changed(kept_rows(q->g), read_text(copy_path(&q->s[i], &q->g->cpu, "step0.tsv")));
    return 1;
}

// Grades the solution, whose check says which sizes a submission must compute. It must reach all
// points without a GPU. The rows of its check are kept; its program is not.
static void grade_solution(struct grading *g)
{
    const char *kept = kept_rows(g);
    struct submission s = submission_of(g, text_of("%s/solution.cu", g->folder), 0);
    struct grading alone = *g;
    struct queue q = { .g = &alone, .s = &s, .n = 1, .report = keep_running };
    struct table rows = { 0 };

    alone.on_gpu = 0;
    if (time_of_change(kept) <= time_of_change("build/cpu/grader")) {
        write_if_changed(s.path, g->e->solution);
        q.r = shared_results(1);
        if (grade_all(&q) != ALL_GRADED)
            die(STATUS_ERROR, "interrupted");
        if (q.r->outcome == NOT_GRADED)
            die(STATUS_ERROR, "%s: its solution cannot be graded: %s", g->e->path, q.r->reason);
        if (q.r->outcome != SOLVED)
            fail("%s: its solution is not graded as solved: %s", g->e->path, q.r->reason);
    }
    table_read(&rows, kept);
    g->expected = kept;
    g->type = rows.n ? table_type(&rows) : "";
}

// --- the exercise of this folder

enum { MOST_DRAWN = 256 };   // elements, as in harness/draw.c

// The command that draws the size at which a result is wrong; "" if that is too large, or if more
// than a size is given: "WRONG at 3x4: ..."
static const char *drawing_of(const struct grading *g, const struct result *r)
{
    static const char at[] = "WRONG at ";
    const char *size = r->reason + strlen(at), *p = size;
    long elements = 1;

    if (r->outcome != WRONG || strncmp(r->reason, at, strlen(at)) != 0)
        return "";
    do {
        char *end;
        long n = strtol(p, &end, 10);

        if (end == p || n < 1 || n > MOST_DRAWN || (elements *= n) > MOST_DRAWN)
            return "";
        p = end;
    } while (*p == 'x' && p++);
    return *p == ':' ? text_of("  draw it: make draw N=%d ARGS=\"-n %.*s\"\n", g->e->number,
                               (int)(p - size), size)
                     : "";
}

static enum status grade_own(const struct grading *g)
{
    struct arguments there = exercise_files(g->e->number);
    struct queue q = { .g = g, .n = 1, .r = shared_results(1) };
    struct submission s;

    if (there.n != 1)
        fail("exercise%d: %s", g->e->number,
             there.n ? "two files have this number"
                     : text_of("there is no file yet; make exercise N=%d writes it", g->e->number));
    s = submission_of(g, there.word[0], 1);
    q.s = &s;
    if (grade_all(&q) != ALL_GRADED)
        die(STATUS_ERROR, "interrupted");
    print_details(stdout, g, s.name, q.r);
    printf("%s", drawing_of(g, q.r));
    if (q.r->outcome != NOT_GRADED)
        exercise_set_graded(g->e->number, q.r->outcome == SOLVED, points_earned(g, q.r));
    return q.r->outcome == SOLVED     ? STATUS_OK
         : q.r->outcome == NOT_GRADED ? STATUS_ERROR
                                      : STATUS_WRONG;
}

// --- the command

static struct bench bench_of(const char *name, const char *prefix)
{
    return (struct bench){ name, prefix, read_text(text_of("build/%s/grading", name)) };
}

static int confinement(const char *given)
{
    const char *wrong;

    if (given && strcmp(given, "no") != 0)
        fail("CONFINE=%s: expected no, or nothing", given);
    wrong = given ? NULL : confine_trial();
    if (wrong)
        fail("this system cannot confine submissions (%s); CONFINE=no grades without, for "
             "submissions that you trust",
             wrong);
    return !given;
}

enum status exercise_grade(struct arguments a)
{
    const char *from = take_path(&a, "--from", "FROM"), *seconds = take_option(&a, "--seconds"),
               *confine = take_option(&a, "--confine"), *run = take_option(&a, "--run");
    struct exercise e;
    struct grading g = { .e = &e, .on_gpu = take_flag(&a, "--gpu"), .type = "" };
    struct grading_of_class gc = take_class(&a, from);

    if (a.n != 1)
        fail("exercise grade: expected N, from make grade");
    g.seconds = seconds ? argument_number("SECONDS", seconds, 1, 3600) : 20;
    g.confined = confinement(confine);
    e = exercise_wanted(a.word[0]);
    must_have_resources(&g);
    if (from)
        open_class(&gc, &g, from);
    g.cpu = bench_of("cpu", "");
    if (g.on_gpu)
        g.gpu = bench_of("gpu", run ? run : "");
    g.folder = make_run_folder();
    grade_solution(&g);
    return from ? grade_class(&gc) : grade_own(&g);
}
