// Which rows of a table a figure shows, what they are called and how they are colored.
#define _GNU_SOURCE   // strsep
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "claim.h"
#include "figure.h"
#include "folders.h"
#include "tool.h"

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

static int is_right(const struct view *v, const struct row *row)
{
    return row_is_ok(row) && size_of(row->size).sides && !isnan(v->f->value(v, row));
}

static int is_right_stage(const struct view *v, const struct row *row)
{
    return stage_number(row->stage) >= 0 && is_right(v, row);
}

static int knobs_fit(const struct view *v, const struct row *row)
{
    return row_is_reference(row) || (v->f->flags & ANY_KNOBS) ||
           (v->f->flags & ALL_KNOBS ? row->knobs[0] != '\0' : words_same(row->knobs, v->knobs));
}

static int is_chosen(const struct view *v, const struct row *row)
{
    return same(row->mode, v->mode) && same(row->type, v->type) &&
           (v->f->flags & ALL_VARIANTS || !row->variant[0]) && knobs_fit(v, row);
}

int view_usable(const struct view *v, const struct row *row) { return row && is_right(v, row); }

// The first right row of a stage, in one of these modes, that the choices so far allow.
static const char *first_mode(const struct view *v)
{
    char *modes = text_of("%s", v->f->modes), *mode;

    while ((mode = strsep(&modes, " ")))
        for (int r = 0; r < v->n; r++)
            if (same(v->row[r]->mode, mode) && is_right_stage(v, v->row[r]))
                return mode;
    return NULL;
}

static void choose_type_and_knobs(struct view *v)
{
    const char *knobs = NULL;

    for (int r = 0; r < v->n && !v->type; r++)
        if (same(v->row[r]->mode, v->mode) && is_right_stage(v, v->row[r]))
            v->type = v->row[r]->type;
    v->type = v->type ? v->type : "";
    // as they stand in the files, unless there are no such rows
    for (int r = 0; r < v->n && !v->knobs; r++) {
        const struct row *row = v->row[r];

        if (same(row->mode, v->mode) && same(row->type, v->type) && is_right_stage(v, row)) {
            knobs = row->knobs;
            if (!knobs[0])
                break;
        }
    }
    v->knobs = v->knobs ? v->knobs : knobs ? knobs : "";
}

// The size of most stages, the largest of those.
static void choose_size(struct view *v)
{
    int most = 0;

    for (int r = 0; r < v->n; r++) {
        const struct row *row = v->row[r];
        int ran = 0;

        if (!is_chosen(v, row) || !is_right_stage(v, row))
            continue;
        for (int q = 0; q < v->n; q++)
            ran += is_chosen(v, v->row[q]) && same(v->row[q]->size, row->size) &&
                   !row_is_reference(v->row[q]);
        if (ran > most || (ran == most && size_of(row->size).product > size_of(v->size).product)) {
            most = ran;
            v->size = row->size;
        }
    }
}

static void add_stage(struct view *v, const char *stage)
{
    int at = v->stages;

    for (int i = 0; i < v->stages; i++)
        if (same(v->stage[i], stage))
            return;
    v->stage = realloc(v->stage, (v->all + 1) * sizeof *v->stage);
    while (at > 0 && stage_number(v->stage[at - 1]) > stage_number(stage))
        at--;
    memmove(&v->stage[at + 1], &v->stage[at], (v->all - at) * sizeof *v->stage);
    v->stage[at] = stage;
    v->stages++, v->all++;
}

static void add_reference(struct view *v, const struct row *row)
{
    int fits = v->f->flags & (ANY_ARITHMETIC | SPLIT_ARITHMETIC) || !row->arithmetic[0];

    for (int i = v->stages; i < v->all; i++)
        fits &= !same(v->stage[i], row->stage);
    if (!fits || !view_usable(v, row))
        return;
    v->stage = realloc(v->stage, (v->all + 1) * sizeof *v->stage);
    v->stage[v->all++] = row->stage;
}

// What was asked for, in words.
static const char *asked(const struct view *v)
{
    return text_of("mode %s%s%s%s%s%s%s", v->mode, v->type[0] ? ", type " : "", v->type,
                   v->size ? ", size " : "", v->size ? v->size : "", v->knobs[0] ? ", knobs " : "",
                   v->knobs);
}

// Which rows are kept, after mode, type, size and knobs are settled.
static const char *keep_rows(struct view *v)
{
    int kept = 0, found = 0;

    for (int r = 0; r < v->n; r++)
        if (is_chosen(v, v->row[r]) && (!v->size || size_matches(v->size, v->row[r]->size)))
            v->row[kept++] = v->row[r];
    v->n = kept;
    for (int r = 0; r < v->n; r++)
        if (stage_number(v->row[r]->stage) >= 0) {
            add_stage(v, v->row[r]->stage);
            found += is_right(v, v->row[r]);
            v->unit = v->row[r]->unit[0] ? v->row[r]->unit : v->unit;
        }
    for (int r = 0; r < v->n; r++)
        if (row_is_reference(v->row[r]))
            add_reference(v, v->row[r]);
    return found ? NULL : text_of("no stage is ok and has %s (%s)", v->f->drawn, asked(v));
}

const char *view_choose(struct view *v)
{
    v->unit = "";
    v->row = malloc((v->t.n + 1) * sizeof *v->row);
    v->n = 0;
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
    if (!v->size && !(v->f->flags & ALL_SIZES)) {
        v->size = "";
        choose_size(v);
        v->size = v->size[0] ? v->size : NULL;
    }
    return keep_rows(v);
}

static void add_names(struct view *v, const struct table *t)
{
    for (size_t r = 0; r < t->n; r++)
        if (stage_number(t->row[r].stage) >= 0 && same(t->row[r].week, v->week))
            add_stage(v, t->row[r].stage);
}

void view_add_stages(struct view *v)
{
    char path[PATH_MAX];
    struct table ladder = { 0 };
    glob_t found;

    recorded_path(path, root_folder(), recorded_from(), v->week, "ladder");
    add_names(v, &v->t);
    if (table_read(&ladder, path) == 0)
        add_names(v, &ladder);
    if (glob(text_of("%s/%s/stage[0-9]*_*.cu", root_folder(), v->week), 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *file = strrchr(found.gl_pathv[i], '/') + 1;

        add_stage(v, text_of("%.*s", (int)strcspn(file, "_"), file));
    }
    globfree(&found);
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

const char *fault_text(const struct row *row)
{
    return !row || row_is_ok(row) ? "not measured" : row->status;
}

// --- names and colors

// A stage's name: of the table, or of its file.
static const char *name_of(const struct view *v, const char *stage)
{
    const char *name = "";
    glob_t found;

    for (size_t r = 0; r < v->t.n && !name[0]; r++)
        if (same(v->t.row[r].stage, stage))
            name = v->t.row[r].name;
    if (!name[0] &&
        glob(text_of("%s/%s/%s_*.cu", root_folder(), v->week, stage), 0, NULL, &found) == 0) {
        name = strchr(stem_of(found.gl_pathv[0]), '_') + 1;
        globfree(&found);
    }
    return name;
}

const char *stage_label(const struct view *v, const char *stage)
{
    const char *name = name_of(v, stage);

    if (strncmp(stage, "ref_", 4) == 0)
        return stage + 4;
    return text_of("%d%s%s", stage_number(stage), name[0] ? " " : "", name);
}

static const char *messages_of(const struct view *v)
{
    const char *path = text_of("%s/%s/messages", root_folder(), v->week);

    return access(path, R_OK) == 0 ? read_text(path) : "";
}

// The line "highlight: stage1 stage4 ..." of the week's messages; a stage behind the last of them
// is one more, if a color is left.
static const char *highlight_of(struct view *v)
{
    char *text = text_of("%s", messages_of(v)), *line;
    const char *list = "", *last;

    while ((line = strsep(&text, "\n")))
        if (strncmp(line, "highlight:", 10) == 0)
            list = line + 10 + strspn(line + 10, " ");
    if (!list[0])   // the last six
        for (int i = v->stages > 6 ? v->stages - 6 : 0; i < v->stages; i++)
            list = with_word(list, v->stage[i]);
    last = strrchr(list, ' ') ? strrchr(list, ' ') + 1 : list;
    if (last[0] && v->stages && stage_number(v->stage[v->stages - 1]) > stage_number(last))
        list = with_word(list, v->stage[v->stages - 1]);
    return list;
}

int stage_color(const struct view *v, const char *stage)
{
    static const int palette[] = { 0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9 };
    const char *at;
    int i = 0;

    if (strncmp(stage, "ref_", 4) == 0)
        return BLACK;
    if (!v->highlight)
        ((struct view *)v)->highlight = highlight_of((struct view *)v);
    for (at = v->highlight; *at && i < 6; i++) {
        size_t n = strcspn(at, " ");

        if (strlen(stage) == n && memcmp(at, stage, n) == 0)
            return palette[i];
        at += n + strspn(at + n, " ");
    }
    return GRAY;
}

// --- title, subtitle, provenance

const char *topic_of(const struct view *v)
{
    const char *name = strchr(v->week, '_');

    return name ? name + 1 : v->week;
}

// What all rows say, or what most of them are between.
static const char *samples_of(const struct view *v)
{
    double low = INFINITY, high = 0;

    for (int r = 0; r < v->n; r++)
        if (row_number(v->row[r], COLUMN_reps) > 0) {
            low = fmin(low, row_number(v->row[r], COLUMN_reps));
            high = fmax(high, row_number(v->row[r], COLUMN_reps));
        }
    return high == 0   ? ""
         : low == high ? text_of("%g samples", low)
                       : text_of("%g to %g samples", low, high);
}

// The first row's field, or else the note of the table's head.
static const char *said(const struct view *v, enum column column, const char *note)
{
    for (int r = 0; r < v->n; r++)
        if (v->row[r]->cell[column][0] && !row_is_reference(v->row[r]))
            return v->row[r]->cell[column];
    return table_note(&v->t, note);
}

static const char *provenance_of(const struct view *v)
{
    const char *part[8] = { said(v, COLUMN_device, "device"),
                            "",
                            said(v, COLUMN_date, "date"),
                            v->size,
                            v->type,
                            v->mode,
                            v->f->flags & ALL_KNOBS ? "" : v->knobs,
                            samples_of(v) };
    const char *cuda = table_note(&v->t, "cuda"), *driver = table_note(&v->t, "driver");
    const char *text = "";

    if (cuda[0])
        part[1] = text_of("CUDA %s%s%s", cuda, driver[0] ? ", driver " : "", driver);
    if (!part[0][0])
        part[0] = "unknown device";
    for (int i = 0; i < 8; i++)
        if (part[i] && part[i][0])
            text = text_of("%s%s%s", text, text[0] ? " | " : "", part[i]);
    return text;
}

static double term_in_view(void *context, const struct term *t)
{
    const struct view *v = context;
    const char *size = v->size;

    // of several sizes, the largest
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
    char *text = text_of("%s", messages_of(v)), *line;
    size_t n = strlen(v->f->name);

    while ((line = strsep(&text, "\n"))) {
        char error[CLAIM_ERROR], *end = strchr(line, ':'),
                                 *says = end ? strchr(end + 1, ':') : NULL;
        struct claim claim = { 0 };

        if (strncmp(line, v->f->name, n) != 0 || line[n] != ':' || !says)
            continue;
        *says++ = '\0';
        if (claim_parse_condition(line + n + 1, &claim, error) != 0)
            fail("%s/messages: %s: %s", v->week, line, error);
        if (claim_judge(&claim, term_in_view, (void *)v).verdict == CLAIM_HOLDS)
            return says + strspn(says, " ");
    }
    return NULL;
}

void page_titles(struct page *page, const struct view *v)
{
    const char *message = message_of(v), *topic = topic_of(v), *how = v->how;
    const char *choice[] = { text_of("%s: %s%s%s", topic, v->title, how[0] ? "; " : "", how),
                             text_of("%s: %s", topic, how[0] ? how : v->title), how };
    int i = message ? 0 : 2;

    while (i < 2 && text_width(choice[i]) > PAGE_W - 2 * MARGIN - page->legend)
        i++;
    page->title = message ? message : text_of("%s: %s", topic, v->title);
    page->subtitle = choice[i];
    page->provenance = provenance_of(v);
}
