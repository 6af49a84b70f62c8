// Bulk copies and tensor copies between global and shared memory [PTX ISA 9.7.9.25.4, 5.5]. A load
// lands when a thread waits for its mbarrier and no thread can continue; a store, when its thread
// waits for its group, or its block ends.
#include <algorithm>
#include <cstring>
#include <mutex>

#include "include/cuda.h"
#include "include/cuda_bf16.h"
#include "include/cuda_fp16.h"
#include "count/counting.h"
#include "count/record.h"
#include "exec/exec.h"
#include "hopper.h"
#include "host/tensormap.h"
#include "order/memory.h"
#include "order/shared.h"
#include "order/snapshot.h"
#include "report/report.h"

namespace emu::hopper {

// What a copy reads. registers: st.async and red.async, whose bytes are in `source`. block: shared
// memory of the block that has issued it, for another one.
enum class From : uint8_t { global, registers, block };

// What a copy is to do.
struct Copy {
    uint32_t number;   // of the operation
    From from;
    bool is_generic;             // not through the asynchronous proxy, of any size
    uint32_t read_by, read_at;   // of a block: the operation there, and the offset in its arena
    bool is_tensor;
    Tensor tensor;
    int32_t at[5];
    uint32_t shared;    // offset in the arena
    uintptr_t global;   // without a tensor map
    uint32_t bytes;     // that are copied, and counted by the mbarrier
    uint32_t extent;    // bytes of shared memory from the first to the last
    Reduction how;
    Element type;
    std::vector<unsigned char> source;   // of a store, as it was when it was read; of registers
    Cost cost;                           // of its side in global memory
};

// Bulk groups of a thread.
struct Groups {
    uint32_t committed;
    std::vector<uint32_t> stores;   // indices of copies that no wait has covered, oldest first
};

struct Copies {
    std::vector<Copy> all;
    std::vector<uint32_t> loads;   // indices of those that have not landed
    std::vector<Groups> groups;    // per thread
    std::vector<uintptr_t> store_sites;
};

void begin_copies(Block &b)
{
    if (!b.copies)
        b.copies.reset(new Copies());
    b.copies->all.clear();
    b.copies->loads.clear();
    b.copies->groups.clear();
    b.copies->store_sites.clear();
}

static Groups &groups_of(Block &b, unsigned thread)
{
    if (b.copies->groups.empty())
        b.copies->groups.resize(MAX_THREADS);
    return b.copies->groups[thread];
}

// ---- rows of a box ----

namespace {

// A row of a box, along the dimension that runs fastest: `bytes` bytes of shared memory from
// `shared` on, before swizzling, of which [first, last) are in the tensor, from `global` on.
struct Row {
    uint32_t shared, bytes, first, last;
    uintptr_t global;
};

}   // namespace

template <class Visit> static void each_row(const Copy &c, Visit visit)
{
    const Tensor &t = c.tensor;

    if (!c.is_tensor)
        return visit(Row{ c.shared, c.bytes, 0, c.bytes, c.global });
    int64_t dim = (int64_t)t.dim(0), element = t.element();
    int64_t first = std::clamp<int64_t>(-(int64_t)c.at[0], 0, t.box[0]),
            last = std::clamp<int64_t>(dim - c.at[0], first, t.box[0]);
    unsigned index[5] = {};
    uint32_t shared = c.shared;

    for (unsigned rows = t.rows(); rows > 0; rows--, shared += t.pitch()) {
        uintptr_t global = t.base + (uint64_t)((c.at[0] + first) * element);
        bool is_inside = true;

        for (unsigned d = 1; d < t.rank; d++) {
            int64_t at = (int64_t)c.at[d] + index[d] * t.step[d];
            is_inside &= at >= 0 && at < (int64_t)t.dim(d);
            global += (uint64_t)at * t.stride[d - 1];
        }
        visit(Row{ shared, t.row_bytes(), (uint32_t)(first * element),
                   (uint32_t)((is_inside ? last : first) * element), global });
        for (unsigned d = 1; d < t.rank && ++index[d] == t.count(d); d++)
            index[d] = 0;
    }
}

// Calls visit(offset in the row, offset in the arena, bytes) for the pieces of a row's bytes
// [first, last) that are in one chunk of 16 bytes.
template <class Visit>
static void each_piece(const Copy &c, const Row &row, uint32_t first, uint32_t last, Visit visit)
{
    if (!c.is_tensor || !c.tensor.swizzle) {
        if (first < last)
            visit(first, row.shared + first, last - first);
        return;
    }
    for (uint32_t at = first; at < last;) {
        uint32_t n = std::min(last - at, 16 - (row.shared + at) % 16);

        visit(at, swizzled(row.shared + at, c.tensor.swizzle), n);
        at += n;
    }
}

// ---- recordings ----

// The pieces of the first rows of a box, on its side in shared or in global memory.
static std::vector<emu_piece> pieces_of(const Copy &c, bool in_shared_memory)
{
    std::vector<emu_piece> pieces;
    unsigned index = 0;

    if (!records_pieces())
        return pieces;
    each_row(c, [&](const Row &row) {
        auto add = [&](uint32_t first, uint32_t last) {
            for (uint32_t at = first, end; at < last && pieces.size() < MOST_PIECES; at = end) {
                bool is_outside = at < row.first || at >= row.last;
                uint64_t address = row.global + at - row.first;

                end = std::min(last, (at / 16 + 1) * 16);
                if (in_shared_memory)
                    each_piece(c, row, at, end, [&](uint32_t, uint32_t to, uint32_t) {
                        address = to;
                        pieces.push_back({ index, at, is_outside, to });
                    });
                else
                    pieces.push_back({ index, at, is_outside, address });
            }
        };
        if (index < PIECE_ROWS) {
            add(0, row.first);
            add(row.first, row.last);
            add(row.last, row.bytes);
        }
        index++;
    });
    return pieces;
}

// A copy between global memory and the block `of` is issued by the current lane.
static void record_copy(Worker &of, const Copy &c, const std::string &object, uintptr_t pc)
{
    Worker &w = *worker;
    const Operation &op = of.asyncs->operation(c.number);
    emu_kind kind = op.kind == Kind::store ? EMU_BULK_ST : EMU_BULK_LD;
    AsyncStep step = { EMU_BULK, &of == &w ? w.current : nullptr, pc, object,
                       c.number - of.asyncs->first + 1ull };

    record_next();
    if (c.from == From::global)
        record_box(step, of, kind, false, c.cost.bytes, c.cost, pieces_of(c, false));
    record_box(step, of, kind, true, c.bytes, { 0, 0, c.bytes }, pieces_of(c, true));
}

static void record_done(Worker &w, const Copy &c, const std::string &object)
{
    record_async({ EMU_DONE, nullptr, w.asyncs->operation(c.number).pc, object,
                   c.number - w.asyncs->first + 1ull },
                 w);
}

// ---- effects ----

// Fills the bytes of a row outside the tensor.
static void fill(unsigned char *to, uint32_t bytes, const Tensor &t)
{
    static const unsigned char nan[9] = { 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f };

    if (!t.fills_nan)
        memset(to, 0, bytes);
    else if (t.element() == 2)
        for (uint32_t i = 0; i + 2 <= bytes; i += 2)
            memcpy(to + i, nan, 2);
    else
        for (uint32_t i = 0; i + t.element() <= bytes; i += t.element()) {
            memset(to + i, 0xff, t.element() - 1);
            to[i + t.element() - 1] = 0x7f;
        }
}

static std::mutex reducing;

template <class T> static T reduced(Reduction how, T a, T b)
{
    switch (how) {
    case REDUCE_ADD: return (T)(a + b);
    case REDUCE_MIN: return std::min(a, b);
    default: return std::max(a, b);
    }
}

template <class T> static T reduced_bits(Reduction how, T a, T b)
{
    switch (how) {
    case REDUCE_INC: return a >= b ? 0 : a + 1;
    case REDUCE_DEC: return a == 0 || a > b ? b : a - 1;
    case REDUCE_AND: return a & b;
    case REDUCE_OR: return a | b;
    case REDUCE_XOR: return a ^ b;
    default: return reduced(how, a, b);
    }
}

template <class T, class F> static void reduce_all(void *to, const void *from, size_t bytes, F f)
{
    for (size_t i = 0; i < bytes; i += sizeof(T)) {
        T a, b;
        memcpy(&a, (char *)to + i, sizeof a);
        memcpy(&b, (const char *)from + i, sizeof b);
        a = f(a, b);
        memcpy((char *)to + i, &a, sizeof a);
    }
}

static void reduce(void *to, const void *from, size_t bytes, Reduction how, Element type)
{
    std::lock_guard<std::mutex> hold(reducing);
    auto bits = [how](auto a, auto b) { return reduced_bits(how, a, b); };
    auto numbers = [how](auto a, auto b) { return reduced(how, a, b); };

    switch (type) {
    case B32:
    case U32: return reduce_all<uint32_t>(to, from, bytes, bits);
    case S32: return reduce_all<int32_t>(to, from, bytes, numbers);
    case B64:
    case U64: return reduce_all<uint64_t>(to, from, bytes, bits);
    case S64: return reduce_all<int64_t>(to, from, bytes, numbers);
    case F32: return reduce_all<float>(to, from, bytes, numbers);
    case F64: return reduce_all<double>(to, from, bytes, numbers);
    case F16:
        return reduce_all<uint16_t>(to, from, bytes, [how](uint16_t a, uint16_t b) {
            return emu_to_16<5>(reduced(how, emu_from_16<5>(a), emu_from_16<5>(b)));
        });
    case BF16:
        return reduce_all<uint16_t>(to, from, bytes, [how](uint16_t a, uint16_t b) {
            return emu_to_16<8>(reduced(how, emu_from_16<8>(a), emu_from_16<8>(b)));
        });
    }
}

static void land_rows(Worker &w, const Copy &c)
{
    unsigned char *arena = (unsigned char *)w.arena;

    each_row(c, [&](const Row &row) {
        each_piece(c, row, 0, row.first, [&](uint32_t, uint32_t to, uint32_t n) {
            fill(arena + to, n, c.tensor);
            shared_mark_written(w, to, n);
        });
        bool all = row.first == row.last || is_written(row.global, row.last - row.first);
        each_piece(c, row, row.first, row.last, [&](uint32_t at, uint32_t to, uint32_t n) {
            uintptr_t from = row.global + at - row.first;

            memcpy(arena + to, (const void *)from, n);
            shared_mark_written(w, to, n);
            for (uint32_t i = 0; !all && i < n; i++)
                shared_mark_written(w, to + i, 1, is_written(from + i, 1));
        });
        each_piece(c, row, row.last, row.bytes, [&](uint32_t, uint32_t to, uint32_t n) {
            fill(arena + to, n, c.tensor);
            shared_mark_written(w, to, n);
        });
    });
}

// From shared memory of the block that has issued it.
static void land_from_block(Worker &w, const Copy &c)
{
    Worker &from = *w.cluster->block[w.asyncs->operation(c.number).issuer];
    Operation &reading = from.asyncs->operation(c.read_by);

    memcpy(w.arena + c.shared, from.arena + c.read_at, c.bytes);
    shared_mark_written(w, c.shared, c.bytes);
    reading.has_landed = true;
    reading.phase = w.asyncs->barriers[reading.barrier].phase;
}

static void land_registers(Worker &w, const Copy &c)
{
    char *to = w.arena + c.shared;

    if (c.how == REDUCE_NONE)
        memcpy(to, c.source.data(), c.bytes);
    else
        reduce(to, c.source.data(), c.bytes, c.how, c.type);
    shared_mark_written(w, c.shared, c.bytes);
}

// What waits for the mbarrier comes after the issue of the copy, and so after its reads of global
// memory.
static void order_after_issue(Worker &w, Clock &gathered, const Operation &op)
{
    auto order = [&op](Times &times) {
        times.resize(std::max<size_t>(times.size(), op.thread + 1u));
        times[op.thread] = std::max(times[op.thread], op.issued + 1);
    };

    if (op.issuer == w.rank)
        return order(gathered.own);
    gathered.peers.resize(MAX_CLUSTER);
    std::shared_ptr<const Times> &peer = gathered.peers[op.issuer];
    Times known = peer ? *peer : Times();
    order(known);
    peer = std::make_shared<const Times>(std::move(known));
}

static void land_load(Worker &w, const Copy &c)
{
    Operation &op = w.asyncs->operation(c.number);

    switch (c.from) {
    case From::global: land_rows(w, c); break;
    case From::block: land_from_block(w, c); break;
    case From::registers: land_registers(w, c); break;
    }
    if (w.recorded)
        record_done(w, c, barrier_label(w, w.asyncs->barriers[op.barrier]));
    op.has_landed = true;
    op.phase = w.asyncs->barriers[op.barrier].phase;
    order_after_issue(w, w.asyncs->barriers[op.barrier].gathered, op);
    complete_bytes(w, op.barrier, c.bytes, op.pc);
}

static void read_source(Worker &w, Copy &c)
{
    Operation &op = w.asyncs->operation(c.number);

    if (op.is_read)
        return;
    op.is_read = true;
    if (w.recorded)
        record_done(w, c, "");
    c.source.resize(c.extent);
    each_row(c, [&](const Row &row) {
        each_piece(c, row, row.first, row.last, [&](uint32_t at, uint32_t from, uint32_t n) {
            memcpy(&c.source[row.shared - c.shared + at], w.arena + from, n);
        });
    });
}

// ---- global memory ----

// Calls visit() with requests of the lane for the bytes in the tensor.
template <class Visit> static void each_request(const Lane &lane, const Copy &c, Visit visit)
{
    Request r = {};
    uint32_t from[WARP];   // offsets in the source

    each_row(c, [&](const Row &row) {
        uintptr_t at = row.global, end = row.global + row.last - row.first;

        while (at < end) {
            unsigned size = 16;
            while (at % size || end - at < size)
                size /= 2;
            if (r.lanes && (r.lanes == WARP || r.size != size)) {
                visit(r, from);
                r.lanes = 0;
            }
            r.size = size;
            from[r.lanes] = row.shared - c.shared + row.first + (uint32_t)(at - row.global);
            r.lane[r.lanes] = lane.id % WARP;
            r.address[r.lanes++] = at;
            at += size;
        }
    });
    if (r.lanes)
        visit(r, from);
}

// A thread of the block has written what a copy reads, and the copy is ordered after it: a proxy
// fence must be in between [8.6]. Nothing is known of writes that atomics order, or that are those
// of other blocks.
static void check_global_proxy(Worker &w, const Lane &lane, const Request &r, uintptr_t pc)
{
    const Block &b = *w.asyncs;
    const std::vector<uintptr_t> &stores = b.copies->store_sites;

    for (const FoundMark &f : marks_of(w, r, false, launch_epoch(), UINT32_MAX)) {
        const Epoch &e = epoch_of(w, GLOBAL, f.mark.epoch);
        uint32_t time = time_of(b, e.created);
        bool is_ordered =
            f.mark.thread == lane.id || time_in(b.seen[lane.id].own, f.mark.thread) > time;

        if (e.block != (uint32_t)w.block_linear || !is_ordered ||
            time_in(b.proxied[lane.id].own, f.mark.thread) > time ||
            std::find(stores.begin(), stores.end(), pc_of(f.mark)) != stores.end())
            continue;
        report({ "missing fence.proxy.async: a bulk copy reads global memory that a thread has "
                 "written: the fence belongs after the write",
                 pc, "written here by " + thread_name(w, f.mark.thread), pc_of(f.mark),
                 where(w, lane) });
        return;
    }
}

static void check_accesses(Worker &w, const Lane &lane, const Copy &c, uintptr_t pc, bool is_load)
{
    const Warp &warp = w.warps[lane.id / WARP];
    Stop head = {};
    // What the last request of the warp has stored is still to be compared.
    Stored kept = w.order.stored;
    std::vector<Doubt> doubts;

    head.pc = pc;
    head.state = State::copy;
    w.order.stored.request.lanes = 0;
    doubts.swap(w.order.doubts);
    each_request(lane, c, [&](const Request &r, const uint32_t *from) {
        w.order.stored.value = w.order.stored.own;
        w.order.stored.known = ~0u;
        for (unsigned i = 0; !is_load && c.how == REDUCE_NONE && i < r.lanes; i++)
            memcpy(w.order.stored.own[i], &c.source[from[i]], r.size);
        if (w.launch->before_end)
            check_dependence(w, warp, r, head, !is_load);
        race_check(w, warp, r, is_load ? EMU_LD : c.how == REDUCE_NONE ? EMU_ST : EMU_ATOMIC, head);
        if (is_load && !c.is_generic)
            check_global_proxy(w, lane, r, pc);
        stores_are_done(w);
    });
    w.order.stored = kept;
    w.order.doubts.swap(doubts);
}

// Checks the bytes in the tensor against the allocations, and counts their sectors.
static void check_and_count(Worker &w, Copy &c, bool is_load, uintptr_t pc)
{
    Cost cost = { 0, 0, 0 };
    uintptr_t last = 0;

    each_row(c, [&](const Row &row) {
        uint32_t n = row.last - row.first;
        if (!n)
            return;
        std::string wrong = in_heap(row.global) || in_image(row.global) == Image::device
                              ? check_global(row.global, n)
                              : "a bulk copy of memory that is not global memory";
        if (!wrong.empty())
            fail(w, wrong, pc);
        uintptr_t begin = row.global / 32 + (row.global / 32 == last),
                  end = (row.global + n - 1) / 32;
        cost.units += (unsigned)(end + 1 - begin);
        cost.ideal += (n + 31) / 32;
        cost.bytes += n;
        last = end;
    });
    count(w, w.counts.sites.find(pc, is_load ? EMU_BULK_LD : EMU_BULK_ST), cost, 1);
    c.cost = cost;
    Request r = {};
    r.size = 16;
    r.lanes = 1;
    r.address[0] = c.is_tensor
                     ? c.tensor.base + (uint64_t)(c.at[0] + ((int64_t)c.at[1] << 32)) * 16 +
                           (uint64_t)c.at[2] * 8
                     : c.global;
    note_progress(w, fingerprint_of(w, w.warps[w.current->id / WARP], r.address[0], shape_of(r),
                                    pc + c.shared));
}

static void land_store(Worker &w, Copy &c)
{
    Operation &op = w.asyncs->operation(c.number);

    if (op.has_landed)
        return;
    read_source(w, c);
    op.has_landed = true;
    each_row(c, [&](const Row &row) {
        uint32_t n = row.last - row.first;
        const unsigned char *from = &c.source[row.shared - c.shared + row.first];

        before_store(row.global, n);
        if (n && c.how == REDUCE_NONE)
            memcpy((void *)row.global, from, n);
        else if (n)
            reduce((void *)row.global, from, n, c.how, c.type);
        mark_written(row.global, n);
    });
}

// A store is complete: its accesses belong to what its thread does now.
static void complete_store(Worker &w, Copy &c)
{
    const Operation &op = w.asyncs->operation(c.number);

    land_store(w, c);
    check_accesses(w, w.lanes[op.thread], c, op.pc, false);
    c.source.clear();
    c.source.shrink_to_fit();
}

// ---- instructions ----

static void check_size(Worker &w, uint32_t bytes, uintptr_t global, uintptr_t pc)
{
    if (bytes % 16)
        fail(w,
             "a bulk copy of " + std::to_string(bytes) +
                 " bytes: the size must be a multiple of 16",
             pc);
    if (global % 16)
        fail(w,
             "a bulk copy at an address of global memory that is " + std::to_string(global % 16) +
                 " past a multiple of 16",
             pc);
}

static const Tensor &tensor_of(Worker &w, const void *map, int rank, uintptr_t pc)
{
    const Tensor &t = *(const Tensor *)map;
    uintptr_t address = (uintptr_t)map;
    bool is_readable = in_heap(address) || in_image(address) != Image::none ||
                       address - (uintptr_t)w.launch->args < w.launch->arg_bytes ||
                       address - w.stack_low < STACK_BYTES;

    if (!is_readable || address % 64)
        fail(w,
             is_readable ? "a tensor map at an address that is not a multiple of 64"
                         : "a tensor map at an address that is not a parameter of the kernel, "
                           "constant or global memory",
             pc);
    if (t.magic != TENSOR_MAGIC)
        fail(w, "a tensor map that cuTensorMapEncodeTiled has not encoded", pc);
    if (t.rank != rank)
        fail(w,
             "a tensor copy of " + std::to_string(rank) + " dimensions with a map of " +
                 std::to_string(t.rank),
             pc);
    return t;
}

static Copy tensor_copy(Worker &w, const void *map, int rank, const int32_t *at, uintptr_t pc)
{
    Copy c = {};

    c.is_tensor = true;
    c.tensor = tensor_of(w, map, rank, pc);
    std::copy(at, at + rank, c.at);
    // Measured on an H200: another first coordinate ends with an illegal instruction.
    if (at[0] * (int64_t)c.tensor.element() % 16 != 0)
        fail(w,
             "a tensor copy at first coordinate " + std::to_string(at[0]) + ", " +
                 std::to_string(at[0] * (int64_t)c.tensor.element()) +
                 " bytes: not a multiple of 16",
             pc);
    c.bytes = c.tensor.bytes();
    c.extent = c.tensor.extent();
    return c;
}

// The initialized mbarrier at an address of the block `of`, for a copy by the current lane.
static Barrier &barrier_of_copy(Worker &of, const void *at, bool is_generic, uintptr_t pc)
{
    Worker &w = *worker;
    const Lane &lane = *w.current;
    uint32_t offset = shared_range(of, at, 8, 8, "a bulk copy's mbarrier", pc);
    Barrier *barrier = barrier_at(*of.asyncs, offset);

    if (!barrier)
        fail(w,
             "a bulk copy with " + shared_name(of, (uintptr_t)at) +
                 ", which is not an initialized mbarrier",
             pc);
    if (!is_generic && !barrier->is_fenced &&
        time_in(proxied_of(*w.asyncs, lane.id, *of.asyncs), barrier->thread) <=
            barrier->initialized)
        report({ "missing fence.proxy.async: a bulk copy uses " + barrier_name(of, *barrier) +
                     ", whose initialization is not visible to it; fence.mbarrier_init is enough, "
                     "too",
                 pc, "initialized here by " + thread_name(of, barrier->thread), barrier->pc,
                 where(w, lane) });
    return *barrier;
}

// Starts a copy by the current lane to shared memory of the block `of`.
static void start_in_block(Worker &of, Copy c, const void *to, const void *barrier_address,
                           uintptr_t pc)
{
    Worker &w = *worker;
    Block &b = *of.asyncs;
    Operation op = {};

    if (&of != &w)
        check_alive(of, w, *w.current, "a bulk copy", pc);
    c.shared = shared_range(of, to, c.extent,
                            c.is_tensor                 ? 128
                            : c.from == From::registers ? std::min(c.bytes, 16u)
                            : c.is_generic              ? 1
                                                        : 16,
                            "a bulk copy", pc);
    Barrier &barrier =
        barrier_of_copy(of, barrier_address, c.is_generic || c.from == From::registers, pc);
    op.kind = Kind::load;
    op.thread = w.current->id;
    op.issuer = (uint8_t)w.rank;
    op.home = (uint8_t)of.rank;
    op.pc = pc;
    op.barrier = (uint32_t)(&barrier - b.barriers.data());
    op.phase = barrier.phase;
    op.copy = (uint32_t)b.copies->all.size();
    if (c.from == From::registers || c.is_generic)
        op.bytes = { c.shared, c.shared + c.bytes };
    c.number = issue(of, Operation(op));
    if (c.from == From::block) {
        const Lane *lane = w.current;

        op.kind = Kind::transfer;
        c.read_by = issue(w, std::move(op));
        check_read(w, &lane, 1, { c.read_at, c.read_at + c.bytes }, c.read_by, READERS - 1,
                   "a bulk copy");
    }
    if (c.how == REDUCE_NONE)
        check_write(of, w, *w.current, { c.shared, c.shared + c.extent }, c.number);
    else   // reductions do not conflict with each other
        b.granules[c.shared / GRANULE].writer = c.number;
    if (of.recorded)
        record_copy(of, c, barrier_label(of, barrier), pc);
    count_copy(w, b.copies->loads.size());
    b.copies->all.push_back(std::move(c));
    if (lands_at_issue())
        land_load(of, b.copies->all.back());
    else
        b.copies->loads.push_back((uint32_t)b.copies->all.size() - 1);
}

// In each block of the cluster whose bit is set, if there is a mask, or in that of the address.
static void start_load(Worker &w, Copy &&c, void *barrier, const void *to, const uint16_t *mask,
                       uintptr_t pc)
{
    Worker *of = owner_of(w, (uintptr_t)to);
    unsigned blocks = w.cluster ? w.cluster->count : 1, count_of = 0;

    if (mask && *mask >> blocks)
        fail(w,
             "a multicast to block " + std::to_string(31 - __builtin_clz(*mask)) +
                 " of a cluster that has " + std::to_string(blocks),
             pc);
    if (of && owner_of(w, (uintptr_t)barrier) != of)
        fail(w, "a bulk copy to one block of the cluster, with an mbarrier of another one", pc);
    if (c.from == From::global)
        check_and_count(w, c, true, pc);
    for (unsigned rank = 0; mask && rank < blocks; rank++)
        if (*mask >> rank & 1) {
            Worker &block = w.cluster ? *w.cluster->block[rank] : w;

            count_of++;
            start_in_block(block, c, (void *)in_block(w, (uintptr_t)to, rank, pc),
                           (void *)in_block(w, (uintptr_t)barrier, rank, pc), pc);
        }
    if (count_of > 1)
        count(w, w.counts.sites.find(pc, EMU_MULTICAST), { 0, 0, (count_of - 1) * c.bytes }, 0);
    if (!mask)
        start_in_block(of ? *of : w, c, to, barrier, pc);
    if (c.from == From::global)
        check_accesses(w, *w.current, c, pc, true);
    now(w);
    end_epoch(w.warps[w.current->id / WARP]);
}

static void start_store(Worker &w, Block &b, Copy &&c, const void *from, uintptr_t pc)
{
    const Lane *lane = w.current;
    Groups &groups = groups_of(b, lane->id);

    c.shared = shared_range(w, from, c.extent, c.is_tensor ? 128 : 16, "a bulk copy", pc);
    check_and_count(w, c, false, pc);
    std::vector<uintptr_t> &sites = b.copies->store_sites;
    if (std::find(sites.begin(), sites.end(), pc) == sites.end())
        sites.push_back(pc);
    Operation op = {};
    op.kind = Kind::store;
    op.thread = lane->id;
    op.pc = pc;
    op.group = groups.committed;
    op.copy = (uint32_t)b.copies->all.size();
    c.number = issue(w, std::move(op));
    auto check = [&](uint32_t at, uint32_t bytes) {
        check_read(w, &lane, 1, { at, at + bytes }, c.number, READERS - 1, "a bulk copy");
    };
    if (c.extent == c.bytes)
        check(c.shared, c.bytes);
    else   // there are gaps
        each_row(c, [&](const Row &row) {
            each_piece(c, row, 0, row.bytes,
                       [&](uint32_t, uint32_t at, uint32_t bytes) { check(at, bytes); });
        });
    if (w.recorded)
        record_copy(w, c, "", pc);
    b.copies->all.push_back(std::move(c));
    groups.stores.push_back((uint32_t)b.copies->all.size() - 1);
    if (lands_at_issue())
        land_store(w, b.copies->all.back());
}

void bulk_load(void *to, const void *from, uint32_t bytes, void *barrier, const uint16_t *mask,
               uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    enter(w, pc);
    Copy c = {};

    check_size(w, bytes, (uintptr_t)from, pc);
    c.global = (uintptr_t)from;
    c.bytes = c.extent = bytes;
    start_load(w, std::move(c), barrier, to, mask, pc);
}

void cluster_copy(void *to, const void *from, uint32_t bytes, void *barrier, uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    enter(w, pc);
    Copy c = {};

    check_size(w, bytes, 0, pc);
    c.from = From::block;
    c.read_at = shared_range(w, from, bytes, 16, "a bulk copy", pc);
    c.bytes = c.extent = bytes;
    start_load(w, std::move(c), barrier, to, nullptr, pc);
}

void copy_async(void *to, const void *from, uint32_t bytes, void *barrier, uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    Copy c = {};

    if (!bytes)
        return;
    mbarrier_expect_tx(barrier, bytes, pc);
    enter(w, pc);
    c.is_generic = true;
    c.global = (uintptr_t)from;
    c.bytes = c.extent = bytes;
    start_load(w, std::move(c), barrier, to, nullptr, pc);
}

void store_async(void *to, const void *values, uint32_t bytes, void *barrier, Reduction how,
                 Element type, uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    enter(w, pc);
    Copy c = {};

    c.from = From::registers;
    c.source.assign((const unsigned char *)values, (const unsigned char *)values + bytes);
    c.bytes = c.extent = bytes;
    c.how = how;
    c.type = type;
    start_load(w, std::move(c), barrier, to, nullptr, pc);
}

void tensor_load(void *to, const void *map, int rank, const int32_t *at, void *barrier,
                 const uint16_t *mask, uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    enter(w, pc);

    start_load(w, tensor_copy(w, map, rank, at, pc), barrier, to, mask, pc);
}

static bool is_reducible(Reduction how, Element type)
{
    switch (how) {
    case REDUCE_NONE: return true;
    case REDUCE_ADD: return type != B32 && type != B64 && type != S64;
    case REDUCE_MIN:
    case REDUCE_MAX: return type != B32 && type != B64 && type != F32 && type != F64;
    case REDUCE_INC:
    case REDUCE_DEC: return type == U32;
    default: return type == B32 || type == B64;
    }
}

void bulk_store(void *to, const void *from, uint32_t bytes, Reduction how, Element type,
                uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    Block &b = enter(w, pc);
    Copy c = {};

    check_size(w, bytes, (uintptr_t)to, pc);
    if (!is_reducible(how, type))
        fail(w, "cp.reduce.async.bulk does not have this operation for this type", pc);
    c.global = (uintptr_t)to;
    c.bytes = c.extent = bytes;
    c.how = how;
    c.type = type;
    start_store(w, b, std::move(c), from, pc);
}

// The type of a reduction is the map's.
static Element type_of(const Tensor &t, Reduction how)
{
    bool is_bits = how == REDUCE_AND || how == REDUCE_OR || how == REDUCE_XOR;

    switch (t.type) {
    case CU_TENSOR_MAP_DATA_TYPE_INT32: return is_bits ? B32 : S32;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64: return is_bits ? B64 : U64;
    case CU_TENSOR_MAP_DATA_TYPE_INT64: return is_bits ? B64 : S64;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16: return F16;
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16: return BF16;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ: return F32;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64: return F64;
    default: return is_bits ? B32 : U32;
    }
}

void tensor_store(const void *map, int rank, const int32_t *at, const void *from, Reduction how,
                  uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    Block &b = enter(w, pc);
    Copy c = tensor_copy(w, map, rank, at, pc);

    for (int d = 0; d < rank; d++)
        if (at[d] < 0)
            fail(w,
                 "a tensor copy to global memory at coordinate " + std::to_string(at[d]) +
                     " of dimension " + std::to_string(d) + ": only loads may start outside",
                 pc);
    c.how = how;
    c.type = type_of(c.tensor, how);
    start_store(w, b, std::move(c), from, pc);
}

void bulk_prefetch(const void *from, uint32_t bytes, uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    enter(w, pc);
    Copy c = {};

    check_size(w, bytes, (uintptr_t)from, pc);
    c.global = (uintptr_t)from;
    c.bytes = c.extent = bytes;
    check_and_count(w, c, true, pc);
}

void tensor_prefetch(const void *map, int rank, const int32_t *at, uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    pc = site(pc, __builtin_return_address(0));
    enter(w, pc);
    Copy c = tensor_copy(w, map, rank, at, pc);
    check_and_count(w, c, true, pc);
}

void bulk_commit_group(uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    Block &b = enter(w, site(pc, __builtin_return_address(0)));

    groups_of(b, w.current->id).committed++;
}

void bulk_wait_group(uint32_t pending, bool is_read, uintptr_t pc)
{
    Worker &w = on_device(__builtin_return_address(0));
    Block &b = enter(w, site(pc, __builtin_return_address(0)));
    Groups &groups = groups_of(b, w.current->id);
    uint32_t end = groups.committed - std::min(pending, groups.committed), time = now(w);
    size_t kept = 0;

    for (uint32_t index : groups.stores) {
        Copy &c = b.copies->all[index];
        Operation &op = b.operation(c.number);

        if (op.group >= end) {
            groups.stores[kept++] = index;
            continue;
        }
        read_source(w, c);
        op.waited[0] = op.waited[0] ? op.waited[0] : time;
        if (is_read) {
            groups.stores[kept++] = index;
        } else {
            op.waited[1] = time;
            complete_store(w, c);
        }
    }
    groups.stores.resize(kept);
}

// Stops at the end of a phase: what is left lands when the next one is waited for.
bool land_copies(Worker &w, uint32_t barrier)
{
    std::vector<uint32_t> &loads = w.asyncs->copies->loads;
    uint32_t phase = w.asyncs->barriers[barrier].phase;
    bool any = false;

    for (size_t i = 0; i < loads.size() && w.asyncs->barriers[barrier].phase == phase;) {
        const Copy &c = w.asyncs->copies->all[loads[i]];

        if (w.asyncs->operation(c.number).barrier != barrier) {
            i++;
            continue;
        }
        loads.erase(loads.begin() + (long)i);
        land_load(w, c);
        any = true;
    }
    return any;
}

int swizzle_of(Worker &w, const Operation &op)
{
    const Copy &c = w.asyncs->copies->all[op.copy];
    return c.is_tensor ? c.tensor.swizzle : -1;
}

uint32_t copies_in_flight(Worker &w, uint32_t barrier, uintptr_t *pc)
{
    const Copies &copies = *w.asyncs->copies;
    uint32_t n = 0;

    for (uint32_t index : copies.loads) {
        const Operation &op = w.asyncs->operation(copies.all[index].number);

        if (op.barrier == barrier) {
            n++;
            *pc = op.pc;
        }
    }
    return n;
}

void end_copies(Worker &w)
{
    Block &b = *w.asyncs;

    for (uint32_t index : b.copies->loads) {
        const Operation &op = b.operation(b.copies->all[index].number);
        const Worker &issuer = w.cluster ? *w.cluster->block[op.issuer] : w;

        report({ "the block ends while a bulk copy to its shared memory is in flight: no thread "
                 "has waited for phase " +
                     std::to_string(op.phase) + " of " + barrier_name(w, b.barriers[op.barrier]),
                 op.pc, "", 0, where(issuer, issuer.lanes[op.thread]) });
    }
    for (Groups &groups : b.copies->groups)
        for (uint32_t index : groups.stores) {
            Copy &c = b.copies->all[index];
            const Operation &op = b.operation(c.number);

            if (!op.waited[0])
                report({ "the block ends while a bulk copy may still read its shared memory: its "
                         "thread has not waited for its bulk group",
                         op.pc, "", 0, where(w, w.lanes[op.thread]) });
            complete_store(w, c);
        }
}

}   // namespace emu::hopper
