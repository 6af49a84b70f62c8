#include "program.h"

#include <stdio.h>
#include <string.h>

#include "die.h"
#include "backend.h"
#include "problem.h"
#include "results.h"

struct program program = {
    .measurement = { .device = &program.device, .stage = &program.stage, .ref = program.refs }
};

void program_put(enum status status)
{
    struct row row;

    contender_set(&program.stage, &program.measured);
    program.stage.status = status;
    contender_row(&program.stage, measure_mode(&program.measurement), &row);
    results_put(&row);
}

struct problem program_problem(const long long dim[MAX_DIMS])
{
    struct problem p = program.options.problem;

    p.computes = stage_info.computes;
    p.arithmetic = stage_info.arithmetic;
    memcpy(p.dim, dim, sizeof p.dim);
    return p;
}

struct problem program_awkward(const long long dim[MAX_DIMS], int nth)
{
    struct problem p = program_problem(dim);

    for (int i = 0; week.options && week.options[i].name; i++)
        if (week.options[i].scope != ANY_SIZE)
            p.option[i] = 0;
    if (week.vary)
        week.vary(&p, nth);
    return p;
}

int program_sweeps(const long long dim[MAX_DIMS])
{
    struct problem p = program_problem(dim), most = program_problem(program.options.problem.dim);

    return !program.options.sized || week.elements(&p) <= week.elements(&most);
}

struct problem program_chosen(void)
{
    struct problem p = program_problem(program.options.sized ? program.options.problem.dim
                                       : on_cpu_device       ? week.cpu_size
                                                             : week.gpu_sizes[0]);
    char size[PROBLEM_TEXT];

    for (int i = 1;
         !program.options.sized && !on_cpu_device && arrays_misfit(&p) && week.gpu_sizes[i][0]; i++)
        p = program_problem(week.gpu_sizes[i]);
    problem_text(&p, size);
    if (arrays_misfit(&p))
        die(EXIT_CUDA, "--size %s: %s; accepted is a smaller size", size, arrays_misfit(&p));
    return p;
}

int program_skip(const char *why)
{
    printf("SKIP: %s: %s\n", program.stage.stage, why);
    return EXIT_SKIP;
}

int program_explain(void)
{
    char size[PROBLEM_TEXT];

    problem_text(&program.stage.problem, size);
    switch (program.stage.status) {
    case OK: return EXIT_RIGHT;
    case SKIPPED: return program_skip(program.stage.why);
    case ERROR: warn("%s: %s", size, program.stage.why); return EXIT_CUDA;
    default:
        warn("WRONG at %s: %s", size, program.stage.why);
        verdict_print(&program.measurement.verdict, stderr);
        return EXIT_WRONG;
    }
}
