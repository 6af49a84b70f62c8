// Exercises of a week. A master, exercises/exerciseN_NAME.cu, holds task and solution:
//
//   #ifdef SOLUTION
//       lines of the solution
//   #else
//       lines of the task
//   #endif
//
// These three directives are alone on their lines, and not nested. All other lines belong to both.
// The head has three "// Hint:" paragraphs, which are in neither, and "// Points" lines.
#ifndef EXERCISE_H
#define EXERCISE_H

#include "claim.h"
#include "head.h"
#include "tool.h"

enum { HINTS = 3, CPU_POINTS = 9, ALL_POINTS = 10 };

struct exercise {
    int number;
    const char *path;   // of the master: "exercises/exercise1_columns.cu"
    struct head head;
    struct claim claim[HEAD_CLAIMS];   // parsed, in the order of head.claim[]
    const char *hint[HINTS];
    const char *task, *solution;   // the texts of the two files
};

// The exercises of the week in this folder, in order; one with number 0 follows the last. Ends the
// program if a master is malformed.
struct exercise *exercises_read(void);

// The exercise with the number that the user gave as N. Ends the program if there is none.
struct exercise exercise_wanted(const char *number);

// Whether exercise N was graded as solved; and stores that it was.
int exercise_is_solved(int number);
void exercise_set_solved(int number);

// The files of exercise N in this folder; make exercise writes one.
struct arguments exercise_files(int number);

// exercise_grade.c: grades files, as command_exercise() describes.
enum status exercise_grade(struct arguments);

#endif
