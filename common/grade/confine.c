#define _GNU_SOURCE   // syscall, the flags of clone()
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

// --- system calls

// Numbers that the headers of Debian 12 and Ubuntu 22.04 lack. They are the same on all machines.
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

// What only an attack does. It ends the process, and its name is in the reason; any other call
// fails with "permission denied", because an ordinary program may go on after that.
struct hostile {
    int number;
    const char *name;
};
#define HOSTILE(call)     \
    {                     \
        SYS_##call, #call \
    }
static const struct hostile hostile[] = {
    HOSTILE(execve),
    HOSTILE(execveat),
    { SYS_clone, "fork" },
#ifdef SYS_fork
    HOSTILE(fork),
    HOSTILE(vfork),
#endif
    HOSTILE(kill),
    HOSTILE(tkill),
    HOSTILE(tgkill),
    HOSTILE(rt_sigqueueinfo),
    HOSTILE(rt_tgsigqueueinfo),
    HOSTILE(pidfd_open),
    HOSTILE(pidfd_send_signal),
    HOSTILE(pidfd_getfd),
    HOSTILE(ptrace),
    HOSTILE(process_vm_readv),
    HOSTILE(process_vm_writev),
    HOSTILE(socket),
    HOSTILE(socketpair),
    HOSTILE(connect),
    HOSTILE(bind),
    HOSTILE(io_uring_setup),
    HOSTILE(memfd_create),
    HOSTILE(shmget),
    HOSTILE(shmat),
    HOSTILE(unlinkat),
    HOSTILE(renameat2),
    HOSTILE(linkat),
    HOSTILE(symlinkat),
    HOSTILE(mkdirat),
    HOSTILE(mknodat),
    HOSTILE(fchmodat),
    HOSTILE(fchownat),
    HOSTILE(truncate),
#ifdef SYS_unlink
    HOSTILE(unlink),
    HOSTILE(rename),
    HOSTILE(link),
    HOSTILE(symlink),
    HOSTILE(mkdir),
    HOSTILE(rmdir),
    HOSTILE(mknod),
    HOSTILE(chmod),
    HOSTILE(chown),
    HOSTILE(creat),
#endif
    HOSTILE(setsid),
    HOSTILE(setpgid),
    HOSTILE(unshare),
    HOSTILE(setns),
    HOSTILE(mount),
    HOSTILE(bpf),
    HOSTILE(userfaultfd),
    HOSTILE(perf_event_open),
    HOSTILE(keyctl),
};

const char *confined_call_name(int number)
{
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++)
        if (hostile[i].number == number)
            return hostile[i].name;
    return number == SYS_mmap || number == SYS_mprotect ? "mprotect (executable memory)"
         : number == SYS_openat                         ? "openat (for writing)"
         : number == SYS_read || number == SYS_write    ? "read or write (of the grader's socket)"
                                                        : NULL;
}

// --- the filter: a program for the kernel's classic BPF machine

enum { MOST_STEPS = 512 };

struct filter {
    struct sock_filter step[MOST_STEPS];
    unsigned short n;
};

static void emit(struct filter *f, unsigned short code, uint32_t k, unsigned char yes,
                 unsigned char no)
{
    if (f->n < MOST_STEPS)
        f->step[f->n] = (struct sock_filter){ code, yes, no, k };
    f->n++;
}

static void end_with(struct filter *f, uint32_t action) { emit(f, BPF_RET | BPF_K, action, 0, 0); }

#define PERMIT SECCOMP_RET_ALLOW
#define REFUSE(error) (SECCOMP_RET_ERRNO | (error))

static void load_number(struct filter *f)
{
    emit(f, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
}

// An argument has 64 bits, the machine 32. x86-64 and aarch64 store the lower half first.
static void load_argument(struct filter *f, int i, int upper)
{
    emit(f, BPF_LD | BPF_W | BPF_ABS,
         (uint32_t)offsetof(struct seccomp_data, args) + 8 * i + (upper ? 4 : 0), 0, 0);
}

static void rule(struct filter *f, int number, uint32_t action)
{
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
    end_with(f, action);
}

// The same action for calls with any arguments; -1 ends the list.
static void rules(struct filter *f, uint32_t action, const int *number)
{
    for (; *number >= 0; number++)
        rule(f, *number, action);
}
#define RULES(f, action, ...) rules(f, action, (const int[]){ __VA_ARGS__, -1 })

// A rule about one argument: the lower half of argument i, masked, must have this value. Otherwise
// the action is `other`.
static void rule_if(struct filter *f, int number, int i, uint32_t mask, uint32_t value,
                    uint32_t other)
{
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, number, 0, 5);
    load_argument(f, i, 0);
    emit(f, BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    end_with(f, PERMIT);
    end_with(f, other);
}

// mmap() of the object that the process was given may make it executable, nothing else may.
static void rule_map(struct filter *f, enum confinement what)
{
    if (what == CONFINE_GPU) {
        emit(f, BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 4);
        load_argument(f, 4, 0);
        emit(f, BPF_JMP | BPF_JEQ | BPF_K, CONFINED_OBJECT, 0, 1);
        end_with(f, PERMIT);
        load_number(f);
    }
    rule_if(f, SYS_mmap, 2, PROT_EXEC, 0, SECCOMP_RET_TRAP);
    rule_if(f, SYS_mprotect, 2, PROT_EXEC, 0, SECCOMP_RET_TRAP);
}

// prlimit64(0, resource, NULL, ...) reads a limit; with another third argument it sets one.
static void rule_limits(struct filter *f)
{
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 8);
    load_argument(f, 0, 0);
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 5);
    load_argument(f, 2, 0);
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
    load_argument(f, 2, 1);
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
    end_with(f, PERMIT);
    end_with(f, REFUSE(EPERM));
}

// Calls of another architecture have other numbers.
static void begin(struct filter *f)
{
#if defined(__x86_64__)
    uint32_t machine = AUDIT_ARCH_X86_64;
#else
    uint32_t machine = AUDIT_ARCH_AARCH64;
#endif

    f->n = 0;
    emit(f, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0);
    end_with(f, SECCOMP_RET_KILL_PROCESS);
    load_number(f);
#if defined(__x86_64__)
    emit(f, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);   // the x32 calls
    end_with(f, SECCOMP_RET_KILL_PROCESS);
#endif
}

// What a program needs that computes, with any arguments.
static void plain_rules(struct filter *f)
{
    RULES(f, PERMIT, SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_close, SYS_fstat, SYS_lseek,
          SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_futex, SYS_futex_waitv,
          SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
          SYS_set_robust_list, SYS_rseq, SYS_gettid, SYS_getpid, SYS_exit, SYS_exit_group,
          SYS_restart_syscall, SYS_sched_yield, SYS_getcpu, SYS_sched_getaffinity, SYS_nanosleep,
          SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_getrandom,
          SYS_getrusage, SYS_set_tid_address, SYS_uname, SYS_sysinfo, SYS_membarrier, SYS_ppoll,
          SYS_getrlimit);
#ifdef SYS_pause
    RULES(f, PERMIT, SYS_pause, SYS_time);
#endif
}

// In addition, what the CUDA driver needs after its context exists.
static void driver_rules(struct filter *f)
{
    RULES(f, PERMIT, SYS_ioctl, SYS_eventfd2, SYS_fcntl, SYS_sched_setaffinity, SYS_sched_getparam,
          SYS_sched_getscheduler, SYS_mlock, SYS_munlock, SYS_mincore, SYS_get_mempolicy, SYS_mbind,
          SYS_geteuid, SYS_getuid, SYS_getegid, SYS_getgid, SYS_getppid, SYS_pread64, SYS_dup,
          SYS_epoll_pwait, SYS_timerfd_settime, SYS_sched_setscheduler);
#ifdef SYS_poll
    RULES(f, PERMIT, SYS_poll, SYS_epoll_wait);
#endif
}

static void program_rules(struct filter *f, enum confinement what)
{
    plain_rules(f);
    if (what == CONFINE_GPU)
        driver_rules(f);
    rule_map(f, what);
    rule_limits(f);
    // threads of this process; clone3(), whose arguments a filter cannot see, does not exist, and
    // the C library then calls clone()
    rule_if(f, SYS_clone, 0, CLONE_THREAD, CLONE_THREAD, SECCOMP_RET_TRAP);
    rule(f, SYS_clone3, REFUSE(ENOSYS));
    // more filters, which can only refuse more
    rule_if(f, SYS_prctl, 0, UINT32_MAX, PR_SET_NO_NEW_PRIVS, REFUSE(EPERM));
    rule_if(f, SYS_seccomp, 1, UINT32_MAX, 0, REFUSE(EPERM));
    // abort() and raise()
    rule_if(f, SYS_tgkill, 0, UINT32_MAX, (uint32_t)getpid(), SECCOMP_RET_TRAP);
#if defined(__x86_64__)
    enum { SET_FS = 0x1002 };
    rule_if(f, SYS_arch_prctl, 0, UINT32_MAX, SET_FS, REFUSE(EINVAL));
#endif
    if (what == CONFINE_PROGRAM) {
        rule(f, SYS_execve, SECCOMP_RET_TRACE);
        // reading fails as for a file that may not be read; the attempt to write ends the process
        rule_if(f, SYS_openat, 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY, SECCOMP_RET_TRAP);
    } else
        rule(f, SYS_openat, SECCOMP_RET_TRAP);
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++)
        rule(f, hostile[i].number, SECCOMP_RET_TRAP);
    end_with(f, REFUSE(EACCES));
}

// A compiler's processes have all calls but those that reach other machines and processes.
static void compiler_rules(struct filter *f)
{
    RULES(f, REFUSE(EPERM), SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_ptrace,
          SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_getfd, SYS_pidfd_send_signal,
          SYS_io_uring_setup, SYS_userfaultfd, SYS_perf_event_open, SYS_bpf, SYS_keyctl,
          SYS_add_key, SYS_request_key, SYS_mount, SYS_unshare, SYS_setns, SYS_setsid, SYS_setpgid);
    end_with(f, PERMIT);
}

static const char *install(struct filter *f, unsigned flags)
{
    struct sock_fprog program = { .len = f->n, .filter = f->step };

    if (f->n > MOST_STEPS)
        return "the filter is too long";
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return text_of("no_new_privs: %s", strerror(errno));
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) < 0)
        return text_of("seccomp: %s", strerror(errno));
    return NULL;
}

const char *confine(enum confinement what)
{
    struct filter f;

    begin(&f);
    if (what == CONFINE_COMPILER)
        compiler_rules(&f);
    else
        program_rules(&f, what);
    // the CUDA driver has threads already
    return install(&f, what == CONFINE_GPU ? SECCOMP_FILTER_FLAG_TSYNC : 0);
}

const char *confine_descriptor(int descriptor, const void *instruction)
{
    static const int calls[] = { SYS_read, SYS_write, SYS_readv, SYS_writev };
    const uint32_t at = (uint32_t)offsetof(struct seccomp_data, instruction_pointer);
    const uint64_t pc = (uintptr_t)instruction;
    enum { CALLS = sizeof calls / sizeof *calls };
    struct filter f;

    begin(&f);
    for (int i = 0; i < CALLS; i++)
        emit(&f, BPF_JMP | BPF_JEQ | BPF_K, calls[i], CALLS - 1 - i, i == CALLS - 1);
    emit(&f, BPF_JMP | BPF_JA, 1, 0, 0);
    end_with(&f, PERMIT);
    load_argument(&f, 0, 0);
    emit(&f, BPF_JMP | BPF_JEQ | BPF_K, descriptor, 1, 0);
    end_with(&f, PERMIT);
    emit(&f, BPF_LD | BPF_W | BPF_ABS, at, 0, 0);
    emit(&f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)pc, 0, 3);
    emit(&f, BPF_LD | BPF_W | BPF_ABS, at + 4, 0, 0);
    emit(&f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(pc >> 32), 0, 1);
    end_with(&f, PERMIT);
    end_with(&f, SECCOMP_RET_TRAP);
    return install(&f, 0);
}

// --- one execve()

// The filter hands execve() to the tracer, which is this process's parent. It continues the first
// one and then leaves. Without a tracer, execve() does not exist for the kernel.
const char *confine_execute(const char *program, char *const argv[], char *const envp[])
{
    const char *wrong;

    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
        return text_of("ptrace: %s", strerror(errno));
    raise(SIGSTOP);   // confine_watch() sets its options
    wrong = confine(CONFINE_PROGRAM);
    if (wrong)
        return wrong;
    execve(program, argv, envp);
    return text_of("%s: %s", program, strerror(errno));
}

int confine_watch(int pid, int *status)
{
    const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEEXEC;
    int set = 0;

    for (;;) {
        int signal = 0;

        if (waitpid(pid, status, 0) < 0) {
            if (errno == EINTR)
                continue;
            return -1;
        }
        if (!WIFSTOPPED(*status))
            return -1;
        if (*status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
            return ptrace(PTRACE_DETACH, pid, NULL, NULL) < 0 ? -1 : 0;
        if (*status >> 8 != (SIGTRAP | PTRACE_EVENT_SECCOMP << 8)) {
            signal = set ? WSTOPSIG(*status) : 0;   // the first is that of raise(SIGSTOP)
            if (!set && ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)options) < 0)
                return -1;
            set = 1;
        }
        ptrace(PTRACE_CONT, pid, NULL, (void *)(uintptr_t)signal);
    }
}

const char *confine_trial(void)
{
    static char why[256];
    char *words[] = { (char *)"true", NULL }, *none[] = { NULL };
    int ends[2], status, pid;
    ssize_t n;

    if (pipe2(ends, O_CLOEXEC) < 0 || (pid = fork()) < 0)
        return strerror(errno);
    if (pid == 0) {
        const char *wrong;

        // it cannot open its libraries, and prints that
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        wrong = confine_execute("/bin/true", words, none);

        (void)!write(ends[1], wrong, strlen(wrong));
        _exit(1);
    }
    close(ends[1]);
    if (confine_watch(pid, &status) == 0) {
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        close(ends[0]);
        return NULL;
    }
    n = read(ends[0], why, sizeof why - 1);
    close(ends[0]);
    return n > 0 ? why : "its process ended";
}

// --- files: Landlock, whose rights have grown with its version

// linux/landlock.h of Debian 12 and Ubuntu 22.04 lacks the newer members.
struct ruleset {
    uint64_t fs, net, scoped;
};
struct __attribute__((packed)) beneath {
    uint64_t access;
    int32_t folder;
};
enum { LANDLOCK_VERSION = 1, LANDLOCK_BENEATH = 1 };

#define FILE_RIGHTS ((1ull << 0) | (1ull << 1) | (1ull << 2))   // execute, write, read
#define READ_RIGHTS ((1ull << 0) | (1ull << 2) | (1ull << 3))   // execute, read, list

static const char *permit(int rules, const char *path, uint64_t rights)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    struct beneath b = { rights, fd };
    struct stat is;
    long result;

    if (fd < 0)
        return errno == ENOENT ? NULL : text_of("%s: %s", path, strerror(errno));
    if (fstat(fd, &is) == 0 && !S_ISDIR(is.st_mode))
        b.access &= FILE_RIGHTS;
    result = syscall(SYS_landlock_add_rule, rules, LANDLOCK_BENEATH, &b, 0);
    close(fd);
    return result < 0 ? text_of("landlock: %s: %s", path, strerror(errno)) : NULL;
}

const char *confine_files(const char *const readable[], const char *folder, int *has)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_VERSION);
    // version 1 has 13 rights, 2 REFER, 3 TRUNCATE, 5 IOCTL_DEV; 4 TCP, 6 signals and sockets
    int rights = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    struct ruleset set = { (1ull << rights) - 1, version >= 4 ? 3 : 0, version >= 6 ? 3 : 0 };
    size_t bytes = version >= 6 ? sizeof set : version >= 4 ? 16 : 8;
    const char *wrong = NULL;
    int rules;

    *has = version >= 1;
    if (!*has)
        return NULL;
    rules = (int)syscall(SYS_landlock_create_ruleset, &set, bytes, 0);
    if (rules < 0)
        return text_of("landlock: %s", strerror(errno));
    for (; !wrong && *readable; readable++)
        wrong = permit(rules, *readable, READ_RIGHTS);
    if (!wrong)
        wrong = permit(rules, folder, set.fs);
    if (!wrong)
        wrong = permit(rules, "/dev/null", set.fs);
    if (!wrong && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
                   syscall(SYS_landlock_restrict_self, rules, 0) < 0))
        wrong = text_of("landlock: %s", strerror(errno));
    close(rules);
    return wrong;
}
