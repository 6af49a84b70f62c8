// Grading. Every submission is copied, compiled for the CPU device, checked for what it may not
// contain, and run in a process of its own (harness/isolated.h), with limits at each step. With a
// GPU, the points for it are measured afterwards, one submission after the other.
#define _GNU_SOURCE   // open_memstream
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arguments.h"
#include "exercise.h"
#include "limited.h"
#include "select.h"
#include "submission.h"
#include "tool.h"
#include "wall.h"

// Limits: seconds of CPU and wall time, and bytes, of a compilation; wall time of a check beside
// that of the submission.
enum {
    BUILD_SECONDS = 120,
    BUILD_MB = 4096,
    BUILD_FILE_MB = 256,
    SOURCE_BYTES = 1 << 20,
    CHECK_WALL = 600
};

enum outcome { SOLVED, PARTIAL, WRONG, STOPPED, REFUSED, UNCOMPILED, UNREADABLE };
static const char *const outcome_word[] = {
    [SOLVED] = "solved",        [PARTIAL] = "partial", [WRONG] = "wrong",
    [STOPPED] = "stopped",      [REFUSED] = "refused", [UNCOMPILED] = "uncompiled",
    [UNREADABLE] = "unreadable"
};

enum { REASON = 400, SAYS = 200 };

// In memory that all workers share.
struct result {
    enum outcome outcome;
    char reason[REASON];   // one line, unless it is solved
    struct line {
        int earned, judged;
        char says[SAYS];
    } correct, claim[HEAD_CLAIMS];
};

struct grading {
    const struct exercise *e;
    const char *entry;       // the week's function: "transpose"
    const char *cpu, *gpu;   // commands that make programs for these devices; gpu may be ""
    const char *run;         // prefix of programs that need the GPU
    int seconds;
    const char *expected;   // the table of the solution's check; NULL while that is made
};

struct submission {
    const char *path;   // of the file
    const char *name;   // for reports
    const char *key;    // "exercise1-3": its copy is build/DEVICE/obj/KEY.cu
};

static char *in_obj(const char *device, const char *key, const char *ending)
{
    return text_of("build/%s/obj/%s%s", device, key, ending);
}

static char *program_of(const char *device, const struct submission *s)
{
    return text_of("build/%s/%s", device, s->key);
}

// --- logs

// The first line of a log that contains `word`, or else its first line, without "PROGRAM: ".
static const char *line_of_log(const char *log, const char *word)
{
    char *text = access(log, R_OK) == 0 ? read_text(log) : "", *at = strstr(text, word);

    while (at && at > text && at[-1] != '\n')
        at--;
    if (!at)
        at = text;
    return text_of("%.*s", (int)strcspn(at, "\n"), at);
}

// Replaces tabs and other control characters by blanks. Returns the text.
static char *one_line(char *text)
{
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    return text;
}

// The text with the name of the submission for that of its copy.
static const char *named(const char *device, const struct submission *s, const char *text)
{
    const char *base = text_of("%s.cu", s->key), *copy = in_obj(device, base, ""),
               *at = strstr(text, copy), *name = at ? copy : base;

    if (!at && !(at = strstr(text, base)))
        return text;
    return text_of("%.*s%s%s", (int)(at - text), text, s->name, at + strlen(name));
}

static void set_reason(const char *device, const struct submission *s, struct result *r,
                       enum outcome outcome, const char *text)
{
    snprintf(r->reason, REASON, "%s", named(device, s, text));
    one_line(whole_characters(r->reason));
    r->outcome = outcome;
}

// --- the steps; each returns 0 if the submission goes no further

static int copy(const struct submission *s, struct result *r, char **text)
{
    int file = open(s->path, O_RDONLY | O_NONBLOCK);
    struct stat is;
    ssize_t n = -1;

    *text = must_malloc(SOURCE_BYTES + 1);
    if (file >= 0 && fstat(file, &is) == 0 && S_ISREG(is.st_mode))
        n = read(file, *text, SOURCE_BYTES);
    else
        errno = file < 0 ? errno : EINVAL;
    if (file >= 0)
        close(file);
    if (n < 0 || n == SOURCE_BYTES || memchr(*text, '\0', n)) {
        set_reason("cpu", s, r, UNREADABLE,
                   n < 0               ? strerror(errno)
                   : n == SOURCE_BYTES ? text_of("larger than %d bytes", SOURCE_BYTES)
                                       : "not a text");
        return 0;
    }
    (*text)[n] = '\0';
    write_if_changed(in_obj("cpu", s->key, ".cu"), *text);
    return 1;
}

static int refuse(const char *device, const struct submission *s, struct result *r,
                  const char *wrong)
{
    if (wrong)
        set_reason(device, s, r, REFUSED, text_of("not allowed: %s", wrong));
    return wrong != NULL;
}

// A missing function is an error of the linker, whose last line says nothing.
static const char *why_uncompiled(const char *log)
{
    const char *undefined = strstr(line_of_log(log, "undefined reference"), "undefined reference");

    return undefined ? undefined : line_of_log(log, "error:");
}

static int build(const struct grading *g, const struct submission *s, const char *device,
                 struct result *r)
{
    const struct limits l = { BUILD_SECONDS, BUILD_SECONDS, BUILD_MB, BUILD_FILE_MB };
    const char *log = in_obj(device, s->key, ".log"), *object = in_obj(device, s->key, ".o"),
               *make = strcmp(device, "cpu") == 0 ? g->cpu : g->gpu;
    int status;

    unlink(object);
    unlink(in_obj(device, s->key, ".ii"));   // its headers may have changed
    unlink(program_of(device, s));
    status =
        run_limited(text_of("%s SUBMISSION=%s %s", make, s->key, program_of(device, s)), log, &l);
    // first, because it gives the better reason if the object does not link
    if (access(object, R_OK) == 0 &&
        refuse(device, s, r, submission_symbols(object, g->entry, strcmp(device, "cpu") == 0)))
        return 0;
    if (status == 0)
        return 1;
    set_reason(device, s, r, UNCOMPILED,
               status < 0 ? text_of("the compiler takes more than %d s", BUILD_SECONDS)
                          : why_uncompiled(log));
    return 0;
}

// A row of a check: "right", "refused" or "wrong" at one size.
static const struct row *row_like(const struct table *t, const struct row *row)
{
    for (size_t i = 0; i < t->n; i++)
        if (row_same_key(&t->row[i], row))
            return &t->row[i];
    return NULL;
}

// Returns a size that the solution computes and the submission refuses, or NULL.
static const char *missing_size(const struct grading *g, const char *rows)
{
    struct table want = { 0 }, got = { 0 };

    if (!g->expected)
        return NULL;
    table_read(&want, g->expected);
    table_read(&got, rows);
    for (size_t i = 0; i < want.n; i++) {
        const struct row *row = row_like(&got, &want.row[i]);

        if (row_is_ok(&want.row[i]) && (!row || !row_is_ok(row)))
            return text_of("%s%s%s", want.row[i].size, want.row[i].variant[0] ? " " : "",
                           want.row[i].variant);
    }
    return NULL;
}

// Why a program's check failed: the diagnosis of the CPU device, or else what the check says.
static const char *why_wrong(const struct submission *s, const char *log)
{
    const char *diagnosed = line_of_log(text_of("%s.log", program_of("cpu", s)), s->key);
    const char *line = line_of_log(log, "WRONG at");

    if (strstr(line_of_log(log, "stopped at"), "diagnosis"))
        return strstr(diagnosed, s->key) ? diagnosed
                                         : "it ended with exit status 1 before its result";
    return strstr(line, "WRONG at") ? strstr(line, "WRONG at") : line;
}

// Why it stopped: by what it did or, after an exit status, what it printed.
static const char *why_stopped(const struct submission *s, const char *log)
{
    const char *line = line_of_log(log, "stopped at"), *at = strstr(line, "stopped at"),
               *said = line_of_log(text_of("%s.log", program_of("cpu", s)), s->key);

    if (!at)
        return line;
    return strstr(at, "exit status") && strstr(said, s->key) ? text_of("%s: %s", at, said) : at;
}

static uint64_t seed(void)
{
    uint64_t seed = 0;

    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        fail("getrandom: %s", strerror(errno));
    return seed;
}

struct verdict {
    int status;
    const char *why;   // NULL if the status is STATUS_OK or STATUS_SKIPPED
};

// Runs the program that checks.
static struct verdict grader(const struct grading *g, const struct submission *s,
                             const char *options, const char *tsv, const char *log)
{
    const struct limits l = { .seconds = CHECK_WALL + WALL_PER_CPU * g->seconds };
    struct verdict v = { STATUS_ERROR, NULL };
    int status;

    unlink(tsv);
    status = run_limited(
        text_of(
            "exec build/cpu/grader --isolated %s --seconds %d --seed %llu --no-results %s --tsv %s",
            program_of("cpu", s), g->seconds, (unsigned long long)seed(), options, tsv),
        log, &l);
    if (status >= 0 && WIFEXITED(status))
        v.status = WEXITSTATUS(status);
    if (status < 0)
        v.why = text_of("no result after %d s", l.seconds);
    else if (v.status == STATUS_ERROR)
        v.why = why_stopped(s, log);
    else if (v.status != STATUS_OK && v.status != STATUS_SKIPPED)
        v.why = why_wrong(s, log);
    return v;
}

// Takes away the points for a correct result.
static void set_incorrect(const struct submission *s, struct result *r, enum outcome outcome,
                          const char *why)
{
    r->correct.earned = 0;
    set_reason("cpu", s, r, outcome, why);
    snprintf(r->correct.says, SAYS, "correct: no: %s", text_head(r->reason, SAYS - 20));
}

static int check(const struct grading *g, const struct submission *s, struct result *r)
{
    const char *tsv = in_obj("cpu", s->key, ".check.tsv"), *missing;
    struct verdict v = grader(g, s, "--check --quick", tsv, in_obj("cpu", s->key, ".check.log"));

    r->correct.judged = 1;
    missing = v.why ? NULL : missing_size(g, tsv);
    if (missing)
        v.why = text_of("refuses %s, which the solution computes", missing);
    else if (v.status == STATUS_SKIPPED)
        v.why = "refuses every size";
    if (v.why) {
        set_incorrect(s, r, v.status == STATUS_ERROR ? STOPPED : WRONG, v.why);
        return v.status != STATUS_ERROR;
    }
    r->correct.earned = g->e->head.points_correct;
    snprintf(r->correct.says, SAYS, "correct");
    return 1;
}

// --- claims

struct judging {
    const struct table *table;
    const struct claim *claim;
};

static double value(void *context, const struct term *t)
{
    const struct judging *j = context;
    const struct claim *c = j->claim;
    struct place place = { c->size, c->mode, c->type[0] ? c->type : table_type(j->table), t->knobs,
                           t->variant };
    const struct row *own = latest_row(j->table, "exercise", &place);

    if (t->stage[0])
        return value_beside(j->table, own, t->stage, &place, t->column);
    return own && row_is_ok(own) ? row_number(own, t->column) : NAN;
}

// A claim whose run failed.
static void cannot_judge(const struct grading *g, int i, const char *why, struct result *r)
{
    const struct claim *c = &g->e->claim[i];
    struct line *line = &r->claim[i];

    line->judged = 1;
    snprintf(line->says, SAYS, "%s (%s): no: %s", c->condition, c->size, why);
    one_line(whole_characters(line->says));
    if (!r->reason[0])
        snprintf(r->reason, REASON, "%s", line->says);
}

static void judge(const struct grading *g, int i, const struct table *t, struct result *r)
{
    struct judging j = { t, &g->e->claim[i] };
    struct claim_result result = claim_judge(j.claim, value, &j);
    struct line *line = &r->claim[i];

    line->judged = 1;
    if (result.verdict == CLAIM_HOLDS)
        line->earned = g->e->head.points[i];
    if (result.verdict == CLAIM_NOT_MEASURED)
        snprintf(line->says, SAYS, "%s (%s): not measured", j.claim->condition, j.claim->size);
    else
        snprintf(line->says, SAYS, "%s (%s): %s%.7g, %.7g", j.claim->condition, j.claim->size,
                 line->earned ? "" : "no: ", result.left, result.right);
    if (!line->earned && !r->reason[0])
        snprintf(r->reason, REASON, "%s", line->says);
}

static int same_run_limited(const struct claim *a, const struct claim *b)
{
    return a->on_cpu == b->on_cpu &&
           strcmp(claim_options(a, a->variant), claim_options(b, b->variant)) == 0;
}

// Runs the submission's own program on the GPU.
static struct verdict on_gpu(const struct grading *g, const struct submission *s,
                             const char *options, const char *tsv, const char *log)
{
    const struct limits l = { .seconds = CHECK_WALL, .cpu_seconds = CHECK_WALL, .file_mb = 16 };
    struct verdict v = { STATUS_ERROR, NULL };
    int status;

    unlink(tsv);
    status = run_limited(text_of("exec %s %s %s --seed %llu --no-results --tsv %s", g->run,
                                 program_of("gpu", s), options, (unsigned long long)seed(), tsv),
                         log, &l);
    if (status >= 0 && WIFEXITED(status))
        v.status = WEXITSTATUS(status);
    if (status < 0)
        v.why = text_of("no result after %d s", l.seconds);
    else if (WIFSIGNALED(status))
        v.why = strsignal(WTERMSIG(status));
    else if (v.status == STATUS_WRONG || v.status == STATUS_ERROR)
        v.why = line_of_log(log, v.status == STATUS_WRONG ? "WRONG" : s->key);
    return v;
}

// Measures and judges the claims for one kind of device; each size, type and variant is run once.
// What is wrong at the size of a count is not correct.
static void judge_claims(const struct grading *g, const struct submission *s, int on_cpu,
                         struct result *r)
{
    const char *device = on_cpu ? "cpu" : "gpu", *tsv = in_obj(device, s->key, ".tsv"),
               *log = in_obj(device, s->key, ".count.log");

    for (int i = 0; i < g->e->head.n_claims; i++) {
        const struct claim *c = &g->e->claim[i];
        const char *options =
            text_of("--bench%s %s", on_cpu ? " --quick" : "", claim_options(c, c->variant));
        struct table t = { 0 };
        struct verdict v;

        if (c->on_cpu != on_cpu || r->claim[i].judged)
            continue;
        v = (on_cpu ? grader : on_gpu)(g, s, options, tsv, log);
        if (on_cpu && v.status == STATUS_WRONG && r->correct.earned)
            set_incorrect(s, r, WRONG, v.why);
        if (!v.why)
            table_read(&t, tsv);
        for (int k = i; k < g->e->head.n_claims; k++)
            if (same_run_limited(c, &g->e->claim[k])) {
                if (v.why)
                    cannot_judge(g, k, named(device, s, v.why), r);
                else
                    judge(g, k, &t, r);
            }
    }
}

// --- one submission

static int sum_of(const struct grading *g, const struct result *r)
{
    int sum = r->correct.earned;

    for (int i = 0; i < g->e->head.n_claims; i++)
        sum += r->claim[i].earned;
    return sum;
}

static int most_of(const struct grading *g)
{
    int sum = g->e->head.points_correct;

    for (int i = 0; i < g->e->head.n_claims; i++)
        sum += g->e->claim[i].on_cpu || g->gpu[0] ? g->e->head.points[i] : 0;
    return sum;
}

static void set_outcome(const struct grading *g, struct result *r)
{
    if (r->outcome == SOLVED && sum_of(g, r) < most_of(g))
        r->outcome = PARTIAL;
}

static void grade_on_cpu(const struct grading *g, const struct submission *s, struct result *r)
{
    char *text;

    *r = (struct result){ .outcome = SOLVED };
    if (!copy(s, r, &text) ||
        refuse("cpu", s, r, submission_source(text, text_of("%s.h", g->entry))) ||
        !build(g, s, "cpu", r) ||
        refuse("cpu", s, r,
               submission_preprocessed(read_text(in_obj("cpu", s->key, ".ii")),
                                       in_obj("cpu", s->key, ".cu"))) ||
        !check(g, s, r))
        return;
    judge_claims(g, s, 1, r);
}

// Only what is correct is timed.
static void grade_on_gpu(const struct grading *g, const struct submission *s, struct result *r)
{
    struct result built = { .outcome = SOLVED };

    if (!g->gpu[0] || !r->correct.earned)
        return;
    write_if_changed(in_obj("gpu", s->key, ".cu"), read_text(in_obj("cpu", s->key, ".cu")));
    if (build(g, s, "gpu", &built)) {
        judge_claims(g, s, 0, r);
        return;
    }
    if (!r->reason[0])
        snprintf(r->reason, REASON, "GPU: %s", text_head(built.reason, REASON - 10));
    for (int i = 0; i < g->e->head.n_claims; i++)
        if (!g->e->claim[i].on_cpu)
            cannot_judge(g, i, built.reason, r);
}

// --- reports

static void print_line(const struct line *line, int points)
{
    if (line->judged)
        printf("  %2d of %2d  %s\n", line->earned, points, line->says);
}

static void print_details(const struct grading *g, const struct submission *s,
                          const struct result *r)
{
    printf("%s: %s\n", s->name, outcome_word[r->outcome]);
    if (!r->correct.judged)
        printf("   0 of %2d  %s\n", most_of(g), r->reason);
    else
        print_line(&r->correct, g->e->head.points_correct);
    for (int i = 0; i < g->e->head.n_claims; i++)
        print_line(&r->claim[i], g->e->head.points[i]);
    printf("  %2d of %2d  points\n", sum_of(g, r), most_of(g));
}

static void print_row(FILE *out, const struct grading *g, const struct submission *s,
                      const struct result *r)
{
    fprintf(out, "%s\t%d\t%d\t%s\t%s\n", s->name, sum_of(g, r), most_of(g),
            outcome_word[r->outcome], r->outcome == SOLVED ? "" : r->reason);
}

// --- all submissions

// Grades on the CPU device, in as many processes as there are cores.
static void grade_all(const struct grading *g, const struct submission *s, struct result *r, int n)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int running = 0, status;

    for (int i = 0; i < n || running > 0; i++) {
        if (running > 0 && (i >= n || running >= cores)) {
            wait(&status);
            running--;
        }
        if (i >= n)
            continue;
        fflush(NULL);
        running++;
        if (fork() == 0) {
            grade_on_cpu(g, &s[i], &r[i]);
            _exit(0);
        }
    }
    for (int i = 0; i < n; i++) {
        grade_on_gpu(g, &s[i], &r[i]);
        set_outcome(g, &r[i]);
    }
}

static struct result *shared_results(int n)
{
    struct result *r =
        mmap(NULL, n * sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (r == MAP_FAILED)
        fail("out of memory");
    for (int i = 0; i < n; i++)   // for a worker that does not end as it should
        r[i] = (struct result){ .outcome = UNREADABLE, .reason = "could not be graded" };
    return r;
}

static time_t changed(const char *path)
{
    struct stat is;

    return stat(path, &is) == 0 ? is.st_mtime : 0;
}

// Grades the solution, whose check says which sizes a submission must compute. It must reach all
// points.
static void grade_solution(struct grading *g)
{
    char *key = text_of("solution-%d", g->e->number), *rows = in_obj("cpu", key, ".check.tsv");
    struct submission s = { text_of("build/cpu/%s.cu", key),
                            text_of("the solution of exercise%d", g->e->number), key };
    struct result *r = shared_results(1);
    const char *done = text_of("build/cpu/%s.graded", key);

    if (changed(done) <= changed(g->e->path) || changed(done) <= changed("build/cpu/grader")) {
        unlink(done);
        write_if_changed(s.path, g->e->solution);
        grade_all(&(struct grading){ g->e, g->entry, g->cpu, "", "", g->seconds, NULL }, &s, r, 1);
        if (r->outcome != SOLVED)
            fail("%s: its solution is not graded as solved: %s", g->e->path, r->reason);
        write_if_changed(done, "");
    }
    g->expected = rows;
}

static struct submission submission_of(const struct exercise *e, const char *path, int number)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

    return (struct submission){ path, one_line(text_of("%s", name)),
                                text_of("exercise%d-%d", e->number, number) };
}

static enum status grade_own(const struct grading *g)
{
    struct arguments there = exercise_files(g->e->number);
    struct result *r = shared_results(1);
    struct submission s;

    if (there.n != 1)
        fail("exercise%d: %s", g->e->number,
             there.n ? "two files have this number"
                     : text_of("there is no file yet; make exercise N=%d writes it", g->e->number));
    s = submission_of(g->e, there.word[0], 0);
    grade_all(g, &s, r, 1);
    print_details(g, &s, r);
    if (r->outcome == SOLVED)
        exercise_set_solved(g->e->number);
    return r->outcome == SOLVED ? STATUS_OK : STATUS_WRONG;
}

static int is_source(const struct dirent *file)
{
    size_t n = strlen(file->d_name);

    return file->d_name[0] != '.' && n > 3 && strcmp(file->d_name + n - 3, ".cu") == 0;
}

// The .cu files of a folder, whose name may have any characters.
static struct arguments sources_in(const char *folder)
{
    struct dirent **found;
    struct arguments files = { scandir(folder, &found, is_source, alphasort), NULL };

    if (files.n < 0)
        fail("FROM=%s: %s; expected a folder with .cu files", folder, strerror(errno));
    if (files.n == 0)
        fail("FROM=%s: no .cu file is there", folder);
    files.word = calloc(files.n, sizeof *files.word);
    for (int i = 0; i < files.n; i++)
        files.word[i] = text_of("%s/%s", folder, found[i]->d_name);
    return files;
}

// Ends the program unless this file can be written. Leaves what it contains.
static void must_be_writable(const char *path)
{
    int exists = access(path, F_OK) == 0, file = open(path, O_WRONLY | O_CREAT, 0666);

    if (file < 0)
        fail("OUT=%s: %s", path, strerror(errno));
    close(file);
    if (!exists)
        unlink(path);
}

static enum status grade_folder(const struct grading *g, const char *folder, const char *path)
{
    struct arguments files = sources_in(folder);
    struct submission *s = calloc(files.n, sizeof *s);
    struct result *r = shared_results(files.n);
    struct stat is;
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (path)
        must_be_writable(path);
    setenv("EMU_THREADS", "1", 1);   // the submissions are graded in parallel
    for (int i = 0; i < files.n; i++)
        s[i] = submission_of(g->e, files.word[i], i + 1);
    grade_all(g, s, r, files.n);
    fputs("file\tpoints\tmaximum\tstatus\treason\n", out);
    for (int i = 0; i < files.n; i++)
        print_row(out, g, &s[i], &r[i]);
    fclose(out);
    if (path && (stat(path, &is) < 0 || S_ISREG(is.st_mode)))
        write_if_changed(path, text);
    else if (!(out = path ? fopen(path, "w") : stdout) || fputs(text, out) < 0 || fflush(out) != 0)
        fail("OUT=%s: %s", path ? path : "", strerror(errno));
    return STATUS_OK;
}

enum status exercise_grade(struct arguments a)
{
    const char *from = take_option(&a, "--from"), *out = take_option(&a, "--out"),
               *seconds = take_option(&a, "--seconds"), *cpu = getenv("LADDER_MAKE_CPU"),
               *gpu = getenv("LADDER_MAKE_GPU"), *prefix = getenv("LADDER_RUN"),
               *entry = getenv("LADDER_ENTRY");
    struct exercise e;
    struct grading g = {
        .e = &e, .entry = entry, .cpu = cpu, .gpu = gpu ? gpu : "", .run = prefix ? prefix : ""
    };

    if (a.n != 1 || !cpu || !entry)
        fail("exercise grade: expected N, from make grade");
    g.seconds = seconds ? argument_number("SECONDS", seconds, 1, 3600) : 20;
    e = exercise_wanted(a.word[0]);
    grade_solution(&g);
    return from ? grade_folder(&g, from, out) : grade_own(&g);
}
