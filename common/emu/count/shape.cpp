#include "shape.h"

namespace emu {

namespace {

// Odd random numbers, by lane.
struct Numbers {
    uint64_t of[WARP];

    constexpr Numbers() : of()
    {
        uint64_t state = 0;

        for (uint64_t &n : of) {   // splitmix64 (Steele, Lea and Flood, 2014)
            uint64_t z = state += 0x9E3779B97F4A7C15u;
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
            z = (z ^ z >> 27) * 0x94D049BB133111EBu;
            n = (z ^ z >> 31) | 1;
        }
    }
};
constexpr Numbers numbers;

}   // namespace

Shape shape_of(const Request &r)
{
    Shape s = { 0, 0 };

    // a lane that takes part adds its number, and its distance times the number
    for (unsigned i = 0; i < r.lanes; i++) {
        uint64_t distance = r.address[i] - r.address[0];

        s.hash += (distance + 0x5851F42D4C957F2Du) * numbers.of[r.lane[i]];
        s.spread |= distance;
    }
    return s;
}

}   // namespace emu
