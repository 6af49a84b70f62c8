// stage18: stream-K tile scheduler
//
// Split-K gives each tile of the tail a whole number of blocks. At 4096, 116 tiles for 132 SMs get
// one each: nothing is divided, and 16 SMs are idle. Here the steps of the tail, laid end to end,
// are divided evenly among all blocks that run at once, the workers (stream-K).
//   steps of the tail   |--- tile 0 ---|--- tile 1 ---|--- tile 2 ---|
//   workers (blocks)    |--- 0 ----|---- 1 ---|---- 2 ---|---- 3 ----|
// The last worker to finish steps of a tile adds its parts, in order. A share can end one tile and
// start the next, so `partial` has two slots per worker. Where split-K divides the tail, a tile
// keeps its whole number of workers. A second change: a step is 16 deep (BK), for fewer barriers.
// Look at: ./stage18 --shmoo; 16384, where both stages divide the tail alike and only BK differs.
// make stage18 && ./stage18 -n 1000        make diff A=17 B=18
// Expect (cpu, 64x64x2000): atomic_requests == 6
// Expect (sm_90, 4096): rate >= 1.04 * stage17.rate
// Expect (sm_90, 4096): rate >= 1.04 * ref_cublas.rate
// Expect (sm_90, 8192): rate >= 1.05 * ref_cublas.rate
#define BK 16   // depth of the tiles along K: one step
#include "old_split_k.h"

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
    // The steps of all tiles are numbered end to end: tile t has t * steps to (t + 1) * steps - 1.
    // The first `full` blocks compute a tile each, the workers an equal share of the tail.
    int steps = ceil_div(K, BK), worker = blockIdx.x - full;
    auto share = [&](int worker) {   // its first step
        return full * steps + (int)((long long)tail * steps * worker / workers);
    };
    int next = worker < 0 ? blockIdx.x * steps : share(worker);
    int end = worker < 0 ? next + steps : share(worker + 1);

    for (int count; next < end; next += count) {
        int tile = next / steps, first = next % steps;   // the next work tile
        count = min(steps - first, end - next);          // to the end of the tile or of the share
        int2 corner = tile_corner<BM, BN, GROUP>(tile, M, N);
        alignas(16) float sum[TM][TN] = {};

        __pipeline_wait_prior(0);
        __syncthreads();   // the copies and reads of the tile before are complete
        multiply_tile<VEC>(sum, smem, thread, A, B, M, N, K, corner, first, count);
        if (count < steps) {
            // slot 1 of a worker: a part that starts its tile; slot 0: any other part
            store_partial_tile<BM, BN>(partial, 2 * worker + (first == 0), sum);
            if (!is_last_part(&finished[tile - full], count, steps))
                continue;
            int begin = tile * steps, owner = worker;   // owner: the worker of the first step
            while (share(owner) > begin)
                owner--;
            for (int i = owner; share(i) < begin + steps; i++)
                load_partial_tile<BM, BN>(sum, partial, 2 * i + (share(i) <= begin), i > owner);
        }
        store_tile(C, corner.x + thread.x, corner.y + thread.y, M, N, sum);
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
