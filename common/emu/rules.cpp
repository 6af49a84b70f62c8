#include "rules.h"

#include <algorithm>
#include <cstring>

#include "rules_parts.h"

namespace emu {

Cost sectors(const Request &r)
{
    uint64_t touched[2 * WARP], start[WARP];
    unsigned n = segments(r, 0, r.lanes, 32, touched);

    std::copy(r.address, r.address + r.lanes, start);
    return { n, ceil_div(distinct(start, r.lanes) * r.size, 32), n * 32 };
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

Cost wavefronts(const Request &r, bool)
{
    constexpr unsigned WORD = 4, WAVEFRONT = 128;
    unsigned a_lane = std::max(1u, r.size / WORD);   // words
    unsigned units = 0, different = 0;

    each_part(r, WARP / a_lane, [&](unsigned first, unsigned end) {
        uint64_t words[WARP];
        unsigned n = 0;

        for (unsigned i = first; i < end; i++)
            for (unsigned w = 0; w < a_lane; w++)
                words[n++] = r.address[i] / WORD + w;
        units += pass(words, n, &different);
    });
    return { units, ceil_div(different * WORD, WAVEFRONT), different * WORD };
}

static const Rules rules_1_0 = { "transactions", transactions_1_0, steps_1_0 }, rules_1_2 = { "transactions", transactions_1_2, steps_1_0 },
                   rules_2_0 = { "transactions", lines_2_0, steps_2_0 }, rules_3_0 = { "sectors", sectors_3_0, steps_3_0 },
                   rules_5_0 = { "sectors", sectors, wavefronts };
const Rules &rules_9_0 = rules_5_0;

static const struct {
    const char *capability;
    const Rules *rules;
} table[] = {
    { "1.0", &rules_1_0 }, { "1.1", &rules_1_0 }, { "1.2", &rules_1_2 }, { "1.3", &rules_1_2 }, { "2.0", &rules_2_0 }, { "2.1", &rules_2_0 },
    { "3.0", &rules_3_0 }, { "3.5", &rules_3_0 }, { "3.7", &rules_3_0 }, { "5.0", &rules_5_0 }, { "5.2", &rules_5_0 }, { "6.0", &rules_5_0 },
    { "6.1", &rules_5_0 }, { "7.0", &rules_5_0 }, { "7.5", &rules_5_0 }, { "8.0", &rules_5_0 }, { "8.6", &rules_5_0 }, { "8.9", &rules_5_0 },
    { "9.0", &rules_5_0 },
};
const char *const capabilities = "1.0 1.1 1.2 1.3 2.0 2.1 3.0 3.5 3.7 5.0 5.2 6.0 6.1 7.0 7.5 8.0 8.6 8.9 9.0";

const Rules *rules_of(const char *capability)
{
    for (const auto &row : table)
        if (strcmp(row.capability, capability) == 0)
            return row.rules;
    return nullptr;
}

}
