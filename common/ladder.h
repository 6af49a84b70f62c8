// The harness, as a week's .c sees it: the week describes its problem in one `struct week`, the harness checks, times, counts and explains.
#ifndef LADDER_H
#define LADDER_H

#include <stddef.h>
#include <stdint.h>

#include "type.h"

enum { MAX_DIMS = 3, MAX_BUFFERS = 4 };

// One instance of a week's problem.
struct problem {
    long long dim[MAX_DIMS];   // what --size gives, in the order of week.size_form; unused ones are 1
    enum type type;            // the element type, one of week.types
    uint64_t seed;             // inputs are a function of this and nothing else
    const char *computes;      // "", or what the stage's "// Computes:" line says it does instead of the week's problem ("copy")
};

enum role { IN, OUT };

// One array that a stage works on. The harness allocates it on both sides, copies inputs over, poisons outputs and guards both ends.
struct buffer {
    const char *name;          // as the stage's parameter is called
    enum role role;
    enum type type;
    size_t count;              // elements
    size_t row;                // elements in a row, to tell a mismatch by row and column; 0: the array has no rows
};

// The week's stage function, cast to the one type that the harness passes around.
typedef void stage_fn(void);

// What the harness must know of a week. Lists of sizes end with one whose first number is 0.
struct week {
    const char *name;          // the folder: "01_transpose"
    const char *problem;       // one line: "out[c][r] = in[r][c], float"
    const char *size_form;     // "RxC", "N" or "MxNxK": what --size takes; "N" alone is always a square or cube where there are several
    const char *size_words;    // the same for people: "rows x columns"
    int dims;
    const enum type *types;    // the first is the default
    int n_types;
    const char *unit;          // of a rate: "GB/s", "GFLOP/s", "Gpx/s"
    const char *baseline;      // the stage or reference that every report compares with: "ref_memcpy"

    const long long (*check_sizes)[MAX_DIMS];   // awkward ones, small enough for the CPU device
    const long long (*gpu_sizes)[MAX_DIMS];     // default on a GPU: the first that fits into its memory
    const long long *cpu_size;                  // default on the CPU device
    const long long (*gpu_shmoo)[MAX_DIMS];
    const long long (*cpu_shmoo)[MAX_DIMS];

    // Why this size is not for any stage of the week ("rows x columns must be below 2^31"), or NULL. May be left out. It is asked before
    // anything else is, so the numbers in dim[] may be as large as a long long.
    const char *(*limit)(const struct problem *);

    // Describes the arrays of this problem; returns how many there are.
    int (*buffers)(const struct problem *, struct buffer out[MAX_BUFFERS]);
    // Fills the inputs, host arrays in the order of buffers(); outputs are left alone.
    void (*fill)(const struct problem *, void *const host[]);
    // What is right: writes want[] for the outputs from the inputs, independently of any stage. host[] holds inputs at their places;
    // want[] has a host array at the place of each output.
    void (*reference)(const struct problem *, void *const host[], void *const want[]);
    // Largest |got - want| that is right for this problem; 0 asks for equal bits. Says where it comes from.
    double (*tolerance)(const struct problem *);
    // One call of a stage with device arrays in the order of buffers().
    void (*run)(stage_fn *, const struct problem *, void *const device[]);

    double (*bytes)(const struct problem *);    // that any solution must move through memory, at least
    double (*flops)(const struct problem *);    // that the problem asks for; 0 where it has none
    double (*work)(const struct problem *);     // what a rate counts, in the unit without its giga: bytes, flops or pixels
    double (*elements)(const struct problem *);   // for "time per element"

    stage_fn *stage;           // this program's stage
    const char *entry;         // its name, to find it in a reference's shared object: "transpose"
};

// Defined by each week's .c.
extern const struct week week;

// Written by common/info.awk from the stage's file, one for each program; a reference's shared object has its own.
struct stage_info {
    const char *file;            // "stage3_noconflict.cu"
    const char *lesson;          // first line of its head
    const char *needs;           // "sm_90" from a "// Needs:" line, or ""
    const char *computes;        // first word of a "// Computes:" line, or ""
    const char *knobs;           // "TILE=16 ROWS=4" if any was set for this build, else ""
    const char *const *claims;   // the text of each "// Expect" line after that word, NULL-terminated
};
extern const struct stage_info stage_info;

// A value for element i of an input that depends on nothing but seed and i: well mixed, all 64 bits usable (splitmix64's finaliser).
static inline uint64_t hash64(uint64_t seed, uint64_t i)
{
    uint64_t z = seed * 0xD1342543DE82EF95u + (i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

#endif
