// Fills in the output of commands between marks in a page, which name the commands:
//
//   <!-- begin: ladder markdown counts 01_transpose -->
//   <!-- end -->
//
// A command runs in the page's folder, with `ladder` on its path. Lines of ``` next to the marks
// are kept.
#define _GNU_SOURCE   // strsep, popen
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tool.h"

char *command_output(const char *page, const char *command)
{
    const char *slash = strrchr(page, '/');
    char *text, buffer[4096];
    size_t length, n;
    FILE *out = open_memstream(&text, &length), *from;
    int ended;

    setenv("LADDER_PAGE_COMMAND", command, 1);
    from = popen(text_of("cd '%.*s' && exec sh -c \"$LADDER_PAGE_COMMAND\" </dev/null",
                         slash ? (int)(slash - page) : 1, slash ? page : "."),
                 "r");
    if (!from)
        fail("%s: '%s': cannot be run", page, command);
    while ((n = fread(buffer, 1, sizeof buffer, from)) > 0)
        fwrite(buffer, 1, n, out);
    ended = pclose(from);
    fclose(out);
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        fail("%s: '%s' fails", page, command);
    return text;
}

// The text of the page, with the output of its commands filled in.
static char *filled(const char *page)
{
    char *rest = read_text(page), *line, *output = NULL, *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    int inside = 0;

    while ((line = strsep(&rest, "\n"))) {
        int mark = 0;

        if (strncmp(line, BLOCK_BEGIN, strlen(BLOCK_BEGIN)) == 0) {
            char *command = line + strlen(BLOCK_BEGIN), *end = strstr(command, " -->");

            output = command_output(
                page, text_of("%.*s", end ? (int)(end - command) : (int)strlen(command), command));
            inside = mark = 1;
        } else if (inside && strncmp(line, "```", 3) == 0) {
            fprintf(out, "%s\n%s", line, inside == 1 ? output : "");
            inside++;
            continue;
        } else if (strcmp(line, BLOCK_END) == 0) {
            fputs(inside == 1 ? output : "", out);
            inside = 0, mark = 1;
        }
        if (!inside || mark)
            fprintf(out, "%s%s", line, rest ? "\n" : "");
    }
    if (inside)
        fail("%s: a command without %s", page, BLOCK_END);
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
        if (system(text_of("diff -u '%s' '%s.new' >&2", a.word[i], a.word[i])) != 0)
            status = STATUS_WRONG;
        remove(text_of("%s.new", a.word[i]));
    }
    return status;
}
