// The CPU device's own interface, in addition to the CUDA runtime API, except for the counts
// (emu.h): selects the counting rules, reads launches, lines and recordings, and registers a
// handler for diagnoses.
#ifndef EMU_INTERFACE_H
#define EMU_INTERFACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum emu_kind {
    EMU_LD,
    EMU_ST,
    EMU_ATOMIC,
    EMU_SHARED_LD,
    EMU_SHARED_ST,
    EMU_SHARED_ATOMIC,
    EMU_TEX,
    // Bulk and tensor copies from and to global memory, and prefetches: a request per copy.
    EMU_BULK_LD,
    EMU_BULK_ST,
    // Products of warpgroups (wgmma): units are clocks of an SM's tensor cores, bytes those that
    // the operands in shared memory take.
    EMU_PRODUCT,
    // Accesses to shared memory of other blocks of the cluster: units are sectors.
    EMU_CLUSTER_LD,
    EMU_CLUSTER_ST,
    EMU_CLUSTER_ATOMIC,
    EMU_MULTICAST   // bytes: those that multicast copies save
};

// The requests of one kind that one source line issued.
struct emu_line {
    const char *file;
    int line;
    enum emu_kind kind;
    uint64_t requests;
    // Sectors; wavefronts for shared memory; 0 for textures over arrays, whose layout is not known.
    uint64_t units;
    uint64_t ideal;   // the minimum number of units for the same bytes
    uint64_t bytes;   // bytes moved by the units
    uint64_t lanes;   // active lanes, summed over the requests
};

// Products of warpgroups (wgmma) of one shape, m64nNkK.
struct emu_product {
    unsigned n, k;
    const char *type;   // of the operands: "bf16", "f16", "tf32", "s8", "u8"
    uint64_t requests;
    uint64_t clocks;   // of an SM's tensor cores at the full rate: computed, not measured
    uint64_t bytes;    // that the operands in shared memory take
};

struct emu_place {
    size_t at, bytes, align;
};

struct emu_launch {
    const char *kernel;   // as written in the source
    unsigned grid[3], block[3];
    size_t static_shared, dynamic_shared;   // bytes per block; static: 0 after a dry run
    unsigned cluster[3];                    // blocks; 0: only an execution of the kernel shows them
    int follows;                            // programmatic dependent launch
    int in_graph;
    // Not 0: no launch, but a cudaMemset or a copy within the device, whose name `kernel` is, of so
    // many bytes. Only those who keep arguments see them.
    size_t moved;
    // With emu_keep_arguments(): the mangled name of the kernel's function, NULL if it is not
    // known; and the arguments, converted to the types of its parameters.
    const char *symbol;
    const unsigned char *arguments;
    const struct emu_place *place;   // of each argument
    int n_arguments;
    // Of a launch that was executed: the different 32-byte sectors of global memory that it has
    // read, and those that it has written. Atomics do both.
    uint64_t read_sectors, written_sectors;
};

// Selects the compute capability by whose rules requests are counted from the next launch on: "1.0"
// to "9.0". The default is "9.0". Returns NULL, or for an unknown name the known ones, separated by
// blanks; the rules then stay as they are.
const char *emu_rules(const char *capability);

// The unit in which these rules count global memory: "sectors" of 32 bytes (3.0 and later) or
// "transactions" (1.x: 32 to 128 bytes; 2.x: 128 bytes).
const char *emu_unit(void);

// Sets the number of SMs that the device reports. 0: the default, 2. It does not affect the number
// of worker threads.
void emu_sms(int number);
// Sets the size of the L2 cache that the device reports; 0, the default: it has none.
void emu_l2(size_t bytes);

// A block that waits for one of lower index, which may not have started, is a fault, and not only
// noted.
void emu_order_matters(int is_error);

// When asynchronous operations of Hopper take effect: as late as the rules allow (the default), or
// at once. Correct programs have the same results, except for sums of floats in global memory.
void emu_land_early(int early);
// Has a launch since emu_reset() used such operations?
int emu_is_asynchronous(void);
// Has a launch since emu_reset() been one that may start before the launch before it has ended?
int emu_is_dependent(void);

void emu_reset(void);

// Launches keep their arguments, from the next one on.
void emu_keep_arguments(int keep);
// Launches keep their arguments, and each calls `handler` after its execution, while device memory
// is as before it: unless the launch has changed more than an eighth of the machine's memory.
void emu_on_launch(void (*handler)(const struct emu_launch *));
// A dry run, from here on: launches keep their arguments and are not executed; allocations take no
// memory, and may have four times as much as the machine has (1 TiB if the program has none
// before); copies and memsets of more than 64 KiB do nothing.
void emu_dry_run(int dry);
// Has the program stored these bytes of device memory? Then the host can read them while the memory
// is open.
int emu_readable(const void *device, size_t bytes);
void emu_open_memory(int open);
// The bytes of a box of a tensor map, 0 if there is none at this address.
size_t emu_box_bytes(const void *tensor_map);

// They return the number of elements and point *out at an array that lives until the next launch or
// emu_reset().
int emu_lines(const struct emu_line **out);         // sorted by file, line, kind
int emu_launches(const struct emu_launch **out);    // in launch order
int emu_products(const struct emu_product **out);   // sorted by type and shape

// A step of a warp that is recorded. A copy is asynchronous, from global to shared memory.
enum emu_step {
    EMU_REQUEST,    // a memory request
    EMU_COPY,       // one of the requests of a copy that is issued
    EMU_COMMIT,     // closes a group of copies
    EMU_WAIT,       // waits until groups of copies are complete
    EMU_EXCHANGE,   // a shuffle, vote or reduction
    EMU_SYNCWARP,
    EMU_BARRIER,
    // Asynchronous operations of Hopper.
    EMU_BULK,            // a bulk copy is issued: a step for each of its two sides
    EMU_OPERAND_A,       // a product of a warpgroup is issued, in each of its four warps: an
    EMU_OPERAND_B,       // operand in shared memory
    EMU_DONE,            // a bulk copy has landed; of one from shared memory: its source is read
    EMU_PRODUCTS_DONE,   // the warp has waited for products
    EMU_INIT,            // of an mbarrier
    EMU_ARRIVE,          // at an mbarrier
    EMU_PHASE,           // a phase of an mbarrier ends
    EMU_BLOCKED,         // begins to wait for an mbarrier or for the barrier of the cluster
    EMU_RESUMED,         // has waited, or need not wait
};

// At most 16 bytes of a row of a box or of an operand.
struct emu_piece {
    unsigned row, first;   // of the box: the row, and the byte in it
    int is_outside;        // of the tensor: it is not read or written
    uint64_t address;      // as in struct emu_event
};

// The warp of a step that no warp of the block takes.
#define EMU_NO_WARP (~0u)

// One step of a warp.
struct emu_event {
    enum emu_step step;
    // Position in the order of execution on the CPU device, from 1. The requests of one copy have
    // the same position, and so have the warps that a barrier releases.
    uint64_t order;
    unsigned launch;   // since emu_reset(), from 1
    const char *kernel;
    unsigned grid[3], threads[3];   // of the launch: blocks, and threads per block
    unsigned block[3], warp;
    const char *file;
    int line;
    uintptr_t pc;     // where the program's code goes on
    uint32_t lanes;   // bit i: lane i takes part
    // EMU_COMMIT: number of the group, per thread, from 1. EMU_WAIT: groups that are complete.
    // EMU_COPY: the group that the copy belongs to. EMU_EXCHANGE: 1: an operation on matrices (mma,
    // ldmatrix). EMU_BULK, EMU_DONE: number of the copy.
    // EMU_OPERAND: number of the product in its warpgroup, from 1. EMU_PRODUCTS_DONE: products that
    // are complete. Others: the phase, from 0.
    uint64_t group;
    const char *object;   // the mbarrier, as "full[1]"; empty: none
    // Of a request.
    enum emu_kind kind;
    int is_shared;
    unsigned size;           // bytes per lane
    unsigned units, ideal;   // as in struct emu_line
    // per active lane: address in global memory, or byte in the block's shared memory
    uint64_t address[32];
    // Of the first rows of a box or an operand, if only one warp is recorded.
    const struct emu_piece *piece;
    unsigned pieces;
};

// What to record: a block, and in it one warp or, if `warp` is negative, all; or every block. Then
// accesses that are out of bounds are recorded, too, with 0 units. A launch has one worker, and
// cooperative launches are not recorded.
enum emu_block { EMU_MIDDLE_BLOCK, EMU_LINEAR_BLOCK, EMU_BLOCK, EMU_EVERY_BLOCK };
struct emu_watch {
    enum emu_block which;   // the one in the middle of the grid, or that in block[]
    unsigned block[3];      // EMU_LINEAR_BLOCK: [0] is the linear index, x fastest
    int warp;
    size_t most;   // events
};

// Records the following launches, until it is called again. NULL: none.
void emu_record(const struct emu_watch *);

// The events since emu_record(), in order of execution; *omitted: requests, exchanges and barriers
// beyond the first `most` events. Texture fetches that nvcc removes are not recorded. Returns the
// number of events. The array lives until the next launch or emu_record().
int emu_events(const struct emu_event **out, uint64_t *omitted);

// What a lane computes between two steps: the instructions of the host's code on the shortest path
// from one `pc` to another one, by kind. Loops in between count as often as the constant says with
// which their counter is compared; others once.
struct emu_work {
    int is_known;
    unsigned integers, addresses, sums, products, fp64, special;   // sums and products of floats
    unsigned branches;                                             // back to the start of a loop
};
struct emu_work emu_work_between(uintptr_t from, uintptr_t to);

// Marks a device array as uninitialized: a kernel that reads it before a store to it is diagnosed.
void emu_forget(const void *device, size_t bytes);

// Registers a function that is called once, after a diagnosis was printed to stderr and before it
// ends the program with status 1. `first` is the first finding, "file.cu:12: what is wrong". A
// harness can record its result there.
void emu_on_diagnosis(void (*handler)(const char *first));

// What the runtime asks about its program, its files and its debugging information.
enum emu_asks {
    EMU_ASKS_PLACES,      // the lines of addr2line -a -i for the addresses number[]
    EMU_ASKS_OBJECTS,     // a line "address bytes name" per object of the symbol table
    EMU_ASKS_FUNCTIONS,   // the same of its functions, with their mangled names
    // "1" if, in a struct of number[2] bytes, the number[4] bytes from number[3] on are padding, in
    // the code at number[0]; number[1] is an address of the runtime's own code; else ""
    EMU_ASKS_PADDING,
    EMU_ASKS_LINE,   // line number[0] of the file
    EMU_ASKS_KINDS
};
enum { EMU_MOST_NUMBERS = 1000, EMU_MOST_FILE = 1024 };
struct emu_question {
    uint32_t what, n;   // enum emu_asks; numbers
    uint64_t number[EMU_MOST_NUMBERS];
    char file[EMU_MOST_FILE];
};

// For a process that may neither open files nor start programs: this function asks, and returns a
// text from malloc(). The other process answers with emu_answer(), which accepts any bytes as a
// question: `program` is the executable of the process that asks, `source` the real path of the
// only file whose lines are shown (NULL: any). Each program that it starts calls confine() first.
// The answer is to be freed.
void emu_ask(char *(*ask)(const struct emu_question *));
char *emu_answer(const char *program, const char *source, const struct emu_question *,
                 void (*confine)(void));

// In a program that is linked for grading: a function that calls this one, host code of the
// program, and protects the caller's registers. In other programs: the function itself.
void *emu_guarded(void *function);

#ifdef __cplusplus
}
#endif

#endif
