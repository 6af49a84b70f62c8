// Order statistics of a set of samples.
#ifndef STATS_H
#define STATS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// iqr: distance between the quartiles, in the samples' unit
struct stats {
    double median, p10, p90, min, iqr;
};

// Of n >= 1 samples, which it sorts. Percentiles between two samples are interpolated linearly.
struct stats stats_of(double *sample, size_t n);

// The value below which a fraction q (0 to 1) of n >= 1 sorted samples lies.
double percentile(const double *sorted, size_t n, double q);

// Median of n values, which it sorts; NaN without any.
double median_of(double *value, size_t n);

#ifdef __cplusplus
}
#endif

#endif
