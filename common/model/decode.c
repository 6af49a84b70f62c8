#include "code.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int starts(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

// --- suffixes

static const struct {
    const char *suffix;
    uint32_t flag;
} suffixes[] = {
    { "WIDE", FLAG_WIDE },
    { "HI", FLAG_HI },
    { "X", FLAG_X },
    { "U32", FLAG_UNSIGNED },
    { "EX", FLAG_EX },
    { "R", FLAG_RIGHT },
    { "U64", FLAG_U64 },
    { "S64", FLAG_S64 },
    { "SX32", FLAG_SX32 },
    { "W", FLAG_WRAP },
    { "OR", FLAG_OR },
    { "XOR", FLAG_XOR },
    { "STRONG", FLAG_STRONG },
    { "F64", FLAG_F64 },
    { "MOV", FLAG_MOV },
    { "BYPASS", FLAG_BYPASS },
    { "MULTICAST", FLAG_MULTICAST },
    { "RED", FLAG_RED },
    { "PHASECHK", FLAG_PHASE },
    { "EXCH", FLAG_EXCHANGE },
    { "ARRIVE", FLAG_ARRIVE },
    { "A0T1", FLAG_A0T1 },
    { "A1T0", FLAG_A1T0 },
    { "S32", FLAG_SIGNED },
    { "CEIL", FLAG_CEIL },
    { "FLOOR", FLAG_FLOOR },
    { "DEPBAR", FLAG_DEPBAR },
    { "SH", FLAG_SHIFT_ONLY },
    { "ALL", FLAG_ALL },
    { "GPU", FLAG_GPU },
    { "SYS", FLAG_GPU },
};

static const struct {
    const char *suffix;
    int value;
} modes[] = {
    { "IDX", 0 }, { "UP", 1 },   { "DOWN", 2 }, { "BFLY", 3 },   // SHFL
    { "RCP", 0 }, { "RSQ", 1 },  { "EX2", 2 },  { "LG2", 3 },    { "SIN", 4 },
    { "COS", 5 }, { "SQRT", 6 }, { "TANH", 7 }, { "RCP64H", 8 },   // MUFU
    { "ANY", 1 }, { "EQ", 2 },                                     // VOTE
    { "SUM", 0 }, { "MIN", 1 },  { "MAX", 2 },                     // REDUX
};

static int comparison_of(const char *suffix, int *found)
{
    static const char *const names[] = { "F", "LT", "EQ", "LE", "GT", "NE", "GE", "T" };

    for (int c = 0; c < 8; c++)
        if (!strncmp(suffix, names[c], 2) &&
            (!suffix[strlen(names[c])] || !strcmp(suffix + strlen(names[c]), "U"))) {
            *found = 1;
            return c;
        }
    return 0;
}

static void read_suffix(struct instruction *i, const char *s)
{
    int found = 0, c = comparison_of(s, &found);
    char *end;
    long bits = strtol(s, &end, 10);

    if (found && !strchr("F", s[0]))
        i->comparison = c;
    for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++)
        if (!strcmp(s, suffixes[k].suffix))
            i->flags |= suffixes[k].flag;
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++)
        if (!strcmp(s, modes[k].suffix))
            i->mode = modes[k].value;
    if (!*end && bits >= 32)
        i->bytes = bits / 8;
    if ((s[0] == 'U' || s[0] == 'S') && (!strcmp(s + 1, "8") || !strcmp(s + 1, "16")))
        i->bytes = atoi(s + 1) / 8, i->flags |= s[0] == 'U' ? FLAG_UNSIGNED : FLAG_SIGNED;
    if (*end == 'x' && sscanf(s, "%hux%hux%hu", &i->shape[0], &i->shape[1], &i->shape[2]) == 3)
        return;
    if (!*end && bits > 256)   // HMMA.16816: M 16, N 8, the rest is K
        i->shape[0] = 16, i->shape[1] = 8, i->shape[2] = atoi(s + 3), i->bytes = 4;
}

// --- operands

static uint32_t half_bits(double v)
{
    uint32_t sign = signbit(v) ? 0x8000 : 0;
    int exponent;
    double m = frexp(fabs(v), &exponent);

    if (v == 0 || isnan(v))
        return sign;
    if (exponent < -13)
        return sign | (uint32_t)ldexp(fabs(v), 24);
    return sign | (uint32_t)(exponent + 14) << 10 | ((uint32_t)ldexp(m, 11) & 0x3ff);
}

static int read_register(struct operand *o, const char *s)
{
    static const struct {
        const char *prefix;
        int kind;
    } files[] = { { "UR", OPERAND_UNIFORM },
                  { "UP", OPERAND_UNIFORM_PREDICATE },
                  { "R", OPERAND_REGISTER },
                  { "P", OPERAND_PREDICATE } };

    for (int f = 0; f < 4; f++) {
        const char *at = s + strlen(files[f].prefix);
        int most = f % 2 ? TRUE_PREDICATE : ZERO_REGISTER;

        if (!starts(s, files[f].prefix) ||
            !(isdigit((unsigned char)*at) || *at == 'Z' || (*at == 'T' && f % 2 == 1)))
            continue;
        if (atoi(at) > most)
            return 0;
        o->kind = files[f].kind;
        o->reg = *at == 'Z' ? ZERO_REGISTER : *at == 'T' ? TRUE_PREDICATE : atoi(at);
        o->has_reuse = strstr(at, ".reuse") != NULL;
        o->wide = strstr(at, ".64") != NULL;
        o->half = strstr(at, ".H1") != NULL;
        if ((at = strstr(at, ".B")))
            o->byte = atoi(at + 2);
        return 1;
    }
    return 0;
}

// "[R2.64+UR4+0x10]", the inside of it
static void read_address(struct operand *o, const char *s)
{
    o->kind = OPERAND_ADDRESS;
    o->reg = o->ureg = ZERO_REGISTER;
    while (*s && *s != ']') {
        struct operand part = { 0 };
        int negative = *s == '-';

        s += *s == '-' || *s == '+';
        if (read_register(&part, s)) {
            if (part.kind == OPERAND_UNIFORM)
                o->ureg = part.reg;
            else
                o->reg = part.reg;
            o->wide |= !strncmp(s + strcspn(s, ".+]"), ".64", 3);
        } else
            o->offset = (negative ? -1 : 1) * (int32_t)strtoul(s, NULL, 0);
        s += strcspn(s, "+-]");
    }
}

static void read_constant(struct operand *o, const char *s)
{
    const char *second = strchr(s, '[') ? strchr(strchr(s, '[') + 1, '[') : NULL;
    struct operand inside = { 0 };

    o->kind = OPERAND_CONSTANT;
    o->bank = (uint8_t)strtoul(s + 2, NULL, 0);
    if (!second || strncmp(s, "c[0x", 4)) {
        o->bank = 255;   // cx[UR4][...], and others that are not known
        o->reg = o->ureg = ZERO_REGISTER;
        return;
    }
    read_address(&inside, second + 1);
    o->reg = inside.reg;
    o->ureg = inside.ureg;
    o->offset = inside.offset;
    o->half = strstr(second, "].H1") != NULL;
}

static int read_special(struct operand *o, const char *s)
{
    static const char *const names[] = { "SR_TID.X",   "SR_TID.Y",   "SR_TID.Z",
                                         "SR_CTAID.X", "SR_CTAID.Y", "SR_CTAID.Z",
                                         "SR_LANEID",  "SRZ",        "SR_CgaCtaId" };

    if (!starts(s, "SR"))
        return 0;
    o->kind = OPERAND_SPECIAL;
    o->value = SPECIAL_OTHER;
    for (int k = 0; k < SPECIAL_OTHER; k++)
        if (!strcmp(s, names[k]))
            o->value = k;
    return 1;
}

static void read_number(struct operand *o, const char *s, int is_float)
{
    char *end;
    int is_hex = starts(s, "0x");

    o->kind = OPERAND_IMMEDIATE;
    o->number = strstr(s, "INF") ? INFINITY : strstr(s, "NAN") ? NAN : strtod(s, &end);
    if (is_hex)
        o->value = (uint32_t)strtoul(s, NULL, 16);
    else if (is_float) {
        float f = (float)o->number;
        memcpy(&o->value, &f, 4);
    } else
        o->value = (uint32_t)(int64_t)o->number;
}

static void read_operand(struct operand *o, const char *s, int is_float)
{
    o->ureg = ZERO_REGISTER;
    for (;; s++) {
        if (*s == '-')
            o->negative = 1;
        else if (*s == '!' || *s == '~')
            o->inverted = 1;
        else if (*s == '|')
            o->absolute = 1;
        else if (*s != '+')
            break;
    }
    if (read_register(o, s) || read_special(o, s))
        return;
    if (starts(s, "desc[") && strchr(s, ']') && strchr(strchr(s, ']'), '['))
        read_address(o, strchr(strchr(s, ']'), '[') + 1);
    else if (*s == '[')
        read_address(o, s + 1);
    else if (starts(s, "gdesc[")) {
        read_register(o, s + 6);
        o->wide = 1;
    } else if (*s == 'c')
        read_constant(o, s);
    else if (*s == 'B' && isdigit((unsigned char)s[1]))
        o->kind = OPERAND_BARRIER, o->reg = atoi(s + 1);
    else if ((isdigit((unsigned char)*s) && s[1] != 'D') || starts(s, "INF") || starts(s, "QNAN"))
        read_number(o, s, is_float);
    else
        o->kind = OPERAND_OTHER;
}

// Splits at commas outside of brackets.
static void read_operands(struct instruction *i, char *s)
{
    int is_float = i->text[0] == 'F' && !starts(i->text, "FLO"), is_half = starts(i->text, "HFMA2");

    while (*s && i->n_operands < MOST_OPERANDS) {
        struct operand *o = &i->operand[i->n_operands++];
        char *end = s;

        for (int depth = 0; *end && (*end != ',' || depth); end++)
            depth += (*end == '[') - (*end == ']');
        char *next = *end ? end + 1 : end;
        *end = 0;
        while (*s == ' ')
            s++;
        for (char *back = end; back > s && back[-1] == ' ';)
            *--back = 0;
        read_operand(o, s, is_float);
        if (is_half && o->kind == OPERAND_IMMEDIATE)
            o->value = half_bits(o->negative ? -o->number : o->number), o->negative = 0;
        s = next;
    }
}

// --- registers that are read and written

static int width_of_result(const struct instruction *i)
{
    const char *s = i->text;

    if (starts(s, "HGMMA") || starts(s, "IGMMA") || starts(s, "QGMMA"))
        return i->shape[1] / 2;
    if (starts(s, "HMMA") || starts(s, "IMMA"))
        return strstr(s, ".F16.") || strstr(s, "F16") == s + strlen(s) - 3 ? 2 : 4;
    if (starts(s, "DMMA"))
        return 4;
    if (starts(s, "LDSM"))
        return s[strlen(s) - 1] - '0';
    if (starts(s, "CS2R"))
        return strstr(s, ".32") ? 1 : 2;
    if ((i->flags & FLAG_WIDE) || (s[0] == 'D' && strchr("AMF", s[1])) || starts(s, "UIADD3.64"))
        return 2;
    if (starts(s, "F2I"))
        return i->flags & (FLAG_U64 | FLAG_S64) ? 2 : 1;
    if (starts(s, "I2F") || starts(s, "F2F"))
        return starts(s + 3, ".F64") ? 2 : 1;
    return i->bytes > 4 ? i->bytes / 4 : 1;
}

static int width_of_source(const struct instruction *i, int k)
{
    const struct operand *o = &i->operand[k];
    const char *s = i->text;
    int from = i->n_results;

    if (o->wide)
        return 2;
    if (starts(s, "HGMMA"))
        return o->kind != OPERAND_REGISTER ? 2 : k == from ? 4 : i->shape[1] / 2;
    if (starts(s, "HMMA") || starts(s, "IMMA"))
        return k == from ? 4 : k == from + 1 ? 2 : 4;
    if (starts(s, "STSM"))
        return s[strlen(s) - 1] - '0';
    if (starts(s, "UTMA") || starts(s, "UBLK"))
        return o->kind == OPERAND_ADDRESS ? 4 : 1;
    if (starts(s, "DADD") || starts(s, "DMUL") || starts(s, "DFMA") || starts(s, "DSETP") ||
        starts(s, "UIADD3.64") || starts(s, "SYNCS.EXCH") || starts(s, "F2F.F32.F64") ||
        (starts(s, "F2I") && (i->flags & FLAG_F64)) || (starts(s, "I2F") && (i->flags & FLAG_U64)))
        return 2;
    if (strstr(i->op->name, "IMAD") && (i->flags & (FLAG_WIDE | FLAG_HI)) && k == from + 2)
        return 2;
    return (starts(s, "ST") || starts(s, "RED") || starts(s, "ATOM")) && i->bytes > 4 ? i->bytes / 4
                                                                                      : 1;
}

static void add(struct registers *list, uint8_t *n, int most, int file, int first, int count)
{
    if (*n < most && first != ZERO_REGISTER &&
        !(first == TRUE_PREDICATE &&
          (file == OPERAND_PREDICATE || file == OPERAND_UNIFORM_PREDICATE)))
        list[(*n)++] = (struct registers){ file, first, count };
}

static int is_file(int kind)
{
    return kind >= OPERAND_REGISTER && kind <= OPERAND_UNIFORM_PREDICATE;
}

// P2R and R2P: the predicates of a mask.
static void find_predicates(struct instruction *i)
{
    uint32_t mask = i->n_operands ? i->operand[i->n_operands - 1].value & 0x7f : 0;
    int to = !strcmp(i->op->name, "R2P");

    if (!to && strcmp(i->op->name, "P2R"))
        return;
    for (int k = 0; k < 7; k++)
        if (mask >> k & 1 && to)
            add(i->writes, &i->n_writes, MOST_WRITES, OPERAND_PREDICATE, k, 1);
        else if (mask >> k & 1)
            add(i->reads, &i->n_reads, MOST_READS, OPERAND_PREDICATE, k, 1);
}

static void find_registers(struct instruction *i)
{
    if (is_file(i->guard.kind))
        add(i->reads, &i->n_reads, MOST_READS, i->guard.kind, i->guard.reg, 1);
    for (int k = 0; k < i->n_operands; k++) {
        const struct operand *o = &i->operand[k];

        if (o->kind == OPERAND_ADDRESS || o->kind == OPERAND_CONSTANT) {
            int width = width_of_source(i, k);

            add(i->reads, &i->n_reads, MOST_READS, OPERAND_REGISTER, o->reg, o->wide ? 2 : 1);
            add(i->reads, &i->n_reads, MOST_READS, OPERAND_UNIFORM, o->ureg, width);
        } else if (is_file(o->kind) && k < i->n_results)
            add(i->writes, &i->n_writes, MOST_WRITES, o->kind, o->reg,
                o->kind == OPERAND_REGISTER || o->kind == OPERAND_UNIFORM ? width_of_result(i) : 1);
        else if (is_file(o->kind))
            add(i->reads, &i->n_reads, MOST_READS, o->kind, o->reg,
                o->kind == OPERAND_REGISTER || o->kind == OPERAND_UNIFORM ? width_of_source(i, k)
                                                                          : 1);
    }
}

// Carries that an addition returns stand between its result and its sources. LOP3 and R2UR may have
// a predicate before the result.
static int results_of(const struct instruction *i)
{
    int n = i->op->results, first = i->operand[0].kind;

    if (n != 1)
        return n;
    if (first == OPERAND_PREDICATE || first == OPERAND_UNIFORM_PREDICATE)
        return strstr(i->op->name, "LOP3") || !strcmp(i->op->name, "R2UR") ? 2 : 1;
    while (n < i->n_operands - 2 &&
           (i->operand[n].kind == OPERAND_PREDICATE ||
            i->operand[n].kind == OPERAND_UNIFORM_PREDICATE) &&
           !i->operand[n].inverted)
        n++;
    return n;
}

static enum flow flow_of(const char *name)
{
    static const struct {
        const char *name;
        enum flow flow;
    } flows[] = { { "BRA", FLOW_BRANCH }, { "JMP", FLOW_BRANCH },  { "EXIT", FLOW_EXIT },
                  { "KILL", FLOW_EXIT },  { "CALL", FLOW_CALL },   { "RET", FLOW_RETURN },
                  { "BSSY", FLOW_BSSY },  { "BREAK", FLOW_BREAK }, { "BSYNC", FLOW_BSYNC } };

    for (size_t k = 0; k < sizeof flows / sizeof *flows; k++)
        if (!strcmp(flows[k].name, name))
            return flows[k].flow;
    return FLOW_NEXT;
}

void instruction_decode(struct instruction *i, const char *text)
{
    char copy[256], *s = copy, *word, *rest;

    snprintf(copy, sizeof copy, "%s", text);
    i->target = -1;
    i->bytes = 4;
    i->guard.kind = OPERAND_NONE;
    if (*s == '@') {
        rest = s + strcspn(s, " ");
        *rest = 0;
        read_operand(&i->guard, s + 1, 0);
        s = rest + 1;
    }
    while (*s == ' ')
        s++;
    rest = s + strcspn(s, " ");
    if (*rest)
        *rest++ = 0;
    snprintf(i->text, sizeof i->text, "%.23s", s);
    word = strtok(s, ".");
    i->op = opcode_named(word);
    while ((word = strtok(NULL, ".")))
        read_suffix(i, word);
    read_operands(i, rest);
    i->flow = flow_of(i->op->name);
    i->n_results = results_of(i);
    find_registers(i);
    find_predicates(i);
}
