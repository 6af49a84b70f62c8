// stage25: tile and cluster by a cost model, for every shape
//
// 128 x 256 is best where tiles fill the SMs several times. 1024 x 1024 has 32 such tiles, for 132
// SMs. A model compares tiles of 64, 128 and 256 columns, with and without cluster: steps per SM,
// times the cycles of a step. What is slowest takes the time of a step:
//   tensor cores    128 x BN x 64 products, 2048 per cycle
//   shared memory   128 bytes per cycle: wgmma reads A, and B for each warpgroup; TMA writes both
//   L2              64 bytes per cycle and SM, at most 6154 for all (bulk copies: the model of
//                   DeepGEMM. docs/machine.md has what loads get)
// Look at: matmul() launches the plan with the fewest cycles. COLS=128, with PAIR=1: another plan.
// make stage25 && ./stage25 -n 1024        make diff A=24 B=25        make stage25 COLS=128 PAIR=1
// Needs: sm_90a
// Type: bf16
// Expect (cpu, 128x128x512, bf16): product_bytes <= 0.5 * stage24.product_bytes
// Expect (sm_90, 1024, bf16): rate >= 1.4 * stage24.rate
#include "cluster.h"

using stage24::launch;

#ifndef COLS
#define COLS 0   // 0: the model chooses; 64, 128 or 256: columns of a tile
#endif
#ifndef PAIR
#define PAIR 0   // with COLS: 1: clusters of two blocks
#endif

// How a product is computed, and in how many cycles, as the model says.
struct Plan {
    int BN, cluster;              // columns of a tile; blocks per cluster
    double products, epilogues;   // cycles
};

// Cycles of a step, if `running` blocks run at once.
inline double step_cycles(int BN, int cluster, int running)
{
    const int BM = 128, BK = 64;
    double tensor = 4 * BN, copied = 2 * BK * (BM + BN), L2 = 2 * BK * (BM + BN / cluster);
    double shared = (copied + BM / 64 * 2 * BK * (64 + BN)) / 128;

    return max(max(tensor, shared), L2 / min(64., 6154. / running));
}

inline Plan make_plan(int M, int N, int K, int BN, int cluster)
{
    int tiles = ceil_div(M, cluster * 128) * cluster * ceil_div(N, BN);
    int sms = multiprocessors() / cluster * cluster, waves = ceil_div(tiles, sms);

    return { BN, cluster, waves * ceil_div(K, 64) * step_cycles(BN, cluster, min(tiles, sms)),
             waves * 13. * BN };   // about 3400 cycles from the last product of a tile to the
                                   // first of the next, if BN is 256 (make epilogue)
}

// The plan with the fewest cycles: 64, 128 or 256 columns, one block or two.
inline Plan best_plan(int M, int N, int K)
{
    Plan best = make_plan(M, N, K, 256, 2);

    for (int i = 0; i < 6; i++) {
        Plan plan = make_plan(M, N, K, 64 << i / 2, i % 2 + 1);
        if (plan.products + plan.epilogues < best.products + best.epilogues)
            best = plan;
    }
    return best;
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    Plan best = COLS ? make_plan(M, N, K, COLS, PAIR + 1) : best_plan(M, N, K);
    bool pair = best.cluster == 2;
    auto *run = best.BN == 256 ? (pair ? launch<256, 2> : launch<256, 1>)
              : best.BN == 128 ? (pair ? launch<128, 2> : launch<128, 1>)
                               : (pair ? launch<64, 2> : launch<64, 1>);
    run(A, B, C, M, N, K);
}
