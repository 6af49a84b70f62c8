// stage15: 128 x 256 by two consumer warpgroups, with the registers of the producer (setmaxnreg)
//
// n = 256 reads least shared memory per product: 80 bytes per cycle, not 96. But 128 x 256 sums are
// 256 registers per thread of one warpgroup: too many. Two warpgroups have 64 x 256 each, 128
// registers per thread, and share the tile of B.
//   registers of an SM   65536 / 384 threads = 170       a launch gives 168, a multiple of 8
//   setmaxnreg           producer 24, consumers 240      128 x 24 + 256 x 240 = 64512
// Two consumers alone gain nothing (COLS=128): stage 14 has two per SM, in two blocks. What gains
// is n = 256: 9 % at 4096.
// Look at: bytes that wgmmas read from shared memory.
// make stage15 && ./stage15        make diff A=14 B=15
// Needs: sm_90a
// Type: bf16
// Expect (cpu, 512x512x256, bf16): product_bytes == 5 / 6 * stage14.product_bytes
// Expect (sm_90, 4096, bf16): rate >= 1.03 * stage14.rate
#include "bf16.h"

using stage13::store_sums, stage13::Tiles, stage14::copy_tiles, stage14::Ring;

#ifndef COLS
#define COLS 256   // columns of a tile; 128: two consumers, but wgmmas of n = 128
#endif
constexpr int BM = 128, BN = COLS, BK = 64, DEPTH = 4;
constexpr int CONSUMERS =
    BM / 64 * 128;   // threads: a warpgroup per 64 rows; the producer's follows

using Pipeline = Ring<Tiles<BM, BN, BK>, DEPTH>;

// Starts and commits sum = A B or, with `add`, sum += A B, for 64 rows of the tile of A.
template <int BM, int BN, int BK>
__device__ void multiply_tiles(float (&sum)[BN / 2], const Tiles<BM, BN, BK> &t, int row, bool add)
{
    uint64_t a = wgmma_descriptor(t.A + row * BK), b = wgmma_descriptor_n(t.B, sizeof t.B[0]);

    wgmma_fence();
    for (int i = 0; i < BK / 16; i++)
        wgmma_bf16(sum, a + 2 * i, b + 128 * i, add || i);
    wgmma_commit();
}

__global__ void __launch_bounds__(CONSUMERS + 128, 1)
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
        setmaxnreg_dec<24>();           // to the consumers
        if (threadIdx.x == CONSUMERS)   // the producer: one thread starts all copies
            for (int k = 0; k < K; k += BK, ring.advance())
                copy_tiles(ring, &A, &B, row, col, k);
    } else {   // the consumers
        setmaxnreg_inc<240>();
        int group_row = threadIdx.x / 128 * 64;   // of this warpgroup in the tile
        float sum[BN / 2];
        for (int k = 0; k < K; k += BK, ring.advance()) {
            multiply_tiles(sum, ring.wait(), group_row, k > 0);   // the first overwrites
            wgmma_wait_groups<0>(sum);
            ring.release();
        }
        store_sums(C, row + group_row, col, M, N, sum);
    }
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    dim3 tiles(ceil_div(N, BN), ceil_div(M, BM));

    if (allow_shared(multiply, sizeof(Pipeline::Buffers)))
        multiply<<<tiles, CONSUMERS + 128, sizeof(Pipeline::Buffers)>>>(
            matrix_map(A, M, K, BM), matrix_map(B, K, N, BK), C, M, N, K);
}
