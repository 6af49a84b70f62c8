// ladder exercise: lists the exercises of the week in this folder, writes the file of a task, and
// prints hints and solutions.
#define _GNU_SOURCE   // strsep
#include "book.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "exercise.h"

enum { HEAD_LINES = 40 };

static int begins(const char *line, const char *with) { return !strncmp(line, with, strlen(with)); }

// --- masters

// Where a line belongs.
enum part { IN_BOTH, IN_SOLUTION, IN_TASK };

struct master_reader {
    struct exercise *e;
    int line;
    enum part part;
    int hint;    // the hint that is being read, from 1; 0: none
    int hints;   // so far
    int in_head;
    int after_blank;   // the last line of the texts was an empty comment line
    int questions;
};

#define fail_at(r, ...) fail("%s:%d: %s", (r)->e->path, (r)->line, text_of(__VA_ARGS__))

static void add_line(const char **text, const char *line)
{
    *text = text_of("%s%s\n", *text, line);
}

// Takes one of the three directives. Returns 0 for any other line.
static int take_mark(struct master_reader *r, const char *line)
{
    if (strcmp(line, "#ifdef SOLUTION") == 0) {
        if (r->part != IN_BOTH)
            fail_at(r, "'#ifdef SOLUTION' within another one");
        r->part = IN_SOLUTION;
    } else if (r->part == IN_SOLUTION && strcmp(line, "#else") == 0)
        r->part = IN_TASK;
    else if (r->part == IN_TASK && strcmp(line, "#endif") == 0)
        r->part = IN_BOTH;
    else if (r->part != IN_BOTH && (begins(line, "#if") || begins(line, "#e")))
        fail_at(r, "'%s' between '#ifdef SOLUTION' and its '#endif'", line);
    else
        return 0;
    return 1;
}

// Takes a line of a hint, which goes on until an empty comment line or another keyword.
static int take_hint(struct master_reader *r, const char *line)
{
    const char *text = line + strlen("//");   // which every line of a head has

    if (begins(line, "// Hint:")) {
        if (r->hints == HINTS)
            fail_at(r, "more than %d hints", HINTS);
        r->hint = ++r->hints;
        text = line + strlen("// Hint:");
    } else if (!r->hint || !text[strspn(text, " ")] || begins(line, "// Points ") ||
               begins(line, "// Check ")) {
        r->hint = 0;
        return 0;
    }
    add_line(&r->e->hint[r->hint - 1], text + strspn(text, " "));
    return 1;
}

// --- the question

static const char answer_word[] = "// Answer:";
enum { MOST_CHOICES = 8 };

// The letter of a choice, or 0: nothing follows in its line but what the task says behind it or, as
// in the choice itself, ")" and any text.
static char choice_at(const char *at)
{
    char letter = (char)tolower((unsigned char)at[0]);
    const char *rest = at + 1;

    if (letter < 'a' || letter >= 'a' + MOST_CHOICES)
        return 0;
    rest += strspn(rest, " \t");
    return rest[0] == ')' || strchr("\r\n", rest[0]) || (rest > at + 1 && begins(rest, "write a, "))
             ? letter
             : 0;
}

char answer_in(const char *text)
{
    char found = 0;

    for (const char *line = text; line; line = (line = strchr(line, '\n')) ? line + 1 : NULL) {
        const char *at = line + strlen(answer_word);

        if (!begins(line, answer_word))
            continue;
        at += strspn(at, " \t");
        found = found || !choice_at(at) ? '?' : choice_at(at);
    }
    return found;
}

const char *choices_of(const struct exercise *e)
{
    const char *text = "a";

    for (int i = 1; i < e->choices; i++)
        text = text_of("%s%s%c", text, i + 1 < e->choices ? ", " : " or ", 'a' + i);
    return text;
}

// Takes the answer, in whose place the task asks for one. Returns 0 for any other line.
static int take_answer(struct master_reader *r, const char *line)
{
    struct exercise *e = r->e;

    r->questions += begins(line, "// Question: ");
    if (r->questions && begins(line, text_of("// %c) ", 'a' + e->choices)))
        e->choices++;
    if (!begins(line, answer_word))
        return 0;
    if (e->choices < 2 || e->choices > MOST_CHOICES)
        fail_at(r,
                "%d choices before the answer; expected '// Question: ...', then 2 to %d lines "
                "'// a) ...', '// b) ...'",
                e->choices, MOST_CHOICES);
    e->answer = answer_in(line);
    if (e->answer < 'a' || e->answer >= 'a' + e->choices)
        fail_at(r, "'%s': expected one of %s", line, choices_of(e));
    add_line(&e->task, text_of("%s ?   write %s", answer_word, choices_of(e)));
    add_line(&e->solution, line);
    r->after_blank = 0;
    return 1;
}

// An exercise with a question has an answer and points for it, and no other exercise has them.
static void must_fit(const struct master_reader *r)
{
    const struct exercise *e = r->e;

    if (r->questions > 1)
        fail("%s: %d questions; expected one", e->path, r->questions);
    if (!r->questions != !e->answer || !r->questions != !e->head.points_answer)
        fail("%s: %s a line '// Question: ...', %s '// Answer: a', %s '// Points 1: answer'; "
             "expected all three or none",
             e->path, r->questions ? "there is" : "there is not",
             e->answer ? "there is" : "there is not",
             e->head.points_answer ? "there is" : "there is not");
}

static void take_line(struct master_reader *r, const char *line)
{
    int blank = strcmp(line, "//") == 0;

    r->line++;
    r->in_head &= begins(line, "//");
    if (r->in_head && r->line > HEAD_LINES)
        fail_at(r, "a head has at most %d lines", HEAD_LINES);
    if ((r->in_head && (take_hint(r, line) || take_answer(r, line))) || take_mark(r, line))
        return;
    if (r->in_head && blank && r->after_blank)   // an empty line on both sides of the hints
        return;
    r->after_blank = blank;
    if (r->part != IN_SOLUTION)
        add_line(&r->e->task, line);
    if (r->part != IN_TASK)
        add_line(&r->e->solution, line);
}

static void read_texts(struct exercise *e)
{
    struct master_reader r = { .e = e, .in_head = 1 };
    char *text = read_text(e->path), *line;

    e->task = e->solution = "";
    for (int i = 0; i < HINTS; i++)
        e->hint[i] = "";
    while ((line = strsep(&text, "\n")) && (text || line[0])) {
        line[strcspn(line, "\r")] = '\0';
        take_line(&r, line);
    }
    if (r.part != IN_BOTH)
        fail_at(&r, "'#ifdef SOLUTION' has no '#else' and '#endif'");
    if (r.hints != HINTS)
        fail("%s: %d hints; expected %d", e->path, r.hints, HINTS);
    must_fit(&r);
}

// --- points

struct naming {
    const struct exercise *e;
    const struct claim *claim;
};

static void must_name_no_stage(void *context, const struct term *t)
{
    const struct naming *n = context;

    if (t->stage[0] && (n->claim->on_cpu || !name_is_reference(t->stage)))
        fail("%s: // Points: '%s': expected a column of the exercise's own row%s", n->e->path,
             t->stage, n->claim->on_cpu ? "" : ", or of a reference");
}

static int points_of(const struct exercise *e, int on_gpu)
{
    int sum = on_gpu ? 0 : e->head.points_correct + e->head.points_answer;

    for (int i = 0; i < e->head.n_claims; i++)
        sum += e->claim[i].on_cpu != on_gpu ? e->head.points[i] : 0;
    return sum;
}

static void read_points(struct exercise *e)
{
    const char *error;
    int gpu;

    for (int i = 0; i < e->head.n_claims; i++) {
        if (!e->head.points[i])
            fail("%s: // Expect %s: an exercise has // Points lines", e->path, e->head.claim[i]);
        error = claim_parse(e->head.claim[i], &e->claim[i]);
        if (error)
            fail("%s: // Points %d %s: %s", e->path, e->head.points[i], e->head.claim[i], error);
        claim_terms(&e->claim[i], must_name_no_stage, &(struct naming){ e, &e->claim[i] });
    }
    gpu = points_of(e, 1);
    if (points_of(e, 0) != CPU_POINTS || (gpu && CPU_POINTS + gpu != ALL_POINTS))
        fail("%s: %d points without a GPU and %d more with one; expected %d and %d", e->path,
             points_of(e, 0), gpu, CPU_POINTS, ALL_POINTS - CPU_POINTS);
}

static void set_default_check(struct exercise *e)
{
    for (int i = 0; i < e->head.n_claims && !e->n_checks; i++)
        if (e->claim[i].on_cpu) {
            e->check[e->n_checks++] = e->claim[i];
            strcpy(e->check[0].variant, "sms=5");
        }
}

static void read_checks(struct exercise *e)
{
    for (; e->n_checks < e->head.n_checks; e->n_checks++) {
        const char *text = e->head.check[e->n_checks];
        struct claim *c = &e->check[e->n_checks];
        const char *error = claim_parse_place(text, c);

        if (error)
            fail("%s: // Check %s: %s", e->path, text, error);
        if (!c->on_cpu)
            fail("%s: // Check %s: expected (cpu, SIZE)", e->path, text);
    }
    if (!e->n_checks)
        set_default_check(e);
}

struct exercise *exercises_read(void)
{
    const char *folder = exercise_folder();
    struct arguments files = exercise_masters(folder);
    struct exercise *all;

    if (!files.n && exercise_is_private())
        fail("EXERCISES=%s: %s; expected a folder with files exerciseNUMBER_name.cu", folder,
             access(folder, R_OK) < 0 ? strerror(errno) : "no exercise is there");
    all = must_calloc(files.n + 1, sizeof *all);
    for (int i = 0; i < files.n; i++) {
        all[i].number = exercise_file_number(files.word[i]);
        all[i].path = files.word[i];
        if (i && all[i - 1].number == all[i].number)
            fail("exercise%d: two files have this number: %s %s", all[i].number, all[i - 1].path,
                 all[i].path);
        all[i].head = head_of(files.word[i]);
        read_texts(&all[i]);
        read_points(&all[i]);
        read_checks(&all[i]);
    }
    return all;
}

// The numbers of the exercises, as "1 to 7, 9".
static const char *numbers_of(const struct exercise *all)
{
    const char *text = "";

    for (const struct exercise *e = all, *last = all; e->number; e = ++last) {
        while (last[1].number == last->number + 1)
            last++;
        text = text_of("%s%s%d", text, text[0] ? ", " : "", e->number);
        if (last > e)
            text = text_of("%s to %d", text, last->number);
    }
    return text;
}

struct exercise exercise_wanted(const char *number)
{
    struct exercise *all = exercises_read();
    long long n;

    if (!all[0].number)
        fail("N=%s: this week has no exercises; EXERCISES=folder names the folder of others",
             number);
    for (const struct exercise *e = all; e->number; e++)
        if (whole_number(number, 1, MOST_NUMBER, &n) && e->number == n)
            return *e;
    fail(
        "N=%s: there is no exercise %s in %s, only %s; EXERCISES=folder names the folder of others",
        number, number, exercise_folder(), numbers_of(all));
}

// --- commands

static const char *file_of(const struct exercise *e) { return strrchr(e->path, '/') + 1; }

struct arguments exercise_files(int number) { return files_like("", "exercise%d_*.cu", number); }

static enum status list(void)
{
    const struct exercise *e = exercises_read();
    const char *const form = "%-11s %-22s %-6s %-15s %s\n";
    int gpu = 0;

    printf(form, "exercise", "name", "points", "state", "idea");
    for (; e->number; e++) {
        const char *graded = exercise_state(e->number);
        const char *state = graded[0]                   ? graded
                          : exercise_files(e->number).n ? "started"
                                                        : "not started";

        gpu |= points_of(e, 1);
        printf(form, text_of("exercise%d", e->number), e->head.name,
               text_of(points_of(e, 1) ? "%d+%d" : "%d", points_of(e, 0), points_of(e, 1)), state,
               e->head.lesson);
    }
    if (gpu)
        printf("9+1: 9 points without a GPU, 1 more with one\n");
    return STATUS_OK;
}

void exercise_write_new(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    size_t length = strlen(text);

    if (file < 0 || write(file, text, length) != (ssize_t)length || close(file) < 0)
        fail("%s: cannot be written: %s", path, strerror(errno));
}

static enum status write_task(const struct exercise *e)
{
    struct arguments there = exercise_files(e->number);
    const char *with = exercise_option(), *run, *draw;
    int is_drawn = e->head.computes[0] != '\0';   // week 0, whose sizes are small

    if (there.n)
        fail("%s exists, and is kept; to start again, move it to another folder first",
             there.word[0]);
    exercise_write_new(file_of(e), e->task);
    run = text_of("make exercise%d && ./exercise%d", e->number, e->number);
    draw = text_of("make draw N=%d", e->number);
    printf("%s: %sedit it, then: %s\n"
           "a hint: make hint N=%d%s    points: make grade N=%d%s%s%s\n",
           file_of(e), e->answer ? "answer the question in its head, " : "", is_drawn ? draw : run,
           e->number, with, e->number, with, is_drawn ? "    all counts: " : "",
           is_drawn ? run : "");
    return STATUS_OK;
}

// Prints the next hint or, with `again`, one that was printed before.
static enum status hint(const struct exercise *e, const char *again)
{
    int printed = exercise_hints(e->number), n = printed + 1;
    const char *with = exercise_option();

    if (again) {
        n = (int)argument_number("HINT", again, 1, HINTS);
        if (n > printed)
            fail("HINT=%d: %d of %d hints were printed; make hint N=%d%s prints the next", n,
                 printed, HINTS, e->number, with);
    }
    if (n > HINTS) {
        printf("exercise%d has no further hint; make solution N=%d%s prints the solution, "
               "make hint N=%d%s HINT=1 the first hint again\n",
               e->number, e->number, with, e->number, with);
        return STATUS_OK;
    }
    printf("hint %d of %d: %s", n, HINTS, e->hint[n - 1]);
    if (n > printed)
        exercise_set_hints(e->number, n);
    return STATUS_OK;
}

// Prints the solution: with `after_hints` only if all hints were printed.
static enum status solution(const struct exercise *e, int after_hints)
{
    int printed = exercise_hints(e->number);
    const char *with = exercise_option();

    if (after_hints && printed < HINTS)
        fail("N=%d: %d of %d hints were printed; make hint N=%d%s prints the next, make solution "
             "N=%d%s HINT=no the solution without them",
             e->number, printed, HINTS, e->number, with, e->number, with);
    fputs(e->solution, stdout);
    return STATUS_OK;
}

// Prints the options of each further check.
static enum status checks(const struct exercise *e)
{
    for (int i = 0; i < e->n_checks; i++)
        puts(claim_options(&e->check[i], e->check[i].variant));
    return STATUS_OK;
}

// ladder exercise list | write N | hint N [--again HINT] | solution N [--after-hints]
// | checks N | new N NAME FROM, and ladder exercise grade N [--seconds S] [--gpu] [--confine no]:
// grades exerciseN_*.cu of this folder; STATUS_WRONG if it is not solved, STATUS_ERROR if it could
// not be graded. For a class:
//
//   --from FOLDER       grades the files of this folder, or of its folders; STATUS_ERROR if some
//                       could not be graded
//   --out FILE          writes the table of points, a row per file; otherwise to stdout
//   --resume FILE       takes over the rows of an earlier table whose files have not changed
//   --csv FILE --format moodle|canvas [--assignment TITLE]   writes grades for an import
//   --feedback FOLDER   writes a text file per submission
//
// LADDER_EXERCISES names the folder of the masters.
enum status command_exercise(struct arguments a)
{
    const char *what = a.n ? a.word[0] : "", *again;
    struct exercise e;
    int after_hints = 0;

    if (strcmp(what, "grade") == 0)
        return exercise_grade((struct arguments){ a.n - 1, a.word + 1 });
    if (strcmp(what, "new") == 0)
        return exercise_new((struct arguments){ a.n - 1, a.word + 1 });
    if (strcmp(what, "list") == 0 && a.n == 1)
        return list();
    again = strcmp(what, "hint") == 0 ? take_option(&a, "--again") : NULL;
    after_hints = strcmp(what, "solution") == 0 && take_flag(&a, "--after-hints");
    if (!has_word("write hint solution checks", what) || !what[0] || a.n != 2)
        fail("exercise: expected list, write N, hint N, solution N, checks N, new N NAME FROM or "
             "grade N");
    e = exercise_wanted(a.word[1]);
    if (strcmp(what, "write") == 0)
        return write_task(&e);
    if (strcmp(what, "hint") == 0)
        return hint(&e, again);
    if (strcmp(what, "checks") == 0)
        return checks(&e);
    return solution(&e, after_hints);
}
