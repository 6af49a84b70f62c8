// How the hardware serves one memory request: pure functions of the lanes' addresses.
#ifndef EMU_RULES_H
#define EMU_RULES_H

#include <cstdint>

namespace emu {

constexpr unsigned WARP = 32;

// What one memory instruction of one warp asks for: `lanes` addresses of `size` bytes each (1, 2, 4, 8 or 16), in lane order.
// lane[i] is the position in the warp of the i-th address: inactive lanes are left out.
struct Request {
    unsigned lanes;
    unsigned size;
    uint64_t address[WARP];
    uint8_t lane[WARP];
};

// What serving it takes, and the least that serving as many different bytes could take.
struct Cost {
    unsigned units, ideal;
};

// Global memory, compute capability 5.x to 9.x: the number of different 32-byte sectors that the request touches. (CUDA C++ Programming Guide
// 11.7, K.4.2 to K.7.2, and Best Practices Guide 10.2.1: as many 32-byte transactions as are necessary to serve the warp.)
Cost sectors(const Request &);

// Shared memory, compute capability 5.x to 9.x: 32 banks of 4 bytes, one different word of each bank a wavefront, any number of lanes to the
// same word at once (Guide 11.7, K.4.3). A request of 8 bytes a lane is served by half-warps, one of 16 bytes by quarter-warps (not in the
// guide; NVIDIA's forum, and confirmed by the profiler's counters).
Cost wavefronts(const Request &);

}

#endif
