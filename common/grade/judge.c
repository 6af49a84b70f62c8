// Runs the grader on a submission's program, and judges what it measured.
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade.h"
#include "limited.h"
#include "select.h"
#include "tool.h"
#include "wall.h"

enum { CHECK_WALL = 600 };   // seconds of a check, beside those of the submission

// --- the grader

struct verdict {
    int status;
    int diagnosed;
    const char *why;   // NULL if the status is STATUS_OK or STATUS_SKIPPED
};

// The first line of a log, without the program's name: why the grader did not begin.
static const char *first_line(const char *log)
{
    const char *text = access(log, R_OK) == 0 ? read_text(log) : "";

    text += strncmp(text, "grader: ", 8) == 0 ? 8 : 0;
    return text_of("%.*s", (int)strcspn(text, "\n"), text);
}

// The reason is in the first row with a status other than ok and skip.
static void read_verdict(const char *tsv, const char *log, struct verdict *v)
{
    static const char diagnosis[] = "diagnosis ";
    struct table t = { 0 };

    table_read(&t, tsv);
    for (size_t i = 0; i < t.n && !v->why; i++) {
        const struct row *row = &t.row[i];
        const char *at = text_of("%s%s%s", row->size, row->variant[0] ? " " : "", row->variant);

        if (row_is_ok(row) || strcmp(row->status, "skip") == 0)
            continue;
        v->diagnosed = strncmp(row->why, diagnosis, strlen(diagnosis)) == 0;
        v->why = v->diagnosed ? text_of("WRONG %s", row->why + strlen(diagnosis))
               : strcmp(row->status, "wrong") == 0 ? text_of("WRONG at %s: %s", at, row->why)
                                                   : row->why;
    }
    if (!v->why)
        v->why = first_line(log);
}

// Runs the program that checks.
static struct verdict grader(const struct grading *g, const struct submission *s,
                             const struct bench *b, const char *options, const char *tsv)
{
    const struct limits l = { .seconds = CHECK_WALL + WALL_PER_CPU * g->seconds };
    const char *log = text_of("%s.log", tsv), *type = g->e->head.type;
    struct verdict v = { STATUS_ERROR, 0, NULL };
    int status;

    unlink(tsv);
    status = run_limited(
        text_of("exec %s build/%s/grader --isolated '%s' --seconds %d%s%s%s --no-results %s "
                "--tsv '%s'",
                b->prefix, b->name, copy_path(s, b, "submission"), g->seconds,
                g->confined ? "" : " --unconfined", type[0] ? " --type " : "", type, options, tsv),
        log, &l);
    if (status >= 0 && WIFEXITED(status))
        v.status = WEXITSTATUS(status);
    if (status < 0)
        v.why = text_of("no result after %d s", l.seconds);
    else if (v.status != STATUS_OK && v.status != STATUS_SKIPPED)
        read_verdict(tsv, log, &v);
    if (v.status == STATUS_USAGE)
        fail("%s; CONFINE=no grades without, for submissions that you trust", v.why);
    return v;
}

// --- correctness

// A row of a check: "right", "refused" or "wrong" at one size.
static const struct row *row_like(const struct table *t, const struct row *row)
{
    for (size_t i = 0; i < t->n; i++)
        if (row_same_key(&t->row[i], row))
            return &t->row[i];
    return NULL;
}

// Returns a size that the solution computes and the submission refuses, or NULL.
static const char *missing_size(const struct grading *g, const char *rows)
{
    struct table want = { 0 }, got = { 0 };

    if (!g->expected)
        return NULL;
    table_read(&want, g->expected);
    table_read(&got, rows);
    for (size_t i = 0; i < want.n; i++) {
        const struct row *row = row_like(&got, &want.row[i]);

        if (row_is_ok(&want.row[i]) && (!row || !row_is_ok(row)))
            return text_of("%s%s%s", want.row[i].size, want.row[i].variant[0] ? " " : "",
                           want.row[i].variant);
    }
    return NULL;
}

// Takes away the points for a correct result or, after a diagnosis, all.
static void set_incorrect(const struct submission *s, struct result *r, const struct verdict *v)
{
    r->correct.earned = 0;
    set_outcome(s, r, v->status == STATUS_ERROR ? STOPPED : WRONG, v->why);
    snprintf(r->correct.says, SAYS, "correct: no: %s", text_head(r->reason, SAYS - 20));
    r->diagnosed |= v->diagnosed;
    for (int i = 0; r->diagnosed && i < HEAD_CLAIMS; i++)
        r->claim[i] = (struct line){ 0 };
}

void submission_check(const struct grading *g, const struct submission *s, struct result *r)
{
    const char *tsv = copy_path(s, &g->cpu, "check.tsv"), *missing;
    struct verdict v = grader(g, s, &g->cpu, "--check --quick", tsv);

    r->correct.judged = 1;
    missing = v.why ? NULL : missing_size(g, tsv);
    if (missing)
        v.why = text_of("refuses %s, which the solution computes", missing);
    else if (v.status == STATUS_SKIPPED)
        v.why = "refuses every size";
    if (v.why) {
        set_incorrect(s, r, &v);
        return;
    }
    r->correct.earned = g->e->head.points_correct;
    snprintf(r->correct.says, SAYS, "correct");
}

// --- claims

struct judging {
    const struct table *table;
    const struct claim *claim;
};

static double value(void *context, const struct term *t)
{
    const struct judging *j = context;
    const struct claim *c = j->claim;
    struct place place = { c->size, c->mode, c->type[0] ? c->type : table_type(j->table), t->knobs,
                           t->variant };
    const struct row *own = latest_row(j->table, "exercise", &place);

    if (t->stage[0])
        return value_beside(j->table, own, t->stage, &place, t->column);
    return own && row_is_ok(own) ? row_number(own, t->column) : NAN;
}

// Stores what a line says: the condition, the size and type that it was judged for, and the result.
static void set_line(const struct grading *g, struct result *r, int i, const char *result)
{
    const struct claim *c = &g->e->claim[i];
    struct line *line = &r->claim[i];
    const char *type = c->type[0] ? c->type : g->type, *text;

    line->judged = 1;
    text = text_of("%s (%s): %s", c->condition,
                   joined(joined(c->size, ", ", type), ", ", c->variant), result);
    snprintf(line->says, SAYS, "%s", text);
    on_one_line(whole_characters(line->says));
    if (!line->earned && !r->reason[0])
        snprintf(r->reason, REASON, "%s", line->says);
}

static void judge(const struct grading *g, int i, const struct table *t, struct result *r)
{
    struct judging j = { t, &g->e->claim[i] };
    struct claim_result result = claim_judge(j.claim, value, &j);
    int holds = result.verdict == CLAIM_HOLDS;

    r->claim[i].earned = holds ? g->e->head.points[i] : 0;
    set_line(g, r, i,
             result.verdict == CLAIM_NOT_MEASURED
                 ? "not measured"
                 : text_of("%s%.7g, %.7g", holds ? "" : "no: ", result.left.middle,
                           result.right.middle));
}

static int same_run(const struct claim *a, const struct claim *b)
{
    return a->on_cpu == b->on_cpu &&
           strcmp(claim_options(a, a->variant), claim_options(b, b->variant)) == 0;
}

// Each size, type and variant is run once. What is wrong at the size of a count is not correct.
void submission_measure(const struct grading *g, const struct submission *s, const struct bench *b,
                        struct result *r)
{
    int on_cpu = b == &g->cpu;

    for (int i = 0; !r->diagnosed && i < g->e->head.n_claims; i++) {
        const struct claim *c = &g->e->claim[i];
        const char *tsv = copy_path(s, b, text_of("claim%d.tsv", i));
        struct table t = { 0 };
        struct verdict v;

        if (c->on_cpu != on_cpu || r->claim[i].judged)
            continue;
        v = grader(g, s, b,
                   text_of("--bench%s %s", on_cpu ? " --quick" : "", claim_options(c, c->variant)),
                   tsv);
        if (v.why && (v.status == STATUS_WRONG || v.diagnosed) && r->correct.earned)
            set_incorrect(s, r, &v);
        if (!v.why)
            table_read(&t, tsv);
        for (int k = i; !r->diagnosed && k < g->e->head.n_claims; k++)
            if (same_run(c, &g->e->claim[k])) {
                if (v.why)
                    set_line(g, r, k, text_of("no: %s", v.why));
                else
                    judge(g, k, &t, r);
            }
    }
}

void submission_unmeasured(const struct grading *g, const char *why, struct result *r)
{
    for (int i = 0; i < g->e->head.n_claims; i++)
        if (!g->e->claim[i].on_cpu)
            set_line(g, r, i, text_of("no: %s", why));
}
