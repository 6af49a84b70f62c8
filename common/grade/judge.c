// Runs the grader on a submission's program, and judges what it measured.
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade.h"
#include "limited.h"
#include "grade_limits.h"
#include "select.h"
#include "text.h"

enum { CHECK_WALL = 600 };   // seconds of a check, beside those of the submission

// --- the grader: one process, and one of the submission, for all steps

// A check, or the count or measurement of one size.
struct check_step {
    const char *options, *table;   // its own path
};
struct steps {
    struct check_step of[MOST_STEPS];
    int n;
};

// How a step ended.
struct step_verdict {
    enum status status;   // STATUS_SKIPPED: it did not run, or refuses every size
    const char *why;      // NULL if the status is STATUS_OK or STATUS_SKIPPED
    struct table rows;
};

static const struct check_step *add_step(struct steps *all, const struct submission *s,
                                         const struct bench *b, const char *options)
{
    struct check_step *step = &all->of[all->n];

    if (all->n == MOST_STEPS)
        fail("more than %d sizes in one exercise", MOST_STEPS);
    *step = (struct check_step){ options, copy_path(s, b, text_of("step%d.tsv", all->n++)) };
    return step;
}

// The first line of a log, without the program's name: why the grader did not begin.
static const char *first_words(const char *log)
{
    const char *text = access(log, R_OK) == 0 ? read_text(log) : "";

    text += strncmp(text, "grader: ", 8) == 0 ? 8 : 0;
    return text_of("%.*s", (int)strcspn(text, "\n"), text);
}

// The reason is in the first row with a status other than ok and skip.
static struct step_verdict step_verdict(const struct check_step *step)
{
    static const char diagnosis[] = "diagnosis ";
    struct step_verdict v = { .status = STATUS_SKIPPED };

    if (access(step->table, R_OK) < 0)
        return v;
    table_read(&v.rows, step->table);
    for (size_t i = 0; i < v.rows.n && !v.why; i++) {
        const struct row *row = &v.rows.row[i];
        const char *at = text_of("%s%s%s", row->size, row->variant[0] ? " " : "", row->variant);
        int wrong = strcmp(row->status, "wrong") == 0;
        int diagnosed = strncmp(row->why, diagnosis, strlen(diagnosis)) == 0;

        if (row_is_ok(row))
            v.status = STATUS_OK;
        if (row_is_ok(row) || strcmp(row->status, "skip") == 0)
            continue;
        v.status = wrong ? STATUS_WRONG : STATUS_ERROR;
        v.why = diagnosed ? text_of("WRONG %s", row->why + strlen(diagnosis))
              : wrong     ? text_of("WRONG at %s: %s", at, row->why)
                          : row->why;
    }
    return v;
}

static void add_words(struct arguments *a, const char *text)
{
    const char *word;

    while ((word = next_word(&text)))
        a->word[a->n++] = (char *)word;
}

static struct arguments command_of_steps(const struct grading *g, const struct submission *s,
                                         const struct bench *b, const struct steps *all)
{
    struct arguments a = { 0, must_calloc(MOST_STEPS * 64, sizeof *a.word) };
    const char *computes = g->e->head.computes;

    add_words(&a, b->prefix);
    add_words(&a, text_of("build/%s/grader", b->name));
    for (int i = 0; i < all->n; i++) {
        const char *type = strstr(all->of[i].options, "--type ") ? "" : g->e->head.type;

        add_words(&a, text_of("%s--isolated %s --seconds %d%s%s%s%s%s --no-results %s --tsv %s",
                              i ? "--then " : "", copy_path(s, b, "submission"), g->seconds,
                              g->confined ? "" : " --unconfined", type[0] ? " --type " : "", type,
                              computes[0] ? " --computes " : "", computes, all->of[i].options,
                              all->of[i].table));
    }
    return a;
}

// Runs all steps. Returns 0 if the grading failed; the reason is in *r.
static int run_steps(const struct grading *g, const struct submission *s, const struct bench *b,
                     const struct steps *all, struct result *r)
{
    const struct limits l = { .seconds = all->n * (CHECK_WALL + WALL_PER_CPU * g->seconds) };
    const char *log = copy_path(s, b, "grader.log");
    int status;

    for (int i = 0; i < all->n; i++)
        unlink(all->of[i].table);
    status = run_limited(command_of_steps(g, s, b, all), log, &l);
    if (status >= 0 && WIFEXITED(status) &&
        has_word("0 1 3 77", text_of("%d", WEXITSTATUS(status))))
        return 1;
    set_outcome(s, r, NOT_GRADED,
                status < 0 ? text_of("no result after %d s", l.seconds)
                : WIFSIGNALED(status)
                    ? text_of("the program that checks was ended: %s", strsignal(WTERMSIG(status)))
                    : first_words(log));
    return 0;
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
static const char *missing_size(const struct grading *g, const struct table *got)
{
    struct table want = { 0 };

    if (!g->expected)
        return NULL;
    table_read(&want, g->expected);
    for (size_t i = 0; i < want.n; i++) {
        const struct row *row = row_like(got, &want.row[i]);

        if (row_is_ok(&want.row[i]) && (!row || !row_is_ok(row)))
            return text_of("%s%s%s", want.row[i].size, want.row[i].variant[0] ? " " : "",
                           want.row[i].variant);
    }
    return NULL;
}

int is_incorrect(const struct result *r) { return r->outcome == WRONG || r->outcome == STOPPED; }

// Takes away all points for the code: a kernel that skips a part of its work has lower counts.
static void set_incorrect(const struct submission *s, struct result *r,
                          const struct step_verdict *v)
{
    r->correct.earned = 0;
    set_outcome(s, r, v->status == STATUS_ERROR ? STOPPED : WRONG, v->why);
    snprintf(r->correct.says, SAYS, "correct: no: %s", text_head(r->reason, SAYS - 20));
    memset(r->claim, 0, sizeof r->claim);
}

// Judges the quick check, which is the first step, and then those at further sizes.
static void judge_checks(const struct grading *g, const struct submission *s,
                         const struct steps *all, int checks, struct result *r)
{
    r->correct.judged = 1;
    for (int i = 0; i < checks; i++) {
        struct step_verdict v = step_verdict(&all->of[i]);
        const char *missing = v.why || i ? NULL : missing_size(g, &v.rows);

        if (missing)
            v.why = text_of("refuses %s, which the solution computes", missing);
        else if (v.status == STATUS_SKIPPED)
            v.why =
                i ? text_of("refuses the check with %s", all->of[i].options) : "refuses every size";
        if (v.why) {
            set_incorrect(s, r, &v);
            return;
        }
    }
    r->correct.earned = g->e->head.points_correct;
    snprintf(r->correct.says, SAYS, "correct");
}

// --- claims

struct judged_claim {
    const struct table *table;
    const struct claim *claim;
};

static double step_value(void *context, const struct term *t)
{
    const struct judged_claim *j = context;
    const struct claim *c = j->claim;
    struct place place = { c->size, c->mode, c->type[0] ? c->type : table_type(j->table), t->knobs,
                           t->variant };
    const struct row *own = latest_row(j->table, "exercise", &place);

    if (t->stage[0])
        return value_beside(j->table, own, t->stage, &place, t->column);
    return own && row_is_ok(own) ? row_number(own, t->column) : NAN;
}

// Stores what a line says: the condition or, of several that are joined, the one that decided; the
// size and type that it was judged for, and the result.
static void set_line(const struct grading *g, struct result *r, int i, const char *condition,
                     const char *result)
{
    const struct claim *c = &g->e->claim[i];
    struct line *line = &r->claim[i];
    const char *type = c->type[0] ? c->type : g->type, *text;

    line->judged = 1;
    text = text_of("%s (%s): %s", condition, joined(joined(c->size, ", ", type), ", ", c->variant),
                   result);
    snprintf(line->says, SAYS, "%s", text);
    on_one_line(whole_characters(line->says));
    if (!line->earned && !r->reason[0])
        snprintf(r->reason, REASON, "%s", line->says);
}

// The sign of a comparison in words, for "must be at most 4096".
static const char *bound_words(const char *comparison)
{
    static const char *const words[][2] = {
        { "==", "" },          { "!=", "other than " }, { "<=", "at most " },
        { ">=", "at least " }, { "<", "less than " },   { ">", "more than " },
    };
    size_t i = 0;

    while (i + 1 < sizeof words / sizeof *words && !strstr(comparison, words[i][0]))
        i++;
    return words[i][1];
}

static void judge_submission(const struct grading *g, int i, const struct table *t,
                             struct result *r)
{
    struct judged_claim j = { t, &g->e->claim[i] };
    struct claim_result result = claim_judge(j.claim, step_value, &j);
    const char *comparison = claim_comparison(j.claim, &result);
    int holds = result.verdict == CLAIM_HOLDS;

    r->claim[i].earned = holds ? g->e->head.points[i] : 0;
    set_line(g, r, i, comparison,
             result.verdict == CLAIM_NOT_MEASURED ? "not measured"
             : holds ? text_of("%.7g, %.7g", result.left.middle, result.right.middle)
                     : text_of("no: is %.7g, must be %s%.7g", result.left.middle,
                               bound_words(comparison), result.right.middle));
}

static int same_run(const struct claim *a, const struct claim *b)
{
    return a->on_cpu == b->on_cpu &&
           strcmp(claim_options(a, a->variant), claim_options(b, b->variant)) == 0;
}

// Adds a step for each size, type and variant of the claims about this device, once. step_of[] gets
// the number of each claim's step.
static void add_claims(const struct grading *g, const struct submission *s, const struct bench *b,
                       struct steps *all, int step_of[HEAD_CLAIMS])
{
    int on_cpu = b == &g->cpu;

    for (int i = 0; i < g->e->head.n_claims; i++) {
        const struct claim *c = &g->e->claim[i];

        step_of[i] = -1;
        for (int k = 0; k < i && step_of[i] < 0; k++)
            if (step_of[k] >= 0 && same_run(c, &g->e->claim[k]))
                step_of[i] = step_of[k];
        if (c->on_cpu != on_cpu || step_of[i] >= 0)
            continue;
        step_of[i] = all->n;
        add_step(all, s, b,
                 text_of("--bench%s %s", on_cpu ? " --quick" : "", claim_options(c, c->variant)));
    }
}

// What is wrong at the size of a count is not correct.
static void judge_claims(const struct grading *g, const struct submission *s,
                         const struct steps *all, const int step_of[HEAD_CLAIMS], struct result *r)
{
    for (int i = 0; i < g->e->head.n_claims && !is_incorrect(r); i++) {
        struct step_verdict v;

        if (step_of[i] < 0)
            continue;
        v = step_verdict(&all->of[step_of[i]]);
        if (v.why && v.status == STATUS_WRONG)
            set_incorrect(s, r, &v);
        else if (!v.rows.n)
            set_line(g, r, i, g->e->claim[i].condition,
                     "no: not counted, because the program had ended");
        else if (v.why)
            set_line(g, r, i, g->e->claim[i].condition, text_of("no: %s", v.why));
        else
            judge_submission(g, i, &v.rows, r);
    }
}

void submission_judge(const struct grading *g, const struct submission *s, const struct bench *b,
                      struct result *r)
{
    struct steps all = { .n = 0 };
    int step_of[HEAD_CLAIMS], checks;

    if (b == &g->cpu) {
        add_step(&all, s, b, "--check --quick");
        for (int i = 0; i < g->e->n_checks; i++)
            add_step(&all, s, b,
                     text_of("--check %s", claim_options(&g->e->check[i], g->e->check[i].variant)));
    }
    checks = all.n;
    add_claims(g, s, b, &all, step_of);
    if (!all.n || !run_steps(g, s, b, &all, r))
        return;
    if (checks)
        judge_checks(g, s, &all, checks, r);
    judge_claims(g, s, &all, step_of, r);
}

void submission_unmeasured(const struct grading *g, const char *why, struct result *r)
{
    for (int i = 0; i < g->e->head.n_claims; i++)
        if (!g->e->claim[i].on_cpu)
            set_line(g, r, i, g->e->claim[i].condition, text_of("no: %s", why));
}

void submission_answer(const struct grading *g, const struct submission *s, struct result *r)
{
    const struct exercise *e = g->e;
    struct line *line = &r->answer;
    char answer;

    if (!e->answer || !r->correct.judged)
        return;
    answer = answer_in(read_text(copy_path(s, &g->cpu, "submission.cu")));
    line->judged = 1;
    line->earned = answer == e->answer ? e->head.points_answer : 0;
    snprintf(line->says, SAYS, "answer%s",
             line->earned ? ""
             : answer == '?'
                 ? text_of(": no: expected one line '// Answer:' with %s", choices_of(e))
             : answer ? text_of(": no: not %c", answer)
                      : ": no: the file has no line '// Answer:'");
    if (!line->earned && !r->reason[0])
        snprintf(r->reason, REASON, "%s", line->says);
}
