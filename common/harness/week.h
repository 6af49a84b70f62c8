// The harness, as a week's .c sees it: the week describes its problem in one `struct week`, the
// harness checks, times, counts and explains.
#ifndef WEEK_H
#define WEEK_H

#include <stddef.h>
#include <stdint.h>

#include "type.h"

enum { MAX_DIMS = 3, MAX_BUFFERS = 4, MAX_DIGESTS = 2, MAX_OPTIONS = 6, VARIANT_TEXT = 160 };
// in every byte of an output before a checked call; as a float or double it is a NaN
enum { POISON = 0xFF };

// One instance of a week's problem.
struct problem {
    // what --size gives, in the order of week.size_form; unused ones are 1
    long long dim[MAX_DIMS];
    enum type type;   // the element type, one of week.types
    uint64_t seed;    // inputs are a function of this and nothing else
    // what the week's own options ask for, at their places in week.options; 0: not given
    long long option[MAX_OPTIONS];
    // compute capability by whose rules the CPU device counts, such as "1.1"; "": today's
    char rules[8];
    // "", or what the stage's "// Computes:" line says it does instead of the week's problem
    // ("copy")
    const char *computes;
    // "", or what its "// Arithmetic:" line says it calculates with instead of the type's own
    // ("tf32")
    const char *arithmetic;
};

enum role { IN, OUT };

// One array that a stage works on. The harness allocates it on both sides, copies inputs over,
// poisons outputs and guards both ends.
struct buffer {
    const char *name;   // as the stage's parameter is called
    enum role role;
    enum type type;
    size_t count;   // elements
    // elements in a row, to tell a mismatch by row and column; 0: the array has no rows
    size_t row;
    // 1: want[] of this output holds doubles, whatever `type` is, so that errors are against what
    // was not rounded to it
    int want_double;
    const size_t *row_number;   // what row r is called in messages: row_number[r]; NULL: r
};

// What is compared where a reference of all outputs would be too dear: an array of doubles that
// follows from them, and from the inputs too.
struct digest {
    struct buffer array;   // its name, count and rows; doubles
    double tolerance;      // largest |got - want| that is right
    // 1: it consists of elements of an output, and their largest error is the stage's
    int elements;
    const char *says;   // what it is, for people: "16 whole rows"
};

// What an option is about: any problem; one size, so that it does not go with --shmoo, nor with
// --check at the week's sizes; the result of one run, so that it goes with no such list, --claims
// and --once neither.
enum scope { ANY_SIZE, ONE_SIZE, ONE_RESULT };

// An option that a week has of its own, such as --pitch N.
struct week_option {
    const char *name;       // "pitch"
    const char *argument;   // "N"; NULL: it takes none
    const char *help;       // one line
    enum scope scope;
    // Takes the argument ("" where it has none): sets problem.option[] at its own place to
    // something other than 0, and dim[] where it gives the size as well. Returns NULL, or what is
    // wrong and what is accepted.
    const char *(*take)(const char *argument, struct problem *);
};

// The week's stage function, cast to the one type that the harness passes around.
typedef void stage_fn(void);

// What the harness must know of a week. Lists of sizes end with one whose first number is 0.
struct week {
    const char *name;      // the folder: "01_transpose"
    const char *problem;   // one line: "out[c][r] = in[r][c], float"
    // "RxC", "N" or "MxNxK": what --size takes; "N" alone is always a square or cube where there
    // are several
    const char *size_form;
    const char *size_words;   // the same for people: "rows x columns"
    int dims;
    const enum type *types;   // the first is the default
    int n_types;
    const char *unit;   // of a rate: "GB/s", "GFLOP/s", "Gpx/s"
    // the stage or reference that every report compares with: "ref_memcpy"
    const char *baseline;

    const long long (*check_sizes)[MAX_DIMS];   // awkward ones, small enough for the CPU device
    // more for --check on a GPU, where they fit into its memory; may be left out
    const long long (*gpu_check_sizes)[MAX_DIMS];
    // default on a GPU: the first that fits into its memory
    const long long (*gpu_sizes)[MAX_DIMS];
    const long long *cpu_size;   // default on the CPU device
    const long long (*gpu_shmoo)[MAX_DIMS];
    const long long (*cpu_shmoo)[MAX_DIMS];

    // Why this size is not for any stage of the week ("rows x columns must be below 2^31"), or
    // NULL. May be left out. It is asked before anything else is, so the numbers in dim[] may be as
    // large as a long long.
    const char *(*limit)(const struct problem *);

    // Describes the arrays of this problem; returns how many there are.
    int (*buffers)(const struct problem *, struct buffer out[MAX_BUFFERS]);
    // Fills the inputs, host arrays in the order of buffers(); outputs are left alone.
    void (*fill)(const struct problem *, void *const host[]);
    // What is right: writes want[] for the outputs from the inputs, independently of any stage.
    // host[] holds inputs at their places; want[] has a host array at the place of each output, of
    // its elements or, with want_double, of doubles.
    void (*reference)(const struct problem *, void *const host[], void *const want[]);
    // Largest |got - want| that is right for this problem; 0 asks for equal bits. Says where it
    // comes from.
    double (*tolerance)(const struct problem *);
    // One call of a stage with device arrays in the order of buffers().
    void (*run)(stage_fn *, const struct problem *, void *const device[]);

    // that any solution must move through memory, at least
    double (*bytes)(const struct problem *);
    double (*flops)(const struct problem *);   // that the problem asks for; 0 where it has none
    // what a rate counts, in the unit without its giga: bytes, flops or pixels
    double (*work)(const struct problem *);
    double (*elements)(const struct problem *);   // for "time per element"

    stage_fn *stage;     // this program's stage
    const char *entry;   // its name, to find it in a reference's shared object: "transpose"

    // What follows may be left out.
    const struct week_option *options;   // the week's own, ended by one without a name
    // Tells rows of one size apart by what those options ask for, in words such as "pitch=2052
    // memory-only": appends them to the text.
    void (*variant)(const struct problem *, char text[VARIANT_TEXT]);
    // Gives the nth of check_sizes what its size does not say, such as an awkward pitch, where no
    // option says so.
    void (*vary)(struct problem *, int nth);
    // For sizes at which reference() would be too dear: digests() describes what is compared there,
    // and returns how many they are; 0 where outputs are compared with reference(). The others make
    // all of them, each at its place: as they should be, from the inputs in host[], and as they
    // are, from the outputs in host[].
    int (*digests)(const struct problem *, struct digest out[MAX_DIGESTS]);
    void (*digest_wanted)(const struct problem *, void *const host[], double *const want[]);
    void (*digest_got)(const struct problem *, void *const host[], double *const got[]);
    // Takes what a stage made of one size, found right: host[] as for reference(), got[] as its
    // want[]. Returns NULL, or why that fails.
    const char *(*result)(const struct problem *, void *const host[], void *const got[]);
};

// Defined by each week's .c.
extern const struct week week;

// Written by common/info.awk from the stage's file, one for each program; a reference's shared
// object has its own.
struct stage_info {
    const char *file;         // "stage3_noconflict.cu"
    const char *lesson;       // first line of its head
    const char *needs;        // "sm_90" from a "// Needs:" line, or ""
    const char *computes;     // first word of a "// Computes:" line, or ""
    const char *arithmetic;   // first word of an "// Arithmetic:" line, or ""
    const char *knobs;        // "TILE=16 ROWS=4" if any was set for this build, else ""
    // the text of each "// Expect" line after that word, NULL-terminated
    const char *const *claims;
};
extern const struct stage_info stage_info;

// A value for element i of an input that depends on nothing but seed and i: well mixed, all 64 bits
// usable (splitmix64's finaliser).
static inline uint64_t hash64(uint64_t seed, uint64_t i)
{
    uint64_t z = seed * 0xD1342543DE82EF95u + (i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

#endif
