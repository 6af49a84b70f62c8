// Tables for the READMEs, in Markdown.
//
//   rates     each stage's rate at the places; at the first, also its share of --of in the same run
//   steps     the rate of each stage of --stages, as a factor of the one before and of the first
//             one, and as a share of --of: a reference, or "limit", the peak of memory or
//             arithmetic; with several places, rate and factor only
//   then      the stages of a published table, then and today, as shares of the table's base stage
//   times     median time at the places, in a stream and, if measured, replayed from a graph
//   knobs     as times, with a row for each setting of the knobs
//   counts    requests, and sectors or wavefronts per request
//   activity  requests to shared memory, barriers, active lanes
//   slots     instructions, the share of the issue slots that they use, bytes from L2, SM clock
//   asynchronous  copies by the TMA, products of warpgroups
//   access    the rows of demo_access: bandwidth of used and moved bytes
//
// --stages "stage1 stage2" selects rows; "core" is the core ladder. A place is SIZE/MODE. Rows of
// builds with knobs (except in knobs), of other variants than --variant, and of other element types
// than the first row's are skipped. A later row replaces an earlier one; a reference's number is
// the median of its rows. A stage that was timed alone, in a table of stages that were timed beside
// references, is marked.
#include "book.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bound.h"
#include "claim.h"

enum { MOST_PLACES = 16, SLIDE_ROWS = 6 };

struct kind;

struct md_table {
    const struct kind *kind;
    struct table table;
    const char *type, *variant, *base, *unit;
    const char *stages, *strides;   // those to show; NULL: all
    struct place place[MOST_PLACES];
    const char *words[MOST_PLACES];   // the places as heads
    int places;
    // stages by number, then references; a stage's settings in the order of the table
    struct row *item;
    int items, newest;       // newest: the bold one
    const struct row *own;   // references are those of the run of this row; NULL: medians
    int apart;               // number of shares that are not of the same run
    struct days days;        // of the rows that are shown
};

// What a cell is about: an item, and its row at a place, NULL if it is not measured.
struct spot {
    struct md_table *sheet;
    const struct part *part;
    int item;
    const struct place *place;
    const struct row *row;
};

// A column of a table.
struct part {
    const char *name, *head;   // head "": it depends on the sheet
    const char *(*cell)(const struct spot *);
    const char *format, *value;   // of number_cell(): an expression (claim.h)
};

// A kind of tables. Its columns are words of parts[], for each place.
struct kind {
    const char *name, *columns;
    const char *others;   // columns of each place but the first; NULL: the same
    // columns if there is one place; then the place is the head of the first column, and the unit
    // that of the rate; NULL: no such difference
    const char *alone;
    const char *mode;     // of the first place, which no option names: "count"
    const char *head;     // of the first column; NULL: the unit
    const char *footer;   // NULL: none
};

// --- what is shown

// References, which have no number, come last.
static unsigned item_order(const struct row *item) { return (unsigned)stage_number(item->stage); }

static void add_item(struct md_table *s, const struct row *row)
{
    int i;

    for (i = 0; i < s->items && !s->strides; i++)
        if (strcmp(s->item[i].stage, row->stage) == 0 &&
            strcmp(s->item[i].knobs, row->knobs) == 0) {
            s->item[i] = *row;
            return;
        }
    s->item = grown(s->item, s->items, sizeof *s->item);
    for (i = s->items++; i > 0 && item_order(&s->item[i - 1]) > item_order(row); i--)
        s->item[i] = s->item[i - 1];
    s->item[i] = *row;
}

static void choose_rows(struct md_table *s)
{
    int with_knobs = strcmp(s->kind->name, "knobs") == 0;

    for (size_t r = 0; r < s->table.n; r++) {
        const struct row *row = &s->table.row[r];

        if ((row->knobs[0] && !with_knobs) || !words_same(row->variant, s->variant) ||
            (s->stages && !has_word(s->stages, row->stage)) ||
            (s->strides && row->stride[0] && !has_word(s->strides, row->stride)))
            continue;
        if (!s->type || !s->type[0])
            s->type = row->type;
        if (strcmp(row->type, s->type) != 0 && s->table.has[COLUMN_type] && row->type[0])
            continue;
        add_item(s, row);
        s->unit = row->unit[0] ? row->unit : s->unit;
    }
    if (s->items == 0)
        fail("markdown: no row to show");
}

// The latest row of an item at a place; without a mode, the item itself.
static const struct row *row_of_item(const struct md_table *s, const struct row *item,
                                     const struct place *at)
{
    struct place p = *at;

    if (!at->mode)
        return item;
    p.knobs = item->knobs;
    p.type = s->table.has[COLUMN_type] && strcmp(at->mode, "published") ? s->type : NULL;
    return latest_row(&s->table, item->stage, &p);
}

static const char *plain(const char *stage) { return name_is_reference(stage) ? stage + 4 : stage; }

// A place as tables name it: "2^24, cold" for 16777216/cold.
static const char *place_words(const struct place *p)
{
    struct size size = size_of(p->size);
    int power = 0;

    if (size.sides == 1) {
        long long n = (long long)size.side[0];

        while (n > 1 && n % 2 == 0)
            n /= 2, power++;
        if (n == 1 && power >= 10)
            return text_of("2^%d, %s", power, p->mode);
    }
    return text_of("%s, %s", p->size, p->mode);
}

static void add_place(struct md_table *s, struct place place, const char *words)
{
    s->words[s->places] = words;
    s->place[s->places++] = place;
}

// The first place of some kinds: counts are at the first size in the table.
static void choose_first_place(struct md_table *s)
{
    struct place at = { .mode = s->kind->mode, .variant = s->variant };
    const struct row *any = s->table.row, *end = any + s->table.n;

    while (any < end && !row_is_at(any, &at))
        any++;
    if (any == end)
        fail("markdown: %s: no row of mode %s", s->kind->name, at.mode);
    at.size = strcmp(at.mode, "count") == 0 ? any->size : NULL;
    add_place(s, at, at.size ? at.size : text_of("%s, %s", any->device, any->size));
}

static void choose_places(struct md_table *s, const char *list)
{
    for (const char *rest = list, *word; (word = next_word(&rest));) {
        const char *slash = strchr(word, '/');
        struct place place = { .variant = s->variant };

        if (!slash || s->places == MOST_PLACES)
            fail("markdown: --at '%s': expected SIZE/MODE...", list);
        place.size = text_of("%.*s", (int)(slash - word), word);
        place.mode = slash + 1;
        add_place(s, place, place_words(&place));
    }
}

// --- cells

static double number_at(const struct spot *at, enum column column)
{
    const struct md_table *s = at->sheet;

    if (!at->row || !row_is_ok(at->row))
        return NAN;
    return s->own && row_is_reference(at->row)
             ? value_beside(&s->table, s->own, at->row->stage, at->place, column)
             : shown_number(&s->table, at->row, column);
}

static double value_at(void *spot, const struct term *t) { return number_at(spot, t->column); }

static const char *number_cell(const struct spot *at)
{
    double n = expression_value(at->part->value, value_at, (void *)at);

    return isnan(n) ? "-" : text_of(at->part->format, n);
}

// Of counts that most stages do not have: 0 is "-".
static const char *rare_cell(const struct spot *at)
{
    const char *number = number_cell(at);

    return atof(number) > 0 ? number : "-";
}

// "256 x 4": 256 requests with 4 sectors each.
static const char *each_cell(const struct spot *at)
{
    const char *ratio = number_cell(at), *requests = strrchr(at->part->value, '/') + 2;

    return ratio[0] == '-' ? "-"
                           : text_of("%s x %s", at->row->cell[column_of_name(requests)], ratio);
}

static const char *rate_cell(const struct spot *at)
{
    double rate = number_at(at, COLUMN_rate);

    if (!at->row)
        return "-";
    if (!(rate > 0))
        return at->row->status;
    return text_of(rate >= 100 ? "%.0f" : rate < 1 ? "%.2g" : "%.1f", rate);
}

// The share of the limit of bytes and operations, from all recorded peaks.
static double share_of_limit(const struct spot *at)
{
    static struct table recorded;
    struct rates rates;

    if (!recorded.n)
        recorded_read(&recorded, root_folder(), "*", "*.*.tsv");
    rates = rates_of(&recorded, at->row->device);
    return limit_us(&rates, at->row) / number_at(at, COLUMN_median_us);
}

static const char *share_cell(const struct spot *at)
{
    struct md_table *s = at->sheet;
    int same_run = 1;
    double share = !at->row ? NAN
                 : strcmp(s->base, "limit") == 0
                     ? share_of_limit(at)
                     : rate_share(&s->table, at->row, s->base, &same_run);

    if (isnan(share))
        return "-";
    s->apart += !same_run;
    return text_of("%.1f %%", 100 * share);
}

// How many times as fast as another item it is; "" for a reference and for the other item itself.
static const char *gain(const struct spot *at, int other)
{
    const struct row *item = at->sheet->item;
    struct spot of = *at;
    double gain;

    if (other < 0 || other == at->item || row_is_reference(&item[at->item]))
        return "";
    of.row = row_of_item(at->sheet, &item[other], at->place);
    gain = number_at(at, COLUMN_rate) / number_at(&of, COLUMN_rate);
    return gain > 0 ? three_digits(gain) : "";
}

static const char *step_cell(const struct spot *at) { return gain(at, at->item - 1); }
static const char *total_cell(const struct spot *at) { return gain(at, 0); }

// The share of issue slots that are used: the slots are those of the time without the profiler, at
// the clock with it.
static const char *slots_cell(const struct spot *at)
{
    struct spot timed = *at;
    struct place cold = *at->place;
    double slots = number_at(at, COLUMN_cycles_per_second) * number_at(at, COLUMN_issue_per_cycle),
           us;

    cold.mode = "cold";
    timed.row = row_of_item(at->sheet, &at->sheet->item[at->item], &cold);
    us = number_at(&timed, COLUMN_median_us);
    return slots * us > 0
             ? text_of("%.1f %%", 100 * number_at(at, COLUMN_instructions) / (slots / 1e6 * us))
             : "-";
}

// Of a slide.
static const char *readable_cell(const struct spot *at)
{
    double us = number_at(at, COLUMN_median_us);

    return us > 0 ? readable(1e-6 * us, "s") : "not measured";
}

static const char *digits_cell(const struct spot *at)
{
    double rate = number_at(at, COLUMN_rate);

    return rate > 0 ? three_digits(rate) : "";
}

// A bar of blocks, the longest one for the highest rate; none for less than half a block.
static const char *bar_cell(const struct spot *at)
{
    enum { LONGEST = 24 };
    double most = 0, share;
    const char *bar = "";

    for (int i = 0; i < at->sheet->items; i++) {
        struct spot of = *at;

        of.row = row_of_item(at->sheet, &at->sheet->item[i], at->place);
        most = fmax(most, number_at(&of, COLUMN_rate));
    }
    share = number_at(at, COLUMN_rate) / most;
    for (int k = 0; k < round(LONGEST * share); k++)
        bar = text_of("%s\u2588", bar);
    return bar;
}

// --- kinds

static const struct part parts[] = {
    { "rate", "", rate_cell, NULL, NULL },
    { "share", "", share_cell, NULL, NULL },
    { "step", "step", step_cell, NULL, NULL },
    { "total", "total", total_cell, NULL, NULL },
    { "us", "", number_cell, "%.2f", "median_us" },
    { "graph", "from a graph", number_cell, "%.2f", "graph_us" },
    { "loads", "loads x sectors", each_cell, "%.4g", "ld_sectors / ld_requests" },
    { "stores", "stores x sectors", each_cell, "%.4g", "st_sectors / st_requests" },
    { "shared", "shared requests x wavefronts", each_cell, "%.4g",
      "shared_wavefronts / shared_requests" },
    { "requests", "shared requests", number_cell, "%.0f", "shared_requests" },
    { "each", "wavefronts each", number_cell, "%.3g", "shared_wavefronts / shared_requests" },
    { "barriers", "barriers, all warps", number_cell, "%.0f", "barriers" },
    { "lanes", "active lanes", number_cell, "%.1f", "active_lanes" },
    { "instructions", "million instructions", number_cell, "%.1f", "instructions / 1e6" },
    { "slots", "share of the issue slots", slots_cell, NULL, NULL },
    { "l2", "MB from L2", number_cell, "%.1f", "l2_read_bytes / 1e6" },
    { "clock", "SM clock, GHz", number_cell, "%.2f", "cycles_per_second / 1e9" },
    { "bulk_ld", "bulk loads x sectors", each_cell, "%.4g", "bulk_ld_sectors / bulk_ld_requests" },
    { "bulk_st", "bulk stores x sectors", each_cell, "%.4g", "bulk_st_sectors / bulk_st_requests" },
    { "multicast", "MB by multicast", rare_cell, "%.1f", "multicast_bytes / 1e6" },
    { "wgmmas", "wgmmas x cycles", each_cell, "%.4g", "product_clocks / products" },
    { "operands", "MB of shared memory for wgmmas", rare_cell, "%.1f", "product_bytes / 1e6" },
    { "used", "used, GB/s", number_cell, "%.0f", "rate" },
    { "moved", "moved in sectors, GB/s", number_cell, "%.0f", "rate * moved_bytes / used_bytes" },
    { "dram", "DRAM moved per word of 4 bytes", number_cell, "%.1f bytes",
      "4 * dram_bytes / used_bytes" },
    // of slides
    { "time", "time", readable_cell, NULL, NULL },
    { "digits", "", digits_cell, NULL, NULL },
    { "bar", "rate", bar_cell, NULL, NULL },
};

static const struct kind kinds[] = {
    { "rates", "rate share", "rate", NULL, NULL, NULL, "" },
    { "steps", "rate step", NULL, "rate step total share", NULL, NULL, NULL },
    { "then", "rate share", NULL, NULL, "published", NULL, NULL },
    { "times", "us graph", NULL, NULL, NULL, "us per call", "" },
    { "knobs", "us graph", NULL, NULL, NULL, "us per call", "" },
    { "access", NULL, NULL, "used moved dram", NULL, "a warp reads", "" },
    { "counts", NULL, NULL, "loads stores shared", "count", NULL, "" },
    { "activity", NULL, NULL, "requests each barriers lanes", "count", NULL, NULL },
    { "slots", NULL, NULL, "instructions slots l2 clock", "count", NULL,
      " The issue slots are those of the time without the profiler, at the clock that the profiler "
      "saw." },
    { "asynchronous", NULL, NULL, "bulk_ld bulk_st multicast wgmmas operands", "count", NULL, "" },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// Steps of a stage and its predecessor: the total gain would be the step.
static const struct kind before_and_now = { "steps", "rate step", NULL, "rate step share",
                                            NULL,    NULL,        NULL };
static const struct kind slide = { NULL, NULL, NULL, "time digits step total", NULL, NULL, NULL };
static const struct kind slide_result = {
    NULL, NULL, NULL, "time digits step bar", NULL, NULL, NULL
};

// --- tables

static const struct part *part_of(const char *name)
{
    const struct part *p = parts;

    while (strcmp(p->name, name) != 0)
        p++;
    return p;
}

// The columns of a place. That of graphs is omitted if none was measured.
static const char *columns_of(const struct md_table *s, int place)
{
    const struct kind *kind = s->kind;
    const char *columns = s->places == 1 && kind->alone ? kind->alone
                        : place && kind->others         ? kind->others
                                                        : kind->columns;

    for (int k = 0; k < s->items && has_word(columns, "graph"); k++) {
        const struct row *row = row_of_item(s, &s->item[k], &s->place[place]);

        if (row && row_is_ok(row) && row->graph_us[0])
            return columns;
    }
    return has_word(columns, "graph") ? "us" : columns;
}

static const char *head_text(const struct md_table *s, const struct part *p, int place)
{
    if (p->head[0])
        return p->head;
    if (p->cell == share_cell)
        return text_of("of %s", strcmp(s->base, "limit") == 0 ? "the limit" : plain(s->base));
    return s->places == 1 && s->kind->alone ? s->unit : s->words[place];
}

// Whether a stage was timed without references, and most others of the table beside them.
static int is_alone(const struct table *t, const struct row *row)
{
    int beside = 0;

    for (size_t r = 0; r < t->n && has_word(row->command, "--alone"); r++)
        if (stage_number(t->row[r].stage) >= 0 && same(t->row[r].mode, row->mode))
            beside += has_word(t->row[r].command, "--alone") ? -1 : 1;
    return beside > 0;
}

// The two ways of timing do not give the same rate.
static const char *alone_mark(const struct md_table *s, const struct row *item)
{
    for (int i = 0; i < s->places; i++) {
        const struct row *row = row_of_item(s, item, &s->place[i]);

        if (row && is_alone(&s->table, row))
            return ", alone";
    }
    return "";
}

static const char *label_of(const struct md_table *s, const struct row *item)
{
    const char *key = item->stage, *knobs = item->knobs[0] ? text_of(" `%s`", item->knobs) : "",
               *mark = alone_mark(s, item);
    int is_reference = name_is_reference(key);

    if (s->kind == &slide || s->kind == &slide_result)
        return is_reference ? item->name : text_of("%d %s%s", stage_number(key), item->name, mark);
    if (s->strides)
        return item->stride[0] ? text_of("words with a stride of %s", item->stride) : item->name;
    return is_reference
             ? text_of("[%s](%s.cu)%s", key, key, knobs)
             : text_of("[%s %s](%s_%s.cu)%s%s", key, item->name, key, item->name, knobs, mark);
}

// Adds the days of a row; of a reference those of all its rows, whose medians are shown.
static void add_days(struct md_table *s, const struct row *row)
{
    struct place p = { row->size, row->mode, row->type, row->knobs, row->variant };

    days_add(&s->days, row_day(&s->table, row));
    for (size_t r = 0; r < s->table.n && row_is_reference(row); r++)
        if (same(s->table.row[r].stage, row->stage) && row_is_at(&s->table.row[r], &p))
            days_add(&s->days, row_day(&s->table, &s->table.row[r]));
}

// Adds the line of an item. Tables of rates, and those whose kind has a place of its own, show only
// what is measured there. The newest item is bold: in a slide all of it, elsewhere the rate.
static void add_line(struct listing *all, struct md_table *s, int item)
{
    int is_slide = s->kind == &slide || s->kind == &slide_result, is_newest = item == s->newest,
        found = !s->kind->others && !s->kind->mode;
    const char *label = label_of(s, &s->item[item]),
               *line = is_slide && is_newest ? text_of("**%s**", label) : label;

    for (int i = 0; i < s->places; i++)
        for (const char *list = columns_of(s, i), *name; (name = next_word(&list));) {
            struct spot at = { s, part_of(name), item, &s->place[i],
                               row_of_item(s, &s->item[item], &s->place[i]) };
            const char *cell = at.part->cell(&at), *mark = "";

            if (is_newest && cell[0] && (is_slide || at.part->cell == rate_cell))
                mark = "**";
            if (at.row)
                add_days(s, at.row);
            if (at.row && (i == 0 || !s->kind->mode))
                found |= !s->kind->mode || row_is_ok(at.row);
            line = text_of("%s\t%s%s%s", line, mark, cell, mark);
        }
    if (found)
        listing_add(all, "%s", line);
}

static struct listing listing_of(struct md_table *s)
{
    struct listing all = { 0 };
    int is_alone = s->places == 1 && s->kind->alone;
    const char *line = s->kind->head ? s->kind->head : is_alone ? s->words[0] : s->unit;

    for (int i = 0; i < s->places; i++)
        for (const char *list = columns_of(s, i), *name; (name = next_word(&list));)
            line = text_of("%s\t%s", line, head_text(s, part_of(name), i));
    listing_add(&all, "%s", line);
    for (int k = 0; k < s->items; k++)
        add_line(&all, s, k);
    return all;
}

// What stands below the table of rates.
static const char *note_on_shares(const struct md_table *s)
{
    if (strcmp(s->kind->name, "rates") != 0 || !name_is_reference(s->base))
        return s->kind->footer;
    return text_of(" Shares are of %s in the same run%s; a reference's numbers are medians of its "
                   "runs.",
                   plain(s->base), s->apart ? ", or of its median where there was none" : "");
}

// The stages that a list names; "core": those of the week's core ladder.
static const char *stages_of(const struct md_table *s, const char *list)
{
    return list && strcmp(list, "core") == 0 && s->table.n
             ? message_stages(folder_of(s->table.row[0].week), list)
             : list;
}

// ladder markdown KIND [--at "SIZE/MODE ..."] [--of BASE] [--variant V] [--strides LIST]
// [--stages LIST] TABLE...
enum status command_markdown(struct arguments a)
{
    const char *at = take_option(&a, "--at"), *of = take_option(&a, "--of"),
               *variant = take_option(&a, "--variant"), *strides = take_option(&a, "--strides"),
               *stages = take_option(&a, "--stages"), *name = a.n ? a.word[0] : "";
    struct md_table s = { .variant = variant ? variant : "", .unit = "", .strides = strides };
    struct arguments tables = { a.n - 1, a.word + 1 };
    struct listing all;
    int needs_at;

    no_options(&a);
    for (int i = 0; i < KINDS; i++)
        if (strcmp(name, kinds[i].name) == 0)
            s.kind = &kinds[i];
    needs_at = s.kind && s.kind->columns && !s.kind->mode;
    if (!s.kind || (needs_at && (!at || !at[strspn(at, " ")])) ||
        (needs_at && !s.kind->head && !of) || (strcmp(name, "access") == 0 && !strides))
        fail("markdown: '%s': expected rates --at --of, steps --at --of, then --at, times --at, "
             "knobs --at, counts, activity, slots, asynchronous or access --strides",
             name);
    s.table = read_tables(&tables);
    s.base = of ? of : table_note(&s.table, "base");
    s.stages = stages_of(&s, stages);
    choose_rows(&s);
    if (s.kind->mode)
        choose_first_place(&s);
    choose_places(&s, s.kind->columns && at ? at : "");
    s.places = s.places ? s.places : 1;   // access: the items themselves
    s.newest = strcmp(name, "steps") == 0 ? s.items - 1 : -1;
    if (s.newest >= 0 && s.items <= 2)
        s.kind = &before_and_now;
    all = listing_of(&s);
    listing_markdown(&all, "-r", stdout);
    if (s.kind->footer)
        printf("\n%s, %s.%s\n", device_words(&s.table, ", "), days_text(&s.days),
               note_on_shares(&s));
    return STATUS_OK;
}

static void add_named(struct md_table *s, const char *stage, const char *name)
{
    struct row row = row_empty();

    row.stage = stage;
    row.name = name;
    row.knobs = s->place[0].knobs;
    s->item = grown(s->item, s->items, sizeof *s->item);
    s->item[s->items++] = row;
}

static struct md_table slide_table(const struct kind *kind, const struct table *t,
                                   const struct place *at)
{
    return (struct md_table){ .kind = kind,
                              .table = *t,
                              .type = at->type,
                              .place = { *at },
                              .places = 1,
                              .words = { at->size ? place_words(at) : "stage" },
                              .unit = at->size ? t->row[0].unit : "rate" };
}

static void add_references(struct md_table *s, const char *folder, const char *note)
{
    const char *list = message(folder, "references"), *reference;

    for (list = list ? list : table_note(&s->table, "base"); (reference = next_word(&list));)
        if (name_is_reference(reference) && latest_row(&s->table, reference, s->place))
            add_named(s, reference, text_of("%s%s", plain(reference), note));
}

struct listing growing_table(const struct table *t, const struct place *at, const char *folder,
                             const char *stages, const char *last)
{
    const char *stage = "";
    struct md_table s = slide_table(&slide, t, at);
    struct listing all;
    int hidden;

    while (strcmp(stage, last) != 0 && (stage = next_word(&stages)))
        add_named(&s, stage, head_of(stage_file(folder, stage)).name);
    s.newest = s.items - 1;
    add_references(&s, folder, "");
    all = listing_of(&s);
    hidden = s.newest + 1 - SLIDE_ROWS;
    if (hidden > 0) {
        all.row[2] = "...\t\t\t\t";
        memmove(&all.row[3], &all.row[2 + hidden], (all.n - 2 - hidden) * sizeof *all.row);
        all.n -= hidden - 1;
    }
    return all;
}

struct listing result_table(const struct table *t, const struct place *at, const char *folder,
                            const char *before, const char *stage, int same_run)
{
    struct md_table s = slide_table(&slide_result, t, at);

    if (before[0])
        add_named(&s, before, head_of(stage_file(folder, before)).name);
    add_named(&s, stage, head_of(stage_file(folder, stage)).name);
    s.newest = s.items - 1;
    s.own = same_run ? latest_row(t, stage, at) : NULL;
    add_references(&s, folder, s.own ? ", same run" : "");
    return listing_of(&s);
}
