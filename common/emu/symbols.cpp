// The program's __device__ and __constant__ variables by name, from its symbol table.
#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "internal.h"

namespace emu {

// Padding after the program's variables, because the runtime is linked last: no host variable lies
// within this distance past the last one.
__attribute__((section("emu_device"), used)) static char room[16 << 10];

struct Variable {
    uintptr_t start;
    size_t bytes;
    std::string name;
};

static std::string demangled(const char *name)
{
    int status;
    char *text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    std::string result = text ? text : name;

    free(text);
    return result;
}

static void read_symbols(const char *file, size_t size, std::vector<Variable> &all)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);

    if (header->e_shoff + header->e_shnum * sizeof *sections > size)
        return;
    for (const Elf64_Shdr *s = sections; s < sections + header->e_shnum; s++) {
        if (s->sh_type != SHT_SYMTAB)
            continue;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(file + s->sh_offset);
        const char *names = file + sections[s->sh_link].sh_offset;

        for (size_t i = 0; i < s->sh_size / sizeof *symbols; i++) {
            Image image = in_image(symbols[i].st_value);

            if (ELF64_ST_TYPE(symbols[i].st_info) == STT_OBJECT && symbols[i].st_size &&
                (image == Image::device || image == Image::constant) &&
                symbols[i].st_value != (uintptr_t)room)
                all.push_back({ symbols[i].st_value, symbols[i].st_size,
                                demangled(names + symbols[i].st_name) });
        }
    }
}

// Sorted by address; empty if the program has no symbols.
static const std::vector<Variable> &variables()
{
    static const std::vector<Variable> all = [] {
        std::vector<Variable> found;
        struct stat info;
        int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

        if (fd >= 0 && fstat(fd, &info) == 0) {
            void *file = mmap(nullptr, info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
            if (file != MAP_FAILED) {
                read_symbols((const char *)file, info.st_size, found);
                munmap(file, info.st_size);
            }
        }
        if (fd >= 0)
            close(fd);
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
