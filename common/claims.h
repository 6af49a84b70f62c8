// What a stage's "// Expect" lines say, and whether it is so.
//
//   claim    = "(" device "," size { "," item } "):" sum comparison sum
//   device   = "cpu" or "sm_90"; any GPU of another generation is told, but not judged
//   item     = "hot" or "cold" (cold where none is given; on the CPU device everything is counted), or an element type (the week's first)
//   sum      = product { ("+" | "-") product };   product = factor { ("*" | "/") factor }
//   factor   = number | column | stage "." column | "-" factor | "(" sum ")"
//   comparison is one of == != < <= > >=; numbers compare as they are, so that counts compare exactly
#ifndef CLAIMS_H
#define CLAIMS_H

#include "ladder.h"

struct claim {
    const char *said;            // the expression, a part of the text that was parsed
    int on_cpu;                  // or else on a GPU,
    int sm;                      // of this generation
    long long dim[MAX_DIMS];
    enum type type;
    const char *mode;            // as in a table: "cold", "hot", "count"
};

enum verdict_of_claim { HOLDS, HOLDS_NOT, NOT_MEASURED };

// Where terms come from. Puts the value of a column of a stage (NULL: the claim's own) at *value and returns 1, or returns 0.
typedef int term_fn(void *context, const char *stage, const char *column, double *value);

struct claim_result {
    enum verdict_of_claim verdict;
    double left, right;                  // where it was measured
    char stage[64], column[64];          // of the first term that was not; stage "": the claim's own
};

enum { CLAIM_ERROR = 160 };

// Parses and checks the text after "// Expect ". Returns 0, or -1 with what is wrong with it.
int claim_parse(const char *text, struct claim *, char error[CLAIM_ERROR]);

void claim_judge(const struct claim *, term_fn *, void *context, struct claim_result *);

#endif
