// What `make run-file FOR=t4` links into a program: plays each launch after its execution, and
// prints the table when the program ends. Only the constructor is visible to the program.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folders.h"
#include "player.h"
#include "program.h"

enum { SECTOR = 32 };   // bytes

static struct player player;
static struct plays plays;
static const char *no_code;   // why there is no machine code

// Whether no other launch was counted since emu_reset(), which the program may call.
static int is_first(void)
{
    const struct emu_launch *all;
    int n = emu_launches(&all), i = 0;

    while (all[i].moved)
        i++;
    return i == n - 1;
}

// The launches as rows, for programs; without a time, `lacks` says why. Written after each new
// launch, because a program may end in any way.
static void write_rows(const char *path)
{
    FILE *f = fopen(path, "w");

    if (!f)
        die(STATUS_USAGE, "TABLE=%s: cannot be written", path);
    fputs("kernel\tgrid\tblock\tus\tgraph_us\tlimiter\tcode\tlacks\n", f);
    for (int i = 0; i < plays.n; i++) {
        const struct played *p = &plays.of[i];
        const struct model_time *t = &p->time;

        fprintf(f, "%s\t%ux%ux%u\t%ux%ux%u\t", p->kernel, p->grid[0], p->grid[1], p->grid[2],
                p->block[0], p->block[1], p->block[2]);
        if (p->is_known)
            fprintf(f, "%.5g\t%.5g\t%s\t", t->us, t->us + t->graph_us, model_unit_name[t->limiter]);
        else
            fputs("\t\t\t", f);
        fprintf(f, "%s\t%s\n", player.why_estimated ? "estimated" : "compiled", t->lacks);
    }
    fclose(f);
}

static void on_launch(const struct emu_launch *l)
{
    static struct emu_counts before;
    struct emu_counts now;
    struct played *p;

    if (player.why_estimated)
        player_trace(&player, l);
    p = player_add(&player, &plays, l, SECTOR * (double)l->read_sectors,
                   SECTOR * (double)l->written_sectors);
    if (is_first())
        memset(&before, 0, sizeof before);
    emu_totals(&now);
    if (p && p->n == 1) {
        p->counts = now;
        p->counts.ld_requests -= before.ld_requests;
        p->counts.ld_sectors -= before.ld_sectors;
        p->counts.st_requests -= before.st_requests;
        p->counts.st_sectors -= before.st_sectors;
        p->counts.shared_requests -= before.shared_requests;
        p->counts.shared_wavefronts -= before.shared_wavefronts;
    }
    before = now;
    if (p && p->n == 1 && getenv("MODEL_TABLE"))
        write_rows(getenv("MODEL_TABLE"));
}

static void print_table(void)
{
    putchar('\n');
    if (no_code) {
        printf("  model    none: %s\n", no_code);
        return;
    }
    player_print(&player, &plays);
    printf("    program  %d launch%s: %.2f us in a stream, %.2f us in a graph; copies and host "
           "code are not modeled\n",
           plays.launches, plays.launches == 1 ? "" : "es", plays_us(&plays), plays.graph_us);
}

// MODEL_GPU is the name of the GPU, MODEL_MACHINES the folder common/machine, MODEL_CODE the file
// with the machine code, which may be missing.
__attribute__((constructor)) static void begin(void)
{
    const char *gpu = getenv("MODEL_GPU"), *machines = getenv("MODEL_MACHINES"),
               *code = getenv("MODEL_CODE"), *wrong;

    if (!gpu || !machines || !code)
        return;
    wrong = player_open(&player, machines, gpu);
    if (wrong)
        die(STATUS_USAGE, "FOR=%s: %s", gpu, wrong);
    if (file_time(code) > 0)
        no_code = player_read_code(&player, code);
    else
        player_estimate(&player,
                        "nvcc and nvdisasm write the machine code of your kernels (docs/start.md)");
    atexit(print_table);
    if (!no_code)
        emu_on_launch(on_launch);
}
