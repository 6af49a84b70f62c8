// Which rows of a table a figure shows, their labels and colors, and the page's titles.
#include "figures.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "bound.h"
#include "claim.h"
#include "validation.h"

enum { MOST_ROWS = 21 };   // rows of bars for which a page has room

int view_over(const struct view *v, const char *word) { return figure_has(v->f, "over", word); }

// --- values

// What an expression is evaluated for.
struct at_row {
    const struct view *v;
    const struct row *row, *all;   // all: with all its columns
    const struct row *own;         // references are those of its run; NULL: medians
};

// A row with all its columns: those of a reference are medians over its rows, and what the row
// lacks is of the count of the same stage.
static const struct row *with_all_columns(const struct view *v, const struct row *row)
{
    struct place own = { row->size, row->mode, row->type, row->knobs, row->variant };
    struct place count = { row->size, "count", NULL, "", "" };
    const struct row *counted =
        same(row->mode, "count") ? NULL : row_of_term(&v->t, NULL, row->stage, &count);
    const struct row *medians = row_is_reference(row) && !view_over(v, "seeds")
                                  ? row_of_term(&v->t, NULL, row->stage, &own)
                                  : NULL;
    struct row *all = must_malloc(sizeof *all);

    *all = medians ? *medians : *row;   // a reference may have no correct row
    for (enum column c = 0; c < N_COLUMNS && counted; c++)
        if (!all->cell[c][0])
            all->cell[c] = counted->cell[c];
    return all;
}

static int is_latest(const struct view *v, size_t r)
{
    const struct row *row = &v->t.row[r];

    for (size_t q = r + 1; q < v->t.n; q++)
        if (row_same_key(row, &v->t.row[q]) &&
            (!view_over(v, "seeds") || same(row->seed, v->t.row[q].seed)))
            return 0;
    return 1;
}

// Of the occupancy calculator's rows, a figure shows the points of the stages.
static void drop_charts(struct table *t)
{
    size_t kept = 0;

    for (size_t r = 0; r < t->n; r++)
        if (!t->row[r].chart[0] || same(t->row[r].chart, "point"))
            t->row[kept++] = t->row[r];
    t->n = kept;
}

// The highest rate of the correct rows of this program and, if it is given, with this name. Rates
// of a roof are measured several times.
static double roof_rate(const struct view *v, const char *program, const char *name)
{
    const struct table *t = v->roofs.n ? &v->roofs : &v->t;
    double rate = NAN;

    for (size_t r = 0; r < t->n; r++) {
        const struct row *row = &t->row[r];

        if (same(row->stage, program) && row_is_ok(row) && (!name[0] || same(row->name, name)))
            rate = fmax(rate, row_number(row, COLUMN_rate));
    }
    return rate;
}

static struct bound lower_bound(const struct view *v, const struct row *row)
{
    return bound_of(v->rates, row);
}

const char *limit_of(const struct view *v, const struct row *row)
{
    return bound_word[lower_bound(v, row).term];
}

// The words of a list, with "*" replaced by these.
static const char *with_own(const char *list, const char *own)
{
    const char *words = "", *word;

    while ((word = next_word(&list)))
        words = same(word, "*") ? (own[0] ? with_word(words, own) : words) : with_word(words, word);
    return words;
}

// The fastest stage before this one in the core ladder, at this place; "-" if there is none. A
// stage before the first one of a comparison, as a copy, does not count.
static const char *best_before(const struct view *v, const char *stage, const struct place *place)
{
    const char *list = v->labels.core, *best = "-", *word;
    double highest = 0;

    while ((word = next_word(&list)) && !same(word, stage)) {
        double rate = value_beside(&v->t, NULL, word, place, COLUMN_rate);

        if (v->role[FIRST] && same(word, v->role[FIRST]))
            highest = 0;
        if (rate > highest)
            highest = rate, best = word;
    }
    return word ? best : "-";
}

// The stage that a term names: one of another role in a comparison of weeks, or the row's own.
static const char *stage_of(const struct view *v, const char *word, const struct row *row)
{
    for (int i = 0; i < ROLES && v->role[i]; i++)
        if (same(word, role_word[i]))
            return v->role[i];
    return same(word, "this") ? row->stage : word;
}

// A term of an expression: of the row, of the same stage with other options ("this"), of its lower
// bound, of a program that measures a roof, of the published table, or of another stage at the same
// size.
static double term_of_row(void *context, const struct term *t)
{
    const struct at_row *at = context;
    const struct row *row = at->row;
    const char *stage = stage_of(at->v, t->stage, row);
    struct place place = { row->size, row->mode, row->type, t->knobs, t->variant };
    double value;

    if (same(stage, "best"))
        stage = best_before(at->v, row->stage, &place);
    if (!stage[0])
        return term_number(at->all, t);
    if (same(stage, "bound"))
        return lower_bound(at->v, row).us;
    if (strncmp(stage, "demo_", 5) == 0)
        return roof_rate(at->v, stage, t->variant);
    if (same(stage, "then"))
        return at->v->then
                 ? value_beside(&at->v->then->t, NULL, row->stage,
                                &(struct place){ NULL, "published", NULL, "", "" }, t->column)
                 : NAN;
    if (same(t->stage, "this") && has_word(t->variant, "*"))
        place.knobs = row->knobs;
    if (same(t->stage, "this"))
        place.variant = with_own(t->variant, row->variant);
    value = value_beside(&at->v->t, at->own, stage, &place, t->column);
    place.mode = "count";
    return isnan(value) ? value_beside(&at->v->t, NULL, stage, &place, t->column) : value;
}

static struct at_row at_row_of(const struct view *v, const struct row *row)
{
    return (struct at_row){ v, row, v->joined[row - v->t.row].all, NULL };
}

double view_value(const struct view *v, const struct row *row, const char *expression)
{
    struct at_row at = at_row_of(v, row);
    double value = expression_value(expression, term_of_row, &at);

    return isfinite(value) ? value : NAN;
}

double view_highest(const struct view *v, const char *expression)
{
    double highest = NAN;

    for (int r = 0; r < v->found.n; r++)
        highest = fmax(highest, view_value(v, v->found.row[r], expression));
    return highest;
}

// Whether the condition of a line "unless CONDITION" holds for this row.
static int is_excluded(const struct view *v, const struct row *row)
{
    const char *condition = figure_text(v->f, "unless");
    struct at_row at = at_row_of(v, row);
    struct claim claim;
    struct claim_result r;

    if (!condition[0] || claim_parse_condition(condition, &claim))
        return 0;
    r = claim_judge(&claim, term_of_row, &at);
    return r.left.middle > r.right.middle;
}

struct quantity view_quantity(const struct view *v, int n)
{
    struct quantity q = figure_quantity(v->f, "value", n);

    if (q.expression && has_word(q.options, "column") && v->query.column)
        q.expression = v->query.column;
    return q;
}

// --- rows

static int has_value(const struct view *v, const struct row *row)
{
    struct quantity q;

    if (!row_is_ok(row) || is_excluded(v, row))
        return 0;
    for (int i = 0; (q = view_quantity(v, i)).expression; i++)
        // a time has a lower bound, which takes long to compute
        if (!isnan(view_value(v, row,
                              strncmp(q.expression, "bound.", 6) ? q.expression : "median_us")))
            return 1;
    return 0;
}

void view_join(struct view *v)
{
    if (v->joined)
        return;
    drop_charts(&v->t);
    v->joined = must_calloc(v->t.n + 1, sizeof *v->joined);
    for (size_t r = 0; r < v->t.n; r++)
        if (view_over(v, "demos") || is_latest(v, r)) {
            v->joined[r].all = with_all_columns(v, &v->t.row[r]);
            v->joined[r].usable = has_value(v, &v->t.row[r]);
        }
}

int view_usable(const struct view *v, const struct row *row)
{
    return row && v->joined[row - v->t.row].usable;
}

static int is_stage(const struct row *row) { return stage_number(row->stage) >= 0; }

// Whether a row is of a stage, has a value and this mode.
static int is_right(const struct view *v, const struct row *row, const char *mode)
{
    return same(row->mode, mode) && is_stage(row) && view_usable(v, row);
}

static int knobs_fit(const struct view *v, const struct row *row)
{
    return row_is_reference(row) || view_over(v, "settings") ||
           (view_over(v, "knobs") ? row->knobs[0] != '\0' : words_same(row->knobs, v->query.knobs));
}

static int is_chosen(const struct view *v, const struct row *row)
{
    return same(row->mode, v->query.mode) && same(row->type, v->query.type) &&
           (view_over(v, "variants") || view_over(v, "settings") || !row->variant[0]) &&
           knobs_fit(v, row) && (!v->query.size || size_matches(v->query.size, row->size));
}

static const char *modes_of(const struct view *v)
{
    const char *modes = figure_text(v->f, "modes");

    return modes[0] ? modes : "cold hot";
}

static const char *first_mode(const struct view *v)
{
    const char *modes = modes_of(v), *mode;

    while ((mode = next_word(&modes)))
        for (int r = 0; r < v->found.n; r++)
            if (is_right(v, v->found.row[r], mode))
                return mode;
    return NULL;
}

// Chooses the first type, and the default knobs if there are such rows.
static void choose_type_and_knobs(struct view *v)
{
    const char *knobs = NULL;

    for (int r = 0; r < v->found.n; r++) {
        const struct row *row = v->found.row[r];

        if (!is_right(v, row, v->query.mode))
            continue;
        v->query.type = v->query.type ? v->query.type : row->type;
        if (same(row->type, v->query.type) && (!knobs || knobs[0]))
            knobs = row->knobs;
    }
    v->query.type = v->query.type ? v->query.type : "";
    v->query.knobs = v->query.knobs ? v->query.knobs : knobs ? knobs : "";
}

// The size with the most stages; of several, the largest.
static const char *size_of_most(const struct view *v)
{
    const char *size = NULL;
    int most = 0;

    for (int r = 0; r < v->found.n; r++) {
        const struct row *row = v->found.row[r];
        int ran = 0;

        if (!is_chosen(v, row) || !is_right(v, row, v->query.mode))
            continue;
        for (int q = 0; q < v->found.n; q++)
            ran += is_chosen(v, v->found.row[q]) && same(v->found.row[q]->size, row->size) &&
                   !row_is_reference(v->found.row[q]);
        if (ran > most || (ran == most && size_of(row->size).product > size_of(size).product))
            most = ran, size = row->size;
    }
    return size;
}

// Whether a stage comes after the last one that is shown.
static int is_later(const struct view *v, const char *stage)
{
    return v->query.to && stage_number(stage) > stage_number(v->query.to);
}

// Inserts a stage or reference once: stages in the order of their numbers, then references.
static void add_stage(struct view *v, const char *stage)
{
    int number = stage_number(stage), at = number < 0 ? v->found.all : v->found.stages;

    if (is_later(v, stage))
        return;
    for (int i = 0; i < v->found.all; i++)
        if (same(v->found.stage[i], stage))
            return;
    while (number >= 0 && at > 0 && stage_number(v->found.stage[at - 1]) > number)
        at--;
    v->found.stage = grown(v->found.stage, v->found.all, sizeof *v->found.stage);
    memmove(&v->found.stage[at + 1], &v->found.stage[at],
            (v->found.all - at) * sizeof *v->found.stage);
    v->found.stage[at] = stage;
    v->found.stages += number >= 0, v->found.all++;
}

// The columns of the first value that the table does not have.
static const char *missing_columns(const struct view *v)
{
    const char *value = view_quantity(v, 0).expression, *list = "";

    for (enum column c = 0; c < N_COLUMNS; c++)
        if (!v->t.has[c] &&
            matches(value, text_of("(^|[^._a-z0-9])%s([^_a-z0-9]|$)", column_name[c])))
            list = with_word(list, column_name[c]);
    return list[0] ? text_of(": has no column '%s'", list) : "";
}

// Keeps the rows with the chosen mode, type, size and knobs. Returns what is missing, or NULL.
static const char *keep_rows(struct view *v)
{
    int kept = 0, found = 0;
    const char *of[][2] = { { "type ", v->query.type },
                            { "size ", v->query.size ? v->query.size : "" },
                            { "knobs ", v->query.knobs } };
    const char *asked = text_of("mode %s", v->query.mode);

    for (int r = 0; r < v->found.n; r++) {
        const struct row *row = v->found.row[r];

        if (!is_chosen(v, row))
            continue;
        v->found.row[kept++] = row;
        if (is_stage(row)) {
            add_stage(v, row->stage);
            found += view_usable(v, row);
            v->found.unit = row->unit[0] ? row->unit : v->found.unit;
        } else if (row_is_reference(row) && view_usable(v, row))
            add_stage(v, row->stage);
    }
    v->found.n = kept;
    for (int i = 0; i < 3; i++)
        if (of[i][1][0])
            asked = text_of("%s, %s%s", asked, of[i][0], of[i][1]);
    return found ? NULL
                 : text_of("no stage is ok and has %s (%s)%s", view_quantity(v, 0).expression,
                           asked, missing_columns(v));
}

const char *view_choose(struct view *v)
{
    if (is_comparison(v->f) && (!v->query.mode || !same(v->query.mode, "published")))
        return compare_choose(v);
    v->found.unit = "";
    v->found.row = must_malloc((v->t.n + 1) * sizeof *v->found.row);
    v->found.n = v->found.stages = v->found.all = 0;
    if (v->t.n == 0)
        return "has a header and no rows";
    view_join(v);
    for (size_t r = 0; r < v->t.n; r++)
        if (v->joined[r].all)
            v->found.row[v->found.n++] = &v->t.row[r];
    if (view_over(v, "demos")) {
        v->query.type = v->query.knobs = "", v->query.size = NULL;
        return NULL;
    }
    v->query.mode = v->query.mode ? v->query.mode : first_mode(v);
    if (!v->query.mode)
        return text_of("no row of mode %s is ok and has %s%s", modes_of(v),
                       view_quantity(v, 0).expression, missing_columns(v));
    if (!v->query.type && figure_text(v->f, "type")[0])
        v->query.type = figure_text(v->f, "type");
    choose_type_and_knobs(v);
    if (!v->query.size && !view_over(v, "sizes"))
        v->query.size = size_of_most(v);
    return keep_rows(v);
}

const struct row *view_row(const struct view *v, const char *stage, const char *variant)
{
    for (int r = v->found.n; r-- > 0;)
        if (same(v->found.row[r]->stage, stage) && words_same(v->found.row[r]->variant, variant))
            return v->found.row[r];
    return NULL;
}

const char *fault_text(const struct view *v, const struct row *row)
{
    return v->query.model         ? "no modeled time"
         : !row || row_is_ok(row) ? "not measured"
                                  : row->status;
}

// --- names and colors

// "3 noconflict": the name is from the table or, if it has none, from the file.
const char *stage_label(const struct view *v, const char *stage)
{
    const char *file = stage_file(folder_of(v->week), stage);
    const char *name = file ? strchr(stem_of(file), '_') + 1 : "";

    if (name_is_reference(stage))
        return stage + strlen("ref_");
    for (size_t r = v->t.n; r-- > 0;)
        if (same(v->t.row[r].stage, stage) && v->t.row[r].name[0])
            name = v->t.row[r].name;
    return text_of("%d%s%s", stage_number(stage), name[0] ? " " : "", name);
}

// The stages in the line "highlight: stage1 stage4 ..." of the week's messages or, for a figure in
// another element type, "highlight bf16: ..."; without that line, the last six stages. The newest
// stage is added if it comes after them.
static const char *highlight_of(const struct view *v)
{
    const char *list = message_stages(folder_of(v->week), text_of("highlight %s", v->query.type)),
               *last;

    if (!list[0])
        list = message_stages(folder_of(v->week), "highlight");

    if (!list[0]) {
        for (int i = v->found.stages > 6 ? v->found.stages - 6 : 0; i < v->found.stages; i++)
            list = with_word(list, v->found.stage[i]);
    }
    last = strrchr(list, ' ') ? strrchr(list, ' ') + 1 : list;
    if (last[0] && v->found.stages &&
        stage_number(v->found.stage[v->found.stages - 1]) > stage_number(last))
        list = with_word(list, v->found.stage[v->found.stages - 1]);
    return list;
}

// Whether the stage of a file computes the figure's type: that of its line "// Type:" or, without
// one, any that no such line of the week names.
static int has_type(const struct view *v, const struct arguments *files, const char *file)
{
    const char *own = head_of(file).type;

    if (own[0])
        return same(own, v->query.type);
    for (int i = 0; i < files->n; i++)
        if (same(head_of(files->word[i]).type, v->query.type))
            return !v->query.type[0];
    return 1;
}

void view_add_stages(struct view *v)
{
    struct arguments file = files_like(folder_of(v->week), "stage[0-9]*_*.cu");
    const char *aside = message_stages(folder_of(v->week), "aside");

    for (size_t r = 0; r < v->t.n; r++)
        if (is_stage(&v->t.row[r]) && same(v->t.row[r].week, v->week))
            add_stage(v, v->t.row[r].stage);
    for (int i = 0; i < file.n; i++) {
        const char *stem = stem_of(file.word[i]);
        const char *stage = text_of("%.*s", (int)strcspn(stem, "_"), stem);

        if (has_type(v, &file, file.word[i]) && !has_word(aside, stage))
            add_stage(v, stage);
    }
    v->labels.highlight = highlight_of(v);
    v->labels.core = message_stages(folder_of(v->week), "core");
}

int stage_color(const struct view *v, const char *stage)
{
    static const enum color palette[] = { BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY };
    const char *list = v->labels.highlight, *word;

    if (name_is_reference(stage))
        return rgb(BLACK);
    for (int i = 0; i < 6 && (word = next_word(&list)); i++)
        if (same(word, stage))
            return v->query.model ? model_color(i) : rgb(palette[i]);
    return rgb(GRAY);
}

int is_estimated(const struct view *v, const char *stage)
{
    return v->query.model && has_word(table_note(&v->t, "estimated"), stage);
}

// --- title, subtitle, provenance

// The number of samples, or its range.
static const char *samples_of(const struct view *v)
{
    double low = INFINITY, high = 0;

    for (int r = 0; r < v->found.n; r++) {
        double reps = row_number(v->found.row[r], COLUMN_reps);

        low = reps > 0 ? fmin(low, reps) : low;
        high = fmax(high, reps);
    }
    return high == 0   ? ""
         : low == high ? text_of("%g samples", low)
                       : text_of("%g to %g samples", low, high);
}

// The field of the first stage that has it; if none has, the note at the top of the table.
static const char *said(const struct view *v, enum column column, const char *note)
{
    for (int r = 0; r < v->found.n; r++)
        if (v->found.row[r]->cell[column][0] && !row_is_reference(v->found.row[r]))
            return v->found.row[r]->cell[column];
    return table_note(&v->t, note);
}

struct days days_of_view(const struct view *v)
{
    struct days d = { 0 };

    for (int r = 0; r < v->found.n; r++)
        days_add(&d, row_day(&v->t, v->found.row[r]));
    return d;
}

static const char *provenance_of(const struct view *v)
{
    struct days days = days_of_view(v);
    const char *device = said(v, COLUMN_device, "device"), *cuda = table_note(&v->t, "cuda");
    const char *driver = table_note(&v->t, "driver");
    const char *part[] = { cuda[0] ? text_of("CUDA %s", cuda) : "",
                           days_text(&days),
                           v->query.size ? v->query.size : "",
                           v->query.type,
                           v->query.mode,
                           view_over(v, "knobs") ? "" : v->query.knobs,
                           samples_of(v) };
    const char *text = device[0] ? device : "unknown device";

    if (v->query.model)
        text = text_of("model of %s, not measured", text);
    if (v->beside)
        text = text_of("%s; beside: %s", text, said(v->beside, COLUMN_device, "device"));
    else if (part[0][0] && driver[0])
        part[0] = text_of("%s, driver %s", part[0], driver);
    for (int i = 0; i < 7; i++)
        text = joined(text, " | ", part[i]);
    return text;
}

// What a title is about: rows of this mode and type. With several sizes, it is about the largest.
// In a comparison of weeks, references are those of the run of the last stage.
static struct at_row at_title(const struct view *v, struct row *about)
{
    *about = row_empty();
    about->size = v->query.size ? v->query.size : "";
    about->mode = v->query.mode, about->type = v->query.type;
    for (int r = 0; r < v->found.n && !v->query.size; r++)
        if (row_is_ok(v->found.row[r]) &&
            size_of(v->found.row[r]->size).product > size_of(about->size).product)
            about->size = v->found.row[r]->size;
    return (struct at_row){ v, about, about, v->role[LAST] ? v->found.row[LAST] : NULL };
}

static int holds(const struct view *v, const struct row *row, const char *condition)
{
    struct row about;
    struct at_row at = row ? at_row_of(v, row) : at_title(v, &about);
    struct claim claim;

    return !claim_parse_condition(condition, &claim) &&
           claim_judge(&claim, term_of_row, &at).verdict == CLAIM_HOLDS;
}

// Whether a condition is about a stage that is not shown.
static int names_later(const struct view *v, const char *condition)
{
    for (const char *at = condition; (at = strstr(at, "stage")); at++)
        if (is_later(v, text_of("stage%.*s", (int)strspn(at + 5, "0123456789"), at + 5)))
            return 1;
    return 0;
}

const char *view_text(const struct view *v, const char *word, const struct row *row)
{
    const struct keyword_line *line;

    for (int i = 0; (line = figure_line(v->f, word, i)); i++) {
        const char *text = filled(line->text, v, row);
        const char *colon = strchr(text, ':'),
                   *condition = text_of("%.*s", (int)strcspn(text, ":"), text);
        const struct view *week = v;

        if (names_later(v, condition))
            continue;
        while (week && holds(week, row, condition))
            week = row ? NULL : week->next;
        if (!week && colon)
            return colon + 1 + strspn(colon + 1, " ");
    }
    return NULL;
}

// The first part of a list "A; B; C" that fits into a subtitle after this text.
static const char *fitting(const char *before, const char *list)
{
    enum { FITS = 88 };
    size_t n = strlen(list);

    while (n && characters_of(before) + n > FITS)
        for (n--; n && strncmp(list + n, "; ", 2) != 0;)
            n--;
    return text_of("%s%.*s", before, (int)n, list);
}

// The title says that the times are a model's, and the subtitle how far it is from measured ones.
static void sheet_model_titles(struct sheet *sheet, const struct view *v, const char *message)
{
    enum { FITS = 70 };
    int n;
    const struct validation *of = validations_read(v->query.model, 0, &n);
    char *title = text_of("%s, modeled: ", v->query.model);

    for (char *c = title; *c && *c != ','; c++)
        *c = toupper((unsigned char)*c);
    if (message && characters_of(title) + characters_of(message) <= FITS)
        sheet->title = text_of("%s%s", title, message);
    else
        sheet->title = text_of("%s%s, %s", title, topic_of(v->week), v->labels.what);
    sheet->subtitle =
        joined(v->labels.how, "; ",
               n ? text_of("a model, not measured: half of the course's stages are within %.0f %%",
                           100 * stage_errors(of, NULL, BOTH_HALVES).median)
                 : "a model, not measured, and not tested on this GPU");
}

// The subtitle names the quantity, unless the title does, and how it is shown.
void sheet_titles(struct sheet *sheet, const struct view *v)
{
    const char *message, *topic = topic_of(v->week);

    if (is_comparison(v->f)) {
        compare_titles(sheet, v);
        return;
    }
    message = view_text(v, "title", NULL);
    sheet->title = message ? message : text_of("%s: %s", topic, v->labels.what);
    sheet->subtitle =
        message ? fitting(text_of("%s: ", topic), joined(v->labels.what, "; ", v->labels.how))
                : fitting("", v->labels.how);
    if (v->query.model)
        sheet_model_titles(sheet, v, message);
    sheet->provenance = provenance_of(v);
}

int is_core(const struct view *v, const char *stage)
{
    const char *list = joined(v->labels.core, " ", v->labels.highlight), *word;
    int last = 0;

    if (v->found.all + 1 <= MOST_ROWS || name_is_reference(stage) || !v->labels.core[0] ||
        has_word(list, stage))
        return 1;
    while ((word = next_word(&list)))
        last = fmax(last, stage_number(word));
    return stage_number(stage) > last;
}
