// The state of the exercises, results/exercises: a line per exercise, "exercise1 HINTS [solved]"
// with the number of hints that were printed; for a private one, " in FOLDER" follows. A run that
// changes it holds the folder locked (flock), because another one may end at the same time.
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
        const char *in = strstr(line, " in ");
        char key[32], solved[16] = "";
        int hints, number;

        if (line[0] && strcmp(in ? in : "", end) != 0)
            s.others = text_of("%s%s\n", s.others, line);
        else if (sscanf(line, "%31s %d %15s", key, &hints, solved) >= 2 &&
                 (number = exercise_number(key)) >= 1 && number <= MOST_NUMBER)
            s.of[number] = (struct state){ hints, strcmp(solved, "solved") == 0 };
    }
    return s;
}

static void write_states(const struct states *s)
{
    const char *text = s->others, *end = end_of_lines();

    for (int n = 1; n <= MOST_NUMBER; n++)
        if (s->of[n].hints || s->of[n].solved)
            text = text_of("%sexercise%d %d%s%s\n", text, n, s->of[n].hints,
                           s->of[n].solved ? " solved" : "", end);
    write_if_changed(path, text);
}

// Sets the state of exercise `number`: solved, or with this number of hints if it is not 0.
static void set_state(int number, int hints)
{
    struct states s;
    int folder;

    mkdir("results", 0777);
    folder = open("results", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0)
        flock(folder, LOCK_EX);
    s = read_states();
    if (hints)
        s.of[number].hints = hints;
    else
        s.of[number].solved = 1;
    write_states(&s);
    if (folder >= 0)
        close(folder);
}

int exercise_is_solved(int number) { return read_states().of[number].solved; }

void exercise_set_solved(int number) { set_state(number, 0); }

int exercise_hints(int number) { return read_states().of[number].hints; }

void exercise_set_hints(int number, int hints) { set_state(number, hints); }
