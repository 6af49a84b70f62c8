// make judge: runs every .cu file of a folder on the CPU device, and compares what it reports with
// a file of labels.
#define _GNU_SOURCE   // nftw, strsep, MAP_ANONYMOUS
#include <errno.h>
#include <fnmatch.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arguments.h"
#include "book.h"
#include "limited.h"

enum { TEXT = 240, BUILD_SECONDS = 600 };
static const char indentation[] = "        ";   // of the line of source below a report

// What a program does. The words are those of a label and of the table.
enum verdict { RIGHT, REPORTED, REFUSED, TIME_LIMIT, FAILED, VERDICTS };
static const char *const verdict_words[] = { "right", "reported", "refused to build", "time limit",
                                             "failed" };

// A line of the file of labels. kinds: "race,out of bounds"; any of them may be reported.
struct label {
    const char *pattern, *expected, *kinds, *arguments, *flags;
};

// Shared with the process that runs the program.
struct outcome {
    enum verdict verdict;
    char report[TEXT];   // "scale.cu:7: out of bounds: ...", or why it failed
    double seconds;      // of the run
};

struct program {
    const char *path, *name;   // name: in the folder
    const struct label *label;
    struct outcome *outcome;
};

struct judging {
    const char *from, *out, *arguments, *flags;
    int seconds;
    struct program *program;
    struct label *label;
    int n, labels;
};

// nftw() has no context.
static struct judging *walked;

// ---- what to run ----

static int add_file(const char *path, const struct stat *st, int type, struct FTW *f)
{
    const size_t length = strlen(path);
    struct judging *j = walked;

    (void)st, (void)f;
    if (type != FTW_F || length < 4 || strcmp(path + length - 3, ".cu") != 0)
        return 0;
    j->program = grown(j->program, (size_t)j->n, sizeof *j->program);
    j->program[j->n++] = (struct program){ .path = text_of("%s", path),
                                           .name = text_of("%s", path + strlen(j->from) + 1) };
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct program *)a)->name, ((const struct program *)b)->name);
}

static void find_programs(struct judging *j)
{
    walked = j;
    if (nftw(j->from, add_file, 16, FTW_PHYS) != 0)
        fail("FROM=%s: %s", j->from, strerror(errno));
    if (j->n == 0)
        fail("FROM=%s: there is no .cu file in this folder", j->from);
    qsort(j->program, (size_t)j->n, sizeof *j->program, by_name);
}

// The part of a line up to the next tab; NULL at its end.
static char *next_cell(char **line)
{
    char *cell = *line ? strsep(line, "\t") : NULL;
    return cell ? trimmed(cell) : NULL;
}

static struct label read_label(char *line, const char *where)
{
    struct label l = { .pattern = next_cell(&line) };
    char *expected = next_cell(&line), *kinds;
    const char *arguments = next_cell(&line), *flags = next_cell(&line);

    if (!expected || !*expected)
        fail("%s: expected PATTERN, a tab, and correct, faulty or refused", where);
    kinds = expected;
    l.expected = strsep(&kinds, ",");
    l.kinds = kinds ? kinds : "";
    l.arguments = arguments ? arguments : "";
    l.flags = flags ? flags : "";
    if (!has_word("correct faulty refused", l.expected))
        fail("%s: '%s': expected correct, faulty or refused", where, text_head(l.expected, 40));
    return l;
}

static void read_labels(struct judging *j, const char *path)
{
    char *rest = read_text(path), *line;

    for (int number = 1; (line = strsep(&rest, "\n")); number++) {
        if (!*trimmed(text_of("%s", line)) || *line == '#')
            continue;
        j->label = grown(j->label, (size_t)j->labels, sizeof *j->label);
        j->label[j->labels++] = read_label(line, text_of("%s:%d", path, number));
    }
    if (j->labels == 0)
        fail("LABELS=%s: there is no label in this file", path);
}

// The first label whose pattern matches the name, in which * also matches slashes.
static const struct label *label_of(const struct judging *j, const char *name)
{
    for (int i = 0; i < j->labels; i++)
        if (fnmatch(j->label[i].pattern, name, 0) == 0)
            return &j->label[i];
    return NULL;
}

// ---- one program ----

static struct arguments words_of(const char *text)
{
    struct arguments a = { 0 };
    const char *word;

    while ((word = next_word(&text))) {
        a.word = grown(a.word, (size_t)a.n, sizeof *a.word);
        a.word[a.n++] = text_of("%s", word);
    }
    a.word = grown(a.word, (size_t)a.n, sizeof *a.word);   // for the NULL at the end
    return a;
}

static void add_word(struct arguments *a, const char *word)
{
    a->word = grown(a->word, (size_t)a->n + 1, sizeof *a->word);
    a->word[a->n++] = text_of("%s", word);
}

// The report FILE:LINE: TEXT in a line, which may begin with what the program has printed. NULL:
// none.
static const char *report_of(const char *line)
{
    if (matches(line, "^note: |[ :]note: "))
        return NULL;
    if (matches(line, "^[^ ][^:]*:[0-9]+: "))
        return line;
    for (const char *c = strchr(line, ':'); c; c = strchr(c + 1, ':')) {
        size_t digits = strspn(c + 1, "0123456789");

        if (!digits || strncmp(c + 1 + digits, ": ", 2) != 0)
            continue;
        while (c > line && c[-1] != ' ')
            c--;
        return c;
    }
    return NULL;
}

// The first report in what a program has printed: below it is the line of the source. NULL: none.
static const char *report_in(char *text)
{
    const char *report;

    for (char *line = strsep(&text, "\n"); line && text; line = strsep(&text, "\n"))
        if (strncmp(text, indentation, sizeof indentation - 1) == 0 && (report = report_of(line)))
            return report;
    return NULL;
}

// The first line that says what is wrong with a build.
static const char *error_in(char *text)
{
    for (char *line = strsep(&text, "\n"); line; line = strsep(&text, "\n"))
        if (matches(line, "error:|undefined reference|not a |does not |No such"))
            return line;
    return "";
}

static struct outcome outcome_of(enum verdict verdict, const char *report)
{
    struct outcome o = { .verdict = verdict };

    snprintf(o.report, sizeof o.report, "%s", on_one_line(text_of("%s", report)));
    whole_characters(o.report);
    return o;
}

// A name for the program without blanks, which make would split: through a link to its folder, so
// that its headers are found, or to the file itself.
static const char *name_for_make(const char *path, const char *to)
{
    char *folder = realpath(path, NULL), *file = folder ? strrchr(folder, '/') : NULL;
    const char *link = text_of("%s.link", to);

    if (!strpbrk(path, " \t") || !file)
        return path;
    unlink(link);
    if (strpbrk(file, " \t"))
        return symlink(folder, link = text_of("%s.cu", to)) == 0 ? link : path;
    *file++ = '\0';
    return symlink(folder, link) == 0 ? text_of("%s/%s", link, file) : path;
}

static struct outcome build(const struct judging *j, const struct program *p, const char *to)
{
    const char *log = text_of("%s.log", to), *flags = p->label ? p->label->flags : "";
    struct arguments make = words_of("make -s -j1 --no-print-directory DEVICE=cpu build-file");
    int status;

    add_word(&make, text_of("FILE=%s", name_for_make(p->path, to)));
    add_word(&make, text_of("FILE_OUT=%s", to));
    add_word(&make, text_of("FLAGS=%s", joined(j->flags, " ", flags)));
    make.word = grown(make.word, (size_t)make.n, sizeof *make.word);
    status = run_limited(make, log, &(struct limits){ .seconds = BUILD_SECONDS });
    return status == 0 ? outcome_of(RIGHT, "") : outcome_of(REFUSED, error_in(read_text(log)));
}

static struct outcome run(const struct judging *j, const struct program *p, const char *program)
{
    const char *log = text_of("%s.log", program), *report;
    const char *own = p->label ? p->label->arguments : "";
    struct arguments words = words_of(text_of("%s %s", program, *own ? own : j->arguments));
    double from = seconds_now();
    int status = run_limited(words, log, &(struct limits){ .seconds = j->seconds });
    struct outcome o;

    report = status == -1 ? NULL : report_in(read_text(log));
    if (status == -1)
        o = outcome_of(TIME_LIMIT, text_of("after %d s", j->seconds));
    else if (report && status != 0)
        o = outcome_of(REPORTED, report);
    else if (status == 0)
        o = outcome_of(RIGHT, "");
    else if (WIFSIGNALED(status))
        o = outcome_of(FAILED, strsignal(WTERMSIG(status)));
    else
        o = outcome_of(FAILED, text_of("exit status %d", WEXITSTATUS(status)));
    o.seconds = seconds_now() - from;
    return o;
}

static _Noreturn void judge_one(const struct judging *j, int i)
{
    const struct program *p = &j->program[i];
    const char *to = text_of("%s/%d", j->out, i + 1);

    *p->outcome = build(j, p, to);
    if (p->outcome->verdict == RIGHT)
        *p->outcome = run(j, p, to);
    unlink(to);
    _exit(0);
}

static void judge_all(const struct judging *j)
{
    const long workers = sysconf(_SC_NPROCESSORS_ONLN);
    int running = 0;

    for (int i = 0; i < j->n || running;) {
        if (i < j->n && running < workers) {
            int pid = fork();
            if (pid < 0)
                fail("fork: %s", strerror(errno));
            if (pid == 0)
                judge_one(j, i);
            i++, running++;
        } else if (wait(NULL) > 0) {
            running--;
        }
    }
}

// ---- the result ----

static int has_kind(const struct label *l, const char *report)
{
    char *kinds = text_of("%s", l->kinds), *kind;

    while ((kind = strsep(&kinds, ",")))
        if (!*trimmed(kind) || strstr(report, trimmed(kind)))
            return 1;
    return 0;
}

static int agrees(const struct program *p)
{
    const struct outcome *o = p->outcome;

    if (same(p->label->expected, "correct"))
        return o->verdict == RIGHT;
    if (same(p->label->expected, "refused"))
        return o->verdict == REFUSED;
    return o->verdict == REPORTED && has_kind(p->label, o->report);
}

static const char *agreement(const struct program *p)
{
    return !p->label ? "" : agrees(p) ? "yes" : "NO";
}

static const char *expected_text(const struct program *p)
{
    return !p->label ? "" : joined(p->label->expected, ",", p->label->kinds);
}

static void write_table(const struct judging *j, const char *path)
{
    FILE *f = fopen(path, "w");

    if (!f)
        fail("%s: %s", path, strerror(errno));
    fprintf(f, "program\tverdict\treport\texpected\tagrees\tseconds\tlog\n");
    for (int i = 0; i < j->n; i++) {
        const struct program *p = &j->program[i];
        fprintf(f, "%s\t%s\t%s\t%s\t%s\t%.2f\t%s/%d.log\n", p->name,
                verdict_words[p->outcome->verdict], p->outcome->report, expected_text(p),
                agreement(p), p->outcome->seconds, j->out, i + 1);
    }
    if (fclose(f) != 0)
        fail("%s: %s", path, strerror(errno));
}

static void print_table(const struct judging *j)
{
    struct listing list = { 0 };
    size_t widest = 8;

    for (int i = 0; i < j->n; i++)
        if (characters_of(j->program[i].name) > widest)
            widest = characters_of(j->program[i].name);
    listing_add(&list, "program\tverdict\texpected\tagrees\treport");
    for (int i = 0; i < j->n; i++) {
        const struct program *p = &j->program[i];
        listing_add(&list, "%s\t%s\t%s\t%s\t%s", p->name, verdict_words[p->outcome->verdict],
                    expected_text(p), agreement(p), text_head(p->outcome->report, 80));
    }
    listing_print(&list, text_of("-%zu -16 -10 -6 -1", widest));
}

// Of the programs with this label: how many there are and agree, in words. NULL: none.
static const char *share(const struct judging *j, const char *expected, const char *does)
{
    int n = 0, agreeing = 0;

    for (int i = 0; i < j->n; i++)
        if (j->program[i].label && same(j->program[i].label->expected, expected))
            n++, agreeing += agrees(&j->program[i]);
    return n ? text_of("%d of %d %s %s", agreeing, n, expected, does) : "";
}

// Returns how many programs differ from their labels.
static int print_summary(const struct judging *j, const char *table)
{
    int count[VERDICTS] = { 0 }, unlabeled = 0, differ = 0;
    const char *text = "";

    for (int i = 0; i < j->n; i++) {
        count[j->program[i].outcome->verdict]++;
        unlabeled += !j->program[i].label;
        differ += j->program[i].label && !agrees(&j->program[i]);
    }
    for (int v = 0; v < VERDICTS; v++)
        if (count[v])
            text = joined(text, ", ", text_of("%d %s", count[v], verdict_words[v]));
    printf("\n%d program%s: %s\n", j->n, j->n == 1 ? "" : "s", text);
    text = joined(share(j, "faulty", "reported"), ", ", share(j, "correct", "silent"));
    text = joined(text, ", ", share(j, "refused", "by the build"));
    if (j->labels && *text)
        printf("%s\n", text);
    if (j->labels && unlabeled)
        printf("%d without a label\n", unlabeled);
    printf("all rows: %s\n", table);
    return differ;
}

enum status command_judge(struct arguments a)
{
    struct judging j = { .from = take_option(&a, "--from"),
                         .out = take_option(&a, "--out"),
                         .arguments = take_option(&a, "--args"),
                         .flags = take_option(&a, "--flags") };
    const char *labels = take_option(&a, "--labels"), *limit = take_option(&a, "--limit"), *table;
    struct outcome *shared;
    int differ;

    no_options(&a);
    j.from = realpath(j.from, NULL) ? realpath(j.from, NULL) : j.from;
    j.seconds = (int)argument_number("LIMIT", *limit ? limit : "60", 1, 100000);
    if (*labels)
        read_labels(&j, labels);
    find_programs(&j);
    shared = mmap(NULL, (size_t)j.n * sizeof *shared, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        fail("out of memory");
    for (int i = 0; i < j.n; i++) {
        j.program[i].label = label_of(&j, j.program[i].name);
        j.program[i].outcome = &shared[i];
        shared[i] = outcome_of(FAILED, "not judged");
    }
    // One program per core, so each gets one worker. Commands of make are none of this make.
    setenv("EMU_THREADS", "1", 0);
    for (const char *names = "MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES", *name;
         (name = next_word(&names));)
        unsetenv(name);
    judge_all(&j);
    table = text_of("%s.tsv", j.out);
    write_table(&j, table);
    print_table(&j);
    differ = print_summary(&j, table);
    if (differ)
        die(STATUS_WRONG, "%d program%s from %s", differ, differ == 1 ? " differs" : "s differ",
            differ == 1 ? "its label" : "their labels");
    return STATUS_OK;
}
