// How long parts of the file `runs` took: lines "WEEK PART SECONDS" in a text file, in results/
// of a week for this machine, and in plots/data/NAME for a recorded run.
#ifndef DURATIONS_H
#define DURATIONS_H

// The file of this machine's durations in a week's folder, whose results are in this folder.
const char *durations_here(const char *results);

// The file of a recorded run: plots/data/NAME/durations.txt.
const char *durations_recorded(const char *name);

// Seconds of a part; NaN if the file does not have it or does not exist.
double durations_get(const char *path, const char *week, const char *part);

// Stores the seconds of a part. The file's folder exists.
void durations_put(const char *path, const char *week, const char *part, double seconds);

#endif
