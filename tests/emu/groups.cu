// Cooperative groups, match functions and atomics with scopes.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "emu.h"
#include "ok.h"

namespace cg = cooperative_groups;

__global__ void blocks(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    __shared__ int s[128];

    s[block.thread_rank()] = block.thread_rank();
    block.sync();
    cg::sync(block);
    out[block.group_index().x * block.size() + block.thread_rank()] =
        s[block.num_threads() - 1 - block.thread_rank()] + block.group_dim().x +
        block.thread_index().y;
}

template <int N> __global__ void tiles(int *out)
{
    auto tile = cg::tiled_partition<N>(cg::this_thread_block());
    int sum = threadIdx.x;
    int4 wide = tile.shfl(make_int4(sum, 0, 0, 2 * sum), 0);

    sum += wide.w - 2 * wide.x;
    for (int offset = tile.size() / 2; offset > 0; offset /= 2)
        sum += tile.shfl_down(sum, offset);
    sum = tile.shfl(sum, 0);
    out[threadIdx.x] = sum + 1000 * tile.thread_rank() + 100000 * tile.meta_group_rank();
}

// A tile of a tile, in every warp of a block whose last one has 8 lanes.
__global__ void tiles_of_tiles(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto quarter = cg::tiled_partition<8>(warp);
    cg::thread_block_tile<4> part = cg::tiled_partition<4>(quarter);
    int first = quarter.shfl((int)threadIdx.x, 0), any = quarter.any(threadIdx.x % 8 == 5);

    out[threadIdx.x] = cg::reduce(part, 1, cg::plus<int>()) + any * 10 +
                       (first == (int)threadIdx.x / 8 * 8) * 100 +
                       quarter.meta_group_rank() * 1000 + quarter.meta_group_size() * 10000 +
                       part.meta_group_rank() * 100000 + part.meta_group_size() * 1000000;
}

__device__ int sum_of(cg::thread_group g, int *scratch, int value)
{
    int lane = g.thread_rank();

    for (int i = g.size() / 2; i > 0; i /= 2) {
        scratch[lane] = value;
        g.sync();
        if (lane < i)
            value += scratch[lane + i];
        g.sync();
    }
    return value;
}
__global__ void any_group(int *out)
{
    __shared__ int scratch[64];
    cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), 16);
    int sum = sum_of(tile, scratch + threadIdx.x / 16 * 16, 1);
    int all = sum_of(cg::this_thread_block(), scratch, tile.thread_rank() == 0 ? sum : 0);

    if (threadIdx.x == 0)
        out[0] = all;
}

__global__ void coalesced(int *out)
{
    int t = threadIdx.x;

    if (t % 3 == 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        int first = active.shfl(t, 0);
        unsigned votes = active.ballot(t % 2);
        out[t] = active.size() * 1000 + active.thread_rank() * 10 + (first == t / 32 * 32) +
                 (votes == 0x2aa) * 100000;
        if (active.thread_rank() == 0)
            atomicAdd(&out[32], (int)active.size());
    }
}

__global__ void reductions(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto half = cg::tiled_partition<16>(warp);
    int t = warp.thread_rank();

    out[t] = cg::reduce(warp, t, cg::plus<int>()) + cg::reduce(half, t, cg::greater<int>()) * 1000 +
             cg::inclusive_scan(half, 1) * 100000 + cg::exclusive_scan(half, 1) * 10000000;
}

// The six operators over the values 5 + thread % 8 of a group of threads t0, t0 + step, ...: each
// thread of the group checks all results.
template <class Group, class T>
__device__ int is_reduced(const Group &group, T value, int t0, int step)
{
    int sum = 0, least = 99, most = 0, all = ~0, any = 0, odd = 0;

    for (unsigned i = 0; i < group.num_threads(); i++) {
        int v = 5 + (t0 + i * step) % 8;
        sum += v;
        least = v < least ? v : least;
        most = v > most ? v : most;
        all &= v;
        any |= v;
        odd ^= v;
    }
    return cg::reduce(group, value, cg::plus<T>()) == (T)sum &&
           cg::reduce(group, value, cg::less<T>()) == (T)least &&
           cg::reduce(group, value, cg::greater<T>()) == (T)most &&
           cg::reduce(group, (int)value, cg::bit_and<int>()) == all &&
           cg::reduce(group, (unsigned)value, cg::bit_or<unsigned>()) == (unsigned)any &&
           cg::reduce(group, (int)value, cg::bit_xor<int>()) == odd &&
           cg::reduce(group, value, [](T a, T b) { return a < b ? b : a; }) == (T)most;
}
template <class T> __global__ void operators(int *out)
{
    int t = threadIdx.x;
    T value = T(5 + t % 8);
    auto tile = cg::tiled_partition<4>(cg::this_thread_block());

    out[t] = is_reduced(tile, value, t / 4 * 4, 1);
    if (t % 3 == 1) {
        cg::coalesced_group third = cg::coalesced_threads();
        out[t] += is_reduced(third, value, t / 32 * 32 + (4 - t / 32 * 32 % 3) % 3, 3);
    }
}

// Copies from an address that is a multiple of 4 only, of 100 bytes of a larger array, of single
// bytes, and of elements.
__global__ void copies(const int *in, int *out)
{
    __shared__ alignas(16) int s[64], part[25], one[2];
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);

    cg::memcpy_async(block, s, in + 1, sizeof s);
    cg::memcpy_async(block, part, in, 100);
    cg::wait_prior<1>(block);
    out[threadIdx.x] = s[63 - threadIdx.x];
    cg::wait(block);
    if (warp.meta_group_rank() == 0) {
        cg::memcpy_async(warp, (char *)one + 1, (const char *)in + 5, 3);
        cg::memcpy_async(warp, one + 1, 1, in + 9, 3);
        cg::wait(warp);
    }
    block.sync();
    out[64 + threadIdx.x] = part[threadIdx.x % 25] + one[1] * 1000;
}
static void copy_by_groups(int *out)
{
    int *in, host[65];

    for (int i = 0; i < 65; i++)
        host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    copies<<<1, 64>>>(in, out);
    cudaFree(in);
}

__global__ void partitions(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto part = cg::binary_partition(warp, threadIdx.x % 4 == 0);
    auto label = cg::labeled_partition(warp, threadIdx.x / 8);

    out[threadIdx.x] = part.size() * 100 + label.thread_rank();
}

__global__ void whole_grid(int *a, int *out, int n)
{
    cg::grid_group grid = cg::this_grid();

    for (int step = 0; step < 3; step++) {
        for (int i = grid.thread_rank(); i < n; i += grid.size())
            out[i] = a[(i + 1) % n] + 1;
        grid.sync();
        for (int i = grid.thread_rank(); i < n; i += grid.size())
            a[i] = out[i];
        grid.sync();
    }
}

__global__ void matches(int *out)
{
    int t = threadIdx.x, all;
    unsigned any = __match_any_sync(~0u, t / 4), same = __match_all_sync(~0u, 5, &all),
             wide = __match_any_sync(~0u, (unsigned long long)(t & 1) << 40);

    out[t] = any == 0xfu << t / 4 * 4 && all && same == ~0u &&
             wide == (t & 1 ? 0xaaaaaaaau : 0x55555555u) && !__match_all_sync(~0u, t, &all) && !all;
}

__global__ void scoped(int *out)
{
    atomicAdd_block(&out[0], 1);
    atomicAdd_system(&out[1], 2);
    atomicMax_block(&out[2], threadIdx.x);
    atomicCAS_system(&out[3], 0, 9);
    atomicOr_block(&out[4], 1 << threadIdx.x % 4);
    atomicExch_system(&out[5], 4);
}

static void on_grid(int *out)
{
    int n = 1000, *a, host[1000];

    for (int i = 0; i < n; i++)
        host[i] = i;
    cudaMalloc(&a, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    void *args[] = { &a, &out, &n };
    ok(cudaLaunchCooperativeKernel((void *)whole_grid, dim3(8), dim3(64), args, 0, 0) ==
           cudaSuccess,
       "a cooperative launch");
    cudaFree(a);
}

static void all_operators()
{
    gives<int>(
        64, [](int *out) { operators<int><<<1, 64>>>(out); },
        [](int i) { return 1 + (i % 3 == 1); }, "the operators of a reduction of ints");
    gives<int>(
        64, [](int *out) { operators<double><<<1, 64>>>(out); },
        [](int i) { return 1 + (i % 3 == 1); }, "the operators of a reduction of doubles");
}

template <unsigned size, class T> __global__ void sums_of_tiles(T *out)
{
    out[threadIdx.x] =
        cg::reduce(cg::tiled_partition<size>(cg::this_thread_block()), (T)1, cg::plus<T>());
}
__global__ void sums_of_active(int *out)
{
    if (threadIdx.x % 2)
        out[threadIdx.x] = cg::reduce(cg::coalesced_threads(), 1, cg::plus<int>());
}
template <class T> static long long exchanges(void (*kernel)(T *))
{
    struct emu_counts c;
    T *out;

    cudaMalloc(&out, 32 * sizeof *out);
    emu_reset();
    kernel<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    emu_totals(&c);
    cudaFree(out);
    return c.exchanges;
}
static void exchanges_of_reductions()
{
    ok(exchanges(sums_of_tiles<32, int>) == 1, "a reduction of a warp's ints is one instruction");
    ok(exchanges(sums_of_tiles<32, float>) == 5, "a reduction of a warp's floats is five shuffles");
    ok(exchanges(sums_of_tiles<8, int>) == 4 * 3,
       "a reduction of eight ints is three shuffles, of each tile");
    ok(exchanges(sums_of_active) == 1, "a reduction of the active lanes' ints is one instruction");
}

static void groups_of_a_block()
{
    // Supported: cooperative groups: `this_thread_block`, `tiled_partition<1..32>`,
    // `tiled_partition(group, n)`, `thread_group`
    gives<int>(
        40, [](int *out) { tiles_of_tiles<<<1, 40>>>(out); },
        [](int i) {
            return 4 + 10 + 100 + i % 32 / 8 * 1000 + 40000 + i % 8 / 4 * 100000 + 2000000;
        },
        "tiles of tiles");
    gives<int>(
        256, [](int *out) { blocks<<<2, dim3(64, 2)>>>(out); },
        [](int i) { return 127 - i % 128 + 64 + i % 128 / 64; }, "thread blocks");
    gives<int>(
        64, [](int *out) { tiles<8><<<1, 64>>>(out); },
        [](int i) { return i / 8 * 64 + 28 + 1000 * (i % 8) + 100000 * (i / 8); }, "tiles");
    gives<int>(
        33, [](int *out) { tiles<32><<<1, 32>>>(out); },
        [](int i) { return i < 32 ? 496 + 1000 * i : 0; }, "a tile that is a warp");
    gives<int>(
        1, [](int *out) { any_group<<<1, 64>>>(out); }, [](int) { return 64; },
        "groups of any kind as a parameter");
    // Supported: cooperative groups: `coalesced_threads`, `binary_partition`, `labeled_partition`,
    // `reduce`, `inclusive_scan`, `exclusive_scan`
    gives<int>(
        33, [](int *out) { coalesced<<<1, 32>>>(out); },
        [](int i) { return i == 32 ? 11
                         : i % 3   ? 0
                                   : 100000 + 11000 + i / 3 * 10 + 1; },
        "coalesced threads");
    gives<int>(
        32, [](int *out) { reductions<<<1, 32>>>(out); },
        [](int i) {
            return 496 + (i / 16 * 16 + 15) * 1000 + (i % 16 + 1) * 100000 + i % 16 * 10000000;
        },
        "reductions and scans");
    all_operators();
    gives<int>(
        32, [](int *out) { partitions<<<1, 32>>>(out); },
        [](int i) { return (i % 4 == 0 ? 8 : 24) * 100 + i % 8; }, "partitions");
}

int main(void)
{
    groups_of_a_block();
    exchanges_of_reductions();
    // Supported: cooperative groups: `memcpy_async`, `wait`, `wait_prior`
    gives<int>(
        128, copy_by_groups, [](int i) { return i < 64 ? 64 - i : (i - 64) % 25 + 9000; },
        "copies by a group");
    // Supported: `cudaLaunchCooperativeKernel` with `this_grid().sync()`, for as many blocks as
    // are resident at once
    gives<int>(
        1000, on_grid, [](int i) { return (i + 3) % 1000 + 3; }, "grid barriers");
    int *p = nullptr, n = 0;
    void *args[] = { &p, &p, &n };
    ok(cudaLaunchCooperativeKernel((void *)whole_grid, dim3(100000), dim3(64), args, 0, 0) ==
           cudaErrorCooperativeLaunchTooLarge,
       "more blocks than can run at once");
    cudaGetLastError();
    // Supported: `__match_any_sync`, `__match_all_sync`, atomics with scopes (`atomicAdd_block`,
    // `atomicAdd_system` ...)
    gives<int>(
        32, [](int *out) { matches<<<1, 32>>>(out); }, [](int) { return 1; }, "match functions");
    static const int sums[] = { 64, 128, 63, 9, 15, 4 };
    gives<int>(
        6, [](int *out) { scoped<<<1, 64>>>(out); }, [](int i) { return sums[i]; },
        "atomics with scopes");
    printf("1..%d\n", tests);
    return 0;
}
