// ladder unseen --gpu NAME --from FOLDER: models, or measures, the kernels of
// plots/data/model/unseen.
#define _GNU_SOURCE   // strsep
#include "unseen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launches.h"
#include "runs.h"

enum { FIELDS = sizeof(struct unseen) / sizeof(char *) };

static const char *const field_name[FIELDS] = {
#define NAME(name) #name,
    UNSEEN(NAME)
#undef NAME
};

// --- the tables

// Fills in the cells of a line, which it modifies. Returns whether there are n.
static int split_line(char *line, const char *cell[], int n)
{
    int i = 0;

    for (char *one; i < n && (one = strsep(&line, "\t")); i++)
        cell[i] = one;
    return i == n && !line;
}

static struct unseen_rows rows_of(const char *path)
{
    struct unseen_rows all = { 0 };
    char *text, *line;

    if (access(path, R_OK) != 0)
        return all;
    text = read_text(path);
    while ((line = strsep(&text, "\n"))) {
        struct unseen row;

        if (!line[0] || line[0] == '#')
            continue;
        if (!split_line(line, (const char **)&row, FIELDS))
            fail("%s: expected %d columns: make unseen writes it again", path, FIELDS);
        if (same(row.name, field_name[0]))
            continue;
        all.of = grown(all.of, all.n, sizeof row);
        all.of[all.n++] = row;
    }
    return all;
}

static const char *modeled_path(const char *gpu)
{
    return text_of("%s/plots/data/model/unseen.%s.txt", root_folder(), gpu);
}

static const char *measured_path(const char *gpu)
{
    return text_of("%s/plots/data/%s/unseen.txt", root_folder(), gpu);
}

struct unseen_rows unseen_modeled(const char *gpu) { return rows_of(modeled_path(gpu)); }

struct unseen_rows unseen_measured(const char *gpu) { return rows_of(measured_path(gpu)); }

const struct unseen *unseen_same(const struct unseen_rows *all, const struct unseen *as)
{
    for (int i = 0; i < all->n; i++) {
        const struct unseen *r = &all->of[i];

        if (same(r->name, as->name) && same(r->kernel, as->kernel) && same(r->grid, as->grid) &&
            same(r->block, as->block))
            return r;
    }
    return NULL;
}

// --- the list

enum { NAME_CELL, REPOSITORY, COMMIT, SOURCE, EDIT, ARGUMENTS, KERNELS, CELLS };

struct listed {
    const char *cell[CELLS];
};

struct unseen_run {
    const char *gpu, *from, *ncu;
    int on_gpu;
    struct listed *listed;
    int n_listed;
    struct unseen_rows rows;
};

// The listed programs, or the one named `only`. The first is an empty kernel, of which no author
// has a file.
static void read_list(struct unseen_run *u, const char *only)
{
    static const struct listed empty = { { "empty", "-", "-", "empty.cu", "", "", "empty" } };
    const char *name = "plots/data/model/unseen";
    struct lines l = lines_of(text_of("%s/%s", root_folder(), name), name,
                              "name, repository, commit, file, edit, arguments, kernels");
    char *line;

    u->listed = grown(u->listed, u->n_listed, sizeof empty);
    u->listed[u->n_listed++] = empty;
    while ((line = next_line(&l))) {
        struct listed one;

        if (!split_line(line, one.cell, CELLS))
            fail("%s: expected %d cells with tabs between them", l.where, CELLS);
        u->listed = grown(u->listed, u->n_listed, sizeof one);
        u->listed[u->n_listed++] = one;
    }
    for (int i = 0; i < u->n_listed && only; i++)
        if (same(u->listed[i].cell[NAME_CELL], only)) {
            u->listed[0] = u->listed[i];
            u->n_listed = 1;
            return;
        }
    if (only)
        fail("--only %s: %s has no such program", only, name);
}

// --- programs

// The file of the list as the run uses it: a copy with the edit, build/unseen/NAME.cu.
static const char *copy_of(const struct listed *p)
{
    return text_of("%s/build/unseen/%s.cu", root_folder(), p->cell[NAME_CELL]);
}

// The folder of the repository's owner, which has the repository's files. The empty kernel is in no
// repository.
static const char *checkout(const struct unseen_run *u, const struct listed *p)
{
    const char *repository = p->cell[REPOSITORY];

    if (same(repository, "-"))
        return text_of("%s/build/unseen/own", root_folder());
    return text_of("%s/%.*s", u->from, (int)strcspn(repository, "/"), repository);
}

// A command of the shell that copies the file and makes a goal of the root folder. Its headers are
// beside the file, or in the repository's folder `common`.
static const char *make_command(const struct unseen_run *u, const struct listed *p,
                                const char *goal, const char *settings)
{
    const char *file = p->cell[SOURCE], *owner = checkout(u, p), *end = strrchr(file, '/');
    const char *folder = text_of("%s/%.*s", owner, end ? (int)(end - file) : 0, file);
    const char *flags = text_of("FLAGS=-I%s -I%s/common", shell_word(folder), shell_word(owner));

    return text_of("sed -e %s %s >%s && make -s --no-print-directory -C %s %s FILE=%s %s %s "
                   "</dev/null",
                   shell_word(p->cell[EDIT]), shell_word(text_of("%s/%s", owner, file)),
                   shell_word(copy_of(p)), shell_word(root_folder()), goal, shell_word(copy_of(p)),
                   shell_word(flags), settings);
}

static void add(struct unseen_run *u, const struct listed *p, struct unseen row)
{
    row.name = p->cell[NAME_CELL];
    row.repository = p->cell[REPOSITORY];
    u->rows.of = grown(u->rows.of, u->rows.n, sizeof row);
    u->rows.of[u->rows.n++] = row;
    printf("%s %s: %s\n", row.name, row.kernel, row.us[0] ? row.us : row.lacks);
    fflush(stdout);
}

// Whether a kernel's name, as ncu or the CPU device prints it, is this one: "void sum<4>(int *)".
static int is_kernel(const char *printed, const char *name)
{
    const char *at = strncmp(printed, "void ", 5) == 0 ? printed + 5 : printed;
    size_t n = strlen(name);

    return strncmp(at, name, n) == 0 && strchr("(<", at[n]) != NULL;
}

// --- modeled: rows of build/unseen/NAME.tsv, which the program writes

enum { T_KERNEL, T_GRID, T_BLOCK, T_US, T_GRAPH, T_LIMITER, T_CODE, T_LACKS, T_CELLS };

static void model_one(struct unseen_run *u, const struct listed *p)
{
    const char *table = text_of("%s/build/unseen/%s.tsv", root_folder(), p->cell[NAME_CELL]),
               *kernels = p->cell[KERNELS], *kernel, *cell[T_CELLS];
    const char *settings = text_of("DEVICE=cpu FOR=%s TABLE=%s ARGS=%s", u->gpu, shell_word(table),
                                   shell_word(p->cell[ARGUMENTS]));
    int failed;

    remove(table);
    output_of(text_of("{ %s; } 2>&1", make_command(u, p, "run-file", settings)), &failed);
    while ((kernel = next_word(&kernels))) {
        char *text = text_of("%s", access(table, R_OK) == 0 ? read_text(table) : ""), *line;
        struct unseen row = { .kernel = kernel,
                              .grid = "",
                              .block = "",
                              .us = "",
                              .mhz = "",
                              .limiter = "",
                              .lacks = "the program launches no such kernel" };

        while ((line = strsep(&text, "\n")))
            if (split_line(line, cell, T_CELLS) && is_kernel(cell[T_KERNEL], kernel)) {
                if (same(cell[T_CODE], "estimated"))
                    fail("unseen: no machine code: it needs nvcc and nvdisasm (docs/start.md)");
                row.grid = cell[T_GRID], row.block = cell[T_BLOCK], row.us = cell[T_GRAPH];
                row.limiter = cell[T_LIMITER], row.lacks = cell[T_LACKS];
                break;
            }
        add(u, p, row);
    }
}

// --- measured

// All programs, on all cores: a line per program for xargs.
static void build_all(const struct unseen_run *u)
{
    const char *commands = "", *path = text_of("%s/build/unseen/commands", root_folder());
    int failed;

    for (int i = 0; i < u->n_listed; i++)
        commands =
            text_of("%s%s\n", commands, make_command(u, &u->listed[i], "build-file", "DEVICE=gpu"));
    write_if_changed(path, commands);
    output_of(text_of("tr '\\n' '\\0' <%s | xargs -0 -n 1 -P \"$(nproc)\" sh -c >%s.log 2>&1",
                      shell_word(path), shell_word(path)),
              &failed);
}

static void measure_one(struct unseen_run *u, const struct listed *p)
{
    const char *program = text_of("%s/build/gpu/file/%s", root_folder(), p->cell[NAME_CELL]),
               *kernels = p->cell[KERNELS], *kernel, *csv;
    struct measured_launches all;
    char *names = text_of("%s", kernels);
    int failed;

    for (char *c = names; *c; c++)
        *c = *c == ' ' ? '|' : *c;
    csv = output_of(text_of("%s --clock-control none --print-units base --csv -k %s --metrics "
                            "gpu__time_duration.sum,sm__cycles_elapsed.max %s %s 2>&1 </dev/null",
                            u->ncu, shell_word(text_of("regex:^(%s)$", names)), shell_word(program),
                            p->cell[ARGUMENTS]),
                    &failed);
    all = launches_of(csv);
    while ((kernel = next_word(&kernels))) {
        struct unseen row = { .kernel = kernel,
                              .grid = "",
                              .block = "",
                              .us = "",
                              .mhz = "",
                              .limiter = "",
                              .lacks = "no launch of this kernel in the profile" };
        int i = 0;

        while (i < all.n && !is_kernel(all.of[i].kernel, kernel))
            i++;
        if (i < all.n) {
            double us = launch_value(&all.of[i], "gpu__time_duration.sum") / 1e3;

            row.grid = all.of[i].grid, row.block = all.of[i].block, row.lacks = "";
            row.us = text_of("%.5g", us);
            row.mhz = text_of("%.0f", launch_value(&all.of[i], "sm__cycles_elapsed.max") / us);
        } else {   // not into the table: what a program and ncu print has paths of the machine
            fprintf(stderr, "%s\n", text_head(csv, 400));
        }
        add(u, p, row);
    }
}

// --- the command

static void save(const struct unseen_run *u)
{
    const char *text = text_of("# %s, %s: make unseen DEVICE=%s FOR=%s FROM=FOLDER\n",
                               u->on_gpu ? gpu_said("name") : "Modeled", date_text(),
                               u->on_gpu ? "gpu" : "cpu", u->gpu);

    for (int i = 0; i < FIELDS; i++)
        text = text_of("%s%s%s", text, i ? "\t" : "", field_name[i]);
    for (int r = 0; r < u->rows.n; r++)
        for (int i = 0; i < FIELDS; i++)
            text =
                text_of("%s%c%s", text, i ? '\t' : '\n', ((const char *const *)&u->rows.of[r])[i]);
    mkdir(text_of("%s/plots/data/%s", root_folder(), u->gpu), 0777);
    write_if_changed(u->on_gpu ? measured_path(u->gpu) : modeled_path(u->gpu),
                     text_of("%s\n", text));
}

static void write_empty(void)
{
    mkdir(text_of("%s/build/unseen/own", root_folder()), 0777);
    write_if_changed(text_of("%s/build/unseen/own/empty.cu", root_folder()),
                     "__global__ void empty() {}\n"
                     "int main()\n{\n    empty<<<1, 32>>>();\n"
                     "    return cudaDeviceSynchronize();\n}\n");
}

// The rows of the other programs, which are not run again.
static void keep_others(struct unseen_run *u, const char *only)
{
    struct unseen_rows old = u->on_gpu ? unseen_measured(u->gpu) : unseen_modeled(u->gpu);

    for (int i = 0; i < old.n; i++)
        if (!same(old.of[i].name, only)) {
            u->rows.of = grown(u->rows.of, u->rows.n, sizeof old.of[i]);
            u->rows.of[u->rows.n++] = old.of[i];
        }
}

enum status command_unseen(struct arguments a)
{
    const char *gpu = take_option(&a, "--gpu"), *from = take_option(&a, "--from"),
               *ncu = take_option(&a, "--ncu"), *device = take_option(&a, "--device"),
               *only = take_option(&a, "--only");
    struct unseen_run u = { .gpu = gpu, .from = from, .ncu = ncu ? ncu : "ncu" };

    no_options(&a);
    if (a.n || !gpu || !from || !device || !has_word("cpu gpu", device))
        fail("unseen: expected --gpu NAME --from FOLDER --device cpu|gpu [--ncu NCU] [--only "
             "NAME]");
    must_be_name("--gpu", gpu);
    u.on_gpu = same(device, "gpu");
    read_list(&u, only);
    mkdir(text_of("%s/build/unseen", root_folder()), 0777);
    write_empty();
    if (only)
        keep_others(&u, only);
    if (u.on_gpu)
        build_all(&u);
    for (int i = 0; i < u.n_listed; i++) {
        (u.on_gpu ? measure_one : model_one)(&u, &u.listed[i]);
        save(&u);
    }
    return STATUS_OK;
}
