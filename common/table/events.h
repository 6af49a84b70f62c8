// What one block of a kernel did on the CPU device, one event of one warp per row: the files that
// --lanes and --trace write, and that `ladder figure` draws. Fields are separated by tabs. '#'
// lines about the run and a header come first.
#ifndef EVENTS_H
#define EVENTS_H

#include <stdio.h>

#include "table.h"

// X(column, its meaning), in the order of the file. All fields are text; "": not for this kind.
#define EVENT_COLUMNS(X)                                                                           \
    X(event, "position in the order of execution; requests of one copy have the same, and so "     \
             "have the warps of a barrier")                                                        \
    X(launch, "number of the launch in the call of the stage, from 1")                             \
    X(kernel, "")                                                                                  \
    X(block, "x,y,z")                                                                              \
    X(warp, "")                                                                                    \
    X(file, "")                                                                                    \
    X(line, "")                                                                                    \
    X(kind, "one of EVENT_KINDS")                                                                  \
    X(nth, "the number of the warp's events of this line and kind, up to this one")                \
    X(lanes, "active lanes")                                                                       \
    X(size, "bytes per lane; of a bulk copy or an operand, all bytes")                             \
    X(units, "sectors or wavefronts; for textures of unknown layout, 0")                           \
    X(ideal, "the least units for the same bytes")                                                 \
    X(unit, "sectors, wavefronts; by older rules: transactions")                                   \
    X(group, "copy: the thread's commit group that it belongs to, from 1; commit: the group that " \
             "it closes; wait: groups that are complete; bulk copies, landed: the number of the "  \
             "copy; operands: of the product in its warpgroup; wgmma wait: products that are "     \
             "complete; arrive, phase, blocked, resumed: the phase, from 0")                       \
    X(object, "the mbarrier")                                                                      \
    X(bytes,                                                                                       \
      "in a file of --lanes, the first byte of each of the 32 lanes, relative to the "             \
      "lowest sector or the lowest 128 bytes of shared memory; '-': inactive. Of a bulk "          \
      "copy or an operand, ROW/BYTE/AT for the 16-byte pieces of the first rows: row, byte "       \
      "in the row, address; '-': outside of the tensor")                                           \
    X(text, "the source line")

struct event {
#define X(name, says) const char *name;
    EVENT_COLUMNS(X)
#undef X
};

// X(KIND, word)
#define EVENT_KINDS(X)                       \
    X(LOAD, "load")                          \
    X(STORE, "store")                        \
    X(ATOMIC, "atomic")                      \
    X(TEXTURE, "texture")                    \
    X(SHARED_LOAD, "shared load")            \
    X(SHARED_STORE, "shared store")          \
    X(SHARED_ATOMIC, "shared atomic")        \
    X(COPY_LOAD, "copy from global")         \
    X(COPY_STORE, "copy to shared")          \
    X(BULK_LOAD, "bulk load")                \
    X(BULK_FILL, "bulk load to shared")      \
    X(BULK_STORE, "bulk store")              \
    X(BULK_SOURCE, "bulk store from shared") \
    X(OPERAND_A, "operand A")                \
    X(OPERAND_B, "operand B")                \
    X(COMMIT, "commit")                      \
    X(WAIT, "wait")                          \
    X(EXCHANGE, "exchange")                  \
    X(SYNCWARP, "syncwarp")                  \
    X(BARRIER, "barrier")                    \
    X(DONE, "landed")                        \
    X(PRODUCTS_DONE, "wgmma wait")           \
    X(INIT, "init")                          \
    X(ARRIVE, "arrive")                      \
    X(PHASE, "phase")                        \
    X(BLOCKED, "blocked")                    \
    X(RESUMED, "resumed")

enum event_kind {
#define X(name, word) EVENT_##name,
    EVENT_KINDS(X)
#undef X
        N_EVENT_KINDS
};

const char *event_word(enum event_kind);
// N_EVENT_KINDS for any other word.
enum event_kind event_kind_of(const char *word);
static inline int event_is_request(enum event_kind kind) { return kind <= EVENT_OPERAND_B; }
// A bulk copy or an operand of a product: a box of rows.
static inline int event_is_box(enum event_kind kind)
{
    return kind >= EVENT_BULK_LOAD && kind <= EVENT_OPERAND_B;
}
static inline int event_is_shared(enum event_kind kind)
{
    return (kind >= EVENT_SHARED_LOAD && kind <= EVENT_SHARED_ATOMIC) || kind == EVENT_COPY_STORE ||
           kind == EVENT_BULK_FILL || (kind >= EVENT_BULK_SOURCE && kind <= EVENT_OPERAND_B);
}

struct events {
    struct event *row;
    size_t n;
    struct table notes;   // its notes are those of the file
};

// The columns, with a line end.
const char *events_header(void);
void event_write(const struct event *, FILE *);

// Reads a file. Returns 0, TABLE_NO_FILE if it cannot be read (errno says why), or TABLE_BAD if its
// header lacks a column. Memory is kept until the program ends.
int events_read(struct events *, const char *path);

#endif
