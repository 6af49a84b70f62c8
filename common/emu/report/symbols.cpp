// The program's __device__ and __constant__ variables: their sections, and their names from its
// symbol table.
#include <algorithm>
#include <sstream>

#include "report.h"

extern "C" {
extern char __executable_start, __data_start;
extern char __start_emu_device __attribute__((weak)), __stop_emu_device __attribute__((weak));
extern char __start_emu_constant __attribute__((weak)), __stop_emu_constant __attribute__((weak));
extern char __start_emu_managed __attribute__((weak)), __stop_emu_managed __attribute__((weak));
}

namespace emu {

// Start and end of the range that holds both sections, and whatever lies between them.
Range device_variables()
{
    uintptr_t start = (uintptr_t)&__start_emu_device, end = (uintptr_t)&__stop_emu_device;

    if (&__start_emu_managed) {
        start = std::min(start ? start : UINTPTR_MAX, (uintptr_t)&__start_emu_managed);
        end = std::max(end, (uintptr_t)&__stop_emu_managed);
    }
    return { start, end - start };
}

Image in_image(uintptr_t address)
{
    auto within = [&](const char &low, const char &high) {
        return address >= (uintptr_t)&low && address < (uintptr_t)&high;
    };

    if (&__start_emu_device && within(__start_emu_device, __stop_emu_device))
        return Image::device;
    if (&__start_emu_managed && within(__start_emu_managed, __stop_emu_managed))
        return Image::device;
    if (&__start_emu_constant && within(__start_emu_constant, __stop_emu_constant))
        return Image::constant;
    return within(__executable_start, __data_start) ? Image::read_only : Image::none;
}

// Padding after the program's variables, because the runtime is linked last: no host variable lies
// within this distance past the last one.
__attribute__((section("emu_device"), used)) static char room[16 << 10];

struct Variable {
    uintptr_t start;
    size_t bytes;
    std::string name;
};

// Sorted by address; empty if the program has no symbols.
static const std::vector<Variable> &variables()
{
    static const std::vector<Variable> all = [] {
        std::vector<Variable> found;
        std::istringstream objects(outside(EMU_ASKS_OBJECTS, {}, ""));
        Variable v;

        while (objects >> v.start >> v.bytes && objects.ignore() && std::getline(objects, v.name)) {
            Image image = in_image(v.start);
            if ((image == Image::device || image == Image::constant) && v.start != (uintptr_t)room)
                found.push_back(v);
        }
        std::sort(found.begin(), found.end(),
                  [](const Variable &a, const Variable &b) { return a.start < b.start; });
        return found;
    }();
    return all;
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
    bool is_managed = &__start_emu_managed && address >= (uintptr_t)&__start_emu_managed &&
                      address < (uintptr_t)&__stop_emu_managed;
    Image image = in_image(address);

    return !is_managed && (image == Image::device || image == Image::constant);
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
