// From the file of a submission to a program: the copy, the checks of what it may contain, and the
// commands of build/DEVICE/grading, each confined and with limits.
#define _GNU_SOURCE   // strsep
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade.h"
#include "limited.h"
#include "grade_limits.h"
#include "program.h"
#include "source.h"
#include "runs.h"

enum { SOURCE_BYTES = 1 << 20 };   // of a submission

char *copy_path(const struct submission *s, const struct bench *b, const char *file)
{
    return text_of("%s/%s/%s", s->folder, b->name, file);
}

// --- reasons

static const char copy_name[] = "submission.cu";

// The text with the submission's name for the copy's, which may follow the folder.
static const char *with_name(const struct submission *s, const char *text)
{
    const char *at = strstr(text, copy_name), *start = at;

    if (!at)
        return text;
    while (start > text && start[-1] != ' ' && start[-1] != '\'')
        start--;
    return text_of("%.*s%s%s", (int)(start - text), text, s->name, at + strlen(copy_name));
}

void set_outcome(const struct submission *s, struct result *r, enum outcome outcome,
                 const char *reason)
{
    snprintf(r->reason, REASON, "%s", with_name(s, reason));
    on_one_line(whole_characters(r->reason));
    r->outcome = outcome;
}

// The first line of a log that contains `word`, or else its first line.
static const char *line_of_log(const char *log, const char *word)
{
    char *text = access(log, R_OK) == 0 ? read_text(log) : "", *at = strstr(text, word);

    while (at && at > text && at[-1] != '\n')
        at--;
    if (!at)
        at = text;
    return text_of("%.*s", (int)strcspn(at, "\n"), at);
}

// The first line of a log, or NULL.
static const char *first_of_log(const char *log)
{
    const char *line = line_of_log(log, "");

    return line[0] ? line : NULL;
}

// --- the copy

static void must_make(const char *folder)
{
    if (mkdir(folder, 0700) < 0 && errno != EEXIST)
        fail("%s: %s", folder, strerror(errno));
}

static void write_copy(const struct submission *s, const struct bench *b, const char *text,
                       size_t n)
{
    const char *path = copy_path(s, b, copy_name);
    int file;

    must_make(s->folder);
    must_make(copy_path(s, b, ""));
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 || write(file, text, n) != (ssize_t)n || close(file) < 0)
        fail("%s: cannot be written: %s", path, strerror(errno));
}

// Why the submission's file is not read: only a regular file is opened, because opening a device
// may have an effect. NULL: it is one.
static const char *why_unread(const char *path)
{
    struct stat is;

    if (lstat(path, &is) < 0)
        return strerror(errno);
    return S_ISREG(is.st_mode)       ? NULL
         : S_ISLNK(is.st_mode)       ? "a symbolic link; expected a file"
         : S_ISDIR(is.st_mode)       ? "a folder; expected a file"
         : is.st_size > SOURCE_BYTES ? "too large"
                                     : "a device or pipe; expected a file";
}

int submission_copy(const struct submission *s, const struct bench *b, struct result *r)
{
    const char *wrong = why_unread(s->path);
    int file = wrong ? -1 : open(s->path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    char *text = must_malloc(SOURCE_BYTES + 1);
    struct stat is;
    ssize_t n = file >= 0 && fstat(file, &is) == 0 && S_ISREG(is.st_mode)
                  ? read(file, text, SOURCE_BYTES)
                  : -1;

    if (!wrong && n < 0)
        wrong = strerror(errno);
    else if (!wrong && n == SOURCE_BYTES)
        wrong = text_of("larger than %d bytes", SOURCE_BYTES);
    else if (!wrong && memchr(text, '\0', n))
        wrong = "not a text";
    if (file >= 0)
        close(file);
    if (!wrong)
        write_copy(s, b, text, n);
    else
        set_outcome(s, r, UNREADABLE, wrong);
    free(text);
    return !wrong;
}

// --- commands

// The rest of the line "KEY: ..." of build/DEVICE/grading; NULL if there is none.
static const char *command_of(const struct bench *b, const char *key)
{
    for (const char *line = b->commands; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, key, strlen(key)) == 0 && line[strlen(key)] == ':')
            return text_of("%.*s", (int)strcspn(line, "\n") - (int)strlen(key) - 1,
                           line + strlen(key) + 1);
    return NULL;
}

// The words of a command, in which $1 stands for the folder of the submission.
static struct arguments step_words(const char *list, const char *folder)
{
    struct arguments a = { 0, must_calloc(strlen(list) + 1, sizeof *a.word) };
    const char *word;

    while ((word = next_word(&list))) {
        const char *at = strstr(word, "$1");

        a.word[a.n++] =
            at ? text_of("%.*s%s%s", (int)(at - word), word, folder, at + 2) : (char *)word;
    }
    return a;
}

// What a compiler may read: its own files, the course's headers, and the parts of the program.
static struct arguments readable_paths(const struct bench *b)
{
    struct arguments headers = files_like("", "*.h");
    const char *all = text_of("%s %s build/%s ../build/%s ../build/source_pass",
                              command_of(b, "read"), command_of(b, "headers"), b->name, b->name);

    for (int i = 0; i < headers.n; i++)
        all = with_word(all, headers.word[i]);
    return step_words(all, "");
}

// `before`: the log of the preprocessor. A quote that it misses is the reason of what follows.
static const char *why_failed(int status, const char *log, const char *before)
{
    static const char missing[] = "missing terminating", thrown[] = "exception handling disabled";
    const char *quote = line_of_log(before, missing);
    const char *undefined = strstr(line_of_log(log, "undefined reference"), "undefined reference");
    const char *twice = strstr(line_of_log(log, "multiple definition"), "multiple definition");
    const char *line = undefined              ? undefined
                     : twice                  ? twice
                     : strstr(quote, missing) ? quote
                                              : line_of_log(log, "error:");

    if (status < 0)
        return text_of("the compiler takes more than %d s", BUILD_WALL);
    if (strstr(line_of_log(log, "CPU time limit"), "CPU time limit") || WTERMSIG(status) == SIGXCPU)
        return text_of("the compiler takes more than %d s", BUILD_SECONDS);
    if (strstr(line, thrown))
        return text_of("%.*sthe CPU device has no exceptions; print a message and call exit",
                       (int)(strstr(line, thrown) - line), line);
    if (undefined)
        return text_of("%s: the file does not define it, or with other parameters", line);
    return line[0] ? line
                   : text_of("the compiler failed without a message, perhaps for lack of memory "
                             "(%d MB)",
                             BUILD_MB);
}

// Whether a failure says nothing about the submission: the compiler was killed, as by a system that
// lacks memory, or could not be started.
static int is_outside(int status, const char *log)
{
    static const char killed[] = "Killed signal terminated", full[] = "No space left on device";

    return (status >= 0 && WIFSIGNALED(status) &&
            has_word("1 2 9 15", text_of("%d", WTERMSIG(status)))) ||   // HUP INT KILL TERM
           (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == LIMITED_UNSTARTED) ||
           strstr(line_of_log(log, killed), killed) || strstr(line_of_log(log, full), full);
}

// Runs one command. Returns 1 if it succeeded.
static int run_step(const struct grading *g, const struct submission *s, const struct bench *b,
                    const char *key, struct result *r)
{
    const char *folder = copy_path(s, b, ""), *log = copy_path(s, b, text_of("%s.log", key));
    struct arguments may_read = readable_paths(b),
                     words = step_words(command_of(b, key),
                                        text_of("%.*s", (int)strlen(folder) - 1, folder));
    const struct limits l = { .seconds = BUILD_WALL,
                              .cpu_seconds = BUILD_SECONDS,
                              .mb = strcmp(b->name, "cpu") == 0 && strcmp(key, "nvcc") != 0
                                      ? BUILD_MB
                                      : 0,
                              .file_mb = BUILD_FILE_MB,
                              .readable = g->confined ? (const char *const *)may_read.word : NULL,
                              .folder = folder };
    int status = run_limited(words, log, &l);

    if (status == 0)
        return 1;
    if (is_outside(status, log))
        set_outcome(s, r, NOT_GRADED, text_of("the compiler failed: %s", line_of_log(log, "rror")));
    else
        set_outcome(s, r, UNCOMPILED,
                    text_of("%s%s", strcmp(key, "nvcc") == 0 ? "nvcc: " : "",
                            why_failed(status, log, copy_path(s, b, "preprocess.log"))));
    return 0;
}

static int refuse_if(const struct submission *s, struct result *r, const char *wrong)
{
    if (wrong && strstr(wrong, ": undefined reference"))
        set_outcome(s, r, UNCOMPILED, wrong);
    else if (wrong)
        set_outcome(s, r, REFUSED, text_of("not allowed: %s", wrong));
    return wrong != NULL;
}

// --- all steps

// What the object of the CPU device, or of a GPU, may use.
static const char *wrong_symbols(const struct submission *s, const struct bench *b,
                                 const char *list)
{
    return submission_symbols(copy_path(s, b, "submission.o"), list,
                              read_text(copy_path(s, b, copy_name)));
}

static int build_for_cpu(const struct grading *g, const struct submission *s, struct result *r)
{
    const struct bench *b = &g->cpu;

    if (refuse_if(s, r, submission_source(read_text(copy_path(s, b, copy_name)))) ||
        !run_step(g, s, b, "preprocess", r) ||
        refuse_if(s, r, submission_attributes(read_text(copy_path(s, b, "submission.i")))) ||
        !run_step(g, s, b, "rewrite", r) || !run_step(g, s, b, "compile", r) ||
        refuse_if(s, r, wrong_symbols(s, b, "symbols")) || !run_step(g, s, b, "values", r) ||
        refuse_if(s, r, first_of_log(copy_path(s, b, "values.log"))))
        return 0;
    write_if_changed(copy_path(s, b, "names"), guarded_names());
    return run_step(g, s, b, "combine", r) && run_step(g, s, b, "isolate", r) &&
           run_step(g, s, b, "link", r);
}

int submission_build(const struct grading *g, const struct submission *s, const struct bench *b,
                     struct result *r)
{
    if (b == &g->cpu)
        return build_for_cpu(g, s, r);
    return run_step(g, s, b, "compile", r) && !refuse_if(s, r, wrong_symbols(s, b, "gpu")) &&
           run_step(g, s, b, "link", r);
}

int submission_is_cuda(const struct grading *g, const struct submission *s, struct result *r)
{
    return !command_of(&g->cpu, "nvcc") || run_step(g, s, &g->cpu, "nvcc", r);
}

static int remove_one(const char *path, const struct stat *is, int type, struct FTW *at)
{
    (void)is, (void)type, (void)at;
    return remove(path), 0;
}

void remove_folder(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }
