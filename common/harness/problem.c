#include "problem.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [TYPE_U8] = "uchar", [TYPE_I32] = "int", [TYPE_F32] = "float", [TYPE_F64] = "double"
};
static const size_t sizes[] = { [TYPE_U8] = 1, [TYPE_I32] = 4, [TYPE_F32] = 4, [TYPE_F64] = 8 };

const char *type_name(enum type type) { return names[type]; }
size_t type_size(enum type type) { return sizes[type]; }

int type_of_name(const char *name)
{
    for (int i = 0; i < week.n_types; i++)
        if (strcmp(name, names[week.types[i]]) == 0)
            return week.types[i];
    return -1;
}

const char *size_parse(const char *text, long long dim[MAX_DIMS])
{
    int n = 0;

    for (const char *s = text;; s++) {
        char *end;

        if (n == week.dims)
            return "too many numbers";
        if (*s == '-')
            return "a size is not negative";
        if (!isdigit((unsigned char)*s))
            return "not a number";
        errno = 0;
        dim[n] = strtoll(s, &end, 10);
        if (errno == ERANGE)
            return "too large a number";
        if (dim[n++] == 0)
            return "a size is 1 or more";
        if (*end == '\0')
            break;
        if (*end != 'x')
            return "not a number";
        s = end;
    }
    if (n != 1 && n != week.dims)
        return "too few numbers";
    for (int i = n; i < MAX_DIMS; i++)
        dim[i] = i < week.dims ? dim[0] : 1;
    return NULL;
}

void size_text(const long long dim[MAX_DIMS], char out[SIZE_TEXT])
{
    int length = snprintf(out, SIZE_TEXT, "%lld", dim[0]);

    for (int i = 1; i < week.dims; i++)
        length += snprintf(out + length, SIZE_TEXT - length, "x%lld", dim[i]);
}

int size_same(const long long a[MAX_DIMS], const long long b[MAX_DIMS])
{
    for (int i = 0; i < week.dims; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

void variant_text(const struct problem *p, char out[VARIANT_TEXT])
{
    size_t length;

    out[0] = '\0';
    if (week.variant)
        week.variant(p, out);
    length = strlen(out);
    if (p->rules[0])
        snprintf(out + length, VARIANT_TEXT - length, "%srules=%s", length ? " " : "", p->rules);
}

const char *rules_take(const char *capability, struct problem *p)
{
    if (!isdigit((unsigned char)capability[0]) || capability[1] != '.' ||
        !isdigit((unsigned char)capability[2]) || capability[3])
        return "no compute capability";
    strcpy(p->rules, strcmp(capability, "9.0") == 0 ? "" : capability);
    return NULL;
}

const char *variant_take(const char *word, struct problem *p)
{
    size_t length = strcspn(word, "=");
    const char *argument = word[length] ? word + length + 1 : NULL;

    if (strncmp(word, "rules=", 6) == 0)
        return rules_take(word + 6, p);
    for (const struct week_option *o = week.options; o && o->name; o++)
        if (strncmp(word, o->name, length) == 0 && o->name[length] == '\0' &&
            !argument == !o->argument)
            return o->take(argument ? argument : "", p);
    return "no option of this week";
}

void problem_text(const struct problem *p, char out[PROBLEM_TEXT])
{
    char variant[VARIANT_TEXT];
    size_t length;

    size_text(p->dim, out);
    variant_text(p, variant);
    length = strlen(out);
    if (variant[0])
        snprintf(out + length, PROBLEM_TEXT - length, " %s", variant);
}

int problem_same(const struct problem *a, const struct problem *b)
{
    char of_a[VARIANT_TEXT], of_b[VARIANT_TEXT];

    variant_text(a, of_a);
    variant_text(b, of_b);
    return size_same(a->dim, b->dim) && a->type == b->type && strcmp(of_a, of_b) == 0;
}

const char *problem_limit(const struct problem *p)
{
    double all = 1;

    for (int i = 0; i < week.dims; i++)
        all *= p->dim[i];
    if (week.limit && week.limit(p))
        return week.limit(p);
    return all > 0x1p60 ? "more than any memory holds" : NULL;
}

size_t buffer_bytes(const struct buffer *b) { return b->count * type_size(b->type); }

enum type want_type(const struct buffer *b) { return b->want_double ? TYPE_F64 : b->type; }

size_t problem_bytes(const struct problem *p, enum role role)
{
    struct buffer b[MAX_BUFFERS];
    size_t sum = 0;
    int n = week.buffers(p, b);

    for (int i = 0; i < n; i++)
        if (b[i].role == role)
            sum += buffer_bytes(&b[i]);
    return sum;
}
