// The coefficients that --kernel accepts: those of a name, or of a file.
#ifndef FILTERS_H
#define FILTERS_H

#include <stdint.h>

#include "convolution.h"

// Numbers of filters: those with a name are TEST to NAMED.
enum { TEST = 1, NAMED = 5, FROM_FILE };

// Finds the number of the filter of that name, or of that file, which it reads. Returns NULL, or
// what is wrong and what is accepted.
const char *filter_find(const char *name_or_file, long long *number);

// "test", or the file as it was given.
const char *filter_name(long long number);

// The seed rotates the rows and columns of TEST, so that it differs from call to call as inputs do.
struct filter filter_of(long long number, uint64_t seed);

#endif
