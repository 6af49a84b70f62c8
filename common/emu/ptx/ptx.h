// Inline PTX. The source pass turns `asm("text" : outputs : inputs)` into a call
// (include/emu_ptx.h) that runs the text here, for one lane. The text is parsed when the statement
// is first executed (ptx_parse.cpp). Each instruction gets its handler then, from a registry of
// opcodes: an opcode without a handler, and an instruction that its handler refuses, are errors
// with the line of the statement.
//
// To add an opcode, a source file has one line and two functions:
//
//   static void wait(const Instruction &in, Operands &o) { ... o.u32(0) ... o.address(1) ... }
//   static Handler *choose(const Instruction &in)
//   {
//       return in.name == "mbarrier.wait.b64" ? wait : nullptr;   // null: unknown
//   }
//   static const Opcode mbarrier("mbarrier", choose);
//
// choose() runs once per statement; the handler runs once per lane and execution. Of several
// opcodes that an instruction's name starts with, the longest is chosen: "cp.async.bulk" before
// "cp.async". A special register is added likewise, by a SpecialRegister.
//
// Operands are counted from 0, without a guard (@p):
//
//   operand      example          elements(i)  bits(i, k), write(i, bits, k)     address(i)
//   register     %0, p, !p, 16    1            its bits (predicates: 0 or 1)
//   pair         p|q              2            each one
//   vector       {%0, %1}         2            each one
//   memory       [%0 + 16]        0                                              base + 16
//   tensor       [%1, {%2, %3}]   2            each coordinate                   base
//   sink         _                1            write() does nothing
//
// A register of n bits gets the lower n bits of what is written. Bits of a float or double are
// those of its format.
//
// Addresses: address(i) is what the text contains, for .shared a 32-bit offset; object(i, space)
// translates it to a host pointer. shared_offset() and shared_pointer() translate between them.
#ifndef EMU_PTX_H
#define EMU_PTX_H

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "include/emu_scope.h"

namespace emu {

struct Worker;
struct Lane;

// Shared memory as PTX addresses it. As on a GPU of compute capability 9.0, the first KiB of the
// window is reserved, so 0 is no address.
constexpr uint32_t SHARED_WINDOW = 1024;
uint32_t shared_offset(const Worker &, const void *);    // of an address in the block's memory
void *shared_pointer(const Worker &, uint32_t offset);   // may be out of bounds

namespace ptx {

enum class Space : uint8_t { generic, global, shared, cluster, constant, parameter, local };

enum class Kind : uint8_t { registers, memory, label };

// One value of an operand.
struct Value {
    enum Where : uint8_t { variable, immediate, special, sink } where;
    uint8_t bits;      // of the register, for writes: 1 (a predicate), 8, 16, 32 or 64
    bool is_negated;   // !p
    bool is_place;     // the variable holds the address of a C++ object (Operands::place)
    uint16_t index;    // of the variable; of the special register
    uint64_t value;    // an immediate
};

struct Operand {
    Kind kind;
    std::vector<Value> values;   // of memory: the coordinates
    Value base, index;           // of memory
    int64_t offset;              // of memory; of a label, the instruction to continue at
    std::string label;
};

struct Operands;
struct Instruction;
typedef void Handler(const Instruction &, Operands &);

struct Instruction {
    std::string name;                 // as "ld.global.v4.u32"
    std::vector<std::string> parts;   // "ld", "global", "v4", "u32"
    std::vector<Operand> operands;
    bool is_guarded, is_guard_negated;
    Value guard;
    Handler *handler;
    // Number of the instruction among those of the text that access memory or exchange values,
    // at most 3. It is added to the call site, so that lanes at different ones are not served
    // together.
    uint8_t site;
    uint32_t number;   // in the text
    // For the handler's use: choose() sets them. Initially 0.
    mutable uint32_t detail[6];

    bool has(const char *part) const
    {
        for (const std::string &p : parts)
            if (p == part)
                return true;
        return false;
    }
    // The state space among the parts: .shared and .shared::cta, .shared::cluster, .global ...
    // Without one, Space::generic.
    Space space() const;
};

// Are all parts of the name but the first and the last `types` in this list of words, separated by
// spaces? L1:: and L2:: stand for all hints to these caches.
bool has_only(const Instruction &, const char *words, unsigned types = 1);

uint64_t special_value(unsigned index, Worker &);             // of a special register
int special_index(const std::string &name, unsigned *bits);   // -1: there is none

// A text that was parsed.
struct Program {
    std::vector<Instruction> code;
    unsigned variables;   // operands of the statement and declared registers
    unsigned places;      // the first of them are addresses of C++ objects
    std::string error;    // "" or what is malformed
};
// `constraints`: of the statement's operands, as in include/emu_ptx.h.
Program *parse(const char *text, const char *constraints);

// The operands of an instruction that a lane executes.
struct Operands {
    Worker &w;
    Lane &lane;
    const Instruction &in;
    uintptr_t pc;          // the call site, for requests and reports
    uint64_t *variables;   // the statement's operands, and the registers that the text declares
    uint32_t next;         // number of the instruction to execute next: a branch changes it

    unsigned count() const { return (unsigned)in.operands.size(); }
    unsigned elements(unsigned i) const { return (unsigned)in.operands[i].values.size(); }
    bool is_sink(unsigned i, unsigned k = 0) const
    {
        return in.operands[i].values[k].where == Value::sink;
    }
    uint64_t value(const Value &v) const
    {
        uint64_t bits = v.where == Value::variable ? v.is_place ? read_place(v) : variables[v.index]
                      : v.where == Value::special ? special_value(v.index, w)
                                                   : v.value;
        return v.is_negated ? !(bits & 1) : bits;
    }
    uint64_t bits(unsigned i, unsigned k = 0) const { return value(in.operands[i].values[k]); }
    uint32_t u32(unsigned i, unsigned k = 0) const { return (uint32_t)bits(i, k); }
    uint64_t u64(unsigned i, unsigned k = 0) const { return bits(i, k); }
    float f32(unsigned i, unsigned k = 0) const
    {
        uint32_t b = u32(i, k);
        float v;
        memcpy(&v, &b, sizeof v);
        return v;
    }
    double f64(unsigned i, unsigned k = 0) const
    {
        uint64_t b = u64(i, k);
        double v;
        memcpy(&v, &b, sizeof v);
        return v;
    }
    bool predicate(unsigned i, unsigned k = 0) const { return bits(i, k) & 1; }
    void write(unsigned i, uint64_t bits, unsigned k = 0)
    {
        const Value &v = in.operands[i].values[k];

        if (v.where != Value::variable)
            return;   // a sink
        if (v.bits < 64)
            bits &= ((uint64_t)1 << v.bits) - 1;
        if (v.is_place)
            write_place(v, bits);
        else
            variables[v.index] = bits;
    }
    void write_f32(unsigned i, float v, unsigned k = 0)
    {
        uint32_t b;
        memcpy(&b, &v, sizeof b);
        write(i, b, k);
    }

    // Of a memory operand.
    uint64_t address(unsigned i) const
    {
        const Operand &m = in.operands[i];
        return value(m.base) + value(m.index) + (uint64_t)m.offset;
    }
    // The same as a host pointer. An address that the space does not have ends the launch.
    void *object(unsigned i, Space) const;

    // The C++ object of an element, which keeps its place until the thread ends, so that it can be
    // written later. Null for what is not an output of the statement. Only the statements whose
    // text contains "wgmma.mma_async" have places; others get their values when they end.
    void *place(unsigned i, unsigned k = 0) const
    {
        const Value &v = in.operands[i].values[k];
        return v.where == Value::variable && v.is_place ? (void *)variables[v.index] : nullptr;
    }

    // A fault ends the launch: "%s: what".
    [[noreturn]] void fail(const std::string &what) const;

  private:
    uint64_t read_place(const Value &v) const
    {
        uint64_t b = 0;
        memcpy(&b, (const void *)variables[v.index], v.bits / 8);
        return b;
    }
    void write_place(const Value &v, uint64_t b) const
    {
        memcpy((void *)variables[v.index], &b, v.bits / 8);
    }
};

// Registers `choose` for instructions whose name starts with these parts. choose() returns null for
// an instruction that it does not know.
struct Opcode {
    const char *name;
    Handler *(*choose)(const Instruction &);
    const Opcode *next;

    Opcode(const char *name, Handler *(*choose)(const Instruction &));
};

// Registers a special register, as "%clusterid.x". The last registration of a name is used.
struct SpecialRegister {
    const char *name;
    unsigned bits;
    uint64_t (*read)(Worker &);
    const SpecialRegister *next;

    SpecialRegister(const char *name, unsigned bits, uint64_t (*read)(Worker &));
};

// ---- for handlers ----

// An access by the lane, as any access of the kernel: bounds, races, counts. The caller then reads
// or writes the bytes at the address. `size` is at most 16.
enum Access : unsigned {
    READ_ACCESS = 0,
    WRITE_ACCESS = 1,
    VOLATILE_ACCESS = 2,
};
void access(Operands &, void *address, unsigned size, unsigned how);
// The same of ld and st with .relaxed, .acquire, .release or .mmio.
void atomic_access(Operands &, void *address, unsigned size, unsigned how, Scope);

// Waits until all lanes of `mask` are here, and has the lowest of them call `act` once, with what
// each lane has passed: null for lanes that take no part. The lanes then continue.
typedef void Collective(Worker &, void *const lane[32], unsigned mask);
void collect(Operands &, unsigned mask, void *data, Collective *act);

}   // namespace ptx
}   // namespace emu

#endif
