// demo_atomics: CUDA's atomic operations: correctness, and rate by contention
//
// An atomic operation reads a word, computes, and writes the word back as one indivisible step.
// Operations of several threads on one word are serialized (contention), in an undefined order.
// The sum of integers does not depend on the order. The sum of floats does.
//
//   contention   no: one word per thread     some: 256 words for all threads     full: one word
//
// make demo_atomics && ./demo_atomics        ./demo_atomics --words 32
#include "../common/harness/demo.h"

#include <math.h>

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

// The same on the CPU in one thread, but returns the new value.
static unsigned on_host(int op, unsigned word, unsigned v)
{
    switch (op) {
    case ADD: return word + v;
    case SUB: return word - v;
    case EXCH: return v;
    case MIN: return word < v ? word : v;
    case MAX: return word > v ? word : v;
    case INC: return word >= v ? 0 : word + 1;
    case DEC: return word == 0 || word > v ? v : word - 1;
    case CAS: return word == v ? v + 1 : word;
    case AND: return word & v;
    case OR: return word | v;
    default: return word ^ v;
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

static const struct {
    const char *name;
    unsigned initial;   // value of all words
    // [is the result used?]
    void (*kernel[2])(unsigned *words, unsigned n_words, unsigned passes, unsigned *returned);
} ops[OPS] = {
    { "atomicAdd", 5, { operate<ADD, false>, operate<ADD, true> } },
    { "atomicSub", 5, { operate<SUB, false>, operate<SUB, true> } },
    { "atomicExch", 5, { operate<EXCH, false>, operate<EXCH, true> } },
    { "atomicMin", 0xffffffff, { operate<MIN, false>, operate<MIN, true> } },
    { "atomicMax", 0, { operate<MAX, false>, operate<MAX, true> } },
    { "atomicInc", 0, { operate<INC, false>, operate<INC, true> } },
    { "atomicDec", 0, { operate<DEC, false>, operate<DEC, true> } },
    { "atomicCAS", 0, { operate<CAS, false>, operate<CAS, true> } },
    { "atomicAnd", 0xffffffff, { operate<AND, false>, operate<AND, true> } },
    { "atomicOr", 0, { operate<OR, false>, operate<OR, true> } },
    { "atomicXor", 5, { operate<XOR, false>, operate<XOR, true> } },
};
enum { NO, SOME, FULL };
static const char *const contention[] = { "no", "some", "full" };

static struct device device;
static unsigned threads, n_words[3];          // n_words by contention
static unsigned *words, *returned;            // on the device, one per thread
static unsigned *host, *want, *got, *total;   // likewise on the host

static void set_words(int op)
{
    for (unsigned i = 0; i < threads; i++)
        host[i] = ops[op].initial;
    cuda_must(cudaMemcpy(words, host, threads * sizeof *host, cudaMemcpyHostToDevice),
              "setting the words");
}

static void expect(unsigned is, unsigned should_be, const char *what, int op, int level,
                   unsigned word)
{
    if (is != should_be)
        die(STATUS_WRONG, "%s under %s contention: %sword %u of %u: %u, not %u", ops[op].name,
            contention[level], what, word, n_words[level], is, should_be);
}

// Compares the words after operations on the device with the same operations on the CPU, one after
// the other.
static void check_result(int op, int level, int used)
{
    unsigned n = n_words[level];

    set_words(op);
    ops[op].kernel[used]<<<threads / BLOCK, BLOCK>>>(words, n, CHECKED_PASSES, returned);
    cuda_must(cudaGetLastError(), "launching");
    cuda_must(cudaMemcpy(got, words, n * sizeof *got, cudaMemcpyDeviceToHost), "copying the words");

    // `total` is the sum of all values of a word, from the first to the last.
    for (unsigned w = 0; w < n; w++)
        want[w] = total[w] = ops[op].initial;
    for (unsigned t = 0; t < threads; t++)
        for (unsigned pass = 0; pass < CHECKED_PASSES; pass++) {
            want[t % n] = on_host(op, want[t % n], operand(op, t, pass));
            total[t % n] += want[t % n];
        }
    // The result of Exch depends on the order: any thread's last operand may be the final value.
    for (unsigned t = 0; t < threads && op == EXCH; t++)
        if (operand(op, t, CHECKED_PASSES - 1) == got[t % n])
            want[t % n] = got[t % n];
    for (unsigned w = 0; w < n; w++)
        expect(got[w], want[w], "", op, level, w);

    // The returned values are all values but the last. They depend on the order too, except for
    // these:
    if (!used || (level != NO && op != EXCH && op != INC && op != DEC))
        return;
    cuda_must(cudaMemcpy(host, returned, threads * sizeof *host, cudaMemcpyDeviceToHost),
              "copying the results");
    for (unsigned w = 0; w < n; w++)
        want[w] = 0;
    for (unsigned t = 0; t < threads; t++)
        want[t % n] += host[t];
    for (unsigned w = 0; w < n; w++)
        expect(want[w], total[w] - got[w], "the results' sum of ", op, level, w);
}

// Returns the rate in operations per second, of launches that take 1 ms or more.
static double rate(int op, int level, int used)
{
    auto kernel = ops[op].kernel[used];
    unsigned passes = 16;

    for (;; passes *= 2) {
        double us = demo_time_of([=] { set_words(op); },
                                 [=] {
                                     kernel<<<threads / BLOCK, BLOCK, 0, cudaStreamPerThread>>>(
                                         words, n_words[level], passes, returned);
                                 })
                        .median;

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

// Sums x RUNS times. Returns the number of different sums, which it stores in `sums`.
template <class T> static int different_sums(const T *x, T *sums)
{
    T *x_d = demo_allocate<T>(SUMMANDS), *sum_d = demo_allocate<T>(1), sum;
    int n = 0, i;

    cuda_must(cudaMemcpy(x_d, x, SUMMANDS * sizeof *x, cudaMemcpyHostToDevice),
              "copying the summands");
    for (int run = 0; run < RUNS; run++) {
        cuda_must(cudaMemset(sum_d, 0, sizeof sum), "clearing the sum");
        sum_by_atomics<<<SUMMANDS / BLOCK, BLOCK>>>(x_d, sum_d);
        cuda_must(cudaGetLastError(), "launching");
        cuda_must(cudaMemcpy(&sum, sum_d, sizeof sum, cudaMemcpyDeviceToHost), "copying the sum");
        for (i = 0; i < n && sums[i] != sum; i++)
            ;
        sums[i] = sum;
        n += i == n;
    }
    cuda_must(cudaFree(x_d), "freeing the summands");
    cuda_must(cudaFree(sum_d), "freeing the sum");
    return n;
}

static void show_sums(void)
{
    unsigned *x = (unsigned *)must_malloc(SUMMANDS * sizeof *x), sum = 0, sums[RUNS];
    float *xf = (float *)must_malloc(SUMMANDS * sizeof *xf), sums_f[RUNS], low, high;
    double exact = 0;
    int n;

    for (unsigned i = 0; i < SUMMANDS; i++) {
        x[i] = hash(i);
        sum += x[i];
        xf[i] = (float)(hash(i) >> 8) / (1 << 24);   // from 0 to below 1
        exact += xf[i];
    }
    printf("\n%d numbers summed by one atomicAdd each, %d times over:\n", SUMMANDS, RUNS);

    n = different_sums(x, sums);
    for (int i = 0; i < n; i++)
        if (sums[i] != sum)
            die(STATUS_WRONG, "a sum of unsigned is %u, not %u", sums[i], sum);
    printf("unsigned  %2d sum:  %u each time, as on the CPU\n", n, sum);

    n = different_sums(xf, sums_f);
    low = high = sums_f[0];
    for (int i = 0; i < n; i++) {
        low = fminf(low, sums_f[i]);
        high = fmaxf(high, sums_f[i]);
        // The error of each of the n additions of positive numbers is at most 2^-24 of the sum, in
        // any order.
        if (!(fabs(sums_f[i] - exact) <= SUMMANDS * exact / (1 << 24)))
            die(STATUS_WRONG, "a sum of floats is %.9g, too far from %.9g", sums_f[i], exact);
    }
    if (n == 1)
        printf("float      1 sum:  %.9g each time; %.9g in double. Another order could round to "
               "another sum: these runs show none\n",
               low, exact);
    else
        printf("float     %2d sums: from %.9g to %.9g; %.9g in double. Each run adds in another "
               "order, and so rounds otherwise\n",
               n, low, high, exact);
    free(x);
    free(xf);
}

static const char help[] =
    "demo_atomics: checks CUDA's atomic operations, and measures their rates under no, some and "
    "full contention\n\n"
    "usage: ./demo_atomics [options]\n"
    "      --words N    words that all threads share under some contention, 2 to 1024; default "
    "256\n"
    "  -h, --help       this text\n\n"
    "Exit status: 0 correct; 1 wrong; 2 bad usage; 3 CUDA error or out of memory.\n";

static unsigned shared_words(const char *text)
{
    char *end;
    long n = strtol(text, &end, 10);

    if (end == text || *end || n < 2 || n > MOST_SHARED)
        die(STATUS_USAGE, "--words '%s': not a number of words; expected a number from 2 to %d",
            text, MOST_SHARED);
    return (unsigned)n;
}

int main(int argc, char **argv)
{
    const char *n_some = "256";
    const struct demo_option options[] = { { "--words", &n_some, NULL } };

    demo_options(argc, argv, help, options, 1);
    n_words[SOME] = shared_words(n_some);
    n_words[FULL] = 1;
    device_open(0, &device);
    // As many threads as are resident on the GPU at a time; a few on the CPU device.
    threads = on_cpu_device ? 8 * BLOCK
                            : device.sms * demo_attribute(cudaDevAttrMaxThreadsPerMultiProcessor) /
                                  BLOCK * BLOCK;
    n_words[NO] = threads;

    host = (unsigned *)must_malloc(threads * sizeof *host);
    want = (unsigned *)must_malloc(threads * sizeof *want);
    got = (unsigned *)must_malloc(threads * sizeof *got);
    total = (unsigned *)must_malloc(threads * sizeof *total);
    words = demo_allocate<unsigned>(threads);
    returned = demo_allocate<unsigned>(threads);

    printf("%s%s%s: %u threads. No contention: a word for each; some: %u words for all; full: one "
           "word for all.\n",
           device.name, device.cuda[0] ? ", CUDA " : "", device.cuda, threads, n_words[SOME]);
    if (on_cpu_device)
        printf("Each is checked. The CPU device does not measure time; rates need a GPU.\n\n");
    else
        printf("Each is checked, then timed: 10^9 operations per second, medians of %d "
               "launches.\n\n",
               DEMO_SAMPLES);
    printf("%-12s%30s%30s\n%-12s", "", "result not used", "result used", "contention");
    for (int i = 0; i < 6; i++)
        printf("%10s", contention[i % 3]);
    printf("\n");
    for (int op = 0; op < OPS; op++) {
        printf("%-12s", ops[op].name);
        for (int used = 0; used < 2; used++)
            for (int level = NO; level <= FULL; level++) {
                check_result(op, level, used);
                if (on_cpu_device)
                    printf("%10s", "right");
                else
                    printf("%10.2f", 1e-9 * rate(op, level, used));
                fflush(stdout);
            }
        printf("\n");
    }
    show_sums();

    cuda_must(cudaFree(words), "freeing the words");
    cuda_must(cudaFree(returned), "freeing the results");
    free(host);
    free(want);
    free(got);
    free(total);
    return finish(STATUS_OK);
}
