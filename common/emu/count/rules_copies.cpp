// Asynchronous copies from global to shared memory. rules.h states what was measured.
#include <algorithm>

#include "rules.h"
#include "rules_parts.h"

namespace emu {

constexpr unsigned LINE = 128, SECTOR = 32, CHUNK = 16;   // bytes; a chunk is half a sector

Request lanes_of(const Request &r, uint32_t zeros, bool with_zeros)
{
    Request some = { 0, r.size, {}, {} };

    for (unsigned i = 0; i < r.lanes; i++)
        if ((zeros >> i & 1) == with_zeros) {
            some.address[some.lanes] = r.address[i];
            some.lane[some.lanes++] = r.lane[i];
        }
    return some;
}

// ---- 4 and 8 bytes ----

// Wavefronts for lanes first..end. Each serves the lanes that are the first remaining ones for both
// of their banks.
static unsigned rounds(const CopyRequest &r, unsigned first, unsigned end)
{
    unsigned left = 0, n = 0;

    for (unsigned i = first; i < end; i++)
        left |= 1u << i;
    for (; left; n++) {
        uint32_t read = 0, written = 0;   // banks

        for (unsigned todo = left; todo; todo &= todo - 1) {
            unsigned i = (unsigned)__builtin_ctz(todo);
            uint32_t from = 1u << r.from.address[i] % LINE / r.to.size,
                     to = 1u << r.to.address[i] % LINE / r.to.size;

            if (!(read & from) && !(written & to))
                left &= ~(1u << i);
            read |= from;
            written |= to;
        }
    }
    return n;
}

static unsigned wavefronts_through_l1(const CopyRequest &r)
{
    CopyRequest reading = { lanes_of(r.from, r.zeros, false), lanes_of(r.to, r.zeros, false), 0 };
    unsigned n = wavefronts(lanes_of(r.to, r.zeros, true), true).units;

    each_part(reading.to, LINE / r.to.size,
              [&](unsigned first, unsigned end) { n += rounds(reading, first, end); });
    return n;
}

// ---- 16 bytes ----

// What one lane copies.
struct Chunk {
    uint64_t from, to;   // chunk numbers

    uint64_t sector() const { return from / 2; }
    uint64_t target() const { return to / 2; }   // sector of shared memory
    bool has_lines_of(const Chunk &c) const
    {
        return from * CHUNK / LINE == c.from * CHUNK / LINE &&
               to * CHUNK / LINE == c.to * CHUNK / LINE;
    }
};

// Sets whole[i] if all that is read of lane i's sector is copied in pairs of halves, each pair to
// one sector.
static void find_whole(const Chunk *chunk, unsigned n, bool *whole)
{
    bool paired[WARP];

    for (unsigned i = 0; i < n; i++) {
        unsigned others = 0, halves = 0;

        for (unsigned j = 0; j < n; j++)
            if (j != i && chunk[j].has_lines_of(chunk[i]) &&
                chunk[j].sector() == chunk[i].sector() && chunk[j].target() == chunk[i].target()) {
                others++;
                halves += chunk[j].from != chunk[i].from;
            }
        paired[i] = others == 1 && halves == 1;
    }
    for (unsigned i = 0; i < n; i++) {
        whole[i] = true;
        for (unsigned j = 0; j < n; j++)
            whole[i] &= paired[j] || chunk[j].sector() != chunk[i].sector() ||
                        !chunk[j].has_lines_of(chunk[i]);
    }
}

// Lanes with the same number and the same two lines share wavefronts, each of which reads a sector
// once.
static unsigned way_of(const Chunk &c, bool whole)
{
    unsigned is_odd = (c.sector() ^ c.target()) & 1;

    return is_odd | (whole ? 8 : (c.from & 1) << 1 | (c.to & 1) << 2);
}

static unsigned wavefronts_past_l1(const CopyRequest &r)
{
    Chunk chunk[WARP];
    bool whole[WARP];
    unsigned total = 0, n = r.to.lanes, way[WARP], depth[WARP];

    for (unsigned i = 0; i < n; i++)
        chunk[i] = { r.from.address[i] / CHUNK, r.to.address[i] / CHUNK };
    find_whole(chunk, n, whole);
    for (unsigned i = 0; i < n; i++) {
        unsigned deepest = 0;   // maximum over earlier lanes that share wavefronts with this one

        way[i] = way_of(chunk[i], whole[i]);
        depth[i] = 1;
        for (unsigned j = 0; j < i; j++)
            if (way[j] == way[i] && chunk[j].has_lines_of(chunk[i])) {
                depth[i] += chunk[j].from == chunk[i].from;
                deepest = std::max(deepest, depth[j]);
            }
        total += depth[i] > deepest;
    }
    return total;
}

static unsigned sectors_past_l1(const CopyRequest &r)
{
    std::pair<uint64_t, uint64_t> seen[WARP];
    unsigned n = 0;

    for (unsigned i = 0; i < r.to.lanes; i++)
        if (!(r.zeros >> i & 1))
            seen[n++] = { r.from.address[i] / LINE, r.to.address[i] / SECTOR };
    std::sort(seen, seen + n);
    return (unsigned)(std::unique(seen, seen + n) - seen);
}

CopyCost copies(const CopyRequest &r)
{
    CopyCost c = { sectors(lanes_of(r.from, r.zeros, false)), wavefronts(r.to, true) };

    if (r.to.size == CHUNK) {
        c.load.units = sectors_past_l1(r);
        if (lanes_of(r.from, r.zeros, false).lanes)   // else as any store
            c.store.units = wavefronts_past_l1(r);
    } else
        c.store.units = wavefronts_through_l1(r);
    c.load.bytes = c.load.units * SECTOR;
    return c;
}

CopyCost copies(const Rules &rules, const CopyRequest &r)
{
    Request read = lanes_of(r.from, r.zeros, false);

    if (rules.shared == wavefronts)
        return copies(r);
    return { read.lanes ? rules.global(read) : Cost{ 0, 0, 0 }, rules.shared(r.to, true) };
}

}   // namespace emu
