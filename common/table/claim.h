// Claims: the grammar of a stage's "// Expect" lines and of a week's `claims` file, and whether a
// claim holds. The stage's program, `make claims` and the check of recorded runs all use this.
//
//   claim    = "(" device "," size { "," item } "):" condition
//   device   = "cpu", "gpu" (any), "sm_90" (each GPU of this compute capability),
//              or GPUs by name: "H200", "H100 or H200"; each is a word or several words, joined by
//              "_", of the name that CUDA reports: RTX_4090. On another GPU the claim is skipped
//   size     = "1024x512"; one number stands for as many equal sides as the problem has
//   item     = "hot" or "cold" (the default on a GPU; the CPU device counts),
//              an element type (default: the week's first), or
//              an option of the week: "pitch=2052" or "kernel=box"
//   condition = comparison { "and" comparison };   comparison = sum sign sum
//   sign     = one of == != < <= > >=
//   sum      = product { ("+" | "-") product };   product = factor { ("*" | "/") factor }
//   factor   = number | column | stage [ "[" { word } "]" ] "." column | "-" factor | "(" sum ")"
//            | ( "max" | "min" ) "(" sum "," sum ")"
//            | ( "sqrt" | "log2" | "ceil" | "floor" ) "(" sum ")"
//            | "side(" ( "1" | "2" | "3" ) ")" | "product", of the sides of the size
//   word     = an option of the week or a knob, "TILE=16"; a term with brackets has exactly these
//              options and knobs, a term without brackets has the claim's options and no knobs
//
// Counts are compared exactly. Times and rates have a spread (noise.h): a claim that holds for some
// values within the spreads of both sides, but not for the medians, is "within noise".
#ifndef CLAIM_H
#define CLAIM_H

#include "row.h"

enum { CLAIM_WORD = 64, CLAIM_WORDS = 160 };

struct claim {
    int on_cpu;               // 0: on a GPU
    int sm;                   // compute capability of the GPU: 90; 0: any
    char gpus[CLAIM_WORDS];   // the GPUs that it names, "H100 H200"; "": none
    char size[CLAIM_WORD];    // as written
    char type[CLAIM_WORD];    // "": the week's first
    char variant[CLAIM_WORDS];
    const char *mode;        // "cold", "hot" or "count"
    const char *condition;   // a part of the text that was parsed
};

struct term {
    char stage[CLAIM_WORD];   // "": the claim's own
    char knobs[CLAIM_WORDS], variant[CLAIM_WORDS];
    enum column column;
    int part;   // of the size, if column is COLUMN_size: the number of a side, or SIZE_PRODUCT
};
enum { SIZE_PRODUCT = 4 };

// A value and the limits of its spread; low = middle = high: exact.
struct span {
    double low, middle, high;
};

// Returns the value of a term, or NaN if it is not measured.
typedef double term_value(void *context, const struct term *);
typedef struct span term_span(void *context, const struct term *);

enum claim_verdict {
    CLAIM_HOLDS,
    CLAIM_WITHIN_NOISE,
    CLAIM_DOES_NOT_HOLD,
    CLAIM_NOT_MEASURED,
    CLAIM_SKIPPED,   // about another GPU; no condition is judged so
    CLAIM_VERDICTS
};
extern const char *const claim_word[CLAIM_VERDICTS];   // "holds"

struct claim_result {
    enum claim_verdict verdict;
    struct span left, right;   // if it was measured
    struct term missing;       // if it was not: the first term without a value
    // The comparison that these are about: the first of those with the worst verdict. A part of
    // the condition, of this length.
    const char *comparison;
    int length;
};

// Parses the text after "// Expect ". Returns NULL, or what is wrong with it.
const char *claim_parse(const char *text, struct claim *);

// Parses a condition alone, without the part in parentheses before it.
const char *claim_parse_condition(const char *text, struct claim *);

// Parses the part in parentheses alone; then the condition is "".
const char *claim_parse_place(const char *text, struct claim *);

// Judges a claim whose values have no spread: the verdict is never CLAIM_WITHIN_NOISE.
struct claim_result claim_judge(const struct claim *, term_value *, void *context);

// Judges a claim whose values have a spread.
struct claim_result claim_judge_spans(const struct claim *, term_span *, void *context);

// The text of the comparison that a result is about; the condition if it has no others.
const char *claim_comparison(const struct claim *, const struct claim_result *);

// The options that measure a term with these options of the week: "--size 4096 --hot --pitch 2052".
const char *claim_options(const struct claim *, const char *variant);

// Why a claim is not judged on this GPU; NULL if it is about this GPU, or `device` is "".
const char *claim_skip(const struct claim *, const char *device, int sm);

// Prints one line on a claim of the stage or reference `by`: its verdict and its two sides, or the
// command that measures what is missing. `label` precedes the condition. `skip`: from claim_skip().
void claim_print(const struct claim *, const char *by, const char *label, const char *skip,
                 const struct claim_result *);

// The number of a row that a term names. NaN if it is not known.
double term_number(const struct row *, const struct term *);

// Parses an expression, a `sum` of the grammar. *end: what follows it. Returns NULL, or what is
// wrong with it.
const char *expression_parse(const char *text, const char **end);

// The value of an expression that was parsed.
double expression_value(const char *text, term_value *value, void *context);

// Calls `each` for every term of the claim.
void claim_terms(const struct claim *, void (*each)(void *context, const struct term *),
                 void *context);

#endif
