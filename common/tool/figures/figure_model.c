// `ladder figure model`: the modeled time of each recorded call against the recorded one.
#include "figures.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"
#include "validation.h"

enum { MOST_WEEKS = 6, FILLED = 7, HOLLOW = 6 };

struct drawn {
    struct validation *of;   // a GPU each
    int gpus;
    const char *week[MOST_WEEKS];
    int weeks;
    struct span_of_axis x;
};

static const enum color colors[MOST_WEEKS] = { BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY };

// The number of a row's week, from 0; a new one if there is room.
static int week_of(struct drawn *d, const struct validated *row)
{
    for (int i = 0; i < d->weeks; i++)
        if (same(d->week[i], row->week))
            return i;
    if (d->weeks == MOST_WEEKS)
        fail("figure model: more than %d weeks", MOST_WEEKS);
    d->week[d->weeks] = row->week;
    return d->weeks++;
}

// Prints the points, in seconds. Sets the longest one of each week.
static void print_points(struct sheet *s, struct drawn *d, struct label *longest)
{
    block_begin(s, "points", "recorded time, model, pointtype, color, what; seconds");
    for (int g = 0; g < d->gpus; g++)
        for (int i = 0; i < d->of[g].n; i++) {
            const struct validated *r = &d->of[g].row[i];
            double x = 1e-6 * validated_number(r->recorded_us),
                   y = 1e-6 * validated_number(r->model_us);
            int week = is_long(r) && y > 0 ? week_of(d, r) : -1;

            if (week < 0)
                continue;
            widen(&d->x, x), widen(&d->x, y);
            if (x > longest[week].x)
                longest[week] = (struct label){ x, y, rgb(colors[week]), NULL };
            fprintf(s->data, "%.6g %.6g %d %d %s\n", x, y, g ? HOLLOW : FILLED, rgb(colors[week]),
                    field(text_of("%s %s %s %s", d->of[g].gpu, r->week, r->stage, r->size)));
        }
}

// The errors of the stages of all GPUs, of a week or of all weeks: the median, and the share
// within 25 %.
static void errors_of(const struct drawn *d, const char *week, double *median, double *within)
{
    double *all = NULL;
    int n = 0, near = 0;

    for (int g = 0; g < d->gpus; g++) {
        struct stage_errors e = stage_errors(&d->of[g], week, BOTH_HALVES);

        for (int i = 0; i < e.n; i++) {
            all = grown(all, n, sizeof *all);
            all[n++] = e.of[i].error;
        }
        near += e.within;
    }
    *median = median_of(all, n);
    *within = n ? (double)near / n : NAN;
}

static const char *provenance_of(const struct drawn *d)
{
    const char *text = "", *modeled = "";

    for (int g = 0; g < d->gpus; g++) {
        const char *device = "", *recorded = "";

        for (int i = 0; i < d->of[g].n_notes; i++) {
            const struct note *n = &d->of[g].note[i];

            device = same(n->word, "device") ? n->text : device;
            recorded = same(n->word, "recorded") ? n->text : recorded;
            modeled = same(n->word, "date") ? n->text : modeled;
        }
        text = joined(text, " | ", text_of("%s | %s", device, recorded));
    }
    return text_of("%s | modeled %s", text, modeled);
}

static const char *shapes_of(const struct drawn *d)
{
    const char *text = "";

    for (int g = 0; g < d->gpus; g++) {
        char *name = text_of("%s", d->of[g].gpu);

        for (char *c = name; *c; c++)
            *c = toupper((unsigned char)*c);
        text = joined(text, ", ", text_of("%s: %s", g ? "hollow" : "filled", name));
    }
    return text;
}

enum status command_model_figure(struct arguments a)
{
    const char *format = take_format(&a);
    struct drawn d = { .x = { INFINITY, 0, 1 } };
    struct label label[MOST_WEEKS] = { { 0 } };
    struct sheet *s = sheet_new("model");
    double median, within;

    no_options(&a);
    if (a.n)
        fail("figure model: '%s': expected no table; it shows those in plots/data/model",
             a.word[0]);
    d.of = validations_read(NULL, 0, &d.gpus);
    if (!d.gpus)
        die(STATUS_SKIPPED, "figure model: no table in plots/data/model; make validate writes it");
    print_points(s, &d, label);
    if (!d.weeks)
        die(STATUS_SKIPPED, "figure model: no row has a modeled time");
    for (int i = 0; i < d.weeks; i++) {
        errors_of(&d, d.week[i], &median, &within);
        label[i].text = text_of("week %d: %s", atoi(d.week[i]), percent_text(median));
    }
    sheet_number(s, "xmin", d.x.low / 1.6), sheet_number(s, "xmax", d.x.high * 1.6);
    sheet_labels(s, label, d.weeks, (struct span_of_axis){ d.x.low / 1.6, d.x.high * 1.6, 1 });
    errors_of(&d, NULL, &median, &within);
    s->title = text_of("The model: half of the stages are within %s, %s within 25 %%",
                       percent_text(median), percent_text(within));
    s->subtitle = text_of("time of a call of at least %d µs, cold; dashed: 25 %% apart; %s",
                          SHORT_US, shapes_of(&d));
    s->provenance = provenance_of(&d);
    sheet_print(s, format, "the recorded runs plots/data/model");
    return STATUS_OK;
}
