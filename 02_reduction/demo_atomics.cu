// demo_atomics: every operation of the slides' table of atomics: is it right, and how often a second, when no, some and all threads meet?
//
// An atomic reads a word, computes and writes back, and no other thread comes between. Threads that meet at one word have to take turns:
// that is contention. The turns come in any order; for integers the result is the same all the same, for sums of floats it need not be.
//
// make demo_atomics && ./demo_atomics; ./demo_atomics 32 lets all threads share 32 words where there is "some" contention
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ADD, SUB, EXCH, MIN, MAX, INC, DEC, CAS, AND, OR, XOR, OPS };
enum { BLOCK = 256, CHECKED_PASSES = 4, SAMPLES = 9, SUMMANDS = 1 << 16, RUNS = 10, MOST_SHARED = 1024 };

// What each operation does with a word, and returns: the word as it was before.
template <int OP>
__device__ unsigned on_device(unsigned *word, unsigned v)
{
    switch (OP) {
    case ADD:  return atomicAdd(word, v);
    case SUB:  return atomicSub(word, v);
    case EXCH: return atomicExch(word, v);
    case MIN:  return atomicMin(word, v);
    case MAX:  return atomicMax(word, v);
    case INC:  return atomicInc(word, v);
    case DEC:  return atomicDec(word, v);
    case CAS:  return atomicCAS(word, v, v + 1);
    case AND:  return atomicAnd(word, v);
    case OR:   return atomicOr(word, v);
    default:   return atomicXor(word, v);
    }
}

// The same on the CPU, where nobody is in between: the word as it is afterwards.
static unsigned on_host(int op, unsigned word, unsigned v)
{
    switch (op) {
    case ADD:  return word + v;
    case SUB:  return word - v;
    case EXCH: return v;
    case MIN:  return word < v ? word : v;
    case MAX:  return word > v ? word : v;
    case INC:  return word >= v ? 0 : word + 1;
    case DEC:  return word == 0 || word > v ? v : word - 1;
    case CAS:  return word == v ? v + 1 : word;
    case AND:  return word & v;
    case OR:   return word | v;
    default:   return word ^ v;
    }
}

// Bits that look random (the finaliser of MurmurHash3, public domain).
__host__ __device__ inline unsigned hash(unsigned h)
{
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

// The operand of a thread in a pass, such that the order of the turns does not matter. Inc and Dec have one limit, 6, for all. CAS counts
// passes: in each, the first thread at a word wins, and about half of the threads compare with what is never there and always lose. And and
// Or leave some bits alone, so that not all words end up alike.
__host__ __device__ inline unsigned operand(int op, unsigned thread, unsigned pass)
{
    unsigned random = hash(thread + pass * 0x9e3779b9u);

    switch (op) {
    case INC:
    case DEC: return 6;
    case CAS: return pass | (hash(thread) & 0x80000000u);
    case AND: return random | 0xff00ff00u;
    case OR:  return random & 0x00ff00ffu;
    default:  return random;
    }
}

// Every thread does `passes` operations on one of n_words words. A result that is used has to come back, one that is not used is only sent.
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
    unsigned initial;   // what all words hold at first
    void (*kernel[2])(unsigned *words, unsigned n_words, unsigned passes, unsigned *returned);   // [is the result used?]
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

static unsigned threads, n_words[3];            // n_words by contention
static unsigned *words, *returned;              // device: as many as threads
static unsigned *host, *want, *got, *total;     // the same on the host

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "demo_atomics: %s: %s\n", what, cudaGetErrorString(error));
    exit(3);
}

static void *allocate(size_t bytes)
{
    void *p = malloc(bytes);

    if (!p) {
        fprintf(stderr, "demo_atomics: no memory for %zu bytes\n", bytes);
        exit(3);
    }
    return p;
}

static void set_words(int op)
{
    for (unsigned i = 0; i < threads; i++)
        host[i] = ops[op].initial;
    check(cudaMemcpy(words, host, threads * sizeof *host, cudaMemcpyHostToDevice), "setting the words");
}

static void expect(unsigned is, unsigned should_be, const char *what, int op, int level, unsigned word)
{
    if (is == should_be)
        return;
    fprintf(stderr, "demo_atomics: %s under %s contention: %sword %u of %u: %u, not %u\n", ops[op].name, contention[level], what, word,
            n_words[level], is, should_be);
    exit(1);
}

// Compares what the device makes of the words with the same operations on the CPU, one after the other.
static void check_result(int op, int level, int used)
{
    unsigned n = n_words[level];

    set_words(op);
    ops[op].kernel[used]<<<threads / BLOCK, BLOCK>>>(words, n, CHECKED_PASSES, returned);
    check(cudaGetLastError(), "launching");
    check(cudaMemcpy(got, words, n * sizeof *got, cudaMemcpyDeviceToHost), "copying the words");

    // `total` is the sum of all values that a word takes, the first and the last included.
    for (unsigned w = 0; w < n; w++)
        want[w] = total[w] = ops[op].initial;
    for (unsigned t = 0; t < threads; t++)
        for (unsigned pass = 0; pass < CHECKED_PASSES; pass++) {
            want[t % n] = on_host(op, want[t % n], operand(op, t, pass));
            total[t % n] += want[t % n];
        }
    // Exch is the one whose result depends on the turns: what any thread wrote last may be what stays.
    for (unsigned t = 0; t < threads && op == EXCH; t++)
        if (operand(op, t, CHECKED_PASSES - 1) == got[t % n])
            want[t % n] = got[t % n];
    for (unsigned w = 0; w < n; w++)
        expect(got[w], want[w], "", op, level, w);

    // The results are all values but the last. Which those are depends on the turns too, save for these:
    if (!used || (level != NO && op != EXCH && op != INC && op != DEC))
        return;
    check(cudaMemcpy(host, returned, threads * sizeof *host, cudaMemcpyDeviceToHost), "copying the results");
    for (unsigned w = 0; w < n; w++)
        want[w] = 0;
    for (unsigned t = 0; t < threads; t++)
        want[t % n] += host[t];
    for (unsigned w = 0; w < n; w++)
        expect(want[w], total[w] - got[w], "the results' sum of ", op, level, w);
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

// The time of one launch in ms.
static float launch_ms(int op, int level, int used, unsigned passes, cudaEvent_t start, cudaEvent_t stop)
{
    float ms;

    set_words(op);
    check(cudaEventRecord(start, cudaStreamPerThread), "recording the start");
    ops[op].kernel[used]<<<threads / BLOCK, BLOCK, 0, cudaStreamPerThread>>>(words, n_words[level], passes, returned);
    check(cudaGetLastError(), "launching");
    check(cudaEventRecord(stop, cudaStreamPerThread), "recording the end");
    check(cudaEventSynchronize(stop), "running the kernel");
    check(cudaEventElapsedTime(&ms, start, stop), "reading the time");
    return ms;
}

// The median rate in operations a second; each sample is at least 1 ms long.
static double rate(int op, int level, int used)
{
    cudaEvent_t start, stop;
    unsigned passes = 16;
    float ms[SAMPLES];

    check(cudaEventCreate(&start), "creating an event");
    check(cudaEventCreate(&stop), "creating an event");
    while (launch_ms(op, level, used, passes, start, stop) < 1 && passes < 1 << 20)
        passes *= 2;
    for (int i = 0; i < SAMPLES; i++)
        ms[i] = launch_ms(op, level, used, passes, start, stop);
    check(cudaEventDestroy(start), "freeing an event");
    check(cudaEventDestroy(stop), "freeing an event");
    qsort(ms, SAMPLES, sizeof *ms, by_value);
    return 1e3 * threads * passes / ms[SAMPLES / 2];
}

// The slides' third way to combine blocks, taken to the extreme: no reduction at all, each element added to the sum in memory.
template <class T>
__global__ void sum_by_atomics(const T *x, T *sum)
{
    atomicAdd(sum, x[blockIdx.x * blockDim.x + threadIdx.x]);
}

// Sums x RUNS times. Returns how many different sums there were, which are then the first of `sums`.
template <class T>
static int different_sums(const T *x, T *sums)
{
    T *x_d, *sum_d, sum;
    int n = 0, i;

    check(cudaMalloc((void **)&x_d, SUMMANDS * sizeof *x), "allocating the summands");
    check(cudaMalloc((void **)&sum_d, sizeof sum), "allocating the sum");
    check(cudaMemcpy(x_d, x, SUMMANDS * sizeof *x, cudaMemcpyHostToDevice), "copying the summands");
    for (int run = 0; run < RUNS; run++) {
        check(cudaMemset(sum_d, 0, sizeof sum), "clearing the sum");
        sum_by_atomics<<<SUMMANDS / BLOCK, BLOCK>>>(x_d, sum_d);
        check(cudaGetLastError(), "launching");
        check(cudaMemcpy(&sum, sum_d, sizeof sum, cudaMemcpyDeviceToHost), "copying the sum");
        for (i = 0; i < n && sums[i] != sum; i++)
            ;
        sums[i] = sum;
        n += i == n;
    }
    check(cudaFree(x_d), "freeing the summands");
    check(cudaFree(sum_d), "freeing the sum");
    return n;
}

static void show_sums(void)
{
    unsigned *x = (unsigned *)allocate(SUMMANDS * sizeof *x), sum = 0, sums[RUNS];
    float *xf = (float *)allocate(SUMMANDS * sizeof *xf), sums_f[RUNS], low, high;
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
        if (sums[i] != sum) {
            fprintf(stderr, "demo_atomics: a sum of unsigned is %u, not %u\n", sums[i], sum);
            exit(1);
        }
    printf("unsigned  %2d sum:  %u each time, as on the CPU\n", n, sum);

    n = different_sums(xf, sums_f);
    low = high = sums_f[0];
    for (int i = 0; i < n; i++) {
        low = fminf(low, sums_f[i]);
        high = fmaxf(high, sums_f[i]);
        // Each of the n additions of positive numbers is off by at most 2^-24 of the sum, in whatever order.
        if (!(fabs(sums_f[i] - exact) <= SUMMANDS * exact / (1 << 24))) {
            fprintf(stderr, "demo_atomics: a sum of floats is %.9g, too far from %.9g\n", sums_f[i], exact);
            exit(1);
        }
    }
    if (n == 1)
        printf("float      1 sum:  %.9g each time; %.9g in double. Another order could round to another sum: these runs show none\n", low, exact);
    else
        printf("float     %2d sums: from %.9g to %.9g; %.9g in double. Each run adds in another order, and so rounds otherwise\n", n, low, high,
               exact);
    free(x);
    free(xf);
}

int main(int argc, char **argv)
{
    char *end = NULL;
    long shared_words = argc == 2 ? strtol(argv[1], &end, 10) : 256;
    int sms = 0, threads_an_sm = 0;
    cudaEvent_t event;
    float ms;
    bool timed;

    if (argc > 2 || (argc == 2 && (end == argv[1] || *end)) || shared_words < 2 || shared_words > MOST_SHARED) {
        fprintf(stderr, "demo_atomics: %s: expected one number of words that threads share under some contention, 2 to %d\n", argv[argc - 1],
                MOST_SHARED);
        return 2;
    }
    check(cudaEventCreate(&event), "creating an event");
    check(cudaEventRecord(event, cudaStreamPerThread), "recording an event");
    check(cudaEventSynchronize(event), "waiting for an event");
    timed = cudaEventElapsedTime(&ms, event, event) != cudaErrorNotSupported;
    cudaGetLastError();   // the answer no is no error here
    check(cudaEventDestroy(event), "freeing an event");
    // As many threads as the GPU holds at a time; a few on the CPU device, which holds none.
    threads = 8 * BLOCK;
    if (timed) {
        check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0), "asking for the number of SMs");
        check(cudaDeviceGetAttribute(&threads_an_sm, cudaDevAttrMaxThreadsPerMultiProcessor, 0), "asking for the threads of an SM");
        threads = sms * threads_an_sm / BLOCK * BLOCK;
    }
    n_words[NO] = threads;
    n_words[SOME] = (unsigned)shared_words;
    n_words[FULL] = 1;

    host = (unsigned *)allocate(threads * sizeof *host);
    want = (unsigned *)allocate(threads * sizeof *want);
    got = (unsigned *)allocate(threads * sizeof *got);
    total = (unsigned *)allocate(threads * sizeof *total);
    check(cudaMalloc((void **)&words, threads * sizeof *words), "allocating the words");
    check(cudaMalloc((void **)&returned, threads * sizeof *returned), "allocating the results");

    printf("%u threads. No contention: a word for each; some: %u words for all; full: one word for all.\n", threads, n_words[SOME]);
    if (timed)
        printf("Each is checked, then timed: 10^9 operations a second, medians of %d runs.\n\n", SAMPLES);
    else
        printf("Each is checked. This device does not tell the time: for rates run it on a GPU.\n\n");
    printf("%-12s%30s%30s\n%-12s", "", "result not used", "result used", "contention");
    for (int i = 0; i < 6; i++)
        printf("%10s", contention[i % 3]);
    printf("\n");
    for (int op = 0; op < OPS; op++) {
        printf("%-12s", ops[op].name);
        for (int used = 0; used < 2; used++)
            for (int level = NO; level <= FULL; level++) {
                check_result(op, level, used);
                if (timed)
                    printf("%10.2f", 1e-9 * rate(op, level, used));
                else
                    printf("%10s", "right");
                fflush(stdout);
            }
        printf("\n");
    }
    show_sums();

    check(cudaFree(words), "freeing the words");
    check(cudaFree(returned), "freeing the results");
    free(host);
    free(want);
    free(got);
    free(total);
    return 0;
}
