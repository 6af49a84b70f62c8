/* The numbers of a GPU, per SM and in cycles of its clock. docs/machine.md says what each is. */
#pragma once

#include "model.h"

enum { LOADS = 9 };

struct rate_latency {
    double cycles;   // that an instruction of a warp keeps its pipe in one scheduler busy
    double latency;
};

struct numbers {
    double sms, mhz, l1_bytes, shared_bytes, shared_block, registers, threads, blocks;
    double launch, launch_host, launch_graph, block_rate;   // us, us, us, blocks per us
    double turnover[6];                      // cycles, by warps per block: 1, 2, 4 ... 32
    double warp_start[6];                    // cycles per warp
    double branch;                           // cycles from a taken branch to the next instruction
    double lds[3], sts[3], lds_latency[3];   // of 4, 8 and 16 bytes per lane
    double atoms, atoms_latency, l1_latency;
    double l2_one, l2_all, l2_latency;   // sectors per cycle: of an SM alone, of all SMs
    double st_one, st_all, st_part_one, st_part_all;
    double dram_read, dram_write, dram_copy, dram_part;   // bytes per cycle, all SMs; sectors
    double load[LOADS], read_latency[LOADS],
        copy_latency[LOADS];   // bytes in flight per SM; cycles
    double dram_latency;
    double atomic_word, atomic_float_word, atomic_line, atomic_lines,
        atomic_latency;   // lanes per cycle
    double texture, texture_latency;
    double barrier[6], mbarrier, cluster;
    double tma[4], tma_latency;   // bytes per cycle: of an SM
    double constant, constant_latency;
    double product_mhz;        // with the tensor cores busy
    struct rate_latency *of;   // per opcode, as in the table of opcodes
};

struct model_machine {
    char name[64];   // "NVIDIA H200"
    int sm, n;
    struct {
        char *name;
        double value;
    } * number;
};

// A number of the table; `or_else` if it has none.
double machine_number(const struct model_machine *m, const char *name, double or_else);
void machine_numbers(const struct model_machine *m, struct numbers *n);
