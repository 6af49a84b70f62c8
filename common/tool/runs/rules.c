// The make rules of a week, from the heads of its .cu files, and the C source of each stage_info.
#define _GNU_SOURCE   // open_memstream, strverscmp
#include "runs.h"

#include <stdlib.h>
#include <string.h>

#include "needs.h"

struct target {
    const char *device;   // gpu or cpu
    const char *arch;     // sm_90
    int known;            // this GPU was detected or requested
    const char *archs;    // those that nvcc can build for, "sm_75 sm_80"
};

// --- files

static int by_file(const void *a, const void *b)
{
    return strverscmp(((const struct head *)a)->file, ((const struct head *)b)->file);
}

static struct head *heads_of(const struct arguments *a)
{
    struct head *heads = must_calloc(a->n + 1, sizeof *heads);

    for (int i = 0; i < a->n; i++) {
        if (!matches(a->word[i], "^(stage[0-9]+|exercise[0-9]+|ref|demo)_[A-Za-z0-9_]+\\.cu$"))
            fail("%s: expected stageNUMBER_name.cu, exerciseNUMBER_name.cu, ref_name.cu or "
                 "demo_name.cu, with letters, digits and _ in the name",
                 a->word[i]);
        heads[i] = head_of(a->word[i]);
    }
    qsort(heads, a->n, sizeof *heads, by_file);
    for (int i = 1; i < a->n; i++)
        if (strcmp(heads[i - 1].key, heads[i].key) == 0)
            fail("%s: two files have this name: %s %s", heads[i].key, heads[i - 1].file,
                 heads[i].file);
    return heads;
}

// --- what a file is compiled for

static int sm_number(const char *sm) { return strncmp(sm, "sm_", 3) == 0 ? atoi(sm + 3) : 0; }

static int knows(const struct target *t, const char *needs)
{
    char *list = text_of(" %s ", t->archs), *base = text_of(" sm_%d ", sm_number(needs));

    return strstr(list, base) != NULL;
}

// What to compile a file for. "// Needs: sm_90a" is code for that architecture only; without the
// letter, for it and all later ones. The CPU device has all that sm_90a has. "none": not possible
// on this device or with this nvcc.
static const char *arch_for(const struct target *t, const char *needs)
{
    int exact = needs[0] && strchr("af", needs[strlen(needs) - 1]) != NULL;

    if (strcmp(t->device, "cpu") == 0)
        return needs_met(needs, CPU_DEVICE_SM) ? "cpu" : "none";
    if (!needs[0])
        return t->arch;
    if (!knows(t, needs))
        return "none";
    if (t->known && !needs_met(needs, sm_number(t->arch)))
        return "none";
    return t->known && !exact ? t->arch : needs;
}

// --- stage_info

static void put_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        if (strchr("\"\\?", *text))   // "\?": no trigraphs
            fprintf(out, "\\%c", *text);
        else
            fputc(*text == '\t' ? ' ' : *text, out);
    fputc('"', out);
}

static void put_field(FILE *out, const char *name, const char *text)
{
    fprintf(out, "    .%s = ", name);
    put_quoted(out, text);
    fputs(",\n", out);
}

static void write_info(const char *folder, const struct head *h)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    fputs("#include <stddef.h>\n\n#include \"week.h\"\n\n"
          "#ifndef KNOBS\n#define KNOBS \"\"\n#endif\n\n"
          "static const char *const claims[] = {\n",
          out);
    for (int i = 0; i < h->n_claims; i++) {
        fputs("    ", out);
        put_quoted(out, h->claim[i]);
        fputs(",\n", out);
    }
    fputs("    NULL,\n};\n\nconst struct stage_info stage_info = {\n", out);
    put_field(out, "file", h->file);
    put_field(out, "key", h->key);
    put_field(out, "name", h->name);
    put_field(out, "lesson", h->lesson);
    put_field(out, "needs", h->needs);
    put_field(out, "computes", h->computes);
    put_field(out, "arithmetic", h->arithmetic);
    put_field(out, "type", h->type);
    fputs("    .knobs = KNOBS,\n    .claims = claims,\n};\n", out);
    fclose(out);
    write_if_changed(text_of("%s/%s.info.c", folder, h->key), text);
}

// --- rules

static void put_list(FILE *out, const char *name, const struct head *h, const char *prefix)
{
    fprintf(out, "%s :=", name);
    for (; h->file; h++)
        if (strncmp(h->key, prefix, strlen(prefix)) == 0)
            fprintf(out, " %s", h->key);
    fputc('\n', out);
}

static void put_variables(FILE *out, const struct head *h, const char *arch)
{
    const char *const line[][2] = { { "file ", h->file },
                                    { "knobs", h->knobs },
                                    { "arch ", arch },
                                    { "links", h->links },
                                    { "from ", h->from } };

    fputc('\n', out);
    for (int i = 0; i < 5; i++)
        fprintf(out, "%s.%s := %s\n", h->key, line[i][0], line[i][1]);
}

// ladder rules --device gpu|cpu --arch sm_90 [--known] --archs LIST --out BUILD
enum status command_rules(struct arguments a)
{
    struct target t = { .device = take_option(&a, "--device"),
                        .arch = take_option(&a, "--arch"),
                        .archs = take_option(&a, "--archs"),
                        .known = take_flag(&a, "--known") };
    const char *folder = take_option(&a, "--out");
    struct arguments files = files_like("", "*.cu");   // of the week
    struct head *heads;
    char *text, *objects;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    no_options(&a);
    if (!t.device || !t.arch || !t.archs || !folder)
        fail("rules: --device, --arch, --archs and --out are needed");
    heads = heads_of(&files);
    objects = text_of("%s/obj", folder);
    fputs("# Made by `ladder rules` from the heads of the week's .cu files, at every make.\n"
          "# week.mk has the rules.\n\n",
          out);
    put_list(out, "ALL_STAGES   ", heads, "stage");
    put_list(out, "ALL_EXERCISES", heads, "exercise");
    put_list(out, "REFERENCES   ", heads, strcmp(t.device, "gpu") == 0 ? "ref_" : "none");
    put_list(out, "DEMOS        ", heads, "demo_");
    fprintf(out, "ALL_PARTS     := %s\n", parts_of_file(NULL));
    fprintf(out, "TARGETS       := %s\n", target_names());
    for (struct head *h = heads; h->file; h++) {
        put_variables(out, h, arch_for(&t, h->needs));
        if (strncmp(h->key, "demo_", 5) != 0)
            write_info(objects, h);
    }
    fclose(out);
    write_if_changed(text_of("%s/rules.mk", folder), text);
    return STATUS_OK;
}

enum status command_list(struct arguments a)
{
    const char *core = message_stages(".", "core");
    struct head *heads;

    no_options(&a);
    if (!a.n)
        fail("list: expected FILE.cu...");
    heads = heads_of(&a);
    for (struct head *h = heads; h->file; h++) {
        const char *mark = !core[0] ? "" : has_word(core, h->key) ? "core  " : "      ";

        printf("%-8s %-22s %s%s\n", h->key, h->name, mark, h->lesson);
    }
    return STATUS_OK;
}
