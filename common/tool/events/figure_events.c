#include "event_figures.h"

#include <errno.h>
#include <string.h>

#include "arguments.h"

enum { DRAWN_EVENTS = 1200, MOST_NUMBER = 1000000 };

static int number_option(struct arguments *a, const char *name, int otherwise)
{
    const char *text = take_option(a, name);

    return text ? argument_number(name, text, 1, MOST_NUMBER) : otherwise;
}

// "--access 2" or "--access 1-2".
static struct lanes_query take_query(struct arguments *a)
{
    const char *access = take_option(a, "--access"), *dash = access ? strchr(access, '-') : NULL,
               *kind = take_option(a, "--kind");
    struct lanes_query q = { 1, 1, number_option(a, "--line", 1), kind ? kind : "" };

    if (access)
        q.first = q.last = argument_number(
            "--access", dash ? text_of("%.*s", (int)(dash - access), access) : access, 1,
            MOST_NUMBER);
    if (dash)
        q.last = argument_number("--access", dash + 1, q.first, MOST_NUMBER);
    return q;
}

static enum status events_figure(struct arguments a, const char *name)
{
    const char *format = take_format(&a);
    int is_trace = strcmp(name, "trace") == 0;
    struct lanes_query query = is_trace ? (struct lanes_query){ 0 } : take_query(&a);
    int most = is_trace ? number_option(&a, "--events", DRAWN_EVENTS) : 0;
    struct sheet *sheet = sheet_new(name);
    struct events events;
    int status;

    no_options(&a);
    if (a.n != 1)
        fail("figure %s: expected the file that ./stageN --%s FILE writes", name, name);
    status = events_read(&events, a.word[0]);
    if (status == TABLE_NO_FILE)
        fail("%s: %s", a.word[0], strerror(errno));
    if (status == TABLE_BAD)
        fail("%s: not a file of --%s", a.word[0], name);
    if (is_trace)
        draw_trace(sheet, &events, most);
    else
        draw_lanes(sheet, &events, query);
    sheet->provenance =
        text_of("CPU device | %s | %s | %s", table_note(&events.notes, "week"),
                table_note(&events.notes, "size"), table_note(&events.notes, "type"));
    sheet_print(sheet, format, a.word[0]);
    return STATUS_OK;
}

enum status command_lanes(struct arguments a) { return events_figure(a, "lanes"); }

enum status command_trace(struct arguments a) { return events_figure(a, "trace"); }
