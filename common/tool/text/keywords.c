#include <string.h>

#include "claim.h"
#include "text.h"

// A text whose parts in braces are numbers, so that its condition can be parsed.
static const char *without_braces(const char *text)
{
    char *copy = text_of("%s", text);
    int inside = 0;

    for (char *c = copy; *c; c++)
        if (*c == '{' || inside) {
            inside = *c != '}';
            *c = *c == '{' ? '1' : ' ';
        }
    return copy;
}

// What is wrong with the text of a line, or NULL.
static const char *fault_of(const struct keyword *word, const char *text)
{
    const char *list = text, *one, *end;
    struct claim claim;

    if (!text[0])
        return "expected a text after it";
    switch (word->holds) {
    case HOLDS_TEXT: break;
    case HOLDS_QUANTITY: return expression_parse(text, &end);
    case HOLDS_CONDITION:
        text = without_braces(text);
        return claim_parse_condition(text_of("%.*s", (int)strcspn(text, ":"), text), &claim);
    case HOLDS_WORDS:
        while ((one = next_word(&list)))
            if (!has_word(word->accepted, one))
                return text_of("'%s': expected of: %s", one, word->accepted);
    }
    return NULL;
}

struct lines keywords_of(const char *path, const char *name, const struct keyword *words,
                         char after)
{
    const char *list =
        after == ':' ? "'WORD: TEXT' with a word of:" : "a line that begins with one of:";
    struct lines lines;

    for (const struct keyword *w = words; w->word; w++)
        list = with_word(list, w->word);
    lines = lines_of(path, name, list);
    lines.words = words, lines.after = after;
    return lines;
}

int next_keyword(struct lines *l, struct keyword_line *k)
{
    char *line = next_line(l);
    const char separator[] = { l->after, '\0' };
    const struct keyword *w = l->words;
    const char *first, *fault;
    size_t n;

    if (!line)
        return 0;
    n = strcspn(line, separator);
    *k = (struct keyword_line){ text_of("%.*s", (int)n, line), trimmed(line + n + !!line[n]),
                                l->where };
    first = text_of("%.*s", (int)strcspn(k->word, " "), k->word);
    while (w->word && strcmp(w->word, first) != 0)
        w++;
    if (!w->word || (l->after == ':' && !line[n]))
        fail("%s: '%s': expected %s", k->where, text_head(k->word, 60), l->accepted);
    fault = fault_of(w, k->text);
    if (fault)
        fail("%s: %s: %s", k->where, k->word, fault);
    return 1;
}

const char *keyword_text(struct lines *l, const char *word)
{
    struct keyword_line line;
    const char *text = NULL;

    while (next_keyword(l, &line))
        if (!text && strcmp(line.word, word) == 0)
            text = line.text;
    return text;
}

const char *message(const char *folder, const char *word)
{
    static const struct keyword words[] = {
        { "aside", HOLDS_TEXT, NULL },      { "core", HOLDS_TEXT, NULL },
        { "highlight", HOLDS_TEXT, NULL },  { "overview", HOLDS_TEXT, NULL },
        { "references", HOLDS_TEXT, NULL }, { 0 }
    };
    const char *slash = strrchr(folder, '/'), *week = slash ? slash + 1 : folder;
    struct lines lines =
        keywords_of(text_of("%s/messages", folder), text_of("%s/messages", week), words, ':');

    return keyword_text(&lines, word);
}

const char *message_stages(const char *folder, const char *word)
{
    const char *list = message(folder, word), *stages = "", *stage;

    while (list && (stage = next_word(&list))) {
        if (stage_number(stage) < 0 || !stage_file(folder, stage))
            fail("%s/messages: %s: '%s': expected a stage of this folder, for example stage1",
                 folder, word, stage);
        stages = with_word(stages, stage);
    }
    return stages;
}
