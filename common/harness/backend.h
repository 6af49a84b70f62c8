// What one call of a stage does, beyond its result: the launches that it makes and, on the CPU
// device, the memory requests that it issues. backend_gpu.c and backend_cpu.c implement this. What
// the harness calls of interface.h does nothing on a GPU (backend_gpu.c).
#ifndef BACKEND_H
#define BACKEND_H

#include "../emu/interface.h"
#include "device.h"
#include "stats.h"
#include "week.h"

struct facts;   // facts.h

// Calls `stage` once on these device arrays and fills in what it did. On a GPU the call is captured
// into a graph and not executed; on the CPU device it runs. Returns 0, or -1 with all fields
// unknown.
int backend_inspect(stage_fn *stage, const struct problem *, void *const device[], struct facts *);

// Microseconds per call when `calls` calls, call i on set[i], are replayed as one CUDA graph: the
// time without the host's launch overhead. Of several replays; the median is negative if the calls
// cannot be captured, and always on the CPU device.
struct stats backend_replay(stage_fn *stage, const struct problem *, void *(*set)[MAX_BUFFERS],
                            int calls);

// The current SM clock of a GPU, and its power: a mean over about a second. If the driver does not
// report them, `clock` is NULL and the values are negative.
struct backend_clock;
struct backend_clock *backend_clock_open(int device);
double backend_clock_mhz(const struct backend_clock *);
double backend_watts(const struct backend_clock *);

// CPU device only: prints a table of the last call's requests by source line. Relative file names
// are relative to `folder`. If the table has more than `most` rows, prints only how to see it.
void backend_print_lines(const char *folder, int most);
// Prints the products of warpgroups since the last inspection began, by shape and type.
void backend_print_products(void);

// CPU device only: line `line` of a source file, without the blanks around it, at most `most`
// characters long; "" if it cannot be read. A relative name is relative to `folder`, in which the
// compiler ran. Kept until the program ends.
const char *backend_source_line(const char *folder, const char *name, int line, size_t most);

// CPU device only: a diagnosis calls `handler` before it ends the program. `first` is the first
// finding, "file.cu:12: what is wrong".
typedef void diagnosis_handler(void *context, const char *first);
void backend_on_diagnosis(diagnosis_handler *, void *context);

// CPU device only: sets the number of SMs and the counting rules to those of this problem.
void backend_set(const struct problem *);

// Calls a stage. On the CPU device, the runtime and the harness cannot be changed meanwhile if the
// program is linked for grading.
void backend_call(stage_fn *, const struct problem *, void *const device[]);

// Waits for everything that runs on the device, in all streams. On a GPU, also gives back the part
// of the L2 cache that a stage may have reserved.
void backend_settle(void);

// --- a stage in another process, for grading (common/grade). These functions are in the programs
// that grade, and NULL in all others.

#define ONLY_FOR_GRADING __attribute__((weak))
struct contender;
struct measurement;

// Starts a submission's program or, on a GPU, this program with a shared object. It ends with this
// process at the latest, and has limits of CPU time, wall time, memory, and the size of files; with
// free: without confinement. What it prints goes to PROGRAM.log. Ends this program with
// STATUS_USAGE if it cannot be started or confined.
struct isolated *isolated_start(const char *program, int seconds, int free,
                                int is_reference) ONLY_FOR_GRADING;

// The next check or measurement by the same process begins, with the same limits of time.
void isolated_step(struct isolated *) ONLY_FOR_GRADING;

// Calls the stage of the other process: sends the inputs host[], and stores the outputs in
// device[]. With `facts`, the call is counted. Returns its status, with the reason in *why if it
// is not STATUS_OK. Ends this program if the other process ends: with STATUS_WRONG after a
// diagnosis, otherwise with STATUS_ERROR.
enum status isolated_call(struct isolated *, const struct problem *, void *const host[],
                          void *const device[], struct facts *facts,
                          const char **why) ONLY_FOR_GRADING;

// Fills in the timing of the stage and of each reference, on a GPU. The stage was checked. Each
// round gives every set of arrays other inputs, times one call per set on this process's clock, and
// compares the outputs of a set that is chosen afterwards; so a stage that skips a call is wrong.
void isolated_time(struct measurement *) ONLY_FOR_GRADING;

// Ends the other process.
void isolated_end(struct isolated *) ONLY_FOR_GRADING;

// The other side: serves requests until they end. Sets the problem of the stage before each call.
// is_free: without confinement.
enum status isolated_serve(struct contender *stage, int is_free) ONLY_FOR_GRADING;

// main() of the program that checks: its command line is that of a stage, several times, with
// --then between. All are about one --isolated process.
int isolated_main(int argc, char *argv[]) ONLY_FOR_GRADING;

#endif
