// `ladder slides WEEK FOLDER`: one deck per lecture of docs/plan.md, in pandoc's Markdown, from the
// week's pages, its stages and a recorded run. A week that the plan does not mention has one deck.
//
// Slides are written in the pages, in comments at the place where the topic is:
//
//   <!-- slide: TITLE
//   Markdown; ![](drawing_tree.svg) or ![](02_reduction_ladder.svg) is a drawing or a figure
//   code: stage5                its kernel
//   changes: stage1             what it changes of the core stage before it
//   new: stage1                 the same without the old lines
//   changes: stage6 8 T sum     the first line that contains "T sum" and those after it, 8 in all
//   table: stage3               time, rate, step and total gain of the core stages up to this one
//   notes: what the speaker says; further lines may follow
//   -->
//
// A slide belongs to the lecture whose core stages its section is about, as the sections before it
// do; in a lecture without core stages, its optional ones. If no page of the week has a slide, each
// core stage has two: its lesson with what it changes, and the table, with the question and the
// answer of its section as notes.
#define _GNU_SOURCE   // strsep
#include "book.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folders.h"

enum { MOST_LECTURES = 8, MOST_SLIDES = 30 };

struct lecture {
    const char *title;     // "Week 2, lecture 1: trees, divergence, conflicts"
    const char *numbers;   // its core stages, or else its optional ones: "0 1 2 3"
};

struct talk {
    const char *week, *folder, *to;   // "01_transpose", its path, where the decks go
    struct page page;                 // all pages of the week
    const char *core, *from;   // the core stages; the recorded run, "h200", or "" if there is none
    const char *taught;        // the core stages, and the optional ones that are a lecture
    struct table table;
    struct place place;   // what the table of a slide is about
    struct lecture lecture[MOST_LECTURES];
    int lectures, now;
    int ladder;   // the deck ends with the figure of the ladder
    FILE *out;    // lecture[now]'s deck; NULL: there is none yet
    char *text;
    size_t length;
    int slides;
};

static const char *stage_digits(const char *stage) { return stage + strlen("stage"); }

static const char *file_of_stage(const struct talk *t, const char *stage)
{
    return stage_file(t->folder, stage);
}

// --- the recorded run

static void put_table(struct talk *t, const char *last)
{
    struct listing table = growing_table(&t->table, &t->place, t->folder, t->core, last);

    listing_markdown(&table, "lr", t->out);
}

// Reads the recorded run. The table is about the place of its first row.
static void read_run(struct talk *t)
{
    const char *asked = setting("LADDER_FROM"), *from = recorded_from(t->week);
    char path[PATH_MAX];
    struct row *row;

    if (asked[0])
        must_be_recorded("FROM", asked, t->week);
    recorded_path(path, root_folder(), from, t->week, "ladder");
    if (table_read(&t->table, path) < 0 || !t->table.n)
        return;
    t->from = from;
    row = &t->table.row[0];
    t->place = (struct place){ row->size, row->mode, row->type, row->knobs, row->variant };
}

// --- slides

static void put_slide(struct talk *t, const char *title)
{
    fprintf(t->out, "\n# %s\n\n", title);
    t->slides++;
}

// Returns the stage. Ends the program unless it is one of these.
static const char *must_be_of(const char *stages, const char *where, const char *stage)
{
    if (!stage || !has_word(stages, stage))
        fail("%s: '%s': expected a core stage: %s", where, stage ? stage : "", stages);
    return stage;
}

// STAGE [LINES TEXT], with these signs ("": of code without marks)
static void put_slide_code(struct talk *t, const char *where, const char *words, const char *signs)
{
    const char *text = words, *stage = must_be_of(t->taught, where, next_word(&text));
    const char *count = next_word(&text), *before, *code;
    struct excerpt e = {
        .file = file_of_stage(t, stage), .before = "", .signs = signs, .slide = 1
    };

    before = signs[0] ? stage_before(t->folder, t->core, stage) : "";
    e.before = before[0] ? file_of_stage(t, before) : "";
    e.lines = count ? atoi(count) : SLIDE_LINES;
    e.from = count ? text + strspn(text, " ") : NULL;
    if (e.lines < 1 || e.lines > SLIDE_LINES || (e.from && !e.from[0]))
        fail("%s: '%s': expected STAGE, or STAGE LINES TEXT with at most %d lines", where, words,
             SLIDE_LINES);
    code = excerpt_of(&e);
    if (!code)
        fail("%s: %s has no line with '%s'", where, stage, e.from);
    fprintf(t->out, "```%s\n%s```\n", before[0] ? "diff" : "cpp", code);
}

// A slide that a page has.
static void put_marked(struct talk *t, const char *where, char *rest)
{
    static const char *const kind[] = { "code", "new", "changes", "table", "notes" };
    static const char *const signs[] = { "", "+", "+-" };
    char *line = strsep(&rest, "\n");
    int notes = 0;

    put_slide(t, line);
    while ((line = strsep(&rest, "\n"))) {
        size_t n = strcspn(line, ":"), k = notes ? 5 : 0;
        const char *words = line[n] ? line + n + 1 + strspn(line + n + 1, " ") : "";

        while (k < 5 && (strlen(kind[k]) != n || strncmp(line, kind[k], n) != 0 || !line[n]))
            k++;
        if (k < 3)
            put_slide_code(t, where, words, signs[k]);
        else if (k == 3)
            put_table(t, must_be_of(t->core, where, words));
        else
            fprintf(t->out, k == 4 ? "\n::: notes\n%s\n" : "%s\n", k == 4 ? words : line);
        notes |= k == 4;
    }
    fputs(notes ? ":::\n" : "", t->out);
}

// --- decks

static void end_deck(struct talk *t)
{
    const char *name = text_of("%s_lecture%d.md", t->week, t->now + 1);

    if (!t->out)
        return;
    if (t->ladder && t->place.size) {
        put_slide(t, "The ladder");
        fprintf(t->out, "![](%s_ladder.svg)\n", t->week);
    }
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
    if (t->place.size) {
        struct days days = table_days(&t->table);

        fprintf(t->out, "%% Measured on an %s, %s\n", table_note(&t->table, "device"),
                days_text(&days));
    }
}

// The lecture of a stage; the last one if no lecture has it.
static int lecture_of(const struct talk *t, const char *stage)
{
    int k = 0;

    while (k + 1 < t->lectures && !has_word(t->lecture[k].numbers, stage_digits(stage)))
        k++;
    return k;
}

// The text of a heading.
static const char *title_of(const struct page_line *l)
{
    return l->text + strspn(l->text, "#") + strspn(l->text + strspn(l->text, "#"), " ");
}

// The stage of a heading like "Stage 3: padding", if a lecture teaches it; NULL for any other line.
static const char *stage_of(const struct talk *t, const struct page_line *l)
{
    int number, n = 0;
    const char *stage;

    if (l->kind != HEADING || sscanf(title_of(l), "Stage %d%n", &number, &n) < 1)
        return NULL;
    stage = text_of("stage%d", number);
    return strchr(": (", title_of(l)[n]) && has_word(t->taught, stage) ? stage : NULL;
}

// Puts the slides that the pages have. Returns 0 if there is none.
static int put_pages(struct talk *t)
{
    int lecture = 0;

    for (int i = 0; i < t->page.n; i++) {
        const struct page_line *l = &t->page.line[i];
        const char *stage = stage_of(t, l);
        char *slide = page_text(&t->page, i, "<!-- slide: ");

        if (stage && lecture_of(t, stage) > lecture)
            lecture = lecture_of(t, stage);
        if (slide && (!t->out || lecture != t->now))
            begin_deck(t, lecture);
        if (slide)
            put_marked(t, l->where, slide);
    }
    return t->out != NULL;
}

// --- a week without slides in its pages

// Markdown with the text of its links only.
static const char *without_links(const char *s)
{
    const char *text = "", *close, *end;

    for (; *s; s = end + 1) {
        close = *s == '[' ? strchr(s, ']') : NULL;
        end = close && close[1] == '(' ? strchr(close, ')') : NULL;
        text =
            end ? text_of("%s%.*s", text, (int)(close - s - 1), s + 1) : text_of("%s%c", text, *s);
        end = end ? end : s;
    }
    return text;
}

static void put_stage(struct talk *t, const char *stage, int *pictures)
{
    const char *lesson = head_of(file_of_stage(t, stage)).lesson, *notes = "", *named;
    const char *title = text_of("Stage %s: %s", stage_digits(stage), lesson);

    put_slide(t, title);
    put_slide_code(t, stage, stage, "+-");
    for (int i = 0, inside = 0; i < t->page.n; i++) {
        const struct page_line *l = &t->page.line[i];
        const char *text = page_text(&t->page, i, "");

        if (l->kind == HEADING)
            inside = (named = stage_of(t, l)) && strcmp(named, stage) == 0;
        else if (inside && l->kind == PICTURE && !l->is_answer && (*pictures)-- > 0) {
            put_slide(t, title);
            fprintf(t->out, "![](%s.svg)\n", stem_of(strstr(text, "](") + 2));
        } else if (inside && l->kind == PARAGRAPH && text &&
                   (l->is_answer || strncmp(text, "**Question", 10) == 0))
            notes = text_of("%s%s\n\n", notes, without_links(text));
    }
    put_slide(t, text_of("After stage %s", stage_digits(stage)));
    put_table(t, stage);
    fprintf(t->out, "\n::: notes\n%s`make %s && ./%s`\n:::\n", notes, stage, stage);
}

// Puts two slides per stage, and as many pictures as a lecture has time for.
static void put_stages(struct talk *t)
{
    int pictures = 0;

    t->ladder = 1;
    for (const char *list = t->core, *stage; (stage = next_word(&list));) {
        int lecture = lecture_of(t, stage);
        const char *before = stage_before(t->folder, t->core, stage);

        if (!t->out || lecture != t->now) {
            begin_deck(t, lecture);
            pictures = MOST_SLIDES - 3;   // the title, the stage before, the ladder
            for (const char *all = t->core, *each; (each = next_word(&all));)
                pictures -= lecture_of(t, each) == lecture ? 2 : 0;
            if (before[0]) {
                put_slide(t, text_of("So far: stage %s", stage_digits(before)));
                put_slide_code(t, before, before, "");
            }
        }
        put_stage(t, stage, &pictures);
    }
}

// --- lectures

// Takes the stages of the lecture that was read last: "**Core stages:** 0, 1" or, if it has none,
// "**Optional stages:** 20 (mma), 21".
static void take_stages(struct talk *t, char *text)
{
    struct lecture *l = &t->lecture[t->lectures - 1];
    int is_core = strncmp(text, "**Core stages:**", 16) == 0;
    const char *list, *number;

    if (!is_core && (l->numbers[0] || strncmp(text, "**Optional stages:**", 20) != 0))
        return;
    for (char *c = text; *c; c++)
        *c = isdigit((unsigned char)*c) ? *c : ' ';
    l->numbers = list = text;
    while (!is_core && (number = next_word(&list)))
        t->taught = with_word(t->taught, text_of("stage%s", number));
}

// Reads the lectures of the week from docs/plan.md. A week that is not there has one.
static void read_lectures(struct talk *t)
{
    const char *week = text_of("Week %d:", atoi(t->week));
    const char *path = text_of("%s/docs/plan.md", root_folder());
    struct page plan = { 0 };
    int inside = 0;

    if (access(path, R_OK) == 0)
        page_read(&plan, path);
    for (int i = 0; i < plan.n; i++) {
        const struct page_line *l = &plan.line[i];
        int is_title = l->kind == HEADING;
        char *text = is_title ? text_of("%s", title_of(l)) : page_text(&plan, i, "");

        if (!text)
            continue;
        text[strcspn(text, is_title ? "(" : ".")] = '\0';
        if (is_title && strncmp(l->text, "###", 3) != 0)
            inside = strncmp(text, week, strlen(week)) == 0;
        else if (inside && is_title && strncmp(text, "Lecture", 7) == 0 &&
                 t->lectures < MOST_LECTURES)
            t->lecture[t->lectures++] =
                (struct lecture){ text_of("Week %d, lecture %s", atoi(t->week), trimmed(text + 7)),
                                  "" };
        else if (inside && t->lectures)
            take_stages(t, text);
    }
    if (!t->lectures)
        t->lecture[t->lectures++] = (struct lecture){ title_of(t->page.line), "" };
}

// Reads README.md, the week's parts in the order of their names, and the pages behind them, whose
// names begin with a capital letter: NOTES.md and RESULTS.md.
static void read_pages(struct talk *t)
{
    struct arguments parts = files_like(t->folder, "[a-z0-9]*.md"),
                     behind = files_like(t->folder, "[A-Z]*.md");

    page_read(&t->page, text_of("%s/README.md", t->folder));
    if (t->page.line[0].kind != HEADING)
        fail("slides: %s/README.md: expected a title", t->folder);
    for (int i = 0; i < parts.n; i++)
        page_read(&t->page, parts.word[i]);
    for (int i = 0; i < behind.n; i++)
        if (strcmp(stem_of(behind.word[i]), "README") != 0)
            page_read(&t->page, behind.word[i]);
}

enum status command_slides(struct arguments a)
{
    struct talk t = { .from = "", .place = { .mode = "", .knobs = "" } };

    no_options(&a);
    if (a.n != 2)
        fail("slides: expected WEEK FOLDER, for example ladder slides 01_transpose plots/out");
    must_be_name("week", a.word[0]);
    t.week = a.word[0];
    t.to = a.word[1];
    t.folder = folder_of(t.week);
    read_pages(&t);
    t.core = message_stages(t.folder, "core");
    for (int i = 0, all = !t.core[0]; all && i < 100; i++)   // without a core ladder, all stages
        if (stage_file(t.folder, text_of("stage%d", i)))
            t.core = with_word(t.core, text_of("stage%d", i));
    if (!t.core[0])
        fail("slides: %s: expected a stage, for example stage1_name.cu", t.folder);
    t.taught = t.core;
    read_run(&t);
    read_lectures(&t);
    if (!put_pages(&t))
        put_stages(&t);
    end_deck(&t);
    return STATUS_OK;
}
