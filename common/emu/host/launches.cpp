// The launches of the program: what emu_launches() returns. With their arguments, they are what a
// model of time takes.
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <sstream>

#include "launches.h"
#include "graphs.h"
#include "streams.h"
#include "tensormap.h"
#include "lanes/flow.h"
#include "order/memory.h"
#include "order/snapshot.h"
#include "report/report.h"

namespace emu {

struct Arguments {
    std::vector<unsigned char> bytes;
    std::vector<emu_place> places;
};

static std::vector<struct emu_launch> launches;
static std::deque<Arguments> arguments;   // of these launches
static bool keeps_arguments;
static void (*handler)(const struct emu_launch *);
static int kernels;   // of these launches, those that are no memset or copy

int launches_so_far() { return kernels; }
bool launches_are_handled() { return handler; }

void forget_launches()
{
    launches.clear();
    arguments.clear();
    kernels = 0;
}

// ---- the kernel's function ----

struct Function {
    size_t bytes;
    std::string name;
};

// By address.
static const std::map<uintptr_t, Function> &functions()
{
    static const std::map<uintptr_t, Function> all = [] {
        std::map<uintptr_t, Function> found;
        std::istringstream symbols(outside(EMU_ASKS_FUNCTIONS, {}, ""));
        uintptr_t start;
        Function f;

        while (symbols >> start >> f.bytes && symbols.ignore() && std::getline(symbols, f.name))
            found.emplace(start, f);
        return found;
    }();
    return all;
}

// Is this a kernel? Before its code are the 16 instructions without effect for which the source
// pass asks (patchable_function_entry).
bool is_kernel(const void *function)
{
#if defined(__x86_64__)
    const unsigned char *no_operation = (const unsigned char *)function;
    constexpr unsigned char NO_OPERATION = 0x90;
#else
    const uint32_t *no_operation = (const uint32_t *)function;
    constexpr uint32_t NO_OPERATION = 0xd503201f;
#endif

    for (int i = 1; i <= 16; i++)
        if (no_operation[-i] != NO_OPERATION)
            return false;
    return true;
}

// The kernel that the code at `start` calls, itself or by another function. A launch without the
// kernel's address calls it so, because the compiler has chosen it by the arguments.
static uintptr_t kernel_called(uintptr_t start, int depth)
{
    auto found = functions().find(start);
    Instruction i;

    if (found == functions().end() || depth == 0)
        return 0;
    for (uintptr_t pc = start; pc < start + found->second.bytes && decode(pc, &i); pc += i.bytes) {
        bool goes_elsewhere = i.leaves == Leaves::call || i.leaves == Leaves::jump;

        if (!goes_elsewhere || !functions().count(i.target) || i.target == start)
            continue;
        if (is_kernel((const void *)i.target))
            return i.target;
        if (uintptr_t kernel = kernel_called(i.target, depth - 1))
            return kernel;
    }
    return 0;
}

// ---- arguments that have other types than the kernel's parameters ----

// The types of the parameters, from the demangled name of a function: what is in its last brackets.
static std::vector<std::string> parameters_of(const std::string &name)
{
    std::vector<std::string> types;
    size_t close = name.rfind(')'), end = close;
    int depth = 0;

    if (close == name.npos)
        return types;
    for (size_t i = close; i-- > 0;) {
        depth += strchr(")>]}", name[i]) ? 1 : strchr("(<[{", name[i]) ? -1 : 0;
        if (depth < 0 || (depth == 0 && name[i] == ',')) {
            size_t from = name.find_first_not_of(' ', i + 1);

            types.insert(types.begin(), name.substr(from, end - from));
            end = i;
        }
        if (depth < 0)
            break;
    }
    return types;
}

// The type of a parameter; that of the argument if the parameter is a class.
static emu_argument type_of(const std::string &type, const emu_argument &argument)
{
    static const std::map<std::string, emu_argument> known = {
        { "bool", emu_argument_of<bool> },
        { "char", emu_argument_of<char> },
        { "signed char", emu_argument_of<signed char> },
        { "unsigned char", emu_argument_of<unsigned char> },
        { "short", emu_argument_of<short> },
        { "unsigned short", emu_argument_of<unsigned short> },
        { "int", emu_argument_of<int> },
        { "unsigned int", emu_argument_of<unsigned> },
        { "long", emu_argument_of<long> },
        { "unsigned long", emu_argument_of<unsigned long> },
        { "long long", emu_argument_of<long long> },
        { "unsigned long long", emu_argument_of<unsigned long long> },
        { "float", emu_argument_of<float> },
        { "double", emu_argument_of<double> },
    };
    auto found = known.find(type);

    if (found != known.end())
        return found->second;
    return type.back() == '*' ? emu_argument_of<uintptr_t> : argument;
}

template <class To> static void store(unsigned char *at, To value)
{
    memcpy(at, &value, sizeof value);
}

template <class From>
static void convert(const unsigned char *from, unsigned char *to, const emu_argument &t)
{
    From value;

    memcpy(&value, from, sizeof value);
    switch (t.kind == 'f' ? 10 + t.bytes : t.bytes) {
    case 1: return store(to, (int8_t)value);
    case 2: return store(to, (int16_t)value);
    case 4: return store(to, (int32_t)value);
    case 8: return store(to, t.kind == 'u' ? (int64_t)(uint64_t)value : (int64_t)value);
    case 14: return store(to, (float)value);
    case 18: return store(to, (double)value);
    }
}

// Stores an argument of type `a` as a parameter of type `p`.
static void convert(const unsigned char *from, const emu_argument &a, unsigned char *to,
                    const emu_argument &p)
{
    if (!a.kind || !p.kind || (a.kind == p.kind && a.bytes == p.bytes)) {
        memcpy(to, from, std::min(a.bytes, p.bytes));
        return;
    }
    switch (a.kind * 16 + a.bytes) {
    case 'i' * 16 + 1: return convert<int8_t>(from, to, p);
    case 'i' * 16 + 2: return convert<int16_t>(from, to, p);
    case 'i' * 16 + 4: return convert<int32_t>(from, to, p);
    case 'i' * 16 + 8: return convert<int64_t>(from, to, p);
    case 'u' * 16 + 1: return convert<uint8_t>(from, to, p);
    case 'u' * 16 + 2: return convert<uint16_t>(from, to, p);
    case 'u' * 16 + 4: return convert<uint32_t>(from, to, p);
    case 'u' * 16 + 8: return convert<uint64_t>(from, to, p);
    case 'f' * 16 + 4: return convert<float>(from, to, p);
    case 'f' * 16 + 8: return convert<double>(from, to, p);
    }
}

static size_t aligned(size_t offset, size_t align) { return (offset + align - 1) / align * align; }

// Keeps the arguments at `from`, which have the types `a`. If the compiler has chosen the kernel by
// them, as parameters of the function `name`; otherwise it is null, and these are the parameters.
static void keep_arguments(struct emu_launch &l, const unsigned char *from, const emu_argument *a,
                           const char *name)
{
    std::vector<std::string> types;
    size_t at = 0, to = 0;

    if (name)
        types = parameters_of(demangled(name));
    arguments.emplace_back();
    Arguments &kept = arguments.back();
    for (size_t i = 0; a[i].bytes; i++) {
        emu_argument p = i < types.size() ? type_of(types[i], a[i]) : a[i];

        at = aligned(at, a[i].align);
        to = aligned(to, p.align);
        kept.bytes.resize(to + p.bytes);
        kept.places.push_back({ to, p.bytes, p.align });
        convert(from + at, a[i], &kept.bytes[to], p);
        at += a[i].bytes;
        to += p.bytes;
    }
    l.arguments = kept.bytes.data();
    l.place = kept.places.data();
    l.n_arguments = (int)kept.places.size();
}

static void keep_kernel(struct emu_launch &l, const Launch &launch, const void *function,
                        const emu_argument *types)
{
    uintptr_t start = function ? (uintptr_t)function : kernel_called((uintptr_t)launch.thread, 3);
    auto found = functions().find(start);

    l.symbol = found == functions().end() ? nullptr : found->second.name.c_str();
    keep_arguments(l, (const unsigned char *)launch.args, types, function ? nullptr : l.symbol);
}

// The different sectors of these intervals.
static uint64_t sectors_of(std::vector<Interval> used)
{
    constexpr uintptr_t SECTOR = 32;
    uintptr_t end = 0;   // of the sectors that are counted
    uint64_t sectors = 0;

    std::sort(used.begin(), used.end(),
              [](const Interval &a, const Interval &b) { return a.start < b.start; });
    for (const Interval &i : used) {
        uintptr_t first = std::max(end, i.start / SECTOR), past = (i.end + SECTOR - 1) / SECTOR;

        if (past > first) {
            sectors += past - first;
            end = past;
        }
    }
    return sectors;
}

static void count_sectors(struct emu_launch &l)
{
    std::vector<Interval> used[USES];

    collect_uses_of_heap(true, used);
    for (Use use : { READS, WRITES })
        used[use].insert(used[use].end(), used[ATOMICS].begin(), used[ATOMICS].end());
    l.read_sectors = sectors_of(std::move(used[READS]));
    l.written_sectors = sectors_of(std::move(used[WRITES]));
}

// Passes a launch on, with memory as it was before it.
static void call_handler(const struct emu_launch &l)
{
    open_heap(true);
    bool is_before = snapshot_exchange();
    handler(&l);
    if (is_before)
        snapshot_exchange();
    open_heap(false);
}

void keep_launch(const Launch &launch, const void *function, const emu_argument *types)
{
    uint3 none = { 0, 0, 0 }, c = launch.has_clusters || !is_dry_run ? launch.cluster : none;
    struct emu_launch l = {};

    l.kernel = launch.kernel;
    l.static_shared = launch.static_shared;
    l.dynamic_shared = launch.dynamic_shared;
    l.follows = launch.follows;
    l.in_graph = is_graph_launch();
    for (int i = 0; i < 3; i++) {
        l.grid[i] = (&launch.grid.x)[i];
        l.block[i] = (&launch.block.x)[i];
        l.cluster[i] = (&c.x)[i];
    }
    if (keeps_arguments || is_dry_run) {
        keep_kernel(l, launch, function, types);
        if (!is_dry_run)
            count_sectors(l);
    }
    launches.push_back(l);
    kernels++;
    if (handler && !is_dry_run)
        call_handler(l);
}

void keep_operation(const char *name, size_t bytes)
{
    struct emu_launch l = {};

    if (!keeps_arguments && !is_dry_run)
        return;
    l.kernel = name;
    l.moved = bytes;
    l.in_graph = is_graph_launch();
    launches.push_back(l);
}

}   // namespace emu

extern "C" {

int emu_launches(const struct emu_launch **out)
{
    *out = emu::launches.data();
    return (int)emu::launches.size();
}

void emu_keep_arguments(int keep) { emu::keeps_arguments = keep; }
void emu_on_launch(void (*called)(const struct emu_launch *))
{
    emu::handler = called;
    emu::keeps_arguments = called;
}
void emu_dry_run(int dry) { emu::is_dry_run = dry; }

int emu_readable(const void *device, size_t bytes)
{
    uintptr_t address = (uintptr_t)device;

    return emu::in_heap(address) && emu::in_heap(address + bytes - 1) &&
           emu::is_written(address, bytes);
}

void emu_open_memory(int open) { emu::open_heap(open); }

size_t emu_box_bytes(const void *tensor_map)
{
    emu::hopper::Tensor t;
    struct iovec to = { &t, sizeof t }, from = { (void *)tensor_map, sizeof t };

    // any address, of which a fault must not end the program
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == sizeof t &&
                   t.magic == emu::hopper::TENSOR_MAGIC
             ? t.bytes()
             : 0;
}
}
