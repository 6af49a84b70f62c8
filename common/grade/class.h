// Grading of a class: the files of a folder, the table of points, a gradebook's CSV, and feedback.
#ifndef CLASS_H
#define CLASS_H

#include "grade.h"

// --- class.c: whose files are in the folder

// A file, or an empty folder.
struct entry {
    const char *path;       // to open it
    const char *name;       // its path below the folder of the class
    const char *field;      // the name as a cell of the table
    const char *original;   // the name that the student gave it
    const char *student;    // from the name of the folder or file
    const char *id;         // the same; "" if there is none
    const char *owner;      // equal for all files of a student
    const char *why;        // why it cannot be graded; NULL: it is a submission
    int beside;             // another file of this student is graded, and this one has no points
    int order;
};

struct class {
    struct entry *entry;   // in natural order of their names; a student's submission comes first
    int n;
    const char *skipped;   // what operating systems left: ".DS_Store, __MACOSX"; "" if nothing
};

// Reads a folder and one level of folders in it. Exercise `number` decides which of several .cu
// files of a student is the submission. Ends the program if the folder cannot be read.
struct class class_read(const char *folder, int number);

// --- feedback.c: a text file per submission

struct feedback {
    const char *folder;   // NULL: none
    const char *of;       // the exercise and its hash, for the first line
};

// Makes the folder. Ends the program if a file in it that would be replaced is not feedback.
void feedback_check(const struct feedback *, const struct class *);

// Whether there is feedback for this content, or none is wanted.
int feedback_is_there(const struct feedback *, const struct entry *, const char *content);

// Returns 0 with errno if it cannot be written. `r` as for points_row().
int feedback_write(const struct feedback *, const struct grading *, const struct entry *,
                   const struct result *r);

// --- points.c: the table

enum cell {
    CELL_FILE,
    CELL_POINTS,
    CELL_MAXIMUM,
    CELL_STATUS,
    CELL_REASON,
    CELL_STUDENT,
    CELL_ID,
    CELL_CONTENT,
    CELLS
};

// A row; all cells are NULL if it is not known.
struct cells {
    const char *cell[CELLS];
};

// The row of an entry. `r` is NULL for one that cannot be graded.
struct cells points_row(const struct grading *, const struct entry *, const struct result *r);
int points_row_is_grade(const struct cells *);

// Where the rows go: a file OUT, or a stream. A file gets its name when the table is complete.
// Until then rows are appended to OUT.partial, in the order in which they are known; OUT.partial is
// locked, so that it has one writer. A stream (the terminal, a pipe, a device) gets rows in their
// order.
struct points_file {
    const char *out;        // OUT as it was given; NULL: stdout
    const char *path;       // of the file; NULL: a stream
    const char *partial;    // PATH.partial
    const char *identity;   // the lines of the head that a run shares with one that it continues
    FILE *file;             // of the partial table, or the stream
    int descriptor;         // of the partial table; 0: a stream
    struct cells *row;      // one per entry
    int n;
    int is_new;    // of the partial table: it has no rows yet
    int written;   // stream: the first ones, which were written
    int kept;      // rows of an earlier run
};

// Opens it. Ends the program if another run writes to OUT.partial, or if that is of another
// exercise or was made with other settings.
struct points_file points_open(const struct grading *, const char *out, int n);

// Takes over the rows of an earlier table whose files have not changed and have feedback: of
// `resume`, of OUT if it has rows that say "not graded", and of OUT.partial.
void points_take_over(struct points_file *, const struct class *, const struct feedback *,
                      const char *resume);

// Stores row i, and writes it. Returns 0 with errno if it cannot be written.
int points_add(struct points_file *, int i, const struct cells *);

// Writes what is left. `complete`: there is a row for every entry. Returns where the rows are, or
// NULL with errno.
const char *points_close(struct points_file *, int complete);

// Removes a partial table without rows, if the program ends before there are any.
void points_abandon(struct points_file *);

// For messages: "OUT=FILE"; and where finished rows are, if the table is not complete.
const char *points_name(const struct points_file *);
const char *points_kept_in(const struct points_file *);

// Rows that are not known or say "not graded".
int points_missing(const struct points_file *);

// --- gradebook.c: CSV that Moodle and Canvas import

struct gradebook {
    const char *path;         // CSV; NULL: none is written
    const char *format;       // "moodle" or "canvas"
    const char *assignment;   // the title of the column that Canvas imports
};

// Ends the program if the options are not complete.
void gradebook_check(const struct gradebook *);

// Writes one line per student. Returns the number of students without an identifier, which have no
// line; -1 with errno if it cannot be written.
int gradebook_write(const struct gradebook *, const struct class *, const struct points_file *);

// --- grade_class.c

struct grading_of_class {
    const struct grading *g;
    const char *out, *resume;   // OUT, RESUME
    struct class class;
    struct points_file points;
    struct feedback feedback;
    struct gradebook gradebook;
    int *entry;          // of each submission in the queue
    const char *wrong;   // why a row or feedback could not be written
};

// Takes the options about a class; `from` is FROM or NULL.
struct grading_of_class take_class(struct arguments *, const char *from);

// Takes an option with a path, which must not be empty; `name` is its variable of make.
const char *take_path(struct arguments *, const char *option, const char *name);

// Reads the folder, and makes sure that what is to be written can be.
void open_class(struct grading_of_class *, const struct grading *, const char *from);

// Returns STATUS_ERROR if a submission is not graded.
enum status grade_class(struct grading_of_class *);

// --- paths.c

// Ends the program if `path`, given as `option`, is the folder of the class or in it.
void must_be_outside(const char *option, const char *path, const char *folder);

// Writes a whole file: a regular one gets its name when it is complete. Returns 0 with errno.
int write_file(const char *path, const char *text);

#endif
