// The folder of the exercises: that of the week, or a private one.
#include "book.h"

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

static void must_be_well_named(const char *folder, const char *file)
{
    if (!matches(file, "^exercise[1-9][0-9]{0,2}_[A-Za-z0-9_]+\\.cu$"))
        fail("%s/%s: expected exerciseNUMBER_name.cu, with a number from 1 to %d, and letters, "
             "digits and _ in the name",
             folder, file, MOST_NUMBER);
}

struct arguments exercise_masters(const char *folder)
{
    struct arguments files = files_like(folder, "exercise*.cu");

    for (int i = 0; i < files.n; i++)
        must_be_well_named(folder, strrchr(files.word[i], '/') + 1);
    return files;
}

int exercise_file_number(const char *path)
{
    return atoi(strrchr(path, '/') + strlen("/exercise"));
}
