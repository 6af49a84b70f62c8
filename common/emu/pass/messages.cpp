#include "messages.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include "lex.h"

namespace {

struct Message {
    std::vector<std::string> context;   // lines before it: functions, included files
    std::string file, kind, text;       // kind: error, warning, note
    int line = 0, column = 0;
    std::vector<std::string> behind;   // the line of the source, with marks
};

// Quotes in ASCII: g++ writes others in a locale of UTF-8.
std::string plain_quotes(std::string text)
{
    for (const char *quote : { "\xe2\x80\x98", "\xe2\x80\x99" })
        for (size_t at = 0; (at = text.find(quote, at)) != text.npos;)
            text.replace(at, 3, "'");
    return text;
}

bool names_device_header(const std::string &line)
{
    return line.find("/emu/include/") != line.npos;
}

// Reads "FILE:LINE:COLUMN: KIND: TEXT".
bool read_head(const std::string &line, Message *m)
{
    for (const char *kind : { ": fatal error: ", ": error: ", ": warning: ", ": note: " }) {
        size_t end = line.find(kind);
        size_t column = end == line.npos || !end ? line.npos : line.rfind(':', end - 1);
        size_t row = column == line.npos || !column ? line.npos : line.rfind(':', column - 1);

        if (row == line.npos || !isdigit((unsigned char)line[column + 1]))
            continue;
        m->file = line.substr(0, row);
        m->line = atoi(line.c_str() + row + 1);
        m->column = atoi(line.c_str() + column + 1);
        m->kind = std::string(kind + 2, std::string(kind).size() - 4);
        m->text = line.substr(end + std::string(kind).size());
        return true;
    }
    return false;
}

// Is this a line of the source below a message, as "   12 |  text"?
bool is_excerpt(const std::string &line)
{
    size_t at = line.find_first_not_of(" 0123456789+");

    return at != line.npos && at > 0 && line[at] == '|' && line[0] == ' ';
}

// The messages of a text. What follows the last one, as a summary, is a message without a kind.
std::vector<Message> read_messages(const std::string &text)
{
    std::vector<Message> all;
    Message next;
    std::istringstream lines(text);

    for (std::string line; std::getline(lines, line);) {
        if (is_excerpt(line) && !all.empty() && next.context.empty())
            all.back().behind.push_back(line);
        else if (read_head(line, &next)) {
            all.push_back(next);
            next = {};
        } else
            next.context.push_back(line);
    }
    if (!next.context.empty())
        all.push_back(next);
    return all;
}

// ---- launches ----

// The parts of a list at its commas outside brackets, as "float*, const S<int, 3>&".
std::vector<std::string> list_parts(const std::string &list)
{
    std::vector<std::string> parts;
    int depth = 0;
    size_t from = 0;

    for (size_t i = 0; i <= list.size(); i++) {
        char c = i < list.size() ? list[i] : ',';
        depth += (c == '<' || c == '(' || c == '[' || c == '{') -
                 (c == '>' || c == ')' || c == ']' || c == '}');
        if (c != ',' || depth != 0)
            continue;
        size_t start = list.find_first_not_of(' ', from);
        if (start < i)
            parts.push_back(list.substr(start, i - start));
        from = i + 1;
    }
    return parts;
}

// What the bracket at text[open] encloses.
std::string bracketed(const std::string &text, size_t open)
{
    int depth = 0;

    for (size_t i = open; i < text.size(); i++) {
        depth += (text[i] == '<' || text[i] == '(') - (text[i] == '>' || text[i] == ')');
        if (depth == 0)
            return text.substr(open + 1, i - open - 1);
    }
    return "";
}

// A type as a program writes it: float * for float*; without the & of an argument that is a
// variable.
std::string type_text(std::string type)
{
    while (!type.empty() && type.back() == '&')
        type.pop_back();
    for (size_t i = 1; i < type.size(); i++)
        if ((type[i] == '*' || type[i] == '&') && (lex_in_word(type[i - 1]) || type[i - 1] == '>'))
            type.insert(i++, " ");
    return type;
}

// The kernel of the launch whose <<< is the last one before a place of the source, or the next one
// from there on.
std::string kernel_at(const Message &m, bool is_next)
{
    std::ifstream file(m.file);
    std::string text, line;
    size_t place = 0;

    for (int n = 1; n <= m.line + 2 && std::getline(file, line); n++) {
        place = n == m.line ? text.size() + (size_t)m.column : place;
        text += line + "\n";
    }
    size_t mark = is_next ? text.find("<<<", place) : text.rfind("<<<", place);
    size_t end = mark == text.npos || !mark ? text.npos : text.find_last_not_of(" \n", mark - 1);
    if (end == text.npos)
        return "'the kernel'";
    size_t start = end + 1;
    int depth = 0;
    for (; start > 0; start--) {
        char c = text[start - 1];
        depth += (c == '>') - (c == '<');
        if (depth <= 0 && !lex_in_word(c) && c != ':' && c != '<' && c != '>')
            break;
    }
    return "'" + text.substr(start, end + 1 - start) + "'";
}

// The number in the first note, from all[i] on, that has these words; 0: none has.
int number_in_notes(const std::vector<Message> &all, size_t i, const std::string &words)
{
    for (; i < all.size() && all[i].kind == "note"; i++) {
        size_t at = all[i].text.find(words);
        if (at != std::string::npos)
            return atoi(all[i].text.c_str() + at + words.size());
    }
    return 0;
}

std::string note_with(const std::vector<Message> &all, size_t i, const std::string &words)
{
    for (; i < all.size() && all[i].kind == "note"; i++)
        if (all[i].text.find(words) != std::string::npos)
            return plain_quotes(all[i].text);
    return "";
}

std::string counted(size_t n, const char *what)
{
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

// "no match for call to '(emu_call<parameters>) (arguments)'"
std::string of_arguments(const std::vector<Message> &all, size_t i, const std::string &text)
{
    size_t call = text.find("(emu_call<"), close = text.find(") (", call);
    std::string kernel = kernel_at(all[i], false);
    std::vector<std::string> parameters = list_parts(bracketed(text, text.find('<', call))),
                             arguments = list_parts(bracketed(text, close + 2));
    int number = number_in_notes(all, i + 1, "no known conversion for argument ");

    if (parameters.size() != arguments.size())
        return kernel + " has " + counted(parameters.size(), "parameter") + "; the launch passes " +
               counted(arguments.size(), "argument");
    if (!number)
        number = number_in_notes(all, i + 1, "conversion of argument ");
    if (number < 1 || (size_t)number > parameters.size())
        return "the arguments of the launch are not those of " + kernel;
    return "parameter " + std::to_string(number) + " of " + kernel + " is '" +
           type_text(parameters[(size_t)number - 1]) + "'; the launch passes '" +
           type_text(arguments[(size_t)number - 1]) + "'";
}

// "no matching function for call to 'emu_launch(const char [2], kernel, configuration)'"
std::string of_configuration(const std::vector<Message> &all, size_t i, const std::string &text)
{
    std::string kernel = kernel_at(all[i], true);
    std::vector<std::string> words = list_parts(bracketed(text, text.find("emu_launch(") + 10));
    std::string wrong = note_with(all, i + 1, "cannot convert");

    if (words.size() > 6)
        return "a launch has at most 4 values in <<<...>>>: grid, block, bytes of dynamic shared "
               "memory, stream";
    if (words[1].find("(&)(") == std::string::npos && words[1].find("(*") == std::string::npos)
        return kernel + " is no kernel: a launch needs a __global__ function, or a pointer to one";
    size_t at = wrong.find("cannot convert");
    return "the configuration of the launch of " + kernel +
           (wrong.empty() ? " has values of wrong types" : ": " + wrong.substr(at));
}

// ---- printing ----

// The place of the program that an error in a header of the CPU device comes from:
// "FILE:LINE:COLUMN: required from here" and the like.
bool find_cause(const Message &m, std::string *place)
{
    for (const std::string &line : m.context) {
        size_t at = line.find(":   required"), comma = line.find("inlined from");
        if (at != line.npos && !names_device_header(line))
            *place = line.substr(0, at);
        else if (comma != line.npos && !names_device_header(line) && line.find(" at ") != line.npos)
            *place = line.substr(line.rfind(" at ") + 4);
    }
    while (!place->empty() && (place->back() == ',' || place->back() == ':'))
        place->pop_back();
    return !place->empty();
}

// Warnings of -Wparentheses that are a matter of style: a + b ^ c
bool is_of_style(const std::string &text)
{
    return text.find("suggest parentheses around") != text.npos &&
           text.find("assignment") == text.npos && text.find("comparison") == text.npos;
}

// CUDA's spelling of a name that is undeclared only by its capitals or underscores: blockidx;
// "" if there is none.
std::string name_of_cuda(const std::string &text)
{
    std::istringstream names("threadIdx blockIdx blockDim gridDim warpSize atomicAdd __syncthreads "
                             "__syncwarp __shfl_down_sync __global__ __device__ __shared__ "
                             "__constant__ cudaMalloc cudaMemcpy cudaFree cudaDeviceSynchronize");
    auto letters = [](const std::string &name) {
        std::string all;
        for (char c : name)
            if (c != '_')
                all += (char)tolower(c);
        return all;
    };
    std::string word = text[0] == '\'' ? text.substr(1, text.find('\'', 1) - 1) : "", name;

    while (names >> name)
        if (!word.empty() && word != name && letters(word) == letters(name))
            return name;
    return "";
}

// An error whose text names what the pass has written, or does not say what is missing, in other
// words; "" for others.
std::string in_terms_of_cuda(const std::string &text)
{
    if (text.find("emu_shared_of_constant_size") != text.npos)
        return "the size of a __shared__ array must be a constant, as in tile[1024]";
    if (text.find("no match for 'operator") == 0 &&
        (text.find("uint3") != text.npos || text.find("dim3") != text.npos))
        return text +
               "; threadIdx, blockIdx, blockDim and gridDim have members: write .x, .y or .z";
    if (!name_of_cuda(text).empty())
        return text.substr(0, text.find("; did you mean")) + "; CUDA's name is " +
               name_of_cuda(text);
    return "";
}

void print_message(const Message &m, const std::string &text)
{
    for (const std::string &line : m.context)
        if (!names_device_header(line) && line.find("<command-line>") == line.npos)
            fprintf(stderr, "%s\n", line.c_str());
    if (m.kind.empty())
        return;
    fprintf(stderr, "%s:%d:%d: %s: %s\n", m.file.c_str(), m.line, m.column, m.kind.c_str(),
            text.c_str());
    for (const std::string &line : m.behind)
        fprintf(stderr, "%s\n", line.c_str());
}

}   // namespace

void print_messages(const std::string &messages)
{
    std::vector<Message> all = read_messages(messages);
    bool drops_notes = false;

    for (size_t i = 0; i < all.size(); i++) {
        const Message &m = all[i];
        std::string text = plain_quotes(m.text), place;
        bool is_note = m.kind == "note", is_error = m.kind.find("error") != text.npos;

        if (is_note ? drops_notes || names_device_header(m.file)
                    : m.kind == "warning" && (names_device_header(m.file) || is_of_style(text))) {
            drops_notes |= !is_note;
            continue;
        }
        drops_notes = is_note && drops_notes;
        if (is_error && text.find("(emu_call<") != text.npos) {
            print_message(m, of_arguments(all, i, text));
            // g++ repeats the reason.
            while (i + 1 < all.size() && all[i + 1].kind == "note")
                i++;
            if (i + 1 < all.size() && all[i].text.find("would be ill-formed") != text.npos)
                i++;
            drops_notes = true;
        } else if (is_error && text.find("to 'emu_launch(") != text.npos) {
            print_message(m, of_configuration(all, i, text));
            drops_notes = true;
        } else if (is_error && !in_terms_of_cuda(text).empty()) {
            Message own = m;
            own.behind.resize(std::min<size_t>(m.behind.size(), 2));   // without g++'s suggestion
            print_message(own, in_terms_of_cuda(text));
            drops_notes = true;
        } else if (names_device_header(m.file) && find_cause(m, &place)) {
            fprintf(stderr, "%s: %s: %s\n", place.c_str(), m.kind.c_str(), m.text.c_str());
            drops_notes = true;
        } else
            print_message(m, m.text);
    }
}
