// Races on global memory and device variables, one per kernel, selected by name. A comment "FAULT
// name: text" expects a report at the next line of code, with any number of workers, and exit
// status 1.
#include <cooperative_groups.h>
#include <stdio.h>
#include <string.h>

enum { N = 64, INTS = 4096 };

__device__ int result[8], counter;

__global__ void scratch(int *o)
{
    // FAULT scratch: written here by thread
    o[threadIdx.x] = threadIdx.x;
    // FAULT scratch: race: read of global memory .byte [0-9]+ of .* with no __syncthreads
    o[N + threadIdx.x] = o[N - 1 - threadIdx.x];
}

__global__ void scratch_in_warp(int *o)
{
    o[threadIdx.x] = threadIdx.x;
    // FAULT scratch_in_warp: race within a warp: read of global .* no __syncthreads or __syncwarp
    o[N + threadIdx.x] = o[threadIdx.x ^ 1];
}

__global__ void add_without_atomic(int *o)
{
    if (threadIdx.x % 32 == 0)
        // FAULT add_without_atomic: race: read of global memory .byte 0 of .* use an atomic$
        o[0] += 1;
}

// In place: it needs a second launch or a second array.
__global__ void smooth(int *o)
{
    unsigned i = blockIdx.x * N + threadIdx.x;
    // FAULT smooth: (race between blocks: read of|read here, by block)
    int sum = o[i] + o[i + 1];

    __syncthreads();
    // FAULT smooth: (with nothing to order them|stored here, by block)
    o[i] = sum + 1;
}

// No barrier at the end of the loop. Within each warp, one is missing for `rows` as well.
__global__ void tiles_in_loop(int *o)
{
    __shared__ int rows[4][16], columns[4][16];
    unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;

    for (int round = 0; round < 3; round++) {
        rows[y][x] = o[round * N + threadIdx.x];
        // FAULT tiles_in_loop: race: write of columns .* with no __syncthreads
        columns[y][x] = o[round * N + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 4; k++)
            // FAULT tiles_in_loop: read here by
            o[1024 + threadIdx.x] += rows[y][(x + k) % 16] * columns[k][x];
    }
}

__global__ void add_by_blocks(int *o)
{
    if (threadIdx.x == 0)
        // FAULT add_by_blocks: race between blocks: read of global memory .byte 0 of
        o[0] += 1;
}

__global__ void add_to_variable(int *)
{
    if (threadIdx.x == 0)
        // FAULT add_to_variable: race between blocks: read of counter .byte 0 of 4., which
        counter++;
}

__global__ void variable_in_block(int *o)
{
    if (threadIdx.x == 0)
        // FAULT variable_in_block: written here by thread .0,0,0.
        result[1] = 1;
    // FAULT variable_in_block: race: read of result .byte 4 of 32. with no __syncthreads
    o[threadIdx.x] = result[1];
}

__global__ void store_after_load(int *o)
{
    // FAULT store_after_load: (read here, by block 0|which another block stored)
    if (blockIdx.x == 0 && o[5] == 1)
        o[6] = 2;
    if (blockIdx.x == 3 && threadIdx.x == 0)
        // FAULT store_after_load: (write of .* which another block read|stored here, by block 3)
        o[5] = 7;
}

__global__ void load_after_store(int *o)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        // FAULT load_after_store: (stored here, by block 0|which another block read)
        o[5] = 7;
    if (blockIdx.x == 3)
        // FAULT load_after_store: (race between blocks: read of|read here, by block 3)
        o[64 + threadIdx.x] = o[5];
}

__global__ void two_values(int *o)
{
    if (threadIdx.x == 0)
        // FAULT two_values: between blocks: write of global memory .byte 12 of
        o[3] = blockIdx.x;
}

__global__ void two_values_in_block(int *o)
{
    // FAULT two_values_in_block: race: write of global memory .byte 12 of .* with no __syncthreads
    o[3] = threadIdx.x;
}

__global__ void same_value_then_read(int *o)
{
    if (threadIdx.x == 0)
        // FAULT same_value_then_read: stored here, by
        o[0] = 1;
    __syncthreads();
    if (threadIdx.x == 40)
        // FAULT same_value_then_read: race between blocks: read of
        o[1 + blockIdx.x] = o[0];
}

__device__ int plain_flag, data;

// The flag is neither volatile nor changed by an atomic.
__global__ void waits_for_plain_flag(int *o)
{
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            data = 42;
            __threadfence();
            // FAULT waits_for_plain_flag: (write of plain_flag|stored here)
            plain_flag = 1;
        }
    } else {
        // FAULT waits_for_plain_flag: (read of plain_flag .* volatile load|read here, by block)
        while (plain_flag == 0)
            ;
        __threadfence();
        o[threadIdx.x] = data;
    }
}

__global__ void atomic_then_read(int *o)
{
    if (threadIdx.x == 0) {
        // FAULT atomic_then_read: (changed by an atomic here|between blocks: atomic on)
        atomicAdd(&o[0], 1);
        // FAULT atomic_then_read: (race between blocks: read of|read here, by block)
        o[1 + blockIdx.x] = o[0];
    }
}

__global__ void atomic_and_store(int *o)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0)
            // FAULT atomic_and_store: (stored here, by block 0|race between blocks: write of)
            o[0] = 0;
        else
            // FAULT atomic_and_store: (race between blocks: atomic on|changed by an atomic here)
            atomicAdd(&o[0], 1);
    }
}

__global__ void two_atomics_then_read(int *o)
{
    __shared__ int s;
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        // FAULT two_atomics_then_read: written here by thread .0,0,0.
        atomicAdd(&s, 1);
    if (threadIdx.x == 32)
        // FAULT two_atomics_then_read: race: read of s .byte 0 of 4. with no __syncthreads
        o[0] = s;
}

// The reads of the first warp are not the last ones.
__global__ void many_readers(int *o)
{
    __shared__ int s[4];
    if (threadIdx.x < 4)
        s[threadIdx.x] = 0;
    __syncthreads();
    // FAULT many_readers: read here by thread .0,0,0.
    o[threadIdx.x] = s[0];
    if (threadIdx.x == 63)
        // FAULT many_readers: race: write of s .byte 0 of 16. with no __syncthreads
        s[0] = 1;
}

// Two atomics before a plain read, the first by the reader itself. The flags order nothing, because
// no thread executes a fence.
__global__ void second_atomic(int *o)
{
    volatile int *first = o + 64, *second = o + 65;

    if (threadIdx.x == 0) {
        atomicAdd(&o[0], 1);
        *first = 1;
        while (!*second)
            ;
        // FAULT second_atomic: race: read of
        o[1] = o[0];
    }
    if (threadIdx.x == 32) {
        while (!*first)
            ;
        // FAULT second_atomic: written here by thread .32,0,0.
        atomicAdd(&o[0], 1);
        *second = 1;
    }
}

__global__ void stored_after_fence(int *o)
{
    bool last = false;
    if (threadIdx.x == 0) {
        o[blockIdx.x] = 1;
        __threadfence();
        // FAULT stored_after_fence: stored here, by block
        o[64 + blockIdx.x] = 1;
        last = atomicInc((unsigned *)&counter, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    if (last)
        for (unsigned i = 0; i < gridDim.x - 1; i++)
            // FAULT stored_after_fence: race between blocks: read of
            o[128] += o[i] + o[64 + i];
}

// Only thread 0 executes a fence, and nothing orders the stores of the other threads before it.
__global__ void fenced_by_another(int *o)
{
    __shared__ bool last;
    // FAULT fenced_by_another: stored here, by block
    o[blockIdx.x * N + threadIdx.x] = 1;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc((unsigned *)&counter, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last)
        for (unsigned i = 0; i < gridDim.x - 1; i++)
            // FAULT fenced_by_another: race between blocks: read of
            o[1024 + threadIdx.x] += o[i * N + threadIdx.x];
}

// The ticket is of another counter than the one through which the stores were released.
__global__ void another_ticket(int *o)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            // FAULT another_ticket: (stored here, by block 0|which another block read)
            o[0] = 1;
            __threadfence();
            atomicAdd(&result[0], 1);
        } else {
            atomicAdd(&result[1], 1);
            __threadfence();
            // FAULT another_ticket: (race between blocks: read of|read here, by block)
            o[blockIdx.x] = o[0];
        }
    }
}

__global__ void variable_without_fence(int *o)
{
    if (threadIdx.x == 0) {
        // FAULT variable_without_fence: stored here, by block
        result[blockIdx.x] = 1;
        if (atomicInc((unsigned *)&counter, gridDim.x - 1) == gridDim.x - 1) {
            __threadfence();
            for (unsigned i = 0; i + 1 < gridDim.x; i++)
                // FAULT variable_without_fence: race between blocks: read of result
                o[0] += result[i];
        }
    }
}

__global__ void block_fence_only(int *o)
{
    if (threadIdx.x == 0) {
        // FAULT block_fence_only: stored here, by block
        o[1 + blockIdx.x] = 1;
        __threadfence_block();
        if (atomicInc((unsigned *)&counter, gridDim.x - 1) == gridDim.x - 1) {
            __threadfence();
            for (unsigned i = 0; i + 1 < gridDim.x; i++)
                // FAULT block_fence_only: race between blocks: read of
                o[0] += o[1 + i];
        }
    }
}

__global__ void flag_without_fence(int *o)
{
    __shared__ int data;
    __shared__ volatile int ready;
    unsigned t = threadIdx.x;

    if (t == 0)
        ready = 0;
    __syncthreads();
    if (t == 0) {
        // FAULT flag_without_fence: written here by thread .0,0,0.
        data = 7;
        atomicExch((int *)&ready, 1);
    } else if (t == 32) {
        while (!ready)
            ;
        __threadfence_block();
        // FAULT flag_without_fence: race: read of data
        o[0] = data;
    }
}

__global__ void grid_barriers(int *o)
{
    unsigned next = (blockIdx.x + 1) % gridDim.x;

    if (threadIdx.x == 0)
        o[blockIdx.x] = blockIdx.x;
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0)
        // FAULT grid_barriers: race between blocks: (read|write) of global memory
        o[blockIdx.x] = o[next];
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0)
        o[next] = 0;
}

__global__ void bytes(int *o)
{
    // FAULT bytes: race between blocks: write of global memory .byte 2 of
    ((unsigned char *)o)[2] = blockIdx.x;
}

__global__ void variable_end(int *o)
{
    int *p = result + o[0];
    // FAULT variable_end: out of bounds: 4 bytes at byte 32 of result, which has 32
    p[8 + threadIdx.x] = 1;
}

__global__ void add_in_block_scope(int *o)
{
    if (threadIdx.x == 0)
        // FAULT add_in_block_scope: scope too narrow: atomic on global memory .byte 0 of .*
        // atomicAdd_block
        atomicAdd_block(o, 1);
}

// One block adds for all blocks, the others for themselves.
__global__ void mixed_scopes(int *o)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0)
            // FAULT mixed_scopes: (scope too narrow: atomic on counter|changed by an atomic here)
            atomicAdd_block(&counter, 1);
        else
            atomicAdd(&counter, 1);
    }
    o[blockIdx.x * N + threadIdx.x] = 0;
}

__global__ void acquired_in_block_scope(int *o)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        o[0] = 1;
        __threadfence();
        atomicExch(&counter, 1);
    } else {
        while (atomicAdd(&counter, 0) != 1)
            ;
        __threadfence_block();
        // FAULT acquired_in_block_scope: race between blocks: read of .* fence or atomic between
        // them is too narrow
        o[1] = o[0];
    }
}

__global__ void ptx_in_block_scope(int *o)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        o[0] = 1;
        // FAULT ptx_in_block_scope: (scope too narrow: write of counter|stored here)
        asm volatile("st.release.cta.global.u32 [%0], %1;" ::"l"(&counter), "r"(1) : "memory");
    } else {
        int seen = 0;
        for (int i = 0; i < 100 && !seen; i++)
            // FAULT ptx_in_block_scope: (scope too narrow: read of counter|read here)
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                         : "=r"(seen)
                         : "l"(&counter)
                         : "memory");
    }
}

// The acquire of one word acquires nothing through another.
__global__ void acquires_another_word(int *o)
{
    using namespace emu;
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        // FAULT acquires_another_word: (stored here|which another block read)
        o[0] = 1;
        atomic_store(&result[0], 1, MemoryOrder::release, Scope::device);
    } else {
        while (!atomic_load(&result[0], MemoryOrder::relaxed, Scope::device))
            ;
        atomic_load(&result[1], MemoryOrder::acquire, Scope::device);
        // FAULT acquires_another_word: (race between blocks: read of|read here)
        o[1] = o[0];
    }
}

__device__ int mutex;

__device__ void take()
{
    while (atomicCAS(&mutex, 0, 1))
        ;
}

__device__ void give()
{
    __threadfence();
    atomicExch(&mutex, 0);
}

// Only the block that comes second needs what the other one has released.
__global__ void first_block_without_fence(int *o)
{
    if (threadIdx.x)
        return;
    take();
    if (blockIdx.x > 0)
        __threadfence();
    // FAULT first_block_without_fence: race between blocks: read of global memory .* __threadfence
    // is missing here
    o[0] += 1;
    give();
}

__global__ void last_block_without_fence(int *o)
{
    if (threadIdx.x)
        return;
    take();
    if (blockIdx.x + 1 < gridDim.x)
        __threadfence();
    // FAULT last_block_without_fence: race between blocks: read of global memory .* __threadfence
    // is missing here
    o[0] += 1;
    give();
}

__global__ void first_block_with_block_fence(int *o)
{
    if (threadIdx.x)
        return;
    take();
    if (blockIdx.x == 0)
        __threadfence_block();
    else
        __threadfence();
    // FAULT first_block_with_block_fence: race between blocks: read of .* between them is too
    // narrow
    o[0] += 1;
    give();
}

__global__ void first_warp_without_fence(int *o)
{
    if (threadIdx.x % 32)
        return;
    take();
    if (threadIdx.x == 32)
        __threadfence_block();
    // FAULT first_warp_without_fence: race: read of global memory
    o[0] += 1;
    give();
}

// The lock reaches one block only.
__global__ void lock_in_block_scope(int *o)
{
    if (threadIdx.x)
        return;
    while (atomicCAS_block(&mutex, 0, 1))
        ;
    __threadfence();
    // FAULT lock_in_block_scope: race between blocks: read of .* between them is too narrow
    o[0] += 1;
    __threadfence();
    atomicExch_block(&mutex, 0);
}

#define KERNEL(k, blocks)    \
    {                        \
#k, k, blocks, false \
    }
static const struct {
    const char *name;
    void (*kernel)(int *);
    int blocks;
    bool is_cooperative;
} kernels[] = {
    KERNEL(scratch, 1),
    KERNEL(scratch_in_warp, 1),
    KERNEL(add_without_atomic, 1),
    KERNEL(smooth, 8),
    KERNEL(waits_for_plain_flag, 2),
    KERNEL(tiles_in_loop, 1),
    KERNEL(add_by_blocks, 8),
    KERNEL(add_to_variable, 8),
    KERNEL(variable_in_block, 1),
    KERNEL(store_after_load, 4),
    KERNEL(load_after_store, 4),
    KERNEL(two_values, 2),
    KERNEL(two_values_in_block, 1),
    KERNEL(same_value_then_read, 3),
    KERNEL(atomic_then_read, 2),
    KERNEL(atomic_and_store, 3),
    KERNEL(two_atomics_then_read, 1),
    KERNEL(many_readers, 1),
    KERNEL(second_atomic, 1),
    KERNEL(stored_after_fence, 8),
    KERNEL(fenced_by_another, 8),
    KERNEL(another_ticket, 2),
    KERNEL(variable_without_fence, 8),
    KERNEL(block_fence_only, 8),
    KERNEL(flag_without_fence, 1),
    { "grid_barriers", grid_barriers, 8, true },
    KERNEL(bytes, 2),
    KERNEL(variable_end, 1),
    KERNEL(add_in_block_scope, 4),
    KERNEL(mixed_scopes, 4),
    KERNEL(acquired_in_block_scope, 2),
    KERNEL(ptx_in_block_scope, 2),
    KERNEL(acquires_another_word, 2),
    KERNEL(first_block_without_fence, 2),
    KERNEL(last_block_without_fence, 2),
    KERNEL(first_block_with_block_fence, 2),
    KERNEL(first_warp_without_fence, 1),
    KERNEL(lock_in_block_scope, 2),
};

int main(int argc, char **argv)
{
    int *o;
    void *args[] = { &o };

    cudaMalloc(&o, INTS * sizeof(int));
    cudaMemset(o, 0, INTS * sizeof(int));
    for (auto &k : kernels)
        if (argc == 2 && strcmp(k.name, argv[1]) == 0) {
            if (k.is_cooperative)
                cudaLaunchCooperativeKernel(k.kernel, k.blocks, N, args, 0, 0);
            else
                k.kernel<<<k.blocks, N>>>(o);
            printf("%s\n", cudaGetErrorString(cudaGetLastError()));
        }
    return 0;
}
