// summation: the error of a sum of floats on the host, by three methods. The errors of the stages
// are compared with these.
//
// make summation && ./summation
// make errors          the same floats, summed by the stages; make plots draws all errors
//
//   naive     one running sum. The error of each addition is proportional to the sum so far,
//             which grows as sqrt(n) here
//   pairwise  sums of pairs, of pairs of pairs, and so on. An element takes part in only log2(n)
//             additions, as in the trees of the stages
//   kahan     compensated summation: a running sum that adds the rounding error of each addition
//             to the next element (W. Kahan, CACM 8(1), 1965)
//
// No GPU needed. Do not compile with -ffast-math: a compiler that may reorder additions removes
// Kahan's correction.
#include <math.h>
#include <stdio.h>

#include "../common/harness/week.h"
#include "../common/base/arguments.h"
#include "../common/base/program.h"
#include "../common/table/table.h"

enum { MOST_DOUBLINGS = 34, SEEDS = 6 };
enum method { NAIVE, PAIRWISE, KAHAN, METHODS };

static const char *const method_name[METHODS] = { "naive", "pairwise", "kahan" };

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
    appender_put(to, &row, 1);
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

int main(int argc, char **argv)
{
    static results error, mean;
    const char *size = "16777216", *file = NULL;
    const struct argument known[] = {
        { "--size", "N the largest n; default 16777216", &size, NULL },
        { ARGUMENT_TSV ", for n = 1, 2, 4, ... and each seed", &file, NULL },
    };
    struct note note[] = { { "device", "host" }, { "date", date_text() } };
    struct appender to;
    int doublings = 0;

    take_arguments(argc, argv, "the mean error of float sums of n elements, n = 1, 4, 16, ...",
                   known, 2);
    for (long long n = argument_number("--size", size, 1, 1LL << MOST_DOUBLINGS); n > 1; n /= 2)
        doublings++;
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
