/* Machine code in a short form, from which courses without nvcc have the times of their stages.
 * All that the model reads of `nvdisasm -g` is in it, line by line:
 *
 *   record sm_90 WORDS       the source's words as a number (words_of_source)
 *   file NAME                a source file; the first one is 0
 *   kernel NAME REGISTERS SHARED PARAMETERS CLUSTER
 *   28  1:28  -              the line of what follows, in the file as before, or in file 1; the
 *                            line before the last one
 *   @!P0 FFMA 0,1',2,#1.5    an instruction: registers without R, numbers with # unless they are
 *                            hexadecimal, ' for .reuse, c[0x210] for c[0x0][0x210], >7 for a
 *                            branch to instruction 7
 *    3,1,2,3                 the same opcode as the instruction before
 *   =12  =                   the same text as instruction 12 of the record; as the one behind that
 */
#include "reader.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/program.h"
#include "play.h"

static const char first_word[] = "record sm_";

int is_record(const char *line) { return !strncmp(line, first_word, strlen(first_word)); }

// --- the text of an instruction

struct text {
    char of[256];
    size_t n;
};

static void add(struct text *t, const char *s, size_t n)
{
    if (t->n + n >= sizeof t->of)
        die(STATUS_ERROR, "machine code: '%.60s...' is too long for an instruction", t->of);
    memcpy(t->of + t->n, s, n);
    t->of[t->n += n] = 0;
}

static void add_string(struct text *t, const char *s) { add(t, s, strlen(s)); }

static int in_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

static size_t word_length(const char *s)
{
    size_t n = 0;

    while (in_word(s[n]))
        n++;
    return n;
}

static size_t number_length(const char *s)
{
    char *end;

    strtod(s, &end);
    return end - s;
}

static int is_hexadecimal(const char *s) { return s[0] == '0' && s[1] == 'x'; }

// The length of the guard with its blank, "@!P0 ".
static size_t guard_length(const char *s) { return *s == '@' ? strcspn(s, " ") + 1 : 0; }

// The operands of nvdisasm without what the model does not read: blanks, descriptors of memory,
// the names of labels.
static void normalize(struct text *t, const char *s, int target)
{
    while (*s) {
        size_t n = word_length(s);

        if (!strncmp(s, "desc[", 5)) {
            s += strcspn(s, "]") + 1;
        } else if (!strncmp(s, "`(", 2)) {
            add_string(t, text_of(">%d", target));
            return;
        } else if (n) {
            add(t, s, n);
            s += n;
        } else {
            if (*s != ' ')
                add(t, s, 1);
            s++;
        }
    }
}

static const char bank_0[] = "c[0x0]";

static void shorten(struct text *t, const char *s)
{
    while (*s) {
        size_t n = word_length(s);

        if (*s == '>') {
            add_string(t, s);
            return;
        }
        if (isdigit((unsigned char)*s) && !is_hexadecimal(s)) {
            add_string(t, "#");
            n = number_length(s);
        } else if (*s == 'R' && isdigit((unsigned char)s[1]))
            s++, n--;
        if (!strncmp(s, bank_0, strlen(bank_0))) {
            add_string(t, "c");
            n = strlen(bank_0);
        } else if (n > 6 && !strncmp(s + n - 6, ".reuse", 6)) {
            add(t, s, n - 6);
            add_string(t, "'");
        } else
            add(t, s, n ? n : 1);
        s += n ? n : 1;
    }
}

static void lengthen(struct text *t, const char *s)
{
    while (*s) {
        size_t n = word_length(s);

        if (*s == '>') {
            add_string(t, s);
            return;
        }
        if (*s == '#')
            n = number_length(++s);
        else if (isdigit((unsigned char)*s) && !is_hexadecimal(s))
            add_string(t, "R");
        else if (n == 1 && *s == 'c' && s[1] == '[' && s[1 + strcspn(s + 1, "]") + 1] != '[') {
            add_string(t, bank_0);
            s++;
            continue;
        } else if (*s == '\'') {
            add_string(t, ".reuse");
            s++;
            continue;
        }
        add(t, s, n ? n : 1);
        s += n ? n : 1;
    }
}

// --- reading

static void read_kernel(struct reader *r, const char *line)
{
    const char *name = line + strlen("kernel ");
    size_t length = strcspn(name, " ");
    struct model_kernel *k;

    end_kernel(r);
    r->kernel = k = kernel_of(r->code, name, length);
    r->file = NULL;
    r->line = 0;
    sscanf(name + length, "%d %zu %u %u %u %u", &k->registers, &k->static_shared, &k->parameters,
           &k->cluster[0], &k->cluster[1], &k->cluster[2]);
}

static void read_place(struct reader *r, const char *line)
{
    const char *colon = strchr(line, ':'), *old_file = r->file;
    int file = atoi(line), old_line = r->line;

    if (*line == '-') {
        r->file = r->file_before;
        r->line = r->line_before;
    }
    r->file_before = old_file;
    r->line_before = old_line;
    if (*line == '-')
        return;
    if (colon && file < r->code->n_files)
        r->file = r->code->file[file];
    r->line = atoi(colon ? colon + 1 : line);
}

static void read_instruction(struct reader *r, const char *line)
{
    size_t guard = guard_length(line), n;
    struct text t = { .n = 0 };

    if (*line == '=')
        r->same = line[1] ? atoi(line + 1) : r->same + 1;
    if (*line == '=' && r->same >= 0 && r->same < r->n_text) {
        add_string(&t, r->text[r->same]);
        guard = guard_length(t.of);
        snprintf(r->opcode, sizeof r->opcode, "%.*s", (int)strcspn(t.of + guard, " "),
                 t.of + guard);
    } else {
        n = strcspn(line + guard, " ");
        if (n)
            snprintf(r->opcode, sizeof r->opcode, "%.*s", (int)n, line + guard);
        add(&t, line, guard);
        add_string(&t, r->opcode);
        if (line[guard + n]) {
            add_string(&t, " ");
            lengthen(&t, line + guard + n + 1);
        }
    }
    add_instruction(r, t.of);
    if (strchr(t.of, '>')) {
        int target = atoi(strchr(t.of, '>') + 1);

        r->kernel->instruction[r->kernel->n - 1].target = target < 0 ? -1 : target;
    }
    r->text = grown(r->text, r->n_text, sizeof *r->text);
    r->text[r->n_text++] = r->kernel->instruction[r->kernel->n - 1].source;
}

void record_read_line(struct reader *r, char *line)
{
    line[strcspn(line, "\n")] = 0;
    if (is_record(line)) {
        r->is_record = 1;
        sscanf(line + strlen(first_word), "%d %" SCNx64, &r->code->sm, &r->code->words);
    } else if (!strncmp(line, "file ", 5))
        file_named(r->code, line + 5, strlen(line + 5));
    else if (!strncmp(line, "kernel ", 7))
        read_kernel(r, line);
    else if (r->kernel && (isdigit((unsigned char)*line) || *line == '-'))
        read_place(r, line);
    else if (r->kernel && *line)
        read_instruction(r, line);
}

// --- writing

struct writer {
    FILE *to;
    const struct model_code *code;
    char **text;   // of all instructions before
    int n_text, same, file, line, file_before, line_before;
    char opcode[64];
};

// The folder and the name: the same on all machines.
static const char *short_path(const char *path)
{
    const char *name = strrchr(path, '/');

    while (name && name > path && name[-1] != '/')
        name--;
    return name ? name : path;
}

static void write_place(struct writer *w, const struct instruction *i)
{
    int file = 0, old_file = w->file, old_line = w->line;

    while (file < w->code->n_files && w->code->file[file] != i->file)
        file++;
    if (file == w->code->n_files || (file == w->file && i->line == w->line))
        return;
    if (file == w->file_before && i->line == w->line_before)
        fprintf(w->to, "-\n");
    else if (file == w->file)
        fprintf(w->to, "%d\n", i->line);
    else
        fprintf(w->to, "%d:%d\n", file, i->line);
    w->file = file;
    w->line = i->line;
    w->file_before = old_file;
    w->line_before = old_line;
}

static int number_before(const struct writer *w, const char *text)
{
    if (w->same + 1 < w->n_text && !strcmp(w->text[w->same + 1], text))
        return w->same + 1;
    for (int k = 0; k < w->n_text; k++)
        if (!strcmp(w->text[k], text))
            return k;
    return -1;
}

static void write_instruction(struct writer *w, const struct instruction *i)
{
    size_t guard = guard_length(i->source), n = guard + strcspn(i->source + guard, " ");
    struct text full = { .n = 0 }, text = { .n = 0 }, again = { .n = 0 };
    int same, at;

    add(&full, i->source, n);
    if (i->source[n]) {
        add_string(&full, " ");
        normalize(&full, i->source + n, i->target);
    }
    add(&text, full.of, guard);
    if (strlen(w->opcode) != n - guard || strncmp(w->opcode, full.of + guard, n - guard) ||
        !full.of[n])
        add(&text, full.of + guard, n - guard);
    snprintf(w->opcode, sizeof w->opcode, "%.*s", (int)(n - guard), full.of + guard);
    at = (int)text.n;
    shorten(&text, full.of + n);
    lengthen(&again, text.of + at);
    if (strcmp(again.of, full.of + n))
        die(STATUS_ERROR, "machine code: '%s' has no short form", full.of);
    same = number_before(w, full.of);
    if (same >= 0 && same == w->same + 1)
        fprintf(w->to, "=\n");
    else if (same >= 0 && strlen(text_of("=%d", same)) < text.n)
        fprintf(w->to, "=%d\n", same);
    else
        fprintf(w->to, "%s\n", text.of), same = w->same;
    w->same = same;
    w->text = grown(w->text, w->n_text, sizeof *w->text);
    w->text[w->n_text++] = text_of("%s", full.of);
}

// Behind the last exit stand a branch to itself and NOPs.
static int is_padding(const struct model_kernel *k, int n)
{
    return !strcmp(k->instruction[n].source, "NOP") ||
           (k->instruction[n].flow == FLOW_BRANCH && k->instruction[n].target == n);
}

static void write_kernel(struct writer *w, const struct model_kernel *k)
{
    int n = k->n - 1;   // without the exit that the reader adds

    while (n && is_padding(k, n - 1))
        n--;
    fprintf(w->to, "kernel %s %d %zu %u", k->name, k->registers, k->static_shared, k->parameters);
    if (k->cluster[0])
        fprintf(w->to, " %u %u %u", k->cluster[0], k->cluster[1], k->cluster[2]);
    fputc('\n', w->to);
    w->file = w->line = w->file_before = w->line_before = -1;
    for (int i = 0; i < n; i++) {
        write_place(w, &k->instruction[i]);
        write_instruction(w, &k->instruction[i]);
    }
}

void record_write(const struct model_code *code, const char *source, FILE *to)
{
    struct writer w = { .to = to, .code = code };

    fprintf(to, "%s%d %" PRIx64 "\n", first_word, code->sm, words_of_source(source));
    for (int k = 0; k < code->n_files; k++)
        fprintf(to, "file %s\n", short_path(code->file[k]));
    for (int k = 0; k < code->n; k++)
        if (code->kernel[k].n)
            write_kernel(&w, &code->kernel[k]);
    free(w.text);
}
