// ladder traffic FOLDER TABLE...: what memory traffic allows and what was measured, in Markdown.
//
// A thread block that computes R x C elements of a product of matrices of floats loads R + C floats
// per 2 R C operations. If every block loads them from memory, the rate is at most the bandwidth
// divided by these bytes per operation. The file `traffic` of the week's folder has
//
//   bandwidth: 150               a bandwidth in GB/s
//   measured: demo_roofs read    the row, by stage and name, whose rate is the measured bandwidth
//   tile: stage2 16x16           the elements that a block of a stage computes, one line per stage
//
// The tables have rates (mode cold), and bytes from L2 and from DRAM (mode count).
#include "book.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct traffic {
    struct table table;
    const char *size;   // of the measurements
    double flops, bandwidth, measured;
};

static const char *cell(double value)
{
    return isnan(value) ? "-" : text_of(value >= 1000 ? "%.0f" : "%.3g", value);
}

static double value_of(const struct traffic *t, const char *stage, const char *mode,
                       enum column column)
{
    const struct place place = { .size = t->size, .mode = mode, .knobs = "", .variant = "" };

    return value_beside(&t->table, NULL, stage, &place, column);
}

// Adds the row of "stage2 16x16".
static void add_tile(struct listing *c, const struct traffic *t, const char *folder,
                     const char *text)
{
    char stage[16];
    int rows, cols, end = 0;
    double needed, fed, rate;
    struct arguments file;

    if (sscanf(text, "%15s %dx%d%n", stage, &rows, &cols, &end) != 3 || text[end] || rows < 1 ||
        cols < 1)
        fail("%s/traffic: tile: '%s': expected STAGE ROWSxCOLS, for example stage2 16x16", folder,
             text);
    file = files_like(folder, "%s_*.cu", stage);
    if (file.n != 1)
        fail("%s/traffic: tile: %s: no stage of this folder", folder, stage);
    needed = 4.0 * (rows + cols) / (2.0 * rows * cols);
    fed = t->measured / needed;
    rate = value_of(t, stage, "cold", COLUMN_rate);
    listing_add(c, "%s\t%dx%d\t%.4g\t%s\t%s\t%s\t%s\t%s\t%s\t%s", stem_of(file.word[0]), rows, cols,
                needed, cell(t->bandwidth / needed), cell(fed), cell(rate), cell(rate / fed),
                cell(1e-9 * needed * t->flops),
                cell(1e-9 * value_of(t, stage, "count", COLUMN_l2_read_bytes)),
                cell(1e-9 * value_of(t, stage, "count", COLUMN_dram_read_bytes)));
}

// The rate of the row that "STAGE NAME" names; NaN if there is none.
static double rate_of(const struct table *t, const char *text)
{
    double rate = NAN;

    for (size_t i = 0; i < t->n; i++)
        if (strcmp(text_of("%s %s", t->row[i].stage, t->row[i].name), text) == 0)
            rate = row_number(&t->row[i], COLUMN_rate);
    return rate;
}

static struct lines traffic_lines(const char *path)
{
    static const struct keyword words[] = { { "bandwidth", HOLDS_QUANTITY, NULL },
                                            { "measured", HOLDS_TEXT, NULL },
                                            { "tile", HOLDS_TEXT, NULL },
                                            { 0 } };

    return keywords_of(path, "traffic", words, ':');
}

// Returns the text after "WORD:" in the file. Ends the program if no line begins so.
static const char *line_of(const char *path, const char *word)
{
    struct lines lines = traffic_lines(path);
    const char *line = keyword_text(&lines, word);

    if (!line)
        fail("%s: no line `%s:`", path, word);
    return line;
}

enum status command_traffic(struct arguments a)
{
    struct arguments tables = { a.n - 1, a.word + 1 };
    struct traffic t = { .flops = NAN };
    struct listing c = { 0 };
    struct days days;
    const char *path;
    struct keyword_line line;

    no_options(&a);
    if (a.n < 2)
        fail("traffic: expected FOLDER TABLE...");
    path = text_of("%s/traffic", a.word[0]);
    t.table = read_tables(&tables);
    t.bandwidth = atof(line_of(path, "bandwidth"));
    t.measured = rate_of(&t.table, line_of(path, "measured"));
    for (size_t i = 0; i < t.table.n && !t.size; i++)
        if (strcmp(t.table.row[i].mode, "count") == 0) {
            t.size = t.table.row[i].size;
            t.flops = row_number(&t.table.row[i], COLUMN_flops);
        }
    listing_add(&c,
                "%s\ttile\tbytes per operation\tGFLOP/s fed by %.4g GB/s\tby %.4g GB/s\tGFLOP/s\t"
                "of that\tGB by the model\tGB from L2\tGB from DRAM",
                t.size ? t.size : "", t.bandwidth, t.measured);
    struct lines lines = traffic_lines(path);
    while (next_keyword(&lines, &line))
        if (strcmp(line.word, "tile") == 0)
            add_tile(&c, &t, a.word[0], line.text);
    listing_markdown(&c, "-r", stdout);
    days = table_days(&t.table);
    printf("\n%s, CUDA %s, %s.\n", table_note(&t.table, "device"), table_note(&t.table, "cuda"),
           days_text(&days));
    return STATUS_OK;
}
