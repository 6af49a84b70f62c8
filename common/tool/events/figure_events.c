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

static enum status events_figure(struct arguments a, const char *name)
{
    const char *format = take_format(&a);
    int is_trace = strcmp(name, "trace") == 0;
    int nth = is_trace ? 0 : number_option(&a, "--access", 1);
    int line = is_trace ? 0 : number_option(&a, "--line", 1);
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
        draw_lanes(sheet, &events, nth, line);
    sheet->provenance =
        text_of("CPU device | %s | %s | %s", table_note(&events.notes, "week"),
                table_note(&events.notes, "size"), table_note(&events.notes, "type"));
    sheet_print(sheet, format, a.word[0]);
    return STATUS_OK;
}

enum status command_lanes(struct arguments a) { return events_figure(a, "lanes"); }

enum status command_trace(struct arguments a) { return events_figure(a, "trace"); }
