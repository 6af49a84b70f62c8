#include "run.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

std::string contents_of(const char *path)
{
    std::ifstream file(path);
    std::stringstream text;

    if (!(text << file.rdbuf())) {
        fprintf(stderr, "source_pass: cannot read %s\n", path);
        exit(1);
    }
    return text.str();
}

int run_command(const std::vector<char *> &words, std::string *messages)
{
    int ends[2], status = 0;
    char text[4096];

    if (pipe(ends))
        return 1;
    fflush(stderr);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp(words[0], words.data());
        fprintf(stderr, "%s: %s\n", words[0], strerror(errno));
        _exit(127);
    }
    close(ends[1]);
    for (ssize_t n; child > 0 && (n = read(ends[0], text, sizeof text)) > 0;)
        messages->append(text, (size_t)n);
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
