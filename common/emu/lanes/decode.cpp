// Lengths and targets of machine instructions: the part of a disassembler that control-flow
// analysis needs.
#include "flow.h"

#include <cstring>

namespace emu {

#if defined(__x86_64__)

// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2 and appendix A.
struct Reader {
    const unsigned char *at;
    bool is_16_bit, is_wide;   // set by prefixes 66 and REX.W

    int32_t signed_bytes(unsigned n) const
    {
        int32_t value;

        if (n == 1)
            return (signed char)*at;
        memcpy(&value, at, sizeof value);
        return value;
    }
    unsigned immediate() const { return is_16_bit ? 2 : 4; }

    // Skips ModRM, SIB and displacement; returns ModRM's middle field.
    unsigned operands()
    {
        unsigned modrm = *at++, mod = modrm >> 6, rm = modrm & 7;

        if (mod == 3)
            return modrm >> 3 & 7;
        unsigned base = rm == 4 ? *at++ & 7 : rm;
        at += mod == 1 ? 1 : mod == 2 || base == 5 ? 4 : 0;
        return modrm >> 3 & 7;
    }
};

static bool is_prefix(unsigned byte)
{
    return byte == 0x66 || byte == 0x67 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3 ||
           (byte & 0xe7) == 0x26 || byte == 0x64 || byte == 0x65;
}

static void relative(Reader &r, unsigned bytes, Leaves leaves, Instruction *i)
{
    int32_t distance = r.signed_bytes(bytes);

    r.at += bytes;
    i->leaves = leaves;
    i->target = (uintptr_t)r.at + distance;
}

// Opcodes after 0F.
static bool two_bytes(Reader &r, Instruction *i)
{
    unsigned op = *r.at++;

    if (op == 0x38 || op == 0x3a) {
        r.at++;
        r.operands();
        r.at += op == 0x3a;
    } else if (op >= 0x80 && op <= 0x8f) {
        relative(r, 4, Leaves::branch, i);
    } else if (op == 0x0b) {   // ud2
        i->leaves = Leaves::nowhere;
    } else if (!(op == 0x05 || op == 0x77 || op == 0x31 || op == 0xa2 ||
                 (op >= 0xc8 && op <= 0xcf))) {
        r.operands();
        r.at += (op >= 0x70 && op <= 0x73) || op == 0xa4 || op == 0xac || op == 0xba ||
                op == 0xc2 || (op >= 0xc4 && op <= 0xc6);
    }
    return true;
}

// VEX (C4, C5) and EVEX (62): the prefix encodes 0F, 0F 38 or 0F 3A.
static bool vector_prefix(Reader &r, unsigned op, Instruction *i)
{
    unsigned map = op == 0xc5 ? 1 : op == 0xc4 ? *r.at & 31 : *r.at & 7;

    r.at += op == 0xc5 ? 1 : op == 0xc4 ? 2 : 3;
    if (map == 1)
        return two_bytes(r, i);
    r.at++;
    r.operands();
    r.at += map == 3;
    return map == 2 || map == 3;
}

// The remaining one-byte opcodes, which have operands in ModRM and possibly an immediate.
static bool with_operands(Reader &r, unsigned op, Instruction *i)
{
    bool is_known = op == 0x63 || op == 0x69 || op == 0x6b || (op >= 0x80 && op <= 0x8f) ||
                    (op & ~1u) == 0xc0 || (op & ~1u) == 0xc6 || (op >= 0xd0 && op <= 0xd3) ||
                    (op >= 0xd8 && op <= 0xdf) || (op & ~1u) == 0xf6 || op >= 0xfe;
    unsigned field = is_known ? r.operands() : 0;

    if (op == 0x69 || op == 0x81 || op == 0xc7 || (op == 0xf7 && field < 2))
        r.at += r.immediate();
    if (op == 0x6b || op == 0x80 || op == 0x83 || (op & ~1u) == 0xc0 || op == 0xc6 ||
        (op == 0xf6 && field < 2))
        r.at++;
    if (op == 0xff && (field == 2 || field == 3))
        i->leaves = Leaves::call;
    if (op == 0xff && (field == 4 || field == 5))
        i->leaves = Leaves::nowhere;
    return is_known;
}

static bool one_byte(Reader &r, unsigned op, Instruction *i)
{
    if (op < 0x40 && (op & 7) < 6) {
        if ((op & 7) < 4)
            r.operands();
        else
            r.at += op & 1 ? r.immediate() : 1;
    } else if ((op >= 0x70 && op <= 0x7f) || (op >= 0xe0 && op <= 0xe3))
        relative(r, 1, Leaves::branch, i);
    else if (op == 0xe8 || op == 0xe9)
        relative(r, 4, op == 0xe8 ? Leaves::call : Leaves::jump, i);
    else if (op == 0xeb)
        relative(r, 1, Leaves::jump, i);
    else if (op == 0xc3 || op == 0xc2 || op == 0xcc || op == 0xf4)
        i->leaves = Leaves::nowhere;
    else if (op == 0x68 || op == 0xa9)
        r.at += r.immediate();
    else if (op == 0x6a || op == 0xa8 || (op >= 0xb0 && op <= 0xb7))
        r.at++;
    else if (op >= 0xb8 && op <= 0xbf)
        r.at += r.is_wide ? 8 : r.immediate();
    else if (!((op >= 0x50 && op <= 0x5f) || (op >= 0x90 && op <= 0x99) || op == 0xc9 ||
               (op >= 0xa4 && op <= 0xa7) || (op >= 0xaa && op <= 0xaf)))
        return with_operands(r, op, i);
    return true;
}

bool decode(uintptr_t pc, Instruction *i)
{
    Reader r = { (const unsigned char *)pc, false, false };
    bool is_known;

    *i = { 0, Leaves::next, 0 };
    for (; is_prefix(*r.at); r.at++)
        r.is_16_bit |= *r.at == 0x66;
    if ((*r.at & 0xf0) == 0x40)
        r.is_wide = *r.at++ & 8;
    unsigned op = *r.at++;
    if (op == 0x0f)
        is_known = two_bytes(r, i);
    else if (op == 0xc4 || op == 0xc5 || op == 0x62)
        is_known = vector_prefix(r, op, i);
    else
        is_known = one_byte(r, op, i);
    i->bytes = (unsigned)((uintptr_t)r.at - pc);
    return is_known;
}

#else

// Arm Architecture Reference Manual, A64: branches, exception generating and system instructions.
static uintptr_t target(uintptr_t pc, uint32_t word, unsigned first, unsigned bits)
{
    int32_t field = (int32_t)(word << (32 - first - bits)) >> (32 - bits);

    return pc + 4 * (intptr_t)field;
}

bool decode(uintptr_t pc, Instruction *i)
{
    uint32_t word;

    memcpy(&word, (const void *)pc, sizeof word);
    *i = { 4, Leaves::next, 0 };
    if (word >> 26 == 0x05 || word >> 26 == 0x25)   // b, bl
        *i = { 4, word >> 31 ? Leaves::call : Leaves::jump, target(pc, word, 0, 26) };
    else if (word >> 24 == 0x54 || (word >> 25 & 0x3f) == 0x1a)   // b.cond, cbz, cbnz
        *i = { 4, Leaves::branch, target(pc, word, 5, 19) };
    else if ((word >> 25 & 0x3f) == 0x1b)   // tbz, tbnz
        *i = { 4, Leaves::branch, target(pc, word, 5, 14) };
    else if ((word & 0xfffffc1f) == 0xd63f0000)   // blr
        i->leaves = Leaves::call;
    else if (word >> 25 == 0x6b || word >> 16 == 0 || word >> 21 == 0x6a1)   // br, ret; udf; brk
        i->leaves = Leaves::nowhere;
    return true;
}

#endif

}   // namespace emu
