// ladder exercise new N NAME FROM: the master of a new exercise, from the code of a stage: a
// working example, in which the task is to write the stage's first kernel.
#define _GNU_SOURCE   // open_memstream
#include "book.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "arguments.h"
#include "exercise.h"
#include "runs.h"
#include "source.h"

static const char command[] = "new-exercise";

// --- the number

// The master of exercise N in a folder, or NULL. *next is set to a number after all others.
static const char *master_of(const char *folder, int number, int *next)
{
    struct arguments files = exercise_masters(folder);
    const char *found = NULL;

    for (int i = 0; i < files.n; i++) {
        int n = exercise_file_number(files.word[i]);

        found = n == number ? files.word[i] : found;
        *next = n >= *next ? n + 1 : *next;
    }
    return found;
}

// A private exercise has no number of the week's own: in the folder of the week, both would be
// exercise8.
static void must_be_free(int number)
{
    int next = 1;
    const char *own = master_of(exercise_folder(), number, &next),
               *public = master_of("exercises", number, &next);

    if (own || public)
        fail("%s: N=%d: %s has this number, and both would be exercise%d; expected another number, "
             "for example N=%d",
             command, number, own ? own : public, number, next);
}

// --- the text

// The code must be that of a submission, which is graded on the CPU device.
static void must_be_gradable(const struct head *h, const char *from)
{
    const char *wrong;

    wrong = h->needs[0]      ? "a line '// Needs:'"
          : h->computes[0]   ? "a line '// Computes:'"
          : h->arithmetic[0] ? "a line '// Arithmetic:'"
          : h->links[0]      ? "a line '// Links:'"
                             : submission_source(read_text(h->file));
    if (wrong)
        fail("%s: FROM='%s': %s: an exercise cannot have this: %s; expected another stage, for "
             "example FROM=1",
             command, from, h->file, wrong);
}

static void note_a_stage(void *names_a_stage, const struct term *t)
{
    *(int *)names_a_stage |= t->stage[0] != '\0';
}

// A claim of the head that is about the stage alone and the CPU device, or NULL.
static const char *own_claim(const struct head *h)
{
    for (int i = 0; i < h->n_claims; i++) {
        struct claim claim;
        const char *error = claim_parse(h->claim[i], &claim);
        int names_a_stage = 0;

        if (error)
            fail("%s: // Expect %s: %s", h->file, h->claim[i], error);
        claim_terms(&claim, note_a_stage, &names_a_stage);
        if (claim.on_cpu && !names_a_stage)
            return h->claim[i];
    }
    return NULL;
}

static void put_head(FILE *out, int number, const char *name, const struct head *h)
{
    const char *claim = own_claim(h);

    fprintf(out,
            "// exercise%d: %s: the idea in one line\n"
            "//\n"
            "// Task: what is given, what to write, how to see that it is right. This example\n"
            "// asks for the kernel of %s.\n"
            "//\n"
            "// Hint: a question that leads to the idea\n"
            "// Hint: the idea\n"
            "// Hint: nearly the answer\n"
            "//\n",
            number, name_with_blanks(name), h->key);
    if (claim)
        fprintf(out, "// Points 5: correct\n// Points %d %s\n", CPU_POINTS - 5, claim);
    else
        fprintf(out, "// Points %d: correct\n", CPU_POINTS);
}

// Writes the code, with the body of the first kernel as the solution.
static void put_code(FILE *out, const char *text, const char *file)
{
    enum { BEFORE, IN_SIGNATURE, IN_BODY, AFTER } at = BEFORE;

    while (strncmp(text, "//", 2) == 0)   // its head
        text += strcspn(text, "\n") + 1;
    while (*text) {
        const char *line = text_of("%.*s", (int)strcspn(text, "\n"), text);

        text += strlen(line);
        text += *text == '\n';
        if (at == BEFORE && strncmp(line, "//", 2) != 0 && strstr(line, "__global__"))
            at = IN_SIGNATURE;
        if (at == IN_BODY && strcmp(line, "}") == 0) {
            fputs("#else\n    // TODO: what the task asks for\n#endif\n", out);
            at = AFTER;
        }
        fprintf(out, "%s\n", line);
        if (at == IN_SIGNATURE && strcmp(line, "{") == 0) {
            fputs("#ifdef SOLUTION\n", out);
            at = IN_BODY;
        }
    }
    if (at != AFTER)
        fail("%s: %s: no kernel is found; expected __global__, then { and } at the start of a line",
             command, file);
}

// --- the file

static void make_folder(void)
{
    const char *folder = exercise_folder();

    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        fail("EXERCISES=%s: %s", folder, strerror(errno));
}

enum status exercise_new(struct arguments a)
{
    const char *file, *path;
    struct head h;
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    int number;

    no_options(&a);
    if (a.n != 3)
        fail("exercise new: expected N NAME FROM: make new-exercise N=8 NAME=mine FROM=1");
    number = (int)argument_number("N", a.word[0], 1, MOST_NUMBER);
    must_be_new_name(command, a.word[1]);
    must_be_free(number);
    file = stage_to_copy(command, a.word[2]);
    h = head_of(file);
    must_be_gradable(&h, a.word[2]);
    put_head(out, number, a.word[1], &h);
    put_code(out, read_text(file), file);
    fclose(out);
    make_folder();
    path = text_of("%s/exercise%d_%s.cu", exercise_folder(), number, a.word[1]);
    exercise_write_new(path, text);
    printf("%s, from %s; next: edit it, then make exercise N=%d%s\n", path, file, number,
           exercise_option());
    return STATUS_OK;
}
