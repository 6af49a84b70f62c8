// What one call of a stage does, beyond its result: the launches that it makes and, on the CPU
// device, the memory requests that it issues. backend_gpu.c and backend_cpu.c implement this.
#ifndef BACKEND_H
#define BACKEND_H

#include "columns.h"
#include "device.h"
#include "week.h"

// One field per counter of the result table; -1: unknown.
struct counts {
#define X(name, says) double name;
    COUNTERS(X)
#undef X
};

struct facts {
    int kernels;   // launches in the call; -1: unknown
    // of the launch with the most threads, which the rest describes too; "": unknown
    char kernel[256];
    unsigned grid[3], block[3];
    int regs;            // per thread; -1: unknown
    long shared_bytes;   // per block, static and dynamic; -1: unknown
    int blocks_per_sm;   // resident, by the occupancy rules; -1: unknown
    struct counts counts;
};

static const struct facts facts_unknown = { .kernels = -1,
                                            .regs = -1,
                                            .shared_bytes = -1,
                                            .blocks_per_sm = -1,
#define X(name, says) .counts.name = -1,
                                            COUNTERS(X)
#undef X
};

// Makes one call of `stage` on these device arrays and says what it did. On a GPU the call is
// captured into a graph and not executed; on the CPU device it runs. Returns 0, or -1 with all
// fields unknown.
int backend_inspect(stage_fn *stage, const struct problem *, void *const device[], struct facts *);

// Microseconds per call when `calls` calls, the first on set[0] and so on, are replayed as one
// graph: the time without the host's part of launching them. Median of several replays; negative if
// it cannot be had, and always on the CPU device.
double backend_replay_us(stage_fn *stage, const struct problem *, void *(*set)[MAX_BUFFERS],
                         int calls);

// The SM clock of a GPU at this moment. `clock` is NULL, and then the value negative, if the driver
// does not say.
struct backend_clock;
struct backend_clock *backend_clock_open(int device);
double backend_clock_mhz(const struct backend_clock *);

// CPU device only: prints the requests of the last call by source line, whose files are relative to
// `folder`, as a table, or one line that says how to see it if it has more than `most` rows.
void backend_print_lines(const char *folder, int most);

// CPU device only: from here on, a kernel that reads this array before something is stored there
// is diagnosed.
void backend_forget(const void *device, size_t bytes);

// CPU device only: has `handler` called before a diagnosis ends the program.
void backend_on_diagnosis(void (*handler)(void *context), void *context);

// CPU device only: whether it can count by the rules of this compute capability. Returns NULL, or
// the list of those that it knows; on a GPU "".
const char *backend_rules(const char *capability);

// The CPU device has the SMs, and counts by the rules, that this problem requests from here on. A
// GPU is what it is.
void backend_set(const struct problem *);

// What the last call's global requests are counted in: "sectors", or by older rules "transactions".
const char *backend_unit(void);

#endif
