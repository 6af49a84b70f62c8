// exercise17: find the bug: two readers of a buffer, and the producer overtakes one of them
//
// Task: do this after stage 15. Two consumer warpgroups multiply 64 rows of A each, with the same
// tile of B. Each arrives at `empty` when it has read a buffer. Yet the producer may copy
// into a buffer that a warpgroup still reads. Find the cause, and fix it. No further barrier is
// needed, and each warpgroup arrives once per buffer.
//
// Question: Why does the producer overtake a warpgroup?
// a) A phase of `full` ends before both tiles have arrived.
// b) The producer waits for the phase of `empty` that comes before the right one.
// c) A warpgroup arrives at `empty` before its products have read the buffer.
// d) A phase of `empty` ends as soon as one of the two warpgroups has arrived.
// Answer: d
//
// Hint: Run ./exercise17. Which arrival does the report name, in which phase? How many warpgroups
// have arrived when a phase ends?
// Hint: How many arrivals does a phase of empty[i] need, so that no warpgroup reads the buffer?
// Which number is it initialized with?
// Hint: Each of the two warpgroups arrives once, so empty needs CONSUMERS / 128 = 2 arrivals. full
// needs 1: the producer's own.
//
// Needs: sm_90a
// Type: bf16
// Points 4: correct
// Points 1: answer
// Points 4 (cpu, 128x64x512, bf16): barriers == 9 and products == 64 and copies_in_flight >= 2.5
// Points 1 (gpu, 2048x2048x2048, bf16): rate >= 0.2 * ref_cublas_bf16.rate
// Check (cpu, 33003x8x8, bf16)
// Check (cpu, 5x33008x8, bf16)
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
#ifdef SOLUTION
            mbarrier_init(&p.empty[i], CONSUMERS / 128);
#else
            mbarrier_init(&p.empty[i], 1);
#endif
        }
        fence_proxy_async();
    }
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x > CONSUMERS)   // the producer: one thread starts all copies
            return;
        for (int k = 0; k < K; k += BK, state.advance()) {
            mbarrier_wait(&p.empty[state.index], state.phase ^ 1);
            mbarrier_arrive_expect_tx(&p.full[state.index], sizeof p.tiles[0]);
            tma_load_2d(p.tiles[state.index].A, &A, k, row, &p.full[state.index]);
            tma_load_2d(p.tiles[state.index].B[0], &B, col, k, &p.full[state.index]);
        }
    } else {
        int group = threadIdx.x / 128 * 64;   // the first of this warpgroup's rows
        float sum[BN / 2] = {};
        for (int k = 0; k < K; k += BK, state.advance()) {
            mbarrier_wait(&p.full[state.index], state.phase);
            multiply_tiles(sum, p.tiles[state.index], group, true);
            wgmma_wait_groups<0>(sum);
            if (threadIdx.x % 128 == 0)   // for the whole warpgroup: ptx_bf16.h
                mbarrier_arrive(&p.empty[state.index]);
        }
        store_sums(C, row + group, col, M, N, sum);
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
