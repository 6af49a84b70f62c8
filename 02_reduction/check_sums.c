// check_sums: checks the cumulative sums of the classroom challenge in parallel, and scores the
// teams
//
// No GPU needed. The students compute the sums one after the other. The check is parallel: sum i
// needs only sum i - 1 as written, and if every sum is its predecessor plus its number, all are
// correct.
// make check_sums && ./check_sums slips.txt
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    GROUPS = 99,
    IDS = 10000000,
    THREADS = 256,
    PENALTY_S = 20,
    LONGEST_S = 1000000,
    SHOWN = 10
};
// magnitude of a number or a sum, so that no addition overflows
static const long long LARGEST = 1000000000000000;

static const char help[] =
    "usage: check_sums [--threads N] [FILE]   without a file, or with -, from standard input\n"
    "       check_sums --help\n"
    "\n"
    "Reads the slips of the students and the time of each team, finds the wrong sums, and scores "
    "the teams:\n"
    "score = time in seconds + 20 for each wrong sum; the lowest wins. One line per slip or time, "
    "in "
    "any order:\n"
    "\n"
    "  GROUP ID NUMBER SUM     a slip: 1 3 6 14 is ID 3 of group 1, with number 6 and sum 14\n"
    "  time GROUP SECONDS      the time of a team: time 1 95.5, or in minutes and seconds, time 1 "
    "1:35.5\n"
    "  # ...                   a comment, also after a slip or time\n"
    "\n"
    "Blanks, tabs and commas separate the fields; empty lines are skipped. GROUP is 1 to 99. The "
    "IDs "
    "of a group are 1, 2, 3 and so on, each once.\n"
    "NUMBER and SUM are whole numbers from -10^15 to 10^15, SECONDS is 0 to 1000000 with up to "
    "three decimals. Each group has one time.\n"
    "\n"
    "A sum is correct if it is the sum on the slip before, as written, plus the number. So one "
    "error "
    "counts once.\n"
    "The sum of ID 1 is its number. Numbers are not checked.\n"
    "\n"
    "  --threads N   check with N threads, 1 to 256; default: one per core\n"
    "\n"
    "Exit status: 0 all sums are correct; 1 at least one is wrong; 2 bad usage, a malformed line, "
    "a "
    "missing slip or time, or\n"
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

#define fail(...) (fprintf(stderr, "check_sums: " __VA_ARGS__), fputc('\n', stderr))
// Reports the line and continues, so that one run reports all errors, up to SHOWN of them.
#define bad_line(line, format, ...) \
    (bad++ < SHOWN ? (void)fail("%s, line %ld: " format, file, line, __VA_ARGS__) : (void)0)

// ---- reading ----

// Parses a whole number from `least` to `most`. Returns false for any other text.
static bool whole(const char *text, long long least, long long most, long long *value)
{
    size_t sign = *text == '-' || *text == '+';
    size_t digits = strspn(text + sign, "0123456789");

    *value = strtoll(text, NULL, 10);   // LLONG_MAX if the digits exceed it
    return digits > 0 && !text[sign + digits] && *value >= least && *value <= most;
}

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
        if (!whole(copy, 0, LONGEST_S / 60, &minutes) || !whole(rest, 0, 59, &seconds))
            return -1;
    } else if (!whole(rest, 0, LONGEST_S, &seconds))
        return -1;
    ms += 1000 * (60 * minutes + seconds);
    return ms <= 1000 * LONGEST_S ? ms : -1;
}

static void read_time(char **field, long line)
{
    long long group;
    long ms = milliseconds(field[2]);

    if (!whole(field[1], 1, GROUPS, &group))
        bad_line(line, "group '%.40s': expected a whole number from 1 to %d", field[1], GROUPS);
    else if (ms < 0)
        bad_line(line,
                 "time '%.40s': expected seconds from 0 to 1000000, such as 95 or 95.5, or minutes "
                 "and seconds, such as 1:35.5",
                 field[2]);
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
        if (!whole(field[i], least[i], most[i], &value[i])) {
            bad_line(line, "%s '%.40s': expected a whole number from %lld to %lld", names[i],
                     field[i], least[i], most[i]);
            return;
        }
    if (n_slips == room) {
        room = room ? 2 * room : 64;
        slips = realloc(slips, room * sizeof *slips);
        if (!slips) {
            fail("out of memory for %zu slips", room);
            exit(3);
        }
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
    if (ferror(in)) {
        fail("%s: %s", file, strerror(errno));
        exit(2);
    }
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
            fail("%s: group %d has no time: expected a line 'time %d SECONDS'", file, s->group,
                 s->group);
    }
    for (int group = 1; group <= GROUPS; group++)
        if (time_line[group] && !has_slips[group])
            bad_line(time_line[group], "a time for group %d, which has no slips", group);
}

// ---- checking ----

// The slips that one thread checks.
struct share {
    size_t first, end;
};

static long long predecessors_sum(const struct slip *s) { return s->id == 1 ? 0 : s[-1].sum; }

// The checks are independent: each only reads the sum of its predecessor.
static void *check_share(void *argument)
{
    const struct share *share = argument;

    for (size_t i = share->first; i < share->end; i++)
        slips[i].wrong = slips[i].sum != predecessors_sum(&slips[i]) + slips[i].number;
    return NULL;
}

static void check_all(int n_threads)
{
    pthread_t thread[THREADS];
    struct share share[THREADS];
    bool started[THREADS];

    for (int t = 0; t < n_threads; t++) {
        share[t] = (struct share){ n_slips * t / n_threads, n_slips * (t + 1) / n_threads };
        started[t] = pthread_create(&thread[t], NULL, check_share, &share[t]) == 0;
        if (!started[t])
            check_share(&share[t]);
    }
    for (int t = 0; t < n_threads; t++)
        if (started[t])
            pthread_join(thread[t], NULL);
}

// ---- scoring ----

// Returns the seconds with as many decimals as needed, in one of two static buffers, by turns.
static const char *seconds(long ms)
{
    static char text[2][32];
    static int turn;

    turn = !turn;
    snprintf(text[turn], sizeof text[turn], "%.10g s", ms / 1000.0);
    return text[turn];
}

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
        printf("group %d: %zu sum%s, %ld wrong; ", group, end - first, end - first == 1 ? "" : "s",
               wrong);
        printf("%s + %ld x %d s = %s\n", seconds(time_ms[group]), wrong, PENALTY_S, seconds(score));
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
        printf(", %s\n", seconds(best));
    }
    return all_wrong;
}

// Fails if the output could not be written, for example on a full disk.
static int finish(int status)
{
    if (!ferror(stdout) && fflush(stdout) == 0)
        return status;
    fail("standard output: %s", strerror(errno));
    return 2;
}

int main(int argc, char **argv)
{
    long long threads = sysconf(_SC_NPROCESSORS_ONLN);
    FILE *in = stdin;

    threads = threads < 1 ? 1 : threads > THREADS ? THREADS : threads;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(help, stdout);
            return finish(0);
        }
        if (strcmp(argv[i], "--threads") == 0) {
            const char *value = i + 1 < argc ? argv[++i] : "";

            if (!whole(value, 1, THREADS, &threads)) {
                fail("--threads '%.40s': expected a whole number from 1 to %d", value, THREADS);
                return 2;
            }
        } else if (argv[i][0] == '-' && argv[i][1]) {
            fail("%s: unknown option; there are --threads N and --help", argv[i]);
            return 2;
        } else if (i + 1 < argc) {
            fail("%s: expected nothing after the file", argv[i + 1]);
            return 2;
        } else if (strcmp(argv[i], "-") != 0) {
            file = argv[i];
            in = fopen(file, "r");
            if (!in) {
                fail("%s: %s", file, strerror(errno));
                return 2;
            }
        }
    }

    read_lines(in);
    // A malformed line would be reported again as a missing ID.
    if (bad == 0 && n_slips > 0) {
        qsort(slips, n_slips, sizeof *slips, by_group_and_id);
        find_gaps();
    } else if (bad == 0) {
        fail("%s: no slips: expected lines GROUP ID NUMBER SUM, and time GROUP SECONDS", file);
        return 2;
    }
    if (bad > SHOWN)
        fail("%s: and %d more", file, bad - SHOWN);
    if (bad > 0)
        return 2;

    check_all((int)threads);
    return finish(report() > 0);
}
