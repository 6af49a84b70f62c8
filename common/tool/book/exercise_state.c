// The state of the exercises, results/exercises: a line per exercise, "exercise1 HINTS [solved]
// [LAST]" with the number of hints that were printed, and the points of the last grading if that
// did not solve it; for a private one, " in FOLDER" follows. A run that changes it holds the folder
// locked (flock), because another one may end at the same time.
#define _GNU_SOURCE   // strsep
#include "book.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exercise.h"

static const char path[] = "results/exercises";

struct state {
    int hints, solved;
    const char *last;   // points, or ""
};

// The state of every number, and the lines about exercises of other folders.
struct states {
    struct state of[MOST_NUMBER + 1];
    const char *others;
};

static const char *end_of_lines(void)
{
    return exercise_is_private() ? text_of(" in %s", exercise_folder()) : "";
}

static struct states read_states(void)
{
    struct states s = { .others = "" };
    char *text = access(path, R_OK) == 0 ? read_text(path) : NULL, *line;
    const char *end = end_of_lines();

    while ((line = strsep(&text, "\n"))) {
        char *in = strstr(line, " in ");
        char key[32], word[2][16] = { "", "" };
        int hints, number, solved;

        if (line[0] && strcmp(in ? in : "", end) != 0) {
            s.others = text_of("%s%s\n", s.others, line);
            continue;
        }
        if (in)
            *in = 0;   // what follows is the folder, not the points of the last grading
        if (sscanf(line, "%31s %d %15s %15s", key, &hints, word[0], word[1]) >= 2 &&
            (number = exercise_number(key)) >= 1 && number <= MOST_NUMBER) {
            solved = strcmp(word[0], "solved") == 0;
            s.of[number] = (struct state){ hints, solved, text_of("%s", word[solved]) };
        }
    }
    return s;
}

static void write_states(const struct states *s)
{
    const char *text = s->others, *end = end_of_lines();

    for (int n = 1; n <= MOST_NUMBER; n++) {
        const char *last = s->of[n].last ? s->of[n].last : "";

        if (s->of[n].hints || s->of[n].solved || last[0])
            text = text_of("%sexercise%d %d%s%s%s%s\n", text, n, s->of[n].hints,
                           s->of[n].solved ? " solved" : "", last[0] ? " " : "", last, end);
    }
    write_if_changed(path, text);
}

// Sets the number of hints of exercise `number`, or with 0 what its last grading earned.
static void set_state(int number, int hints, int solved, int points)
{
    struct states s;
    struct state *e = &s.of[number];
    int folder;

    mkdir("results", 0777);
    folder = open("results", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0)
        flock(folder, LOCK_EX);
    s = read_states();
    if (hints)
        e->hints = hints;
    else {
        e->solved |= solved;
        e->last = solved ? "" : text_of("%d", points);
    }
    write_states(&s);
    if (folder >= 0)
        close(folder);
}

const char *exercise_state(int number)
{
    struct state e = read_states().of[number];
    const char *last = e.last && e.last[0] ? text_of(", last %s", e.last) : "";

    return e.solved ? text_of("solved%s", last) : last[0] ? text_of("started%s", last) : "";
}

void exercise_set_graded(int number, int solved, int points)
{
    set_state(number, 0, solved, points);
}

int exercise_hints(int number) { return read_states().of[number].hints; }

void exercise_set_hints(int number, int hints) { set_state(number, hints, 0, 0); }
