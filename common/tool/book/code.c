// ladder code [--changes | --new] [--of STAGE] [--bare] FILE [TEXT [LINES]]: prints lines of
// a program, for a generated block of a page. FILE is a stage of the folder, or the path of any
// program or header.
//
//   ladder code stage3                          its kernel
//   ladder code stage3 __syncthreads            the statement that begins in the first such line
//   ladder code stage3 'float v[' 4             four lines
//   ladder code --changes stage3                the lines that it changes: - is old, + is new
//   ladder code --new stage3                    the same without the old lines
//   ladder code --changes stage3 __global__     the kernel, with its changed lines marked
//   ladder code --changes --of stage1 stage3    the lines that it changes of stage 1
#include "book.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The path of a stage of this folder, or of a file. Ends the program if there is none.
static const char *source_of(const char *word)
{
    const char *path = strpbrk(word, "./") ? word : stage_file(".", word);

    if (!path || access(path, R_OK) != 0)
        fail("code: '%s': expected a stage of this folder, for example stage1, or the path of a "
             "program",
             word);
    return path;
}

// The path of the stage that FILE changes, which is in the same folder.
static const char *changed_by(const char *word, const char *path)
{
    const char *slash = strrchr(path, '/'),
               *stage = text_of("%.*s", (int)strcspn(stem_of(path), "_"), stem_of(path));
    const char *folder = slash ? text_of("%.*s", (int)(slash - path), path) : ".", *before;

    if (stage_number(stage) < 0)
        fail("code: %s is not a stage; --of STAGE names what it changes", word);
    before = stage_before(folder, message_stages(folder, "core"), stage);
    if (!before[0])
        fail("code: there is no stage before %s; --of STAGE names what it changes", word);
    return stage_file(folder, before);
}

enum status command_code(struct arguments a)
{
    const char *of = take_option(&a, "--of"), *code;
    int changes = take_flag(&a, "--changes"), new = take_flag(&a, "--new");
    struct excerpt e = { .before = "", .signs = changes ? "+-" : new ? "+" : "" };

    e.comments = !take_flag(&a, "--bare");
    no_options(&a);
    if (a.n < 1 || a.n > 3 || changes + new > 1 || (of && !e.signs[0]))
        fail("code: expected [--changes | --new] [--of STAGE] [--bare] FILE [TEXT [LINES]]");
    e.file = source_of(a.word[0]);
    if (e.signs[0])
        e.before = of ? source_of(of) : changed_by(a.word[0], e.file);
    e.from = a.n > 1 ? a.word[1] : NULL;
    e.lines = a.n > 2 ? atoi(a.word[2]) : 0;
    if (a.n > 2 && e.lines < 1)
        fail("code: %s %s '%s': expected a number of lines, for example 8", a.word[0], a.word[1],
             a.word[2]);
    code = excerpt_of(&e);
    if (!code && e.from)
        fail("code: %s has no line with '%s'", e.file, e.from);
    if (!code)
        fail("code: %s changes no line of %s", e.file, e.before);
    fputs(code, stdout);
    return STATUS_OK;
}
