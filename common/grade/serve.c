// The process of a submission: serves the requests of isolated.c.
#define _GNU_SOURCE   // ucontext
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "buffers.h"
#include "call.h"
#include "check.h"
#include "confine.h"
#include "protocol.h"
#include "problem.h"
#include "program.h"
#include "shift.h"

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

static int write_fully(const void *data, size_t bytes)
{
    return move_all(SYS_write, (void *)data, bytes);
}

int tell(int kind, int number, const char *text)
{
    struct message m = { .kind = kind, .number = number };

    snprintf(m.text, sizeof m.text, "%s", text);
    return write_fully(&m, sizeof m);
}

static int reply_with(const struct reply *reply)
{
    return tell(REPLY, 0, "") && write_fully(reply, sizeof *reply);
}

static int read_all(void *data, size_t bytes) { return move_all(SYS_read, data, bytes); }

// A question of the CPU device, from any of its threads.
static char *ask_the_grader(const struct emu_question *question)
{
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    char *text = NULL;
    uint32_t bytes;

    pthread_mutex_lock(&one);
    if (tell(QUESTION, 0, "") && write_fully(question, sizeof *question) &&
        read_all(&bytes, sizeof bytes)) {
        text = must_malloc(bytes + 1);
        text[read_all(text, bytes) ? bytes : 0] = '\0';
    }
    pthread_mutex_unlock(&one);
    return text;
}

static void tell_diagnosis(void *context, const char *first)
{
    (void)context;
    tell(DIAGNOSED, 0, first);
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
    (void)signal;
    if (info->si_syscall == SYS_openat && !on_cpu_device) {
        set_result(context, loading ? CONFINED_OBJECT : -EACCES);
        loading = 0;
        return;
    }
    tell(FORBIDDEN, info->si_syscall, "");
    _exit(STATUS_ERROR);
}

// On a GPU: confines this process, which has a CUDA context, and loads the submission's object.
static const char *load_stage(struct contender *stage, const struct week *week, int is_free)
{
    const char *wrong = is_free ? NULL : confine(CONFINE_GPU);
    void *object, *entry;

    if (!wrong && !is_free)
        wrong = confine_descriptor(ISOLATED_SOCKET, socket_call_returns);
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

static void send_answer(const struct contender *stage, struct arrays *a, int counted,
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
        going = write_fully(got, bytes);
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
    send_answer(stage, *a, r->counted, &reply);
    return reply_with(&reply) && (reply.status != STATUS_OK || return_outputs(*a, 0));
}

static int reply_status(enum status status, const char *why)
{
    struct reply reply = { .status = status, .facts = facts_unknown };

    snprintf(reply.why, sizeof reply.why, "%s", why);
    return reply_with(&reply);
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
    going = a && reply_status(STATUS_OK, "") && write_fully(bytes, r->sets * sizeof *bytes);
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
    emu_ask(ask_the_grader);
    backend_on_diagnosis(tell_diagnosis, NULL);
    wrong = on_cpu_device ? NULL : load_stage(stage, week, is_free);
    if (wrong)
        return tell(UNSTARTED, 0, wrong), STATUS_USAGE;
    while (read_all(&r, sizeof r)) {
        r.problem.week = week;
        contender_set(stage, &r.problem);
        r.computes[sizeof r.computes - 1] = '\0';
        stage->problem.computes = r.computes;
        if (!(r.what == CALL      ? serve_call(stage, &r, &call)
              : r.what == PREPARE ? serve_prepare(stage, &r, &timed)
              : r.what == ROUND   ? serve_round(stage, &r, timed)
              : r.what == PROBE   ? serve_probe(&r, timed)
                                  : serve_return(timed, r.set)))
            break;
    }
    return STATUS_OK;
}
