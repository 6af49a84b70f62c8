#define _GNU_SOURCE   // close_range
#include "isolated.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

#include "buffers.h"
#include "call.h"
#include "check.h"
#include "confine.h"
#include "problem.h"
#include "program.h"
#include "wall.h"

// Limits of the other process. The CPU device reserves much more address space than it uses.
enum { SPACE_MB = 8 << 10, MEMORY_MB = 4 << 10, LOG_BYTES = 1 << 20, MOST_TEXT = 64 << 20 };

struct request {
    struct problem problem;   // without its pointers and its seed
    int counted;
};
// The inputs follow a request. What the other process sends begins with this.
struct message {
    enum { REPLY, QUESTION, DIAGNOSED, FORBIDDEN, UNSTARTED } kind;
    uint32_t bytes;   // of the text or number that follows
};
// The outputs follow a reply with STATUS_OK.
struct reply {
    enum status status;
    char why[ISOLATED_WHY];
    struct facts facts;
};

// The one place in the program that uses the socket of the other process, so that the kernel can
// refuse it to all others: read() or write(), which return to the label.
extern const char socket_call_returns[];
ssize_t socket_call(long number, int descriptor, void *data, size_t bytes);
#if defined(__x86_64__)
__asm__(".text\n"
        ".globl socket_call, socket_call_returns\n"
        "socket_call: mov %rdi, %rax; mov %rsi, %rdi; mov %rdx, %rsi; mov %rcx, %rdx; syscall\n"
        "socket_call_returns: ret\n");
#else
__asm__(".text\n"
        ".globl socket_call, socket_call_returns\n"
        "socket_call: mov x8, x0; mov x0, x1; mov x1, x2; mov x2, x3; svc 0\n"
        "socket_call_returns: ret\n");
#endif

// Writes to the socket of this process, or reads, until all bytes are there. Returns 0 if the other
// side has closed it.
static int move_all(long number, void *data, size_t bytes)
{
    for (char *at = data; bytes > 0;) {
        ssize_t n = socket_call(number, ISOLATED_SOCKET, at, bytes);

        if (n == -EINTR)
            continue;
        if (n <= 0)
            return 0;
        at += n;
        bytes -= n;
    }
    return 1;
}

static int write_all(const void *data, size_t bytes)
{
    return move_all(SYS_write, (void *)data, bytes);
}

static int tell(int kind, const void *text, size_t bytes)
{
    struct message m = { kind, (uint32_t)bytes };

    return write_all(&m, sizeof m) && write_all(text, bytes);
}

// --- the side that checks

// Both return 0 if the other side has closed the socket, or the time is over.
static int send_all(const struct isolated *o, const void *data, size_t bytes)
{
    for (const char *at = data; bytes > 0;) {
        struct pollfd ready = { o->socket, POLLOUT, 0 };
        double left = o->deadline - seconds_now();
        ssize_t n;

        if (left <= 0 || poll(&ready, 1, (int)(1e3 * left) + 1) == 0)
            return 0;
        n = send(o->socket, at, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n <= 0)
            return 0;
        at += n;
        bytes -= n;
    }
    return 1;
}

static int receive_all(const struct isolated *o, void *data, size_t bytes)
{
    for (char *at = data; bytes > 0;) {
        struct pollfd ready = { o->socket, POLLIN, 0 };
        double left = o->deadline - seconds_now();
        ssize_t n;

        if (left <= 0 || poll(&ready, 1, (int)(1e3 * left) + 1) == 0)
            return 0;
        n = recv(o->socket, at, bytes, MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n <= 0)
            return 0;
        at += n;
        bytes -= n;
    }
    return 1;
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

// The process has no descriptors but these, and of the environment what concerns the CPU device.
static _Noreturn void become(const char *program, int socket, int seconds, int free)
{
    char *argv[] = { (char *)"submission", (char *)"--serve", NULL }, *kept[8], **end = kept;
    const char *wrong;
    int null = open("/dev/null", O_RDONLY),
        out = open(text_of("%s.log", program), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);

    for (char **e = environ; *e && end < kept + 7; e++)
        if (strncmp(*e, "EMU_", 4) == 0)
            *end++ = *e;
    *end = NULL;
    offer_memory();
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, LOG_BYTES);
    limit(RLIMIT_AS, (rlim_t)SPACE_MB << 20);
    limit(RLIMIT_DATA, (rlim_t)MEMORY_MB << 20);
    limit(RLIMIT_CPU, seconds);
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    dup2(socket, ISOLATED_SOCKET);
    syscall(SYS_close_range, ISOLATED_SOCKET + 1, ~0u, 0);
    wrong = free ? (execve(program, argv, kept), text_of("%s: %s", program, strerror(errno)))
                 : confine_execute(program, argv, kept);
    tell(UNSTARTED, wrong, strlen(wrong));
    _exit(127);
}

struct isolated *isolated_start(const char *program, int seconds, int free)
{
    struct isolated *o = must_malloc(sizeof *o);
    const char *slash = strrchr(program, '/');
    int ends[2], status;

    if (access(program, X_OK) < 0)
        die(STATUS_USAGE, "--isolated '%s': %s", program, strerror(errno));
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        die(STATUS_ERROR, "--isolated '%s': %s", program, strerror(errno));
    *o = (struct isolated){ .socket = ends[0],
                            .seconds = seconds,
                            .deadline = seconds_now() + WALL_PER_CPU * seconds,
                            .program = program };
    o->source = realpath(
        text_of("%.*s/submission.cu", slash ? (int)(slash - program) : 1, slash ? program : "."),
        NULL);
    o->pid = fork();
    if (o->pid < 0)
        die(STATUS_ERROR, "--isolated '%s': %s", program, strerror(errno));
    if (o->pid == 0)
        become(program, ends[1], seconds, free);
    close(ends[1]);
    if (!free && confine_watch(o->pid, &status) < 0) {
        struct message m = { 0 };
        char why[256] = "";

        if (receive_all(o, &m, sizeof m) && m.kind == UNSTARTED && m.bytes < sizeof why)
            receive_all(o, why, m.bytes);
        die(STATUS_USAGE, "cannot confine a submission: %s", why[0] ? why : "its process ended");
    }
    return o;
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

static const char *how_it_ended(const struct isolated *o, int status, const struct rusage *used)
{
    double cpu = used->ru_utime.tv_sec + used->ru_stime.tv_sec +
                 1e-6 * (used->ru_utime.tv_usec + used->ru_stime.tv_usec);

    if (WIFEXITED(status))
        return text_of("it ended with exit status %d before its result%s", WEXITSTATUS(status),
                       last_words(o));
    if (WTERMSIG(status) == SIGXCPU || (WTERMSIG(status) == SIGKILL && cpu >= o->seconds - 0.5))
        return text_of("more than %d s of CPU time", o->seconds);
    switch (WTERMSIG(status)) {
    case SIGKILL: return "the system ended it, perhaps for lack of memory";
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
    const char *name = call < 0 ? NULL : confined_call_name(call);
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
    die(STATUS_ERROR, "stopped at %s: %s", problem_text(p), how_it_ended(o, status, &used));
}

// Receives the text of a message. The caller frees it.
static char *text_received(struct isolated *o, const struct problem *p, const struct message *m)
{
    char *text = must_malloc(m->bytes < MOST_TEXT ? m->bytes + 1 : 1);

    if (m->bytes >= MOST_TEXT || !receive_all(o, text, m->bytes))
        report_end(o, p, -1);
    text[m->bytes] = '\0';
    return text;
}

// Answers the questions of the CPU device about its program, until the reply arrives.
static void receive_reply(struct isolated *o, const struct problem *p, struct reply *reply)
{
    struct message m;

    for (;;) {
        char *text, *told;
        uint32_t bytes;

        if (!receive_all(o, &m, sizeof m))
            report_end(o, p, -1);
        if (m.kind == REPLY && m.bytes == sizeof *reply) {
            if (!receive_all(o, reply, sizeof *reply))
                report_end(o, p, -1);
            return;
        }
        text = text_received(o, p, &m);
        if (m.kind == DIAGNOSED) {
            o->diagnosed = text;
            report_end(o, p, -1);
        }
        if (m.kind != QUESTION)
            report_end(o, p, m.kind == FORBIDDEN ? atoi(text) : -1);
        told = backend_answer(o->program, o->source ? o->source : "", text);
        bytes = (uint32_t)strlen(told);
        if (!send_all(o, &bytes, sizeof bytes) || !send_all(o, told, bytes))
            report_end(o, p, -1);
        free(text);
        free(told);
    }
}

// The problem as the other process may know it: the seed would determine the inputs of later calls,
// and pointers would tell where this program's memory is.
static struct problem problem_without_secrets(const struct problem *p)
{
    struct problem other = *p;

    other.week = NULL;
    other.computes = other.arithmetic = NULL;
    other.seed = 0;
    return other;
}

enum status isolated_call(struct isolated *o, const struct problem *p, void *const host[],
                          void *const device[], struct facts *facts, char why[ISOLATED_WHY])
{
    struct request request = { problem_without_secrets(p), facts != NULL };
    struct buffer b[MAX_BUFFERS];
    struct reply reply;
    int n = p->week->buffers(p, b), going = send_all(o, &request, sizeof request);

    for (int i = 0; going && i < n; i++)
        if (b[i].role == IN)
            going = send_all(o, host[i], buffer_bytes(&b[i]));
    receive_reply(o, p, &reply);
    for (int i = 0; reply.status == STATUS_OK && i < n; i++) {
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
    snprintf(why, ISOLATED_WHY, "%.*s", ISOLATED_WHY - 1, reply.why);
    if (facts) {
        *facts = reply.facts;
        facts->kernel[sizeof facts->kernel - 1] = '\0';
    }
    return reply.status == STATUS_OK || reply.status == STATUS_SKIPPED ? reply.status
                                                                       : STATUS_WRONG;
}

void isolated_end(struct isolated *o)
{
    struct rusage used;

    kill(o->pid, SIGKILL);
    reap(o, &used);
}

// --- the side that is checked

static int read_all(void *data, size_t bytes) { return move_all(SYS_read, data, bytes); }

// A question of the CPU device, from any of its threads.
static char *ask(const char *question)
{
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    char *text = NULL;
    uint32_t bytes;

    pthread_mutex_lock(&one);
    if (tell(QUESTION, question, strlen(question)) && read_all(&bytes, sizeof bytes)) {
        text = must_malloc(bytes + 1);
        text[read_all(text, bytes) ? bytes : 0] = '\0';
    }
    pthread_mutex_unlock(&one);
    return text;
}

static void diagnosed(void *context, const char *first)
{
    (void)context;
    tell(DIAGNOSED, first, strlen(first));
}

// The kernel refused a system call (confine.h).
static void forbidden(int signal, siginfo_t *info, void *context)
{
    const char *number = text_of("%d", info->si_syscall);

    (void)signal, (void)context;
    tell(FORBIDDEN, number, strlen(number));
    _exit(STATUS_ERROR);
}

static void answer(const struct contender *stage, struct arrays *a, int counted,
                   struct reply *reply)
{
    const char *trespass;

    arrays_upload(a);
    reply->facts = facts_unknown;
    reply->status =
        check_poisoned_call(stage->fn, &stage->problem, a, 0, counted ? &reply->facts : NULL);
    snprintf(reply->why, sizeof reply->why, "%s", call_why());
    trespass = reply->status == STATUS_OK ? arrays_trespass(a, 0) : NULL;
    if (trespass) {
        reply->status = STATUS_WRONG;
        snprintf(reply->why, sizeof reply->why, "%s", trespass);
    }
}

static int return_outputs(const struct arrays *a)
{
    void *device[MAX_BUFFERS];
    int going = 1;

    arrays_set(a, 0, device);
    for (int i = 0; going && i < a->n; i++) {
        size_t bytes = a->buffer[i].role == OUT ? buffer_bytes(&a->buffer[i]) : 0;
        void *got = must_malloc(bytes);

        if (bytes)
            arrays_download(got, device[i], bytes);
        going = write_all(got, bytes);
        free(got);
    }
    return going;
}

// Before the constructors of the submission run.
static void close_socket_to_others(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--serve") == 0)
        confine_descriptor(ISOLATED_SOCKET, socket_call_returns);
}
__attribute__((section(".preinit_array"),
               used)) static void (*const early)(int, char **) = close_socket_to_others;

enum status isolated_serve(struct contender *stage)
{
    const struct week *week = stage->problem.week;
    struct sigaction action = { .sa_sigaction = forbidden, .sa_flags = SA_SIGINFO };
    struct arrays *a = NULL;
    struct request r;

    sigaction(SIGSYS, &action, NULL);
    backend_ask(ask);
    backend_on_diagnosis(diagnosed, NULL);
    while (read_all(&r, sizeof r)) {
        struct reply reply = { .status = STATUS_OK };
        int going = 1;

        r.problem.week = week;
        contender_set(stage, &r.problem);
        // The same arrays for both calls of a check, so that the second one finds what the first
        // one left.
        if (!a || !arrays_serve(a, &stage->problem)) {
            if (a)
                arrays_free(a);
            a = arrays_new(&stage->problem, 1);
        }
        for (int i = 0; going && i < a->n; i++)
            if (a->buffer[i].role == IN)
                going = read_all(a->host[i], buffer_bytes(&a->buffer[i]));
        if (!going)
            break;
        answer(stage, a, r.counted, &reply);
        if (!tell(REPLY, &reply, sizeof reply) || (reply.status == STATUS_OK && !return_outputs(a)))
            break;
    }
    return STATUS_OK;
}
