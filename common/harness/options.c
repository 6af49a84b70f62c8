#define _GNU_SOURCE   // program_invocation_short_name
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "problem.h"
#include "program.h"

// An option that all weeks have. One without a flag is handled by take().
struct known {
    const char *name;
    const char *argument;   // "N"; "[FILE]" may be omitted; NULL: there is none
    int letter;
    size_t flag;   // the int of struct options that it sets, as an offset; 0: none
    const char *help;
};

#define FLAG(member) 0, offsetof(struct options, member)
static const struct known options[] = {
    { "check", NULL, 'c', 0,
      "only check, at the week's awkward sizes and types, or at --size; with --shmoo, at the sizes "
      "of the sweep" },
    { "bench", NULL, 'b', 0, "check once, then time (GPU) or count (CPU device); one line" },
    { "count", NULL, 'C', 0, "only count (CPU device)" },
    { "claims", NULL, FLAG(claims),
      "measure and judge the stage's claims; exit 1 if one does not hold" },
    { "shmoo", NULL, 's', 0, "sweep the week's sizes, up to --size if it is given" },
    { "once", NULL, 'o', 0, "call the stage once, without a check, for a profiler" },
    { "lanes", "[FILE]", 'L', 0,
      "write each access of one warp: its sectors or wavefronts, and the bytes of each lane (CPU "
      "device)" },
    { "trace", "[FILE]", 'E', 0,
      "write the steps of one block in order of execution: accesses, copies, barriers (CPU "
      "device)" },
    { "block", "B", 'B', 0,
      "the block for --lanes and --trace: 65 or 1,2; default: in the middle of the grid" },
    { "warp", "W", 'W', 0, "the warp for --lanes; default 0" },
    { "hot", NULL, FLAG(hot), "time with a hot L2 cache (GPU)" },
    { "rules", "CC", 'R', 0,
      "count by the rules of compute capability CC, for example 1.1 (CPU device)" },
    { "sms", "N", 'm', 0,
      "the number of SMs that the CPU device reports; default 2, an H200 has 132" },
    { "lines", NULL, FLAG(lines), "print the whole table of requests by source line (CPU device)" },
    { "alone", NULL, FLAG(alone), "time no references (GPU)" },
    { "quick", NULL, FLAG(quick),
      "with --check: only small sizes; with --bench: one checked call, not two or three" },
    { "no-results", NULL, FLAG(transient), "keep no results" },
    { "isolated", "PROG", 'i', 0,
      "call the stage of PROG in a process of its own, with limits (CPU device)" },
    { "seconds", "N", 'u', 0, "limit of that process's CPU time; default 20" },
    { "unconfined", NULL, FLAG(unconfined), "let that process do what a program may do" },
    { "serve", NULL, FLAG(serve), "be that process" },
    { "exact", NULL, FLAG(exact),
      "check with each array as a separate allocation, so that compute-sanitizer knows its "
      "bounds" },
    { "reps", "N", 'r', 0, "number of samples (GPU); default: until the spread converges" },
    { "seed", "N", 'S', 0, "seed of the inputs; default 1" },
    { "device", "N", 'd', 0, "number of the GPU in CUDA; default 0" },
    { "tsv", "FILE", 'T', 0, "append rows to FILE; -: print only these" },
};

enum { N_OPTIONS = sizeof options / sizeof *options };

// What getopt returns: a letter of special[], ALL + index in options[], or OWN + index in the
// week's options.
enum { ALL = 256, OWN = ALL + N_OPTIONS };
static const struct option special[] = {
    { "size", required_argument, NULL, 'n' },
    { "type", required_argument, NULL, 't' },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },
};
enum { N_SPECIAL = sizeof special / sizeof *special };

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
    const char *known = on_cpu_device ? emu_rules(text) : NULL;

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

static int logs_events(const struct options *o) { return o->action == LANES || o->action == TRACE; }

// Returns -1 with a message if an option is not for this device.
static int agree_with_device(const struct options *o, char message[MESSAGE])
{
    if (o->action == COUNT && !on_cpu_device)
        return fail(
            "--count: only the CPU device counts (make DEVICE=cpu); on a GPU, use make profile");
    if (logs_events(o) && !on_cpu_device)
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
        (w->scope == ONE_RESULT && (o->action == CHECK || o->action == ONCE || logs_events(o))))
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
    if (o->tsv && (o->action == ONCE || logs_events(o)))
        return fail("--tsv and %s: choose one of them; %s measures nothing",
                    flag_of_action[o->action], flag_of_action[o->action]);
    if (o->watch.block_given && !logs_events(o))
        return fail("--block: expected only with --lanes or --trace");
    if (o->watch.warp_given && o->action != LANES)
        return fail("--warp: expected only with --lanes");
    for (int i = 0; own && own[i].name; i++)
        if (o->problem.option[i] && agree_with_action(o, &own[i], message))
            return -1;
    return 0;
}

static int argument_of(const char *argument)
{
    // getopt does not look for an argument that may be omitted
    return argument && argument[0] != '[' ? required_argument : no_argument;
}

// All options, for getopt.
static void all_options(const struct week *week, struct option known[])
{
    const struct week_option *own = week->options;
    struct option *end = known + N_SPECIAL;

    memcpy(known, special, sizeof special);
    for (int i = 0; i < N_OPTIONS; i++)
        *end++ =
            (struct option){ options[i].name, argument_of(options[i].argument), NULL, ALL + i };
    for (int i = 0; own && own[i].name; i++)
        *end++ = (struct option){ own[i].name, argument_of(own[i].argument), NULL, OWN + i };
    *end = (struct option){ 0 };
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

// Takes an option of options[] that sets no flag.
static int take_value(int letter, struct options *o, char message[MESSAGE])
{
    unsigned long long seed = 0;
    int failed;

    switch (letter) {
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
    case 'r': return number_option("--reps", optarg, 1, 10000, &o->reps, message);
    case 'd': return number_option("--device", optarg, 0, INT_MAX, &o->device, message);
    case 'S':
        failed = number("--seed", optarg, 0, ULLONG_MAX, &seed, message);
        o->problem.seed = seed;
        return failed;
    case 'T': o->tsv = optarg; return 0;
    case 'R': return rules(optarg, o, message);
    case 'm': return sms(optarg, o, message);
    case 'i': o->isolated = optarg; return 0;
    default: return number_option("--seconds", optarg, 1, 3600, &o->seconds, message);
    }
}

// Takes one option that getopt found. *size_given is parsed last, because a limit may depend on the
// other options.
static int take(int found, struct options *o, const char **size_given, char message[MESSAGE])
{
    const struct known *k;

    if (found == 'n') {
        *size_given = optarg;
        return 0;
    }
    if (found == 't')
        return type(optarg, o, message);
    if (found >= OWN)
        return own_option(&o->problem.week->options[found - OWN], optarg, o, message);
    k = &options[found - ALL];
    if (k->flag) {
        *(int *)((char *)o + k->flag) = 1;
        return 0;
    }
    return take_value(k->letter, o, message);
}

int options_parse(int argc, char *argv[], const struct week *week, struct options *o,
                  char message[MESSAGE])
{
    struct option known[N_SPECIAL + N_OPTIONS + MAX_OPTIONS + 1];
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
        if (letter >= ALL && letter < OWN && options[letter - ALL].argument &&
            options[letter - ALL].argument[0] == '[' && optind < argc &&
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

static void print_option(const char *name, const char *argument, const char *help)
{
    int length = printf("      --%s %s", name, argument ? argument : "");

    printf("%*s %s\n", length < 22 ? 22 - length : 0, "", help);
}

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
    for (const struct week_option *w = week->options; w && w->name; w++)
        print_option(w->name, w->argument, w->help);
    for (int i = 0; i < N_OPTIONS; i++)
        print_option(options[i].name, options[i].argument, options[i].help);
    puts("  -h, --help           print this text\n"
         "      --version        print the version\n"
         "\n"
         "Exit status: 0 correct; 1 wrong result, or with --claims a claim that does not hold; 2 "
         "bad usage or unusable file;\n"
         "3 CUDA error or out of memory; 77 skipped: not for this device or size.");
}
