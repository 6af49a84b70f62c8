// The parts of `ladder slides`: slides.c reads the plan and the pages, slide_text.c says what a
// line of a slide is on the GPU of the deck.
#ifndef SLIDES_H
#define SLIDES_H

#include "book.h"
#include "value.h"

enum { MOST_LECTURES = 8, MOST_SLIDES = 32, MOST_OBJECTIVES = 5 };

struct lecture {
    const char *title;     // "Week 2, lecture 1: trees, divergence, conflicts"
    const char *numbers;   // its core stages, or else its optional ones: "0 1 2 3"
    const char *objective[MOST_OBJECTIVES];
    int objectives;
};

struct talk {
    const char *week, *folder, *to;   // "01_transpose", its path, where the decks go
    struct page page;                 // all pages of the week
    const char *core, *from;   // the core stages; the recorded run, "h200", or "" if there is none
    const char *taught;        // the core stages, and the optional ones that are a lecture
    struct table table;
    struct place place;   // what the table of a slide is about
    struct lecture lecture[MOST_LECTURES];
    int lectures, now;
    int ladder;   // the deck ends with the figure of the ladder
    FILE *out;    // lecture[now]'s deck; NULL: there is none yet
    char *text;
    size_t length;
    int slides;
    char *summary;   // slides for the end of the deck
    int summaries;
    const char *slide, *last_unchecked;   // the title of the slide; that which was named last
};

// What a line of a slide is on the GPU of the deck. NULL: it is omitted there; then the slide is
// named on stderr.
//
//   if CONDITION: TEXT     TEXT, if the recorded run proves the condition, written like a claim
//   on GPU...: TEXT        TEXT, if the deck is about one of these: on h100 h200: TEXT
//   {EXPRESSION}           its value in the recorded run; {EXPRESSION | percent at=2048x2048};
//                          {EXPRESSION | in=TABLE}: in another of its tables
//   {sms}, {gpu}, {run}    the number of SMs, the name of the GPU, and that of its recorded run;
//                          {gpu:NAME}: a number of `make machine`
const char *slide_line(struct talk *, const char *where, const char *line);

// The run's table that the options name, "in=TABLE", or that of the deck. It is empty if the run
// does not have it.
struct table slide_table_in(const struct talk *, const char *options);

// Names the slide on stderr, once, with the first reason.
void slide_unchecked(struct talk *, const char *why);

// Whether the recorded run proves a condition. If it does not, the slide is named on stderr.
int slide_holds(struct talk *, const char *where, const char *condition);

#endif
