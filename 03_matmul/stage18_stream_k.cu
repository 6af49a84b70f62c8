// stage18: stream-K tile scheduler
//
// Split-K needs a tail of half a wave or less: at 1536, 72 tiles on 132 SMs cannot have two blocks
// each. Here the steps of the tail, laid end to end, are divided evenly among all blocks that run
// at once (stream-K).
//   steps of the tail   |--- tile 0 ---|--- tile 1 ---|--- tile 2 ---|
//   workers (blocks)    |--- 0 ----|---- 1 ---|---- 2 ---|---- 3 ----|
// The last worker to finish steps of a tile adds its parts, in order. A share can end one tile and
// start another: `partial` has two slots per worker. A tail that split-K divides keeps whole
// workers per tile. A step is 16 deep (BK), for fewer barriers; stage 17 has 8.
// Look at: ./stage18 --shmoo, where stage 17 loses to partial waves; 4096, a tail of 116 tiles.
// make stage18 && ./stage18 -n 1000        make diff A=17 B=18
// Expect (cpu, 64x64x2000): atomic_requests == 6
// Expect (sm_90, 1536): rate >= 1.4 * stage17.rate
// Expect (sm_90, 4096): rate >= 1.03 * ref_cublas.rate
#define BK 16   // depth of the tiles along K: one step
#include "split_k.h"

__device__ int finished[MAX_TAIL];   // steps done per tile of the tail; 0 between calls

// Block tile BM x BN, thread tile TM x TN, BLOCKS per SM. VEC: words per copy of B.
template <int BM, int BN, int TM, int TN, int BLOCKS, int VEC>
__global__ __launch_bounds__(THREADS, BLOCKS) void multiply(const float *A, const float *B,
                                                            float *C, int M, int N, int K, int full,
                                                            int tail, int workers, float *partial)
{
    extern __shared__ float4 memory[];
    Tiles<BM, BN> *smem = (Tiles<BM, BN> *)memory;   // DEPTH of them
    int2 thread = thread_position<BN, TM, TN>();
    // The steps of all tiles, laid end to end: the first `full` blocks have those of a tile each,
    // the workers an equal share of the tail.
    int steps = ceil_div(K, BK), worker = blockIdx.x - full;
    auto share = [&](int worker) {   // its first step
        return full * steps + (int)((long long)tail * steps * worker / workers);
    };
    int next = worker < 0 ? blockIdx.x * steps : share(worker);
    int end = worker < 0 ? next + steps : share(worker + 1);

    for (int count; next < end; next += count) {
        int tile = next / steps, first = next % steps;   // next work tile
        count = min(steps - first, end - next);          // to its end or to that of the share
        int2 corner = tile_corner<BM, BN, GROUP>(tile, M, N);
        alignas(16) float sum[TM][TN] = {};

        __pipeline_wait_prior(0);
        __syncthreads();   // the copies and reads of the tile before are complete
        multiply_tile<VEC>(sum, smem, thread, A, B, M, N, K, corner, first, count);
        if (count < steps) {
            store_partial_tile<BM, BN>(partial, 2 * worker + (first == 0), sum);
            if (!is_last_part(&finished[tile - full], count, steps))
                continue;
            int begin = tile * steps, owner = worker;   // of the tile's first step
            while (share(owner) > begin)
                owner--;
            for (int i = owner; share(i) < begin + steps; i++)
                load_partial_tile<BM, BN>(sum, partial, 2 * i + (share(i) <= begin), i > owner);
        }
        store_tile<LANE_ROWS, LANE_COLS>(C, corner.x + thread.x, corner.y + thread.y, M, N, sum);
    }
}

// Computes C in tiles of BM x BN, BLOCKS per SM at once.
template <int BM, int BN, int TM, int TN, int BLOCKS>
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    int tiles = ceil_div(M, BM) * ceil_div(N, BN), bytes = DEPTH * sizeof(Tiles<BM, BN>);
    auto kernel = N % 4 ? multiply<BM, BN, TM, TN, BLOCKS, 1> : multiply<BM, BN, TM, TN, BLOCKS, 4>;
    int resident = BLOCKS * multiprocessors(), tail = tiles % resident;   // tiles of the last wave
    int parts = min(min(MAX_PARTS, resident / max(tail, 1)), K / MIN_DEPTH);
    bool stream_k = (long long)tail * K >= (long long)MIN_DEPTH * resident;
    int workers = parts >= 2 ? tail * parts : stream_k ? resident : tail, full = tiles - tail;
    float *partial = (float *)scratch((size_t)2 * workers * BM * BN * sizeof *partial);

    if (allow_shared(kernel, bytes))
        kernel<<<full + workers, THREADS, bytes>>>(A, B, C, M, N, K, full, tail, workers, partial);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    // large tiles if they occupy half of the SMs or more
    bool large = min(M, N) > 64 && 2LL * ceil_div(M, 128) * ceil_div(N, 256) >= multiprocessors();
    (large ? launch<128, 256, 16, 8, 1> : launch<64, 128, 8, 8, 3>)(A, B, C, M, N, K);
}
