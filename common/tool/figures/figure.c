// `ladder figure NAME`: prints a gnuplot script with the data of one figure, and which table they
// are from.
#include "figures.h"

#include <string.h>
#include <unistd.h>

#include "bound.h"
#include "folders.h"
#include "runs.h"

// --- tables

// Files that are read as one table, or a folder of results; neither if there are none.
struct source {
    struct arguments files;
    const char *results, *whence, *of_weeks;   // the source of one week, and of several
};

static struct source results_of(const struct view *v, const char *folder)
{
    return (struct source){ .results = text_of("%s", folder),
                            .whence = text_of("%s/results/%s/", v->week, strrchr(folder, '/') + 1),
                            .of_weeks = "the results of this machine" };
}

static struct source recorded_of(const struct view *v, const char *from, const char *part)
{
    char path[PATH_MAX], **word = must_malloc(sizeof *word);

    recorded_path(path, root_folder(), from, v->week, part);
    *word = text_of("%s", path);
    return (struct source){ .files = { access(path, R_OK) == 0, word },
                            .whence = text_of("the recorded run plots/data/%s/%s", from,
                                              strrchr(path, '/') + 1),
                            .of_weeks = text_of("the recorded runs plots/data/%s", from) };
}

// Whether a figure shows the column of the option --column, of all rows that have it.
static int is_column(const struct figure *f) { return strcmp(f->name, "column") == 0; }

// Of `make plots FOR=GPU`; modeled times are shown with no others.
static struct source modeled_of(const struct view *v, const char *part)
{
    const char *path =
        text_of("%s/build/model/%s.%s.tsv", folder_of(v->week), v->query.model, part);
    char **word = must_malloc(sizeof *word);

    *word = text_of("%s", path);
    return (struct source){ .files = { access(path, R_OK) == 0, word },
                            .whence = text_of("the model, %s/build/model/%s.%s.tsv", v->week,
                                              v->query.model, part) };
}

// The possible sources of a part, in order: this machine's results, unless a recorded run was
// requested; that recorded run; the recorded run of the CPU device. With CPU_LAST, this machine's
// results of the CPU device follow the recorded run. The last one's whence is NULL.
static void sources_of(const struct view *v, const char *part, struct source s[6])
{
    const char *week = text_of("%s/%s", root_folder(), v->week);
    const char *from = v->query.from ? v->query.from : recorded_from(v->week);
    int cpu = figure_has(v->f, "cpu", "first") ? 0 : 1, any = is_column(v->f), n = 0;
    char gpu[PATH_MAX];

    if (v->query.model) {
        s[0] = modeled_of(v, part), s[1] = (struct source){ 0 };
        return;
    }
    if (!v->query.from && !v->query.recorded) {
        s[cpu] = results_of(v, text_of("%s/results/cpu", week));
        s[!cpu] = (struct source){ .whence = "", .of_weeks = "" };
        if (newest_results(gpu, week) == 0)
            s[!cpu] = results_of(v, gpu);
        n = 2;
    }
    s[n++] = recorded_of(v, from, part);
    if (n == 3 && figure_has(v->f, "cpu", "last")) {
        struct source recorded = s[2];

        s[2] = s[1], s[1] = recorded;
    }
    if (any)
        s[n++] = recorded_of(v, from, "counts");
    s[n++] = recorded_of(v, "cpu", any ? "counts" : part);
    s[n] = (struct source){ 0 };
}

// The rows of a source; none if it has none.
static struct table rows_of(const struct source *s, const char *part)
{
    if (s->results)
        return results_of_part(s->results, part);
    return s->files.n ? read_tables(&s->files) : (struct table){ 0 };
}

static void read_source(struct view *v, const struct source *s)
{
    v->t = rows_of(s, figure_text(v->f, "part"));
    v->table = s->results ? s->results : s->files.n ? s->files.word[0] : "";
    if (!v->week[0] && v->t.n)
        v->week = v->t.row[0].week;
}

// --- the figure

// A view of another table, for which no rows are chosen yet.
static struct view *fresh_view(const struct view *like, const struct query *query)
{
    struct view *v = must_malloc(sizeof *v);

    *v = *like;
    v->query = *query;
    v->found = (struct selection){ .n = 0 };
    v->then = v->beside = NULL;
    v->joined = NULL;
    return v;
}

// The published table of the week's topic, if the slides had one.
static struct view *published_of(const struct view *v)
{
    struct query q = { .mode = "published", .base = v->query.base, .column = v->query.column };
    struct view *then = fresh_view(v, &q);
    struct source s = { .files = published_files(v->week) };

    if (!s.files.n)
        return NULL;
    read_source(then, &s);
    return view_choose(then) ? NULL : then;
}

// Adds the second device's view, with the same mode and size. Returns what is missing, or NULL.
static const char *add_beside(struct view *v, const struct query *wanted)
{
    struct source s = recorded_of(v, v->query.beside_from, figure_text(v->f, "part"));
    struct query q = *wanted;
    const char *lacks;

    q.mode = v->query.mode, q.size = v->query.size;
    v->beside = fresh_view(v, &q);
    if (s.files.n)
        read_source(v->beside, &s);
    lacks = s.files.n ? view_choose(v->beside) : "no such recorded run";
    return lacks ? text_of("%s: %s", s.whence, lacks) : NULL;
}

// All recorded runs, and those of the table itself: its GPU may not be among the recorded ones.
static const struct table *runs_with(const struct table *t)
{
    struct table *all = must_calloc(1, sizeof *all);

    recorded_read(all, root_folder(), "*", "*.*.tsv");
    for (size_t r = 0; r < t->n; r++)
        table_add(all, &t->row[r]);
    return all;
}

static const char *draw_kind(struct sheet **sheet, struct view *v)
{
    const char *kind = figure_text(v->f, "kind");

    *sheet = sheet_new(kind);
#define DRAW(name)                \
    if (strcmp(kind, #name) == 0) \
        return draw_##name(*sheet, v);
    FIGURE_KINDS(DRAW)
    return NULL;
}

// Chooses the rows of the table that was read, and reads those that are shown beside them. Returns
// what is missing, or NULL.
static const char *choose(struct view *v)
{
    struct query wanted = v->query;
    struct view *then = NULL;
    const char *lacks;

    if (strncmp(view_quantity(v, 0).expression, "bound.", 6) == 0 && v->t.n) {
        struct rates *rates = must_malloc(sizeof *rates);

        *rates = rates_of(runs_with(&v->t), v->t.row[0].device);
        v->rates = rates;
    }
    if (figure_has(v->f, "show", "published") || figure_has(v->f, "compare", "published"))
        then = published_of(v);
    if (then && !v->query.size && figure_has(v->f, "size", "published"))
        v->query.size = then->query.size;
    v->then = then;
    lacks = view_choose(v);
    if (lacks && v->query.size != wanted.size) {
        v->query = wanted;
        lacks = view_choose(v);
    }
    if (!lacks && !view_over(v, "demos") && !is_comparison(v->f))
        view_add_stages(v);
    return !lacks && v->query.beside_from ? add_beside(v, &wanted) : lacks;
}

// Draws from the tables that were read. Returns what is missing in them, or NULL.
static const char *draw(struct sheet **sheet, struct view *v)
{
    const char *lacks = NULL;

    for (struct view *week = v; week && !lacks; week = week->next)
        lacks = choose(week);
    lacks = lacks ? lacks : draw_kind(sheet, v);
    if (!lacks)
        sheet_titles(*sheet, v);
    return lacks;
}

static const struct figure *figure_in(const struct figures *all, const char *name)
{
    for (int i = 0; i < all->n; i++)
        if (strcmp(all->of[i].name, name) == 0)
            return &all->of[i];
    return NULL;
}

// Reads the i-th source of each week. Returns the view of the first week, or NULL if they have no
// tables. Sets *whence to NULL after the last source.
static struct view *read_views(const struct view *wanted, int i, const char **whence)
{
    const char *weeks = wanted->week, *week;
    struct view *first = NULL, **next = &first;
    int tables = 0;

    *whence = NULL;
    while ((week = next_word(&weeks))) {
        struct view *v = *next = fresh_view(wanted, &wanted->query);
        struct figures all = figures_of(week);
        struct source s[6], roofs[6];

        v->week = week;
        v->f = figure_in(&all, wanted->f->name);
        sources_of(v, figure_text(v->f, "part"), s);
        sources_of(v, figure_text(v->f, "roofs"), roofs);
        *whence = is_comparison(v->f) ? s[i].of_weeks : s[i].whence;
        if (!s[i].whence)
            return NULL;
        read_source(v, &s[i]);
        v->roofs = rows_of(&roofs[i], figure_text(v->f, "roofs"));
        tables += s[i].files.n || v->t.n;
        next = &v->next;
    }
    return tables ? first : NULL;
}

// Draws from the first source that has all that the figure needs. Returns NULL, or what is missing
// in the first source.
static const char *draw_first(struct sheet **sheet, const struct view *wanted, const char **whence)
{
    const char *lacks = NULL, *failed, *from;

    for (int i = 0;; i++) {
        struct view *v = read_views(wanted, i, &from);

        if (!from)
            return lacks ? lacks
                 : wanted->query.model
                     ? text_of("no modeled time; make plots FOR=%s makes them", wanted->query.model)
                     : "neither results of this machine nor a recorded run";
        if (!v)
            continue;
        failed = draw(sheet, v);
        *whence = from;
        if (!failed)
            return NULL;
        if (!lacks)
            lacks = is_comparison(v->f) ? failed : text_of("%s: %s", v->table, failed);
    }
}

// --- the command

// The value of an option or, without it, of an environment variable; NULL if both are empty.
static const char *option_or(struct arguments *a, const char *name, const char *variable)
{
    const char *option = take_option(a, name), *value = setting(variable);

    return option ? option : value[0] ? value : NULL;
}

// The names of the figures; of those that can show a second device, if that is asked for.
static const char *names_of(const struct figures *all, int beside)
{
    const char *names = "";

    for (int i = 0; i < all->n; i++)
        if (!beside || figure_has(&all->of[i], "show", "beside"))
            names = with_word(names, all->of[i].name);
    return names;
}

// The week of a table's first row; "" if it has none.
static const char *week_in(const char *path)
{
    struct table t = { 0 };

    return table_read(&t, path) == 0 && t.n ? t.row[0].week : "";
}

// A view with the given options. What is not given is chosen later.
static struct view view_of(struct arguments *a, const struct figures *all, const struct figure *f,
                           const char *week)
{
    const char *column = take_option(a, "--column"), *beside = take_option(a, "--beside");
    const char *model = take_option(a, "--model");
    struct view v = { .f = f,
                      .week = week,
                      .query = { .model = model,
                                 .from = model ? NULL : option_or(a, "--from", "LADDER_FROM"),
                                 .recorded = take_flag(a, "--recorded"),
                                 .column = column,
                                 .size = take_option(a, "--size"),
                                 .mode = model ? "model" : take_option(a, "--mode"),
                                 .type = take_option(a, "--type"),
                                 .knobs = take_option(a, "--knobs"),
                                 .base = take_option(a, "--base"),
                                 .to = take_option(a, "--to"),
                                 .medians = take_flag(a, "--medians") },
                      .labels = { "", "", f ? figure_text(f, "what") : "",
                                  f ? figure_text(f, "how") : "" } };
    int can_beside = f && figure_has(f, "show", "beside");

    if (model && (beside || a->n > 1 || strchr(week, ' ') || (f && is_comparison(f))))
        fail("figure: --model %s: shows the modeled times of one week, and no others", model);
    if (column && column_of_name(column) < 0)
        fail("--column %s: no such column; ladder columns lists them", column);
    if (f && is_column(f) && !column)
        fail("figure column: needs --column NAME; ladder columns lists them");
    if (v.query.size && !size_of(v.query.size).sides)
        fail("--size %s: not a size; expected ROWSxCOLS, for example 4099x8191", v.query.size);
    if (v.query.to && stage_number(v.query.to) < 0)
        fail("--to %s: not a stage; expected a name like stage5", v.query.to);
    if (beside && f && !can_beside)
        fail("figure: --beside: %s shows one device; expected one of %s", f->name,
             names_of(all, 1));
    if (beside && a->n > 1)
        fail("--beside %s: cannot be combined with a table", beside);
    if (!beside && !model && (!f || (can_beside && a->n == 1)))
        beside = option_or(a, "--beside", "LADDER_BESIDE");
    v.query.beside_from = beside;
    if (strchr(week, ' '))
        week = "";
    if (v.query.from && a->n <= 1)
        must_be_recorded("FROM", v.query.from, week);
    if (beside)
        must_be_recorded("BESIDE", beside, week);
    return v;
}

// Prints all figures and how to read them; with --names, those whose part is in the file `runs` of
// this folder or, outside of a week, those that compare weeks.
static enum status list_figures(const struct figures *all, int names, int in_week)
{
    const char *parts = names ? parts_of_file(NULL) : "";

    for (int i = 0; i < all->n; i++) {
        const struct figure *f = &all->of[i];
        int compares = is_comparison(f);

        if (!names ||
            (in_week ? !compares && has_word(parts, figure_text(f, "part")) && !is_column(f)
                     : compares))
            printf("%-16s %s\n", f->name, figure_text(f, "read"));
    }
    return STATUS_OK;
}

// Draws from the tables that were given. Returns what is missing in them, or NULL.
static const char *draw_tables(struct sheet **sheet, struct view *v, const struct arguments *tables)
{
    const char *lacks;

    if (is_comparison(v->f))
        fail("figure %s: '%s': expected no table, but --week 'WEEK WEEK...'", v->f->name,
             tables->word[0]);
    v->week = "";
    read_source(v, &(struct source){ .files = *tables });
    lacks = draw(sheet, v);
    return lacks ? text_of("%s: %s", v->table, lacks) : NULL;
}

// ladder figure [--names]: lists the figures.
//
// ladder figure NAME [--week W] [--from NAME] [--beside NAME] [--recorded]
// [--model GPU] [--format F] [--size S] [--mode M] [--type T] [--knobs K] [--base STAGE] [--to
// STAGE] [--column C] [TABLE...]
//
// A figure that compares weeks is of all weeks or of those in --week 'W W...'.
enum status command_figure(struct arguments a)
{
    int names = take_flag(&a, "--names");
    const char *name = a.n && a.word[0][0] != '-' ? a.word[0] : NULL;
    const char *asked = take_option(&a, "--week"), *week = asked ? asked : this_week();
    const char *format = take_format(&a), *lacks, *whence = "";
    int last_is_table = name && a.n > 1 && access(a.word[a.n - 1], R_OK) == 0;
    struct figures all = figures_of(last_is_table       ? week_in(a.word[a.n - 1])
                                    : strchr(week, ' ') ? ""
                                                        : week);
    const struct figure *f = name ? figure_in(&all, name) : NULL;
    struct sheet *sheet;
    struct view v;

    if (name && !f)
        fail("figure %s: no such figure%s%s; there are: %s", name, week[0] ? " of " : "", week,
             names_of(&all, 0));
    if (f && is_comparison(f))
        week = asked ? asked : compared_weeks();
    else if (f && strchr(week, ' '))
        fail("figure %s: --week '%s': expected one week", f->name, week);
    v = view_of(&a, &all, f, week);
    no_options(&a);
    if (!f)
        return list_figures(&all, names, week[0] != '\0');
    if (a.n > 1) {
        whence = a.word[1];
        lacks = draw_tables(&sheet, &v, &(struct arguments){ a.n - 1, a.word + 1 });
    } else {
        if (!v.week[strspn(v.week, " ")])
            fail("figure %s: which week? Run it in the week's folder, or give --week or a table",
                 f->name);
        lacks = draw_first(&sheet, &v, &whence);
    }
    if (lacks)
        die(STATUS_SKIPPED, "%s: %s", f->name, lacks);
    sheet_print(sheet, format, whence);
    return STATUS_OK;
}
