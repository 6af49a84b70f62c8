// stage14: bulk copies by the tensor memory accelerator (TMA), with mbarriers
//
// Every thread of stage 13 starts 6 copies per step. Here one thread starts two bulk copies, a box
// of A and a box of B; the tensor memory accelerator does the rest.
//   thread 0      expect bytes at full[b]; copy boxes to smem[b]      b: buffer = step % DEPTH
//   TMA           write the boxes, 0 outside the matrix; count the bytes: full[b] ends a phase
//   all threads   wait for the phase; multiply; barrier; thread 0 refills smem[b]
// An mbarrier (full[b]) is a counter in shared memory. It ends a phase, and starts the next, when
// the expected arrivals and bytes are complete. A wait names the parity of the phase: 0, 1, 0, ...
// TMA copies rows as they are. So another kernel transposes A first (transpose.h: week 1, stage 3),
// which is part of the measured time. a[] needs no padding: no thread stores to it. Rows must be
// 16-byte aligned: N % 4 == 0.
// Needs: sm_90
// Look at: issue slots, registers (make regs).        make stage14 && ./stage14
// Expect (sm_90, 4096): rate >= 0.98 * stage13.rate
// Expect (sm_90, 4096): rate >= 0.98 * ref_cublas.rate
#include "pipeline.h"
#include "transpose.h"

using stage10::DEPTH, stage10::load_fragments, stage10::position;
using stage13::multiply_snake, stage13::store_words, stage13::thread_position;

// block tile: rows and columns of C per block, and depth along K; thread tile: rows and columns
constexpr int BM = 128, BN = 256, BK = 8, TM = 16, TN = 8;
constexpr int THREADS = BM / TM * (BN / TN);

struct Boxes {
    alignas(128) float a[BK][BM], b[BK][BN];
};

// __grid_constant__: the map stays in constant memory, where the TMA reads it; no thread copies it.
__global__ void __launch_bounds__(THREADS, 1)
    multiply(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B, float *C,
             int M, int N, int K)
{
    __shared__ Boxes smem[DEPTH];
    __shared__ uint64_t full[DEPTH];
    position thread = thread_position<BN, TM, TN>();
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN, steps = ceil_div(K, BK);
    alignas(16) float sum[TM][TN] = {}, frag_a[2][TM], frag_b[2][TN];

    auto copy_boxes = [&](int step, int buffer) {   // one thread calls this
        mbarrier_arrive_expect_tx(&full[buffer], sizeof(Boxes));
        // the first column and row of each box; columns of the transpose are rows of A
        tma_load_2d(smem[buffer].a, &A, block_row, step * BK, &full[buffer]);
        tma_load_2d(smem[buffer].b, &B, block_col, step * BK, &full[buffer]);
    };
    if (threadIdx.x == 0) {   // prologue: fill the pipeline
        for (int buffer = 0; buffer < DEPTH; buffer++)
            mbarrier_init(&full[buffer], 1);   // 1 arrival, of thread 0, and all bytes end a phase
        fence_proxy_async();                   // the TMA must see the initialized mbarriers
        // steps + 1: each step waits for the next boxes; those after the last step are zeros
        for (int buffer = 0; buffer < min(DEPTH, steps + 1); buffer++)
            copy_boxes(buffer, buffer);
    }
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
    mbarrier_wait(&full[0], 0);
    load_fragments(frag_a[0], frag_b[0], smem[0], 0, thread);
    int buffer = 0;
    // The loop is stage 12's multiply_tile: mbarrier_wait is in the place of __pipeline_wait_prior,
    // and copy_boxes in that of Copies::start.
    for (int step = 0; step < steps; step++) {
        int next = buffer < DEPTH - 1 ? buffer + 1 : 0;
#pragma unroll   // registers cannot be indexed dynamically: k % 2 must be a constant
        for (int k = 0; k < BK - 1; k++) {
            load_fragments(frag_a[(k + 1) % 2], frag_b[(k + 1) % 2], smem[buffer], k + 1, thread);
            multiply_snake(sum, frag_a[k % 2], frag_b[k % 2]);
        }
        __syncthreads();   // no thread reads these boxes again
        // step + 1 is use (step + 1) / DEPTH of its buffer: phases of parity 0, 1, 0, ...
        mbarrier_wait(&full[next], (step + 1) / DEPTH % 2);
        load_fragments(frag_a[0], frag_b[0], smem[next], 0, thread);
        if (threadIdx.x == 0 && step + DEPTH <= steps)
            copy_boxes(step + DEPTH, buffer);
        multiply_snake(sum, frag_a[1], frag_b[1]);   // k = BK - 1, which is odd
        buffer = next;
    }
    store_words(C, block_row + thread.row, block_col + thread.col, M, N, sum);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (N % 4)
        return refuse("N in multiples of 4 only");
    int pitch = ceil_div(M, 4) * 4;
    const float *A_transposed = transposed(A, M, K, pitch);   // K x M: transpose.h
    CUtensorMap map_a = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, A_transposed, K, pitch, BK,
                                       BM, CU_TENSOR_MAP_SWIZZLE_NONE);
    CUtensorMap map_b = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, B, K, N, BK, BN,
                                       CU_TENSOR_MAP_SWIZZLE_NONE);
    multiply<<<dim3(ceil_div(N, BN), ceil_div(M, BM)), THREADS>>>(map_a, map_b, C, M, N, K);
}
