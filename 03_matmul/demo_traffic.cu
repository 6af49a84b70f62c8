// demo_traffic: the model of memory traffic in the slides, and worksheet 13
//
// A block that computes BM x BN elements of C needs BM elements of A and BN of B per k: 4 (BM + BN)
// bytes per 2 BM BN flops. If each block loads them from memory, the rate is at most the bandwidth
// over the bytes per flop. The tiles are those in the sources of the stages. Beside the model are
// the measured rate and the bytes from L2 and memory (make roofline). Also: loads in flight per SM.
//
// make demo_traffic && ./demo_traffic; --bandwidth 300 for another memory; make worksheet
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <math.h>
#include "../common/table/folders.h"
#include "../common/table/table.h"
#include "../common/harness/demo.h"

enum { MOST = 64 };
static const double SLIDES_GBS = 150;   // the memory that the slides compute with

// --- the stages and their tiles

struct stage {
    char key[16], name[64];        // "stage3", "tiled32"
    int rows, cols;                // of the block tile of C; 0: unknown
    double rate;                   // GFLOP/s; NaN if not measured, as the next three
    double from_l2, from_memory;   // bytes
    double wavefronts;             // of shared memory, at most 128 bytes each
};

static struct stage stages[MOST];
static int n_stages;

// The value of `#define name` in a source, or 0.
static int defined(const char *source, const char *name)
{
    char line[64];
    const char *at;

    snprintf(line, sizeof line, "#define %s ", name);
    at = strstr(source, line);
    return at ? atoi(at + strlen(line)) : 0;
}

// The tile is BM x BN or TILE x TILE in the source. A kernel without shared memory loads the
// operands of each element separately.
static void find_tile(const char *source, struct stage *s)
{
    s->rows = defined(source, "BM") ? defined(source, "BM") : defined(source, "TILE");
    s->cols = defined(source, "BN") ? defined(source, "BN") : defined(source, "TILE");
    if (!strstr(source, "__shared__"))
        s->rows = s->cols = 1;
}

static char *source_of(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;

    if (!file || getdelim(&text, &room, '\0', file) < 0)
        die(STATUS_USAGE, "%s: %s", path, file ? "is empty" : strerror(errno));
    fclose(file);
    return text;
}

static int by_number(const void *a, const void *b)
{
    return atoi(((const struct stage *)a)->key + 5) - atoi(((const struct stage *)b)->key + 5);
}

static void find_stages(const char *week)
{
    char pattern[2 * PATH_MAX];
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/stage[0-9]*_*.cu", week);
    if (glob(pattern, 0, NULL, &found) != 0)
        die(STATUS_USAGE, "%s: there are no stages", week);
    for (size_t i = 0; i < found.gl_pathc && n_stages < MOST; i++) {
        struct stage *s = &stages[n_stages];
        char *source = source_of(found.gl_pathv[i]);

        *s = { "", "", 0, 0, NAN, NAN, NAN, NAN };
        if (sscanf(strrchr(found.gl_pathv[i], '/') + 1, "%15[^_]_%63[^.]", s->key, s->name) == 2) {
            find_tile(source, s);
            n_stages++;
        }
        free(source);
    }
    globfree(&found);
    qsort(stages, n_stages, sizeof *stages, by_number);
}

// --- what was measured

static double read_gbs = NAN;     // measured read bandwidth of memory
static double shared_gbs = NAN;   // and of shared memory
static double peak_gbs = NAN;
static char measured_on[256];

static void take(double *to, const struct row *row, enum column column)
{
    double value = row_number(row, column);

    if (!isnan(value))
        *to = value;
}

// Takes the measurements of a stage at this size, or of memory, from a row.
static void take_row(const struct row *row, const char *size)
{
    if (!row_is_ok(row) || row->knobs[0])
        return;
    if (strcmp(row->stage, "demo_roofs") == 0 && strcmp(row->name, "read") == 0)
        take(&read_gbs, row, COLUMN_rate);
    if (strcmp(row->stage, "demo_roofs") == 0 && strcmp(row->name, "shared") == 0)
        take(&shared_gbs, row, COLUMN_rate);
    for (int i = 0; i < n_stages; i++) {
        struct stage *s = &stages[i];

        if (strcmp(s->key, row->stage) != 0 || strcmp(size, row->size) != 0)
            continue;
        if (strcmp(row->mode, "cold") == 0) {
            take(&s->rate, row, COLUMN_rate);
            take(&peak_gbs, row, COLUMN_peak_gbs);
            snprintf(measured_on, sizeof measured_on, "%s", row->device);
        }
        take(&s->from_l2, row, COLUMN_l2_read_bytes);
        take(&s->from_memory, row, COLUMN_dram_read_bytes);
        take(&s->wavefronts, row, COLUMN_shared_wavefronts);
        if (s->wavefronts == 0)
            s->wavefronts = NAN;   // shared memory is no limit
    }
}

static void take_tables(const char *pattern, const char *size)
{
    struct table t = {};
    glob_t found;

    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        table_read(&t, found.gl_pathv[i]);
    globfree(&found);
    for (size_t r = 0; r < t.n; r++)
        take_row(&t.row[r], size);
}

static int rates_known(void)
{
    int n = 0;

    for (int i = 0; i < n_stages; i++)
        n += !isnan(stages[i].rate);
    return n;
}

// --- the model

static double bytes_per_flop(double rows, double cols)
{
    return 4 * (rows + cols) / (2 * rows * cols);
}

static void print_number(int width, double value)
{
    if (isnan(value))
        printf("%*s", width, "-");
    else if (value >= 1000)
        printf("%*.0f", width, value);
    else
        printf("%*.3g", width, value);
}

// Prints the line of a stage. `rates` and `profiled`: which groups of columns the table has.
static void print_stage(const struct stage *s, double gbs, double flops, bool rates, bool profiled)
{
    double needed = s->rows ? bytes_per_flop(s->rows, s->cols) : NAN;
    char tile[32] = "-";

    if (s->rows)
        snprintf(tile, sizeof tile, "%dx%d", s->rows, s->cols);
    printf("%-7s %-23s%9s", s->key, s->name, tile);
    print_number(9, needed);
    print_number(10, SLIDES_GBS / needed);
    print_number(10, gbs / needed);
    if (profiled)
        print_number(11, shared_gbs / (128 * s->wavefronts / flops));
    if (rates) {
        print_number(10, s->rate);
        print_number(8, s->rate / (gbs / needed));
    }
    if (profiled) {
        print_number(8, 1e-9 * needed * flops);
        print_number(10, 1e-9 * s->from_l2);
        print_number(9, 1e-9 * s->from_memory);
    }
    printf("\n");
}

static void print_model(const char *size, double gbs, const char *whose, double flops)
{
    bool rates = rates_known(), profiled = false, unknown = false;

    for (int i = 0; i < n_stages; i++) {
        profiled |= !isnan(stages[i].from_memory);
        unknown |= !stages[i].rows;
    }
    printf("The rate that memory feeds if every block loads the operands of its tile from memory: "
           "4 (BM "
           "+ BN) bytes per 2 BM BN flops.\n"
           "%g GB/s is the memory of the slides, %.4g GB/s is %s.\n",
           SLIDES_GBS, gbs, whose);
    if (rates)
        printf("Measured: %s on %s.\n", size, measured_on);

    printf("\n%-31s%9s%9s%20s%s%s%s\n", "", "tile", "bytes", "GFLOP/s fed by",
           profiled ? "     shared" : "", rates ? "  measured      of" : "",
           profiled ? "   GB by     GB of    GB of" : "");
    printf("%-31s%9s%9s%10.4g%10.4g%s", "stage", "of C", "per flop", SLIDES_GBS, gbs,
           profiled ? "     memory" : "");
    if (rates)
        printf("   GFLOP/s%8.4g", gbs);
    printf("%s\n", profiled ? "   model        L2   memory" : "");
    for (int i = 0; i < n_stages; i++)
        print_stage(&stages[i], gbs, flops, rates, profiled);
    if (unknown)
        printf("\n-, tile: the source defines none; the stage may choose one by the size.\n");
    if (rates)
        printf(
            "\nof %.4g: the measured rate over the rate that this memory feeds. Above 1, caches "
            "serve part of the loads: lanes that read\n"
            "the same word share a sector, and L1 and L2 keep words that other warps loaded. The "
            "model has no caches.\n",
            gbs);
    if (profiled)
        printf(
            "shared memory: the rate that %.0f GB/s (demo_roofs) feed, at 128 bytes per wavefront "
            "of the stage.\n"
            "GB of L2, of memory: bytes from L2 to the SMs and from memory to L2, counted by "
            "ncu.\n",
            shared_gbs);
}

// --- loads in flight, and the largest tile

struct limits {
    const char *chip;
    int block_threads, sm_threads, sm_blocks;
    // bytes; `reserved`: used by the runtime, per block
    int block_shared, sm_shared, reserved;
};

// NVIDIA, CUDA C++ Programming Guide 12, "Technical Specifications per Compute Capability", 5.0
// and 5.2; NVIDIA, Maxwell Tuning Guide, 1.4.1.1 and 1.4.3.1: GM107 has 64 KB of shared memory per
// SM and GM204 has 96 KB, both at most 48 KB per block.
static const struct limits gm107 = { "GM107", 1024, 2048, 32, 48 << 10, 64 << 10, 0 };
static const struct limits gm204 = { "GM204", 1024, 2048, 32, 48 << 10, 96 << 10, 0 };

static struct limits limits_here(const struct device *d)
{
    return { d->name,
             demo_attribute(cudaDevAttrMaxThreadsPerBlock),
             demo_attribute(cudaDevAttrMaxThreadsPerMultiProcessor),
             demo_attribute(cudaDevAttrMaxBlocksPerMultiprocessor),
             demo_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
             demo_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
             demo_attribute(cudaDevAttrReservedSharedMemoryPerBlock) };
}

// a tile of A and one of B
static int shared_bytes(int tile) { return 2 * tile * tile * (int)sizeof(float); }
static int least(int a, int b) { return a < b ? a : b; }
static int blocks_by_shared(const struct limits *l, int tile)
{
    return l->sm_shared / (shared_bytes(tile) + l->reserved);
}
static int blocks_by_threads(const struct limits *l, int tile)
{
    return l->sm_threads / (tile * tile);
}
static int blocks(const struct limits *l, int tile)
{
    return least(l->sm_blocks, least(blocks_by_shared(l, tile), blocks_by_threads(l, tile)));
}

static void print_pending(const struct limits *chip, int n)
{
    printf(
        "\nLoads in flight per SM, as the slides count them: a block has tile x tile threads, and "
        "each loads an element of A and one of B\n"
        "before it waits. The limit by registers is ignored.\n\n");
    printf("%-16s%8s%10s%10s%27s%8s%10s\n", "", "", "threads", "bytes", "blocks per SM, by", "",
           "loads");
    printf("%-16s%8s%10s%10s%9s%9s%9s%8s%10s\n", "chip", "tile", "per block", "per block", "bytes",
           "threads", "limit", "blocks", "pending");
    for (int i = 0; i < n; i++)
        for (int tile = 16; tile <= 32; tile *= 2) {
            const struct limits *l = &chip[i];

            printf("%-16.15s%5dx%d%10d%10d", l->chip, tile, tile, tile * tile, shared_bytes(tile));
            printf("%9d%9d%9d", blocks_by_shared(l, tile), blocks_by_threads(l, tile),
                   l->sm_blocks);
            printf("%8d%10d\n", blocks(l, tile), blocks(l, tile) * tile * tile * 2);
        }
}

static void print_worksheet(const struct limits *l)
{
    int by_threads = (int)sqrt((double)l->block_threads),
        by_shared = (int)sqrt((l->block_shared) / (2.0 * sizeof(float))), tile;

    tile = least(by_threads, by_shared);
    printf("%s: %d threads and %d bytes of shared memory per block, %d threads, %d bytes and %d "
           "blocks per SM\n\n",
           l->chip, l->block_threads, l->block_shared, l->sm_threads, l->sm_shared, l->sm_blocks);
    printf("  One element of C per thread, T x T threads:\n"
           "    threads per block        T x T <= %d, so T <= %d\n"
           "    shared memory per block  2 x T x T x 4 <= %d bytes, so T <= %d\n"
           "    largest tile             %d x %d: %d bytes of shared memory\n"
           "    blocks per SM            %d by threads, %d by shared memory, %d at most: %d, which "
           "have %d of %d threads\n"
           "    global loads             1/%d of the simple kernel: each loaded element is used by "
           "%d threads\n",
           l->block_threads, by_threads, l->block_shared, by_shared, tile, tile, shared_bytes(tile),
           blocks_by_threads(l, tile), blocks_by_shared(l, tile), l->sm_blocks, blocks(l, tile),
           blocks(l, tile) * tile * tile, l->sm_threads, tile, tile);
    printf(
        "  Several elements per thread, as from stage 5 on, with tiles still as deep along K as "
        "they "
        "are wide:\n"
        "    largest tile             %d x %d: %d bytes of shared memory, which fit %d block%s per "
        "SM\n"
        "    global loads             1/%d\n",
        by_shared, by_shared, shared_bytes(by_shared), blocks_by_shared(l, by_shared),
        blocks_by_shared(l, by_shared) == 1 ? "" : "s", by_shared);
}

// --- the program

static const char help[] =
    "demo_traffic: the model of memory traffic in the slides, beside measured values\n\n"
    "usage: ./demo_traffic [options]\n"
    "      --bandwidth B   of the memory, in GB/s; default: as measured by demo_roofs, or the "
    "peak bandwidth of the device\n"
    "      --size MxNxK    which measurements to show; default 4096x4096x4096\n"
    "      --results DIR   read the tables *.tsv in DIR; default: the results of this GPU, or "
    "the recorded run\n"
    "      --worksheet     print only the answer to worksheet 13\n"
    "  -h, --help          this text\n\n"
    "Exit status: 0 success; 2 bad usage or unusable file; 3 CUDA error.\n";

static double number(const char *option, const char *text)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end || !(value > 0) || value > 1e9)
        die(STATUS_USAGE, "%s '%s': not a number of GB/s; expected a number above 0", option, text);
    return value;
}

// Flops of a product of this size, "4096x4096x4096".
static double flops_of(const char *size)
{
    double flops = 2;
    const char *at = size;

    for (int i = 0; i < 3; i++) {
        size_t digits = strspn(at, "0123456789");

        if (digits < 1 || digits > 9 || at[0] == '0' || at[digits] != (i < 2 ? 'x' : '\0'))
            die(STATUS_USAGE, "--size '%s': not a size; expected MxNxK, for example 1024x512x256",
                size);
        flops *= atof(at);
        at += digits + 1;
    }
    return flops;
}

static void find_measurements(const char *given, const struct device *d, const char *size)
{
    char week[PATH_MAX], weeks[PATH_MAX + 4], path[PATH_MAX], pattern[PATH_MAX + 280];

    if (given) {
        snprintf(pattern, sizeof pattern, "%s/*.tsv", given);
        take_tables(pattern, size);
        return;
    }
    if (week_folder(week) < 0)
        return;
    snprintf(pattern, sizeof pattern, "%s/results/%s/*.tsv", week, device_slug(d->name));
    if (!on_cpu_device)
        take_tables(pattern, size);
    if (!on_cpu_device && (rates_known() || !isnan(read_gbs)))
        return;
    // All recorded tables, then the ladder again: its rates replace those of other parts.
    snprintf(weeks, sizeof weeks, "%s/..", week);
    recorded_path(path, weeks, DEFAULT_RECORDED, "03_matmul", "*");
    take_tables(path, size);
    recorded_path(path, weeks, DEFAULT_RECORDED, "03_matmul", "ladder");
    take_tables(path, size);
}

int main(int argc, char **argv)
{
    const char *bandwidth = NULL, *size = "4096x4096x4096", *given = NULL, *whose;
    bool worksheet = false;
    const struct demo_option options[] = {
        { "--bandwidth", &bandwidth, NULL },
        { "--size", &size, NULL },
        { "--results", &given, NULL },
        { "--worksheet", NULL, &worksheet },
    };
    struct device device;
    struct limits chips[2] = { gm107 };
    char week[PATH_MAX];
    double gbs, flops;

    demo_options(argc, argv, help, options, 4);
    flops = flops_of(size);
    gbs = bandwidth ? number("--bandwidth", bandwidth) : NAN;
    device_open(0, &device);
    if (!on_cpu_device)
        chips[1] = limits_here(&device);
    if (worksheet) {
        print_worksheet(&gm204);
        if (!on_cpu_device) {
            printf("\n");
            print_worksheet(&chips[1]);
        }
        return finish(STATUS_OK);
    }

    if (week_folder(week) < 0)
        die(STATUS_USAGE, "/proc/self/exe: %s", strerror(errno));
    find_stages(week);
    find_measurements(given, &device, size);
    whose = bandwidth ? "the value of --bandwidth" : "the measured read bandwidth (demo_roofs)";
    if (isnan(gbs))
        gbs = read_gbs;
    if (isnan(gbs)) {
        gbs = !isnan(peak_gbs) ? peak_gbs : device.peak_gbs > 0 ? device.peak_gbs : SLIDES_GBS;
        whose = gbs == SLIDES_GBS ? "the same, because none was measured" : "the peak bandwidth";
    }
    print_model(size, gbs, whose, flops);
    print_pending(chips, !on_cpu_device ? 2 : 1);
    return finish(STATUS_OK);
}
