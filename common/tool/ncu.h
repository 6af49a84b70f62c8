// What Nsight Compute counts, as rows of the result table.
#ifndef NCU_H
#define NCU_H

// The metrics of these columns, "" for requests, sectors and wavefronts, as ncu --metrics takes
// them: those in the text `known`, which ncu --query-metrics printed, or that every GPU has.
// Ends the program if one of the columns "column,column" is not filled by ncu.
void ncu_must_count(const char *columns);

const char *ncu_metrics(const char *columns, const char *known);

// Appends a row: that of the stage in the table `timed`, with what ncu counted, in its CSV, instead
// of times. Returns 0, or -1 if nothing was counted.
int ncu_append_counts(const char *table, const char *timed, const char *csv, const char *columns);

// Appends the rows of the table `timed`, the column filled in from the last launches in the CSV,
// one per row; as they are, if csv is NULL. Returns 0, or -1 if there are too few launches.
int ncu_append_rows(const char *table, const char *timed, const char *csv, const char *column);

#endif
