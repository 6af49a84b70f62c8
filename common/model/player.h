/* Plays the launches that the CPU device has kept (emu_keep_arguments, emu_dry_run) on a GPU. */
#pragma once

#include "../emu/emu.h"
#include "gpu.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

// A launch that was executed, from which machine code is estimated.
struct trace {
    const char *kernel, *code, *lacks;   // as in the source; its name in the code
    unsigned grid[3], block[3];
    double blocks;
};

struct player {
    struct gpu gpu;
    struct model_machine *machine;
    struct model_code *code;
    const char **kernel;   // of the code, by their mangled names
    int n_kernels;
    // Without machine code: what was executed, its work in a unit of the caller, and how many times
    // as much work the calls to be played do.
    const char *why_estimated;   // why there is none; NULL: there is
    struct trace *trace;
    int n_traces;
    double traced_work, more_work;
    const struct emu_launch *working;   // of the call that is played, the one that does this work
};

// The GPU of --for. `machines` is the folder common/machine. Returns NULL, or what is wrong with
// the name.
const char *player_open(struct player *, const char *machines, const char *gpu);
// The machine code of the kernels, from a file of `nvdisasm -g`. Returns NULL, or what is wrong.
const char *player_read_code(struct player *, const char *path);

// Without machine code: estimates it from launches that are executed from here on, each of which
// must be passed to player_trace() from the handler of emu_on_launch(). `why` there is none is for
// the report.
void player_estimate(struct player *, const char *why);
void player_trace(struct player *, const struct emu_launch *);

// A launch that was played. Launches of one kernel with the same grid and block count as equal.
struct played {
    const char *kernel;   // as in the source
    unsigned grid[3], block[3];
    size_t dynamic_shared;
    int n;          // equal ones
    int is_known;   // 0: time.lacks is the reason
    struct model_time time;
    struct emu_counts counts;   // of the first one, if the CPU device has executed it
};

// The launches of a call or of a program.
struct plays {
    struct played *of;
    int n;
    int launches, operations;   // all launches; memsets and copies within the device
    // Of all: with what launches cost in a stream, or in a graph; and what the host needs for them.
    // A memset or a copy costs as much as a launch; how long it runs is not modeled. NAN if a
    // launch is not known.
    double stream_us, graph_us, host_us;
    int main;               // of the n, those that take longest together
    int assumed_branches;   // of all
};

// Plays a launch, or adds it to an equal one, and returns that. The bytes that it reads and writes
// once are NAN if they are not known. Returns NULL for a memset or a copy.
struct played *player_add(const struct player *, struct plays *, const struct emu_launch *,
                          double read_bytes, double written_bytes);

// The time of calls in a row in a stream: the host prepares the next launches meanwhile, and may be
// slower.
double plays_us(const struct plays *);

// Plays the launches since emu_reset(). Only the one with the most threads reads and writes the
// bytes of the problem; the others read what caches hold.
struct plays player_call(const struct player *, double read_bytes, double written_bytes);

// Prints a line per launch, then the busiest units of the main one and what limits it.
void player_print(const struct player *, const struct plays *);

#ifdef __cplusplus
}
#endif
