// How the hardware serves one memory request: pure functions of the lanes' addresses, one set of
// rules for each generation of GPUs.
#ifndef EMU_RULES_H
#define EMU_RULES_H

#include <cstdint>

namespace emu {

constexpr unsigned WARP = 32;

// What one memory instruction of one warp asks for: `lanes` addresses of `size` bytes each (1, 2,
// 4, 8 or 16), in lane order. lane[i] is the position in the warp of the i-th address: inactive
// lanes are left out.
struct Request {
    unsigned lanes;
    unsigned size;
    uint64_t address[WARP];
    uint8_t lane[WARP];
};

// Asynchronous copies of one warp from global to shared memory, `size` bytes per lane in both: from
// the i-th address of `from` to the i-th of `to`. Bit i of `zeros`: that one reads nothing and
// fills its place with zeros.
struct CopyRequest {
    Request from, to;
    uint32_t zeros;
};

// What serving it takes, the least that serving as many different bytes could take, and the bytes
// that are moved for it.
struct Cost {
    unsigned units, ideal, bytes;
};

struct Rules {
    const char *unit;   // of global memory
    Cost (*global)(const Request &);
    // units are steps in which each bank serves one word
    Cost (*shared)(const Request &, bool is_store);
};

struct CopyCost {
    Cost load, store;
};

// The rules of a compute capability, "1.0" to "9.0"; null if there are none of that name.
const Rules *rules_of(const char *capability);
extern const char *const capabilities;   // all names, with blanks between
extern const Rules &rules_9_0;

// Global memory, compute capability 5.x to 9.x: the number of different 32-byte sectors that the
// request touches. (CUDA C++ Programming Guide 11.7, K.4.2 to K.7.2, and Best Practices
// Guide 10.2.1: as many 32-byte transactions as are necessary to serve the warp.)
Cost sectors(const Request &);

// Shared memory, compute capability 5.x to 9.x: 32 banks of 4 bytes, one different word of each
// bank a wavefront, any number of lanes to the same word at once (Guide 11.7, K.4.3). A request of
// 8 bytes a lane is served by half-warps, one of 16 bytes by quarter-warps (not in the guide;
// NVIDIA's forum, and confirmed by the profiler's counters).
Cost wavefronts_5_0(const Request &, bool is_store);
// From 7.0 on, where all lanes n and n ^ 1 read the same, or all lanes n and n ^ 2, a read is
// served in half as many parts: 8 bytes a lane by the whole warp, 16 bytes by half-warps. An
// inactive lane agrees with any other. (NVIDIA's forum, "Unexpected shared memory bank conflict",
// for 7.x; measured on an H200 with ncu: the patterns in tests/unit_rules.cpp.) Stores are assumed
// to be served as before: of them nothing is known.
Cost wavefronts(const Request &, bool is_store = false);

// Asynchronous copies, measured on an H200 with ncu; 8.x is taken to be the same.
//
// 4 and 8 bytes (LDGSTS through L1): sectors are those of a load. A wavefront reads at most one
// element of each bank of the 128-byte lines and writes at most one of each bank of shared memory,
// for a whole warp (4 bytes) or a half-warp (8). Nothing is broadcast: lanes that copy the same
// element take turns. In each wavefront go those lanes that are the first that is left both for
// their bank to read and for their bank to write. Zeros are stored by an instruction of their own.
//
// 16 bytes (LDGSTS.BYPASS, past L1): sectors are the different pairs of a 128-byte line that is
// read and a 32-byte sector of shared memory that is written. Wavefronts are those of each pair of
// a line that is read and one of shared memory that is written, added up. Where all that is read of
// a sector goes in whole sectors to whole sectors, each is moved at once, else each lane's 16 bytes
// by themselves. One wavefront reads from a sector once, and moves only sectors of which the
// numbers in their lines differ by even distances, or only by odd ones; of lanes by themselves,
// those that move the same half of a sector to the same half. Lanes that fill with zeros take part
// by the address that they would have read; if all lanes do, they are stored as by any store (so
// ncu counts stages 11 to 16 of 03_matmul, where they would all have read one address).
CopyCost copies(const CopyRequest &);

// By the rules of a compute capability. Those before 8.0 have no asynchronous copies: there they
// count as a load and a store.
CopyCost copies(const Rules &, const CopyRequest &);

// ---- older generations (rules_older.cpp), after the CUDA C Programming Guide 4.2, appendix F ----

// 1.0 and 1.1, by half-warps (F.3.2.1): the k-th lane at the k-th word of 4, 8 or 16 bytes from an
// aligned address on is one transaction of 64 or 128 bytes, or two of 128. All else is one of 32
// bytes for each lane (Guide 2.0, 5.1.2.1).
Cost transactions_1_0(const Request &);
// 1.2 and 1.3, by half-warps (F.3.2.2): of the first lane left, the segment of 32 (bytes), 64
// (words of 2 bytes) or 128 bytes with all lanes in it, halved as long as one half is enough.
Cost transactions_1_2(const Request &);
// 2.x (F.4.2): lines of 128 bytes, as for loads that L1 caches; requests of 8 bytes a lane are
// split into half-warps, of 16 into quarter-warps.
Cost lines_2_0(const Request &);
// 3.x (F.5.2; Guide 11.7, K.3.2: global loads are normally not cached in L1): split like 2.x, then
// 32-byte sectors.
Cost sectors_3_0(const Request &);

// 1.x (F.3.3): 16 banks of 4 bytes, by half-warps; wider accesses are several of 4 bytes. In each
// step one word is broadcast to all lanes that read it, and each other bank serves one lane. Which
// word is broadcast the guide leaves open: here it is that of the fullest bank which most lanes
// want, and other banks serve the word that fewest want.
Cost steps_1_0(const Request &, bool is_store);
// 2.x (F.4.3): 32 banks, any number of lanes to one word. 8 bytes a lane by half-warps. 16 bytes: a
// step more than the quarter-warps need, which is read here as one for each half-warp, because a
// warp's 512 bytes take four steps.
Cost steps_2_0(const Request &, bool is_store);
// 3.x in its 32-bit mode (F.5.3.2): as 2.x, and of a bank also two words at once that are 32 apart
// in an aligned 64. 8 bytes a lane are one pass, 16 bytes two (measured on a K80:
// ekondis/gpumembench, issue 1).
Cost steps_3_0(const Request &, bool is_store);

}   // namespace emu

#endif
