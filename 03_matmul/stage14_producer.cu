// stage14: a producer warp copies ahead, in a multistage pipeline (warp specialization)
//
// In stage 13, copies wait for wgmmas and wgmmas for copies. Here a separate warp, the producer,
// keeps the copies of DEPTH steps in flight. Two mbarriers per buffer order copies and wgmmas.
//   producer    wait(empty[s]); expect the bytes at full[s]; start the copies into tiles[s]
//   consumers   wait(full[s]); wgmma; wait for it; arrive at empty[s]
//   buffers     | 0 multiplied | 1 full | 2 being copied |      s = 0, 1, 2, 0, ...
// A wait names the parity of a phase. The producer's first round of waits names the phase before
// the first, which counts as complete: all buffers start empty. With three buffers, two blocks fit
// on an SM: one multiplies while the other stores. With BUFFERS=5 it is one block, and slower.
// Look at: copies in flight.        make stage14 && ./stage14        make diff A=13 B=14
// Needs: sm_90a
// Type: bf16
// Expect (cpu, 512x512x256, bf16): barriers == stage13.barriers / 4
// Expect (cpu, 512x512x256, bf16): copies_in_flight >= 4 * stage13.copies_in_flight
// Expect (sm_90, 4096, bf16): rate >= 1.35 * stage13.rate
#include "bf16.h"

using stage13::matrix_map, stage13::store_sums;

#ifndef BUFFERS
#define BUFFERS 3
#endif
constexpr int BM = 128, BN = 128, BK = 64, DEPTH = BUFFERS;
constexpr int CONSUMERS = 128;   // threads: a warpgroup; the producer warp follows

// A tile of A and one of B, as TMA stores them: B in swizzle atoms of 64 columns.
template <int BM, int BN, int BK> struct Tiles {
    bf16 A[BM * BK], B[BN / 64][BK * 64];
};

// A multistage pipeline: buffers and their mbarriers. full: the copies are complete. empty: all
// consumers have read the tiles.
template <int BM, int BN, int BK, int DEPTH> struct Pipeline {
    Tiles<BM, BN, BK> tiles[DEPTH];
    uint64_t full[DEPTH], empty[DEPTH];

    // One thread calls it.
    __device__ void init(int empty_arrivals)
    {
        for (int i = 0; i < DEPTH; i++) {
            mbarrier_init(&full[i], 1);
            mbarrier_init(&empty[i], empty_arrivals);
        }
        fence_proxy_async();
    }
};

// The buffer that is next in a ring, and the parity of the phase of its mbarriers: 0 in the first
// round, 1 in the second (the pipeline state of CUTLASS).
template <int DEPTH> struct PipelineState {
    int index = 0, phase = 0;

    __device__ void advance()
    {
        index = index + 1 == DEPTH ? 0 : index + 1;
        phase ^= index == 0;
    }
};

// Waits until the buffer is empty, and starts the copies of a step into it: the tile of A from
// [row][k] on, the tile of B from [k][col] on.
template <int BM, int BN, int BK, int DEPTH>
__device__ void copy_tiles(Pipeline<BM, BN, BK, DEPTH> &p, PipelineState<DEPTH> to,
                           const CUtensorMap *A, const CUtensorMap *B, int row, int col, int k)
{
    Tiles<BM, BN, BK> &t = p.tiles[to.index];
    uint64_t *full = &p.full[to.index];

    mbarrier_wait(&p.empty[to.index], to.phase ^ 1);
    mbarrier_arrive_expect_tx(full, sizeof t);
    tma_load_2d(t.A, A, k, row, full);
    for (int n = 0; n < BN / 64; n++)
        tma_load_2d(t.B[n], B, col + n * 64, k, full);
}

using Ring = Pipeline<BM, BN, BK, DEPTH>;

__global__ __launch_bounds__(CONSUMERS + 32) void multiply(const __grid_constant__ CUtensorMap A,
                                                           const __grid_constant__ CUtensorMap B,
                                                           bf16 *C, int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Ring &p = *(Ring *)memory;
    int row = blockIdx.y * BM, col = blockIdx.x * BN;
    PipelineState<DEPTH> state;

    if (threadIdx.x == 0)
        p.init(CONSUMERS / 128);
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x > CONSUMERS)   // the producer: one thread starts all copies
            return;
        for (int k = 0; k < K; k += BK, state.advance())
            copy_tiles(p, state, &A, &B, row, col, k);
    } else {   // the consumers
        float sum[BM / 64][BN / 2] = {};
        for (int k = 0; k < K; k += BK, state.advance()) {
            Tiles<BM, BN, BK> &t = p.tiles[state.index];
            mbarrier_wait(&p.full[state.index], state.phase);
            uint64_t b = wgmma_descriptor_n(t.B, sizeof t.B[0]);
            wgmma_fence();
            for (int i = 0; i < BK / 16; i++)
                for (int m = 0; m < BM / 64; m++) {
                    uint64_t a = wgmma_descriptor(t.A + m * 64 * BK);
                    wgmma_bf16(sum[m], a + 2 * i, b + 128 * i, true);
                }
            wgmma_commit();
            wgmma_wait_groups<0>(sum);
            if (threadIdx.x == 0)   // for the whole warpgroup: ptx_bf16.h
                mbarrier_arrive(&p.empty[state.index]);
        }
#pragma unroll   // registers cannot be indexed dynamically
        for (int m = 0; m < BM / 64; m++)
            store_sums(C, row + m * 64, col, M, N, sum[m]);
    }
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    dim3 tiles(ceil_div(N, BN), ceil_div(M, BM));

    if (allow_shared(multiply, sizeof(Ring)))
        multiply<<<tiles, CONSUMERS + 32, sizeof(Ring)>>>(matrix_map(A, M, K, BM),
                                                          matrix_map(B, K, N, BK), C, M, N, K);
}
