// Faults with Hopper's asynchronous instructions, as in faults.cu, each with the correct program
// beside it: with RIGHT, a kernel has what the fault lacks, and nothing may be reported. Its name
// is then ok_NAME. Numbers in brackets are the sections of the PTX ISA 9.1 that forbid the fault.
#include <cuda_bf16.h>

#include "hopper.h"
#include "pairs.h"

enum { N = 256, SIDE = 64 };   // threads; rows and columns of the arrays
typedef float Box[8][32];

struct arguments {
    float *in, *out;
};
#define FAULT(name)                              \
    FAULT_OF(name, [[maybe_unused]] arguments a, \
             [[maybe_unused]] const __grid_constant__ CUtensorMap map)
// The block's own array for results.
#define OUT (a.out + blockIdx.x * SIDE * SIDE)

__device__ void begin(uint64_t *barriers, int n, int arrivals)
{
    if (threadIdx.x == 0) {
        for (int i = 0; i < n; i++)
            mbarrier_init(&barriers[i], arrivals);
        fence_proxy_async();
    }
    __syncthreads();
}

// One box and one mbarrier.
#define BOX                            \
    __shared__ alignas(1024) Box tile; \
    __shared__ uint64_t full;          \
    int t = threadIdx.x;               \
    begin(&full, 1, 1)

// [9.7.13.15.5]: the phase completes when all bytes have arrived that are expected
FAULT(more_bytes)
{
    BOX;
    if (t == 0) {
        mbarrier_arrive_expect_tx(&full, RIGHT ? sizeof tile : 2 * sizeof tile);
        tma_load_2d(tile, &map, 0, 0, &full);
    }
    // FAULT more_bytes: deadlock: waits for phase 0 of mbarrier full .byte 0 of 8., which cannot
    // complete
    mbarrier_wait(&full, 0);
    OUT[t] = tile[t / 32][t % 32];
}
// [9.7.13.15.5]: a box counts as a whole, also what is outside the tensor
FAULT(bytes_at_edge)
{
    BOX;
    if (t == 0) {
        mbarrier_arrive_expect_tx(&full, RIGHT ? sizeof tile : sizeof tile / 2);
        tma_load_2d(tile, &map, 0, SIDE - 4, &full);
    }
    // FAULT bytes_at_edge: deadlock: waits for phase 0 of mbarrier full .byte 0 of 8., which cannot
    // complete
    mbarrier_wait(&full, 0);
    OUT[t] = tile[t / 32][t % 32];
}
FAULT(fewer_bytes)
{
    __shared__ alignas(1024) Box tile[2];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    begin(&full, 1, 1);
    if (t == 0) {
        // FAULT fewer_bytes: phase 0 of mbarrier full .byte 0 of 8. ends while a bulk copy is in
        // flight
        mbarrier_arrive_expect_tx(&full, RIGHT ? sizeof tile : sizeof tile[0]);
        tma_load_2d(tile[0], &map, 0, 0, &full);
        tma_load_2d(tile[1], &map, 32, 0, &full);
    }
    mbarrier_wait(&full, 0);
    OUT[t] = tile[1][t / 32][t % 32];
}
// [9.7.13.15.2]: the tx-count may be negative, as long as an arrival is pending
FAULT(bytes_first)
{
    BOX;
    if (t == 0) {
        tma_load_2d(tile, &map, 0, 0, &full);
        mbarrier_arrive_expect_tx(&full, sizeof tile);
    }
    mbarrier_wait(&full, 0);
    if (RIGHT)
        OUT[t] = tile[t / 32][t % 32];
    else
        // FAULT bytes_first: out of bounds
        a.out[2 * SIDE * SIDE + t] = tile[t / 32][t % 32];
}
// [9.7.13.15.16]: the wait for the other parity returns at once
FAULT(wrong_parity)
{
    BOX;
    if (t == 0) {
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        // FAULT wrong_parity: started here by thread .0,0,0.
        tma_load_2d(tile, &map, 0, 0, &full);
    }
    mbarrier_wait(&full, RIGHT ? 0 : 1);
    // FAULT wrong_parity: race: read of tile .byte 0 of 1024., which a bulk copy to shared memory
    // writes: this thread has not waited for phase 0 of mbarrier full
    OUT[t] = tile[t / 32][t % 32];
    mbarrier_wait(&full, 0);
}
FAULT(no_wait)
{
    BOX;
    if (t == 0) {
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        tma_load_2d(tile, &map, 0, 0, &full);
    }
    if (RIGHT || t == 0)
        mbarrier_wait(&full, 0);
    // FAULT no_wait: race: read of tile .* writes: this thread has not waited
    OUT[t] = tile[t / 32][t % 32];
}
// One thread waits, and a barrier orders the others after it.
FAULT(wait_of_one)
{
    BOX;
    if (t == 0) {
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        tma_load_2d(tile, &map, 0, 0, &full);
        mbarrier_wait(&full, 0);
    }
    if (RIGHT)
        __syncthreads();
    // FAULT wait_of_one: race: read of tile
    OUT[t] = tile[t / 32][t % 32];
}
// A parity that is two phases old is that of the current phase.
FAULT(old_parity)
{
    __shared__ uint64_t b;
    int t = threadIdx.x;
    begin(&b, 1, 1);
    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            mbarrier_arrive(&b);
            mbarrier_wait(&b, i);
        }
    }
    __syncthreads();
    // FAULT old_parity: deadlock: waits for phase 2 of mbarrier b
    mbarrier_wait(&b, RIGHT ? 1 : 0);
}
// [8.6, 9.7.13.4]: a write of a thread, then a read by an asynchronous operation
FAULT(no_proxy_fence)
{
    BOX;
    // FAULT no_proxy_fence: written here by thread .0,0,0.
    tile[t / 32][t % 32] = t;
    if (RIGHT)
        fence_proxy_async();
    __syncthreads();
    if (t == 0) {
        // FAULT no_proxy_fence: missing fence.proxy.async: a bulk copy from shared memory reads
        // tile
        bulk_store(OUT, tile, sizeof tile);
        bulk_commit();
        bulk_wait();
    }
}
// The same, and the fence after the barrier, which is on the path, too.
FAULT(no_fence_of_one)
{
    BOX;
    tile[t / 32][t % 32] = t;
    __syncthreads();
    if (t == 0) {
        if (RIGHT)
            fence_proxy_async();
        // FAULT no_fence_of_one: missing fence.proxy.async
        tma_store_2d(&map, tile, 0, 0);
        bulk_commit();
        bulk_wait();
    }
}
FAULT(no_barrier_before_store)
{
    BOX;
    tile[t / 32][t % 32] = t;
    fence_proxy_async();
    if (RIGHT)
        __syncthreads();
    if (t == 0) {
        // FAULT no_barrier_before_store: race: a bulk copy from shared memory reads tile .*, which
        // another thread has written
        bulk_store(OUT, tile, sizeof tile);
        bulk_commit();
        bulk_wait();
    }
}
FAULT(no_init_fence)
{
    __shared__ alignas(128) Box tile;
    __shared__ uint64_t full;
    int t = threadIdx.x;
    if (t == 0) {
        // FAULT no_init_fence: initialized here
        mbarrier_init(&full, 1);
        if (RIGHT)
            fence_mbarrier_init();
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        // FAULT no_init_fence: missing fence.proxy.async: a bulk copy uses mbarrier full
        bulk_load(tile, a.in, sizeof tile, &full);
    }
    __syncthreads();
    mbarrier_wait(&full, 0);
    OUT[t] = tile[t / 32][t % 32];
}
FAULT(no_barrier_after_init)
{
    __shared__ uint64_t b;
    int t = threadIdx.x;
    if (t == 0)
        mbarrier_init(&b, N);
    if (RIGHT)
        __syncthreads();
    // FAULT no_barrier_after_init: race: mbarrier.arrive on mbarrier b .* with no __syncthreads
    // after its initialization
    mbarrier_arrive(&b);
    mbarrier_wait(&b, 0);
}
// A ring of two buffers: the producer fills one again that consumers may still read.
FAULT(ring_overrun)
{
    __shared__ alignas(1024) Box ring[2];
    __shared__ uint64_t full[2], empty[2];
    int t = threadIdx.x;
    float sum = 0;
    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            mbarrier_init(&full[i], 1);
            mbarrier_init(&empty[i], N / 2);
        }
        fence_proxy_async();
    }
    __syncthreads();
    if (t == N / 2)
        for (int i = 0; i < 6; i++) {
            if (RIGHT || i < 2)
                mbarrier_wait(&empty[i % 2], (i / 2 + 1) % 2);
            mbarrier_arrive_expect_tx(&full[i % 2], sizeof ring[0]);
            // FAULT ring_overrun: race: a bulk copy to shared memory writes ring
            tma_load_2d(ring[i % 2], &map, i % 2 * 32, i / 2 * 8, &full[i % 2]);
            if (!RIGHT)
                mbarrier_wait(&full[i % 2], i / 2 % 2);
        }
    else if (t < N / 2) {
        for (int i = 0; i < 6; i++) {
            mbarrier_wait(&full[i % 2], i / 2 % 2);
            // FAULT ring_overrun: read here
            sum += ring[i % 2][t / 32][t % 32];
            mbarrier_arrive(&empty[i % 2]);
        }
        OUT[t] = sum;
    }
}
// Rule: a read and the copy that overwrites it must be ordered; they need no proxy fence
// [8.9.1.1, 9.7.13.15.16: what follows the wait is not visible to what precedes the arrival].
FAULT(read_then_copy)
{
    BOX;
    tile[t / 32][t % 32] = t;
    fence_proxy_async();
    __syncthreads();
    // FAULT read_then_copy: read here by thread .1,0,0.
    OUT[t] = tile[t / 32][t % 32];
    if (RIGHT)
        __syncthreads();
    if (t == 0) {
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        // FAULT read_then_copy: race: a bulk copy to shared memory writes tile .*, which another
        // thread has read
        tma_load_2d(tile, &map, 0, 0, &full);
    }
    mbarrier_wait(&full, 0);
    OUT[t] += tile[t / 32][t % 32];
}
// [9.7.13.15.6]
FAULT(too_many_arrivals)
{
    __shared__ uint64_t b;
    begin(&b, 1, RIGHT ? N : N / 2 + 1);
    // FAULT too_many_arrivals: mbarrier.arrive with 2 arrivals on mbarrier b .*, of which phase 0
    // has 1 of 129 pending
    mbarrier_arrive_state(&b, RIGHT ? 1 : 2);
    mbarrier_wait(&b, 0);
}
// [9.7.13.15.4]
FAULT(no_wait_for_phase)
{
    __shared__ uint64_t b;
    int t = threadIdx.x;
    begin(&b, 1, N);
    for (int i = 0; i < 2; i++) {
        // FAULT no_wait_for_phase: mbarrier.arrive in phase 1 of mbarrier b .*: no thread has
        // waited for phase 0
        mbarrier_arrive(&b);
        if (RIGHT)
            mbarrier_wait(&b, i);
        __syncthreads();
    }
    OUT[t] = 0;
}
FAULT(old_state)
{
    __shared__ uint64_t b;
    begin(&b, 1, 1);
    if (threadIdx.x == 0) {
        uint64_t state = 0;
        for (int i = 0; i < 3; i++) {
            uint64_t now = mbarrier_arrive_state(&b, 1);
            state = i && !RIGHT ? state : now;
            // FAULT old_state: a wait for phase 0 of mbarrier b .*, which is in phase 2
            while (!mbarrier_test(&b, state))
                ;
            mbarrier_wait(&b, i % 2);
        }
    }
}
// [9.7.13.15]
FAULT(uninitialized_barrier)
{
    __shared__ uint64_t b[2];
    begin(b, RIGHT ? 2 : 1, N);
    // FAULT uninitialized_barrier: mbarrier.arrive on b .byte 8 of 16., which is not an initialized
    // mbarrier
    mbarrier_arrive(&b[1]);
    mbarrier_wait(&b[1], 0);
}
FAULT(init_twice)
{
    __shared__ uint64_t b;
    begin(&b, 1, N);
    mbarrier_arrive(&b);
    mbarrier_wait(&b, 0);
    __syncthreads();
    if (threadIdx.x == 0) {
        if (RIGHT)
            mbarrier_inval(&b);
        // FAULT init_twice: mbarrier.init of mbarrier b .*, which is initialized: mbarrier.inval
        // must come before
        mbarrier_init(&b, N);
    }
}
FAULT(barrier_reused)
{
    __shared__ uint64_t b;
    begin(&b, 1, N);
    mbarrier_arrive(&b);
    mbarrier_wait(&b, 0);
    __syncthreads();
    if (threadIdx.x == 0) {
        if (RIGHT)
            mbarrier_inval(&b);
        // FAULT barrier_reused: write of mbarrier b .*, which is initialized: only mbarrier
        // instructions
        b = 1;
    }
}
// [9.7.9.25.4.1]
FAULT(size_not_16)
{
    BOX;
    if (t == 0) {
        mbarrier_arrive_expect_tx(&full, RIGHT ? 48 : 40);
        // FAULT size_not_16: a bulk copy of 40 bytes: the size must be a multiple of 16
        bulk_load(tile, a.in, RIGHT ? 48 : 40, &full);
    }
    mbarrier_wait(&full, 0);
}
FAULT(misaligned_tile)
{
    __shared__ alignas(1024) Box tile[2];
    __shared__ uint64_t full;
    begin(&full, 1, 1);
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(&full, sizeof tile[0]);
        // FAULT misaligned_tile: a bulk copy at an address that is 64 past a multiple of 128
        tma_load_2d((char *)tile + (RIGHT ? 128 : 64), &map, 0, 0, &full);
    }
    mbarrier_wait(&full, 0);
}
FAULT(unaligned_coordinate)
{
    BOX;
    if (t == 0) {
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        // FAULT unaligned_coordinate: a tensor copy at first coordinate 2, 8 bytes: not a multiple
        // of 16
        tma_load_2d(tile, &map, RIGHT ? 4 : 2, 0, &full);
    }
    mbarrier_wait(&full, 0);
}
FAULT(negative_store)
{
    BOX;
    tile[t / 32][t % 32] = t;
    fence_proxy_async();
    __syncthreads();
    if (t == 0) {
        // FAULT negative_store: a tensor copy to global memory at coordinate -4 of dimension 0
        tma_store_2d(&map, tile, RIGHT ? 4 : -4, 0);
        bulk_commit();
        bulk_wait();
    }
}
// [9.7.9.25.1.1]: .read frees the source only
FAULT(read_is_not_complete)
{
    BOX;
    tile[t / 32][t % 32] = t;
    fence_proxy_async();
    __syncthreads();
    if (t == 0) {
        // FAULT read_is_not_complete: race: write of global memory
        bulk_store(OUT, tile, sizeof tile);
        bulk_commit();
        if (RIGHT)
            bulk_wait();
        else
            bulk_wait_read();
    }
    __syncthreads();
    // FAULT read_is_not_complete: read here
    tile[t / 32][t % 32] = OUT[t];
}
FAULT(source_overwritten)
{
    BOX;
    tile[t / 32][t % 32] = t;
    fence_proxy_async();
    __syncthreads();
    if (t == 0) {
        // FAULT source_overwritten: started here by thread .0,0,0.
        bulk_store(OUT, tile, sizeof tile);
        bulk_commit();
        if (RIGHT)
            bulk_wait_read();
    }
    __syncthreads();
    // FAULT source_overwritten: race: write of tile .*, while a bulk copy from shared memory may
    // read it
    tile[t / 32][t % 32] = 0;
    if (t == 0)
        bulk_wait();
}
FAULT(ends_in_flight)
{
    BOX;
    if (t == 0) {
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        // FAULT ends_in_flight: the block ends while a bulk copy to its shared memory is in flight
        tma_load_2d(tile, &map, 0, 0, &full);
    }
    if (RIGHT)
        mbarrier_wait(&full, 0);
}
FAULT(ends_before_read)
{
    BOX;
    tile[t / 32][t % 32] = t;
    fence_proxy_async();
    __syncthreads();
    if (t == 0) {
        // FAULT ends_before_read: the block ends while a bulk copy may still read its shared memory
        bulk_store(OUT, tile, sizeof tile);
        bulk_commit();
        if (RIGHT)
            bulk_wait_read();
    }
}
FAULT(outside)
{
    BOX;
    if (t == 0) {
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        // FAULT outside: out of bounds: 1024 bytes of global memory at byte 15872 of an array that
        // has 16384
        bulk_load(tile, a.in + SIDE * SIDE - (RIGHT ? 256 : 128), sizeof tile, &full);
    }
    mbarrier_wait(&full, 0);
}

// Products: A is 64 x 8 and B 8 x 8, in TF32, without a swizzle: rows of 4 words one after the
// other.
struct Operands {
    alignas(1024) float a[2][64][4], b[2][8][4];
};
#define OPERANDS                                          \
    __shared__ Operands s;                                \
    int t = threadIdx.x;                                  \
    float d[4] = {};                                      \
    for (int i = t; i < 512; i += N)                      \
        s.a[i / 256][i / 4 % 64][i % 4] = i;              \
    if (t < 64)                                           \
        s.b[t / 32][t / 4 % 8][t % 4] = t;                \
    fence_proxy_async();                                  \
    __syncthreads();                                      \
    uint64_t da = descriptor(s.a, sizeof s.a[0], 128, 0), \
             db = descriptor(s.b, sizeof s.b[0], 128, 0)

FAULT(accumulator_read)
{
    OPERANDS;
    wgmma_fence();
    // FAULT accumulator_read: started here
    wgmma_tf32_n8(d, da, db, 0);
    wgmma_commit();
    if (RIGHT)
        wgmma_wait_all();
    // FAULT accumulator_read: read of an accumulator of a wgmma that is running
    OUT[t] = d[1];
    wgmma_wait_all();
}
FAULT(accumulator_written)
{
    OPERANDS;
    wgmma_fence();
    wgmma_tf32_n8(d, da, db, 0);
    wgmma_commit();
    if (RIGHT)
        wgmma_wait_all();
    // FAULT accumulator_written: write to an accumulator of a wgmma that is running
    d[0] = 1;
    wgmma_wait_all();
    OUT[t] = d[0];
}
FAULT(not_committed)
{
    OPERANDS;
    wgmma_fence();
    wgmma_tf32_n8(d, da, db, 0);
    if (RIGHT)
        wgmma_commit();
    wgmma_wait_all();
    // FAULT not_committed: read of an accumulator of a wgmma that is running
    OUT[t] = d[0];
    wgmma_commit();
    wgmma_wait_all();
}
FAULT(no_first_fence)
{
    OPERANDS;
    if (RIGHT)
        wgmma_fence();
    // FAULT no_first_fence: wgmma without a wgmma.fence before
    wgmma_tf32_n8(d, da, db, 0);
    wgmma_commit();
    wgmma_wait_all();
    OUT[t] = d[0];
}
FAULT(no_fence_after_clear)
{
    OPERANDS;
    wgmma_fence();
    for (int i = 0; i < 2; i++) {
        // FAULT no_fence_after_clear: wgmma without a wgmma.fence after an access to its
        // accumulator
        wgmma_tf32_n8(d, da, db, 1);
        wgmma_commit();
        wgmma_wait_all();
        OUT[t] = d[0];
        // FAULT no_fence_after_clear: accessed here
        d[0] = d[1] = d[2] = d[3] = 0;
        if (RIGHT)
            wgmma_fence();
    }
}
FAULT(operand_overwritten)
{
    OPERANDS;
    wgmma_fence();
    // FAULT operand_overwritten: started here by the warpgroup of thread .0,0,0.
    wgmma_tf32_n8(d, da, db, 0);
    wgmma_commit();
    if (RIGHT) {
        wgmma_wait_all();
        __syncthreads();
    }
    if (t < 64)
        // FAULT operand_overwritten: race: write of s .*, while a product of a warpgroup may read
        // it
        s.b[t / 32][t / 4 % 8][t % 4] = t;
    wgmma_wait_all();
    OUT[t] = d[0];
}
FAULT(operand_without_fence)
{
    OPERANDS;
    // FAULT operand_without_fence: written here
    s.a[t / 64 % 2][t % 64][t / 128] = t;
    if (RIGHT)
        fence_proxy_async();
    __syncthreads();
    wgmma_fence();
    // FAULT operand_without_fence: missing fence.proxy.async: a product of a warpgroup reads s
    wgmma_tf32_n8(d, da, db, 0);
    wgmma_commit();
    wgmma_wait_all();
    OUT[t] = d[0];
}
FAULT(part_of_warpgroup)
{
    OPERANDS;
    wgmma_fence();
    if (RIGHT || t / 32 != 3) {
        // FAULT part_of_warpgroup: deadlock: wgmma that only 96 of the 128 threads of the warpgroup
        // execute
        wgmma_tf32_n8(d, da, db, 0);
        wgmma_commit();
        wgmma_wait_all();
    }
    OUT[t] = d[0];
}
FAULT(product_at_end)
{
    OPERANDS;
    wgmma_fence();
    // FAULT product_at_end: the block ends while a wgmma is running
    wgmma_tf32_n8(d, da, db, 0);
    wgmma_commit();
    if (RIGHT)
        wgmma_wait_all();
    OUT[t] = 0;
}
// [9.7.15.5.1.2]: leading and stride offsets of an operand along M have other roles than along K
FAULT(exchanged_offsets)
{
    __shared__ alignas(1024) __nv_bfloat16 tile[2 * 8 * 8 * 8], b[2 * 8 * 8];
    int t = threadIdx.x;
    float d[4] = {};
    for (int i = t; i < 1024; i += N)   // 64 rows and 16 columns, and room for as much
        tile[i] = i % 7;
    if (t < 128)
        b[t] = t % 5;
    fence_proxy_async();
    __syncthreads();
    wgmma_fence();
    // FAULT exchanged_offsets: an operand of wgmma: out of bounds
    wgmma_bf16_n8<1, 0>(d, RIGHT ? descriptor(tile, 1024, 128, 0) : descriptor(tile, 128, 1024, 0),
                        descriptor(b, 128, 256, 0), 0);
    wgmma_commit();
    wgmma_wait_all();
    OUT[t] = d[0];
}
// Legal for the instruction, but no program means it: rows that were swizzled by the copy.
FAULT(other_swizzle)
{
    __shared__ alignas(1024) float tile[64][32], b[2][8][4];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    float d[4] = {};
    if (t < 64)
        b[t / 32][t / 4 % 8][t % 4] = t;
    fence_proxy_async();
    begin(&full, 1, 1);
    if (t == 0) {
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        for (int i = 0; i < 8; i++)
            tma_load_2d(tile[8 * i], &map, 0, 8 * i, &full);
    }
    mbarrier_wait(&full, 0);
    wgmma_fence();
    // FAULT other_swizzle: an operand of wgmma whose descriptor has a swizzle of 64 bytes, but the
    // tensor map has one of 128 bytes
    wgmma_tf32_n8(d, descriptor(tile, 16, 1024, RIGHT ? 3 : 2), descriptor(b, sizeof b[0], 128, 0),
                  0);
    wgmma_commit();
    wgmma_wait_all();
    OUT[t] = d[0];
}
// [9.7.19.5]: 256 threads have 256 registers each
FAULT(registers)
{
    if (threadIdx.x < 128)
        setmaxnreg_dec<RIGHT ? 24 : 232>();
    else
        setmaxnreg_dec<40>();
    __syncthreads();
    if (threadIdx.x < 128)
        // FAULT registers: setmaxnreg.inc to 208 registers of a thread that has 232
        setmaxnreg_inc<208>();
}
// [9.7.19.5]: all warps of a warpgroup execute the same one
FAULT(registers_of_one_warp)
{
    if (threadIdx.x < (RIGHT ? 128 : 32))
        // FAULT registers_of_one_warp: setmaxnreg that not all warps of the warpgroup execute
        setmaxnreg_dec<40>();
}
// 384 threads have 168 registers each.
FAULT(too_many_registers)
{
    if (threadIdx.x < 128)
        setmaxnreg_dec<40>();
    else
        // FAULT too_many_registers: deadlock: setmaxnreg.inc waits for 240 registers per thread,
        // but the block's pool has only
        setmaxnreg_inc<RIGHT ? 232 : 240>();
}

// [9.7.13.15.15] an arrival of the thread does not wait for its asynchronous copies
FAULT(copies_do_not_arrive)
{
    __shared__ float words[N];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    begin(&full, 1, N);
    copy_word(&words[t], a.in + t);
    if (RIGHT)
        copies_arrive_noinc(&full);
    else
        mbarrier_arrive(&full);
    mbarrier_wait(&full, 0);
    // FAULT copies_do_not_arrive: read of words .*, the target of an asynchronous copy in flight
    OUT[t] = words[N - 1 - t];
}
// Without noinc, the count is the same as before: nothing is left for the next phase.
FAULT(copies_arrive_twice)
{
    __shared__ float words[N];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    begin(&full, 1, 1);
    if (t == 0) {
        copy_word(&words[0], a.in);
        if (RIGHT)
            copies_arrive_noinc(&full);
        else
            copies_arrive(&full);
    }
    // FAULT copies_arrive_twice: deadlock: waits for phase 0 of mbarrier full
    mbarrier_wait(&full, 0);
    OUT[t] = words[0];
}

// [8.6] a write to global memory, then a copy that reads it
FAULT(no_fence_of_global)
{
    BOX;
    OUT[t] = t;
    __syncthreads();
    if (t == 0) {
        if (RIGHT)
            fence_proxy_async();
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        // FAULT no_fence_of_global: missing fence.proxy.async: a bulk copy reads global memory that
        // a thread has written
        bulk_load(tile, OUT, sizeof tile, &full);
    }
    mbarrier_wait(&full, 0);
    OUT[N + t] = tile[t / 32][t % 32];
}

// [9.7.13.13] Programmatic dependent launches: fill() comes before.
__global__ void fill(arguments a)
{
    int i = blockIdx.x * N + threadIdx.x;
    a.in[i] = a.out[i] + 1;
}
FAULT(read_before_wait)
{
    if (RIGHT && threadIdx.x == 0)
        grid_wait();
    __syncthreads();   // the others are ordered after its wait
    // FAULT read_before_wait: race: read of global memory that the kernel before stores:
    // griddepcontrol.wait
    if (a.in[threadIdx.x] != 1)
        printf("wrong\n");
}
FAULT(store_before_wait)
{
    if (RIGHT)
        grid_wait();
    // FAULT store_before_wait: race: store to global memory that the kernel before reads:
    // griddepcontrol.wait
    a.out[blockIdx.x * N + threadIdx.x] = 0;
}
FAULT(copy_before_wait)
{
    BOX;
    if (t == 0) {
        if (RIGHT)
            grid_wait();
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        // FAULT copy_before_wait: race: read of global memory that the kernel before stores
        tma_load_2d(tile, &map, 0, 0, &full);
    }
    mbarrier_wait(&full, 0);
    if (tile[0][t % 32] != 1)
        printf("wrong\n");
}

static const struct {
    const char *name;
    void (*wrong)(arguments, CUtensorMap), (*right)(arguments, CUtensorMap);
    int blocks, threads;
    bool is_dependent = false;   // on fill()
} kernels[] = {
#define KERNEL(name)                             \
    {                                            \
#name, name < false>, name < true>, 2, N \
    }
// A kernel that stores to the array of the map.
#define KERNEL_OF_MAP(name)                      \
    {                                            \
#name, name < false>, name < true>, 1, N \
    }
// A kernel that depends on the one before.
#define KERNEL_AFTER(name)                             \
    {                                                  \
#name, name < false>, name < true>, 2, N, true \
    }
    KERNEL(more_bytes),
    KERNEL(bytes_at_edge),
    KERNEL(fewer_bytes),
    KERNEL(bytes_first),
    KERNEL(wrong_parity),
    KERNEL(no_wait),
    KERNEL(wait_of_one),
    KERNEL(old_parity),
    KERNEL(no_proxy_fence),
    KERNEL_OF_MAP(no_fence_of_one),
    KERNEL(no_barrier_before_store),
    KERNEL(no_init_fence),
    KERNEL(no_barrier_after_init),
    KERNEL(ring_overrun),
    KERNEL(read_then_copy),
    KERNEL(too_many_arrivals),
    KERNEL(no_wait_for_phase),
    KERNEL(old_state),
    KERNEL(uninitialized_barrier),
    KERNEL(init_twice),
    KERNEL(barrier_reused),
    KERNEL(size_not_16),
    KERNEL(misaligned_tile),
    KERNEL_OF_MAP(unaligned_coordinate),
    KERNEL_OF_MAP(negative_store),
    KERNEL(read_is_not_complete),
    KERNEL(source_overwritten),
    KERNEL(ends_in_flight),
    KERNEL(ends_before_read),
    KERNEL(outside),
    KERNEL(accumulator_read),
    KERNEL(accumulator_written),
    KERNEL(not_committed),
    KERNEL(no_first_fence),
    KERNEL(no_fence_after_clear),
    KERNEL(operand_overwritten),
    KERNEL(operand_without_fence),
    KERNEL(part_of_warpgroup),
    KERNEL(product_at_end),
    KERNEL(other_swizzle),
    KERNEL(exchanged_offsets),
    KERNEL(copies_do_not_arrive),
    KERNEL(copies_arrive_twice),
    KERNEL(no_fence_of_global),
    KERNEL_AFTER(read_before_wait),
    KERNEL_AFTER(store_before_wait),
    KERNEL_AFTER(copy_before_wait),
    KERNEL(registers),
    KERNEL(registers_of_one_warp),
    { "too_many_registers", too_many_registers<false>, too_many_registers<true>, 2, 384 },
};

static CUtensorMap encode(void *array)
{
    CUtensorMap map;
    cuuint64_t dim[] = { SIDE, SIDE }, stride[] = { SIDE * sizeof(float) };
    cuuint32_t box[] = { 32, 8 }, step[] = { 1, 1 };

    if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, array, dim, stride, box,
                               step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        fprintf(stderr, "the map is refused\n");
    return map;
}

int main(int argc, char **argv)
{
    arguments a;

    cudaMalloc(&a.in, SIDE * SIDE * sizeof(float));
    cudaMalloc(&a.out, 2 * SIDE * SIDE * sizeof(float));
    cudaMemset(a.in, 0, SIDE * SIDE * sizeof(float));
    cudaMemset(a.out, 0, 2 * SIDE * SIDE * sizeof(float));
    for (auto &k : kernels)
        chosen(argc, argv, k.name, [&](bool is_right) {
            cudaLaunchAttribute attribute = {};
            cudaLaunchConfig_t config = {};

            attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
            attribute.val.programmaticStreamSerializationAllowed = 1;
            config.gridDim = k.blocks;
            config.blockDim = k.threads;
            config.attrs = &attribute;
            config.numAttrs = k.is_dependent;
            if (k.is_dependent)
                fill<<<SIDE * SIDE / N, N>>>(a);
            cudaLaunchKernelEx(&config, is_right ? k.right : k.wrong, a, encode(a.in));
        });
    return 0;
}
