#define _GNU_SOURCE   // program_invocation_short_name
#include "isolated.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

#include "buffers.h"
#include "call.h"
#include "check.h"
#include "problem.h"
#include "program.h"
#include "wall.h"

// Limits of the other process. The CPU device reserves much more address space than it uses.
enum { MEMORY_MB = 8 << 10, LOG_BYTES = 1 << 20 };

struct request {
    struct problem problem;   // its pointers are for the sender only
    int counted;
};
// The inputs follow a request, the outputs a reply with STATUS_OK.
struct reply {
    enum status status;
    char why[ISOLATED_WHY];
    struct facts facts;
};

// Both return 0 if the other side has closed the socket.
static int send_all(int socket, const void *data, size_t bytes)
{
    for (const char *at = data; bytes > 0;) {
        ssize_t n = send(socket, at, bytes, MSG_NOSIGNAL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        at += n;
        bytes -= n;
    }
    return 1;
}

static int receive_all(int socket, void *data, size_t bytes)
{
    for (char *at = data; bytes > 0;) {
        ssize_t n = recv(socket, at, bytes, MSG_WAITALL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        at += n;
        bytes -= n;
    }
    return 1;
}

// --- the side that checks

static void limit(int resource, rlim_t value)
{
    setrlimit(resource, &(struct rlimit){ value, value });
}

static void become(const char *program, int socket, int seconds)
{
    const char *log = text_of("%s.log", program), *number = text_of("%d", socket);
    int null = open("/dev/null", O_RDONLY),
        out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);

    if (out < 0)
        die(STATUS_USAGE, "%s: %s", log, strerror(errno));
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, LOG_BYTES);
    limit(RLIMIT_AS, (rlim_t)MEMORY_MB << 20);
    limit(RLIMIT_CPU, seconds);
    alarm(WALL_PER_CPU * seconds);   // survives execl()
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execl(program, program, "--serve", number, (char *)NULL);
    _exit(127);
}

struct isolated *isolated_start(const char *program, int seconds)
{
    struct isolated *o = must_malloc(sizeof *o);
    int ends[2];

    if (access(program, X_OK) < 0)
        die(STATUS_USAGE, "--isolated '%s': %s", program, strerror(errno));
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
        die(STATUS_ERROR, "--isolated '%s': %s", program, strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    *o = (struct isolated){ .pid = fork(), .socket = ends[0], .seconds = seconds };
    if (o->pid < 0)
        die(STATUS_ERROR, "--isolated '%s': %s", program, strerror(errno));
    if (o->pid == 0)
        become(program, ends[1], seconds);
    close(ends[1]);
    return o;
}

// Ends this program after the other process has ended, or has broken the protocol.
static _Noreturn void report_end(struct isolated *o, const struct problem *p)
{
    const char *at = text_of("stopped at %s", problem_text(p));
    int status = 0;

    close(o->socket);
    while (waitpid(o->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_WRONG)
        die(STATUS_WRONG, "%s: diagnosis of the CPU device, or exit status 1", at);
    if (WIFEXITED(status))
        die(STATUS_ERROR, "%s: it ended with exit status %d before its result", at,
            WEXITSTATUS(status));
    switch (WTERMSIG(status)) {
    case SIGXCPU:
    case SIGKILL: die(STATUS_ERROR, "%s: more than %d s of CPU time", at, o->seconds);
    case SIGALRM: die(STATUS_ERROR, "%s: no result after %d s", at, WALL_PER_CPU * o->seconds);
    case SIGXFSZ: die(STATUS_ERROR, "%s: it printed more than %d bytes", at, LOG_BYTES);
    default: die(STATUS_ERROR, "%s: %s", at, strsignal(WTERMSIG(status)));
    }
}

enum status isolated_call(struct isolated *o, const struct problem *p, void *const host[],
                          void *const device[], struct facts *facts, char why[ISOLATED_WHY])
{
    struct request request = { *p, facts != NULL };
    struct buffer b[MAX_BUFFERS];
    struct reply reply;
    int n = p->week->buffers(p, b), going = send_all(o->socket, &request, sizeof request);

    for (int i = 0; going && i < n; i++)
        if (b[i].role == IN)
            going = send_all(o->socket, host[i], buffer_bytes(&b[i]));
    if (!going || !receive_all(o->socket, &reply, sizeof reply))
        report_end(o, p);
    for (int i = 0; reply.status == STATUS_OK && i < n; i++) {
        size_t bytes = b[i].role == OUT ? buffer_bytes(&b[i]) : 0;
        void *got = must_malloc(bytes);

        if (!receive_all(o->socket, got, bytes))
            report_end(o, p);
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
    kill(o->pid, SIGKILL);
    while (waitpid(o->pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

// --- the side that is checked

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

static int return_outputs(int socket, const struct arrays *a)
{
    void *device[MAX_BUFFERS];
    int going = 1;

    arrays_set(a, 0, device);
    for (int i = 0; going && i < a->n; i++) {
        size_t bytes = a->buffer[i].role == OUT ? buffer_bytes(&a->buffer[i]) : 0;
        void *got = must_malloc(bytes);

        if (bytes)
            arrays_download(got, device[i], bytes);
        going = send_all(socket, got, bytes);
        free(got);
    }
    return going;
}

enum status isolated_serve(int socket, struct contender *stage)
{
    const struct week *week = stage->problem.week;
    struct arrays *a = NULL;
    struct request r;

    while (receive_all(socket, &r, sizeof r)) {
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
                going = receive_all(socket, a->host[i], buffer_bytes(&a->buffer[i]));
        if (!going)
            break;
        answer(stage, a, r.counted, &reply);
        if (!send_all(socket, &reply, sizeof reply) ||
            (reply.status == STATUS_OK && !return_outputs(socket, a)))
            break;
    }
    return STATUS_OK;
}
