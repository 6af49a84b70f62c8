// Links: common/table/tsv.c common/table/row.c common/harness/die.c
#include "tsv.h"

#include <stdlib.h>
#include <unistd.h>

#include "die.h"
#include "tap.h"

// Nothing here has to do with CUDA.
const char *cudaGetErrorString(cudaError_t error) { return error ? "an error" : ""; }
const char *cudaGetErrorName(cudaError_t error) { return error ? "error" : ""; }

static struct row seen[8];
static int n_seen;

static int keep(const struct row *row, void *context)
{
    int *most = context;

    seen[n_seen++] = *row;
    return most && n_seen == *most;
}

static int read_back(const char *path, int *most)
{
    n_seen = 0;
    return tsv_read(path, keep, most);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    fputs(text, file);
    fclose(file);
}

static void fields(void)
{
    struct row row = { 0 }, other;
    double value = -1;

    row_set(&row, "stage", "stage%d", 3);
    row_set(&row, "rate", "%.6g", 4036.5);
    row_set(&row, "kernel", "a\tb\nc");
    same(row_get(&row, "kernel"), "a b c", "no tab or line end gets into a field");
    ok(row_number(&row, "rate", &value) && value == 4036.5, "a number");
    ok(!row_number(&row, "median_us", &value) && value == 4036.5, "an empty field is no number");
    ok(!row_number(&row, "stage", &value), "nor is a word");
    ok(column_index("no_such") == -1, "no such column");
    other = row;
    row_set(&other, "rate", "1");
    ok(row_same_key(&row, &other), "another rate is the same run");
    row_set(&other, "knobs", "TILE=16");
    ok(!row_same_key(&row, &other), "other knobs are another");
    other = row;
    row_set(&other, "variant", "memory-only");
    ok(!row_same_key(&row, &other), "other options are another");
}

static void files(const char *path)
{
    struct note note = { .device = "NVIDIA H200", .date = "2026-11-21", .command = "./stage3" };
    struct row row = { 0 };
    FILE *file = fopen(path, "w");
    int one = 1;

    row_set(&row, "week", "01_transpose");
    row_set(&row, "stage", "stage3");
    row_set(&row, "date", "2026-11-21");
    tsv_write_head(file, &note);
    tsv_write_row(file, &row);
    row_set(&row, "stage", "stage4");
    tsv_write_row(file, &row);
    fclose(file);
    ok(read_back(path, NULL) == 2, "two rows come back");
    ok(memcmp(&seen[1], &row, sizeof row) == 0, "as they were");
    ok(read_back(path, &one) == 1 && n_seen == 1, "until the reader has enough");

    write_text(path, "# a note\nweek\tcolour\trate\tstage\r\nw1\tred\t12\tstage7\r\n\nw1\tblue\n");
    ok(read_back(path, NULL) == 2, "columns in another order, one unknown, some missing");
    same(row_get(&seen[0], "stage"), "stage7", "are found by name");
    same(row_get(&seen[0], "rate"), "12", "each of them");
    same(row_get(&seen[1], "stage"), "", "a short row is empty at its end");
    write_text(path, "week\tstage\nw\ta\n# more\nweek\trate\tstage\nw\t5\tb\n");
    ok(read_back(path, NULL) == 2 && strcmp(row_get(&seen[1], "stage"), "b") == 0,
       "a second header holds for the rows below it");
    write_text(path, "name\tage\nme\t3\n");
    ok(read_back(path, NULL) == TSV_BAD, "a table of something else");
    write_text(path, "");
    ok(read_back(path, NULL) == TSV_BAD, "an empty file");
    remove(path);
    ok(read_back(path, NULL) == TSV_NO_FILE, "no file");
}

static void appending(const char *path)
{
    struct note note = { .device = "NVIDIA H200", .command = "./stage3" };
    struct row row = { 0 };
    char line[4096];
    int heads = 0, notes = 0;
    FILE *file;

    row_set(&row, "week", "01_transpose");
    for (int i = 0; i < 2; i++) {
        tsv_append_open(path, &note);
        tsv_append(&row);
        tsv_append(&row);
    }
    file = fopen(path, "r");
    while (fgets(line, sizeof line, file)) {
        heads += strncmp(line, "week\t", 5) == 0;
        notes += line[0] == '#';
    }
    fclose(file);
    ok(heads == 1, "one header, however often rows are appended");
    ok(notes == 2, "and the notes once");
    ok(read_back(path, NULL) == 4, "all rows are there");
    remove(path);
}

int main(void)
{
    char path[] = "/tmp/unit_tsv_XXXXXX";

    close(mkstemp(path));
    fields();
    files(path);
    appending(path);
    return done_testing();
}
