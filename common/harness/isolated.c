#define _GNU_SOURCE   // close_range
#include "isolated.h"

#include <dlfcn.h>
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
#include <ucontext.h>
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
// In addition to the limit of CPU time: to start with a GPU, and to copy arrays.
enum { GPU_SECONDS = 60 };

struct request {
    // CALL: one checked call; the inputs follow. Of a measurement (isolated_time.c): PREPARE: makes
    // `sets` sets of arrays; the inputs follow. ROUND: changes the inputs; a shift per set follows;
    // then, after one more byte, `calls` calls. PROBE: returns some bytes of the outputs of each
    // set, at a place that `place` determines. RETURN: returns the outputs of set `set`.
    enum { CALL, PREPARE, ROUND, PROBE, RETURN } what;
    struct problem problem;   // without its pointers and its secret
    int counted, sets, calls, set;
    uint64_t place;
};
// What the other process sends begins with this.
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

// What the process keeps of the environment: what concerns its device.
static char **environment(void)
{
    static const char *const wanted[] = { "EMU_", "CUDA_", "NVIDIA_", "LD_LIBRARY_PATH=" };
    enum { MOST = 32 };
    static char *kept[MOST + 1];
    int n = 0;

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
    limit(RLIMIT_CPU, seconds + (on_cpu_device ? 0 : GPU_SECONDS));
}

// Moves a descriptor to a number that is free. It stays open in the program that is executed.
static void place(int descriptor, int number)
{
    if (descriptor == number)
        fcntl(number, F_SETFD, 0);
    else
        dup2(descriptor, number);
}

// The process has no descriptors but these. On a GPU it is this program, which loads the
// submission's shared object when it is confined.
static _Noreturn void become(const struct isolated *o, int socket, int free)
{
    const char *const log = text_of("%s.log", o->program), *wrong;
    char *argv[] = { (char *)"submission", (char *)(free ? "--serve-unconfined" : "--serve"),
                     NULL };
    int null = open("/dev/null", O_RDONLY),
        out = o->is_reference ? open("/dev/null", O_WRONLY)
                              : open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666),
        object = on_cpu_device ? -1 : open(o->program, O_RDONLY);

    socket = fcntl(socket, F_DUPFD, 16);   // out of the way
    object = object < 0 ? -1 : fcntl(object, F_DUPFD, 16);
    limit_process(o->seconds);
    place(null, STDIN_FILENO);
    place(out, STDOUT_FILENO);
    place(out, STDERR_FILENO);
    place(socket, ISOLATED_SOCKET);
    if (object >= 0)
        place(object, CONFINED_OBJECT);
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
    tell(UNSTARTED, wrong, strlen(wrong));
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
        become(o, ends[1], free);
    close(ends[1]);
    if (on_cpu_device && !free && confine_watch(o->pid, &status) < 0) {
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
        if (m.kind == UNSTARTED)
            die(STATUS_ERROR, "stopped at %s: %s", problem_text(p), text);
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
static void send_request(struct isolated *o, const struct problem *p, const struct request *r,
                         void *const host[])
{
    struct buffer b[MAX_BUFFERS];
    int n = p->week->buffers(p, b), going = send_all(o, r, sizeof *r);

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
                          void *const device[], struct facts *facts, char why[ISOLATED_WHY])
{
    struct request request = { .what = CALL,
                               .problem = problem_without_secrets(p),
                               .counted = facts != NULL };
    struct reply reply;

    send_request(o, p, &request, host);
    receive_reply(o, p, &reply);
    if (reply.status == STATUS_OK)
        receive_outputs(o, p, device);
    snprintf(why, ISOLATED_WHY, "%.*s", ISOLATED_WHY - 1, reply.why);
    if (facts) {
        *facts = reply.facts;
        facts->kernel[sizeof facts->kernel - 1] = '\0';
    }
    return reply.status == STATUS_OK || reply.status == STATUS_SKIPPED ? reply.status
                                                                       : STATUS_WRONG;
}

// --- measurements, on the side that checks

// Waits for a reply. Ends this program if it reports an error.
static void must_reply(struct isolated *o, const struct problem *p)
{
    struct reply reply;

    receive_reply(o, p, &reply);
    reply.why[ISOLATED_WHY - 1] = '\0';
    if (reply.status != STATUS_OK)
        die(STATUS_ERROR, "stopped at %s: %s", problem_text(p), reply.why);
}

void isolated_prepare(struct isolated *o, const struct problem *p, void *const host[], int sets)
{
    struct request r = { .what = PREPARE, .problem = problem_without_secrets(p), .sets = sets };

    send_request(o, p, &r, host);
    must_reply(o, p);
}

double isolated_round(struct isolated *o, const struct problem *p, const uint64_t *shift, int sets,
                      int calls)
{
    struct request r = {
        .what = ROUND, .problem = problem_without_secrets(p), .sets = sets, .calls = calls
    };
    double start;

    send_request(o, p, &r, NULL);
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
    struct request r = {
        .what = PROBE, .problem = problem_without_secrets(p), .sets = sets, .place = place
    };

    send_request(o, p, &r, NULL);
    must_reply(o, p);
    if (!receive_all(o, bytes, sets * sizeof *bytes))
        report_end(o, p, -1);
}

void isolated_return(struct isolated *o, const struct problem *p, int set, void *const device[])
{
    struct request r = { .what = RETURN, .problem = problem_without_secrets(p), .set = set };

    send_request(o, p, &r, NULL);
    must_reply(o, p);
    receive_outputs(o, p, device);
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

// The result of the system call that a signal handler interrupted.
static void set_result(void *context, long result)
{
#if defined(__x86_64__)
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RAX] = result;
#else
    ((ucontext_t *)context)->uc_mcontext.regs[0] = (unsigned long)result;
#endif
}

// On a GPU: the submission's object is being loaded, and has not been opened.
static volatile sig_atomic_t loading;

// The kernel refused a system call (confine.h). On a GPU, the first attempt to open a file is that
// of the loader, and gets the object, which is open already.
static void forbidden(int signal, siginfo_t *info, void *context)
{
    char number[16];

    (void)signal;
    if (info->si_syscall == SYS_openat && !on_cpu_device) {
        set_result(context, loading ? CONFINED_OBJECT : -EACCES);
        loading = 0;
        return;
    }
    snprintf(number, sizeof number, "%d", info->si_syscall);
    tell(FORBIDDEN, number, strlen(number));
    _exit(STATUS_ERROR);
}

// On a GPU: confines this process, which has a CUDA context, and loads the submission's object.
static const char *load(struct contender *stage, const struct week *week, int is_free)
{
    const char *wrong = is_free ? NULL : confine(CONFINE_GPU);
    void *object, *entry;

    if (wrong)
        return wrong;
    loading = !is_free;
    object = dlopen(is_free ? text_of("/proc/self/fd/%d", CONFINED_OBJECT) : "/submission",
                    RTLD_NOW | RTLD_LOCAL);
    loading = 0;
    entry = object ? dlsym(object, week->entry) : NULL;
    stage->fn = (stage_fn *)(uintptr_t)entry;
    return entry ? NULL : dlerror();
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

static int return_outputs(const struct arrays *a, int set)
{
    void *device[MAX_BUFFERS];
    int going = 1;

    arrays_set(a, set, device);
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

static int read_inputs(struct arrays *a)
{
    int going = 1;

    for (int i = 0; going && i < a->n; i++)
        if (a->buffer[i].role == IN)
            going = read_all(a->host[i], buffer_bytes(&a->buffer[i]));
    return going;
}

// The same arrays for both calls of a check, so that the second one finds what the first one left.
static int serve_call(struct contender *stage, const struct request *r, struct arrays **a)
{
    struct reply reply = { .status = STATUS_OK };

    if (!*a || !arrays_serve(*a, &stage->problem)) {
        if (*a)
            arrays_free(*a);
        *a = arrays_new(&stage->problem, 1);
    }
    if (!read_inputs(*a))
        return 0;
    answer(stage, *a, r->counted, &reply);
    return tell(REPLY, &reply, sizeof reply) &&
           (reply.status != STATUS_OK || return_outputs(*a, 0));
}

static int reply_status(enum status status, const char *why)
{
    struct reply reply = { .status = status, .facts = facts_unknown };

    snprintf(reply.why, sizeof reply.why, "%s", why);
    return tell(REPLY, &reply, sizeof reply);
}

// One set more than is called: the last one keeps the inputs that arrived.
static int serve_prepare(struct contender *stage, const struct request *r, struct arrays **a)
{
    if (*a)
        arrays_free(*a);
    *a = arrays_new(&stage->problem, r->sets + 1);
    if (!read_inputs(*a))
        return 0;
    arrays_upload(*a);
    arrays_spread(*a);
    return reply_status(STATUS_OK, "");
}

static int serve_round(struct contender *stage, const struct request *r, struct arrays *a)
{
    uint64_t *shift = must_malloc(r->sets * sizeof *shift);
    void *device[MAX_BUFFERS];
    enum status status;
    char go;

    if (!a || !read_all(shift, r->sets * sizeof *shift))
        return 0;
    for (int i = 0; i < r->sets; i++) {
        arrays_shift(a, i, a->sets - 1, shift[i]);
        arrays_poison(a, i);
    }
    free(shift);
    backend_settle();
    if (!reply_status(STATUS_OK, "") || !read_all(&go, 1))
        return 0;
    call_begin();
    for (int i = 0; i < r->calls; i++) {
        arrays_set(a, i % r->sets, device);
        stage->problem.week->run(stage->fn, &stage->problem, device);
    }
    status = call_end();
    backend_settle();
    return reply_status(status, call_why());
}

static int serve_probe(const struct request *r, const struct arrays *a)
{
    unsigned char(*bytes)[PROBE_BYTES] = must_malloc(r->sets * sizeof *bytes);
    int going;

    for (int i = 0; a && i < r->sets; i++)
        arrays_probe(a, i, r->place, bytes[i], sizeof *bytes);
    going = a && reply_status(STATUS_OK, "") && write_all(bytes, r->sets * sizeof *bytes);
    free(bytes);
    return going;
}

static int serve_return(const struct arrays *a, int set)
{
    const char *trespass = a ? guard_bands(a, set) : NULL;

    return a && reply_status(trespass ? STATUS_WRONG : STATUS_OK, trespass ? trespass : "") &&
           (trespass || return_outputs(a, set));
}

// Before the constructors of the submission run.
static void close_socket_to_others(int argc, char **argv)
{
    if (argc == 2 && on_cpu_device && strcmp(argv[1], "--serve") == 0)
        confine_descriptor(ISOLATED_SOCKET, socket_call_returns);
}
__attribute__((section(".preinit_array"),
               used)) static void (*const early)(int, char **) = close_socket_to_others;

enum status isolated_serve(struct contender *stage, int is_free)
{
    const struct week *week = stage->problem.week;
    struct sigaction action = { .sa_sigaction = forbidden, .sa_flags = SA_SIGINFO | SA_NODEFER };
    struct arrays *call = NULL, *timed = NULL;
    const char *wrong;
    struct request r;

    sigaction(SIGSYS, &action, NULL);
    backend_ask(ask);
    backend_on_diagnosis(diagnosed, NULL);
    wrong = on_cpu_device ? NULL : load(stage, week, is_free);
    if (wrong)
        return tell(UNSTARTED, wrong, strlen(wrong)), STATUS_USAGE;
    while (read_all(&r, sizeof r)) {
        r.problem.week = week;
        contender_set(stage, &r.problem);
        if (!(r.what == CALL      ? serve_call(stage, &r, &call)
              : r.what == PREPARE ? serve_prepare(stage, &r, &timed)
              : r.what == ROUND   ? serve_round(stage, &r, timed)
              : r.what == PROBE   ? serve_probe(&r, timed)
                                  : serve_return(timed, r.set)))
            break;
    }
    return STATUS_OK;
}
