#include "stats.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double percentile(const double *sorted, size_t n, double q)
{
    double place = q * (n - 1);
    size_t below = (size_t)place;

    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
}

struct stats stats_of(double *sample, size_t n)
{
    qsort(sample, n, sizeof *sample, ascending);
    return (struct stats){
        .median = percentile(sample, n, 0.5),
        .p10 = percentile(sample, n, 0.1),
        .p90 = percentile(sample, n, 0.9),
        .min = sample[0],
        .iqr = percentile(sample, n, 0.75) - percentile(sample, n, 0.25),
    };
}

double median_of(double *value, size_t n) { return n ? stats_of(value, n).median : NAN; }
