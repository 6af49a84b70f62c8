/* Plays the launches that the CPU device has kept (emu_keep_arguments, emu_dry_run) on a GPU. */
#pragma once

#include "../emu/interface.h"
#include "gpu.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct player {
    struct gpu gpu;
    struct model_machine *machine;
    struct model_code *code;
    const char **kernel;   // of the code, by their mangled names
    int n_kernels;
};

// The GPU of --for. `machines` is the folder common/machine. Returns NULL, or what is wrong with
// the name.
const char *player_open(struct player *, const char *machines, const char *gpu);
// The machine code of the kernels, from a file of `nvdisasm -g`. Returns NULL, or what is wrong.
const char *player_read_code(struct player *, const char *path);

// Plays a launch. The bytes that it reads and writes once are NAN if they are not known. Returns 0,
// or -1 with time->lacks set.
int player_play(const struct player *, const struct emu_launch *, double read_bytes,
                double written_bytes, struct model_time *time);

// The launches of one call, which has no copies.
struct call_time {
    double us, graph_us;   // of all, with what launches cost in a stream, and in a graph
    int launches, main;    // how many; the longest, as an index in emu_launches(), -1: none
    struct model_time of_main;
    int assumed_branches;   // of all
    const char *lacks;      // the first thing that the model lacks; "": nothing
};

// Plays the launches since emu_reset(). Only the longest reads and writes the bytes of the problem;
// those of the others are not known.
struct call_time player_call(const struct player *, double read_bytes, double written_bytes);

#ifdef __cplusplus
}
#endif
