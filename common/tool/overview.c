// The first stage, the last stage and the vendor's library of each week, in the recorded run: a
// table or a figure. The week's messages name them:
//
//   overview: stage1 stage8 ref_cublas 16384x16384: matrix transpose: cuBLAS
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure_page.h"
#include "folders.h"
#include "messages.h"
#include "select.h"
#include "tool.h"

enum { FIRST, LAST, LIBRARY, BARS_PER_WEEK, MOST_WEEKS = 8 };

struct overview {
    const char *week, *topic, *library, *unit;
    const char *stage[BARS_PER_WEEK], *name[BARS_PER_WEEK], *size;
    double rate[BARS_PER_WEEK];
    struct table t;
    const struct row *last;
};

static const char *next_part(char **text, const char *separator)
{
    char *part = *text, *end = strstr(part, separator);

    *text = end ? end + strlen(separator) : part + strlen(part);
    if (end)
        *end = '\0';
    return part;
}

static void read_message(struct overview *o)
{
    char *text = messages_of(text_of("%s/%s", root_folder(), o->week)), *words,
         *line = next_message(&text, "overview");

    if (!line)
        fail("%s/messages: no line 'overview: FIRST LAST REFERENCE SIZE: TOPIC: LIBRARY'", o->week);
    words = (char *)next_part(&line, ": ");
    o->topic = next_part(&line, ": ");
    o->library = line;
    for (int i = 0; i < BARS_PER_WEEK; i++)
        o->stage[i] = next_part(&words, " ");
    o->size = words;
    if (!o->library[0] || !size_of(o->size).sides)
        fail("%s/messages: overview: expected FIRST LAST REFERENCE SIZE: TOPIC: LIBRARY", o->week);
}

// The file's name without its ending: "stage1_naive".
static const char *file_of(const struct overview *o, const char *stage)
{
    struct arguments file = files_like("%s/%s/%s%s.cu", root_folder(), o->week, stage,
                                       name_is_reference(stage) ? "" : "_*");

    if (file.n != 1)
        fail("%s/messages: overview: '%s': expected a stage or reference of this folder", o->week,
             stage);
    return stem_of(file.word[0]);
}

static struct overview overview_of(const char *week)
{
    struct overview o = { .week = week };
    char path[PATH_MAX];
    const char *type;

    read_message(&o);
    recorded_path(path, root_folder(), recorded_from(), week, "ladder");
    o.t = read_table(path);
    type = o.t.n ? o.t.row[0].type : "";
    for (int i = 0; i < BARS_PER_WEEK; i++) {
        const struct row *row =
            latest_row(&o.t, o.stage[i], &(struct place){ o.size, "cold", type, "", "" });

        if (!row || !row_is_ok(row))
            fail("%s: no correct row of %s at %s, cold", path, o.stage[i], o.size);
        o.name[i] = file_of(&o, o.stage[i]);
        o.rate[i] = shown_number(&o.t, row, COLUMN_rate);
        o.unit = row->unit;
        o.last = i == LAST ? row : o.last;
    }
    return o;
}

// The last stage's rate as a multiple of the library's, in the same run if there is one.
static double of_library(const struct overview *o)
{
    int same_run;

    return rate_share(&o->t, o->last, o->stage[LIBRARY], &same_run);
}

// "NVIDIA H200, CUDA 13.0, driver 580.159.04, 2026-01-02 to 2026-01-04".
static const char *provenance_of(const struct overview *o, int n, const char *separator)
{
    const struct table *t = &o[0].t;
    const char *first = table_note(t, "date"), *last = first;

    for (int i = 1; i < n; i++) {
        const char *date = table_note(&o[i].t, "date");

        first = strcmp(date, first) < 0 ? date : first;
        last = strcmp(date, last) > 0 ? date : last;
    }
    return text_of("%s%sCUDA %s%sdriver %s%s%s%s%s", table_note(t, "device"), separator,
                   table_note(t, "cuda"), separator, table_note(t, "driver"), separator, first,
                   strcmp(first, last) ? " to " : "", strcmp(first, last) ? last : "");
}

static int week_number(const struct overview *o) { return atoi(o->week); }

static void print_table(const struct overview *o, int n)
{
    puts("| week | first stage | last stage | NVIDIA's library | last / library |\n"
         "|---|--:|--:|--:|--:|");
    for (int i = 0; i < n; i++, o++) {
        printf("| [%d, %s](%s/README.md)", week_number(o), o->topic, o->week);
        for (int k = 0; k < BARS_PER_WEEK; k++)
            printf(" | [%s](%s/%s.cu) %s", k == LIBRARY ? o->library : o->stage[k], o->week,
                   o->name[k], readable(o->rate[k], o->unit));
        printf(" | %.2f |\n", of_library(o));
    }
    o -= n;
    printf("\n%s. Cold cache; sizes:", provenance_of(o, n, ", "));
    for (int i = 0; i < n; i++)
        printf(" %s%s", o[i].size, i < n - 1 ? "," : ".\n");
}

// "stage 8, raster_order"; a library by its name.
static const char *label_of(const struct overview *o, int k)
{
    const char *name = strchr(o->name[k], '_');

    return k == LIBRARY ? o->library
                        : text_of("%d %s", stage_number(o->stage[k]), name ? name + 1 : "");
}

static void draw_week(struct page *page, const struct overview *o, double x, double y, double w,
                      double h)
{
    static const int color[] = { GRAY, BLUE, BLACK };
    double names = 0, most = 0, room = 0;
    const char *text[BARS_PER_WEEK];
    struct panel *p;

    for (int k = 0; k < BARS_PER_WEEK; k++) {
        text[k] = k == FIRST ? readable(o->rate[k], o->unit)
                             : text_of("%s  %.1fx", readable(o->rate[k], o->unit),
                                       o->rate[k] / o->rate[FIRST]);
        names = fmax(names, text_width(label_of(o, k)) + 0.8);
        room = fmax(room, text_width(text[k]) + 0.8);
        most = fmax(most, o->rate[k]);
    }
    page_text(page, x, y + h + 0.8, LEFT, BLACK, text_of("Week %d: %s", week_number(o), o->topic));
    p = page_panel(page, x + names, y, w - names - room, h, (struct axis){ 0, most, 0, "" },
                   (struct axis){ BARS_PER_WEEK - 0.5, -0.5, 0, "" });
    for (int k = 0; k < BARS_PER_WEEK; k++) {
        put_bar(p, 0, o->rate[k], k - 0.36, k + 0.36, color[k],
                text_of("%s %s|%.9g", o->week, o->stage[k], o->rate[k]));
        page_text(page, x + names - 0.5, page_y(p, k), RIGHT, BLACK, label_of(o, k));
        page_text(page, page_x(p, o->rate[k]) + 0.4, page_y(p, k), LEFT, BLACK, text[k]);
    }
}

static void print_figure(const struct overview *o, int n, const char *format)
{
    struct page *page = page_new();
    int rows = (n + 1) / 2, faster = 1;
    double gap = 1.6, w = (PAGE_W - 2 * MARGIN - gap) / 2, h = (TOP + 1 - BOTTOM) / rows;

    for (int i = 0; i < n; i++) {
        draw_week(page, &o[i], MARGIN + i % 2 * (w + gap), TOP + 1 - h * (i / 2 + 1) + 0.4, w,
                  h - 3);
        faster &= of_library(&o[i]) > 1;
    }
    page->title = faster ? "In every week, the last stage is faster than NVIDIA's library"
                         : "The first stage, the last stage and NVIDIA's library";
    page->subtitle = "rate, x of the first stage; gray: first stage, blue: last, black: library";
    page->provenance = text_of("%s | cold", provenance_of(o, n, " | "));
    page->format = format;
    page_print(page, text_of("%s/plots", root_folder()), "the recorded runs");
}

// ladder overview [--figure FORMAT] WEEK...
enum status command_overview(struct arguments a)
{
    const char *format = take_option(&a, "--figure");
    struct overview o[MOST_WEEKS];

    no_options(&a);
    if (a.n < 1 || a.n > MOST_WEEKS)
        fail("overview: expected 1 to %d weeks, for example 01_transpose", MOST_WEEKS);
    if (format && strcmp(format, "svg") && strcmp(format, "png") && strcmp(format, "pdf"))
        fail("--figure %s: the formats are svg, png and pdf", format);
    for (int i = 0; i < a.n; i++)
        o[i] = overview_of(a.word[i]);
    if (format)
        print_figure(o, a.n, format);
    else
        print_table(o, a.n);
    return STATUS_OK;
}
