// ladder validation unseen and unseen-outliers: the errors of the model of time on kernels of other
// authors.
#include <math.h>
#include <string.h>

#include "book.h"
#include "folders.h"
#include "stats.h"
#include "unseen.h"
#include "validation.h"

struct compared {
    const struct unseen *modeled;
    double model_us, us;   // NaN: not known
};

struct comparison {
    struct compared *of;
    int n;
    double empty_us;   // by how much ncu's time of an empty kernel is longer than the model's
};

static struct comparison compare(const char *gpu)
{
    struct unseen_rows modeled = unseen_modeled(gpu), measured = unseen_measured(gpu);
    struct comparison c = { .of = must_calloc(modeled.n + 1, sizeof *c.of), .empty_us = NAN };

    if (!modeled.n)
        fail("plots/data/model/unseen.%s.txt: no such table; make unseen FOR=%s writes it", gpu,
             gpu);
    for (int i = 0; i < modeled.n; i++) {
        const struct unseen *m = &modeled.of[i], *same_launch = unseen_same(&measured, m);
        struct compared k = { m, validated_number(m->us),
                              same_launch ? validated_number(same_launch->us) : NAN };

        if (same(m->name, "empty"))
            c.empty_us = k.us - k.model_us;
        else
            c.of[c.n++] = k;
    }
    return c;
}

// The larger of the two times divided by the smaller one, minus one.
static double error_of(const struct compared *k, double less_us)
{
    double e = fabs(log(k->model_us / (k->us - less_us)));

    return isnan(e) ? NO_TIME : exp(e) - 1;
}

static int is_near(const struct compared *k)
{
    return fabs(k->model_us - k->us) <= fmax(1, 0.2 * k->us);
}

// --- the table of errors

enum which { ALL, LONG, SHORT };

static const char *middle(double *error, int n)
{
    double m = median_of(error, n);

    return m < MOST_ERROR ? text_of("%.0f %%", 100 * m) : "no time";
}

static void add_group(struct listing *l, const char *name, const struct comparison *c,
                      const char *repository, enum which which)
{
    double *error = must_calloc(c->n + 1, sizeof *error),
           *less = must_calloc(c->n + 1, sizeof *less);
    int n = 0, within = 0, near = 0, within_less = 0;

    for (int i = 0; i < c->n; i++) {
        const struct compared *k = &c->of[i];

        if ((repository && !same(k->modeled->repository, repository)) ||
            (which != ALL && (k->us >= SHORT_US) != (which == LONG)))
            continue;
        error[n] = error_of(k, 0);
        less[n] = error_of(k, c->empty_us);
        within += error[n] <= 0.25;
        within_less += less[n++] <= 0.25;
        near += is_near(k);
    }
    if (n)
        listing_add(l, "%s\t%d\t%s\t%d\t%d\t%s\t%s", name, n, middle(error, n), within, near,
                    isnan(c->empty_us) ? "-" : middle(less, n),
                    isnan(c->empty_us) ? "-" : text_of("%d", within_less));
}

static void add_errors(struct listing *l, const struct comparison *c)
{
    const char *done = "";

    for (int i = 0; i < c->n; i++) {
        const char *repository = c->of[i].modeled->repository;

        if (has_word(done, repository))
            continue;
        done = with_word(done, repository);
        add_group(l, repository, c, repository, ALL);
    }
    add_group(l, "all", c, NULL, ALL);
    add_group(l, text_of("all, at least %d us", SHORT_US), c, NULL, LONG);
    add_group(l, "all, shorter", c, NULL, SHORT);
}

static void add_outliers(struct listing *l, const struct comparison *c)
{
    for (int i = 0; i < c->n; i++) {
        const struct compared *k = &c->of[i];
        const struct unseen *m = k->modeled;

        if (error_of(k, 0) > 0.25)
            listing_add(l, "%s\t%s\t%s\t%s\t%s\t%s\t%s", m->repository, m->kernel,
                        isnan(k->us) ? "-" : text_of("%.1f", k->us),
                        isnan(k->model_us) ? "-" : text_of("%.1f", k->model_us),
                        isnan(k->model_us / k->us) ? "-" : text_of("%.2f", k->model_us / k->us),
                        m->limiter, m->lacks);
    }
}

enum status print_unseen(const char *gpu, int outliers)
{
    struct comparison c = compare(gpu ? gpu : "h200");
    struct listing l = { 0 };

    if (outliers) {
        listing_add(&l, "repository\tkernel\tmeasured, us\tmodel, us\tratio\tlimiter\tlacks");
        add_outliers(&l, &c);
        listing_markdown(&l, "-lrrrl", stdout);
    } else {
        listing_add(&l, "repository\tkernels\tmedian error\twithin 25 %%\twithin 1 us or 20 %%\t"
                        "less an empty kernel: median error\twithin 25 %%");
        add_errors(&l, &c);
        listing_markdown(&l, "-r", stdout);
    }
    return STATUS_OK;
}
