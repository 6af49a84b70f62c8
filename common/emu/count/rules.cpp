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

constexpr unsigned BANKS = 32;
// Words per pass at most: 16 lanes of 16 bytes.
constexpr unsigned WORDS = 2 * BANKS;

// One pass: lanes that shared memory serves together. It takes as many wavefronts as the most
// requested bank has different words.
static unsigned pass(const uint64_t *words, unsigned n, unsigned *different)
{
    uint64_t sorted[WORDS];
    uint8_t depth[BANKS] = { 0 };
    unsigned deepest = 0;

    std::copy(words, words + n, sorted);
    n = distinct(sorted, n);
    for (unsigned i = 0; i < n; i++)
        deepest = std::max<unsigned>(deepest, ++depth[sorted[i] % BANKS]);
    *different += n;
    return deepest;
}

// A request that is served in passes of `lanes` neighboring lanes.
static Cost passes(const Request &r, unsigned lanes)
{
    unsigned a_lane = std::max(1u, r.size / WORD);   // words per lane
    unsigned units = 0, different = 0;

    each_part(r, lanes, [&](unsigned first, unsigned end) {
        uint64_t words[WORDS];
        unsigned n = 0;

        for (unsigned i = first; i < end; i++)
            for (unsigned w = 0; w < a_lane; w++)
                words[n++] = r.address[i] / WORD + w;
        units += pass(words, n, &different);
    });
    return { units, ceil_div(different * WORD, BANKS * WORD), different * WORD };
}

static unsigned lanes_a_pass(const Request &r) { return BANKS * WORD / std::max(WORD, r.size); }

Cost wavefronts_5_0(const Request &r, bool) { return passes(r, lanes_a_pass(r)); }

// Do all lanes n and n ^ apart have the same address? An inactive lane agrees with any other: so
// NVIDIA's forum says for 7.x ("for all active threads"), and so it was measured for 9.0.
static bool pairs_agree(const Request &r, unsigned apart)
{
    uint64_t address[WARP];
    uint32_t active = 0;

    for (unsigned i = 0; i < r.lanes; i++) {
        address[r.lane[i]] = r.address[i];
        active |= 1u << r.lane[i];
    }
    for (unsigned i = 0; i < r.lanes; i++) {
        unsigned other = r.lane[i] ^ apart;

        if (active >> other & 1 && address[other] != r.address[i])
            return false;
    }
    return true;
}

Cost wavefronts(const Request &r, bool is_store)
{
    bool is_merged = r.size > WORD && !is_store && (pairs_agree(r, 1) || pairs_agree(r, 2));

    return passes(r, (is_merged ? 2 : 1) * lanes_a_pass(r));
}

// The most lanes for which one bank has to serve a word, summed over parts of the warp: each lane
// separately.
static unsigned lanes_per_bank(const Request &r)
{
    unsigned units = 0, banks = BANKS * WORD / r.size;

    each_part(r, banks, [&](unsigned first, unsigned end) {
        uint8_t depth[BANKS] = { 0 };
        unsigned deepest = 0;

        for (unsigned i = first; i < end; i++)
            deepest = std::max<unsigned>(deepest, ++depth[r.address[i] / r.size % banks]);
        units += deepest;
    });
    return units;
}

// Removes the lanes of `r` whose compare-and-swap succeeds in an iteration. Returns the number of
// parts of the warp that take part.
static unsigned remove_winners(Request *r)
{
    unsigned banks = BANKS * WORD / r->size, parts = 0;
    bool wins[WARP] = { false };

    each_part(*r, banks, [&](unsigned first, unsigned end) {
        uint32_t taken = 0;

        parts++;
        for (unsigned i = first; i < end; i++) {
            uint32_t bank = 1u << r->address[i] / r->size % banks;

            wins[i] = !(taken & bank);
            taken |= bank;
            for (unsigned k = 0; k < first; k++)
                wins[i] &= !(wins[k] && r->address[k] == r->address[i]);
        }
    });
    unsigned left = 0;
    for (unsigned i = 0; i < r->lanes; i++)
        if (!wins[i]) {
            r->address[left] = r->address[i];
            r->lane[left++] = r->lane[i];
        }
    r->lanes = left;
    return parts;
}

Cost atomic_wavefronts(const Request &r, Atomic how)
{
    Cost cost = wavefronts(r);

    if (r.size < WORD || how == Atomic::count)
        return cost;
    if (how != Atomic::loop) {
        cost.units = lanes_per_bank(r) * (how == Atomic::swap ? 2 : 1);
        return cost;
    }
    cost.units = 0;
    for (Request left = r; left.lanes;) {
        cost.units += wavefronts(left).units;
        cost.units += 2 * remove_winners(&left);
    }
    return cost;
}

static const Rules rules_1_0 = { "transactions", transactions_1_0, steps_1_0 },
                   rules_1_2 = { "transactions", transactions_1_2, steps_1_0 },
                   rules_2_0 = { "transactions", lines_2_0, steps_2_0 },
                   rules_3_0 = { "sectors", sectors_3_0, steps_3_0 },
                   rules_5_0 = { "sectors", sectors, wavefronts_5_0 },
                   rules_7_0 = { "sectors", sectors, wavefronts };
const Rules &rules_9_0 = rules_7_0;

static const struct {
    const char *capability;
    const Rules *rules;
} table[] = {
    { "1.0", &rules_1_0 }, { "1.1", &rules_1_0 }, { "1.2", &rules_1_2 }, { "1.3", &rules_1_2 },
    { "2.0", &rules_2_0 }, { "2.1", &rules_2_0 }, { "3.0", &rules_3_0 }, { "3.5", &rules_3_0 },
    { "3.7", &rules_3_0 }, { "5.0", &rules_5_0 }, { "5.2", &rules_5_0 }, { "6.0", &rules_5_0 },
    { "6.1", &rules_5_0 }, { "7.0", &rules_7_0 }, { "7.5", &rules_7_0 }, { "8.0", &rules_7_0 },
    { "8.6", &rules_7_0 }, { "8.9", &rules_7_0 }, { "9.0", &rules_7_0 },
};
const char *const capabilities =
    "1.0 1.1 1.2 1.3 2.0 2.1 3.0 3.5 3.7 5.0 5.2 6.0 6.1 7.0 7.5 8.0 8.6 8.9 9.0";

const Rules *rules_of(const char *capability)
{
    for (const auto &row : table)
        if (strcmp(row.capability, capability) == 0)
            return row.rules;
    return nullptr;
}

}   // namespace emu
