// The coefficients that --kernel accepts: built-in ones by name, or those of a file.
#ifndef FILTERS_H
#define FILTERS_H

#include <stdint.h>

#include "convolution.h"

// Numbers of filters: TEST to NAMED have names.
enum { TEST = 1, EMBOSS = 5, NAMED, FROM_FILE };

// Finds the number of the filter with that name, or reads that file. Returns NULL, or a message
// that says what is wrong and what is accepted.
const char *filter_find(const char *name_or_file, long long *number);

// "test", or the file as it was given.
const char *filter_name(long long number);

// The seed rotates the rows and columns of TEST, so that it differs between calls, as the inputs
// do.
struct filter filter_of(long long number, uint64_t seed);

#endif
