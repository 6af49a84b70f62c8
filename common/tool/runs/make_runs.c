#define _GNU_SOURCE   // strsep
#include "runs.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folders.h"

enum { NO_ROW = -1 };   // a program succeeded, but wrote no row

struct making {
    const struct machine *machine;
    const char *table;
    int failures_are_rows;
    struct runs failed;
    enum status status;
};

// Waits until no other `ladder` measures in this folder. The lock is held until this program ends.
static void take_turns(const char *build)
{
    static int file = -1;

    if (file < 0)
        file = open(text_of("%s/lock", build), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    flock(file, LOCK_EX);
}

struct machine take_machine(struct arguments *a)
{
    const char *device = take_option(a, "--device"), *run = take_option(a, "--run"),
               *ncu = take_option(a, "--ncu"), *only = take_option(a, "--only"),
               *plan = take_option(a, "--plan"), *knob;
    struct machine b = { .device = device ? device : "",
                         .run = run ? run : "",
                         .ncu = ncu ? ncu : "ncu",
                         .only = only ? only : "",
                         .knobs = "",
                         .brief = take_flag(a, "--brief"),
                         .plan = plan };

    if (!has_word("cpu gpu", b.device))
        fail("--device '%s': the devices are gpu and cpu", b.device);
    if (plan && !has_word("plain knobs", plan))
        fail("--plan %s: expected plain or knobs", plan);
    while ((knob = take_option(a, "--set")))
        b.knobs = with_word(b.knobs, knob);
    b.build = text_of("build/%s", b.device);
    b.on_cpu = strcmp(b.device, "cpu") == 0;
    return b;
}

// Runs a command in the shell. Returns its exit status, or 128 + the signal that ended it.
__attribute__((format(printf, 1, 2))) static int shell(const char *format, ...)
{
    va_list arguments;
    int ended;

    fflush(stdout);
    va_start(arguments, format);
    ended = system(text_of_list(format, arguments));
    va_end(arguments);
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
}

// --- programs

// A run's program as its build is named, with its knobs in the order of its file: "stage4" between
// "@", "=" and "," is "stage4@TILE=16,ROWS=4", the name of its file; make's target has "-" for "=".
static const char *build_name(const struct run *run, char between)
{
    const char *file = run->knobs[0] ? stage_file(".", run->program) : NULL;
    const char *has = file ? head_of(file).knobs : "", *name = run->program, *list, *knob, *word;
    char separator = '@';

    for (list = run->knobs; (word = next_word(&list));) {
        knob = text_of("%.*s", (int)strcspn(word, "="), word);
        if (!has_word(has, knob))
            fail("%s has no knob %s; it has %s", name, knob, has[0] ? has : "none");
    }
    while ((knob = next_word(&has)))
        for (list = run->knobs; (word = next_word(&list));)
            if (strncmp(word, knob, strlen(knob)) == 0 && word[strlen(knob)] == '=') {
                name = text_of("%s%c%s%c%s", name, separator, knob, between, strchr(word, '=') + 1);
                separator = ',';
            }
    return name;
}

// Prints the targets of make that build the programs: of those with knobs or of the others.
static void put_plan(const struct machine *b, const struct runs *runs)
{
    int with_knobs = strcmp(b->plan, "knobs") == 0;
    const char *names = "", *name;

    for (int i = 0; i < runs->n; i++) {
        name = build_name(&runs->run[i], '-');
        if ((runs->run[i].knobs[0] != 0) == with_knobs && !has_word(names, name))
            names = with_word(names, name);
    }
    while ((name = next_word(&names)))
        puts(name);
}

// --- runs

static off_t size_of_file(const char *path)
{
    struct stat is;

    return stat(path, &is) == 0 ? is.st_size : 0;
}

// Counts one call with ncu. Before that, a run without ncu checks the result and writes the row to
// which the counts are added.
static int count(struct making *m, const struct run *run, const char *path)
{
    const struct machine *s = m->machine;
    int demo = strncmp(run->program, "demo_", 5) == 0;
    char *row = text_of("%s/row.tsv", s->build), *csv = text_of("%s/ncu.csv", s->build);
    int status;

    remove(row);
    status = shell("%s ./%s --tsv %s %s %s </dev/null >%s/measure.log", s->run, path, row,
                   demo ? "" : "--bench --alone", run->options, s->build);
    if (status != STATUS_OK)
        return status;
    shell("%s %s --query-metrics >%s/metrics 2>/dev/null </dev/null", s->run, s->ncu, s->build);
    status =
        shell("%s %s --clock-control none --print-units base --csv --metrics %s ./%s --once "
              "%s >%s </dev/null",
              s->run, s->ncu, ncu_metrics(run->columns, read_text(text_of("%s/metrics", s->build))),
              path, run->options, csv);
    if (strstr(read_text(csv), "ERR_NVGPUCTRPERM")) {
        puts("SKIP: the counters of this GPU may not be read: "
             "https://developer.nvidia.com/ERR_NVGPUCTRPERM");
        return demo ? ncu_append_rows(m->table, row, NULL, "") : STATUS_SKIPPED;
    }
    if (demo ? ncu_append_rows(m->table, row, csv, run->columns)
             : ncu_append_counts(m->table, row, csv, run->columns)) {
        fputs(read_text(csv), stderr);
        return status ? status : NO_ROW;
    }
    printf("%s: counted\n", run->program);
    return STATUS_OK;
}

static int run_program(struct making *m, const struct run *run, const char *path)
{
    off_t before = size_of_file(m->table);
    int status;

    if (run->columns)
        return count(m, run, path);
    status = shell("%s ./%s --tsv %s %s </dev/null%s", m->machine->run, path, m->table,
                   run->options, m->machine->brief ? " >/dev/null" : "");
    if (status == STATUS_OK && size_of_file(m->table) == before) {
        fprintf(stderr, "ladder: %s %s: left no row in %s\n", path, run->options, m->table);
        return NO_ROW;
    }
    return status;
}

static void take_failure(struct making *m, const struct run *run)
{
    runs_add(&m->failed, *run);
    if (!m->failures_are_rows)
        m->status = STATUS_WRONG;
}

static void make_run(struct making *m, const struct run *run)
{
    const char *path = text_of("%s/%s", m->machine->build, build_name(run, '='));
    int status;

    if (run->knobs[0] && !m->machine->brief) {
        printf("%s: ", run->knobs);
        fflush(stdout);
    }
    if (run->knobs[0] && access(path, X_OK) != 0) {
        puts("does not build");
        if (!m->failures_are_rows)
            shell("tail -n 20 %s/knobs.log >&2", m->machine->build);
        take_failure(m, run);
        return;
    }
    if (access(path, X_OK) != 0) {
        printf("%s: skipped, this device cannot run it\n", run->program);
        return;
    }
    status = run_program(m, run, path);
    if (status != STATUS_OK && status != STATUS_SKIPPED) {
        if (status > 0)
            fprintf(stderr, "%s: exit status %d\n", path, status);
        take_failure(m, run);
    }
}

// Without ncu, demonstrations are only timed, and runs that count stages are skipped.
static void without_ncu(struct runs *runs, int planning)
{
    int kept = 0;

    if (!planning)
        puts("SKIP: counts: counting needs ncu (Nsight Compute, of the CUDA Toolkit), which is not "
             "found");
    for (int i = 0; i < runs->n; i++) {
        int demo = strncmp(runs->run[i].program, "demo_", 5) == 0;

        if (runs->run[i].columns && !demo)
            continue;
        runs->run[kept] = runs->run[i];
        runs->run[kept++].columns = NULL;
    }
    runs->n = kept;
}

// --- progress

// Shows on a terminal which run begins, in a line that its first row replaces.
static void show_progress(double started, const struct runs *runs, int i)
{
    double left = i ? (seconds_now() - started) / i * (runs->n - i) : 0;

    if (runs->n < 2 || !isatty(STDERR_FILENO))
        return;
    fflush(stdout);
    fprintf(stderr, "\r\033[Krun %d of %d%s: %s\r", i + 1, runs->n,
            i == 0      ? ""
            : left < 55 ? text_of(", %.0f s left", ceil(left / 5) * 5)
                        : text_of(", %.0f min left", ceil(left / 60)),
            runs->run[i].program);
}

enum status make_runs(const struct machine *machine, struct runs *runs, const char *table,
                      int failures_are_rows)
{
    struct making m = { .machine = machine,
                        .table = table,
                        .failures_are_rows = failures_are_rows };
    double started;
    int counting = 0;

    for (int i = 0; i < runs->n; i++)
        counting |= runs->run[i].columns != NULL;
    if (counting &&
        shell("%s %s --version >/dev/null 2>&1 </dev/null", machine->run, machine->ncu) != 0)
        without_ncu(runs, machine->plan != NULL);
    if (machine->plan) {
        put_plan(machine, runs);
        return STATUS_OK;
    }
    take_turns(machine->build);
    remove(table);
    started = seconds_now();
    for (int i = 0; i < runs->n; i++) {
        show_progress(started, runs, i);
        make_run(&m, &runs->run[i]);
    }
    if (runs->n > 1 && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    if (failures_are_rows && runs->n && m.failed.n == runs->n) {
        warn("%s: no setting of its knobs builds and runs", runs->run[0].program);
        m.status = STATUS_WRONG;
    }
    for (int i = 0; failures_are_rows && i < m.failed.n; i++)
        put_failed_run(table, &m.failed.run[i]);
    return m.status;
}

// --- commands

// ladder measure MACHINE [--sweep] [--keep PART] [--show COLUMN] TABLE -- LINE...: makes the runs
// of these lines, one line per argument; with --sweep, failures are rows.
//
// ladder measure MACHINE [--keep PART] [--show COLUMN] --part PART TABLE -- [OPTION...]: makes the
// runs of a part of the file `runs`.
//
// MACHINE is what take_machine() reads. --show prints the table: this column or, with "", the usual
// ones. --keep moves the table to results/<device>/PART.tsv if no run failed.
enum status command_measure(struct arguments a)
{
    const struct machine b = take_machine(&a);
    const char *part = take_option(&a, "--part"), *keep = take_option(&a, "--keep"),
               *show = take_option(&a, "--show");
    int failures_are_rows = take_flag(&a, "--sweep");
    struct runs runs = { 0 };
    const char *options = "";
    enum status status;

    no_options(&a);
    if (a.n < 2 || strcmp(a.word[1], "--") != 0)
        fail("measure: expected TABLE -- LINE...");
    if (show && show[0])
        wanted_column(show);
    for (int i = 2; i < a.n; i++)
        if (part)
            options = text_of("%s %s", options, a.word[i]);
        else
            runs_of_line(&runs, a.word[i], &b);
    if (part && !has_word(parts_of_file(NULL), part))
        fail("measure: there is no part '%s' here; there are: %s", part, parts_of_file(NULL));
    if (keep)
        must_be_name("--keep", keep);
    if (part && !runs_of_part(&runs, part, options, &b)) {
        if (!b.plan)
            printf("SKIP: make %s needs %s\n", part,
                   b.on_cpu ? "a GPU" : "the CPU device: DEVICE=cpu");
        return STATUS_OK;
    }
    status = make_runs(&b, &runs, a.word[0], failures_are_rows);
    if (b.plan)
        return status;
    if (show && size_of_file(a.word[0]))
        show_table(&(struct arguments){ 1, a.word }, show);
    if (status == STATUS_OK && keep && size_of_file(a.word[0]))
        keep_in_results(a.word[0], keep, b.on_cpu);
    return status;
}

// Makes the runs of a part of the file `runs`, below a title. A knob setting that does not build or
// run is a result.
static enum status make_part(const struct machine *b, const char *part, const char *title,
                             const char *table)
{
    struct runs runs = { 0 };

    runs_of_part(&runs, part, "", b);
    if (!b->plan)
        printf("== %s\n", title);
    return make_runs(b, &runs, table, strcmp(part, "knobs") == 0);
}

// Measures a part of the file `runs` and records it.
static enum status record_part(const struct machine *b, const char *to, const char *part)
{
    const char *table = text_of("%s/record.tsv", b->build);
    char path[PATH_MAX];

    recorded_path(path, root_folder(), to, this_week(), part);
    if (make_part(b, part, part, table) != STATUS_OK) {
        warn("record: a run failed; %s is unchanged", path);
        return STATUS_WRONG;
    }
    if (b->plan)
        return STATUS_OK;
    if (size_of_file(table))
        record_replace(table, path, b->only[0] != '\0');
    else
        printf("%s: nothing was measured\n", part);
    return STATUS_OK;
}

// ladder record MACHINE TO [PART...]: measures parts of the file `runs`, into
// plots/data/TO/WEEK.PART.tsv. A table is replaced only if all runs of the part succeeded. If
// --only selects stages, only their runs are replaced, in place.
enum status command_record(struct arguments a)
{
    const struct machine b = take_machine(&a);
    const char *parts = parts_of_file(b.device), *asked = parts, *part;
    int failures = 0;

    no_options(&a);
    must_be_name("TO", a.n ? a.word[0] : "");
    for (int i = 1; i < a.n; i++) {
        if (!has_word(parts, a.word[i]))
            fail("record: PARTS: there is no part '%s' here; there are: %s", a.word[i], parts);
        asked = i > 1 ? with_word(asked, a.word[i]) : a.word[i];
    }
    while ((part = next_word(&asked)))
        failures += record_part(&b, a.word[0], part) != STATUS_OK;
    return failures ? STATUS_WRONG : STATUS_OK;
}

// A part whose rows each run stores in the table of its stage has no table of its own.
enum status measure_into_results(const struct machine *b, const char *parts)
{
    const char *table = text_of("%s/collect.tsv", b->build), *part;
    int failures = 0;

    while ((part = next_word(&parts))) {
        if (make_part(b, part, with_word(this_week(), part), table) != STATUS_OK) {
            warn("%s %s: a run failed; the other parts are measured", this_week(), part);
            failures++;
        } else if (!b->plan && size_of_file(table) &&
                   !has_word(b->on_cpu ? "ladder shmoo counts" : "ladder shmoo", part))
            keep_in_results(table, part, b->on_cpu);
    }
    return failures ? STATUS_WRONG : STATUS_OK;
}
