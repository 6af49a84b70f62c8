#include "lists.h"

#include <fnmatch.h>
#include <string.h>

#include "program.h"
#include "text.h"

// The names of the lists: a file that lacks one is damaged.
enum { MOST_LISTS = 16 };

struct list {
    const char *name, *words;
};

static const char path_of_lists[] = "../common/grade/allowed";   // from the folder of a week

static const char *without_remarks(char *text)
{
    for (char *at = text; (at = strchr(at, '#'));)
        memset(at, ' ', strcspn(at, "\n"));
    return text;
}

// A line that does not begin with a blank begins a list: "name: words". Others go on with it.
static struct list *read_lists(void)
{
    static struct list all[MOST_LISTS + 1];
    const char *text = without_remarks(read_text(path_of_lists));
    int n = 0;

    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        size_t length = strcspn(text, "\n"), name = strcspn(text, ":\n");

        if (text[0] != ' ' && text[name] == ':' && n < MOST_LISTS) {
            all[n].name = text_of("%.*s", (int)name, text);
            all[n++].words = text_of("%.*s", (int)(length - name - 1), text + name + 1);
        } else if (n) {
            all[n - 1].words = text_of("%s %.*s", all[n - 1].words, (int)length, text);
        }
    }
    return all;
}

const char *listed(const char *list)
{
    static struct list *all;

    if (!all)
        all = read_lists();
    for (const struct list *l = all; l->name; l++)
        if (strcmp(l->name, list) == 0)
            return l->words;
    fail("%s: it has no list '%s'", path_of_lists, list);
}

int is_listed(const char *list, const char *word)
{
    const char *all = listed(list), *entry;

    while ((entry = next_word(&all)))
        if (fnmatch(entry, word, 0) == 0)
            return 1;
    return 0;
}
