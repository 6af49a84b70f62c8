// Which rows of a table a figure shows, their labels and colors, and the page's titles.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claim.h"
#include "figure.h"
#include "messages.h"

static int same(const char *a, const char *b) { return strcmp(a, b) == 0; }

static int is_latest(const struct view *v, size_t r)
{
    const struct row *row = &v->t.row[r];

    for (size_t q = r + 1; q < v->t.n; q++)
        if (row_same_key(row, &v->t.row[q]) &&
            (!(v->f->flags & ALL_SEEDS) || same(row->seed, v->t.row[q].seed)))
            return 0;
    return 1;
}

int view_usable(const struct view *v, const struct row *row)
{
    return row && row_is_ok(row) && size_of(row->size).sides && !isnan(v->f->value(v, row));
}

static int is_stage(const struct row *row) { return stage_number(row->stage) >= 0; }

// Whether a row is of a stage, has a value and this mode.
static int is_right(const struct view *v, const struct row *row, const char *mode)
{
    return same(row->mode, mode) && is_stage(row) && view_usable(v, row);
}

static int knobs_fit(const struct view *v, const struct row *row)
{
    return row_is_reference(row) || (v->f->flags & ANY_KNOBS) ||
           (v->f->flags & ALL_KNOBS ? row->knobs[0] != '\0' : words_same(row->knobs, v->knobs));
}

static int is_chosen(const struct view *v, const struct row *row)
{
    return same(row->mode, v->mode) && same(row->type, v->type) &&
           (v->f->flags & ALL_VARIANTS || !row->variant[0]) && knobs_fit(v, row) &&
           (!v->size || size_matches(v->size, row->size));
}

static const char *first_mode(const struct view *v)
{
    char *modes = text_of("%s", v->f->modes), *mode;

    while ((mode = strsep(&modes, " ")))
        for (int r = 0; r < v->n; r++)
            if (is_right(v, v->row[r], mode))
                return mode;
    return NULL;
}

// Chooses the first type, and the default knobs if there are such rows.
static void choose_type_and_knobs(struct view *v)
{
    const char *knobs = NULL;

    for (int r = 0; r < v->n; r++) {
        const struct row *row = v->row[r];

        if (!is_right(v, row, v->mode))
            continue;
        v->type = v->type ? v->type : row->type;
        if (same(row->type, v->type) && (!knobs || knobs[0]))
            knobs = row->knobs;
    }
    v->type = v->type ? v->type : "";
    v->knobs = v->knobs ? v->knobs : knobs ? knobs : "";
}

// The size with the most stages; of several, the largest.
static const char *size_of_most(const struct view *v)
{
    const char *size = NULL;
    int most = 0;

    for (int r = 0; r < v->n; r++) {
        const struct row *row = v->row[r];
        int ran = 0;

        if (!is_chosen(v, row) || !is_right(v, row, v->mode))
            continue;
        for (int q = 0; q < v->n; q++)
            ran += is_chosen(v, v->row[q]) && same(v->row[q]->size, row->size) &&
                   !row_is_reference(v->row[q]);
        if (ran > most || (ran == most && size_of(row->size).product > size_of(size).product))
            most = ran, size = row->size;
    }
    return size;
}

// Inserts a stage or reference once: stages in the order of their numbers, then references.
static void add_stage(struct view *v, const char *stage)
{
    int number = stage_number(stage), at = number < 0 ? v->all : v->stages;

    for (int i = 0; i < v->all; i++)
        if (same(v->stage[i], stage))
            return;
    while (number >= 0 && at > 0 && stage_number(v->stage[at - 1]) > number)
        at--;
    v->stage = grown(v->stage, v->all, sizeof *v->stage);
    memmove(&v->stage[at + 1], &v->stage[at], (v->all - at) * sizeof *v->stage);
    v->stage[at] = stage;
    v->stages += number >= 0, v->all++;
}

// Keeps the rows with the chosen mode, type, size and knobs. Returns what is missing, or NULL.
static const char *keep_rows(struct view *v)
{
    int any_arithmetic = v->f->flags & (ANY_ARITHMETIC | SPLIT_ARITHMETIC), kept = 0, found = 0;
    const char *asked = text_of("mode %s", v->mode);

    for (int r = 0; r < v->n; r++) {
        const struct row *row = v->row[r];

        if (!is_chosen(v, row))
            continue;
        v->row[kept++] = row;
        if (is_stage(row)) {
            add_stage(v, row->stage);
            found += view_usable(v, row);
            v->unit = row->unit[0] ? row->unit : v->unit;
        } else if (row_is_reference(row) && view_usable(v, row) &&
                   (any_arithmetic || !row->arithmetic[0]))
            add_stage(v, row->stage);
    }
    v->n = kept;
    if (v->type[0])
        asked = text_of("%s, type %s", asked, v->type);
    if (v->size)
        asked = text_of("%s, size %s", asked, v->size);
    if (v->knobs[0])
        asked = text_of("%s, knobs %s", asked, v->knobs);
    return found ? NULL : text_of("no stage is ok and has %s (%s)", v->f->drawn, asked);
}

const char *view_choose(struct view *v)
{
    v->unit = "";
    v->row = must_malloc((v->t.n + 1) * sizeof *v->row);
    v->n = v->stages = v->all = 0;
    if (v->t.n == 0)
        return "has a header and no rows";
    for (size_t r = 0; r < v->t.n; r++)
        if (v->f->flags & ANY_ROW || is_latest(v, r))
            v->row[v->n++] = &v->t.row[r];
    if (v->f->flags & ANY_ROW) {
        v->type = v->knobs = "", v->size = NULL;
        return NULL;
    }
    v->mode = v->mode ? v->mode : first_mode(v);
    if (!v->mode)
        return text_of("no row of mode %s is ok and has %s", v->f->modes, v->f->drawn);
    choose_type_and_knobs(v);
    if (!v->size && !(v->f->flags & ALL_SIZES))
        v->size = size_of_most(v);
    return keep_rows(v);
}

const struct row *view_row(const struct view *v, const char *stage, const char *variant)
{
    for (int r = v->n; r-- > 0;)
        if (same(v->row[r]->stage, stage) && words_same(v->row[r]->variant, variant))
            return v->row[r];
    return NULL;
}

double view_value(const struct view *v, const struct row *row)
{
    struct row median;

    if (!view_usable(v, row))
        return NAN;
    if (!row_is_reference(row) || v->f->flags & ALL_SEEDS)
        return v->f->value(v, row);
    median = *row;
    row_set(&median, rate, "%.9g", shown_number(&v->t, row, COLUMN_rate));
    row_set(&median, median_us, "%.9g", shown_number(&v->t, row, COLUMN_median_us));
    return v->f->value(v, &median);
}

double counted(const struct view *v, const struct row *r, enum column column)
{
    struct place p = { r->size, "count", NULL, "", "" };

    return value_beside(&v->t, NULL, r->stage, &p, column);
}

const char *fault_text(const struct row *row)
{
    return !row || row_is_ok(row) ? "not measured" : row->status;
}

// --- names and colors

static const char *folder_of(const struct view *v)
{
    return text_of("%s/%s", root_folder(), v->week);
}

// "3 noconflict": the name is from the table or, if it has none, from the file.
const char *stage_label(const struct view *v, const char *stage)
{
    struct arguments file = files_like(folder_of(v), "%s_*.cu", stage);
    const char *name = file.n ? strchr(stem_of(file.word[0]), '_') + 1 : "";

    if (name_is_reference(stage))
        return stage + strlen("ref_");
    for (size_t r = v->t.n; r-- > 0;)
        if (same(v->t.row[r].stage, stage) && v->t.row[r].name[0])
            name = v->t.row[r].name;
    return text_of("%d%s%s", stage_number(stage), name[0] ? " " : "", name);
}

// The stages in the line "highlight: stage1 stage4 ..." of the week's messages; without that line,
// the last six stages. The newest stage is added if it comes after them.
static const char *highlight_of(const struct view *v)
{
    const char *list = message_stages(folder_of(v), "highlight"), *last;

    if (!list[0]) {
        for (int i = v->stages > 6 ? v->stages - 6 : 0; i < v->stages; i++)
            list = with_word(list, v->stage[i]);
    }
    last = strrchr(list, ' ') ? strrchr(list, ' ') + 1 : list;
    if (last[0] && v->stages && stage_number(v->stage[v->stages - 1]) > stage_number(last))
        list = with_word(list, v->stage[v->stages - 1]);
    return list;
}

void view_add_stages(struct view *v)
{
    struct arguments file = files_like(folder_of(v), "stage[0-9]*_*.cu");

    for (size_t r = 0; r < v->t.n; r++)
        if (is_stage(&v->t.row[r]) && same(v->t.row[r].week, v->week))
            add_stage(v, v->t.row[r].stage);
    for (int i = 0; i < file.n; i++) {
        const char *stem = stem_of(file.word[i]);

        add_stage(v, text_of("%.*s", (int)strcspn(stem, "_"), stem));
    }
    v->highlight = highlight_of(v);
}

int stage_color(const struct view *v, const char *stage)
{
    static const int palette[] = { BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY };
    const char *at = v->highlight;

    if (name_is_reference(stage))
        return BLACK;
    for (int i = 0; *at && i < 6; i++) {
        size_t n = strcspn(at, " ");

        if (strlen(stage) == n && memcmp(at, stage, n) == 0)
            return palette[i];
        at += n + strspn(at + n, " ");
    }
    return GRAY;
}

// --- title, subtitle, provenance

const char *topic_of(const char *week) { return strchr(week, '_') ? strchr(week, '_') + 1 : week; }

// The number of samples, or its range.
static const char *samples_of(const struct view *v)
{
    double low = INFINITY, high = 0;

    for (int r = 0; r < v->n; r++) {
        double reps = row_number(v->row[r], COLUMN_reps);

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
    for (int r = 0; r < v->n; r++)
        if (v->row[r]->cell[column][0] && !row_is_reference(v->row[r]))
            return v->row[r]->cell[column];
    return table_note(&v->t, note);
}

static const char *provenance_of(const struct view *v)
{
    const char *device = said(v, COLUMN_device, "device"), *cuda = table_note(&v->t, "cuda");
    const char *driver = table_note(&v->t, "driver");
    const char *part[] = { cuda[0] && !v->brief ? text_of("CUDA %s", cuda) : "",
                           said(v, COLUMN_date, "date"),
                           v->size ? v->size : "",
                           v->type,
                           v->mode,
                           v->f->flags & ALL_KNOBS ? "" : v->knobs,
                           v->brief ? "" : samples_of(v) };
    const char *text = device[0] ? device : "unknown device";

    if (part[0][0] && driver[0])
        part[0] = text_of("%s, driver %s", part[0], driver);
    for (int i = 0; i < 7; i++)
        text = part[i][0] ? text_of("%s | %s", text, part[i]) : text;
    return text;
}

static double term_in_view(void *context, const struct term *t)
{
    const struct view *v = context;
    const char *size = v->size;

    // with several sizes, the largest one
    for (int r = 0; r < v->n && !v->size; r++)
        if (row_is_ok(v->row[r]) &&
            (!size || size_of(v->row[r]->size).product > size_of(size).product))
            size = v->row[r]->size;
    return value_beside(&v->t, NULL, t->stage,
                        &(struct place){ size, v->mode, v->type, t->knobs, t->variant }, t->column);
}

// The text of the first line "FIGURE: CONDITION: TEXT" of the week's messages that holds.
static const char *message_of(const struct view *v)
{
    char *text = messages_of(folder_of(v)), *line;

    while ((line = next_message(&text, v->f->name))) {
        char error[CLAIM_ERROR], *says = strchr(line, ':');
        struct claim claim = { 0 };

        if (!says)
            continue;
        *says++ = '\0';
        if (claim_parse_condition(line, &claim, error) != 0)
            fail("%s/messages: %s: %s", v->week, line, error);
        if (claim_judge(&claim, term_in_view, (void *)v).verdict == CLAIM_HOLDS)
            return says + strspn(says, " ");
    }
    return NULL;
}

void page_titles(struct page *page, const struct view *v)
{
    const char *message = message_of(v), *topic = topic_of(v->week), *how = v->how;
    const char *choice[] = { text_of("%s: %s%s%s", topic, v->title, how[0] ? "; " : "", how),
                             text_of("%s: %s", topic, how[0] ? how : v->title), how };
    int i = message ? 0 : 2;

    while (i < 2 && text_width(choice[i]) > PAGE_W - 2 * MARGIN - page->legend)
        i++;
    page->title = message ? message : text_of("%s: %s", topic, v->title);
    page->subtitle = choice[i];
    page->provenance = provenance_of(v);
}
