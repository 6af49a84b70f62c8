// stage19: hoisted address computations (loop-invariant code motion)
//
// In each step, a thread of stage 18 computes the addresses of its copies and checks bounds. These
// integer instructions take issue slots from the multiply-adds: a scheduler issues one instruction
// per cycle. Here each thread computes addresses once, before the loop (struct Copies). In the
// loop, two pointers advance. That needs a loop without checks (CHECKS=1 has that of k again):
//   Rows and columns outside the matrices are clamped to the last one inside. What they load is
//   multiplied, but these sums are never stored.
//   The incomplete step is the first one, before the loop, and no longer the last one:
//     K = 13, BK = 8     step 0: k = -3 ... 4 (three zeros)    step 1: k = 5 ... 12
// The parts of the kernel that do not change are functions (pipeline.h). This page is long because
// it shows the addresses, and the loop. Look at: instructions per multiply-add, and issue slots.
// make stage19 && ./stage19        make diff A=18 B=19        make sass STAGES="stage18 stage19"
// Expect (cpu, 196x252x68): ld_requests >= 1.18 * stage18.ld_requests
// Expect (sm_90, 4096): rate >= 1.22 * stage18.rate
#include "pipeline.h"

// block tile: rows and columns of C per block, and depth along K; thread tile: rows and columns
constexpr int BM = 128, BN = 256, BK = 8, TM = 16, TN = 8;
constexpr int THREADS = BM / TM * (BN / TN);

#ifndef CHECKS
#define CHECKS 0   // 1: nvcc does not know that no step of the loop is incomplete
#endif

// What this thread copies in each step. A struct with functions, which use its members by name.
template <int VEC, int THREADS, int BM, int BN, int BK> struct Copies {
    // rows of each tile that all threads together copy at once
    static const int ROWS_A = THREADS / BK, ROWS_B = THREADS * VEC / BN;
    const float *A, *B;
    int N;
    const float *next_a, *next_b;   // A at column k + a_col, B at row k; k: the first of the step,
                                    // or 0 if the step starts before 0
    int a_col, a_row;   // of the tile of A: column a_col, rows a_row, a_row + ROWS_A, ...
    int b_col, b_row;   // of the tile of B: VEC columns from b_col on, rows b_row, ...
    int a_offset[BM / ROWS_A], b_offset;   // where these rows are, counted from next_a and next_b
    int first_zeros;                       // how many k of the first step are before 0

    // The first step starts at k = k0, which is negative if it is incomplete.
    __device__ void prepare(int M, int K, position block, int k0)
    {
        a_col = threadIdx.x % BK;
        a_row = threadIdx.x / BK;
        b_row = threadIdx.x / (BN / VEC);
        b_col = threadIdx.x % (BN / VEC) * VEC;
        next_a = A + max(k0, 0) + a_col;   // k0 > 0: only in stage 23
        next_b = B + (size_t)max(k0, 0) * N;
        for (int i = 0; i < BM / ROWS_A; i++)
            a_offset[i] = min(block.row + a_row + i * ROWS_A, M - 1) * K;   // clamped to the edge
        b_offset = b_row * N + min(block.col + b_col, N - VEC);
        first_zeros = max(-k0, 0);
    }

    // Starts the copies of a step. Its first `zero_fill` k are before 0, and become zeros:
    // copies.first_zeros in the first step, 0 in all others. The step starts `zero_fill` columns
    // before next_a.
    __device__ void start(Tiles<BM, BN, BK> &to, int zero_fill)
    {
        for (int i = 0; i < BM / ROWS_A; i++)
            __pipeline_memcpy_async(&to.a[a_col][a_row + i * ROWS_A],
                                    a_col < zero_fill ? A : &next_a[a_offset[i] - zero_fill], 4,
                                    a_col < zero_fill ? 4 : 0);
        for (int i = 0; i < BK; i += ROWS_B)
            __pipeline_memcpy_async(&to.b[b_row + i][b_col],
                                    b_row + i < zero_fill ? B
                                                          : &next_b[b_offset + (i - zero_fill) * N],
                                    4 * VEC, b_row + i < zero_fill ? 4 * VEC : 0);
        next_a += BK - zero_fill;
        next_b += (ptrdiff_t)(BK - zero_fill) * N;
    }
};

template <int VEC>   // words per copy of B: 4 if its rows are 16-byte aligned
__global__ void __launch_bounds__(THREADS, 1)   // 1 block per SM: up to 255 registers per thread
    multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Tiles<BM, BN, BK> smem[DEPTH];
    position thread = plain_position<BN, TM, TN>();                    // in the block tile
    position block = { (int)blockIdx.y * BM, (int)blockIdx.x * BN };   // in C
    int steps = ceil_div(K, BK);

    Copies<VEC, THREADS, BM, BN, BK> copies = { A, B, N };
    copies.prepare(M, K, block, K - steps * BK);
    for (int buffer = 0; buffer < DEPTH - 1; buffer++) {   // prologue: fill the pipeline
        if (buffer < steps)
            copies.start(smem[buffer], buffer == 0 ? copies.first_zeros : 0);
        __pipeline_commit();   // one group: the copies since the last commit
    }

    alignas(16) float sum[TM][TN] = {}, frag_a[TM], frag_b[TN];
    for (int buffer = 0, step = 0; step < steps; step++, buffer = (buffer + 1) % DEPTH) {
        __pipeline_wait_prior(DEPTH - 2);   // all but the last DEPTH - 2 groups are complete
        __syncthreads();
        if (step + DEPTH - 1 < steps)
            // 0, and a constant: nvcc removes the checks
            copies.start(smem[(buffer + DEPTH - 1) % DEPTH], CHECKS ? max(-K, 0) : 0);
        __pipeline_commit();   // every step adds a group, even if empty: the wait counts groups
        for (int k = 0; k < BK; k++) {
            load_fragments(frag_a, frag_b, smem[buffer], k, thread);
            multiply_fragments(sum, frag_a, frag_b);
        }
    }
    store_tile<VEC == 4>(C, block.row + thread.row, block.col + thread.col, M, N, sum);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<1> : multiply<4>;

    kernel<<<dim3(ceil_div(N, BN), ceil_div(M, BM)), THREADS>>>(A, B, C, M, N, K);
}
