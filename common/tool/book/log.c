// `ladder log TABLE PREDICTION`: appends the rows of a run to results/log.md, a student's
// work log: what was run, what it counted or measured, what was predicted, and room for a sentence.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "book.h"

#define LOG "results/log.md"

static const char *per(const char *sum, const char *of)
{
    double n = of[0] ? atof(of) : 0;

    return n > 0 && sum[0] ? text_of("%.4g", atof(sum) / n) : "-";
}

// A cell of a table has no bars and no line ends.
static const char *cell(const char *text)
{
    char *copy = text_of("%s", text);

    for (char *c = copy; *c; c++)
        *c = *c == '|' || *c == '\n' ? '/' : *c;
    return copy;
}

static const char *line_of(const struct row *r, const char *date, const char *prediction)
{
    const char *rate = r->rate[0] ? text_of("%s %s", three_digits(atof(r->rate)), r->unit) : "-";
    const char *sectors =
        text_of("%s / %s", per(r->ld_sectors, r->ld_requests), per(r->st_sectors, r->st_requests));

    return text_of("| %s | %s %s%s%s | %s | %s | %s | %s | %s | %s |  |\n",
                   r->date[0] ? r->date : date, r->stage, r->name, r->knobs[0] ? " " : "", r->knobs,
                   r->size, r->status[0] && !same(r->status, "ok") ? r->status : "right", sectors,
                   per(r->shared_wavefronts, r->shared_requests), rate, cell(prediction));
}

enum status command_log(struct arguments a)
{
    static const char HEAD[] = "# Work log\n\n"
                               "Each run of `make log` adds a row. Write one sentence into the "
                               "last column: what limits this "
                               "kernel, or why the prediction was wrong.\n\n"
                               "| date | program | size | result | sectors per load / store | "
                               "wavefronts | rate | predicted "
                               "| what I learned |\n|---|---|---|---|---|---|---|---|---|\n";
    struct table t = { 0 };
    const char *text;
    int n = 0;

    if (a.n != 2) {   // a prediction may begin with "-"
        no_options(&a);
        fail("log: expected TABLE PREDICTION");
    }
    t = read_table(a.word[0]);
    text = access(LOG, R_OK) == 0 ? read_text(LOG) : HEAD;
    text = text_of("%s%s", text, text[0] && text[strlen(text) - 1] == '\n' ? "" : "\n");
    for (size_t i = 0; i < t.n; i++)
        if (!name_is_reference(t.row[i].stage) && !same(t.row[i].mode, "check")) {
            text = text_of("%s%s", text, line_of(&t.row[i], table_note(&t, "date"), a.word[1]));
            n++;
        }
    write_if_changed(LOG, text);
    printf(LOG ": %d row%s added; write a sentence into the last column\n", n, n == 1 ? "" : "s");
    return n ? STATUS_OK : STATUS_WRONG;
}
