#define _GNU_SOURCE   // program_invocation_short_name
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "problem.h"
#include "program.h"

// one option per line
// clang-format off
static const struct option options[] = {
    { "size", required_argument, NULL, 'n' },
    { "type", required_argument, NULL, 't' },
    { "check", no_argument, NULL, 'c' },
    { "bench", no_argument, NULL, 'b' },
    { "count", no_argument, NULL, 'C' },
    { "claims", no_argument, NULL, 'x' },
    { "shmoo", no_argument, NULL, 's' },
    { "once", no_argument, NULL, 'o' },
    { "lanes", no_argument, NULL, 'L' },
    { "trace", no_argument, NULL, 'E' },
    { "block", required_argument, NULL, 'B' },
    { "warp", required_argument, NULL, 'W' },
    { "hot", no_argument, NULL, 'w' },
    { "lines", no_argument, NULL, 'l' },
    { "exact", no_argument, NULL, 'e' },
    { "quick", no_argument, NULL, 'q' },
    { "alone", no_argument, NULL, 'a' },
    { "reps", required_argument, NULL, 'r' },
    { "seed", required_argument, NULL, 'S' },
    { "device", required_argument, NULL, 'd' },
    { "tsv", required_argument, NULL, 'T' },
    { "rules", required_argument, NULL, 'R' },
    { "sms", required_argument, NULL, 'm' },
    { "no-results", no_argument, NULL, 'N' },
    { "isolated", required_argument, NULL, 'i' },
    { "seconds", required_argument, NULL, 'u' },
    { "unconfined", no_argument, NULL, 'U' },
    { "serve", no_argument, NULL, 'v' },
    { "serve-unconfined", no_argument, NULL, 'O' },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },
    { 0 },
};
// clang-format on

enum { OWN = 256 };   // value that getopt returns for the first option of the week

static const char *const flag_of_action[] = {
    [CHECK] = "--check", [BENCH] = "--bench", [COUNT] = "--count", [SHMOO] = "--shmoo",
    [ONCE] = "--once",   [LANES] = "--lanes", [TRACE] = "--trace",
};

// A message that quotes a long value loses the middle of it.
#define fail(...) (put_message(message, text_of(__VA_ARGS__)), -1)

static void put_message(char message[MESSAGE], const char *text)
{
    size_t n = strlen(text), most = MESSAGE - 1;

    if (n > most)
        text = text_of("%s ... %s", text_head(text, most / 4), text + n - most / 2);
    snprintf(message, MESSAGE, "%s", text);
}

static int number(const char *name, const char *text, unsigned long long least,
                  unsigned long long most, unsigned long long *out, char message[MESSAGE])
{
    const char *digits = *text == '-' ? text + 1 : text;
    const char *wrong = NULL;
    char *end = NULL;

    errno = 0;
    if (!isdigit((unsigned char)*digits) || (*out = strtoull(digits, &end, 10), *end))
        wrong = "not a number";
    else if (*text == '-' || *out < least)
        wrong = "too small";
    else if (errno == ERANGE || *out > most)
        wrong = "too large";
    return wrong ? fail("%s '%s': %s; expected a whole number from %llu to %llu", name, text, wrong,
                        least, most)
                 : 0;
}

static int size(const char *text, struct options *o, char message[MESSAGE])
{
    const struct week *week = o->problem.week;
    const char *wrong = size_parse(text, &o->problem);

    if (wrong)
        return fail("--size '%s': %s; expected %s%s (%s), for example --size %s", text, wrong,
                    week->dims > 1 ? "N or " : "", week->size_form, week->size_words,
                    week->dims == 3   ? "1024x512x256"
                    : week->dims == 2 ? "1024x512"
                                      : "1048576");
    wrong = problem_limit(&o->problem);
    if (wrong)
        return fail("--size '%s': %s", text, wrong);
    o->sized = 1;
    return 0;
}

static int rules(const char *text, struct options *o, char message[MESSAGE])
{
    const char *known = on_cpu_device ? backend_rules(text) : NULL;

    if (!on_cpu_device)
        return fail("--rules: only the CPU device can count by other rules (make DEVICE=cpu)");
    if (known || rules_take(text, &o->problem))
        return fail(
            "--rules '%s': the rules of this compute capability are not known; expected one of %s",
            text, known);
    return 0;
}

static int sms(const char *text, struct options *o, char message[MESSAGE])
{
    const char *wrong = on_cpu_device ? sms_take(text, &o->problem) : NULL;

    if (!on_cpu_device)
        return fail("--sms: only the CPU device can report another number of SMs (make "
                    "DEVICE=cpu)");
    return wrong
             ? fail("--sms '%s': %s; expected a whole number from 1 to %d", text, wrong, MAX_SMS)
             : 0;
}

// Parses "5", "1,2" or "1,2,3" into the block to record.
static int block(const char *text, struct options *o, char message[MESSAGE])
{
    struct watch *w = &o->watch;
    const char *at = text;

    w->block_given = text;
    for (w->parts = 0; w->parts < 3 && isdigit((unsigned char)*at);) {
        char *end;
        unsigned long long value = strtoull(at, &end, 10);

        if (value > INT_MAX)
            break;
        w->block[w->parts++] = value;
        if (!*end)
            return 0;
        at = *end == ',' ? end + 1 : end;
    }
    return fail(
        "--block '%s': not a block; expected its number in the grid, for example 65, or its "
        "index, for example 1,2",
        text);
}

// Takes an option of the week; `text` is NULL if the option has no argument.
static int own_option(const struct week_option *w, const char *text, struct options *o,
                      char message[MESSAGE])
{
    int sized = o->problem.dim[0] != 0;
    const char *wrong = w->take(text ? text : "", &o->problem);

    if (!sized && o->problem.dim[0])
        o->sized_by = w->name;
    return wrong ? fail("--%s '%s': %s", w->name, text ? text : "", wrong) : 0;
}

// The size that one of the week's options gave, or else the default size, must be allowed by the
// others.
static int own_size(struct options *o, char message[MESSAGE])
{
    struct problem p = o->problem;
    const char *wrong, *size;
    int given = 0;

    for (int i = 0; i < MAX_OPTIONS; i++)
        given |= p.option[i] != 0;
    if (!given)
        return 0;
    o->sized = o->sized_by != NULL;
    if (!o->sized)
        size_of_list(on_cpu_device ? p.week->cpu_size : p.week->gpu_sizes, 0, &p);
    wrong = problem_limit(&p);
    size = size_text(&p);
    if (wrong && o->sized)
        return fail("--%s, %s: %s", o->sized_by, size, wrong);
    return wrong ? fail("the default size %s: %s", size, wrong) : 0;
}

static int type(const char *text, struct options *o, char message[MESSAGE])
{
    const struct week *week = o->problem.week;
    int found = type_of_name(week, text);
    char list[64] = "";

    for (int i = 0; i < week->n_types; i++) {
        strcat(list, i ? ", " : "");
        strcat(list, type_name(week->types[i]));
    }
    if (found < 0)
        return fail("--type '%s': not a type of this week; expected %s", text, list);
    o->problem.type = found;
    o->typed = 1;
    return 0;
}

static int action(enum action wanted, struct options *o, char message[MESSAGE])
{
    // --check with --shmoo checks the sizes of a sweep. No other pair is allowed.
    if ((wanted == SHMOO && o->action == CHECK) || (wanted == CHECK && o->action == SHMOO)) {
        o->action = CHECK;
        o->sweep = 1;
        return 0;
    }
    if (o->action != RUN && o->action != wanted)
        return fail("%s and %s: choose one of --check, --bench, --count, --shmoo, --once, "
                    "--lanes, --trace",
                    flag_of_action[o->action], flag_of_action[wanted]);
    o->action = wanted;
    return 0;
}

static int is_recording(const struct options *o)
{
    return o->action == LANES || o->action == TRACE;
}

// Returns -1 with a message if an option is not for this device.
static int agree_with_device(const struct options *o, char message[MESSAGE])
{
    if (o->action == COUNT && !on_cpu_device)
        return fail(
            "--count: only the CPU device counts (make DEVICE=cpu); on a GPU, use make profile");
    if (is_recording(o) && !on_cpu_device)
        return fail("%s: only the CPU device records accesses (make DEVICE=cpu)",
                    flag_of_action[o->action]);
    if (o->hot && on_cpu_device)
        return fail("--hot: only a GPU measures time");
    if (o->alone && on_cpu_device)
        return fail("--alone: only a GPU runs references");
    if (o->lines && !on_cpu_device)
        return fail("--lines: only the CPU device counts (make DEVICE=cpu)");
    return 0;
}

// Returns -1 with a message if an option of the week is not for this action.
static int agree_with_action(const struct options *o, const struct week_option *w,
                             char message[MESSAGE])
{
    if (w->scope == ANY_SIZE)
        return 0;
    if (o->sweep || o->action == SHMOO ||
        (w->scope == ONE_RESULT && (o->action == CHECK || o->action == ONCE || is_recording(o))))
        return fail("--%s and %s: choose one of them", w->name,
                    o->sweep ? "--shmoo" : flag_of_action[o->action]);
    if (w->scope == ONE_RESULT && o->claims)
        return fail("--%s and --claims: choose one of them", w->name);
    if (o->action == CHECK && !o->sized)
        return fail("--%s: applies to one size; with --check, give --size too", w->name);
    return 0;
}

static int agree(const struct options *o, char message[MESSAGE])
{
    const struct week_option *own = o->problem.week->options;

    if (agree_with_device(o, message))
        return -1;
    if (o->exact && o->action != CHECK)
        return fail("--exact: expected only with --check");
    if (o->quick && (o->action == CHECK ? o->sized || o->sweep : o->action != BENCH))
        return fail("--quick: expected only with --bench, or with --check at the week's sizes");
    if (o->claims && o->action != RUN && o->action != BENCH && o->action != COUNT)
        return fail("--claims and %s: choose one of them", flag_of_action[o->action]);
    if (o->tsv && (o->action == ONCE || is_recording(o)))
        return fail("--tsv and %s: choose one of them; %s measures nothing",
                    flag_of_action[o->action], flag_of_action[o->action]);
    if (o->watch.block_given && !is_recording(o))
        return fail("--block: expected only with --lanes or --trace");
    if (o->watch.warp_given && o->action != LANES)
        return fail("--warp: expected only with --lanes");
    for (int i = 0; own && own[i].name; i++)
        if (o->problem.option[i] && agree_with_action(o, &own[i], message))
            return -1;
    return 0;
}

// The options of the harness and those of the week, for getopt.
static void all_options(const struct week *week, struct option known[])
{
    int n = sizeof options / sizeof *options - 1;

    memcpy(known, options, sizeof options);
    for (int i = 0; week->options && week->options[i].name; i++) {
        known[n + i] = (struct option){ week->options[i].name,
                                        week->options[i].argument ? required_argument : no_argument,
                                        NULL, OWN + i };
        known[n + i + 1] = (struct option){ 0 };
    }
}

// Parses a number into *out.
static int number_option(const char *name, const char *text, unsigned long long least,
                         unsigned long long most, int *out, char message[MESSAGE])
{
    unsigned long long value = 0;
    int failed = number(name, text, least, most, &value, message);

    *out = (int)value;
    return failed;
}

// Takes one option that getopt found. *size_given is parsed last, because a limit may depend on the
// other options.
static int take(int letter, struct options *o, const char **size_given, char message[MESSAGE])
{
    unsigned long long seed = 0;
    int failed;

    switch (letter) {
    case 'n': *size_given = optarg; return 0;
    case 't': return type(optarg, o, message);
    case 'c': return action(CHECK, o, message);
    case 'b': return action(BENCH, o, message);
    case 'C': return action(COUNT, o, message);
    case 's': return action(SHMOO, o, message);
    case 'o': return action(ONCE, o, message);
    case 'L': return action(LANES, o, message);
    case 'E': return action(TRACE, o, message);
    case 'B': return block(optarg, o, message);
    case 'W':
        o->watch.warp_given = 1;
        return number_option("--warp", optarg, 0, 31, &o->watch.warp, message);
    case 'x': o->claims = 1; return 0;
    case 'w': o->hot = 1; return 0;
    case 'l': o->lines = 1; return 0;
    case 'e': o->exact = 1; return 0;
    case 'q': o->quick = 1; return 0;
    case 'a': o->alone = 1; return 0;
    case 'r': return number_option("--reps", optarg, 1, 10000, &o->reps, message);
    case 'd': return number_option("--device", optarg, 0, INT_MAX, &o->device, message);
    case 'S':
        failed = number("--seed", optarg, 0, ULLONG_MAX, &seed, message);
        o->problem.seed = seed;
        return failed;
    case 'T': o->tsv = optarg; return 0;
    case 'R': return rules(optarg, o, message);
    case 'm': return sms(optarg, o, message);
    case 'N': o->transient = 1; return 0;
    case 'i': o->isolated = optarg; return 0;
    case 'u': return number_option("--seconds", optarg, 1, 3600, &o->seconds, message);
    case 'U': o->unconfined = 1; return 0;
    case 'v': o->serve = 1; return 0;
    case 'O': o->serve = o->unconfined = 1; return 0;
    default: return own_option(&o->problem.week->options[letter - OWN], optarg, o, message);
    }
}

int options_parse(int argc, char *argv[], const struct week *week, struct options *o,
                  char message[MESSAGE])
{
    struct option known[sizeof options / sizeof *options + MAX_OPTIONS];
    const char *size_given = NULL;

    all_options(week, known);
    *o = (struct options){
        .action = RUN, .seconds = 20, .events = "-", .problem = problem_default(week)
    };
    opterr = 0;
    optind = 0;   // resets getopt, for a caller that parses twice
    for (;;) {
        int at = optind ? optind : 1;
        int letter = getopt_long(argc, argv, ":n:h", known, NULL);

        if (letter < 0)
            break;
        if (letter == ':')
            return fail("%s: needs a value; see --help", argv[at]);
        if (letter == '?')
            return fail("%s: unknown option, or one that takes no value; see --help", argv[at]);
        if (letter == 'h' || letter == 'V') {
            o->action = letter == 'h' ? HELP : VERSION;
            return 0;
        }
        if (take(letter, o, &size_given, message))
            return -1;
        // The name of the file may be omitted, so getopt does not look for it.
        if ((letter == 'L' || letter == 'E') && optind < argc &&
            (argv[optind][0] != '-' || !argv[optind][1]))
            o->events = argv[optind++];
    }
    if (optind < argc)
        return fail("'%s': unknown argument; see --help", argv[optind]);
    if (size_given && o->sized_by)
        return fail("--size and --%s: choose one of them; both set the size", o->sized_by);
    if (size_given ? size(size_given, o, message) : own_size(o, message))
        return -1;
    return agree(o, message);
}

// What the options do that all weeks have, and the exit status.
static const char COMMON_HELP[] =
    "      --check          only check, at the week's awkward sizes and types, or at --size; "
    "with --shmoo, at the sizes of the sweep\n"
    "      --bench          check once, then time (GPU) or count (CPU device); one line\n"
    "      --count          only count (CPU device)\n"
    "      --claims         measure and judge the stage's claims; exit 1 if one does not hold\n"
    "      --shmoo          sweep the week's sizes, up to --size if it is given\n"
    "      --once           call the stage once, without a check, for a profiler\n"
    "      --lanes [FILE]   write each access of one warp: its sectors or wavefronts, and the "
    "bytes of each lane (CPU device)\n"
    "      --trace [FILE]   write the steps of one block in order of execution: accesses, "
    "copies, barriers (CPU device)\n"
    "      --block B        the block for --lanes and --trace: 65 or 1,2; default: in the "
    "middle of the grid\n"
    "      --warp W         the warp for --lanes; default 0\n"
    "      --hot            time with a hot L2 cache (GPU)\n"
    "      --rules CC       count by the rules of compute capability CC, for example 1.1 (CPU "
    "device)\n"
    "      --sms N          the number of SMs that the CPU device reports; default 2, an H200 "
    "has 132\n"
    "      --lines          print the whole table of requests by source line (CPU device)\n"
    "      --alone          time no references (GPU)\n"
    "      --quick          with --check: only small sizes; with --bench: one checked call, "
    "not two or three\n"
    "      --no-results     keep no results\n"
    "      --isolated PROG  call the stage of PROG in a process of its own, with limits (CPU "
    "device)\n"
    "      --seconds N      limit of that process's CPU time; default 20\n"
    "      --unconfined     let that process do what a program may do\n"
    "      --serve          be that process; --serve-unconfined: without confinement\n"
    "      --exact          check with each array as a separate allocation, so that "
    "compute-sanitizer knows its bounds\n"
    "      --reps N         number of samples (GPU); default: until the spread converges\n"
    "      --seed N         seed of the inputs; default 1\n"
    "      --device N       number of the GPU in CUDA; default 0\n"
    "      --tsv FILE       append rows to FILE; -: print only these\n"
    "  -h, --help           print this text\n"
    "      --version        print the version\n"
    "\n"
    "Exit status: 0 correct; 1 wrong result, or with --claims a claim that does not hold; 2 "
    "bad usage or unusable file;\n"
    "3 CUDA error or out of memory; 77 skipped: not for this device or size.";

void options_help(const struct week *week)
{
    printf("%s: %s\n\n"
           "usage: %s [options]\n"
           "Checks the stage, then %s, compares it with %s, and judges its claims.\n\n"
           "  -n, --size %-9s problem size: %s%s\n"
           "      --type T         element type:",
           week->name, week->problem, program_invocation_short_name,
           on_cpu_device ? "counts its memory requests" : "times it",
           on_cpu_device ? "the recorded run" : "the references", week->size_form, week->size_words,
           week->dims > 1 ? "; N alone: every dimension is N" : "");
    for (int i = 0; i < week->n_types; i++)
        printf(" %s", type_name(week->types[i]));
    putchar('\n');
    for (const struct week_option *w = week->options; w && w->name; w++) {
        int length = printf("      --%s %s", w->name, w->argument ? w->argument : "");

        printf("%*s %s\n", length < 22 ? 22 - length : 0, "", w->help);
    }
    puts(COMMON_HELP);
}
