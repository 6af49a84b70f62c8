#define _GNU_SOURCE   // strsep
#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folders.h"
#include "terminal.h"
#include "version.h"

static const struct command {
    const char *name;
    enum status (*run)(struct arguments);
    const char *usage;
} commands[] = {
    { "rules", command_rules,
      "rules --device D --arch SM [--known] --archs LIST --out BUILD: writes the make rules of the "
      "week in this folder" },
    { "list", command_list,
      "list FILE.cu...: prints number, name, mark of the core ladder and lesson of each stage" },
    { "measure", command_measure,
      "measure [--knobs] [--keep PART] [--show COLUMN] [--part PART] TABLE -- LINE...: runs "
      "programs and collects their rows" },
    { "claims", command_claims,
      "claims --device gpu|cpu [--measure] TABLE... -- SOURCE...: judges claims" },
    { "table", command_table, "table [--column COLUMN] TABLE...: prints tables for the terminal" },
    { "markdown", command_markdown,
      "markdown KIND [--at PLACES] [--of BASE] [--variant V] [--strides LIST] [--stages LIST] "
      "TABLE...: prints a table in Markdown" },
    { "figure", command_figure,
      "figure NAME [options] [TABLE...]: prints a gnuplot script with its data; figure: lists the "
      "figures; figure lanes|trace FILE: of a recording" },
    { "overview", command_overview,
      "overview --figure NAME [--format svg|png|pdf] [--recorded] WEEK...: prints a gnuplot script "
      "that compares the weeks; overview --names: lists the figures" },
    { "hardware", command_hardware,
      "hardware WEEK...: prints which stages each kind of hardware runs, as a table in Markdown" },
    { "slides", command_slides,
      "slides WEEK FOLDER: writes a deck of slides in Markdown per lecture, from the week's pages, "
      "stages and recorded run" },
    { "code", command_code,
      "code [--changes | --new] [--of STAGE] [--bare] FILE [TEXT [LINES]]: prints lines of "
      "a "
      "stage or of another program, with those marked that it changes of the stage before" },
    { "record", command_record,
      "record TO [PART...]: measures the runs in the file `runs`, into plots/data/TO" },
    { "rename", command_rename,
      "rename OLD NEW [OLD NEW...] FILE...: renames or renumbers stages in tables and texts" },
    { "readme", command_readme,
      "readme [-n] PAGE...: fills in the output of the commands that pages name" },
    { "numbers", command_numbers,
      "numbers [--run] PAGE...: checks the numbers in the prose of pages against their sources" },
    { "differences", command_differences,
      "differences MEASURED [COUNTED...]: prints where counts of the CPU device and ncu differ, as "
      "a table in Markdown" },
    { "bounds", command_bounds,
      "bounds [TABLE...]: prints the lower bound of each time, of all recorded runs or of tables; "
      "exit 1 if a time is below its bound" },
    { "values", command_values, "TREE PASS: warn of accesses that are not counted (for make)" },
    { "traffic", command_traffic,
      "traffic FOLDER TABLE...: prints what memory traffic allows each stage, beside what was "
      "measured, as a table in Markdown; reads the file `traffic` of the week's folder" },
    { "exercise", command_exercise,
      "exercise list | write N | hint N [--again HINT] | solution N | new N NAME FROM | grade N "
      "[--from FOLDER] [--out FILE] [--resume FILE] [--csv FILE --format moodle|canvas "
      "--assignment NAME] [--feedback FOLDER] [--seconds S]: exercises of the week in this folder, "
      "or of the folder LADDER_EXERCISES" },
    { "collect", command_collect,
      "collect: measures the parts of the file `runs` that figures show, into results/" },
    { "new", command_new,
      "new N NAME FROM: writes the file of a new stage, from that of stage FROM" },
    { "progress", command_progress,
      "progress --device gpu|cpu FILE.cu...: prints what was built, checked and measured here" },
    { "columns", command_columns, "columns: lists the columns of the result table" },
};

static void remove_word(struct arguments *a, int i)
{
    memmove(&a->word[i], &a->word[i + 1], (a->n - i - 1) * sizeof *a->word);
    a->n--;
}

const char *take_option(struct arguments *a, const char *name)
{
    const char *value;

    for (int i = 0; i < a->n && strcmp(a->word[i], "--") != 0; i++)
        if (strcmp(a->word[i], name) == 0) {
            if (i + 1 == a->n)
                fail("%s: needs a value", name);
            value = a->word[i + 1];
            remove_word(a, i);
            remove_word(a, i);
            return value;
        }
    return NULL;
}

int take_flag(struct arguments *a, const char *name)
{
    for (int i = 0; i < a->n && strcmp(a->word[i], "--") != 0; i++)
        if (strcmp(a->word[i], name) == 0) {
            remove_word(a, i);
            return 1;
        }
    return 0;
}

const char *take_format(struct arguments *a)
{
    const char *format = take_option(a, "--format");

    if (format && !has_word("svg png pdf", format))
        fail("--format %s: the formats are svg, png and pdf", format);
    return format ? format : "svg";
}

void no_options(const struct arguments *a)
{
    for (int i = 0; i < a->n && strcmp(a->word[i], "--") != 0; i++)
        if (a->word[i][0] == '-')
            fail("%s: unknown option; ladder --help lists the commands and their options",
                 a->word[i]);
}

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
    for (int i = 0; i < a->n; i++) {
        const char *path = path_of(a->word[i]);
        int failed = table_read(&t, path);

        if (failed == TABLE_NO_FILE)
            fail("%s: %s", path, strerror(errno));
        if (failed == TABLE_BAD)
            fail("%s: not a result table: it has no header", path);
    }
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

const char *shell_word(const char *text)
{
    char *quoted, *to;
    int plain = text[0] && text[0] != '-';

    for (const char *c = text; *c; c++)
        plain &= isalnum((unsigned char)*c) || strchr("/._+-,:@", *c) != NULL;
    if (plain)
        return text;
    to = quoted = must_malloc(4 * strlen(text) + 3);
    *to++ = '\'';
    for (; *text; text++)
        to += *text == '\'' ? sprintf(to, "'\\''") : sprintf(to, "%c", *text);
    strcpy(to, "'");
    return quoted;
}

static char *all_of(FILE *file)
{
    char *text, buffer[4096];
    size_t length, n;
    FILE *memory = open_memstream(&text, &length);

    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        fwrite(buffer, 1, n, memory);
    fclose(memory);
    return text;
}

char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = file ? all_of(file) : NULL;

    if (!file || ferror(file))
        fail("%s: %s", path, strerror(errno));
    fclose(file);
    return text;
}

char *trimmed(char *s)
{
    size_t n;

    s += strspn(s, " \t\r\n");
    for (n = strlen(s); n && isspace((unsigned char)s[n - 1]);)
        s[--n] = '\0';
    return s;
}

struct lines lines_of(const char *path, const char *name)
{
    return (struct lines){ name, NULL, access(path, R_OK) == 0 ? read_text(path) : NULL, 0 };
}

char *next_line(struct lines *l)
{
    char *line;

    while ((line = strsep(&l->rest, "\n"))) {
        l->number++;
        line = trimmed(line);
        if (line[0] && line[0] != '#') {
            l->where = text_of("%s:%d", l->name, l->number);
            return line;
        }
    }
    return NULL;
}

char *output_of(const char *command, int *failed)
{
    FILE *pipe = popen(command, "r");
    char *text = pipe ? all_of(pipe) : NULL;

    if (!pipe)
        fail("%s: cannot be started", command);
    *failed = pclose(pipe) != 0;
    return text;
}

void write_if_changed(const char *path, const char *text)
{
    char *unfinished = text_of("%s.%d.new", path, (int)getpid());
    FILE *file;

    if (access(path, R_OK) == 0 && strcmp(read_text(path), text) == 0)
        return;
    file = fopen(unfinished, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0 || rename(unfinished, path) != 0)
        fail("%s: cannot be written: %s", path, strerror(errno));
}

struct arguments files_like(const char *folder, const char *pattern, ...)
{
    char name[PATH_MAX];
    struct files found;
    va_list args;

    va_start(args, pattern);
    vsnprintf(name, sizeof name, pattern, args);
    va_end(args);
    found = files_in(folder, name);
    return (struct arguments){ (int)found.n, found.path };
}

const char *folder_of(const char *week) { return text_of("%s/%s", root_folder(), week); }

const char *stage_file(const char *folder, const char *stage)
{
    struct arguments file =
        files_like(folder, name_is_reference(stage) ? "%s.cu" : "%s_*.cu", stage);

    return file.n ? file.word[0] : NULL;
}

struct arguments result_files(const char *folder, const char *part)
{
    struct arguments all = { 0, NULL }, of_part = files_like(folder, "%s.tsv", part);

    if (has_word("ladder shmoo counts", part))
        all = files_like(folder, "@(ref_*|stage*).tsv");
    for (int i = 0; i < of_part.n; i++) {
        all.word = grown(all.word, all.n, sizeof *all.word);
        all.word[all.n++] = of_part.word[i];
    }
    return all;
}

struct arguments published_files(const char *week)
{
    return files_like(text_of("%s/plots/data/published", root_folder()), "*_%s.tsv",
                      topic_of(week));
}

const char *topic_of(const char *week) { return strchr(week, '_') ? strchr(week, '_') + 1 : week; }

char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;

    return text_of("%.*s", (int)strcspn(base, "."), base);
}

int matches(const char *text, const char *pattern)
{
    regex_t regex;
    int found = regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) == 0 &&
                regexec(&regex, text, 0, NULL, 0) == 0;

    regfree(&regex);
    return found;
}

void must_be_name(const char *what, const char *name)
{
    if (!name[0] || name[0] == '.' || strpbrk(name, "/ \t\n'"))
        fail("%s='%s': expected a name of letters, digits, _ and -", what, name);
}

enum status command_columns(struct arguments a)
{
    no_options(&a);
    if (a.n)
        fail("columns: '%s': expected no argument", a.word[0]);
    for (int i = 0; i < N_COLUMNS; i++)
        printf("%-18s %s\n", column_name[i], column_says[i]);
    return STATUS_OK;
}

int main(int argc, char *argv[])
{
    enum { COMMANDS = sizeof commands / sizeof *commands };
    enum status status = STATUS_USAGE;
    int i = 0;

    occupy_standard_descriptors();
    while (argc > 1 && i < COMMANDS && strcmp(argv[1], commands[i].name) != 0)
        i++;
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts("ladder " LADDER_VERSION);
        status = STATUS_OK;
    } else if (argc > 1 && i < COMMANDS) {
        if (has_word("list exercise progress columns claims measure bounds", argv[1]))
            fit_terminal();
        status = commands[i].run((struct arguments){ argc - 2, argv + 2 });
    } else {
        FILE *to = argc > 1 && strcmp(argv[1], "--help") == 0 ? stdout : stderr;

        if (to == stderr && argc > 1)
            fprintf(stderr, "ladder: '%s': no such command; there are:\n", text_head(argv[1], 60));
        for (i = 0; i < COMMANDS; i++)
            fprintf(to, "ladder %s\n", commands[i].usage);
        status = to == stdout ? STATUS_OK : STATUS_USAGE;
    }
    return finish(status);
}
