// What a stage's "// Expect" lines say, and whether it is so.
//
//   claim    = "(" device "," size { "," item } "):" sum comparison sum
//   device   = "cpu" or "sm_90"; any GPU of another generation is told, but not judged
//   item     = "hot" or "cold" (cold where none is given; on the CPU device everything is counted),
//   an element type (the week's first), or an
//              option of the week, such as "pitch=2052" or "memory-only"
//   sum      = product { ("+" | "-") product };   product = factor { ("*" | "/") factor }
//   factor   = number | column | stage [ "[" { word } "]" ] "." column | "-" factor | "(" sum ")"
//   word     = an option of the week, as above, or a knob, "TILE=16"; with the brackets a term has
//   those and no others, without them it has the
//              claim's options and no knobs
//   comparison is one of == != < <= > >=; numbers compare as they are, so that counts compare
//   exactly
#ifndef CLAIMS_H
#define CLAIMS_H

#include "week.h"

struct claim {
    const char *said;         // the expression, a part of the text that was parsed
    int on_cpu;               // or else on a GPU,
    int sm;                   // of this generation
    struct problem problem;   // less its inputs
    const char *mode;         // as in a table: "cold", "hot", "count"
};

enum verdict_of_claim { HOLDS, HOLDS_NOT, NOT_MEASURED };

struct term {
    char stage[64];             // "": the claim's own
    char knobs[VARIANT_TEXT];   // "TILE=16 ROWS=4", or ""
    struct problem problem;
    char column[64];
};

// Where terms come from. Puts a term's value at *value and returns 1, or returns 0.
typedef int term_fn(void *context, const struct term *, double *value);

struct claim_result {
    enum verdict_of_claim verdict;
    double left, right;    // where it was measured
    struct term missing;   // the first one that was not
};

enum { CLAIM_ERROR = 160 };

// Parses and checks the text after "// Expect ". Returns 0, or -1 with what is wrong with it.
int claim_parse(const char *text, struct claim *, char error[CLAIM_ERROR]);

void claim_judge(const struct claim *, term_fn *, void *context, struct claim_result *);

#endif
