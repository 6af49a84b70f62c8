// summation: the error of a sum of floats on one processor, in three orders, to compare the errors
// of the stages with.
//
// make summation && ./summation;
// make errors lets the stages sum the same floats, and make plots draws all of them
//
//   naive     one running sum. It grows as sqrt(n) here, and the error of each addition is
//             proportional to the sum so far
//   pairwise  sums of pairs, of pairs of pairs, and so on: an element takes part in only log2(n)
//             additions, as in a reduction tree of the stages
//   kahan     a running sum that keeps what each addition lost and adds it to the next element
//             (compensated summation; W. Kahan, CACM 8(1), 1965)
//
// No GPU needed. Compile without -ffast-math: a compiler that may reorder additions removes Kahan's
// correction.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/harness/week.h"
#include "../common/table/program.h"
#include "../common/table/table.h"

enum { MOST_DOUBLINGS = 34, SEEDS = 6, DEFAULT_DOUBLINGS = 24 };
enum method { NAIVE, PAIRWISE, KAHAN, METHODS };

static const char *const method_name[METHODS] = { "naive", "pairwise", "kahan" };

static const char help[] =
    "usage: summation [options]\n"
    "The mean error of 6 seeds, for n = 1, 4, 16, ...\n"
    "  -n, --size N     the largest n; default 16777216\n"
    "      --tsv FILE   also append rows to FILE: the error of each seed, for n = 1, 2, 4, ...;\n"
    "                   -: print only these\n"
    "      --help       this text\n"
    "\n"
    "Exit status: 0 success; 2 bad usage or unusable file.\n";

// An element of [method][k] is about the sum of 2^k floats.
typedef double results[METHODS][MOST_DOUBLINGS + 1];

// Computes |sum - exact| for the first 1, 2, 4, ... elements of week 2's input for this seed, in
// float, by each method.
static void errors(uint64_t seed, int doublings, results error)
{
    double exact = 0;
    // pair[k]: the sum of 2^k elements that waits for its neighbor
    float naive = 0, kahan = 0, lost = 0, pair[MOST_DOUBLINGS + 1];
    long long n = 0;

    for (int k = 0; k <= doublings; k++) {
        for (; n < 1LL << k; n++) {
            // as fill() in reduction.c
            float x = (float)((int64_t)hash64(seed, n) >> 40) * 0x1p-23f;
            float corrected = x - lost, next = kahan + corrected;
            int level = 0;

            exact += x;
            naive += x;
            lost = (next - kahan) - corrected;
            kahan = next;
            for (; n >> level & 1; level++)
                x = pair[level] + x;
            pair[level] = x;
        }
        error[NAIVE][k] = fabs(naive - exact);
        error[PAIRWISE][k] = fabs(pair[k] - exact);
        error[KAHAN][k] = fabs(kahan - exact);
    }
}

static void put_row(struct appender *to, int method, int seed, int k, double error)
{
    struct row row = row_empty();

    row.week = "02_reduction";
    row_set(&row, stage, "ref_%s", method_name[method]);
    row.name = method_name[method];
    row.device = "host";
    row.type = "float";
    row_set(&row, size, "%lld", 1LL << k);
    row.mode = "check";
    row.status = status_word(STATUS_OK);
    row_set(&row, seed, "%d", seed);
    row_set(&row, max_error, "%.6g", error);
    appender_put(to, &row);
}

static void print_means(int doublings, results mean)
{
    printf("Sums of n floats, spread evenly over [-1, 1): |sum in float - sum in double|, mean of "
           "%d seeds\n\n",
           SEEDS);
    printf("%12s %12s %12s %12s %14s\n", "n", method_name[NAIVE], method_name[PAIRWISE],
           method_name[KAHAN], "typical sum");
    for (int k = 0; k <= doublings; k += 2)
        printf("%12lld %12.3g %12.3g %12.3g %14.4g\n", 1LL << k, mean[NAIVE][k], mean[PAIRWISE][k],
               mean[KAHAN][k], sqrt((1LL << k) / 3.0));
}

// Returns the exponent of the largest power of two that is at most the number in the text.
static int doublings_of(const char *text)
{
    char *end;
    long long n = strtoll(text, &end, 10);
    int doublings = 0;

    if (end == text || *end || n < 1 || n > 1LL << MOST_DOUBLINGS)
        die(STATUS_USAGE, "--size '%s': expected a number of elements, 1 to %lld", text,
            1LL << MOST_DOUBLINGS);
    while (2LL << doublings <= n)
        doublings++;
    return doublings;
}

static void parse_options(int argc, char **argv, int *doublings, const char **file)
{
    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i];
        int size = strcmp(name, "--size") == 0 || strcmp(name, "-n") == 0;

        if (strcmp(name, "--help") == 0) {
            fputs(help, stdout);
            exit(finish(STATUS_OK));
        }
        if (!size && strcmp(name, "--tsv") != 0)
            die(STATUS_USAGE, "'%s': unknown option; see --help", name);
        if (i + 1 == argc)
            die(STATUS_USAGE, "%s: needs a value; see --help", name);
        if (size)
            *doublings = doublings_of(argv[i + 1]);
        else
            *file = argv[i + 1];
    }
}

int main(int argc, char **argv)
{
    static results error, mean;
    int doublings = DEFAULT_DOUBLINGS;
    struct note note[] = { { "device", "host" }, { "date", date_text() } };
    const char *file = NULL;
    struct appender to;

    parse_options(argc, argv, &doublings, &file);
    appender_open(&to, file, note, 2, command_text(argc, argv));
    // the seeds of `runs`
    for (int seed = 1; seed < 2 * SEEDS; seed += 2) {
        errors(seed, doublings, error);
        for (int m = 0; m < METHODS; m++)
            for (int k = 0; k <= doublings; k++) {
                put_row(&to, m, seed, k, error[m][k]);
                mean[m][k] += error[m][k] / SEEDS;
            }
    }
    print_means(doublings, mean);
    return finish(STATUS_OK);
}
