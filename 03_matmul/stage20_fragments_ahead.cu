// stage20: register double buffering for the large thread tile
//
// A warp of stage 19 loads the fragments of one k, waits for them, multiplies. 8 warps per SM do
// not hide these waits: many issue slots are empty. Here two sets of fragments alternate, as in
// stage 9: one is loaded while the other is multiplied, also from one tile to the next.
//   load       set 1: k = 1     set 0: k = 2     set 1: k = 3     ...  set 0: next tile, k = 0
//   multiply   set 0: k = 0     set 1: k = 1     set 0: k = 2     ...  set 1: k = BK - 1
// The loop is a function, multiply_tile: later stages call it for each tile.
// Look at: issue slots (NOTES.md); registers (make regs): the second set needs more.
// make stage20 && ./stage20        make diff A=19 B=20
// Expect (cpu, 256x256x64): shared_requests >= 1.01 * stage19.shared_requests
// Expect (sm_90, 4096): rate >= 1.15 * stage19.rate
// Expect (sm_90, 4096): rate >= 0.92 * ref_cublas.rate
#include "pipeline.h"

using stage19::Copies;

// block tile: rows and columns of C per block, and depth along K; thread tile: rows and columns
constexpr int BM = 128, BN = 256, BK = 8, TM = 16, TN = 8;
constexpr int THREADS = BM / TM * (BN / TN);

// Adds the products of `steps` steps to the sums of a block tile. `copies` is prepared for the
// first step; AnyCopies is Copies, or what a later stage uses. smem has DEPTH buffers.
// `multiply_add` is multiply_fragments, or what a later stage uses.
template <class AnyCopies, int BM, int BN, int BK, int TM, int TN, class Function>
__device__ void multiply_tile(float (&sum)[TM][TN], Tiles<BM, BN, BK> *smem, position thread,
                              AnyCopies &copies, int steps, Function multiply_add)
{
    for (int buffer = 0; buffer < DEPTH; buffer++) {   // prologue: fill the pipeline
        int zero_fill = buffer == 0 ? copies.first_zeros : 0;
        // past the last step only zeros, which the last load of fragments reads
        copies.start(smem[buffer], buffer < steps ? zero_fill : BK);
        __pipeline_commit();   // one group: the copies since the last commit
    }

    alignas(16) float frag_a[2][TM], frag_b[2][TN];
    __pipeline_wait_prior(DEPTH - 1);   // all but the last DEPTH - 1 groups are complete
    __syncthreads();
    load_fragments(frag_a[0], frag_b[0], smem[0], 0, thread);
    int buffer = 0;
    for (int step = 0; step < steps; step++) {
        int next = buffer < DEPTH - 1 ? buffer + 1 : 0;
#pragma unroll   // registers cannot be indexed dynamically: k % 2 must be a constant
        for (int k = 0; k < BK - 1; k++) {
            load_fragments(frag_a[(k + 1) % 2], frag_b[(k + 1) % 2], smem[buffer], k + 1, thread);
            multiply_add(sum, frag_a[k % 2], frag_b[k % 2]);
        }
        __pipeline_wait_prior(DEPTH - 2);   // the group of the next step is complete
        __syncthreads();                    // for all threads; no thread reads these tiles again
        // after the last step: loaded, but never used
        load_fragments(frag_a[0], frag_b[0], smem[next], 0, thread);
        if (step + DEPTH < steps)
            copies.start(smem[buffer], 0);
        __pipeline_commit();   // every step adds a group, even if empty: the wait counts groups
        multiply_add(sum, frag_a[1], frag_b[1]);   // k = BK - 1, which is odd
        buffer = next;
    }
}

template <int VEC>   // words per copy of B: 4 if its rows are 16-byte aligned
__global__ void __launch_bounds__(THREADS, 1)   // 1 block per SM: up to 255 registers per thread
    multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Tiles<BM, BN, BK> smem[DEPTH];
    position thread = plain_position<BN, TM, TN>();                    // in the block tile
    position block = { (int)blockIdx.y * BM, (int)blockIdx.x * BN };   // in C
    int steps = ceil_div(K, BK);
    alignas(16) float sum[TM][TN] = {};

    Copies<VEC, THREADS, BM, BN, BK> copies = { A, B, N };
    copies.prepare(M, K, block, K - steps * BK);
    multiply_tile(sum, smem, thread, copies, steps, multiply_fragments<TM, TN>);
    store_tile<VEC == 4>(C, block.row + thread.row, block.col + thread.col, M, N, sum);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<1> : multiply<4>;

    kernel<<<dim3(ceil_div(N, BN), ceil_div(M, BM)), THREADS>>>(A, B, C, M, N, K);
}
