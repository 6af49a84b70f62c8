#include "rules.h"

#include <algorithm>

namespace emu {

static unsigned ceil_div(unsigned n, unsigned size) { return (n + size - 1) / size; }

// Number of different values in v[0..n). Sorts only when the values do not come in order, as they do in most requests.
static unsigned distinct(uint64_t *v, unsigned n)
{
    if (!std::is_sorted(v, v + n))
        std::sort(v, v + n);
    return (unsigned)(std::unique(v, v + n) - v);
}

Cost sectors(const Request &r)
{
    constexpr unsigned SECTOR = 32;
    uint64_t touched[2 * WARP], start[WARP];
    unsigned n = 0;

    for (unsigned i = 0; i < r.lanes; i++) {
        uint64_t first = r.address[i] / SECTOR, last = (r.address[i] + r.size - 1) / SECTOR;

        start[i] = r.address[i];
        touched[n++] = first;
        if (last != first)
            touched[n++] = last;
    }
    return { distinct(touched, n), ceil_div(distinct(start, r.lanes) * r.size, SECTOR) };
}

// One pass: the lanes that shared memory looks at together. As many wavefronts as the most asked bank has different words.
static unsigned pass(const uint64_t *words, unsigned n, unsigned *different)
{
    constexpr unsigned BANKS = 32;
    uint64_t sorted[WARP];
    uint8_t depth[BANKS] = { 0 };
    unsigned deepest = 0;

    std::copy(words, words + n, sorted);
    n = distinct(sorted, n);
    for (unsigned i = 0; i < n; i++)
        deepest = std::max<unsigned>(deepest, ++depth[sorted[i] % BANKS]);
    *different += n;
    return deepest;
}

Cost wavefronts(const Request &r)
{
    constexpr unsigned WORD = 4, WAVEFRONT = 128;
    unsigned a_lane = std::max(1u, r.size / WORD);   // words
    unsigned a_pass = WARP / a_lane;                 // lanes
    unsigned units = 0, different = 0;

    for (unsigned i = 0; i < r.lanes;) {
        unsigned which = r.lane[i] / a_pass, n = 0;
        uint64_t words[WARP];

        for (; i < r.lanes && r.lane[i] / a_pass == which; i++)
            for (unsigned w = 0; w < a_lane; w++)
                words[n++] = r.address[i] / WORD + w;
        units += pass(words, n, &different);
    }
    return { units, ceil_div(different * WORD, WAVEFRONT) };
}

}
