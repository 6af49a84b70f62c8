// Compares arrays with the correct values, element by element, and reports where they differ.
// Compile without -ffast-math, with which NaNs pass.
#ifndef COMPARE_H
#define COMPARE_H

#include <stdio.h>

#include "week.h"

enum { SHOWN = 5, MAP_ROWS = 8, MAP_COLS = 32 };

struct mismatch {
    struct buffer buffer;   // that was compared
    // largest correct |got - want|; 0: bits must be equal, as always for ints
    double tolerance;
    // allowed in addition, as a share of |want|; set by the caller after compare_begin()
    double relative;
    // largest |got - want| so far, infinite if it is NaN; negative if bits must be equal
    double max_error;
    size_t wrong;       // elements
    size_t untouched;   // wrong elements that still hold the poison
    size_t nan;         // other wrong elements that are NaN
    struct {
        size_t index;
        double got, want;
        int untouched;
        int is_pattern;   // what the CPU device fills uninitialized local variables with
    } first[SHOWN];
    unsigned char map[MAP_ROWS][MAP_COLS];   // 1: this part of the array has a wrong element
};

// Element i of an array of this type.
double element_value(enum type, const void *array, size_t i);

void compare_begin(struct mismatch *, const struct buffer *, double tolerance);

// Compares elements first to first + n - 1 of the array. got[0] and want[0] are element `first`;
// want[] holds doubles if the buffer has want_double.
void compare_elements(struct mismatch *, size_t first, size_t n, const void *got, const void *want);

// One line: "17 of 1024 elements of 'out' are wrong".
const char *compare_words(const struct mismatch *);

// Prints the first wrong elements and the map.
void compare_print(const struct mismatch *, FILE *);

// Whether two arrays differ. Where OpenMP is linked, all cores compare.
int bytes_differ(const char *a, const char *b, size_t bytes);

#endif
