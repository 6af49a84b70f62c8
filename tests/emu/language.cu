// Legal CUDA C++ that the source pass and the headers must translate. That it compiles is most of
// the test.
#include <stdio.h>
#include <string.h>

#include "emu.h"

static int tests;

static void ok(int right, const char *what)
{
    printf("%sok %d - %s\n", right ? "" : "not ", ++tests, what);
}

// ---- device variables ----

enum { WORDS = 100 };

namespace device {
__device__ int in_namespace;
namespace {
__constant__ float weight[4];
}
}   // namespace device
extern "C" {
__device__ int in_extern_c;
}
__device__ int bits[(WORDS + 31) / 32];
__device__ int counter{ 5 };
static inline __device__ int merged = 7;
#if __GNUC__ >= 14   // before, g++ ignores the section of a template
template <class T> __device__ T of_type = T(3);
#endif
__device__ const float table[4] = { 1, 2, 3, 4 };
__constant__ const float constant_table[4] = { 1, 2, 3, 4 };
__device__ constexpr float half = 0.5f;
constexpr __device__ int seven = 7;
static __device__ /* not (a) function */ int commented;   // nor = this
__device__ const float *pointer;
__device__ __align__(16) volatile int aligned[4];

__device__ bool operator==(int2 a, int2 b) { return a.x == b.x && a.y == b.y; }
__device__ __noinline__ float square(float x) { return x * x; }
__device__ float defined_below(float x);

__global__ void variables(float *out, int i)
{
    device::in_namespace = 1;
    in_extern_c = 2;
    bits[3] = 3;
    counter++;
    merged++;
#if __GNUC__ >= 14
    of_type<int> += 1;
#endif
    commented = 4;
    pointer = out;
    aligned[3] = 5;
    out[0] = table[i] + constant_table[i] + device::weight[i] + half + seven + square(2) +
             defined_below(1);
    out[1] = make_int2(1, 2) == make_int2(1, 2);
}
__device__ float defined_below(float x) { return x + 1; }

// ---- shared memory ----

struct Point {
    float x;
    int n;
};
template <class T, int N> struct Row {
    T v[N];
};

__device__ float through(float v)
{
    __shared__ float buffer[64];

    buffer[threadIdx.x] = v;
    __syncthreads();
    return buffer[63 - threadIdx.x];
}

__global__ void shared(float *out)
{
    __shared__ Point point[4][16];   // of structs; and a semicolon
    __shared__ float a[64],          // it's a tile; of A
        b[64];                       /* tile; of B */
    volatile __shared__ int before[64];
    __shared__ volatile int behind[64];
    static __shared__ int fixed[64];
    __shared__ Row<float, 64> row, rows[2];
    __shared__ struct {
        int n, m[2];
    } unnamed[64];
    __shared__ __align__(16) unsigned char bytes[sizeof(float) * 64];
    int t = threadIdx.x;

    point[t / 16][t % 16] = { 1, 2 };
    a[t] = b[t] = row.v[t] = rows[1].v[t] = 1;
    before[t] = behind[t] = fixed[t] = unnamed[t].n = unnamed[t].m[1] = 1;
    ((float *)bytes)[t] = 1;
    __syncthreads();
    t = 63 - t;
    out[t] = point[t / 16][t % 16].x + point[t / 16][t % 16].n + a[t] + b[t] + before[t] +
             behind[t] + fixed[t] + row.v[t] + rows[1].v[t] + unnamed[t].n + unnamed[t].m[1] +
             ((float *)bytes)[t] + through(t);
}

// ---- launches ----

template <class T> __global__ void deduced(T *out, T value) { out[threadIdx.x] = value; }
template <int N> __global__ void number(float *out) { out[threadIdx.x] = N; }
__global__ void with_host_overload(float *o, int n) { o[threadIdx.x] = (float)n; }
static void with_host_overload(float *o, int n, const int threads)
{
    with_host_overload<<<1, threads>>>(o, n);
}

__global__ void overloaded(float *out) { out[threadIdx.x] = 1; }
__global__ void overloaded(int *out) { out[threadIdx.x] = 2; }
__global__ void defaulted(float *out, int value = 3) { out[threadIdx.x] = value; }
extern "C" __global__ void plain(float *out) { out[threadIdx.x] = 4; }
__global__ static void __launch_bounds__(64, 2) bounded(float *out) { out[threadIdx.x] = 5; }

template <int N> static void from_template(float *out) { number<N + 1><<<1, 64>>>(out); }

#define LAUNCH(kernel, ...) kernel<<<1, 64>>>(__VA_ARGS__)
#define LAUNCH_TWICE(kernel, ...)       \
    do {                                \
        kernel<<<1, 64>>>(__VA_ARGS__); \
        LAUNCH(kernel, __VA_ARGS__);    \
    } while (0)
#define BUFFER(type, name, n) __shared__ type name[n]

__global__ void with_macro(float *out)
{
    BUFFER(float, first, 64);
    BUFFER(float, second, 64);

    first[threadIdx.x] = second[threadIdx.x] = 3;
    out[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x];
}

// ---- text ----

#define ONE 1
#if ONE
__global__ void branches(float *out, int)
{
#else
__global__ void branches(float *out)
{
#endif
#ifdef TWO
    if (threadIdx.x < 2) {
#elif defined ONE
    if (threadIdx.x < 64) {
#else
{
#endif
        __shared__ float one[64];
        one[threadIdx.x] =
            1'000 + ('"' == '\"') + sizeof R"(it's "<<<raw>>>")" + 0xF'F + sizeof "\"<<<";
        out[threadIdx.x] = one[threadIdx.x];
    }
}
__device__ int after_branches;

template <int N> __global__ void unrolled(float *out)
{
    float sum = 0;

#pragma unroll N
    for (int i = 0; i < N; i++)
        sum += i;
#pragma unroll(4)
    for (int i = 0; i < N; i++)
        sum += i;
#pragma unroll   // all of it
    for (int i = 0; i < N; i++)
        sum += i;
    out[0] = sum + min(N, 100u) + max((size_t)1, (size_t)2) + min(2.5, 3.0) + min(1ull, 2ull);
    after_branches = 1;
}

static float *out;

static float at(int i)
{
    float v;
    cudaMemcpy(&v, out + i, sizeof v, cudaMemcpyDeviceToHost);
    return v;
}

static const char *last_kernel(void)
{
    const struct emu_launch *launches;
    int n = emu_launches(&launches);
    return launches[n - 1].kernel;
}

template <class T> static int holds(const T &symbol, int value)
{
    T copy;
    return cudaMemcpyFromSymbol(&copy, symbol, sizeof copy) == cudaSuccess && copy == value;
}

static void test_variables(void)
{
    float weights[4] = { 1, 2, 3, 4 };

    ok(cudaMemcpyToSymbol(device::weight, weights, sizeof weights) == cudaSuccess,
       "constants in a namespace");
    // Supported: `__device__` and `__constant__` variables, in namespaces and `extern "C"`, also
    // inline ones and, with g++ 14, templates; `cudaMemcpyToSymbol`, `cudaMemcpyFromSymbol`
    variables<<<1, 1>>>(out, 2);
    ok(at(0) == 3 + 3 + 3 + 0.5f + 7 + 4 + 2 && at(1) == 1,
       "device tables, constants and functions");
    ok(holds(device::in_namespace, 1) && holds(in_extern_c, 2) && holds(counter, 6) &&
           holds(commented, 4) && holds(merged, 8),
       "variables wherever they are declared");
#if __GNUC__ >= 14
    ok(holds(of_type<int>, 4), "a template of variables");
#endif
}

// A class that counts its copies on the host. A kernel that calls its copy constructor or its
// destructor would access host memory.
struct Counted {
    int *count, value;

    explicit Counted(int *c) : count(c), value(5) {}
    Counted(const Counted &o) : count(o.count), value(o.value) { ++*count; }
    ~Counted() { *count += 100; }
};
__global__ void takes_object(float *o, Counted c, int n)
{
    c.value += (int)threadIdx.x;
    o[threadIdx.x] = (float)(c.value + n);
}

template <class T> __global__ void takes_any(float *o, T c)
{
    c.value += (int)threadIdx.x;
    o[threadIdx.x] = (float)c.value;
}

static void test_objects(void)
{
    int count = 0, n = 2;
    {
        Counted c(&count);
        takes_object<<<1, 64>>>(out, c, n);
        ok(at(63) == 5 + 63 + 2 && count == 101, "an object is copied once, on the host");
        void *args[] = { &out, &c, &n };
        cudaLaunchKernel(takes_object, dim3(1), dim3(64), args);
        ok(at(63) == 5 + 63 + 2 && count == 101, "or as bytes");
        takes_any<<<1, 64>>>(out, c);
        ok(at(63) == 5 + 63 && count == 202, "also if it selects the kernel");
    }
}

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct Disk : Shape {
    float radius;
    __device__ explicit Disk(float r) : radius(r) {}
    __device__ float area() const override { return 3 * radius * radius; }
};
__global__ void construct(char *memory)
{
    unsigned t = threadIdx.x;

    if (t % 2)
        new (memory + 16 * t) Square((float)t);
    else
        new (memory + 16 * t) Disk((float)t);
}
__global__ void areas(float *o, const char *memory)
{
    o[threadIdx.x] = ((const Shape *)(memory + 16 * threadIdx.x))->area();
}

static void test_virtual(void)
{
    char *memory;

    cudaMalloc(&memory, 64 * 16);
    construct<<<1, 64>>>(memory);
    areas<<<1, 64>>>(out, memory);
    ok(at(62) == 3 * 62 * 62 && at(63) == 63 * 63, "virtual functions");
    cudaFree(memory);
}

int main(void)
{
    static const struct {
        void (*kernel)(float *);
    } list[] = { { plain }, { number<7> } }, *p = list;
    void (*functions[])(float *) = { plain, bounded };

    cudaMalloc(&out, 64 * sizeof *out);

    test_variables();
    // Supported: `__shared__` variables of any type, `extern __shared__` arrays, alignment,
    // structs, several declarators
    shared<<<1, 64>>>(out);
    ok(at(0) == 13 + 63 && at(63) == 13, "shared memory of every kind");

    // Supported: `<<<grid, block, bytes, stream>>>` of templates, kernels that are overloaded (also
    // by host functions), pointers to kernels; in macros and templates
    deduced<<<1, 64>>>(out, 9.0f);
    ok(at(63) == 9, "a template's arguments deduced from the launch's");
    deduced<float><<<1, 64>>>(out, 8);
    ok(at(63) == 8, "or given");
    number<(3 > 2) + 1><<<dim3(1, 1), dim3{ 64 }>>>(out);
    ok(at(63) == 2, "a template's argument that compares");
    from_template<10>(out);
    ok(at(63) == 11, "a launch in a template");
    overloaded<<<1, 64>>>(out);
    ok(at(63) == 1, "an overloaded kernel");
    with_host_overload(out, 7, 64);
    ok(at(63) == 7, "a kernel that a host function overloads");
    defaulted<<<1, 64>>>(out);
    ok(at(63) == 3, "a default argument");
    ::plain<<<1,   // blocks
              64 /* threads */>>>(out);
    ok(at(63) == 4, "a kernel from the global namespace");
    p->kernel<<<1, 64>>>(out);
    list[1].kernel<<<1, 64>>>(out);
    ok(at(63) == 7, "pointers to kernels in structs");
    functions[0]<<<1, 64>>>(out);
    (*functions[1])<<<1, 64>>>(out);
    ok(at(63) == 5, "pointers to kernels in arrays");
    LAUNCH_TWICE(with_macro, out);
    ok(at(63) == 6, "launches and shared memory in macros");
    ok(strcmp(last_kernel(), "with_macro") == 0, "and the kernel's name");

    branches<<<1, 64>>>(out, 0);
    ok(at(63) == 1000 + 1 + 17 + 255 + 5, "preprocessor branches, strings and numbers");
    unrolled<8><<<1, 1>>>(out);
    ok(at(0) == 3 * 28 + 8 + 2 + 2.5f + 1 && holds(after_branches, 1),
       "unrolled loops, min and max");

    // Supported: kernel parameters of class types with copy constructors and destructors, which run
    // once on the host; virtual functions of objects that a kernel constructed
    test_objects();
    test_virtual();

    printf("1..%d\n", tests);
    return 0;
}
