#define _GNU_SOURCE   // strsep
#include "messages.h"

#include <string.h>
#include <unistd.h>

#include "select.h"
#include "tool.h"

char *messages_of(const char *folder)
{
    const char *path = text_of("%s/messages", folder);

    return access(path, R_OK) == 0 ? read_text(path) : text_of("%s", "");
}

char *next_message(char **text, const char *word)
{
    size_t n = strlen(word);
    char *line;

    while ((line = strsep(text, "\n")))
        if (strncmp(line, word, n) == 0 && line[n] == ':')
            return line + n + 1 + strspn(line + n + 1, " ");
    return NULL;
}

const char *message_stages(const char *folder, const char *word)
{
    char *text = messages_of(folder), *list = next_message(&text, word), *left, *stage;
    const char *stages = "";

    if (!list)
        return "";
    for (left = list; (stage = strsep(&left, " \t\r"));) {
        if (!stage[0])
            continue;
        if (stage_number(stage) < 0 || files_like(folder, "%s_*.cu", stage).n == 0)
            fail("%s/messages: %s: '%s': expected a stage of this folder, for example stage1",
                 folder, word, stage);
        stages = with_word(stages, stage);
    }
    return stages;
}

int has_stage(const char *stages, const char *stage)
{
    for (const char *at = stages; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");

        if (strlen(stage) == n && memcmp(at, stage, n) == 0)
            return 1;
        at += n;
    }
    return 0;
}
