// The rules of compute capabilities 1.0 to 3.7. rules.h states them and their sources.
#include <algorithm>

#include "rules_parts.h"

namespace emu {

constexpr unsigned HALF = WARP / 2;

// Number of different bytes that addresses first..end request.
static unsigned different_bytes(const Request &r, unsigned first, unsigned end)
{
    uint64_t start[WARP];

    std::copy(r.address + first, r.address + end, start);
    return distinct(start, end - first) * r.size;
}

// ---- global memory ----

// Does the k-th lane of this half-warp access the k-th word from an aligned address on?
static bool in_sequence(const Request &r, unsigned first, unsigned end)
{
    unsigned segment = r.size == 4 ? 64 : 128;
    uint64_t base = r.address[first] - r.lane[first] % HALF * r.size;

    if (r.size < 4 || base % segment)
        return false;
    for (unsigned i = first; i < end; i++)
        if (r.address[i] != base + r.lane[i] % HALF * r.size)
            return false;
    return true;
}

Cost transactions_1_0(const Request &r)
{
    unsigned segment = r.size <= 4 ? 64 : 128;
    Cost cost = { 0, 0, 0 };

    each_part(r, HALF, [&](unsigned first, unsigned end) {
        bool is_coalesced = in_sequence(r, first, end);
        unsigned n = !is_coalesced ? end - first : r.size == 16 ? 2 : 1;

        cost.units += n;
        cost.bytes += n * (is_coalesced ? segment : 32);
        cost.ideal += ceil_div(different_bytes(r, first, end), segment);
    });
    return cost;
}

// Size of the transaction for the lanes of `set` in one segment: halved as long as one half
// contains all of them.
static unsigned shrunk(const Request &r, unsigned set, unsigned segment)
{
    for (; segment > 32; segment /= 2) {
        uint64_t half = 0;
        bool is_first = true;

        for (unsigned left = set; left; left &= left - 1) {
            uint64_t low = r.address[__builtin_ctz(left)] / (segment / 2);

            if (!is_first && low != half)
                return segment;
            half = low;
            is_first = false;
        }
    }
    return segment;
}

Cost transactions_1_2(const Request &r)
{
    unsigned segment = r.size == 1 ? 32 : r.size == 2 ? 64 : 128;
    Cost cost = { 0, 0, 0 };

    each_part(r, HALF, [&](unsigned first, unsigned end) {
        for (unsigned left = (unsigned)((1ull << end) - (1ull << first)); left;) {
            uint64_t which = r.address[__builtin_ctz(left)] / segment;
            unsigned set = 0;

            for (unsigned l = left; l; l &= l - 1)
                if (r.address[__builtin_ctz(l)] / segment == which)
                    set |= l & -l;
            left &= ~set;
            cost.units++;
            cost.bytes += shrunk(r, set, segment);
        }
        cost.ideal += ceil_div(different_bytes(r, first, end), segment);
    });
    return cost;
}

// Counts segments of `bytes` bytes, after wide requests are split into parts of at most 128 bytes.
static Cost split(const Request &r, unsigned bytes)
{
    Cost cost = { 0, 0, 0 };

    each_part(r, r.size <= 4 ? WARP : 128 / r.size, [&](unsigned first, unsigned end) {
        uint64_t touched[2 * WARP];
        unsigned n = segments(r, first, end, bytes, touched);

        cost.units += n;
        cost.bytes += n * bytes;
        cost.ideal += ceil_div(different_bytes(r, first, end), bytes);
    });
    return cost;
}

Cost lines_2_0(const Request &r) { return split(r, 128); }
Cost sectors_3_0(const Request &r) { return split(r, 32); }

// ---- shared memory ----

// One step of 16 banks for the lanes in `left`. Returns the lanes that are served. want[lane] is
// the lane's word.
static unsigned step_1_0(const uint64_t *want, unsigned left)
{
    constexpr unsigned BANKS = 16;
    unsigned in_bank[BANKS] = { 0 }, broadcast = 0, served = 0;
    auto same_word = [&](unsigned lane) {
        unsigned set = 0;
        for (unsigned l = left; l; l &= l - 1)
            if (want[__builtin_ctz(l)] == want[lane])
                set |= l & -l;
        return set;
    };

    for (unsigned l = left; l; l &= l - 1)
        in_bank[want[__builtin_ctz(l)] % BANKS]++;
    unsigned fullest = (unsigned)(std::max_element(in_bank, in_bank + BANKS) - in_bank);
    for (unsigned bank = 0; bank < BANKS; bank++) {
        unsigned most = 0, fewest = ~0u;

        for (unsigned l = left; l; l &= l - 1) {
            unsigned lane = __builtin_ctz(l);

            if (want[lane] % BANKS != bank)
                continue;
            unsigned set = same_word(lane);
            if (__builtin_popcount(set) > __builtin_popcount(most))
                most = set;
            if (fewest == ~0u || __builtin_popcount(set) < __builtin_popcount(fewest))
                fewest = set;
        }
        if (bank == fullest)
            broadcast = most;
        else if (fewest != ~0u)
            served |= fewest & -fewest;
    }
    return served | broadcast;
}

Cost steps_1_0(const Request &r, bool is_store)
{
    unsigned a_lane = std::max(1u, r.size / WORD);   // accesses of at most 4 bytes
    Cost cost = { 0, 0, 0 };

    for (unsigned w = 0; w < a_lane; w++)
        each_part(r, HALF, [&](unsigned first, unsigned end) {
            uint64_t place[WARP], word[WARP];
            unsigned n = end - first, steps = 0;

            for (unsigned i = 0; i < n; i++)
                place[i] = r.address[first + i] + w * WORD;
            // Of several stores to one address only one takes place, and a bank accepts one store
            // per step.
            if (is_store)
                n = distinct(place, n);
            for (unsigned i = 0; i < n; i++)
                word[i] = place[i] / WORD;
            if (is_store) {
                unsigned in_bank[16] = { 0 };

                for (unsigned i = 0; i < n; i++)
                    steps = std::max(steps, ++in_bank[word[i] % 16]);
            } else
                for (unsigned left = (1u << n) - 1; left; steps++)
                    left &= ~step_1_0(word, left);
            cost.units += steps;
            n = distinct(word, n);
            cost.ideal += ceil_div(n, 16);
            cost.bytes += n * WORD;
        });
    return cost;
}

// Steps of 32 banks for addresses first..end. A bank serves the words of one aligned group of `row`
// words together.
static unsigned steps_of(const Request &r, unsigned first, unsigned end, unsigned row,
                         unsigned *different)
{
    unsigned n = 0, deepest = 0, in_bank[32] = { 0 };
    uint64_t words[4 * WARP], last[32];

    for (unsigned i = first; i < end; i++)
        for (unsigned w = 0; w < std::max(1u, r.size / WORD); w++)
            words[n++] = r.address[i] / WORD + w;
    n = distinct(words, n);
    *different += n;
    for (unsigned i = 0; i < n; i++) {
        unsigned bank = words[i] % 32;

        if (!in_bank[bank] || words[i] / row != last[bank])
            deepest = std::max(deepest, ++in_bank[bank]);
        last[bank] = words[i] / row;
    }
    return deepest;
}

Cost steps_2_0(const Request &r, bool)
{
    unsigned units = 0, different = 0, ideal = 0;

    each_part(r, r.size <= 4 ? WARP : HALF, [&](unsigned first, unsigned end) {
        if (r.size < 16) {
            units += steps_of(r, first, end, 1, &different);
            return;
        }
        unsigned middle = first, deepest = 0;
        while (middle < end && r.lane[middle] / 8 == r.lane[first] / 8)
            middle++;
        deepest = steps_of(r, first, middle, 1, &different);
        if (middle < end)
            deepest = std::max(deepest, steps_of(r, middle, end, 1, &different));
        units += 1 + deepest;
    });
    ideal = ceil_div(different * WORD, 128);
    return { units, ideal, different * WORD };
}

Cost steps_3_0(const Request &r, bool)
{
    unsigned units = 0, different = 0;

    each_part(r, r.size < 16 ? WARP : HALF, [&](unsigned first, unsigned end) {
        units += steps_of(r, first, end, 64, &different);
    });
    return { units, ceil_div(different * WORD, 256), different * WORD };
}

}   // namespace emu
