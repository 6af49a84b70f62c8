#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "folders.h"

static const char *next_part(char **text, const char *separator)
{
    char *part = *text, *end = strstr(part, separator);

    *text = end ? end + strlen(separator) : part + strlen(part);
    if (end)
        *end = '\0';
    return part;
}

static void read_operations(struct overview *o)
{
    char *line = message(folder_of(o->week), "operations"), *end;

    o->operations = NAN;
    if (!line)
        return;
    o->operations = strtod(next_part(&line, ": "), &end);
    o->operation = line;
    if (!(o->operations > 0) || *end || !line[0])
        fail("%s/messages: operations: expected NUMBER: WHAT, for example 1: additions", o->week);
}

static void read_messages(struct overview *o)
{
    char *words, *line = message(folder_of(o->week), "overview");

    if (!line)
        fail("%s/messages: no line 'overview: FIRST LAST REFERENCE SIZE: LIBRARY'", o->week);
    words = (char *)next_part(&line, ": ");
    o->library = line;
    for (int i = 0; i < BARS_PER_WEEK; i++)
        o->stage[i] = next_part(&words, " ");
    o->size = words;
    if (!o->library[0] || !size_of(o->size).sides)
        fail("%s/messages: overview: expected FIRST LAST REFERENCE SIZE: LIBRARY", o->week);
    read_operations(o);
}

const struct row *overview_row(const struct table *t, const struct overview *o, const char *stage,
                               const char *size)
{
    const struct row *row = latest_row(t, stage, &(struct place){ size, "cold", o->type, "", "" });

    return row && row_is_ok(row) ? row : NULL;
}

struct table overview_part(const struct overview *o, const char *part, const char *from)
{
    struct arguments files = { 0, NULL };
    char path[PATH_MAX];

    if (from[0])
        files = files_like(text_of("%s/plots/data/%s", root_folder(), from), "%s.%s.tsv", o->week,
                           part);
    else if (newest_results(path, folder_of(o->week)) == 0)
        return results_of_part(path, part);
    return files.n ? read_tables(&files) : (struct table){ 0 };
}

// Finds the rows. Returns the stage or reference that has none, or NULL.
static const char *find_rows(struct overview *o)
{
    o->type = o->t.n ? table_type(&o->t) : "";
    for (int i = 0; i < BARS_PER_WEEK; i++) {
        const struct row *row = overview_row(&o->t, o, o->stage[i], o->size);

        if (!row)
            return o->stage[i];
        o->rate[i] = shown_number(&o->t, row, COLUMN_rate);
        o->unit = row->unit;
        o->row[i] = row;
    }
    return NULL;
}

double rate_of_library(const struct overview *o)
{
    int same_run;

    return rate_share(&o->t, o->row[LAST], o->stage[LIBRARY], &same_run);
}

// "NVIDIA H200 | CUDA 13.0 | driver 580.159.04 | 2026-01-02 to 2026-01-04".
static const char *provenance_of(const struct weeks *weeks)
{
    const struct table *t = &weeks->of[0].t;
    const char *first = table_note(t, "date"), *last = first;

    for (int i = 1; i < weeks->n; i++) {
        const char *date = table_note(&weeks->of[i].t, "date");

        first = strcmp(date, first) < 0 ? date : first;
        last = strcmp(date, last) > 0 ? date : last;
    }
    return text_of("%s | %s%s%s", device_words(t, " | "), first, strcmp(first, last) ? " to " : "",
                   strcmp(first, last) ? last : "");
}

int week_number(const struct overview *o) { return atoi(o->week); }

const char *overview_label(const struct overview *o, const char *stage)
{
    const char *file = stage_file(folder_of(o->week), stage), *name;

    if (!file)
        fail("%s/messages: overview: '%s': expected a stage or reference of this folder", o->week,
             stage);
    name = strchr(stem_of(file), '_');
    return text_of("%d %s", stage_number(stage), name ? name + 1 : "");
}

static const char *sizes_of(const struct weeks *weeks)
{
    const char *sizes = weeks->of[0].size;

    for (int i = 1; i < weeks->n; i++)
        sizes = text_of("%s, %s", sizes, weeks->of[i].size);
    return sizes;
}

// Reads the rows of all weeks, of a recorded run or, with "", of this machine. Returns what is
// missing, or NULL.
static const char *read_weeks(struct weeks *weeks, const char *from)
{
    weeks->from = from;
    for (int i = 0; i < weeks->n; i++) {
        struct overview *o = &weeks->of[i];
        const char *lacks;

        o->t = overview_part(o, "ladder", from);
        lacks = find_rows(o);
        if (lacks)
            return text_of("%s: no correct row of %s at %s, cold, in %s", o->week, lacks, o->size,
                           from[0] ? text_of("plots/data/%s", from) : "results");
        if (!weeks->beside[0])
            continue;
        o->beside = overview_part(o, "ladder", weeks->beside);
        if (!o->beside.n)
            return text_of("plots/data/%s has no ladder of %s", weeks->beside, o->week);
    }
    return NULL;
}

static const struct overview_figure *figure_of(const char *name)
{
    const char *names = "";

    for (const struct overview_figure *f = overview_figures; f->name; f++) {
        if (strcmp(f->name, name) == 0)
            return f;
        names = with_word(names, f->name);
    }
    fail("overview: figure %s: no such figure; there are: %s", name, names);
}

// Draws a figure, unless something is missing. Returns STATUS_SKIPPED if the tables do not have its
// rows.
static enum status print_figure(const struct weeks *weeks, const char *name, const char *lacks,
                                const char *format)
{
    const struct overview_figure *f = figure_of(name);
    struct sheet *sheet = sheet_new(f->kind);

    lacks = lacks ? lacks : f->draw(sheet, weeks);
    if (lacks) {
        warn("overview: figure %s: %s", name, lacks);
        return STATUS_SKIPPED;
    }
    sheet->provenance = text_of("%s | %s | cold%s", provenance_of(weeks),
                                sheet->provenance ? sheet->provenance : sizes_of(weeks),
                                weeks->beside[0] ? text_of(" | paler: %s", weeks->beside) : "");
    sheet_print(sheet, format,
                weeks->from[0] ? text_of("the recorded runs plots/data/%s", weeks->from)
                               : "the results of this machine");
    return STATUS_OK;
}

// ladder overview --names: lists the figures.
//
// ladder overview --figure NAME [--format FORMAT] [--recorded] WEEK...: prints the gnuplot script
// of a figure, from this machine's results if they have the stages that are compared, unless a
// recorded run was requested.
enum status command_overview(struct arguments a)
{
    const char *figure = take_option(&a, "--figure"), *format = take_format(&a);
    const char *lacks = "", *from = setting("LADDER_FROM");
    int recorded = take_flag(&a, "--recorded") || from[0];
    struct weeks weeks = { .beside = setting("LADDER_BESIDE") };

    if (take_flag(&a, "--names")) {
        for (const struct overview_figure *f = overview_figures; f->name; f++)
            printf("%-16s %s\n", f->name, f->says);
        return STATUS_OK;
    }
    no_options(&a);
    if (!figure || a.n < 1 || a.n > MOST_WEEKS)
        fail("overview: expected --figure NAME and 1 to %d weeks, for example 01_transpose",
             MOST_WEEKS);
    if (from[0])
        must_be_recorded("FROM", from, "");
    if (weeks.beside[0])
        must_be_recorded("BESIDE", weeks.beside, "");
    for (weeks.n = 0; weeks.n < a.n; weeks.n++) {
        weeks.of[weeks.n].week = a.word[weeks.n];
        read_messages(&weeks.of[weeks.n]);
    }
    if (!recorded)
        lacks = read_weeks(&weeks, "");
    if (lacks)
        lacks = read_weeks(&weeks, recorded_from(weeks.of[0].week));
    return print_figure(&weeks, figure, lacks, format);
}
