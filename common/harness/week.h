// What a week's .c file needs of the harness. The week describes its problem in one `struct week`;
// the harness checks, times, counts and reports.
#ifndef WEEK_H
#define WEEK_H

#include <stddef.h>
#include <stdint.h>

#include "type.h"

enum { MAX_DIMS = 3, MAX_BUFFERS = 4, MAX_DIGESTS = 2, MAX_OPTIONS = 6 };
// Every byte of an output before a checked call; as a float or double it is a NaN.
enum { POISON = 0xFF };

struct week;

// One instance of a week's problem.
struct problem {
    const struct week *week;
    long long dim[MAX_DIMS];   // the size, in the order of week.size_form; unused ones are 1
    enum type type;            // element type, one of week.types
    uint64_t seed;             // inputs depend on the problem and on this alone,
    uint64_t secret;           // and, when a submission is graded, on this, which it never gets
    long long option[MAX_OPTIONS];   // values of week.options, at the same places; 0: not given
    char rules[8];                   // --rules: "1.1"; "": the rules of current GPUs
    int sms;                         // --sms: the SMs that the CPU device reports; 0: its default
    int counted_sms;          // its SMs while it counts a stage without --sms; 0: its default
    const char *computes;     // of the stage's "// Computes:" line: "copy"; else ""
    const char *arithmetic;   // of its "// Arithmetic:" line: "tf32"; else ""
};

enum role { IN, OUT };

// An array that a stage reads or writes. The harness allocates it on the host and the device,
// copies inputs, poisons outputs, and guards both ends.
struct buffer {
    const char *name;   // of the stage's parameter
    enum role role;
    enum type type;
    size_t count;   // elements
    size_t row;     // elements per row, for messages; 0: the array has no rows
    // 1: the reference writes doubles, whatever `type` is, so that errors are measured against
    // values before rounding.
    int want_double;
    const size_t *row_number;   // messages call row r row_number[r]; NULL: r
};

// Compared in place of the outputs if a reference of all outputs would take too long: an array of
// doubles that is computed once from the outputs and once from the inputs.
struct digest {
    struct buffer array;   // its name, count and rows; doubles
    double tolerance;      // largest correct |got - want|
    int elements;          // 1: a part of an output, from which the largest error follows
    const char *says;      // for the report: "16 whole rows"
    double relative;       // allowed in addition, as a share of |want|
};

// Which runs accept an option of the week. ANY_SIZE: all. ONE_SIZE: runs of one size, thus neither
// --shmoo nor --check at the week's sizes. ONE_RESULT: runs that measure one size, thus also
// neither --check nor --claims nor --once.
enum scope { ANY_SIZE, ONE_SIZE, ONE_RESULT };

// An option of one week: --pitch N.
struct week_option {
    const char *name;       // "pitch"
    const char *argument;   // "N"; NULL: the option has no argument
    const char *help;       // one line
    enum scope scope;
    // Parses the argument ("" without one): sets problem.option[] at this option's place to a
    // nonzero value, and dim[] if the option determines the size. Returns NULL, or what is wrong
    // and what is accepted.
    const char *(*take)(const char *argument, struct problem *);
};

// The week's function, cast to one type for all weeks.
typedef void stage_fn(void);

// A week. Members marked "optional" may be NULL.
struct week {
    const char *name;         // of the folder: "01_transpose"
    const char *problem;      // one line: "out[c][r] = in[r][c], float"
    const char *size_form;    // of --size: "RxC", "N" or "MxNxK"; N alone sets all dimensions
    const char *size_words;   // for the report: "rows x columns"
    int dims;
    // The first n_types are those of a stage without a line "// Type:"; the first is the default.
    // The n_stage_types that follow are each for the stages whose line names it, and for no others.
    const enum type *types;
    int n_types, n_stage_types;
    const char *unit;            // of a rate: "GB/s", "GFLOP/s", "Gpx/s"
    int compute_bound;           // 1: reports show no share of the peak bandwidth
    const char *baseline;        // stage or reference that every report compares with: "ref_memcpy"
    const char *type_baseline;   // the same of stages with a line "// Type:"; NULL without any

    // Lists of sizes as in --size, separated by blanks: "1x1 7x5 33x65".
    const char *check_sizes;            // awkward ones, small enough for the CPU device
    double quick_bytes;                 // the largest that --check --quick checks; 0: 512 KiB
    const char *one_type_check_sizes;   // optional; large ones, checked in the first type alone
    const char
        *gpu_check_sizes;    // optional; more for --check on a GPU, if they fit into its memory
    const char *gpu_sizes;   // default on a GPU: the first that fits into its memory
    const char *cpu_size;    // default on the CPU device
    // Optional. What --draw draws of this problem, of a "// Computes:" line. Without it: cpu_size.
    const char *(*drawn_size)(const struct problem *);
    // Optional. What the CPU device executes for an estimate of machine code: a block inside of the
    // grid, and loops that are long beside what is before and behind them. Without it: cpu_size.
    const char *traced_size;
    // Optional. The programs whose report on the CPU device has five lines, for readers who meet it
    // for the first time: "stage0 stage1". --all prints all of it.
    const char *brief;
    // Optional. The SMs with which the CPU device counts the week's stages, if a stage chooses its
    // grid by them. Checks have its default of 2, so that a block has several tiles.
    int counted_sms;
    const char *gpu_shmoo, *cpu_shmoo;

    // Optional. Why no stage of the week can have this size ("rows x columns must be below 2^31"),
    // or NULL. Called before all others, with numbers up to the largest long long.
    const char *(*limit)(const struct problem *);

    // Optional. Changes a size of the lists above to one that this problem, of a "// Computes:"
    // line, can have.
    void (*adapt)(struct problem *);

    // Describes the arrays of this problem; returns their number.
    int (*buffers)(const struct problem *, struct buffer out[MAX_BUFFERS]);
    // Fills the inputs, host arrays in the order of buffers().
    void (*fill)(const struct problem *, void *const host[]);
    // Computes the correct outputs want[] from the inputs host[], independently of all stages. Both
    // have the order of buffers(); want[] holds elements of the output's type or, with want_double,
    // doubles.
    void (*reference)(const struct problem *, void *const host[], void *const want[]);
    // Optional. Largest correct |got - want|; 0: bits must be equal. A comment gives its source.
    double (*tolerance)(const struct problem *);
    // Optional. What is allowed in addition, as a share of |want|: results of few bits.
    double (*relative_tolerance)(const struct problem *);
    // Calls a stage once, with device arrays in the order of buffers().
    void (*run)(stage_fn *, const struct problem *, void *const device[]);

    double (*bytes)(const struct problem *);      // that any solution must move through memory
    double (*flops)(const struct problem *);      // optional; of the problem, not of an algorithm
    double (*work)(const struct problem *);       // what a rate counts: bytes, operations or pixels
    double (*elements)(const struct problem *);   // for "time per element"

    stage_fn *stage;     // of this program
    const char *entry;   // its name, to find it in a reference's shared object: "transpose"

    const struct week_option *options;   // optional; ended by one without a name
    // Optional. The option values that distinguish rows of one size: "pitch=2052 kernel=box".
    const char *(*variant)(const struct problem *);
    // Optional. Sets what the size does not determine, for example an odd pitch, for the nth of
    // check_sizes.
    void (*vary)(struct problem *, int nth);
    // Optional, all three. digests() describes the digests of this problem and returns their
    // number; 0: reference() is used. The others compute them, in the same order: as they should
    // be, from the inputs in host[]; and as they are, from the outputs in host[].
    int (*digests)(const struct problem *, struct digest out[MAX_DIGESTS]);
    void (*digest_wanted)(const struct problem *, void *const host[], double *const want[]);
    void (*digest_got)(const struct problem *, void *const host[], double *const got[]);
    // Optional. Receives a correct result of one size, arrays as in reference(), for an option with
    // scope ONE_RESULT. Returns NULL, or an error message.
    const char *(*result)(const struct problem *, void *const host[], void *const got[]);
};

// Defined by each week's .c file, for main.c. All other code receives it as an argument or in a
// problem.
extern const struct week week;

// Written by `ladder rules` from the head of a .cu file. Each program has one, and each shared
// object of a reference.
struct stage_info {
    const char *file;         // "stage3_padding.cu"
    const char *key;          // "stage3", "ref_cublas"
    const char *name;         // "padding", "cublas"
    const char *lesson;       // first paragraph of its head
    const char *needs;        // "sm_90" of a "// Needs:" line, or ""
    const char *computes;     // first word of a "// Computes:" line, or ""
    const char *arithmetic;   // first word of an "// Arithmetic:" line, or ""
    const char *type;         // first word of a "// Type:" line, or ""
    const char *knobs;        // set for this build: "TILE=16 ROWS=4", or ""
    const char *const
        *claims;   // the text of each "// Expect" line after that word; NULL at the end
};
extern const struct stage_info stage_info;

// Element i of an input for this seed: 64 well mixed bits (the finalizer of splitmix64, Steele et
// al., OOPSLA 2014).
static inline uint64_t hash64(uint64_t seed, uint64_t i)
{
    uint64_t z = seed * 0xD1342543DE82EF95u + (i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// The seed for hash64() of a problem's inputs.
static inline uint64_t input_seed(const struct problem *p) { return p->seed ^ p->secret; }

#endif
