#include "workers.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "content.h"
#include "text.h"

// What happens to submission i.
struct work {
    enum { WAITS, ON_CPU, WAITS_FOR_GPU, ON_GPU, DONE } at;
    int pid;
};

struct result *shared_results(int n)
{
    struct result *r = mmap(NULL, (n ? n : 1) * sizeof *r, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (r == MAP_FAILED)
        die(STATUS_ERROR, "out of memory");
    return r;
}

// --- one submission, in its worker

static void decide(const struct grading *g, struct result *r)
{
    if (r->outcome == UNDECIDED || r->outcome == SOLVED || r->outcome == PARTIAL)
        r->outcome = points_earned(g, r) < points_most(g) ? PARTIAL : SOLVED;
}

// What nvcc refuses has no points.
static void take_result(const struct grading *g, struct result *r)
{
    r->correct = r->answer = (struct line){ 0 };
    for (int i = 0; i < g->e->head.n_claims; i++)
        r->claim[i] = (struct line){ 0 };
}

static void grade_on_cpu(const struct grading *g, const struct submission *s, struct result *r)
{
    if (!submission_copy(s, &g->cpu, r))
        return;
    snprintf(r->content, sizeof r->content, "%s",
             content_of(copy_path(s, &g->cpu, "submission.cu")));
    if (!submission_build(g, s, &g->cpu, r))
        return;
    submission_judge(g, s, &g->cpu, r);
    submission_answer(g, s, r);
    if (points_earned(g, r) && r->outcome != NOT_GRADED && !submission_is_cuda(g, s, r))
        take_result(g, r);
    decide(g, r);
}

// Only what is correct is timed.
static void grade_on_gpu(const struct grading *g, const struct submission *s, struct result *r)
{
    struct result built = { 0 };

    if (!r->correct.earned)
        return;
    if (submission_copy(s, &g->gpu, &built) && submission_build(g, s, &g->gpu, &built))
        submission_judge(g, s, &g->gpu, r);
    else if (built.outcome == NOT_GRADED)
        set_outcome(s, r, NOT_GRADED, built.reason);
    else {
        if (!r->reason[0])
            snprintf(r->reason, REASON, "GPU: %s", text_head(built.reason, REASON - 10));
        submission_unmeasured(g, built.reason, r);
    }
    decide(g, r);
}

// The last words of a worker. Its parent's exit handlers are not the worker's.
static void leave(void *context, enum status status, const char *message)
{
    struct result *r = context;

    snprintf(r->reason, REASON, "%s", message);
    on_one_line(whole_characters(r->reason));
    _exit(status);
}

NEVER_RETURNS static void work(const struct queue *q, int i, int on_gpu, const sigset_t *signals)
{
    struct result *r = &q->r[i];

    on_die(leave, r);
    if (!freopen("/dev/null", "w", stderr))   // its last words are in the result
        _exit(STATUS_ERROR);
    if (q->only_here)
        close(q->only_here);
    sigprocmask(SIG_SETMASK, signals, NULL);
    (on_gpu ? grade_on_gpu : grade_on_cpu)(q->g, &q->s[i], r);
    r->finished = 1;
    _exit(STATUS_OK);
}

// --- all submissions

// Returns 0 if no process can be started now, because workers use all that this user may have.
static int start(struct queue *q, int i, int on_gpu, const sigset_t *signals)
{
    struct result *r = &q->r[i];
    int parent = getpid(), pid;

    if (!on_gpu)
        *r = (struct result){ 0 };
    r->finished = 0;
    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)   // it ended before that
            _exit(STATUS_ERROR);
        work(q, i, on_gpu, signals);
    }
    if (pid < 0 && q->workers + q->gpu_busy == 0)
        die(STATUS_ERROR, "cannot start a process: %s", strerror(errno));
    if (pid < 0)
        return 0;
    q->p[i] = (struct work){ on_gpu ? ON_GPU : ON_CPU, pid };
    *(on_gpu ? &q->gpu_busy : &q->workers) += 1;
    return 1;
}

// Starts what may start: the GPU has one submission at a time, and then a core for it.
static void start_some(struct queue *q, const sigset_t *signals)
{
    for (int i = 0; i < q->n && !q->gpu_busy && q->g->on_gpu; i++)
        if (q->p[i].at == WAITS_FOR_GPU && !start(q, i, 1, signals))
            return;
    for (int i = 0; i < q->n && q->workers < q->most_workers; i++)
        if (q->p[i].at == WAITS && !start(q, i, 0, signals))
            return;
}

static void set_not_graded(struct result *r, const char *why)
{
    struct result none = { .outcome = NOT_GRADED };

    snprintf(none.reason, REASON, "%s", why);
    memcpy(none.content, r->content, sizeof none.content);
    *r = none;
}

// What the end of a worker means: only one that came to its end has graded.
static void judge_end(struct result *r, int status, int interrupted)
{
    if (WIFSIGNALED(status) && interrupted)
        set_not_graded(r, "interrupted");
    else if (WIFSIGNALED(status))
        set_not_graded(r, text_of("its worker was killed by signal %d", WTERMSIG(status)));
    else if (WEXITSTATUS(status) || !r->finished)
        set_not_graded(r, r->reason[0] ? text_of("%s", r->reason)
                                       : text_of("its worker ended early, with status %d",
                                                 WEXITSTATUS(status)));
    else if (r->outcome == NOT_GRADED || r->outcome == UNDECIDED)
        set_not_graded(r, r->reason[0] ? text_of("%s", r->reason) : "no result");
}

static int report(struct queue *q, int i)
{
    int go_on = !q->report || q->report(q, i);

    q->p[i].at = DONE;
    q->done++;
    remove_folder(q->s[i].folder);
    return go_on;
}

static int is_running(const struct work *p) { return p->at == ON_CPU || p->at == ON_GPU; }

// Takes the end of a process, which need not be a worker. Returns 0 to stop.
static int take_end(struct queue *q, int pid, int status)
{
    for (int i = 0; i < q->n; i++) {
        struct work *p = &q->p[i];

        if (!is_running(p) || p->pid != pid)
            continue;
        *(p->at == ON_GPU ? &q->gpu_busy : &q->workers) -= 1;
        judge_end(&q->r[i], status, q->interrupted);
        if (p->at == ON_GPU || !q->g->on_gpu || q->r[i].outcome == NOT_GRADED)
            return report(q, i);
        p->at = WAITS_FOR_GPU;
    }
    return 1;
}

// Takes the ends of all processes that have ended. Returns 0 to stop.
static int take_ends(struct queue *q)
{
    int status, pid, go_on = 1;

    while (go_on && (pid = waitpid(-1, &status, WNOHANG)) > 0)
        go_on = take_end(q, pid, status);
    return go_on;
}

// What a killed worker has started becomes a child of this process (PR_SET_CHILD_SUBREAPER).
static void end_orphans(const struct queue *q)
{
    for (int round = 0, found = 1; found && round < 100; round++) {
        FILE *file = fopen(text_of("/proc/self/task/%d/children", getpid()), "r");
        int pid, is_worker;

        found = 0;
        while (file && fscanf(file, "%d", &pid) == 1) {
            is_worker = 0;
            for (int i = 0; i < q->n; i++)
                is_worker |= is_running(&q->p[i]) && q->p[i].pid == pid;
            if (!is_worker && kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid)
                found = 1;
        }
        if (file)
            fclose(file);
    }
}

// Ends the workers. Those that came to their end before are reported as usual.
static void end_workers(struct queue *q, int reported)
{
    for (int i = 0; i < q->n; i++) {
        int status, pid = q->p[i].pid;

        if (!is_running(&q->p[i]))
            continue;
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
        judge_end(&q->r[i], status, 1);
        if (q->g->on_gpu && q->p[i].at == ON_CPU)
            set_not_graded(&q->r[i], "interrupted");
        q->p[i].at = DONE;
        if (reported)
            reported = report(q, i);
    }
}

// The signals that are awaited; an interruption that this process ignores is none.
static sigset_t awaited(void)
{
    static const int interruption[] = { SIGINT, SIGTERM, SIGHUP };
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (size_t i = 0; i < sizeof interruption / sizeof *interruption; i++) {
        struct sigaction now;

        sigaction(interruption[i], NULL, &now);
        if (now.sa_handler != SIG_IGN)
            sigaddset(&set, interruption[i]);
    }
    return set;
}

enum ending grade_all(struct queue *q)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    sigset_t set = awaited(), before;
    enum ending ending = ALL_GRADED;

    signal(SIGCHLD, SIG_DFL);   // it may be ignored, and then no status is kept
    sigprocmask(SIG_BLOCK, &set, &before);
    sigdelset(&before, SIGCHLD);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    q->most_workers = q->g->on_gpu && cores > 1 ? (int)cores - 1 : (int)cores;
    q->p = must_calloc(q->n, sizeof *q->p);
    while (q->done < q->n && ending == ALL_GRADED) {
        int signal;

        start_some(q, &before);
        signal = sigwaitinfo(&set, NULL);   // of several, that of the lowest number
        q->interrupted = signal > 0 && signal != SIGCHLD;
        if (!take_ends(q))
            ending = STOPPED_BY_REPORT;
        else if (q->interrupted)
            ending = INTERRUPTED;
    }
    end_workers(q, ending == INTERRUPTED);
    end_orphans(q);
    if (ending == ALL_GRADED)
        sigprocmask(SIG_SETMASK, &before, NULL);
    return ending;
}
