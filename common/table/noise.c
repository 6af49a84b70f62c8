#include "noise.h"

#include <math.h>
#include <string.h>

struct judging {
    term_row *row;
    void *context;
    const struct row *first;          // of the claim's rows; NULL: none yet
    int rates, short_rates, graphs;   // how many terms are rates; of these: short calls, in graphs
};

static double number(const struct row *row, enum column column)
{
    return row ? row_number(row, column) : NAN;
}

// Learns which rows a claim compares.
static struct span look(void *context, const struct term *t)
{
    struct judging *j = context;
    const struct row *row = j->row(j->context, t);

    if (!j->first)
        j->first = row;
    if (t->column == COLUMN_rate) {
        j->rates++;
        j->short_rates += number(row, COLUMN_median_us) < SHORT_CALL_US;
        j->graphs += number(row, COLUMN_graph_us) > 0;
    }
    return (struct span){ 1, 1, 1 };
}

static int is_in_graphs(const struct judging *j)
{
    return j->short_rates > 0 && j->graphs == j->rates;
}

// From low to high as shares of the middle; a share that is not known is 1.
static struct span spread_of(double middle, double low, double high)
{
    return (struct span){ middle * fmin(low, 1), middle, middle * fmax(high, 1) };
}

// How often a row's clock fits into that of the first row; 1 if they are of one run.
static double clock_share(const struct judging *j, const struct row *row)
{
    double mhz = number(row, COLUMN_sm_mhz), first = number(j->first, COLUMN_sm_mhz);

    return strcmp(row->command, j->first->command) != 0 && mhz > 0 && first > 0 ? first / mhz : 1;
}

static struct span time_span(const struct judging *j, const struct row *row, int graph)
{
    double us = number(row, graph ? COLUMN_graph_us : COLUMN_median_us),
           low = number(row, graph ? COLUMN_graph_p10_us : COLUMN_p10_us) / us,
           high = number(row, graph ? COLUMN_graph_p90_us : COLUMN_p90_us) / us,
           clock = 1 / clock_share(j, row);

    // fmin and fmax ignore NaN, which is an unknown percentile
    return spread_of(us, fmin(low, clock), fmax(high, clock));
}

static struct span rate_span(const struct judging *j, const struct row *row)
{
    int graph = is_in_graphs(j);
    struct span us = time_span(j, row, graph);
    double rate = number(row, COLUMN_rate), work = rate * number(row, COLUMN_median_us);

    return isnan(work)
             ? (struct span){ rate, rate, rate }
             : (struct span){ work / us.high, graph ? work / us.middle : rate, work / us.low };
}

static struct span span_of_term(void *context, const struct term *t)
{
    const struct judging *j = context;
    const struct row *row = j->row(j->context, t);
    double exact = row ? term_number(row, t) : NAN;

    if (isnan(exact))
        return (struct span){ NAN, NAN, NAN };
    switch (t->column) {
    case COLUMN_rate: return rate_span(j, row);
    case COLUMN_median_us: return time_span(j, row, 0);
    case COLUMN_graph_us: return time_span(j, row, 1);
    default: return (struct span){ exact, exact, exact };
    }
}

struct claim_result claim_judge_rows(const struct claim *c, term_row *row, void *context)
{
    struct judging j = { .row = row, .context = context };

    claim_judge_spans(c, look, &j);
    return claim_judge_spans(c, span_of_term, &j);
}
