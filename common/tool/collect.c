// `make figures`: measures the parts of the file `runs` that figures show, into results/DEVICE of
// the week, with an estimate of the time before and the progress while it runs.
#define _GNU_SOURCE   // strsep
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "durations.h"
#include "figure.h"
#include "folders.h"
#include "measure.h"
#include "record.h"
#include "wall.h"

// One call of `ladder collect`.
struct collecting {
    struct choice choice;
    const char *week, *table, *log;
    int on_cpu;
    FILE *screen;      // stdout of the program; while parts are measured, stdout is the log
    int is_terminal;   // then a line replaces the one before
    const char *part;
    double part_seconds, later_seconds;   // estimates of this part and of those after it; NaN
    double started,
        ran;   // when this part started, and its first run, after the programs were built
};

// The parts of the current folder's `runs` that a figure shows on this device.
static const char *parts_of_figures(const char *device)
{
    const char *list = parts_of_file(device), *parts = "", *part;
    struct figures all = figures_of("");

    while ((part = next_word(&list)))
        for (int i = 0; i < all.n && !has_word(parts, part); i++)
            if (strcmp(figure_text(&all.of[i], "part"), part) == 0)
                parts = with_word(parts, part);
    return parts;
}

// --- estimates

// The folder of this device's results below a week's folder; NULL if there is none.
static const char *results_below(const char *week, int on_cpu)
{
    char folder[PATH_MAX];

    if (on_cpu)
        return text_of("%s/results/cpu", week);
    return newest_results(folder, week) == 0 ? text_of("%s", folder) : NULL;
}

struct estimate {
    double seconds;   // of the parts that were measured before
    int recorded;     // a part's time is from the recorded run
    int unknown;      // number of parts that were never measured
};

// How long parts take: as the last time on this machine or, without that, in the recorded run.
static struct estimate estimate_of(const char *week, const char *parts, int on_cpu)
{
    const char *here = results_below(text_of("%s/%s", root_folder(), week), on_cpu), *part;
    const char *recorded = durations_recorded(on_cpu ? "cpu" : recorded_from());
    struct estimate e = { 0, 0, 0 };

    while ((part = next_word(&parts))) {
        double s = here ? durations_get(durations_here(here), week, part) : NAN;

        if (isnan(s)) {
            s = durations_get(recorded, week, part);
            e.recorded |= !isnan(s);
        }
        if (isnan(s))
            e.unknown++;
        else
            e.seconds += s;
    }
    return e;
}

static const char *minutes_text(double seconds)
{
    return seconds < 50 ? "less than a minute"
         : seconds < 90 ? "about 1 minute"
                        : text_of("about %.0f minutes", ceil(seconds / 60 - 0.1));
}

// A sum without some parts is shown as a lower bound, if it is some minutes.
static int is_unknown(const struct estimate *e) { return e->unknown && e->seconds < 120; }

static const char *time_text(const struct estimate *e)
{
    return is_unknown(e) ? "unknown"
         : e->unknown    ? text_of("more than %.0f minutes", floor(e->seconds / 60))
                         : minutes_text(e->seconds);
}

static const char *estimate_text(const struct estimate *e, int on_cpu)
{
    const char *from = !e->recorded ? "the last run on this machine"
                     : on_cpu       ? "a recorded run on another machine with 2 cores"
                                    : text_of("the recorded run %s", recorded_from());

    if (is_unknown(e))
        return "no estimate of the time, because a part was never measured";
    return text_of("%s, estimated from %s%s", time_text(e), from,
                   e->unknown ? ", where a part was not measured" : "");
}

// Seconds; NaN: unknown.
static double seconds_of(const struct collecting *c, const char *parts)
{
    struct estimate e = estimate_of(c->week, parts, c->on_cpu);

    return e.unknown ? NAN : e.seconds;
}

// --- progress

static int width_of_terminal(int file)
{
    struct winsize size = { .ws_col = 0 };

    return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

// Shows a line, which on a terminal the next one replaces unless it is the last of a part.
static void show_line(const struct collecting *c, const char *text, int last)
{
    if (c->is_terminal)
        fprintf(c->screen, "\r%s\033[K%s",
                last ? text : text_head(text, width_of_terminal(fileno(c->screen)) - 1),
                last ? "\n" : "");
    else
        fprintf(c->screen, "%s\n", text);
    fflush(c->screen);
}

static void show_run(void *context, const struct runs *runs, int i)
{
    struct collecting *c = context;
    double now = seconds_now(), rest = c->part_seconds - (now - c->started);
    const char *left = "";

    if (rest < 0)
        rest = 0;
    if (i == 0)
        c->ran = now;
    if (i > 0)   // the pace of this part
        rest = (now - c->ran) / i * (runs->n - i);
    if (!isnan(c->later_seconds + rest))
        left = text_of("; %s left", minutes_text(c->later_seconds + rest));
    if (i < 0)
        show_line(c, text_of("%s %s: building%s", c->week, c->part, left), 0);
    else
        show_line(c,
                  text_of("%s %s: run %d of %d%s: %s", c->week, c->part, i + 1, runs->n, left,
                          with_word(runs->run[i].program,
                                    with_word(runs->run[i].knobs, runs->run[i].options))),
                  0);
}

// --- measuring

// Whether the rows of a part are those that each run stores in the tables of its stages. Figures
// read these.
static int is_in_stage_tables(const char *part, int on_cpu)
{
    return has_word(on_cpu ? "ladder shmoo counts" : "ladder shmoo", part);
}

// The last line of a log that has one of these words, or NULL. Words are separated by "|".
static const char *last_line_with(const char *log, const char *words)
{
    char *text = read_text(log), *line, *list, *word;
    const char *found = NULL;

    while ((line = strsep(&text, "\n")))
        for (list = text_of("%s", words); (word = strsep(&list, "|"));)
            found = strstr(line, word) ? line : found;
    return found;
}

static const char *result_text(const struct collecting *c, const struct runs *runs,
                               enum status status)
{
    const char *reason = status == STATUS_OK
                           ? last_line_with(c->log, "SKIP: counts")
                           : last_line_with(c->log, "error|WRONG|exit status|ladder:");

    if (status != STATUS_OK)
        return text_of("%s %s: a run failed: %s (%s)", c->week, c->part,
                       reason ? reason : "no reason was printed", c->log);
    return text_of("%s %s: %d runs, %.0f s%s%s", c->week, c->part, runs->n,
                   seconds_now() - c->started, reason ? "; " : "", reason ? reason : "");
}

static void keep(const struct collecting *c)
{
    struct stat is;
    const char *results;

    if (stat(c->table, &is) == 0 && !is_in_stage_tables(c->part, c->on_cpu))
        record_keep(c->table, c->part, c->on_cpu);
    results = results_below(".", c->on_cpu);
    if (!c->choice.only[0] && results && access(results, W_OK) == 0)
        durations_put(durations_here(results), c->week, c->part, seconds_now() - c->started);
}

// From now on, stdout and stderr of this program and of all that it starts are this file.
static void redirect_to(const char *log)
{
    int file = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);

    fflush(stdout);
    if (file < 0 || dup2(file, STDOUT_FILENO) < 0 || dup2(file, STDERR_FILENO) < 0)
        fail("%s: %s", log, strerror(errno));
    close(file);
}

// A message of this program is in the log, not on the screen.
static void died(void *context, enum status status)
{
    const struct collecting *c = context;

    (void)status;
    if (c->log)
        show_line(c, text_of("%s %s: not finished; see %s", c->week, c->part, c->log), 1);
}

static enum status collect_part(struct collecting *c)
{
    struct runs runs = { .before = show_run, .context = c };
    enum status status;

    runs_of_part(&runs, c->part, "", &c->choice);
    if (!runs.n)
        return STATUS_OK;
    c->started = seconds_now();
    c->log = text_of("%s/collect.%s.log", setting("LADDER_BUILD"), c->part);
    redirect_to(c->log);
    status = measure_runs(&runs, c->table, strcmp(c->part, "knobs") == 0);
    if (status == STATUS_OK)
        keep(c);
    fflush(stdout);
    show_line(c, result_text(c, &runs, status), 1);
    return status;
}

enum status command_collect(struct arguments a)
{
    struct collecting c = { .choice = measure_choice(), .week = setting("LADDER_WEEK") };
    const char *parts = parts_of_figures(c.choice.device), *rest = parts;
    struct estimate e;
    int failures = 0;

    no_options(&a);
    if (a.n)
        fail("collect: '%s': expected no argument", a.word[0]);
    c.on_cpu = strcmp(c.choice.device, "cpu") == 0;
    c.table = text_of("%s/collect.tsv", setting("LADDER_BUILD"));
    c.is_terminal = isatty(STDOUT_FILENO);
    e = estimate_of(c.week, parts, c.on_cpu);
    printf("%s: measures %s; %s\n", c.week, parts[0] ? parts : "nothing",
           estimate_text(&e, c.on_cpu));
    fflush(stdout);
    c.screen = fdopen(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), "w");
    if (!c.screen)
        fail("stdout: %s", strerror(errno));
    on_die(died, &c);
    while ((c.part = next_word(&rest))) {
        c.part_seconds = seconds_of(&c, c.part);
        c.later_seconds = seconds_of(&c, rest);
        failures += collect_part(&c) != STATUS_OK;
    }
    return failures ? STATUS_WRONG : STATUS_OK;
}

// ladder estimate --device gpu|cpu WEEK...
enum status command_estimate(struct arguments a)
{
    const char *device = take_option(&a, "--device"), *weeks = "";
    int on_cpu = device && strcmp(device, "cpu") == 0;
    struct estimate all = { 0, 0, 0 };

    no_options(&a);
    if (!device || !has_word("cpu gpu", device) || !a.n)
        fail("estimate: expected --device gpu|cpu WEEK...");
    for (int i = 0; i < a.n; i++) {
        struct estimate e;

        must_be_name("week", a.word[i]);
        if (chdir(text_of("%s/%s", root_folder(), a.word[i])) != 0)
            fail("estimate: %s: %s", a.word[i], strerror(errno));
        e = estimate_of(a.word[i], parts_of_figures(device), on_cpu);
        all.seconds += e.seconds;
        all.recorded |= e.recorded;
        all.unknown += e.unknown;
        weeks = text_of("%s%s%s %s", weeks, weeks[0] ? ", " : "", a.word[i], time_text(&e));
    }
    printf("figures: %s (%s)\n", estimate_text(&all, on_cpu), weeks);
    return STATUS_OK;
}
