#include "runs.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folders.h"

// Saves a table and prints its path. Ends the program if it cannot be written.
static void save_table(const struct table *t, const char *path)
{
    if (table_save(t, path, 0) < 0)
        fail("%s: cannot be written: %s", path, strerror(errno));
    puts(path);
}

static int has_command(const struct table *t, const char *command)
{
    for (size_t r = 0; r < t->n; r++)
        if (strcmp(t->row[r].command, command) == 0)
            return 1;
    return 0;
}

// Adds the rows of a command unless the table has it.
static void add_run(struct table *to, const struct table *from, const char *command)
{
    if (!has_command(to, command))
        for (size_t r = 0; r < from->n; r++)
            if (strcmp(from->row[r].command, command) == 0)
                table_add(to, &from->row[r]);
}

static void must_be_same(const struct table *a, const struct table *b, const char *word,
                         const char *path)
{
    if (table_note(a, word)[0] && table_note(b, word)[0] &&
        strcmp(table_note(a, word), table_note(b, word)) != 0)
        fail("record: %s: recorded with %s '%s', this run has '%s'; record all stages", path, word,
             table_note(b, word), table_note(a, word));
}

// The recorded table with some of its runs replaced: a new run replaces the run with the same
// command, or is added at the end if there is none. The date is that of the new table.
static struct table merged(const struct table *new, const struct table *old, const char *path)
{
    struct table t = { 0 };

    must_be_same(new, old, "device", path);
    must_be_same(new, old, "driver", path);
    must_be_same(new, old, "cuda", path);
    for (size_t i = 0; i < new->n_notes; i++)
        table_set_note(&t, new->note[i].word, new->note[i].text);
    for (size_t r = 0; r < old->n; r++)
        add_run(&t, has_command(new, old->row[r].command) ? new : old, old->row[r].command);
    for (size_t r = 0; r < new->n; r++)
        add_run(&t, new, new->row[r].command);
    return t;
}

void record_replace(const char *table, const char *recorded, int some)
{
    struct table new = read_table(table), old = { 0 };

    if (some && access(recorded, F_OK) == 0) {
        table_must_read(&old, recorded);
        new = merged(&new, &old, recorded);
    }
    mkdir(text_of("%.*s", (int)(strrchr(recorded, '/') - recorded), recorded), 0777);
    save_table(&new, recorded);
}

void put_failed_run(const char *table, const struct run *run)
{
    static const enum column same[] = { COLUMN_week,    COLUMN_stage,     COLUMN_name,
                                        COLUMN_device,  COLUMN_type,      COLUMN_size,
                                        COLUMN_mode,    COLUMN_unit,      COLUMN_date,
                                        COLUMN_variant, COLUMN_arithmetic };
    struct appender to;
    struct table t = { 0 };
    struct row row = row_empty();
    const struct row *like = NULL;

    if (table_read(&t, table) != 0)
        return;
    for (size_t r = 0; r < t.n; r++)
        if (strcmp(t.row[r].stage, run->program) == 0) {
            if (strcmp(t.row[r].knobs, run->knobs) == 0)
                return;   // the run wrote a row itself
            like = &t.row[r];
        }
    if (!like)
        return;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        row.cell[same[i]] = like->cell[same[i]];
    row.knobs = run->knobs;
    row.status = status_word(STATUS_ERROR);
    appender_open(&to, table, NULL, 0, like->command);
    appender_put(&to, &row, 1);
}

void keep_in_results(const char *table, const char *part, int cpu)
{
    struct table t = read_table(table);
    char *folder;

    if (!cpu && !table_note(&t, "device")[0])
        fail("%s does not say which device it is from", table);
    folder = text_of("results/%s", cpu ? "cpu" : device_slug(table_note(&t, "device")));
    mkdir("results", 0777);
    mkdir(folder, 0777);
    save_table(&t, text_of("%s/%s.tsv", folder, part));
    remove(table);
}
