#include "syntax.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "run.h"

namespace {

// CUDA's words as nothing, and a launch as an expression: k + emu_configure(g, b) * emu_pass(a).
const char without_cuda[] = R"(# 1 "<CUDA>"
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __managed__
#define __forceinline__ inline
#define __noinline__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __align__(n)
struct emu_any {};
template <class... A> emu_any emu_configure(A &&...);
template <class... A> emu_any emu_pass(A &&...);
template <class T> emu_any operator+(T &&, emu_any);
emu_any operator*(emu_any, emu_any);
)";

// The source with launches as such expressions.
std::string without_launches(const Source &s)
{
    std::string text = without_cuda;

    for (size_t i = 1; i < s.tokens.size(); i++) {
        const Token &t = s.tokens[i];
        bool closes = t.text == ">" && s.tokens[i + 1].text == ">" && s.tokens[i + 2].text == ">";

        text += t.blank;
        if (t.text == "<<<")
            text += "+emu_configure(";
        else if (closes && s.tokens[i + 3].text == "(") {
            text += ")*emu_pass";
            i += 2;
        } else
            text += t.text;
    }
    return text;
}

// Is this an error of syntax, and not of a name or type that the without_cuda does not declare?
bool is_of_syntax(const std::string &line)
{
    for (const char *words : { ": error: expected ", ": error: stray ", "missing terminating",
                               "not allowed here", "before numeric constant" })
        if (line.find(words) != line.npos)
            return true;
    return false;
}

// The command as one that checks the syntax of FILE.
std::vector<char *> check_of(char **command, std::string &file)
{
    static char syntax_only[] = "-fsyntax-only", no_warnings[] = "-w", all[] = "-fmax-errors=0";
    std::vector<char *> words;

    for (; *command; command++) {
        if (!strcmp(*command, "-include") && command[1])
            command++;
        else if (command[1] && strcmp(*command, "-E"))   // and not the source, which is last
            words.push_back(*command);
    }
    words.insert(words.end(), { syntax_only, no_warnings, all, file.data(), nullptr });
    return words;
}

}   // namespace

bool print_syntax_error(const Source &s, char **command)
{
    char path[] = "/tmp/source_pass.XXXXXX";
    int file = *command ? mkstemp(path) : -1;
    std::string text = without_launches(s), name = path, messages;
    bool is_found = false;

    if (file < 0)
        return false;
    bool is_written = write(file, text.data(), text.size()) == (ssize_t)text.size();
    close(file);
    if (is_written)
        run_command(check_of(command, name), &messages);
    unlink(path);
    std::istringstream lines(messages);
    for (std::string line; std::getline(lines, line);) {
        bool is_next = line.find(": error: ") != line.npos || line.find(": warning: ") != line.npos;
        if (is_found && is_next)
            break;
        is_found |= is_of_syntax(line);
        // A line of the text that g++ read may have the expressions for launches.
        if (is_found && line.find("emu_") == line.npos)
            fprintf(stderr, "%s\n", line.c_str());
    }
    return is_found;
}
