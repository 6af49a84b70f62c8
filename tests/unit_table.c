// The result table: fields, files, appended rows.
//
#include "select.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

#define HEAD "week\tmode\tstatus\tstage"   // the columns that every table has
#define ROW "w\tcold\tok\t"

static struct table back;

static struct row named(const char *stage)
{
    struct row row = row_empty();

    row.week = "01_transpose", row.stage = stage, row.mode = "cold", row.status = "ok";
    return row;
}

static int read_back(const char *path)
{
    back = (struct table){ 0 };
    return table_read(&back, path);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    fputs(text, file);
    fclose(file);
}

static void fields(void)
{
    struct row row = row_empty(), other;

    row_set(&row, stage, "stage%d", 3);
    row_set(&row, rate, "%.6g", 4036.5);
    row_set(&row, kernel, "a\tb\nc");
    same_text(row.kernel, "a b c", "tabs and line ends in a field become spaces");
    ok(row_number(&row, COLUMN_rate) == 4036.5, "a field can be read as a number");
    ok(isnan(row_number(&row, COLUMN_median_us)), "an empty field is no number");
    ok(isnan(row_number(&row, COLUMN_stage)), "a word is no number");
    ok(column_of_name("no_such") == -1, "an unknown column is not found");
    ok(column_of_name("rate") == COLUMN_rate, "a column is found by its name");
    other = row;
    other.rate = "1";
    ok(row_same_key(&row, &other), "rows with another rate are the same measurement");
    other.knobs = "TILE=16";
    ok(!row_same_key(&row, &other), "rows with other knobs are another measurement");
    other = row;
    other.variant = "memory-only";
    ok(!row_same_key(&row, &other), "rows with other options are another measurement");
}

static void files(const char *path)
{
    struct table t = { 0 };
    struct row row = named("stage3");

    table_set_note(&t, "device", "NVIDIA H200");
    row.command = "./stage3";
    table_add(&t, &row);
    row.stage = "ref_a";
    table_add(&t, &row);
    row.stage = "stage4", row.command = "./stage4";
    table_add(&t, &row);
    ok(table_save(&t, path, 0) == 0, "a table is saved");
    ok(read_back(path) == 0 && back.n == 3, "a saved table has its rows");
    same_text(back.row[1].stage, "ref_a", "a saved row has its fields");
    same_text(back.row[2].command, "./stage4", "a saved row has its command");
    ok(back.row[1].run == 1 && back.row[2].run == 2,
       "a reference belongs to the run of the stage before it");
    same_text(table_note(&back, "device"), "NVIDIA H200", "a saved table has its notes");
    ok(back.has[COLUMN_stage] && !back.has[COLUMN_rate], "an empty column is omitted");
    ok(table_read(&back, path) == 0 && back.n == 6, "several files are read as one table");
}

static void odd_files(const char *path)
{
    write_text(path, "# a note\n" HEAD "\tcolor\trate\r\n" ROW "stage7\tred\t12\r\n\n" ROW
                     "stage8\tblue\t\n");
    ok(read_back(path) == 0 && back.n == 2,
       "a table may have another order of columns, and unknown ones");
    same_text(back.row[0].stage, "stage7", "columns are found by name");
    same_text(back.row[0].rate, "12", "every known column is read");
    same_text(back.row[1].rate, "", "an empty field is empty");
    write_text(path, HEAD "\n" ROW "a\n# more\n" HEAD "\trate\n" ROW "b\t5\n");
    ok(read_back(path) == 0 && strcmp(back.row[1].stage, "b") == 0,
       "a second header applies to the rows below it");
    write_text(path, "name\tage\nme\t3\n");
    ok(read_back(path) == TABLE_BAD, "a file with another header is refused");
    write_text(path, "");
    ok(read_back(path) == TABLE_BAD, "an empty file is refused");
    remove(path);
    ok(read_back(path) == TABLE_NO_FILE, "a missing file is reported");
}

static void appending(const char *path)
{
    static const struct note note[] = { { "device", "NVIDIA H200" }, { "driver", "" } };
    struct appender a;
    struct row row = named("stage3");
    char line[4096];
    int heads = 0, notes = 0;
    FILE *file;

    for (int i = 0; i < 2; i++) {
        appender_open(&a, path, note, 2, i ? "./stage4" : "./stage3");
        appender_put(&a, &row, 1);
        appender_put(&a, &row, 1);
        close(a.file);
    }
    file = fopen(path, "r");
    while (fgets(line, sizeof line, file)) {
        heads += strncmp(line, "week\t", 5) == 0;
        notes += line[0] == '#' && strncmp(line, "# command", 9) != 0;
    }
    fclose(file);
    ok(heads == 1, "a file has one header, however often rows are appended");
    ok(notes == 1, "each note is written once, if it is not empty");
    ok(read_back(path) == 0 && back.n == 4, "all rows are appended");
    same_text(back.row[1].command, "./stage3", "appended rows have their command");
    same_text(back.row[3].command, "./stage4", "rows of a second program have their command");
    remove(path);
}

// A program that opens this file or writes to it ends with STATUS_USAGE and a message.
static void refuses(const char *path, const char *part, const char *name)
{
    struct appender a;
    struct row row = row_empty();
    char message[512] = "";
    int fd[2], ended;

    if (pipe(fd) != 0)
        return;
    fflush(stdout);
    if (fork() == 0) {
        dup2(fd[1], STDERR_FILENO);
        appender_open(&a, path, NULL, 0, "");
        appender_put(&a, &row, 1);
        _exit(0);
    }
    close(fd[1]);
    wait(&ended);
    for (size_t n = 0; n + 1 < sizeof message; n++)
        if (read(fd[0], message + n, 1) < 1)
            break;
    close(fd[0]);
    ok(message[0], "%s causes a message", name);
    ok(WEXITSTATUS(ended) == STATUS_USAGE, "%s is refused", name);
    has(message, part, "the message gives the reason");
}

static void refusing(const char *path)
{
    write_text(path, "week\tage\n");
    refuses(path, "holds something else", "a table of other columns");
    write_text(path, "# device: x\n");
    refuses(path, "holds something else", "a file without a header");
    refuses("/no/such/folder/x", "No such file", "a folder that does not exist");
    refuses("/dev/full", "cannot be written: No space left", "a full disk");
    remove(path);
}

// An interrupted program leaves a last row that is cut in one of its fields.
static void torn(const char *path)
{
    struct appender a;
    struct row row = named("stage1");
    char line[4096];
    int kept = 0;
    FILE *file;

    write_text(path, HEAD "\trate\n" ROW "stage1\t5\n" ROW "stage2\t6");
    ok(read_back(path) == 0 && back.n == 1, "a last row without a line end is ignored");
    write_text(path, HEAD "\trate\n" ROW "stage1\t5\nw\tcold");
    ok(read_back(path) == 0 && back.n == 1,
       "a last row with fewer fields than the header is ignored");
    same_text(back.row[0].rate, "5", "the rows above a cut row are read");

    remove(path);
    appender_open(&a, path, NULL, 0, "./stage1");
    appender_put(&a, &row, 1);
    close(a.file);
    file = fopen(path, "a");
    fputs("01_transpose\tstage2\t12", file);
    fclose(file);
    row.stage = "stage3";
    appender_open(&a, path, NULL, 0, "./stage3");
    appender_put(&a, &row, 1);
    close(a.file);
    ok(read_back(path) == 0 && back.n == 2, "a row that is appended after a cut row is read");
    same_text(back.row[1].stage, "stage3", "a row after a cut row has its own fields");
    file = fopen(path, "r");
    while (fgets(line, sizeof line, file))
        kept += strcmp(line, "# incomplete line: 01_transpose\tstage2\t12\n") == 0;
    fclose(file);
    ok(kept == 1, "the cut row is kept as a note");
    remove(path);
}

// A program waits while another one has locked the file, and then sees what that one wrote.
static void waiting(const char *path)
{
    static const struct note note[] = { { "device", "NVIDIA H200" } };
    int file = open(path, O_WRONLY | O_TRUNC | O_CREAT, 0600), ended;
    struct appender a;
    struct row row = named("stage3");
    struct stat is;

    flock(file, LOCK_EX);
    fflush(stdout);
    if (fork() == 0) {
        close(file);
        appender_open(&a, path, note, 1, "./stage3");
        appender_put(&a, &row, 1);
        _exit(0);
    }
    usleep(300000);
    fstat(file, &is);
    ok(is.st_size == 0, "no row is appended to a file that another program has locked");
    row = named("stage1");
    dprintf(file, "%s", header_text(column_name, N_COLUMNS));
    for (int i = 0; i < N_COLUMNS; i++)
        dprintf(file, "%s%c", row.cell[i], i < N_COLUMNS - 1 ? '\t' : '\n');
    close(file);
    wait(&ended);
    ok(read_back(path) == 0 && back.n == 2, "after the lock is released, the row is appended");
    same_text(table_note(&back, "device"), "", "no second header is written");
    remove(path);
}

// Two programs append their runs, in turns, to the results of one folder.
static void results(const char *folder)
{
    const char *path = text_of("%s/rows.tsv", folder);
    struct row run[2] = { named("stage3"), named("ref_a") };
    struct appender a, b;
    struct stat before, after;

    results_open_file(&a, folder, NULL, 0, "./stage3");
    results_open_file(&b, folder, NULL, 0, "./stage4");
    for (int i = 0; i < 2; i++) {
        run[0] = named("stage3"), run[0].rate = i ? "2" : "1", run[0].time = i ? "12.5" : "11";
        appender_put(&a, run, 2);
        run[0] = named("stage4");
        appender_put(&b, run, 2);
    }
    ok(read_back(path) == 0 && back.n == 8, "every run is kept in the file");
    same_text(back.row[4].command, "./stage3",
              "a run is below its command, whoever wrote before it");
    ok(back.row[4].run == back.row[5].run && back.row[5].run != back.row[6].run,
       "the rows of a run stay together");
    back = (struct table){ 0 };
    results_read(&back, folder);
    ok(back.n == 4, "a later run replaces an earlier one when results are read");
    same_text(back.row[0].rate, "2", "the later run is read");
    same_text(back.row[0].time, "12.5", "a row has the time of its run");
    run[0] = named("stage3"), run[0].rate = "3";
    appender_put(&a, run, 1);
    back = (struct table){ 0 };
    results_read(&back, folder);
    ok(back.n == 3, "references are replaced by those of any later run");
    run[0] = named("stage4");
    appender_put(&a, run, 1);
    back = (struct table){ 0 };
    results_read(&back, folder);
    ok(back.n == 4, "a run without references does not replace the last ones");

    stat(path, &before);
    for (int i = 0; i < 9000; i++)
        appender_put(&a, run, 1);
    stat(path, &after);
    ok(after.st_size > 1 << 20, "the file grows");
    results_open_file(&a, folder, NULL, 0, "./stage3");
    stat(path, &after);
    ok(after.st_size < 2 * before.st_size, "a large file is rewritten without replaced runs");
    run[0].rate = "4";
    appender_put(&b, run, 1);
    ok(read_back(path) == 0 && strcmp(back.row[back.n - 1].rate, "4") == 0,
       "a program that had opened the file before appends to the new one");
    remove(path);
}

// Two files with one run each: a reference at the top of the second file does not belong to the run
// of the first.
static void two_files(const char *path)
{
    struct table t = { 0 };

    write_text(path, HEAD "\n" ROW "stage1\n" ROW "ref_a\n");
    table_read(&t, path);
    write_text(path, HEAD "\n" ROW "ref_a\n" ROW "stage1\n");
    table_read(&t, path);
    ok(t.n == 4 && t.row[0].run == t.row[1].run && t.row[1].run != t.row[2].run &&
           t.row[2].run != t.row[3].run,
       "a run does not continue in another file");
    ok(table_read(&t, "/tmp") == TABLE_NO_FILE, "a folder is not a table");
    remove(path);
}

static void characters(void)
{
    same_text(text_head("ab\xC3\xA9", 3), "ab", "a character of two bytes is not cut");
    same_text(text_head("a\xE2\x82\xAC", 3), "a", "a character of three bytes is not cut");
    same_text(text_head("\xF0\x9F\x98\x80", 3), "", "a character of four bytes is not cut");
    same_text(text_head("a\xE2\x82\xAC"
                        "b",
                        4),
              "a\xE2\x82\xAC", "a complete character is kept");
    same_text(text_head("abc", 2), "ab", "ASCII is cut at any byte");
    same_text(text_head("\x80\x80", 2), "\x80\x80", "bytes that are not UTF-8 are kept");
    ok(characters_of("a\xE2\x82\xAC"
                     "b") == 3,
       "characters are counted, not bytes");
}

static void commands(void)
{
    char *const words[] = { "./stage3", "--tsv", "x", "--bench", "--tsv=y", "--size", "8", NULL };

    same_text(command_text(7, words), "./stage3 --bench --size 8", "the command text omits --tsv");
}

int main(void)
{
    char path[] = "/tmp/unit_table_XXXXXX", folder[] = "/tmp/unit_results_XXXXXX";

    close(mkstemp(path));
    results(mkdtemp(folder));
    rmdir(folder);
    fields();
    files(path);
    odd_files(path);
    appending(path);
    refusing(path);
    torn(path);
    waiting(path);
    two_files(path);
    commands();
    characters();
    return done_testing();
}
