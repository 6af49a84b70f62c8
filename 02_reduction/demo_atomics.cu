// demo_atomics: contention: the rate of CUDA's atomic operations, by threads per word
//
// An atomic operation reads a word, computes, and writes the word back as one indivisible step.
// Operations of several threads on one word are served one after the other (contention), in an
// undefined order. The order does not change a sum of integers, but the rounding of a sum of
// floats: demo_combine.
//
//   contention   no: one word per thread     some: 256 words for all threads     full: one word
//
// make demo_atomics && ./demo_atomics        ./demo_atomics --words 32
#include "../common/harness/demo.h"

enum { ADD, SUB, EXCH, MIN, MAX, INC, DEC, CAS, AND, OR, XOR, OPS };
enum { BLOCK = 256, MOST_SHARED = 1024 };

// Applies the operation to a word. All operations also return the old value, which is not used.
template <int OP> __device__ void apply(unsigned *word, unsigned v)
{
    switch (OP) {
    case ADD: atomicAdd(word, v); break;
    case SUB: atomicSub(word, v); break;
    case EXCH: atomicExch(word, v); break;
    case MIN: atomicMin(word, v); break;
    case MAX: atomicMax(word, v); break;
    case INC: atomicInc(word, v); break;
    case DEC: atomicDec(word, v); break;
    case CAS: atomicCAS(word, v, v + 1); break;
    case AND: atomicAnd(word, v); break;
    case OR: atomicOr(word, v); break;
    default: atomicXor(word, v);
    }
}

// Each thread performs `passes` operations on one of n_words words.
template <int OP> __global__ void operate(unsigned *words, unsigned n_words, unsigned passes)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;

    for (unsigned pass = 0; pass < passes; pass++)
        apply<OP>(&words[thread % n_words], thread + pass);
}

static const struct {
    const char *name;
    const char *meaning;   // the new value of word w
    void (*kernel)(unsigned *words, unsigned n_words, unsigned passes);
} ops[OPS] = {
    { "atomicAdd(&w, v)", "w + v", operate<ADD> },
    { "atomicSub(&w, v)", "w - v", operate<SUB> },
    { "atomicExch(&w, v)", "v", operate<EXCH> },
    { "atomicMin(&w, v)", "min(w, v)", operate<MIN> },
    { "atomicMax(&w, v)", "max(w, v)", operate<MAX> },
    { "atomicInc(&w, v)", "w >= v ? 0 : w + 1", operate<INC> },
    { "atomicDec(&w, v)", "w == 0 || w > v ? v : w - 1", operate<DEC> },
    { "atomicCAS(&w, u, v)", "w == u ? v : w", operate<CAS> },
    { "atomicAnd(&w, v)", "w & v", operate<AND> },
    { "atomicOr(&w, v)", "w | v", operate<OR> },
    { "atomicXor(&w, v)", "w ^ v", operate<XOR> },
};

// Returns operations per second, of launches that take 1 ms or more.
static double rate(int op, unsigned threads, unsigned *words, unsigned n_words)
{
    for (unsigned passes = 16;; passes *= 2) {
        double us = demo_time_of([=] {
                        ops[op].kernel<<<threads / BLOCK, BLOCK>>>(words, n_words, passes);
                    }).median;

        if (us >= 1000 || passes >= 1 << 20)
            return 1e6 * threads * passes / us;
    }
}

int main(int argc, char **argv)
{
    const char *some = "256";
    const struct argument known[] = {
        { "--words", "N words for all threads under some contention, 2 to 1024; default 256", &some,
          NULL }
    };
    struct device device;

    take_arguments(argc, argv, "The rate of CUDA's atomic operations by contention", known, 1);
    unsigned n_some = argument_number("--words", some, 2, MOST_SHARED);
    device_open(0, &device);
    // As many threads as are resident on the GPU at a time; a few on the CPU device.
    unsigned resident = device.sms * demo_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    unsigned threads = on_cpu_device ? 8 * BLOCK : resident / BLOCK * BLOCK;
    unsigned *words = demo_allocate<unsigned>(threads);

    printf("%s%s%s: %u threads. No contention: a word for each; some: %u words for all; full: one "
           "word for all.\n",
           device.name, device.cuda[0] ? ", CUDA " : "", device.cuda, threads, n_some);
    puts(on_cpu_device
             ? "The CPU device does not measure time; rates need a GPU.\n"
             : text_of("10^9 operations per second, medians of %d launches.\n", DEMO_SAMPLES));
    printf("%-20s %-30s%9s%9s%9s\n", "operation", "new value of w", "no", "some", "full");
    for (int op = 0; op < OPS; op++) {
        printf("%-20s %-*s", ops[op].name, on_cpu_device ? 0 : 30, ops[op].meaning);
        for (unsigned n_words : { threads, n_some, 1u })
            if (on_cpu_device)
                ops[op].kernel<<<threads / BLOCK, BLOCK>>>(words, n_words, 1);
            else
                printf("%9.2f", 1e-9 * rate(op, threads, words, n_words));
        cuda_must(cudaDeviceSynchronize(), "running the kernels");
        printf("\n");
    }
    return finish(STATUS_OK);
}
