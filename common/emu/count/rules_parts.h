// Building blocks for the rules of all generations.
#ifndef EMU_RULES_PARTS_H
#define EMU_RULES_PARTS_H

#include <algorithm>

#include "rules.h"

namespace emu {

constexpr unsigned WORD = 4;

inline unsigned ceil_div(unsigned n, unsigned size) { return (n + size - 1) / size; }

// Number of different values in v[0..n). Sorts v if it is not sorted; in most requests it is.
inline unsigned distinct(uint64_t *v, unsigned n)
{
    if (!std::is_sorted(v, v + n))
        std::sort(v, v + n);
    return (unsigned)(std::unique(v, v + n) - v);
}

// Writes the numbers of the different segments of `bytes` bytes that addresses first..end of a
// request touch to touched[], which needs room for two per address. Returns how many there are.
inline unsigned segments(const Request &r, unsigned first, unsigned end, unsigned bytes,
                         uint64_t *touched)
{
    unsigned n = 0;

    for (unsigned i = first; i < end; i++) {
        uint64_t low = r.address[i] / bytes, high = (r.address[i] + r.size - 1) / bytes;

        touched[n++] = low;
        if (high != low)
            touched[n++] = high;
    }
    return distinct(touched, n);
}

// Calls part(first, end) for the addresses of each group of `lanes` neighboring lanes of the warp.
template <class F> void each_part(const Request &r, unsigned lanes, F part)
{
    for (unsigned first = 0, end; first < r.lanes; first = end) {
        for (end = first; end < r.lanes && r.lane[end] / lanes == r.lane[first] / lanes; end++)
            ;
        part(first, end);
    }
}

}   // namespace emu

#endif
