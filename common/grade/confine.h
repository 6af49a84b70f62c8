// Confinement of a process by the kernel, for programs that others wrote. A process confines
// itself; it, its threads and what it executes cannot undo that. It needs Linux with seccomp
// filters (for compilers also Landlock, if the kernel has it), and no privileges, also in a
// container.
#ifndef CONFINE_H
#define CONFINE_H

enum confinement {
    // A program of the CPU device: it computes, starts threads of itself, and uses the memory and
    // the descriptors that it has. execve() works while confine_execute() traces the process.
    CONFINE_PROGRAM,
    // A process with a CUDA context, which the driver serves through ioctl() and which maps the
    // shared object that descriptor CONFINED_OBJECT has open. An attempt to open a file arrives at
    // the handler of SIGSYS.
    CONFINE_GPU,
    // A compiler: it starts programs and has files, as confine_files() allows, and no network.
    CONFINE_COMPILER
};
enum { CONFINED_OBJECT = 5 };

// Returns NULL, or why the kernel does not confine this process.
const char *confine(enum confinement);

// Lets this process and its children read what is in `readable` (and execute it), and change files
// only in `folder`. Each list ends with NULL; names that do not exist are skipped. Does nothing if
// the kernel has no Landlock: *has says whether it has. Returns NULL, or why it failed.
const char *confine_files(const char *const readable[], const char *folder, int *has);

// Confines this process, which has just been forked, to CONFINE_PROGRAM, and executes the program.
// Its parent calls confine_watch() at the same time. Returns why it failed, if it does.
const char *confine_execute(const char *program, char *const argv[], char *const envp[]);

// Lets the child execute its program, once. Returns 0, or -1 if the child ended before; its wait
// status is then in *status.
int confine_watch(int pid, int *status);

// From now on, only the system call that returns to `instruction` reads and writes this descriptor.
// Returns NULL, or why the kernel does not ensure that.
const char *confine_descriptor(int descriptor, const void *instruction);

// Tries to confine a process that does nothing. Returns NULL, or why that is not possible here.
const char *confine_trial(void);

// The name of a system call that ends a confined process, or NULL.
const char *confined_call_name(int number);

#endif
