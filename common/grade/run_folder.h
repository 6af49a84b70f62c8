// The folder of a run, build/grading.XXXXXX, in which submissions are compiled and run.
#ifndef RUN_FOLDER_H
#define RUN_FOLDER_H

// Removes what killed runs left, makes the folder of this run, and returns its path. It is removed
// when this program ends, unless a signal kills it.
const char *make_run_folder(void);

#endif
