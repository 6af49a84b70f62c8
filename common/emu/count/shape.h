// The shape of a request: which lanes take part, and how far their addresses are from the first
// one. Requests that a kernel repeats at other addresses have one shape, so what a shape costs is
// computed once.
#ifndef EMU_SHAPE_H
#define EMU_SHAPE_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules.h"

namespace emu {

struct Shape {
    // Equal for equal shapes. Different shapes have the same hash with a probability of 2^-64.
    uint64_t hash;
    uint64_t spread;   // bits in which any distance from the first address is not 0
};

Shape shape_of(const Request &);

// Do all lanes have the same address modulo a power of two?
inline bool agrees(const Shape &s, unsigned bytes) { return (s.spread & (bytes - 1)) == 0; }

// The costs of the shapes that a worker has met last. They depend on the rules and on the first
// address modulo `period`.
class Costs {
  public:
    // `which` distinguishes kinds of requests: a number below 4.
    template <class F>
    const Cost &of(const Rules &by, const Shape &shape, const Request &r, unsigned which,
                   unsigned period, F compute)
    {
        if (table.empty())
            table.resize(SIZE);
        uint64_t place = (r.address[0] % period * 32 + r.size) * 4 + which;
        uint64_t key = (shape.hash ^ place ^ (uintptr_t)&by << 20) * MULTIPLIER;
        Known &k = table[key >> 52];

        if (k.key != key || !k.is_known)
            k = { key, compute(), true };
        return k.cost;
    }

  private:
    static constexpr size_t SIZE = 1 << 12;   // as assumed by the shift above
    static constexpr uint64_t MULTIPLIER = 0x9E3779B97F4A7C15u;
    struct Known {
        uint64_t key;
        Cost cost;
        bool is_known;
    };
    std::vector<Known> table;
};

}   // namespace emu

#endif
