// Fills in the output of commands between marks in a page, which name the commands:
//
//   <!-- begin: ladder markdown counts 01_transpose -->
//   <!-- end -->
//
// A command runs in the page's folder, with `ladder` on its path. Lines of ``` next to the marks
// are kept.
#define _GNU_SOURCE   // strsep, pipe2
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool.h"

// Executes the command in the page's folder.
static _Noreturn void become(const char *page, const char *command, int out)
{
    const char *slash = strrchr(page, '/');
    int null = open("/dev/null", O_RDONLY);

    if (!slash || chdir(text_of("%.*s", (int)(slash + 1 - page), page)) == 0) {
        dup2(null, STDIN_FILENO);
        dup2(out, STDOUT_FILENO);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    }
    warn("%s: /bin/sh: %s", page, strerror(errno));
    _exit(STATUS_USAGE);
}

// What a command prints, which runs in the page's folder. Ends the program if it fails.
char *command_output(const char *page, const char *command)
{
    char *text, buffer[4096];
    size_t length;
    ssize_t n;
    FILE *out = open_memstream(&text, &length);
    int ends[2], ended = -1, child;

    if (pipe2(ends, O_CLOEXEC) < 0 || (child = fork()) < 0)
        fail("%s: '%s': %s", page, command, strerror(errno));
    if (child == 0)
        become(page, command, ends[1]);
    close(ends[1]);
    while ((n = read(ends[0], buffer, sizeof buffer)) > 0)
        fwrite(buffer, 1, n, out);
    close(ends[0]);
    fclose(out);
    waitpid(child, &ended, 0);
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
        if (system(text_of("diff -u -- %s %s >&2", shell_word(a.word[i]),
                           shell_word(text_of("%s.new", a.word[i])))) != 0)
            status = STATUS_WRONG;
        remove(text_of("%s.new", a.word[i]));
    }
    return status;
}
