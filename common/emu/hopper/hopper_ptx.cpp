// Handlers of inline PTX for Hopper's asynchronous instructions: they take the operands, and call
// the functions of include/emu_hopper.h.
#include "include/cuda_runtime.h"
#include "hopper.h"
#include "ptx/ptx.h"

namespace emu::ptx {

namespace {

// The index of the first operand in memory.
unsigned memory_of(const Instruction &in)
{
    unsigned i = 0;

    while (i < in.operands.size() && in.operands[i].kind != Kind::memory)
        i++;
    return i;
}

bool is_relaxed(const Instruction &in) { return in.has("relaxed"); }

// An object in shared memory of the cluster.
void *shared(Operands &o, unsigned i) { return o.object(i, o.in.space()); }
void *of_cluster(Operands &o, unsigned i) { return o.object(i, Space::cluster); }

// ---- mbarriers; detail[0]: the operand in memory ----

void init(const Instruction &in, Operands &o)
{
    hopper::mbarrier_init(shared(o, in.detail[0]), o.u32(1), o.pc);
}
void inval(const Instruction &in, Operands &o)
{
    hopper::mbarrier_inval(shared(o, in.detail[0]), o.pc);
}
void expect_tx(const Instruction &in, Operands &o)
{
    hopper::mbarrier_expect_tx(shared(o, in.detail[0]), o.u32(1), o.pc);
}
void complete_tx(const Instruction &in, Operands &o)
{
    hopper::mbarrier_complete_tx(shared(o, in.detail[0]), o.u32(1), o.pc);
}
void arrive(const Instruction &in, Operands &o)
{
    unsigned at = in.detail[0];
    bool drops = in.has("arrive_drop");
    uint64_t state;

    if (in.has("expect_tx"))
        state = hopper::mbarrier_arrive_expect_tx(shared(o, at), o.u32(at + 1), !is_relaxed(in),
                                                  drops, o.pc);
    else
        state = hopper::mbarrier_arrive(shared(o, at), o.count() > at + 1 ? o.u32(at + 1) : 1,
                                        !is_relaxed(in), drops, o.pc);
    if (at)
        o.write(0, state);
}
void wait(const Instruction &in, Operands &o)
{
    void *at = shared(o, 1);
    bool acquires = !is_relaxed(in), by_parity = in.has("parity"), done;

    if (in.has("try_wait"))
        done = by_parity ? hopper::mbarrier_try_wait_parity(at, o.u32(2), acquires, o.pc)
                         : hopper::mbarrier_try_wait(at, o.u64(2), acquires, o.pc);
    else
        done = by_parity ? hopper::mbarrier_test_wait_parity(at, o.u32(2), acquires, o.pc)
                         : hopper::mbarrier_test_wait(at, o.u64(2), acquires, o.pc);
    o.write(0, done);
}
void pending_count(const Instruction &, Operands &o)
{
    o.write(0, hopper::mbarrier_pending_count(o.u64(1)));
}

Handler *mbarrier_of(const Instruction &in)
{
    const std::string &what = in.parts[1];

    if (what == "pending_count")
        return pending_count;
    in.detail[0] = memory_of(in);
    if (in.detail[0] == in.operands.size() || in.has("noComplete"))
        return nullptr;
    if (what == "init" && in.operands.size() == 2)
        return init;
    if (what == "inval")
        return inval;
    if (what == "expect_tx")
        return expect_tx;
    if (what == "complete_tx")
        return complete_tx;
    if (what == "arrive" || what == "arrive_drop")
        return arrive;
    return (what == "test_wait" || what == "try_wait") && in.detail[0] == 1 &&
                   in.operands.size() >= 3
             ? wait
             : nullptr;
}

// ---- fences ----

void proxy_async(const Instruction &, Operands &o) { hopper::fence_proxy_async(o.pc); }
Handler *proxy_of(const Instruction &in)
{
    return in.parts.size() >= 3 && in.parts[2].compare(0, 5, "async") == 0 ? proxy_async : nullptr;
}
void mbarrier_init_fence(const Instruction &, Operands &o) { hopper::fence_mbarrier_init(o.pc); }

// ---- bulk copies; detail[0]: of a reduction, [1] its type, [2] dimensions, 0 without a map ----

struct Name {
    const char *name;
    unsigned value;
};

// The value of the name that is among the parts of an instruction; `none` if there is none.
template <size_t N> unsigned find(const Instruction &in, const Name (&names)[N], unsigned none)
{
    for (const Name &n : names)
        if (in.has(n.name))
            return n.value;
    return none;
}

const Name reductions[] = {
    { "add", hopper::REDUCE_ADD }, { "min", hopper::REDUCE_MIN }, { "max", hopper::REDUCE_MAX },
    { "inc", hopper::REDUCE_INC }, { "dec", hopper::REDUCE_DEC }, { "and", hopper::REDUCE_AND },
    { "or", hopper::REDUCE_OR },   { "xor", hopper::REDUCE_XOR },
};
const Name elements[] = {
    { "b32", hopper::B32 }, { "u32", hopper::U32 },   { "s32", hopper::S32 },
    { "b64", hopper::B64 }, { "u64", hopper::U64 },   { "s64", hopper::S64 },
    { "f16", hopper::F16 }, { "bf16", hopper::BF16 }, { "f32", hopper::F32 },
    { "f64", hopper::F64 },
};

// The coordinates of a tensor operand.
const int32_t *coordinates(const Operands &o, unsigned i, int32_t *at)
{
    for (unsigned k = 0; k < o.elements(i) && k < 5; k++)
        at[k] = (int32_t)o.u32(i, k);
    return at;
}

void load(const Instruction &in, Operands &o)
{
    unsigned barrier = in.detail[2] ? 2 : 3;
    uint16_t bits = in.detail[3] ? (uint16_t)o.u32(barrier + 1) : 0, *mask = &bits;
    int32_t at[5];

    if (!in.detail[3])
        mask = nullptr;
    if (in.detail[2])
        return hopper::tensor_load(of_cluster(o, 0), (const void *)o.address(1), (int)in.detail[2],
                                   coordinates(o, 1, at), of_cluster(o, barrier), mask, o.pc);
    hopper::bulk_load(of_cluster(o, 0), (const void *)o.address(1), o.u32(2),
                      of_cluster(o, barrier), mask, o.pc);
}
void copy_to_block(const Instruction &, Operands &o)
{
    hopper::cluster_copy(of_cluster(o, 0), o.object(1, Space::shared), o.u32(2), of_cluster(o, 3),
                         o.pc);
}
void store(const Instruction &in, Operands &o)
{
    hopper::Reduction how = (hopper::Reduction)in.detail[0];
    int32_t at[5];

    if (in.detail[2])
        return hopper::tensor_store((const void *)o.address(0), (int)in.detail[2],
                                    coordinates(o, 0, at), o.object(1, Space::shared), how, o.pc);
    hopper::bulk_store((void *)o.address(0), o.object(1, Space::shared), o.u32(2), how,
                       (hopper::Element)in.detail[1], o.pc);
}
void prefetch(const Instruction &in, Operands &o)
{
    int32_t at[5];

    if (in.detail[2])
        return hopper::tensor_prefetch((const void *)o.address(0), (int)in.detail[2],
                                       coordinates(o, 0, at), o.pc);
    hopper::bulk_prefetch((const void *)o.address(0), o.u32(1), o.pc);
}
void commit(const Instruction &, Operands &o) { hopper::bulk_commit_group(o.pc); }
void wait_group(const Instruction &in, Operands &o)
{
    hopper::bulk_wait_group(o.u32(0), in.has("read"), o.pc);
}

// The index of a part; SIZE_MAX if it is none.
size_t find_part(const Instruction &in, const char *start)
{
    for (size_t i = 0; i < in.parts.size(); i++)
        if (in.parts[i].compare(0, strlen(start), start) == 0)
            return i;
    return SIZE_MAX;
}

Handler *bulk_of(const Instruction &in)
{
    size_t to_global = find_part(in, "global"), to_shared = find_part(in, "shared");
    bool is_tensor = in.has("tensor");
    int rank = 0;

    if (in.has("commit_group"))
        return commit;
    if (in.has("wait_group"))
        return wait_group;
    if (in.has("im2col") || in.has("tile::gather4") || in.has("tile::scatter4") ||
        in.has("cp_mask"))
        return nullptr;
    for (const std::string &part : in.parts)
        if (is_tensor && part.size() == 2 && part[1] == 'd')
            rank = part[0] - '0';
    if (is_tensor && (rank < 1 || rank > 5))
        return nullptr;
    in.detail[0] = in.parts[1] == "reduce" ? find(in, reductions, 0) : 0;
    in.detail[1] = find(in, elements, hopper::U32);
    in.detail[2] = (uint32_t)rank;
    in.detail[3] = in.has("multicast::cluster");
    if (in.detail[3] && in.operands.size() < (is_tensor ? 4 : 5))
        return nullptr;
    if (in.has("prefetch"))
        return prefetch;
    if (in.has("bulk_group"))
        return to_global < to_shared ? store : nullptr;
    // from one block's shared memory to another's, there are two such parts
    for (size_t i = to_shared + 1; i < in.parts.size(); i++)
        if (in.parts[i].compare(0, 6, "shared") == 0)
            return in.parts[1] != "reduce" && in.operands.size() >= 4 ? copy_to_block : nullptr;
    return in.parts[1] != "reduce" && to_shared < to_global ? load : nullptr;
}

// ---- wgmma ----

// "m64n128k8": detail[0] n, [1] k, [2] the type of A and B, [3] flags
enum { HALF_SUMS = 1, SATURATES = 2, SPARSE = 4 };

const Name types[] = {
    { "f16", hopper::PRODUCT_F16 },   { "bf16", hopper::PRODUCT_BF16 },
    { "tf32", hopper::PRODUCT_TF32 }, { "s8", hopper::PRODUCT_S8 },
    { "u8", hopper::PRODUCT_U8 },
};

int type_of(const std::string &name)
{
    for (const Name &n : types)
        if (name == n.name)
            return (int)n.value;
    return -1;
}

void product(const Instruction &in, Operands &o)
{
    bool is_sparse = in.detail[3] & SPARSE;
    unsigned scale = is_sparse ? 5 : 3, next = scale + 1;
    void *sums[128];
    uint32_t a[4];
    hopper::Product p = {};
    bool is_integer = in.detail[2] >= hopper::PRODUCT_S8;

    p.n = in.detail[0];
    p.k = in.detail[1];
    p.a = (hopper::ProductType)in.detail[2];
    p.b = (hopper::ProductType)in.detail[4];
    p.half_sums = in.detail[3] & HALF_SUMS;
    p.saturates = in.detail[3] & SATURATES;
    p.a_in_shared = o.elements(1) == 1;
    p.is_sparse = is_sparse;
    p.metadata = is_sparse ? o.u32(3) : 0;
    p.selector = is_sparse && o.u32(4);
    p.add = o.predicate(scale);
    if (!is_integer && o.count() >= next + 2) {
        p.negate_a = (int32_t)o.u32(next) == -1;
        p.negate_b = (int32_t)o.u32(next + 1) == -1;
        next += 2;
    }
    if (o.count() > next && p.a_in_shared)
        p.transpose_a = o.u32(next++);
    if (o.count() > next)
        p.transpose_b = o.u32(next);
    for (unsigned i = 0; i < o.elements(0); i++) {
        sums[i] = o.place(0, i);
        if (!sums[i])
            o.fail("an accumulator that is not a variable of the program");
    }
    if (o.elements(0) != p.n / (p.half_sums ? 4 : 2))
        o.fail(std::to_string(o.elements(0)) + " accumulators of " +
               std::to_string(p.n / (p.half_sums ? 4 : 2)));
    for (unsigned i = 0; !p.a_in_shared && i < 4; i++)
        a[i] = o.u32(1, i);
    hopper::wgmma(p, sums, a, p.a_in_shared ? o.u64(1) : 0, o.u64(2), o.pc);
}

Handler *product_of(const Instruction &in)
{
    unsigned n, k;
    size_t shape = find_part(in, "m64n"), types_at = shape + (in.has("satfinite") ? 2 : 1);

    if (shape == SIZE_MAX || sscanf(in.parts[shape].c_str(), "m64n%uk%u", &n, &k) != 2 ||
        types_at + 2 >= in.parts.size() || in.operands.size() < 4)
        return nullptr;
    int a = type_of(in.parts[types_at + 1]), b = type_of(in.parts[types_at + 2]);
    if (a < 0 || b < 0 || (a != b && a < (int)hopper::PRODUCT_S8))
        return nullptr;
    bool is_16_bit = a == (int)hopper::PRODUCT_F16 || a == (int)hopper::PRODUCT_BF16;
    if (in.has("sp") && (!is_16_bit || in.operands.size() < 6))
        return nullptr;
    in.detail[0] = n;
    in.detail[1] = k;
    in.detail[2] = (uint32_t)a;
    in.detail[3] = (in.parts[types_at] == "f16" ? HALF_SUMS : 0) |
                   (in.has("satfinite") ? SATURATES : 0) | (in.has("sp") ? SPARSE : 0);
    in.detail[4] = (uint32_t)b;
    return product;
}
void product_fence(const Instruction &, Operands &o) { hopper::wgmma_fence(o.pc); }
void product_commit(const Instruction &, Operands &o) { hopper::wgmma_commit_group(o.pc); }
void product_wait(const Instruction &, Operands &o) { hopper::wgmma_wait_group(o.u32(0), o.pc); }
Handler *wgmma_of(const Instruction &in)
{
    if (in.has("fence"))
        return product_fence;
    if (in.has("commit_group"))
        return product_commit;
    if (in.has("wait_group"))
        return product_wait;
    return in.has("mma_async") ? product_of(in) : nullptr;
}

// ---- others ----

void registers(const Instruction &in, Operands &o)
{
    hopper::setmaxnreg(o.u32(0), in.has("inc"), o.pc);
}

// st.async and red.async; detail: [0] the reduction, [1] its type, [2] bytes per element
void async_store(const Instruction &in, Operands &o)
{
    uint64_t values[4];
    unsigned n = o.elements(1), bytes = in.detail[2];

    for (unsigned i = 0; i < n && i < 4; i++) {
        uint64_t v = o.bits(1, i);
        memcpy((char *)values + i * bytes, &v, bytes);
    }
    hopper::store_async(of_cluster(o, 0), values, n * bytes, of_cluster(o, 2),
                        (hopper::Reduction)in.detail[0], (hopper::Element)in.detail[1], o.pc);
}
Handler *async_store_of(const Instruction &in)
{
    const std::string &type = in.parts.back();

    in.detail[0] = in.parts[0] == "red" ? find(in, reductions, 0) : 0;
    in.detail[1] = find(in, elements, hopper::U32);
    in.detail[2] = type.size() == 3 ? (unsigned)atoi(type.c_str() + 1) / 8 : 0;
    bool is_known = in.has("mbarrier::complete_tx::bytes") && in.operands.size() == 3 &&
                    (in.detail[2] == 4 || in.detail[2] == 8) &&
                    (in.parts[0] == "st" || in.detail[0]);
    return is_known ? async_store : nullptr;
}

void grid_wait(const Instruction &, Operands &) { emu_grid_wait(); }

void copies_arrive(const Instruction &in, Operands &o)
{
    hopper::mbarrier_copies_arrive(shared(o, 0), in.has("noinc"), o.pc);
}
Handler *copies_arrive_of(const Instruction &in)
{
    return in.operands.size() == 1 && in.operands[0].kind == Kind::memory ? copies_arrive : nullptr;
}

// .aligned: all threads of the warp execute it.
void nothing(Worker &, void *const *, unsigned) {}
void align(const Instruction &in, Operands &o)
{
    if (in.has("aligned"))
        collect(o, ~0u, nullptr, nothing);
}
void cluster_arrive(const Instruction &in, Operands &o)
{
    align(in, o);
    hopper::cluster_arrive(!is_relaxed(in), o.pc);
}
void cluster_wait(const Instruction &in, Operands &o)
{
    align(in, o);
    hopper::cluster_wait(o.pc);
}
Handler *cluster_of(const Instruction &in)
{
    return in.has("arrive") ? cluster_arrive : in.has("wait") ? cluster_wait : nullptr;
}

void mapa(const Instruction &in, Operands &o)
{
    bool is_shared = in.space() != Space::generic;
    uintptr_t p = is_shared ? (uintptr_t)shared_pointer(o.w, o.u32(1)) : (uintptr_t)o.u64(1);

    p = in_block(o.w, p, o.u32(2), o.pc);
    o.write(0, is_shared ? shared_offset(o.w, (const void *)p) : p);
}
void rank(const Instruction &in, Operands &o)
{
    bool is_shared = in.space() != Space::generic;
    Worker *of =
        owner_of(o.w, is_shared ? (uintptr_t)shared_pointer(o.w, o.u32(1)) : (uintptr_t)o.u64(1));

    if (!of)
        o.fail("the address is not one in shared memory");
    o.write(0, of->rank);
}

template <Handler *H> Handler *always(const Instruction &) { return H; }

}   // namespace

static const Opcode all[] = {
    { "mbarrier", mbarrier_of },
    { "fence.proxy", proxy_of },
    { "fence.mbarrier_init", always<mbarrier_init_fence> },
    { "cp.async.bulk", bulk_of },
    { "cp.reduce.async.bulk", bulk_of },
    { "wgmma", wgmma_of },
    { "setmaxnreg", always<registers> },
    { "barrier.cluster", cluster_of },
    { "mapa", always<mapa> },
    { "getctarank", always<rank> },
    { "st.async", async_store_of },
    { "red.async", async_store_of },
    { "griddepcontrol.wait", always<grid_wait> },
    { "cp.async.mbarrier.arrive", copies_arrive_of },
};

}   // namespace emu::ptx
