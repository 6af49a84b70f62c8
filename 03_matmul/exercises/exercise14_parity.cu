// exercise14: find the bug: a ring that works for the first tile only
//
// Task: do this after stage 16. The blocks are persistent: each computes tile after tile, and the
// ring of two buffers runs on from one tile to the next. With one tile per block the result is
// right, and with K = 256, too. At other sizes the wgmmas read tiles that are not there yet, or the
// kernel never ends. Find the cause, and fix it. The ring must run on between tiles.
//
// Question: Why does the second tile go wrong?
// a) The producer begins each tile with buffer 0, and the consumers do not.
// b) The producer copies the second tile before the consumers have read the first one.
// c) The consumers begin each tile with buffer 0 and parity 0, and the producer does not.
// d) The consumers wait for the parity that the producer uses one step later.
// Answer: c
//
// Hint: Run ./exercise14 -n 512x64x192. The CPU device has two SMs, so a block computes four tiles.
// Which mbarrier does the report name, and which phase of it?
// Hint: With K = 192 a tile has three steps. In which buffer is the first step of the second tile,
// and in which phase of its mbarrier does it arrive? Which buffer and parity do the consumers name?
// Hint: The consumers' ring starts again at buffer 0 and parity 0 in each tile. The producer's
// does not. Declare it before the loop over the tiles.
//
// Needs: sm_90a
// Type: bf16
// Points 4: correct
// Points 1: answer
// Points 4 (cpu, 512x64x192, bf16, sms=2): bulk_ld_requests == 2 * 3 * 8 and barriers <= 20
// Points 1 (gpu, 2048x2048x2048, bf16): rate >= 0.2 * ref_cublas_bf16.rate
// Check (cpu, 3000x200x72, bf16, sms=5)
#include "bf16.h"

using stage13::store_sums, stage13::Tiles, stage14::copy_tiles, stage14::Ring;
using stage16::multiply_steps, stage16::tile_corner;

constexpr int BM = 64, BN = 64, BK = 64, DEPTH = 2;
constexpr int CONSUMERS = 128;   // threads: a warpgroup; the producer warp follows

using Pipeline = Ring<Tiles<BM, BN, BK>, DEPTH>;

__global__ __launch_bounds__(CONSUMERS + 32) void multiply(const __grid_constant__ CUtensorMap A,
                                                           const __grid_constant__ CUtensorMap B,
                                                           bf16 *C, int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    auto &buffers = *(Pipeline::Buffers *)memory;
    int tiles = ceil_div(M, BM) * ceil_div(N, BN);

    if (threadIdx.x == 0)
        init_ring(Pipeline{ buffers }, CONSUMERS / 128);
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x > CONSUMERS)   // the producer: one thread starts all copies
            return;
        Pipeline ring = { buffers };
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            auto [row, col] = tile_corner<BM, BN, 16>(tile, M, N);
            for (int k = 0; k < K; k += BK, ring.advance())
                copy_tiles(ring, &A, &B, row, col, k);
        }
    } else {
#ifdef SOLUTION
        Pipeline ring = { buffers };
#else
#endif
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            auto [row, col] = tile_corner<BM, BN, 16>(tile, M, N);
#ifdef SOLUTION
#else
            Pipeline ring = { buffers };
#endif
            float sum[BN / 2];
            multiply_steps(sum, ring, 0, ceil_div(K, BK));
            store_sums(C, row, col, M, N, sum);
        }
    }
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    int tiles = ceil_div(M, BM) * ceil_div(N, BN);

    if (allow_shared(multiply, sizeof(Pipeline::Buffers)))
        multiply<<<min(tiles, multiprocessors()), CONSUMERS + 32, sizeof(Pipeline::Buffers)>>>(
            matrix_map(A, M, K, BM), matrix_map(B, K, N, BK), C, M, N, K);
}
