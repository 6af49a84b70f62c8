// The folder of the exercises: that of the week, or a private one.
#define _GNU_SOURCE   // versionsort
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "exercise.h"

static const char public_folder[] = "exercises";

// Links are resolved, so that the state of a folder does not depend on the path that was given.
const char *exercise_folder(void)
{
    const char *given = setting("LADDER_EXERCISES"), *week, *path;

    if (!given[0])
        return public_folder;
    week = realpath(public_folder, NULL);
    path = realpath(given, NULL);
    if (!path)
        return given;
    return week && strcmp(path, week) == 0 ? public_folder : path;
}

int exercise_is_private(void) { return strcmp(exercise_folder(), public_folder) != 0; }

const char *exercise_option(void)
{
    if (!exercise_is_private())
        return "";
    return text_of(" EXERCISES=%s", shell_word(exercise_folder()));
}

// Other files of the folder are no masters.
static int is_master(const struct dirent *file)
{
    size_t n = strlen(file->d_name);

    return strncmp(file->d_name, "exercise", strlen("exercise")) == 0 && n > 3 &&
           strcmp(file->d_name + n - 3, ".cu") == 0;
}

static void must_be_well_named(const char *folder, const char *file)
{
    if (!matches(file, "^exercise[1-9][0-9]{0,2}_[A-Za-z0-9_]+\\.cu$"))
        fail("%s/%s: expected exerciseNUMBER_name.cu, with a number from 1 to %d, and letters, "
             "digits and _ in the name",
             folder, file, MOST_NUMBER);
}

struct arguments exercise_masters(const char *folder)
{
    struct dirent **found;
    struct arguments files = { scandir(folder, &found, is_master, versionsort), NULL };

    if (files.n > 0)
        files.word = must_calloc(files.n, sizeof *files.word);
    for (int i = 0; i < files.n; i++) {
        must_be_well_named(folder, found[i]->d_name);
        files.word[i] = text_of("%s/%s", folder, found[i]->d_name);
    }
    return files;
}

int exercise_file_number(const char *path)
{
    return atoi(strrchr(path, '/') + strlen("/exercise"));
}
