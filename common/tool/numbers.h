// The comments of a page that name the sources of its numbers; numbers.c describes them.
#ifndef NUMBERS_H
#define NUMBERS_H

// Whether a sentence has a number that this comment takes from a measurement on a GPU or from what
// a command prints, and not from counts of the CPU device or from a publication.
int number_is_measured(const char *comment, const char *sentence);

#endif
