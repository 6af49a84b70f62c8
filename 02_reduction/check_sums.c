// check_sums: checks the cumulative sums of the classroom challenge in parallel, and scores the
// teams
//
// No GPU needed. The students compute the sums one after the other. The check is parallel: sum i
// needs only sum i - 1 as written, and if every sum is its predecessor plus its number, all are
// correct.
// make check_sums && ./check_sums slips.txt
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/base/arguments.h"
#include "../common/base/program.h"

enum { GROUPS = 99, IDS = 10000000, PENALTY_S = 20, LONGEST_S = 1000000, SHOWN = 10 };
// magnitude of a number or a sum, so that no addition overflows
static const long long LARGEST = 1000000000000000;

static const char help[] =
    "check_sums: finds the wrong sums on the slips of the students, and scores the teams\n\n"
    "usage: check_sums [FILE]   without a file, or with -, from standard input\n\n"
    "Score = time in seconds + 20 for each wrong sum; the lowest wins. One line per slip or time, "
    "in any order:\n\n"
    "  GROUP ID NUMBER SUM     a slip: 1 3 6 14 is ID 3 of group 1, with number 6 and sum 14\n"
    "  time GROUP SECONDS      the time of a team: time 1 95.5, or in minutes and seconds, time 1 "
    "1:35.5\n"
    "  # ...                   a comment, also after a slip or time\n\n"
    "Blanks, tabs and commas separate the fields; empty lines are skipped. GROUP is 1 to 99. The "
    "IDs of a group are 1, 2, 3 and so on, each once.\n"
    "NUMBER and SUM are whole numbers from -10^15 to 10^15, SECONDS is 0 to 1000000 with up to "
    "three decimals. Each group has one time.\n\n"
    "A sum is correct if it is the sum on the slip before, as written, plus the number. So one "
    "error counts once.\n"
    "The sum of ID 1 is its number. Numbers are not checked.\n\n"
    "Exit status: 0 all sums are correct; 1 at least one is wrong; 2 bad usage, a malformed line, "
    "a missing slip or time, or\n"
    "a file that cannot be read or written; 3 out of memory.\n";

struct slip {
    int group, id;
    long line;   // in the input
    long long number, sum;
    bool wrong;
};

static struct slip *slips;   // sorted by group, then ID, once all are read
static size_t n_slips;
static long time_ms[GROUPS + 1], time_line[GROUPS + 1];   // by group; line 0: no time yet
static const char *file = "standard input";
static int bad;   // malformed or inconsistent lines so far

// Reports the line and continues, so that one run reports all errors, up to SHOWN of them.
#define bad_line(line, format, ...) \
    (bad++ < SHOWN ? warn("%s, line %ld: " format, file, line, __VA_ARGS__) : (void)0)

// ---- reading ----

// Returns 95, 95.5 or 1:35.5 in milliseconds, and -1 for any other text.
static long milliseconds(const char *text)
{
    long long minutes = 0, seconds, ms = 0;
    char copy[32], *rest = copy, *colon, *point;

    if (strlen(text) >= sizeof copy || strpbrk(text, "+-"))
        return -1;
    strcpy(copy, text);
    point = strchr(copy, '.');
    if (point) {
        *point++ = '\0';
        if (strlen(point) > 3 || strspn(point, "0123456789") != strlen(point) || !*point)
            return -1;
        ms = atoi(point) * (strlen(point) == 1 ? 100 : strlen(point) == 2 ? 10 : 1);
    }
    colon = strchr(copy, ':');
    if (colon) {
        *colon = '\0';
        rest = colon + 1;
        if (!whole_number(copy, 0, LONGEST_S / 60, &minutes) ||
            !whole_number(rest, 0, 59, &seconds))
            return -1;
    } else if (!whole_number(rest, 0, LONGEST_S, &seconds))
        return -1;
    ms += 1000 * (60 * minutes + seconds);
    return ms <= 1000 * LONGEST_S ? ms : -1;
}

static void read_time(char **field, long line)
{
    long long group;
    long ms = milliseconds(field[2]);

    if (!whole_number(field[1], 1, GROUPS, &group))
        bad_line(line, "group '%s': expected a whole number from 1 to %d", text_head(field[1], 40),
                 GROUPS);
    else if (ms < 0)
        bad_line(line,
                 "time '%s': expected seconds from 0 to 1000000, such as 95 or 95.5, or minutes "
                 "and seconds, such as 1:35.5",
                 text_head(field[2], 40));
    else if (time_line[group])
        bad_line(line, "a second time for group %lld; line %ld has one", group, time_line[group]);
    else {
        time_ms[group] = ms;
        time_line[group] = line;
    }
}

static void read_slip(char **field, long line)
{
    static const char *const names[] = { "group", "ID", "number", "sum" };
    const long long least[] = { 1, 1, -LARGEST, -LARGEST },
                    most[] = { GROUPS, IDS, LARGEST, LARGEST };
    static size_t room;
    long long value[4];

    for (int i = 0; i < 4; i++)
        if (!whole_number(field[i], least[i], most[i], &value[i])) {
            bad_line(line, "%s '%s': expected a whole number from %lld to %lld", names[i],
                     text_head(field[i], 40), least[i], most[i]);
            return;
        }
    if (n_slips == room) {
        room = room ? 2 * room : 64;
        slips = realloc(slips, room * sizeof *slips);
        if (!slips)
            die(STATUS_ERROR, "out of memory for %zu slips", room);
    }
    slips[n_slips++] = (struct slip){ .group = (int)value[0],
                                      .id = (int)value[1],
                                      .number = value[2],
                                      .sum = value[3],
                                      .line = line };
}

static void read_lines(FILE *in)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t length;

    for (long line = 1; (length = getline(&text, &room, in)) >= 0; line++) {
        char *field[5], *state;
        int n = 0;

        if (memchr(text, '\0', length)) {
            bad_line(line, "%s", "not a text: it has a null byte");
            continue;
        }
        // a byte order mark, which editors on Windows write
        if (line == 1 && strncmp(text, "\xef\xbb\xbf", 3) == 0)
            memset(text, ' ', 3);
        text[strcspn(text, "#")] = '\0';
        for (char *word = strtok_r(text, " \t,\r\n", &state); word && n < 5;
             word = strtok_r(NULL, " \t,\r\n", &state))
            field[n++] = word;
        if (n == 3 && strcmp(field[0], "time") == 0)
            read_time(field, line);
        else if (n == 4 && strcmp(field[0], "time") != 0)
            read_slip(field, line);
        else if (n > 0)
            bad_line(line, "%s%d field%s: expected GROUP ID NUMBER SUM, or time GROUP SECONDS",
                     n > 4 ? "more than " : "", n > 4 ? 4 : n, n == 1 ? "" : "s");
    }
    if (ferror(in))
        die(STATUS_USAGE, "%s: %s", file, strerror(errno));
    free(text);
}

static int by_group_and_id(const void *a, const void *b)
{
    const struct slip *x = a, *y = b;

    return x->group != y->group ? x->group - y->group
         : x->id != y->id       ? x->id - y->id
                                : (x->line > y->line) - (x->line < y->line);
}

// Reports IDs that are missing or given twice, and groups without a time.
static void find_gaps(void)
{
    bool has_slips[GROUPS + 1] = { false };

    for (size_t i = 0; i < n_slips; i++) {
        const struct slip *s = &slips[i];
        bool first = i == 0 || s[-1].group != s->group;
        int before = first ? 0 : s[-1].id;

        has_slips[s->group] = true;
        if (s->id == before)
            bad_line(s->line, "ID %d of group %d a second time; line %ld has it", s->id, s->group,
                     s[-1].line);
        else if (s->id != before + 1)
            bad_line(s->line,
                     "ID %d of group %d, but there is no ID %d: expected 1, 2, 3 and so on", s->id,
                     s->group, before + 1);
        if (first && !time_line[s->group] && bad++ < SHOWN)
            warn("%s: group %d has no time: expected a line 'time %d SECONDS'", file, s->group,
                 s->group);
    }
    for (int group = 1; group <= GROUPS; group++)
        if (time_line[group] && !has_slips[group])
            bad_line(time_line[group], "a time for group %d, which has no slips", group);
}

// ---- checking ----

static long long predecessors_sum(const struct slip *s) { return s->id == 1 ? 0 : s[-1].sum; }

// In parallel: each check only reads the sum of its predecessor.
static void check_all(void)
{
#pragma omp parallel for
    for (size_t i = 0; i < n_slips; i++)
        slips[i].wrong = slips[i].sum != predecessors_sum(&slips[i]) + slips[i].number;
}

// ---- scoring ----

// Prints a line per team, its wrong sums, and the winner. Returns the number of wrong sums.
static long report(void)
{
    long all_wrong = 0, best = -1;
    int winners = 0, winner[GROUPS], teams = 0;

    for (size_t first = 0, end; first < n_slips; first = end) {
        int group = slips[first].group;
        long wrong = 0, score;

        for (end = first; end < n_slips && slips[end].group == group; end++)
            wrong += slips[end].wrong;
        score = time_ms[group] + 1000 * PENALTY_S * wrong;
        printf("group %d: %zu sum%s, %ld wrong; %.10g s + %ld x %d s = %.10g s\n", group,
               end - first, end - first == 1 ? "" : "s", wrong, time_ms[group] / 1000.0, wrong,
               PENALTY_S, score / 1000.0);
        for (const struct slip *s = slips + first; s < slips + end; s++)
            if (s->wrong)
                printf("  wrong: ID %d (line %ld): %lld + %lld is %lld, not %lld\n", s->id, s->line,
                       predecessors_sum(s), s->number, predecessors_sum(s) + s->number, s->sum);
        if (best < 0 || score < best) {
            best = score;
            winners = 0;
        }
        if (score == best)
            winner[winners++] = group;
        all_wrong += wrong;
        teams++;
    }
    if (teams > 1) {
        printf(winners == 1 ? "winner: group %d" : "a tie: groups %d", winner[0]);
        for (int i = 1; i < winners; i++)
            printf(i == winners - 1 ? " and %d" : ", %d", winner[i]);
        printf(", %.10g s\n", best / 1000.0);
    }
    return all_wrong;
}

static FILE *open_input(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "-";
    FILE *in;

    if (strcmp(path, "--help") == 0 || strcmp(path, "-h") == 0) {
        fputs(help, stdout);
        exit(finish(STATUS_OK));
    }
    if (path[0] == '-' && path[1])
        die(STATUS_USAGE, "%s: unknown option; there is only --help", path);
    if (argc > 2)
        die(STATUS_USAGE, "%s: expected nothing after the file", argv[2]);
    if (strcmp(path, "-") == 0)
        return stdin;
    file = path;
    in = fopen(file, "r");
    if (!in)
        die(STATUS_USAGE, "%s: %s", file, strerror(errno));
    return in;
}

int main(int argc, char **argv)
{
    read_lines(open_input(argc, argv));
    if (bad == 0 && n_slips == 0)
        die(STATUS_USAGE,
            "%s: no slips: expected lines GROUP ID NUMBER SUM, and time GROUP SECONDS", file);
    // A malformed line would be reported again as a missing ID.
    if (bad == 0) {
        qsort(slips, n_slips, sizeof *slips, by_group_and_id);
        find_gaps();
    }
    if (bad > SHOWN)
        warn("%s: and %d more", file, bad - SHOWN);
    if (bad > 0)
        return STATUS_USAGE;
    check_all();
    return finish(report() > 0 ? STATUS_WRONG : STATUS_OK);
}
