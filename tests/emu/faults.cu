// One fault per kernel, selected by name. "FAULT name: text" expects a report with this text at the
// next line of code, and exit status 1.
#include <stdio.h>
#include <string.h>

#include <cuda_pipeline.h>

// FAULT global_end: out of bounds: 4 bytes of global memory at byte 256
__global__ void global_end(float *a) { a[threadIdx.x + 1] = 0; }
// The array has 6 bytes.
// FAULT global_part: out of bounds: 4 bytes of global memory at byte 4 of an array that has 6
__global__ void global_part(float *a) { a[1] = 0; }
// FAULT global_front: out of bounds: 4 bytes of global memory, 4 bytes before an array that has 256
__global__ void global_front(float *a) { a[-1] = 0; }
// FAULT freed: use after free
__global__ void freed(float *a) { a[0] = 0; }
// FAULT unwritten: uninitialized read of global memory
__global__ void unwritten(float *a) { a[threadIdx.x] += 1; }
// FAULT misaligned: misaligned address: 16 bytes in global memory .byte 4 of an array that has 256
__global__ void misaligned(float *a) { *(float4 *)(a + 1) = make_float4(0, 0, 0, 0); }
// FAULT misaligned2: misaligned address: 8 bytes
__global__ void misaligned2(float *a) { *(float2 *)(a + 3) = make_float2(0, 0); }
// FAULT misaligned_bytes: misaligned address: 4 bytes in global memory .byte 1 of an
__global__ void misaligned_bytes(float *a) { *(uchar4 *)((char *)a + 1) = make_uchar4(0, 0, 0, 0); }
// The last byte of the array was not written.
// FAULT unwritten_byte: uninitialized read .* byte 255 of an array that has 256 .1 of the 4
__global__ void unwritten_byte(float *a) { a[0] = a[threadIdx.x]; }
// FAULT null: write to a null pointer
__global__ void null(float *a) { a[2] = 1; }
// FAULT host_pointer: write to an address that is not device memory
__global__ void host_pointer(float *a) { a[0] = 0; }
// FAULT host_variable: read of an address that is not device memory
__global__ void host_variable(float *a) { a[1] = a[0] + 1; }
// FAULT no_launch: device code called on the host: .*; launch a kernel
__global__ void no_launch(float *a) { a[threadIdx.x] = 0; }

__global__ void shared_end(float *)
{
    __shared__ float s[64];
    __shared__ float t[64];
    t[threadIdx.x] = 0;
    // FAULT shared_end: out of bounds: 4 bytes of shared memory at byte 256 of s
    s[threadIdx.x + 1] = 0;
}

__global__ void shared_unwritten(float *a)
{
    __shared__ float s[64];
    if (threadIdx.x < 63)
        s[threadIdx.x] = 0;
    __syncthreads();
    // FAULT shared_unwritten: uninitialized read of s .byte 252 of 256., which no thread
    a[threadIdx.x] = s[threadIdx.x];
}

__global__ void race_read(float *a)
{
    __shared__ float s[64];
    // FAULT race_read: written here by thread .0,0,0.
    s[threadIdx.x] = threadIdx.x;
    // FAULT race_read: race: read of s .byte 0 of 256. with no __syncthreads
    a[threadIdx.x] = s[threadIdx.x / 64];
}

__global__ void race_write(float *a)
{
    __shared__ float s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    // FAULT race_write: read here by
    a[threadIdx.x] = s[63 - threadIdx.x];
    // FAULT race_write: race: write of s
    s[threadIdx.x] = 0;
}

__global__ void race_twice(float *)
{
    __shared__ float s[32];
    // FAULT race_twice: race: write of s
    s[threadIdx.x % 32] = threadIdx.x;
}

__global__ void race_warp(float *a)
{
    __shared__ float s[64];
    s[threadIdx.x] = threadIdx.x;
    // FAULT race_warp: race within a warp: read of s
    a[threadIdx.x] = s[threadIdx.x ^ 1];
}

// Warp-synchronous code: one report for all steps.
__global__ void warp_tree(float *a)
{
    __shared__ float s[64];
    unsigned t = threadIdx.x;
    s[t] = a[t];
    if (t < 16) {
        // FAULT warp_tree: race within a warp: read of s
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
    }
}

// A barrier of the warp orders the reads of the first three of four lanes, but not that of lane 3.
__global__ void race_reader(float *a)
{
    __shared__ float s[64];
    s[threadIdx.x] = 0;
    __syncthreads();
    // FAULT race_reader: read here by thread .3,0,0.
    a[threadIdx.x] = s[threadIdx.x / 4 * 4];
    if (threadIdx.x % 4 < 3)
        __syncwarp(0x77777777);
    if (threadIdx.x % 4 == 0)
        // FAULT race_reader: race within a warp: write of s
        s[threadIdx.x] += 1;
}

__global__ void race_bytes(float *a)
{
    __shared__ unsigned char s[64];
    // FAULT race_bytes: written here by thread .0,0,0.
    s[threadIdx.x] = 0;
    // FAULT race_bytes: race within a warp: read of s
    a[threadIdx.x] = s[threadIdx.x / 4 * 4];
}

__global__ void no_race(float *a)
{
    __shared__ float s[64];
    __shared__ unsigned char bytes[64];
    unsigned half = threadIdx.x % 32 < 16 ? 0x0000ffff : 0xffff0000;

    // Neighboring bytes of one word.
    bytes[threadIdx.x] = 1;
    __syncthreads();
    bytes[threadIdx.x]++;
    __syncthreads();
    a[threadIdx.x] = bytes[63 - threadIdx.x];
    // Many lanes read a word that one lane changes after a barrier of the warp, or of its half.
    s[threadIdx.x] = 0;
    __syncthreads();
    a[threadIdx.x] += s[threadIdx.x / 32];
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] += 1;
    __syncthreads();
    a[threadIdx.x] += s[threadIdx.x / 16];
    __syncwarp(half);
    if (threadIdx.x % 16 == 0)
        s[threadIdx.x / 16] += 1;
    __syncthreads();

    s[threadIdx.x] = threadIdx.x;
    __syncwarp();
    a[threadIdx.x] = s[threadIdx.x ^ 1];
    __syncthreads();
    s[63 - threadIdx.x] = 1;
    __syncthreads();
    a[threadIdx.x] += s[threadIdx.x];
}

__global__ void two_barriers(float *a)
{
    if (threadIdx.x < 16)
        // FAULT two_barriers: barrier that part of the block does not reach
        __syncthreads();
    else {
        a[threadIdx.x] = 0;
        // FAULT two_barriers: the others wait at this one
        __syncthreads();
    }
}

__global__ void exited(float *a)
{
    if (threadIdx.x >= 40)
        return;
    __syncthreads();
    a[threadIdx.x] = 0;
}

__global__ void missing_lane(float *a)
{
    float v = threadIdx.x;
    if (threadIdx.x < 16)
        // FAULT missing_lane: shuffle from lane 16, which is inactive
        v = __shfl_down_sync(0x0000ffff, v, 8);
    a[threadIdx.x] = v;
}

__global__ void active_mask(float *a)
{
    float v = a[threadIdx.x];
    int leader = __ffs(__activemask()) - 1;

    v += __shfl_sync(__activemask(), v, leader);   // any lanes will do
    // FAULT active_mask: a shuffle by the mask of __activemask\(\), which may lack lanes
    a[threadIdx.x] = v + __shfl_xor_sync(__activemask(), v, 16);
}

__global__ void wrong_mask(float *a)
{
    if (threadIdx.x % 2)
        // FAULT wrong_mask: the mask does not include the calling lane
        __syncwarp(0x55555555);
    a[threadIdx.x] = 0;
}

__global__ void waits(float *a)
{
    if (threadIdx.x < 16)
        // FAULT waits: no progress: waits for lanes of its warp
        __syncwarp();
    __syncthreads();
    a[threadIdx.x] = 0;
}

__global__ void spins(float *a)
{
    // FAULT spins: no progress for .* of CPU time: the same accesses
    while (*(volatile float *)a != 77)
        ;
}

// The step stays 0.
__global__ void endless(float *)
{
    __shared__ float s[64];
    s[threadIdx.x] = 0;
    for (int step = 0; step < 64; step *= 2) {
        // FAULT endless: no progress for .* of CPU time: the same accesses
        s[threadIdx.x] += step;
        __syncthreads();
    }
}

__global__ void barriers(float *a)
{
    for (int step = 0; step < 64; step *= 2)
        // FAULT barriers: no progress for .* of CPU time: the same accesses and barriers
        __syncthreads();
    a[0] = 0;
}

__global__ void polls(float *a)
{
    for (float sum = 0; sum == 0;)
        for (int i = 0; i < 4; i++)
            // FAULT polls: no progress for .* of CPU time: the same accesses
            sum += ((volatile float *)a)[i];
}

__global__ void width(float *a)
{
    // FAULT width: a shuffle's width must be 1, 2, 4, 8, 16 or 32, not 0
    a[threadIdx.x] = __shfl_sync(0xffffffff, a[threadIdx.x], 0, threadIdx.x / 64);
}

__global__ void loops(float *a)
{
    volatile int go = 1;
    // FAULT loops: no progress for .* of CPU time: a thread loops without
    while (go)
        ;
    a[0] = 0;
}

__global__ void local_end(float *a)
{
    int local[8];
    for (unsigned i = 0; i < 8; i++)
        local[(i + threadIdx.x) % 8] = i;
    // FAULT local_end: out of bounds: index 8 of local, which is an int \[8\]
    a[threadIdx.x] = local[threadIdx.x % 9];
}

__global__ void local_front(float *a)
{
    float sums[2][4];
    // FAULT local_front: out of bounds: index -1 of a row of sums, which is a float \[4\]
    sums[threadIdx.x % 2][(int)threadIdx.x - 1] = 1;
    a[threadIdx.x] = sums[threadIdx.x % 2][threadIdx.x % 4];
}

#define ELEMENT(array, i) (array[i])

__global__ void local_in_macro(float *a)
{
    __shared__ float s[64];
    float local[8] = {};
    s[threadIdx.x] = a[threadIdx.x];
    // FAULT local_in_macro: out of bounds: index 8 of local, which is a float \[8\]
    a[threadIdx.x] = s[threadIdx.x] + ELEMENT(local, threadIdx.x);
}

// The index is checked before the write, which would change another variable of the thread, such as
// a pointer.
__global__ void local_write(float *a)
{
    float *to[2] = { a, a + 1 };
    int local[4];
    for (unsigned i = 0; i < (unsigned)a[0] + 9; i++)
        // FAULT local_write: out of bounds: index 4 of local, which is an int \[4\]
        local[i] = 0;
    *to[local[threadIdx.x % 4] % 2] = 1;
}

struct Member {
    int of[3], last;
};

__global__ void member_end(float *a)
{
    Member m = {};
    // FAULT member_end: out of bounds: index 3 of of, which is an int \[3\]
    m.of[threadIdx.x % 4] = 1;
    a[threadIdx.x] = m.of[threadIdx.x % 3] + m.last;
}

__device__ float table[16];
__constant__ float coefficients[4];

__global__ void table_end(float *a)
{
    // FAULT table_end: out of bounds: index 16 of table, which is a float \[16\]
    a[threadIdx.x] = table[threadIdx.x % 17];
}

__global__ void coefficients_end(float *a)
{
    // FAULT coefficients_end: out of bounds: index 4 of coefficients, which is a float \[4\]
    a[threadIdx.x] = coefficients[threadIdx.x % 5];
}

__global__ void coefficients_written(float *)
{
    // FAULT coefficients_written: write to coefficients .byte 4 of 16., a __constant__ variable,
    coefficients[threadIdx.x + 1] = 2;
}

__constant__ int slots[2];

__global__ void slots_counted(float *)
{
    // FAULT slots_counted: write to slots .byte 0 of 8., a __constant__ variable, which kernels
    atomicAdd(slots, 1);
}

__device__ int x, rows[4][16];

// The compiler knows that this access is misaligned, and so makes it byte by byte. (x is also its
// abbreviation of a type.)
#pragma GCC diagnostic ignored "-Warray-bounds"
__global__ void misaligned_variable(float *)
{
    // FAULT misaligned_variable: misaligned address: 4 bytes in x .byte 1 of 4.; the address must
    // be
    *(int *)((char *)&x + 1) = 42;
}

__global__ void row_end(float *a)
{
    __shared__ int s[17][16];
    if (threadIdx.x < 17) {
        // FAULT row_end: out of bounds: index 16 of a row of s, which is an int \[16\]
        s[threadIdx.x][16] = 1;
        a[threadIdx.x] = s[threadIdx.x][threadIdx.x % 2];
    }
}

__global__ void variable_row_end(float *a)
{
    // FAULT variable_row_end: out of bounds: index 16 of a row of rows, which is an int \[16\]
    rows[threadIdx.x % 4][threadIdx.x % 17] = (int)a[0];
}

__global__ void overflows(float *a)
{
    int i = (int)(threadIdx.x + 1) * (1 << 30);
    // FAULT overflows: out of bounds: 4 bytes of .*, [0-9]+ bytes .* the nearest array, which has
    // 256; does an index overflow
    a[i] = 1;
}

// After a fault of one kind, the launch goes on: those of other kinds are found.
__global__ void several_kinds(float *a)
{
    __shared__ float s[64], t[64];
    // FAULT several_kinds: out of bounds: 4 bytes of shared memory at byte 256 of s
    s[threadIdx.x + 1] = 1;
    // FAULT several_kinds: race: write of s
    s[63 - threadIdx.x] = 2;
    // FAULT several_kinds: uninitialized read of t .byte 0 of 256.
    float v = t[threadIdx.x];
    // FAULT several_kinds: out of bounds: 4 bytes of global memory at byte 256 of an array
    a[threadIdx.x + 1] = v;
    if (threadIdx.x < 5)
        // FAULT several_kinds: barrier that part of the block does not reach
        __syncthreads();
    else {
        v = 1;
        __syncthreads();
    }
    a[threadIdx.x] = v;
}

__global__ void divides(float *a)
{
    // FAULT divides: integer division by zero
    a[threadIdx.x] = 5 / (int)(threadIdx.x - 7);
}

// Here the compiler knows that the divisor is zero.
__global__ void divides_by_constant(float *a)
{
    int zero = threadIdx.x / 32 / 32;
    if (zero == 0)
        // FAULT divides_by_constant: integer division by zero
        a[threadIdx.x] = (int)threadIdx.x % zero;
}

__global__ void traps(float *a)
{
    if (a[threadIdx.x] == 0)
        // FAULT traps: __trap.. ends the kernel
        __trap();
}

__global__ void unwritten_w(float *a)
{
    __shared__ float4 s[2];
    if (threadIdx.x < 2)
        s[threadIdx.x].x = s[threadIdx.x].y = s[threadIdx.x].z = 1;
    __syncthreads();
    // FAULT unwritten_w: uninitialized read of s .byte 12 of 32., which no thread of the block
    ((float4 *)a)[threadIdx.x % 16] = s[0];
}

__global__ void unwritten_last(float *a)
{
    float4 *v = (float4 *)a;
    if (threadIdx.x < 7)
        a[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        // FAULT unwritten_last: uninitialized read of global memory: byte 28 of an array
        v[3] = v[1];
}

__global__ void big_local(float *a)
{
    // FAULT big_local: local memory: the thread's variables need more
    volatile float local[20000] = { a[threadIdx.x] };
    a[threadIdx.x] = local[threadIdx.x];
}

__device__ int deep(int n)
{
    // FAULT recursion: local memory: the thread's variables need more than 64 KiB
    volatile int own[64] = { n };
    return n == 0 ? own[0] : deep(n - 1) + own[n % 64];
}
__global__ void recursion(float *a) { a[threadIdx.x] = deep(100000 + (int)a[0]); }

// C++ lets compilers assume that such a loop ends.
__global__ void pure_loop(float *a)
{
    int i = (int)a[0];
    for (;;)
        // FAULT pure_loop: no progress for .* of CPU time: a thread loops without accessing memory
        if ((i = i > 1000 ? 0 : i + 2) == 3)
            break;
}

// The line is that of the loop, and not of the block before it, whose trace was removed.
__global__ void idle_loop(float *a)
{
    __shared__ float s[64];

    s[threadIdx.x] = 1;
    __syncthreads();
    a[threadIdx.x] = s[63 - threadIdx.x];

    // FAULT idle_loop: no progress for .* of CPU time: a thread loops without accessing memory
    while (1)
        ;
}

__global__ void lower_to_5(float *a)
{
    int *distance = (int *)a, *again = distance + 63;

    if (threadIdx.x < 63 && atomicMin(&distance[threadIdx.x], 5) >= 0)
        atomicExch(again, 1);
}

// The kernel sets the flag in each round, and changes nothing any more.
static void iterate(float *a)
{
    int again = 0;

    do {
        cudaMemset(a + 63, 0, sizeof again);
        lower_to_5<<<1, 64>>>(a);
        // FAULT host_loop: no progress for .* of CPU time: the host has read the same value here
        // [0-9]+ times
        cudaMemcpy(&again, a + 63, sizeof again, cudaMemcpyDeviceToHost);
    } while (again);
}

// The store before the loop and the one at its end would become one store at the head of the loop.
__global__ void store_in_loop(float *a)
{
    __shared__ float buffer[64];
    unsigned t = threadIdx.x;

    buffer[t] = a[t];
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        float sum = buffer[t];
        if (t >= stride)
            sum += buffer[t - stride];
        __syncthreads();
        // FAULT store_in_loop: race: write of buffer
        buffer[t] = sum;
    }
    // FAULT store_in_loop: read here by thread
    a[t] = buffer[blockDim.x - 1];
}

// Lanes of a warp store equal values to one word, and then read it.
__global__ void equal_stores(float *a)
{
    __shared__ int count[16];

    if (threadIdx.x < 16)
        count[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x < 32)
        for (int i = threadIdx.x; i < 256; i += 32)
            // FAULT equal_stores: race: read of count
            count[((int)a[i % 64] + 7 * i) & 15] += 1;
}

// Calls of a function from more places than a worker remembers, as they are in the launch before
// the next kernel.
__device__ float called(float x) { return x * x; }
#define CALL1                     \
    if (a[__COUNTER__ % 64] == 0) \
        sum = call(sum);
#define CALL4 CALL1 CALL1 CALL1 CALL1
#define CALL16 CALL4 CALL4 CALL4 CALL4
#define CALL64 CALL16 CALL16 CALL16 CALL16
__global__ void many_calls(const float *a)
{
    float (*volatile call)(float) = called;
    float sum = a[1];
    CALL64
    CALL64
    CALL64
    CALL64
    CALL64
    if (sum != 0)
        printf("sum %g\n", sum);
}
// Lane 0 runs ahead: it reads before lane 1 stores.
__device__ int read_next(int *s)
{
    s[threadIdx.x] = 2;
    // FAULT runs_ahead: race within a warp: read of s
    return s[threadIdx.x ^ 1];
}
__global__ void runs_ahead(float *)
{
    __shared__ int s[64];
    int (*volatile read)(int *) = read_next;

    s[threadIdx.x] = 1;
    __syncthreads();
    int next = read(s);
    if (threadIdx.x == 0)
        printf("lane 0 has read %d\n", next);
}

__device__ unsigned ticket;

// The last block sums the results of the others. Both fences are needed.
template <bool WRITER, bool READER> __device__ inline void last_block(float *a)
{
    bool last = false;

    if (threadIdx.x == 0) {
        // FAULT no_fence: stored here, by block
        // FAULT no_reader_fence: stored here, by block
        a[blockIdx.x] = 1;
        if (WRITER)
            __threadfence();
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
        if (READER)
            __threadfence();
    }
    if (last)
        for (unsigned i = 0; i < gridDim.x - 1; i++)
            // FAULT no_fence: race between blocks: read of .* __threadfence is missing there,
            // FAULT no_reader_fence: race between blocks: read of .* __threadfence is missing here,
            // FAULT no_fences: race between blocks: read of .* with nothing to order them: use a
            a[63] += a[i];
}

__global__ void no_fence(float *a) { last_block<false, true>(a); }
__global__ void no_reader_fence(float *a) { last_block<true, false>(a); }
__global__ void no_fences(float *a) { last_block<false, false>(a); }
__global__ void both_fences(float *a) { last_block<true, true>(a); }

__global__ void atomic_and_plain(float *a)
{
    __shared__ int s;
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    // FAULT atomic_and_plain: written here by
    atomicAdd(&s, 1);
    // FAULT atomic_and_plain: race: read of s
    a[threadIdx.x] = s;
}

// Asynchronous copies: every thread copies one float.
#define BRING(to, from) __pipeline_memcpy_async(to, from, 4)

__global__ void copy_no_wait(float *a)
{
    __shared__ float s[64];
    // FAULT copy_no_wait: started here by thread .0,0,0.
    BRING(&s[threadIdx.x], &a[threadIdx.x]);
    __pipeline_commit();
    __syncthreads();
    // FAULT copy_no_wait: read of s .byte 0 of 256., the target of an asynchronous copy in flight
    a[threadIdx.x] = s[threadIdx.x];
}

__global__ void copy_no_commit(float *a)
{
    __shared__ float s[64];
    BRING(&s[threadIdx.x], &a[threadIdx.x]);
    __pipeline_wait_prior(0);
    __syncthreads();
    // FAULT copy_no_commit: read of s .byte 0 of 256., the target of an asynchronous copy in flight
    a[threadIdx.x] = s[threadIdx.x];
}

// The group of the first half has arrived, that of the second half has not.
__global__ void copy_wait_for_fewer(float *a)
{
    __shared__ float s[2][64];
    BRING(&s[0][threadIdx.x], &a[threadIdx.x]);
    __pipeline_commit();
    BRING(&s[1][threadIdx.x], &a[threadIdx.x]);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    // FAULT copy_wait_for_fewer: read of s .byte 256 of 512., the target of an asynchronous copy
    a[threadIdx.x] = s[0][threadIdx.x] + s[1][threadIdx.x];
}

// After the wait, a thread's copies are visible to the thread itself; to others, only after a
// barrier.
__global__ void copy_no_barrier(float *a)
{
    __shared__ float s[64];
    // FAULT copy_no_barrier: written here by
    BRING(&s[threadIdx.x], &a[threadIdx.x]);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    // FAULT copy_no_barrier: race: read of s .byte 0 of 256. with no __syncthreads
    a[threadIdx.x] = s[threadIdx.x % 32];
}

// Reads of the same warp race as well, and some words are uninitialized. One barrier fixes all of
// it, so only the missing barrier is reported.
__global__ void copy_no_barrier_at_all(float *a)
{
    __shared__ float s[64];
    BRING(&s[threadIdx.x], &a[threadIdx.x]);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    // FAULT copy_no_barrier_at_all: race: read of s .byte [0-9]+ of 256. with no __syncthreads
    a[threadIdx.x] = s[(threadIdx.x + 1) % 64];
}

__global__ void copy_no_syncwarp(float *a)
{
    __shared__ float s[64];
    BRING(&s[threadIdx.x], &a[threadIdx.x]);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    // FAULT copy_no_syncwarp: race within a warp: read of s
    a[threadIdx.x] = s[threadIdx.x ^ 1];
}

// A double buffer that is refilled without a barrier between its last read and the next copy.
__global__ void copy_overruns(float *a)
{
    __shared__ float s[2][64];
    BRING(&s[0][threadIdx.x], &a[threadIdx.x]);
    __pipeline_commit();
    for (int i = 0; i < 4; i++) {
        // FAULT copy_overruns: race: write of s .byte 128 of 512. with no __syncthreads
        BRING(&s[(i + 1) % 2][threadIdx.x], &a[threadIdx.x]);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        // FAULT copy_overruns: read here by
        a[threadIdx.x] = s[i % 2][63 - threadIdx.x];
    }
}

__global__ void copy_overwritten(float *a)
{
    __shared__ float s[64];
    BRING(&s[threadIdx.x], &a[threadIdx.x]);
    // FAULT copy_overwritten: write of s .byte 0 of 256., the target of an asynchronous copy
    s[threadIdx.x] = 0;
}

__global__ void copy_12(float *a)
{
    __shared__ float s[64];
    // FAULT copy_12: asynchronous copy of 12 bytes: it must be 4, 8 or 16
    __pipeline_memcpy_async(s, a, 12);
}

__global__ void copy_zfill(float *a)
{
    __shared__ float s[64];
    // FAULT copy_zfill: asynchronous copy of 8 bytes that fills 9 with zeros
    __pipeline_memcpy_async(s, a, 8, 9);
}

__global__ void copy_misaligned(float *a)
{
    __shared__ float s[64];
    // FAULT copy_misaligned: misaligned asynchronous copy: 16 bytes from an address that is 4 past
    __pipeline_memcpy_async(s, a + 1, 16);
}

__global__ void copy_misaligned_to(float *a)
{
    __shared__ float s[64];
    // FAULT copy_misaligned_to: misaligned asynchronous copy: 8 bytes to an address that is 4 past
    __pipeline_memcpy_async(s + 1, a, 8);
}

__global__ void copy_outwards(float *a)
{
    __shared__ float s[64];
    // FAULT copy_outwards: asynchronous copy to an address that is not shared memory
    __pipeline_memcpy_async(a, s, 4);
}

__global__ void copy_within(float *)
{
    __shared__ float s[64];
    // FAULT copy_within: asynchronous copy from an address that is not global memory
    __pipeline_memcpy_async(s, s + 32, 4);
}

__global__ void copy_past_end(float *a)
{
    __shared__ float4 s[64];
    // FAULT copy_past_end: out of bounds: 16 bytes of global memory at byte 256
    __pipeline_memcpy_async(&s[threadIdx.x], (float4 *)a + threadIdx.x, 16);
}

__global__ void copy_past_shared(float *a)
{
    __shared__ float s[32];
    // FAULT copy_past_shared: out of bounds: 4 bytes of shared memory at byte 128 of s
    BRING(&s[threadIdx.x], &a[threadIdx.x]);
}

// A texture over the 64 floats: 8 x 8, or one row.
__device__ cudaTextureObject_t texture;

// FAULT tex_type: fetch of the wrong type: 1 x unsigned of 8 bits from a texture of 1 x float
__global__ void tex_type(float *a) { a[threadIdx.x] = tex2D<unsigned char>(texture, 0, 0); }
// FAULT tex_components: fetch of the wrong type: 2 x float
__global__ void tex_components(float *a) { a[threadIdx.x] = tex2D<float2>(texture, 0, 0).x; }
// FAULT tex_fetched: tex1Dfetch from a 2-D texture: use tex2D
__global__ void tex_fetched(float *a) { a[threadIdx.x] = tex1Dfetch<float>(texture, 0); }
// FAULT tex_linear: tex2D from linear memory: use tex1Dfetch
__global__ void tex_linear(float *a) { a[threadIdx.x] = tex2D<float>(texture, 0, 0); }
// FAULT tex_destroyed: fetch from a texture that does not exist, or was destroyed
__global__ void tex_destroyed(float *a) { a[threadIdx.x] = tex2D<float>(texture, 0, 0); }
// FAULT tex_unwritten: uninitialized read of global memory: byte 28 of an array that has 256,
// through
__global__ void tex_unwritten(float *) { tex2D<float>(texture, 9, 0); }
// FAULT tex_freed: use after free: 4 bytes of global memory that was freed, through a texture
__global__ void tex_freed(float *) { tex2D<float>(texture, 0, 0); }

__global__ void tex_stored(float *a)
{
    // FAULT tex_stored: stored here, by block 0
    a[threadIdx.x] = 1;
    __syncthreads();
    // FAULT tex_stored: read through a texture of memory that this launch stored
    tex2D<float>(texture, 0, 0);
}

__global__ void new_end(float *a)
{
    float *p = new float[4];
    // FAULT new_end: out of bounds: 4 bytes of global memory at byte 16 of an array that has 16
    p[threadIdx.x] = a[0];
}
__global__ void new_unwritten(float *a)
{
    float *p = (float *)malloc(16);
    // FAULT new_unwritten: uninitialized read of global memory: byte 4 of an array that has 16
    a[threadIdx.x] = p[1];
}
__global__ void new_deleted(float *a)
{
    float *p = new float(1);
    delete p;
    // FAULT new_deleted: use after free
    a[threadIdx.x] = *p;
}
__global__ void deleted_twice(float *)
{
    float *p = new float[2];
    delete[] p;
    // FAULT deleted_twice: free of memory that was freed before
    delete[] p;
}
__global__ void freed_array(float *a)
{
    // FAULT freed_array: free of an address that malloc or new in a kernel has not returned
    free(a);
}

#define KERNEL(k) \
    {             \
#k, k     \
    }
static const struct {
    const char *name;
    void (*kernel)(float *);
} kernels[] = {
    KERNEL(global_part),
    KERNEL(global_end),
    KERNEL(global_front),
    KERNEL(freed),
    KERNEL(unwritten),
    KERNEL(misaligned),
    KERNEL(misaligned2),
    KERNEL(misaligned_bytes),
    KERNEL(unwritten_byte),
    KERNEL(misaligned_variable),
    KERNEL(row_end),
    KERNEL(variable_row_end),
    KERNEL(overflows),
    KERNEL(several_kinds),
    KERNEL(null),
    KERNEL(host_pointer),
    KERNEL(host_variable),
    KERNEL(no_launch),
    KERNEL(shared_end),
    KERNEL(shared_unwritten),
    KERNEL(race_read),
    KERNEL(race_write),
    KERNEL(race_twice),
    KERNEL(race_warp),
    KERNEL(warp_tree),
    KERNEL(race_reader),
    KERNEL(race_bytes),
    KERNEL(no_race),
    KERNEL(two_barriers),
    KERNEL(exited),
    KERNEL(missing_lane),
    KERNEL(active_mask),
    KERNEL(wrong_mask),
    KERNEL(waits),
    KERNEL(spins),
    KERNEL(endless),
    KERNEL(idle_loop),
    KERNEL(barriers),
    KERNEL(polls),
    KERNEL(width),
    KERNEL(loops),
    KERNEL(local_end),
    KERNEL(local_in_macro),
    KERNEL(local_front),
    KERNEL(local_write),
    KERNEL(member_end),
    KERNEL(table_end),
    KERNEL(coefficients_end),
    KERNEL(coefficients_written),
    KERNEL(slots_counted),
    KERNEL(divides),
    KERNEL(divides_by_constant),
    KERNEL(traps),
    KERNEL(unwritten_w),
    KERNEL(unwritten_last),
    KERNEL(big_local),
    KERNEL(recursion),
    KERNEL(pure_loop),
    KERNEL(store_in_loop),
    KERNEL(equal_stores),
    KERNEL(runs_ahead),
    KERNEL(no_fence),
    KERNEL(no_reader_fence),
    KERNEL(no_fences),
    KERNEL(both_fences),
    KERNEL(atomic_and_plain),
    KERNEL(copy_no_wait),
    KERNEL(copy_no_commit),
    KERNEL(copy_wait_for_fewer),
    KERNEL(copy_no_barrier),
    KERNEL(copy_no_barrier_at_all),
    KERNEL(copy_no_syncwarp),
    KERNEL(copy_overruns),
    KERNEL(copy_overwritten),
    KERNEL(copy_12),
    KERNEL(copy_zfill),
    KERNEL(copy_misaligned),
    KERNEL(copy_misaligned_to),
    KERNEL(copy_outwards),
    KERNEL(copy_within),
    KERNEL(copy_past_end),
    KERNEL(copy_past_shared),
    KERNEL(tex_type),
    KERNEL(tex_components),
    KERNEL(tex_fetched),
    KERNEL(tex_linear),
    KERNEL(tex_destroyed),
    KERNEL(tex_unwritten),
    KERNEL(tex_freed),
    KERNEL(tex_stored),
    KERNEL(new_end),
    KERNEL(new_unwritten),
    KERNEL(new_deleted),
    KERNEL(deleted_twice),
    KERNEL(freed_array),
};

// For faults whose names start with "tex_".
static void make_texture(const char *name, float *a)
{
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;

    d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
    if (strcmp(name, "tex_linear") == 0) {
        r.resType = cudaResourceTypeLinear;
        r.res.linear.devPtr = a;
        r.res.linear.desc = cudaCreateChannelDesc<float>();
        r.res.linear.sizeInBytes = 64 * sizeof(float);
    } else {
        r.resType = cudaResourceTypePitch2D;
        r.res.pitch2D.devPtr = a;
        r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
        r.res.pitch2D.width = r.res.pitch2D.height = 8;
        r.res.pitch2D.pitchInBytes = 32;
    }
    cudaCreateTextureObject(&t, &r, &d, NULL);
    cudaMemcpyToSymbol(texture, &t, sizeof t);
    if (strcmp(name, "tex_destroyed") == 0)
        cudaDestroyTextureObject(t);
}

int main(int argc, char **argv)
{
    static float host[64];
    float *a, *b, *given;

    if (argc != 2)
        return 2;
    size_t bytes = strcmp(argv[1], "global_part") == 0 ? 6 : 64 * sizeof(float);
    cudaMalloc(&a, bytes);
    if (strcmp(argv[1], "unwritten_byte") == 0)
        cudaMemset(a, 0, bytes - 1);
    else if (!strstr(argv[1], "unwritten"))
        cudaMemset(a, 0, bytes);
    if (strcmp(argv[1], "host_touches") == 0)
        // FAULT host_touches: host code reads or writes device memory
        host[0] = a[0];
    if (strcmp(argv[1], "host_copies") == 0)
        // FAULT host_copies: host code reads or writes device memory
        memcpy(host, a, (size_t)argc * 64);
    if (strcmp(argv[1], "no_launch") == 0) {
        // A call by name is an error of the source pass.
        void (*volatile kernel)(float *) = no_launch;
        kernel(a);
    }
    if (strcmp(argv[1], "host_loop") == 0)
        iterate(a);
    if (strncmp(argv[1], "tex_", 4) == 0)
        make_texture(argv[1], a);
    if (strstr(argv[1], "freed")) {
        cudaMalloc(&b, 4);   // so that `a` is not the last allocation
        cudaFree(a);
    }
    if (strcmp(argv[1], "runs_ahead") == 0)
        many_calls<<<1, 1>>>(a);
    for (auto &k : kernels)
        if (strcmp(k.name, argv[1]) == 0) {
            given = strncmp(argv[1], "host_", 5) == 0 ? host
                  : strcmp(argv[1], "null") == 0      ? nullptr
                                                      : a;
            k.kernel<<<strstr(argv[1], "fence") ? 8 : 1, 64>>>(given);
            printf("%s\n", cudaGetErrorString(cudaGetLastError()));
            return 0;
        }
    return 2;
}
