// Grading: what its parts share. Every submission is copied into a separate folder, compiled for
// the CPU device by a confined compiler (build.c), and judged by a grader, which runs it in a
// confined process (judge.c). With a GPU, the points for it are measured afterwards. A worker
// (workers.c) does that for one submission, and grade_class.c for all submissions of a folder.
#ifndef GRADE_H
#define GRADE_H

#include "exercise.h"

// UNDECIDED becomes SOLVED or PARTIAL at the end of the grading. NOT_GRADED: the grading failed,
// not the submission.
enum outcome {
    UNDECIDED,
    SOLVED,
    PARTIAL,
    WRONG,
    STOPPED,
    REFUSED,
    UNCOMPILED,
    UNREADABLE,
    NOT_GRADED,
    OUTCOMES
};

enum { REASON = 400, SAYS = REASON, CONTENT = 16 };

// In memory that all workers share.
struct result {
    enum outcome outcome;
    char reason[REASON];         // one line, unless it is solved
    int finished;                // set last: the grading came to its end
    char content[CONTENT + 1];   // content_of() the copy; "" if there is none
    struct line {
        int earned, judged;
        char says[SAYS];
    } correct, answer, claim[HEAD_CLAIMS];
};

// A device on which submissions are graded.
struct bench {
    const char *name;       // "cpu"
    const char *prefix;     // of programs that need the device: RUN of a GPU
    const char *commands;   // the text of build/NAME/grading
};

struct grading {
    const struct exercise *e;
    struct bench cpu, gpu;
    int on_gpu;           // grade on the GPU, too
    int seconds;          // of CPU time
    int confined;         // 0: CONFINE=no
    const char *folder;   // of this run
    // The table of the solution's check, and its type; NULL and "" while that is made.
    const char *expected, *type;
};

struct submission {
    const char *path;     // of the file
    const char *name;     // for reports
    const char *folder;   // of its copies: FOLDER/cpu/submission.cu
};

// Is the result wrong, or did the program stop before it had one? Then counts have no points.
int is_incorrect(const struct result *);

// The path of a file in the submission's folder for this device.
char *copy_path(const struct submission *, const struct bench *, const char *file);

// Stores an outcome with its reason, in which the name of the submission replaces that of its copy.
void set_outcome(const struct submission *, struct result *, enum outcome, const char *reason);

// Copies the submission, and compiles it. Returns 0 if it goes no further; the reason is in *r.
int submission_copy(const struct submission *, const struct bench *, struct result *r);
int submission_build(const struct grading *, const struct submission *, const struct bench *,
                     struct result *r);

// Where nvcc is installed: whether it compiles the submission. If not, the reason is in *r.
int submission_is_cuda(const struct grading *, const struct submission *, struct result *r);

// Judges the program: on the CPU device for correctness, and for the claims about this device.
void submission_judge(const struct grading *, const struct submission *, const struct bench *,
                      struct result *r);

// Judges the answer to the exercise's question, of a submission whose program ran.
void submission_answer(const struct grading *, const struct submission *, struct result *r);

// A claim for the GPU whose program could not be built.
void submission_unmeasured(const struct grading *, const char *why, struct result *r);

// Removes a folder and what it contains.
void remove_folder(const char *path);

// grade.c: the word for an outcome in tables; the points that are earned, and the most there are.
const char *outcome_word(enum outcome);
int points_earned(const struct grading *, const struct result *);
int points_most(const struct grading *);

// The submission in this file; `number` is that of its folder in the run's.
struct submission submission_of(const struct grading *, const char *path, int number);

// Prints the outcome, a line per Points line, and the sum.
void print_details(FILE *, const struct grading *, const char *name, const struct result *);

#endif
