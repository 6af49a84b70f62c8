#include "numbers.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/program.h"

// --- tables

static void set(struct model_machine *m, const char *name, double value)
{
    for (int k = 0; k < m->n; k++)
        if (!strcmp(m->number[k].name, name)) {
            m->number[k].value = value;
            return;
        }
    m->number = grown(m->number, m->n, sizeof *m->number);
    m->number[m->n].name = text_of("%s", name);
    m->number[m->n++].value = value;
}

static int read_measured(struct model_machine *m, const char *path)
{
    FILE *f = fopen(path, "r");
    char line[512], name[64];
    double value;

    if (!f)
        return -1;
    while (fgets(line, sizeof line, f)) {
        if (!strncmp(line, "# device: ", 10))
            snprintf(m->name, sizeof m->name, "%.*s", (int)strcspn(line + 10, "\n"), line + 10);
        else if (sscanf(line, "%63s %lf", name, &value) == 2)
            set(m, name, value);
    }
    fclose(f);
    return m->n ? 0 : -1;
}

static char *plain(const char *name)
{
    char *to = text_of("%s", name), *end = to;

    for (; *name; name++)
        if (*name != ' ')
            *end++ = (char)tolower((unsigned char)*name);
    *end = 0;
    return to;
}

// "RTX 4090" is rtx4090, and "A100 SXM4 80GB" is a100, too.
static int is_called(const char *gpu, const char *name)
{
    const char *all = plain(gpu), *some = plain(name);
    size_t n = strlen(some);

    return !strcmp(all, some) || (!strncmp(all, some, n) && isalpha((unsigned char)all[n]));
}

// The rows of a GPU, or of a compute capability.
static int read_sheet(struct model_machine *m, const char *path, const char *of, double *capability)
{
    FILE *f = fopen(path, "r");
    char line[512], *gpu, *name, *at;
    int n = 0;

    if (!f)
        return 0;
    while (fgets(line, sizeof line, f)) {
        at = line;
        gpu = strsep(&at, "\t");
        name = strsep(&at, "\t");
        if (line[0] == '#' || !at ||
            !(isdigit((unsigned char)of[0]) ? !strcmp(gpu, of) : is_called(gpu, of)))
            continue;
        if (!strcmp(name, "capability"))
            *capability = atof(at);
        set(m, name, atof(at));
        if (!isdigit((unsigned char)of[0]))
            snprintf(m->name, sizeof m->name, "%s", gpu);
        n++;
    }
    fclose(f);
    return n;
}

// A GPU that was not measured has the data sheet's numbers. Where there is none, it has the H100's:
// cycles and latencies as they are, rates of memory in proportion to the peak bandwidth, rates of
// L2 to SMs and clock. The latency of DRAM under load depends on the share of the bandwidth that
// the bytes in flight ask for: fewer bytes where an SM's share is smaller.
static int read_unmeasured(struct model_machine *m, const char *folder, const char *name)
{
    char *sheet = text_of("%s/datasheets.tsv", folder);
    double capability = 0, bandwidth, clock, sms;

    if (!read_sheet(m, sheet, name, &capability))
        return -1;
    bandwidth = machine_number(m, "dram.peak", 0);
    clock = machine_number(m, "device.clock", 0);
    sms = machine_number(m, "device.sms", 0);
    if (read_measured(m, text_of("%s/h100.tsv", folder)) || bandwidth <= 0 || clock <= 0 ||
        sms <= 0)
        return -1;
    // each as a multiple of the H100's; its bandwidth: two transfers per clock of the memory
    bandwidth /= 2e-3 / 8 * machine_number(m, "device.memory_clock", NAN) *
                 machine_number(m, "device.memory_bus", NAN);
    clock /= machine_number(m, "device.clock", NAN);
    sms /= machine_number(m, "device.sms", NAN);
    for (int k = 0; k < m->n; k++) {
        const char *n = m->number[k].name;
        double *v = &m->number[k].value;

        if (!strncmp(n, "dram.", 5) && !strstr(n, "latency") &&
            (strstr(n, "read") || strstr(n, "write") || strstr(n, "copy") || strstr(n, "store")))
            *v *= bandwidth;
        else if (!strncmp(n, "l2.", 3) && strstr(n, "all_sms"))
            *v *= sms * clock;
    }
    set(m, "dram.share", bandwidth / sms);   // of an SM
    read_sheet(m, sheet, text_of("%.1f", capability), &capability);
    read_sheet(m, sheet, name, &capability);
    m->sm = (int)(10 * capability + 0.5);
    return 0;
}

struct model_machine *model_machine_read(const char *folder, const char *name)
{
    struct model_machine *m = must_calloc(1, sizeof *m);

    if (!read_measured(m, text_of("%s/%s.tsv", folder, name)) || !read_measured(m, name)) {
        m->sm = (int)machine_number(m, "device.capability", 90);
        return m;
    }
    if (!read_unmeasured(m, folder, name)) {
        set(m, "is_unmeasured", 1);
        return m;
    }
    free(m);
    return NULL;
}

void model_machine_free(struct model_machine *m)
{
    if (m)
        free(m->number);
    free(m);
}

const char *model_machine_name(const struct model_machine *m) { return m->name; }

int model_machine_is_measured(const struct model_machine *m)
{
    return !machine_number(m, "is_unmeasured", 0);
}

int model_machine_sm(const struct model_machine *m) { return m->sm; }

double machine_number(const struct model_machine *m, const char *name, double or_else)
{
    for (int k = 0; k < m->n; k++)
        if (!strcmp(m->number[k].name, name))
            return m->number[k].value;
    return or_else;
}

// --- numbers in cycles

// Sectors, lanes or blocks per ns of the whole GPU, as a number per cycle of one of its SMs.
static double per_cycle(const struct numbers *n, double per_ns)
{
    return per_ns * 1e3 / n->mhz / n->sms;
}

static double cycles_of_ns(const struct numbers *n, double ns) { return ns * n->mhz / 1e3; }

static void launch_numbers(const struct model_machine *m, struct numbers *n)
{
    static const int warps[] = { 1, 1, 4, 8, 16, 32 };

    n->launch = machine_number(m, "launch.dependent", 1.3);
    n->launch_host = machine_number(m, "launch.stream", 3);
    n->launch_graph = machine_number(m, "launch.dependent_graph", 0.4);
    n->block_rate = machine_number(m, "blocks.rate_8warps", 1500);
    for (int k = 0; k < 6; k++) {
        n->turnover[k] = machine_number(m, text_of("turnover.%dwarps_1blocks", warps[k]), 320);
        n->warp_start[k] = machine_number(m, text_of("blocks.warp_start_%dwarps", warps[k]), 8);
        n->barrier[k] = machine_number(m, text_of("barrier.together_%dwarps", warps[k]), 30);
    }
}

static void shared_numbers(const struct model_machine *m, struct numbers *n)
{
    static const int bits[] = { 32, 64, 128 };

    for (int k = 0; k < 3; k++) {
        n->lds[k] = machine_number(m, text_of("shared.lds%d.cycles", bits[k]), 1 << k);
        n->sts[k] = machine_number(m, text_of("shared.sts%d.cycles", bits[k]), 1 << k);
        n->lds_latency[k] = machine_number(m, text_of("shared.lds%d.latency", bits[k]), 25);
    }
    n->atoms = machine_number(m, "shared.atom.cycles", 1);
    n->atoms_latency = machine_number(m, "shared.atom.latency", 28);
    n->l1_latency = machine_number(m, "l1.latency", 32);
    n->branch = machine_number(m, "branch.loop", 29) - machine_number(m, "pipe.iadd3.latency", 4) -
                machine_number(m, "pipe.isetp_sel.latency", 4);
    n->mbarrier = machine_number(m, "barrier.mbarrier_1warps", 104);
    n->cluster = machine_number(m, "barrier.cluster_2blocks", 390);
    n->constant = machine_number(m, "constant.ldc_1words.cycles", 2);
    n->constant_latency = machine_number(m, "constant.ldc_1kib.latency", 28);
    n->texture = machine_number(m, "texture.u8_point.rate", 4);
    n->texture_latency = machine_number(m, "texture.u8_point.latency", 150);
}

static void memory_numbers(const struct model_machine *m, struct numbers *n)
{
    static const int kib[LOADS] = { 1, 2, 4, 8, 16, 24, 32, 48, 64 };

    n->l2_one = machine_number(m, "l2.load.one_sm", 3.9);
    n->l2_all = per_cycle(n, machine_number(m, "l2.load.all_sms", 250));
    n->l2_latency = machine_number(m, "l2.latency", 285);
    n->st_one = machine_number(m, "l2.store.one_sm", 1);
    n->st_all = per_cycle(n, machine_number(m, "l2.store.all_sms", 130));
    n->st_part_one = machine_number(m, "l2.store_partial.one_sm", 0.8);
    n->st_part_all = per_cycle(n, machine_number(m, "l2.store_partial.all_sms", 105));
    // stores that DRAM takes pass L2, too
    n->st_all = fmax(n->st_all, per_cycle(n, machine_number(m, "dram.write", 3000) / 32));
    n->dram_read = per_cycle(n, machine_number(m, "dram.read", 3000));
    n->dram_write = per_cycle(n, machine_number(m, "dram.write", 3000));
    n->dram_copy = per_cycle(n, machine_number(m, "dram.copy", 2900));
    n->dram_part = per_cycle(n, machine_number(m, "dram.store_one_word", 45));
    n->dram_latency = machine_number(m, "dram.latency", 670);
    for (int k = 0; k < LOADS; k++) {
        n->load[k] = 1024. * kib[k] * machine_number(m, "dram.share", 1);
        n->read_latency[k] = cycles_of_ns(
            n, machine_number(m, text_of("dram.read_load_%dkib.latency", kib[k]), 700));
        n->copy_latency[k] = cycles_of_ns(
            n, machine_number(m, text_of("dram.copy_load_%dkib.latency", kib[k]), 900));
    }
    n->atomic_word = per_cycle(n, machine_number(m, "atomic.red_one_word", 1.4)) * n->sms;
    n->atomic_float_word =
        per_cycle(n, machine_number(m, "atomic.red_f32_one_word", 0.57)) * n->sms;
    n->atomic_line = per_cycle(n, machine_number(m, "atomic.red_line_per_warp", 600));
    n->atomic_lines = per_cycle(n, machine_number(m, "atomic.red_32_lines", 100));
    n->atomic_latency = machine_number(m, "atomic.latency", 318);
}

static void bulk_numbers(const struct model_machine *m, struct numbers *n)
{
    n->tma[0] = machine_number(m, "tma.bulk_1024bytes.one_sm", 13);
    n->tma[1] = machine_number(m, "tma.bulk_4096bytes.one_sm", 52);
    n->tma[2] = machine_number(m, "tma.bulk_8192bytes.one_sm", 105);
    n->tma_latency = machine_number(m, "tma.bulk_1024bytes.latency", 345);
    n->product_mhz = machine_number(m, "clock.wgmma_random", n->mhz);
}

void machine_numbers(const struct model_machine *m, struct numbers *n)
{
    memset(n, 0, sizeof *n);
    n->sms = machine_number(m, "device.sms", 132);
    n->mhz = machine_number(m, "device.clock", 1980);
    n->l1_bytes = m->sm >= 90 ? 256 << 10
                : m->sm == 80 ? 192 << 10
                : m->sm >= 86 ? 128 << 10
                              : 96 << 10;
    n->shared_bytes = machine_number(m, "device.shared_per_sm", 228 << 10);
    n->shared_block = m->sm >= 80 ? 1024 : 0;   // the system's, per block
    n->registers = machine_number(m, "device.registers_per_sm", 65536);
    n->threads = machine_number(m, "device.threads_per_sm", 2048);
    n->blocks = machine_number(m, "device.blocks_per_sm", 32);
    launch_numbers(m, n);
    shared_numbers(m, n);
    memory_numbers(m, n);
    bulk_numbers(m, n);
}
