// Language features that CUDA programs of other authors use.
#include <assert.h>
#include <cublas_v2.h>
#include <cublasLt.h>
#include <stdio.h>

#include "foreign.h"
#include "ok.h"

// ---- names ----

static void named_locals(int *out);
__global__ void indices(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = gridDim.x; }

struct Config {
    dim3 gridDim, blockDim;
    Config(dim3 gridDim, dim3 blockDim) : gridDim(gridDim), blockDim(blockDim) {}
    unsigned threads() const { return gridDim.x * blockDim.x; }
};
static void named_locals(int *out)
{
    dim3 blockDim(32), gridDim(2);
    Config config(gridDim, blockDim);

    if (config.threads() == 64)
        indices<<<gridDim, blockDim>>>(out);
}
static void named_parameters(int *out, dim3 gridDim, const dim3 &blockDim)
{
    indices<<<gridDim.x, blockDim>>>(out);
}

// ---- shared memory ----

__shared__ int at_file_scope[64];
extern __shared__ int dynamic_at_file_scope[];
namespace inside {
__shared__ float tile[2][32], *end;
}

__global__ void shared_words(int *out)
{
    int __shared__ after_type[64];
    unsigned long long __shared__ wide[64];
    extern int __shared__ dynamic[];
    int t = threadIdx.x;

    after_type[t] = wide[t] = dynamic[t] = t;
    __syncthreads();
    out[t] = after_type[63 - t] + (int)wide[63 - t] + dynamic[63 - t];
}

__device__ int read_back(int i) { return at_file_scope[i]; }
__global__ void shared_at_file_scope(int *out)
{
    int t = threadIdx.x;

    at_file_scope[t] = dynamic_at_file_scope[t] = t;
    inside::tile[t / 32][t % 32] = t;
    __syncthreads();
    t = 63 - t;
    out[threadIdx.x] = read_back(t) + dynamic_at_file_scope[t] + (int)inside::tile[t / 32][t % 32];
}
__global__ void shadows_file_scope(int *out)
{
    __shared__ int at_file_scope[64];
    at_file_scope[threadIdx.x] = 7;
    out[threadIdx.x] = at_file_scope[threadIdx.x];
}
__global__ void from_class(int *out)
{
    int *s = SharedMemory<int>();
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}

// ---- functions ----

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ bool is_odd(int n);
__device__ bool is_even(int n) { return n == 0 || is_odd(n - 1); }
__device__ bool is_odd(int n) { return n != 0 && is_even(n - 1); }
template <int N> __device__ int sum_to() { return N + sum_to<N - 1>(); }
template <> __device__ int sum_to<0>() { return 0; }
__global__ void recursion(int *out)
{
    int t = threadIdx.x;
    out[t] = fibonacci(t % 12) + is_even(t) + sum_to<4>();
}

__global__ void with_default(int *out, const int *in = NULL, int n = 3)
{
    out[threadIdx.x] = in ? in[threadIdx.x] : n;
}

template <class F> __global__ void apply(int *out, F f) { out[threadIdx.x] = f(threadIdx.x); }
struct Twice {
    __host__ __device__ int operator()(int x) const { return 2 * x; }
};

typedef int (*operation)(int);
__device__ int increment(int x) { return x + 1; }
__device__ operation chosen = increment;
__global__ void through_pointer(int *out) { out[threadIdx.x] = chosen(threadIdx.x); }

__global__ void __launch_bounds__(64) bounded(int *out) { out[threadIdx.x] = 1; }
template <int THREADS> __global__ void __launch_bounds__(THREADS / 2, 2) bounded_template(int *out)
{
    out[threadIdx.x] = THREADS;
}

__device__ __managed__ int managed = 3;
__global__ void add_to_managed(int *out) { out[0] = atomicAdd(&managed, 1); }

template <int N> __global__ void unrolled(int *out)
{
    int sum = 0;

#pragma unroll
    for (int i = 0; i < N; i++)
#pragma unroll
        for (int j = 0; j < N; j++)
#pragma unroll
            for (int k = 0; k < N; k++)
                sum += out[0] + i * j + k;
    out[threadIdx.x + 1] = sum;
}

__global__ void says(int n) { printf("thread %u says %d and %.1f\n", threadIdx.x, n, n / 2.0); }
__global__ void asserts(int *out)
{
    assert(blockDim.x == 64);
    out[threadIdx.x] = 1;
}
__global__ void clocks(int *out)
{
    long long start = clock64();
    clock_t also = clock();

    out[threadIdx.x] = 0;
    __syncwarp();
    out[threadIdx.x] = clock64() > start && clock() >= also;
}
// Kernels that wait until a time has passed.
__global__ void waits(int *out)
{
    long long start = clock64();
    unsigned early = (unsigned)clock(), late;
    unsigned long long from, to;

    while (clock64() - start < 2000000000)
        ;
    do
        late = (unsigned)clock();
    while (late - early < 100000000);
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(from));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(to));
    while (to - from < 10000000);
    out[threadIdx.x] = 1;
}

static void test_declarations(void)
{
    // Supported: kernels, `__shared__`, `__device__` and `__constant__` variables, and launches in
    // headers and templates
    gives<int>(
        64, header_launch, [](int i) { return 63 - i + 42; }, "everything in a header");
    gives<int>(
        64, [](int *out) { from_class<<<1, 64, 256>>>(out); }, [](int i) { return 63 - i; },
        "dynamic shared memory from a class template");
    // Supported: `#include <cublasLt.h>` in a source that uses only its types
    ok(sizeof(cublasHandle_t) == sizeof(void *) && sizeof(cublasLtHandle_t) == sizeof(void *) &&
           CUBLAS_COMPUTE_32F == 68 && CUDA_R_16BF == 14 && (float)__nv_bfloat16(1.5f) == 1.5f,
       "cuBLAS's headers without their functions");
    // Supported: local variables, parameters and members named `gridDim` and `blockDim`
    gives<int>(
        64, named_locals, [](int) { return 2; }, "variables named gridDim and blockDim");
    gives<int>(
        64, [](int *out) { named_parameters(out, 2, 32); }, [](int) { return 2; },
        "parameters named gridDim and blockDim");
    // Supported: `int __shared__ s[64]`, `extern float __shared__ s[]`, `__shared__` variables at
    // file scope
    gives<int>(
        64, [](int *out) { shared_words<<<1, 64, 256>>>(out); }, [](int i) { return 3 * (63 - i); },
        "__shared__ after the type");
    gives<int>(
        64, [](int *out) { shared_at_file_scope<<<1, 64, 256>>>(out); },
        [](int i) { return 3 * (63 - i); }, "__shared__ at file scope");
    gives<int>(
        64, [](int *out) { shadows_file_scope<<<1, 64>>>(out); }, [](int) { return 7; },
        "a local array with the name of one at file scope");
}

struct Shape {
    __device__ virtual int area() const { return 0; }
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    int side;
    __device__ explicit Square(int n) : side(n) {}
    __device__ int area() const override { return side * side; }
};
struct Counted {
    int *count;
    __device__ Counted() : count(nullptr) {}
    __device__ ~Counted() { *count += 1; }
};
// Members that are initialized; the same code on the host has the host's memory.
struct Owner {
    int n, *list;
    __host__ __device__ explicit Owner(int size) : n{ size }, list(new int[size]) { list[0] = n; }
    __host__ __device__ ~Owner() { delete[] list; }
    Owner(const Owner &) = delete;
};
__device__ int *kept;
__global__ void allocates(int *out)
{
    Shape *shape = new Square((int)threadIdx.x);
    int *list = new int[threadIdx.x + 1], sum = 0, calls = 0;
    Counted *three = new Counted[3];

    for (unsigned i = 0; i <= threadIdx.x; i++)
        list[i] = (int)i;
    for (unsigned i = 0; i <= threadIdx.x; i++)
        sum += list[i];
    for (int i = 0; i < 3; i++)
        three[i].count = &calls;
    out[threadIdx.x] = shape->area() + sum * 10000;
    delete shape;
    delete[] list;
    delete[] three;
    Owner owner(3);
    out[threadIdx.x] +=
        100000000 * (calls == 3 && owner.list[0] == 3) + 1000000000 * !malloc(1 << 30);
    if (threadIdx.x == 0)
        *(kept = (int *)malloc(sizeof(int))) = 5;
}
__global__ void frees(int *out)
{
    out[0] = *kept;
    free(kept);
}

static void test_functions(void)
{
    // Supported: `malloc`, `free`, `new` and `delete` in kernels, with 8 MB
    // (`cudaLimitMallocHeapSize`)
    gives<int>(
        64, [](int *out) { allocates<<<1, 64>>>(out); },
        [](int i) { return i * i + i * (i + 1) / 2 * 10000 + 1100000000; }, "memory from kernels");
    ok(Owner(2).list[0] == 2, "the same class on the host");
    gives<int>(
        1, [](int *out) { frees<<<1, 1>>>(out); }, [](int) { return 5; },
        "memory of an earlier kernel");
    // Supported: recursion in device code, function pointers, functors, `__managed__` variables
    static const int fib[] = { 0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89 };
    gives<int>(
        64, [](int *out) { recursion<<<1, 64>>>(out); },
        [](int i) { return fib[i % 12] + (i % 2 == 0) + 10; }, "recursion");
    gives<int>(
        64, [](int *out) { apply<<<1, 64>>>(out, Twice()); }, [](int i) { return 2 * i; },
        "a functor as an argument");
    gives<int>(
        64, [](int *out) { through_pointer<<<1, 64>>>(out); }, [](int i) { return i + 1; },
        "a function pointer");
    gives<int>(
        1, [](int *out) { add_to_managed<<<1, 1>>>(out); }, [](int) { return 3; },
        "a managed variable in a kernel");
    ok(managed == 4, "and on the host");
    // Supported: `NULL` as an argument of a kernel with default arguments
    gives<int>(
        64, [](int *out) { with_default<<<1, 64>>>(out, NULL); }, [](int) { return 3; },
        "NULL for a parameter");
    gives<int>(
        64, [](int *out) { with_default<<<1, 64>>>(out, NULL, 5); }, [](int) { return 5; },
        "NULL among arguments");
    // Supported: `__launch_bounds__`: larger blocks are refused
    bounded<<<1, 65>>>(NULL);
    ok(cudaGetLastError() == cudaErrorInvalidValue, "more threads than __launch_bounds__");
    gives<int>(
        64, [](int *out) { bounded_template<128><<<1, 64>>>(out); }, [](int) { return 128; },
        "launch bounds of a template");
    // Supported: `#pragma unroll` with and without a number, nested
    gives<int>(
        2, [](int *out) { unrolled<64><<<1, 1>>>(out); },
        [](int i) { return i ? 2016 * 2016 * 64 + 2016 * 64 * 64 : 0; }, "nested loops");
}

int main(void)
{
    test_declarations();
    test_functions();
    // Supported: `printf`, `assert`, `__trap`, `clock64` and `clock` in kernels (clocks count
    // requests and their readings, not time)
    says<<<1, 1>>>(7);
    gives<int>(
        64, [](int *out) { asserts<<<1, 64>>>(out); }, [](int) { return 1; },
        "an assertion that holds");
    gives<int>(
        64, [](int *out) { clocks<<<1, 64>>>(out); }, [](int) { return 1; }, "clocks increase");
    gives<int>(
        64, [](int *out) { waits<<<1, 64>>>(out); }, [](int) { return 1; },
        "a wait for a clock ends");
    printf("1..%d\n", tests);
    return 0;
}
