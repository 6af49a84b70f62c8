// The program's __device__ and __constant__ variables: their sections, and their names from its
// symbol table.
#include <algorithm>
#include <sstream>

#include "report.h"

#define SECTION(name) \
    extern char __start_##name[] __attribute__((weak)), __stop_##name[] __attribute__((weak))

// What the source pass writes. Templates and inline variables have sections of their own: a section
// is merged with the same one of other files (COMDAT), or it is not.
extern "C" {
extern char __executable_start, __data_start;
SECTION(emu_device);
SECTION(emu_device_merged);
SECTION(emu_managed);
SECTION(emu_managed_merged);
SECTION(emu_constant);
SECTION(emu_constant_merged);
}

namespace emu {

// Both ends are null if the program has no such section.
static const struct Section {
    char *start, *stop;
    Image image;
    bool is_managed;
} sections[] = {
    { __start_emu_device, __stop_emu_device, Image::device, false },
    { __start_emu_device_merged, __stop_emu_device_merged, Image::device, false },
    { __start_emu_managed, __stop_emu_managed, Image::device, true },
    { __start_emu_managed_merged, __stop_emu_managed_merged, Image::device, true },
    { __start_emu_constant, __stop_emu_constant, Image::constant, false },
    { __start_emu_constant_merged, __stop_emu_constant_merged, Image::constant, false },
};

// The section of an address; null if there is none.
static const Section *section_of(uintptr_t address)
{
    for (const Section &s : sections)
        if (address >= (uintptr_t)s.start && address < (uintptr_t)s.stop)
            return &s;
    return nullptr;
}

// Start and end of the range that holds the sections of device memory, and whatever lies between
// them.
Range device_variables()
{
    uintptr_t start = UINTPTR_MAX, end = 0;

    for (const Section &s : sections)
        if (s.start && s.image == Image::device) {
            start = std::min(start, (uintptr_t)s.start);
            end = std::max(end, (uintptr_t)s.stop);
        }
    return end ? Range{ start, end - start } : Range{};
}

Image in_image(uintptr_t address)
{
    const Section *s = section_of(address);

    if (s)
        return s->image;
    return address >= (uintptr_t)&__executable_start && address < (uintptr_t)&__data_start
             ? Image::read_only
             : Image::none;
}

bool is_managed_variable(uintptr_t address)
{
    const Section *s = section_of(address);

    return s && s->is_managed;
}

// Padding after the program's variables, because the runtime is linked last: no host variable lies
// within this distance past the last one.
__attribute__((section("emu_device"), used)) static char room[16 << 10];

struct Variable {
    uintptr_t start;
    size_t bytes;
    std::string name;
};

// Calls found(variable) for each variable of the program's symbol table; for none if it has no
// symbols.
template <class Found> static void each_object(Found found)
{
    std::istringstream objects(outside(EMU_ASKS_OBJECTS, {}, ""));
    Variable v;

    while (objects >> v.start >> v.bytes && objects.ignore() && std::getline(objects, v.name))
        found(v);
}

// Sorted by address.
static const std::vector<Variable> &variables()
{
    static const std::vector<Variable> all = [] {
        std::vector<Variable> found;

        each_object([&](const Variable &v) {
            if (section_of(v.start) && v.start != (uintptr_t)room)
                found.push_back(v);
        });
        std::sort(found.begin(), found.end(),
                  [](const Variable &a, const Variable &b) { return a.start < b.start; });
        return found;
    }();
    return all;
}

std::string host_template(uintptr_t address)
{
    std::string name;

    if (__GNUC__ >= 14)   // a template has a section like any other variable
        return name;
    each_object([&](const Variable &v) {
        if (address - v.start < v.bytes && v.name.find('<') != std::string::npos)
            name = v.name;
    });
    return name;
}

// The last variable that starts at or before this address; null if there is none.
static const Variable *variable_before(uintptr_t address)
{
    const std::vector<Variable> &all = variables();
    auto next = std::upper_bound(all.begin(), all.end(), address,
                                 [](uintptr_t a, const Variable &v) { return a < v.start; });

    return next == all.begin() ? nullptr : &*(next - 1);
}

// Far from all memory of a process, and within the addresses of x86-64 and aarch64.
constexpr uintptr_t TO_HOST_COPY = (uintptr_t)1 << 45;

static bool is_symbol(uintptr_t address)
{
    const Section *s = section_of(address);

    return s && !s->is_managed;
}

bool is_host_copy(uintptr_t address) { return is_symbol(address - TO_HOST_COPY); }

uintptr_t symbol_address(uintptr_t address)
{
    return is_host_copy(address) ? address - TO_HOST_COPY : address;
}

std::string host_copy_name(uintptr_t address)
{
    const Variable *v = variable_before(symbol_address(address));

    return !v ? "a variable" : v->name;
}

std::string host_copy_used(uintptr_t address)
{
    return "illegal address: the host's copy of " + host_copy_name(address) +
           ", because host code passes the name of a __device__ variable; in a kernel, use the "
           "name itself, or pass the address from cudaGetSymbolAddress";
}

std::string variable_name(uintptr_t address)
{
    const Variable *v = variable_before(address);

    return !v ? "a __device__ variable"
              : v->name + " (byte " + std::to_string(address - v->start) + " of " +
                    std::to_string(v->bytes) + ")";
}

bool is_variable(const std::string &name)
{
    for (const Variable &v : variables())
        if (v.name == name ||
            (v.name.size() > name.size() + 2 &&
             v.name.compare(v.name.size() - name.size() - 2, std::string::npos, "::" + name) == 0))
            return true;
    return false;
}

std::string check_variable(uintptr_t address, size_t size)
{
    const Variable *v = variable_before(address);

    if (!v || address + size <= v->start + v->bytes)
        return "";
    return "out of bounds: " + std::to_string(size) + " bytes at byte " +
           std::to_string(address - v->start) + " of " + v->name + ", which has " +
           std::to_string(v->bytes);
}

}   // namespace emu

extern "C" void *emu_host_address(const volatile void *variable)
{
    uintptr_t address = (uintptr_t)variable;
    bool is_in_kernel = emu::worker && emu::worker->current;

    return (void *)(emu::is_symbol(address) && !is_in_kernel ? address + emu::TO_HOST_COPY
                                                             : address);
}
