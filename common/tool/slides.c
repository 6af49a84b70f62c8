// `ladder slides WEEK`: a deck from the week's page, docs/plan.md, the stages and a recorded run.
//
// The order is that of the lectures in docs/plan.md. Each stage of the core ladder has slides with
// its idea, its drawings, the lines that it changes, its figures, its question and the answer. The
// text is that of the page:
//
//   idea      the first sentences of the section's first paragraph, and the code below it
//   look at   the first sentences of the paragraph "Look at: ..."
//   question  the paragraph "**Question.** ..."
//   answer    the first sentences, and a table if they introduce one
//
// The line <!-- slide --> above a paragraph, list, table or block of code of the page selects that
// block, and those of the section or answer that also have it, in place of the first ones. Of a
// paragraph, slides show its first sentences. Other sections than those of stages have slides only
// if they have such a line; "The limit" and "The lecture says" always have.
//
// Rates and figures are of the recorded run that LADDER_FROM names. If that is of another GPU than
// the page quotes, sentences and tables of the page that quote a measurement name its GPU.
#define _GNU_SOURCE   // strsep, strcasestr
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "figure_page.h"
#include "folders.h"
#include "head.h"
#include "messages.h"
#include "notes.h"
#include "numbers.h"
#include "select.h"
#include "slide_code.h"
#include "slide_page.h"
#include "tool.h"

// The most characters of an idea, of an answer and of what to look at.
enum { IDEA = 420, ANSWER = 560, LOOK_AT = 240 };
enum { MOST_CODE_SLIDES = 2, KEPT_LINES = 3, MOST_LECTURES = 4 };

// The blocks below a heading.
struct section {
    const struct block *heading, *first, *end;
};

struct talk {
    struct deck deck;
    const char *week, *folder, *page;   // "01_transpose", its path, and that of its README.md
    struct notes notes, plan;
    const char *core;   // "stage0 stage1 ..."
    struct section lecture[MOST_LECTURES];
    int lectures, now;       // lectures[now] is being shown; -1 before the first
    const char *rates;       // the page's table of rates, in Markdown
    const char *measured;    // the GPU of the recorded run, without its vendor: "A100"
    const char *quoted;      // the GPU that the page quotes
    const char *shown;       // the pictures so far
    const char *of_stages;   // the pictures of the core ladder's sections
};

static struct section section_at(const struct notes *n, int i)
{
    int end = i + 1;

    while (end < n->n && n->block[end].kind != HEADING)
        end++;
    return (struct section){ &n->block[i], &n->block[i] + 1, n->block + end };
}

static const struct block *first_of(const struct section *s, enum block_kind kind, const char *with)
{
    for (const struct block *b = s->first; b < s->end; b++)
        if (b->kind == kind && strncmp(b->text, with, strlen(with)) == 0)
            return b;
    return NULL;
}

// --- sentences

// The sentence, with the GPU's name if it quotes a measurement of a GPU that this deck is not of.
static const char *with_device(const struct talk *t, const struct section *s, const char *sentence)
{
    if (strcmp(t->quoted, t->measured) != 0 && !strstr(sentence, t->quoted))
        for (const struct block *b = s->first; b < s->end; b++)
            if (b->kind == NUMBERS && number_is_measured(b->text, sentence))
                return text_of("%s (%s)", sentence, t->quoted);
    return sentence;
}

// What is left of a slide for sentences: characters, and the height to keep for what follows.
struct room {
    int characters;
    double below;
};

// The first sentences of a text that fit, each with a bullet; with `whole` all or none. The last
// one is omitted if it ends with a colon and `introduces` is 0. Returns whether all fit.
static int put_sentences(struct talk *t, const struct section *s, const char *markdown,
                         struct room *room, int whole, int introduces)
{
    enum { INDENT = 24, GAP = 8 };
    char *text = styled_of(markdown);
    double height = slide_text_height(text, NORMAL, INDENT) * 1.2 + GAP + room->below;

    if (whole && ((int)strlen(text) > room->characters || height > slide_room(&t->deck)))
        return 0;
    for (int first = 1; *text; first = 0) {
        size_t n = sentence_length(text);
        const char *sentence = with_device(t, s, text_of("%.*s", (int)n, text));

        text += n + strspn(text + n, " ");
        if (strcmp(sentence, "Source.") == 0)   // a link
            continue;
        if (!*text && sentence[strlen(sentence) - 1] == ':' && !introduces)
            return 1;
        height = slide_text_height(sentence, NORMAL, INDENT) + GAP + room->below;
        if (!first && ((int)n > room->characters || height > slide_room(&t->deck)))
            return 0;
        slide_text(&t->deck, sentence, NORMAL, BLACK, INDENT, "•");
        slide_gap(&t->deck, GAP);
        room->characters -= (int)n;
    }
    return 1;
}

// The first sentences of a text, at most this many characters or one sentence.
static const char *beginning_of(const struct talk *t, const struct section *s, const char *markdown,
                                size_t most)
{
    const char *all = "";

    for (const char *text = styled_of(markdown); *text;) {
        size_t n = sentence_length(text);

        if (*all && strlen(all) + n > most)
            break;
        all = text_of("%s%s%s", all, *all ? " " : "",
                      with_device(t, s, text_of("%.*s", (int)n, text)));
        text += n + strspn(text + n, " ");
    }
    return all;
}

// A paragraph as it is.
static void put_paragraph(struct talk *t, const struct section *s, const char *markdown, int size,
                          double indent)
{
    slide_text(&t->deck, beginning_of(t, s, markdown, strlen(markdown) + 100), size, BLACK, indent,
               indent > 0 ? "•" : "");
    slide_gap(&t->deck, 8);
}

// Puts at most `most` lines of code. The first lines of a run of changed lines are on one slide.
static void put_code_lines(struct talk *t, const struct code *code, int most)
{
    struct code c = code_wrapped(code, code_width());

    while (most < c.n && c.line[most].continues)
        most++;
    for (int i = 0; i < c.n && i < most; i++) {
        const struct code_line *line = &c.line[i];
        int color = line->sign[0] == '+' ? BLUE : line->sign[0] == '-' ? ALARM : BLACK, run = 0;

        if (!line->sign[0]) {
            slide_gap(&t->deck, 8);
            continue;
        }
        while (i + run < c.n && c.line[i + run].sign[0] &&
               (run < KEPT_LINES || c.line[i + run].continues))
            run++;
        if (!line->continues && (i == 0 || !line[-1].sign[0] || (i + 1 < c.n && line[1].continues)))
            slide_keep(&t->deck, run * code_line_height());
        slide_code(&t->deck, line->text, line->continues ? " " : line->sign, color);
    }
    if (c.n > most)
        slide_text(&t->deck, text_of("... and %d more lines", c.n - most), SMALL, DARK, 0, "");
}

// A table of the page, and below it the GPU that it quotes if this deck is not of that one.
static void put_table(struct talk *t, const struct section *s, const char *table)
{
    const char *named = with_device(t, s, table);

    slide_table(&t->deck, table);
    if (named != table)
        slide_text(&t->deck, named + strlen(table) + 1, SMALL, DARK, 0, "");
    slide_gap(&t->deck, 8);
}

// The height of a block of code; 0 for another block.
static double code_height(const struct block *b)
{
    struct code code = { 0 };

    if (b->kind == CODE)
        code = code_of_text(b->text);
    return code_wrapped(&code, code_width()).n * code_line_height() + (code.n ? 10 : 0);
}

// A block as it is.
static void put_block(struct talk *t, const struct section *s, const struct block *b)
{
    if (b->kind == PARAGRAPH || b->kind == ITEM)
        put_paragraph(t, s, b->text, NORMAL, b->kind == ITEM ? 24 : 0);
    else if (b->kind == CODE) {
        struct code code = code_of_text(b->text);

        put_code_lines(t, &code, INT_MAX);
        slide_gap(&t->deck, 10);
    } else if (b->kind == TABLE)
        put_table(t, s, b->text);
    else if (b->kind == GENERATED)
        slide_table(&t->deck, ladder_output(t->page, b->text));
}

static int is_label(const struct block *b)
{
    return strncmp(b->text, "**Question", 10) == 0 || strncmp(b->text, "Look at:", 8) == 0;
}

static int marks_of(const struct section *s, int answer)
{
    int n = 0;

    for (const struct block *b = s->first; b < s->end; b++)
        n += b->marked && b->answer == answer;
    return n;
}

// The marked blocks of a section or of its answer: equally many sentences of each paragraph, and
// whole lists from a marked first item on.
static void put_marked(struct talk *t, const struct section *s, int answer, double below)
{
    int items = 0, most = (answer ? ANSWER : IDEA) / marks_of(s, answer);

    for (const struct block *b = s->first; b < s->end; b++) {
        items = b->kind == ITEM && (items || b->marked);
        if (b->answer != answer || (!b->marked && !items))
            continue;
        if (b->kind == PARAGRAPH)
            put_sentences(t, s, b->text, &(struct room){ most, below }, 0, 0);
        else
            put_block(t, s, b);
    }
}

// What slides show of a section or of its answer, with `below` points left below it.
static void put_choice(struct talk *t, const struct section *s, int answer, double below)
{
    struct room room = { answer ? ANSWER : IDEA, below };
    int some = 0;

    if (marks_of(s, answer)) {
        put_marked(t, s, answer, below);
        return;
    }
    for (const struct block *b = s->first; b < s->end; b++) {
        int shows_next = b + 1 < s->end && (b[1].kind == CODE || b[1].kind == TABLE);

        if (b->answer != answer || b->kind == NUMBERS)
            continue;
        if (b->kind == PARAGRAPH && is_label(b))
            break;
        if (b->kind == PARAGRAPH) {
            room.below = below + (shows_next ? code_height(&b[1]) : 0);
            if (!put_sentences(t, s, b->text, &room, some, shows_next))
                break;
            some = 1;
        } else if (b->kind == TABLE ||
                   (b->kind == CODE && code_height(b) + below <= slide_room(&t->deck)))
            put_block(t, s, b);
    }
}

// --- pictures

static void put_picture(struct talk *t, const char *name, const char *footer)
{
    static const char DRAWING[] = "drawing_";

    if (has_word(t->shown, name))
        return;
    t->shown = with_word(t->shown, name);
    if (strncmp(name, DRAWING, strlen(DRAWING)) == 0)
        slide_drawing(&t->deck, name + strlen(DRAWING), footer);
    else if (strncmp(name, t->week, strlen(t->week)) == 0) {
        // nothing is printed if the run does not have what the figure shows
        char *script =
            ladder_output(t->page, text_of("ladder figure %s --recorded --week %s --format slide",
                                           name + strlen(t->week) + 1, t->week));

        if (script[0])
            slide_figure(&t->deck, script);
        else
            slide_begin(&t->deck, text_of("Figure %s: not measured on %s",
                                          name + strlen(t->week) + 1, t->measured));
    }
}

static void put_pictures(struct talk *t, const struct section *s, int drawings, const char *footer)
{
    for (const struct block *b = s->first; b < s->end; b++)
        if (b->kind == PICTURE && !b->answer && (strncmp(b->text, "drawing_", 8) == 0) == drawings)
            put_picture(t, b->text, footer);
}

// --- stages

// Column c of a row of a table in Markdown.
static const char *cell_of(const char *row, int c)
{
    char *rest = text_of("%.*s", (int)strcspn(row, "\n"), row), *cell;
    size_t n;

    while ((cell = strsep(&rest, "|")) && c-- >= 0)
        ;
    if (!cell)
        return "";
    cell += strspn(cell, " ");
    for (n = strlen(cell); n && cell[n - 1] == ' ';)
        n--;
    return text_of("%.*s", (int)n, cell);
}

static const char *rates_of(const struct talk *t, const char *stage)
{
    const char *row = strstr(t->rates, text_of("\n| [%s ", stage));

    return row ? row + 1 : "";
}

// "Measured (H200, 16384x16384, cold): 1758 GB/s, 41.5 % of memcpy; stage 2: 1012 GB/s"
static const char *rate_text(const struct talk *t, const char *stage, const char *before)
{
    const char *row = rates_of(t, stage), *rate = cell_of(row, 1), *unit = cell_of(t->rates, 0);
    const char *old = cell_of(rates_of(t, before), 1);
    const char *text = text_of("**Measured** (%s, %s): ", t->measured, cell_of(t->rates, 1));

    if (isdigit((unsigned char)rate[0]))
        text =
            text_of("%s**%s %s**, %s %s", text, rate, unit, cell_of(row, 2), cell_of(t->rates, 2));
    else
        text = text_of("%s%s", text, rate[0] && rate[0] != '-' ? rate : "not measured");
    if (isdigit((unsigned char)old[0]))
        text = text_of("%s; stage %d: %s %s", text, stage_number(before), old, unit);
    return styled_of(text);
}

static const char *file_of(const struct talk *t, const char *stage)
{
    struct arguments files = files_like(t->folder, "%s_*.cu", stage);

    return files.n ? files.word[0] : NULL;
}

// The stage that this one changes, as make diff has it; "" for the first one.
static const char *stage_before(const struct talk *t, const char *stage)
{
    const char *from = head_of(file_of(t, stage)).from;
    const char *before = from[0] ? from : text_of("stage%d", stage_number(stage) - 1);

    return file_of(t, before) ? before : "";
}

// Puts at most MOST_CODE_SLIDES slides of code: if all lines are more, the new ones only.
static void put_code(struct talk *t, const char *stage, const char *before, const char *heading)
{
    const char *file = file_of(t, stage);
    const char *command = text_of("make diff A=%d B=%d", stage_number(before), stage_number(stage));
    struct code code = before[0] ? changes_of(file_of(t, before), file) : kernel_of(file);
    int most = MOST_CODE_SLIDES * (code_lines_of_slide() - KEPT_LINES), long_one;

    if (!code.n)
        return;
    long_one = before[0] && code_wrapped(&code, code_width()).n > most;
    slide_begin(&t->deck,
                before[0] ? text_of("%s: `%s`%s", heading, command, long_one ? ", new lines" : "")
                          : text_of("%s: the kernel", heading));
    if (long_one)
        code = code_with(&code, "+");
    put_code_lines(t, &code, most);
}

static void put_question(struct talk *t, const struct section *s, const char *heading)
{
    const struct block *b = first_of(s, PARAGRAPH, "**Question");
    const char *text, *asks, *end;

    if (!b)
        return;
    // "**Question.** Text", "**Question (a poll).** Text", "**Question** (slide 3). Text"
    text = styled_of(b->text) + strlen("\1Question");
    end = text[strspn(text, "\1 ")] == '(' && strstr(text, ").") ? strstr(text, ").") + 1 : text;
    asks = text_of("%.*s", (int)(end - text), text);
    text = end;
    slide_begin(&t->deck, text_of("%s: question %s", heading, asks + strspn(asks, "\1 ")));
    slide_gap(&t->deck, 24);
    put_paragraph(t, s, text + strspn(text, ". \1"), LARGE, 0);
    slide_begin(&t->deck, text_of("%s: answer", heading));
    put_choice(t, s, 1, 0);
}

static void put_stage(struct talk *t, const struct section *s, const char *stage)
{
    const char *before = stage_before(t, stage), *heading = s->heading->text;
    const char *name = text_of("Stage %d", stage_number(stage));
    const struct block *look = first_of(s, PARAGRAPH, "Look at:");
    const char *rate = rate_text(t, stage, before), *look_at = NULL;
    double below = 8 + slide_text_height(rate, NORMAL, 0);

    if (look) {
        look_at = beginning_of(t, s, text_of("**Look at:**%s", look->text + 8), LOOK_AT);
        below += 8 + slide_text_height(look_at, NORMAL, 0);
    }
    slide_begin(&t->deck, heading);
    put_choice(t, s, 0, below);
    slide_gap(&t->deck, 8);
    if (look)
        slide_text(&t->deck, look_at, NORMAL, BLACK, 0, "");
    slide_gap(&t->deck, 8);
    slide_text(&t->deck, rate, NORMAL, BLUE, 0, "");
    put_pictures(t, s, 1, heading);
    put_code(t, stage, before, name);
    put_pictures(t, s, 0, heading);
    put_question(t, s, name);
}

// --- lectures

// The stage of a heading like "Stage 3: padding"; NULL for any other heading.
static const char *stage_of(const struct block *heading)
{
    int number, n = 0;

    if (sscanf(heading->text, "Stage %d%n", &number, &n) < 1 || !strchr(": (", heading->text[n]))
        return NULL;
    return text_of("stage%d", number);
}

// "**Core stages:** 0, 1, 2, 3." has the number of stage2.
static int lecture_has(const struct section *lecture, const char *stage)
{
    const struct block *b = first_of(lecture, PARAGRAPH, "**Core stages:**");

    for (const char *s = b ? b->text : ""; *s;)
        if (isdigit((unsigned char)*s)) {
            if ((int)strtol(s, (char **)&s, 10) == stage_number(stage))
                return 1;
        } else
            s++;
    return 0;
}

// "Lecture 2: bytes in flight (45 minutes)" without the last word.
static const char *without_minutes(const char *heading)
{
    const char *end = strrchr(heading, '(');

    return end && end > heading ? text_of("%.*s", (int)(end - 1 - heading), heading) : heading;
}

// Shows the pictures that the lecture's table names, except those of the core ladder's sections and
// the figure that ends the deck: drawings before the stages, figures after them.
static void put_lecture_pictures(struct talk *t, const struct section *lecture, int drawings)
{
    static const char FOLDER[] = "plots/readme/";
    const struct block *table = first_of(lecture, TABLE, "");

    for (const char *at = table ? table->text : ""; (at = strstr(at, FOLDER));) {
        at += strlen(FOLDER);
        const char *name = text_of("%.*s", (int)strcspn(at, "."), at);

        if ((strncmp(name, "drawing_", 8) == 0) == drawings && !has_word(t->of_stages, name) &&
            strcmp(name, text_of("%s_ladder", t->week)) != 0)
            put_picture(t, name, without_minutes(lecture->heading->text));
    }
}

// Begins a lecture, and ends the one before it.
static void begin_lecture(struct talk *t, int lecture)
{
    const struct section *s = &t->lecture[lecture];
    const struct block *table = first_of(s, TABLE, "");
    char *rest = text_of("%s", table ? table->text : ""), *row;

    if (t->now >= 0)
        put_lecture_pictures(t, &t->lecture[t->now], 0);
    t->now = lecture;
    slide_begin(&t->deck, without_minutes(s->heading->text));
    slide_gap(&t->deck, 16);
    for (int i = 0; (row = strsep(&rest, "\n")); i++)
        if (i >= 2) {
            slide_text(&t->deck, styled_of(cell_of(row, 1)), LARGE, BLACK, 32, "•");
            slide_gap(&t->deck, 12);
        }
    put_lecture_pictures(t, s, 1);
}

static int is_says(const struct section *s)
{
    return strncmp(s->heading->text, "The lecture says", 16) == 0;
}

// The table with the GPU's name after "today" in its header, if it does not have it.
static const char *today_on(const struct talk *t, const char *table)
{
    const char *today = strstr(table, "today"),
               *line = text_of("%.*s", (int)strcspn(table, "\n"), table);

    if (!today || today > table + strlen(line) || strstr(line, t->quoted))
        return table;
    today += strlen("today");
    return text_of("%.*s (%s)%s", (int)(today - table), table, t->quoted, today);
}

// A section that is not one of a stage: the limit, what the lecture says, or one with marks.
static void put_section(struct talk *t, const struct section *s)
{
    const struct block *table = first_of(s, TABLE, "");

    if (!marks_of(s, 0) && !is_says(s) && strcmp(s->heading->text, "The limit") != 0)
        return;
    slide_begin(&t->deck, s->heading->text);
    if (is_says(s) && table)
        put_table(t, s, today_on(t, table->text));
    else
        put_choice(t, s, 0, 0);
    put_pictures(t, s, 1, s->heading->text);
    put_pictures(t, s, 0, s->heading->text);
}

static void put_page(struct talk *t)
{
    const char *stages = "", *list = t->core, *stage;

    for (int i = 1; i < t->notes.n; i++) {
        struct section s = section_at(&t->notes, i);
        int lecture = t->now < 0 ? 0 : t->now;

        stage = s.heading->kind == HEADING ? stage_of(s.heading) : NULL;
        if (s.heading->kind != HEADING || (stage && !has_word(t->core, stage)))
            continue;
        while (stage && !lecture_has(&t->lecture[lecture], stage))
            if (++lecture == t->lectures)
                fail("slides: docs/plan.md: no lecture of %s has %s", t->week, stage);
        if (lecture != t->now)
            begin_lecture(t, lecture);
        if (stage) {
            put_stage(t, &s, stage);
            stages = with_word(stages, stage);
        } else
            put_section(t, &s);
    }
    while ((stage = next_word(&list)))
        if (!has_word(stages, stage))
            fail("slides: %s: no section of %s, which is in the core ladder", t->page, stage);
    put_lecture_pictures(t, &t->lecture[t->now], 0);
}

// --- the deck

static void put_opening(struct talk *t, const struct section *week)
{
    const struct block *first = &t->notes.block[0], *b;
    struct section intro = section_at(&t->notes, 0);
    struct room room = { IDEA, 60 };
    int list = 0;

    slide_begin(&t->deck, "");
    slide_text(&t->deck, text_of("%c%s%c", BOLD, first->text, BOLD), TITLE, BLACK, 0, "");
    slide_gap(&t->deck, 24);
    if ((b = first_of(&intro, PARAGRAPH, "")))
        put_sentences(t, &intro, b->text, &room, 0, 0);
    slide_gap(&t->deck, 24);
    slide_text(&t->deck, text_of("Rates and figures: %s", t->measured), NORMAL, DARK, 0, "");

    slide_begin(&t->deck, text_of("%s: objectives", first->text));
    slide_gap(&t->deck, 16);
    for (b = week->first; b < week->end && !(list && b->kind != ITEM); b++) {
        if (b->kind == PARAGRAPH && strncmp(b->text, "**Objectives.**", 15) == 0) {
            list = 1;
            slide_text(&t->deck, styled_of(b->text + 16), NORMAL, BLACK, 0, "");
            slide_gap(&t->deck, 12);
        } else if (list)
            slide_text(&t->deck, styled_of(b->text), NORMAL + 2, BLACK, 32, "•");
        slide_gap(&t->deck, 8);
    }
}

// Reads the lectures of the week from docs/plan.md. Returns the week's section there.
static struct section read_lectures(struct talk *t)
{
    const char *title = text_of("Week %d:", atoi(t->week));
    struct section week = { NULL, NULL, NULL };

    for (int i = 0; i < t->plan.n; i++) {
        const struct block *b = &t->plan.block[i];

        if (b->kind != HEADING)
            continue;
        if (b->level <= 2 && week.heading)
            break;
        if (strncmp(b->text, title, strlen(title)) == 0)
            week = section_at(&t->plan, i);
        else if (week.heading && strncmp(b->text, "Lecture", 7) == 0 && t->lectures < MOST_LECTURES)
            t->lecture[t->lectures++] = section_at(&t->plan, i);
    }
    if (!t->lectures)
        fail("slides: docs/plan.md: no lecture of a section '%s ...'", title);
    return week;
}

// Reads the page's table of rates for the recorded run, and the pictures of the core ladder.
static void read_page(struct talk *t)
{
    const char *stage;

    for (int i = 0; i < t->notes.n; i++) {
        struct section s = section_at(&t->notes, i);
        const struct block *b = s.heading;

        if (!t->rates && b->kind == GENERATED && strncmp(b->text, "ladder markdown rates", 21) == 0)
            t->rates = ladder_output(t->page, b->text);
        if (b->kind != HEADING || !(stage = stage_of(b)) || !has_word(t->core, stage))
            continue;
        for (b = s.first; b < s.end; b++)
            if (b->kind == PICTURE)
                t->of_stages = with_word(t->of_stages, b->text);
    }
    if (!t->rates)
        fail("slides: %s: no table of rates: expected " BLOCK_BEGIN "ladder markdown rates ...",
             t->page);
}

// The GPU of a week's recorded run, without its vendor.
static const char *device_of(const char *from, const char *week)
{
    struct table table =
        read_table(text_of("%s/plots/data/%s/%s.ladder.tsv", root_folder(), from, week));

    const char *device = table_note(&table, "device");

    return strncmp(device, "NVIDIA ", 7) == 0 ? device + 7 : device;
}

enum status command_slides(struct arguments a)
{
    struct talk t = { .now = -1, .shown = "", .of_stages = "" };
    const char *root = root_folder();
    struct section week;

    no_options(&a);
    if (a.n != 1)
        fail("slides: expected WEEK, for example ladder slides 01_transpose");
    must_be_name("week", a.word[0]);
    t.week = a.word[0];
    t.folder = text_of("%s/%s", root, t.week);
    t.page = text_of("%s/README.md", t.folder);
    t.notes = notes_of(t.page);
    t.plan = notes_of(text_of("%s/docs/plan.md", root));
    t.core = message_stages(t.folder, "core");
    if (!t.notes.n || t.notes.block[0].kind != HEADING)
        fail("slides: %s: expected a title", t.page);
    must_be_name("FROM", recorded_from(t.week));
    t.measured = device_of(recorded_from(t.week), t.week);
    t.quoted = device_of(default_recorded(root, t.week), t.week);
    week = read_lectures(&t);
    read_page(&t);
    t.deck.title = t.notes.block[0].text;
    deck_begin(&t.deck, text_of("%s/plots/drawings", root));
    put_opening(&t, &week);
    put_page(&t);
    put_picture(&t, text_of("%s_ladder", t.week), "");
    slide_end(&t.deck);
    return STATUS_OK;
}
