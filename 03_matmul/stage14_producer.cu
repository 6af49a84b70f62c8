// stage14: a producer warp copies ahead, in a multistage pipeline (warp specialization)
//
// In stage 13, copies wait for wgmmas and wgmmas for copies. Here a separate warp, the producer,
// keeps the copies of DEPTH steps in flight. Two mbarriers per buffer order copies and wgmmas.
//   producer    wait(empty[s]); expect the bytes at full[s]; start the copies into tiles[s]
//   consumers   wait(full[s]); wgmma; wait for it; arrive at empty[s]
//   buffers     | 0 multiplied | 1 full | 2 being copied |      s = 0, 1, 2, 0, ...
// A wait names the parity of a phase. The producer's first round of waits names the phase before
// the first, which counts as complete: all buffers start empty. Three buffers leave room for a
// second block per SM; five do not, and are slower (BUFFERS=5). This page shows the whole ring.
// Look at: copies in flight.        make stage14 && ./stage14        make diff A=13 B=14
// Needs: sm_90a
// Type: bf16
// Expect (cpu, 512x512x256, bf16): barriers == stage13.barriers / 4
// Expect (cpu, 512x512x256, bf16): copies_in_flight >= 4 * stage13.copies_in_flight
// Expect (sm_90, 4096, bf16): rate >= 1.35 * stage13.rate
#include "bf16.h"

using stage13::multiply_tiles, stage13::store_sums, stage13::Tiles;

#ifndef BUFFERS
#define BUFFERS 3
#endif
constexpr int BM = 128, BN = 128, BK = 64, DEPTH = BUFFERS;
constexpr int CONSUMERS = 128;   // threads: a warpgroup; the producer warp follows

// A ring of DEPTH buffers in shared memory, and which of them is next for this thread. full: the
// copies are complete. empty: all consumers have read the tiles.
template <class Tiles, int DEPTH> struct Ring {
    struct Buffers {
        Tiles tiles[DEPTH];
        uint64_t full[DEPTH], empty[DEPTH];   // mbarriers
    } & smem;
    int index = 0, phase = 0;   // the parity of the phase: 0 in the first round, 1 in the second

    // The producer: waits until the buffer is empty, and names the bytes that will be copied.
    __device__ Tiles &acquire()
    {
        mbarrier_wait(&smem.empty[index], phase ^ 1);
        mbarrier_arrive_expect_tx(&smem.full[index], sizeof(Tiles));
        return smem.tiles[index];
    }

    // A consumer: waits until the copies are complete.
    __device__ Tiles &wait()
    {
        mbarrier_wait(&smem.full[index], phase);
        return smem.tiles[index];
    }

    // A warpgroup has read the tiles: one thread arrives for all (ptx_bf16.h).
    __device__ void release()
    {
        if (threadIdx.x % 128 == 0)
            mbarrier_arrive(&smem.empty[index]);
    }

    __device__ void advance()
    {
        index = index + 1 == DEPTH ? 0 : index + 1;
        phase ^= index == 0;
    }
};

// Starts the copies of a step: the tile of A from [row][k] on, the tile of B from [k][col] on.
template <int BM, int BN, int BK, int DEPTH>
__device__ void copy_tiles(Ring<Tiles<BM, BN, BK>, DEPTH> &ring, const CUtensorMap *A,
                           const CUtensorMap *B, int row, int col, int k)
{
    Tiles<BM, BN, BK> &t = ring.acquire();
    uint64_t *full = &ring.smem.full[ring.index];

    tma_load_2d(t.A, A, k, row, full);
    for (int n = 0; n < BN / 64; n++)
        tma_load_2d(t.B[n], B, col + n * 64, k, full);
}

using Pipeline = Ring<Tiles<BM, BN, BK>, DEPTH>;

__global__ void __launch_bounds__(CONSUMERS + 32)
    multiply(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B, bf16 *C,
             int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Pipeline ring = { *(Pipeline::Buffers *)memory };
    int row = blockIdx.y * BM, col = blockIdx.x * BN;

    if (threadIdx.x == 0)
        init_ring(ring, CONSUMERS / 128);
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x == CONSUMERS)   // the producer: one thread starts all copies
            for (int k = 0; k < K; k += BK, ring.advance())
                copy_tiles(ring, &A, &B, row, col, k);
    } else {   // the consumers
        float sum[BM / 64][BN / 2] = {};
        for (int k = 0; k < K; k += BK, ring.advance()) {
            multiply_tiles(sum, ring.wait());
            wgmma_wait_groups<0>(sum);
            ring.release();
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

    if (allow_shared(multiply, sizeof(Pipeline::Buffers)))
        multiply<<<tiles, CONSUMERS + 32, sizeof(Pipeline::Buffers)>>>(
            matrix_map(A, M, K, BM), matrix_map(B, K, N, BK), C, M, N, K);
}
