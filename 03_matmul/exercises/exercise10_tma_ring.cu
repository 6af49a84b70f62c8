// exercise10: a ring of TMA boxes: mbarriers, phases and parities
//
// Task: do this after stage 13. A block computes 16 x 16 elements of C in steps of 32 along K. One
// thread copies a box of A and a box of B per step into one of DEPTH = 3 buffers: copy_boxes(),
// which is given, as are the mbarriers. Write the prologue and the loop: wait until the boxes of
// this step have arrived, multiply, and refill the buffer. It is solved if ./exercise10 finds no
// wrong element, with two bulk copies and one barrier per step. (The CPU device executes all this,
// and reports reads of boxes that have not arrived, and copies into boxes that are still read.)
//
//   step t       wait: full[t % 3], phase t / 3    multiply    barrier    copy boxes of t + 3
//
// Hint: Which steps use buffer 0, and in which phase of full[0] is each of them? mbarrier_wait()
// takes the parity of the phase: 0 for the first one, 1 for the second, 0 for the third.
// Hint: Step t is use t / DEPTH of its buffer, so the parity is t / DEPTH % 2. When may the copy of
// step t + DEPTH start, which writes into the same buffer? Which threads must have finished what?
// Hint: In the prologue one thread starts the first copies: how many, if the product has few
// steps? In a step: wait for the buffer of this step with its parity; multiply; barrier; start
// the copy that takes this buffer again. Which step is that?
//
// Needs: sm_90
// Points 3: correct
// Points 3 (cpu, 64x64x256): bulk_ld_requests == 2 * 16 * 8 and copies_in_flight >= 3
// Points 3 (cpu, 64x64x256): barriers <= 16 * 8 * (1 + 8) and bulk_ld_requests > ld_requests
// Points 1 (gpu, 2048x2048x2048): rate >= 0.08 * ref_cublas.rate
// Check (cpu, 3x8x5004)
#include "matmul.h"

#define TILE 16   // rows and columns of C per block
#define BK 32     // depth of a step along K
#define DEPTH 3   // buffers in shared memory

struct Boxes {
    alignas(128) float a[TILE][BK], b[BK][TILE];
};

__global__ void multiply(const __grid_constant__ CUtensorMap A,
                         const __grid_constant__ CUtensorMap B, float *C, int M, int N, int K)
{
    __shared__ Boxes smem[DEPTH];
    __shared__ uint64_t full[DEPTH];
    int tx = threadIdx.x, ty = threadIdx.y, steps = ceil_div(K, BK);
    int block_row = blockIdx.y * TILE, block_col = blockIdx.x * TILE;   // in C
    bool leader = tx == 0 && ty == 0;
    float sum = 0;

    auto copy_boxes = [&](int step) {   // one thread calls this; outside of a matrix are zeros
        int buffer = step % DEPTH;
        mbarrier_arrive_expect_tx(&full[buffer], sizeof(Boxes));
        tma_load_2d(smem[buffer].a, &A, step * BK, block_row, &full[buffer]);
        tma_load_2d(smem[buffer].b, &B, block_col, step * BK, &full[buffer]);
    };
    if (leader) {
        for (int buffer = 0; buffer < DEPTH; buffer++)
            mbarrier_init(&full[buffer], 1);   // 1 arrival, and all bytes, end a phase
        fence_proxy_async();                   // the TMA must see the initialized mbarriers
    }
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
#ifdef SOLUTION
    if (leader)
        for (int step = 0; step < min(DEPTH, steps); step++)
            copy_boxes(step);
    for (int step = 0; step < steps; step++) {
        Boxes &boxes = smem[step % DEPTH];
        mbarrier_wait(&full[step % DEPTH], step / DEPTH % 2);
        for (int k = 0; k < BK; k++)
            sum += boxes.a[ty][k] * boxes.b[k][tx];
        __syncthreads();   // no thread reads these boxes again
        if (leader && step + DEPTH < steps)
            copy_boxes(step + DEPTH);
    }
#else
    // TODO: the prologue; then per step: wait, multiply, barrier, copy
    (void)&copy_boxes, (void)steps;
#endif
    if (block_row + ty < M && block_col + tx < N)
        C[(block_row + ty) * N + block_col + tx] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (N % 4 || K % 4)   // the TMA needs rows of a multiple of 16 bytes
        return refuse("N and K in multiples of 4 only");
    CUtensorMap map_a = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, A, M, K, TILE, BK,
                                       CU_TENSOR_MAP_SWIZZLE_NONE);
    CUtensorMap map_b = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, B, K, N, BK, TILE,
                                       CU_TENSOR_MAP_SWIZZLE_NONE);
    multiply<<<dim3(ceil_div(N, TILE), ceil_div(M, TILE)), dim3(TILE, TILE)>>>(map_a, map_b, C, M,
                                                                               N, K);
}
