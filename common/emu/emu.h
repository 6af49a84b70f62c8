// The CPU device's own interface, in addition to the CUDA runtime API: reads the counts, selects
// the counting rules, and registers a handler for diagnoses.
#ifndef EMU_H
#define EMU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Counts of all launches since emu_reset(). A request is one memory instruction of one warp,
// regardless of the number of active lanes.
struct emu_counts {
    // Global memory. Sectors are 32-byte sectors, or the unit that emu_unit() returns.
    uint64_t ld_requests, ld_sectors;
    uint64_t st_requests, st_sectors;
    uint64_t ld_bytes, st_bytes;   // bytes moved by these
    uint64_t tex_requests, atomic_requests;
    // Loads and stores, with loads merged as nvcc and ptxas merge them for sm_90.
    uint64_t shared_requests, shared_wavefronts;
    uint64_t shared_requests_source, shared_wavefronts_source;   // without merging
    uint64_t barriers;   // __syncthreads(), counted once per warp
    // active lanes, summed over loads and stores
    uint64_t lanes;
};

enum emu_kind {
    EMU_LD,
    EMU_ST,
    EMU_ATOMIC,
    EMU_SHARED_LD,
    EMU_SHARED_ST,
    EMU_SHARED_ATOMIC,
    EMU_TEX
};

// The requests of one kind that one source line issued.
struct emu_line {
    const char *file;
    int line;
    enum emu_kind kind;
    uint64_t requests;
    // Sectors; wavefronts for shared memory; 0 for textures over arrays, whose layout is not known.
    uint64_t units;
    uint64_t ideal;   // the minimum number of units for the same bytes
    uint64_t bytes;   // bytes moved by the units
    uint64_t lanes;   // active lanes, summed over the requests
};

struct emu_launch {
    const char *kernel;   // as written in the source
    unsigned grid[3], block[3];
    size_t static_shared, dynamic_shared;   // bytes per block
};

// Selects the compute capability by whose rules requests are counted from the next launch on: "1.0"
// to "9.0". The default is "9.0". Returns NULL, or for an unknown name the known ones, separated by
// blanks; the rules then stay as they are.
const char *emu_rules(const char *capability);

// The unit in which these rules count global memory: "sectors" of 32 bytes (3.0 and later) or
// "transactions" (1.x: 32 to 128 bytes; 2.x: 128 bytes).
const char *emu_unit(void);

// Sets the number of SMs that the device reports. 0: the default, 2. It does not affect the number
// of worker threads.
void emu_sms(int number);

void emu_reset(void);
void emu_totals(struct emu_counts *);

// Both return the number of elements and point *out at an array that lives until the next launch or
// emu_reset().
int emu_lines(const struct emu_line **out);        // sorted by file, line, kind
int emu_launches(const struct emu_launch **out);   // in launch order

// Marks a device array as uninitialized: a kernel that reads it before a store to it is diagnosed.
void emu_forget(const void *device, size_t bytes);

// Registers a function that is called once, after a diagnosis was printed to stderr and before it
// ends the program with status 1. A harness can record its result there.
void emu_on_diagnosis(void (*handler)(void));

#ifdef __cplusplus
}
#endif

#endif
