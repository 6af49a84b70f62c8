// `ladder exam SEED FOLDER [WEEKS]`: ten problems of common/exam with numbers drawn from a seed,
// and their answers, computed as the numbers of pages are checked (value.h). Two are from each
// week.
#define _GNU_SOURCE   // strsep
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "book.h"
#include "value.h"

enum {
    MOST_PROBLEMS = 64,
    MOST_NAMES = 8,
    MOST_CHOICES = 16,
    ASKED = 10,
    MOST_WEEKS = 9,
    PER_WEEK = 2
};

struct problem {
    int week;
    const char *title, *text, *answer;
    const char *name[MOST_NAMES], *value[MOST_NAMES];   // what was drawn
    int names;
};

struct exam {
    uint64_t state;
    struct problem problem[MOST_PROBLEMS];
    int problems, asks[MOST_WEEKS + 1];   // asks[w]: of week w, too
};

// splitmix64: the same numbers on each machine.
static unsigned drawn(struct exam *e, unsigned below)
{
    uint64_t z = e->state += 0x9E3779B97F4A7C15;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return (unsigned)((z ^ z >> 31) >> 33) % below;
}

// "NAME,NAME VALUE,VALUE...": draws a value for each name.
static void draw_values(struct exam *e, struct problem *p, const char *where, char *text)
{
    const char *list = text, *names = next_word(&list), *offered[MOST_CHOICES], *value;
    int n = 0;
    char *left, *right, *name;

    while (n < MOST_CHOICES && (value = next_word(&list)))
        offered[n++] = value;
    if (!names || !n)
        fail("%s: 'given %s': expected names and values: given side 8 16 32", where, text);
    left = text_of("%s", names);
    right = text_of("%s", offered[drawn(e, (unsigned)n)]);
    while ((name = strsep(&left, ","))) {
        value = strsep(&right, ",");
        if (!value || p->names == MOST_NAMES)
            fail("%s: 'given %s': expected a value per name", where, text);
        p->name[p->names] = name;
        p->value[p->names++] = value;
    }
}

static void read_problems(struct exam *e)
{
    struct lines lines = lines_of(text_of("%s/common/exam", root_folder()), "exam",
                                  "problem WEEK: TITLE, given, text: or answer:");
    char *line;

    while ((line = next_line(&lines))) {
        struct problem *p = e->problems ? &e->problem[e->problems - 1] : NULL;
        int week = 0, n = 0;

        if (sscanf(line, "problem %d: %n", &week, &n) == 1 && n && e->problems < MOST_PROBLEMS &&
            week >= 1 && week <= MOST_WEEKS)
            e->problem[e->problems++] = (struct problem){
                .week = week, .title = text_of("%s", line + n), .text = "", .answer = ""
            };
        else if (p && strncmp(line, "given ", 6) == 0)
            draw_values(e, p, lines.where, line + 6);
        else if (p && strncmp(line, "text: ", 6) == 0)
            p->text = text_of("%s%s\n\n", p->text, line + 6);
        else if (p && strncmp(line, "answer: ", 8) == 0)
            p->answer = text_of("%s%s\n\n", p->answer, line + 8);
        else
            fail("%s: '%s': expected %s", lines.where, line, lines.accepted);
    }
}

// The expression with the drawn values for the problem's names.
static const char *with_values(const struct problem *p, const char *expression)
{
    const char *text = "";

    while (*expression) {
        size_t n = 0, i = 0;

        while (isalpha((unsigned char)expression[n]) ||
               (n && isdigit((unsigned char)expression[n])))
            n++;
        while (i < (size_t)p->names &&
               !(strlen(p->name[i]) == n && strncmp(p->name[i], expression, n) == 0))
            i++;
        text = n && i < (size_t)p->names ? text_of("%s%s", text, p->value[i])
                                         : text_of("%s%.*s", text, (int)(n ? n : 1), expression);
        expression += n ? n : 1;
    }
    return text;
}

// A text with the values of its expressions.
static const char *filled_in(const struct problem *p, const char *text)
{
    const char *result = "";

    while (*text) {
        const char *end = *text == '{' ? strchr(text, '}') : NULL, *bar, *decimals, *error;
        double value;

        if (!end) {
            result = text_of("%s%c", result, *text++);
            continue;
        }
        bar = memchr(text, '|', (size_t)(end - text));
        decimals =
            bar ? word_value(text_of("%.*s", (int)(end - bar - 1), bar + 1), "decimals") : NULL;
        error = evaluate_computed(
            with_values(p, text_of("%.*s", (int)((bar ? bar : end) - text - 1), text + 1)), &value);
        if (error)
            fail("exam: %s: %.*s: %s", p->title, (int)(end - text + 1), text, error);
        result = decimals              ? text_of("%s%.*f", result, atoi(decimals), value)
               : value == floor(value) ? text_of("%s%.0f", result, value)
                                       : text_of("%s%g", result, value);
        text = end + 1;
    }
    return result;
}

// The weeks that are asked: those of a list such as "1 2 3 5", or all that have problems.
static void choose_weeks(struct exam *e, const char *list)
{
    int has[MOST_WEEKS + 1] = { 0 }, n = 0;
    const char *word;

    for (int i = 0; i < e->problems; i++)
        has[e->problem[i].week] = 1;
    while ((word = next_word(&list))) {
        if (!isdigit((unsigned char)word[0]) || word[1] || !has[word[0] - '0'])
            fail("exam: ARGS: '%s': expected weeks that have problems, for example \"1 2 3 5\"",
                 word);
        e->asks[word[0] - '0'] = 1;
        n++;
    }
    if (!n)
        memcpy(e->asks, has, sizeof has);
}

// Chooses PER_WEEK problems of each week, then any others, in the order of the weeks.
static int choose(struct exam *e, int chosen[])
{
    int order[MOST_PROBLEMS], of_week[MOST_WEEKS + 1] = { 0 }, is_chosen[MOST_PROBLEMS] = { 0 };
    int n = 0;

    for (int i = 0; i < e->problems; i++)
        order[i] = i;
    for (int i = e->problems - 1; i > 0; i--) {
        int k = (int)drawn(e, (unsigned)i + 1), other = order[i];

        order[i] = order[k], order[k] = other;
    }
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < e->problems && n < ASKED; i++) {
            int week = e->problem[order[i]].week;

            if (is_chosen[order[i]] || !e->asks[week] || (!round && of_week[week] == PER_WEEK))
                continue;
            of_week[week]++, n++, is_chosen[order[i]] = 1;
        }
    n = 0;
    for (int week = 1; week <= MOST_WEEKS; week++)
        for (int i = 0; i < e->problems; i++)
            if (is_chosen[i] && e->problem[i].week == week)
                chosen[n++] = i;
    return n;
}

enum { MOST_DIGITS = 18 };   // fit into 64 bits

enum status command_exam(struct arguments a)
{
    struct exam e = { 0 };
    int chosen[ASKED], n;
    const char *exam, *answers;

    if (a.n < 2 || a.n > 3 || !a.word[0][0] ||
        strspn(a.word[0], "0123456789") != strlen(a.word[0]) || strlen(a.word[0]) > MOST_DIGITS)
        fail("exam: SEED='%s': expected a number of at most %d digits, for example 2026",
             a.n ? a.word[0] : "", MOST_DIGITS);
    no_options(&a);
    e.state = strtoull(a.word[0], NULL, 10);
    read_problems(&e);
    choose_weeks(&e, a.n > 2 ? a.word[2] : "");
    n = choose(&e, chosen);
    exam = text_of("# Exam %s\n\nA pencil, no computer. 1 GB is 10^9 bytes, 1 KiB is 1024 bytes. "
                   "Write down how you computed each result.\n\n",
                   a.word[0]);
    answers = text_of("# Exam %s: answers\n\n", a.word[0]);
    for (int i = 0; i < n; i++) {
        const struct problem *p = &e.problem[chosen[i]];

        exam = text_of("%s## %d. %s\n\n%s", exam, i + 1, p->title, filled_in(p, p->text));
        answers = text_of("%s## %d. %s\n\n%s%s", answers, i + 1, p->title, filled_in(p, p->text),
                          filled_in(p, p->answer));
    }
    write_if_changed(text_of("%s/exam%s.md", a.word[1], a.word[0]), exam);
    write_if_changed(text_of("%s/exam%s_answers.md", a.word[1], a.word[0]), answers);
    printf("%s/exam%s.md: %d problems; the answers are in exam%s_answers.md\n", a.word[1],
           a.word[0], n, a.word[0]);
    return STATUS_OK;
}
