// Lower bound of a call's time, from counts and from the rates of the GPU that timed it:
//
//   bandwidth    bytes of the problem / peak bandwidth of DRAM; cold calls only
//   arithmetic   operations of the problem / measured peak of the stage's arithmetic (roof)
//   L1           (shared wavefronts + load sectors / 4) / (SMs * clock): per cycle an SM does one
//                wavefront of shared memory, or reads 128 bytes, 4 sectors, from L1
//   stores       store sectors / (2 * SMs * clock): an SM sends L2 64 bytes, 2 sectors, per cycle
//   tensor       clocks of products of warpgroups at the full rate / (SMs * clock)
//   bulk copies  sectors that they read / (2 * SMs * clock): L2 sends an SM 64 bytes per cycle. A
//                multicast is counted once
//   launch       the shortest time that was recorded on this GPU
//
// A term whose counts or rates are not recorded is 0. The tests show that no recorded time is below
// its bound. Not modeled: latency, occupancy, instruction issue, L2, textures.
//
// Counts are taken at the size of the timed row. Counts at another size are scaled with the work,
// the product of the sides, if each side is a multiple of the counted one and the counts are known
// to be proportional to the work:
//   - each block does the same work at both sizes: one launch of the same kernel, with a number of
//     blocks proportional to the work; or
//   - the counter was recorded at two sizes whose blocks do different work, and is proportional. If
//     the shared wavefronts are proportional, so are the loads that fill shared memory.
//
// Sources: a wavefront is what L1 serves in one cycle (NVIDIA developer forum, thread 165293), at
// most 32 banks of 4 bytes (CUDA C++ Programming Guide, compute capability 5.0 and later). 2
// sectors per cycle, stored or copied, are an assumption. No recorded time contradicts it or comes
// near it.
#ifndef BOUND_H
#define BOUND_H

#include "select.h"

#ifdef __cplusplus
extern "C" {
#endif

enum bound_term {
    BOUND_LAUNCH,
    BOUND_BANDWIDTH,
    BOUND_ARITHMETIC,
    BOUND_WAVEFRONTS,   // L1, with more wavefronts than load cycles
    BOUND_LOADS,        // L1, with more load cycles than wavefronts
    BOUND_STORES,
    BOUND_TENSOR,   // products of warpgroups; their clocks are computed, not measured
    BOUND_BULK,     // bulk copies
    BOUND_TERMS
};

struct bound {
    double us;              // microseconds; NaN: nothing is known
    enum bound_term term;   // the largest term
};

// "shared-memory wavefronts", and in one word: "wavefronts".
extern const char *const bound_says[BOUND_TERMS], *const bound_word[BOUND_TERMS];
extern const char bound_lacks[];   // what is not modeled

// What bounds the times of one GPU.
struct rates {
    double launch_us, sms, mhz, peak_gbs;   // NaN: no row has it
    struct rows counts[2], roofs;           // correct counts of this device and of the CPU device
};

// The rates of this device, from rows that the caller keeps.
struct rates rates_of(const struct table *, const char *device);

// The bound of a timed row of this device. Its counts are those of the device or, without them, of
// the CPU device.
struct bound bound_of(const struct rates *, const struct row *timed);

// The time of a timed row that no program can beat: the longer one of the terms bandwidth and
// arithmetic, microseconds; NaN if neither is known.
double limit_us(const struct rates *, const struct row *timed);

// Whether a row has a time of a stage or reference.
int row_is_timed(const struct row *);

// Appends the recorded runs of recorded_files().
void recorded_read(struct table *, const char *weeks, const char *device, const char *pattern);

#ifdef __cplusplus
}
#endif

#endif
