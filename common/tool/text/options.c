#include "text.h"

#include <string.h>

static void remove_word(struct arguments *a, int i)
{
    memmove(&a->word[i], &a->word[i + 1], (a->n - i - 1) * sizeof *a->word);
    a->n--;
}

const char *take_option(struct arguments *a, const char *name)
{
    const char *value;

    for (int i = 0; i < a->n && strcmp(a->word[i], "--") != 0; i++)
        if (strcmp(a->word[i], name) == 0) {
            if (i + 1 == a->n)
                fail("%s: needs a value", name);
            value = a->word[i + 1];
            remove_word(a, i);
            remove_word(a, i);
            return value;
        }
    return NULL;
}

int take_flag(struct arguments *a, const char *name)
{
    for (int i = 0; i < a->n && strcmp(a->word[i], "--") != 0; i++)
        if (strcmp(a->word[i], name) == 0) {
            remove_word(a, i);
            return 1;
        }
    return 0;
}

const char *take_format(struct arguments *a)
{
    const char *format = take_option(a, "--format");

    if (format && !has_word("svg png pdf", format))
        fail("--format %s: the formats are svg, png and pdf", format);
    return format ? format : "svg";
}

void no_options(const struct arguments *a)
{
    for (int i = 0; i < a->n && strcmp(a->word[i], "--") != 0; i++)
        if (a->word[i][0] == '-')
            fail("%s: unknown option; ladder --help lists the commands and their options",
                 a->word[i]);
}

void must_be_name(const char *what, const char *name)
{
    if (!name[0] || name[0] == '.' || strpbrk(name, "/ \t\n'") || strlen(name) > 100)
        fail("%s='%s': expected a name of letters, digits, _ and -, at most 100", what,
             text_head(name, 60));
}
