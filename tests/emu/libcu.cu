// libcu++: cuda::atomic and its relatives in kernels and on the host, and cuda::std.
#include <cuda/atomic>
#include <cuda/cmath>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <emu.h>
#include <thread>

#include "ok.h"

template <class T> using device_atomic = cuda::atomic<T, cuda::thread_scope_device>;

__device__ device_atomic<int> total{ 5 };

// Every member, by 64 threads of 2 blocks.
__global__ void members(int *out)
{
    __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> in_block;
    __shared__ unsigned bits;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0) {
        in_block = 0;
        bits = 0;
    }
    __syncthreads();
    in_block++;
    __syncthreads();   // or a lane's maximum may come before another's sum
    in_block.fetch_max(7, cuda::memory_order_relaxed);
    cuda::atomic_ref<unsigned, cuda::thread_scope_block>(bits).fetch_or(1u << threadIdx.x,
                                                                        cuda::memory_order_relaxed);
    total.fetch_add(i, cuda::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_device> least(out[0]), most(out[1]), sum(out[2]);
    least.fetch_min(-i, cuda::memory_order_relaxed);
    most.fetch_max(i, cuda::memory_order_relaxed);
    int expected = sum.load(cuda::memory_order_relaxed);
    while (!sum.compare_exchange_weak(expected, expected + 2, cuda::memory_order_relaxed))
        ;
    __syncthreads();
    if (threadIdx.x == 0)
        out[3 + blockIdx.x] = in_block.load() + (bits == 0xffffffff) * 100;
    if (i == 0)
        out[5] = total.exchange(0, cuda::memory_order_relaxed) >= 5;
}

__global__ void pointers(cuda::std::atomic<int *> *p, cuda::std::atomic<float> *f, int *out)
{
    p->fetch_add(2, cuda::std::memory_order_relaxed);
    *f += 0.5f;
    __syncthreads();
    if (threadIdx.x == 0) {
        out[0] = (int)(p->load() - out);
        out[1] = (int)f->load();
    }
}

// The second block reads what the first has released.
__global__ void messages(device_atomic<int> *flag, int *data, int *out)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = (int)threadIdx.x + 1;
        __syncthreads();
        if (threadIdx.x == 0) {
            flag->store(1, cuda::memory_order_release);
            flag->notify_all();
        }
    } else {
        if (threadIdx.x == 0)
            flag->wait(0, cuda::memory_order_acquire);
        __syncthreads();
        out[threadIdx.x] = data[threadIdx.x];
    }
}

// Blocks enter one after the other.
__global__ void in_turn(cuda::binary_semaphore<cuda::thread_scope_device> *free, int *sum,
                        cuda::latch<cuda::thread_scope_device> *done, int *out)
{
    if (threadIdx.x == 0) {
        free->acquire();
        *sum += (int)blockIdx.x;
        free->release();
        done->arrive_and_wait();
        if (blockIdx.x == 1)
            *out = *sum;
    }
}

__global__ void standard(int *out)
{
    cuda::std::array<int, 4> a{ 1, 2, 3, 4 };
    cuda::std::span<int> rest = cuda::std::span<int>(a.data(), 4).subspan(1);
    auto [x, y] = cuda::std::make_tuple((int)threadIdx.x, 10);
    cuda::std::optional<int> none, some = 5;
    cuda::std::complex<float> z(0, 2);
    static_assert(cuda::std::is_same_v<cuda::std::remove_cv_t<const int>, int>, "");
    int sum = 0;

    for (int v : rest)
        sum += v;
    cuda::std::swap(x, y);
    out[threadIdx.x] = sum + x * 100 + y * 10000 + none.value_or(some.value()) * 1000000 +
                       (int)(z * z).real() + cuda::std::popcount(255u) +
                       (cuda::std::numeric_limits<int>::max() == 2147483647);
}

// The requests of relaxed and release accesses, as nvcc's ld, st and atom.
__global__ void counted(device_atomic<int> *a)
{
    int i = a[threadIdx.x].load(cuda::memory_order_relaxed);
    a[threadIdx.x].store(i + 1, cuda::memory_order_release);
    a[threadIdx.x].fetch_add(1, cuda::memory_order_relaxed);
}

static int on_host(void)
{
    cuda::atomic<int> n(3);
    cuda::std::atomic_flag flag;
    int expected = 7;
    std::thread other([&] { n.fetch_add(4); });

    other.join();
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst);
    flag.clear();
    return n == 7 && n.compare_exchange_strong(expected, 9) &&
           !n.compare_exchange_strong(expected, 1) && expected == 9 && n-- == 9 && n == 8 &&
           !flag.test_and_set() && flag.test();
}

template <class T, class... A> static T *made(A... arguments)
{
    void *p;
    cudaMallocManaged(&p, sizeof(T));
    return new (p) T(arguments...);
}

__global__ void divisions(int *out)
{
    static_assert(cuda::ceil_div(7, 4) == 2 && cuda::ceil_div(8, 4) == 2, "ceil_div");
    out[0] = cuda::ceil_div((int)blockDim.x, 5);
    out[1] = cuda::round_up((int)blockDim.x, 5) + 100 * cuda::round_down((int)blockDim.x, 5);
    out[2] = cuda::ilog2(blockDim.x) + 10 * cuda::ilog10(1000 * blockDim.x);
}

int main()
{
    // Supported: `<cuda/cmath>`
    static const int divided[] = { 7, 3035, 55 - 10 };
    gives<int>(
        3, [](int *out) { divisions<<<1, 32>>>(out); }, [](int i) { return divided[i]; },
        "divisions with rounding, logarithms");
    // Supported: `<cuda/atomic>`: `cuda::atomic` and `cuda::atomic_ref` of any scope, their members
    // on the device and on the host, `cuda::atomic_thread_fence`, `cuda::std::atomic`
    static const int want[] = { -63, 63, 128, 32 + 100, 32 + 100, 1 };
    gives<int>(
        6, [](int *out) { members<<<2, 32>>>(out); }, [](int i) { return want[i]; },
        "the members of atomics");
    gives<int>(
        2,
        [](int *out) {
            pointers<<<1, 32>>>(made<cuda::std::atomic<int *>>(out),
                                made<cuda::std::atomic<float>>(1.0f), out);
        },
        [](int i) { return i ? 17 : 64; }, "atomics of pointers and floats");
    gives<int>(
        32,
        [](int *out) {
            int *data;
            cudaMalloc(&data, 128);
            messages<<<2, 32>>>(made<device_atomic<int>>(0), data, out);
        },
        [](int i) { return i + 1; }, "release, wait and acquire order the data");
    ok(on_host(), "atomics on the host");

    // Supported: `<cuda/latch>`, `<cuda/semaphore>`
    gives<int>(
        1,
        [](int *out) {
            in_turn<<<2, 32>>>(made<cuda::binary_semaphore<cuda::thread_scope_device>>(1),
                               made<int>(10), made<cuda::latch<cuda::thread_scope_device>>(2), out);
        },
        [](int) { return 11; }, "a semaphore and a latch of blocks");

    // Supported: `<cuda/std/...>`, which is the host's `std`: `array`, `complex`, `limits`,
    // `optional`, `span`, `tuple`, `type_traits` ...
    gives<int>(
        32, [](int *out) { standard<<<1, 32>>>(out); },
        [](int i) { return 9 + 1000 + i * 10000 + 5000000 - 4 + 8 + 1; }, "cuda::std");

    device_atomic<int> *a;
    struct emu_counts c;
    cudaMalloc(&a, 128);
    cudaMemset(a, 0, 128);
    emu_reset();
    counted<<<1, 32>>>(a);
    emu_totals(&c);
    ok(c.ld_requests == 1 && c.st_requests == 1 && c.atomic_requests == 1,
       "a load is a load, a store is a store, and an update is an atomic");
    printf("1..%d\n", tests);
}
