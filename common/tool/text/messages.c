#include "text.h"

#include <string.h>

char *next_message(struct lines *lines, const char *word)
{
    size_t n = strlen(word);
    char *line;

    while ((line = next_line(lines))) {
        if (!strchr(line, ':'))
            fail("%s: '%s': expected WORD: TEXT", lines->where, text_head(line, 60));
        if (strncmp(line, word, n) == 0 && line[n] == ':')
            return line + n + 1 + strspn(line + n + 1, " ");
    }
    return NULL;
}

char *message(const char *folder, const char *word)
{
    const char *path = text_of("%s/messages", folder);
    struct lines lines = lines_of(path, path);

    return next_message(&lines, word);
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
