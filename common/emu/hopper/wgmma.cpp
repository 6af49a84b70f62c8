// Products of warpgroups [PTX ISA 9.7.15], and registers of warps [9.7.19.5]. A thread takes part
// in a product when it executes the instruction; the product is issued when all 128 threads have.
// It is computed, and its sums get to a thread's registers, when the thread waits for it.
#include <algorithm>
#include <cstring>

#include "include/cuda_bf16.h"
#include "include/cuda_fp16.h"
#include "count/counting.h"
#include "count/record.h"
#include "exec/exec.h"
#include "hopper.h"
#include "host/tensormap.h"
#include "order/shared.h"
#include "ptx/ptx.h"
#include "report/report.h"

namespace emu::hopper {

constexpr unsigned ROWS_A = 64, MOST_N = 256, MOST_K = 32;

// The sums of one chain of products, which use the same registers.
struct Sums {
    unsigned n;
    bool half;       // fp16, two per register
    uint32_t last;   // number of the last product of the chain
    // per thread: the addresses of its registers; empty: it has not taken part
    std::vector<void *> place[WARPGROUP];
    // Registers of a thread are in this range of addresses.
    uintptr_t low[WARPGROUP], high[WARPGROUP];
    uintptr_t touched[WARPGROUP];   // where the thread has accessed them since its last fence
    std::vector<double> value;      // 64 x n
};

struct Running {
    Product shape;
    uint64_t a, b;   // descriptors
    uintptr_t pc;
    unsigned joined;   // threads
    uint32_t operation;
    bool is_computed;
    std::shared_ptr<Sums> sums;
    std::vector<uint32_t> fragments;   // A in registers: 4 words per thread
    std::vector<uint32_t> metadata;    // of a sparse product, per thread
};

struct Warpgroup {
    std::vector<Running> products;   // those of the block
    uint32_t issued, computed;       // of these
    uint32_t released;               // of these: all threads have their sums
    uint32_t joined[WARPGROUP], delivered[WARPGROUP];
    bool has_fenced[WARPGROUP];
    std::vector<uint32_t> commits[WARPGROUP];   // number of products at each commit
    std::vector<std::shared_ptr<Sums>> sums;    // of which threads may still touch the registers
};

struct Products {
    Warpgroup group[GROUPS];
    std::vector<double> a, b;   // operands
    std::vector<uint32_t> granules;
};

void begin_products(Block &b)
{
    if (!b.products)
        b.products.reset(new Products());
    for (Warpgroup &g : b.products->group)
        if (!g.products.empty() || !g.commits[0].empty() || g.has_fenced[0])
            g = Warpgroup{};
}

// ---- operands in shared memory ----

namespace {

// A matrix of 64 or n rows (M or N) and k columns, in shared memory [9.7.15.5.1.2].
struct Matrix {
    uint32_t start, leading, stride;   // bytes; start is an offset in the arena
    unsigned swizzle;                  // as CUtensorMapSwizzle
    unsigned base;                     // base offset
    bool is_k_major;
    unsigned element;   // bytes

    Matrix(uint64_t descriptor, bool k_major, unsigned element_bytes)
        : start((uint32_t)(descriptor & 0x3fff) << 4),
          leading((uint32_t)(descriptor >> 16 & 0x3fff) << 4),
          stride((uint32_t)(descriptor >> 32 & 0x3fff) << 4),
          swizzle((unsigned)(4 - (descriptor >> 62)) % 4), base((unsigned)(descriptor >> 49 & 7)),
          is_k_major(k_major), element(element_bytes)
    {
        start -= SHARED_WINDOW;
    }

    // The offset in the arena of the chunk of 16 bytes that holds an element.
    uint32_t chunk(unsigned row, unsigned k) const
    {
        unsigned span = 16u << swizzle, each = 16 / element;
        uint32_t at = start;

        if (is_k_major && !swizzle)
            at += row % 8 * 16 + row / 8 * stride + k / each * leading;
        else if (is_k_major)
            at += row % 8 * span + row / 8 * stride + k / each * 16;
        else if (!swizzle)
            at += row / each * stride + k % 8 * 16 + k / 8 * leading;
        else
            at += row % (span / element) / each * 16 + row / (span / element) * leading +
                  k % 8 * span + k / 8 * stride;
        uint32_t from = at + SHARED_WINDOW - base * 128;   // of the pattern
        return at ^ (swizzled(from, swizzle) ^ from);
    }
};

}   // namespace

// The columns of A that are stored.
static unsigned depth_of_a(const Product &p) { return p.is_sparse ? p.k / 2 : p.k; }

static unsigned element_of(ProductType type)
{
    return type == PRODUCT_TF32 ? 4 : type == PRODUCT_F16 || type == PRODUCT_BF16 ? 2 : 1;
}

static double number_of(const void *at, ProductType type)
{
    uint16_t half;
    uint32_t word;
    float f;

    switch (type) {
    case PRODUCT_S8: return *(const signed char *)at;
    case PRODUCT_U8: return *(const unsigned char *)at;
    case PRODUCT_F16: memcpy(&half, at, 2); return emu_from_16<5>(half);
    case PRODUCT_BF16: memcpy(&half, at, 2); return emu_from_16<8>(half);
    default:
        memcpy(&word, at, 4);
        word &= ~0x1fffu;
        memcpy(&f, &word, 4);
        return f;
    }
}

// Calls visit(row, k, address of the first, how many) for the chunks of an operand: elements along
// k, or along the rows.
template <class Visit>
static void each_chunk(const Matrix &m, unsigned rows, unsigned depth, Visit visit)
{
    unsigned each = 16 / m.element;

    if (m.is_k_major)
        for (unsigned row = 0; row < rows; row++)
            for (unsigned k = 0; k < depth; k += each)
                visit(row, k, m.chunk(row, k));
    else
        for (unsigned k = 0; k < depth; k++)
            for (unsigned row = 0; row < rows; row += each)
                visit(row, k, m.chunk(row, k));
}

// to[k][row], with `pitch` rows per k.
static void load_matrix(const Worker &w, const Matrix &m, unsigned rows, unsigned depth,
                        ProductType type, double sign, double *to, unsigned pitch)
{
    unsigned each = 16 / m.element;

    each_chunk(m, rows, depth, [&](unsigned row, unsigned k, uint32_t at) {
        for (unsigned i = 0; i < each; i++) {
            unsigned to_k = m.is_k_major ? k + i : k, to_row = m.is_k_major ? row : row + i;
            to[to_k * pitch + to_row] = sign * number_of(w.arena + at + i * m.element, type);
        }
    });
}

// Checks that an operand is in shared memory and initialized, and what else accesses it.
static void check_matrix(Worker &w, const Lane *const *lanes, const Matrix &m, unsigned rows,
                         unsigned depth, const Running &r, unsigned reader)
{
    Block &b = *w.asyncs;
    std::vector<uint32_t> &granules = b.products->granules;
    uint32_t low = UINT32_MAX, high = 0;

    granules.clear();
    each_chunk(m, rows, depth, [&](unsigned, unsigned, uint32_t at) {
        low = std::min(low, at);
        high = std::max(high, at + GRANULE);
        granules.push_back(at / GRANULE);
    });
    std::string wrong = high > ARENA || low > high ? "an address that is not shared memory"
                                                   : shared_out_of_bounds(w, low, high - low);
    if (!wrong.empty())
        fail(w, "an operand of wgmma: " + wrong, r.pc);
    count(w, w.counts.sites.find(r.pc, EMU_PRODUCT), { 0, 0, (unsigned)granules.size() * GRANULE },
          0);
    check_granules(w, lanes, WARPGROUP, granules, r.operation, reader, "wgmma");
    for (uint32_t g : granules) {
        uint32_t writer = b.granules[g].writer;
        int swizzle = writer >= b.first ? swizzle_of(w, b.operation(writer)) : -1;

        if (swizzle > 0 && (unsigned)swizzle != m.swizzle) {
            static const char *const names[] = { "none", "32 bytes", "64 bytes", "128 bytes" };
            report({ std::string("an operand of wgmma whose descriptor has a swizzle of ") +
                         names[m.swizzle] + ", but the tensor map has one of " + names[swizzle],
                     r.pc, "copied here", b.operation(writer).pc, where(w, *lanes[0]) });
            break;
        }
    }
}

// ---- fragments ----

// The row and column of register i of a thread's sums; half: i counts halves.
static void place_of(unsigned thread, unsigned i, unsigned *row, unsigned *col)
{
    unsigned lane = thread % WARP;

    *row = thread / WARP * 16 + lane / 4 + i / 2 % 2 * 8;
    *col = i / 4 * 8 + lane % 4 * 2 + i % 2;
}

// Reads or writes a thread's registers.
template <class Visit> static void each_sum(const Sums &s, unsigned thread, Visit visit)
{
    unsigned count = s.n / 2;

    for (unsigned i = 0; i < count; i++) {
        unsigned row, col;

        place_of(thread, i, &row, &col);
        visit((char *)s.place[thread][s.half ? i / 2 : i] + (s.half ? i % 2 * 2 : 0),
              row * s.n + col);
    }
}

static void load_sums(Sums &s, unsigned thread, bool is_integer)
{
    each_sum(s, thread, [&](const char *at, unsigned i) {
        uint16_t half;
        int32_t word;
        float f;

        if (s.half) {
            memcpy(&half, at, 2);
            s.value[i] = emu_from_16<5>(half);
        } else if (is_integer) {
            memcpy(&word, at, 4);
            s.value[i] = word;
        } else {
            memcpy(&f, at, 4);
            s.value[i] = f;
        }
    });
}

static void store_sums(const Sums &s, unsigned thread, bool is_integer)
{
    each_sum(s, thread, [&](char *at, unsigned i) {
        uint16_t half = s.half ? emu_to_16<5>((float)s.value[i]) : 0;
        int32_t word = is_integer ? (int32_t)s.value[i] : 0;
        float f = (float)s.value[i];

        if (s.half)
            memcpy(at, &half, 2);
        else
            memcpy(at, is_integer ? (const void *)&word : &f, 4);
    });
}

// A in registers: to[k][row].
static void load_fragments(const Running &r, double sign, double *to)
{
    unsigned each = 4 / element_of(r.shape.a);   // elements per register

    for (unsigned t = 0; t < WARPGROUP; t++)
        for (unsigned i = 0; i < 4; i++)
            for (unsigned e = 0; e < each; e++) {
                unsigned lane = t % WARP, row = t / WARP * 16 + lane / 4 + i % 2 * 8,
                         k = (lane % 4 + i / 2 * 4) * each + e;
                const char *word = (const char *)&r.fragments[4 * t + i];

                to[k * ROWS_A + row] =
                    sign * number_of(word + e * element_of(r.shape.a), r.shape.a);
            }
}

// ---- products ----

// Sums of floats are truncated, as on an H200; the order of additions is not specified.
static double rounded(double x, const Product &p)
{
    if (p.a == PRODUCT_S8 || p.a == PRODUCT_U8) {
        if (p.saturates)
            return std::clamp(x, -2147483648.0, 2147483647.0);
        return (double)(int32_t)(uint32_t)(int64_t)x;
    }
    if (p.half_sums)
        return emu_from_16<5>(emu_to_16<5>((float)x));
    float f = (float)x;
    double d = f;
    if ((d > x && x > 0) || (d < x && x < 0)) {
        uint32_t bits;
        memcpy(&bits, &f, 4);
        bits--;
        memcpy(&f, &bits, 4);
    }
    return f;
}

// Puts the stored elements of a sparse A where their metadata say [9.7.15.6.1]: 4 bits for two of
// four columns, of which the lower 2 are the place of the first one. Thread 4 g + 2 * selector + h
// of a warp has columns 16 h to 16 h + 15 of row g in its lower bits, and those of row g + 8.
static void expand(const Running &r, const double *stored, double *a)
{
    std::fill(a, a + r.shape.k * ROWS_A, 0.0);
    for (unsigned row = 0; row < ROWS_A; row++)
        for (unsigned four = 0; four < r.shape.k / 4; four++) {
            unsigned thread = row / 16 * WARP + row % 8 * 4 + 2 * r.shape.selector + four / 4;
            uint32_t places = r.metadata[thread] >> (row % 16 / 8 * 16 + four % 4 * 4);

            for (unsigned i = 0; i < 2; i++)
                a[(4 * four + (places >> 2 * i & 3)) * ROWS_A + row] +=
                    stored[(2 * four + i) * ROWS_A + row];
        }
}

static void compute(Worker &w, Running &r)
{
    Products &all = *w.asyncs->products;
    const Product &p = r.shape;
    Sums &s = *r.sums;

    all.a.resize(2 * MOST_K * ROWS_A);
    all.b.resize(MOST_K * MOST_N);
    double *stored = p.is_sparse ? &all.a[MOST_K * ROWS_A] : all.a.data();
    if (p.a_in_shared)
        load_matrix(w, Matrix(r.a, !p.transpose_a, element_of(p.a)), ROWS_A, depth_of_a(p), p.a,
                    p.negate_a ? -1 : 1, stored, ROWS_A);
    else
        load_fragments(r, p.negate_a ? -1 : 1, stored);
    if (p.is_sparse)
        expand(r, stored, all.a.data());
    load_matrix(w, Matrix(r.b, !p.transpose_b, element_of(p.b)), p.n, p.k, p.b, p.negate_b ? -1 : 1,
                all.b.data(), p.n);
    for (unsigned row = 0; row < ROWS_A; row++) {
        double *sum = &s.value[row * p.n];

        if (!p.add)
            std::fill(sum, sum + p.n, 0.0);
        for (unsigned k = 0; k < p.k; k++) {
            double a = all.a[k * ROWS_A + row];
            const double *b = &all.b[k * p.n];

            for (unsigned col = 0; col < p.n; col++)
                sum[col] += a * b[col];
        }
        for (unsigned col = 0; col < p.n; col++)
            sum[col] = rounded(sum[col], p);
    }
    r.is_computed = true;
}

static bool is_integer(const Product &p) { return p.a == PRODUCT_S8 || p.a == PRODUCT_U8; }

static void compute_until(Worker &w, Warpgroup &g, uint32_t end)
{
    for (; g.computed < end; g.computed++)
        compute(w, g.products[g.computed]);
}

// ---- counts by shape ----

static void count_shape(const Product &p, unsigned clocks)
{
    static const char *const names[] = { "f16", "bf16", "tf32", "s8", "u8" };
    unsigned elements = p.n * p.k + (p.a_in_shared ? ROWS_A * depth_of_a(p) : 0);

    count_product({ p.n, p.k, names[p.a], 1, clocks, (uint64_t)elements * element_of(p.a) });
}

// In each warp of the warpgroup: an operand in shared memory of the product that is issued.
static void record_operand(const Worker &w, const Lane *const *lanes, emu_step step,
                           const Matrix &m, unsigned rows, unsigned depth, const Running &r,
                           uint32_t number)
{
    unsigned bytes = rows * depth * m.element;

    for (unsigned i = 0; i < WARPGROUP; i += WARP) {
        std::vector<emu_piece> pieces;
        auto add = [&](unsigned row, unsigned k, uint32_t at) {
            unsigned line = m.is_k_major ? row : k, first = (m.is_k_major ? k : row) * m.element;

            if (line < PIECE_ROWS && pieces.size() < MOST_PIECES)
                pieces.push_back({ line, first, 0, at });
        };
        if (records_pieces())
            each_chunk(m, rows, depth, add);
        record_box({ step, lanes[i], r.pc, "", number + 1ull }, w, EMU_PRODUCT, true, bytes,
                   { bytes / 128, bytes / 128, bytes }, std::move(pieces));
    }
}

// The groups that a thread has committed, and not waited for. Empty ones do not count.
static size_t groups_in_flight(const Warpgroup &g, unsigned thread)
{
    const std::vector<uint32_t> &commits = g.commits[thread];
    size_t groups = 0;

    for (size_t i = commits.size(); i-- > 0 && commits[i] > g.delivered[thread];)
        groups += i == 0 || commits[i] > commits[i - 1];
    return groups;
}

// All threads have joined: the product reads its operands from now on.
static void issue_product(Worker &w, Warpgroup &g, unsigned number_of_group)
{
    Block &b = *w.asyncs;
    Running &r = g.products[g.issued];
    const Lane *lanes[WARPGROUP];
    Operation op = {};
    // multiplications per clock and SM: 4096 FLOP in 16 bits, half in TF32, double in 8 bits; those
    // with elements of a sparse A that are not stored take no time
    unsigned depth = depth_of_a(r.shape),
             clocks = ROWS_A * r.shape.n * depth / (4096 / element_of(r.shape.a));

    for (unsigned i = 0; i < WARPGROUP; i++)
        lanes[i] = &w.lanes[number_of_group * WARPGROUP + i];
    op.kind = Kind::product;
    op.thread = (uint16_t)(number_of_group * WARPGROUP);
    op.pc = r.pc;
    r.operation = issue(w, std::move(op));
    count(w, w.counts.sites.find(r.pc, EMU_PRODUCT), { clocks, clocks, 0 }, WARPGROUP);
    count_shape(r.shape, clocks);
    count_groups(w, groups_in_flight(g, w.current->id % WARPGROUP));
    w.counts.sites.table[w.counts.sites.find(r.pc, EMU_PRODUCT)].requests -=
        r.shape.a_in_shared ? 2 : 1;
    Matrix a(r.a, !r.shape.transpose_a, element_of(r.shape.a)),
        b_matrix(r.b, !r.shape.transpose_b, element_of(r.shape.b));
    if (r.shape.a_in_shared)
        check_matrix(w, lanes, a, ROWS_A, depth, r, number_of_group);
    check_matrix(w, lanes, b_matrix, r.shape.n, r.shape.k, r, number_of_group);
    if (w.recorded) {
        record_next();
        if (r.shape.a_in_shared)
            record_operand(w, lanes, EMU_OPERAND_A, a, ROWS_A, depth, r, g.issued);
        record_operand(w, lanes, EMU_OPERAND_B, b_matrix, r.shape.n, r.shape.k, r, g.issued);
    }
    g.issued++;
    if (lands_at_issue()) {
        compute_until(w, g, g.issued);
        for (unsigned i = 0; i < WARPGROUP; i++)
            store_sums(*r.sums, i, is_integer(r.shape));
    }
    for (unsigned i = 0; i < WARPGROUP; i++) {
        unsigned t = number_of_group * WARPGROUP + i;
        if (b.waiters[t].what == Wait::warpgroup && b.waiters[t].number <= g.issued)
            wake(w, w.lanes[t]);
    }
}

static Warpgroup &group_of(Worker &w, uintptr_t pc, unsigned *thread)
{
    Block &b = *w.asyncs;
    unsigned self = w.current->id, number = self / WARPGROUP;

    if ((number + 1) * WARPGROUP > b.threads)
        fail(w, "an instruction of a warpgroup: this thread's has fewer than four whole warps", pc);
    *thread = self % WARPGROUP;
    return b.products->group[number];
}

// "" or what is wrong with a shape.
static std::string check_shape(const Product &p)
{
    bool is_8_bit = is_integer(p);
    std::string shape = "wgmma of n = " + std::to_string(p.n) + " and k = " + std::to_string(p.k);

    if (p.n % 8 || p.n < 8 || p.n > MOST_N || depth_of_a(p) * element_of(p.a) != 32 ||
        element_of(p.a) != element_of(p.b) || (is_8_bit && p.n > 32 && p.n % 16))
        return shape + ": PTX has no such shape";
    if ((p.transpose_a || p.transpose_b) && element_of(p.a) != 2)
        return shape + ": only 16-bit types may be M- or N-major";
    return "";
}

// The sums that the thread's registers belong to, if a product of them is still running.
static std::shared_ptr<Sums> running_sums(const Warpgroup &g, unsigned thread, void *const *place)
{
    for (const std::shared_ptr<Sums> &s : g.sums)
        if (s->last >= g.delivered[thread] && !s->place[thread].empty() &&
            s->place[thread][0] == place[0])
            return s;
    return nullptr;
}

static void join_sums(Worker &w, Warpgroup &g, Running &r, unsigned thread, void *const *place)
{
    Sums &s = *r.sums;
    unsigned registers = r.shape.n / (r.shape.half_sums ? 4 : 2);

    if (!s.place[thread].empty()) {
        if (!std::equal(place, place + registers, s.place[thread].begin()))
            fail(w, "wgmma with some registers of a product that is running, and others", r.pc);
        return;
    }
    s.place[thread].assign(place, place + registers);
    s.low[thread] = (uintptr_t)*std::min_element(place, place + registers);
    s.high[thread] = (uintptr_t)*std::max_element(place, place + registers) + 4;
    for (const std::shared_ptr<Sums> &old : g.sums)
        if (old.get() != &s && old->touched[thread] && old->low[thread] < s.high[thread] &&
            s.low[thread] < old->high[thread])
            report({ "wgmma without a wgmma.fence after an access to its accumulator", r.pc,
                     "accessed here", old->touched[thread], where(w, *w.current) });
    load_sums(s, thread, is_integer(r.shape));
}

// Only the last sums in a place are kept, for touches of their registers.
static void forget_sums(Warpgroup &g)
{
    uint32_t all = *std::min_element(g.delivered, g.delivered + WARPGROUP);

    for (; g.released < all; g.released++) {
        g.products[g.released].sums.reset();
        std::vector<uint32_t>().swap(g.products[g.released].fragments);
        std::vector<uint32_t>().swap(g.products[g.released].metadata);
    }

    for (size_t i = 0; i < g.sums.size();) {
        bool is_old = g.sums[i]->last < all;

        for (size_t k = i + 1; is_old && k < g.sums.size(); k++)
            if (g.sums[k]->low[0] == g.sums[i]->low[0] &&
                !g.sums[k]->place[WARPGROUP - 1].empty()) {
                g.sums.erase(g.sums.begin() + (long)i--);
                break;
            }
        i++;
    }
}

void wgmma(const Product &p, void *const *sums, const uint32_t *a, uint64_t a_descriptor,
           uint64_t b_descriptor, uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    enter(w, pc);
    unsigned thread;
    Warpgroup &g = group_of(w, pc, &thread);
    uint32_t number = g.joined[thread];

    if (number == g.products.size()) {
        std::string wrong = check_shape(p);

        if (!wrong.empty())
            fail(w, wrong, pc);
        Running r = { p, a_descriptor, b_descriptor, pc, 0, 0, false, nullptr, {}, {} };
        r.sums = running_sums(g, thread, sums);
        if (!r.sums || r.sums->n != p.n || r.sums->half != p.half_sums) {
            r.sums = std::make_shared<Sums>();
            r.sums->n = p.n;
            r.sums->half = p.half_sums;
            r.sums->value.resize(ROWS_A * p.n);
            g.sums.push_back(r.sums);
        }
        r.sums->last = number;
        if (!p.a_in_shared)
            r.fragments.resize(4 * WARPGROUP);
        if (p.is_sparse)
            r.metadata.resize(WARPGROUP);
        g.products.push_back(std::move(r));
    }
    Running &r = g.products[number];
    if (r.pc != pc || r.a != a_descriptor || r.b != b_descriptor || r.shape.add != p.add)
        report_and_stop(w, { "threads of a warpgroup execute different wgmmas, or with different "
                             "descriptors or scale-d",
                             pc, "the first of them", r.pc, where(w, *w.current) });
    if (!g.has_fenced[thread])
        report({ "wgmma without a wgmma.fence before: it must come before the first wgmma", pc, "",
                 0, where(w, *w.current) });
    g.has_fenced[thread] = true;
    w.has_products = true;
    join_sums(w, g, r, thread, sums);
    if (!p.a_in_shared)
        memcpy(&r.fragments[4 * thread], a, 16);
    if (p.is_sparse)
        r.metadata[thread] = p.metadata;
    g.joined[thread]++;
    // All warps of the warpgroup are here when it is issued.
    if (++r.joined == WARPGROUP)
        issue_product(w, g, w.current->id / WARPGROUP);
    else
        wait(w, Wait::warpgroup, number + 1);
}

void wgmma_fence(uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    enter(w, pc);
    unsigned thread;
    Warpgroup &g = group_of(w, pc, &thread);

    g.has_fenced[thread] = true;
    for (const std::shared_ptr<Sums> &s : g.sums)
        s->touched[thread] = 0;
}

void wgmma_commit_group(uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    enter(w, pc);
    unsigned thread;
    Warpgroup &g = group_of(w, pc, &thread);

    g.commits[thread].push_back(g.joined[thread]);
}

// .sync: all lanes of the warp are here. What they have read before has been read; their writes are
// not ordered.
static void converge(Worker &w, uintptr_t pc)
{
    Block &b = *w.asyncs;
    unsigned warp = w.current->id / WARP, arrived = b.converging[warp];

    exchange(Exchange::together, ~0u, 0, pc);
    if (b.converging[warp] != arrived)
        return;   // another lane has recorded it
    b.converging[warp]++;
    end_epoch(w.warps[warp]);
    b.converged[warp].push_back(now(w));
}

void wgmma_wait_group(uint32_t pending, uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    Block &b = enter(w, pc);
    unsigned thread;
    Warpgroup &g = group_of(w, pc, &thread);
    converge(w, pc);
    const std::vector<uint32_t> &commits = g.commits[thread];
    uint32_t end = commits.size() > pending ? commits[commits.size() - 1 - pending] : 0;

    if (w.recorded)
        record_async({ EMU_PRODUCTS_DONE, w.current, pc, "", end }, w);
    if (end <= g.delivered[thread])
        return;
    compute_until(w, g, end);
    uint32_t time = now(w), from = g.delivered[thread];
    g.delivered[thread] = end;
    for (uint32_t i = from; i < end; i++) {
        Running &r = g.products[i];

        uint32_t &waited = b.operation(r.operation).waited[thread / WARP];
        waited = waited ? waited : time;
        if (r.sums->last == i && !lands_early)
            store_sums(*r.sums, thread, is_integer(r.shape));
        if (r.sums->last == i)
            r.sums->touched[thread] = 0;
    }
    forget_sums(g);
}

std::string wgmma_waits(Worker &w, const Lane &lane)
{
    const Warpgroup &g = w.asyncs->products->group[lane.id / WARPGROUP];
    const Running &r = g.products[g.issued];

    return "wgmma that only " + std::to_string(r.joined) +
           " of the 128 threads of the warpgroup execute";
}

void local_access(Worker &w, uintptr_t address, unsigned size, bool writes, uintptr_t pc)
{
    unsigned self = w.current->id, thread = self % WARPGROUP;

    if (self / WARPGROUP >= GROUPS)
        return;
    Warpgroup &g = w.asyncs->products->group[self / WARPGROUP];
    for (const std::shared_ptr<Sums> &s : g.sums) {
        if (address >= s->high[thread] || address + size <= s->low[thread])
            continue;
        bool is_one = false;
        for (void *place : s->place[thread])
            is_one |= address < (uintptr_t)place + 4 && (uintptr_t)place < address + size;
        if (!is_one)
            continue;
        if (s->last < g.delivered[thread]) {
            s->touched[thread] = pc;
            continue;
        }
        const Running &r = g.products[s->last];
        report(
            { std::string(writes ? "write to" : "read of") +
                  " an accumulator of a wgmma that is running: wgmma.wait_group must come before",
              pc, "started here", r.pc, where(w, *w.current) });
    }
}

void end_products(Worker &w)
{
    Block &b = *w.asyncs;

    for (unsigned i = 0; i < GROUPS; i++) {
        Warpgroup &g = b.products->group[i];

        for (unsigned t = 0; t < WARPGROUP && !g.products.empty(); t++)
            if (g.delivered[t] < g.products.size()) {
                const Running &r = g.products[g.delivered[t]];
                report({ "the block ends while a wgmma is running: its warpgroup has not waited "
                         "for it",
                         r.pc, "", 0, where(w, w.lanes[i * WARPGROUP + t]) });
                break;
            }
    }
}

// ---- registers [9.7.19.5] ----

// Of each thread at the launch: setmaxnreg requires that the launch bounds determine it.
static void begin_registers(Block &b)
{
    unsigned threads = (b.threads + WARPGROUP - 1) / WARPGROUP * WARPGROUP;

    b.registers.assign(b.threads, (uint16_t)std::min(256u, 65536 / threads / 8 * 8));
    b.changes.assign(b.threads, {});
    b.free_registers = 0;
}

void setmaxnreg(uint32_t count, bool increases, uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    Block &b = enter(w, pc);
    const char *name = increases ? "setmaxnreg.inc" : "setmaxnreg.dec";
    unsigned self = w.current->id;

    if (b.registers.empty())
        begin_registers(b);
    b.changes[self].count++;
    b.changes[self].pc = pc;
    uint16_t &own = b.registers[self];
    if (count < 24 || count > 256 || count % 8)
        fail(w,
             std::string(name) + " of " + std::to_string(count) +
                 " registers: multiples of 8 from 24 to 256 are valid",
             pc);
    if (increases ? own > count : own < count)
        fail(w,
             std::string(name) + " to " + std::to_string(count) +
                 " registers of a thread that has " + std::to_string(own),
             pc);
    int64_t more = (int64_t)count - own;
    if (increases && more > b.free_registers) {
        b.waiters[self].phase = (uint32_t)more;
        wait(w, Wait::registers, count);
        return;   // the warp that released them has changed the counts
    }
    own = (uint16_t)count;
    b.free_registers -= more;
    for (unsigned t = 0; t < b.threads && !increases; t++)
        if (b.waiters[t].what == Wait::registers && b.waiters[t].phase <= b.free_registers) {
            b.registers[t] = (uint16_t)b.waiters[t].number;
            b.free_registers -= b.waiters[t].phase;
            wake(w, w.lanes[t]);
        }
}

// All warps of a warpgroup execute the same setmaxnregs.
void end_registers(Worker &w)
{
    Block &b = *w.asyncs;

    for (unsigned first = 0; first < b.changes.size(); first += WARPGROUP) {
        auto end = b.changes.begin() + std::min<size_t>(first + WARPGROUP, b.changes.size());
        auto [least, most] = std::minmax_element(
            b.changes.begin() + first, end, [](auto &x, auto &y) { return x.count < y.count; });
        const Lane &other = w.lanes[least - b.changes.begin()];

        if (least->count < most->count)
            report({ "setmaxnreg that not all warps of the warpgroup execute", most->pc, "", 0,
                     where(w, other) + ", which does not execute it" });
    }
}

}   // namespace emu::hopper
