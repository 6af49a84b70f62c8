// The access rules, compared with examples in NVIDIA's guides and with measurements.
// Links: common/emu/count/rules.cpp common/emu/count/rules_copies.cpp
// Links: common/emu/count/rules_older.cpp
#include "../common/emu/count/rules.h"

#include <cstdio>
#include <functional>
#include <sstream>
#include <string>

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

// Checks the number of transactions and of the bytes that they move.
static void moves(const char *what, Cost got, unsigned units, unsigned bytes)
{
    bool ok = got.units == units && got.bytes == bytes;

    printf("%sok %d - %s\n", ok ? "" : "not ", ++tests, what);
    if (!ok) {
        printf("# got %u of %u bytes, want %u of %u\n", got.units, got.bytes, units, bytes);
        failed++;
    }
}

// A request of `size` bytes per lane; where(lane) is the address of a lane, in words of that size.
static Request request(unsigned size, std::function<uint64_t(unsigned)> where, unsigned first = 0,
                       unsigned end = WARP)
{
    Request r = { 0, size, { 0 }, { 0 } };

    for (unsigned lane = first; lane < end; lane++) {
        r.address[r.lanes] = 4096 + where(lane) * size;
        r.lane[r.lanes++] = lane;
    }
    return r;
}

static Cost steps(const char *capability, const Request &r, bool is_store = false)
{
    return rules_of(capability)->shared(r, is_store);
}
static Cost global(const char *capability, const Request &r)
{
    return rules_of(capability)->global(r);
}

// A request with only those lanes for which keep() is true.
static Request some(Request r, std::function<bool(unsigned)> keep)
{
    unsigned n = 0;

    for (unsigned i = 0; i < r.lanes; i++)
        if (keep(r.lane[i])) {
            r.address[n] = r.address[i];
            r.lane[n++] = r.lane[i];
        }
    r.lanes = n;
    return r;
}

// Access patterns: the word that lane l accesses.
static uint64_t in_order(unsigned l) { return l; }
static uint64_t shifted(unsigned l) { return l + 1; }
static uint64_t permuted(unsigned l) { return l == 3 ? 4 : l == 4 ? 3 : l; }
static std::function<uint64_t(unsigned)> stride(unsigned n)
{
    return [n](unsigned l) { return n * l; };
}

// Guide 3.2, figure G-1; 4.2, figure F-1: 32 lanes of 4 bytes.
static void global_figures()
{
    moves("1.0, aligned and sequential: two of 64 bytes", global("1.0", request(4, in_order)), 2,
          128);
    moves("1.1, one half-warp permuted, the other not: 16 of 32 bytes and one of 64",
          global("1.1", request(4, permuted)), 17, 576);
    moves("1.0, aligned and permuted: 32 of 32 bytes",
          global("1.0", request(4, [](unsigned l) { return l ^ 1; })), 32, 1024);
    moves("1.1, shifted by one word: 32 of 32 bytes", global("1.1", request(4, shifted)), 32, 1024);
    moves("1.2, aligned and sequential: two of 64 bytes", global("1.2", request(4, in_order)), 2,
          128);
    moves("1.3, aligned and permuted: two of 64 bytes",
          global("1.3", request(4, [](unsigned l) { return l ^ 1; })), 2, 128);
    moves("1.2, shifted by one word: one of 128, one of 64, one of 32 bytes",
          global("1.2", request(4, shifted)), 3, 224);
    moves("2.0, aligned and sequential: one line", global("2.0", request(4, in_order)), 1, 128);
    moves("2.1, aligned and permuted: one line", global("2.1", request(4, permuted)), 1, 128);
    moves("2.0, shifted by one word: two lines", global("2.0", request(4, shifted)), 2, 256);
    moves("3.5, aligned and sequential: four sectors", global("3.5", request(4, in_order)), 4, 128);
    moves("3.5, shifted by one word: five sectors", global("3.5", request(4, shifted)), 5, 160);
}

// The other rules of 4.2, F.3.2.1, also in slides of 2009 ("Convolution Soup"): words of 8 and 16
// bytes, inactive lanes.
static void global_1_0()
{
    moves("1.0, 8 bytes per lane: one of 128 bytes per half-warp",
          global("1.0", request(8, in_order)), 2, 256);
    moves("1.0, 16 bytes per lane: two of 128 bytes per half-warp",
          global("1.0", request(16, in_order)), 4, 512);
    moves("1.0, 16 bytes per lane, from a multiple of 128 that is not one of 256",
          global("1.0", request(16, [](unsigned l) { return l + 8; })), 4, 512);
    moves("1.0, 16 bytes per lane, from a multiple of 64",
          global("1.0", request(16, [](unsigned l) { return l + 4; })), 32, 1024);
    moves("1.0, 2 bytes per lane: never coalesced", global("1.0", request(2, in_order)), 32, 1024);
    moves("1.0, bytes: never coalesced", global("1.1", request(1, in_order)), 32, 1024);
    moves("1.0, some lanes do not take part",
          global("1.0", some(request(4, in_order), [](unsigned l) { return l % 5; })), 2, 128);
    moves("1.0, the first lanes do not take part", global("1.0", request(4, in_order, 20)), 1, 64);
    moves("1.0, some lanes of a shifted request: one for each",
          global("1.0", some(request(4, shifted), [](unsigned l) { return l % 2; })), 16, 512);
    moves("1.0, all lanes at one word: one for each",
          global("1.0", request(4, [](unsigned) { return 0; })), 32, 1024);
    is("1.0: at best one of 64 bytes per half-warp", global("1.0", request(4, shifted)), 32, 2);
}

// 4.2, F.3.2.2; the slides: "1 transaction - 64B segment", "2 transactions - 64B and 32B segments";
// the Best Practices Guide 4.2, on misaligned half-warps.
static void global_1_2()
{
    moves("1.2, bytes: one of 32 per half-warp", global("1.2", request(1, in_order, 0, 16)), 1, 32);
    moves("1.2, 2 bytes per lane: one of 32 per half-warp",
          global("1.2", request(2, in_order, 0, 16)), 1, 32);
    moves("1.2, 2 bytes per lane, across the middle of 64: one of 64",
          global("1.2", request(
                            2, [](unsigned l) { return l + 8; }, 0, 16)),
          1, 64);
    moves("1.2, 16 bytes per lane: two of 128 per half-warp",
          global("1.2", request(16, in_order, 0, 16)), 2, 256);
    moves("1.2, a half-warp anywhere within 128 bytes: one of 128",
          global("1.2", request(
                            4, [](unsigned l) { return l + 9; }, 0, 16)),
          1, 128);
    moves("1.2, a half-warp across two segments: one of 64, one of 32",
          global("1.2", request(
                            4, [](unsigned l) { return l + 20; }, 0, 16)),
          2, 96);
    moves("1.2, all lanes at one word: one of 32",
          global("1.2", request(
                            4, [](unsigned) { return 9; }, 0, 16)),
          1, 32);
    moves("1.2, stride 2: one of 128 per half-warp", global("1.2", request(4, stride(2))), 2, 256);
    moves("1.2, stride 32: one of 32 for each lane", global("1.2", request(4, stride(32))), 32,
          1024);
}

// 4.2, F.4.2.
static void global_2_0_and_later()
{
    moves("2.0, 8 bytes per lane: a line for each half-warp", global("2.0", request(8, in_order)),
          2, 256);
    moves("2.0, 16 bytes per lane: a line for each quarter-warp",
          global("2.0", request(16, in_order)), 4, 512);
    moves("2.0, 8 bytes per lane, all lanes at one address: the line twice",
          global("2.0", request(8, [](unsigned) { return 0; })), 2, 256);
    moves("2.0, stride 32: a line for each lane", global("2.0", request(4, stride(32))), 32, 4096);
    moves("3.0, 16 bytes per lane, all lanes at one address: the sector four times",
          global("3.0", request(16, [](unsigned) { return 0; })), 4, 128);
    moves("5.2, the same: once", global("5.2", request(16, [](unsigned) { return 0; })), 1, 32);
}

// 4.2, F.3.3.1 and figure F-2; the slides: strides 1, 2 and 8, and a permutation. A warp needs the
// steps of two half-warps.
static void shared_1_x_strides()
{
    is("1.x, stride 1: no conflict", steps("1.0", request(4, in_order)), 2, 2);
    is("1.x, permuted: no conflict", steps("1.3", request(4, [](unsigned l) { return l ^ 13; })), 2,
       2);
    is("1.x, stride 2: 2-way conflict", steps("1.0", request(4, stride(2))), 4, 2);
    is("1.x, stride 3: no conflict", steps("1.0", request(4, stride(3))), 2, 2);
    is("1.x, stride 8: 8-way conflict", steps("1.1", request(4, stride(8))), 16, 2);
    is("1.x, stride 16, a column of a 16-word tile: 16-way conflict",
       steps("1.0", request(4, stride(16))), 32, 2);
    is("1.x, stride 17: no conflict", steps("1.0", request(4, stride(17))), 2, 2);
}

// 4.2, F.3.3.2.
static void shared_1_x_broadcasts()
{
    is("1.x, all lanes at one word: broadcast",
       steps("1.0", request(4, [](unsigned) { return 5; })), 2, 2);
    is("1.x, lanes 3, 4, 6, 7 and 9 at one word: no conflict if that word is broadcast",
       steps("1.0",
             request(
                 4,
                 [](unsigned l) { return l == 3 || l == 4 || l == 6 || l == 7 || l == 9 ? 5 : l; },
                 0, 16)),
       1, 1);
    is("1.x, two words for eight lanes each: one broadcast per step",
       steps("1.0", request(
                        4, [](unsigned l) { return l % 2; }, 0, 16)),
       2, 1);
    is("1.x, two words of one bank for eight lanes each: two broadcasts",
       steps("1.0", request(
                        4, [](unsigned l) { return l % 2 * 16; }, 0, 16)),
       2, 1);
    is("2.x, two words for 16 lanes each: no conflict",
       steps("2.0", request(4, [](unsigned l) { return l % 2; })), 1, 1);
}

static void shared_1_x_sizes()
{
    // 4.2, F.3.3.3: the four bytes of a word are in one bank.
    is("1.x, bytes: 4-way conflict", steps("1.0", request(1, in_order, 0, 16)), 4, 1);
    is("1.x, bytes 4 apart: no conflict", steps("1.0", request(1, stride(4), 0, 16)), 1, 1);
    is("1.x, bytes stored: 4-way conflict", steps("1.0", request(1, in_order, 0, 16), true), 4, 1);
    is("1.x, 2 bytes: 2-way conflict", steps("1.0", request(2, in_order, 0, 16)), 2, 1);
    is("2.x, bytes: no conflict", steps("2.0", request(1, in_order)), 1, 1);
    // F.3.3.4: doubles are two requests with a stride of two.
    is("1.x, 8 bytes per lane: two requests, 2-way conflict",
       steps("1.0", request(8, in_order, 0, 16)), 4, 2);
    is("1.x, 16 bytes per lane: four requests, 4-way conflict",
       steps("1.0", request(16, in_order, 0, 16)), 16, 4);
    is("1.x, all lanes store to one word: one does",
       steps("1.0",
             request(
                 4, [](unsigned) { return 5; }, 0, 16),
             true),
       1, 1);
}

// 4.2, F.4.3.
static void shared_2_x()
{
    is("2.x, stride 2: 2-way conflict", steps("2.0", request(4, stride(2))), 2, 1);
    is("2.x, stride 3: no conflict", steps("2.0", request(4, stride(3))), 1, 1);
    is("2.x, stride 16: 16-way conflict", steps("2.1", request(4, stride(16))), 16, 1);
    is("2.x, 8 bytes per lane: no conflict", steps("2.0", request(8, in_order)), 2, 2);
    is("2.x, 8 bytes per lane, stride 2: 2-way conflict", steps("2.0", request(8, stride(2))), 4,
       2);
    is("2.x, 16 bytes per lane: 2-way conflict in each half-warp",
       steps("2.0", request(16, in_order)), 4, 4);
    is("2.x, 16 bytes per lane, stride 2: 3-way conflict", steps("2.0", request(16, stride(2))), 6,
       4);
}

// 4.2, F.5.3.2, figure F-2.
static void shared_3_x()
{
    is("3.x, stride 2: no conflict", steps("3.0", request(4, stride(2))), 1, 1);
    is("3.x, stride 3: no conflict", steps("3.0", request(4, stride(3))), 1, 1);
    is("3.x, stride 4: 2-way conflict", steps("3.0", request(4, stride(4))), 2, 1);
    is("3.x, words 32 apart in an aligned 64: no conflict",
       steps("3.5", request(4, [](unsigned l) { return l % 2 * 32; })), 1, 1);
    is("3.x, words 32 apart across two: 2-way conflict",
       steps("3.5", request(4, [](unsigned l) { return 32 + l % 2 * 32; })), 2, 1);
    // nvprof on a K80 (ekondis/gpumembench, issue 1): transactions per request 1, 1, 2.
    is("3.7, 8 bytes per lane: one", steps("3.7", request(8, in_order)), 1, 1);
    is("3.7, 16 bytes per lane: two", steps("3.7", request(16, in_order)), 2, 2);
}

// A pattern: lane l reads piece at(l). Measured wavefronts for pieces of 16, 8 and 4 bytes.
struct AccessPattern {
    const char *what;
    uint64_t (*at)(unsigned lane);
    unsigned wavefronts[3];
};
#define READS(piece, ...)                                      \
    {                                                          \
#piece, [](unsigned l) -> uint64_t { (void)l; return piece; }, \
        {                                                      \
            __VA_ARGS__                                        \
        }                                                      \
    }

// Measured on an H200 with ncu (l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum): one warp
// that reads once.
static const AccessPattern measured[] = {
    READS(l, 4, 2, 1),
    READS(l / 2, 2, 1, 1),
    READS(l / 4, 2, 1, 1),
    READS(l / 8, 2, 1, 1),
    READS(l / 16, 2, 1, 1),
    READS(0, 2, 1, 1),
    READS(l % 2, 2, 1, 1),
    READS(l % 4, 4, 2, 1),
    READS(l % 8, 4, 2, 1),
    READS(l % 16, 4, 2, 1),
    READS(l / 4 * 2 + l % 2, 2, 1, 1),
    READS(l / 8 * 4 + l % 4, 4, 2, 1),
    READS(l / 16 * 8 + l % 8, 4, 2, 1),
    READS(l / 8 * 2 + l % 2, 2, 1, 1),
    READS(l % 2 * 4 + l / 8, 2, 1, 1),
    READS(l / 2 % 4, 2, 1, 1),
    READS(l / 4 ^ l % 4, 4, 2, 1),
    READS(2 * l, 8, 4, 2),
    READS(4 * l, 16, 8, 4),
    READS(8 * l, 32, 16, 8),
    READS(l ^ 1, 4, 2, 1),
    READS(31 - l, 4, 2, 1),
    READS(5 * l % 32, 4, 2, 1),
    READS(l / 2 * 2, 4, 2, 1),
    READS(l / 2 * 8, 16, 8, 4),
    READS(l % 8 * 8, 32, 8, 2),
    READS(l < 16 ? l : 0, 4, 2, 1),   // the agreement of one half is not enough
    READS(l < 8 ? l : 7, 4, 2, 1),
};

// Patterns in which only some lanes read: which ones, and wavefronts for pieces of 16 and 8 bytes.
struct Masked {
    AccessPattern pattern;
    struct {
        uint32_t lanes;
        unsigned wavefronts[2];
    } of[8];
};
static const Masked measured_masked[] = {
    { READS(l),
      { { 0xffff, { 2, 1 } },
        { 0x55555555, { 4, 2 } },
        { 0x33333333, { 4, 2 } },
        { 0x0f0f0f0f, { 4, 2 } },
        { 0xff, { 1, 1 } },
        { 0xfffffffe, { 4, 2 } },
        { 0x00ff00ff, { 2, 2 } },
        { 1, { 1, 1 } } } },
    { READS(l / 2),
      { { 0xffff, { 1, 1 } },
        { 0x55555555, { 2, 1 } },
        { 0x33333333, { 2, 1 } },
        { 0x0f0f0f0f, { 2, 1 } },
        { 0xff, { 1, 1 } },
        { 0xfffffffe, { 2, 1 } },
        { 0x00ff00ff, { 2, 1 } },
        { 1, { 1, 1 } } } },
    { READS(l / 4 * 2 + l % 2),
      { { 0xffff, { 1, 1 } },
        { 0x55555555, { 2, 1 } },
        { 0x33333333, { 2, 1 } },
        { 0x0f0f0f0f, { 2, 1 } },
        { 0xff, { 1, 1 } },
        { 0xfffffffe, { 2, 1 } },
        { 0x00ff00ff, { 2, 1 } },
        { 1, { 1, 1 } } } },
    { READS(l / 8 * 4 + l % 4),
      { { 0xffff, { 2, 1 } },
        { 0x55555555, { 2, 1 } },
        { 0x33333333, { 2, 1 } },
        { 0x0f0f0f0f, { 4, 2 } },
        { 0xff, { 1, 1 } },
        { 0xfffffffe, { 4, 2 } },
        { 0x00ff00ff, { 2, 2 } },
        { 1, { 1, 1 } } } },
};

static void reads(unsigned size, const AccessPattern &p, uint32_t lanes, unsigned want)
{
    Request r = some(request(size, p.at), [lanes](unsigned l) { return lanes >> l & 1; });
    unsigned got = wavefronts(r).units;

    printf("%sok %d - banks, %u bytes per lane, piece %s, lanes %08x: %u\n",
           got == want ? "" : "not ", ++tests, size, p.what, lanes, want);
    if (got != want) {
        printf("# got %u\n", got);
        failed++;
    }
}

static void wide_reads()
{
    for (const AccessPattern &p : measured)
        for (unsigned size = 16, i = 0; size >= 4; size /= 2, i++)
            reads(size, p, 0xffffffff, p.wavefronts[i]);
    for (const Masked &m : measured_masked)
        for (auto &of : m.of)
            for (unsigned size = 16, i = 0; size >= 8; size /= 2, i++)
                reads(size, m.pattern, of.lanes, of.wavefronts[i]);

    auto pairs = [](unsigned l) { return l / 2; };
    is("6.1, neighboring lanes read the same 16 bytes: four quarter-warps",
       steps("6.1", request(16, pairs)), 4, 2);
    is("7.0, neighboring lanes read the same 16 bytes: two half-warps",
       steps("7.0", request(16, pairs)), 2, 2);
    // Assumed, not measured: stores.
    is("banks, 16 bytes per lane, neighboring lanes store to one address: four quarter-warps",
       wavefronts(request(16, pairs), true), 4, 2);
}

// A pattern: the element that lane l copies (-1: none) and its destination; whether zeros are
// written instead.
struct CopyPattern {
    const char *what;
    int (*from)(int lane), (*to)(int lane), (*zero)(int lane);
    unsigned cost[6];   // sectors and wavefronts for elements of 4, 8 and 16 bytes
};
#define COPIES(from, to, zero, ...)                                                               \
    {                                                                                             \
        "from " #from " to " #to ", zeros " #zero, [](int l) -> int { return (void)l, from; },    \
            [](int l) -> int { return (void)l, to; }, [](int l) -> int { return (void)l, zero; }, \
        {                                                                                         \
            __VA_ARGS__                                                                           \
        }                                                                                         \
    }

// Measured on an H200 with ncu (l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum and
// memory_l1_wavefronts_shared): one warp with one cp.async. In 32 other patterns, 24 of them
// random, in which the lanes that copy the same element are scattered, the rules give the measured
// sectors, but in some patterns from half as many to a fifth more wavefronts than measured.
static const CopyPattern measured_copies[] = {
    COPIES(l, l, 0, 4, 1, 8, 2, 16, 4),
    COPIES(l + 1, l, 0, 5, 1, 9, 2, 20, 12),
    COPIES(l + 2, l, 0, 5, 1, 9, 2, 16, 8),
    COPIES(l + 3, l, 0, 5, 1, 9, 2, 20, 16),
    COPIES(l + 4, l, 0, 5, 1, 8, 2, 16, 8),
    COPIES(l + 8, l, 0, 4, 1, 8, 2, 16, 4),
    COPIES(2 * l, l, 0, 8, 2, 16, 4, 16, 32),
    COPIES(4 * l, l, 0, 16, 4, 32, 8, 16, 32),
    COPIES(8 * l, l, 0, 32, 8, 32, 16, 32, 32),
    COPIES(3 * l, l, 0, 12, 1, 24, 2, 20, 24),
    COPIES(l / 2, l, 0, 2, 2, 4, 4, 16, 32),
    COPIES(l / 4, l, 0, 1, 4, 2, 8, 16, 32),
    COPIES(l / 2 * 4 + l % 2, l, 0, 8, 2, 16, 4, 16, 16),
    COPIES(l / 2 * 8 + l % 2, l, 0, 16, 4, 16, 8, 16, 16),
    COPIES(l / 2 * 16 + l % 2, l, 0, 16, 8, 16, 16, 16, 16),
    COPIES(l / 4 * 8 + l % 4, l, 0, 8, 2, 8, 4, 16, 8),
    COPIES(l / 4 * 16 + l % 4, l, 0, 8, 4, 8, 8, 16, 8),
    COPIES(l < 8 ? l : 8, l, 0, 2, 24, 3, 24, 16, 25),
    COPIES(l < 30 ? l : 30, l, 0, 4, 2, 8, 3, 16, 6),
    COPIES(l < 29 ? l : 29, l, 0, 4, 3, 8, 4, 16, 8),
    COPIES(l ^ 2, l, 0, 4, 1, 8, 2, 16, 4),
    COPIES(l ^ 4, l, 0, 4, 1, 8, 2, 16, 4),
    COPIES(l ^ 8, l, 0, 4, 1, 8, 2, 16, 4),
    COPIES(l ^ 7, l, 0, 4, 1, 8, 2, 16, 4),
    COPIES(31 - l, l, 0, 4, 1, 8, 2, 16, 4),
    COPIES(l * 5 % 32, l, 0, 4, 1, 8, 2, 24, 28),
    COPIES(l < 9 ? l : 40, l, 0, 3, 24, 4, 24, 17, 25),
    COPIES(l % 2, l, 0, 1, 16, 1, 16, 16, 16),
    COPIES(l % 4, l, 0, 1, 8, 1, 8, 16, 8),
    COPIES(l % 8, l, 0, 1, 4, 2, 4, 16, 4),
    COPIES(l % 4 * 2, l, 0, 1, 8, 2, 8, 16, 32),
    COPIES(l % 2 * 8 + l / 2 % 2, l, 0, 2, 8, 2, 8, 32, 32),
    COPIES(l / 2 % 2 * 8 + l % 2, l, 0, 2, 8, 2, 8, 16, 16),
    COPIES(l < 9 ? l : -1, l, 0, 2, 1, 3, 1, 5, 2),
    COPIES(l % 2 ? -1 : l, l, 0, 4, 1, 8, 2, 16, 4),
    COPIES(l & 2 ? -1 : l, l, 0, 4, 1, 8, 2, 8, 4),
    COPIES(l > 4 && l < 21 ? l : -1, l, 0, 3, 1, 5, 2, 9, 5),
    COPIES(l % 2 ? -1 : l / 2, l, 0, 2, 1, 4, 2, 16, 16),
    COPIES(l % 2 ? -1 : 0, l, 0, 1, 16, 1, 16, 16, 16),
    COPIES(l == 5 ? 7 : -1, l, 0, 1, 1, 1, 1, 1, 1),
    COPIES(l<8 || l> 23 ? l : -1, l, 0, 2, 1, 4, 2, 8, 2),
    COPIES(l, l, l >= 9, 2, 2, 3, 3, 5, 4),
    COPIES(l < 9 ? l : 0, l, l >= 9, 2, 2, 3, 3, 5, 25),
    COPIES(l, l, l % 2, 4, 2, 8, 4, 16, 4),
    COPIES(l, l, 1, 0, 1, 0, 2, 0, 4),
    COPIES(l, l, l >= 16, 2, 2, 4, 2, 8, 4),
    COPIES(l, l, (l & 2) != 0, 4, 2, 8, 4, 8, 4),
    COPIES(l, 2 * l, l >= 9, 2, 3, 3, 5, 9, 32),
    COPIES(l, 2 * l, 0, 4, 2, 8, 4, 32, 32),
    COPIES(l, 4 * l, 0, 4, 4, 8, 8, 32, 32),
    COPIES(l, 8 * l, 0, 4, 8, 8, 16, 32, 32),
    COPIES(l, 16 * l, 0, 4, 16, 8, 32, 32, 32),
    COPIES(l, 31 - l, 0, 4, 1, 8, 2, 16, 4),
    COPIES(l, l / 8 * 8 + (l % 8 ^ l / 8), 0, 4, 1, 8, 2, 16, 4),
    COPIES(l, l * 9, 0, 4, 1, 8, 2, 32, 32),
    COPIES(l, l * 33 % 1024, 0, 4, 1, 8, 2, 32, 32),
    COPIES(l, l % 8 * 9 + l / 8 * 72, 0, 4, 1, 8, 2, 32, 32),
    COPIES(l, l * 5, 0, 4, 1, 8, 2, 32, 32),
    COPIES(l, l ^ 1, 0, 4, 1, 8, 2, 16, 4),
    COPIES(l, l / 2 * 3 + l % 2, 0, 4, 2, 8, 4, 24, 24),
    COPIES(0, 2 * l, 0, 1, 32, 1, 32, 32, 32),
    COPIES(l / 2, 2 * l, 0, 2, 3, 4, 6, 32, 32),
    COPIES(l / 2, 8 * l, 0, 2, 9, 4, 18, 32, 32),
    COPIES(l % 4, 8 * l, 0, 1, 8, 1, 16, 32, 32),
    COPIES(2 * l, 2 * l, 0, 8, 2, 16, 4, 32, 8),
    COPIES(4 * l, 4 * l, 0, 16, 4, 32, 8, 32, 16),
    COPIES(l + 1, l + 1, 0, 5, 1, 9, 2, 17, 6),
    COPIES(l + 4, 2 * l, 0, 5, 2, 8, 4, 32, 32),
    COPIES(l / 2 * 4 + l % 2, 2 * l, 0, 8, 2, 16, 4, 32, 16),
    COPIES(l / 2 * 16 + l % 2, 8 * l, 0, 16, 8, 16, 16, 32, 32),
    COPIES(l / 2, 4 * l, 0, 2, 5, 4, 10, 32, 32),
    COPIES(l / 2, 16 * l, 0, 2, 17, 4, 32, 32, 32),
    COPIES(l / 4, 2 * l, 0, 1, 5, 2, 10, 32, 32),
    COPIES(l % 16, 2 * l, 0, 2, 2, 4, 4, 32, 32),
    COPIES(l % 16, 4 * l, 0, 2, 4, 4, 8, 32, 32),
    COPIES(l % 8, 2 * l, 0, 1, 4, 2, 4, 32, 32),
    COPIES(2 * l, 4 * l, 0, 8, 4, 16, 8, 32, 32),
    COPIES(4 * l, 2 * l, 0, 16, 4, 32, 8, 32, 32),
    COPIES(3 * l, 4 * l, 0, 12, 4, 24, 8, 32, 32),
    COPIES(l * 7 % 16, 2 * l, 0, 2, 2, 4, 4, 32, 32),
    COPIES(l < 20 ? l : 20, 33 * l, 0, 3, 12, 6, 13, 32, 32),
    COPIES(l / 5, l, 0, 1, 5, 2, 10, 16, 30),
    COPIES(l * 3 % 17, l, 0, 3, 2, 5, 4, 23, 28),
    COPIES(l *l % 19, l, 0, 3, 4, 4, 6, 26, 27),
    COPIES(l / 2 * 3 % 7 * 2 + l % 2, l, 0, 2, 3, 4, 4, 16, 14),
    COPIES(l / 2 * 5 % 9 * 2 + l % 2, l, 0, 3, 2, 5, 3, 16, 16),
    COPIES((l / 8 * 32) + (l % 8 < 5 ? l % 8 : 4), l, 0, 4, 16, 8, 16, 16, 20),
    COPIES(l % 8 + (l / 8 < 2 ? l / 8 : 1) * 32, l, 0, 2, 4, 4, 4, 16, 4),
    COPIES(l, 33 * l, l % 2, 4, 2, 8, 4, 16, 32),
    COPIES(l < 20 ? l : 19, l, l >= 20, 3, 2, 5, 3, 10, 17),
    COPIES(l < 13 ? l : 64, l, l >= 13, 2, 2, 4, 3, 7, 22),
};

static void asynchronous_copies()
{
    for (const CopyPattern &p : measured_copies)
        for (unsigned size = 4, i = 0; size <= 16; size *= 2, i += 2) {
            CopyRequest r = { { 0, size, {}, {} }, { 0, size, {}, {} }, 0 };

            for (int l = 0; l < (int)WARP; l++) {
                unsigned n = r.to.lanes;

                if (p.from(l) < 0)
                    continue;
                r.zeros |= (uint32_t)p.zero(l) << n;
                r.from.address[n] = 4096 + (unsigned)p.from(l) * size;
                r.to.address[n] = 1 << 20 | (unsigned)p.to(l) * size;
                r.from.lane[n] = r.to.lane[n] = (uint8_t)l;
                r.from.lanes = r.to.lanes = n + 1;
            }
            CopyCost c = copies(r);
            bool ok = c.load.units == p.cost[i] && c.store.units == p.cost[i + 1];
            printf("%sok %d - copies of %u bytes, %s: %u sectors, %u wavefronts\n",
                   ok ? "" : "not ", ++tests, size, p.what, p.cost[i], p.cost[i + 1]);
            if (!ok)
                printf("# got %u and %u\n", c.load.units, c.store.units);
            failed += !ok;
        }
    // as ncu counted stages 11 to 16 of 03_matmul, of which a warp fills 512 bytes with zeros
    CopyCost c = copies({ request(16, stride(0)), request(16, in_order), 0xffffffff });
    is("zeros in all lanes: nothing is read", c.load, 0, 0);
    is("zeros in all lanes: a store", c.store, 4, 4);

    Request in = request(4, in_order), out = request(4, stride(2));
    c = copies(*rules_of("1.1"), { in, out, 0 });
    is("1.1: a copy is a load", c.load, global("1.1", in).units, global("1.1", in).ideal);
    is("1.1: a copy is a store, too", c.store, steps("1.1", out, true).units,
       steps("1.1", out, true).ideal);
}

static void names()
{
    std::istringstream all(capabilities);
    std::string name;
    bool ok = true;

    while (all >> name)
        ok &= rules_of(name.c_str()) != nullptr;
    ok &= rules_of("9.0") == &rules_9_0 && !rules_of("") && !rules_of("1") && !rules_of("4.0") &&
          !rules_of("1.1 ") && !rules_of("sm_90");
    printf("%sok %d - rules have the names that are listed, and no others\n", ok ? "" : "not ",
           ++tests);
    failed += !ok;
}

// CUDA C Programming Guide 3.2, figure G-1, last row (32-byte transactions); Best Practices Guide
// 10.2.1.
static void sectors_of_requests()
{
    is("aligned and sequential: 4 sectors", sectors(request(4, in_order)), 4, 4);
    is("aligned and permuted: 4 sectors", sectors(request(4, [](unsigned l) { return l ^ 5; })), 4,
       4);
    is("shifted by one word: 5 sectors", sectors(request(4, shifted)), 5, 4);
    is("stride 2: 8 sectors", sectors(request(4, stride(2))), 8, 4);
    is("stride 32: one sector per lane", sectors(request(4, stride(32))), 32, 4);
    is("all lanes at one word: 1 sector", sectors(request(4, [](unsigned) { return 7; })), 1, 1);
    is("16 bytes per lane: 16 sectors", sectors(request(16, in_order)), 16, 16);
    is("8 bytes per lane: 8 sectors", sectors(request(8, in_order)), 8, 8);
    is("bytes: 1 sector", sectors(request(1, in_order)), 1, 1);
    is("one lane: 1 sector", sectors(request(4, in_order, 31)), 1, 1);
    is("addresses in any order: each sector is counted once",
       sectors(request(4, [](unsigned l) { return (l * 7) % 32 * 8; })), 32, 4);
}

// Guide 11.7, K.4.3 and figure 20 of the older guides: strides 1, 2, 3; broadcast; random
// permutation.
static void wavefronts_of_requests()
{
    is("banks, stride 1: no conflict", wavefronts(request(4, in_order)), 1, 1);
    is("banks, stride 2: 2-way conflict", wavefronts(request(4, stride(2))), 2, 1);
    is("banks, stride 3: no conflict", wavefronts(request(4, stride(3))), 1, 1);
    is("banks, stride 32: 32 ways", wavefronts(request(4, stride(32))), 32, 1);
    is("banks, stride 33: no conflict", wavefronts(request(4, stride(33))), 1, 1);
    is("banks, permuted: no conflict", wavefronts(request(4, [](unsigned l) { return l ^ 21; })), 1,
       1);
    is("banks, lanes 3, 4, 6, 7 and 9 at one word: no conflict",
       wavefronts(request(
           4, [](unsigned l) { return l == 3 || l == 4 || l == 6 || l == 7 || l == 9 ? 5 : l; })),
       1, 1);
    is("banks, all at one word: broadcast", wavefronts(request(4, [](unsigned) { return 7; })), 1,
       1);
    is("banks, two words of one bank: two wavefronts",
       wavefronts(request(4, [](unsigned l) { return l % 2 * 32; })), 2, 1);
    is("banks, bytes of one word: no conflict", wavefronts(request(1, in_order)), 1, 1);
    is("banks, 8 bytes per lane: two half-warps", wavefronts(request(8, in_order)), 2, 2);
    is("banks, 16 bytes per lane: four quarter-warps", wavefronts(request(16, in_order)), 4, 4);
    is("banks, 16 bytes per lane, reversed: four",
       wavefronts(request(16, [](unsigned l) { return 31 - l; })), 4, 4);
    is("banks, 16 bytes per lane, stride 8: 8 ways in each quarter",
       wavefronts(request(16, stride(8))), 32, 4);
    is("banks, only lanes 8 to 15 of 16 bytes: one wavefront",
       wavefronts(request(16, in_order, 8, 16)), 1, 1);
}

// Measured on an H200 with ncu (memory_l1_wavefronts_shared of kernels with one atomic, less those
// of kernels without it): for 4 bytes a sum, a sum of ones, a compare-and-swap and a sum of floats;
// for 8 bytes an exchange and a sum.
static void atomics_on_shared_memory()
{
    static const struct {
        const char *name;
        uint64_t (*where)(unsigned);
        uint32_t lanes;
        unsigned sum, ones, swap, floats, wide_exchange, wide_sum;
    } patterns[] = {
        { "l", [](unsigned l) -> uint64_t { return l; }, ~0u, 1, 1, 2, 3, 2, 6 },
        { "0", [](unsigned) -> uint64_t { return 0; }, ~0u, 32, 1, 64, 96, 32, 128 },
        { "l / 2", [](unsigned l) -> uint64_t { return l / 2; }, ~0u, 2, 1, 4, 6, 4, 10 },
        { "2 l", [](unsigned l) -> uint64_t { return 2 * l; }, ~0u, 2, 2, 4, 7, 4, 14 },
        { "32 l", [](unsigned l) -> uint64_t { return 32 * l; }, ~0u, 32, 32, 64, 592, 32, 336 },
        { "l % 16", [](unsigned l) -> uint64_t { return l % 16; }, ~0u, 2, 1, 4, 6, 2, 9 },
        { "l % 5 * 32", [](unsigned l) -> uint64_t { return l % 5 * 32; }, ~0u, 32, 5, 64, 214, 32,
          203 },
        { "(7 l + l l) % 32", [](unsigned l) -> uint64_t { return (7 * l + l * l) % 32; }, ~0u, 2,
          1, 4, 6, 4, 14 },
        { "l < 16 ? l : 0", [](unsigned l) -> uint64_t { return l < 16 ? l : 0; }, ~0u, 17, 1, 34,
          51, 17, 54 },
        { "l % 8 * 4", [](unsigned l) -> uint64_t { return l % 8 * 4; }, ~0u, 4, 1, 8, 12, 8, 34 },
        { "l / 16 * 32", [](unsigned l) -> uint64_t { return l / 16 * 32; }, ~0u, 32, 2, 64, 112,
          32, 96 },
        { "3 l % 64, half of the lanes", [](unsigned l) -> uint64_t { return 3 * l % 64; },
          0x00ff00ff, 1, 1, 2, 3, 2, 6 },
    };

    for (const auto &p : patterns) {
        auto keep = [&](unsigned l) { return (p.lanes >> l & 1) != 0; };
        Request r = some(request(4, p.where), keep), wide = some(request(8, p.where), keep);
        auto check = [&](const char *what, const Request &of, Atomic how, unsigned want) {
            std::string name = std::string("atomics, ") + p.name + ", " + what;
            Cost got = atomic_wavefronts(of, how);

            is(name.c_str(), got, want, got.ideal);
        };

        check("sum", r, Atomic::native, p.sum);
        check("sum of ones", r, Atomic::count, p.ones);
        check("compare-and-swap", r, Atomic::swap, p.swap);
        check("sum of floats", r, Atomic::loop, p.floats);
        check("exchange of 8 bytes", wide, Atomic::native, p.wide_exchange);
        check("sum of 8 bytes", wide, Atomic::loop, p.wide_sum);
    }
}

int main()
{
    sectors_of_requests();
    atomics_on_shared_memory();
    wavefronts_of_requests();
    wide_reads();
    asynchronous_copies();
    global_figures();
    global_1_0();
    global_1_2();
    global_2_0_and_later();
    shared_1_x_strides();
    shared_1_x_broadcasts();
    shared_1_x_sizes();
    shared_2_x();
    shared_3_x();
    names();
    printf("1..%d\n", tests);
    return failed != 0;
}
