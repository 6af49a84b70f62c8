// Fills in the output of commands between marks in a page, which name the commands:
//
//   <!-- begin: ladder markdown counts 01_transpose -->
//   <!-- end -->
//
// A command runs in the page's folder, with `ladder` on its path. Lines of ``` next to the marks
// are kept.
#include "book.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *command_output(const char *page, const char *command)
{
    const char *slash = strrchr(page, '/');
    int failed;
    char *text = output_of(
        text_of("cd %s && {\n%s\n} </dev/null",
                slash ? shell_word(text_of("%.*s", (int)(slash - page), page)) : ".", command),
        &failed);

    if (failed)
        fail("%s: '%s' fails", page, command);
    return text;
}

// The text of the page, with the output of its commands filled in.
static char *filled(const char *path)
{
    struct page page = { 0 };
    const char *output = "";
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    int fences = 0;

    page_read(&page, path);
    for (int i = 0; i < page.n; i++) {
        const struct page_line *line = &page.line[i];
        int generated = line->kind == GENERATED, begins = generated && line->begins,
            fence = generated && strncmp(line->text, PAGE_CODE, strlen(PAGE_CODE)) == 0;

        if (begins) {
            const char *command = line->text + strlen(PAGE_BLOCK), *end = strstr(command, " -->");

            output = command_output(path,
                                    end ? text_of("%.*s", (int)(end - command), command) : command);
            fences = 0;
        } else if (generated && line->ends && !fences)
            fputs(output, out);
        if (!generated || begins || line->ends || fence)
            fprintf(out, "%s%s", line->text, i + 1 < page.n ? "\n" : "");
        if (fence && !fences++)
            fputs(output, out);
    }
    fclose(out);
    return text;
}

// ladder readme [-n] PAGE...: fills in pages. -n changes nothing and prints the differences;
// STATUS_WRONG if there are any.
enum status command_readme(struct arguments a)
{
    int dry = take_flag(&a, "-n");
    enum status status = STATUS_OK;

    no_options(&a);
    for (int i = 0; i < a.n; i++) {
        char *text = filled(a.word[i]);

        if (strcmp(text, read_text(a.word[i])) == 0)
            continue;
        if (!dry) {
            write_if_changed(a.word[i], text);
            puts(a.word[i]);
            continue;
        }
        write_if_changed(text_of("%s.new", a.word[i]), text);
        if (system(text_of("diff -u -- %s %s >&2", shell_word(a.word[i]),
                           shell_word(text_of("%s.new", a.word[i])))) != 0)
            status = STATUS_WRONG;
        remove(text_of("%s.new", a.word[i]));
    }
    return status;
}
