// The program that every stage is linked into: the order in which things are done.
#define _GNU_SOURCE   // program_invocation_short_name

#include "ladder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "call.h"
#include "die.h"
#include "facts.h"
#include "judge.h"
#include "options.h"
#include "problem.h"
#include "report.h"
#include "results.h"

#define LADDER_VERSION "1.0"

enum { SCREEN_LINES = 8 };   // of source in a report that stays on one screen

static struct options options;
static struct device device;
static struct runner stage, refs[MOST_REFS];
static struct bench bench = { .device = &device, .stage = &stage, .ref = refs };
static struct claims claims;
static struct problem measured;   // what rows are about
static int measuring;

static void put_row(enum status status)
{
    struct row row;

    runner_set(&stage, &measured);
    stage.status = status;
    runner_row(&stage, bench_mode(&bench), &row);
    results_put(&row);
}

// A program that ends before its time leaves a row that says so.
static void dying(int status)
{
    if (measuring && status == EXIT_CUDA)
        put_row(ERROR);
}

static void diagnosed(void)
{
    if (measuring)
        put_row(BROKEN);
}

static struct problem problem_of(const long long dim[MAX_DIMS])
{
    struct problem p = { .type = options.type, .seed = options.seed, .computes = stage_info.computes };

    memcpy(p.dim, dim, sizeof p.dim);
    return p;
}

// The problem that was asked for, or this device's default.
static struct problem chosen(void)
{
    struct problem p = problem_of(options.sized ? options.dim : on_cpu_device ? week.cpu_size : week.gpu_sizes[0]);
    char size[SIZE_TEXT];

    for (int i = 1; !options.sized && !on_cpu_device && arrays_misfit(&p) && week.gpu_sizes[i][0]; i++)
        p = problem_of(week.gpu_sizes[i]);
    size_text(p.dim, size);
    if (arrays_misfit(&p))
        die(EXIT_CUDA, "--size %s: %s; accepted is a smaller size", size, arrays_misfit(&p));
    return p;
}

static int skip(const char *why)
{
    printf("SKIP: %s\n", why);
    return EXIT_SKIP;
}

// Says why the stage was not measured, and returns the exit status for that.
static int explain(void)
{
    char size[SIZE_TEXT];

    size_text(stage.problem.dim, size);
    switch (stage.status) {
    case OK: return EXIT_RIGHT;
    case SKIPPED: return skip(stage.why);
    case ERROR:
        warn("%s: %s", size, stage.why);
        return EXIT_CUDA;
    default:
        warn("WRONG at %s: %s", size, stage.why);
        verdict_print(&bench.verdict, stderr);
        return EXIT_WRONG;
    }
}

struct tally { int right, refused, wrong; char why[sizeof stage.why]; };

// Checks one size and counts how it went. Returns the exit status that it asks for, were it the only one.
static int check(const long long dim[MAX_DIMS], struct tally *t)
{
    struct problem p = problem_of(dim);

    bench_check(&bench, &p);
    t->right += stage.status == OK;
    t->wrong += stage.status == BROKEN;
    if (stage.status == SKIPPED) {
        t->refused++;
        strcpy(t->why, stage.why);
        return EXIT_SKIP;
    }
    return stage.status == OK ? EXIT_RIGHT : stage.status == ERROR ? EXIT_CUDA : EXIT_WRONG;
}

static int check_all(void)
{
    struct problem p = options.sized ? chosen() : problem_of(week.check_sizes[0]);
    struct tally t = { 0 };
    char size[SIZE_TEXT];

    for (int i = 0; options.sized ? i < 1 : week.check_sizes[i][0] != 0; i++) {
        const long long *dim = options.sized ? p.dim : week.check_sizes[i];
        int status = check(dim, &t);

        size_text(dim, size);
        printf("%-14s %s%s\n", size, status == EXIT_RIGHT ? "right" : status == EXIT_SKIP ? "refused: " : status == EXIT_WRONG ? "WRONG" : "error",
               status == EXIT_SKIP ? stage.why : "");
        if (status == EXIT_CUDA || (status == EXIT_WRONG && t.wrong == 1))
            explain();
        if (status == EXIT_CUDA)
            return status;
    }
    if (t.right + t.wrong == 0)
        return skip(t.why);
    printf("%s %s: %d right, %d wrong, %d refused\n", stage.stage, stage.name, t.right, t.wrong, t.refused);
    return t.wrong ? EXIT_WRONG : EXIT_RIGHT;
}

// Measures `measured`, after the awkward sizes if asked for, and reports.
static int measure(int awkward, int one_line)
{
    struct tally t = { 0 };
    int status = EXIT_RIGHT;

    measuring = 1;
    if (!one_line) {
        report_head(&bench, &measured);
        fflush(stdout);
    }
    for (int i = 0; awkward && week.check_sizes[i][0] && (status == EXIT_RIGHT || status == EXIT_SKIP); i++)
        status = check(week.check_sizes[i], &t);
    if (status == EXIT_WRONG || status == EXIT_CUDA) {
        enum status reached = stage.status;

        status = explain();
        put_row(reached);
        return status;
    }
    bench_run(&bench, &measured);
    measuring = 0;
    bench_put(&bench);
    if (stage.status != OK)
        return explain();
    if (one_line) {
        report_line(&bench);
        if (options.lines)
            report_bench(&bench, 1 << 30);
        return EXIT_RIGHT;
    }
    report_check(&bench, t.right, t.refused, t.why);
    report_bench(&bench, options.lines ? 1 << 30 : SCREEN_LINES);
    if (on_cpu_device)
        report_recorded(&stage);
    return EXIT_RIGHT;
}

// Judges the claims about `measured`, of the stage or of all that took part; returns how many fail.
static int judge_measured(int of_refs)
{
    struct claims of_ref;
    int failures = 0;

    if (stage_info.knobs[0]) {
        if (claims.n)
            printf("  its claims are about the knobs as the file sets them, not about %s\n", stage_info.knobs);
        return 0;
    }
    for (int i = 0; i < claims.n; i++)
        if (claim_for(&claims.claim[i], &measured, bench_mode(&bench)))
            failures += judge(&device, &stage, &claims.claim[i]);
    for (int r = 0; of_refs && r < bench.n_refs; r++) {
        claims_of(refs[r].info, &of_ref);
        for (int i = 0; i < of_ref.n; i++)
            if (claim_for(&of_ref.claim[i], &measured, bench_mode(&bench)))
                failures += judge(&device, &refs[r], &of_ref.claim[i]);
    }
    return failures;
}

static int run(void)
{
    int failures, status;

    measured = chosen();
    status = measure(options.action == RUN && !options.claims, options.action != RUN);
    if (status != EXIT_RIGHT || (options.action != RUN && !options.claims))
        return status;
    failures = judge_measured(options.claims);
    return options.claims && failures ? EXIT_WRONG : EXIT_RIGHT;
}

// Measures wherever the stage's claims for this kind of device are about, each size, type and mode once.
static int run_claims(void)
{
    int failures = 0, cases = 0;

    for (int i = 0; i < claims.n; i++) {
        const struct claim *c = &claims.claim[i];
        int known = !claim_for_device(c), status;

        for (int k = 0; k < i; k++)
            known |= claim_for_device(&claims.claim[k]) && size_same(claims.claim[k].dim, c->dim) && claims.claim[k].type == c->type
                && strcmp(claims.claim[k].mode, c->mode) == 0;
        if (known)
            continue;
        cases++;
        options.type = c->type;
        bench.hot = strcmp(c->mode, "hot") == 0;
        measured = problem_of(c->dim);
        if (arrays_misfit(&measured)) {
            printf("  not measured     %s: %s\n", c->said, arrays_misfit(&measured));
            continue;
        }
        status = measure(0, 1);
        if (status != EXIT_RIGHT)
            return status;
        failures += judge_measured(1);
    }
    if (cases == 0)
        printf("%s %s: no claims for this kind of device\n", stage.stage, stage.name);
    return failures ? EXIT_WRONG : EXIT_RIGHT;
}

static int shmoo(void)
{
    const long long (*sizes)[MAX_DIMS] = on_cpu_device ? week.cpu_shmoo : week.gpu_shmoo;
    int progress = isatty(STDERR_FILENO), wrong = 0, errors = 0, right = 0, n = 0;
    char size[SIZE_TEXT];

    while (sizes[n][0])
        n++;
    for (int i = 0; i < n; i++) {
        measured = problem_of(sizes[i]);
        size_text(measured.dim, size);
        if (progress)
            fprintf(stderr, "\r%d of %d: %s ...\033[K\r", i + 1, n, size);
        if (arrays_misfit(&measured)) {
            put_row(SKIPPED);
            printf("%-20s %s %s: %s\n", stage.stage, type_name(measured.type), size, arrays_misfit(&measured));
            continue;
        }
        measuring = 1;
        bench_run(&bench, &measured);
        measuring = 0;
        bench_put(&bench);
        if (progress)
            fputs("\033[K", stderr);
        right += stage.status == OK;
        wrong += stage.status == BROKEN;
        errors += stage.status == ERROR;
        if (stage.status == OK)
            report_line(&bench);
        else if (stage.status == SKIPPED)
            printf("%-20s %s %s: %s\n", stage.stage, type_name(measured.type), size, stage.why);
        else
            explain();
        fflush(stdout);
        if (stage.status == ERROR)
            call_must_recover();
    }
    return wrong ? EXIT_WRONG : errors ? EXIT_CUDA : right ? EXIT_RIGHT : skip("every size is refused");
}

static int once(void)
{
    struct problem p = chosen();
    struct arrays *a = arrays_new(&p, 1);
    void *set[MAX_BUFFERS];
    enum outcome outcome;

    arrays_fill(a, &p);
    arrays_poison(a, 0);
    arrays_set(a, 0, set);
    outcome = call_stage(stage.fn, &p, set);
    if (outcome == CALL_REFUSED)
        return skip(call_why());
    if (outcome == CALL_FAILED)
        warn("%s", call_why());
    return outcome == CALL_FAILED ? EXIT_CUDA : EXIT_RIGHT;
}

static void version(void)
{
    printf("%s: %s of %s, the CUDA ladder %s, built for %s", program_invocation_short_name, stage_info.file, week.name, LADDER_VERSION,
           on_cpu_device ? "the CPU device" : "a GPU");
    if (!on_cpu_device)
        printf(" with CUDA %d.%d", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    putchar('\n');
}

// Ends the program here where this stage cannot run on this device.
static void must_be_possible(void)
{
    int here = stage.fn != NULL && device_has(&device, stage_info.needs);

    if (here)
        return;
    if (options.action != CHECK && options.action != ONCE) {
        measured = problem_of(options.sized ? options.dim : on_cpu_device ? week.cpu_size : week.gpu_sizes[0]);
        put_row(SKIPPED);
    }
    printf("SKIP: needs %s, %s\n", stage_info.needs[0] ? stage_info.needs : "another device",
           on_cpu_device ? "which the CPU device is not" : device_has(&device, stage_info.needs) ? "which this build is not for" : "which this GPU is not");
    exit(EXIT_SKIP);
}

static int act(void)
{
    switch (options.action) {
    case CHECK: return check_all();
    case SHMOO: return shmoo();
    case ONCE: return once();
    case HELP: return options_help(), EXIT_RIGHT;
    case VERSION: return version(), EXIT_RIGHT;
    default: return options.claims && !options.sized && !options.hot ? run_claims() : run();
    }
}

// What was printed must have got there, or a script would take half a report for a whole one.
static int finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    warn("stdout: cannot be written: %s", strerror(errno));
    return status == EXIT_RIGHT ? EXIT_USAGE : status;
}

int main(int argc, char *argv[])
{
    char message[MESSAGE];

    if (options_parse(argc, argv, &options, message) != 0)
        die(EXIT_USAGE, "%s", message);
    if (options.action == HELP || options.action == VERSION)
        return finish(act());
    claims_of(&stage_info, &claims);
    device_open(options.device, &device);
    if (options.action != CHECK && options.action != ONCE)
        results_open(&device, options.tsv, argc, argv);
    runner_init(&stage, &stage_info, week.stage);
    must_be_possible();
    bench.hot = options.hot;
    bench.samples = options.reps;
    if (options.action != CHECK && options.action != ONCE && !on_cpu_device)
        bench.n_refs = refs_load(refs);
    on_die(dying);
    facts_on_diagnosis(diagnosed);
    return finish(act());
}
