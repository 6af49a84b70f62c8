// Where a program has code that runs on the device. `source_pass --values` reads that, to say which
// of the accesses that g++ does not announce are a kernel's.
#include "device_code.h"

// The { of the body that follows the words of a function's declaration, or 0.
static size_t body_after(const Source &s, size_t i)
{
    for (; i < s.tokens.size(); i++) {
        std::string_view text = s.tokens[i].text;

        if (text == "{")
            return s.tokens[i].partner ? i : 0;
        if (text == ";" || text == "=" || text == "}")
            return 0;
        if ((text == "(" || text == "[") && s.tokens[i].partner)
            i = s.tokens[i].partner;
    }
    return 0;
}

std::vector<std::pair<size_t, size_t>> device_bodies(const Source &s)
{
    std::vector<std::pair<size_t, size_t>> bodies;

    for (size_t i = 0; i < s.tokens.size(); i++) {
        bool is_device = s.tokens[i].text == "__global__" || s.tokens[i].text == "__device__";
        size_t body = is_device ? body_after(s, i + 1) : 0;

        if (body)
            bodies.push_back({ body, s.tokens[body].partner });
    }
    return bodies;
}

std::string device_code(const Source &s)
{
    std::string lines;

    for (auto [body, end] : device_bodies(s))
        lines += "\n// device code: " + std::to_string(s.tokens[body].line) + " " +
                 std::to_string(s.tokens[end].line) + " " + s.files[s.tokens[body].file];
    return lines.empty() ? "" : lines + "\n";
}
