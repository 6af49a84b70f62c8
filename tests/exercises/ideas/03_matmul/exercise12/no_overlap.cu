// Graded: 4 partial: no: is 0.5, must be (at (most|least) )?2.5$
// A consumer copies, and nothing overlaps.
#include "bf16.h"

using stage13::store_sums, stage13::Tiles, stage15::multiply_tiles;

constexpr int BM = 128, BN = 64, BK = 64, DEPTH = 3;
constexpr int CONSUMERS = 256;   // threads: two warpgroups; the producer warp follows

struct Ring {
    Tiles<BM, BN, BK> tiles[DEPTH];
    uint64_t full[DEPTH], empty[DEPTH];
};

// The buffer that is next in the ring, and the parity of the phase of its mbarriers.
struct PipelineState {
    int index = 0, phase = 0;

    __device__ void advance()
    {
        index = index + 1 == DEPTH ? 0 : index + 1;
        phase ^= index == 0;
    }
};

// One thread calls it: starts the copies of a step, which report to `full`.
__device__ void copy(Tiles<BM, BN, BK> &to, const CUtensorMap *A, const CUtensorMap *B, int row,
                     int col, int k, uint64_t *full)
{
    tma_load_2d(to.A, A, k, row, full);
    tma_load_2d(to.B[0], B, col, k, full);
}

__global__ __launch_bounds__(CONSUMERS + 32) void multiply(const __grid_constant__ CUtensorMap A,
                                                           const __grid_constant__ CUtensorMap B,
                                                           bf16 *C, int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Ring &p = *(Ring *)memory;
    int row = blockIdx.y * BM, col = blockIdx.x * BN;
    PipelineState state;

    if (threadIdx.x == 0) {
        for (int i = 0; i < DEPTH; i++) {
            mbarrier_init(&p.full[i], 1);
            mbarrier_init(&p.empty[i], CONSUMERS / 128);
        }
        fence_proxy_async();
    }
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
    if (threadIdx.x >= CONSUMERS)
        return;
    int group = threadIdx.x / 128 * 64;
    float sum[BN / 2] = {};
    for (int k = 0; k < K; k += BK, state.advance()) {
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect_tx(&p.full[state.index], sizeof p.tiles[0]);
            copy(p.tiles[state.index], &A, &B, row, col, k, &p.full[state.index]);
        }
        mbarrier_wait(&p.full[state.index], state.phase);
        multiply_tiles(sum, p.tiles[state.index], group, true);
        wgmma_wait_groups<0>(sum);
        __syncthreads();
    }
    store_sums(C, row + group, col, M, N, sum);
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
