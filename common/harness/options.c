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

#include "arguments.h"
#include "backend.h"
#include "problem.h"
#include "program.h"

#define fail(...) die(STATUS_USAGE, __VA_ARGS__)

// An option that all weeks have.
struct known {
    const char *name;
    const char *argument;   // "N"; "[FILE]" may be omitted; NULL: there is none
    void (*take)(const struct known *, const char *text, struct options *);
    size_t place;            // of the member of struct options that it sets, as an offset
    long long least, most;   // of a number; of an action: which
    const char *help;        // NULL: options_help() has a line of its own for it
};

static void take_action(const struct known *, const char *, struct options *);
static void take_type(const struct known *, const char *, struct options *);

static void set_flag(const struct known *k, const char *text, struct options *o)
{
    (void)text;
    *(int *)((char *)o + k->place) = 1;
}

static void take_number(const struct known *k, const char *text, struct options *o)
{
    *(int *)((char *)o + k->place) =
        (int)argument_number(text_of("--%s", k->name), text, k->least, k->most);
}

static void take_text(const struct known *k, const char *text, struct options *o)
{
    *(const char **)((char *)o + k->place) = text;
}

static void take_seed(const struct known *k, const char *text, struct options *o)
{
    (void)k;
    o->problem.seed = argument_number("--seed", text, 0, LLONG_MAX - 1);
}

static void take_rules(const struct known *k, const char *text, struct options *o)
{
    const char *known = on_cpu_device ? emu_rules(text) : NULL;

    (void)k;
    if (!on_cpu_device)
        fail("--rules: only the CPU device can count by other rules (make DEVICE=cpu)");
    if (known || rules_take(text, &o->problem))
        fail("--rules '%s': the rules of this compute capability are not known; expected one of %s",
             text, known);
}

static void take_sms(const struct known *k, const char *text, struct options *o)
{
    (void)k;
    if (!on_cpu_device)
        fail("--sms: only the CPU device can report another number of SMs (make DEVICE=cpu)");
    o->problem.sms = (int)argument_number("--sms", text, 1, MAX_SMS);
}

// Parses "5", "1,2" or "1,2,3" into the block to record.
static void take_block(const struct known *k, const char *text, struct options *o)
{
    struct watch *w = &o->watch;
    const char *at = text;

    (void)k;
    w->block_given = text;
    for (w->parts = 0; w->parts < 3 && isdigit((unsigned char)*at);) {
        char *end;
        unsigned long long value = strtoull(at, &end, 10);

        if (value > INT_MAX)
            break;
        w->block[w->parts++] = value;
        if (!*end)
            return;
        at = *end == ',' ? end + 1 : end;
    }
    fail("--block '%s': not a block; expected its number in the grid, for example 65, or its "
         "index, for example 1,2",
         text);
}

#define ACTION(which) take_action, 0, which, 0
#define FLAG(member) set_flag, offsetof(struct options, member), 0, 0
#define TEXT(member) take_text, offsetof(struct options, member), 0, 0
#define NUMBER(member, least, most) take_number, offsetof(struct options, member), least, most

static const struct known options[] = {
    { "size", "N", TEXT(size), NULL },
    { "type", "T", take_type, 0, 0, 0, NULL },
    { "help", NULL, ACTION(HELP), NULL },
    { "version", NULL, ACTION(VERSION), NULL },
    { "check", NULL, ACTION(CHECK),
      "only check, at the week's awkward sizes and types, or at --size; with --shmoo, at the sizes "
      "of the sweep" },
    { "bench", NULL, ACTION(BENCH), "check once, then time (GPU) or count (CPU device); one line" },
    { "count", NULL, ACTION(COUNT), "only count (CPU device; on a GPU: make profile)" },
    { "claims", NULL, FLAG(claims),
      "measure and judge the stage's claims; exit 1 if one does not hold" },
    { "shmoo", NULL, ACTION(SHMOO), "sweep the week's sizes, up to --size if it is given" },
    { "once", NULL, ACTION(ONCE), "call the stage once, without a check, for a profiler" },
    { "lanes", "[FILE]", ACTION(LANES),
      "write each access of one warp: its sectors or wavefronts, and the bytes of each lane (CPU "
      "device)" },
    { "trace", "[FILE]", ACTION(TRACE),
      "write the steps of one block in order of execution: accesses, copies, barriers (CPU "
      "device)" },
    { "draw", NULL, ACTION(DRAW),
      "draw which thread reads and writes which element, of a small size (CPU device)" },
    { "block", "B", take_block, 0, 0, 0,
      "the block for --lanes and --trace: 65 or 1,2; default: in the middle of the grid" },
    { "warp", "W", NUMBER(watch.warp, 0, 31), "the warp for --lanes; default 0" },
    { "hot", NULL, FLAG(hot), "time with a hot L2 cache (GPU)" },
    { "rules", "CC", take_rules, 0, 0, 0,
      "count by the rules of compute capability CC, for example 1.1 (CPU device)" },
    { "for", "GPU", TEXT(gpu),
      "model the time on this GPU, at --size or the GPU's default size: h200, a100, t4; with "
      "--bench: only that, in one line (CPU device)" },
    { "model-rows", NULL, ACTION(MODEL_ROWS),
      "with --for: only print the modeled time as a row of a result table; with --shmoo, a row per "
      "size of the GPU's sweep (CPU device)" },
    { "estimated", NULL, FLAG(estimated),
      "with --for: as if there were no machine code (CPU device)" },
    { "sms", "N", take_sms, 0, 0, 0,
      "the number of SMs that the CPU device reports; default: 2, or those that the week counts "
      "with; an H200 has 132" },
    { "all", NULL, FLAG(all), "print the whole report, also of the first stages (CPU device)" },
    { "lines", NULL, FLAG(lines), "print the whole table of requests by source line (CPU device)" },
    { "alone", NULL, FLAG(alone), "time no references (GPU)" },
    { "quick", NULL, FLAG(quick),
      "with --check: only small sizes; with --bench: one checked call, not two or three" },
    { "no-results", NULL, FLAG(transient), "keep no results" },
    { "isolated", "PROG", TEXT(isolated),
      "call the stage of PROG in a process of its own, with limits (CPU device)" },
    { "computes", "WORD", TEXT(computes), "what that stage computes, as in a line // Computes:" },
    { "seconds", "N", NUMBER(seconds, 1, 3600), "limit of that process's CPU time; default 20" },
    { "unconfined", NULL, FLAG(unconfined), "let that process do what a program may do" },
    { "serve", NULL, FLAG(serve), "be that process" },
    { "exact", NULL, FLAG(exact),
      "check with each array as a separate allocation, so that compute-sanitizer knows its "
      "bounds" },
    { "reps", "N", NUMBER(reps, 1, 10000),
      "number of samples (GPU); default: until the spread converges" },
    { "seed", "N", take_seed, 0, 0, 0, "seed of the inputs; default 1" },
    { "device", "N", NUMBER(device, 0, INT_MAX), "number of the GPU in CUDA; default 0" },
    { "tsv", "FILE", TEXT(tsv), "append rows to FILE; -: print only these" },
};
enum { N_OPTIONS = sizeof options / sizeof *options, LETTERS = 256 };

static const char *flag_of(enum action action)
{
    int i = 0;

    while (options[i].take != take_action || options[i].least != action)
        i++;
    return text_of("--%s", options[i].name);
}

static void take_action(const struct known *k, const char *text, struct options *o)
{
    enum action wanted = k->least;

    (void)text;
    // --check and --model-rows with --shmoo: at the sizes of a sweep. No other pair is allowed.
    if (wanted == SHMOO && (o->action == CHECK || o->action == MODEL_ROWS)) {
        wanted = o->action;
        o->sweep = 1;
    } else if (o->action == SHMOO && (wanted == CHECK || wanted == MODEL_ROWS)) {
        o->sweep = 1;
    } else if (o->action != RUN && o->action != wanted && wanted < HELP)
        fail("%s and %s: choose one of --check, --bench, --count, --shmoo, --once, --lanes, "
             "--trace, --draw",
             flag_of(o->action), flag_of(wanted));
    o->action = wanted;
}

static void take_size(const char *text, struct options *o)
{
    const struct week *week = o->problem.week;
    const char *wrong = size_parse(text, &o->problem);

    if (wrong)
        fail("--size '%s': %s; expected %s%s (%s), for example --size %s", text, wrong,
             week->dims > 1 ? "N or " : "", week->size_form, week->size_words,
             week->dims == 3   ? "1024x512x256"
             : week->dims == 2 ? "1024x512"
                               : "1048576");
    wrong = problem_limit(&o->problem);
    if (wrong)
        fail("--size '%s': %s", text, wrong);
    o->sized = 1;
}

// Takes an option of the week; `text` is NULL if the option has no argument.
static void take_own(const struct week_option *w, const char *text, struct options *o)
{
    int sized = o->problem.dim[0] != 0;
    const char *wrong = w->take(text ? text : "", &o->problem);

    if (!sized && o->problem.dim[0])
        o->sized_by = w->name;
    if (wrong)
        fail("--%s '%s': %s", w->name, text ? text : "", wrong);
}

// The size that one of the week's options gave, or else the default size, must be allowed by the
// others.
static void check_own_size(struct options *o)
{
    struct problem p = o->problem;
    const char *wrong;
    int given = 0;

    for (int i = 0; i < MAX_OPTIONS; i++)
        given |= p.option[i] != 0;
    if (!given)
        return;
    o->sized = o->sized_by != NULL;
    if (!o->sized)
        size_of_list(on_cpu_device ? p.week->cpu_size : p.week->gpu_sizes, 0, &p);
    wrong = problem_limit(&p);
    if (wrong)
        fail("%s %s: %s", o->sized ? text_of("--%s,", o->sized_by) : "the default size",
             size_text(&p), wrong);
}

static void take_type(const struct known *k, const char *text, struct options *o)
{
    const struct week *week = o->problem.week;
    int found = type_of_name(week, text);
    const char *list = "";

    (void)k;
    for (int i = 0; i < week->n_types + week->n_stage_types; i++)
        list = joined(list, ", ", type_name(week->types[i]));
    if (found < 0)
        fail("--type '%s': not a type of this week; expected %s", text, list);
    o->problem.type = found;
    o->typed = 1;
}

// Ends the program if an option is not for this device.
static void agree_with_device(const struct options *o)
{
    if (o->action == COUNT && !on_cpu_device)
        fail("--count: only the CPU device counts (make DEVICE=cpu); on a GPU, use make profile");
    if ((logs_events(o) || o->action == DRAW) && !on_cpu_device)
        fail("%s: only the CPU device records accesses (make DEVICE=cpu)", flag_of(o->action));
    if (o->hot && on_cpu_device)
        fail("--hot: only a GPU measures time");
    if (o->alone && on_cpu_device)
        fail("--alone: only a GPU runs references");
    if (o->gpu && !on_cpu_device)
        fail("--for: a GPU measures time; only the CPU device models it (make DEVICE=cpu)");
    if (o->lines && !on_cpu_device)
        fail("--lines: only the CPU device counts (make DEVICE=cpu)");
}

// Ends the program if an option of the week is not for this action.
static void agree_with_action(const struct options *o, const struct week_option *w)
{
    if (w->scope == ANY_SIZE)
        return;
    if (o->sweep || o->action == SHMOO ||
        (w->scope == ONE_RESULT && (o->action == CHECK || o->action == ONCE || logs_events(o))))
        fail("--%s and %s: choose one of them", w->name, o->sweep ? "--shmoo" : flag_of(o->action));
    if (w->scope == ONE_RESULT && o->claims)
        fail("--%s and --claims: choose one of them", w->name);
    if (o->action == CHECK && !o->sized)
        fail("--%s: applies to one size; with --check, give --size too", w->name);
}

static void agree(const struct options *o)
{
    const struct week_option *own = o->problem.week->options;

    agree_with_device(o);
    if (o->exact && o->action != CHECK)
        fail("--exact: expected only with --check");
    if (o->all && o->action != RUN)
        fail("--all and %s: choose one of them", flag_of(o->action));
    if (o->quick && (o->action == CHECK ? o->sized || o->sweep : o->action != BENCH))
        fail("--quick: expected only with --bench, or with --check at the week's sizes");
    if (o->gpu && o->claims)
        fail("--for and --claims: choose one of them; claims are about measured times");
    if (o->gpu && o->action != RUN && o->action != BENCH && o->action != MODEL_ROWS)
        fail("--for and %s: choose one of them", flag_of(o->action));
    if (o->action == MODEL_ROWS && !o->gpu)
        fail("--model-rows: needs --for, for example --for h200");
    if (o->estimated && !o->gpu)
        fail("--estimated: needs --for, for example --for h200");
    if (o->gpu && o->problem.sms)
        fail("--for and --sms: choose one of them; --for has the number of SMs of the GPU");
    if (o->claims && o->action != RUN && o->action != BENCH && o->action != COUNT)
        fail("--claims and %s: choose one of them", flag_of(o->action));
    if (o->tsv && (o->action == ONCE || o->action == DRAW || logs_events(o)))
        fail("--tsv and %s: choose one of them; %s measures nothing", flag_of(o->action),
             flag_of(o->action));
    if (o->watch.block_given && !logs_events(o))
        fail("--block: expected only with --lanes or --trace");
    if (o->watch.warp >= 0 && o->action != LANES)
        fail("--warp: expected only with --lanes");
    for (int i = 0; own && own[i].name; i++)
        if (o->problem.option[i])
            agree_with_action(o, &own[i]);
}

static int argument_of(const char *argument)
{
    // getopt does not look for an argument that may be omitted
    return argument && argument[0] != '[' ? required_argument : no_argument;
}

// All options, for getopt, which returns LETTERS + their place.
static void all_options(const struct week *week, struct option known[])
{
    const struct week_option *own = week->options;
    int n = 0;

    for (const struct known *k = options; k < options + N_OPTIONS; k++, n++)
        known[n] = (struct option){ k->name, argument_of(k->argument), NULL, LETTERS + n };
    for (; own && own->name; own++, n++)
        known[n] = (struct option){ own->name, argument_of(own->argument), NULL, LETTERS + n };
    known[n] = (struct option){ 0 };
}

// Takes an option. The name of a file may be omitted, so getopt does not look for it.
static void take_known(const struct known *k, int argc, char *argv[], struct options *o)
{
    k->take(k, optarg, o);
    if (k->argument && k->argument[0] == '[' && optind < argc &&
        (argv[optind][0] != '-' || !argv[optind][1]))
        o->events = argv[optind++];
}

void options_parse(int argc, char *argv[], const struct week *week, struct options *o)
{
    struct option known[N_OPTIONS + MAX_OPTIONS + 1];

    all_options(week, known);
    *o = (struct options){ .action = RUN,
                           .seconds = 20,
                           .events = "-",
                           .watch.warp = -1,
                           .problem = problem_default(week) };
    opterr = 0;
    optind = 0;   // resets getopt, for a caller that parses twice
    while (o->action < HELP) {
        int at = optind ? optind : 1;
        int found = getopt_long(argc, argv, ":n:h", known, NULL);

        if (found < 0)
            break;
        if (found == ':')
            fail("%s: needs a value; see --help", argv[at]);
        if (found == '?')
            fail("%s: unknown option, or one that takes no value; see --help", argv[at]);
        if (found == 'n')
            o->size = optarg;
        else if (found == 'h')
            o->action = HELP;
        else if (found >= LETTERS + N_OPTIONS)
            take_own(&week->options[found - LETTERS - N_OPTIONS], optarg, o);
        else
            take_known(&options[found - LETTERS], argc, argv, o);
    }
    if (o->action >= HELP)
        return;
    if (optind < argc)
        fail("'%s': unknown argument; see --help", argv[optind]);
    if (o->size && o->sized_by)
        fail("--size and --%s: choose one of them; both set the size", o->sized_by);
    if (o->size)
        take_size(o->size, o);
    else
        check_own_size(o);
    agree(o);
    o->watch.warp = o->watch.warp < 0 ? 0 : o->watch.warp;
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
    for (int i = 0; i < week->n_types + week->n_stage_types; i++)
        printf(" %s", type_name(week->types[i]));
    putchar('\n');
    for (const struct week_option *w = week->options; w && w->name; w++)
        print_option(w->name, w->argument, w->help);
    for (int i = 0; i < N_OPTIONS; i++)
        if (options[i].help)
            print_option(options[i].name, options[i].argument, options[i].help);
    puts("  -h, --help           print this text\n"
         "      --version        print the version\n"
         "\n"
         "Exit status: 0 correct; 1 wrong result, or with --claims a claim that does not hold; 2 "
         "bad usage or unusable file;\n"
         "3 CUDA error or out of memory; 77 skipped: not for this device or size.");
}
