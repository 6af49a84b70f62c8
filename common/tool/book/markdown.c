// Tables for the READMEs, in Markdown.
//
//   rates     each stage's rate at the places; at the first, also its share of --of in the same run
//   steps     the rate of each stage of --stages, as a factor of the one before and of the first
//   one,
//             and as a share of --of: a reference, or "limit", the peak of memory or arithmetic;
//             with several places, rate and factor only
//   then      the stages of a published table, then and today, as shares of the table's base stage
//   times     median time at the places, in a stream and, if measured, replayed from a graph
//   knobs     as times, with a row for each setting of the knobs
//   counts    requests, and sectors or wavefronts per request
//   activity  requests to shared memory, barriers, active lanes
//   slots     instructions, the share of the issue slots that they use, bytes from L2, SM clock
//   access    the rows of demo_access: bandwidth of used and moved bytes
//
// --stages "stage1 stage2" selects rows; "core" is the core ladder. A place is SIZE/MODE. Rows of
// builds with knobs (except in knobs), of other variants than
// --variant, and of other element types than the first row's are skipped. A later row replaces an
// earlier one; a reference's number is the median of its rows.
#include "book.h"

#include <math.h>
#include <string.h>

#include "bound.h"

enum { MOST_PLACES = 16 };

struct item {
    const char *stage, *name, *knobs;
};

struct sheet {
    struct table table;
    const char *type, *variant, *base, *unit, *stages;   // stages: those to show; NULL: all
    struct place place[MOST_PLACES];
    int places;
    struct item
        *item;   // stages by number, then references; a stage's settings in the order of the table
    int items;
    int apart;   // number of shares that are not of the same run
};

// --- what is shown

static int item_order(const struct item *item)
{
    int number = stage_number(item->stage);

    return number >= 0 ? number : 1000000;
}

static void add_item(struct sheet *s, const struct row *row)
{
    struct item item = { row->stage, row->name, row->knobs };
    int i;

    for (i = 0; i < s->items; i++)
        if (strcmp(s->item[i].stage, row->stage) == 0 &&
            strcmp(s->item[i].knobs, row->knobs) == 0) {
            s->item[i].name = row->name;
            return;
        }
    s->item = grown(s->item, s->items, sizeof *s->item);
    for (i = s->items++; i > 0 && item_order(&s->item[i - 1]) > item_order(&item); i--)
        s->item[i] = s->item[i - 1];
    s->item[i] = item;
}

static void choose_rows(struct sheet *s, int with_knobs)
{
    for (size_t r = 0; r < s->table.n; r++) {
        const struct row *row = &s->table.row[r];

        if ((row->knobs[0] && !with_knobs) || !words_same(row->variant, s->variant) ||
            (s->stages && !has_word(s->stages, row->stage)))
            continue;
        if (!s->type || !s->type[0])
            s->type = row->type;
        if (strcmp(row->type, s->type) != 0 && s->table.has[COLUMN_type] && row->type[0])
            continue;
        add_item(s, row);
        s->unit = row->unit[0] ? row->unit : s->unit;
    }
}

static void choose_places(struct sheet *s, const char *list)
{
    for (const char *at = list; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " "), size = strcspn(at, "/");

        if (size >= n || s->places == MOST_PLACES)
            fail("markdown: --at '%s': expected SIZE/MODE...", list);
        s->place[s->places++] =
            (struct place){ .size = text_of("%.*s", (int)size, at),
                            .mode = text_of("%.*s", (int)(n - size - 1), at + size + 1),
                            .variant = s->variant };
        at += n;
    }
}

// The latest row of an item at a place.
static const struct row *row_of(const struct sheet *s, const struct item *item,
                                const struct place *at)
{
    struct place p = *at;

    p.knobs = item->knobs;
    p.type = s->table.has[COLUMN_type] && strcmp(at->mode, "published") ? s->type : NULL;
    return latest_row(&s->table, item->stage, &p);
}

static double number_of(const struct sheet *s, const struct row *row, enum column column)
{
    return row_is_ok(row) ? shown_number(&s->table, row, column) : NAN;
}

// --- cells

static const char *link_of(const struct item *item)
{
    const char *key = item->stage, *knobs = item->knobs[0] ? text_of(" `%s`", item->knobs) : "";

    return name_is_reference(key)
             ? text_of("[%s](%s.cu)%s", key, key, knobs)
             : text_of("[%s %s](%s_%s.cu)%s", key, item->name, key, item->name, knobs);
}

static const char *rate_cell(const struct sheet *s, const struct row *row)
{
    double rate = row ? number_of(s, row, COLUMN_rate) : NAN;

    if (!row)
        return "-";
    if (!(rate > 0))
        return row->status;
    return text_of(rate >= 100 ? "%.0f" : rate < 1 ? "%.2g" : "%.1f", rate);
}

static const char *share_cell(struct sheet *s, const struct row *row, const char *base)
{
    int same_run;
    double share = row ? rate_share(&s->table, row, base, &same_run) : NAN;

    if (isnan(share))
        return "-";
    s->apart += !same_run;
    return text_of("%.1f %%", 100 * share);
}

static const char *plain(const char *stage) { return name_is_reference(stage) ? stage + 4 : stage; }

const char *place_words(const struct place *p)
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

static void print_header(const char *cells, int columns)
{
    printf("| %s |\n|---|", cells);
    for (int i = 1; i < columns; i++)
        printf("--:|");
    putchar('\n');
}

static void print_footer(const struct sheet *s, const char *more)
{
    printf("\n%s, %s.%s\n", device_words(&s->table, ", "), table_note(&s->table, "date"), more);
}

// --- tables

static void print_rates(struct sheet *s)
{
    char *header = text_of("%s | %s | of %s", s->unit, place_words(&s->place[0]), plain(s->base));

    for (int i = 1; i < s->places; i++)
        header = text_of("%s | %s", header, place_words(&s->place[i]));
    print_header(header, s->places + 2);
    for (int k = 0; k < s->items; k++) {
        const struct row *row = row_of(s, &s->item[k], &s->place[0]);
        int found = row != NULL;
        char *line = text_of("| %s | %s | %s |", link_of(&s->item[k]), rate_cell(s, row),
                             share_cell(s, row, s->base));

        for (int i = 1; i < s->places; i++) {
            row = row_of(s, &s->item[k], &s->place[i]);
            found |= row != NULL;
            line = text_of("%s %s |", line, rate_cell(s, row));
        }
        if (found)
            puts(line);
    }
    print_footer(s, !name_is_reference(s->base)
                        ? ""
                        : text_of(" Shares are of %s in the same run%s; a reference's numbers are "
                                  "medians of its runs.",
                                  plain(s->base),
                                  s->apart ? ", or of its median where there was none" : ""));
}

// The share of the limit of bytes and operations, from all recorded peaks.
static const char *limit_cell(const struct sheet *s, const struct row *row)
{
    static struct table recorded;
    struct rates rates;
    double share = NAN;

    if (!recorded.n)
        recorded_read(&recorded, root_folder(), "*", "*.tsv");
    if (row) {
        rates = rates_of(&recorded, row->device);
        share = limit_us(&rates, row) / number_of(s, row, COLUMN_median_us);
    }
    return share > 0 ? text_of("%.1f %%", 100 * share) : "-";
}

static const char *gain_cell(const struct sheet *s, const struct row *row, const struct row *of)
{
    double gain = row && of ? number_of(s, row, COLUMN_rate) / number_of(s, of, COLUMN_rate) : NAN;

    return gain > 0 && row != of ? three_digits(gain) : "";
}

// The row of the item before this one, of the first one, at a place; NULL for a reference.
static const struct row *earlier(const struct sheet *s, int k, int other, const struct place *at)
{
    return other < 0 || name_is_reference(s->item[k].stage) ? NULL : row_of(s, &s->item[other], at);
}

static void print_steps(struct sheet *s)
{
    char *header = text_of("%s", s->places == 1 ? place_words(&s->place[0]) : s->unit);
    int is_limit = strcmp(s->base, "limit") == 0;

    for (int i = 0; i < s->places; i++)
        header =
            text_of("%s | %s | step", header, s->places == 1 ? s->unit : place_words(&s->place[i]));
    if (s->places == 1)
        header = text_of("%s | total | of %s", header, is_limit ? "the limit" : plain(s->base));
    print_header(header, s->places == 1 ? 5 : 1 + 2 * s->places);
    for (int k = 0; k < s->items; k++) {
        const char *mark = k + 1 == s->items ? "**" : "",
                   *line = text_of("| %s |", link_of(&s->item[k]));

        for (int i = 0; i < s->places; i++) {
            const struct place *at = &s->place[i];
            const struct row *row = row_of(s, &s->item[k], at);

            line = text_of("%s %s%s%s | %s |", line, mark, rate_cell(s, row), mark,
                           gain_cell(s, row, earlier(s, k, k - 1, at)));
            if (s->places == 1)
                line = text_of("%s %s | %s |", line, gain_cell(s, row, earlier(s, k, 0, at)),
                               is_limit ? limit_cell(s, row) : share_cell(s, row, s->base));
        }
        puts(line);
    }
}

static void print_then(struct sheet *s)
{
    static const struct place published = { .mode = "published", .variant = "" };
    const struct row *any = NULL;
    char *header;

    s->base = table_note(&s->table, "base");
    for (int k = 0; k < s->items && !any; k++)
        any = row_of(s, &s->item[k], &published);
    if (!any)
        fail("markdown: no table is a published one");
    header = text_of("%s | %s, %s | of %s", s->unit, any->device, any->size, s->base);
    for (int i = 0; i < s->places; i++)
        header = text_of("%s | %s | of %s", header, place_words(&s->place[i]), s->base);
    print_header(header, 2 * s->places + 3);
    for (int k = 0; k < s->items; k++) {
        const struct row *row = row_of(s, &s->item[k], &published);

        if (!row || !(number_of(s, row, COLUMN_rate) > 0))
            continue;
        printf("| %s | %s | %s |", link_of(&s->item[k]), rate_cell(s, row),
               share_cell(s, row, s->base));
        for (int i = 0; i < s->places; i++) {
            row = row_of(s, &s->item[k], &s->place[i]);
            printf(" %s | %s |", rate_cell(s, row), share_cell(s, row, s->base));
        }
        putchar('\n');
    }
}

static const char *time_cell(const struct sheet *s, const struct row *row, enum column column)
{
    double us = row ? number_of(s, row, column) : NAN;

    return isnan(us) ? "-" : text_of("%.2f", us);
}

static void print_times(struct sheet *s)
{
    int graphs[MOST_PLACES] = { 0 }, columns = 1;
    char *header = "us per call";

    for (int i = 0; i < s->places; i++) {
        for (int k = 0; k < s->items; k++)
            graphs[i] |=
                time_cell(s, row_of(s, &s->item[k], &s->place[i]), COLUMN_graph_us)[0] != '-';
        header = text_of("%s | %s%s", header, place_words(&s->place[i]),
                         graphs[i] ? " | from a graph" : "");
        columns += 1 + graphs[i];
    }
    print_header(header, columns);
    for (int k = 0; k < s->items; k++) {
        printf("| %s |", link_of(&s->item[k]));
        for (int i = 0; i < s->places; i++) {
            const struct row *row = row_of(s, &s->item[k], &s->place[i]);

            printf(" %s |", time_cell(s, row, COLUMN_median_us));
            if (graphs[i])
                printf(" %s |", time_cell(s, row, COLUMN_graph_us));
        }
        putchar('\n');
    }
    print_footer(s, "");
}

// --- tables of counts: all stages, at the first size in the table

static const char *each_cell(const struct row *row, enum column units, enum column requests)
{
    double n = row_number(row, requests);

    return n > 0 ? text_of("%s x %.4g", row->cell[requests], row_number(row, units) / n) : "-";
}

static const char *million_cell(const struct row *row, enum column column)
{
    double n = row_number(row, column);

    return isnan(n) ? "-" : text_of("%.1f", n / 1e6);
}

// The share of issue slots that are used: the slots are those of the time without the profiler, at
// the clock with it.
static const char *slots_cell(const struct sheet *s, const struct row *row)
{
    struct place timed = { row->size, "cold", NULL, "", s->variant };
    double us = value_beside(&s->table, NULL, row->stage, &timed, COLUMN_median_us),
           slots = row_number(row, COLUMN_cycles_per_second) *
                   row_number(row, COLUMN_issue_per_cycle) / 1e6 * us;

    return slots > 0 ? text_of("%.1f %%", 100 * row_number(row, COLUMN_instructions) / slots) : "-";
}

static const char *count_cells(const struct sheet *s, const struct row *row)
{
    (void)s;
    return text_of("%s | %s | %s", each_cell(row, COLUMN_ld_sectors, COLUMN_ld_requests),
                   each_cell(row, COLUMN_st_sectors, COLUMN_st_requests),
                   each_cell(row, COLUMN_shared_wavefronts, COLUMN_shared_requests));
}

static const char *activity_cells(const struct sheet *s, const struct row *row)
{
    double requests = row_number(row, COLUMN_shared_requests);

    (void)s;
    return text_of(
        "%s | %s | %s | %.1f", row->shared_requests,
        requests > 0 ? text_of("%.3g", row_number(row, COLUMN_shared_wavefronts) / requests) : "-",
        row->barriers, row_number(row, COLUMN_active_lanes));
}

static const char *slot_cells(const struct sheet *s, const struct row *row)
{
    double hz = row_number(row, COLUMN_cycles_per_second);

    return row->instructions[0]
             ? text_of("%s | %s | %s | %s", million_cell(row, COLUMN_instructions),
                       slots_cell(s, row), million_cell(row, COLUMN_l2_read_bytes),
                       hz > 0 ? text_of("%.2f", hz / 1e9) : "-")
             : NULL;
}

// Copies by the TMA, and products of warpgroups.
static const char *asynchronous_cells(const struct sheet *s, const struct row *row)
{
    double products = row_number(row, COLUMN_products),
           multicast = row_number(row, COLUMN_multicast_bytes);

    (void)s;
    return text_of("%s | %s | %s | %s | %s",
                   each_cell(row, COLUMN_bulk_ld_sectors, COLUMN_bulk_ld_requests),
                   each_cell(row, COLUMN_bulk_st_sectors, COLUMN_bulk_st_requests),
                   multicast > 0 ? million_cell(row, COLUMN_multicast_bytes) : "-",
                   each_cell(row, COLUMN_product_clocks, COLUMN_products),
                   products > 0 ? million_cell(row, COLUMN_product_bytes) : "-");
}

static const struct count_table {
    const char *kind, *header;
    const char *(*cells)(const struct sheet *, const struct row *);   // NULL: no line
    int columns;
    const char *footer;   // NULL: none
} count_tables[] = {
    { "counts", "loads x sectors | stores x sectors | shared requests x wavefronts", count_cells, 4,
      "" },
    { "activity", "shared requests | wavefronts each | barriers per warp | active lanes",
      activity_cells, 5, NULL },
    { "slots", "million instructions | share of the issue slots | MB from L2 | SM clock, GHz",
      slot_cells, 5,
      " The issue slots are those of the time without the profiler, at the clock that the profiler "
      "saw." },
    { "asynchronous",
      "bulk loads x sectors | bulk stores x sectors | MB by multicast | wgmmas x cycles | MB of "
      "shared memory for wgmmas",
      asynchronous_cells, 6, "" },
};
enum { COUNT_TABLES = sizeof count_tables / sizeof *count_tables };

static void print_count_table(const struct sheet *s, const struct count_table *t)
{
    struct place counted = { .mode = "count", .variant = s->variant };

    for (size_t r = 0; r < s->table.n && !counted.size; r++)
        if (row_is_at(&s->table.row[r], &counted))
            counted.size = s->table.row[r].size;
    if (!counted.size)
        fail("markdown: %s: no row of mode count", t->kind);
    print_header(text_of("%s | %s", counted.size, t->header), t->columns);
    for (int k = 0; k < s->items; k++) {
        const struct row *row = row_of(s, &s->item[k], &counted);
        const char *cells =
            row && row_is_ok(row) && !row_is_reference(row) ? t->cells(s, row) : NULL;

        if (cells)
            printf("| %s | %s |\n", link_of(&s->item[k]), cells);
    }
    if (t->footer)
        print_footer(s, t->footer);
}

static void print_access(struct sheet *s, const char *strides)
{
    print_header("a warp reads | used, GB/s | moved in sectors, GB/s | DRAM moved per word of 4 "
                 "bytes",
                 4);
    for (size_t r = 0; r < s->table.n; r++) {
        const struct row *row = &s->table.row[r];
        double rate = row_number(row, COLUMN_rate), used = row_number(row, COLUMN_used_bytes),
               dram = row_number(row, COLUMN_dram_bytes);

        if (strcmp(row->variant, s->variant) != 0 ||
            (row->stride[0] && !has_word(strides, row->stride)))
            continue;
        printf("| %s | %.0f | %.0f | %s |\n",
               row->stride[0] ? text_of("words with a stride of %s", row->stride) : row->name, rate,
               rate * row_number(row, COLUMN_moved_bytes) / used,
               isnan(dram) ? "-" : text_of("%.1f bytes", 4 * dram / used));
    }
    print_footer(s, "");
}

// The stages that a list names; "core": those of the week's core ladder.
static const char *stages_of(const struct sheet *s, const char *list)
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
               *stages = take_option(&a, "--stages");
    const char *kind = a.n ? a.word[0] : "";
    struct sheet s = { .variant = variant ? variant : "", .base = of ? of : "", .unit = "" };
    struct arguments tables = { a.n - 1, a.word + 1 };
    int table = 0;

    no_options(&a);
    while (table < COUNT_TABLES && strcmp(kind, count_tables[table].kind) != 0)
        table++;
    if (!a.n)
        fail("markdown: expected KIND TABLE...");
    s.table = read_tables(&tables);
    s.stages = stages_of(&s, stages);
    choose_rows(&s, strcmp(kind, "knobs") == 0);
    choose_places(&s, at ? at : "");
    if (s.items == 0)
        fail("markdown: no row to show");
    if (strcmp(kind, "rates") == 0 && s.places && of)
        print_rates(&s);
    else if (strcmp(kind, "steps") == 0 && s.places && of)
        print_steps(&s);
    else if (strcmp(kind, "then") == 0)
        print_then(&s);
    else if (s.places && (strcmp(kind, "times") == 0 || strcmp(kind, "knobs") == 0))
        print_times(&s);
    else if (strcmp(kind, "access") == 0 && strides)
        print_access(&s, strides);
    else if (table < COUNT_TABLES)
        print_count_table(&s, &count_tables[table]);
    else
        fail("markdown: '%s': expected rates --at --of, steps --at --of, then --at, times --at, "
             "knobs --at, counts, "
             "activity, slots or access --strides",
             kind);
    return STATUS_OK;
}
