#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folders.h"

const char *root_folder(void)
{
    char path[PATH_MAX];

    if (program_folder(path) < 0)   // the tool is in build/ of the root
        fail("/proc/self/exe: %s", strerror(errno));
    return text_of("%.*s", (int)(strrchr(path, '/') - path), path);
}

const char *setting(const char *name)
{
    const char *value = getenv(name);

    return value ? value : "";
}

const char *this_week(void)
{
    char *here = getcwd(NULL, 0), *name = here ? strrchr(here, '/') + 1 : "";

    return isdigit((unsigned char)name[0]) && strchr(name, '_') ? name : "";
}

static int by_number(const void *a, const void *b)
{
    return stage_number(*(char *const *)a) - stage_number(*(char *const *)b);
}

const char *stages_here(void)
{
    struct arguments files = files_like("", "stage*_*.cu");
    const char *stages = "";

    for (int i = 0; i < files.n; i++)
        files.word[i] = text_of("%.*s", (int)strcspn(files.word[i], "_"), files.word[i]);
    qsort(files.word, files.n, sizeof *files.word, by_number);
    for (int i = 0; i < files.n; i++)
        stages = with_word(stages, files.word[i]);
    return stages;
}

const char *recorded_from(const char *week)
{
    const char *from = setting("LADDER_FROM");

    return from[0] ? from : default_recorded(root_folder(), week);
}

void must_be_recorded(const char *option, const char *name, const char *week)
{
    const char *data = text_of("%s/plots/data", root_folder()), *there = "";
    const char *pattern = week[0] ? text_of("%s.*.tsv", week) : "[0-9]*_*.*.tsv";
    struct arguments all = files_like(data, "*");

    must_be_name(option, name);
    if (files_like(text_of("%s/%s", data, name), "%s", pattern).n)
        return;
    for (int i = 0; i < all.n; i++)
        if (files_like(all.word[i], "%s", pattern).n)
            there = with_word(there, strrchr(all.word[i], '/') + 1);
    fail("%s='%s': no recorded run%s%s in plots/data/%s; recorded: %s", option, name,
         week[0] ? " of " : "", week, name, there[0] ? there : "none");
}

static const char *path_of(const char *table)
{
    size_t n = strlen(table);
    const char *week;

    if (n > 4 && strcmp(table + n - 4, ".tsv") == 0)
        return table;
    if (strchr(table, '/'))
        return text_of("%s/plots/data/%s.tsv", root_folder(), table);
    week = text_of("%.*s", (int)strcspn(table, "."), table);
    return text_of("%s/plots/data/%s/%s.tsv", root_folder(), recorded_from(week), table);
}

struct table read_tables(const struct arguments *a)
{
    struct table t = { 0 };

    if (a->n == 0)
        fail("no table was given");
    for (int i = 0; i < a->n; i++)
        table_must_read(&t, path_of(a->word[i]));
    return t;
}

struct table read_table(const char *path)
{
    return read_tables(&(struct arguments){ 1, (char *[]){ (char *)path } });
}

const char *device_words(const struct table *t, const char *separator)
{
    const char *text = table_note(t, "device"), *cuda = table_note(t, "cuda"),
               *driver = table_note(t, "driver");

    if (cuda[0])
        text = text_of("%s%sCUDA %s", text, separator, cuda);
    return driver[0] ? text_of("%s%sdriver %s", text, separator, driver) : text;
}

const char *folder_of(const char *week) { return text_of("%s/%s", root_folder(), week); }

const char *stage_file(const char *folder, const char *stage)
{
    struct arguments file = files_like(
        folder, stage_number(stage) >= 0 || exercise_number(stage) >= 0 ? "%s_*.cu" : "%s.cu",
        stage);

    return file.n ? file.word[0] : NULL;
}

struct table results_of_part(const char *folder, const char *part)
{
    struct arguments own = files_like(folder, "%s.tsv", part);
    struct table all = { 0 }, t = { 0 };

    if (has_word("ladder shmoo counts", part))
        results_read(&all, folder);
    t = all, t.n = 0;
    for (size_t r = 0; r < all.n; r++)
        if (stage_file(text_of("%s/../..", folder), all.row[r].stage))
            t.row[t.n++] = all.row[r];
    for (int i = 0; i < own.n; i++)
        table_must_read(&t, own.word[i]);
    return t;
}

struct arguments published_files(const char *week)
{
    return files_like(text_of("%s/plots/data/published", root_folder()), "*_%s.tsv",
                      topic_of(week));
}

const char *topic_of(const char *week) { return strchr(week, '_') ? strchr(week, '_') + 1 : week; }
