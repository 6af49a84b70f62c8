#include "bodies.h"

#include <algorithm>

#include "calls.h"
#include "facts.h"

namespace {

// What precedes a brace.
struct Head {
    size_t start;                              // the first token of the declaration
    size_t after_templates;                    // the first one after the template header
    size_t open = 0;                           // the ( of the parameters; 0: none
    size_t name = 0;                           // of the function, or of the class
    bool is_class = false, is_other = false;   // other: an enumeration or an initializer
    bool has_inits = false;                    // a constructor with initializers of members
};

struct BodyFinder {
    const Source &s;
    std::vector<Body> found;

    void scan(size_t from, size_t to, std::string_view of);
    void local_code(size_t from, size_t to);
    Head head_of(size_t start, size_t brace) const;
    bool is_namespace(size_t start, size_t brace) const;
    void add(const Head &, size_t brace, std::string_view of);
};

bool BodyFinder::is_namespace(size_t start, size_t brace) const
{
    size_t i = start + is(s, start, "inline");

    return is(s, i, "namespace") ||
           (is(s, i, "extern") && s.tokens[i + 1].kind == Token::string && brace == i + 2);
}

// Reads the tokens [start, brace) of a declaration.
Head BodyFinder::head_of(size_t start, size_t brace) const
{
    Head h = {};

    h.start = start;
    while (is(s, start, "template") && is(s, start + 1, "<")) {
        size_t close = angle_close(s, start + 1);
        if (!close || close >= brace)
            break;
        start = close + 1;
    }
    h.after_templates = start;
    for (size_t k = start; k < brace; k++) {
        bool is_operator = is(s, k, "operator");

        if (is_operator && !h.open) {
            h.name = k;
            k += is(s, k + 1, "(") ? 2 : 1;   // operator()
            while (k < brace && !is(s, k, "("))
                k++;
            h.open = k;
        } else if (is_any(s, k, { "struct", "class", "union" }) && !h.open)
            h.is_class = true;
        else if (is(s, k, "enum") || (is(s, k, "=") && !h.open))
            h.is_other = true;
        else if (is(s, k, ":") && h.open)
            h.has_inits = true;
        else if (is(s, k, "(") && !h.open && !is_attribute(s, k - 1) &&
                 !is_any(s, k - 1, { "requires", "explicit" })) {
            size_t name = before_angles(s, k - 1);
            h.open = k;
            h.name = is_word(s, name) ? name : 0;
        } else if (h.is_class && !h.open && !h.name && is_word(s, k) &&
                   is_any(s, k + 1, { "{", ":", "<", "final" }))
            h.name = k;
        k = std::max(k, s.tokens[k].partner);
    }
    return h;
}

void BodyFinder::add(const Head &h, size_t brace, std::string_view of)
{
    Body b = {};

    b.open = brace;
    b.close = s.tokens[brace].partner;
    b.start = h.after_templates;
    b.name = h.name;
    b.side = side_of(s, h.after_templates, h.name);
    b.is_template = h.after_templates > h.start;
    b.of = of;
    for (size_t k = h.after_templates; k < h.name; k++)
        b.is_constexpr |= is_any(s, k, { "constexpr", "consteval" });
    found.push_back(b);
}

// Finds the functions in [from, to): a file, the inside of a namespace or of a class.
void BodyFinder::scan(size_t from, size_t to, std::string_view of)
{
    size_t start = from;

    for (size_t i = from; i < to; i++) {
        bool is_access = is(s, i, ":") && is_any(s, i - 1, { "public", "private", "protected" });

        if (s.tokens[i].kind == Token::foreign || is(s, i, ";") || is_access)
            start = i + 1;
        if (is_any(s, i, { "(", "[" }))
            i = std::max(i, s.tokens[i].partner);
        if (!is(s, i, "{"))
            continue;
        size_t close = s.tokens[i].partner;
        if (is_namespace(start, i)) {
            scan(i + 1, close, "");
            start = close + 1;
        } else {
            Head h = head_of(start, i);
            bool is_init = h.has_inits && (is_word(s, i - 1) || is(s, i - 1, ">"));
            if (h.open && h.name && !h.is_other && !is_init) {
                add(h, i, of);
                start = close + 1;
            } else if (h.is_class && !h.open)
                scan(i + 1, close, h.name ? s.tokens[h.name].text : "");
        }
        i = close;
    }
}

// Finds marked lambdas anywhere in [from, to), and classes within functions.
void BodyFinder::local_code(size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        size_t open = is(s, i, "[") ? marked_lambda_body(s, i) : 0;
        if (open) {
            Body b = {};
            b.open = open;
            b.close = s.tokens[open].partner;
            b.start = i;
            b.side = side_of(s, i, open);
            found.push_back(b);
        }
        if (!is_any(s, i, { "struct", "class", "union" }) || is_at_file_scope(s, i))
            continue;
        size_t k = i;
        while (is_word(s, k) || is_any(s, k, { "::", ":", ",", "<", ">" }))
            k++;
        if (is(s, k, "{") && !is_at_file_scope(s, s.tokens[k].parent))
            scan(k + 1, s.tokens[k].partner, s.tokens[i + 1].text);
    }
}

}   // namespace

std::vector<Body> find_bodies(const Source &s)
{
    BodyFinder f = { s, {} };
    size_t n = s.tokens.size() - 1;

    f.scan(1, n, "");
    f.local_code(1, n);
    std::sort(f.found.begin(), f.found.end(),
              [](const Body &a, const Body &b) { return a.open < b.open; });
    f.found.erase(std::unique(f.found.begin(), f.found.end(),
                              [](const Body &a, const Body &b) { return a.open == b.open; }),
                  f.found.end());
    return std::move(f.found);
}

const Body *body_around(const std::vector<Body> &bodies, size_t i)
{
    auto next = std::upper_bound(bodies.begin(), bodies.end(), i,
                                 [](size_t at, const Body &b) { return at < b.open; });

    while (next != bodies.begin())
        if ((--next)->close > i)
            return &*next;
    return nullptr;
}
