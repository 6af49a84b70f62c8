// A text file per submission, FEEDBACK/FILE.txt, with what `make grade` prints for a student's own
// file. The folders and the starts of the names are those of the submissions, so that Moodle and
// Canvas find the student when the files are uploaded. The first line says which exercise and file
// were graded: only a file that begins so is replaced.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "class.h"
#include "visible.h"

static const char beginning[] = "make grade: ";

static const char *feedback_path(const struct feedback *f, const struct entry *e)
{
    const char *slash = strchr(e->name, '/');
    char *file = file_name_of(slash ? slash + 1 : e->name);

    if (!slash)
        return text_of("%s/%s.txt", f->folder, file);
    return text_of("%s/%s/%s.txt", f->folder,
                   file_name_of(text_of("%.*s", (int)(slash - e->name), e->name)), file);
}

static char *first_line(const char *path)
{
    struct stat is;
    char *text = lstat(path, &is) == 0 && S_ISREG(is.st_mode) ? read_text(path) : text_of("%s", "");

    text[strcspn(text, "\n")] = '\0';
    return text;
}

static void must_be_replaceable(const struct feedback *f, const struct entry *e)
{
    const char *path = feedback_path(f, e);
    struct stat is;

    if (lstat(path, &is) < 0)
        return;
    if (!S_ISREG(is.st_mode) || strncmp(first_line(path), beginning, strlen(beginning)) != 0)
        fail("FEEDBACK=%s: %s is not feedback of make grade, and is kept; expected another folder",
             f->folder, path);
}

static int make_own_folder(const char *path)
{
    struct stat is;

    if (mkdir(path, 0777) == 0)
        return 1;
    if (errno != EEXIST || lstat(path, &is) < 0)
        return 0;
    errno = ENOTDIR;
    return S_ISDIR(is.st_mode);
}

void feedback_check(const struct feedback *f, const struct class *c)
{
    struct stat is;

    if (!f->folder)
        return;
    if (mkdir(f->folder, 0777) < 0 && errno != EEXIST)
        fail("FEEDBACK=%s: %s", f->folder, strerror(errno));
    if (stat(f->folder, &is) < 0 || !S_ISDIR(is.st_mode) || access(f->folder, W_OK) < 0)
        fail("FEEDBACK=%s: %s", f->folder, strerror(S_ISDIR(is.st_mode) ? errno : ENOTDIR));
    for (int i = 0; i < c->n; i++)
        must_be_replaceable(f, &c->entry[i]);
}

static const char *head_of_feedback(const struct feedback *f, const char *content)
{
    return text_of("%s%s, content %s", beginning, f->of, content);
}

int feedback_is_there(const struct feedback *f, const struct entry *e, const char *content)
{
    return !f->folder || strcmp(first_line(feedback_path(f, e)), head_of_feedback(f, content)) == 0;
}

int feedback_write(const struct feedback *f, const struct grading *g, const struct entry *e,
                   const struct result *r)
{
    const char *path = feedback_path(f, e);
    char *text, *name = visible_name(e->name), *folder = text_of("%s", path);
    size_t length;
    FILE *memory;

    *strrchr(folder, '/') = '\0';
    if (strchr(e->name, '/') && !make_own_folder(folder))
        return 0;
    must_be_replaceable(f, e);   // again: it may be new
    memory = open_memstream(&text, &length);
    fprintf(memory, "%s\n\n", head_of_feedback(f, r && r->content[0] ? r->content : "-"));
    if (r)
        print_details(memory, g, name, r);
    else
        fprintf(memory, "%s: %s: %s\n", name, outcome_word(UNREADABLE), visible_text(e->why));
    if (fclose(memory) != 0)
        die(STATUS_ERROR, "out of memory");
    return write_file(path, text);
}
