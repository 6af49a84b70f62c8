// The CPU device's own interface, in addition to the CUDA runtime API: the counts, and all of
// interface.h. Two headers, because counts change more often than all else.
#ifndef EMU_H
#define EMU_H

#include "interface.h"

#ifdef __cplusplus
extern "C" {
#endif

// Counts of all launches since emu_reset(). A request is one memory instruction of one warp,
// regardless of the number of active lanes. This is the only list of them: SUM for what is added
// over blocks and launches, MOST for a maximum.
#define EMU_COUNTS(SUM, MOST)                                                                  \
    /* Global memory. Sectors are 32-byte sectors, or the unit that emu_unit() returns; bytes  \
       are those that these move. */                                                           \
    SUM(ld_requests)                                                                           \
    SUM(ld_sectors)                                                                            \
    SUM(st_requests)                                                                           \
    SUM(st_sectors)                                                                            \
    SUM(ld_bytes)                                                                              \
    SUM(st_bytes)                                                                              \
    /* Of ld_requests, those ahead of use: more of the warp's loads from shared memory follow  \
       than precede them, between the stores to shared memory that take up loads. Asynchronous \
       copies are taken up by waits (count/ahead.h). */                                        \
    SUM(ld_ahead)                                                                              \
    SUM(tex_requests)                                                                          \
    SUM(atomic_requests)                                                                       \
    /* Loads, stores, atomics; with loads merged as nvcc and ptxas merge them for sm_90, and   \
       without merging. */                                                                     \
    SUM(shared_requests)                                                                       \
    SUM(shared_wavefronts)                                                                     \
    SUM(shared_requests_source)                                                                \
    SUM(shared_wavefronts_source)                                                              \
    SUM(barriers)         /* __syncthreads(), counted once per warp */                         \
    SUM(partial_barriers) /* of blocks of which some threads have exited, counted once */      \
    SUM(exchanges)        /* of values between lanes: shuffles, votes, matches, reductions */  \
    /* Instructions of threads: dp4a and dp2a; cvt.pack of bytes. Of warps: mma.sync. */       \
    SUM(dot_products)                                                                          \
    SUM(packed_conversions)                                                                    \
    SUM(mma_products)                                                                          \
    MOST(warp_ld_requests) /* of the warp with the most global load requests */                \
    /* The sum, over asynchronous copies, of those in flight as each of them started: of the   \
       warp, or of the block if it is a bulk copy. */                                          \
    SUM(copies_in_flight)                                                                      \
    /* Host: cudaEventRecord() calls; launches between the events of cudaEventElapsedTime()    \
       calls; launches in streams that the program has created; launches by graphs; launches   \
       that may start before the launch before them has ended. */                              \
    SUM(events)                                                                                \
    SUM(timed_kernels)                                                                         \
    SUM(stream_kernels)                                                                        \
    SUM(graph_kernels)                                                                         \
    SUM(dependent_kernels)                                                                     \
    /* Bulk and tensor copies, also those that only prefetch: the bytes of boxes within the    \
       tensor, and their sectors of 32 bytes. */                                               \
    SUM(bulk_ld_requests)                                                                      \
    SUM(bulk_ld_sectors)                                                                       \
    SUM(bulk_ld_bytes)                                                                         \
    SUM(bulk_st_requests)                                                                      \
    SUM(bulk_st_sectors)                                                                       \
    SUM(bulk_st_bytes)                                                                         \
    /* Products of warpgroups, the clocks that they take of an SM's tensor cores at the full   \
       rate, and the bytes of operands that they read from shared memory. */                   \
    SUM(products)                                                                              \
    SUM(product_clocks)                                                                        \
    SUM(product_bytes)                                                                         \
    /* The sum, over these, of the warpgroup's groups in flight as each of them started:       \
       committed, and not waited for. */                                                       \
    SUM(groups_in_flight)                                                                      \
    /* Accesses to shared memory of other blocks of the cluster, and their bytes. */           \
    SUM(cluster_requests)                                                                      \
    SUM(cluster_bytes)                                                                         \
    /* Bytes that multicast copies deliver without another read of the L2 cache: those of each \
       destination but the first. */                                                           \
    SUM(multicast_bytes)

struct emu_counts {
#define EMU_COUNT(name) uint64_t name;
    EMU_COUNTS(EMU_COUNT, EMU_COUNT)
#undef EMU_COUNT
    // What means are computed from: asynchronous copies that were started; active lanes, summed
    // over loads and stores.
    uint64_t copies, lanes;
};

void emu_totals(struct emu_counts *);

#ifdef __cplusplus
}
#endif

#endif
