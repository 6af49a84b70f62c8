#define _GNU_SOURCE   // strsep
#include "runs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// The metrics for each column; several metrics for one column are added up. Of ncu's metrics, these
// agree exactly with the number that theory predicts. An asynchronous copy from global to shared
// memory (LDGSTS) is a global load and a shared store, as on the CPU device.
static const struct counter {
    enum column column;
    const char *metric;
    int optional;   // not every GPU has it
    int rate;       // a rate is the same in every launch, and not added up
} counters[] = {
    { COLUMN_ld_requests, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 0, 0 },
    { COLUMN_ld_sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 0, 0 },
    { COLUMN_st_requests, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 0, 0 },
    { COLUMN_st_sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 0, 0 },
    { COLUMN_shared_requests, "smsp__sass_inst_executed_op_shared_ld.sum", 0, 0 },
    { COLUMN_shared_requests, "smsp__sass_inst_executed_op_shared_st.sum", 0, 0 },
    { COLUMN_shared_requests, "sm__sass_inst_executed_op_ldgsts.sum", 1, 0 },
    { COLUMN_shared_requests, "smsp__inst_executed_op_shared_atom.sum", 1, 0 },
    { COLUMN_shared_wavefronts, "memory_l1_wavefronts_shared", 0, 0 },
    { COLUMN_tex_requests, "sm__sass_inst_executed_op_texture.sum", 1, 0 },
    { COLUMN_l2_read_bytes, "l1tex__m_xbar2l1tex_read_bytes.sum", 0, 0 },
    { COLUMN_instructions, "smsp__inst_executed.sum", 0, 0 },
    { COLUMN_issue_per_cycle, "smsp__inst_executed.sum.peak_sustained", 0, 1 },
    { COLUMN_cycles_per_second, "smsp__cycles_elapsed.avg.per_second", 0, 1 },
    { COLUMN_dram_read_bytes, "dram__bytes_read.sum", 0, 0 },
    { COLUMN_dram_write_bytes, "dram__bytes_write.sum", 0, 0 },
    { COLUMN_dram_bytes, "dram__bytes_read.sum", 0, 0 },
};
enum { COUNTERS_HERE = sizeof counters / sizeof *counters, BY_DEFAULT = 11 };

// Whether a counter is requested by "column,column". "" requests the first BY_DEFAULT: requests
// and, because the tensor memory accelerator (TMA) loads without requests, bytes read from L2.
static int is_asked(int i, const char *columns)
{
    char *list = text_of(",%s,", columns), *name = text_of(",%s,", column_name[counters[i].column]);

    return columns[0] ? strstr(list, name) != NULL : i < BY_DEFAULT;
}

void ncu_must_count(const char *columns)
{
    char *list = columns[0] ? text_of("%s", columns) : NULL, *name;

    while ((name = strsep(&list, ","))) {
        int i = 0;

        while (i < COUNTERS_HERE && strcmp(column_name[counters[i].column], name) != 0)
            i++;
        if (i == COUNTERS_HERE)
            fail("runs: ncu=%s: '%s' is not a column that ncu counts", columns, name);
    }
}

const char *ncu_metrics(const char *columns, const char *known)
{
    const char *list = "";

    for (int i = 0; i < COUNTERS_HERE; i++) {
        const char *metric = counters[i].metric;
        char *base = text_of("%.*s", (int)strcspn(metric, "."), metric);

        if (is_asked(i, columns) && (!counters[i].optional || strstr(known, base)))
            list = text_of("%s%s%s", list, list[0] ? "," : "", metric);
    }
    return list;
}

// --- ncu's CSV

int ncu_split(char *line, char *field[], int most)
{
    int n = 0, inside = 0;
    char *to = line;

    field[n++] = to;
    for (; *line && *line != '\n' && *line != '\r'; line++)
        if (*line == '"')
            inside = !inside;
        else if (*line == ',' && !inside && n < most) {
            *to++ = '\0';
            field[n++] = to;
        } else
            *to++ = *line;
    *to = '\0';
    return n;
}

struct launch_values {
    double sum[COUNTERS_HERE];   // over all launches; a rate: of the last launch
    double *value;               // the first requested counter, per launch
    int counted[COUNTERS_HERE], launches;
};

static void take_value(struct launch_values *v, const char *columns, const char *metric,
                       const char *text)
{
    char digits[64];
    int n = 0;
    double value;

    for (; *text && n < 63; text++)
        if (*text != ',')
            digits[n++] = *text;
    digits[n] = '\0';
    if (!isdigit((unsigned char)digits[0]))   // "n/a"
        return;
    value = strtod(digits, NULL);
    for (int i = 0, first = 1; i < COUNTERS_HERE; i++) {
        if (!is_asked(i, columns))
            continue;
        if (strcmp(counters[i].metric, metric) == 0) {
            v->sum[i] = counters[i].rate ? value : v->sum[i] + value;
            v->counted[i] = 1;
            if (first) {
                v->value = grown(v->value, v->launches, sizeof *v->value);
                v->value[v->launches++] = value;
            }
        }
        first = 0;
    }
}

static struct launch_values values_of(const char *path, const char *columns)
{
    struct launch_values v = { .launches = 0 };
    char *text = read_text(path), *line, *field[64];
    int name = -1, value = -1;

    while ((line = strsep(&text, "\n"))) {
        int n;

        if (line[0] != '"')
            continue;
        n = ncu_split(line, field, 64);
        if (name < 0) {
            for (int i = 0; i < n; i++) {
                name = strcmp(field[i], "Metric Name") == 0 ? i : name;
                value = strcmp(field[i], "Metric Value") == 0 ? i : value;
            }
        } else if (n > name && n > value)
            take_value(&v, columns, field[name], field[value]);
    }
    return v;
}

// --- rows

// The row of the stage, with counts instead of times.
static int counted_row(const struct table *timed, const struct launch_values *v, struct row *row)
{
    static const enum column times[] = { COLUMN_reps,   COLUMN_median_us, COLUMN_p10_us,
                                         COLUMN_p90_us, COLUMN_min_us,    COLUMN_graph_us,
                                         COLUMN_rate,   COLUMN_sm_mhz,    COLUMN_noisy };
    int found = 0, counted = 0;

    for (size_t r = 0; r < timed->n && !found; r++) {
        *row = timed->row[r];
        found = !row_is_reference(row);
    }
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        row->cell[times[i]] = "";
    row->mode = "count";
    for (int i = 0; i < COUNTERS_HERE; i++) {
        double sum = 0;

        for (int j = 0; j < COUNTERS_HERE; j++)
            sum += counters[j].column == counters[i].column ? v->sum[j] : 0;
        counted |= v->counted[i];
        if (v->counted[i])
            row_set_column(row, counters[i].column, "%.0f", sum);
    }
    return found && counted;
}

// Appends rows to a table to which the programs append, too.
static void append(const struct table *notes, const struct row *row, size_t n, const char *path)
{
    struct appender to;

    appender_open(&to, path, notes->note, notes->n_notes, text_of("ncu %s", row->command));
    appender_put(&to, row, n);
}

int ncu_append_counts(const char *table, const char *timed, const char *csv, const char *columns)
{
    struct table t = read_table(timed);
    struct launch_values v = values_of(csv, columns);
    struct row row;

    if (!counted_row(&t, &v, &row))
        return -1;
    append(&t, &row, 1, table);
    return 0;
}

int ncu_append_rows(const char *table, const char *timed, const char *csv, const char *column)
{
    struct table t = read_table(timed);
    int at = column_of_name(column);

    if (csv) {
        struct launch_values v = values_of(csv, column);
        int first = v.launches - (int)t.n;   // earlier launches may fill arrays

        if (first < 0 || at < 0)
            return -1;
        for (size_t r = 0; r < t.n; r++)
            row_set_column(&t.row[r], at, "%.0f", v.value[first + r]);
    }
    append(&t, t.row, t.n, table);
    return 0;
}
