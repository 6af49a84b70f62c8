// The CPU device's own interface, beside the CUDA runtime that it implements: what was counted, and
// how the program hears of a diagnosis.
#ifndef EMU_H
#define EMU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Counts of all launches since emu_reset(). A request is one memory instruction of one warp,
// whatever number of its lanes take part.
struct emu_counts {
    // global memory, 32-byte sectors, or what emu_unit() says
    uint64_t ld_requests, ld_sectors;
    uint64_t st_requests, st_sectors;
    uint64_t ld_bytes, st_bytes;   // that those move
    uint64_t tex_requests, atomic_requests;
    // loads and stores together, with loads merged as nvcc and ptxas merge them for sm_90
    uint64_t shared_requests, shared_wavefronts;
    uint64_t shared_requests_source, shared_wavefronts_source;   // as the source has them
    uint64_t barriers;   // __syncthreads(), counted once a warp
    // lanes that took part, summed over loads and stores
    uint64_t lanes;
};

enum emu_kind { EMU_LD, EMU_ST, EMU_ATOMIC, EMU_SHARED_LD, EMU_SHARED_ST, EMU_TEX };

// The requests of one kind that one source line made.
struct emu_line {
    const char *file;
    int line;
    enum emu_kind kind;
    uint64_t requests;
    // sectors, or wavefronts for shared memory; 0 for textures from arrays, whose order is not
    // known
    uint64_t units;
    uint64_t ideal;   // the fewest units that could move the same bytes
    uint64_t bytes;   // that the units move
    uint64_t lanes;   // lanes that took part, summed over the requests
};

struct emu_launch {
    const char *kernel;   // as written in the source
    unsigned grid[3], block[3];
    size_t static_shared, dynamic_shared;   // bytes a block
};

// Chooses by whose rules requests are counted from the next launch on: a compute capability, "1.0"
// to "9.0", which it is at the start. NULL; or, of a name that it does not know, all that it does,
// with blanks between.
const char *emu_rules(const char *capability);

// What these rules count global memory in: "sectors" of 32 bytes (3.0 and later) or "transactions"
// (1.x: of 32 to 128 bytes, 2.x: of 128).
const char *emu_unit(void);

// The number of SMs that the device reports from here on; 0: 2, as at the start. Blocks run on the
// machine's cores, whatever it is.
void emu_sms(int number);

void emu_reset(void);
void emu_totals(struct emu_counts *);

// Both return a count and point *out at an array that lives until the next launch or emu_reset().
int emu_lines(const struct emu_line **out);        // sorted by file, line, kind
int emu_launches(const struct emu_launch **out);   // in order

// Takes what a device array holds for something that nothing wrote: a kernel that reads it before
// it is stored to is diagnosed.
void emu_forget(const void *device, size_t bytes);

// Called once before a diagnosis ends the program with status 1, after it was printed to stderr: a
// harness notes its row here.
void emu_on_diagnosis(void (*handler)(void));

#ifdef __cplusplus
}
#endif

#endif
