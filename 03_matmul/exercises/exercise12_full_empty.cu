// exercise12: a ring with two mbarriers per buffer: full and empty
//
// Task: do this after stage 14. A producer warp copies tiles of A (128 x 64) and B (64 x 64) into a
// ring of three buffers, and two consumer warpgroups multiply 64 rows of A each. Both read the same
// buffers. Write how many arrivals end a phase of `full` and of `empty`, the producer's loop, and
// the waits and arrivals of the consumers. copy() and multiply_tiles() are given. It is solved if
// ./exercise12 finds no wrong element and no race, and the loops have no __syncthreads().
//
//   producer    wait: empty    expect bytes, copy -> full
//   consumers                  wait: full    multiply, wait for the wgmmas -> empty
//
// Hint: Who arrives at full[b] in each round, and how often? Who must have read a buffer before it
// is filled again? A group of wgmmas is complete for its whole warpgroup.
// Hint: In round r of the ring, the consumers wait for phase r of full[b]: its parity is
// state.phase. The producer waits until the buffer of round r - 1 was read: state.phase ^ 1. In
// round 0 that is the phase before the first, which counts as complete.
// Hint: The producer waits for `empty` with the parity that hint 2 gives, announces the bytes,
// and copies. A consumer waits for `full`, multiplies, and reports that it has read. Which
// threads arrive on `empty`, so that the number that it is initialized with is reached exactly
// once per round?
//
// Needs: sm_90a
// Type: bf16
// Points 4: correct
// Points 3 (cpu, 128x64x512, bf16): bulk_ld_requests == 2 * 8 and copies_in_flight >= 2.5
// Points 2 (cpu, 128x64x512, bf16): products == 64 and barriers <= products / 7
// Points 1 (gpu, 2048x2048x2048, bf16): rate >= 0.2 * ref_cublas_bf16.rate
// Check (cpu, 33003x8x8, bf16)
// Check (cpu, 5x8x20008, bf16)
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
#ifdef SOLUTION
        for (int i = 0; i < DEPTH; i++) {
            mbarrier_init(&p.full[i], 1);
            mbarrier_init(&p.empty[i], CONSUMERS / 128);
        }
#else
        // TODO: initialize the mbarriers
#endif
        fence_proxy_async();
    }
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x > CONSUMERS)   // the producer: one thread starts all copies
            return;
#ifdef SOLUTION
        for (int k = 0; k < K; k += BK, state.advance()) {
            mbarrier_wait(&p.empty[state.index], state.phase ^ 1);
            mbarrier_arrive_expect_tx(&p.full[state.index], sizeof p.tiles[0]);
            copy(p.tiles[state.index], &A, &B, row, col, k, &p.full[state.index]);
        }
#else
        // TODO: the producer's loop
        (void)&copy;
#endif
    } else {
        int group = threadIdx.x / 128 * 64;   // the first of this warpgroup's rows
        float sum[BN / 2] = {};
#ifdef SOLUTION
        for (int k = 0; k < K; k += BK, state.advance()) {
            mbarrier_wait(&p.full[state.index], state.phase);
            multiply_tiles(sum, p.tiles[state.index], group, true);
            wgmma_wait_groups<0>(sum);
            if (threadIdx.x % 128 == 0)   // for the whole warpgroup: ptx_bf16.h
                mbarrier_arrive(&p.empty[state.index]);
        }
#else
        // TODO: the consumers' loop: wait, multiply_tiles(), wgmma_wait_groups<0>(sum), arrive
#endif
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
