#define _GNU_SOURCE   // environ, syscall
#include "isolated.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

#include "confine.h"
#include "grade_limits.h"
#include "protocol.h"
#include "problem.h"
#include "program.h"
#include "session.h"

// In addition to the limit of CPU time: to start with a GPU, and to copy arrays.
enum { GPU_SECONDS = 60 };
// Limit of CPU time of addr2line and readelf.
enum { HELPER_SECONDS = 60 };

// Returns 0 if the other side has closed the socket, or the time is over.
static int transfer(const struct isolated *o, char *at, size_t bytes, int sends)
{
    while (bytes > 0) {
        struct pollfd ready = { o->socket, sends ? POLLOUT : POLLIN, 0 };
        double left = o->deadline - seconds_now();
        ssize_t n;

        if (left <= 0 || poll(&ready, 1, (int)(1e3 * left) + 1) == 0)
            return 0;
        n = sends ? send(o->socket, at, bytes, MSG_NOSIGNAL | MSG_DONTWAIT)
                  : recv(o->socket, at, bytes, MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n <= 0)
            return 0;
        at += n;
        bytes -= n;
    }
    return 1;
}

static int send_all(const struct isolated *o, const void *data, size_t bytes)
{
    return transfer(o, (char *)data, bytes, 1);
}

static int receive_all(const struct isolated *o, void *data, size_t bytes)
{
    return transfer(o, data, bytes, 0);
}

static void limit(int resource, rlim_t value)
{
    setrlimit(resource, &(struct rlimit){ value, value });
}

// If memory is short, the kernel ends this process first.
static void offer_memory(void)
{
    int file = open("/proc/self/oom_score_adj", O_WRONLY);

    if (file >= 0 && write(file, "1000", 4) < 0)
        warn("oom_score_adj: %s", strerror(errno));
    if (file >= 0)
        close(file);
}

// What the process keeps of the environment: what concerns its device.
static char **environment(void)
{
    static const char *const wanted[] = { "EMU_PATIENCE=", "CUDA_", "NVIDIA_", "LD_LIBRARY_PATH=" };
    enum { MOST = 32 };
    // one worker: no other thread can change what guard.cpp has just checked
    static char *kept[MOST + 2] = { (char *)"EMU_THREADS=1" };
    int n = 1;

    for (char **e = environ; *e; e++)
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
            if (n < MOST && strncmp(*e, wanted[i], strlen(wanted[i])) == 0)
                kept[n++] = *e;
    return kept;
}

static void limit_process(int seconds)
{
    offer_memory();
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, LOG_BYTES);
    // The CUDA driver reserves address space for all memory of the machine.
    if (on_cpu_device) {
        limit(RLIMIT_AS, (rlim_t)SPACE_MB << 20);
        limit(RLIMIT_DATA, (rlim_t)MEMORY_MB << 20);
    }
    seconds += on_cpu_device ? 0 : GPU_SECONDS;
    // SIGXCPU, at a time that isolated_step() moves, and SIGKILL
    setrlimit(RLIMIT_CPU, &(struct rlimit){ seconds, MOST_STEPS * seconds });
}

// Moves a descriptor to a number that is free. It stays open in the program that is executed.
static void place_descriptor(int descriptor, int number)
{
    if (descriptor == number)
        fcntl(number, F_SETFD, 0);
    else
        dup2(descriptor, number);
}

// The process has no descriptors but these. On a GPU it is this program, which loads the
// submission's shared object when it is confined.
static _Noreturn void become_program(const struct isolated *o, int socket, int free)
{
    const char *const log = text_of("%s.log", o->program), *wrong;
    char *argv[] = { (char *)"submission", (char *)"--serve",
                     (char *)(free ? "--unconfined" : NULL), NULL };
    int null = open("/dev/null", O_RDONLY),
        out = o->is_reference ? open("/dev/null", O_WRONLY)
                              : open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666),
        object = on_cpu_device ? -1 : open(o->program, O_RDONLY);

    socket = fcntl(socket, F_DUPFD, 16);   // out of the way
    object = object < 0 ? -1 : fcntl(object, F_DUPFD, 16);
    limit_process(o->seconds);
    place_descriptor(null, STDIN_FILENO);
    place_descriptor(out, STDOUT_FILENO);
    place_descriptor(out, STDERR_FILENO);
    place_descriptor(socket, ISOLATED_SOCKET);
    if (object >= 0)
        place_descriptor(object, CONFINED_OBJECT);
    syscall(SYS_close_range, CONFINED_OBJECT + 1, ~0u, 0);
    if (on_cpu_device)
        close(CONFINED_OBJECT);
    close(ISOLATED_SOCKET + 1);
    if (on_cpu_device && !free)
        wrong = confine_execute(o->program, argv, environment());
    else {
        execve(on_cpu_device ? o->program : "/proc/self/exe", argv, environment());
        wrong = strerror(errno);
    }
    tell(UNSTARTED, 0, wrong);
    _exit(127);
}

// A text from the other process.
static const char *received(const char *text)
{
    return on_one_line(whole_characters(text_of("%.*s", ISOLATED_WHY - 1, text)));
}

// What emu_answer() starts: it reads the submission's program, as a compiler would.
static void confine_helper(void)
{
    static const char *const readable[] = {
        "/usr", "/lib", "/lib64", "/bin", "/etc", "build", NULL
    };
    int has;

    setrlimit(RLIMIT_CPU, &(struct rlimit){ HELPER_SECONDS, HELPER_SECONDS });
    if (confine_files(readable, "/dev/null", &has) || confine(CONFINE_COMPILER))
        _exit(127);
}

struct isolated *isolated_start(const char *program, int seconds, int free, int is_reference)
{
    struct isolated *o = must_malloc(sizeof *o);
    const char *slash = strrchr(program, '/');
    int ends[2], status;

    if (access(program, R_OK) < 0)
        die(STATUS_USAGE, "--isolated '%s': %s", program, strerror(errno));
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        die(STATUS_ERROR, "--isolated '%s': %s", program, strerror(errno));
    *o =
        (struct isolated){ .socket = ends[0],
                           .seconds = seconds,
                           .deadline = seconds_now() +
                                       WALL_PER_CPU * (seconds + (on_cpu_device ? 0 : GPU_SECONDS)),
                           .program = program,
                           .is_reference = is_reference };
    o->source = realpath(
        text_of("%.*s/submission.cu", slash ? (int)(slash - program) : 1, slash ? program : "."),
        NULL);
    o->pid = fork();
    if (o->pid < 0)
        die(STATUS_ERROR, "--isolated '%s': %s", program, strerror(errno));
    if (o->pid == 0)
        become_program(o, ends[1], free);
    close(ends[1]);
    if (on_cpu_device && !free && confine_watch(o->pid, &status) < 0) {
        struct message m;
        int has_reason = receive_all(o, &m, sizeof m) && m.kind == UNSTARTED;

        die(STATUS_USAGE, "cannot confine a submission: %s",
            has_reason ? received(m.text) : "its process ended");
    }
    return o;
}

// Seconds of CPU time that the process has used.
static double cpu_seconds(const struct isolated *o)
{
    struct timespec used = { 0 };
    clockid_t clock;

    if (clock_getcpuclockid(o->pid, &clock) == 0)
        clock_gettime(clock, &used);
    return used.tv_sec + 1e-9 * used.tv_nsec;
}

void isolated_step(struct isolated *o)
{
    int seconds = o->seconds + (on_cpu_device ? 0 : GPU_SECONDS);
    struct rlimit cpu;

    o->used = cpu_seconds(o);
    o->deadline = seconds_now() + WALL_PER_CPU * seconds;
    if (prlimit(o->pid, RLIMIT_CPU, NULL, &cpu) == 0) {
        cpu.rlim_cur = (rlim_t)ceil(o->used) + seconds;
        prlimit(o->pid, RLIMIT_CPU, &cpu, NULL);
    }
}

// Waits until the process has ended. Returns its wait status.
static int reap(struct isolated *o, struct rusage *used)
{
    int status = 0;

    while (wait4(o->pid, &status, 0, used) < 0 && errno == EINTR)
        ;
    return status;
}

// The line with which the harness ended the process, from what it printed.
static const char *last_words(const struct isolated *o)
{
    static const char begin[] = "submission: ";
    FILE *log = fopen(text_of("%s.log", o->program), "r");
    char line[200];
    const char *found = "";

    while (log && !found[0] && fgets(line, sizeof line, log))
        if (strncmp(line, begin, strlen(begin)) == 0)
            found =
                text_of(": %.*s", (int)strcspn(line + strlen(begin), "\n"), line + strlen(begin));
    if (log)
        fclose(log);
    return found;
}

// NULL: it was killed by something else, which a submission cannot bring about.
static const char *how_it_ended(const struct isolated *o, int status, const struct rusage *used)
{
    double cpu = used->ru_utime.tv_sec + used->ru_stime.tv_sec +
                 1e-6 * (used->ru_utime.tv_usec + used->ru_stime.tv_usec);

    if (WIFEXITED(status))
        return text_of("it ended with exit status %d before its result%s", WEXITSTATUS(status),
                       last_words(o));
    if (WTERMSIG(status) == SIGXCPU || (WTERMSIG(status) == SIGKILL && cpu >= o->used + o->seconds))
        return text_of("more than %d s of CPU time", o->seconds);
    switch (WTERMSIG(status)) {
    case SIGKILL: return NULL;
    case SIGSYS: return "a system call that is not allowed";
    case SIGXFSZ: return text_of("it printed more than %d bytes", LOG_BYTES);
    default: return strsignal(WTERMSIG(status));
    }
}

// Ends this program after the other process has ended, has broken the protocol, or has exceeded its
// time. `call`: the number of the system call that stopped it, or -1.
static _Noreturn void report_end(struct isolated *o, const struct problem *p, int call)
{
    int late = seconds_now() >= o->deadline, status;
    const char *name = call < 0 ? NULL : confined_call_name(call), *why;
    struct rusage used;

    if (late || call >= 0 || o->diagnosed)
        kill(o->pid, SIGKILL);
    close(o->socket);
    status = reap(o, &used);
    if (o->diagnosed)
        die(STATUS_WRONG, "diagnosis at %s: %s", problem_text(p), o->diagnosed);
    if (call >= 0)
        die(STATUS_ERROR, "stopped at %s: the system call %s is not allowed", problem_text(p),
            name ? name : text_of("%d", call));
    if (late)
        die(STATUS_ERROR, "stopped at %s: no result after %d s", problem_text(p),
            WALL_PER_CPU * o->seconds);
    why = how_it_ended(o, status, &used);
    if (!why)
        die(STATUS_USAGE, "at %s its process was killed from outside, perhaps for lack of memory",
            problem_text(p));
    die(STATUS_ERROR, "stopped at %s: %s", problem_text(p), why);
}

// Answers a question of the CPU device about its program.
static void answer_question(struct isolated *o, const struct problem *p)
{
    struct emu_question *q = must_malloc(sizeof *q);
    uint32_t bytes;
    char *given;

    if (!receive_all(o, q, sizeof *q))
        report_end(o, p, -1);
    given = emu_answer(o->program, o->source ? o->source : "", q, confine_helper);
    bytes = (uint32_t)strlen(given);
    if (!send_all(o, &bytes, sizeof bytes) || !send_all(o, given, bytes))
        report_end(o, p, -1);
    free(given);
    free(q);
}

static int is_counter_value(double v) { return v >= -1 && v < 1e18; }   // false for NaN

// Whether the facts of a call have possible values. Their text is then on one line.
static int are_possible(struct facts *f)
{
    int possible = f->kernels >= -1 && f->regs >= -1 && f->shared_bytes >= -1 &&
                   f->blocks_per_sm >= -1 && memchr(f->kernel, '\0', sizeof f->kernel);

#define X(name, says) possible = possible && is_counter_value(f->counts.name);
    COUNTERS(X)
#undef X
    if (possible)
        on_one_line(f->kernel);
    return possible;
}

static void receive_reply(struct isolated *o, const struct problem *p, struct reply *reply)
{
    struct message m;

    while (receive_all(o, &m, sizeof m)) {
        switch (m.kind) {
        case REPLY:
            if (!receive_all(o, reply, sizeof *reply) || !are_possible(&reply->facts))
                report_end(o, p, -1);
            reply->why[ISOLATED_WHY - 1] = '\0';
            on_one_line(whole_characters(reply->why));
            return;
        case QUESTION: answer_question(o, p); continue;
        case DIAGNOSED: o->diagnosed = received(m.text); report_end(o, p, -1);
        case UNSTARTED: die(STATUS_ERROR, "stopped at %s: %s", problem_text(p), received(m.text));
        case FORBIDDEN: report_end(o, p, m.number >= 0 ? m.number : -1);
        default: report_end(o, p, -1);
        }
    }
    report_end(o, p, -1);
}

// The problem as the other process may know it: `secret` would determine the inputs of later calls,
// and pointers would tell where this program's memory is.
static struct problem problem_without_secrets(const struct problem *p)
{
    struct problem other = *p;

    other.week = NULL;
    other.computes = other.arithmetic = NULL;
    other.secret = 0;
    return other;
}

// Sends a request and, with host[], the inputs. If the other process has ended, its reply is
// missing, too.
static void send_request(struct isolated *o, const struct problem *p, struct request r,
                         void *const host[])
{
    struct buffer b[MAX_BUFFERS];
    int n = p->week->buffers(p, b), going;

    r.problem = problem_without_secrets(p);
    snprintf(r.computes, sizeof r.computes, "%s", p->computes);
    going = send_all(o, &r, sizeof r);
    for (int i = 0; host && going && i < n; i++)
        if (b[i].role == IN)
            going = send_all(o, host[i], buffer_bytes(&b[i]));
}

static void receive_outputs(struct isolated *o, const struct problem *p, void *const device[])
{
    struct buffer b[MAX_BUFFERS];
    int n = p->week->buffers(p, b);

    for (int i = 0; i < n; i++) {
        size_t bytes = b[i].role == OUT ? buffer_bytes(&b[i]) : 0;
        void *got = must_malloc(bytes);

        if (!receive_all(o, got, bytes))
            report_end(o, p, -1);
        if (bytes)
            cuda_must(
                cudaMemcpyAsync(device[i], got, bytes, cudaMemcpyHostToDevice, cudaStreamPerThread),
                "storing outputs");
        cuda_must(cudaStreamSynchronize(cudaStreamPerThread), "storing outputs");
        free(got);
    }
}

enum status isolated_call(struct isolated *o, const struct problem *p, void *const host[],
                          void *const device[], struct facts *facts, const char **why)
{
    struct reply reply;

    send_request(o, p, (struct request){ .what = CALL, .counted = facts != NULL }, host);
    receive_reply(o, p, &reply);
    if (reply.status == STATUS_OK)
        receive_outputs(o, p, device);
    *why = text_of("%s", reply.why);
    if (facts)
        *facts = reply.facts;
    return reply.status == STATUS_OK || reply.status == STATUS_SKIPPED ? reply.status
                                                                       : STATUS_WRONG;
}

// --- measurements, on the side that checks

// Waits for a reply. Ends this program if it reports an error.
static void must_reply(struct isolated *o, const struct problem *p)
{
    struct reply reply;

    receive_reply(o, p, &reply);
    if (reply.status != STATUS_OK)
        die(STATUS_ERROR, "stopped at %s: %s", problem_text(p), reply.why);
}

static void ask(struct isolated *o, const struct problem *p, struct request r, void *const host[])
{
    send_request(o, p, r, host);
    must_reply(o, p);
}

void isolated_prepare(struct isolated *o, const struct problem *p, void *const host[], int sets)
{
    ask(o, p, (struct request){ .what = PREPARE, .sets = sets }, host);
}

double isolated_round(struct isolated *o, const struct problem *p, const uint64_t *shift, int sets,
                      int calls)
{
    double start;

    send_request(o, p, (struct request){ .what = ROUND, .sets = sets, .calls = calls }, NULL);
    send_all(o, shift, sets * sizeof *shift);
    must_reply(o, p);
    start = seconds_now();
    send_all(o, "", 1);
    must_reply(o, p);
    return 1e6 * (seconds_now() - start);
}

void isolated_probe(struct isolated *o, const struct problem *p, uint64_t place, int sets,
                    unsigned char (*bytes)[PROBE_BYTES])
{
    ask(o, p, (struct request){ .what = PROBE, .sets = sets, .place = place }, NULL);
    if (!receive_all(o, bytes, sets * sizeof *bytes))
        report_end(o, p, -1);
}

void isolated_return(struct isolated *o, const struct problem *p, int set, void *const device[])
{
    ask(o, p, (struct request){ .what = RETURN, .set = set }, NULL);
    receive_outputs(o, p, device);
}

void isolated_end(struct isolated *o)
{
    struct rusage used;

    kill(o->pid, SIGKILL);
    reap(o, &used);
}

// --- the program that checks

int isolated_main(int argc, char *argv[])
{
    struct isolated *process = NULL;
    enum status status = STATUS_OK;

    for (int from = 0, to; from < argc; from = to) {
        char **words = &argv[from];

        for (to = from + 1; to < argc && strcmp(argv[to], "--then") != 0; to++)
            ;
        words[0] = argv[0];   // in place of --then
        argv[to] = NULL;
        status = session_run(&week, &stage_info, to - from, words, &process);
        if (status == STATUS_USAGE || status == STATUS_ERROR)
            break;
    }
    if (process)
        isolated_end(process);
    return status;
}
