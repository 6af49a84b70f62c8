// ladder watch STAGE [KNOB=VALUE...]: builds and checks a stage or exercise whenever its file or a
// header of the week is saved, and prints which counts of the CPU device changed. It ends with
// Ctrl-C.
#define _GNU_SOURCE   // struct stat's st_mtim
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "select.h"
#include "tool.h"
#include "wall.h"

enum { POLL_MS = 100, INTERRUPTED = 128 + SIGINT };

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

// A number that changes when a file that matches the pattern is written, added or removed. 0: there
// is no such file; an editor may be about to replace it.
static unsigned long long state_of(const char *pattern)
{
    struct arguments files = files_like("", "%s", pattern);
    unsigned long long state = 0;

    for (int i = 0; i < files.n; i++) {
        struct stat is;

        if (stat(files.word[i], &is) == 0)
            state = 31 * state + is.st_ino + is.st_size + 1000000000ULL * is.st_mtim.tv_sec +
                    is.st_mtim.tv_nsec;
    }
    return state;
}

// The last line of a text.
static const char *last_line(char *text)
{
    size_t n = strlen(text);
    char *slash;

    while (n && text[n - 1] == '\n')
        text[--n] = '\0';
    slash = strrchr(text, '\n');
    return slash ? slash + 1 : text;
}

// Counts the stage's requests on the CPU device. Returns a line for each count that differs from
// the one of the last row that was counted, *before, which it replaces; NULL if Ctrl-C ended it.
static const char *changes(const char *stage, struct table *before)
{
#define X(name, says) COLUMN_##name,
    static const enum column counters[] = { COUNTERS(X) };
#undef X
    const char *path = text_of("%s/watch.tsv", setting("LADDER_BUILD"));
    struct table now = { 0 };
    const char *text = "";
    int status;

    unlink(path);
    status = shell("./%s --count --no-results --tsv %s >%s/watch.log 2>&1 </dev/null", stage, path,
                   setting("LADDER_BUILD"));
    if (status != STATUS_OK || table_read(&now, path) != 0 || !now.n)
        return status == INTERRUPTED ? NULL : "";
    for (size_t i = 0; before->n && i < sizeof counters / sizeof *counters; i++) {
        enum column c = counters[i];
        const char *was = before->row[0].cell[c], *is = now.row[0].cell[c];

        if (strcmp(was, is) != 0)
            text = text_of("%s          %s %s -> %s (%s)\n", text, column_name[c],
                           was[0] ? was : "-", is[0] ? is : "-", now.row[0].size);
    }
    *before = now;
    return text;
}

// Builds the stage, checks it at small sizes and prints the result. Returns 0 if Ctrl-C ended it.
static int build_and_check(const char *stage, const char *target, struct table *counted)
{
    const char *log = text_of("%s/watch.log", setting("LADDER_BUILD")), *result, *changed = "";
    double start = seconds_now(), built, checked;
    time_t now = time(NULL);
    char clock[16];
    int status;

    strftime(clock, sizeof clock, "%H:%M:%S", localtime(&now));
    status = shell("%s -s %s", setting("LADDER_MAKE"), target);
    built = seconds_now();
    if (status == INTERRUPTED)
        return 0;
    if (status != STATUS_OK)
        result = "does not build";
    else {
        status = shell("%s ./%s --check --quick >%s </dev/null", setting("LADDER_RUN"), stage, log);
        if (status == INTERRUPTED)
            return 0;
        result = last_line(read_text(log));
        if (status == STATUS_WRONG && strncmp(result, stage, strlen(stage)) != 0)
            result = "wrong";   // a diagnosis ended the program
        else if (status != STATUS_OK && status != STATUS_WRONG && status != STATUS_SKIPPED)
            result = text_of("exit status %d", status);
    }
    checked = seconds_now();
    if (status == STATUS_OK && strcmp(setting("LADDER_DEVICE"), "gpu") != 0)
        changed = changes(stage, counted);
    if (!changed)
        return 0;
    printf("%s  %s   (build %.1f s, check %.1f s)\n%s", clock, result, built - start,
           checked - built, changed);
    fflush(stdout);
    return 1;
}

static const char *watched_stage(const struct arguments *a)
{
    const char *stage = a->n ? a->word[0] : "";

    if ((stage_number(stage) < 0 && exercise_number(stage) < 0) ||
        files_like("", "%s_*.cu", stage).n != 1)
        fail("watch: STAGE='%s': expected a stage of this folder, or your exercise: make watch "
             "STAGE=stage3",
             stage);
    return stage;
}

enum status command_watch(struct arguments a)
{
    const char *stage = watched_stage(&a), *target = stage;
    const char *files = text_of("@(%s_*.cu|*.h)", stage), *own = text_of("%s_*.cu", stage);
    unsigned long long seen = 0;
    struct table counted = { 0 };

    no_options(&a);
    if (!setting("LADDER_MAKE")[0])
        fail("watch: LADDER_MAKE is not set; use make watch STAGE=%s", stage);
    for (int i = 1; i < a.n; i++)
        target = with_word(target, a.word[i]);
    clean_makeflags(setting("LADDER_KNOBS"));
    sigaction(SIGINT, &(struct sigaction){ .sa_handler = interrupt }, NULL);
    printf(
        "watching %s and the headers of the week; Ctrl-C ends it. The check is quick: all sizes, "
        "%s\n",
        files_like("", "%s", own).word[0],
        stage_number(stage) < 0 ? text_of("./%s --check", stage)
                                : text_of("make check STAGES=%s", stage));
    fflush(stdout);
    while (!interrupted) {
        unsigned long long state = state_of(own) ? state_of(files) : seen;

        if (state != seen && !build_and_check(stage, target, &counted))
            break;
        seen = state;
        usleep(1000 * POLL_MS);
    }
    putchar('\n');
    return STATUS_OK;
}
