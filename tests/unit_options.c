// Links: common/harness/options.c common/harness/problem.c
#include "options.h"

#include <setjmp.h>

#include "backend.h"
#include "program.h"
#include "tap.h"
#include "unit_week.h"

const int on_cpu_device = 0;
const char *emu_rules(const char *capability) { return (void)capability, ""; }

static struct options o;
static char message[640];
static jmp_buf ended;

static void keep_message(void *context, enum status status, const char *text)
{
    (void)context, (void)status;
    snprintf(message, sizeof message, "%s", text);
    longjmp(ended, 1);
}

// Parses a command line given as words separated by blanks.
static int parse(const char *words)
{
    static char copy[256];
    char *argv[32] = { "stage3" };
    volatile int argc = 1;   // as setjmp() requires

    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    message[0] = '\0';
    on_die(keep_message, NULL);
    if (setjmp(ended))
        return -1;
    options_parse(argc, argv, &week, &o);
    return 0;
}

static void taken(const char *words, int right)
{
    if (!ok(right, "'%s' is accepted", words))
        printf("#   %s\n", message);
}

static void refused(const char *words, const char *value, const char *expected)
{
    if (!ok(parse(words) != 0, "'%s' is refused", words))
        return;
    has(message, value, "  the message names option and value");
    has(message, expected, "  the message says what is expected");
    ok(strchr(message, '\n') == NULL, "  the message is one line");
}

static void expected(void)
{
    taken("", parse("") == 0 && o.action == RUN && !o.sized && o.problem.seed == 1 && o.reps == 0 &&
                  o.problem.type == TYPE_F32 && !o.tsv);
    taken("--size 64", parse("--size 64") == 0 && o.sized && o.problem.dim[0] == 64 &&
                           o.problem.dim[1] == 64 && o.problem.dim[2] == 1);
    taken("-n 3x5", parse("-n 3x5") == 0 && o.problem.dim[0] == 3 && o.problem.dim[1] == 5);
    taken("--size=46340x46340", parse("--size=46340x46340") == 0 && o.problem.dim[0] == 46340);
    taken("--type int", parse("--type int") == 0 && o.problem.type == TYPE_I32);
    taken("--check", parse("--check") == 0 && o.action == CHECK);
    taken("--check --exact", parse("--check --exact") == 0 && o.action == CHECK && o.exact);
    taken("--bench --hot --claims",
          parse("--bench --hot --claims") == 0 && o.action == BENCH && o.hot && o.claims);
    taken("--check --tsv x",
          parse("--check --tsv x") == 0 && o.action == CHECK && !o.sweep && o.tsv);
    taken("--shmoo --check", parse("--shmoo --check") == 0 && o.action == CHECK && o.sweep);
    taken("--check --shmoo --size 4",
          parse("--check --shmoo --size 4") == 0 && o.action == CHECK && o.sweep && o.sized);
    taken("--shmoo --size 4",
          parse("--shmoo --size 4") == 0 && o.action == SHMOO && !o.sweep && o.sized);
    taken("--shmoo --hot", parse("--shmoo --hot") == 0 && o.action == SHMOO && o.hot);
    taken("--reps 7 --seed 9223372036854775806 --device 2 --tsv -",
          parse("--reps 7 --seed 9223372036854775806 --device 2 --tsv -") == 0 && o.reps == 7 &&
              o.problem.seed == INT64_MAX - 1 && o.device == 2 && strcmp(o.tsv, "-") == 0);
    taken("--help", parse("--help --bogus") == 0 && o.action == HELP);
    taken("--version", parse("--version") == 0 && o.action == VERSION);
    taken("--shmoo --alone", parse("--shmoo --alone") == 0 && o.alone);
}

static void of_the_week(void)
{
    taken("--shift 3 --mirror", parse("--shift 3 --mirror") == 0 &&
                                    o.problem.option[UNIT_SHIFT] == 3 &&
                                    o.problem.option[UNIT_MIRROR] && !o.sized);
    taken("--mirror --shmoo", parse("--mirror --shmoo") == 0);
    taken("--check --shift 3 --size 9", parse("--check --shift 3 --size 9") == 0 && o.sized);
    taken("--load x",
          parse("--load x") == 0 && o.sized && o.problem.dim[0] == 3 && o.problem.dim[1] == 5);
    taken("--save x --bench", parse("--save x --bench") == 0);

    refused("--shift", "--shift", "needs a value");
    refused("--shift x", "--shift 'x'", "expected a number");
    refused("--mirror=1", "--mirror=1", "--help");
    refused("--shift 5 --size 4", "--size '4'", "at most the columns");
    refused("--shift 9", "the default size 4x8", "at most the columns");
    refused("--load x --shift 6", "--load, 3x5", "at most the columns");
    refused("--load x --size 4", "--size and --load", "choose one");
    refused("--shift 3 --shmoo", "--shift and --shmoo", "choose one");
    refused("--shift 3 --shmoo --check", "--shift and --shmoo", "choose one");
    refused("--shift 3 --check", "--shift", "give --size too");
    refused("--save x --check --size 4", "--save and --check", "choose one");
    refused("--save x --once", "--save and --once", "choose one");
    refused("--save x --claims", "--save and --claims", "choose one");
}

static void bad_sizes(void)
{
    refused("--size 0", "--size '0'", "expected N or RxC");
    refused("--size -3", "--size '-3'", "rows x columns");
    refused("--size x", "--size 'x'", "expected");
    refused("--size 3x", "--size '3x'", "expected");
    refused("--size 3y4", "--size '3y4'", "expected");
    refused("--size 3x4x5", "too many", "expected");
    refused("--size 0x10", "--size '0x10'", "expected");
    refused("--size 1e4", "--size '1e4'", "expected");
    refused("--size 99999999999999999999", "too large", "expected");
    refused("--size 65536x65536", "--size '65536x65536'", "below 2^31");
    refused("--size 9223372036854775807", "--size '9223372036854775807'", "below 2^31");
    refused("--size", "--size", "needs a value");
}

static void bad_values(void)
{
    refused("--type double", "--type 'double'", "float, int");
    refused("--reps 0", "--reps '0'", "from 1 to");
    refused("--reps 99999999", "--reps '99999999'", "from 1 to");
    refused("--reps 1.5", "--reps '1.5'", "from 1 to");
    refused("--seed -1", "--seed '-1'", "from 0 to");
    refused("--seed 18446744073709551616", "--seed '18446744073709551616'", "from 0 to");
    refused("--device x", "--device 'x'", "from 0 to");
    refused("--bogus", "--bogus", "--help");
    refused("-z", "-z", "--help");
    refused("--hot=1", "--hot=1", "--help");
    refused("stray", "'stray'", "--help");
}

static void not_together(void)
{
    refused("--check --bench", "--check and --bench", "choose one");
    refused("--check --claims", "--check", "choose one");
    refused("--once --tsv x", "--tsv", "choose one");
    refused("--shmoo --bench", "--shmoo and --bench", "choose one");
    refused("--count", "--count", "make profile");
    refused("--lanes", "--lanes", "only the CPU device records");
    refused("--trace", "--trace", "only the CPU device records");
    refused("--exact", "--exact", "only with --check");
    refused("--lines", "--lines", "only the CPU device");
    refused("--rules 1.1", "--rules", "only the CPU device");
    refused("--sms 132", "--sms", "only the CPU device");
}

int main(void)
{
    expected();
    of_the_week();
    bad_sizes();
    bad_values();
    not_together();
    return done_testing();
}
