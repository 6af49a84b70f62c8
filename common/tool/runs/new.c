// ladder new N NAME FROM: the file of a new stage, from that of another one.
#include "runs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// Lines of a head that a copy keeps, because they are about the code.
static const char *const kept[] = { "// Needs:", "// Computes:", "// Arithmetic:",      "// Type:",
                                    "// Links:", "// Long:",     "// This page is long" };

// The number of a stage, "3" or "stage3"; -1 for anything else.
static int number_in(const char *text)
{
    if (isdigit((unsigned char)text[0]))
        text = text_of("stage%s", text);
    return strlen(text) < 12 ? stage_number(text) : -1;
}

// The file of a stage in this folder, NULL if there is none.
static const char *path_of_stage(int stage) { return stage_file("", text_of("stage%d", stage)); }

static int next_number(void)
{
    struct arguments file = files_like("", "stage[0-9]*_*.cu");
    int next = 0;

    for (int i = 0; i < file.n; i++) {
        int number = atoi(file.word[i] + strlen("stage"));

        next = number >= next ? number + 1 : next;
    }
    return next;
}

void must_be_new_name(const char *command, const char *name)
{
    int bad = !name[0];

    for (const char *at = name; *at; at++)
        bad |= !isalnum((unsigned char)*at) && *at != '_';
    if (bad)
        fail("%s: NAME='%s': expected letters, digits and _, for example NAME=mine", command, name);
}

const char *stage_to_copy(const char *command, const char *from)
{
    int number = number_in(from);
    const char *file = number < 0 ? NULL : path_of_stage(number);

    if (!file && next_number() == 0)
        fail("%s: no stage is in this folder whose code it could start from; expected the folder "
             "of a week with stages",
             command);
    if (!file)
        fail("%s: FROM='%s': expected the number of a stage of this folder, for example FROM=1",
             command, from);
    return file;
}

const char *name_with_blanks(const char *name)
{
    char *text = text_of("%s", name);

    for (char *at = text; *at; at++)
        *at = *at == '_' ? ' ' : *at;
    return text;
}

// The head of the new stage. *text, the text of the other file, moves past its head.
static const char *new_head(const char **text, int number, const char *name, int from)
{
    const char *head =
        text_of("// stage%d: %s\n//\n"
                "// What limits stage %d: name the line of its report that shows it.\n"
                "// What changes here: one idea, in one or two sentences.\n"
                "//\n"
                "// Look at: the counter or the rate that the change affects.\n"
                "// make stage%d && ./stage%d        make diff A=%d B=%d\n"
                "// From: stage%d\n",
                number, name_with_blanks(name), from, number, number, from, number, from);

    while (strncmp(*text, "//", 2) == 0) {
        size_t n = strcspn(*text, "\n");

        n += (*text)[n] == '\n';
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
            if (strncmp(*text, kept[i], strlen(kept[i])) == 0)
                head = text_of("%s%.*s", head, (int)n, *text);
        *text += n;
    }
    return head;
}

enum status command_new(struct arguments a)
{
    const char *path, *source, *text, *head;
    int number, from;

    no_options(&a);
    if (a.n != 3)
        fail("new: expected N NAME FROM: make new N=15 NAME=mine FROM=3");
    number = number_in(a.word[0]);
    if (number < 0)
        fail("new: N='%s': expected the number of the new stage, for example N=%d", a.word[0],
             next_number());
    must_be_new_name("new", a.word[1]);
    if (path_of_stage(number))
        fail("new: N=%d: %s has this number; expected another one, for example N=%d", number,
             path_of_stage(number), next_number());
    source = stage_to_copy("new", a.word[2]);
    from = number_in(a.word[2]);
    text = read_text(source);
    head = new_head(&text, number, a.word[1], from);
    path = text_of("stage%d_%s.cu", number, a.word[1]);
    write_if_changed(path, text_of("%s%s", head, text));
    printf("%s, from %s; next: edit it, then make stage%d && ./stage%d\n", path, source, number,
           number);
    return STATUS_OK;
}
