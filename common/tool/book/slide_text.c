// What a line of a slide is on the GPU of a deck (slides.h).
#include "slides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folders.h"

void slide_unchecked(struct talk *t, const char *why)
{
    if (t->last_unchecked == t->slide)
        return;
    t->last_unchecked = t->slide;
    warn("slides: %s_lecture%d, \"%s\": on %s, %s", t->week, t->now + 1, t->slide,
         t->from[0] ? t->from : "no recorded run", why);
}

// The place of the deck's table, or the same at another size, or SIZE/hot, as in claims.
static const char *place_of(const struct talk *t, const char *at)
{
    const char *size = at ? at : t->place.size ? t->place.size : "1", *slash = strchr(size, '/');
    const char *mode = same(slash ? slash + 1 : t->place.mode, "hot") ? ", hot" : "";

    return text_of("(gpu, %.*s%s)", (int)strcspn(size, "/"), size, mode);
}

// With the number of the machine for {sms}, and the deck's GPU for "gpu:".
static const char *with_machine(const struct talk *t, const char *expression)
{
    const char *text = "";

    for (const char *s = expression; *s;) {
        int at_word = s == expression || !strchr("abcdefghijklmnopqrstuvwxyz0123456789_.", s[-1]);

        if (at_word && strncmp(s, "gpu:", 4) == 0)
            text = text_of("%s%s:", text, t->from), s += 4;
        else if (at_word && strncmp(s, "sms", 3) == 0)
            text = text_of("%s%s:device.sms", text, t->from), s += 3;
        else
            text = text_of("%s%c", text, *s++);
    }
    return text;
}

// "NVIDIA H100" of "NVIDIA H100 80GB HBM3".
static const char *gpu_name(const struct talk *t)
{
    const char *device = table_note(&t->table, "device");
    size_t n = strcspn(device, " ");

    n += device[n] ? 1 + strcspn(device + n + 1, " ") : 0;
    return text_of("%.*s", (int)n, device);
}

static const char *value_text(double value, const char *options)
{
    const char *decimals = word_value(options, "decimals");

    if (has_word(options, "percent"))
        return percent_text(value);
    if (decimals)
        return text_of("%.*f", atoi(decimals), value);
    return value == floor(value) && value < 1e6 ? text_of("%.0f", value) : three_digits(value);
}

struct table slide_table_in(const struct talk *t, const char *options)
{
    const char *part = word_value(options, "in");
    struct table table = { 0 };
    char path[PATH_MAX];

    if (!part || !t->from[0])
        return t->table;
    recorded_path(path, root_folder(), t->from, t->week, part);
    if (access(path, R_OK) == 0)
        table_read(&table, path);
    return table;
}

// The run's table, as its rows are shown on slides: a reference of the deck's table is the median
// of its runs, one of another table that of the stage's run.
static struct measured measured_in(const struct talk *t, const char *options)
{
    return (struct measured){ .table = slide_table_in(t, options),
                              .medians = !word_value(options, "in") };
}

// The text for what is between braces; NULL if the run does not have it.
static const char *filled(struct talk *t, const char *where, const char *inside)
{
    const char *bar = strchr(inside, '|'), *options = bar ? bar + 1 : "", *error, *expression;
    struct measured m = measured_in(t, options);
    double value;

    if (same(inside, "gpu") || same(inside, "run"))
        return !t->from[0] ? NULL : same(inside, "gpu") ? gpu_name(t) : t->from;
    expression = text_of("%.*s", bar ? (int)(bar - inside) : (int)strlen(inside), inside);
    expression = with_machine(t, expression);
    error = t->from[0] ? fill_in_machine(&expression) : "nothing is recorded";
    if (!error)
        error = evaluate_measured(&m, place_of(t, word_value(options, "at")), expression, &value);
    if (!error)
        return value_text(value, options);
    if (!strstr(error, " has no ") && t->from[0])
        fail("%s: {%s}: %s", where, inside, error);
    slide_unchecked(t, error);
    return NULL;
}

int slide_holds(struct talk *t, const char *where, const char *condition)
{
    const char *bar = strchr(condition, '|'), *options = bar ? bar + 1 : "",
               *text = text_of("%.*s", (int)strcspn(condition, "|"), condition);
    struct measured m = measured_in(t, options);
    const char *error = "nothing is recorded";
    int holds = 0;

    text = with_machine(t, text);
    if (t->from[0] && !(error = fill_in_machine(&text)))
        error = judge_measured(&m, place_of(t, word_value(options, "at")), text, &holds);
    if (error && t->from[0] && !strstr(error, " has no "))
        fail("%s: '%s': %s", where, condition, error);
    if (error || !holds)
        slide_unchecked(t, error ? error : text_of("%s does not hold", trimmed((char *)text)));
    return holds;
}

const char *slide_line(struct talk *t, const char *where, const char *line)
{
    const char *text = "", *colon = strstr(line, ": ");

    if (colon && strncmp(line, "if ", 3) == 0) {
        if (!slide_holds(t, where, text_of("%.*s", (int)(colon - line - 3), line + 3)))
            return NULL;
        line = colon + 2;
    } else if (colon && strncmp(line, "on ", 3) == 0) {
        const char *gpus = text_of("%.*s", (int)(colon - line - 3), line + 3);

        if (!has_word(gpus, t->from)) {
            slide_unchecked(t, text_of("a statement about %s is omitted", gpus));
            return NULL;
        }
        line = colon + 2;
    }
    while (*line) {
        const char *end = *line == '{' ? strchr(line, '}') : NULL, *value;

        if (!end) {
            text = text_of("%s%c", text, *line++);
            continue;
        }
        value = filled(t, where, text_of("%.*s", (int)(end - line - 1), line + 1));
        if (!value)
            return NULL;
        text = text_of("%s%s", text, value);
        line = end + 1;
    }
    return text;
}
