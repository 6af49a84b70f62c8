// Requests of a warp.
#ifndef EMU_REQUEST_H
#define EMU_REQUEST_H

#include <cstdint>

namespace emu {

constexpr unsigned WARP = 32;

// How the addresses of GROUP lanes lie: all are equal, or each follows the one before. What a
// request needs is then computed once per group.
enum class Pattern : uint8_t { any, same, row };
constexpr unsigned GROUP = 8;

// One memory instruction of one warp: `lanes` addresses of `size` bytes each (1, 2, 4, 8 or 16), in
// lane order. lane[i] is the position in the warp of the i-th address; inactive lanes have no
// entry.
struct Request {
    unsigned lanes;
    unsigned size;
    uint64_t address[WARP];
    uint8_t lane[WARP];
    Pattern pattern[WARP / GROUP] = {};   // of a request of all lanes
};

// Finds the patterns of a request of all lanes.
inline void find_patterns(Request &r)
{
    for (unsigned g = 0; g < WARP / GROUP; g++) {
        const uint64_t *address = r.address + g * GROUP;
        uint64_t step = address[1] - address[0], differ = 0;

        for (unsigned i = 1; i < GROUP; i++)
            differ |= (address[i] - address[i - 1]) ^ step;
        r.pattern[g] = differ || (step && step != r.size) ? Pattern::any
                     : step                               ? Pattern::row
                                                          : Pattern::same;
    }
}

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
