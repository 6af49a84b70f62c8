// Sizes and element types in words, and what a problem needs in bytes.
#ifndef PROBLEM_H
#define PROBLEM_H

#include "week.h"

enum { SIZE_TEXT = 72, PROBLEM_TEXT = SIZE_TEXT + VARIANT_TEXT };

// "uchar", "int", "float", "double".
const char *type_name(enum type);
size_t type_size(enum type);

// The week's type of that name, or -1.
int type_of_name(const char *name);

// Reads "N", "RxC" or "MxNxK" as the week takes it. Returns NULL, or what is wrong with it; then
// dim[] is not to be used.
const char *size_parse(const char *text, long long dim[MAX_DIMS]);

// "2048x2048", as in the size column of a table.
void size_text(const long long dim[MAX_DIMS], char out[SIZE_TEXT]);

int size_same(const long long a[MAX_DIMS], const long long b[MAX_DIMS]);

// What the week's options and --rules ask for, as in the variant column of a table: "pitch=2052
// memory-only", "" where they ask for nothing.
void variant_text(const struct problem *, char out[VARIANT_TEXT]);

// Sets problem.rules. Returns NULL, or what is wrong with this; whether the device knows such rules
// is asked elsewhere (facts.h).
const char *rules_take(const char *capability, struct problem *);

// Takes one of the words of a variant. Returns NULL, or what is wrong with it.
const char *variant_take(const char *word, struct problem *);

// Size and variant: "2048x2048", "2048x2048 pitch=2052 memory-only".
void problem_text(const struct problem *, char out[PROBLEM_TEXT]);

// Whether two problems are the same but for their inputs.
int problem_same(const struct problem *, const struct problem *);

// Why no stage can take this size, or NULL. Where it is NULL, no count of bytes overflows.
const char *problem_limit(const struct problem *);

// Bytes of one array, and of all arrays of a role.
size_t buffer_bytes(const struct buffer *);

// What its want[] holds, if it is an output.
enum type want_type(const struct buffer *);
size_t problem_bytes(const struct problem *, enum role);

#endif
