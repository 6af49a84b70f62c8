#include "shape.h"

namespace emu {

namespace {

// Odd random numbers, by lane. Of each group of lanes, their sum, and the sum of each one times its
// index in the group.
struct Numbers {
    uint64_t of[WARP], sum[WARP / GROUP], rising[WARP / GROUP];

    constexpr Numbers() : of(), sum(), rising()
    {
        uint64_t state = 0;

        for (uint64_t &n : of) {   // splitmix64 (Steele, Lea and Flood, 2014)
            uint64_t z = state += 0x9E3779B97F4A7C15u;
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
            z = (z ^ z >> 27) * 0x94D049BB133111EBu;
            n = (z ^ z >> 31) | 1;
        }
        for (unsigned i = 0; i < WARP; i++) {
            sum[i / GROUP] += of[i];
            rising[i / GROUP] += i % GROUP * of[i];
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
        uint64_t distance = r.address[i] - r.address[0], before = distance + 0x5851F42D4C957F2Du;
        Pattern pattern = r.pattern[i / GROUP];

        s.spread |= distance;
        if (pattern == Pattern::any) {
            s.hash += before * numbers.of[r.lane[i]];
            continue;
        }
        s.hash += before * numbers.sum[i / GROUP];
        if (pattern == Pattern::row) {
            s.hash += r.size * numbers.rising[i / GROUP];
            for (unsigned k = 1; k < GROUP; k++)
                s.spread |= distance + k * r.size;
        }
        i += GROUP - 1;
    }
    return s;
}

}   // namespace emu
