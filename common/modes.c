#include "modes.h"

#include <stdio.h>
#include <unistd.h>

#include "call.h"
#include "die.h"
#include "facts.h"
#include "measure.h"
#include "problem.h"
#include "program.h"
#include "report.h"

int check_all(void)
{
    struct problem p = program.options.sized ? program_chosen() : program_problem(week.check_sizes[0]);
    struct tally t = { 0 };
    char size[SIZE_TEXT];

    for (int i = 0; program.options.sized ? i < 1 : week.check_sizes[i][0] != 0; i++) {
        const long long *dim = program.options.sized ? p.dim : week.check_sizes[i];
        int status = check_size(dim, &t);

        size_text(dim, size);
        printf("%-14s %s%s\n", size, status == EXIT_RIGHT ? "right" : status == EXIT_SKIP ? "refused: " : status == EXIT_WRONG ? "WRONG" : "error",
               status == EXIT_SKIP ? program.stage.why : "");
        if (status == EXIT_CUDA || (status == EXIT_WRONG && t.wrong == 1))
            program_explain();
        if (status == EXIT_CUDA)
            return status;
    }
    if (t.right + t.wrong == 0)
        return program_skip(t.why);
    printf("%s %s: %d right, %d wrong, %d refused\n", program.stage.stage, program.stage.name, t.right, t.wrong, t.refused);
    return t.wrong ? EXIT_WRONG : EXIT_RIGHT;
}

int shmoo(void)
{
    const long long (*sizes)[MAX_DIMS] = on_cpu_device ? week.cpu_shmoo : week.gpu_shmoo;
    int progress = isatty(STDERR_FILENO), wrong = 0, errors = 0, right = 0, n = 0;
    char size[SIZE_TEXT];

    while (sizes[n][0])
        n++;
    for (int i = 0; i < n; i++) {
        program.measured = program_problem(sizes[i]);
        size_text(program.measured.dim, size);
        if (progress)
            fprintf(stderr, "\r%d of %d: %s ...\033[K\r", i + 1, n, size);
        if (arrays_misfit(&program.measured)) {
            program_put(SKIPPED);
            printf("%-20s %s %s: %s\n", program.stage.stage, type_name(program.measured.type), size, arrays_misfit(&program.measured));
            continue;
        }
        program.measuring = 1;
        bench_run(&program.bench, &program.measured);
        program.measuring = 0;
        bench_put(&program.bench);
        if (progress)
            fputs("\033[K", stderr);
        right += program.stage.status == OK;
        wrong += program.stage.status == BROKEN;
        errors += program.stage.status == ERROR;
        if (program.stage.status == OK)
            report_line(&program.bench);
        else if (program.stage.status == SKIPPED)
            printf("%-20s %s %s: %s\n", program.stage.stage, type_name(program.measured.type), size, program.stage.why);
        else
            program_explain();
        fflush(stdout);
        if (program.stage.status == ERROR)
            call_must_recover();
    }
    return wrong ? EXIT_WRONG : errors ? EXIT_CUDA : right ? EXIT_RIGHT : program_skip("every size is refused");
}

int once(void)
{
    struct problem p = program_chosen();
    struct arrays *a = arrays_new(&p, SEPARATE);
    void *set[MAX_BUFFERS];
    enum outcome outcome;

    runner_set(&program.stage, &p);
    arrays_fill(a, &p);
    arrays_set(a, 0, set);
    outcome = call_stage(program.stage.fn, &p, set);
    if (outcome == CALL_REFUSED)
        return program_skip(call_why());
    if (outcome == CALL_FAILED)
        warn("%s", call_why());
    return outcome == CALL_FAILED ? EXIT_CUDA : EXIT_RIGHT;
}
