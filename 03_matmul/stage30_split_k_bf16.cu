// stage30: split-K: the sums of a tile by several blocks, where there are few tiles
//
// A row of C, or a few, has no more tiles than columns of tiles. Here the sums of a tile are
// divided among `parts` blocks along K. A warp that has a part stores it, in fp32, and takes a
// ticket. The warp with the last ticket adds all parts, in order, and stores the sums.
//   unit (of work)   0        1        2        3        4      ...        unit / parts: tile
//   tile, part       0, 0     0, 1     0, 2     1, 0     1, 1   ...        unit % parts: part of K
// From: stage29
// Needs: sm_90a
// Type: bf16
#include "bf16.h"

using stage18::allow_shared, stage29::Shared, stage29::step_cycles, stage25::tile_corner;
using stage21::matrix_map, stage23::Place, stage27::copy_to_cluster, stage28::multiply_in_cluster;
using stage26::store_sums, stage29::BK, stage29::BM, stage29::CONSUMERS, stage29::GROUP;

constexpr int MAX_TICKETS = 4096;

// How a product is computed, and in how many cycles, as the model says.
struct Plan {
    int BN, cluster, parts;   // columns of a tile; blocks per cluster; parts of K per tile
    double cycles;
};

__device__ int tickets[MAX_TICKETS];   // per warp of a tile: parts that are stored; 0 between calls

// Stores a part of the sums of a warp: part i starts at partial + i * pitch. True in the warp that
// stores the last part of a tile: its sums are then those of all parts, added in order.
template <int COUNT>
__device__ bool add_parts(float (&sum)[COUNT], float *partial, int pitch, int part, int parts,
                          int *ticket)
{
    int lane = threadIdx.x % 32, taken = 0;

#pragma unroll
    for (int i = 0; i < COUNT; i++)
        partial[part * pitch + i * 32 + lane] = sum[i];
    __threadfence();   // the part is visible before it is counted
    __syncwarp();
    if (lane == 0)
        taken = atomicAdd(ticket, 1);
    if (__shfl_sync(~0u, taken, 0) < parts - 1)
        return false;
    if (lane == 0)
        *ticket = 0;
    __threadfence();   // no part is read before it was counted
    for (int other = 0; other < parts; other++)
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            sum[i] = (other ? sum[i] : 0) + partial[other * pitch + i * 32 + lane];
    return true;
}

template <int BN, int CLUSTER>
__global__ __cluster_dims__(CLUSTER)
    __launch_bounds__(CONSUMERS + 128, 1) void multiply(const __grid_constant__ CUtensorMap A,
                                                        const __grid_constant__ CUtensorMap B,
                                                        const __grid_constant__ CUtensorMap C,
                                                        int M, int N, int K, int parts,
                                                        float *partial)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Shared<BN> &smem = *(Shared<BN> *)memory;
    int units = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN) * parts, steps = ceil_div(K, BK);
    int rank = cluster_rank(), warp = threadIdx.x / 32;
    Place<Shared<BN>::DEPTH> place;

    if (threadIdx.x == 0) {
        smem.p.init(CLUSTER * CONSUMERS / 128);
        fence_mbarrier_init();
    }
    cluster_sync();   // the mbarriers must be initialized before any block of the cluster uses them
    if (warp >= CONSUMERS / 32) {
        setmaxnreg_dec<24>();                       // to the consumers
        bool producer = threadIdx.x == CONSUMERS;   // one thread starts all copies
        for (int u = blockIdx.x / CLUSTER; producer && u < units; u += gridDim.x / CLUSTER) {
            auto [row, col] = tile_corner<CLUSTER * BM, BN, GROUP / CLUSTER>(u / parts, M, N);
            int part = u % parts, end = steps * (part + 1) / parts;
            for (int step = steps * part / parts; step < end; step++, place.next())
                copy_to_cluster<CLUSTER>(smem.p, place, &A, &B, row + rank * BM, col, step * BK);
        }
    } else {   // the consumers
        setmaxnreg_inc<240>();
        for (int u = blockIdx.x / CLUSTER; u < units; u += gridDim.x / CLUSTER) {
            auto [row, col] = tile_corner<CLUSTER * BM, BN, GROUP / CLUSTER>(u / parts, M, N);
            int part = u % parts, count = steps * (part + 1) / parts - steps * part / parts;
            int slot = (u / parts * CLUSTER + rank) * (CONSUMERS / 32) + warp;   // among all warps
            float sum[BN / 2];
            multiply_in_cluster<CLUSTER>(sum, smem.p, place, warp / 4 * 64, count);
            if (parts == 1 ||
                add_parts(sum, partial + slot * 16 * BN, units / parts * CLUSTER * BM * BN, part,
                          parts, &tickets[slot]))
                store_sums(&C, smem.slots[warp], row + rank * BM + warp * 16, col, sum);
        }
        tma_store_wait_read<0>();   // shared memory must exist until the last copy has read it
    }
    cluster_sync();   // no block ends while another one copies to it or arrives at its mbarriers
}

template <int BN, int CLUSTER>
void launch(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K, int parts)
{
    int tiles = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN) * CLUSTER;
    int blocks = min(tiles * parts, multiprocessors() / CLUSTER * CLUSTER);
    float *partial =
        parts > 1 ? (float *)scratch(sizeof(float) * tiles * parts * BM * BN) : nullptr;

    if (allow_shared(multiply<BN, CLUSTER>, sizeof(Shared<BN>)))
        multiply<BN, CLUSTER><<<blocks, CONSUMERS + 128, sizeof(Shared<BN>)>>>(
            matrix_map(A, M, K, BM), matrix_map(B, K, N, BK), matrix_map(C, M, N, 16), M, N, K,
            parts, partial);
}

// START: cycles for the first copies and the last stores. A warp stores and loads its parts at
// PARTIAL bytes per cycle and SM.
static Plan make_plan(int M, int N, int K, int BN, int cluster, int parts)
{
    const double START = 3000, PARTIAL = 32;
    int tiles = ceil_div(M, cluster * BM) * cluster * ceil_div(N, BN);
    int sms = multiprocessors() / cluster * cluster, waves = ceil_div(tiles * parts, sms);
    double steps = ceil_div(ceil_div(K, BK), parts);
    double time = steps * step_cycles(BN, cluster, min(tiles * parts, sms));

    if (parts > 1)
        time += START + 4. * BM * BN * (parts + 1) / PARTIAL;
    return { BN, cluster, parts,
             tiles * CONSUMERS / 32 > MAX_TICKETS && parts > 1 ? INFINITY : START + waves * time };
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    Plan best = make_plan(M, N, K, 256, 2, 1);
    for (int parts = 1; parts <= min(8, ceil_div(K, BK)); parts++)
        for (int i = 0; i < 6; i++) {
            Plan plan = make_plan(M, N, K, 64 << i / 2, i % 2 + 1, parts);
            if (plan.cycles < best.cycles)
                best = plan;
        }
    bool pair = best.cluster == 2;
    auto *run = best.BN == 256 ? (pair ? launch<256, 2> : launch<256, 1>)
              : best.BN == 128 ? (pair ? launch<128, 2> : launch<128, 1>)
                               : (pair ? launch<64, 2> : launch<64, 1>);
    run(A, B, C, M, N, K, best.parts);
}
