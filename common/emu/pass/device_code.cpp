// Where a program has code that runs on the device: what `source_pass --values` reads, to say which
// of the accesses that g++ does not announce are a kernel's, and where memory is the device's.
#include "device_code.h"

// The { of the body that follows the words of a function's declaration, or 0.
static size_t body_after(const Source &s, size_t i)
{
    bool initializes = false;   // a constructor's members

    for (; i < s.tokens.size(); i++) {
        std::string_view text = s.tokens[i].text;
        size_t partner = s.tokens[i].partner;

        if (text == "{") {
            std::string_view after =
                partner && partner + 1 < s.tokens.size() ? s.tokens[partner + 1].text : "";
            if (!partner || !initializes || (after != "," && after != "{"))
                return partner ? i : 0;
            i = partner;   // member{value}
        }
        if (text == ";" || (text == "=" && s.tokens[i - 1].text != "operator") || text == "}")
            return 0;
        initializes |= text == ":";
        if ((text == "(" || text == "[") && partner)
            i = partner;
    }
    return 0;
}

std::vector<DeviceFunction> device_functions(const Source &s)
{
    std::vector<DeviceFunction> functions;

    for (size_t i = 0; i < s.tokens.size(); i++) {
        bool is_device = s.tokens[i].text == "__global__" || s.tokens[i].text == "__device__";
        size_t body = is_device ? body_after(s, i + 1) : 0;

        if (body)
            functions.push_back({ i, body, s.tokens[body].partner });
    }
    return functions;
}

std::string device_code(const Source &s)
{
    std::string lines;

    for (const DeviceFunction &f : device_functions(s))
        lines += "\n// device code: " + std::to_string(s.tokens[f.body].line) + " " +
                 std::to_string(s.tokens[f.end].line) + " " + s.files[s.tokens[f.body].file];
    return lines.empty() ? "" : lines + "\n";
}
