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

static const struct option options[] = {
    { "size", required_argument, NULL, 'n' },   { "type", required_argument, NULL, 't' },
    { "check", no_argument, NULL, 'c' },        { "bench", no_argument, NULL, 'b' },
    { "count", no_argument, NULL, 'C' },        { "claims", no_argument, NULL, 'x' },
    { "shmoo", no_argument, NULL, 's' },        { "once", no_argument, NULL, 'o' },
    { "hot", no_argument, NULL, 'w' },          { "lines", no_argument, NULL, 'l' },
    { "exact", no_argument, NULL, 'e' },        { "alone", no_argument, NULL, 'a' },
    { "reps", required_argument, NULL, 'r' },   { "seed", required_argument, NULL, 'S' },
    { "device", required_argument, NULL, 'd' }, { "tsv", required_argument, NULL, 'T' },
    { "rules", required_argument, NULL, 'R' },  { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },      { 0 },
};

enum { OWN = 256 };   // the first of the week's own options, as getopt tells it

static const char *const flag_of_action[] = {
    [CHECK] = "--check", [BENCH] = "--bench", [COUNT] = "--count",
    [SHMOO] = "--shmoo", [ONCE] = "--once",
};

#define fail(...) (snprintf(message, MESSAGE, __VA_ARGS__), -1)

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
    return wrong ? fail("%s '%s': %s; accepted is a whole number from %llu to %llu", name, text,
                        wrong, least, most)
                 : 0;
}

static int size(const char *text, struct options *o, char message[MESSAGE])
{
    const char *wrong = size_parse(text, o->problem.dim);

    if (wrong)
        return fail("--size '%s': %s; accepted is %s%s (%s), such as --size %s", text, wrong,
                    week.dims > 1 ? "N or " : "", week.size_form, week.size_words,
                    week.dims == 3   ? "1024x512x256"
                    : week.dims == 2 ? "1024x512"
                                     : "1048576");
    wrong = problem_limit(&o->problem);
    if (wrong)
        return fail("--size '%s': too large; accepted is %s (%s): %s", text, week.size_form,
                    week.size_words, wrong);
    o->sized = 1;
    return 0;
}

static int rules(const char *text, struct options *o, char message[MESSAGE])
{
    const char *known = on_cpu_device ? backend_rules(text) : NULL;

    if (!on_cpu_device)
        return fail("--rules: a GPU has rules of its own; accepted on the CPU device only (make "
                    "DEVICE=cpu)");
    if (known || rules_take(text, &o->problem))
        return fail("--rules '%s': no compute capability whose rules are known; accepted are %s",
                    text, known);
    return 0;
}

// One of the week's own; `text` is NULL where it takes no argument.
static int own_option(const struct week_option *w, const char *text, struct options *o,
                      char message[MESSAGE])
{
    int sized = o->problem.dim[0] != 0;
    const char *wrong = w->take(text ? text : "", &o->problem);

    if (!sized && o->problem.dim[0])
        o->sized_by = w->name;
    return wrong ? fail("--%s '%s': %s", w->name, text ? text : "", wrong) : 0;
}

// The size that one of them gave, or else the default, must be one that the others allow.
static int own_size(struct options *o, char message[MESSAGE])
{
    struct problem p = o->problem;
    char size[SIZE_TEXT];
    const char *wrong;
    int given = 0;

    for (int i = 0; i < MAX_OPTIONS; i++)
        given |= p.option[i] != 0;
    if (!given)
        return 0;
    o->sized = o->sized_by != NULL;
    if (!o->sized)
        memcpy(p.dim, on_cpu_device ? week.cpu_size : week.gpu_sizes[0], sizeof p.dim);
    wrong = problem_limit(&p);
    size_text(p.dim, size);
    if (wrong && o->sized)
        return fail("--%s, %s: %s", o->sized_by, size, wrong);
    return wrong ? fail("without --size the size is %s: %s", size, wrong) : 0;
}

static int type(const char *text, struct options *o, char message[MESSAGE])
{
    int found = type_of_name(text);
    char list[64] = "";

    for (int i = 0; i < week.n_types; i++) {
        strcat(list, i ? ", " : "");
        strcat(list, type_name(week.types[i]));
    }
    if (found < 0)
        return fail("--type '%s': not a type of this week; accepted is %s", text, list);
    o->problem.type = found;
    o->typed = 1;
    return 0;
}

static int action(enum action wanted, struct options *o, char message[MESSAGE])
{
    // Checking at the sizes of a sweep is the one pair that there is.
    if ((wanted == SHMOO && o->action == CHECK) || (wanted == CHECK && o->action == SHMOO)) {
        o->action = CHECK;
        o->sweep = 1;
        return 0;
    }
    if (o->action != RUN && o->action != wanted)
        return fail("%s and %s: choose one of --check, --bench, --count, --shmoo, --once",
                    flag_of_action[o->action], flag_of_action[wanted]);
    o->action = wanted;
    return 0;
}

static int agree(const struct options *o, char message[MESSAGE])
{
    if (o->action == COUNT && !on_cpu_device)
        return fail("--count: a GPU program counts nothing; accepted on the CPU device only (make "
                    "DEVICE=cpu), on a GPU use make profile");
    if (o->hot && on_cpu_device)
        return fail("--hot: the CPU device times nothing; accepted on a GPU only");
    if (o->alone && on_cpu_device)
        return fail("--alone: there are no references on the CPU device; accepted on a GPU only");
    if (o->lines && !on_cpu_device)
        return fail("--lines: a GPU program counts nothing; accepted on the CPU device only (make "
                    "DEVICE=cpu)");
    if (o->exact && o->action != CHECK)
        return fail("--exact: it is about checking; accepted with --check only");
    if (o->claims && o->action != RUN && o->action != BENCH && o->action != COUNT)
        return fail("--claims and %s: choose one of them", flag_of_action[o->action]);
    if (o->tsv && o->action == ONCE)
        return fail("--tsv and --once: choose one of them; nothing is measured there");
    for (int i = 0; week.options && week.options[i].name; i++) {
        const struct week_option *w = &week.options[i];

        if (!o->problem.option[i] || w->scope == ANY_SIZE)
            continue;
        if (o->sweep || o->action == SHMOO ||
            (w->scope == ONE_RESULT && (o->action == CHECK || o->action == ONCE)))
            return fail("--%s and %s: choose one of them", w->name,
                        o->sweep ? "--shmoo" : flag_of_action[o->action]);
        if (w->scope == ONE_RESULT && o->claims)
            return fail("--%s and --claims: choose one of them", w->name);
        if (o->action == CHECK && !o->sized)
            return fail("--%s: it is about one size; accepted with --check only beside --size",
                        w->name);
    }
    return 0;
}

// Those of the harness and those of the week, in getopt's words.
static void all_options(struct option known[])
{
    int n = sizeof options / sizeof *options - 1;

    memcpy(known, options, sizeof options);
    for (int i = 0; week.options && week.options[i].name; i++) {
        known[n + i] = (struct option){ week.options[i].name,
                                        week.options[i].argument ? required_argument : no_argument,
                                        NULL, OWN + i };
        known[n + i + 1] = (struct option){ 0 };
    }
}

int options_parse(int argc, char *argv[], struct options *o, char message[MESSAGE])
{
    struct option known[sizeof options / sizeof *options + MAX_OPTIONS];
    const char *size_given = NULL;
    unsigned long long value = 0;
    int failed = 0;

    all_options(known);
    *o = (struct options){
        .action = RUN,
        .problem = { .type = week.types[0], .seed = 1, .computes = "", .arithmetic = "" }
    };
    opterr = 0;
    optind = 0;   // starts anew, for a caller that parses twice
    while (!failed) {
        int at = optind ? optind : 1;
        int letter = getopt_long(argc, argv, ":n:h", known, NULL);

        if (letter < 0)
            break;
        switch (letter) {
        case 'n': size_given = optarg; break;
        case 't': failed = type(optarg, o, message); break;
        case 'c': failed = action(CHECK, o, message); break;
        case 'b': failed = action(BENCH, o, message); break;
        case 'C': failed = action(COUNT, o, message); break;
        case 's': failed = action(SHMOO, o, message); break;
        case 'o': failed = action(ONCE, o, message); break;
        case 'x': o->claims = 1; break;
        case 'w': o->hot = 1; break;
        case 'l': o->lines = 1; break;
        case 'e': o->exact = 1; break;
        case 'a': o->alone = 1; break;
        case 'r':
            failed = number("--reps", optarg, 1, 10000, &value, message);
            o->reps = (int)value;
            break;
        case 'S':
            failed = number("--seed", optarg, 0, ULLONG_MAX, &value, message);
            o->problem.seed = value;
            break;
        case 'd':
            failed = number("--device", optarg, 0, INT_MAX, &value, message);
            o->device = (int)value;
            break;
        case 'T': o->tsv = optarg; break;
        case 'R': failed = rules(optarg, o, message); break;
        case 'h': o->action = HELP; return 0;
        case 'V': o->action = VERSION; return 0;
        case ':': return fail("%s: needs a value; see --help", argv[at]);
        case OWN ... OWN + MAX_OPTIONS - 1:
            failed = own_option(&week.options[letter - OWN], optarg, o, message);
            break;
        default:
            return fail("%s: unknown option, or one that takes no value; see --help for those that "
                        "are accepted",
                        argv[at]);
        }
    }
    if (!failed && optind < argc)
        failed = fail("'%s': unknown argument; see --help for the options that are accepted",
                      argv[optind]);
    if (!failed && size_given && o->sized_by)
        failed = fail("--size and --%s: choose one of them; the latter has a size of its own",
                      o->sized_by);
    else if (!failed)   // last, for a limit may depend on the rest
        failed = size_given ? size(size_given, o, message) : own_size(o, message);
    return failed ? failed : agree(o, message);
}

void options_help(void)
{
    printf("%s: %s\n\n"
           "usage: %s [options]\n"
           "Checks the stage, then %s, compares with %s, and holds it against its own claims.\n\n"
           "  -n, --size %-9s problem size: %s%s\n"
           "      --type T         element type:",
           week.name, week.problem, program_invocation_short_name,
           on_cpu_device ? "counts its memory requests" : "times it",
           on_cpu_device ? "the recorded run" : "the references", week.size_form, week.size_words,
           week.dims > 1 ? "; N alone makes all the same" : "");
    for (int i = 0; i < week.n_types; i++)
        printf(" %s", type_name(week.types[i]));
    putchar('\n');
    for (const struct week_option *w = week.options; w && w->name; w++) {
        int length = printf("      --%s %s", w->name, w->argument ? w->argument : "");

        printf("%*s %s\n", length < 22 ? 22 - length : 0, "", w->help);
    }
    puts(
        "      --check          only check, at the week's awkward sizes and types, or at --size; "
        "with --shmoo, at those of the sweep\n"
        "      --bench          only one check at that size, then time (GPU) or count (CPU "
        "device); one line\n"
        "      --count          only count (CPU device)\n"
        "      --claims         measure where the stage's claims are about; exit 1 if one does not "
        "hold\n"
        "      --shmoo          sweep the week's sizes, with --size none larger than that\n"
        "      --once           one call and nothing else, for a profiler\n"
        "      --hot            time in a warm L2 (GPU)\n"
        "      --rules CC       count by the rules of compute capability CC, such as 1.1 (CPU "
        "device)\n"
        "      --lines          the whole table of requests by source line (CPU device)\n"
        "      --alone          time no references (GPU)\n"
        "      --exact          check with each array an allocation of its own, for "
        "compute-sanitizer to see its ends\n"
        "      --reps N         samples to take (GPU); without it, as many as the spread asks for\n"
        "      --seed N         of the inputs; default 1\n"
        "      --device N       CUDA's number of the GPU; default 0\n"
        "      --tsv FILE       append rows to FILE; - prints them, and nothing else, to stdout\n"
        "  -h, --help           this text\n"
        "      --version        what this program is built from\n\n"
        "Exit status: 0 right; 1 wrong, or with --claims a claim that does not hold; 2 bad usage "
        "or file; 3 CUDA error or out of\n"
        "memory; 77 not for this device or size.");
}
