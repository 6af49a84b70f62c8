// `ladder figure NAME`: what gnuplot draws for one figure; and which table that is from.
#include "figure.h"

#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folders.h"
#include "runs.h"
#include "tool.h"

#define NUMBER(row, column) row_number((row), COLUMN_##column)

static double positive(double v) { return v > 0 ? v : NAN; }

// Whether the profiler counted a stage's instructions at its size.
static int has_instructions(const struct view *v, const struct row *r)
{
    struct place p = { r->size, "count", NULL, "", "" };

    return row_is_reference(r) || value_beside(&v->t, NULL, r->stage, &p, COLUMN_instructions) > 0;
}

QUANTITY(rate, positive(NUMBER(r, rate)))
QUANTITY(rate_with_flops, NUMBER(r, flops) > 0 && NUMBER(r, bytes) > 0 ? rate(v, r) : NAN)
QUANTITY(rate_with_instructions, has_instructions(v, r) ? rate(v, r) : NAN)
QUANTITY(micro_seconds, positive(NUMBER(r, median_us)))
QUANTITY(time_per_element, micro_seconds(v, r) * 1e-6 / size_of(r->size).product)
QUANTITY(requests, positive(fmax(fmax(NUMBER(r, ld_requests), NUMBER(r, st_requests)),
                                 NUMBER(r, shared_requests))))
QUANTITY(lanes, NUMBER(r, barriers) >= 0 ? positive(NUMBER(r, active_lanes)) : NAN)
QUANTITY(asked_column, row_number(r, v->column))
QUANTITY(stride, positive(NUMBER(r, stride)))
QUANTITY(warps, NUMBER(r, warps))
QUANTITY(sectors_per_element,
         positive((NUMBER(r, ld_sectors) + NUMBER(r, st_sectors)) / size_of(r->size).product))

// Of a map: a rate, or on the CPU device the wavefronts, or the column asked for.
static double of_knobs(const struct view *v, const struct row *r)
{
    int knobs = 0;

    for (const char *at = r->knobs; *at; at++)
        knobs += *at == '=';
    if (knobs < 1 || knobs > 2)
        return NAN;
    return positive(row_number(r, strcmp(r->mode, "count") == 0 ? v->column : COLUMN_rate));
}

// In units of what rounding a float of the size of the sum may lose: sums of n values spread evenly
// over [-1, 1) are of the order of sqrt(n / 3). A sum of a few floats has no error to speak of.
static double summation_error(const struct view *v, const struct row *r)
{
    double n = size_of(r->size).product, error = NUMBER(r, max_error);

    (void)v;
    if (strcmp(r->type, "float") != 0 || !(error >= 0) || n < 64)
        return NAN;
    return error / (ldexp(1, -24) * sqrt(n / 3));
}

// As a share of sum |a| |b|, about K / 4 for values spread evenly over [-1, 1).
static double accuracy(const struct view *v, const struct row *r)
{
    struct size s = size_of(r->size);

    (void)v;
    return s.sides ? positive(NUMBER(r, max_error)) / (s.side[s.sides - 1] / 4) : NAN;
}

// What a stage loads in 32-byte sectors, copies by the TMA included, which are no requests of
// warps: L2 counts them. Of several kernels, requests of a helper alone would be mistaken for all.
static double sectors_per_1000(const struct view *v, const struct row *r)
{
    double l2 = NUMBER(r, l2_read_bytes);

    (void)v;
    if (NUMBER(r, kernels) > 1 && isnan(l2))
        return NAN;
    return 1000 * positive(fmax(NUMBER(r, ld_sectors), l2 / 32)) / positive(NUMBER(r, flops));
}

static double bytes_by_rules(const struct view *v, const struct row *r)
{
    int rules = strncmp(r->variant, "rules=", 6) == 0 && !strchr(r->variant, ' ');

    (void)v;
    return rules || !r->variant[0] ? positive(NUMBER(r, ld_bytes) + NUMBER(r, st_bytes)) : NAN;
}

#define SWEEP (ALL_SIZES | TAKES_BESIDE)

const struct figure figures[] = {
    { "ladder", "ladder", "cold hot", "size rate", rate, "a rate", draw_ladder,
      SPLIT_ARITHMETIC | TAKES_BESIDE, "rate of each stage", "",
      "Each bar is a stage's median rate, with its 10th and 90th percentile; the share is of the "
      "reference in the same run." },
    { "then_and_now", "ladder", "cold hot", "size rate", rate, "a rate", draw_then_and_now,
      PUBLISHED, "then and now", "",
      "Compare the shapes: each panel has its own scale, the multiples are of the same stage." },
    { "shmoo", "shmoo", "cold hot", "size rate", rate, "a rate", draw_sweep,
      SWEEP | SPLIT_ARITHMETIC, "rate against size", "references are black",
      "Follow a curve to the right: it rises until the GPU is full, and bends where the data "
      "outgrow the L2 cache." },
    { "time_per_element", "shmoo", "cold hot", "size median_us", time_per_element, "a time",
      draw_sweep, SWEEP, "time per element against size", "logarithmic",
      "Where a curve falls, the launch takes longer than the work; where it is flat, only the work "
      "counts." },
    { "knobs", "knobs", "cold hot count", "size knobs", of_knobs,
      "one or two knobs and a rate or a count", draw_knobs, ALL_KNOBS, "", "",
      "Each cell is one build; the framed cell is the best, a gray one failed." },
    { "counts", "counts", "count",
      "size ld_requests ld_sectors st_requests st_sectors "
      "shared_requests shared_wavefronts",
      requests, "counts", draw_numbers, CPU_FIRST,
      "sectors and wavefronts per request, bytes moved / needed", "",
      "Shorter is better: the dotted lines are what contiguous 4-byte and 16-byte accesses need." },
    { "activity", "counts", "count", "size active_lanes barriers", lanes,
      "active_lanes and barriers", draw_numbers, CPU_FIRST,
      "active lanes per memory request, and barriers", "",
      "Left, 32 active lanes are the whole warp; right, each barrier is counted per warp." },
    { "summation_error", "errors", "check", "size type seed max_error", summation_error,
      "a max_error of floats, n being 64 or more", draw_sweep, ALL_SIZES | ALL_SEEDS | TAKES_BESIDE,
      "error of float sums", "mean of several seeds, against a sum in double",
      "Lower is more accurate: a tree of additions loses far less than one addition after the "
      "other." },
    { "sectors", "counts", "count", "size flops ld_sectors", sectors_per_1000, "flops and sectors",
      draw_numbers, CPU_FIRST, "32-byte sectors loaded per 1000 flops", "logarithmic",
      "Further left is better: a vertical line is what square thread block tiles of that side "
      "load." },
    { "memory_only", "ladder", "cold hot", "size variant median_us", micro_seconds, "a time",
      draw_memory_only, ALL_VARIANTS | PUBLISHED, "time / without the arithmetic (dark)",
      "dark: without arithmetic",
      "The dark part is the time that is left without the arithmetic; the pale part is what the "
      "arithmetic adds." },
    { "generations", "counts", "count",
      "size variant bytes ld_sectors st_sectors ld_bytes "
      "st_bytes",
      bytes_by_rules, "sectors and the bytes that they move", draw_generations,
      ALL_VARIANTS | CPU_FIRST, "memory transactions by GPU generation",
      "per 1000 elements, bytes moved / needed; * no textures",
      "Each point is one GPU generation; points close together are code that every generation "
      "runs well." },
    { "roofline", "roofline", "cold hot", "size rate flops bytes", rate_with_flops,
      "a rate, flops and bytes", draw_roofline, ANY_ARITHMETIC, "roofline",
      "rate against arithmetic intensity",
      "No point can be above its roof: the slopes are memory bandwidth, the flat lines arithmetic "
      "peaks." },
    { "access", "access", "cold count", "mode status stride used_bytes moved_bytes", stride,
      "a stride", draw_access, ANY_ROW, "", "",
      "The gap between the curves is bandwidth that is spent on bytes that the warp does not "
      "use." },
    { "sawtooth", "sawtooth", "cold hot", "size rate", rate, "a rate", draw_sweep, SWEEP,
      "rate against size", "in small steps",
      "A rate drops where one more tile starts another wave of blocks." },
    { "accuracy", "accuracy", "cold check", "size max_error", accuracy, "a max_error", draw_sweep,
      ALL_SIZES | ANY_ARITHMETIC | TAKES_BESIDE, "largest error", "as a share of sum |a| |b|",
      "Lower is more accurate; 2^-24 is what rounding one float loses at most." },
    { "sensitivity", "sensitivity", "cold hot", "size knobs variant median_us", micro_seconds,
      "a time", draw_sensitivity, ALL_VARIANTS | ANY_KNOBS | PUBLISHED,
      "time with other blocks and pitches", "multiples of the file's setting",
      "1.00 is the setting of the stage's file; longer bars are slower settings." },
    { "instructions", "instructions", "cold hot", "size rate instructions", rate_with_instructions,
      "a rate, and a count of its instructions", draw_instructions, 0,
      "rate against instructions per element", "logarithmic",
      "Fewer instructions are further left; the slope is the issue rate, the dashed line the "
      "copy." },
    { "occupancy", "occupancy", "occupancy",
      "capability chart warps most_warps threads regs "
      "shared_bytes",
      warps, "a point", draw_occupancy, ANY_ROW, "resident warps per SM",
      "by the occupancy calculator",
      "Each curve shows how many warps fit as one resource varies; the points are stages." },
    { "count_shmoo", "shmoo", "count", "size ld_sectors st_sectors", sectors_per_element, "sectors",
      draw_sweep, ALL_SIZES | CPU_FIRST, "32-byte sectors per element against size", "",
      "A flat curve moves as much per element at every size; a curve that rises wastes sectors." },
    { "column", "ladder", "cold hot count", "size", asked_column, "this column", draw_numbers,
      TAKES_BESIDE, "", "", "Any column of the result table, one bar per stage." },
    { 0 }
};

// --- tables

struct source {
    const char *file[256];
    int n;
    const char *whence;
};

// Whether results are not those of a stage or reference that was removed since.
static int lives(const char *week, const char *path)
{
    const char *stem = stem_of(path), *suffix = stem[0] == 's' ? "_*.cu" : ".cu";
    glob_t found;
    int lives;

    if (stage_number(stem) < 0 && strncmp(stem, "ref_", 4) != 0)
        return 1;
    lives = glob(text_of("%s/%s/%s%s", root_folder(), week, stem, suffix), 0, NULL, &found) == 0;
    if (lives)
        globfree(&found);
    return lives;
}

// A folder's results of a figure: what every run leaves, the references first, because what is kept
// of them belongs to no run of a stage; and the table of the part.
static struct source results_of(const struct view *v, const char *folder)
{
    const char *part = v->f->part, *file[] = { "ref_*", "stage*", part };
    int every =
        strcmp(part, "ladder") == 0 || strcmp(part, "shmoo") == 0 || strcmp(part, "counts") == 0;
    struct source s = { .whence = text_of("%s/results/%s/", v->week, strrchr(folder, '/') + 1) };

    for (int i = every ? 0 : 2; i < 3; i++) {
        glob_t found;

        if (glob(text_of("%s/%s.tsv", folder, file[i]), 0, NULL, &found) != 0)
            continue;
        for (size_t k = 0; k < found.gl_pathc && s.n < 256; k++)
            if (lives(v->week, found.gl_pathv[k]))
                s.file[s.n++] = found.gl_pathv[k];
    }
    return s;
}

static struct source recorded_of(const struct view *v, const char *from, const char *part)
{
    char path[PATH_MAX];

    recorded_path(path, root_folder(), from, v->week, part);
    return (struct source){ { text_of("%s", path) },
                            1,
                            text_of("the recorded run plots/data/%s/%s", from,
                                    strrchr(path, '/') + 1) };
}

// Reads tables. Returns what they lack of the columns that the figure needs, or NULL.
static const char *read_source(struct view *v, const struct source *s)
{
    char *needs = text_of("stage mode status %s", v->f->needs);

    v->t = (struct table){ 0 };
    v->table = s->file[0];
    for (int i = 0; i < s->n; i++) {
        int failed = table_read(&v->t, s->file[i]);

        if (failed == TABLE_NO_FILE)
            fail("%s: %s", s->file[i], strerror(errno));
        if (failed == TABLE_BAD)
            fail("%s: not a result table: it has no header", s->file[i]);
    }
    if (!v->week[0] && v->t.n)
        v->week = v->t.row[0].week;
    for (char *need = strtok(needs, " "); need; need = strtok(NULL, " "))
        if (!v->t.has[column_of_name(need)])
            return text_of("has no column '%s'", need);
    return NULL;
}

// --- the figure

// A view with the same choices as this one, of another table, from which nothing was chosen yet.
static struct view *fresh_view(const struct view *wanted)
{
    struct view *v = malloc(sizeof *v);

    *v = *wanted;
    v->t = (struct table){ 0 };
    v->stage = NULL, v->stages = v->all = 0;
    return v;
}

// The published table of the week's topic, if the slides had one.
static struct view *published_of(const struct view *wanted, const char *week, const char *path)
{
    struct view *then = fresh_view(wanted);
    glob_t found;

    then->week = week;
    then->mode = "published";
    then->type = then->size = then->knobs = NULL;
    if (!path && glob(text_of("%s/plots/data/published/*_%s.tsv", root_folder(), topic_of(then)), 0,
                      NULL, &found) != 0)
        return NULL;
    read_source(then, &(struct source){ { path ? path : found.gl_pathv[0] }, 1, "" });
    return view_choose(then) ? NULL : then;
}

struct asked {
    const char *from, *beside, *published;
    int recorded;   // not what this machine measured
};

// Draws from one table. Returns what it lacks, or NULL.
static const char *draw(struct page **page, struct view *v, const struct asked *a)
{
    struct view wanted = *v;
    const char *lacks = view_choose(v);

    *page = page_new();
    if (lacks)
        return lacks;
    if (!(v->f->flags & ANY_ROW))
        view_add_stages(v);
    if (v->f->flags & PUBLISHED)
        v->then = published_of(&wanted, v->week, a->published);
    if (a->beside && v->f->flags & TAKES_BESIDE) {
        struct source s = recorded_of(v, a->beside, v->f->part);

        v->beside = fresh_view(&wanted);
        v->beside->mode = v->mode, v->beside->size = v->size;
        lacks = access(s.file[0], R_OK) ? "no such recorded run" : read_source(v->beside, &s);
        lacks = lacks ? lacks : view_choose(v->beside);
        if (lacks)
            return text_of("%s: %s", s.whence, lacks);
    }
    lacks = v->f->draw(*page, v);
    if (!lacks)
        page_titles(*page, v);
    return lacks;
}

// Where a figure may be from, in order: this machine's results, unless a device's recorded run was
// asked for; that run; that of the CPU device.
static int sources_of(const struct view *v, const struct asked *a, struct source *s)
{
    const char *week = text_of("%s/%s", root_folder(), v->week);
    const char *from = a->from ? a->from : recorded_from();
    struct source folder[2] = { { .n = 0 }, { .n = 0 } };
    int n = 0, cpu = v->f->flags & CPU_FIRST ? 0 : 1;
    char gpu[PATH_MAX];

    folder[cpu] = results_of(v, text_of("%s/results/cpu", week));
    if (newest_results(gpu, week) == 0)
        folder[!cpu] = results_of(v, text_of("%s", gpu));
    for (int i = 0; i < 2 && !a->from && !a->recorded; i++)
        if (folder[i].n)
            s[n++] = folder[i];
    s[n] = recorded_of(v, from, v->f->part);
    n += access(s[n].file[0], R_OK) == 0;
    if (v->f->value == asked_column) {
        s[n] = recorded_of(v, from, "counts");
        n += access(s[n].file[0], R_OK) == 0;
    }
    s[n] = recorded_of(v, "cpu", v->f->value == asked_column ? "counts" : v->f->part);
    return n + (access(s[n].file[0], R_OK) == 0);
}

static const char *draw_first(struct page **page, const struct view *wanted, const struct asked *a,
                              const char **whence)
{
    struct source s[8];
    int n = sources_of(wanted, a, s);
    const char *lacks = n ? NULL : "neither results of this machine nor a recorded run";

    for (int i = 0; i < n; i++) {
        struct view *v = fresh_view(wanted);
        const char *failed = read_source(v, &s[i]);

        failed = failed ? failed : draw(page, v, a);
        *whence = s[i].whence;
        if (!failed)
            return NULL;
        lacks = lacks ? lacks : text_of("%s: %s", v->table, failed);
    }
    return lacks;
}

static const char *given_week(struct arguments *a)
{
    const char *week = take_option(a, "--week");
    char *here = getcwd(NULL, 0), *name = here ? strrchr(here, '/') + 1 : "";

    week = week ? week : getenv("LADDER_WEEK");
    if (week && week[0])
        return week;
    return name[0] >= '0' && name[0] <= '9' && strchr(name, '_') ? name : "";
}

// What is asked for in words; what is not asked for is chosen.
static struct view view_of(struct arguments *a, const struct figure *f)
{
    struct view v = { .f = f, .week = given_week(a), .column = COLUMN_shared_wavefronts };
    const char *column = take_option(a, "--column");

    v.title = f ? f->title : "", v.how = f ? f->how : "";
    v.size = take_option(a, "--size");
    v.size_given = v.size != NULL;
    v.mode = take_option(a, "--mode");
    v.type = take_option(a, "--type");
    v.knobs = take_option(a, "--knobs");
    v.base = take_option(a, "--base");
    if (column && column_of_name(column) < 0)
        fail("--column %s: no such column; ladder columns lists them", column);
    if (column)
        v.column = column_of_name(column);
    if (f && f->value == asked_column && !column)
        fail("figure column: needs --column NAME; ladder columns lists them");
    if (v.size && (!size_of(v.size).sides || v.size[0] == '0'))
        fail("--size %s: not a size; expected ROWSxCOLS, for example 4099x8191", v.size);
    return v;
}

static const struct figure *figure_of(const char *name)
{
    const char *names = "";
    int i;

    for (i = 0; figures[i].name && strcmp(figures[i].name, name) != 0; i++)
        names = with_word(names, figures[i].name);
    if (!figures[i].name)
        fail("figure %s: no such figure; there are: %s", name, names);
    return &figures[i];
}

static struct asked asked_of(struct arguments *a)
{
    const char *beside = getenv("LADDER_BESIDE"), *from = getenv("LADDER_FROM");
    struct asked asked = { .from = take_option(a, "--from"),
                           .beside = take_option(a, "--beside"),
                           .published = take_option(a, "--published"),
                           .recorded = take_flag(a, "--recorded") };

    asked.from = asked.from ? asked.from : from && from[0] ? from : NULL;
    asked.beside = asked.beside ? asked.beside : beside && beside[0] ? beside : NULL;
    return asked;
}

// The list; with --names, of a week: what its file `runs` measures. Runs in the week's folder.
static enum status list_figures(int names)
{
    const char *parts = names ? parts_of_file(NULL) : "";

    for (int i = 0; figures[i].name; i++)
        if (!names)
            printf("%-16s %s\n", figures[i].name, figures[i].says);
        else if (has_word(parts, figures[i].part) && figures[i].value != asked_column)
            puts(figures[i].name);
    return STATUS_OK;
}

// ladder figure [--names]: the list.
//
// ladder figure NAME [--week W] [--from NAME] [--beside NAME] [--recorded] [--published FILE]
// [--format F] [--size S] [--mode M] [--type T] [--knobs K] [--base STAGE] [--column C] [TABLE...]
enum status command_figure(struct arguments a)
{
    int names = take_flag(&a, "--names");
    const struct figure *f = a.n && a.word[0][0] != '-' ? figure_of(a.word[0]) : NULL;
    const char *format = take_option(&a, "--format"), *lacks, *whence = "";
    struct asked asked = asked_of(&a);
    struct view v = view_of(&a, f);
    struct page *page;

    no_options(&a);
    if (!f)
        return list_figures(names);
    format = format ? format : "svg";
    if (strcmp(format, "svg") && strcmp(format, "png") && strcmp(format, "pdf"))
        fail("--format %s: the formats are svg, png and pdf", format);
    if (a.n > 1) {
        struct source s = { .whence = a.word[1] };

        for (int i = 1; i < a.n && s.n < 256; i++)
            s.file[s.n++] = a.word[i];
        v.week = "";
        lacks = read_source(&v, &s);
        if (lacks)
            fail("%s: %s", v.table, lacks);
        if (asked.beside)
            fail("--beside %s: it goes with recorded runs, not with a table", asked.beside);
        lacks = draw(&page, &v, &asked);
        lacks = lacks ? text_of("%s: %s", v.table, lacks) : NULL;
        whence = s.whence;
    } else {
        if (!v.week[0])
            fail("figure %s: which week? In its folder, with --week, or of a table", f->name);
        lacks = draw_first(&page, &v, &asked, &whence);
    }
    if (lacks)
        die(STATUS_SKIPPED, "%s: %s", f->name, lacks);
    page->format = format;
    page_print(page, text_of("%s/plots", root_folder()), whence);
    return STATUS_OK;
}
