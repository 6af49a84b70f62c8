/* Reading machine code: what the readers of its two forms share, `nvdisasm -g` and records. */
#pragma once

#include "code.h"

struct label {
    char *name;
    int at;
};

struct reader {
    struct model_code *code;
    struct model_kernel *kernel;   // that the lines belong to; NULL between kernels
    int line;                      // of the source, and its file
    const char *file;
    // of nvdisasm
    struct label *label;
    int n_labels;
    char *shared, *info, *register_name;   // kernels whose numbers come next
    char note[32];
    int n_numbers;
    // of a record
    const char *file_before;
    int is_record, line_before, n_text, same;
    char **text;       // of all instructions before
    char opcode[64];   // of the instruction before
};

// The kernel of this name, which is added if it is new.
struct model_kernel *kernel_of(struct model_code *code, const char *name, size_t length);
const char *file_named(struct model_code *code, const char *name, size_t length);
// Adds an instruction to the kernel: its text without address and semicolon.
void add_instruction(struct reader *r, const char *text);
void end_kernel(struct reader *r);

// record.c
int is_record(const char *first_line);
void record_read_line(struct reader *r, char *line);
