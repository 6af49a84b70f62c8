// What one call of a stage did, beyond its result: the launches it made and, on the CPU device, the
// memory requests it issued.
#ifndef BACKEND_H
#define BACKEND_H

#include "week.h"

// Counts are sums over all kernels of the call, a request being one instruction of one warp.
// Unknown ones are -1.
struct counts {
    // global memory; a sector is 32 bytes, or what backend_unit() says
    double ld_requests, ld_sectors;
    double st_requests, st_sectors;
    double ld_bytes, st_bytes;   // that those move
    double tex_requests, atomic_requests;
    // loads and stores; a wavefront is what shared memory serves in one cycle
    double shared_requests, shared_wavefronts;
    double barriers;       // __syncthreads(), once a warp
    double active_lanes;   // mean number of lanes in a memory request
};

struct facts {
    int kernels;   // launches in the call; -1 unknown
    // of the launch with most threads; the rest describes it too. "" unknown
    char kernel[256];
    unsigned grid[3], block[3];
    int regs;            // a thread; -1 unknown
    long shared_bytes;   // static and dynamic, a block; -1 unknown
    int blocks_per_sm;   // resident by the occupancy rules; -1 unknown
    struct counts counts;
};

// Makes one call of `stage` on these device arrays and says what it did. On a GPU the call is
// captured into a graph and not executed; on the CPU device it runs. Returns 0, or -1 where nothing
// could be learned (all fields unknown).
int backend_inspect(stage_fn *stage, const struct problem *, void *const device[], struct facts *);

// Microseconds a call when `calls` calls, the first on set[0] and so on, are replayed as one graph:
// what they take without the host's part in launching them. Median of several replays; negative
// where that cannot be had, and always on the CPU device.
double backend_replay_us(stage_fn *stage, const struct problem *, void *(*set)[MAX_BUFFERS],
                         int calls);

// CPU device only: prints the requests of that call by source line, as a table, or one line that
// says how to see it where it has more than `most` rows. Nothing on a GPU.
void backend_print_lines(int most);

// CPU device only: from now on, a kernel that reads this array before something is stored there is
// diagnosed. Nothing on a GPU.
void backend_forget(const void *device, size_t bytes);

// CPU device only: has `handler` called before a diagnosis ends the program. Nothing on a GPU.
void backend_on_diagnosis(void (*handler)(void));

// CPU device only: whether it can count by the rules of this compute capability. Returns NULL, or
// the list of those that it knows; on a GPU "".
const char *backend_rules(const char *capability);

// What the last call's global requests are counted in: "sectors", or by older rules "transactions".
const char *backend_unit(void);

// 1 in a program that is built for the CPU device, else 0.
extern const int on_cpu_device;

#endif
