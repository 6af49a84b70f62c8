// The program that every stage is linked into: the order in which things are done.
#define _GNU_SOURCE   // program_invocation_short_name

#include "week.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "die.h"
#include "backend.h"
#include "runs.h"
#include "modes.h"
#include "problem.h"
#include "program.h"
#include "report.h"
#include "results.h"

#define LADDER_VERSION "1.0"

// A program that ends before its time leaves a row that says so.
static void dying(int status)
{
    if (program.measuring && status == EXIT_CUDA)
        program_put(ERROR);
}

// The CPU device has told what and where, but not at which size.
static void diagnosed(void)
{
    char size[PROBLEM_TEXT];

    problem_text(&program.stage.problem, size);
    warn("that was at %s", size);
    if (program.measuring)
        program_put(BROKEN);
}

static void version(void)
{
    printf("%s: %s of %s, the CUDA ladder %s, built for %s", program_invocation_short_name,
           stage_info.file, week.name, LADDER_VERSION, on_cpu_device ? "the CPU device" : "a GPU");
    if (!on_cpu_device)
        printf(" with CUDA %d.%d", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    putchar('\n');
}

// Ends the program here where this stage cannot run on this device.
static void must_be_possible(void)
{
    int able = device_has(&program.device, stage_info.needs),
        shown = program.options.action == RUN && !program.options.claims;
    char why[160];

    if (able && program.stage.fn)
        return;
    if (program.options.action != CHECK && program.options.action != ONCE) {
        program.measured = program_problem(program.options.sized ? program.options.problem.dim
                                           : on_cpu_device       ? week.cpu_size
                                                                 : week.gpu_sizes[0]);
        program_put(SKIPPED);
    }
    if (shown)
        report_head(&program.measurement, &program.measured);
    snprintf(why, sizeof why, "needs %s, %s",
             stage_info.needs[0] ? stage_info.needs : "another device",
             on_cpu_device ? "whose own instructions the CPU device does not have"
             : able        ? "which this build is not for"
                           : "which this GPU is not");
    program_skip(why);
    if (shown && on_cpu_device)
        report_recorded(&program.stage);
    exit(EXIT_SKIP);
}

// Whether it was said what to measure.
static int asked(void)
{
    char variant[VARIANT_TEXT];

    variant_text(&program.options.problem, variant);
    return program.options.sized || program.options.hot || variant[0];
}

static int act(void)
{
    switch (program.options.action) {
    case CHECK: return check_all();
    case SHMOO: return shmoo();
    case ONCE: return once();
    case HELP: return options_help(), EXIT_RIGHT;
    case VERSION: return version(), EXIT_RIGHT;
    default: return program.options.claims && !asked() ? run_claims() : run();
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

    if (options_parse(argc, argv, &program.options, message) != 0)
        die(EXIT_USAGE, "%s", message);
    if (program.options.action == HELP || program.options.action == VERSION)
        return finish(act());
    claims_of(&stage_info, &program.claims);
    device_open(program.options.device, &program.device);
    if (program.options.tsv || (program.options.action != CHECK && program.options.action != ONCE))
        results_open(&program.device, program.options.tsv, argc, argv);
    contender_init(&program.stage, &stage_info, week.stage);
    must_be_possible();
    program.measurement.hot = program.options.hot;
    program.measurement.exact = program.options.exact;
    program.measurement.samples = program.options.reps;
    if (program.options.action != CHECK && program.options.action != ONCE &&
        !program.options.alone && !on_cpu_device)
        program.measurement.n_refs = references_load(program.refs, &stage_info);
    on_die(dying);
    backend_on_diagnosis(diagnosed);
    return finish(act());
}
