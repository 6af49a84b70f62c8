// ladder validation KIND [--gpu NAME] [--half HALF] [--estimated]: the errors of the model of time,
// as tables in Markdown, from the tables of `make validate`.
#include "book.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "limiters.h"
#include "validation.h"

static const char *in_capitals(const char *text)
{
    char *copy = text_of("%s", text);

    for (char *c = copy; *c; c++)
        *c = toupper((unsigned char)*c);
    return copy;
}

static const char *percent(double share)
{
    return share < MOST_ERROR ? text_of("%.0f %%", 100 * share) : "no time";
}

static const char *part(int some, int all) { return all ? percent((double)some / all) : "-"; }

// The names of the weeks in a table, as a list of words.
static const char *weeks_of(const struct validation *v)
{
    const char *weeks = "";

    for (int i = 0; i < v->n; i++)
        if (!has_word(weeks, v->row[i].week))
            weeks = with_word(weeks, v->row[i].week);
    return weeks;
}

// --- a row of each kind of table; `what` are its first two cells

static void add_errors(struct listing *c, const char *what, const struct validation *v,
                       const char *week, int halves)
{
    struct stage_errors e = stage_errors(v, week, halves);

    if (e.n)
        listing_add(c, "%s\t%d\t%s\t%s\t%d\t%s\t%s", what, e.n, percent(e.median),
                    part(e.within, e.n), e.rows, part(e.rows_within, e.rows),
                    part(e.bounds_within, e.rows));
}

static void add_short(struct listing *c, const char *what, const struct validation *v,
                      const char *week, int halves)
{
    struct short_calls s = short_calls(v, week, halves);

    if (s.n)
        listing_add(c, "%s\t%d\t%d\t%s", what, s.n, s.within,
                    s.median_us < MOST_ERROR ? text_of("%.2f", s.median_us) : "no time");
}

static void add_steps(struct listing *c, const char *what, const struct validation *v,
                      const char *week, int halves)
{
    struct steps s = steps_of(v, week, halves);

    if (s.n)
        listing_add(c, "%s\t%d\t%s\t%s", what, s.n, part(s.right, s.n), part(s.within, s.n));
}

static void add_instructions(struct listing *c, const char *what, const struct validation *v,
                             const char *week, int halves)
{
    int n = 0, equal = 0, near = 0;
    double most = 0;

    for (int i = 0; i < v->n; i++) {
        const struct validated *r = &v->row[i];
        double counted = validated_number(r->recorded_instructions),
               off = fabs(validated_number(r->instructions) / counted - 1);

        if (isnan(counted) || isnan(off) || (week && !same(r->week, week)) ||
            !(half_of(r->half) & halves))
            continue;
        n++;
        equal += off * counted < 0.5;
        near += off < 0.01;
        most = fmax(most, off);
    }
    if (n)
        listing_add(c, "%s\t%d\t%d\t%d\t%.2g %%", what, n, equal, near, 100 * most);
}

static void add_outliers(struct listing *c, const char *what, const struct validation *v,
                         const char *week, int halves)
{
    struct stage_errors e = stage_errors(v, week, halves);

    for (int i = 0; i < e.n && week; i++) {
        const struct validated *r = e.of[i].row;

        if (!(e.of[i].error <= 0.25))
            listing_add(c, "%s\t%s %s\t%d\t%s\t%s\t%s", what, r->stage, r->name, e.of[i].rows,
                        isnan(e.of[i].ratio) ? "no time" : text_of("%.2f", e.of[i].ratio),
                        r->limiter, r->lacks);
    }
}

// --- the limiter, beside ncu's

// The modeled row of what was profiled; NULL: none.
static const struct validated *modeled(const struct validation *v, const struct profiled *p)
{
    for (int i = 0; i < v->n; i++) {
        const struct validated *r = &v->row[i];

        if (same(r->week, p->week) && same(r->name, p->name) && same(r->size, p->size) &&
            same(r->type, p->type) && !r->variant[0])
            return r;
    }
    return NULL;
}

static int is_asked(const struct validated *r, const char *week, int halves)
{
    return r && (!week || same(r->week, week)) && (half_of(r->half) & halves);
}

static void add_limiter(struct listing *c, const char *what, const struct validation *v,
                        const char *week, int halves)
{
    struct profiles all = profiles_read(v->gpu);
    int n = 0, agree = 0, busy = 0, busy_agree = 0, units = 0, stalls = 0;

    for (int i = 0; i < all.n; i++) {
        const struct profiled *p = &all.of[i];
        const struct validated *r = modeled(v, p);
        int agrees;

        if (!is_asked(r, week, halves))
            continue;
        agrees = agrees_limiter(p, r->limiter, r->waits);
        n++;
        agree += agrees;
        busy += p->percent >= LIMITER_PERCENT;
        busy_agree += agrees && p->percent >= LIMITER_PERCENT;
        units += agrees_unit(p, r->busiest);
        stalls += agrees_stall(p, r->waits);
    }
    if (n)
        listing_add(c, "%s\t%d\t%s\t%d of %d\t%d of %d\t%s\t%s", what, n, part(agree, n),
                    busy_agree, busy, agree - busy_agree, n - busy, part(units, n),
                    part(stalls, n));
}

static void add_disagreements(struct listing *c, const char *what, const struct validation *v,
                              const char *week, int halves)
{
    struct profiles all = profiles_read(v->gpu);

    for (int i = 0; i < all.n && week; i++) {
        const struct profiled *p = &all.of[i];
        const struct validated *r = modeled(v, p);

        if (!is_asked(r, week, halves) || agrees_limiter(p, r->limiter, r->waits))
            continue;
        listing_add(c, "%s\t%s %s\t%s %.0f %%\t%s\t%s%s%s", what, r->stage, r->name, p->unit,
                    p->percent, p->reason, r->limiter, same(r->limiter, "latency") ? ": " : "",
                    same(r->limiter, "latency") ? r->waits : "");
    }
}

static const struct kind {
    const char *name, *heads, *align;
    void (*add)(struct listing *, const char *what, const struct validation *, const char *week,
                int halves);
} kinds[] = {
    { "errors",
      "stages\tmedian error\twithin 25 %\ttimes\twithin 25 %\tof lower bounds: within 25 %", "--r",
      add_errors },
    { "short", "calls\twithin 1 us or 20 %\tmedian difference, us", "--r", add_short },
    { "steps", "steps\tdirection is right\tfactor within 1.3", "--r", add_steps },
    { "instructions", "kernels\tequal\twithin 1 %\tlargest difference", "--r", add_instructions },
    { "limiter",
      "stages\tlimiter agrees\tof units at 60 %\tof stalls\tbusiest unit alone\tfirst stall alone",
      "--r", add_limiter },
    { "disagreements", "stage\tbusiest unit of ncu\tits first stall\tlimiter of the model", "--ll",
      add_disagreements },
    { "outliers", "stage\ttimes\tmodel / recorded\tlimiter\tlacks", "--lrrl", add_outliers },
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct kind *kind_of(const char *name)
{
    const char *names = "";

    for (int i = 0; i < KINDS; i++) {
        if (same(kinds[i].name, name))
            return &kinds[i];
        names = joined(names, ", ", kinds[i].name);
    }
    fail("validation: '%s': expected one of %s, changes, unseen, unseen-outliers", name, names);
}

// The rows of a GPU: each week, then all of them and, of both halves, each half.
static void add_gpu(struct listing *c, const struct kind *k, const struct validation *v, int halves)
{
    const char *gpu = in_capitals(v->gpu), *weeks = weeks_of(v), *week;

    while ((week = next_word(&weeks)))
        k->add(c, text_of("%s\t%s", gpu, week), v, week, halves);
    k->add(c, text_of("%s\tall", gpu), v, NULL, halves);
    for (int half = TUNED; half <= HELD_OUT && halves == BOTH_HALVES; half++)
        k->add(c, text_of("%s\tall, %s", gpu, half_word[half]), v, NULL, half);
}

// What was changed in the model after the first comparison: the lines of plots/data/model/changes.
static enum status print_changes(void)
{
    struct lines l = lines_of(text_of("%s/plots/data/model/changes", root_folder()),
                              "plots/data/model/changes", "cells with tabs between them");
    struct listing c = { 0 };
    const char *line;

    while ((line = next_line(&l)))
        listing_add(&c, "%s", line);
    if (!c.n)
        fail("plots/data/model/changes: no such file");
    listing_markdown(&c, "llr", stdout);
    return STATUS_OK;
}

enum status command_validation(struct arguments a)
{
    const char *gpu = take_option(&a, "--gpu"), *half = take_option(&a, "--half");
    int n, estimated = take_flag(&a, "--estimated"), halves = half ? half_of(half) : BOTH_HALVES;
    struct validation *all;
    struct listing c = { 0 };
    const struct kind *k;

    no_options(&a);
    if (a.n == 1 && same(a.word[0], "changes"))
        return print_changes();
    if (a.n == 1 && (same(a.word[0], "unseen") || same(a.word[0], "unseen-outliers")))
        return print_unseen(gpu, same(a.word[0], "unseen-outliers"));
    k = kind_of(a.n ? a.word[0] : "");
    if (a.n > 1)
        fail("validation: '%s': expected one table", a.word[1]);
    if (!halves)
        fail("--half '%s': expected tuned, 'held out' or both", half);
    if (gpu)
        must_be_name("--gpu", gpu);
    all = validations_read(gpu, estimated, &n);
    if (!n)
        fail(estimated ? "plots/data/estimated/%s.tsv: no such table; ladder validate --estimated "
                         "writes it"
                       : "plots/data/model/%s.tsv: no such table; make validate writes it",
             gpu ? gpu : "*");
    listing_add(&c, "GPU\tweek\t%s", k->heads);
    for (int i = 0; i < n; i++)
        add_gpu(&c, k, &all[i], halves);
    listing_markdown(&c, k->align, stdout);
    return STATUS_OK;
}
