#include "player.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "program.h"

const char *player_open(struct player *p, const char *machines, const char *gpu)
{
    const char *wrong = gpu_find(machines, gpu, &p->gpu);

    if (wrong)
        return wrong;
    p->machine = model_machine_read(machines, p->gpu.is_measured ? p->gpu.name : p->gpu.row);
    return p->machine ? NULL : text_of("the numbers of this GPU in %s cannot be used", machines);
}

const char *player_read_code(struct player *p, const char *path)
{
    const char *name;

    p->code = model_code_read(path);
    if (!p->code)
        return text_of("%s: no disassembly of nvdisasm -g", path);
    while ((name = model_code_kernel(p->code, p->n_kernels))) {
        p->kernel = grown(p->kernel, p->n_kernels, sizeof *p->kernel);
        p->kernel[p->n_kernels++] = name;
    }
    return NULL;
}

// Where the parameters of a kernel begin in its constant bank. They are aligned there.
static size_t first_parameter(int sm) { return sm >= 100 ? 0x380 : sm >= 90 ? 0x210 : 0x160; }

// The arguments of a launch in the kernel's parameter space.
static unsigned char *parameters_of(const struct emu_launch *l, int sm, size_t *bytes)
{
    size_t base = first_parameter(sm), at = base, most = 0;
    unsigned char *to;

    for (int i = 0; i < l->n_arguments; i++)
        most += l->place[i].bytes + l->place[i].align;
    to = must_calloc(most + 1, 1);
    for (int i = 0; i < l->n_arguments; i++) {
        const struct emu_place *place = &l->place[i];

        at = (at + place->align - 1) / place->align * place->align;
        memcpy(to + at - base, l->arguments + place->at, place->bytes);
        at += place->bytes;
    }
    *bytes = at - base;
    return to;
}

int player_play(const struct player *p, const struct emu_launch *l, double read_bytes,
                double written_bytes, struct model_time *time)
{
    struct model_launch launch = {
        .dynamic_shared = l->dynamic_shared,
        .read_bytes = read_bytes,
        .written_bytes = written_bytes,
        .follows = l->follows,
        .readable = emu_readable,
        .box_bytes = emu_box_bytes,
    };
    const char *twin = "twin_", *symbol = l->symbol ? l->symbol : "";
    unsigned char *parameters;
    int result;

    memset(time, 0, sizeof *time);
    memcpy(launch.grid, l->grid, sizeof launch.grid);
    memcpy(launch.block, l->block, sizeof launch.block);
    memcpy(launch.cluster, l->cluster, sizeof launch.cluster);
    // the second build of a stage in its program (TWIN in week.mk)
    if (strncmp(symbol, twin, strlen(twin)) == 0)
        symbol += strlen(twin);
    launch.kernel = kernel_named(p->kernel, p->n_kernels, symbol);
    if (!launch.kernel) {
        snprintf(time->lacks, sizeof time->lacks, "the machine code has no kernel %s", l->kernel);
        return -1;
    }
    parameters = parameters_of(l, p->gpu.sm, &launch.n_parameters);
    launch.parameters = parameters;
    emu_open_memory(1);
    result = model_play(p->machine, p->code, &launch, time);
    emu_open_memory(0);
    free(parameters);
    return result;
}

static double threads_of(const struct emu_launch *l)
{
    return (double)l->grid[0] * l->grid[1] * l->grid[2] * l->block[0] * l->block[1] * l->block[2];
}

// The launch with the most threads; -1 without any.
static int largest(const struct emu_launch *l, int n)
{
    int most = -1;

    for (int i = 0; i < n; i++)
        if (!l[i].moved && (most < 0 || threads_of(&l[i]) > threads_of(&l[most])))
            most = i;
    return most;
}

struct call_time player_call(const struct player *p, double read_bytes, double written_bytes)
{
    struct call_time c = { .main = -1, .lacks = "" };
    const struct emu_launch *l;
    int n = emu_launches(&l), most = largest(l, n), memsets = 0;
    double host = 0;

    for (int i = 0; i < n; i++) {
        struct model_time t;

        if (l[i].moved) {
            memsets++;
            continue;
        }
        c.launches++;
        if (player_play(p, &l[i], i == most ? read_bytes : 0, i == most ? written_bytes : NAN, &t) <
            0)
            t.us = t.launch_us = t.graph_us = t.host_us = NAN;
        // a memset costs as much as a launch
        c.us += t.us + t.launch_us * (1 + memsets);
        host += t.host_us * (1 + memsets);
        c.graph_us += t.us + t.graph_us * (1 + memsets);
        memsets = 0;
        c.assumed_branches += t.assumed_branches;
        if (!c.lacks[0] && t.lacks[0])
            c.lacks = text_of("%s", t.lacks);
        if (c.main < 0 || t.us > c.of_main.us) {
            c.main = i;
            c.of_main = t;
        }
    }
    c.us = fmax(c.us, host);   // calls in a row: the host prepares the next ones meanwhile
    return c;
}
