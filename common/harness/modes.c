#include "modes.h"

#include <stdio.h>
#include <unistd.h>

#include "call.h"
#include "die.h"
#include "backend.h"
#include "runs.h"
#include "problem.h"
#include "program.h"
#include "report.h"
#include "results.h"

static const long long (*sweep_sizes(void))[MAX_DIMS]
{
    return on_cpu_device ? week.cpu_shmoo : week.gpu_shmoo;
}

// Checks one problem, and says how it went. Returns 0 where no other can be checked any more.
static int check_and_tell(struct problem p, struct tally *t)
{
    char size[PROBLEM_TEXT];
    struct row row;
    int status;

    problem_text(&p, size);
    printf("%-14s ", size);
    if (week.n_types > 1)
        printf("%-7s", type_name(p.type));
    if (arrays_misfit(&p)) {
        printf("left out: %s\n", arrays_misfit(&p));
        return 1;
    }
    status = check_problem(&p, t);
    printf("%s%s\n",
           status == EXIT_RIGHT   ? "right"
           : status == EXIT_SKIP  ? "refused: "
           : status == EXIT_WRONG ? "WRONG"
                                  : "error",
           status == EXIT_SKIP ? program.stage.why : "");
    if (status == EXIT_CUDA || (status == EXIT_WRONG && t->wrong == 1))
        program_explain();
    if (program.options.tsv) {
        contender_row(&program.stage, "check", &row);
        results_tell(&row);
    }
    return status != EXIT_CUDA;
}

int check_all(void)
{
    // --exact is for compute-sanitizer, under which the GPU's own sizes take minutes each.
    const long long(*lists[])[MAX_DIMS] = { week.check_sizes, on_cpu_device || program.options.exact
                                                                  ? NULL
                                                                  : week.gpu_check_sizes };
    struct tally t = { 0 };
    int going = 1, nth = 0;

    if (program.options.sweep)
        for (const long long(*dim)[MAX_DIMS] = sweep_sizes(); going && (*dim)[0]; dim++)
            going = !program_sweeps(*dim) || check_and_tell(program_problem(*dim), &t);
    else if (program.options.sized)
        going = check_and_tell(program_chosen(), &t);
    else
        for (int type = 0; going && type < (program.options.typed ? 1 : week.n_types); type++) {
            if (!program.options.typed)
                program.options.problem.type = week.types[type];
            // what only a GPU takes, in one type: it is about the size
            for (int l = 0; l < (type == 0 ? 2 : 1); l++)
                for (const long long(*dim)[MAX_DIMS] = lists[l]; going && dim && (*dim)[0]; dim++)
                    going = check_and_tell(program_awkward(*dim, nth++), &t);
        }
    if (!going)
        return EXIT_CUDA;
    if (t.right + t.wrong == 0)
        return program_skip(t.refused ? t.why : "no size to check");
    printf("%s %s: %d right, %d wrong, %d refused\n", program.stage.stage, program.stage.name,
           t.right, t.wrong, t.refused);
    return t.wrong ? EXIT_WRONG : EXIT_RIGHT;
}

int shmoo(void)
{
    const long long(*sizes)[MAX_DIMS] = sweep_sizes();
    int progress = isatty(STDERR_FILENO), wrong = 0, errors = 0, right = 0, n = 0;
    char size[PROBLEM_TEXT];

    while (sizes[n][0])
        n++;
    for (int i = 0; i < n; i++) {
        if (!program_sweeps(sizes[i]))
            continue;
        program.measured = program_problem(sizes[i]);
        problem_text(&program.measured, size);
        if (progress)
            fprintf(stderr, "\r%d of %d: %s ...\033[K\r", i + 1, n, size);
        if (arrays_misfit(&program.measured)) {
            program_put(SKIPPED);
            printf("%-20s %s %s: %s\n", program.stage.stage, type_name(program.measured.type), size,
                   arrays_misfit(&program.measured));
            continue;
        }
        program.measuring = 1;
        measure_run(&program.measurement, &program.measured);
        program.measuring = 0;
        measure_put(&program.measurement);
        if (progress)
            fputs("\033[K", stderr);
        right += program.stage.status == OK;
        wrong += program.stage.status == BROKEN;
        errors += program.stage.status == ERROR;
        if (program.stage.status == OK)
            report_line(&program.measurement);
        else if (program.stage.status == SKIPPED)
            printf("%-20s %s %s: %s\n", program.stage.stage, type_name(program.measured.type), size,
                   program.stage.why);
        else
            program_explain();
        fflush(stdout);
        if (program.stage.status == ERROR)
            call_must_recover();
    }
    return wrong  ? EXIT_WRONG
         : errors ? EXIT_CUDA
         : right  ? EXIT_RIGHT
                  : program_skip("every size is refused, or larger than --size");
}

int once(void)
{
    struct problem p = program_chosen();
    struct arrays *a = arrays_new(&p, SEPARATE);
    void *set[MAX_BUFFERS];
    enum outcome outcome;

    contender_set(&program.stage, &p);
    arrays_fill(a, &p);
    arrays_set(a, 0, set);
    outcome = call_stage(program.stage.fn, &p, set);
    if (outcome == CALL_REFUSED)
        return program_skip(call_why());
    if (outcome == CALL_FAILED)
        warn("%s", call_why());
    return outcome == CALL_FAILED ? EXIT_CUDA : EXIT_RIGHT;
}
