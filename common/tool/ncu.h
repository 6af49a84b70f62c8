// Counters of Nsight Compute (ncu), as rows of the result table.
#ifndef NCU_H
#define NCU_H

// Ends the program if one of the columns "column,column" is not counted by ncu.
void ncu_must_count(const char *columns);

// The metrics of these columns, as ncu --metrics takes them; "" stands for requests, sectors and
// wavefronts. A metric that not every GPU has is included only if the text `known`, the output of
// ncu --query-metrics, has it.
const char *ncu_metrics(const char *columns, const char *known);

// Appends a row to a table: the stage's row in the table `timed`, with the counts in ncu's CSV
// instead of times. Returns 0, or -1 if nothing was counted.
int ncu_append_counts(const char *table, const char *timed, const char *csv, const char *columns);

// Appends the rows of the table `timed`. The column is filled in from the last launches in the CSV,
// one per row; not if csv is NULL. Returns 0, or -1 if there are too few launches.
int ncu_append_rows(const char *table, const char *timed, const char *csv, const char *column);

#endif
