// `ladder slides WEEK FOLDER`: one deck per lecture of docs/plan.md, in pandoc's Markdown, from the
// week's pages, its stages and a recorded run. A week that the plan does not mention has one deck.
//
// Slides are written in the pages, in comments at the place where the topic is:
//
//   <!-- slide: TITLE
//   Markdown; ![](drawing_tree.svg) or ![](02_reduction_ladder.svg) is a drawing or a figure
//   code: stage5                the kernel; the stage and what follows it may be in any order of
//   changes: stage1             the core ladder: what it changes of the core stage before it
//   changes: stage6 8 T sum     the first line that contains "T sum" and those after it, 8 in all
//   table: stage3               time, rate, step and total gain of the core stages up to this one
//   notes: what the speaker says; further lines may follow
//   -->
//
// A slide belongs to the lecture whose core stages its section is about, as the sections before it
// do. If no page of the week has a slide, each core stage has two: its lesson with what it changes,
// and the table, with the question and the answer of its section as notes.
#define _GNU_SOURCE   // strsep
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "folders.h"
#include "head.h"
#include "messages.h"
#include "notes.h"
#include "select.h"
#include "slide_code.h"
#include "tool.h"

enum { MOST_LECTURES = 8, MOST_SLIDES = 30, MOST_ROWS = 8 };

struct lecture {
    const char *title;    // "Week 2, lecture 1: trees, divergence, conflicts"
    const char *stages;   // its core stages
};

struct talk {
    const char *week, *folder, *to;   // "01_transpose", its path, where the decks go
    struct notes page[16];            // README.md, and the week's other pages
    int pages;
    const char *core, *from;   // the core stages; the recorded run, "h200", or "" if there is none
    struct table table;
    struct place place;   // what the table of a slide is about
    struct lecture lecture[MOST_LECTURES];
    int lectures, now;
    FILE *out;   // lecture[now]'s deck; NULL: there is none yet
    char *text;
    size_t length;
    int slides;
};

// --- the growing table

static const char *file_of(const struct talk *t, const char *stage)
{
    struct arguments files = files_like(t->folder, "%s_*.cu", stage);

    return files.n ? files.word[0] : NULL;
}

static const struct row *row_of(const struct talk *t, const char *stage)
{
    const struct row *row = stage[0] ? latest_row(&t->table, stage, &t->place) : NULL;

    return row && row_is_ok(row) && row_number(row, COLUMN_median_us) > 0 ? row : NULL;
}

// Three digits.
static const char *number_text(double x)
{
    return text_of(x >= 99.95 ? "%.0f" : x >= 9.995 ? "%.1f" : "%.2f", x);
}

static const char *time_text(double us)
{
    return text_of("%s %s", number_text(us >= 1000 ? us / 1000 : us), us >= 1000 ? "ms" : "µs");
}

// How many times as fast a stage is as another one; "" if there is none.
static const char *gain_text(const struct row *row, const struct row *of)
{
    return row && of && row != of
             ? number_text(row_number(of, COLUMN_median_us) / row_number(row, COLUMN_median_us))
             : "";
}

// One row; a newest one is bold. `row`: NULL, not measured.
static void put_row(struct talk *t, const char *name, const struct row *row,
                    const struct row *before, const struct row *first, int is_newest)
{
    const char *mark = is_newest ? "**" : "";
    const char *cell[] = {
        name,
        row ? time_text(row_number(row, COLUMN_median_us)) : "not measured",
        row ? number_text(row_number(row, COLUMN_rate)) : "",
        gain_text(row, before),
        gain_text(row, first),
    };

    for (size_t i = 0; i < sizeof cell / sizeof *cell; i++)
        fprintf(t->out, cell[i][0] ? "| %s%s%s " : "| ", mark, cell[i], mark);
    fputs("|\n", t->out);
}

// Puts the rows of the core stages up to `last`; of many, the first one and the latest ones. Below
// them is the library's time.
static void put_table(struct talk *t, const char *last)
{
    const char *list = t->core, *stage, *base = table_note(&t->table, "base");
    const struct row *row, *before = NULL, *first = NULL;
    int n = 0, i = 0;

    while ((stage = next_word(&list)) && ++n && strcmp(stage, last) != 0)
        ;
    fprintf(t->out, "| %s | time | %s | step | total |\n|:--|--:|--:|--:|--:|\n",
            t->place.size ? place_words(&t->place) : "stage",
            t->place.size ? t->table.row[0].unit : "rate");
    for (list = t->core; i < n && (stage = next_word(&list)); before = row, i++) {
        row = row_of(t, stage);
        first = i ? first : row;
        if (i == 0 || n - i < MOST_ROWS)
            put_row(t, text_of("%s %s", stage + strlen("stage"), head_of(file_of(t, stage)).name),
                    row, before, first, i == n - 1);
        else if (i == 1)
            fputs("| ... | | | | |\n", t->out);
    }
    row = name_is_reference(base) ? row_of_term(&t->table, NULL, base, &t->place) : NULL;
    if (row)
        put_row(t, base + strlen("ref_"), row, NULL, NULL, 0);
}

// Reads the recorded run that LADDER_FROM names; otherwise the default one or, if that does not
// have the week, the first that does. The table is about the place of its first row.
static void read_run(struct talk *t)
{
    const char *part = text_of("%s.ladder.tsv", t->week),
               *data = text_of("%s/plots/data", root_folder());
    struct files runs = recorded_files(root_folder(), part);
    const struct row *row;

    t->from = recorded_from();
    if (getenv("LADDER_FROM") && getenv("LADDER_FROM")[0])
        must_be_recorded("FROM", t->from, t->week);
    else if (!files_like(text_of("%s/%s", data, t->from), "%s", part).n) {
        const char *path = runs.n ? runs.path[0] : "";

        t->from = runs.n ? path + strlen(data) + 1 : "";
        t->from = text_of("%.*s", (int)strcspn(t->from, "/"), t->from);
    }
    if (!t->from[0] || table_read(&t->table, text_of("%s/%s/%s", data, t->from, part)) < 0)
        return;
    row = t->table.n ? &t->table.row[0] : NULL;
    if (row)
        t->place = (struct place){ row->size, row->mode, row->type, row->knobs, row->variant };
}

// --- slides

static void put_slide(struct talk *t, const char *title)
{
    fprintf(t->out, "\n# %s\n\n", title);
    t->slides++;
}

static void begin_notes(struct talk *t) { fputs("\n::: notes\n", t->out); }
static void end_notes(struct talk *t) { fputs(":::\n", t->out); }

// The core stage before this one, or the one that its head names; "" for the first.
static const char *stage_before(const struct talk *t, const char *stage)
{
    const char *list = t->core, *before = "", *next, *from = head_of(file_of(t, stage)).from;

    while ((next = next_word(&list)) && strcmp(next, stage) != 0)
        before = next;
    return from[0] && has_word(t->core, from) ? from : before;
}

// Ends the program unless it is a core stage.
static void must_be_core(const struct talk *t, const char *where, const char *stage)
{
    if (!stage || !has_word(t->core, stage))
        fail("%s: '%s': expected a stage of the core ladder: %s", where, stage ? stage : "",
             t->core);
}

// "changes: STAGE [LINES TEXT]"
static void put_code(struct talk *t, const char *where, const char *words, int changes)
{
    const char *rest = words, *stage = next_word(&rest), *before, *code, *count;
    int lines = SLIDE_LINES;

    must_be_core(t, where, stage);
    before = changes ? stage_before(t, stage) : "";
    count = next_word(&rest);
    rest += strspn(rest, " ");
    if (count && ((lines = atoi(count)) < 1 || lines > SLIDE_LINES || !rest[0]))
        fail("%s: '%s': expected STAGE, or STAGE LINES TEXT with at most %d lines", where, words,
             SLIDE_LINES);
    code = slide_code(before[0] ? file_of(t, before) : NULL, file_of(t, stage), count ? rest : NULL,
                      lines);
    if (!code)
        fail("%s: %s has no line with '%s'", where, stage, rest);
    fputs(code, t->out);
}

static const char *after(const char *line, const char *word)
{
    size_t n = strlen(word);

    return strncmp(line, word, n) == 0 ? line + n + strspn(line + n, " ") : NULL;
}

// A slide that a page has.
static void put_marked(struct talk *t, const char *page, const struct block *b)
{
    const char *where = text_of("%s:%d", page, b->line), *words;
    char *rest = text_of("%s", b->text), *line = strsep(&rest, "\n");
    int notes = 0;

    put_slide(t, line);
    while ((line = strsep(&rest, "\n")))
        if (notes)
            fprintf(t->out, "%s\n", line);
        else if ((words = after(line, "code:")))
            put_code(t, where, words, 0);
        else if ((words = after(line, "changes:")))
            put_code(t, where, words, 1);
        else if ((words = after(line, "table:"))) {
            must_be_core(t, where, words);
            put_table(t, words);
        } else if ((words = after(line, "notes:"))) {
            begin_notes(t);
            fprintf(t->out, "%s\n", words);
            notes = 1;
        } else
            fprintf(t->out, "%s\n", line);
    if (notes)
        end_notes(t);
}

// --- decks

static void end_deck(struct talk *t)
{
    const char *name = text_of("%s_lecture%d.md", t->week, t->now + 1);

    if (!t->out)
        return;
    fclose(t->out);
    write_if_changed(text_of("%s/%s", t->to, name), t->text);
    printf("%s %d %s\n", name, t->slides, t->from);
    if (t->slides > MOST_SLIDES)
        warn("slides: %s: %d slides; a lecture has time for %d", name, t->slides, MOST_SLIDES);
    t->out = NULL;
}

// Its title is the first slide.
static void begin_deck(struct talk *t, int lecture)
{
    end_deck(t);
    t->now = lecture;
    t->out = open_memstream(&t->text, &t->length);
    t->slides = 1;
    fprintf(t->out, "%% %s\n%% The CUDA ladder\n", t->lecture[lecture].title);
    if (t->place.size)
        fprintf(t->out, "%% Measured on an %s, %s\n", table_note(&t->table, "device"),
                table_note(&t->table, "date"));
}

// The stage of a heading like "Stage 3: padding"; NULL for any other heading.
static const char *stage_of(const struct block *heading)
{
    int number, n = 0;

    if (sscanf(heading->text, "Stage %d%n", &number, &n) < 1 || !strchr(": (", heading->text[n]))
        return NULL;
    return text_of("stage%d", number);
}

// Puts the slides that the pages have. Returns 0 if there is none.
static int put_pages(struct talk *t)
{
    int lecture = 0, some = 0;

    for (int p = 0; p < t->pages; p++)
        for (int i = 0; i < t->page[p].n; i++) {
            const struct block *b = &t->page[p].block[i];
            const char *stage = b->kind == HEADING ? stage_of(b) : NULL;

            for (int k = lecture; stage && k < t->lectures; k++)
                if (has_word(t->lecture[k].stages, stage))
                    lecture = k;
            if (b->kind != SLIDE)
                continue;
            if (!some++ || lecture != t->now)
                begin_deck(t, lecture);
            put_marked(t, t->page[p].path, b);
        }
    return some;
}

// --- a week without slides in its pages

// The blocks of the stage's section; NULL, and *end too, if there is none.
static const struct block *section_of(const struct talk *t, const char *stage,
                                      const struct block **end)
{
    const struct block *first = *end = NULL;

    for (int p = 0; p < t->pages && !first; p++)
        for (int i = 0; i < t->page[p].n; i++) {
            const struct block *b = &t->page[p].block[i];
            const char *named = b->kind == HEADING ? stage_of(b) : NULL;

            if (first && b->kind == HEADING)
                break;
            if (named && strcmp(named, stage) == 0)
                first = b;
            *end = b + 1;
        }
    return first;
}

static void put_stage(struct talk *t, const char *stage, int *pictures)
{
    const struct block *end, *b = section_of(t, stage, &end);
    const char *before = stage_before(t, stage), *number = stage + strlen("stage");
    struct head head = head_of(file_of(t, stage));
    const char *name = text_of("Stage %s: %s", number, head.name);

    put_slide(t, b ? without_links(b->text) : name);
    fprintf(t->out, "%s\n\n", head.lesson);
    put_code(t, stage, stage, 1);
    begin_notes(t);
    if (before[0])
        fprintf(t->out, "`make diff A=%s B=%s`\n", before + strlen("stage"), number);
    else
        fprintf(t->out, "`%s`\n", head.file);
    end_notes(t);
    for (const struct block *p = b; p && p < end; p++)
        if (p->kind == PICTURE && !p->answer && (*pictures)-- > 0) {
            put_slide(t, without_links(b->text));
            fprintf(t->out, "![](%s.svg)\n", p->text);
        }
    put_slide(t, text_of("After stage %s", number));
    put_table(t, stage);
    begin_notes(t);
    for (; b && b < end; b++)
        if (b->kind == PARAGRAPH && (b->answer || strncmp(b->text, "**Question", 10) == 0))
            fprintf(t->out, "%s\n\n", without_links(b->text));
    fprintf(t->out, "`make %s && ./%s`\n", stage, stage);
    end_notes(t);
}

// Puts two slides per stage, and as many pictures as a lecture has time for.
static void put_stages(struct talk *t)
{
    for (int k = 0; k < t->lectures; k++) {
        const char *list = t->lecture[k].stages, *before = "", *stage = next_word(&list);
        int pictures = MOST_SLIDES - 3;   // the title, the stage before, and the ladder

        if (!stage)
            continue;
        for (const char *rest = t->lecture[k].stages; next_word(&rest);)
            pictures -= 2;
        begin_deck(t, k);
        if ((before = stage_before(t, stage))[0] && has_word(t->core, before)) {
            put_slide(t, text_of("So far: stage %s", before + strlen("stage")));
            put_code(t, before, before, 0);
        }
        for (; stage; stage = next_word(&list))
            put_stage(t, stage, &pictures);
        if (t->place.size) {
            put_slide(t, "The ladder");
            fprintf(t->out, "![](%s_ladder.svg)\n", t->week);
        }
    }
}

// --- lectures

// "**Core stages:** 0, 1, 2, 3.": "stage0 stage1 stage2 stage3"
static const char *stages_of(const struct talk *t, const char *list)
{
    const char *stages = "";

    for (const char *s = list; *s;)
        if (isdigit((unsigned char)*s)) {
            const char *stage = text_of("stage%ld", strtol(s, (char **)&s, 10));

            if (has_word(t->core, stage))
                stages = with_word(stages, stage);
        } else
            s++;
    return stages;
}

// "Lecture 2: bytes in flight (45 minutes)" after "Week 1", without the last word.
static const char *lecture_title(const struct talk *t, const char *heading)
{
    const char *minutes = strrchr(heading, '(');
    int n = minutes && minutes > heading ? (int)(minutes - 1 - heading) : (int)strlen(heading);

    return text_of("Week %d, %c%.*s", atoi(t->week), tolower((unsigned char)heading[0]), n - 1,
                   heading + 1);
}

// Reads the lectures of the week from docs/plan.md. A week that is not there has one.
static void read_lectures(struct talk *t)
{
    struct notes plan = notes_of(text_of("%s/docs/plan.md", root_folder()));
    const char *week = text_of("Week %d:", atoi(t->week)), *all = t->core, *stage;
    int inside = 0, k;

    for (int i = 0; i < plan.n; i++) {
        const struct block *b = &plan.block[i];

        if (b->kind == HEADING && b->level <= 2)
            inside = strncmp(b->text, week, strlen(week)) == 0;
        else if (inside && b->kind == HEADING && after(b->text, "Lecture") &&
                 t->lectures < MOST_LECTURES)
            t->lecture[t->lectures++] = (struct lecture){ lecture_title(t, b->text), "" };
        else if (inside && t->lectures && b->kind == PARAGRAPH &&
                 after(b->text, "**Core stages:**"))
            t->lecture[t->lectures - 1].stages =
                stages_of(t, text_of("%.*s", (int)strcspn(b->text, "."), b->text));
    }
    if (!t->lectures)
        t->lecture[t->lectures++] = (struct lecture){ t->page[0].block[0].text, t->core };
    while ((stage = next_word(&all))) {
        for (k = 0; k < t->lectures && !has_word(t->lecture[k].stages, stage);)
            k++;
        if (k == t->lectures)
            fail("slides: docs/plan.md: no lecture of %s has %s", t->week, stage);
    }
}

// The core stages; all stages if the week does not name any.
static const char *core_of(const char *folder)
{
    const char *core = message_stages(folder, "core");

    for (int number = 0; !message_stages(folder, "core")[0] && number < 100; number++)
        if (files_like(folder, "stage%d_*.cu", number).n)
            core = with_word(core, text_of("stage%d", number));
    return core;
}

enum status command_slides(struct arguments a)
{
    struct talk t = { .from = "" };
    struct arguments pages;

    no_options(&a);
    if (a.n != 2)
        fail("slides: expected WEEK FOLDER, for example ladder slides 01_transpose plots/out");
    must_be_name("week", a.word[0]);
    t.week = a.word[0];
    t.to = a.word[1];
    t.folder = text_of("%s/%s", root_folder(), t.week);
    t.page[t.pages++] = notes_of(text_of("%s/README.md", t.folder));
    if (!t.page[0].n || t.page[0].block[0].kind != HEADING)
        fail("slides: %s: expected a title", t.page[0].path);
    pages = files_like(t.folder, "*.md");
    for (int i = 0; i < pages.n && t.pages < 16; i++)
        if (strcmp(stem_of(pages.word[i]), "README") != 0)
            t.page[t.pages++] = notes_of(pages.word[i]);
    t.core = core_of(t.folder);
    if (!t.core[0])
        fail("slides: %s: expected a stage, for example stage1_name.cu", t.folder);
    read_run(&t);
    read_lectures(&t);
    if (!put_pages(&t))
        put_stages(&t);
    end_deck(&t);
    return STATUS_OK;
}
