// CSV (RFC 4180) for the gradebooks of learning management systems.
//
// Moodle, the worksheet of "offline grading": the import looks for the columns Identifier, Grade,
// Last modified (grade) and those of feedback (mod/assign/feedback/offline/importgradeslib.php).
// The identifier is "Participant 12345", with the number in the name of the student's folder.
//
// Canvas, "Import" of the gradebook: the columns Student and ID, SIS User ID, SIS Login ID and
// Section, then one per assignment (lib/gradebook_importer.rb). A column whose title no assignment
// has becomes a new assignment.
#define _GNU_SOURCE   // open_memstream
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "class.h"
#include "visible.h"

static int is_moodle(const struct gradebook *b) { return strcmp(b->format, "moodle") == 0; }

void gradebook_check(const struct gradebook *b)
{
    if (!b->path) {
        if (b->format || b->assignment)
            fail("%s: is an option of CSV, for example CSV=grades.csv FORMAT=canvas",
                 b->format ? "FORMAT" : "ASSIGNMENT");
        return;
    }
    if (!b->format || (strcmp(b->format, "moodle") != 0 && strcmp(b->format, "canvas") != 0))
        fail("CSV=%s: FORMAT=%s: expected moodle or canvas", b->path, b->format ? b->format : "");
    if (b->assignment && is_moodle(b))
        fail("ASSIGNMENT: is an option of FORMAT=canvas");
    if (!is_moodle(b) && (!b->assignment || !b->assignment[0]))
        fail("CSV=%s: FORMAT=canvas needs the title of the column, for example "
             "ASSIGNMENT='Exercise 1 "
             "(4711)', as the exported gradebook has it",
             b->path);
    if (access(dirname(text_of("%s", b->path)), W_OK) < 0)
        fail("CSV=%s: %s", b->path, strerror(errno));
}

// A field in quotes, if it needs them.
static void put(FILE *out, const char *field, char after)
{
    if (strpbrk(field, "\",\r\n;") || field[0] == ' ') {
        fputc('"', out);
        for (; *field; field++)
            fprintf(out, *field == '"' ? "\"\"" : "%c", *field);
        fputc('"', out);
    } else
        fputs(field, out);
    fputc(after, out);
}

static void put_record(FILE *out, const char *const *field, int n)
{
    for (int i = 0; i < n; i++)
        put(out, field[i], i + 1 < n ? ',' : '\n');
}

static const char *feedback_of(const struct cells *row)
{
    return joined(row->cell[CELL_STATUS], ": ", row->cell[CELL_REASON]);
}

static void put_student(FILE *out, const struct gradebook *b, const struct cells *row)
{
    const char *const moodle[] = { text_of("Participant %s", row->cell[CELL_ID]),
                                   row->cell[CELL_STUDENT],
                                   row->cell[CELL_POINTS],
                                   row->cell[CELL_MAXIMUM],
                                   "-",
                                   feedback_of(row) };
    const char *const canvas[] = { row->cell[CELL_STUDENT], row->cell[CELL_ID], "", "", "",
                                   row->cell[CELL_POINTS] };

    put_record(out, is_moodle(b) ? moodle : canvas, 6);
}

// The entries of a student follow each other, and the submission is the first of them.
int gradebook_write(const struct gradebook *b, const struct class *c, const struct points_file *p)
{
    const char *const moodle[] = {
        "Identifier",       "Full name", "Grade", "Maximum Grade", "Last modified (grade)",
        "Feedback comments"
    };
    const char *const canvas[] = { "Student",      "ID",      "SIS User ID",
                                   "SIS Login ID", "Section", b->assignment };
    char *text;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    int without = 0;

    put_record(memory, is_moodle(b) ? moodle : canvas, 6);
    for (int i = 0; i < p->n; i++) {
        if (i && strcmp(c->entry[i].owner, c->entry[i - 1].owner) == 0)
            continue;
        if (p->row[i].cell[CELL_ID][0])
            put_student(memory, b, &p->row[i]);
        else
            without++;
    }
    if (fclose(memory) != 0)
        die(STATUS_ERROR, "out of memory");
    return write_file(b->path, text) ? without : -1;
}
