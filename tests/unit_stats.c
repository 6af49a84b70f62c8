#include <math.h>

#include "stats.h"
#include "tap.h"

static int near(double a, double b) { return fabs(a - b) <= 1e-12; }

int main(void)
{
    double five[] = { 5, 1, 4, 2, 3 }, four[] = { 4, 1, 3, 2 }, one[] = { 7 },
           outlier[] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1000 };
    double sorted[] = { 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100 };
    struct stats s = stats_of(five, 5);

    ok(near(s.median, 3), "the median of 5 samples is the middle one");
    ok(near(s.min, 1), "the minimum of unsorted samples is found");
    ok(near(s.iqr, 2), "the interquartile range is the distance between the quartiles");
    ok(near(stats_of(four, 4).median, 2.5),
       "the median of 4 samples is the mean of the middle two");
    s = stats_of(one, 1);
    ok(near(s.median, 7) && near(s.p10, 7) && near(s.p90, 7) && near(s.iqr, 0),
       "all percentiles of one sample are that sample");
    s = stats_of(outlier, 10);
    ok(near(s.median, 1) && near(s.iqr, 0), "one outlier moves neither median nor quartiles");
    ok(near(percentile(sorted, 11, 0.1), 10) && near(percentile(sorted, 11, 0.9), 90),
       "percentile() gives p10 and p90");
    s = stats_of(sorted, 11);
    ok(near(s.p10, 10) && near(s.p90, 90) && near(s.iqr, 50),
       "stats_of() gives the same percentiles");
    ok(near(percentile(sorted, 11, 0.25), 25), "percentiles between two samples are interpolated");
    ok(near(percentile(sorted, 11, 0), 0) && near(percentile(sorted, 11, 1), 100),
       "percentiles 0 and 1 are minimum and maximum");
    return done_testing();
}
