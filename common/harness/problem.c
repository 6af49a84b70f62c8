#include "problem.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "program.h"

static const char *const names[] = { [TYPE_U8] = "uchar",
                                     [TYPE_I32] = "int",
                                     [TYPE_F32] = "float",
                                     [TYPE_F64] = "double",
                                     [TYPE_BF16] = "bf16" };
static const size_t sizes[] = {
    [TYPE_U8] = 1, [TYPE_I32] = 4, [TYPE_F32] = 4, [TYPE_F64] = 8, [TYPE_BF16] = 2
};

const char *type_name(enum type type) { return names[type]; }
size_t type_size(enum type type) { return sizes[type]; }

struct problem problem_default(const struct week *w)
{
    return (struct problem){
        .week = w, .type = w->types[0], .seed = 1, .computes = "", .arithmetic = ""
    };
}

int type_of_name(const struct week *w, const char *name)
{
    for (int i = 0; i < w->n_types + w->n_stage_types; i++)
        if (strcmp(name, names[w->types[i]]) == 0)
            return w->types[i];
    return -1;
}

const char *size_parse(const char *text, struct problem *p)
{
    int n = 0, dims = p->week->dims;
    long long *dim = p->dim;

    for (const char *s = text;; s++) {
        char *end;

        if (n == dims)
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
            return n == 1 && *end == 'x' ? "a size is 1 or more, in decimal digits"
                                         : "a size is 1 or more";
        if (*end == '\0')
            break;
        if (*end != 'x')
            return "not a number";
        s = end;
    }
    if (n != 1 && n != dims)
        return "too few numbers";
    for (int i = n; i < MAX_DIMS; i++)
        dim[i] = i < dims ? dim[0] : 1;
    return NULL;
}

int size_of_list(const char *list, int nth, struct problem *p)
{
    const char *size = next_word(&list);

    for (; size && nth > 0; nth--)
        size = next_word(&list);
    if (!size || size_parse(size, p))
        return 0;
    if (p->week->adapt)
        p->week->adapt(p);
    return 1;
}

const char *size_text(const struct problem *p)
{
    const char *text = text_of("%lld", p->dim[0]);

    for (int i = 1; i < p->week->dims; i++)
        text = text_of("%sx%lld", text, p->dim[i]);
    return text;
}

const char *variant_text(const struct problem *p)
{
    const char *variant = p->week->variant ? p->week->variant(p) : "";

    if (p->rules[0])
        variant = with_word(variant, text_of("rules=%s", p->rules));
    return p->sms ? with_word(variant, text_of("sms=%d", p->sms)) : variant;
}

static const char *sms_take(const char *text, struct problem *p)
{
    long long number;

    if (!whole_number(text, 1, MAX_SMS, &number))
        return "no number of SMs";
    p->sms = (int)number;
    return NULL;
}

const char *rules_take(const char *capability, struct problem *p)
{
    if (!isdigit((unsigned char)capability[0]) || capability[1] != '.' ||
        !isdigit((unsigned char)capability[2]) || capability[3])
        return "no compute capability";
    strcpy(p->rules, strcmp(capability, "9.0") == 0 ? "" : capability);
    return NULL;
}

static const char *take_word(const char *word, struct problem *p)
{
    size_t length = strcspn(word, "=");
    const char *argument = word[length] ? word + length + 1 : NULL;

    if (strncmp(word, "rules=", 6) == 0)
        return rules_take(word + 6, p);
    if (strncmp(word, "sms=", 4) == 0)
        return sms_take(word + 4, p);
    for (const struct week_option *o = p->week->options; o && o->name; o++)
        if (strncmp(word, o->name, length) == 0 && o->name[length] == '\0' &&
            !argument == !o->argument)
            return o->take(argument ? argument : "", p);
    return "no option of this week";
}

const char *variant_take(const char *variant, struct problem *p)
{
    memset(p->option, 0, sizeof p->option);
    p->rules[0] = '\0';
    p->sms = 0;
    for (const char *word; (word = next_word(&variant));)
        if (take_word(word, p))
            return word;
    return NULL;
}

const char *problem_text(const struct problem *p)
{
    const char *variant = variant_text(p);

    return variant[0] ? with_word(size_text(p), variant) : size_text(p);
}

int problem_same(const struct problem *a, const struct problem *b)
{
    return a->type == b->type && strcmp(problem_text(a), problem_text(b)) == 0;
}

const char *problem_limit(const struct problem *p)
{
    double all = 1;

    for (int i = 0; i < p->week->dims; i++)
        all *= p->dim[i];
    if (p->week->limit && p->week->limit(p))
        return p->week->limit(p);
    return all > 0x1p60 ? "more than any memory holds" : NULL;
}

double problem_tolerance(const struct problem *p)
{
    return p->week->tolerance ? p->week->tolerance(p) : 0;
}

double problem_relative_tolerance(const struct problem *p)
{
    return p->week->relative_tolerance ? p->week->relative_tolerance(p) : 0;
}

const char *stage_baseline(const struct week *w, const struct stage_info *info)
{
    return info->type[0] ? w->type_baseline : w->baseline;
}

size_t buffer_bytes(const struct buffer *b) { return b->count * type_size(b->type); }

enum type want_type(const struct buffer *b) { return b->want_double ? TYPE_F64 : b->type; }

size_t problem_bytes(const struct problem *p, enum role role)
{
    struct buffer b[MAX_BUFFERS];
    size_t sum = 0;
    int n = p->week->buffers(p, b);

    for (int i = 0; i < n; i++)
        if (b[i].role == role)
            sum += buffer_bytes(&b[i]);
    return sum;
}
