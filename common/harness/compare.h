// Compares arrays with what is right, element by element, and says where they differ. Compile
// without -ffast-math, which lets NaN pass.
#ifndef COMPARE_H
#define COMPARE_H

#include <stdio.h>

#include "week.h"

enum { SHOWN = 5, MAP_ROWS = 8, MAP_COLS = 32 };

struct mismatch {
    struct buffer buffer;   // that was compared
    // largest |got - want| that is right; 0: equal bits. ints are always compared exactly
    double tolerance;
    // largest |got - want| so far, infinite where that is NaN; negative where equal bits are asked
    // for
    double max_error;
    size_t wrong;       // elements
    size_t untouched;   // wrong elements that still hold the poison
    size_t nan;         // other wrong elements that are NaN
    struct {
        size_t index;
        double got, want;
        int untouched;
    } first[SHOWN];
    unsigned char map[MAP_ROWS][MAP_COLS];   // 1 where a part of the array holds a wrong element
};

void compare_begin(struct mismatch *, const struct buffer *, double tolerance);

// Compares elements first .. first + n - 1 of the array, which lie at got[0] .. and want[0] ..,
// doubles where the buffer says so.
void compare_elements(struct mismatch *, size_t first, size_t n, const void *got, const void *want);

// One line: "17 of 1024 elements of 'out' are wrong".
void compare_words(const struct mismatch *, char *text, size_t room);

// The first wrong elements and the map, in a few lines.
void compare_print(const struct mismatch *, FILE *);

#endif
