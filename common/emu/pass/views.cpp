// Device code under `#if __CUDA_ARCH__ >= 700`. nvcc compiles a source twice: for the GPU with this
// macro, for the host without it. Here one compilation serves both, so two preprocessed texts
// become one: of the text with the macro, the functions that are only device code; of both texts,
// the functions that are host and device code. All else has to be equal.
#include "views.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "facts.h"

namespace {

// A text: where its functions for the GPU start, and where they end; where the bodies of those
// start that are host code, too.
struct View {
    Source source;
    std::map<size_t, size_t> device, both;

    explicit View(const std::string &text);
    const Token &at(size_t i) const { return source.tokens[i]; }
};

// Is the declaration of token i in a namespace or a class?
bool is_outside_functions(const Source &s, size_t i)
{
    size_t open = s.tokens[i].parent;

    if (is_at_file_scope(s, i))
        return true;
    for (size_t k = statement_start(s, open); is(s, open, "{") && k < open; k++)
        if (is(s, k, "struct") || is(s, k, "class") || is(s, k, "union"))
            return is_outside_functions(s, open);
    return false;
}

View::View(const std::string &text)
{
    read_source(source, text);
    for (size_t i = 1; i < source.tokens.size(); i++) {
        bool is_kernel = is(source, i, "__global__");

        if (!is_kernel && !(is(source, i, "__device__") && space_of(source, i) == Space::function))
            continue;
        size_t name = function_name(source, i), start = statement_start(source, i);
        if (!name || !is_outside_functions(source, i))
            continue;
        size_t body = body_of(source, name), end = body ? at(body).partner : name;
        bool is_host = false;
        while (!body && !is(source, end, ";"))
            end++;
        for (size_t k = start; k < name; k++)
            is_host |= is(source, k, "__host__");
        if (!is_host)
            device[start] = end + 1;
        else if (body)
            both[body] = end;
    }
}

// A pair of different bodies of one function: the token { in each view.
struct Bodies {
    size_t host, device;
};

bool are_equal(const View &h, size_t i, const View &d, size_t j)
{
    size_t n = h.at(i).partner - i;

    if (d.at(j).partner - j != n)
        return false;
    for (size_t k = 0; k < n; k++)
        if (h.at(i + k).text != d.at(j + k).text)
            return false;
    return true;
}

// Walks through both views. Returns the tokens at which code differs that is not device code; 0 if
// there are none.
std::pair<size_t, size_t> compare(const View &h, const View &d, std::vector<Bodies> *differ)
{
    for (size_t i = 1, j = 1;; i++, j++) {
        for (auto f = h.device.find(i); f != h.device.end(); f = h.device.find(i))
            i = f->second;
        for (auto f = d.device.find(j); f != d.device.end(); f = d.device.find(j))
            j = f->second;
        if (h.at(i).kind != d.at(j).kind || h.at(i).text != d.at(j).text)
            return { i, j };
        if (h.at(i).kind == Token::end)
            return { 0, 0 };
        if (h.both.count(i) && d.both.count(j)) {
            if (!are_equal(h, i, d, j))
                differ->push_back({ i, j });
            i = h.at(i).partner;
            j = d.at(j).partner;
        }
    }
}

std::string line_marker(const Source &s, size_t token)
{
    const Token &t = s.tokens[token];
    return "\n# " + std::to_string(t.line) + " \"" + s.files[t.file] + "\"\n";
}

size_t offset(const Source &s, size_t token) { return s.tokens[token].text.data() - s.all.data(); }

// The body of a function that is both, from { to }.
std::string body_text(const Source &s, size_t open)
{
    size_t from = offset(s, open), to = offset(s, s.tokens[open].partner) + 1;
    return line_marker(s, open) + s.all.substr(from, to - from);
}

std::string merged(const View &h, const View &d, const std::vector<Bodies> &differ)
{
    const Source &s = d.source;
    std::string text;
    size_t done = 0;

    for (const Bodies &b : differ) {
        size_t close = d.at(b.device).partner;

        text += s.all.substr(done, offset(s, b.device) - done);
        text += "{ if (!__builtin_is_constant_evaluated() && emu_in_kernel())" +
                body_text(s, b.device) + " else" + body_text(h.source, b.host) +
                line_marker(s, close) + "}";
        done = offset(s, close) + 1;
    }
    return text + s.all.substr(done);
}

std::string output_of(char **command)
{
    std::string text;
    char piece[1 << 16];
    int ends[2], status;

    if (pipe(ends) < 0)
        exit(1);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        execvp(command[0], command);
        _exit(127);
    }
    close(ends[1]);
    for (ssize_t n; (n = read(ends[0], piece, sizeof piece)) > 0;)
        text.append(piece, (size_t)n);
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
        exit(1);   // the command has printed why
    return text;
}

}   // namespace

bool mentions(const Source &s, const char *word, const char *unless)
{
    for (const std::string &name : s.files) {
        std::ifstream file(name);
        std::stringstream text;

        text << file.rdbuf();
        if (text.str().find(word) != std::string::npos &&
            (!unless || text.str().find(unless) == std::string::npos))
            return true;
    }
    return false;
}

std::string both_views(const Source &host, char **command)
{
    std::vector<Bodies> differ;

    if (!*command || !mentions(host, "__CUDA_ARCH__", "EMU_CPU_DEVICE"))
        return host.all;
    View h(host.all), d(output_of(command));
    auto [i, j] = compare(h, d, &differ);
    if (!j)
        return merged(h, d, differ);
    // Where the code starts that only one of them has: the other continues behind it.
    const Token &in_host = h.at(i), &in_device = d.at(j);
    const std::string &file = h.source.files[in_host.file];
    bool is_device = file != d.source.files[in_device.file] || in_device.line < in_host.line;
    fprintf(stderr,
            "%s:%d: note: host code depends on __CUDA_ARCH__ here, so the CPU device does not "
            "define it for this file; CXXFLAGS=-D__CUDA_ARCH__=900 does\n",
            is_device ? d.source.files[in_device.file].c_str() : file.c_str(),
            is_device ? in_device.line : in_host.line);
    return host.all;
}
