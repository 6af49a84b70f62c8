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
//   result: stage3              a pause, and then the rows of this stage, of the one before and of
//                               the references, with bars;
//   result: stage3 in=TABLE at=SIZE  those of another table of the run, or of another size
//   title CONDITION: TITLE      another title, if the recorded run proves the condition
//   notes: what the speaker says; further lines may follow
//   -->
//
// slides.h says which lines and values depend on the GPU. A deck begins with the lecture's
// objectives, which the plan has, and with where the course is. Slides whose title begins with
// "Summary: " end it.
//
// A slide belongs to the lecture whose core stages its section is about, as the sections before it
// do; in a lecture without core stages, its optional ones. If no page of the week has a slide, each
// core stage has two: its lesson with what it changes, and the table, with the question and the
// answer of its section as notes.
#define _GNU_SOURCE   // strsep
#include "slides.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folders.h"

static const char *stage_digits(const char *stage) { return stage + strlen("stage"); }

static const char *file_of_stage(const struct talk *t, const char *stage)
{
    return stage_file(t->folder, stage);
}

// --- the recorded run

// What a line names: STAGE [in=TABLE] [at=SIZE], in another table of the run or at another size.
struct spot_of_run {
    const char *stage, *part;
    struct table table;
    struct place place;
};

static struct spot_of_run spot_of_run(struct talk *t, const char *words)
{
    const char *options = words, *stage = next_word(&options), *size = word_value(options, "at");
    struct spot_of_run s = { stage ? stage : "", word_value(options, "in"),
                             slide_table_in(t, options), t->place };

    if (s.part)
        s.place.type = table_type(&s.table);
    if (size && t->place.size)
        s.place.size = size;
    return s;
}

// The core stages, without the first ones that another table does not have.
static const char *stages_in(const struct talk *t, const struct spot_of_run *s)
{
    for (const char *list = t->core, *from = list, *stage; (stage = next_word(&list)); from = list)
        if (!s->part || strcmp(stage, s->stage) == 0 || latest_row(&s->table, stage, &s->place))
            return from;
    return t->core;
}

// Returns whether the run has the table.
static int put_table(struct talk *t, const char *words)
{
    struct spot_of_run s = spot_of_run(t, words);
    struct listing table;

    if (t->table.n && !s.table.n) {
        slide_unchecked(t, text_of("there is no table for %s", words));
        return 0;
    }
    table = growing_table(&s.table, &s.place, t->folder, stages_in(t, &s), s.stage);
    listing_markdown(&table, "lr", t->out);
    return 1;
}

// The rows of a stage, of the one before it and of the references, which are shown after a pause.
// Those of another table are of the stage's run. Returns whether the run has one of the stages.
static int put_result(struct talk *t, const char *words)
{
    struct spot_of_run s = spot_of_run(t, words);
    const char *before = stage_before(t->folder, t->core, s.stage);
    int is_measured = latest_row(&s.table, s.stage, &s.place) != NULL;
    struct listing table;

    if (t->from[0] && !is_measured)
        slide_unchecked(t, text_of("%s is not measured", words));
    if (t->from[0] && !is_measured && (!before[0] || !latest_row(&s.table, before, &s.place)))
        return 0;
    table = result_table(&s.table, &s.place, t->folder, before, s.stage, s.part != NULL);
    fputs("\n. . .\n\n", t->out);
    listing_markdown(&table, "lrrrl", t->out);
    return 1;
}

// The more core stages were measured at a place, the higher; of places with as many, the week's
// overview names the size.
static int stages_at(const struct talk *t, const struct place *place)
{
    const char *overview = message(t->folder, "overview");
    int n = 0;

    for (const char *list = t->core, *stage; (stage = next_word(&list));)
        n += 2 * (latest_row(&t->table, stage, place) != NULL);
    return n + (overview &&
                has_word(text_of("%.*s", (int)strcspn(overview, ":"), overview), place->size));
}

// Reads the recorded run. The table is about the first place with the most stages.
static void read_run(struct talk *t)
{
    const char *asked = setting("LADDER_FROM"), *from = recorded_from(t->week);
    char path[PATH_MAX];
    int most = -1;

    if (asked[0])
        must_be_recorded("FROM", asked, t->week);
    recorded_path(path, root_folder(), from, t->week, "ladder");
    if (table_read(&t->table, path) < 0 || !t->table.n)
        return;
    t->from = from;
    for (size_t i = 0; i < t->table.n; i++) {
        const struct row *row = &t->table.row[i];
        struct place place = { row->size, row->mode, row->type, row->knobs, row->variant };
        int n = stages_at(t, &place);

        if (n > most)
            t->place = place, most = n;
    }
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

// The stage, or demonstration, of a line of code.
static const char *code_file(const struct talk *t, const char *where, const char *name)
{
    int is_demo = name && strncmp(name, "demo_", 5) == 0 && file_of_stage(t, name);

    return is_demo ? name : must_be_of(t->taught, where, name);
}

// STAGE [LINES TEXT], with these signs ("": of code without marks)
static void put_slide_code(struct talk *t, const char *where, const char *words, const char *signs)
{
    const char *text = words, *named = next_word(&text), *stage = code_file(t, where, named);
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

// Puts a line of a slide, which may be one of these words. Returns whether there is something to
// put.
static int put_line(struct talk *t, const char *where, const char *line)
{
    static const char *const kind[] = { "code", "new", "changes", "table", "result" };
    static const char *const signs[] = { "", "+", "+-" };
    size_t n = strcspn(line, ":"), k = 0;
    const char *words = line[n] ? line + n + 1 + strspn(line + n + 1, " ") : "";

    while (k < 5 && (strlen(kind[k]) != n || strncmp(line, kind[k], n) != 0 || !line[n]))
        k++;
    if (k == 3 || k == 4) {
        const char *list = words;

        must_be_of(k == 3 ? t->core : t->taught, where, next_word(&list));
        return k == 3 ? put_table(t, words) : put_result(t, words);
    }
    if (k < 3)
        put_slide_code(t, where, words, signs[k]);
    else
        fprintf(t->out, "%s\n", line);
    return 1;
}

// The title of a slide: that of the first line "title CONDITION: TITLE" that holds.
static const char *title_of_slide(struct talk *t, const char *where, char *first, const char *rest)
{
    t->slide = first;
    for (const char *line = rest; line; line = strchr(line, '\n')) {
        const char *colon, *end;

        line += *line == '\n';
        if (strncmp(line, "title ", 6) != 0)
            continue;
        end = line + strcspn(line, "\n");
        colon = strstr(line, ": ");
        if (!colon || colon > end)
            fail("%s: '%.*s': expected title CONDITION: TITLE", where, (int)(end - line), line);
        if (slide_holds(t, where, text_of("%.*s", (int)(colon - line - 6), line + 6)))
            return text_of("%.*s", (int)(end - colon - 2), colon + 2);
    }
    return slide_line(t, where, first);
}

// Puts the lines below the title. Returns whether a statement was omitted, and nothing is left but
// the heads of its table.
static int put_body(struct talk *t, const char *where, char *rest)
{
    int notes = 0, fence = 0, row = 0, shown = 0, omitted = 0;
    char *line;

    while ((line = strsep(&rest, "\n"))) {
        int is_notes = !notes && strncmp(line, "notes: ", 7) == 0;
        const char *text = fence ? line : slide_line(t, where, line + (is_notes ? 7 : 0));

        fence ^= strncmp(line, "```", 3) == 0;
        if (is_notes)
            fputs("\n::: notes\n", t->out);
        notes |= is_notes;
        if (!text || strncmp(line, "title ", 6) == 0) {
            omitted |= !text && !notes;
            continue;
        }
        row = text[0] == '|' ? row + 1 : 0;
        if (notes)
            fprintf(t->out, "%s\n", text);
        else if (!put_line(t, where, text))
            omitted = 1;
        else
            shown += text[0] && (row == 0 || row > 2);
    }
    fputs(notes ? ":::\n" : "", t->out);
    return omitted && !shown;
}

// A slide that a page has. It is omitted if its title needs a value that the run lacks, or if it
// would be empty.
static void put_marked(struct talk *t, const char *where, char *rest)
{
    char *first = strsep(&rest, "\n"), *text;
    const char *title = title_of_slide(t, where, first, rest);
    FILE *out = t->out;
    size_t length;
    int is_empty;

    if (!title)
        return;
    t->out = open_memstream(&text, &length);
    is_empty = put_body(t, where, rest);
    fclose(t->out);
    t->out = out;
    if (!is_empty) {
        put_slide(t, title);
        fputs(text, t->out);
    }
    free(text);
}

// A slide for the end of the deck.
static void keep_summary(struct talk *t, const char *where, char *slide)
{
    FILE *out = t->out;
    char *text;
    size_t length;

    t->out = open_memstream(&text, &length);
    put_marked(t, where, slide);
    fclose(t->out);
    t->out = out;
    t->summary = text_of("%s%s", t->summary, text);
    free(text);
}

// --- decks

static void end_deck(struct talk *t)
{
    const char *name = text_of("%s_lecture%d.md", t->week, t->now + 1);

    if (!t->out)
        return;
    fputs(t->summary, t->out);
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

// The last core stage before a lecture; NULL if the lecture has none, or is the first.
static const char *stage_before_lecture(const struct talk *t, int lecture)
{
    const char *last = NULL;

    for (const char *list = t->core, *stage; lecture && (stage = next_word(&list)); last = stage)
        if (has_word(t->lecture[lecture].numbers, stage_digits(stage)))
            return last;
    return NULL;
}

// Where the course is: the stages so far or, of another type than those of the table, the lectures.
static void put_where_we_are(struct talk *t)
{
    const char *last = stage_before_lecture(t, t->now);

    put_slide(t, "Where we are");
    if (last && t->place.size && latest_row(&t->table, last, &t->place)) {
        put_table(t, last);
        fprintf(t->out,
                "\n::: notes\nAsk for one sentence per row: what did the stage remove?\n:::\n");
        return;
    }
    for (int i = 0; i < t->lectures; i++) {
        const char *mark = i == t->now ? "**" : "", *title = strstr(t->lecture[i].title, "lecture");

        fprintf(t->out, "- %s%s%s\n", mark, title ? title : t->lecture[i].title, mark);
    }
    fprintf(t->out, "\n::: notes\nThe lectures of this week.%s\n:::\n",
            t->now ? " Ask for one sentence on each that is over." : " This is the first.");
}

static void put_objectives(struct talk *t)
{
    const struct lecture *l = &t->lecture[t->now];

    put_slide(t, "After this lecture, you can");
    for (int i = 0; i < l->objectives; i++)
        fprintf(t->out, "- %s\n", l->objective[i]);
    fprintf(t->out,
            "\n::: notes\nReturn to this slide at the end: which of these can everyone do?\n:::\n");
}

// Its title is the first slide.
static void begin_deck(struct talk *t, int lecture)
{
    end_deck(t);
    t->now = lecture;
    t->out = open_memstream(&t->text, &t->length);
    t->slides = 1;
    t->summary = "";
    fprintf(t->out, "%% %s\n%% The CUDA ladder\n", t->lecture[lecture].title);
    if (t->place.size) {
        struct days days = table_days(&t->table);

        fprintf(t->out, "%% Measured on an %s, %s\n", table_note(&t->table, "device"),
                days_text(&days));
    }
    if (t->lecture[lecture].objectives) {
        put_objectives(t);
        put_where_we_are(t);
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
        if (slide && strncmp(slide, "Summary: ", 9) == 0)
            keep_summary(t, l->where, slide);
        else if (slide)
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

// Takes what a paragraph, item or heading of the plan says about a lecture of the week.
static void take_line(struct talk *t, const struct page_line *l, char *text, int *lists)
{
    struct lecture *now = t->lectures ? &t->lecture[t->lectures - 1] : NULL;

    if (l->kind == HEADING && strncmp(text, "Lecture", 7) == 0 && t->lectures < MOST_LECTURES) {
        text[strcspn(text, "(")] = '\0';
        t->lecture[t->lectures++] = (struct lecture){
            .title = text_of("Week %d, lecture %s", atoi(t->week), trimmed(text + 7)), .numbers = ""
        };
    } else if (now && *lists && strncmp(l->text, "- ", 2) == 0 &&
               now->objectives < MOST_OBJECTIVES) {
        text[strcspn(text, ";.")] = '\0';
        now->objective[now->objectives++] = text;
        return;
    } else if (now && l->kind == PARAGRAPH) {
        text[strcspn(text, ".")] = '\0';
        take_stages(t, text);
    }
    *lists = strncmp(text, "**After this lecture**", 22) == 0;
}

// Reads the lectures of the week from docs/plan.md. A week that is not there has one.
static void read_lectures(struct talk *t)
{
    const char *week = text_of("Week %d:", atoi(t->week));
    const char *path = text_of("%s/docs/plan.md", root_folder());
    struct page plan = { 0 };
    int inside = 0, lists = 0;

    if (access(path, R_OK) == 0)
        page_read(&plan, path);
    for (int i = 0; i < plan.n; i++) {
        const struct page_line *l = &plan.line[i];
        int is_title = l->kind == HEADING;
        char *text = is_title ? text_of("%s", title_of(l)) : page_text(&plan, i, "");

        if (!text || !text[0])
            continue;
        if (is_title && strncmp(l->text, "###", 3) != 0)
            inside = strncmp(text, week, strlen(week)) == 0;
        else if (inside)
            take_line(t, l, text, &lists);
    }
    if (!t->lectures)
        t->lecture[t->lectures++] =
            (struct lecture){ .title = title_of(t->page.line), .numbers = "" };
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
    struct talk t = { .from = "", .summary = "", .place = { .mode = "", .knobs = "" } };

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
