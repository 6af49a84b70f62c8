// demo_atomics: CUDA's atomic operations: correctness, and rate by contention
//
// An atomic operation reads a word, computes, and writes the word back as one indivisible step.
// Operations of several threads on one word are serialized (contention), in an undefined order.
// The sum of integers does not depend on the order. The sum of floats does.
//
//   contention   no: one word per thread     some: 256 words for all threads     full: one word
//
// make demo_atomics && ./demo_atomics        ./demo_atomics --words 32
#include <algorithm>
#include <math.h>
#include "../common/harness/demo.h"

enum { ADD, SUB, EXCH, MIN, MAX, INC, DEC, CAS, AND, OR, XOR, OPS };
enum { BLOCK = 256, CHECKED_PASSES = 4, SUMMANDS = 1 << 16, RUNS = 10, MOST_SHARED = 1024 };

// Applies the operation to a word and returns the old value.
template <int OP> __device__ unsigned on_device(unsigned *word, unsigned v)
{
    switch (OP) {
    case ADD: return atomicAdd(word, v);
    case SUB: return atomicSub(word, v);
    case EXCH: return atomicExch(word, v);
    case MIN: return atomicMin(word, v);
    case MAX: return atomicMax(word, v);
    case INC: return atomicInc(word, v);
    case DEC: return atomicDec(word, v);
    case CAS: return atomicCAS(word, v, v + 1);
    case AND: return atomicAnd(word, v);
    case OR: return atomicOr(word, v);
    default: return atomicXor(word, v);
    }
}

// Pseudorandom bits (the finalizer of MurmurHash3, public domain).
__host__ __device__ inline unsigned hash(unsigned h)
{
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

// Returns the operand of a thread in a pass. The final value of a word does not depend on the order
// of the threads. Inc and Dec have the limit 6 for all threads. CAS counts passes: in each pass the
// first thread at a word succeeds, and about half of the threads always fail, because they compare
// with a value that never occurs. And and Or keep some bits, so that words end with different
// values.
__host__ __device__ inline unsigned operand(int op, unsigned thread, unsigned pass)
{
    unsigned random = hash(thread + pass * 0x9e3779b9u);

    switch (op) {
    case INC:
    case DEC: return 6;
    case CAS: return pass | (hash(thread) & 0x80000000u);
    case AND: return random | 0xff00ff00u;
    case OR: return random & 0x00ff00ffu;
    default: return random;
    }
}

// Each thread performs `passes` operations on one of n_words words. If USED, the thread waits for
// the old value. Otherwise most operations become reductions (RED), which return no value.
template <int OP, bool USED>
__global__ void operate(unsigned *words, unsigned n_words, unsigned passes, unsigned *returned)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    unsigned *word = &words[thread % n_words];

    for (unsigned pass = 0; pass < passes; pass++) {
        unsigned before = on_device<OP>(word, operand(OP, thread, pass));
        if (USED)
            sum += before;
    }
    if (USED)
        returned[thread] = sum;
}

#define KERNELS(OP) operate<OP, false>, operate<OP, true>

static const struct {
    const char *name;
    unsigned initial;   // value of all words
    // [is the result used?]
    void (*kernel[2])(unsigned *words, unsigned n_words, unsigned passes, unsigned *returned);
    unsigned (*on_host)(unsigned w, unsigned v);   // the new value of word w, by one thread
} ops[OPS] = {
    { "atomicAdd", 5, KERNELS(ADD), [](unsigned w, unsigned v) { return w + v; } },
    { "atomicSub", 5, KERNELS(SUB), [](unsigned w, unsigned v) { return w - v; } },
    { "atomicExch", 5, KERNELS(EXCH), [](unsigned, unsigned v) { return v; } },
    { "atomicMin", ~0u, KERNELS(MIN), [](unsigned w, unsigned v) { return w < v ? w : v; } },
    { "atomicMax", 0, KERNELS(MAX), [](unsigned w, unsigned v) { return w > v ? w : v; } },
    { "atomicInc", 0, KERNELS(INC), [](unsigned w, unsigned v) { return w >= v ? 0 : w + 1; } },
    { "atomicDec", 0, KERNELS(DEC),
      [](unsigned w, unsigned v) { return !w || w > v ? v : w - 1; } },
    { "atomicCAS", 0, KERNELS(CAS), [](unsigned w, unsigned v) { return w == v ? v + 1 : w; } },
    { "atomicAnd", ~0u, KERNELS(AND), [](unsigned w, unsigned v) { return w & v; } },
    { "atomicOr", 0, KERNELS(OR), [](unsigned w, unsigned v) { return w | v; } },
    { "atomicXor", 5, KERNELS(XOR), [](unsigned w, unsigned v) { return w ^ v; } },
};
enum { NO, SOME, FULL };
static const char *const contention[] = { "no", "some", "full" };

static struct device device;
static unsigned threads, n_words[3];   // n_words by contention
static unsigned *words, *returned;     // on the device, one per thread

static void launch(int op, int level, int used, unsigned passes)
{
    ops[op].kernel[used]<<<threads / BLOCK, BLOCK>>>(words, n_words[level], passes, returned);
}

static void set_words(int op)
{
    std::vector<unsigned> initial(threads, ops[op].initial);

    cuda_must(cudaMemcpy(words, initial.data(), threads * sizeof *words, cudaMemcpyHostToDevice),
              "setting the words");
}

static void expect(const std::vector<unsigned> &got, const std::vector<unsigned> &want,
                   const char *what, int op, int level)
{
    for (unsigned w = 0; w < got.size(); w++)
        if (got[w] != want[w])
            die(STATUS_WRONG, "%s under %s contention: %sword %u of %u is %u; expected %u",
                ops[op].name, contention[level], what, w, n_words[level], got[w], want[w]);
}

// Compares the words after operations on the device with the same operations on the CPU, one after
// the other.
static void check_result(int op, int level, int used)
{
    unsigned n = n_words[level];
    // `total` is the sum of all values of a word, from the first to the last.
    std::vector<unsigned> want(n, ops[op].initial), total = want, got, results;

    set_words(op);
    launch(op, level, used, CHECKED_PASSES);
    got = demo_results(words, n);
    results = demo_results(returned, threads);
    for (unsigned t = 0; t < threads; t++)
        for (unsigned pass = 0; pass < CHECKED_PASSES; pass++) {
            want[t % n] = ops[op].on_host(want[t % n], operand(op, t, pass));
            total[t % n] += want[t % n];
        }
    // The result of Exch depends on the order: any thread's last operand may be the final value.
    for (unsigned t = 0; t < threads && op == EXCH; t++)
        if (operand(op, t, CHECKED_PASSES - 1) == got[t % n])
            want[t % n] = got[t % n];
    expect(got, want, "", op, level);

    // The returned values are all values but the last. They depend on the order too, except for
    // these:
    if (!used || (level != NO && op != EXCH && op != INC && op != DEC))
        return;
    for (unsigned w = 0; w < n; w++)
        total[w] -= got[w];
    got.assign(n, 0);
    for (unsigned t = 0; t < threads; t++)
        got[t % n] += results[t];
    expect(got, total, "sum of results, ", op, level);
}

// Returns the rate in operations per second, of launches that take 1 ms or more.
static double rate(int op, int level, int used)
{
    for (unsigned passes = 16;; passes *= 2) {
        double us =
            demo_time_of([=] { set_words(op); }, [=] { launch(op, level, used, passes); }).median;

        if (us >= 1000 || passes >= 1 << 20)
            return 1e6 * threads * passes / us;
    }
}

// Each thread adds its element to the sum in memory, without a reduction before: the slowest form
// of the atomics in stage 8.
template <class T> __global__ void sum_by_atomics(const T *x, T *sum)
{
    atomicAdd(sum, x[blockIdx.x * blockDim.x + threadIdx.x]);
}

// Sums x RUNS times. Returns the sums in ascending order.
template <class T> static std::vector<T> sums_of(const std::vector<T> &x)
{
    T *x_d = demo_allocate<T>(x.size());
    std::vector<T> sums;

    cuda_must(cudaMemcpy(x_d, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice),
              "copying the summands");
    for (int run = 0; run < RUNS; run++) {
        T *sum_d = demo_allocate<T>(1);

        sum_by_atomics<<<SUMMANDS / BLOCK, BLOCK>>>(x_d, sum_d);
        sums.push_back(demo_results(sum_d, 1)[0]);
    }
    std::sort(sums.begin(), sums.end());
    return sums;
}

static void show_sums(void)
{
    std::vector<unsigned> x;
    std::vector<float> xf;
    unsigned sum = 0;
    double exact = 0;

    for (unsigned i = 0; i < SUMMANDS; i++) {
        x.push_back(hash(i));
        xf.push_back((float)(hash(i) >> 8) / (1 << 24));   // from 0 to below 1
        sum += x[i];
        exact += xf[i];
    }
    printf("\n%d numbers summed by one atomicAdd each, %d times over:\n", SUMMANDS, RUNS);
    for (unsigned is : sums_of(x))
        if (is != sum)
            die(STATUS_WRONG, "a sum of unsigned is %u; expected %u", is, sum);
    printf("unsigned   1 sum:  %u each time, as on the CPU\n", sum);

    std::vector<float> sums = sums_of(xf);
    // The error of each of the n additions of positive numbers is at most 2^-24 of the sum, in any
    // order.
    for (float is : sums)
        if (!(fabs(is - exact) <= SUMMANDS * exact / (1 << 24)))
            die(STATUS_WRONG, "a sum of floats is %.9g, too far from %.9g", is, exact);
    int different = std::unique(sums.begin(), sums.end()) - sums.begin();
    if (different == 1)
        printf("float      1 sum:  %.9g each time; %.9g in double. A different order could give "
               "a different sum; it did not in these runs\n",
               sums[0], exact);
    else
        printf(
            "float     %2d sums: from %.9g to %.9g; %.9g in double. Each run adds in a different "
            "order and rounds differently\n",
            different, sums[0], sums[different - 1], exact);
}

int main(int argc, char **argv)
{
    const char *n_some = "256";
    const struct argument known[] = {
        { "--words", "N words for all threads under some contention, 2 to 1024; default 256",
          &n_some, NULL }
    };

    take_arguments(argc, argv, "CUDA's atomic operations: checks, and rates by contention", known,
                   1);
    n_words[SOME] = argument_number("--words", n_some, 2, MOST_SHARED);
    n_words[FULL] = 1;
    device_open(0, &device);
    // As many threads as are resident on the GPU at a time; a few on the CPU device.
    threads =
        BLOCK * (on_cpu_device
                     ? 8
                     : device.sms * demo_attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / BLOCK);
    n_words[NO] = threads;
    words = demo_allocate<unsigned>(threads);
    returned = demo_allocate<unsigned>(threads);

    printf("%s%s%s: %u threads. No contention: a word for each; some: %u words for all; full: one "
           "word for all.\n",
           device.name, device.cuda[0] ? ", CUDA " : "", device.cuda, threads, n_words[SOME]);
    printf("Each is checked%s.\n\n",
           on_cpu_device
               ? ". The CPU device does not measure time; rates need a GPU"
               : text_of(", then timed: 10^9 operations per second, medians of %d launches",
                         DEMO_SAMPLES));
    printf("%42s%30s\ncontention  ", "result not used", "result used");
    for (int i = 0; i < 6; i++)
        printf("%10s", contention[i % 3]);
    for (int op = 0; op < OPS; op++) {
        printf("\n%-12s", ops[op].name);
        for (int i = 0; i < 6; i++) {
            check_result(op, i % 3, i / 3);
            if (on_cpu_device)
                printf("%10s", "right");
            else
                printf("%10.2f", 1e-9 * rate(op, i % 3, i / 3));
            fflush(stdout);
        }
    }
    printf("\n");
    show_sums();
    return finish(STATUS_OK);
}
