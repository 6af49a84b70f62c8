// Problems as text: sizes, element types, options of the week. Also, the bytes that a problem
// needs.
#ifndef PROBLEM_H
#define PROBLEM_H

#include "week.h"

// A problem of the week: its first type, seed 1, no options, no size yet.
struct problem problem_default(const struct week *);

// "uchar", "int", "float", "double", "bf16".
const char *type_name(enum type);
size_t type_size(enum type);

// The week's type of that name, or -1.
int type_of_name(const struct week *, const char *name);

// Parses "N", "RxC" or "MxNxK", as the week defines it, into p->dim. Returns NULL, or what is wrong
// with it; then dim[] is undefined.
const char *size_parse(const char *text, struct problem *p);

// Sets p->dim to the nth size, from 0, of a list of the week. Returns 0 if there are fewer.
int size_of_list(const char *list, int nth, struct problem *p);

// The size as in the size column of a table: "2048x2048". This and other texts are allocated and
// kept until the program ends.
const char *size_text(const struct problem *);

// The week's options, --rules and --sms, as in the variant column: "pitch=2052 kernel=box"; "" if
// none is set.
const char *variant_text(const struct problem *);

// Size and variant: "2048x2048", "2048x2048 pitch=2052 kernel=box".
const char *problem_text(const struct problem *);

// Sets problem.rules. Returns NULL, or what is wrong. emu_rules() checks that the rules are
// known.
const char *rules_take(const char *capability, struct problem *);

// The largest problem.sms.
enum { MAX_SMS = 10000 };

// Sets the options in a variant and clears all others. Returns NULL, or the first word that is not
// an option of the week.
const char *variant_take(const char *variant, struct problem *);

// Whether two problems of a week have the same type, size and options.
int problem_same(const struct problem *, const struct problem *);

// Why the week does not allow this size, or NULL. If it is NULL, no count of bytes overflows.
const char *problem_limit(const struct problem *);

// Largest correct |got - want|, and what is allowed in addition, as a share of |want|. Both 0: bits
// must be equal.
double problem_tolerance(const struct problem *);
double problem_relative_tolerance(const struct problem *);

// What the reports of this stage compare with.
const char *stage_baseline(const struct week *, const struct stage_info *);

// Bytes of one array, and of all arrays of a role.
size_t buffer_bytes(const struct buffer *);
size_t problem_bytes(const struct problem *, enum role);

// The element type of an output's want[].
enum type want_type(const struct buffer *);

#endif
