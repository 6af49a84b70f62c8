// Handlers of inline PTX: what lanes of a warp do together, barriers, and the end of threads (PTX
// ISA, "Parallel Synchronization and Communication Instructions", "Control Flow Instructions").
#include <algorithm>

#include "include/cuda_runtime.h"
#include "count/counting.h"
#include "emu.h"
#include "exec/exec.h"
#include "lanes/log.h"
#include "ptx_types.h"

namespace emu {
namespace ptx {

namespace {

const std::string &type_of(const Instruction &in) { return in.parts.back(); }

// ---- exchanges ----

// shfl.sync.mode.b32 d|p, a, b, c, mask: c has the last lane of a section in its lower 5 bits, and
// the bits that select a section from bit 8 on. detail[0]: the mode
void shfl(const Instruction &in, Operands &o)
{
    uint32_t b = o.u32(2) & 31, c = o.u32(3), sections = c >> 8 & 31, self = o.lane.id % WARP,
             last = (self & sections) | (c & 31 & ~sections), source = 0;
    bool is_inside = true;

    switch (in.detail[0]) {
    case EMU_SHFL_UP:
        source = self - b;
        is_inside = (int)source >= (int)last;
        break;
    case EMU_SHFL_DOWN:
        source = self + b;
        is_inside = source <= last;
        break;
    case EMU_SHFL_XOR:
        source = self ^ b;
        is_inside = source <= last;
        break;
    default: source = (self & sections) | (b & ~sections); is_inside = source <= last;
    }
    o.lane.has_source = is_inside;
    o.lane.source = source;
    o.write(0, exchange(Exchange::shuffle, o.u32(4), o.bits(1), o.pc));
    if (o.elements(0) > 1)
        o.write(0, is_inside, 1);
}
Handler *shfl_of(const Instruction &in)
{
    in.detail[0] = in.has("up")   ? EMU_SHFL_UP
                 : in.has("down") ? EMU_SHFL_DOWN
                 : in.has("bfly") ? EMU_SHFL_XOR
                                  : EMU_SHFL;
    return in.has("sync") && in.operands.size() == 5 && has_only(in, "sync up down bfly idx")
             ? shfl
             : nullptr;
}

uint32_t ballot(Operands &o, uint32_t mask, bool predicate)
{
    return (uint32_t)exchange(Exchange::ballot, mask, predicate, o.pc);
}

void vote_ballot(const Instruction &, Operands &o)
{
    o.write(0, ballot(o, o.u32(2), o.predicate(1)));
}
void vote_any(const Instruction &, Operands &o)
{
    o.write(0, ballot(o, o.u32(2), o.predicate(1)) != 0);
}
void vote_all(const Instruction &, Operands &o)
{
    o.write(0, ballot(o, o.u32(2), !o.predicate(1)) == 0);
}
struct Matched {
    uint64_t value;
    uint32_t same, mask;   // lanes with the same value; of the exchange
};
void match_lanes(Worker &, void *const lane[WARP], unsigned mask)
{
    for (unsigned i = 0; i < WARP; i++)
        if (lane[i]) {
            Matched &m = *(Matched *)lane[i];
            m.same = 0;
            m.mask = mask;
            for (unsigned k = 0; k < WARP; k++)
                if (lane[k] && ((Matched *)lane[k])->value == m.value)
                    m.same |= 1u << k;
        }
}
void vote_uni(const Instruction &, Operands &o)
{
    Matched m = { o.predicate(1), 0, 0 };
    collect(o, o.u32(2), &m, match_lanes);
    o.write(0, m.same == m.mask);
}
Handler *vote_of(const Instruction &in)
{
    if (!in.has("sync") || in.operands.size() != 3)
        return nullptr;
    return in.has("ballot") ? vote_ballot
         : in.has("any")    ? vote_any
         : in.has("all")    ? vote_all
         : in.has("uni")    ? vote_uni
                            : nullptr;
}
void match_any(const Instruction &, Operands &o)
{
    Matched m = { o.bits(1), 0, 0 };
    collect(o, o.u32(2), &m, match_lanes);
    o.write(0, m.same);
}
void match_all(const Instruction &, Operands &o)
{
    Matched m = { o.bits(1), 0, 0 };
    collect(o, o.u32(2), &m, match_lanes);
    o.write(0, m.same == m.mask ? m.mask : 0);
    if (o.elements(0) > 1)
        o.write(0, m.same == m.mask, 1);
}
Handler *match_of(const Instruction &in)
{
    return !in.has("sync") ? nullptr : in.has("any") ? match_any : match_all;
}
void activemask(const Instruction &, Operands &o)
{
    o.write(0, exchange(Exchange::active, ~0u, 0, o.pc));
}
void redux(const Instruction &in, Operands &o)
{
    o.lane.operation = in.detail[0];
    o.write(0, exchange(Exchange::reduce, o.u32(2), o.u32(1), o.pc));
}
Handler *redux_of(const Instruction &in)
{
    bool is_signed = type_of(in) == "s32";

    in.detail[0] = in.has("add") ? EMU_REDUCE_ADD
                 : in.has("min") ? is_signed ? EMU_REDUCE_MIN_SIGNED : EMU_REDUCE_MIN
                 : in.has("max") ? is_signed ? EMU_REDUCE_MAX_SIGNED : EMU_REDUCE_MAX
                 : in.has("and") ? EMU_REDUCE_AND
                 : in.has("or")  ? EMU_REDUCE_OR
                                 : EMU_REDUCE_XOR;
    return in.has("sync") && type_of(in)[0] != 'f' ? redux : nullptr;
}
// The lowest lane of the mask is elected.
void elect(const Instruction &, Operands &o)
{
    uint32_t here = ballot(o, o.u32(1), true), leader = (uint32_t)__builtin_ctz(here);

    o.write(0, leader);
    if (o.elements(0) > 1)
        o.write(0, leader == o.lane.id % WARP, 1);
}

// ---- matrices in shared memory ----

// Returns whether all lanes of the warp are there, as instructions with .aligned require.
[[noreturn]] void fail_partial(Operands &o) { o.fail("not all lanes of the warp execute it"); }

// The row of 16 bytes that a lane loads or stores, and what it gets or has of each matrix.
struct Rows {
    uint16_t row[8];
    uint32_t part[4];
    unsigned matrices;
    bool is_transposed, is_complete;
};

// Element j of row i of matrix m is with lane 4 i + j / 2, or if transposed, 4 j + i / 2.
template <bool STORES> void move_rows(Worker &, void *const lane[WARP], unsigned mask)
{
    for (unsigned l = 0; l < WARP && mask == ~0u; l++) {
        Rows &self = *(Rows *)lane[l];
        for (unsigned m = 0; m < self.matrices; m++)
            for (unsigned half = 0; half < 2; half++) {
                unsigned i = l / 4, j = l % 4 * 2 + half;
                Rows &owner = *(Rows *)lane[8 * m + (self.is_transposed ? j : i)];
                uint16_t &element = owner.row[self.is_transposed ? i : j];
                if (STORES)
                    element = (uint16_t)(self.part[m] >> 16 * half);
                else
                    self.part[m] = (self.part[m] & (half ? 0xffffu : 0u)) | (uint32_t)element
                                                                                << 16 * half;
            }
    }
    for (unsigned l = 0; l < WARP; l++)
        if (lane[l])
            ((Rows *)lane[l])->is_complete = mask == ~0u;
}

// detail: [0] matrices, [1] transposed, [2] the state space
void ldmatrix(const Instruction &in, Operands &o)
{
    Rows r = { {}, {}, in.detail[0], in.detail[1] != 0, false };

    if (o.lane.id % WARP < 8 * in.detail[0]) {
        void *p = o.object(1, (Space)in.detail[2]);
        access(o, p, 16, READ_ACCESS);
        memcpy(r.row, p, 16);
    }
    collect(o, ~0u, &r, move_rows<false>);
    if (!r.is_complete)
        fail_partial(o);
    for (unsigned m = 0; m < in.detail[0]; m++)
        o.write(0, r.part[m], m);
}
void stmatrix(const Instruction &in, Operands &o)
{
    Rows r = { {}, {}, in.detail[0], in.detail[1] != 0, false };

    for (unsigned m = 0; m < in.detail[0]; m++)
        r.part[m] = o.u32(1, m);
    collect(o, ~0u, &r, move_rows<true>);
    if (!r.is_complete)
        fail_partial(o);
    if (o.lane.id % WARP < 8 * in.detail[0]) {
        void *p = o.object(0, (Space)in.detail[2]);
        access(o, p, 16, WRITE_ACCESS);
        memcpy(p, r.row, 16);
    }
}
template <bool STORES> Handler *matrix_of(const Instruction &in)
{
    in.detail[0] = in.has("x1") ? 1 : in.has("x2") ? 2 : in.has("x4") ? 4 : 0;
    in.detail[1] = in.has("trans");
    in.detail[2] = (uint32_t)(in.space() == Space::generic ? Space::generic : Space::shared);
    bool is_known = in.detail[0] && in.has("m8n8") && type_of(in) == "b16" &&
                    has_only(in, "sync aligned m8n8 x1 x2 x4 trans shared shared::cta") &&
                    in.operands.size() == 2 && in.operands[!STORES].kind == Kind::memory &&
                    in.operands[STORES].values.size() == in.detail[0];
    return !is_known ? nullptr : STORES ? stmatrix : ldmatrix;
}
// movmatrix.sync.aligned.m8n8.trans.b16 d, a
void movmatrix(const Instruction &, Operands &o)
{
    Rows r = { {}, { o.u32(1) }, 1, false, false };

    collect(o, ~0u, &r, move_rows<true>);
    r.is_transposed = true;
    collect(o, ~0u, &r, move_rows<false>);
    if (!r.is_complete)
        fail_partial(o);
    o.write(0, r.part[0]);
}

// ---- matrix products ----

// The fragments of a lane.
struct Fragments {
    uint32_t a[4], b[2], c[4];
    bool is_complete;
};

template <class E> float element(uint32_t word, unsigned k)
{
    return as<E>(word >> 16 * k & 0xffff);
}
// The lower 13 bits are ignored.
struct Tf32;
template <> float element<Tf32>(uint32_t word, unsigned) { return as<float>(word & ~0x1fffu); }

// With g = lane / 4 and t = lane % 4, and n elements per register, register r of a has columns n t
// to n t + n - 1 of row g + 8 (r % 2), from column 4 n (r / 2) on; register r of b has those rows
// of column g, from row 4 n r on. Registers of c and d have columns 2 t and 2 t + 1 of rows g and g
// + 8. (PTX ISA, "Matrix Fragments for mma".) m x 8 x k; R: type of a sum. The products are exact,
// and are added one after the other.
template <class T, class R, class Load>
void multiply(void *const lane[WARP], unsigned m, unsigned k, unsigned n, bool is_clamped,
              Load load)
{
    T a[16][32], b[32][8];
    bool has_two_rows = m == 16;

    for (unsigned l = 0; l < WARP; l++) {
        const Fragments &f = *(const Fragments *)lane[l];
        unsigned g = l / 4, t = l % 4;
        for (unsigned r = 0; r < k / (4 * n) * (has_two_rows + 1u); r++)
            for (unsigned i = 0; i < n; i++) {
                unsigned row = g + (has_two_rows ? 8 * (r % 2) : 0),
                         column = n * t + i + 4 * n * (has_two_rows ? r / 2 : r);
                a[row][column] = load(f.a[r], i, true);
            }
        for (unsigned r = 0; r < k / (4 * n); r++)
            for (unsigned i = 0; i < n; i++)
                b[n * t + i + 4 * n * r][g] = load(f.b[r], i, false);
    }
    for (unsigned row = 0; row < m; row++) {
        R sum[8];
        for (unsigned j = 0; j < 8; j++)
            sum[j] = as<std::conditional_t<sizeof(R) == 8, int32_t, R>>(
                ((Fragments *)lane[row % 8 * 4 + j / 2])->c[row / 8 * 2 + j % 2]);
        for (unsigned i = 0; i < k; i++)
            for (unsigned j = 0; j < 8; j++)
                sum[j] += (R)a[row][i] * (R)b[i][j];
        for (unsigned j = 0; j < 8; j++) {
            R s = sum[j];
            if (is_clamped)
                s = s > (R)INT32_MAX ? (R)INT32_MAX : s < (R)INT32_MIN ? (R)INT32_MIN : s;
            ((Fragments *)lane[row % 8 * 4 + j / 2])->c[row / 8 * 2 + j % 2] =
                std::is_integral<R>::value ? (uint32_t)(int64_t)s : as<uint32_t>(bits_of((float)s));
        }
    }
}

bool complete(Worker &w, void *const lane[WARP], unsigned mask)
{
    w.counts.tally.mma_products++;
    for (unsigned l = 0; l < WARP; l++)
        if (lane[l])
            ((Fragments *)lane[l])->is_complete = mask == ~0u;
    return mask == ~0u;
}
template <class E, unsigned M, unsigned K>
void multiply_floats(Worker &w, void *const lane[WARP], unsigned mask)
{
    constexpr unsigned PER_REGISTER = std::is_same<E, Tf32>::value ? 1 : 2;
    if (complete(w, lane, mask))
        multiply<float, float>(lane, M, K, PER_REGISTER, false,
                               [](uint32_t w, unsigned i, bool) { return element<E>(w, i); });
}
template <class A, class B, unsigned M, unsigned K, bool CLAMPED>
void multiply_bytes(Worker &w, void *const lane[WARP], unsigned mask)
{
    if (complete(w, lane, mask))
        multiply<int16_t, std::conditional_t<CLAMPED, int64_t, int32_t>>(
            lane, M, K, 4, CLAMPED, [](uint32_t w, unsigned i, bool is_a) {
                return is_a ? (int16_t)(A)(w >> 8 * i) : (int16_t)(B)(w >> 8 * i);
            });
}

// mma.sync.aligned.shape.row.col.dtype.atype.btype.ctype d, a, b, c. PAIRS: d and c are pairs of
// f16, by two bits: 1: d, 2: c.
template <Collective *ACT, unsigned PAIRS> void mma(const Instruction &in, Operands &o)
{
    Fragments f = {};
    unsigned na = o.elements(1), nb = o.elements(2), nc = o.elements(3), nd = o.elements(0);

    for (unsigned i = 0; i < na; i++)
        f.a[i] = o.u32(1, i);
    for (unsigned i = 0; i < nb; i++)
        f.b[i] = o.u32(2, i);
    for (unsigned i = 0; i < nc; i++)
        if (PAIRS & 2) {
            f.c[2 * i] = (uint32_t)bits_of(element<Half>(o.u32(3, i), 0));
            f.c[2 * i + 1] = (uint32_t)bits_of(element<Half>(o.u32(3, i), 1));
        } else
            f.c[i] = o.u32(3, i);
    collect(o, ~0u, &f, ACT);
    if (!f.is_complete)
        fail_partial(o);
    for (unsigned i = 0; i < nd; i++)
        if (PAIRS & 1) {
            Pair<Half> p = { as<float>(f.c[2 * i]), as<float>(f.c[2 * i + 1]) };
            o.write(0, bits_of(p), i);
        } else
            o.write(0, f.c[i], i);
    (void)in;
}
template <Collective *ACT> Handler *mma_with(const std::string &d, const std::string &c)
{
    if (d == "f16")
        return c == "f16" ? mma<ACT, 3> : c == "f32" ? mma<ACT, 1> : nullptr;
    return d != "f32" ? nullptr : c == "f16" ? mma<ACT, 2> : c == "f32" ? mma<ACT, 0> : nullptr;
}
template <class A, class B> Handler *mma_bytes(const std::string &shape, bool is_clamped)
{
    if (shape == "m16n8k32")
        return is_clamped ? mma<multiply_bytes<A, B, 16, 32, true>, 0>
                          : mma<multiply_bytes<A, B, 16, 32, false>, 0>;
    if (shape == "m16n8k16")
        return is_clamped ? mma<multiply_bytes<A, B, 16, 16, true>, 0>
                          : mma<multiply_bytes<A, B, 16, 16, false>, 0>;
    if (shape == "m8n8k16")
        return is_clamped ? mma<multiply_bytes<A, B, 8, 16, true>, 0>
                          : mma<multiply_bytes<A, B, 8, 16, false>, 0>;
    return nullptr;
}

// m8n8k4 of doubles
struct Doubles {
    double a, b, c[2];
    bool is_complete;
};
void multiply_doubles(Worker &w, void *const lane[WARP], unsigned mask)
{
    w.counts.tally.mma_products++;
    for (unsigned l = 0; l < WARP; l++)
        if (lane[l]) {
            Doubles &d = *(Doubles *)lane[l];
            d.is_complete = mask == ~0u;
            for (unsigned j = 0; j < 2 && d.is_complete; j++)
                for (unsigned k = 0; k < 4; k++)
                    d.c[j] = std::fma(((Doubles *)lane[l / 4 * 4 + k])->a,
                                      ((Doubles *)lane[(l % 4 * 2 + j) * 4 + k])->b, d.c[j]);
        }
}
void mma_doubles(const Instruction &, Operands &o)
{
    Doubles d = { o.f64(1), o.f64(2), { o.f64(3, 0), o.f64(3, 1) }, false };
    collect(o, ~0u, &d, multiply_doubles);
    if (!d.is_complete)
        fail_partial(o);
    for (unsigned j = 0; j < 2; j++)
        o.write(0, bits_of(d.c[j]), j);
}

// Do the operands have the numbers of registers that the shape requires?
bool fits(const Instruction &in, unsigned m, unsigned k, unsigned per_register, bool d_pairs,
          bool c_pairs)
{
    size_t rows = m / 8, a = rows * k / (4 * per_register), b = k / (4 * per_register);

    return in.operands.size() == 4 && in.operands[1].values.size() == a &&
           in.operands[2].values.size() == b &&
           in.operands[0].values.size() == rows * 2 / (1 + d_pairs) &&
           in.operands[3].values.size() == rows * 2 / (1 + c_pairs);
}

Handler *mma_of(const Instruction &in)
{
    size_t n = in.parts.size();

    if (n < 9 || in.parts[1] != "sync" || !in.has("row") || !in.has("col") ||
        !has_only(in, ("sync aligned row col satfinite " + in.parts[3]).c_str(), 4))
        return nullptr;
    const std::string &shape = in.parts[3], &d = in.parts[n - 4], &a = in.parts[n - 3],
                      &b = in.parts[n - 2], &c = in.parts[n - 1];
    unsigned m = shape.compare(0, 3, "m16") == 0 ? 16 : 8;
    unsigned k = (unsigned)atoi(shape.c_str() + shape.find('k') + 1);
    bool is_bytes =
        (a == "u8" || a == "s8") && (b == "u8" || b == "s8") && d == "s32" && c == "s32";

    if (shape == "m8n8k4" && a == "f64" && in.operands.size() == 4 &&
        in.operands[0].values.size() == 2 && in.operands[3].values.size() == 2)
        return mma_doubles;
    if (!fits(in, m, k, is_bytes ? 4 : a == "tf32" ? 1 : 2, d == "f16", c == "f16"))
        return nullptr;
    if (is_bytes)
        return a == "s8" ? b == "s8" ? mma_bytes<int8_t, int8_t>(shape, in.has("satfinite"))
                                     : mma_bytes<int8_t, uint8_t>(shape, in.has("satfinite"))
             : b == "s8" ? mma_bytes<uint8_t, int8_t>(shape, in.has("satfinite"))
                         : mma_bytes<uint8_t, uint8_t>(shape, in.has("satfinite"));
    if (a != b)
        return nullptr;
    if (a == "f16")
        return shape == "m16n8k16" ? mma_with<multiply_floats<Half, 16, 16>>(d, c)
             : shape == "m16n8k8"  ? mma_with<multiply_floats<Half, 16, 8>>(d, c)
                                   : nullptr;
    if (d != "f32" || c != "f32")
        return nullptr;
    if (a == "bf16")
        return shape == "m16n8k16" ? mma<multiply_floats<Bfloat, 16, 16>, 0>
             : shape == "m16n8k8"  ? mma<multiply_floats<Bfloat, 16, 8>, 0>
                                   : nullptr;
    if (a == "tf32")
        return shape == "m16n8k8" ? mma<multiply_floats<Tf32, 16, 8>, 0>
             : shape == "m16n8k4" ? mma<multiply_floats<Tf32, 16, 4>, 0>
                                  : nullptr;
    return nullptr;
}

// ---- barriers ----

// bar.sync a, b: a in detail[0] if it is a number. Barrier 0 with all threads is __syncthreads().
// detail: [0] 1 for arrive
void bar(const Instruction &in, Operands &o)
{
    uint32_t id = o.count() ? o.u32(0) : 0, threads = o.count() > 1 ? o.u32(1) : 0;

    if (id > 15)
        o.fail("barrier " + std::to_string(id) + " does not exist: there are 16");
    if (threads % WARP)
        o.fail("the number of threads, " + std::to_string(threads) + ", is not a multiple of 32");
    if (in.detail[0])
        return named_arrive(o.w, id, threads, o.pc);
    uint32_t all = (o.w.threads + WARP - 1) / WARP * WARP;
    if (id == 0 && (threads == 0 || threads == all))
        return barrier(0, o.pc);
    named_sync(o.w, id, threads ? threads : all, o.pc);
}
void bar_warp(const Instruction &, Operands &o) { exchange(Exchange::sync, o.u32(0), 0, o.pc); }
// bar.red.popc.u32 d, a, p: detail: [0] popc, and, or
void bar_red(const Instruction &in, Operands &o)
{
    unsigned last = o.count() - 1;

    if (o.u32(1) != 0 || o.count() > 3)
        o.fail("the CPU device reduces over barrier 0 with all threads only");
    barrier(o.predicate(last), o.pc);
    o.write(0, in.detail[0] == 0   ? o.w.barriers.passed_true
               : in.detail[0] == 1 ? o.w.barriers.passed_true == o.w.barriers.passed
                                   : o.w.barriers.passed_true != 0);
}
Handler *bar_of(const Instruction &in)
{
    if (in.has("cluster"))
        return nullptr;
    if (in.has("warp"))
        return in.has("sync") && in.operands.size() == 1 ? bar_warp : nullptr;
    if (in.has("red")) {
        in.detail[0] = in.has("popc") ? 0 : in.has("and") ? 1 : 2;
        return in.operands.size() >= 3 ? bar_red : nullptr;
    }
    in.detail[0] = in.has("arrive");
    return (in.has("sync") || in.operands.size() == 2) && in.operands.size() <= 2 &&
                   (in.has("arrive") || in.has("sync"))
             ? bar
             : nullptr;
}

// ---- the end of threads ----

void nanosleep(const Instruction &, Operands &) {}
void trap(const Instruction &, Operands &o) { emu::fail(o.w, "trap ends the kernel", o.pc); }
void exit_thread(const Instruction &, Operands &o)
{
    serve_log(o.w);
    exit_lane(o.w);
}

template <Handler *H> Handler *always(const Instruction &) { return H; }

}   // namespace

static const Opcode all[] = {
    { "shfl", shfl_of },
    { "vote", vote_of },
    { "match", match_of },
    { "activemask", always<activemask> },
    { "redux", redux_of },
    { "elect.sync", always<elect> },
    { "ldmatrix", matrix_of<false> },
    { "stmatrix", matrix_of<true> },
    { "movmatrix", always<movmatrix> },
    { "mma", mma_of },
    { "bar", bar_of },
    { "barrier", bar_of },
    { "nanosleep", always<nanosleep> },
    { "trap", always<trap> },
    { "brkpt", always<trap> },
    { "exit", always<exit_thread> },
};

}   // namespace ptx
}   // namespace emu
