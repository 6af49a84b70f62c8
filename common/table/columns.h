// The columns of the result table, in the order of a file. This is the only list of them: the
// fields of a row, the header, the reader, the writer, the columns that claims may name, and the
// text of `ladder columns` are all made from it.
//
// A new counter is a line in COUNTERS. Those of the CPU device are in EMU_COUNTS (emu/emu.h), from
// which backend_cpu.c assigns them; what it computes from them is an assignment there. A label in
// the report is a line in report.c.
#ifndef COLUMNS_H
#define COLUMNS_H

// Counts of one call, sums over all its kernels if they do not say otherwise. A request is one
// instruction of one warp.
#define COUNTERS(X)                                                                       \
    X(ld_requests, "global load requests")                                                \
    X(ld_sectors, "32-byte sectors of global loads (transactions by older rules)")        \
    X(ld_ahead, "global load requests ahead of use, hidden behind shared loads")          \
    X(st_requests, "global store requests")                                               \
    X(st_sectors, "32-byte sectors of global stores")                                     \
    X(ld_bytes, "bytes that global loads move")                                           \
    X(st_bytes, "bytes that global stores move")                                          \
    X(tex_requests, "texture requests")                                                   \
    X(atomic_requests, "requests of atomics on global memory")                            \
    X(shared_requests, "shared memory loads, stores and atomics, as the GPU issues them") \
    X(shared_wavefronts, "wavefronts of these requests: passes over the banks")           \
    X(shared_requests_source,                                                             \
      "shared memory requests in the source, before the compiler merges loads")           \
    X(shared_wavefronts_source, "wavefronts of these requests")                           \
    X(bulk_ld_requests, "bulk and tensor copies from global memory, and prefetches")      \
    X(bulk_ld_sectors, "32-byte sectors of these, without what is outside the tensor")    \
    X(bulk_ld_bytes, "bytes that these copy from the tensor")                             \
    X(bulk_st_requests, "bulk and tensor copies to global memory")                        \
    X(bulk_st_sectors, "32-byte sectors of these")                                        \
    X(bulk_st_bytes, "bytes that these copy to the tensor")                               \
    X(multicast_bytes, "bytes that multicasts deliver without another read of L2")        \
    X(cluster_requests, "accesses to shared memory of other blocks of the cluster")       \
    X(cluster_bytes, "bytes of these")                                                    \
    X(products, "wgmmas: products of warpgroups")                                         \
    X(product_clocks, "clocks of an SM's tensor cores that these take at the full rate")  \
    X(product_bytes, "bytes of shared memory that their operands take")                   \
    X(barriers, "__syncthreads(), counted per warp")                                      \
    X(partial_barriers, "barriers of blocks that a part of the threads does not reach")   \
    X(exchanges, "shuffles, votes, matches and reductions of warps")                      \
    X(dot_products, "dp4a and dp2a, counted per thread")                                  \
    X(packed_conversions, "cvt.pack of bytes, counted per thread")                        \
    X(mma_products, "mma.sync of warps")                                                  \
    X(warp_ld_requests, "global load requests of the warp that makes the most")           \
    X(copies_in_flight, "mean number of asynchronous copies in flight as one starts")     \
    X(groups_in_flight, "mean number of groups of wgmmas in flight as a wgmma starts")    \
    X(events, "cudaEventRecord() calls")                                                  \
    X(timed_kernels, "kernels between two events whose elapsed time was asked for")       \
    X(stream_kernels, "kernels launched in streams that the program has created")         \
    X(graph_kernels, "kernels launched by CUDA graphs")                                   \
    X(dependent_kernels, "programmatic dependent launches")                               \
    X(active_lanes, "mean number of active lanes in a memory request, at most 32")

#define COLUMNS(X)                                                                           \
    X(week, "folder of the week: 01_transpose")                                              \
    X(stage, "stage3, ref_cublas or demo_roofs")                                             \
    X(name, "padding, of stage3_padding.cu")                                                 \
    X(device, "name of the device")                                                          \
    X(type, "element type: uchar, int, float or double")                                     \
    X(arithmetic, "precision, if it differs from that of the type: tf32")                    \
    X(size, "problem size: 2048x2048")                                                       \
    X(knobs, "knobs of the build: TILE=16 ROWS=4")                                           \
    X(variant, "options of the week: pitch=2052 kernel=box")                                 \
    X(mode, "cold, hot, count, check, roof, occupancy, published or model")                  \
    X(status, "ok, wrong, error or skip")                                                    \
    X(why, "reason of a status other than ok")                                               \
    X(reps, "samples")                                                                       \
    X(median_us, "median time of a call, microseconds")                                      \
    X(p10_us, "10th percentile of the samples, microseconds")                                \
    X(p90_us, "90th percentile, microseconds")                                               \
    X(min_us, "shortest sample, microseconds")                                               \
    X(graph_us, "median time of a call replayed in a CUDA graph, microseconds")              \
    X(graph_p10_us, "10th percentile of the replays, microseconds")                          \
    X(graph_p90_us, "90th percentile of the replays, microseconds")                          \
    X(bytes, "minimum bytes that the problem must move")                                     \
    X(flops, "floating-point operations of the problem")                                     \
    X(rate, "work per time, in `unit`")                                                      \
    X(unit, "GB/s, GFLOP/s or Gpx/s; 1 GB is 10^9 bytes")                                    \
    X(kernels, "kernel launches in a call")                                                  \
    X(kernel, "name of the kernel with the most threads; grid to blocks_per_sm describe it") \
    X(grid, "blocks in the grid: 32x32x1")                                                   \
    X(block, "threads per block: 32x8x1")                                                    \
    X(regs, "registers per thread")                                                          \
    X(shared_bytes, "shared memory per block, static and dynamic, bytes")                    \
    X(blocks_per_sm, "resident blocks per SM")                                               \
    COUNTERS(X)                                                                              \
    X(peak_gbs, "peak memory bandwidth: clock times bus width, GB/s")                        \
    X(l2_bytes, "size of the L2 cache, bytes")                                               \
    X(sets, "sets of buffers among which cold calls rotate")                                 \
    X(batch, "calls per sample")                                                             \
    X(sm_mhz, "SM clock while it was timed, median, MHz")                                    \
    X(watts, "power of the GPU while the row and what runs beside it were timed, W")         \
    X(noisy, "noisy, if the spread of the samples did not converge")                         \
    X(seed, "seed of the inputs")                                                            \
    X(max_error, "largest |result - reference|")                                             \
    X(driver, "version of the driver")                                                       \
    X(cuda, "version of the CUDA runtime")                                                   \
    X(date, "day of the run")                                                                \
    X(sms, "SMs of the device")                                                              \
    X(instructions, "instructions of warps (ncu)")                                           \
    X(issue_per_cycle, "instructions that all SMs can issue per cycle (ncu)")                \
    X(cycles_per_second, "SM clock under ncu, Hz")                                           \
    X(dram_read_bytes, "bytes read from DRAM (ncu)")                                         \
    X(dram_write_bytes, "bytes written to DRAM (ncu)")                                       \
    X(l2_read_bytes, "bytes read from L2 (ncu)")                                             \
    X(stride, "stride of a warp's lanes, words of 4 bytes")                                  \
    X(requests, "load requests of the demonstration")                                        \
    X(sectors, "sectors of these requests")                                                  \
    X(used_bytes, "bytes that the warps use")                                                \
    X(moved_bytes, "bytes of the sectors that they request")                                 \
    X(dram_bytes, "bytes that these requests read from DRAM (ncu)")                          \
    X(capability, "compute capability of the device: 9.0")                                   \
    X(chart, "what varies in an occupancy row: point, threads, regs or shared")              \
    X(threads, "threads per block")                                                          \
    X(blocks, "blocks per SM")                                                               \
    X(warps, "warps per SM")                                                                 \
    X(most_warps, "maximum warps per SM")                                                    \
    X(limit, "resource that limits the occupancy")

#endif
