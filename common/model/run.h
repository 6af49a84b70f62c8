/* A launch that is played: its resident blocks and warps, and what is counted. */
#pragma once

#include "play.h"

struct event {
    double t;
    long order;
    struct played_warp *warp;   // issues; NULL: bytes arrive
    int unit;                   // + 1: it takes the next warp that waits
    struct played_block *block;
    double start, bytes;
    uint32_t address;
};

struct waiting {
    struct played_warp *first;
    int has_event;
};

enum { MOST_MARKS = 64 };

struct play {
    struct sm sm;
    struct event *event;
    int n_events;
    long order;
    struct played_warp **warp;
    struct played_block *block;
    int n_warps, resident, unlocked;
    struct waiting waiting[UNITS];
    unsigned cluster;
    uint64_t first_block, stride;   // the SM's blocks: one of every `stride`
    long started, most_blocks;
    double last_start, barrier_unit;
    double *end;   // when blocks ended
    int n_ended;
    long *count;                      // executions of each instruction
    const double *cycles, *latency;   // of each opcode
    double wide_cycles, wide_latency;
    // instructions issued at equal distances of time, for the rate of the second half
    double mark_t[MOST_MARKS], mark_issued[MOST_MARKS], mark_step;
    int n_marks;
};

void play_run(struct play *p, double most_issued);
void play_note(struct play *p);
void block_begin(struct play *p, struct played_block *b, uint64_t index);
double share_of_parts(const struct sm *s);
int constant_words(struct warp *w, const struct instruction *i, const struct operand *o);
double atomic_cycles(const struct request *r);
int opcode_index(const struct opcode *op);
int opcode_count(void);
const struct opcode *opcode_at(int index);
