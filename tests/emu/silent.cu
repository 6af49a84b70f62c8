// Correct programs, selected by name: nothing may be reported. A comment "NOTE name" expects one
// note for the next line of code; the exit status is still 0.
#include <stdio.h>
#include <string.h>

enum { N = 64, BLOCKS = 4, INTS = 4096 };

struct Padded {
    double d;
    char c;   // 7 bytes of padding
};

struct Small {
    short s;
    char c;   // 1 byte of padding
};

struct alignas(8) Aligned {
    int a;   // 4 bytes of padding
};

struct Wide {
    double a, b;
    float c;   // 4 bytes of padding
};

struct Front {
    char c;   // 3 bytes of padding
    int i;
};

// Members are set one by one, and the struct is copied whole.
__global__ void padding(int *o)
{
    __shared__ Padded s[N];
    __shared__ Small small[N];
    Padded *g = (Padded *)o;
    Wide *wide = (Wide *)(o + 1024);
    Small *little = (Small *)(o + 3072);
    Aligned *aligned = (Aligned *)(o + 3600);
    Front *front = (Front *)(o + 3800);
    unsigned t = threadIdx.x;

    g[t].d = s[t].d = t;
    g[t].c = s[t].c = 'a';
    small[t].s = little[t].s = 1;
    small[t].c = little[t].c = 2;
    wide[t].a = wide[t].b = 1;
    wide[t].c = 2;
    aligned[t].a = 3;
    front[t].c = 'a';
    front[t].i = 3;
    __syncthreads();
    Padded p = s[N - 1 - t], q = g[N - 1 - t];
    Small r = small[N - 1 - t], u = little[N - 1 - t];
    Wide w = wide[N - 1 - t];
    Aligned x = aligned[N - 1 - t];
    Front y = front[N - 1 - t];
    __syncthreads();
    g[t] = p;
    s[t] = q;
    small[t] = u;
    little[t] = r;
    wide[t] = w;
    aligned[t] = x;
    front[t] = y;
}

// An exchange whose result is not used initializes a word.
__global__ void exchanged(int *o)
{
    __shared__ unsigned first;
    __shared__ float last;

    if (threadIdx.x == 0)
        atomicExch(&first, 0u);
    if (threadIdx.x == 1) {
        atomicExch(&last, 1.0f);
    } else
        (void)atomicExch_block(&o[threadIdx.x], 2);
    __syncthreads();
    atomicMax(&first, threadIdx.x);
    if (threadIdx.x != 1)
        atomicAdd(&o[threadIdx.x], (int)last);
}

// A thread's own accesses are ordered, with any fences between them.
__global__ void own_after_fence(int *o)
{
    __shared__ int s[N];
    unsigned t = threadIdx.x;

    s[t] = o[t] = 1;
    __threadfence();
    s[t] += o[t];
    __threadfence_block();
    o[t] = s[t];
}

// A flag in shared memory: data, fence, flag; flag, fence, data.
__global__ void volatile_flag(int *o)
{
    __shared__ int data[32];
    __shared__ volatile int ready;
    unsigned t = threadIdx.x;

    if (t == 0)
        ready = 0;
    __syncthreads();
    if (t < 32) {
        data[t] = t;
        __syncwarp();
        if (t == 0) {
            __threadfence_block();
            ready = 1;
        }
    } else {
        while (!ready)
            ;
        __threadfence_block();
        o[t] = data[t - 32];
    }
}

__global__ void atomic_flag(int *o)
{
    __shared__ int data, ready;
    unsigned t = threadIdx.x;

    if (t == 0)
        ready = 0;
    __syncthreads();
    if (t == 0) {
        data = 7;
        __threadfence_block();
        atomicExch(&ready, 1);
    } else if (t == 32) {
        while (!atomicAdd(&ready, 0))
            ;
        __threadfence_block();
        o[0] = data;
    }
}

// One thread waits for the flag, then the warp synchronizes.
__global__ void flag_then_syncwarp(int *o)
{
    __shared__ int data[32];
    __shared__ volatile int ready;
    unsigned t = threadIdx.x;

    if (t == 0)
        ready = 0;
    __syncthreads();
    if (t < 32) {
        data[t] = t;
        __threadfence_block();
        __syncwarp();
        if (t == 0) {
            __threadfence_block();
            ready = 1;
        }
    } else {
        if (t == 32) {
            while (!ready)
                ;
            __threadfence_block();
        }
        __syncwarp();
        o[t] = data[t - 32];
    }
}

// A lock around a sum in global memory.
__device__ int mutex;
__global__ void lock(int *o)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&mutex, 0, 1))
            ;
        __threadfence();
        o[0] += blockIdx.x;
        __threadfence();
        atomicExch(&mutex, 0);
    }
}

__global__ void lock_released_by_volatile(int *o)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&mutex, 0, 1))
            ;
        __threadfence();
        o[0] += blockIdx.x;
        __threadfence();
        *(volatile int *)&mutex = 0;
    }
}

__global__ void cas_only(int *o)
{
    __shared__ int slot[4];
    unsigned t = threadIdx.x;

    if (t < 4)
        slot[t] = 0;
    __syncthreads();
    for (unsigned i = t / 16;; i = (i + 1) % 4) {
        // NOTE cas_only
        int key = slot[i];
        if (key == 0)
            key = atomicCAS(&slot[i], 0, t / 16 + 1);
        if (key == 0 || key == (int)t / 16 + 1)
            break;
    }
    __syncthreads();
    o[t] = slot[t % 4];
}

__global__ void cas_only_global(int *o)
{
    unsigned t = threadIdx.x;

    // NOTE cas_only_global
    if (o[t % 4] == 0)
        atomicCAS(&o[t % 4], 0, t + 1);
}

__global__ void same_value(int *o)
{
    // NOTE same_value
    o[1] = 5;
}

// One of the values remains. Between warps, this would be a race.
__global__ void any_lane(int *o)
{
    if (threadIdx.x < 32)
        // NOTE any_lane
        o[threadIdx.x / 8] = threadIdx.x;
}

__global__ void same_value_scattered(int *o)
{
    // NOTE same_value_scattered
    o[(threadIdx.x * 37 + blockIdx.x * 11) * 13 % INTS] = 1;
}

__global__ void same_value_shared(int *o)
{
    __shared__ int any;
    unsigned t = threadIdx.x;

    if (t == 0)
        any = 0;
    __syncthreads();
    if (t % 16 == 3)
        // NOTE same_value_shared
        any = 1;
    __syncthreads();
    if (t == 0)
        o[blockIdx.x] = any;
}

// Each thread sets all of an array, over what was there before.
__global__ void same_value_memset(int *o)
{
    __shared__ int s[N];
    unsigned t = threadIdx.x;

    s[t] = 1;
    __syncthreads();
    // NOTE same_value_memset
    memset(s, 0, sizeof s);
    __syncthreads();
    o[blockIdx.x * N + t] = s[N - 1 - t];
}

// The same in one warp, and copied from another array.
__global__ void same_value_copied(int *o)
{
    __shared__ int s[N], from[N];
    unsigned t = threadIdx.x, n = o[0] + sizeof s;

    s[t] = 1;
    from[t] = t;
    __syncthreads();
    if (t < 32) {
        memset(s, 0, n);
        __syncwarp();
        memcpy(s, from, n);
    }
    __syncthreads();
    o[blockIdx.x * N + t] = s[N - 1 - t];
}

// Decoupled look-back (Merrill and Garland, 2016): every block waits for its predecessors' sums.

__global__ void look_back(int *o)
{
    volatile int *status = o;
    int *aggregate = o + 64, *prefix = o + 128, b = blockIdx.x, sum = 0;

    if (threadIdx.x == 0) {
        if (b == 0) {
            prefix[0] = 1;
            __threadfence();
            status[0] = 2;
        } else {
            aggregate[b] = b + 1;
            __threadfence();
            status[b] = 1;
            for (int i = b - 1; i >= 0; i--) {
                int s;
                do
                    s = status[i];
                while (!s);
                __threadfence();
                sum += s == 2 ? prefix[i] : aggregate[i];
                if (s == 2)
                    break;
            }
            prefix[b] = sum + b + 1;
            __threadfence();
            status[b] = 2;
        }
    }
}

// Each lane of a warp reads the state of one predecessor.
__global__ void look_back_by_warp(int *o)
{
    volatile int *status = o;
    volatile int *sum = o + 64;
    int b = blockIdx.x, t = threadIdx.x, before = 0, s;

    if (t == 0) {
        sum[b] = b + 1;
        __threadfence();
        status[b] = 1;
    }
    if (t < 32) {
        if (t < b) {
            do
                s = status[t];
            while (!s);
            __threadfence();
            before = sum[t];
        }
        before = __reduce_add_sync(0xffffffff, before);
        if (t == 0)
            o[128 + b] = before;
    }
}

__device__ unsigned arrived;

__device__ inline void grid_barrier(unsigned target)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrived, 1);
        while (*(volatile unsigned *)&arrived < target)
            ;
        __threadfence();
    }
    __syncthreads();
}

// All blocks are resident at the same time, so they may wait for each other.
__global__ void grid_barriers(int *o)
{
    unsigned b = blockIdx.x, t = threadIdx.x, n = gridDim.x;

    o[b * N + t] = t;
    grid_barrier(n);
    int v = o[(b + 1) % n * N + t];
    grid_barrier(2 * n);
    o[b * N + t] = v + 1;
    grid_barrier(3 * n);
    if (b == n - 1)
        for (unsigned i = 0; i < n; i++)
            o[t] += o[i * N + t] * (t > n * N);
}

// Every thread executes a fence after its store, and one takes the ticket after the barrier. The
// last block resets the ticket.
__device__ unsigned ticket;
__global__ void fences_before_barrier(int *o)
{
    __shared__ bool last;
    unsigned b = blockIdx.x, t = threadIdx.x;

    o[b * N + t] = 1;
    __threadfence();
    __syncthreads();
    if (t == 0)
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += o[i * N + t];
        o[2048 + t] = sum;
        if (t == 0)
            ticket = 0;
    }
}

__global__ void fence_after_barrier(int *o)
{
    __shared__ bool last;
    unsigned b = blockIdx.x, t = threadIdx.x;

    o[b * N + t] = 1;
    __syncthreads();
    if (t == 0) {
        __threadfence();
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last)
        o[2048 + t] = o[t] + o[N + t];
}

// Neighboring bytes of one word belong to different blocks.
__global__ void bytes(int *o)
{
    unsigned char *c = (unsigned char *)o;

    c[4 * threadIdx.x + blockIdx.x % 4] = blockIdx.x;
    c[4 * threadIdx.x + blockIdx.x % 4] += 1;
}

__device__ int histogram[8];
__device__ int values[N];

__global__ void variables(int *o)
{
    unsigned t = threadIdx.x;

    atomicAdd(&histogram[t % 8], 1);
    if (blockIdx.x == 0) {
        values[t] = t;
        __syncthreads();
        o[t] = values[N - 1 - t];
        __syncthreads();
        values[t] = 0;
    }
}

__global__ void within_block(int *o)
{
    int *mine = o + blockIdx.x * N;
    unsigned t = threadIdx.x;

    mine[t] = t;
    __syncwarp();
    int v = mine[t ^ 1];
    __syncwarp();
    mine[t] = v;
    __syncthreads();
    v = mine[N - 1 - t];
    __syncthreads();
    if (t == 0)
        for (int i = 0; i < N; i++)
            mine[i] += v;
}

// A loop that runs past a row of an array in shared memory into the next row, as on a GPU.
__global__ void across_rows(int *o)
{
    __shared__ int s[2][32];
    int local[8];
    unsigned t = threadIdx.x;

    s[0][t] = t;
    __syncthreads();
    for (int i = 0; i < 8; i++)
        local[(i + t) % 8] = s[0][(t + i) % N];
    o[blockIdx.x * N + t] = local[t % 8];
}

__device__ int rows[4][16];
__constant__ int weights[2][8];

// A loop that runs past a row of a device variable into the next row, as on a GPU.
__global__ void across_variable_rows(int *o)
{
    unsigned t = threadIdx.x;

    if (blockIdx.x == 0)
        rows[0][t % N] = weights[0][t % 16];
    o[blockIdx.x * N + t] = weights[0][t % 16];
}

__device__ unsigned counter;
__device__ volatile unsigned generation;

// A barrier of the grid: the last block resets the counter by a plain store.
__device__ void resetting_barrier(bool has_fence)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned now = generation;

        __threadfence();
        if (atomicAdd(&counter, 1) == gridDim.x - 1) {
            if (has_fence)
                __threadfence();
            counter = 0;
            __threadfence();
            generation = now + 1;
        } else
            while (generation == now)
                ;
        __threadfence();
    }
    __syncthreads();
}

__device__ void rounds(int *o, bool has_fence)
{
    unsigned i = blockIdx.x * N + threadIdx.x, next = (i + 1) % (gridDim.x * N);

    for (int round = 0; round < 6; round++) {
        o[2048 + i] = o[next] + 1;
        resetting_barrier(has_fence);
        o[i] = o[2048 + next];
        resetting_barrier(has_fence);
    }
}

__global__ void counter_reset(int *o) { rounds(o, false); }

__global__ void counter_reset_after_fence(int *o) { rounds(o, true); }

// Only one thread can get the last ticket, and no other changes the word after it. Blocks take
// their tickets in another order than they stop for them, now and then: many launches.
__global__ void last_ticket(int *o)
{
    if (threadIdx.x == 0 && atomicAdd(&o[0], 1) == (int)gridDim.x - 1)
        o[0] = 0;
}

// A GPU shifts all bits out, this device none.
__global__ void shift_by_32(int *o)
{
    // NOTE shift_by_32
    o[threadIdx.x] = (int)(1u << (threadIdx.x % 33));
}

__global__ void shifts(int *o)
{
    unsigned n = threadIdx.x % 32;

    o[threadIdx.x] = (int)(1u << n) + (int)(1ull << (n + 32)) + (-5 >> n);
}

__global__ void to_unsigned(int *o)
{
    // NOTE to_unsigned
    o[threadIdx.x] = (int)(unsigned)(-1.5f * (float)threadIdx.x);
}

__global__ void to_int(int *o)
{
    // NOTE to_int
    o[threadIdx.x] = (int)((float)threadIdx.x * 1e9f);
}

// A GPU returns the same values.
__global__ void conversions(int *o)
{
    float t = (float)threadIdx.x;

    o[threadIdx.x] = (int)(-1e20f - t) + (int)(-0x1p31f - t) + (int)(unsigned)(4294967040.0f - t);
    o[threadIdx.x] +=
        (unsigned char)(300 + t) + (signed char)(-200 - t) + (unsigned)(-0.9f - t / 1000);
    o[threadIdx.x] += (int)(long long)(t * 1e15f) + __float2int_rz(t * 1e20f);
}

// The loop ends at different iterations.
__global__ void votes_apart(int *o)
{
    int t = (int)threadIdx.x % 32, c = 0;

    for (int i = 0; i <= t; i++)
        // NOTE votes_apart
        c += __popc(__ballot_sync(0xffffffff, i & 1));
    o[threadIdx.x] = c + __popc(__ballot_sync(0xffffffff, t & 1));
}

__device__ int vote(int n) { return __popc(__ballot_sync(0xffffffff, n & 1)); }

// Two copies of one statement, and a barrier of the warp with two places.
__global__ void votes_inlined(int *o)
{
    int t = (int)threadIdx.x;

    if (t % 2) {
        o[t] = vote(t) + 1;
        __syncwarp();
    } else {
        o[t] = 2 * vote(t);
        __syncwarp();
    }
}

// What lanes print comes in the order of lockstep, although they run ahead of each other.
__global__ void prints(int *o)
{
    if (threadIdx.x >= 3)
        return;
    printf("first %d\n", o[threadIdx.x]);
    o[threadIdx.x] = 1;
    printf("second %d\n", o[threadIdx.x]);
    printf("third\n");   // for g++ a call of puts
}

__device__ int word, sums[3];

// Each scope where it suffices.
__global__ void scopes(int *o)
{
    atomicAdd_block(&o[blockIdx.x], 1);
    atomicAdd(&sums[0], 1);
    atomicAdd_system(&sums[0], 1);
    atomicMax_system(&sums[1], 1);
    asm volatile("red.relaxed.cta.global.add.u32 [%0], %1;" ::"l"(o + 8 + blockIdx.x), "r"(1));
    asm volatile("red.relaxed.sys.global.add.u32 [%0], %1;" ::"l"(&sums[2]), "r"(1));
}

// A block passes on what another one has released to it, within itself in its own scope.
__global__ void orders(int *o)
{
    using namespace emu;
    __shared__ int ready;

    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        o[0] = 1;
        atomic_store(&word, 1, MemoryOrder::release, Scope::device);
    } else if (threadIdx.x == 0) {
        while (!atomic_load(&word, MemoryOrder::acquire, Scope::device))
            ;
        atomic_update(Update::add, &ready, 1, MemoryOrder::acq_rel, Scope::block);
    } else if (threadIdx.x == 32 && blockIdx.x > 0) {
        int one = 1;
        while (!atomic_compare_exchange(&ready, one, 1, MemoryOrder::relaxed, Scope::block))
            one = 1;
        atomic_fence(MemoryOrder::acquire, Scope::block);
        o[blockIdx.x] = o[0];
    }
}

// A chain of blocks, in the order of their indices: more than run at once.
__global__ void waits_for_lower(int *o)
{
    if (threadIdx.x == 0) {
        // NOTE waits_for_lower
        while (blockIdx.x && *(volatile int *)&o[blockIdx.x - 1] == 0)
            ;
        __threadfence();
        *(volatile int *)&o[blockIdx.x] = 1;
    }
}

// Its result is that of the first run, and its output appears once.
__global__ void first_result(int *o)
{
    if (threadIdx.x == 0) {
        o[1 + blockIdx.x] = 1;
        __threadfence();
        if (atomicAdd(o, 1) == 0)
            printf("first: block %d of %d\n", blockIdx.x, gridDim.x);
        else if (blockIdx.x == 0)
            sums[0] = 1;   // of block 0 in the second run only
    }
}

#define KERNEL(k, blocks) \
    {                     \
#k, k, blocks, 1  \
    }

static const struct {
    const char *name;
    void (*kernel)(int *);
    int blocks, launches;
} kernels[] = {
    KERNEL(padding, 1),
    KERNEL(exchanged, 1),
    KERNEL(own_after_fence, 1),
    KERNEL(volatile_flag, 1),
    KERNEL(atomic_flag, 1),
    KERNEL(flag_then_syncwarp, 1),
    KERNEL(lock, 8),
    KERNEL(lock_released_by_volatile, 8),
    KERNEL(cas_only, 1),
    KERNEL(cas_only_global, 2),
    KERNEL(same_value, 4),
    KERNEL(any_lane, 1),
    KERNEL(same_value_scattered, 64),
    KERNEL(same_value_shared, 2),
    KERNEL(same_value_memset, 2),
    KERNEL(same_value_copied, 1),
    KERNEL(look_back, 20),
    KERNEL(look_back_by_warp, 20),
    KERNEL(grid_barriers, 8),
    KERNEL(fences_before_barrier, 8),
    KERNEL(fence_after_barrier, 8),
    KERNEL(bytes, 4),
    KERNEL(variables, 8),
    KERNEL(within_block, 8),
    KERNEL(across_rows, 8),
    KERNEL(across_variable_rows, 8),
    KERNEL(counter_reset, 4),
    KERNEL(counter_reset_after_fence, 4),
    { "last_ticket", last_ticket, 9, 4000 },
    KERNEL(shift_by_32, 1),
    KERNEL(shifts, 1),
    KERNEL(to_unsigned, 1),
    KERNEL(to_int, 1),
    KERNEL(conversions, 1),
    KERNEL(votes_apart, 1),
    KERNEL(votes_inlined, 1),
    KERNEL(prints, 1),
    KERNEL(scopes, 4),
    KERNEL(orders, 3),
    KERNEL(waits_for_lower, 200),
    KERNEL(first_result, 4),
};

int main(int argc, char **argv)
{
    int *o;

    if (argc == 1)
        for (auto &k : kernels)
            printf("%s\n", k.name);
    cudaMalloc(&o, INTS * sizeof(int));
    for (auto &k : kernels)
        if (argc == 2 && strcmp(k.name, argv[1]) == 0) {
            if (strcmp(k.name, "padding") != 0 && strcmp(k.name, "exchanged") != 0)
                cudaMemset(o, 0, INTS * sizeof(int));
            for (int i = 0; i < k.launches; i++)
                k.kernel<<<k.blocks, N>>>(o);
            int sum;
            cudaMemcpyFromSymbol(&sum, sums, sizeof sum);
            printf("%s, sums[0] is %d\n", cudaGetErrorString(cudaGetLastError()), sum);
        }
    return 0;
}
