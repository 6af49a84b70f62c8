#include "figures.h"

#include <math.h>

const struct bar no_bar = { .value = NAN, .low = NAN, .high = NAN, .inner = NAN, .text = "" };

int dot_color(int d)
{
    static const int color[] = { VERMILION, ORANGE, GREEN, BLUE, PURPLE, SKY };

    return color[d % 6];
}

struct bar_row *bars_row(struct bars *b, const char *name, int color)
{
    struct bar_row *row;

    b->row = grown(b->row, b->rows, sizeof *b->row);
    row = &b->row[b->rows++];
    *row = (struct bar_row){ .name = name, .color = color };
    for (int k = 0; k < MOST_COLUMNS; k++)
        row->bar[k] = no_bar;
    return row;
}

static struct span_of_axis range_of(const struct bars *b, int k)
{
    const struct bar_column *column = &b->column[k];
    struct span_of_axis a = { INFINITY, column->full, column->log };

    for (int i = 0; i < b->rows; i++) {
        const struct bar *bar = &b->row[i].bar[k];

        widen(&a, bar->value), widen(&a, bar->high);
        if (a.log)
            widen(&a, bar->inner);
        for (int d = 0; d < bar->dots; d++)
            widen(&a, bar->dot[d]);
    }
    for (int l = 0; l < MOST_DOTS && column->line[l] && a.log; l++)
        if (column->line[l] < 3 * a.high)
            widen(&a, column->line[l]);
    if (!(a.high > 0))
        return (struct span_of_axis){ a.log ? 1 : 0, a.log ? 10 : 1, a.log };
    return a.log ? (struct span_of_axis){ a.low / 1.5, a.high * 1.3, 1 }
                 : (struct span_of_axis){ 0, a.high, 0 };
}

// The range of a column, and of those before and after it with the same scale.
static struct span_of_axis shared_range(const struct bars *b, int k)
{
    struct span_of_axis a = range_of(b, k);
    int first = k, last = k + 1;

    while (first > 0 && b->column[first].like)
        first--;
    while (last < b->columns && b->column[last].like)
        last++;
    for (int i = first; i < last; i++) {
        struct span_of_axis other = range_of(b, i);

        a.low = fmin(a.low, other.low), a.high = fmax(a.high, other.high);
    }
    return a;
}

// The places of the rows, in units of a row.
static double place_of(const struct bars *b, int row)
{
    double y = 0;

    for (int i = 0; i <= row; i++)
        y += (i > 0) + 0.5 * b->row[i].gap;
    return y;
}

static void print_column(struct sheet *s, const struct bars *b, int k, double low)
{
    const struct bar_column *column = &b->column[k];

    block_of(s, "rows", k, "name, row, where the text begins, text");
    for (int i = 0; i < b->rows; i++) {
        const struct bar *bar = &b->row[i].bar[k];

        fprintf(s->data, "%s %g %.6g %s\n", field(b->row[i].name), place_of(b, i),
                isnan(bar->value) ? low : fmax(bar->value, bar->high), field(bar->text));
    }
    block_end(s);
    block_of(s, "bars", k, "row, value, color, 1: pale");
    for (int i = 0; i < b->rows; i++) {
        const struct bar *bar = &b->row[i].bar[k];

        if (!isnan(bar->value))
            fprintf(s->data, "%g %.6g %d %d\n", place_of(b, i), bar->value, b->row[i].color,
                    bar->pale || !isnan(bar->inner));
    }
    block_end(s);
    block_of(s, "dark", k, "dark parts of bars: row, value, color");
    for (int i = 0; i < b->rows; i++)
        if (!isnan(b->row[i].bar[k].inner))
            fprintf(s->data, "%g %.6g %d\n", place_of(b, i), b->row[i].bar[k].inner,
                    b->row[i].color);
    block_end(s);
    block_of(s, "spread", k, "10th to 90th percentile: row, low, high");
    for (int i = 0; i < b->rows; i++)
        if (b->row[i].bar[k].low < b->row[i].bar[k].high)
            fprintf(s->data, "%g %.6g %.6g\n", place_of(b, i), b->row[i].bar[k].low,
                    b->row[i].bar[k].high);
    block_end(s);
    block_of(s, "dots", k, "row, value, color, size");
    for (int i = 0; i < b->rows; i++)
        for (int d = 0; d < b->row[i].bar[k].dots; d++)
            if (b->row[i].bar[k].dot[d] > 0)
                fprintf(s->data, "%g %.6g %d %.2g\n", place_of(b, i), b->row[i].bar[k].dot[d],
                        dot_color(d), fmax(2 - 0.4 * d, 0.8));
    block_end(s);
    block_of(s, "lines", k, "vertical lines: value, text");
    for (int l = 0; l < MOST_DOTS && column->line[l]; l++)
        fprintf(s->data, "%.6g %s\n", column->line[l], field(column->line_text[l]));
    block_end(s);
}

void sheet_bars(struct sheet *s, const struct bars *b)
{
    const char *headings = "", *logs = "", *low = "", *high = "", *list = b->legend, *word;

    for (int k = 0; k < b->columns; k++) {
        struct span_of_axis a = shared_range(b, k);

        print_column(s, b, k, a.low);
        headings = with_word(headings, field(b->column[k].heading));
        logs = with_word(logs, a.log ? "1" : "0");
        low = with_word(low, text_of("%.6g", a.low));
        high = with_word(high, text_of("%.6g", a.high));
    }
    sheet_number(s, "columns", b->columns);
    sheet_number(s, "rows", b->rows ? place_of(b, b->rows - 1) + 1 : 1);
    sheet_text(s, "headings", headings);
    sheet_text(s, "logs", logs);
    sheet_text(s, "xmins", low);
    sheet_text(s, "xmaxs", high);
    block_begin(s, "legend", "word, color");
    for (int d = 0; b->legend && (word = next_word(&list)); d++)
        fprintf(s->data, "%s %d\n", field(word), dot_color(d));
    block_end(s);
}
