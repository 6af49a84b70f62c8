// Exercises of a week. A master, exercises/exerciseN_NAME.cu, holds task and solution:
//
//   #ifdef SOLUTION
//       lines of the solution
//   #else
//       lines of the task
//   #endif
//
// These three directives are alone on their lines, and not nested. All other lines belong to both.
// The head has three "// Hint:" paragraphs, which are in neither, "// Points" lines, and at most
// two "// Check" lines: sizes at which grading checks the result, in addition to the week's.
//
// It may ask a question, with choices from a), and the answer, which the task has not:
//
//   // Question: Which two accesses race?
//   // a) the first choice
//   // b) the second choice
//   // Answer: b
//   // Points 1: answer
//
// Private exercises are in another folder, which LADDER_EXERCISES of the environment names. Their
// state is kept apart.
#ifndef EXERCISE_H
#define EXERCISE_H

#include "claim.h"
#include "text.h"

enum { HINTS = 3, CPU_POINTS = 9, ALL_POINTS = 10, MOST_NUMBER = 999 };

struct exercise {
    int number;
    const char *path;   // of the master: "exercises/exercise1_columns.cu"
    struct head head;
    struct claim claim[HEAD_CLAIMS];   // parsed, in the order of head.claim[]
    // The "// Check" lines, parsed; without one: the size of the first count, with five SMs. The
    // options of check i are claim_options(&e->check[i], e->check[i].variant): "--size 3x40000
    // --sms 5".
    struct claim check[HEAD_CHECKS];
    int n_checks;
    const char *hint[HINTS];
    int choices;                   // of the question; 0: there is none
    char answer;                   // 'b'
    const char *task, *solution;   // the texts of the two files
};

// The exercises of exercise_folder(), in order; one with number 0 follows the last. Ends the
// program if a master is malformed, or if there is none in a private folder.
struct exercise *exercises_read(void);

// The exercise with the number that the user gave as N. Ends the program if there is none.
struct exercise exercise_wanted(const char *number);

// The files of exercise N in this folder; make exercise writes one.
struct arguments exercise_files(int number);

// The choice in the "// Answer:" line of a text: 'b'; 0: there is no such line; '?': it has another
// text, or the text has several such lines.
char answer_in(const char *text);

// "a, b, c or d"
const char *choices_of(const struct exercise *);

// Writes a file that does not exist yet. Ends the program if it does, or cannot be written.
void exercise_write_new(const char *path, const char *text);

// exercise_folder.c: the folder of the masters: "exercises", or the absolute path of another one.
const char *exercise_folder(void);
int exercise_is_private(void);

// What to add to a make command for the same folder: " EXERCISES=folder", quoted for the shell; ""
// for the folder of the week.
const char *exercise_option(void);

// The masters of a folder, in the order of their numbers; none if it cannot be read. Ends the
// program if a file is badly named.
struct arguments exercise_masters(const char *folder);
int exercise_file_number(const char *path);

// exercise_state.c: how exercise N of exercise_folder() was graded, and how many of its hints were
// printed; and stores this. The state: "solved"; "solved, last 3" or "started, last 3" if the last
// grading earned only 3 points; "" before the first one.
const char *exercise_state(int number);
void exercise_set_graded(int number, int solved, int points);
int exercise_hints(int number);
void exercise_set_hints(int number, int hints);

// exercise_new.c: ladder exercise new N NAME FROM: writes a master to edit.
enum status exercise_new(struct arguments);

// common/grade/grade.c: grades files, as command_exercise() describes.
enum status exercise_grade(struct arguments);

#endif
