// How the hardware serves one memory request: pure functions of the lanes' addresses, with one set
// of rules per generation of GPUs.
#ifndef EMU_RULES_H
#define EMU_RULES_H

#include "lanes/request.h"

namespace emu {

// Units needed to serve a request (sectors or wavefronts), the minimum for as many different bytes,
// and the bytes moved.
struct Cost {
    unsigned units, ideal, bytes;
};

struct Rules {
    const char *unit;   // name of the unit of global memory
    Cost (*global)(const Request &);
    // Units are wavefronts: in each, a bank serves one word.
    Cost (*shared)(const Request &, bool is_store);
};

struct CopyCost {
    Cost load, store;
};

// The rules of a compute capability, "1.0" to "9.0"; null for an unknown name.
const Rules *rules_of(const char *capability);
extern const char *const capabilities;   // all names, separated by blanks
extern const Rules &rules_9_0;

// Global memory, compute capability 5.x to 9.x: the number of different 32-byte sectors that the
// request touches. (CUDA C++ Programming Guide 11.7, K.4.2 to K.7.2; Best Practices Guide 10.2.1:
// as many 32-byte transactions as are necessary to serve the warp.)
Cost sectors(const Request &);

// Shared memory, compute capability 5.x to 9.x: 32 banks of 4 bytes. A wavefront reads or writes
// one word per bank, for any number of lanes (Guide 11.7, K.4.3). Requests of 8 bytes per lane are
// served by half-warps, of 16 bytes by quarter-warps (not in the guide; NVIDIA's forum, and
// confirmed by the profiler's counters).
Cost wavefronts_5_0(const Request &, bool is_store);
// From 7.0 on: if all lanes n and n ^ 1, or all lanes n and n ^ 2, read the same address, a read is
// served in half as many parts: 8 bytes per lane by the whole warp, 16 bytes by half-warps. An
// inactive lane agrees with any other. (NVIDIA's forum, "Unexpected shared memory bank conflict",
// for 7.x; measured on an H200 with ncu: the patterns in tests/unit_rules.cpp.) Stores of such
// lanes have not been measured; they are assumed to follow the rule for 5.x.
Cost wavefronts(const Request &, bool is_store = false);

// Wavefronts of an atomic on shared memory, of 4 or 8 bytes per lane, measured on an H200 with ncu
// (memory_l1_wavefronts_shared, which includes the loads of loops): the patterns in
// tests/unit_rules.cpp.
//
// native: in a wavefront, a bank serves one lane, so lanes that change one word are serialized.
// swap: two wavefronts for each of these. count: a wavefront serves all lanes of a word, as in a
// load. 8 bytes per lane are served by half-warps. loop: an iteration loads for all remaining
// lanes. The first remaining lane of each bank succeeds, unless one of the lower half-warp changed
// the same word. It takes two wavefronts per half-warp.
Cost atomic_wavefronts(const Request &, Atomic);

// The lanes of one side of a copy that are filled with zeros, or those that are not.
Request lanes_of(const Request &, uint32_t zeros, bool with_zeros);

// Asynchronous copies, as measured on an H200 with ncu. The same rules are assumed for 8.x.
//
// 4 and 8 bytes (LDGSTS through L1): sectors are those of a load. A wavefront reads at most one
// element from each bank of the 128-byte lines, and writes at most one to each bank of shared
// memory, for a whole warp (4 bytes) or a half-warp (8 bytes). There is no broadcast: lanes that
// copy the same element are serialized. Each wavefront serves the lanes that are the first
// remaining ones both for the bank that they read and for the bank that they write. A separate
// instruction stores the zeros.
//
// 16 bytes (LDGSTS.BYPASS, past L1): the number of sectors is the number of different pairs of a
// 128-byte line read and a 32-byte sector of shared memory written. Wavefronts are counted per pair
// of a line read and a line of shared memory written, and summed. If all that is read of a sector
// moves as whole sectors to whole sectors, each sector moves at once; otherwise each lane's 16
// bytes move separately. A wavefront reads a sector at most once. It moves only sectors whose
// positions in the two lines differ by an even number, or only those that differ by an odd number.
// Of lanes that move separately, it serves only those that move the same half of a sector to the
// same half. Lanes that fill with zeros take part with the address that they would have read.
// If all lanes fill with zeros, the copy is stored as any store is: ncu counts stages 11 to 16 of
// 03_matmul so, where all lanes would have read one address.
CopyCost copies(const CopyRequest &);

// By the rules of a compute capability. Those before 8.0 have no asynchronous copies, which are
// then counted as a load and a store.
CopyCost copies(const Rules &, const CopyRequest &);

// ---- older generations (rules_older.cpp), after the CUDA C Programming Guide 4.2, appendix F ----

// 1.0 and 1.1, per half-warp (F.3.2.1): if lane k accesses word k of 4, 8 or 16 bytes from an
// aligned address on, one transaction of 64 or 128 bytes, or two of 128. Otherwise one transaction
// of 32 bytes per lane (Guide 2.0, 5.1.2.1).
Cost transactions_1_0(const Request &);
// 1.2 and 1.3, per half-warp (F.3.2.2): the segment of the first remaining lane, of 32 (bytes), 64
// (words of 2 bytes) or 128 bytes, serves all lanes in it. It is halved as long as one half
// suffices. Repeated until no lane remains.
Cost transactions_1_2(const Request &);
// 2.x (F.4.2): lines of 128 bytes, as for loads cached in L1. Requests of 8 bytes per lane are
// split into half-warps, of 16 bytes into quarter-warps.
Cost lines_2_0(const Request &);
// 3.x (F.5.2; Guide 11.7, K.3.2: by default, global loads are not cached in L1): split as for 2.x,
// then 32-byte sectors.
Cost sectors_3_0(const Request &);

// 1.x (F.3.3): 16 banks of 4 bytes, per half-warp; wider accesses are several of 4 bytes. In each
// step, one word is broadcast to all lanes that read it, and each other bank serves one lane. The
// guide leaves open which word is broadcast. Here it is the word of the fullest bank that most
// lanes read; other banks serve the word that the fewest lanes read.
Cost steps_1_0(const Request &, bool is_store);
// 2.x (F.4.3): 32 banks; any number of lanes may access one word. 8 bytes per lane: by half-warps.
// 16 bytes: one step more than the quarter-warps need. This is read as one more per half-warp,
// because a warp's 512 bytes take four steps.
Cost steps_2_0(const Request &, bool is_store);
// 3.x in its 32-bit mode (F.5.3.2): as 2.x, and a bank also serves two words at once that are 32
// words apart in an aligned group of 64. 8 bytes per lane are one pass, 16 bytes two (measured on a
// K80: ekondis/gpumembench, issue 1).
Cost steps_3_0(const Request &, bool is_store);

}   // namespace emu

#endif
