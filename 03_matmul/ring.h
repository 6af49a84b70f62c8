// What persistent pipelines have in common, whatever the type of their elements. Each namespace is
// named after the stage that shows its contents, and has the same text.
#ifndef RING_H
#define RING_H

#include <cooperative_groups.h>

#include "../common/stage/ptx_bf16.h"
#include "../common/stage/ptx_cluster.h"
#include "../common/stage/stage.h"

namespace cg = cooperative_groups;

namespace stage14 {
// A ring of DEPTH buffers in shared memory, and which of them is next for this thread. full: the
// copies are complete. empty: all consumers have read the tiles.
template <class Tiles, int DEPTH> struct Ring {
    struct Buffers {
        Tiles tiles[DEPTH];
        uint64_t full[DEPTH], empty[DEPTH];   // mbarriers
    } & smem;
    int index = 0, phase = 0;   // the parity of the phase: 0 in the first round, 1 in the second

    // The producer: waits until the buffer is empty, and names the bytes that will be copied.
    __device__ Tiles &acquire()
    {
        mbarrier_wait(&smem.empty[index], phase ^ 1);
        mbarrier_arrive_expect_tx(&smem.full[index], sizeof(Tiles));
        return smem.tiles[index];
    }

    // A consumer: waits until the copies are complete.
    __device__ Tiles &wait()
    {
        mbarrier_wait(&smem.full[index], phase);
        return smem.tiles[index];
    }

    // A warpgroup has read the tiles: one thread arrives for all (ptx_bf16.h).
    __device__ void release()
    {
        if (threadIdx.x % 128 == 0)
            mbarrier_arrive(&smem.empty[index]);
    }

    __device__ void advance()
    {
        index = index + 1 == DEPTH ? 0 : index + 1;
        phase ^= index == 0;
    }
};
}   // namespace stage14

// Initializes the mbarriers of a ring. A phase of full ends with one arrival, that of the producer,
// and the bytes of the copies; a phase of empty with `arrivals`. One thread calls it.
template <class Ring> __device__ void init_ring(const Ring &ring, int arrivals)
{
    for (uint64_t &full : ring.smem.full)
        mbarrier_init(&full, 1);
    for (uint64_t &empty : ring.smem.empty)
        mbarrier_init(&empty, arrivals);
    fence_proxy_async();
}

namespace stage16 {
struct position {
    int row, col;
};

// The first element of a tile of C. The tiles run down the columns of a group of HEIGHT rows of
// tiles, then of the next group, whose first row of tiles is `top` (rasterization).
template <int BM, int BN, int HEIGHT> __device__ position tile_corner(int tile, int M, int N)
{
    int tile_rows = ceil_div(M, BM), tile_cols = ceil_div(N, BN);
    int top = tile / (HEIGHT * tile_cols) * HEIGHT, height = min(HEIGHT, tile_rows - top);
    int in_group = tile % (HEIGHT * tile_cols);

    return { (top + in_group % height) * BM, in_group / height * BN };
}
}   // namespace stage16
#endif
