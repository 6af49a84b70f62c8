// Paths of the running program's week and of the recorded runs.
#ifndef FOLDERS_H
#define FOLDERS_H

#include <limits.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The files of a folder, "" for the current one, whose names match a pattern of fnmatch() with
// alternatives such as "@(ref_*|stage*).tsv"; sorted by name, stage2 before stage10. The folder's
// name is taken literally. Allocated and kept until the program ends.
struct files {
    size_t n;
    char **path;
};
struct files files_in(const char *folder, const char *pattern);

// The recorded tables plots/data/DEVICE/TABLE whose names match these patterns: *.*.tsv is that of
// result tables, WEEK.PART.tsv. `weeks` is the folder that holds the weeks.
struct files recorded_files(const char *weeks, const char *device, const char *table);

// The folder in plots/data of the device whose recorded runs of a week are shown by default: that
// of the H200 or, if the week is not recorded there, of the first other GPU.
const char *default_recorded(const char *weeks, const char *week);

// The folder of the running program: <week>/build/<device>. Returns 0, or -1 with errno.
int program_folder(char path[PATH_MAX]);

// The week's folder, three levels up from the program. Returns 0, or -1 with errno.
int week_folder(char path[PATH_MAX]);

// plots/data/RECORDED/WEEK.PART.tsv, where `weeks` is the folder that holds the weeks.
void recorded_path(char path[PATH_MAX], const char *weeks, const char *recorded, const char *week,
                   const char *part);

// A device's name as the name of a folder: "NVIDIA_H200"; "cpu" for the CPU device. The text is
// allocated.
char *device_slug(const char *device);

// When a file was changed, in seconds since 1970; 0: there is none.
double file_time(const char *path);

// The newest folder of a GPU's results in a week's folder: "<week>/results/NVIDIA_H200". Returns 0,
// or -1 if there is none.
int newest_results(char path[PATH_MAX], const char *week);

#ifdef __cplusplus
}
#endif

#endif
