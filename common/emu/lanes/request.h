// Requests of a warp.
#ifndef EMU_REQUEST_H
#define EMU_REQUEST_H

#include <cstdint>

namespace emu {

constexpr unsigned WARP = 32;

// One memory instruction of one warp: `lanes` addresses of `size` bytes each (1, 2, 4, 8 or 16), in
// lane order. lane[i] is the position in the warp of the i-th address; inactive lanes have no
// entry.
struct Request {
    unsigned lanes;
    unsigned size;
    uint64_t address[WARP];
    uint8_t lane[WARP];
};

// Asynchronous copies of one warp from global to shared memory, of `size` bytes per lane: from the
// i-th address of `from` to the i-th of `to`. Bit i of `zeros`: copy i reads nothing and fills its
// target with zeros.
struct CopyRequest {
    Request from, to;
    uint32_t zeros;
};

// How a GPU of compute capability 9.0 executes an atomic on shared memory: in one instruction
// (native), as a compare-and-swap, by counting the lanes that add 1 to a word, or in a loop of a
// load and a compare-and-swap. overwrite: an exchange whose result is not used, in one instruction;
// it reads nothing.
enum class Atomic : uint8_t { native, overwrite, swap, count, loop };

}   // namespace emu

#endif
