// make grade: one exercise of this folder, or every .cu file of a folder. A process per submission
// grades it; results arrive in the order of the files.
#define _GNU_SOURCE   // mkdtemp, strdup
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arguments.h"
#include "confine.h"
#include "grade.h"
#include "select.h"
#include "tool.h"

static const char *const outcome_word[OUTCOMES] = {
    [SOLVED] = "solved",         [PARTIAL] = "partial",      [WRONG] = "wrong",
    [STOPPED] = "stopped",       [REFUSED] = "refused",      [UNCOMPILED] = "uncompiled",
    [UNREADABLE] = "unreadable", [NOT_GRADED] = "not graded"
};

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
        sum += g->e->claim[i].on_cpu || g->on_gpu ? g->e->head.points[i] : 0;
    return sum;
}

// What nvcc refuses has no points.
static void take_points(const struct grading *g, struct result *r)
{
    r->correct = (struct line){ 0 };
    for (int i = 0; i < g->e->head.n_claims; i++)
        r->claim[i] = (struct line){ 0 };
}

static void grade_on_cpu(const struct grading *g, const struct submission *s, struct result *r)
{
    *r = (struct result){ .outcome = SOLVED };
    if (!submission_copy(s, &g->cpu, r) || !submission_build(g, s, &g->cpu, r))
        return;
    submission_judge(g, s, &g->cpu, r);
    if (sum_of(g, r) && !submission_is_cuda(g, s, r))
        take_points(g, r);
}

// Only what is correct is timed.
static void grade_on_gpu(const struct grading *g, const struct submission *s, struct result *r)
{
    struct result built = { .outcome = SOLVED };

    if (!r->correct.earned)
        return;
    if (submission_copy(s, &g->gpu, &built) && submission_build(g, s, &g->gpu, &built)) {
        submission_judge(g, s, &g->gpu, r);
        return;
    }
    if (!r->reason[0])
        snprintf(r->reason, REASON, "GPU: %s", text_head(built.reason, REASON - 10));
    submission_unmeasured(g, built.reason, r);
}

static void finish_result(const struct grading *g, const struct submission *s, struct result *r)
{
    if (r->outcome == SOLVED && sum_of(g, r) < most_of(g))
        r->outcome = PARTIAL;
    remove_folder(s->folder);
}

// --- all submissions

static volatile sig_atomic_t interrupted;

static void interrupt(int signal) { interrupted = signal; }

// What happens to submission i.
struct progress {
    enum { WAITS, ON_CPU, WAITS_FOR_GPU, ON_GPU, DONE } at;
    int pid;
};

struct queue {
    const struct grading *g;
    const struct submission *s;
    struct result *r;
    struct progress *p;
    int n, done;   // done: the first ones, which were reported
    int workers, most_workers, gpu_busy;
    void (*report)(struct queue *, int i);
    void *context;
};

static void start(struct queue *q, int i, int on_gpu)
{
    void (*grade)(const struct grading *, const struct submission *, struct result *) =
        on_gpu ? grade_on_gpu : grade_on_cpu;
    int parent = getpid();

    fflush(NULL);
    q->p[i].pid = fork();
    if (q->p[i].pid < 0)
        fail("fork: %s", strerror(errno));
    if (q->p[i].pid == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == parent)
            grade(q->g, &q->s[i], &q->r[i]);
        _exit(0);
    }
    q->p[i].at = on_gpu ? ON_GPU : ON_CPU;
    *(on_gpu ? &q->gpu_busy : &q->workers) += 1;
}

// Starts what may start: the GPU has one submission at a time, and then a core for it.
static void start_some(struct queue *q)
{
    for (int i = q->done; i < q->n && !q->gpu_busy; i++) {
        if (q->p[i].at == WAITS_FOR_GPU)
            start(q, i, 1);
        else if (q->p[i].at != DONE)
            break;
    }
    for (int i = q->done; i < q->n && q->workers < q->most_workers; i++)
        if (q->p[i].at == WAITS)
            start(q, i, 0);
}

static void take_end(struct queue *q, int pid)
{
    for (int i = q->done; i < q->n; i++) {
        struct progress *p = &q->p[i];

        if (p->pid != pid || (p->at != ON_CPU && p->at != ON_GPU))
            continue;
        *(p->at == ON_GPU ? &q->gpu_busy : &q->workers) -= 1;
        p->at = p->at == ON_CPU && q->g->on_gpu ? WAITS_FOR_GPU : DONE;
    }
    while (q->done < q->n && q->p[q->done].at == DONE) {
        finish_result(q->g, &q->s[q->done], &q->r[q->done]);
        q->report(q, q->done++);
    }
}

static void end_workers(struct queue *q)
{
    for (int i = 0; i < q->n; i++)
        if (q->p[i].at == ON_CPU || q->p[i].at == ON_GPU) {
            kill(q->p[i].pid, SIGKILL);
            waitpid(q->p[i].pid, NULL, 0);
        }
}

// Grades all, and reports them in their order. Returns 0 after an interrupt: then only the first
// `done` were graded.
static int grade_all(struct queue *q)
{
    struct sigaction action = { .sa_handler = interrupt };
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    q->most_workers = q->g->on_gpu && cores > 1 ? (int)cores - 1 : (int)cores;
    q->p = must_calloc(q->n, sizeof *q->p);
    while (q->done < q->n && !interrupted) {
        int pid;

        start_some(q);
        pid = wait(NULL);
        if (pid > 0)
            take_end(q, pid);
    }
    end_workers(q);
    return !interrupted;
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

// --- the folder of this run, which is removed when the program ends

static const char *run_folder;

static void remove_run_folder(void)
{
    if (run_folder)
        remove_folder(run_folder);
}

static void make_run_folder(struct grading *g)
{
    char *name = text_of("build/grading.XXXXXX");

    if (!mkdtemp(name))
        fail("build/grading.XXXXXX: cannot be made: %s", strerror(errno));
    g->folder = run_folder = name;
    atexit(remove_run_folder);
}

static struct submission submission_of(const struct grading *g, const char *path, int number)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

    return (struct submission){ path, on_one_line(text_of("%s", name)),
                                text_of("%s/%d", g->folder, number) };
}

// --- the solution

// A number for a text: 64-bit FNV-1a (Fowler, Noll, Vo).
static unsigned long long number_of(const char *text)
{
    unsigned long long h = 0xcbf29ce484222325;

    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3;
    return h;
}

static time_t changed(const char *path)
{
    struct stat is;

    return stat(path, &is) == 0 ? is.st_mtime : 0;
}

// Grades the solution, whose check says which sizes a submission must compute. It must reach all
// points without a GPU. The rows of its check are kept; its program is not.
static void grade_solution(struct grading *g)
{
    const char *kept = text_of("build/cpu/obj/solution-%016llx.tsv",
                               number_of(text_of("%s%s", g->e->solution, g->e->task)));
    struct submission s = submission_of(g, text_of("%s/solution.cu", g->folder), 0);
    struct grading alone = *g;
    struct result *r = shared_results(1);
    struct table rows = { 0 };

    if (changed(kept) <= changed("build/cpu/grader")) {
        alone.on_gpu = 0;
        write_if_changed(s.path, g->e->solution);
        grade_on_cpu(&alone, &s, r);
        unlink(s.path);
        if (r->outcome != SOLVED || sum_of(&alone, r) < most_of(&alone))
            fail("%s: its solution is not graded as solved: %s", g->e->path, r->reason);
        write_if_changed(kept, read_text(copy_path(&s, &g->cpu, "step0.tsv")));
        remove_folder(s.folder);
    }
    table_read(&rows, kept);
    g->expected = kept;
    g->type = rows.n ? table_type(&rows) : "";
}

// --- the exercise of this folder

static void print_line(const struct line *line, int points)
{
    if (line->judged)
        printf("  %2d of %2d  %s\n", line->earned, points, line->says);
}

static void report_details(struct queue *q, int i)
{
    const struct grading *g = q->g;
    const struct result *r = &q->r[i];

    printf("%s: %s\n", q->s[i].name, outcome_word[r->outcome]);
    if (!r->correct.judged)
        printf("   0 of %2d  %s\n", most_of(g), r->reason);
    else
        print_line(&r->correct, g->e->head.points_correct);
    for (int k = 0; k < g->e->head.n_claims; k++)
        print_line(&r->claim[k], g->e->head.points[k]);
    if (r->diagnosed)
        printf("          no points after a diagnosis of the CPU device\n");
    printf("  %2d of %2d  points\n", sum_of(g, r), most_of(g));
}

static enum status grade_own(const struct grading *g)
{
    struct arguments there = exercise_files(g->e->number);
    struct queue q = { .g = g, .n = 1, .r = shared_results(1), .report = report_details };
    struct submission s;

    if (there.n != 1)
        fail("exercise%d: %s", g->e->number,
             there.n ? "two files have this number"
                     : text_of("there is no file yet; make exercise N=%d writes it", g->e->number));
    s = submission_of(g, there.word[0], 1);
    q.s = &s;
    if (!grade_all(&q))
        return STATUS_ERROR;
    if (q.r->outcome == SOLVED)
        exercise_set_solved(g->e->number);
    return q.r->outcome == SOLVED ? STATUS_OK : STATUS_WRONG;
}

// --- a folder

struct table_out {
    FILE *file;
    const char *path;   // NULL: stdout
    int count[OUTCOMES];
};

static void clear_progress(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}

static void show_progress(const struct queue *q)
{
    if (isatty(STDERR_FILENO) && q->done < q->n)
        fprintf(stderr, "\r\033[K%d of %d graded", q->done, q->n);
}

static void report_row(struct queue *q, int i)
{
    struct table_out *t = q->context;
    const struct result *r = &q->r[i];

    clear_progress();
    if (fprintf(t->file, "%s\t%d\t%d\t%s\t%s\n", q->s[i].name, sum_of(q->g, r), most_of(q->g),
                outcome_word[r->outcome], r->outcome == SOLVED ? "" : r->reason) < 0 ||
        fflush(t->file) != 0)
        fail("OUT=%s: %s", t->path ? t->path : "", strerror(errno));
    t->count[r->outcome]++;
    q->done++;
    show_progress(q);
    q->done--;
}

static void print_summary(const struct queue *q, const struct table_out *t)
{
    FILE *out = t->path ? stdout : stderr;

    fprintf(out, "%d of %d submissions graded:", q->done, q->n);
    for (int i = 0, n = 0; i < OUTCOMES; i++)
        if (t->count[i])
            fprintf(out, "%s %d %s", n++ ? "," : "", t->count[i], outcome_word[i]);
    fprintf(out, "%s%s\n", t->path ? "; the points are in " : "", t->path ? t->path : "");
}

// An earlier table is replaced when the first row is known, not before.
static void must_be_writable(const char *path)
{
    int exists = access(path, F_OK) == 0;
    FILE *file = fopen(path, "a");

    if (!file)
        fail("OUT=%s: %s", path, strerror(errno));
    fclose(file);
    if (!exists)
        unlink(path);
}

static enum status grade_folder(const struct grading *g, const struct arguments *files,
                                const char *path)
{
    struct submission *s = must_calloc(files->n, sizeof *s);
    struct table_out t = { .file = path ? fopen(path, "w") : stdout, .path = path };
    struct queue q = { .g = g,
                       .s = s,
                       .r = shared_results(files->n),
                       .n = files->n,
                       .report = report_row,
                       .context = &t };
    int all;

    if (!t.file)
        fail("OUT=%s: %s", path, strerror(errno));
    setenv("EMU_THREADS", "1", 1);   // the submissions are graded in parallel
    for (int i = 0; i < files->n; i++)
        s[i] = submission_of(g, files->word[i], i + 1);
    fputs("file\tpoints\tmaximum\tstatus\treason\n", t.file);
    fflush(t.file);
    show_progress(&q);
    all = grade_all(&q);
    clear_progress();
    print_summary(&q, &t);
    return all ? STATUS_OK : STATUS_ERROR;
}

// --- the command

static struct bench bench_of(const char *name, const char *prefix)
{
    return (struct bench){ name, prefix, read_text(text_of("build/%s/grading", name)) };
}

static int confinement(const char *given)
{
    const char *wrong;

    if (given && strcmp(given, "no") != 0)
        fail("CONFINE=%s: expected no, or nothing", given);
    wrong = given ? NULL : confine_trial();
    if (wrong)
        fail("this system cannot confine submissions (%s); CONFINE=no grades without, for "
             "submissions that you trust",
             wrong);
    return !given;
}

enum status exercise_grade(struct arguments a)
{
    const char *from = take_option(&a, "--from"), *out = take_option(&a, "--out"),
               *seconds = take_option(&a, "--seconds"), *confine = take_option(&a, "--confine");
    int on_gpu = take_flag(&a, "--gpu");
    struct arguments files = { 0 };
    struct exercise e;
    struct grading g = { .e = &e, .on_gpu = on_gpu, .type = "" };

    if (a.n != 1)
        fail("exercise grade: expected N, from make grade");
    g.seconds = seconds ? argument_number("SECONDS", seconds, 1, 3600) : 20;
    g.confined = confinement(confine);
    e = exercise_wanted(a.word[0]);
    if (from)
        files = files_like(from, "*.cu");
    if (from && !files.n)
        fail("FROM=%s: %s; expected a folder with .cu files", from,
             access(from, R_OK) < 0 ? strerror(errno) : "none is there");
    if (from && out)
        must_be_writable(out);
    g.cpu = bench_of("cpu", "");
    if (on_gpu)
        g.gpu = bench_of("gpu", setting("LADDER_RUN"));
    make_run_folder(&g);
    grade_solution(&g);
    return from ? grade_folder(&g, &files, out) : grade_own(&g);
}
