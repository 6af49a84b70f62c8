/* One SM that is played: its warps issue instructions in order, its units serve them in turn. */
#pragma once

#include "numbers.h"
#include "warp.h"

// What the SM does with an instruction.
enum kind {
    KIND_OTHER,
    KIND_FMA,
    KIND_FMA_HALF,
    KIND_IMAD,
    KIND_ALU,
    KIND_XU,
    KIND_FP64,
    KIND_UNIFORM,
    KIND_CONSTANT,
    KIND_SHFL,
    KIND_MMA,
    KIND_WGMMA,
    KIND_WARPGROUP,
    KIND_BRANCH,
    KIND_EXIT,
    KIND_FENCE,
    KIND_COMMIT,
    KIND_WAIT,
    KIND_CLUSTER_ARRIVE,
    KIND_CLUSTER_WAIT,
    KIND_BARRIER,
    // with addresses
    KIND_LDS,
    KIND_STS,
    KIND_ATOMS,
    KIND_LDG,
    KIND_LDL,
    KIND_STG,
    KIND_STL,
    KIND_LDGSTS,
    KIND_ATOMG,
    KIND_TEXTURE,
    KIND_TMA_LOAD,
    KIND_TMA_STORE,
    KIND_SYNCS,
};

// Why a warp could not issue: the names are Nsight Compute's.
enum stall {
    STALL_NONE,
    STALL_LONG_SCOREBOARD,
    STALL_SHORT_SCOREBOARD,
    STALL_WAIT,
    STALL_BARRIER,
    STALL_MATH_PIPE,
    STALL_LG_THROTTLE,
    STALL_MIO_THROTTLE,
    STALL_NOT_SELECTED,
    STALL_MEMBAR,
    STALL_BRANCH,
    STALLS,
};

enum { SCHEDULERS = 4, MOST_RESIDENT = 32, NAMED_BARRIERS = 17, MOST_ASYNC = 16, MBARRIERS = 64 };

// PIPE_READ is no pipe: the reading of registers for the FMA pipe, which has two halves.
enum pipe {
    PIPE_HEAVY,
    PIPE_LITE,
    PIPE_ALU,
    PIPE_XU,
    PIPE_FP64,
    PIPE_UNIFORM,
    PIPE_TENSOR,
    PIPE_READ,
    PIPES,
};

// Where warps wait for their turn: schedulers, and the pipes of each.
enum {
    UNIT_LSU,
    UNIT_STORE,
    UNIT_TEXTURE,
    UNIT_ATOMIC,
    UNIT_ISSUE,
    UNIT_PIPE = UNIT_ISSUE + SCHEDULERS,
    UNITS = UNIT_PIPE + SCHEDULERS * PIPES,
};

struct mbarrier {
    uint32_t address;
    int count, pending, phase;
    long bytes;   // expected and not arrived
};

struct played_block {
    struct block shared;
    int alive, slot;
    int arrived[NAMED_BARRIERS];
    struct mbarrier mbarrier[MBARRIERS];
    int n_mbarriers;
    double start;
};

struct played_warp {
    struct warp w;
    struct played_block *block;
    long age;                  // of its block, then in it: the order in which warps started
    int scheduler, waits_at;   // a named barrier + 1, or an mbarrier: its index + 100
    uint32_t parity;
    double next;   // when the next instruction can issue, apart from its registers
    enum stall because;
    double since;   // in a unit's queue
    struct played_warp *behind;
    double ready[5][256];               // when a register has its value
    uint8_t from[5][256];               // the enum stall of who waits for it
    double copies, group[MOST_ASYNC];   // cp.async: the open group, and those committed
    int n_groups;
    double products, batch[MOST_ASYNC];   // wgmma, the same
    int n_batches;
    int in_use;
};

struct sector_set;   // sectors that the SM has asked L2 for
struct l1;

struct sm {
    const struct numbers *n;
    const struct model_launch *launch;
    const struct model_code *code;
    const struct model_kernel *kernel;
    double now;
    double issue[SCHEDULERS], pipe[SCHEDULERS][PIPES];
    double bank[SCHEDULERS][2];                                    // of registers
    double lsu, l2, dram, store, texture, atomic, constant, tma;   // when a unit is free
    double busy[MODEL_UNITS], work[MODEL_UNITS];
    double stalled[STALLS];
    double issued;
    double active;       // share of the SMs that have blocks
    double dram_share;   // of the sectors that are asked for the first time: those from DRAM
    double part_share;   // of the sectors that are stored: those of which a part is not
    double dram_due, load_bytes, store_bytes;
    double in_flight_until[512], in_flight;   // a ring of 512 bundles of bytes
    unsigned flight_first, flight_last;
    float in_flight_bytes[512];
    struct l1 *l1;
    struct sector_set *asked;
    double asked_first;   // sectors of loads, each once
    uint64_t invented;    // addresses of lanes whose address is not known
    long n_invented;
    int lacks_texture, has_deadlock;
    const struct model_machine *machine;
    const struct opcode *rate_of;   // the last product's rate, as it is looked up by name
    const char *rate_text;
    double rate, product_step;
};

// memory.c: each returns when the data are there, and how long the request takes in *cycles of the
// unit that it passes first.
struct request {
    uint64_t address[LANES];
    uint32_t lanes;
    int bytes;
    int is_float;   // of an atomic
};
void request_of(struct sm *s, struct warp *w, const struct instruction *i, const struct operand *o,
                struct request *r);
double shared_cycles(const struct request *r);
double global_load(struct sm *s, const struct request *r, double t, int uses_l1);
void global_store(struct sm *s, const struct request *r, double t);
double global_atomic(struct sm *s, const struct request *r, double t, int returns);
double bulk_load(struct sm *s, double bytes, double t);
void bulk_store(struct sm *s, double bytes, double t);
int memory_begin(struct sm *s, size_t l1_bytes);
void memory_end(struct sm *s);
