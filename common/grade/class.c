// The folder of a class, as Moodle and Canvas make it, or with files of any names.
//
// Moodle, "Download all submissions", a folder per student or, by its setting, files with the same
// start of their names (mod/assign/feedback/file/importziplib.php of Moodle splits them the same):
//
//   FULL NAME_PARTICIPANT_assignsubmission_file_/exercise1.cu
//
// Canvas, "Download Submissions" (lib/content_zipper.rb of Canvas makes the names):
//
//   nameinletters_USER_ATTACHMENT_exercise1.cu, or nameinletters_LATE_USER_ATTACHMENT_exercise1.cu
#define _GNU_SOURCE   // strverscmp
#include "class.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "visible.h"

// --- whose file

// The length of "_DIGITS_" at the start of a text, with the last "_"; 0 if it does not begin so.
static size_t number_between(const char *text)
{
    size_t digits = text[0] == '_' ? strspn(text + 1, "0123456789") : 0;

    return digits && text[1 + digits] == '_' ? digits + 2 : 0;
}

static const char *without_late(const char *name)
{
    size_t n = strlen(name), late = strlen("_LATE");

    return n > late && strcmp(name + n - late, "_LATE") == 0
             ? text_of("%.*s", (int)(n - late), name)
             : name;
}

// Takes student and identifier from a name of Moodle or Canvas. Returns what follows them, or NULL.
static const char *take_student(struct entry *e, const char *name)
{
    static const char moodle[] = "assignsubmission_";

    for (const char *at = name; (at = strchr(at, '_')); at++) {
        size_t n = number_between(at), next = n ? number_between(at + n - 1) : 0;
        const char *rest = at + n;

        if (!n || at == name)
            continue;
        if (strncmp(rest, moodle, strlen(moodle)) == 0) {
            rest += strlen(moodle);
            rest += strcspn(rest, "_");
        } else if (next)
            rest += next - 2;
        else
            continue;
        e->student = text_of("%.*s", (int)(at - name), name);
        e->student = next ? without_late(e->student) : e->student;
        e->id = text_of("%.*s", (int)n - 2, at + 1);
        return rest + (*rest == '_');
    }
    return NULL;
}

// `folder` is the name of the student's folder; NULL: the file is not in one.
static void set_student(struct entry *e, const char *folder, const char *file)
{
    const char *rest = take_student(e, folder ? folder : file);

    e->original = folder || !rest ? file : rest;
    if (!rest)
        e->student = folder ? folder : text_of("%.*s", (int)strcspn(file, "."), file);
    e->owner = e->id[0] ? text_of("id %s", e->id) : folder ? text_of("in %s", folder) : e->name;
}

// --- what can be graded

static int ends_in_cu(const char *name)
{
    size_t n = strlen(name);

    return n > 3 && strcasecmp(name + n - 3, ".cu") == 0;
}

// NULL: it can. Only a regular file is opened, because opening a device may have an effect.
static const char *why_not(const char *name, const struct stat *is)
{
    if (S_ISLNK(is->st_mode))
        return "a symbolic link; expected a file";
    if (S_ISDIR(is->st_mode))
        return "a folder in a student's folder; expected a file";
    if (!S_ISREG(is->st_mode))
        return "a device or pipe; expected a file";
    if (name[0] == '.')
        return "a hidden file";
    if (!ends_in_cu(name))
        return "not a .cu file";
    return strcmp(name + strlen(name) - 3, ".cu") == 0 ? NULL : "expected the ending .cu";
}

// --- the folders

struct class_reading {
    struct class class;
    const char *root;
};

static void add_entry(struct class_reading *r, const char *folder, const char *file,
                      const char *why)
{
    struct class *c = &r->class;
    struct entry e = { .student = "", .id = "", .why = why, .order = c->n };

    e.name = folder && file ? text_of("%s/%s", folder, file) : folder ? folder : file;
    e.path = text_of("%s/%s", r->root, e.name);
    e.field = field_of_name(e.name);
    set_student(&e, folder, file ? file : "");
    c->entry = grown(c->entry, c->n, sizeof *c->entry);
    c->entry[c->n++] = e;
}

static int is_leftover(struct class *c, const char *name)
{
    if (strcmp(name, ".DS_Store") != 0 && strcmp(name, "Thumbs.db") != 0 &&
        strcmp(name, "__MACOSX") != 0)
        return 0;
    if (!strstr(c->skipped, name))
        c->skipped = joined(c->skipped, ", ", name);
    return 1;
}

static int is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

// Reads the class's folder or, with a name, that of a student. Returns -1 if it cannot be read.
static int read_folder(struct class_reading *r, const char *folder)
{
    const char *path = folder ? text_of("%s/%s", r->root, folder) : r->root;
    struct dirent **names;
    int n = scandir(path, &names, is_entry, versionsort);

    for (int i = 0; i < n; i++) {
        const char *name = text_of("%s", names[i]->d_name);
        int before = r->class.n;
        struct stat is;

        if (is_leftover(&r->class, name))
            continue;
        if (lstat(text_of("%s/%s", path, name), &is) < 0)
            add_entry(r, folder, name, text_of("%s", strerror(errno)));
        else if (folder || !S_ISDIR(is.st_mode))
            add_entry(r, folder, name, why_not(name, &is));
        else if (read_folder(r, name) < 0)
            add_entry(r, name, NULL, text_of("%s", strerror(errno)));
        else if (r->class.n == before)
            add_entry(r, name, NULL, "an empty folder; expected a .cu file");
    }
    return n;
}

// --- which file of a student is the submission

// The first entry of each student decides the place of all of them.
static int by_owner(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int owners = strcmp(x->owner, y->owner);

    return owners ? owners : x->order - y->order;
}

static int by_order(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    return x->order != y->order   ? x->order - y->order
         : x->beside != y->beside ? x->beside - y->beside
                                  : strverscmp(x->name, y->name);
}

// The submission among n files of a student, or NULL: the only .cu file, or the only one with the
// name that make exercise gives it.
static struct entry *submission_among(struct entry *e, int n, int number)
{
    const char *wanted = text_of("exercise%d_", number);
    struct entry *only = NULL, *named = NULL;
    int all = 0, named_so = 0;

    for (int i = 0; i < n; i++) {
        if (e[i].why)
            continue;
        all++;
        only = &e[i];
        if (strncmp(e[i].original, wanted, strlen(wanted)) == 0) {
            named_so++;
            named = &e[i];
        }
    }
    return all == 1 ? only : named_so == 1 ? named : NULL;
}

static void choose(struct entry *e, int n, int number)
{
    struct entry *chosen = submission_among(e, n, number);

    for (int i = 0; i < n; i++) {
        e[i].order = e[0].order;
        if (&e[i] == chosen)
            continue;
        e[i].beside = chosen != NULL;
        if (!e[i].why && chosen)
            e[i].why = text_of("a second .cu file; %s is graded", chosen->original);
        else if (!e[i].why)
            e[i].why = text_of("several .cu files of one student; expected one, or one that is "
                               "named exercise%d_NAME.cu",
                               number);
    }
}

struct class class_read(const char *folder, int number)
{
    struct class_reading r = { { .skipped = "" }, folder };
    struct class *c = &r.class;

    if (read_folder(&r, NULL) < 0)
        fail("FROM=%s: %s; expected a folder with .cu files", folder, strerror(errno));
    if (!c->n)
        fail("FROM=%s: none is there; expected a folder with .cu files", folder);
    qsort(c->entry, c->n, sizeof *c->entry, by_owner);
    for (int i = 0, n; i < c->n; i += n) {
        for (n = 1; i + n < c->n && strcmp(c->entry[i].owner, c->entry[i + n].owner) == 0;)
            n++;
        choose(&c->entry[i], n, number);
    }
    qsort(c->entry, c->n, sizeof *c->entry, by_order);
    return *c;
}
