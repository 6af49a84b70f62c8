// Structs with padding, from the program's debugging information as readelf prints it. Read only
// when a kernel reads a struct that is partly uninitialized.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>

#include "report.h"

namespace emu {

namespace {

struct Entry {
    std::string tag, name;
    size_t bytes, offset, count;   // offset of a member; element count of an array
    uintptr_t low, high;           // code range of a function
    unsigned long type;
    std::vector<unsigned long> children;
};

using Entries = std::map<unsigned long, Entry>;

struct Struct {
    std::string name;
    std::vector<bool> used;   // per byte: is it part of a member?
};

// A translation unit.
struct Unit {
    std::vector<std::pair<uintptr_t, uintptr_t>> code;
    std::vector<Struct> structs;   // structs with padding and without pointers

    bool contains(uintptr_t pc) const
    {
        for (const auto &range : code)
            if (pc >= range.first && pc < range.second)
                return true;
        return false;
    }
};

}   // namespace

static bool is_struct(const Entry &e)
{
    return e.tag == "DW_TAG_structure_type" || e.tag == "DW_TAG_class_type";
}

static void read_attribute(const char *line, Entry &e)
{
    const char *name = strstr(line, "DW_AT_"), *value = name ? strchr(name, ':') : nullptr;

    if (!value)
        return;
    auto is = [name](const char *text) { return strncmp(name, text, strlen(text)) == 0; };
    if (is("DW_AT_name ")) {
        const char *text = strrchr(value, ':') + 2;
        e.name = std::string(text, strcspn(text, " \t\n"));
    } else if (is("DW_AT_low_pc"))
        e.low = strtoul(value + 1, nullptr, 0);
    else if (is("DW_AT_high_pc"))
        e.high = strtoul(value + 1, nullptr, 0);
    else if (is("DW_AT_byte_size "))
        e.bytes = strtoul(value + 1, nullptr, 0);
    else if (is("DW_AT_data_member_location"))
        e.offset = strtoul(value + 1, nullptr, 0);
    else if (is("DW_AT_upper_bound"))
        e.count = strtoul(value + 1, nullptr, 0) + 1;
    else if (is("DW_AT_type ") && strchr(value, '<'))
        e.type = strtoul(strchr(value, '<') + 1, nullptr, 0);
}

// Marks the bytes from `at` on that belong to members of this type. False: it holds pointers; such
// a struct is assumed not to be an element of a device array.
static bool cover(const Entries &all, unsigned long id, size_t at, std::vector<bool> &used)
{
    auto found = all.find(id);

    if (found == all.end())
        return true;
    const Entry &e = found->second;
    if (e.tag == "DW_TAG_pointer_type")
        return false;
    if (is_struct(e)) {
        for (unsigned long child : e.children) {
            const Entry &member = all.at(child);
            if ((member.tag == "DW_TAG_member" || member.tag == "DW_TAG_inheritance") &&
                !cover(all, member.type, at + member.offset, used))
                return false;
        }
    } else if (e.tag == "DW_TAG_array_type") {
        std::vector<bool> element(used.size());
        size_t count = 1, last = 0;

        for (unsigned long child : e.children)
            count *= all.at(child).count ? all.at(child).count : 1;
        if (!cover(all, e.type, 0, element))
            return false;
        for (size_t i = 0; i < element.size(); i++)
            last = element[i] ? i + 1 : last;
        for (size_t i = 0; i < count * last && at + i < used.size(); i++)
            used[at + i] = true;
    } else if (e.bytes) {
        for (size_t i = at; i < at + e.bytes && i < used.size(); i++)
            used[i] = true;
    } else
        return cover(all, e.type, at, used);   // typedef, const, volatile
    return true;
}

static Unit make_unit(const Entries &entries)
{
    Unit unit;

    for (const auto &entry : entries) {
        const Entry &e = entry.second;
        Struct s = { e.name, std::vector<bool>(is_struct(e) && e.bytes < 4096 ? e.bytes : 0) };

        if (e.tag == "DW_TAG_subprogram" && e.low)
            unit.code.push_back({ e.low, e.high < e.low ? e.low + e.high : e.high });
        if (!s.used.empty() && cover(entries, entry.first, 0, s.used) &&
            std::find(s.used.begin(), s.used.end(), true) != s.used.end() &&
            std::find(s.used.begin(), s.used.end(), false) != s.used.end())
            unit.structs.push_back(s);
    }
    return unit;
}

static std::vector<Unit> read_units(const std::string &program)
{
    const char *const argv[] = { "readelf", "--debug-dump=info", program.c_str(), nullptr };
    std::vector<Unit> units;
    Entries entries;
    std::vector<unsigned long> open;   // by depth: offset of the entry that is open
    Entry *current = nullptr;

    auto take = [&](const char *line) {
        char *end;
        if (strncmp(line, " <", 2) != 0) {
            if (current)
                read_attribute(line, *current);
            return;
        }
        size_t depth = strtoul(line + 2, &end, 16);
        unsigned long at = strtoul(end + 2, &end, 16);
        const char *tag = strstr(end, "(DW_TAG_");

        current = nullptr;
        if (!tag)
            return;
        if (depth == 0) {
            units.push_back(make_unit(entries));
            entries.clear();
        }
        current = &entries[at];
        current->tag = std::string(tag + 1, strcspn(tag + 1, ")"));
        open.resize(depth);
        if (depth)
            entries[open[depth - 1]].children.push_back(at);
        open.push_back(at);
    };
    read_output(argv, [&](FILE *f) {
        char line[8192];

        while (fgets(line, sizeof line, f))
            take(line);
    });
    units.push_back(make_unit(entries));
    return units;
}

// The structs of the unit that holds `pc`, without those that this file's unit, at `self`, has too:
// those of CUDA and the C++ library.
static std::vector<Struct> structs_at(const std::string &program, uintptr_t pc, uintptr_t self)
{
    static const std::vector<Unit> units = read_units(program);
    std::vector<Struct> own;
    std::set<std::string> foreign;

    for (const Unit &u : units)
        for (const Struct &s : u.structs)
            if (u.contains(self))
                foreign.insert(s.name);
    for (const Unit &u : units)
        for (const Struct &s : u.structs)
            if (u.contains(pc) && !foreign.count(s.name))
                own.push_back(s);
    return own;
}

bool padding_of(const std::string &program, uintptr_t pc, uintptr_t self, size_t struct_bytes,
                size_t offset, size_t bytes)
{
    static std::map<uintptr_t, std::vector<Struct>> known;
    bool found = false;

    if (!known.count(pc))
        known[pc] = structs_at(program, pc, self);
    for (const Struct &s : known[pc])
        found |= s.used.size() == struct_bytes && offset + bytes <= struct_bytes &&
                 std::find(s.used.begin() + offset, s.used.begin() + offset + bytes, true) ==
                     s.used.begin() + offset + bytes;
    return found;
}

bool is_padding(uintptr_t pc, size_t struct_bytes, size_t offset, size_t bytes)
{
    static std::mutex lock;
    static std::map<std::vector<uint64_t>, bool> known;
    std::vector<uint64_t> numbers = { pc, (uintptr_t)&make_unit, struct_bytes, offset, bytes };
    // keeps the watchdog from reporting the time spent here as no progress
    bool was_running = std::exchange(worker->running, false);
    std::lock_guard<std::mutex> hold(lock);

    if (!known.count(numbers))
        known[numbers] = !outside(EMU_ASKS_PADDING, numbers, "").empty();
    worker->running = was_running;
    return known[numbers];
}

}   // namespace emu
