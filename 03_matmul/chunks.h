// The product of stage 32, for a later stage. The namespace is named after the stage that shows its
// contents, and has the same text.
#ifndef CHUNKS_H
#define CHUNKS_H

#include "tf32.h"

#ifndef CHUNK
#define CHUNK 2   // as in stage 32
#endif
namespace stage32 {
using stage14::Ring, stage30::multiply_tiles, stage31::Tiles;

constexpr int BM = 128, BN = 128, DEPTH = 4;
constexpr int CONSUMERS =
    BM / 64 * 128;   // threads: a warpgroup per 64 rows; the producer's follows

using Pipeline = Ring<Tiles<BM, BN>, DEPTH>;

// sum += the product of `steps` steps, an even number, for the 64 rows of this warpgroup. Two steps
// form a chunk, which is added to the sums in fp32.
__device__ void multiply_tile(float (&sum)[BN / 2], Pipeline &ring, int steps)
{
    float part[BN / 2];
    HiLo a[2];   // of the two steps of a chunk
    auto &smem = ring.smem;
    auto add = [&] {
        for (int i = 0; i < BN / 2; i++)
            sum[i] += part[i];
    };

    split_fragments(ring.wait().A, a[0]);
    for (int step = 0; step < steps; step += 2) {
        int first = ring.index;
        multiply_tiles(part, a[0], smem.tiles[first].B_hi, smem.tiles[first].B_lo, false);
        ring.advance();
        split_fragments(ring.wait().A, a[1]);   // while those of the first step run
        if (CHUNK == 1) {
            wgmma_wait_groups<0>(part);
            add();
        }

        int second = ring.index;
        multiply_tiles(part, a[1], smem.tiles[second].B_hi, smem.tiles[second].B_lo, CHUNK == 2);
        wgmma_wait_groups<1>();   // those of the first step are complete
        warp_arrive(&smem.empty[first]);
        ring.advance();
        if (step + 2 < steps)
            split_fragments(ring.wait().A, a[0]);
        wgmma_wait_groups<0>(part);
        warp_arrive(&smem.empty[second]);
        add();
    }
}
}   // namespace stage32
#endif
