// demo_traffic: the model of memory traffic in the slides, and worksheet 13
//
// A block that computes BM x BN elements of C needs BM elements of A and BN of B per k: 4 (BM + BN)
// bytes per 2 BM BN flops. If each block loads them from memory, the rate is at most the bandwidth
// over the bytes per flop. The tiles are those in the sources of the stages. Beside the model are
// the measured rate and the bytes from L2 and memory (make roofline), of this GPU or else recorded.
// Also: loads in flight per SM.
//
// make demo_traffic && ./demo_traffic; make worksheet
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <math.h>
#include <algorithm>
#include "../common/base/folders.h"
#include "../common/table/table.h"
#include "../common/harness/demo.h"

static const double SLIDES_GBS = 150;               // the memory that the slides compute with
static const char *const SIZE = "4096x4096x4096";   // of the measurements
static const double FLOPS = 2.0 * 4096 * 4096 * 4096;

// --- what was measured

static struct table measured;

static void read_tables(const char *pattern)
{
    glob_t found;

    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        table_read(&measured, found.gl_pathv[i]);
    globfree(&found);
}

// The last row that has this number of a stage at SIZE, or of one of the roofs; NULL if there is
// none.
static const struct row *row_with(const char *stage, const char *roof, enum column column)
{
    for (size_t i = measured.n; i-- > 0;) {
        const struct row *row = &measured.row[i];

        if (strcmp(row->stage, stage) == 0 && row_is_ok(row) && !row->knobs[0] &&
            (roof ? strcmp(row->name, roof) == 0 : strcmp(row->size, SIZE) == 0) &&
            (roof || column != COLUMN_rate || strcmp(row->mode, "cold") == 0) &&
            !isnan(row_number(row, column)))
            return row;
    }
    return NULL;
}

static double number_of(const char *stage, const char *roof, enum column column)
{
    const struct row *row = row_with(stage, roof, column);

    return row ? row_number(row, column) : NAN;
}

// The results of this GPU if it has run make roofline, else the recorded run.
static void find_measurements(const char *week, const char *device)
{
    const char *weeks = text_of("%s/..", week);
    char path[PATH_MAX];

    if (!on_cpu_device)
        read_tables(text_of("%s/results/%s/*.tsv", week, device_slug(device)));
    if (row_with("demo_roofs", "read", COLUMN_rate))
        return;
    measured = {};
    for (const char *part : { "roofline", "ladder" }) {   // the ladder's rates replace others
        recorded_path(path, weeks, default_recorded(weeks, "03_matmul"), "03_matmul", part);
        read_tables(path);
    }
}

// --- the stages and their tiles

struct stage {
    char key[16], name[64];   // "stage3", "tiled32"
    int rows, cols;           // of the block tile of C; 0: unknown
};

// The value of `#define name` in a source, or 0.
static int defined(const char *source, const char *name)
{
    const char *line = text_of("#define %s ", name), *at = strstr(source, line);

    return at ? atoi(at + strlen(line)) : 0;
}

// The tile is BM x BN or TILE x TILE in the source. A kernel without shared memory loads the
// operands of each element separately.
static struct stage stage_of(const char *path)
{
    struct stage s = {};
    FILE *file = fopen(path, "r");
    char *source = NULL;
    size_t room = 0;

    if (!file || getdelim(&source, &room, '\0', file) < 0)
        die(STATUS_USAGE, "%s: %s", path, file ? "is empty" : strerror(errno));
    fclose(file);
    sscanf(strrchr(path, '/') + 1, "%15[^_]_%63[^.]", s.key, s.name);
    s.rows = defined(source, "BM") ? defined(source, "BM") : defined(source, "TILE");
    s.cols = defined(source, "BN") ? defined(source, "BN") : defined(source, "TILE");
    if (!strstr(source, "__shared__"))
        s.rows = s.cols = 1;
    free(source);
    return s;
}

static std::vector<struct stage> find_stages(const char *week)
{
    std::vector<struct stage> stages;
    glob_t found;

    // stage1 to stage9 come before stage10
    for (const char *pattern : { "%s/stage[0-9]_*.cu", "%s/stage[0-9][0-9]_*.cu" }) {
        if (glob(text_of(pattern, week), 0, NULL, &found) != 0)
            continue;
        for (size_t i = 0; i < found.gl_pathc; i++)
            stages.push_back(stage_of(found.gl_pathv[i]));
        globfree(&found);
    }
    return stages;
}

// --- the model

static void print_number(int width, double value)
{
    if (isnan(value))
        printf("%*s", width, "-");
    else if (value >= 1000)
        printf("%*.0f", width, value);
    else
        printf("%*.3g", width, value);
}

// `gbs`, `shared_gbs`: of memory and of shared memory.
static void print_stage(const struct stage *s, double gbs, double shared_gbs)
{
    double needed = s->rows ? 4.0 * (s->rows + s->cols) / (2.0 * s->rows * s->cols) : NAN;
    double rate = number_of(s->key, NULL, COLUMN_rate),
           wavefronts = number_of(s->key, NULL, COLUMN_shared_wavefronts);

    printf("%-7s %-23s%9s", s->key, s->name, s->rows ? text_of("%dx%d", s->rows, s->cols) : "-");
    print_number(9, needed);   // bytes per flop
    print_number(10, SLIDES_GBS / needed);
    print_number(10, gbs / needed);
    print_number(11, wavefronts > 0 ? shared_gbs / (128 * wavefronts / FLOPS) : NAN);
    print_number(10, rate);
    print_number(8, rate / (gbs / needed));
    print_number(8, 1e-9 * needed * FLOPS);
    print_number(10, 1e-9 * number_of(s->key, NULL, COLUMN_l2_read_bytes));
    print_number(9, 1e-9 * number_of(s->key, NULL, COLUMN_dram_read_bytes));
    printf("\n");
}

static void print_model(const char *week, const struct device *d)
{
    double read_gbs = number_of("demo_roofs", "read", COLUMN_rate),
           shared_gbs = number_of("demo_roofs", "shared", COLUMN_rate),
           gbs = !isnan(read_gbs) ? read_gbs
               : d->peak_gbs > 0  ? d->peak_gbs
                                  : SLIDES_GBS;
    const struct row *row = row_with("stage1", NULL, COLUMN_rate);

    printf("The rate that memory feeds if every block loads the operands of its tile from memory: "
           "4 (BM + BN) bytes per 2 BM BN flops.\n"
           "%g GB/s is the memory of the slides, %.4g GB/s is %s.\n%s.\n\n",
           SLIDES_GBS, gbs,
           !isnan(read_gbs)  ? "the measured read bandwidth (demo_roofs)"
           : d->peak_gbs > 0 ? "the peak bandwidth"
                             : "the same, because none was measured",
           row ? text_of("Measured: %s on %s", SIZE, row->device) : "Not measured: make roofline");
    printf("%40s    bytes      GFLOP/s fed by     shared  measured      of   GB by     GB of    GB "
           "of\n",
           "tile");
    printf("%-36sof C per flop%10.4g%10.4g     memory   GFLOP/s%8.4g   model        L2   memory\n",
           "stage", SLIDES_GBS, gbs, gbs);
    for (const struct stage &s : find_stages(week))
        print_stage(&s, gbs, shared_gbs);
    printf("\n-, tile: the source defines none; the stage may choose one by the size.\n");
    if (row)
        printf("\nof %.4g: the measured rate over the rate that this memory feeds. Above 1, caches "
               "serve "
               "part of the loads: lanes that read\n"
               "the same word share a sector, and L1 and L2 keep words that other warps loaded. "
               "The model "
               "has no caches.\n"
               "shared memory: the rate that %.0f GB/s (demo_roofs) feed, at 128 bytes per "
               "wavefront of "
               "the stage.\n"
               "GB of L2, of memory: bytes from L2 to the SMs and from memory to L2, counted by "
               "ncu.\n",
               gbs, shared_gbs);
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
    return std::min({ l->sm_blocks, blocks_by_shared(l, tile), blocks_by_threads(l, tile) });
}

// A block has tile x tile threads.
static void print_pending(const struct limits *chip, int n)
{
    printf(
        "\nLoads in flight per SM, as the slides count them: a block has tile x tile threads, and "
        "each loads an element of A and one of B\n"
        "before it waits. The limit by registers is ignored.\n\n");
    printf("%34s%10s%27s%18s\n", "threads", "bytes", "blocks per SM, by", "loads");
    printf("%-16s%8s%10s%10s%9s%9s%9s%8s%10s\n", "chip", "tile", "per block", "per block", "bytes",
           "threads", "limit", "blocks", "pending");
    for (const struct limits *l = chip; l < chip + n; l++)
        for (int tile = 16; tile <= 32; tile *= 2)
            printf("%-16.15s%5dx%d%10d%10d%9d%9d%9d%8d%10d\n", l->chip, tile, tile, tile * tile,
                   shared_bytes(tile), blocks_by_shared(l, tile), blocks_by_threads(l, tile),
                   l->sm_blocks, blocks(l, tile), blocks(l, tile) * tile * tile * 2);
}

static void print_worksheet(const struct limits *l)
{
    int by_threads = (int)sqrt((double)l->block_threads),
        by_shared = (int)sqrt(l->block_shared / (2.0 * sizeof(float))),
        tile = std::min(by_threads, by_shared);

    printf("%s: %d threads and %d bytes of shared memory per block, %d threads, %d bytes and %d "
           "blocks per SM\n\n"
           "  One element of C per thread, T x T threads:\n"
           "    threads per block        T x T <= %d, so T <= %d\n"
           "    shared memory per block  2 x T x T x 4 <= %d bytes, so T <= %d\n"
           "    largest tile             %d x %d: %d bytes of shared memory\n",
           l->chip, l->block_threads, l->block_shared, l->sm_threads, l->sm_shared, l->sm_blocks,
           l->block_threads, by_threads, l->block_shared, by_shared, tile, tile,
           shared_bytes(tile));
    printf("    blocks per SM            %d by threads, %d by shared memory, %d at most: %d, which "
           "have %d of %d threads\n"
           "    global loads             1/%d of the simple kernel: each loaded element is used by "
           "%d threads\n",
           blocks_by_threads(l, tile), blocks_by_shared(l, tile), l->sm_blocks, blocks(l, tile),
           blocks(l, tile) * tile * tile, l->sm_threads, tile, tile);
    printf("  Several elements per thread, as from stage 5 on, with tiles still as deep along K as "
           "they are wide:\n"
           "    largest tile             %d x %d: %d bytes of shared memory, which fit %d block%s "
           "per SM\n"
           "    global loads             1/%d\n",
           by_shared, by_shared, shared_bytes(by_shared), blocks_by_shared(l, by_shared),
           blocks_by_shared(l, by_shared) == 1 ? "" : "s", by_shared);
}

// --- the program

int main(int argc, char **argv)
{
    int worksheet = 0;
    const struct argument known[] = { { "--worksheet", "print only the answer to worksheet 13",
                                        NULL, &worksheet } };
    struct device device;
    struct limits chips[2] = { gm107 };
    char week[PATH_MAX];

    take_arguments(argc, argv, "the model of memory traffic in the slides, beside measured values",
                   known, 1);
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
    find_measurements(week, device.name);
    print_model(week, &device);
    print_pending(chips, on_cpu_device ? 1 : 2);
    return finish(STATUS_OK);
}
