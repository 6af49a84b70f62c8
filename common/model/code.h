/* Machine code as the model reads it: the instructions of a kernel, with their operands, the
 * registers that they read and write, and the source line of each. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "model.h"

enum {
    MOST_OPERANDS = 9,
    MOST_READS = 12,
    MOST_WRITES = 8,
    ZERO_REGISTER = 255,   // RZ; URZ, too
    TRUE_PREDICATE = 7,    // PT, UPT
};

enum operand_kind {
    OPERAND_NONE,
    OPERAND_REGISTER,
    OPERAND_UNIFORM,   // a uniform register, one value per warp
    OPERAND_PREDICATE,
    OPERAND_UNIFORM_PREDICATE,
    OPERAND_IMMEDIATE,
    OPERAND_CONSTANT,   // c[bank][offset], with a register if reg is not RZ
    OPERAND_ADDRESS,    // [register + uniform register + offset]
    OPERAND_BARRIER,    // B0 of BSSY
    OPERAND_SPECIAL,    // SR_TID.X
    OPERAND_OTHER,
};

enum special {
    SPECIAL_TID_X,
    SPECIAL_TID_Y,
    SPECIAL_TID_Z,
    SPECIAL_CTAID_X,
    SPECIAL_CTAID_Y,
    SPECIAL_CTAID_Z,
    SPECIAL_LANE,
    SPECIAL_ZERO,
    SPECIAL_CLUSTER_RANK,
    SPECIAL_OTHER,
};

struct operand {
    uint8_t kind, reg, ureg, bank;
    uint8_t negative, absolute, inverted, wide, half, byte, has_reuse;
    uint32_t value;   // an immediate, an enum special
    int32_t offset;
    double number;   // an immediate, as a number
};

// What the suffixes of an opcode say, as bits.
enum flag {
    FLAG_WIDE = 1 << 0,
    FLAG_HI = 1 << 1,
    FLAG_X = 1 << 2,
    FLAG_UNSIGNED = 1 << 3,
    FLAG_EX = 1 << 4,
    FLAG_RIGHT = 1 << 5,
    FLAG_U64 = 1 << 6,
    FLAG_S64 = 1 << 7,
    FLAG_SX32 = 1 << 8,
    FLAG_WRAP = 1 << 9,
    FLAG_OR = 1 << 10,
    FLAG_XOR = 1 << 11,
    FLAG_STRONG = 1 << 12,
    FLAG_F64 = 1 << 13,
    FLAG_MOV = 1 << 14,
    FLAG_BYPASS = 1 << 15,
    FLAG_MULTICAST = 1 << 16,
    FLAG_RED = 1 << 17,
    FLAG_SHIFT_ONLY = 1 << 18,
    FLAG_PHASE = 1 << 19,
    FLAG_EXCHANGE = 1 << 20,
    FLAG_ARRIVE = 1 << 21,
    FLAG_A0T1 = 1 << 22,
    FLAG_A1T0 = 1 << 23,
    FLAG_SIGNED = 1 << 24,
    FLAG_CEIL = 1 << 25,
    FLAG_FLOOR = 1 << 26,
    FLAG_DEPBAR = 1 << 27,
    FLAG_ALL = 1 << 28,
    FLAG_GPU = 1 << 29,
};

enum comparison {
    COMPARE_F,
    COMPARE_LT,
    COMPARE_EQ,
    COMPARE_LE,
    COMPARE_GT,
    COMPARE_NE,
    COMPARE_GE,
    COMPARE_T,
};

struct instruction;
struct warp;

struct opcode {
    const char *name;
    void (*run)(struct warp *w, const struct instruction *i);   // NULL: the results are unknown
    uint8_t kind;         // enum kind of play.h: what the SM does with it
    uint8_t results;      // operands that it writes, beginning with the first
    const char *number;   // of the machine table: NUMBER.rate and NUMBER.latency
};

struct registers {
    uint8_t file, first, count;   // of OPERAND_REGISTER and so on; a range
};

enum flow {
    FLOW_NEXT,
    FLOW_BRANCH,
    FLOW_EXIT,
    FLOW_CALL,
    FLOW_RETURN,
    FLOW_BSSY,
    FLOW_BREAK,
    FLOW_BSYNC,
};

// A request as it was executed, of an estimated instruction.
struct recorded {
    uint64_t address[32];
    uint32_t lanes;
    int bytes;
};

struct instruction {
    const struct opcode *op;
    uint8_t flow;   // enum flow: where it goes next
    uint32_t flags;
    uint8_t comparison, bytes, n_operands, n_results, n_reads, n_writes;
    uint8_t is_needed;    // a branch, an address or a predicate depends on the result
    uint8_t of_bank[2];   // registers that it reads of each bank
    uint8_t mode;         // SHFL, MUFU, VOTE and others: which
    uint8_t is_unknown;   // the opcode is not in the table
    uint16_t shape[3];    // M, N and K of a product of tensor cores; its sources' bits in mode
    struct operand guard, operand[MOST_OPERANDS];
    struct registers reads[MOST_READS], writes[MOST_WRITES];
    int target;   // of a branch: an index
    int line;
    unsigned address;
    const char *file;
    char text[24];   // the opcode with its suffixes
    char *source;    // all of it
    // Of an estimated instruction: its request; of an asynchronous copy also that of its load.
    struct recorded *recorded[2];
};

struct model_kernel {
    char *name;
    struct instruction *instruction;
    int n, registers;   // per thread, as allocated
    int highest;        // register that is used, + 1: more than allocated with setmaxnreg
    size_t static_shared;
    unsigned cluster[3];   // 0: the launch says
    unsigned parameters;   // where the constant bank has them
    int needs_shared_data, has_unknown;
    // of an estimated kernel:
    int *start;          // where each warp starts; else NULL
    double unrecorded;   // events of its block over those that were recorded
    double longer;       // instructions of a block over those that it has
    double products;     // of floats, by all warps of a block
};

struct model_code {
    struct model_kernel *kernel;
    int n, sm;   // 90
    char **file;
    int n_files;
    uint64_t words;   // of a record: those of the source files (words_of_source); else 0
};

const struct model_kernel *code_find(const struct model_code *code, const char *name);

// record.c: machine code in a short form
uint64_t words_of_source(const char *path);
void record_write(const struct model_code *code, const char *source, FILE *to);
// opcodes.c
const struct opcode *opcode_named(const char *name);
// decode.c: one instruction, from its text without address and semicolon
void instruction_decode(struct instruction *i, const char *text);
// needs.c: which results decide about the path and the addresses
void kernel_find_needs(struct model_kernel *k);
