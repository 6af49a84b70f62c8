// The access rules against the examples of NVIDIA's guides.
// Links: common/emu/rules.cpp
#include "../common/emu/rules.h"

#include <cstdio>
#include <functional>

using namespace emu;

static int tests, failed;

static void is(const char *what, Cost got, unsigned units, unsigned ideal)
{
    bool ok = got.units == units && got.ideal == ideal;

    printf("%sok %d - %s\n", ok ? "" : "not ", ++tests, what);
    if (!ok) {
        printf("# got %u (ideal %u), want %u (ideal %u)\n", got.units, got.ideal, units, ideal);
        failed++;
    }
}

// A request of `size` bytes a lane; where(lane) is its address in words of that size.
static Request request(unsigned size, std::function<uint64_t(unsigned)> where, unsigned first = 0, unsigned end = WARP)
{
    Request r = { 0, size, { 0 }, { 0 } };

    for (unsigned lane = first; lane < end; lane++) {
        r.address[r.lanes] = 4096 + where(lane) * size;
        r.lane[r.lanes++] = lane;
    }
    return r;
}

int main()
{
    // CUDA C Programming Guide 3.2, figure G-1, last row (32-byte transactions); Best Practices Guide 10.2.1.
    is("aligned and sequential: 4 sectors", sectors(request(4, [](unsigned l) { return l; })), 4, 4);
    is("aligned and permuted: 4 sectors", sectors(request(4, [](unsigned l) { return l ^ 5; })), 4, 4);
    is("shifted by one word: 5 sectors", sectors(request(4, [](unsigned l) { return l + 1; })), 5, 4);
    is("stride 2: 8 sectors", sectors(request(4, [](unsigned l) { return 2 * l; })), 8, 4);
    is("stride 32: one sector a lane", sectors(request(4, [](unsigned l) { return 32 * l; })), 32, 4);
    is("all lanes at one word: 1 sector", sectors(request(4, [](unsigned) { return 7; })), 1, 1);
    is("16 bytes a lane: 16 sectors", sectors(request(16, [](unsigned l) { return l; })), 16, 16);
    is("8 bytes a lane: 8 sectors", sectors(request(8, [](unsigned l) { return l; })), 8, 8);
    is("bytes: 1 sector", sectors(request(1, [](unsigned l) { return l; })), 1, 1);
    is("one lane: 1 sector", sectors(request(4, [](unsigned l) { return l; }, 31)), 1, 1);
    is("no order at all: counted once each", sectors(request(4, [](unsigned l) { return (l * 7) % 32 * 8; })), 32, 4);

    // Guide 11.7, K.4.3 and figure 20 of the older guides: strides 1, 2, 3; broadcast; random permutation.
    is("banks, stride 1: no conflict", wavefronts(request(4, [](unsigned l) { return l; })), 1, 1);
    is("banks, stride 2: two ways", wavefronts(request(4, [](unsigned l) { return 2 * l; })), 2, 1);
    is("banks, stride 3: no conflict", wavefronts(request(4, [](unsigned l) { return 3 * l; })), 1, 1);
    is("banks, stride 32: 32 ways", wavefronts(request(4, [](unsigned l) { return 32 * l; })), 32, 1);
    is("banks, stride 33: no conflict", wavefronts(request(4, [](unsigned l) { return 33 * l; })), 1, 1);
    is("banks, permuted: no conflict", wavefronts(request(4, [](unsigned l) { return l ^ 21; })), 1, 1);
    is("banks, lanes 3, 4, 6, 7 and 9 at one word: no conflict",
       wavefronts(request(4, [](unsigned l) { return l == 3 || l == 4 || l == 6 || l == 7 || l == 9 ? 5 : l; })), 1, 1);
    is("banks, all at one word: broadcast", wavefronts(request(4, [](unsigned) { return 7; })), 1, 1);
    is("banks, two words of one bank: two wavefronts", wavefronts(request(4, [](unsigned l) { return l % 2 * 32; })), 2, 1);
    is("banks, bytes of one word: no conflict", wavefronts(request(1, [](unsigned l) { return l; })), 1, 1);
    is("banks, 8 bytes a lane: two half-warps", wavefronts(request(8, [](unsigned l) { return l; })), 2, 2);
    is("banks, 16 bytes a lane: four quarter-warps", wavefronts(request(16, [](unsigned l) { return l; })), 4, 4);
    is("banks, 16 bytes a lane, reversed: four", wavefronts(request(16, [](unsigned l) { return 31 - l; })), 4, 4);
    is("banks, 16 bytes a lane, stride 8: 8 ways in each quarter", wavefronts(request(16, [](unsigned l) { return 8 * l; })), 32, 4);
    is("banks, only lanes 8 to 15 of 16 bytes: one wavefront", wavefronts(request(16, [](unsigned l) { return l; }, 8, 16)), 1, 1);

    printf("1..%d\n", tests);
    return failed != 0;
}
