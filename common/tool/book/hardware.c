// `ladder hardware WEEK...`: a table in Markdown of the stages that each kind of hardware can run,
// from the lines "// Needs:" of the stages, and how many claims in their heads are about it.
#include "book.h"

#include <stdlib.h>
#include <string.h>

#include "claim.h"
#include "needs.h"

enum { MOST_GENERATIONS = 16, ALL_LATER = 100000 };

// Compute capabilities, each the first of its name. The course supports those from the first on.
static const struct generation {
    int sm;
    const char *name, *products;
} generations[] = {
    { 75, "Turing", "" },           { 80, "Ampere", "" },     { 89, "Ada", "" },
    { 90, "Hopper", "H100, H200" }, { 100, "Blackwell", "" }, { 0 },
};

// Hardware that runs the same stages: the CPU device, or the GPUs from `sm` to before `end`.
struct hardware {
    int sm, end;   // sm is 0 for the CPU device
};

static int runs(const struct head *h, int sm)
{
    return needs_met(h->needs, sm ? sm : CPU_DEVICE_SM);
}

struct week_stages {
    const char *name;
    struct head *head;   // of all stages
    int n;
};

static struct week_stages week_of(const char *name)
{
    struct arguments files;
    struct week_stages w = { .name = name };

    must_be_name("week", name);
    files = files_like(folder_of(name), "stage[0-9]*_*.cu");
    if (!files.n)
        fail("hardware: %s: no stage there", name);
    w.head = must_calloc(files.n, sizeof *w.head);
    for (w.n = 0; w.n < files.n; w.n++)
        w.head[w.n] = head_of(files.word[w.n]);
    return w;
}

// Whether the stages that run on these two differ in a week.
static int differ(const struct week_stages *weeks, int n, int sm, int other)
{
    for (int w = 0; w < n; w++)
        for (int i = 0; i < weeks[w].n; i++)
            if (runs(&weeks[w].head[i], sm) != runs(&weeks[w].head[i], other))
                return 1;
    return 0;
}

// "all", or "all but 9", "all but 24 to 28".
static const char *stages_that_run(const struct week_stages *w, int sm)
{
    const char *text = "";

    for (int i = 0, last; i < w->n; i = last + 1) {
        last = i;
        if (runs(&w->head[i], sm))
            continue;
        while (last + 1 < w->n && !runs(&w->head[last + 1], sm))
            last++;
        text = text_of("%s%s%d", text, text[0] ? ", " : "all but ", stage_number(w->head[i].key));
        if (last > i)
            text = text_of("%s%s%d", text, last > i + 1 ? " to " : ", ",
                           stage_number(w->head[last].key));
    }
    return text[0] ? text : "all";
}

// Whether a claim is about all GPUs of this hardware or, with a product's name, about that GPU.
static int is_about(const struct claim *c, const struct hardware *hw, const char *product)
{
    if (product)
        return has_word(c->gpus, product);
    return hw->sm ? !c->on_cpu && !c->gpus[0] && (!c->sm || c->sm == hw->sm) : c->on_cpu;
}

// How many claims of a week are so, of stages that this hardware runs.
static int claims_about(const struct week_stages *w, const struct hardware *hw, const char *product)
{
    int claims = 0;

    for (int i = 0; i < w->n; i++)
        for (int k = 0; runs(&w->head[i], hw->sm) && k < w->head[i].n_claims; k++) {
            struct claim claim;
            const char *error = claim_parse(w->head[i].claim[k], &claim);

            if (error)
                fail("%s: %s: %s", w->head[i].file, w->head[i].claim[k], error);
            claims += is_about(&claim, hw, product);
        }
    return claims;
}

static int claims_of_weeks(const struct week_stages *weeks, int n, const struct hardware *hw,
                           const char *product)
{
    int claims = 0;

    for (int w = 0; w < n; w++)
        claims += claims_about(&weeks[w], hw, product);
    return claims;
}

// "116", or "116, and 7 about the H200".
static const char *claims_text(const struct week_stages *weeks, int n, const struct hardware *hw)
{
    const char *text = text_of("%d", claims_of_weeks(weeks, n, hw, NULL)), *products = "", *name;

    for (const struct generation *g = generations; g->sm; g++)
        products = g->sm == hw->sm ? g->products : products;
    while ((name = next_word(&products))) {
        const char *gpu = text_of("%.*s", (int)strcspn(name, ","), name);
        int claims = claims_of_weeks(weeks, n, hw, gpu);

        text = claims ? text_of("%s, and %d about the %s", text, claims, gpu) : text;
    }
    return text;
}

static const char *name_of(const struct hardware *hw)
{
    const char *names = "";
    int last = hw->sm;

    if (!hw->sm)
        return "no GPU: the CPU device";
    for (const struct generation *g = generations; g->sm; g++)
        if (g->sm >= hw->sm && g->sm < hw->end) {
            last = g->sm;
            names = joined(names, ", ", joined(g->name, ": ", g->products));
        }
    return text_of("%s (sm_%d%s)", names, hw->sm,
                   hw->end == ALL_LATER ? " and later"
                   : last > hw->sm      ? text_of(" to sm_%d", last)
                                        : "");
}

static void add_row(struct listing *c, const struct week_stages *weeks, int n,
                    const struct hardware *hw)
{
    const char *stages = "";

    for (int w = 0; w < n; w++)
        stages = text_of("%s%s\t", stages, stages_that_run(&weeks[w], hw->sm));
    listing_add(c, "%s\t%s%s\t%s", name_of(hw), stages, hw->sm ? "times" : "counts",
                claims_text(weeks, n, hw));
}

enum status command_hardware(struct arguments a)
{
    struct hardware hw[MOST_GENERATIONS] = { { 0, 0 } };
    struct week_stages *weeks = must_calloc(a.n + 1, sizeof *weeks);
    struct listing c = { 0 };
    const char *heads = "", *align = "--r";
    int n = 1;

    no_options(&a);
    if (!a.n)
        fail("hardware: expected WEEK..., for example ladder hardware 01_transpose");
    for (int w = 0; w < a.n; w++) {
        weeks[w] = week_of(a.word[w]);
        heads = text_of("%sweek %d\t", heads, atoi(weeks[w].name));
        align = text_of("-%s", align);
    }
    listing_add(&c, "hardware\t%smeasures\tclaims about it", heads);
    // A generation that runs what the one before runs is in the same row.
    for (const struct generation *g = generations; g->sm; g++)
        if (n == 1 || differ(weeks, a.n, g[-1].sm, g->sm))
            hw[n - 1].end = g->sm, hw[n++] = (struct hardware){ g->sm, ALL_LATER };
    for (int i = 0; i < n; i++)
        add_row(&c, weeks, a.n, &hw[i]);
    listing_markdown(&c, align, stdout);
    return STATUS_OK;
}
