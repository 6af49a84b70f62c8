#include "runs.h"

#include <stdio.h>
#include <string.h>

#include "die.h"
#include "backend.h"
#include "problem.h"
#include "program.h"
#include "report.h"

enum { SCREEN_LINES = 8 };   // of source in a report that stays on one screen

int check_problem(const struct problem *p, struct tally *t)
{
    measure_check(&program.measurement, p);
    t->right += program.stage.status == OK;
    t->wrong += program.stage.status == BROKEN;
    if (program.stage.status == SKIPPED) {
        t->refused++;
        strcpy(t->why, program.stage.why);
        return EXIT_SKIP;
    }
    return program.stage.status == OK    ? EXIT_RIGHT
         : program.stage.status == ERROR ? EXIT_CUDA
                                         : EXIT_WRONG;
}

// Measures `measured`, after the awkward sizes if asked for, and reports.
static int measure(int awkward, int one_line)
{
    struct tally t = { 0 };
    int status = EXIT_RIGHT;

    program.measuring = 1;
    if (!one_line) {
        report_head(&program.measurement, &program.measured);
        fflush(stdout);
    }
    for (int i = 0;
         awkward && week.check_sizes[i][0] && (status == EXIT_RIGHT || status == EXIT_SKIP); i++) {
        struct problem p = program_awkward(week.check_sizes[i], i);

        status = check_problem(&p, &t);
    }
    if (status == EXIT_WRONG || status == EXIT_CUDA) {
        enum status reached = program.stage.status;

        status = program_explain();
        program_put(reached);
        return status;
    }
    measure_run(&program.measurement, &program.measured);
    program.measuring = 0;
    measure_put(&program.measurement);
    if (program.stage.status != OK)
        return program_explain();
    if (one_line) {
        report_line(&program.measurement);
        if (program.options.lines)
            report_bench(&program.measurement, 1 << 30);
        return EXIT_RIGHT;
    }
    report_check(&program.measurement, t.right, t.refused, t.why);
    report_bench(&program.measurement, program.options.lines ? 1 << 30 : SCREEN_LINES);
    if (on_cpu_device)
        report_recorded(&program.stage);
    return EXIT_RIGHT;
}

// Judges the claims about `measured`, of the stage or of all that took part; returns how many fail.
static int judge_measured(int of_refs)
{
    struct claims of_ref;
    int failures = 0;

    if (stage_info.knobs[0]) {
        if (program.claims.n)
            printf("  its claims are about the knobs as the file sets them, not about %s\n",
                   stage_info.knobs);
        return 0;
    }
    for (int i = 0; i < program.claims.n; i++)
        if (claim_for(&program.claims.claim[i], &program.measured,
                      measure_mode(&program.measurement)))
            failures += judge(&program.device, &program.stage, &program.claims.claim[i]);
    for (int r = 0; of_refs && r < program.measurement.n_refs; r++) {
        claims_of(program.refs[r].info, &of_ref);
        for (int i = 0; i < of_ref.n; i++)
            if (claim_for(&of_ref.claim[i], &program.measured, measure_mode(&program.measurement)))
                failures += judge(&program.device, &program.refs[r], &of_ref.claim[i]);
    }
    return failures;
}

int run(void)
{
    int failures, status;

    program.measured = program_chosen();
    status = measure(program.options.action == RUN && !program.options.claims,
                     program.options.action != RUN);
    if (status != EXIT_RIGHT || (program.options.action != RUN && !program.options.claims))
        return status;
    failures = judge_measured(program.options.claims);
    return program.options.claims && failures ? EXIT_WRONG : EXIT_RIGHT;
}

// Measures wherever the stage's claims for this kind of device are about, each size, type and mode
// once.
int run_claims(void)
{
    int failures = 0, cases = 0;

    for (int i = 0; i < program.claims.n; i++) {
        const struct claim *c = &program.claims.claim[i];
        int known = !claim_for_device(c), status;

        for (const struct claim *earlier = program.claims.claim; earlier < c; earlier++)
            known |= claim_for_device(earlier) && problem_same(&earlier->problem, &c->problem) &&
                     strcmp(earlier->mode, c->mode) == 0;
        if (known)
            continue;
        cases++;
        program.measurement.hot = strcmp(c->mode, "hot") == 0;
        program.measured = c->problem;
        program.measured.seed = program.options.problem.seed;
        program.measured.computes = stage_info.computes;
        if (arrays_misfit(&program.measured)) {
            printf("  not measured     %s: %s\n", c->said, arrays_misfit(&program.measured));
            continue;
        }
        status = measure(0, 1);
        if (status != EXIT_RIGHT)
            return status;
        failures += judge_measured(1);
    }
    if (cases == 0)
        printf("%s %s: no claims for this kind of device\n", program.stage.stage,
               program.stage.name);
    return failures ? EXIT_WRONG : EXIT_RIGHT;
}
