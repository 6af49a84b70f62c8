// `ladder hardware WEEK...`: a table in Markdown of the stages that each kind of hardware can run,
// from the lines "// Needs:" of the stages, and how many claims in their heads are about it.
#define _GNU_SOURCE   // strverscmp
#include <stdlib.h>
#include <string.h>

#include "claim.h"
#include "head.h"
#include "select.h"
#include "tool.h"
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
    return sm ? needs_met(h->needs, sm) : !h->needs[0];
}

static int by_version(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

static struct arguments stages_of(const char *week)
{
    struct arguments files = files_like(text_of("%s/%s", root_folder(), week), "stage[0-9]*_*.cu");

    if (!files.n)
        fail("hardware: %s: no stage there", week);
    qsort(files.word, files.n, sizeof *files.word, by_version);
    return files;
}

// The heads of all stages of a week.
static struct head *heads_of(const char *week, int *n)
{
    struct arguments files = stages_of(week);
    struct head *heads = must_calloc(files.n, sizeof *heads);

    for (int i = 0; i < files.n; i++)
        heads[i] = head_of(files.word[i]);
    *n = files.n;
    return heads;
}

// Whether the stages that run on these two differ in a week.
static int differ(const struct arguments *weeks, int sm, int other)
{
    for (int w = 0; w < weeks->n; w++) {
        int n;
        struct head *heads = heads_of(weeks->word[w], &n);

        for (int i = 0; i < n; i++)
            if (runs(&heads[i], sm) != runs(&heads[i], other))
                return 1;
    }
    return 0;
}

// "all", or "all but 9", "all but 24 to 28".
static const char *stages_that_run(const struct head *heads, int n, int sm)
{
    const char *text = "";

    for (int i = 0, last; i < n; i = last + 1) {
        last = i;
        if (runs(&heads[i], sm))
            continue;
        while (last + 1 < n && !runs(&heads[last + 1], sm))
            last++;
        text = text_of("%s%s%d", text, text[0] ? ", " : "all but ", stage_number(heads[i].key));
        if (last > i)
            text = text_of("%s%s%d", text, last > i + 1 ? " to " : ", ",
                           stage_number(heads[last].key));
    }
    return text[0] ? text : "all";
}

// How many claims in these heads this hardware judges, among stages that it runs.
static int claims_about(const struct head *heads, int n, const struct hardware *hw)
{
    int claims = 0;

    for (int i = 0; i < n; i++)
        for (int k = 0; runs(&heads[i], hw->sm) && k < heads[i].n_claims; k++) {
            struct claim claim;
            char error[CLAIM_ERROR];

            if (claim_parse(heads[i].claim[k], &claim, error) != 0)
                fail("%s: %s: %s", heads[i].file, heads[i].claim[k], error);
            claims += hw->sm ? !claim.on_cpu && (!claim.sm || claim.sm == hw->sm) : claim.on_cpu;
        }
    return claims;
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
            names = text_of("%s%s%s%s%s", names, names[0] ? ", " : "", g->name,
                            g->products[0] ? ": " : "", g->products);
        }
    return text_of("%s (sm_%d%s)", names, hw->sm,
                   hw->end == ALL_LATER ? " and later"
                   : last > hw->sm      ? text_of(" to sm_%d", last)
                                        : "");
}

static void print_row(const struct arguments *weeks, const struct hardware *hw)
{
    int claims = 0;

    printf("| %s |", name_of(hw));
    for (int w = 0; w < weeks->n; w++) {
        int n;
        struct head *heads = heads_of(weeks->word[w], &n);

        printf(" %s |", stages_that_run(heads, n, hw->sm));
        claims += claims_about(heads, n, hw);
    }
    printf(" %s | %d |\n", hw->sm ? "times" : "counts", claims);
}

enum status command_hardware(struct arguments weeks)
{
    struct hardware hw[MOST_GENERATIONS] = { { 0, 0 } };
    int n = 1;

    no_options(&weeks);
    if (!weeks.n)
        fail("hardware: expected WEEK..., for example ladder hardware 01_transpose");
    printf("| hardware |");
    for (int w = 0; w < weeks.n; w++) {
        must_be_name("week", weeks.word[w]);
        printf(" week %d |", atoi(weeks.word[w]));
    }
    printf(" measures | claims about it |\n|---|");
    for (int w = 0; w < weeks.n; w++)
        printf("---|");
    printf("---|--:|\n");
    // A generation that runs what the one before runs is in the same row.
    for (const struct generation *g = generations; g->sm; g++) {
        if (n == 1 || differ(&weeks, g[-1].sm, g->sm))
            hw[n - 1].end = g->sm, hw[n++] = (struct hardware){ g->sm, ALL_LATER };
    }
    for (int i = 0; i < n; i++)
        print_row(&weeks, &hw[i]);
    return STATUS_OK;
}
