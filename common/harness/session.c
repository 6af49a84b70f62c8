#define _GNU_SOURCE   // program_invocation_short_name
#include "session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

#include "call.h"
#include "claims.h"
#include "draw.h"
#include "folders.h"
#include "measure.h"
#include "options.h"
#include "predict.h"
#include "problem.h"
#include "program.h"
#include "event_log.h"
#include "report.h"
#include "terminal.h"
#include "version.h"

enum { SCREEN_LINES = 8, ALL_LINES = 1 << 30 };   // source lines in a report

// The state of one run of a stage's program.
struct session {
    const struct week *week;
    const struct stage_info *info;
    struct options options;
    struct device device;
    struct results results;
    struct measurement measurement;
    struct stage_claims claims;   // the stage's
    struct problem problem;       // the problem that is measured
    struct drawing drawing;       // of --draw
    int measuring;                // 1: a program that ends with an error leaves a row
};

// The results of checks. Each size is counted once; `why` is the reason for the last refusal.
struct tally {
    int right, refused, wrong;
    const char *why;
};

// --- problems

// What the command line requests: type, seed, options of the week, and perhaps a size.
static struct problem requested_problem(const struct session *s)
{
    struct problem p = s->options.problem;

    p.computes = s->info->computes;
    p.arithmetic = s->info->arithmetic;
    return p;
}

// Whether the requested type is one of a stage without a line "// Type:".
static int is_type_of_all(const struct session *s)
{
    int found = 0;

    for (int i = 0; i < s->week->n_types; i++)
        found |= s->options.problem.type == s->week->types[i];
    return found;
}

// The head of a submission is not read. --computes is the line "// Computes:" of its exercise. If
// that has a type that only some stages have, --type names it.
static const struct stage_info *graded_info(const struct session *s)
{
    struct stage_info *info = must_malloc(sizeof *info);

    *info = *s->info;
    if (s->options.computes)
        info->computes = s->options.computes;
    if (!is_type_of_all(s))
        info->type = type_name(s->options.problem.type);
    return info;
}

// A stage with a line "// Type:" has that type alone; it is for no other stage.
static void set_type(struct session *s)
{
    struct problem *p = &s->options.problem;
    int own = s->info->type[0] ? type_of_name(s->week, s->info->type) : -1;

    if (s->info->type[0] && own < 0)
        die(STATUS_USAGE, "%s: // Type: %s: not a type of this week", s->info->file, s->info->type);
    if (s->options.typed && (own < 0 ? !is_type_of_all(s) : p->type != (enum type)own))
        die(STATUS_USAGE, "--type '%s': this stage computes %s only", type_name(p->type),
            own < 0 ? type_name(s->week->types[0]) : s->info->type);
    if (own >= 0)
        p->type = own;
}

// The requested problem at the nth size of a list. Returns 0 if the list is shorter.
static int nth_problem(const struct session *s, const char *sizes, int nth, struct problem *p)
{
    *p = requested_problem(s);
    return sizes && size_of_list(sizes, nth, p);
}

// The requested problem at the nth of the week's awkward sizes, with the week's variations.
static int awkward_problem(const struct session *s, const char *sizes, int nth, struct problem *p)
{
    if (!nth_problem(s, sizes, nth, p))
        return 0;
    for (int i = 0; s->week->options && s->week->options[i].name; i++)
        if (s->week->options[i].scope != ANY_SIZE)
            p->option[i] = 0;
    if (s->week->vary)
        s->week->vary(p, nth);
    return 1;
}

// The requested problem; without --size, at the device's default size. With --for, the size is that
// of the model, which may take hours to count.
static struct problem default_problem(const struct session *s)
{
    struct problem p = requested_problem(s);

    if (!s->options.sized || s->options.gpu)
        size_of_list(on_cpu_device ? s->week->cpu_size : s->week->gpu_sizes, 0, &p);
    return p;
}

// The requested problem; without --size, at the largest default size that fits into memory. Ends
// the program with STATUS_SKIPPED if none fits.
static struct problem fitting_problem(const struct session *s)
{
    struct problem p = default_problem(s), smaller;

    for (int i = 1; !s->options.sized && !on_cpu_device && arrays_misfit(&p) &&
                    nth_problem(s, s->week->gpu_sizes, i, &smaller);
         i++)
        p = smaller;
    if (arrays_misfit(&p))
        die(STATUS_SKIPPED, "--size %s: %s; expected a smaller size", problem_text(&p),
            arrays_misfit(&p));
    return p;
}

static const char *sweep_sizes(const struct session *s)
{
    return on_cpu_device ? s->week->cpu_shmoo : s->week->gpu_shmoo;
}

// Whether a sweep includes this problem: it has no more elements than --size.
static int sweep_includes(const struct session *s, const struct problem *p)
{
    struct problem most = requested_problem(s);

    return !s->options.sized || s->week->elements(p) <= s->week->elements(&most);
}

// --- failures

// Stores a row of the session's problem with a status and its reason, and no measurement.
static void put_status(struct session *s, enum status status, const char *why)
{
    struct contender *stage = &s->measurement.stage;
    struct row row;

    contender_set(stage, &s->problem);
    stage->status = status;
    stage->why = why;
    row = contender_row(stage, measure_mode(&s->measurement));
    results_put(&s->results, &row, 1);
}

// Appends a row of a check to the file of --tsv.
static void put_check(struct session *s)
{
    struct row row = contender_row(&s->measurement.stage, "check");

    results_append(&s->results, &row);
}

static enum status skip(const struct session *s, const char *why)
{
    printf("SKIP: %s: %s\n", s->measurement.stage.stage, why);
    return STATUS_SKIPPED;
}

// Prints why the stage was not measured, if so. Returns its status.
static enum status explain(const struct session *s)
{
    const struct contender *stage = &s->measurement.stage;

    if (stage->status == STATUS_SKIPPED)
        skip(s, stage->why);
    else if (stage->status == STATUS_ERROR)
        warn("%s: %s", problem_text(&stage->problem), stage->why);
    else if (stage->status == STATUS_WRONG) {
        warn("WRONG at %s: %s", problem_text(&stage->problem), stage->why);
        verdict_print(&s->measurement.verdict, stderr);
    }
    return stage->status;
}

// A program that ends while it measures, or checks a submission, leaves a row with the reason.
static void dying(void *session, enum status status, const char *message)
{
    struct session *s = session;
    struct contender *stage = &s->measurement.stage;

    if (status != STATUS_ERROR && !s->measurement.process)
        return;
    if (s->measuring) {
        put_status(s, status, message);
    } else if (s->measurement.process) {
        stage->status = status;
        stage->why = message;
        put_check(s);
    }
}

// The CPU device has printed what is wrong and where, but not the problem size.
static void diagnosed(void *session, const char *first)
{
    struct session *s = session;

    if (s->options.action != DRAW)
        warn("the problem size was %s", problem_text(&s->measurement.stage.problem));
    else
        drawing_print(&s->drawing, first);
    if (s->measuring)
        put_status(s, STATUS_WRONG, first);
}

// --- measuring one size

static enum status check_problem(struct session *s, const struct problem *p, struct tally *t)
{
    const struct contender *stage = &s->measurement.stage;

    measure_check(&s->measurement, p);
    t->right += stage->status == STATUS_OK;
    t->wrong += stage->status == STATUS_WRONG;
    t->refused += stage->status == STATUS_SKIPPED;
    if (stage->status == STATUS_SKIPPED)
        t->why = stage->why;
    return stage->status;
}

// Whether the report has five lines: a first stage of the week, and no option that asks for more.
static int is_brief(const struct session *s)
{
    return on_cpu_device && !s->options.all && !s->options.lines && s->week->brief &&
           has_word(s->week->brief, s->info->key);
}

// Checks the awkward sizes if `awkward` is set, measures the session's problem, and reports.
static enum status measure_and_report(struct session *s, int awkward, int one_line)
{
    struct measurement *m = &s->measurement;
    enum status status = STATUS_OK;
    struct tally t = { 0 };
    struct problem p;

    s->measuring = 1;
    if (!one_line) {
        if (is_brief(s))
            report_brief_head(m);
        else
            report_head(m, &s->problem);
        fflush(stdout);
    }
    for (int i = 0; awkward && (status == STATUS_OK || status == STATUS_SKIPPED) &&
                    awkward_problem(s, s->week->check_sizes, i, &p);
         i++)
        status = check_problem(s, &p, &t);
    if (status == STATUS_WRONG || status == STATUS_ERROR) {
        explain(s);
        put_status(s, status, m->stage.why);
        return status;
    }
    measure_run(m, &s->problem);
    s->measuring = 0;
    measure_put(m, &s->results);
    if (m->stage.status != STATUS_OK)
        return explain(s);
    if (one_line) {
        report_line(m);
        if (s->options.lines)
            report_measurement(m, &s->results, ALL_LINES);
        return STATUS_OK;
    }
    report_check(m, t.right, t.refused, t.why);
    if (is_brief(s)) {
        report_brief(m);
        return STATUS_OK;
    }
    report_measurement(m, &s->results, s->options.lines ? ALL_LINES : SCREEN_LINES);
    if (on_cpu_device)
        report_recorded(&m->stage, &s->results);
    return STATUS_OK;
}

// Judges the claims about the session's problem: those of the stage and, with of_refs, of its
// references. A brief report shows only those that fail. Returns how many fail.
static int judge_measured(struct session *s, int of_refs)
{
    struct measurement *m = &s->measurement;
    int failures = 0, brief = !s->options.claims && s->options.action == RUN && is_brief(s);

    if (s->info->knobs[0]) {
        if (s->claims.n && !brief)
            printf("  claims are skipped: they hold for the default knobs, not for %s\n",
                   s->info->knobs);
        return 0;
    }
    for (int i = 0; i < s->claims.n; i++)
        if (claim_is_for(&s->claims.of[i], &s->problem, measure_mode(m)))
            failures += claim_report(&s->claims.of[i], &s->results, &m->stage, brief);
    for (int r = 0; of_refs && r < m->n_refs; r++) {
        struct stage_claims of_ref = { 0 };

        claims_read(&of_ref, s->week, m->ref[r].info);
        for (int i = 0; i < of_ref.n; i++)
            if (claim_is_for(&of_ref.of[i], &s->problem, measure_mode(m)))
                failures += claim_report(&of_ref.of[i], &s->results, &m->ref[r], brief);
    }
    return failures;
}

// The default run, --bench and --count.
static enum status run(struct session *s)
{
    int screen = s->options.action == RUN, claims = s->options.claims, failures;
    enum status status;

    s->problem = fitting_problem(s);
    status = measure_and_report(s, screen && !claims, !screen);
    if (status != STATUS_OK || (!screen && !claims))
        return status;
    failures = judge_measured(s, claims);
    return claims && failures ? STATUS_WRONG : STATUS_OK;
}

// Measures each size, type and mode that the stage's claims for this kind of device name, once.
static enum status run_claims(struct session *s)
{
    int failures = 0, cases = 0;

    for (int i = 0; i < s->claims.n; i++) {
        const struct stage_claim *c = &s->claims.of[i];
        int known = !claim_is_for_device(c);
        enum status status;

        for (const struct stage_claim *earlier = s->claims.of; earlier < c; earlier++)
            known |= claim_is_for(earlier, &c->problem, c->claim.mode);
        if (known)
            continue;
        cases++;
        s->measurement.hot = strcmp(c->claim.mode, "hot") == 0;
        s->problem = c->problem;
        s->problem.seed = s->options.problem.seed;
        s->problem.computes = s->info->computes;
        s->problem.arithmetic = s->info->arithmetic;
        if (arrays_misfit(&s->problem)) {
            printf("  %-16s %s: %s\n", "not measured yet", c->claim.condition,
                   arrays_misfit(&s->problem));
            continue;
        }
        status = measure_and_report(s, 0, 1);
        if (status != STATUS_OK)
            return status;
        failures += judge_measured(s, 1);
    }
    if (cases == 0)
        printf("%s %s: no claims for this kind of device\n", s->measurement.stage.stage,
               s->measurement.stage.name);
    return failures ? STATUS_WRONG : STATUS_OK;
}

// --- other actions

// Checks one problem and prints the result. Returns 0 if no other problem can be checked.
static int check_and_report(struct session *s, const struct problem *p, struct tally *t)
{
    const struct contender *stage = &s->measurement.stage;
    enum status status;

    printf("%-14s ", problem_text(p));
    if (s->week->n_types > 1 || p->type != s->week->types[0])
        printf("%-7s", type_name(p->type));
    if (arrays_misfit(p)) {
        printf("skipped: %s\n", arrays_misfit(p));
        return 1;
    }
    status = check_problem(s, p, t);
    printf("%s%s\n",
           status == STATUS_OK        ? "right"
           : status == STATUS_SKIPPED ? "refused: "
           : status == STATUS_WRONG   ? "WRONG"
                                      : "error",
           status == STATUS_SKIPPED ? stage->why : "");
    if (status == STATUS_ERROR || (status == STATUS_WRONG && t->wrong == 1))
        explain(s);
    if (s->options.tsv)
        put_check(s);
    return status != STATUS_ERROR;
}

// Whether the CPU device checks this size in a few tenths of a second.
static int is_small(const struct problem *p)
{
    enum { BYTES = 512 << 10, OPERATIONS = 1 << 20 };
    double most = p->week->quick_bytes > 0 ? p->week->quick_bytes : BYTES;

    return p->week->bytes(p) <= most && (!p->week->flops || p->week->flops(p) <= OPERATIONS);
}

// Checks the week's awkward sizes in every type; returns 0 if it had to stop.
static int check_awkward(struct session *s, struct tally *t)
{
    // --exact is for compute-sanitizer, with which each of the additional GPU sizes takes minutes.
    int gpu = !on_cpu_device && !s->options.exact;
    int types = s->options.typed || s->info->type[0] ? 1 : s->week->n_types;
    const char *lists[] = { s->week->check_sizes, s->week->one_type_check_sizes,
                            gpu ? s->week->gpu_check_sizes : NULL };
    int n_lists = sizeof lists / sizeof *lists, going = 1;
    struct problem p;

    for (int type = 0; going && type < types; type++) {
        if (!s->options.typed && !s->info->type[0])
            s->options.problem.type = s->week->types[type];
        // large sizes are checked in one type only: they test the size
        for (int l = 0; l < (type == 0 ? n_lists : 1); l++)
            for (int i = 0; going && awkward_problem(s, lists[l], i, &p); i++)
                if (!s->options.quick || is_small(&p))
                    going = check_and_report(s, &p, t);
    }
    return going;
}

// --check
static enum status check_all(struct session *s)
{
    struct tally t = { 0 };
    struct problem p;
    int going = 1;

    if (s->options.sweep)
        for (int i = 0; going && nth_problem(s, sweep_sizes(s), i, &p); i++)
            going = !sweep_includes(s, &p) || check_and_report(s, &p, &t);
    else if (s->options.sized) {
        p = fitting_problem(s);
        going = check_and_report(s, &p, &t);
    } else
        going = check_awkward(s, &t);
    if (!going)
        return STATUS_ERROR;
    if (t.right + t.wrong == 0)
        return skip(s, t.refused ? t.why : "no size to check");
    printf("%s %s: %d right, %d wrong, %d refused\n", s->measurement.stage.stage,
           s->measurement.stage.name, t.right, t.wrong, t.refused);
    return t.wrong ? STATUS_WRONG : STATUS_OK;
}

// Measures one size of a sweep, the session's problem, and prints a line.
static enum status sweep_size(struct session *s)
{
    struct contender *stage = &s->measurement.stage;
    const char *why;

    why = arrays_misfit(&s->problem);
    if (why) {
        put_status(s, STATUS_SKIPPED, why);
    } else {
        s->measuring = 1;
        measure_run(&s->measurement, &s->problem);
        s->measuring = 0;
        measure_put(&s->measurement, &s->results);
        why = stage->why;
    }
    if (isatty(STDERR_FILENO))
        fputs("\033[K", stderr);
    if (stage->status == STATUS_OK)
        report_line(&s->measurement);
    else if (stage->status == STATUS_SKIPPED)
        printf("%-20s %s %s: %s\n", stage->stage, type_name(s->problem.type),
               problem_text(&s->problem), why);
    else
        explain(s);
    fflush(stdout);
    if (stage->status == STATUS_ERROR)
        call_must_recover();
    return stage->status;
}

// --shmoo
static enum status shmoo(struct session *s)
{
    int wrong = 0, errors = 0, right = 0;

    for (int i = 0; nth_problem(s, sweep_sizes(s), i, &s->problem); i++) {
        enum status status;

        if (!sweep_includes(s, &s->problem))
            continue;
        if (isatty(STDERR_FILENO))
            fprintf(stderr, "\rsize %d ...\033[K\r", i + 1);
        status = sweep_size(s);
        right += status == STATUS_OK;
        wrong += status == STATUS_WRONG;
        errors += status == STATUS_ERROR;
    }
    return wrong  ? STATUS_WRONG
         : errors ? STATUS_ERROR
         : right  ? STATUS_OK
                  : skip(s, "every size is refused, or larger than --size");
}

// --once, and for --lanes and --trace: calls the stage without a check.
static enum status once(struct session *s)
{
    struct problem p = fitting_problem(s);
    struct arrays *a = arrays_new(&p, SEPARATE);
    void *set[MAX_BUFFERS];
    enum status status;

    contender_set(&s->measurement.stage, &p);
    arrays_fill(a, &p);
    arrays_set(a, 0, set);
    status = call_stage(s->measurement.stage.fn, &p, set);
    if (status == STATUS_SKIPPED)
        return skip(s, call_why());
    if (status == STATUS_ERROR)
        warn("%s", call_why());
    return status;
}

// --lanes and --trace
static enum status log_events(struct session *s)
{
    const struct options *o = &s->options;
    int lanes = o->action == LANES, rows;
    const char *option = lanes ? "--lanes" : "--trace";
    enum status status;

    event_log_must_fit(option, o->events);
    event_log_start(&o->watch, lanes);
    status = once(s);
    if (status != STATUS_OK)
        return status;
    rows = event_log_write(&o->watch, lanes, &s->measurement.stage.problem, s->info, option,
                           o->events);
    if (strcmp(o->events, "-") != 0)
        printf("%s: %d %s\n", o->events, rows, lanes ? "requests" : "events");
    return STATUS_OK;
}

// --draw
static enum status draw(struct session *s)
{
    struct problem p = fitting_problem(s);
    enum status status;

    if (s->week->drawn_size && !s->options.sized)
        size_of_list(s->week->drawn_size(&p), 0, &p);
    contender_set(&s->measurement.stage, &p);
    drawing_begin(&s->drawing, &s->measurement.stage.problem);
    status = call_stage(s->measurement.stage.fn, &p, s->drawing.device);
    if (status == STATUS_SKIPPED)
        return skip(s, call_why());
    return drawing_print(&s->drawing, status == STATUS_ERROR ? call_why() : NULL);
}

static void version(const struct session *s)
{
    printf("%s: %s of %s, the CUDA ladder %s, built for %s", program_invocation_short_name,
           s->info->file, s->week->name, LADDER_VERSION,
           on_cpu_device ? "the CPU device" : "a GPU");
    if (!on_cpu_device)
        printf(" with CUDA %d.%d", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    putchar('\n');
}

// --- the model of time

static const char DEFAULT_GPU[] = "h200";   // of the recorded runs

// What it does not know does not make the stage wrong. Without a report, there is nothing else.
static enum status no_model(const struct session *s, const char *why)
{
    if (s->options.action != RUN)
        return skip(s, why);
    printf("  model    none: %s\n", why);
    return STATUS_OK;
}

// --model-rows with --shmoo: a row for each size of the GPU's sweep that the stage accepts.
static enum status model_sweep(struct session *s, struct player *player)
{
    struct contender *stage = &s->measurement.stage;
    struct problem p;
    int rows = 0;

    for (int i = 0; nth_problem(s, s->week->gpu_shmoo, i, &p); i++) {
        contender_set(stage, &p);
        if (!sweep_includes(s, &p) || predict_call(stage, player) != STATUS_OK)
            continue;
        if (!rows++)
            predict_print_header();
        predict_print_row(stage, player);
    }
    return rows ? STATUS_OK : no_model(s, "every size is refused, or larger than --size");
}

// --for: the time of a call at the default size of a GPU, or at --size, in a dry run. No launch is
// executed after it.
static enum status model(struct session *s)
{
    struct contender *stage = &s->measurement.stage;
    struct problem p = requested_problem(s);
    struct player player = { 0 };
    const char *wrong;
    enum status status;

    if (!s->options.sized)
        size_of_list(s->week->gpu_sizes, 0, &p);
    contender_set(stage, &p);
    wrong = predict_open(&player, s->options.gpu, s->week, s->info);
    if (!wrong && s->options.estimated)
        wrong = "--estimated asks for it";
    if (wrong && predict_estimate(&player, stage, wrong))
        return no_model(s, wrong);
    if (s->options.sweep)
        return model_sweep(s, &player);
    status = predict_call(stage, &player);
    if (status == STATUS_SKIPPED)
        return no_model(s, stage->why);
    if (status != STATUS_OK)
        die(status, "%s: %s", problem_text(&p), stage->why);
    if (s->options.action == MODEL_ROWS) {
        predict_print_header();
        predict_print_row(stage, &player);
    } else if (s->options.action == BENCH)
        predict_line(stage, &player);
    else
        predict_report(stage, &player);
    return STATUS_OK;
}

// Without --for: a line about the GPU of the recorded runs, if there is machine code for it.
static void model_line(struct session *s)
{
    struct contender *stage = &s->measurement.stage;
    struct problem p = requested_problem(s);
    struct player player = { 0 };

    if (!s->options.sized)
        size_of_list(s->week->gpu_sizes, 0, &p);
    contender_set(stage, &p);
    if (!predict_open(&player, DEFAULT_GPU, s->week, s->info) &&
        predict_call(stage, &player) == STATUS_OK)
        predict_summary(stage, &player);
}

// The report of a run, at a size that the CPU device counts, and then the model.
static enum status run_and_model(struct session *s)
{
    enum status status = run(s);

    if (status != STATUS_OK)
        return status;
    if (s->options.gpu)
        return model(s);
    if (!is_brief(s) && predict_open)
        model_line(s);
    return STATUS_OK;
}

// --- the session

static int measures(const struct session *s)
{
    enum action a = s->options.action;

    return a != CHECK && a != ONCE && a != DRAW && a != MODEL_ROWS && !logs_events(&s->options) &&
           !s->options.serve && !(s->options.gpu && a == BENCH);
}

// Returns 1 if this stage cannot run on this device. Then prints why, and leaves a row.
static int refuse_if_impossible(struct session *s)
{
    int able = device_has(&s->device, s->info->needs),
        shown = s->options.action == RUN && !s->options.claims;
    const char *why;

    if (able && (s->measurement.stage.fn || s->measurement.process || s->options.serve))
        return 0;
    why = text_of("needs %s; %s", s->info->needs[0] ? s->info->needs : "another device",
                  on_cpu_device ? "the CPU device does not execute its instructions"
                  : able        ? "this build is for another architecture"
                                : text_of("this GPU is sm_%d", s->device.sm));
    s->problem = default_problem(s);
    if (measures(s))
        put_status(s, STATUS_SKIPPED, why);
    if (shown)
        report_head(&s->measurement, &s->problem);
    skip(s, why);
    if (shown && on_cpu_device)
        report_recorded(&s->measurement.stage, &s->results);
    return 1;
}

// Whether the command line selects what to measure.
static int is_selected(const struct session *s)
{
    return s->options.sized || s->options.typed || s->options.hot ||
           variant_text(&s->options.problem)[0];
}

static enum status act(struct session *s)
{
    switch (s->options.action) {
    case CHECK: return check_all(s);
    case SHMOO: return shmoo(s);
    case ONCE: return once(s);
    case LANES:
    case TRACE: return log_events(s);
    case DRAW: return draw(s);
    case MODEL_ROWS: return model(s);
    case HELP: return options_help(s->week), STATUS_OK;
    case VERSION: return version(s), STATUS_OK;
    default:
        if (s->options.claims && !is_selected(s))
            return run_claims(s);
        if (s->options.action == RUN && on_cpu_device && !s->options.isolated)
            return run_and_model(s);
        return s->options.gpu ? model(s) : run(s);
    }
}

// The process of the submission: that of an earlier session, or a new one.
static struct isolated *process_of(const struct session *s, struct isolated *earlier)
{
    if (earlier) {
        isolated_step(earlier);
        return earlier;
    }
    return isolated_start(s->options.isolated, s->options.seconds, s->options.unconfined, 0);
}

static void open_measurement(struct session *s, struct isolated **kept)
{
    struct measurement *m = &s->measurement;
    char folder[PATH_MAX];

    m->device = &s->device;
    m->hot = s->options.hot;
    m->exact = s->options.exact;
    m->one_call = s->options.quick && s->options.action != CHECK;
    m->samples = s->options.reps;
    if (s->options.isolated && !isolated_start)
        die(STATUS_USAGE, "--isolated: only the program that grades has this option");
    if (s->options.isolated &&
        getrandom(&s->options.problem.secret, sizeof s->options.problem.secret, 0) < 0)
        die(STATUS_ERROR, "getrandom: %s", strerror(errno));
    if (s->options.isolated)
        m->process = process_of(s, kept ? *kept : NULL);
    if (kept)
        *kept = m->process;
    contender_init(&m->stage, s->info, s->week->stage);
    if (measures(s) && !s->options.alone && !on_cpu_device && program_folder(folder) == 0)
        m->n_refs = references_load(m->ref, s->week, s->info, folder);
}

enum status session_run(const struct week *week, const struct stage_info *info, int argc,
                        char *argv[], struct isolated **kept)
{
    struct session *s = must_malloc(sizeof *s);   // too large for the stack
    enum status status;

    *s = (struct session){ .week = week, .info = info };
    options_parse(argc, argv, week, &s->options);
    if (s->options.action == HELP || s->options.action == VERSION) {
        fit_terminal();
        return finish(act(s));
    }
    if (s->options.isolated)
        s->info = graded_info(s);
    set_type(s);
    if (s->options.gpu && !predict_must_know)
        die(STATUS_USAGE, "--for %s: this week has no model of time", s->options.gpu);
    if (s->options.gpu)
        predict_must_know(s->options.gpu);
    claims_read(&s->claims, week, s->info);
    device_open(s->options.device, &s->device);
    if (s->options.tsv || measures(s))
        results_open(&s->results, week, s->info, &s->device, !s->options.transient, s->options.tsv,
                     argc, argv);
    if (!logs_events(&s->options) && !s->options.serve)
        fit_terminal();
    open_measurement(s, kept);
    if (refuse_if_impossible(s))
        return finish(STATUS_SKIPPED);
    on_die(dying, s);
    backend_on_diagnosis(diagnosed, s);
    if (s->options.serve && isolated_serve) {
        s->measurement.stage.problem = requested_problem(s);
        return finish(isolated_serve(&s->measurement.stage, s->options.unconfined));
    }
    status = finish(act(s));
    if (s->measurement.process && !kept)
        isolated_end(s->measurement.process);
    return status;
}
