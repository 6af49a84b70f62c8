// Links: common/harness/options.c common/harness/problem.c
#include "options.h"

#include "backend.h"
#include "tap.h"
#include "unit_week.h"

const int on_cpu_device = 0;
const char *backend_rules(const char *capability) { return (void)capability, ""; }

static struct options o;
static char message[MESSAGE];

// Parses a command line given as words parted by blanks.
static int parse(const char *words)
{
    static char copy[256];
    char *argv[32] = { "stage3" };
    int argc = 1;

    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    message[0] = '\0';
    return options_parse(argc, argv, &o, message);
}

static void taken(const char *words, int right)
{
    if (!ok(right, "'%s'", words))
        printf("#   %s\n", message);
}

static void refused(const char *words, const char *value, const char *accepted)
{
    if (!ok(parse(words) != 0, "'%s' is refused", words))
        return;
    has(message, value, "  naming option and value");
    has(message, accepted, "  and what is accepted");
    ok(strchr(message, '\n') == NULL, "  in one line");
}

int main(void)
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
    taken("--reps 7 --seed 18446744073709551615 --device 2 --tsv -",
          parse("--reps 7 --seed 18446744073709551615 --device 2 --tsv -") == 0 && o.reps == 7 &&
              o.problem.seed == UINT64_MAX && o.device == 2 && strcmp(o.tsv, "-") == 0);
    taken("--help", parse("--help --bogus") == 0 && o.action == HELP);
    taken("--version", parse("--version") == 0 && o.action == VERSION);

    taken("--shift 3 --mirror", parse("--shift 3 --mirror") == 0 &&
                                    o.problem.option[UNIT_SHIFT] == 3 &&
                                    o.problem.option[UNIT_MIRROR] && !o.sized);
    taken("--mirror --shmoo", parse("--mirror --shmoo") == 0);
    taken("--check --shift 3 --size 9", parse("--check --shift 3 --size 9") == 0 && o.sized);
    taken("--load x",
          parse("--load x") == 0 && o.sized && o.problem.dim[0] == 3 && o.problem.dim[1] == 5);
    taken("--save x --bench", parse("--save x --bench") == 0);

    refused("--shift", "--shift", "needs a value");
    refused("--shift x", "--shift 'x'", "accepted is a number");
    refused("--mirror=1", "--mirror=1", "--help");
    refused("--shift 5 --size 4", "--size '4'", "at most the columns");
    refused("--shift 9", "without --size the size is 4x8", "at most the columns");
    refused("--load x --shift 6", "--load, 3x5", "at most the columns");
    refused("--load x --size 4", "--size and --load", "choose one");
    refused("--shift 3 --shmoo", "--shift and --shmoo", "choose one");
    refused("--shift 3 --shmoo --check", "--shift and --shmoo", "choose one");
    refused("--shift 3 --check", "--shift", "beside --size");
    refused("--save x --check --size 4", "--save and --check", "choose one");
    refused("--save x --once", "--save and --once", "choose one");
    refused("--save x --claims", "--save and --claims", "choose one");

    refused("--size 0", "--size '0'", "accepted is N or RxC");
    refused("--size -3", "--size '-3'", "rows x columns");
    refused("--size x", "--size 'x'", "accepted");
    refused("--size 3x", "--size '3x'", "accepted");
    refused("--size 3y4", "--size '3y4'", "accepted");
    refused("--size 3x4x5", "too many", "accepted");
    refused("--size 0x10", "--size '0x10'", "accepted");
    refused("--size 1e4", "--size '1e4'", "accepted");
    refused("--size 99999999999999999999", "too large", "accepted");
    refused("--size 65536x65536", "too large", "below 2^31");
    refused("--size 9223372036854775807", "too large", "below 2^31");
    refused("--size", "--size", "needs a value");
    refused("--type double", "--type 'double'", "float, int");
    refused("--reps 0", "--reps '0'", "from 1 to");
    refused("--reps 99999999", "--reps '99999999'", "from 1 to");
    refused("--reps 1.5", "--reps '1.5'", "from 1 to");
    refused("--seed -1", "--seed '-1'", "from 0 to");
    refused("--seed 18446744073709551616", "too large", "from 0 to");
    refused("--device x", "--device 'x'", "from 0 to");
    refused("--bogus", "--bogus", "--help");
    refused("-z", "-z", "--help");
    refused("--hot=1", "--hot=1", "--help");
    refused("stray", "'stray'", "--help");
    refused("--check --bench", "--check and --bench", "choose one");
    refused("--check --claims", "--check", "choose one");
    refused("--once --tsv x", "--tsv", "choose one");
    refused("--shmoo --bench", "--shmoo and --bench", "choose one");
    refused("--count", "--count", "make profile");
    refused("--exact", "--exact", "--check only");
    refused("--lines", "--lines", "CPU device only");
    refused("--rules 1.1", "--rules", "CPU device only");
    taken("--shmoo --alone", parse("--shmoo --alone") == 0 && o.alone);
    return done_testing();
}
