// Claims of stages, of references and of a week's `claims` file, judged with the rows of tables;
// and the runs that measure those rows.
//
// A `claims` file has one claim per line, after the stage or reference that it belongs to:
//
//   stage5 (cpu, 256x256x64): shared_requests == ld_requests
#include "runs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "noise.h"

struct owned_claim {
    const char *owner;   // stage5, ref_cublas
    struct claim claim;
};

struct all {
    struct owned_claim *claim;
    int n;
};

static void append_claim(struct all *all, const char *where, const char *owner, const char *text)
{
    const char *error;

    all->claim = grown(all->claim, all->n, sizeof *all->claim);
    all->claim[all->n].owner = owner;
    error = claim_parse(text, &all->claim[all->n].claim);
    if (error)
        fail("%s: %s: %s", where, text, error);
    all->n++;
}

static void add_file(struct all *all, const char *path, const char *only)
{
    struct lines lines =
        lines_of(path, path, "a stage or reference, then (DEVICE, SIZE): CONDITION");
    char *line;

    while ((line = next_line(&lines))) {
        const char *owner;

        owner = text_of("%.*s", (int)strcspn(line, " \t\r"), line);
        if (stage_number(owner) < 0 && !name_is_reference(owner))
            fail("%s: '%s': expected %s", lines.where, text_head(owner, 60), lines.accepted);
        line += strlen(owner);
        if (!only[0] || has_word(only, owner))
            append_claim(all, lines.where, owner, line + strspn(line, " \t"));
    }
}

// The claims of these files: heads of .cu files, and `claims` files, of which `only` lists the
// requested stages; "": all.
static struct all claims_of(const struct arguments *a, int first, const char *only)
{
    struct all all = { 0 };

    for (int i = first; i < a->n; i++) {
        size_t n = strlen(a->word[i]);

        if (n > 3 && strcmp(a->word[i] + n - 3, ".cu") == 0) {
            struct head h = head_of(a->word[i]);

            for (int c = 0; c < h.n_claims; c++)
                append_claim(&all, text_of("%s: // Expect", h.file), h.key, h.claim[c]);
        } else
            add_file(&all, a->word[i], only);
    }
    return all;
}

// --- judging

struct table_rows {
    const struct table *table;
    const struct owned_claim *owned;
    const struct row *own;   // the latest row of the claim's own stage
    const char *type;
};

static const struct row *row_of_claim(void *context, const struct term *t)
{
    const struct table_rows *j = context;
    const struct claim *c = &j->owned->claim;
    struct place place = { c->size, c->mode, j->type, t->knobs, t->variant };

    // A reference's own claims compare medians over its runs.
    return row_of_term(j->table, j->own && !row_is_reference(j->own) ? j->own : NULL,
                       t->stage[0] ? t->stage : j->owned->owner, &place);
}

// A claim's result with the rows of a table. *skip: why it is not judged, or NULL.
static struct claim_result result_of(const struct table *t, const struct owned_claim *m,
                                     const char **skip)
{
    const struct claim *c = &m->claim;
    const char *type = c->type[0] ? c->type : table_type(t);
    struct place place = { c->size, c->mode, type, "", c->variant };
    struct table_rows j = { t, m, latest_row(t, m->owner, &place), type };
    const struct row *any = NULL;   // that says which GPU was measured

    for (size_t r = t->n; r-- > 0 && !any;)
        if (t->row[r].capability[0] && !t->row[r].chart[0])
            any = &t->row[r];
    *skip =
        any ? claim_skip(c, any->device, (int)(10 * strtod(any->capability, NULL) + 0.5)) : NULL;
    return claim_judge_rows(c, row_of_claim, &j);
}

// Judges and prints a claim.
static enum claim_verdict judge_claim(const struct table *t, const struct owned_claim *m)
{
    const char *skip;
    struct claim_result r = result_of(t, m, &skip);

    claim_print(&m->claim, m->owner, text_of("%s: ", m->owner), skip, &r);
    return skip ? CLAIM_SKIPPED : r.verdict;
}

struct claims_held claims_held(const struct table *t, const char *file, int on_cpu)
{
    struct all all = claims_of(&(struct arguments){ 1, (char **)&file }, 0, "");
    struct claims_held held = { 0 };

    for (int i = 0; i < all.n; i++) {
        const char *skip;
        struct claim_result r = result_of(t, &all.claim[i], &skip);

        if (all.claim[i].claim.on_cpu != on_cpu || skip)
            continue;
        held.hold += r.verdict <= CLAIM_WITHIN_NOISE;
        held.missing += r.verdict == CLAIM_NOT_MEASURED;
        held.claims++;
    }
    return held;
}

// --- runs

struct needing {
    const struct owned_claim *owned;
    struct runs runs;
};

// One run serves all claims about a build, size, mode and variant. `--quick`: a call is checked
// once, after it was timed. References are always timed beside the stage: calls that follow a call
// of the same kernel may take longer (up to 12 % in week 4 at 32768x32768 on an H200).
static void need(struct needing *n, const char *stage, const char *knobs, const char *variant)
{
    const char *options = text_of("--bench --quick %s", claim_options(&n->owned->claim, variant));

    for (int i = 0; i < n->runs.n; i++)
        if (strcmp(n->runs.run[i].program, stage) == 0 &&
            strcmp(n->runs.run[i].knobs, knobs) == 0 &&
            strcmp(n->runs.run[i].options, options) == 0)
            return;
    runs_add(&n->runs, (struct run){ NULL, stage, knobs, options });
}

static void need_term(void *context, const struct term *t)
{
    struct needing *n = context;

    if (stage_number(t->stage) >= 0)
        need(n, text_of("%s", t->stage), text_of("%s", t->knobs), t->variant);
}

// The runs that the claims need. The other stages that a claim names come before its own stage.
static struct runs needs_of(const struct all *all, int on_cpu)
{
    struct needing n = { 0 };

    for (int i = 0; i < all->n; i++)
        if (all->claim[i].claim.on_cpu == on_cpu) {
            n.owned = &all->claim[i];
            claim_terms(&n.owned->claim, need_term, &n);
            if (stage_number(n.owned->owner) >= 0)
                need(&n, n.owned->owner, "", n.owned->claim.variant);
        }
    return n.runs;
}

// "claims: holds 110, skipped 10"
static void print_sum(const int n[CLAIM_VERDICTS])
{
    const char *parts = "";

    for (int v = 0; v < CLAIM_VERDICTS; v++)
        if (n[v])
            parts = joined(parts, ", ", text_of("%s %d", claim_word[v], n[v]));
    printf("claims: %s\n", parts[0] ? parts : "none");
}

// ladder claims MACHINE TABLE... -- SOURCE...: judges claims; STATUS_WRONG if one does not hold.
//
// ladder claims MACHINE --measure TABLE... -- SOURCE...: first makes the runs that the claims need,
// which write the first table. take_machine() reads MACHINE.
enum status command_claims(struct arguments a)
{
    const struct machine b = take_machine(&a);
    int measure = take_flag(&a, "--measure") || b.plan, tables = 0, failures = 0;
    int n[CLAIM_VERDICTS] = { 0 };
    struct table t = { 0 };
    struct all all;

    no_options(&a);
    while (tables < a.n && strcmp(a.word[tables], "--") != 0)
        tables++;
    if (tables == 0 || tables + 1 >= a.n)
        fail("claims: expected TABLE... -- SOURCE...");
    all = claims_of(&a, tables + 1, b.only);
    if (measure) {
        struct runs runs = needs_of(&all, b.on_cpu);

        failures += make_runs(&b, &runs, a.word[0], 0) != STATUS_OK;
    }
    if (b.plan)
        return STATUS_OK;
    if (!measure || access(a.word[0], R_OK) == 0)
        t = read_tables(&(struct arguments){ tables, a.word });
    for (int i = 0; i < all.n; i++)
        if (all.claim[i].claim.on_cpu == b.on_cpu)
            n[judge_claim(&t, &all.claim[i])]++;
    print_sum(n);
    return failures || n[CLAIM_DOES_NOT_HOLD] ? STATUS_WRONG : STATUS_OK;
}
