#define _GNU_SOURCE   // strsep
#include "durations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tool.h"

const char *durations_here(const char *results) { return text_of("%s/durations.txt", results); }

const char *durations_recorded(const char *name)
{
    return text_of("%s/plots/data/%s/durations.txt", root_folder(), name);
}

static int is_of(const char *line, const char *week, const char *part)
{
    const char *prefix = text_of("%s %s ", week, part);

    return strncmp(line, prefix, strlen(prefix)) == 0;
}

double durations_get(const char *path, const char *week, const char *part)
{
    char *text = access(path, R_OK) == 0 ? read_text(path) : text_of("%s", ""), *line;

    while ((line = strsep(&text, "\n")))
        if (is_of(line, week, part))
            return strtod(line + strlen(week) + strlen(part) + 2, NULL);
    return NAN;
}

void durations_put(const char *path, const char *week, const char *part, double seconds)
{
    char *text = access(path, R_OK) == 0 ? read_text(path) : text_of("%s", ""), *line, *made;
    const char *own = text_of("%s %s %.0f\n", week, part, seconds);
    size_t length;
    FILE *out = open_memstream(&made, &length);
    int placed = 0;

    while ((line = strsep(&text, "\n"))) {
        int same = is_of(line, week, part);

        placed |= same;
        if (line[0])
            fprintf(out, "%s%s", same ? own : line, same ? "" : "\n");
    }
    if (!placed)
        fputs(own, out);
    fclose(out);
    write_if_changed(path, made);
}
