// stage14: bulk copies by the tensor memory accelerator (TMA), with mbarriers
//
// Every thread of stage 13 starts six copies per step. Here one thread starts two bulk copies, a
// box of A and a box of B; the tensor memory accelerator does the rest.
//
//   thread 0      expect bytes at full[s]; copy boxes to smem[s]      s = step % DEPTH
//   TMA           write the boxes, 0 outside the matrix; count the bytes: full[s] ends a phase
//   all threads   wait for the phase; multiply; barrier; thread 0 refills smem[s]
//
// TMA copies rows as they are, so a kernel transposes A first, which counts into the time. Rows are
// 16-byte aligned: N % 4 == 0. A step is 16 deep (BK): half as many barriers.
// Look at: issue slots, registers (make regs).        make stage14 && ./stage14
// Needs: sm_90
// Expect (sm_90, 4096): rate >= 1.05 * stage13.rate
// Expect (sm_90, 4096): rate >= 1.02 * ref_cublas.rate
#define BK 16   // depth of the tiles along K
#include "old_pipeline.h"

#define BM 128   // block tile: rows and columns of C per block
#define BN 256
#define TM 16   // thread tile: rows and columns of C per thread
#define TN 8

struct Boxes {
    alignas(128) float a[BK][BM], b[BK][BN];
};

__global__ __launch_bounds__(THREADS, 1) void multiply(const __grid_constant__ CUtensorMap A,
                                                       const __grid_constant__ CUtensorMap B,
                                                       float *C, int M, int N, int K)
{
    extern __shared__ Boxes smem[];
    __shared__ uint64_t full[DEPTH];
    int2 thread = thread_position<BN, TM, TN>();
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN, steps = ceil_div(K, BK);
    alignas(16) float sum[TM][TN] = {}, frag_a[2][TM], frag_b[2][TN];

    auto copy_boxes = [&](int step, int stage) {   // one thread calls this
        mbarrier_arrive_expect_tx(&full[stage], sizeof(Boxes));
        tma_load_2d(smem[stage].a, &A, block_row, step * BK, &full[stage]);
        tma_load_2d(smem[stage].b, &B, block_col, step * BK, &full[stage]);
    };
    if (threadIdx.x == 0) {   // prologue: fill the pipeline
        for (int stage = 0; stage < DEPTH; stage++)
            mbarrier_init(&full[stage], 1);
        fence_proxy_async();
        for (int stage = 0; stage < min(DEPTH, steps); stage++)
            copy_boxes(stage, stage);
    }
    __syncthreads();   // the mbarriers must be initialized before any thread waits
                       // on them
    mbarrier_wait(&full[0], 0);
    load_fragments(frag_a[0], frag_b[0], smem, 0, thread);
    for (int step = 0; step < steps; step++) {
        int stage = step % DEPTH, next = (step + 1) % DEPTH;
#pragma unroll   // registers cannot be indexed dynamically: k % 2 must be a constant
        for (int k = 0; k < BK - 1; k++) {
            load_fragments(frag_a[(k + 1) % 2], frag_b[(k + 1) % 2], &smem[stage], k + 1, thread);
            multiply_fragments(sum, frag_a[k % 2], frag_b[k % 2]);
        }
        if (step + 1 < steps)   // the phase of an mbarrier flips with each use of its buffer
            mbarrier_wait(&full[next], (step + 1) / DEPTH % 2);
        __syncthreads();   // the next tiles are complete, and these are read
        load_fragments(frag_a[0], frag_b[0], &smem[next], 0, thread);
        if (threadIdx.x == 0 && step + DEPTH < steps)
            copy_boxes(step + DEPTH, stage);
        multiply_fragments(sum, frag_a[1], frag_b[1]);   // k = BK - 1, which is odd
    }
    store_tile(C, block_row + thread.x, block_col + thread.y, M, N, sum);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (N % 4)
        return refuse("N in multiples of 4 only");
    int pitch = ceil_div(M, 4) * 4, bytes = DEPTH * sizeof(Boxes);

    CUtensorMap map_a = matrix_map(transposed<32>(A, M, K, pitch), K, pitch, BK, BM);
    CUtensorMap map_b = matrix_map(B, K, N, BK, BN);
    cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    multiply<<<dim3(ceil_div(N, BN), ceil_div(M, BM)), THREADS, bytes>>>(map_a, map_b, C, M, N, K);
}
