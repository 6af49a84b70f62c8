// summation: how far off a sum of floats is when one processor makes it, in three orders. What the
// stages' errors are compared with.
//
// make summation && ./summation;
// make errors lets the stages sum the same floats, and make plots draws it all
//
//   naive     one running sum. It grows as sqrt(n) here, and each addition errs by a part of the
//   sum that there is by then pairwise  sums of pairs, of pairs of pairs, and so on: an element
//   takes part in log2(n) additions only, as in a tree of the stages kahan     a running sum that
//   keeps what each addition has lost and adds it to the next element (W. Kahan, CACM 8(1), 1965)
//
// No GPU needed, and no fast-math: a compiler that may reorder additions takes Kahan's correction
// out.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/harness/week.h"

enum { MOST_DOUBLINGS = 34, SEEDS = 6, DEFAULT_DOUBLINGS = 24 };
enum method { NAIVE, PAIRWISE, KAHAN, METHODS };

static const char *const method_name[METHODS] = { "naive", "pairwise", "kahan" };

static const char help[] = "usage: summation [LARGEST]         the mean error of 6 seeds, for n = "
                           "1, 4, 16, ... up to LARGEST, which is 2^24 if not given\n"
                           "       summation --tsv [LARGEST]   the error of each seed, for n = 1, "
                           "2, 4, ...: rows for plots/summation_error.gp\n"
                           "       summation --help\n"
                           "\n"
                           "Exit status: 0 right; 2 bad usage.\n";

// |sum - exact| for the first 1, 2, 4, ... elements that week 2 has for this seed, in float, by
// each method.
static void errors(uint64_t seed, int doublings, double error[METHODS][MOST_DOUBLINGS + 1])
{
    double exact = 0;
    // pair[k]: the sum of 2^k elements that waits for its neighbour
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

// The seeds are those of make errors.
static void print_rows(int doublings)
{
    static double error[METHODS][MOST_DOUBLINGS + 1];

    printf("week\tstage\tname\tdevice\ttype\tsize\tknobs\tmode\tstatus\tseed\tmax_error\n");
    for (int seed = 1; seed < 2 * SEEDS; seed += 2) {
        errors(seed, doublings, error);
        for (int m = 0; m < METHODS; m++)
            for (int k = 0; k <= doublings; k++)
                printf("02_reduction\tref_%s\t%s\thost\tfloat\t%lld\t\tcheck\tok\t%d\t%.6g\n",
                       method_name[m], method_name[m], 1LL << k, seed, error[m][k]);
    }
}

static void print_means(int doublings)
{
    static double error[METHODS][MOST_DOUBLINGS + 1], mean[METHODS][MOST_DOUBLINGS + 1];

    for (int seed = 1; seed < 2 * SEEDS; seed += 2) {
        errors(seed, doublings, error);
        for (int m = 0; m < METHODS; m++)
            for (int k = 0; k <= doublings; k++)
                mean[m][k] += error[m][k] / SEEDS;
    }
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
    int rows = argc > 1 && strcmp(argv[1], "--tsv") == 0, doublings = DEFAULT_DOUBLINGS;
    const char *largest = argc > 1 + rows ? argv[1 + rows] : NULL;

    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return 0;
    }
    if (largest) {
        char *end;
        long long n = strtoll(largest, &end, 10);

        if (argc > 2 + rows || end == largest || *end || n < 1 || n > 1LL << MOST_DOUBLINGS) {
            fprintf(stderr,
                    "summation: '%s': expected one number of elements, 1 to 2^%d; see --help\n",
                    argv[argc - 1], MOST_DOUBLINGS);
            return 2;
        }
        for (doublings = 0; 2LL << doublings <= n; doublings++)
            ;
    }
    if (rows)
        print_rows(doublings);
    else
        print_means(doublings);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "summation: stdout cannot be written\n");
        return 2;
    }
    return 0;
}
