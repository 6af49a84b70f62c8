#include "code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/program.h"
#include "reader.h"

/* The text of `nvdisasm -g`: sections, comments with the source line of what follows, labels, and
 * an instruction per line: "        slash-star 0120 star-slash   @!P0 BRA `(.L_x_3) ;" */

static const char *after(const char *line, const char *what)
{
    const char *at = strstr(line, what);

    return at ? at + strlen(what) : NULL;
}

struct model_kernel *kernel_of(struct model_code *code, const char *name, size_t length)
{
    for (int k = 0; k < code->n; k++)
        if (strlen(code->kernel[k].name) == length && !strncmp(code->kernel[k].name, name, length))
            return &code->kernel[k];
    code->kernel = grown(code->kernel, code->n, sizeof *code->kernel);
    code->kernel[code->n] = (struct model_kernel){ .name = strndup(name, length) };
    return &code->kernel[code->n++];
}

const struct model_kernel *code_find(const struct model_code *code, const char *name)
{
    for (int k = 0; k < code->n; k++)
        if (!strcmp(code->kernel[k].name, name) && code->kernel[k].n)
            return &code->kernel[k];
    return NULL;
}

const char *file_named(struct model_code *code, const char *name, size_t length)
{
    for (int k = 0; k < code->n_files; k++)
        if (strlen(code->file[k]) == length && !strncmp(code->file[k], name, length))
            return code->file[k];
    code->file = grown(code->file, code->n_files, sizeof *code->file);
    return code->file[code->n_files++] = strndup(name, length);
}

static void add_label(struct reader *r, const char *name, size_t length)
{
    r->label = grown(r->label, r->n_labels, sizeof *r->label);
    r->label[r->n_labels++] = (struct label){ strndup(name, length), r->kernel->n };
}

void add_instruction(struct reader *r, const char *text)
{
    struct model_kernel *k = r->kernel;
    struct instruction *i;

    k->instruction = grown(k->instruction, k->n, sizeof *k->instruction);
    i = &k->instruction[k->n++];
    memset(i, 0, sizeof *i);
    instruction_decode(i, text);
    i->source = strdup(text);
    i->address = 16 * (k->n - 1);
    i->line = r->line;
    i->file = r->file;
    i->is_unknown = !i->op->name[0];
}

// The text of an instruction up to the semicolon.
static void add_text(struct reader *r, const char *text)
{
    char copy[256];

    snprintf(copy, sizeof copy, "%.*s", (int)strcspn(text, ";"), text);
    for (char *end = copy + strlen(copy); end > copy && end[-1] == ' ';)
        *--end = 0;
    add_instruction(r, copy);
}

// Branches name labels that may come later: they are looked up at the end of the section.
static void read_target(struct reader *r, const char *text)
{
    const char *at = after(text, "`("), *end = at ? strchr(at, ')') : NULL;

    if (end) {
        struct instruction *i = &r->kernel->instruction[r->kernel->n - 1];

        add_label(r, at, end - at);
        i->target = -2 - (r->n_labels - 1);   // the name, until it is looked up
        r->label[r->n_labels - 1].at = -1;
    }
}

// A register is in the bank of its parity. A source that the instruction before has kept (.reuse)
// is not read.
static void count_reads(struct instruction *i, const struct instruction *before)
{
    for (int k = i->n_results; k < i->n_operands; k++) {
        const struct operand *o = &i->operand[k],
                             *old = before && k < before->n_operands ? &before->operand[k] : NULL;

        if (o->kind == OPERAND_REGISTER && o->reg != ZERO_REGISTER &&
            !(old && old->kind == OPERAND_REGISTER && old->reg == o->reg && old->has_reuse))
            i->of_bank[o->reg & 1]++;
    }
}

static void note_highest(struct model_kernel *k, const struct instruction *i)
{
    for (int n = 0; n < i->n_reads + i->n_writes; n++) {
        struct registers r = n < i->n_reads ? i->reads[n] : i->writes[n - i->n_reads];

        if (r.file == OPERAND_REGISTER && r.first + r.count > k->highest)
            k->highest = r.first + r.count;
    }
    if (k->highest < k->registers)
        k->highest = k->registers;
}

void end_kernel(struct reader *r)
{
    if (!r->kernel)
        return;
    add_instruction(r, "EXIT");   // where a path ends that runs over the end of damaged code
    for (int k = 0; k < r->kernel->n; k++) {
        struct instruction *i = &r->kernel->instruction[k];

        if (i->target < -1) {
            const char *name = r->label[-2 - i->target].name;

            i->target = -1;
            for (int l = 0; l < r->n_labels; l++)
                if (r->label[l].at >= 0 && !strcmp(r->label[l].name, name))
                    i->target = r->label[l].at;
        }
        if (i->target >= r->kernel->n)
            i->target = -1;
    }
    for (int k = 0; k < r->kernel->n; k++)
        count_reads(&r->kernel->instruction[k], k ? &r->kernel->instruction[k - 1] : NULL);
    for (int k = 0; k < r->kernel->n; k++)
        note_highest(r->kernel, &r->kernel->instruction[k]);
    kernel_find_needs(r->kernel);
    for (int l = 0; l < r->n_labels; l++)
        free(r->label[l].name);
    r->n_labels = 0;
    r->kernel = NULL;
}

static void read_line_number(struct reader *r, const char *at)
{
    const char *end = strchr(at, '"');

    if (!end)
        return;
    r->file = file_named(r->code, at, end - at);
    at = after(end, "line ");
    r->line = at ? atoi(at) : 0;
}

static void read_section(struct reader *r, const char *line)
{
    const char *text = after(line, "\t.section\t.text."), *end;

    end_kernel(r);
    free(r->shared);
    free(r->info);
    r->shared = r->info = NULL;
    r->note[0] = 0;
    if (text) {
        r->kernel = kernel_of(r->code, text, strcspn(text, ",\n"));
        r->line = 0;
        // registers and shared memory may have been read before
        free(r->kernel->instruction);
        r->kernel->instruction = NULL;
        r->kernel->n = 0;
    } else if ((text = after(line, "\t.section\t.nv.shared."))) {
        end = text + strcspn(text, ",\n");
        r->shared = strndup(text, end - text);
    } else if ((text = after(line, "\t.section\t.nv.info.")))
        r->info = strndup(text, strcspn(text, ",\n"));
}

// What nvcc notes about a kernel, by the name of the note: numbers follow as .word and .short.
static void read_note(struct reader *r, const char *line)
{
    const char *word = after(line, ".word\t0x"), *half = after(line, ".short\t0x"),
               *name = after(line, "index@(");
    unsigned value = (unsigned)strtoul(word ? word : half ? half : "0", NULL, 16);
    struct model_kernel *k = r->info ? kernel_of(r->code, r->info, strlen(r->info)) : NULL;

    if (name) {
        free(r->register_name);
        r->register_name = strndup(name, strcspn(name, ")"));
        return;
    }
    if (!word && !half)
        return;
    if (!strcmp(r->note, "REGCOUNT") && word && r->register_name)
        kernel_of(r->code, r->register_name, strlen(r->register_name))->registers = (int)value;
    else if (k && !strcmp(r->note, "CTA_PER_CLUSTER") && word && r->n_numbers < 3)
        k->cluster[r->n_numbers] = value;
    else if (k && !strcmp(r->note, "PARAM_CBANK") && half && r->n_numbers == 0)
        k->parameters = value;
    r->n_numbers++;
}

static void read_sizes(struct reader *r, const char *line)
{
    const char *at;

    if ((at = after(line, "nvinfo : EIATTR_"))) {
        snprintf(r->note, sizeof r->note, "%.*s", (int)strcspn(at, "\n"), at);
        r->n_numbers = 0;
    } else if (r->note[0])
        read_note(r, line);
    else if (r->shared && (at = after(line, ".zero\t")))
        kernel_of(r->code, r->shared, strlen(r->shared))->static_shared += strtoul(at, NULL, 10);
}

static void read_line(struct reader *r, char *line)
{
    char *at = line + strspn(line, " \t"), *end;
    const char *found;

    if (strstr(line, "\t.section\t"))
        read_section(r, line);
    else if ((found = after(line, "\t.target\tsm_")))
        r->code->sm = atoi(found);
    else if (!r->kernel)
        read_sizes(r, line);
    else if ((found = after(line, "//## File \"")))
        read_line_number(r, found);
    else if (!strncmp(at, "/*", 2) && (end = strstr(at, "*/"))) {
        end += 2;
        end += strspn(end, " \t{");
        if (isalpha((unsigned char)*end) || *end == '@') {
            add_text(r, end);
            read_target(r, end);
        }
    } else if (line[0] != '\t' && line[0] != ' ' && (end = strchr(line, ':')))
        add_label(r, line, end - line);
}

struct model_code *model_code_read(const char *path)
{
    FILE *f = fopen(path, "r");
    struct reader r = { .code = calloc(1, sizeof *r.code) };
    char *line = NULL;
    size_t room = 0;
    int n = 0;

    if (!f || !r.code) {
        fprintf(stderr, "%s: cannot be read: it has the machine code\n", path);
        free(r.code);
        return NULL;
    }
    while (getline(&line, &room, f) > 0)
        if (r.is_record || is_record(line))
            record_read_line(&r, line);
        else
            read_line(&r, line);
    end_kernel(&r);
    fclose(f);
    free(line);
    free(r.label);
    free(r.text);
    free(r.shared);
    free(r.info);
    free(r.register_name);
    for (int k = 0; k < r.code->n; k++)
        n += r.code->kernel[k].n > 0;
    if (n)
        return r.code;
    fprintf(stderr, "%s: has no kernel: expected the output of `nvdisasm -g`, or a record of it\n",
            path);
    model_code_free(r.code);
    return NULL;
}

void model_code_free(struct model_code *code)
{
    for (int k = 0; code && k < code->n; k++) {
        // those of an estimated kernel share their texts
        for (int i = 0; i < code->kernel[k].n && !code->kernel[k].start; i++)
            free(code->kernel[k].instruction[i].source);
        free(code->kernel[k].start);
        free(code->kernel[k].name);
        free(code->kernel[k].instruction);
    }
    for (int k = 0; code && k < code->n_files; k++)
        free(code->file[k]);
    if (code) {
        free(code->kernel);
        free(code->file);
    }
    free(code);
}

const char *model_code_kernel(const struct model_code *code, int k)
{
    int seen = 0;

    for (int i = 0; i < code->n; i++)
        if (code->kernel[i].n && seen++ == k)
            return code->kernel[i].name;
    return NULL;
}
