#define _GNU_SOURCE   // getline, strsep
#include "events.h"

#include <stdlib.h>
#include <string.h>

enum {
#define X(name, says) AT_##name,
    EVENT_COLUMNS(X)
#undef X
        N_EVENT_COLUMNS
};

static const char *const column[] = {
#define X(name, says) #name,
    EVENT_COLUMNS(X)
#undef X
};

static const char *const word_of[] = {
#define X(name, word) word,
    EVENT_KINDS(X)
#undef X
};

const char *event_word(enum event_kind kind) { return word_of[kind]; }

enum event_kind event_kind_of(const char *word)
{
    int kind = 0;

    while (kind < N_EVENT_KINDS && strcmp(word_of[kind], word) != 0)
        kind++;
    return kind;
}

const char *events_header(void) { return header_text(column, N_EVENT_COLUMNS); }

void event_write(const struct event *e, FILE *file)
{
    const char *const field[] = {
#define X(name, says) e->name,
        EVENT_COLUMNS(X)
#undef X
    };

    for (int i = 0; i < N_EVENT_COLUMNS; i++) {
        for (const char *at = field[i] ? field[i] : ""; *at; at++)
            putc(*at == '\t' ? ' ' : *at, file);
        putc(i < N_EVENT_COLUMNS - 1 ? '\t' : '\n', file);
    }
}

// Appends a row unless it was cut because its program was interrupted.
static void take_event(struct events *e, char *line)
{
    const char *field[N_EVENT_COLUMNS];
    int n = 0;

    while (n < N_EVENT_COLUMNS && (field[n] = strsep(&line, "\t")))
        n++;
    if (n < N_EVENT_COLUMNS)
        return;
    e->row = grown(e->row, e->n, sizeof *e->row);
    e->row[e->n++] = (struct event){
#define X(name, says) .name = field[AT_##name],
        EVENT_COLUMNS(X)
#undef X
    };
}

int events_read(struct events *e, const char *path)
{
    FILE *file = fopen(path, "r");
    int has_header = 0;
    char *line = NULL;
    size_t room = 0;

    *e = (struct events){ 0 };
    if (!file)
        return TABLE_NO_FILE;
    while (getline(&line, &room, file) > 0) {
        char *kept = text_of("%.*s", (int)strcspn(line, "\n"), line);
        struct note note;

        if (kept[0] != '#') {
            if (has_header)
                take_event(e, kept);
            else if (!(has_header = strcmp(line, events_header()) == 0))
                break;
        } else if (note_split(kept, &note))
            table_set_note(&e->notes, note.word, note.text);
    }
    free(line);
    fclose(file);
    return has_header ? 0 : TABLE_BAD;
}
