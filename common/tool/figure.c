// `ladder figure NAME`: prints a gnuplot script with the data of one figure, and which table they
// are from.
#include "figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figure_events.h"
#include "folders.h"
#include "runs.h"

#define NUMBER(row, column) row_number((row), COLUMN_##column)

static double positive(double v) { return v > 0 ? v : NAN; }

QUANTITY(rate, positive(NUMBER(r, rate)))
QUANTITY(rate_with_flops, NUMBER(r, flops) > 0 && NUMBER(r, bytes) > 0 ? rate(v, r) : NAN)
QUANTITY(rate_with_instructions,
         row_is_reference(r) || counted(v, r, COLUMN_instructions) > 0 ? rate(v, r) : NAN)
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

// The value of a cell in a map: a rate or, on the CPU device, wavefronts or the column of --column.
static double of_knobs(const struct view *v, const struct row *r)
{
    int knobs = 0;

    for (const char *at = r->knobs; *at; at++)
        knobs += *at == '=';
    if (knobs < 1 || knobs > 2)
        return NAN;
    return positive(row_number(r, strcmp(r->mode, "count") == 0 ? v->column : COLUMN_rate));
}

// The error in units of the rounding error of a float as large as the sum: a sum of n values that
// are uniform over [-1, 1) is of the order of sqrt(n / 3). Sums of fewer than 64 floats are not
// shown.
static double summation_error(const struct view *v, const struct row *r)
{
    double n = size_of(r->size).product, error = NUMBER(r, max_error);

    (void)v;
    if (strcmp(r->type, "float") != 0 || !(error >= 0) || n < 64)
        return NAN;
    return error / (ldexp(1, -24) * sqrt(n / 3));
}

// The error as a share of sum |a| |b|, which is about K / 4 for values that are uniform over [-1,
// 1).
static double accuracy(const struct view *v, const struct row *r)
{
    struct size s = size_of(r->size);

    (void)v;
    return s.sides ? positive(NUMBER(r, max_error)) / (s.side[s.sides - 1] / 4) : NAN;
}

// The 32-byte sectors that a stage loads. Copies by the TMA are not requests of warps, but are
// among the bytes that L2 counts. With several kernels, the requests alone could be those of a
// helper kernel, so the bytes of L2 are required.
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
      PUBLISHED | PUBLISHED_SIZE, "then and now", "",
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
      "one or two knobs and a rate or a count", draw_knobs, ALL_KNOBS | CPU_LAST, "", "",
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
    { "bound", "ladder", "cold hot", "size median_us", micro_seconds, "a time", draw_bound, 0,
      "lower bound of the time (dark)", "share of the time, and what limits it",
      "A long bar is near its bound: what limits it must change; a short one waits for what the "
      "bound does not model." },
    { "differences", "counts", "count", "size ld_requests", requests, "counts", draw_differences,
      ALL_SIZES, "counts of the CPU device against ncu",
      "the largest difference of 7 counters, as a share of ncu's count; = none",
      "A stage without a bar is counted exactly; a bar is the largest difference, as a share of "
      "ncu's count." },
    { "column", "ladder", "cold hot count", "size", asked_column, "this column", draw_numbers,
      TAKES_BESIDE, "", "", "Any column of the result table, one bar per stage." },
    { 0 }
};

// --- tables

// Files that are read as one table; n is 0 if there are none.
struct source {
    struct arguments files;
    const char *whence;
};

// Whether the stage or reference with these results still has a file.
static int lives(const char *week, const char *path)
{
    const char *stem = stem_of(path);

    return (stage_number(stem) < 0 && !name_is_reference(stem)) ||
           files_like(text_of("%s/%s", root_folder(), week), "@(%s|%s_*).cu", stem, stem).n > 0;
}

// A folder's results for a figure. References come first, because their stored rows do not belong
// to the run of a stage.
static struct source results_of(const struct view *v, const char *folder)
{
    struct source s = { result_files(folder, v->f->part),
                        text_of("%s/results/%s/", v->week, strrchr(folder, '/') + 1) };
    int kept = 0;

    for (int i = 0; i < s.files.n; i++)
        if (lives(v->week, s.files.word[i]))
            s.files.word[kept++] = s.files.word[i];
    s.files.n = kept;
    return s;
}

static struct source recorded_of(const struct view *v, const char *from, const char *part)
{
    char path[PATH_MAX], **word = must_malloc(sizeof *word);

    recorded_path(path, root_folder(), from, v->week, part);
    *word = text_of("%s", path);
    return (struct source){ { access(path, R_OK) == 0, word },
                            text_of("the recorded run plots/data/%s/%s", from,
                                    strrchr(path, '/') + 1) };
}

// The possible sources of a figure, in order: this machine's results, unless a recorded run was
// requested; that recorded run; the recorded run of the CPU device. With CPU_LAST, this machine's
// results of the CPU device follow the recorded run. The last one's whence is NULL.
static void sources_of(const struct view *v, struct source s[6])
{
    const char *week = text_of("%s/%s", root_folder(), v->week);
    const char *from = v->from ? v->from : recorded_from(v->week);
    int cpu = v->f->flags & CPU_FIRST ? 0 : 1, any = v->f->value == asked_column, n = 0;
    char gpu[PATH_MAX];

    if (!v->from && !v->recorded) {
        s[cpu] = results_of(v, text_of("%s/results/cpu", week));
        s[!cpu] = (struct source){ .whence = "" };
        if (newest_results(gpu, week) == 0)
            s[!cpu] = results_of(v, gpu);
        n = 2;
    }
    s[n++] = recorded_of(v, from, v->f->part);
    if (n == 3 && v->f->flags & CPU_LAST) {
        struct source recorded = s[2];

        s[2] = s[1], s[1] = recorded;
    }
    if (any)
        s[n++] = recorded_of(v, from, "counts");
    s[n++] = recorded_of(v, "cpu", any ? "counts" : v->f->part);
    s[n].whence = NULL;
}

// Reads tables. Returns which column that the figure needs is missing, or NULL.
static const char *read_source(struct view *v, const struct source *s)
{
    char *needs = text_of("stage mode status %s", v->f->needs);

    v->t = read_tables(&s->files);
    v->table = s->files.word[0];
    if (!v->week[0] && v->t.n)
        v->week = v->t.row[0].week;
    for (char *need = strtok(needs, " "); need; need = strtok(NULL, " "))
        if (!v->t.has[column_of_name(need)])
            return text_of("has no column '%s'", need);
    return NULL;
}

// --- the figure

// A copy of a view for another table: same options, no rows chosen yet.
static struct view *fresh_view(const struct view *wanted)
{
    struct view *v = must_malloc(sizeof *v);

    *v = *wanted;
    return v;
}

// The published table of the week's topic, if the slides had one.
static struct view *published_of(const struct view *wanted, const char *week)
{
    struct view *then = fresh_view(wanted);
    struct source s = { published_files(topic_of(week)), "" };

    if (wanted->published)
        s.files = (struct arguments){ 1, (char **)&wanted->published };
    then->week = week;
    then->mode = "published";
    then->type = then->size = then->knobs = NULL;
    if (!s.files.n)
        return NULL;
    read_source(then, &s);
    return view_choose(then) ? NULL : then;
}

// Adds the second device's view, with the same mode and size. Returns what is missing, or NULL.
static const char *add_beside(struct view *v, const struct view *wanted)
{
    struct source s = recorded_of(v, v->beside_from, v->f->part);
    const char *lacks;

    v->beside = fresh_view(wanted);
    v->beside->mode = v->mode, v->beside->size = v->size, v->beside->highlight = v->highlight;
    lacks = s.files.n ? read_source(v->beside, &s) : "no such recorded run";
    lacks = lacks ? lacks : view_choose(v->beside);
    return lacks ? text_of("%s: %s", s.whence, lacks) : NULL;
}

// Draws from the table that was read. Returns what is missing in it, or NULL.
static const char *draw(struct page **page, struct view *v)
{
    struct view wanted = *v, *then = NULL;
    const char *lacks = NULL;

    *page = page_new();
    if (v->f->flags & PUBLISHED)
        then = published_of(&wanted, v->week);
    if (then && !v->size && v->f->flags & PUBLISHED_SIZE)
        v->size = then->size;
    lacks = view_choose(v);
    if (lacks && v->size != wanted.size) {
        *v = wanted;
        lacks = view_choose(v);
    }
    v->then = then;
    if (!lacks && !(v->f->flags & ANY_ROW))
        view_add_stages(v);
    if (!lacks && v->beside_from)
        lacks = add_beside(v, &wanted);
    lacks = lacks ? lacks : v->f->draw(*page, v);
    if (!lacks)
        page_titles(*page, v);
    return lacks;
}

// Draws from the first source that has all that the figure needs. Returns NULL, or what is missing
// in the first source.
static const char *draw_first(struct page **page, const struct view *wanted, const char **whence)
{
    const char *lacks = NULL;
    struct source s[6];

    sources_of(wanted, s);
    for (int i = 0; s[i].whence; i++) {
        struct view *v = fresh_view(wanted);
        const char *failed;

        if (!s[i].files.n)
            continue;
        failed = read_source(v, &s[i]);
        failed = failed ? failed : draw(page, v);
        *whence = s[i].whence;
        if (!failed)
            return NULL;
        lacks = lacks ? lacks : text_of("%s: %s", v->table, failed);
    }
    return lacks ? lacks : "neither results of this machine nor a recorded run";
}

// --- the command

// The value of an option or, without it, of an environment variable; NULL if both are empty.
static const char *option_or(struct arguments *a, const char *name, const char *variable)
{
    const char *option = take_option(a, name), *value = getenv(variable);

    return option ? option : value && value[0] ? value : NULL;
}

static const char *given_week(struct arguments *a)
{
    const char *week = option_or(a, "--week", "LADDER_WEEK");
    char *here = getcwd(NULL, 0), *name = here ? strrchr(here, '/') + 1 : "";

    if (week && week[0])
        return week;
    return name[0] >= '0' && name[0] <= '9' && strchr(name, '_') ? name : "";
}

// The names of the figures that have this flag; 0: of all figures.
static const char *names_of(int flag)
{
    const char *names = "";

    for (int i = 0; figures[i].name; i++)
        if ((figures[i].flags & flag) == flag)
            names = with_word(names, figures[i].name);
    return names;
}

static const struct figure *figure_of(const char *name)
{
    for (int i = 0; figures[i].name; i++)
        if (strcmp(figures[i].name, name) == 0)
            return &figures[i];
    fail("figure %s: no such figure; there are: %s", name, names_of(0));
}

// A view with the given options. What is not given is chosen later.
static struct view view_of(struct arguments *a, const struct figure *f)
{
    struct view v = { .f = f,
                      .week = given_week(a),
                      .from = option_or(a, "--from", "LADDER_FROM"),
                      .published = take_option(a, "--published"),
                      .recorded = take_flag(a, "--recorded"),
                      .column = COLUMN_shared_wavefronts,
                      .size = take_option(a, "--size"),
                      .mode = take_option(a, "--mode"),
                      .type = take_option(a, "--type"),
                      .knobs = take_option(a, "--knobs"),
                      .base = take_option(a, "--base"),
                      .title = f ? f->title : "",
                      .how = f ? f->how : "" };
    const char *column = take_option(a, "--column"), *beside = take_option(a, "--beside");

    if (column && column_of_name(column) < 0)
        fail("--column %s: no such column; ladder columns lists them", column);
    if (column)
        v.column = column_of_name(column);
    if (f && f->value == asked_column && !column)
        fail("figure column: needs --column NAME; ladder columns lists them");
    if (v.size && !size_of(v.size).sides)
        fail("--size %s: not a size; expected ROWSxCOLS, for example 4099x8191", v.size);
    if (beside && f && !(f->flags & TAKES_BESIDE))
        fail("figure: --beside: %s shows one device; expected one of %s", f->name,
             names_of(TAKES_BESIDE));
    if (beside && a->n > 1)
        fail("--beside %s: cannot be combined with a table", beside);
    v.beside_from = beside;
    if (!beside && f && f->flags & TAKES_BESIDE && a->n == 1)
        v.beside_from = option_or(a, "--beside", "LADDER_BESIDE");
    if (v.from && a->n <= 1)
        must_be_recorded("FROM", v.from, v.week);
    beside = f ? v.beside_from : option_or(a, "--beside", "LADDER_BESIDE");
    if (beside)
        must_be_recorded("BESIDE", beside, v.week);
    return v;
}

// Prints all figures; with --names, only the names of those whose part is in the file `runs` of
// this folder.
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

// ladder figure [--names]: lists the figures.
//
// ladder figure NAME [--week W] [--from NAME] [--beside NAME] [--recorded] [--published FILE]
// [--format F] [--size S] [--mode M] [--type T] [--knobs K] [--base STAGE] [--column C] [TABLE...]
enum status command_figure(struct arguments a)
{
    if (a.n && has_word(EVENT_FIGURES, a.word[0]))
        return events_figure(a);

    int names = take_flag(&a, "--names");
    const struct figure *f = a.n && a.word[0][0] != '-' ? figure_of(a.word[0]) : NULL;
    const char *format = take_option(&a, "--format"), *lacks, *whence = "";
    struct view v = view_of(&a, f);
    struct page *page;

    no_options(&a);
    if (!f)
        return list_figures(names);
    format = format ? format : "svg";
    if (!has_word("svg png pdf slide", format))
        fail("--format %s: the formats are svg, png and pdf", format);
    v.brief = strcmp(format, "slide") == 0;
    if (a.n > 1) {
        v.week = "", whence = a.word[1];
        lacks = read_source(&v, &(struct source){ { a.n - 1, a.word + 1 }, whence });
        if (lacks)
            fail("%s: %s", v.table, lacks);
        lacks = draw(&page, &v);
        lacks = lacks ? text_of("%s: %s", v.table, lacks) : NULL;
    } else {
        if (!v.week[0])
            fail("figure %s: which week? Run it in the week's folder, or give --week or a table",
                 f->name);
        lacks = draw_first(&page, &v, &whence);
    }
    if (lacks)
        die(STATUS_SKIPPED, "%s: %s", f->name, lacks);
    page->format = format;
    page_print(page, text_of("%s/plots", root_folder()), whence);
    return STATUS_OK;
}
