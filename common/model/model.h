/* The time of a kernel launch, from its machine code and a table of machine numbers: one SM is
 * played, instruction by instruction. docs/model.md derives it and states its error.
 *
 * The machine code is the text of `nvdisasm -g` for the kernel's cubin, or a record of it
 * (record.c). Nothing is executed on memory: loads read the memory of this process where `readable`
 * allows it, stores are dropped. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct model_machine;   // one GPU: a table of common/machine/
struct model_code;      // the machine code of the kernels of one program

// Reads FOLDER/NAME.tsv, or the GPU of that name in FOLDER/datasheets.tsv ("t4", "a100",
// "rtx4090"), or the file NAME; FOLDER is common/machine. NULL if there is none.
struct model_machine *model_machine_read(const char *folder, const char *name);
int model_machine_is_measured(const struct model_machine *m);   // or from data sheets
int model_machine_sm(const struct model_machine *m);            // 90: the capability
void model_machine_free(struct model_machine *m);
const char *model_machine_name(const struct model_machine *m);   // "NVIDIA H200"

// Reads the disassembly of a program's kernels, or a record of it; NULL with a message that names
// the file.
struct model_code *model_code_read(const char *path);
void model_code_free(struct model_code *code);
// Whether machine code that is recorded is of this source file and what it includes as they are
// now.
int model_code_is_recorded(const struct model_code *code);
int model_code_is_of(const struct model_code *code, const char *source);
// The mangled name of the k-th kernel; NULL behind the last one.
const char *model_code_kernel(const struct model_code *code, int k);

struct model_launch {
    const char *kernel;   // the mangled name, as in the machine code
    // In blocks, threads, blocks; clusters are 0 if only the kernel's machine code names them.
    unsigned grid[3], block[3], cluster[3];
    size_t dynamic_shared;   // bytes
    // The arguments in the kernel's parameter space, from its first byte on.
    const unsigned char *parameters;
    size_t n_parameters;
    // Bytes that the launch must read from and write to DRAM, each once; NAN if unknown.
    double read_bytes, written_bytes;
    int follows;   // programmatic dependent launch: may start before the kernel before it ends
    // Whether [address, address + bytes) may be read; NULL if nothing may be.
    int (*readable)(const void *address, size_t bytes);
    // Bytes of the box of a tensor map at this address; NULL if tensor maps are unknown.
    size_t (*box_bytes)(const void *tensor_map);
};

enum model_unit {
    MODEL_ISSUE,
    MODEL_FMA,
    MODEL_INT,
    MODEL_XU,
    MODEL_FP64,
    MODEL_TENSOR,
    MODEL_SHARED,
    MODEL_L1,
    MODEL_TEXTURE,
    MODEL_L2,
    MODEL_DRAM,
    MODEL_ATOMIC,
    MODEL_CONSTANT,
    MODEL_BLOCKS,
    MODEL_LATENCY,
    MODEL_LAUNCH,
    MODEL_UNITS
};

struct model_time {
    double us;          // of the launch alone, without what a launch costs in a stream
    double launch_us;   // what it adds in a stream; graph_us: in a graph
    double host_us;     // what the host needs per launch: with many in a row, it may be the limit
    double graph_us;
    double unit_us[MODEL_UNITS];        // how long each unit is busy; 0: not used
    double unit_work[MODEL_UNITS];      // in unit_of[]
    enum model_unit limiter, busiest;   // busiest: also if it is not the limiter
    const char *waits;                  // what warps wait for most often: "long scoreboard"
    char why[160];                      // the limiter in words
    double instructions;                // warp instructions of the launch
    int registers, blocks_per_sm;
    int assumed_branches;   // executions of branches that depend on data that is not known
    char lacks[120];        // what the model cannot play in this kernel; empty if nothing
};

extern const char *const model_unit_name[MODEL_UNITS];   // "instruction issue"
extern const char *const model_unit_work[MODEL_UNITS];   // "warp instructions"

// The time of one launch. Returns 0, or -1 with *lacks set if the kernel is not in the code.
int model_play(const struct model_machine *m, const struct model_code *code,
               const struct model_launch *launch, struct model_time *time);

#ifdef __cplusplus
}
#endif
