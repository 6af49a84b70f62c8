// calculator: the occupancy calculator. How many warps an SM holds of a kernel, and which of its
// resources says so; no GPU needed.
//
// The slides fill in NVIDIA's spreadsheet for a kernel of 256 threads, 25 registers and 2048 bytes
// of shared memory on their GPU of compute capability 1.1: one block an SM, 8 of 24 warps, 33 %.
// Here the same for 1.1 and 1.3, by the formulas of NVIDIA's guide, and for the GPUs of today by
// NVIDIA's own cuda_occupancy.h, which comes with the CUDA Toolkit. The stages' registers and
// shared memory are those of the rows that a GPU has left: this machine's with make occupancy, else
// the recorded run's.
//
// make calculator && ./calculator;
// ./calculator --capability 8.6 --block 256 --regs 40 --shared 2048; make occupancy, for the charts
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>
#define HAS_HEADER 1
#else
#define HAS_HEADER 0
#endif

#include "../common/table/cells.h"

enum { RIGHT = 0, USAGE = 2, SKIP = 77, WARP = 32, MOST = 128 };

// What an SM and a block may have. In bytes and 32-bit registers.
struct capability {
    const char *name;
    int threads_sm, threads_block, regs_sm;
    int shared_sm, shared_block, shared_optin;   // of a block: without asking for more, and with
    int shared_reserved;                         // of each block, by the driver
    // 1.x: blocks an SM, and in which units registers and shared memory are given out; else 0
    int blocks_sm, regs_unit, shared_unit;
};

// 1.x: CUDA C Programming Guide 4.2, section 4.2 and table F-2; its limits and units for 1.1 are in
// the slides' picture of the spreadsheet too. Others: CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability"; what is not here is in the header.
static const struct capability capabilities[] = {
    { "1.1", 768, 512, 8192, 16384, 16384, 16384, 0, 8, 256, 512 },
    { "1.3", 1024, 512, 16384, 16384, 16384, 16384, 0, 8, 512, 512 },
    { "5.0", 2048, 1024, 65536, 65536, 49152, 49152, 0, 0, 0, 0 },
    { "5.2", 2048, 1024, 65536, 98304, 49152, 49152, 0, 0, 0, 0 },
    { "6.0", 2048, 1024, 65536, 65536, 49152, 49152, 0, 0, 0, 0 },
    { "6.1", 2048, 1024, 65536, 98304, 49152, 49152, 0, 0, 0, 0 },
    { "7.0", 2048, 1024, 65536, 98304, 49152, 98304, 0, 0, 0, 0 },
    { "7.5", 1024, 1024, 65536, 65536, 49152, 65536, 0, 0, 0, 0 },
    { "8.0", 2048, 1024, 65536, 167936, 49152, 166912, 1024, 0, 0, 0 },
    { "8.6", 1536, 1024, 65536, 102400, 49152, 101376, 1024, 0, 0, 0 },
    { "8.9", 1536, 1024, 65536, 102400, 49152, 101376, 1024, 0, 0, 0 },
    { "9.0", 2048, 1024, 65536, 233472, 49152, 232448, 1024, 0, 0, 0 },
    { "10.0", 2048, 1024, 65536, 233472, 49152, 232448, 1024, 0, 0, 0 },
    { "12.0", 1536, 1024, 65536, 102400, 49152, 101376, 1024, 0, 0, 0 },
};
enum { CAPABILITIES = sizeof capabilities / sizeof *capabilities };

struct kernel {
    char stage[16], name[64];    // "stage7", "coalesced"
    int threads, regs, shared;   // a block, a thread, bytes a block
    int driver;                  // blocks an SM as the driver tells them, or -1
    double bytes;                // that the problem moves, at the size of its row
};
static const struct kernel example = { "", "the slides' example", 256, 25, 2048, -1, 0 };

// Blocks an SM by each resource, and so in all.
struct blocks {
    int by_warps, by_regs, by_shared, by_limit, all;
};

__attribute__((noreturn, format(printf, 1, 2))) static void die(const char *format, ...)
{
    va_list arguments;

    fflush(stdout);
    fprintf(stderr, "calculator: ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(USAGE);
}

__attribute__((noreturn)) static void skip(const char *why, const char *capability)
{
    printf("SKIP: compute capability %s: %s\n", capability, why);
    exit(SKIP);
}

// --- the calculation

static int round_up(int n, int unit) { return (n + unit - 1) / unit * unit; }
static int warps_of(const struct kernel *k) { return round_up(k->threads, WARP) / WARP; }
static int least(int a, int b) { return a < b ? a : b; }

// Registers are given out to blocks, for an even number of warps.
static struct blocks by_guide(const struct capability *c, const struct kernel *k)
{
    int warps = warps_of(k), regs = round_up(round_up(warps, 2) * WARP * k->regs, c->regs_unit),
        shared = round_up(k->shared, c->shared_unit);
    struct blocks b = { .by_warps =
                            k->threads <= c->threads_block ? c->threads_sm / WARP / warps : 0,
                        .by_limit = c->blocks_sm };

    b.by_regs = regs ? c->regs_sm / regs : INT_MAX;
    b.by_shared = shared ? c->shared_sm / shared : INT_MAX;
    b.all = least(least(b.by_warps, b.by_limit), least(b.by_regs, b.by_shared));
    return b;
}

#if HAS_HEADER
static struct blocks by_header(const struct capability *c, const struct kernel *k)
{
    int major = atoi(c->name), minor = atoi(strchr(c->name, '.') + 1);
    const cudaOccDeviceProp device = {
        .computeMajor = major,
        .computeMinor = minor,
        .maxThreadsPerBlock = c->threads_block,
        .maxThreadsPerMultiprocessor = c->threads_sm,
        .regsPerBlock = c->regs_sm,
        .regsPerMultiprocessor = c->regs_sm,
        .warpSize = WARP,
        .sharedMemPerBlock = c->shared_block,
        .sharedMemPerMultiprocessor = c->shared_sm,
        .numSms = 1,
        .sharedMemPerBlockOptin = c->shared_optin,
        .reservedSharedMemPerBlock = c->shared_reserved,
    };
    const cudaOccFuncAttributes function = {
        .maxThreadsPerBlock = INT_MAX,
        .numRegs = k->regs,
        .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
        .maxDynamicSharedSizeBytes = k->shared,
        .numBlockBarriers = 1,
    };
    const cudaOccDeviceState state = { .carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT };
    cudaOccResult r;

    if (cudaOccMaxActiveBlocksPerMultiprocessor(&r, &device, &function, &state, k->threads,
                                                k->shared) != CUDA_OCC_SUCCESS)
        skip("this toolkit's cuda_occupancy.h does not know it", c->name);
    return (struct blocks){ r.blockLimitWarps, r.blockLimitRegs, r.blockLimitSharedMem,
                            r.blockLimitBlocks, r.activeBlocksPerMultiprocessor };
}
#else
static struct blocks by_header(const struct capability *c, const struct kernel *k)
{
    (void)k;
    skip("that takes cuda_occupancy.h, of the CUDA Toolkit, and there was none to build with",
         c->name);
}
#endif

static struct blocks blocks_of(const struct capability *c, const struct kernel *k)
{
    return c->blocks_sm ? by_guide(c, k) : by_header(c, k);
}
static int active_warps(const struct capability *c, const struct kernel *k)
{
    return blocks_of(c, k).all * warps_of(k);
}

// What keeps more blocks out.
static const char *limit_of(const struct capability *c, const struct kernel *k)
{
    static char text[64];
    struct blocks b = blocks_of(c, k);

    snprintf(text, sizeof text, "%s%s%s%s", b.by_warps == b.all ? " warps" : "",
             b.by_regs == b.all ? " registers" : "", b.by_shared == b.all ? " shared" : "",
             b.by_limit == b.all ? " blocks" : "");
    return text + 1;
}

// --- the stages, from tables of rows

static struct kernel stages[MOST];
static int n_stages;
// of the last table: what its first lines say of device, CUDA, driver and date
static char device[256], notes[1024];

// Of a stage's rows the one of the largest problem counts, and of equal ones the last: a stage may
// have another kernel for small ones.
static void take_row(char **head, char **row, int n)
{
    const char *key = field(head, row, n, "stage"), *block = field(head, row, n, "block");
    int x, y = 1, z = 1, s = 0;

    if (strncmp(key, "stage", 5) != 0 || strcmp(field(head, row, n, "status"), "ok") != 0 ||
        field(head, row, n, "knobs")[0] || field(head, row, n, "variant")[0] ||
        !field(head, row, n, "regs")[0] || sscanf(block, "%dx%dx%d", &x, &y, &z) < 1)
        return;
    while (s < n_stages && strcmp(stages[s].stage, key) != 0)
        s++;
    if (s == MOST)
        return;
    double bytes = atof(field(head, row, n, "bytes"));
    if (s < n_stages && bytes < stages[s].bytes)
        return;
    n_stages += s == n_stages;
    stages[s].bytes = bytes;
    snprintf(stages[s].stage, sizeof stages[s].stage, "%s", key);
    snprintf(stages[s].name, sizeof stages[s].name, "%s", field(head, row, n, "name"));
    stages[s].threads = x * y * z;
    stages[s].regs = atoi(field(head, row, n, "regs"));
    stages[s].shared = atoi(field(head, row, n, "shared_bytes"));
    stages[s].driver =
        field(head, row, n, "blocks_per_sm")[0] ? atoi(field(head, row, n, "blocks_per_sm")) : -1;
    snprintf(device, sizeof device, "%s", field(head, row, n, "device"));
}

// The first of each kind; commands are another program's.
static void take_note(const char *line)
{
    char kind[32];

    snprintf(kind, sizeof kind, "%.*s:", (int)strcspn(line, ":"), line);
    if (strcmp(kind, "# command:") != 0 && !strstr(notes, kind) &&
        strlen(notes) + strlen(line) < sizeof notes)
        strcat(notes, line);
}

static void take_table(const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL, *header = NULL, *head[FIELDS] = { NULL }, *row[FIELDS];
    size_t room = 0, header_room = 0;
    int n_head = 0;

    if (!file)
        die("%s: %s", path, strerror(errno));
    notes[0] = '\0';
    while (getline(&line, &room, file) >= 0) {
        if (line[0] == '#') {
            take_note(line);
            continue;
        }
        if (!n_head) {
            char *swap = header;

            header = line, line = swap;
            room = header_room, header_room = 0;
            n_head = split(header, head);
        } else {
            int n = split(line, row);

            take_row(head, row, n < n_head ? n : n_head);
        }
    }
    fclose(file);
    free(line);
    free(header);
}

static int by_number(const void *a, const void *b)
{
    return atoi(((const struct kernel *)a)->stage + 5) -
           atoi(((const struct kernel *)b)->stage + 5);
}

// The recorded run, where it is: make puts this program into build/<device> of the week's folder.
static void take_recorded(void)
{
    char path[PATH_MAX + 64];
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

    if (n < 0)
        return;
    path[n] = '\0';
    for (int up = 0; up < 3 && strrchr(path, '/'); up++)
        *strrchr(path, '/') = '\0';
    strcat(path, "/../plots/data/h200/04_convolution.ladder.tsv");
    if (access(path, R_OK) == 0)
        take_table(path);
}

// --- output

static void print_head(const struct capability *c)
{
    printf("Compute capability %s: %d threads in %d warps, %d registers, %d bytes of shared memory "
           "an SM%s\n\n",
           c->name, c->threads_sm, c->threads_sm / WARP, c->regs_sm, c->shared_sm,
           c->blocks_sm ? "" : "; by cuda_occupancy.h");
    printf("%-24s%9s%11s%9s%37s%8s\n", "", "threads", "registers", "bytes", "blocks on an SM, by",
           "so");
    printf("%-24s%9s%11s%9s%9s%10s%9s%9s%8s%7s%11s   %s\n", "", "a block", "a thread", "shared",
           "warps", "registers", "shared", "limit", "blocks", "warps", "occupancy", "limited by");
}

static void print_blocks(int width, int blocks)
{
    if (blocks == INT_MAX)
        printf("%*s", width, "-");
    else
        printf("%*d", width, blocks);
}

static void print_kernel(const struct capability *c, const struct kernel *k)
{
    struct blocks b = blocks_of(c, k);
    char label[sizeof k->stage + sizeof k->name + 1];

    snprintf(label, sizeof label, "%s%s%s", k->stage, k->stage[0] ? " " : "", k->name);
    printf("%-24.23s%9d%11d%9d", label, k->threads, k->regs, k->shared);
    print_blocks(9, b.by_warps);
    print_blocks(10, b.by_regs);
    print_blocks(9, b.by_shared);
    print_blocks(9, b.by_limit);
    printf("%8d%7d%9.0f %%   %s", b.all, active_warps(c, k),
           100.0 * active_warps(c, k) * WARP / c->threads_sm, limit_of(c, k));
    if (k->driver >= 0 && k->driver != b.all)
        printf("; the driver says %d blocks", k->driver);
    printf("\n");
}

static void put_row(const struct capability *c, const struct kernel *k, const char *chart)
{
    printf("04_convolution\t%s\t%s\t%s\toccupancy\tok\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n",
           k->stage[0] ? k->stage : "slides", k->name, c->blocks_sm ? "" : device, c->name, chart,
           k->threads, k->regs, k->shared, blocks_of(c, k).all, active_warps(c, k),
           c->threads_sm / WARP, limit_of(c, k));
}

// The spreadsheet's three charts: what becomes of this kernel as one of its numbers varies, in
// steps in which anything can change.
static void put_curves(const struct capability *c, const struct kernel *k)
{
    int most_regs = c->blocks_sm ? 48 : 256, step = c->blocks_sm ? 512 : 2048;
    struct kernel varied = *k;

    for (varied.threads = 1; varied.threads <= c->threads_block;
         varied.threads = varied.threads / WARP * WARP + WARP)
        put_row(c, &varied, "threads");
    varied = *k;
    for (varied.regs = c->blocks_sm ? 1 : 8; varied.regs < most_regs;
         varied.regs += c->blocks_sm ? 1 : 8)
        put_row(c, &varied, "regs");
    varied = *k;
    for (varied.shared = 0; varied.shared <= c->shared_optin; varied.shared += step)
        put_row(c, &varied, "shared");
}

static void put_table(const struct capability *then, const struct capability *c, const char *curves)
{
    const struct kernel *drawn = NULL;

    for (const struct kernel *k = stages; k < stages + n_stages; k++)
        if (curves ? strcmp(curves, k->stage) == 0
                   : !drawn || active_warps(c, k) < active_warps(c, drawn))
            drawn = k;
    if (curves && !drawn)
        die("--curves '%s': no such stage in the tables", curves);
    printf("%s# command: ./calculator --tsv --capability %s\n"
           "week\tstage\tname\tdevice\tmode\tstatus\tcapability\tchart\tthreads\tregs\tshared_"
           "bytes\tblocks\twarps\tmost_warps\tlimit\n",
           notes, c->name);
    put_curves(then, &example);
    put_row(then, &example, "point");
    if (drawn)
        put_curves(c, drawn);
    for (const struct kernel *k = stages; k < stages + n_stages; k++)
        put_row(c, k, "point");
}

// --- the program

static const char help[] =
    "usage: calculator [options] [TABLE...]   the slides' example, and the stages of these tables "
    "of rows, or of the recorded run\n"
    "      --capability CC   of the SM that holds the stages; default 9.0\n"
    "      --block N         calculate for a kernel of N threads a block instead,\n"
    "      --regs N          with N registers a thread\n"
    "      --shared N        and N bytes of shared memory a block; default 0\n"
    "      --tsv             rows for plots/occupancy.gp: a point for each kernel, and the curves "
    "of one stage,\n"
    "      --curves STAGE    of this one; without it, of the one with the fewest warps\n"
    "  -h, --help            this text\n"
    "\n"
    "Exit status: 0 right; 2 bad usage or file; 77 there was no cuda_occupancy.h to build with, or "
    "it does not know the capability.\n";

static const struct capability *capability_of(const char *name)
{
    char known[CAPABILITIES * 8] = "";

    for (int i = 0; i < CAPABILITIES; i++) {
        if (strcmp(capabilities[i].name, name) == 0)
            return &capabilities[i];
        strcat(strcat(known, " "), capabilities[i].name);
    }
    die("--capability '%s': not known; accepted are%s", name, known);
}

static int number(const char *option, const char *text, int least_of_all, int most)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end || value < least_of_all || value > most)
        die("%s '%s': accepted is a whole number from %d to %d", option, text, least_of_all, most);
    return (int)value;
}

int main(int argc, char **argv)
{
    const struct capability *then = capability_of("1.1"), *c = capability_of("9.0");
    struct kernel own = { "", "this kernel", 0, 0, 0, -1, 0 };
    const char *curves = NULL;
    bool tsv = false, tables = false, regs = false;

    for (int i = 1; i < argc; i++) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;

        if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) {
            fputs(help, stdout);
            return RIGHT;
        }
        if (strcmp(option, "--tsv") == 0) {
            tsv = true;
            continue;
        }
        if (option[0] != '-') {
            take_table(option);
            tables = true;
            continue;
        }
        if (strcmp(option, "--capability") && strcmp(option, "--block") &&
            strcmp(option, "--regs") && strcmp(option, "--shared") && strcmp(option, "--curves"))
            die("%s: unknown option; see --help for those that are accepted", option);
        if (!value)
            die("%s: needs a value; see --help", option);
        i++;
        if (strcmp(option, "--capability") == 0)
            c = capability_of(value);
        else if (strcmp(option, "--block") == 0)
            own.threads = number(option, value, 1, 1024);
        else if (strcmp(option, "--regs") == 0)
            own.regs = number(option, value, 0, 256), regs = true;
        else if (strcmp(option, "--shared") == 0)
            own.shared = number(option, value, 0, 1 << 20);
        else
            curves = value;
    }
    if (own.threads || regs || own.shared) {
        if (!own.threads || !regs || tables || tsv)
            die("--block and --regs go together, and with no table and no --tsv; see --help");
        print_head(c);
        print_kernel(c, &own);
        return RIGHT;
    }
    if (!tables)
        take_recorded();
    qsort(stages, n_stages, sizeof *stages, by_number);
    if (tsv) {
        put_table(then, c, curves);
        return RIGHT;
    }
    print_head(then);
    print_kernel(then, &example);
    if (n_stages) {
        printf("\n");
        print_head(c);
        for (int s = 0; s < n_stages; s++)
            print_kernel(c, &stages[s]);
    } else {
        printf("\nNo stages: there is no recorded run, and no table with a GPU's rows was given "
               "(make occupancy).\n");
    }
    return RIGHT;
}
