// calculator: occupancy calculator: warps per SM, and the resource that limits them; needs no GPU
//
// The slides use NVIDIA's spreadsheet for a kernel with 256 threads per block, 25 registers per
// thread and 2048 bytes of shared memory per block, on compute capability 1.1: one block per SM, 8
// of 24 warps, 33 %. This program computes the same for 1.1 and 1.3 with the formulas of NVIDIA's
// guide, and for newer GPUs with cuda_occupancy.h of the CUDA Toolkit. The registers and shared
// memory of the stages come from GPU runs: this machine's if there are any, else the recorded ones.
//
// make calculator && ./calculator        make occupancy, for the charts
// ./calculator --capability 8.6 --block 256 --regs 40 --shared 2048
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>
#endif

#include "../common/base/arguments.h"
#include "../common/base/folders.h"
#include "../common/base/program.h"
#include "../common/table/select.h"
#include "../common/table/table.h"

enum { WARP = 32, MOST = 128 };

// Limits per SM and per block: threads, 32-bit registers and bytes of shared memory.
struct capability {
    const char *name;
    int threads_sm, threads_block, regs_sm;
    int shared_sm, shared_block, shared_optin;   // per block: by default, and by opt-in
    int shared_reserved;                         // per block, by the driver
    // 1.x: blocks per SM, and the allocation units of registers and shared memory; else 0
    int blocks_sm, regs_unit, shared_unit;
};

// 1.x: CUDA C Programming Guide 4.2, section 4.2 and table F-2; the slides' picture of the
// spreadsheet shows the same limits and units for 1.1. Others: CUDA C++ Programming Guide,
// "Technical Specifications per Compute Capability"; cuda_occupancy.h has the rest.
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
    const char *stage, *name;    // "stage3", "shared_tile"
    int threads, regs, shared;   // per block, per thread, bytes per block
    int driver;                  // blocks per SM that the driver reports, or -1
    double bytes;                // moved by the problem at the size of its row
};
static const struct kernel example = { "", "the slides' example", 256, 25, 2048, -1, 0 };

// Blocks per SM by each resource, and their minimum.
struct blocks {
    int by_warps, by_regs, by_shared, by_limit, all;
};

__attribute__((noreturn)) static void skip(const char *why, const char *capability)
{
    printf("SKIP: compute capability %s: %s\n", capability, why);
    exit(finish(STATUS_SKIPPED));
}

// --- the calculation

static int round_up(int n, int unit) { return (n + unit - 1) / unit * unit; }
static int warps_per_block(const struct kernel *k) { return round_up(k->threads, WARP) / WARP; }
static int least(int a, int b) { return a < b ? a : b; }

// Registers are allocated per block, for an even number of warps.
static struct blocks by_guide(const struct capability *c, const struct kernel *k)
{
    int warps = warps_per_block(k),
        regs = round_up(round_up(warps, 2) * WARP * k->regs, c->regs_unit),
        shared = round_up(k->shared, c->shared_unit);
    struct blocks b = { .by_warps =
                            k->threads <= c->threads_block ? c->threads_sm / WARP / warps : 0,
                        .by_limit = c->blocks_sm };

    b.by_regs = regs ? c->regs_sm / regs : INT_MAX;
    b.by_shared = shared ? c->shared_sm / shared : INT_MAX;
    b.all = least(least(b.by_warps, b.by_limit), least(b.by_regs, b.by_shared));
    return b;
}

#if __has_include(<cuda_occupancy.h>)
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
        skip("unknown to this toolkit's cuda_occupancy.h", c->name);
    return (struct blocks){ r.blockLimitWarps, r.blockLimitRegs, r.blockLimitSharedMem,
                            r.blockLimitBlocks, r.activeBlocksPerMultiprocessor };
}
#else
static struct blocks by_header(const struct capability *c, const struct kernel *k)
{
    (void)k;
    skip("needs cuda_occupancy.h of the CUDA Toolkit, which was missing at build time", c->name);
}
#endif

static struct blocks blocks_of(const struct capability *c, const struct kernel *k)
{
    return c->blocks_sm ? by_guide(c, k) : by_header(c, k);
}
static int active_warps(const struct capability *c, const struct kernel *k)
{
    return blocks_of(c, k).all * warps_per_block(k);
}

// The resources that limit the number of blocks.
static const char *limit_of(const struct capability *c, const struct kernel *k)
{
    struct blocks b = blocks_of(c, k);
    const char *limit = "";

    limit = b.by_warps == b.all ? with_word(limit, "warps") : limit;
    limit = b.by_regs == b.all ? with_word(limit, "registers") : limit;
    limit = b.by_shared == b.all ? with_word(limit, "shared") : limit;
    return b.by_limit == b.all ? with_word(limit, "blocks") : limit;
}

// --- the stages, from result tables

static struct kernel stages[MOST];   // by number; those that are missing have no threads
static struct table rows;

// Takes the row of a stage with the largest problem (the last of equal ones), because a stage may
// have a different kernel for small problems.
static void take_row(const struct row *row)
{
    double bytes = row->bytes[0] ? row_number(row, COLUMN_bytes) : 0;
    int x, y = 1, z = 1, n = stage_number(row->stage);

    if (n < 0 || n >= MOST || !row_is_ok(row) || row->knobs[0] || row->variant[0] ||
        !row->regs[0] || sscanf(row->block, "%dx%dx%d", &x, &y, &z) < 1 || bytes < stages[n].bytes)
        return;
    stages[n] = (struct kernel){
        .stage = row->stage,
        .name = row->name,
        .threads = x * y * z,
        .regs = atoi(row->regs),
        .shared = atoi(row->shared_bytes),
        .driver = row->blocks_per_sm[0] ? atoi(row->blocks_per_sm) : -1,
        .bytes = bytes,
    };
}

// Reads this machine's GPU results if there are any, else the recorded run. Returns the compute
// capability of this machine's, or NULL.
static const char *find_rows(void)
{
    char week[PATH_MAX], path[PATH_MAX];
    int here = 0;

    if (week_folder(week) < 0)
        die(STATUS_USAGE, "/proc/self/exe: %s", strerror(errno));
    if (newest_results(path, week) == 0)
        results_read(&rows, path);
    here = rows.n > 0;
    if (!here) {
        const char *weeks = text_of("%s/..", week);

        recorded_path(path, weeks, default_recorded(weeks, "04_convolution"), "04_convolution",
                      "ladder");
        table_read(&rows, path);
    }
    for (size_t r = 0; r < rows.n; r++)
        take_row(&rows.row[r]);
    return here && rows.row[0].capability[0] ? rows.row[0].capability : NULL;
}

// --- output

static void print_head(const struct capability *c)
{
    printf("Compute capability %s: %d threads in %d warps, %d registers, %d bytes of shared memory "
           "per SM%s\n\n",
           c->name, c->threads_sm, c->threads_sm / WARP, c->regs_sm, c->shared_sm,
           c->blocks_sm ? "" : "; by cuda_occupancy.h");
    printf("%-24s%9s%11s%9s%37s%8s\n", "", "threads", "registers", "bytes", "blocks per SM, by",
           "result");
    printf("%-24s%9s%11s%9s%9s%10s%9s%9s%8s%7s%11s   %s\n", "", "per block", "per thread", "shared",
           "warps", "registers", "shared", "limit", "blocks", "warps", "occupancy", "limited by");
}

static const char *blocks_text(int blocks)
{
    return blocks == INT_MAX ? "-" : text_of("%d", blocks);
}

static void print_kernel(const struct capability *c, const struct kernel *k)
{
    struct blocks b = blocks_of(c, k);

    printf("%-24.23s%9d%11d%9d%9s%10s%9s%9d%8d%7d%9.0f %%   %s",
           text_of("%s%s%s", k->stage, k->stage[0] ? " " : "", k->name), k->threads, k->regs,
           k->shared, blocks_text(b.by_warps), blocks_text(b.by_regs), blocks_text(b.by_shared),
           b.by_limit, b.all, active_warps(c, k), 100.0 * active_warps(c, k) * WARP / c->threads_sm,
           limit_of(c, k));
    if (k->driver >= 0 && k->driver != b.all)
        printf("; the driver reports %d blocks", k->driver);
    printf("\n");
}

static struct appender charts;

static void put_row(const struct capability *c, const struct kernel *k, const char *chart)
{
    struct row row = row_empty();

    row.week = "04_convolution";
    row.stage = k->stage[0] ? k->stage : "slides";
    row.name = k->name;
    row.device = c->blocks_sm ? "" : rows.n ? rows.row[rows.n - 1].device : "";
    row.mode = "occupancy";
    row.status = status_word(STATUS_OK);
    row.capability = c->name;
    row.chart = chart;
    row_set(&row, threads, "%d", k->threads);
    row_set(&row, regs, "%d", k->regs);
    row_set(&row, shared_bytes, "%d", k->shared);
    row_set(&row, blocks, "%d", blocks_of(c, k).all);
    row_set(&row, warps, "%d", active_warps(c, k));
    row_set(&row, most_warps, "%d", c->threads_sm / WARP);
    row.limit = limit_of(c, k);
    appender_put(&charts, &row, 1);
}

// The spreadsheet's three charts: the kernel's occupancy as one of its numbers varies, in steps at
// which the occupancy can change.
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

static void put_table(const char *path, const struct capability *then, const struct capability *c,
                      const char *command)
{
    const struct kernel *fewest = NULL;   // warps

    for (const struct kernel *k = stages; k < stages + MOST; k++)
        if (k->threads && active_warps(c, k) < (fewest ? active_warps(c, fewest) : INT_MAX))
            fewest = k;
    appender_open(&charts, path, rows.note, rows.n_notes, command);
    put_curves(then, &example);
    put_row(then, &example, "point");
    if (fewest)
        put_curves(c, fewest);
    for (const struct kernel *k = stages; k < stages + MOST; k++)
        if (k->threads)
            put_row(c, k, "point");
}

// --- the program

static const struct capability *capability_of(const char *name)
{
    const char *known = "";

    for (int i = 0; i < CAPABILITIES; i++) {
        if (strcmp(capabilities[i].name, name) == 0)
            return &capabilities[i];
        known = with_word(known, capabilities[i].name);
    }
    die(STATUS_USAGE, "--capability '%s': unknown; expected %s", name, known);
}

static void print_stages(const struct capability *c)
{
    int n = 0;

    for (const struct kernel *k = stages; k < stages + MOST; k++) {
        if (!k->threads)
            continue;
        if (n++ == 0) {
            printf("\n");
            print_head(c);
        }
        print_kernel(c, k);
    }
    if (n == 0)
        printf("\nNo stages: there are neither recorded runs nor results of a GPU (make run).\n");
}

int main(int argc, char **argv)
{
    const struct capability *then = capability_of("1.1"), *c = capability_of("9.0");
    const char *capability = NULL, *block = NULL, *regs = NULL, *shared = NULL, *tsv = NULL,
               *measured_on;
    const struct argument known[] = {
        { "--capability", "CC compute capability; default: that of the measured GPU, or 9.0",
          &capability, 0 },
        { "--block", "N a kernel with N threads per block, instead of the stages", &block, 0 },
        { "--regs", "N its registers per thread", &regs, 0 },
        { "--shared", "N its bytes of shared memory per block; default 0", &shared, 0 },
        { ARGUMENT_TSV, &tsv, 0 },
    };

    take_arguments(argc, argv, "occupancy of the slides' example and of the stages", known, 5);
    if (capability)
        c = capability_of(capability);
    if (block && regs && !tsv) {
        struct kernel own = { "", "this kernel", .driver = -1 };

        own.threads = argument_number("--block", block, 1, 1024);
        own.regs = argument_number("--regs", regs, 0, 256);
        own.shared = argument_number("--shared", shared ? shared : "0", 0, 1 << 20);
        print_head(c);
        print_kernel(c, &own);
        return finish(STATUS_OK);
    }
    if (block || regs || shared)
        die(STATUS_USAGE, "--block and --regs go together, and not with --tsv; see --help");
    measured_on = find_rows();
    if (measured_on && !capability)
        c = capability_of(measured_on);
    if (tsv)
        put_table(tsv, then, c, command_text(argc, argv));
    print_head(then);
    print_kernel(then, &example);
    print_stages(c);
    return finish(STATUS_OK);
}
