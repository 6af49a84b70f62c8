// The coefficients that --kernel takes: those of a name, or of a file.
#ifndef FILTERS_H
#define FILTERS_H

#include <stdint.h>

#include "convolution.h"

// numbers of filters: those with a name go from TEST to NAMED
enum { TEST = 1, NAMED = 5, FROM_FILE };

// The number of the filter of that name, or of that file, which is read. Returns NULL, or what is
// wrong and what is accepted.
const char *filter_find(const char *name_or_file, long long *number);

// "test", or the file as it was given.
const char *filter_name(long long number);

// TEST has its rows and columns turned round by the seed, so that it differs from call to call as
// inputs do.
struct filter filter_of(long long number, uint64_t seed);

#endif
