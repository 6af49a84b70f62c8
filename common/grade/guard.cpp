// What keeps a program that others wrote from its own counts, and from what the harness has in the
// same process, when it is linked for grading (common/make/exercise.mk).
//
// Every access of the program's code is announced by the compiler (emu/hooks.cpp). Kernels are
// confined to device memory as always. Host code may access its own variables, stack and
// allocations, and read constants. Calls leave the program's code only for functions that the list
// `allowed` names; those that access memory at an address that they are given check it here. An
// indirect call or jump goes to the beginning of one of the program's functions (x86-64), and a
// function returns to its caller, because a copy of the return address is kept here.
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <climits>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <new>
#include <unordered_map>

#include "include/cuda.h"
#include "exec/exec.h"
#include "host/host.h"
#include "lanes/cluster.h"
#include "lanes/guard.h"
#include "lanes/log.h"
#include "order/memory.h"
#include "report/report.h"

// The sections of the program's code and variables (submission.ld).
extern "C" {
extern char __start_submission_text __attribute__((weak)),
    __stop_submission_text __attribute__((weak));
extern char __start_submission_data __attribute__((weak)),
    __stop_submission_data __attribute__((weak));
extern char __start_submission_bss __attribute__((weak)),
    __stop_submission_bss __attribute__((weak));
extern void *__libc_stack_end;
typedef void initializer();
extern initializer *__start_submission_init[] __attribute__((weak)),
    *__stop_submission_init[] __attribute__((weak));
extern char __libc_single_threaded __attribute__((weak));   // read by std::shared_ptr
}

namespace emu {

// The ends of a section; both null if there is none.
static bool within(uintptr_t address, size_t size, const char *low, const char *high)
{
    return address >= (uintptr_t)low && address < (uintptr_t)high &&
           size <= (uintptr_t)high - address;
}

static Worker *on_lane() { return worker && worker->current ? worker : nullptr; }

// Ends the program as a diagnosis does.
[[noreturn]] static void refuse(const std::string &what, uintptr_t pc)
{
    if (Worker *w = on_lane())
        fail(*w, what, pc);
    report({ what, pc, "", 0, "in host code" });
    print_findings();
    abort();
}

// --- calls: the frames of the program's functions

// A function of the program that has not returned: where its frame begins, the frame pointer that
// it saved there, and the address behind it, to which it returns.
struct Frame {
    const uintptr_t *at;
    uintptr_t saved, to;
    unsigned registers;   // of its caller, which it stored below its frame pointer
    uintptr_t stored[5];
    uintptr_t end;   // of the first function: of what the program may access
};
using Frames = std::vector<Frame>;

// How many registers the function that runs at `pc` stored below its frame pointer: its first
// instructions, which -fno-schedule-insns2 keeps together, are push %rbp; mov %rsp, %rbp; and a
// push for each (x86-64).
static unsigned count_stored(uintptr_t pc)
{
    static const unsigned char begin[] = { 0x55, 0x48, 0x89, 0xe5 };
    const unsigned char *at = (const unsigned char *)pc - sizeof begin;
    unsigned n = 0;

    for (unsigned back = 0; memcmp(at, begin, sizeof begin) != 0; back++, at--)
        if (back == 512)
            return 0;
    at += sizeof begin;
    while (n < 5 && (at[0] == 0x53 || (at[0] == 0x41 && at[1] >= 0x54 && at[1] <= 0x57))) {
        at += at[0] == 0x53 ? 1 : 2;
        n++;
    }
    return n;
}

static unsigned registers_stored(uintptr_t pc)
{
#if defined(__x86_64__)
    static thread_local std::unordered_map<uintptr_t, unsigned> known;
    auto found = known.find(pc);

    return found != known.end() ? found->second : known[pc] = count_stored(pc);
#else
    (void)pc;
    return 0;
#endif
}

static Frames host_frames;
static thread_local std::unordered_map<uintptr_t, Frames> lane_frames;   // by the lane's stack

static Frames &frames()
{
    Worker *w = on_lane();

    return w ? lane_frames[w->stack_low] : host_frames;
}

void guard_lane(const Worker &w) { lane_frames[w.stack_low].clear(); }

// The stack from the frame of its first function on is that of the caller, which is the runtime.
static uintptr_t end_of(const Frames &f) { return f.empty() ? 0 : f[0].end; }

// The same for a kernel, which finds structs that are its parameters behind its frame: there the
// code of the launch has put them, which lane_main() called.
static uintptr_t end_of_kernel(const Worker &w, const uintptr_t *at)
{
    constexpr uintptr_t MOST = 256;   // bytes of lane_main()
    const uintptr_t *top = (const uintptr_t *)(w.stack_low + STACK_BYTES);

    for (const uintptr_t *to = at + 1; to < top; to++)
        if (*to - (uintptr_t)lane_main < MOST)
            return (uintptr_t)(to == at + 1 ? at + 2 : to);
    return (uintptr_t)(at + 2);
}

size_t guard_stack(const Worker &w)
{
    uintptr_t end = end_of(lane_frames[w.stack_low]);

    return end ? end - w.stack_low : STACK_BYTES;
}

// --- memory of host code

static std::map<uintptr_t, size_t> blocks;   // allocations: address, bytes

static bool in_block(uintptr_t address, size_t size)
{
    auto next = blocks.upper_bound(address);

    if (next == blocks.begin())
        return false;
    --next;
    return address - next->first < next->second && size <= next->second - (address - next->first);
}

static bool is_own(uintptr_t address, size_t size, bool writes, uintptr_t stack)
{
    uintptr_t low = stack ? stack : (uintptr_t)__builtin_frame_address(0),
              end = end_of(host_frames);

    if (within(address, size, &__start_submission_data, &__stop_submission_data) ||
        within(address, size, &__start_submission_bss, &__stop_submission_bss) ||
        in_block(address, size))
        return true;
    // the harness passes the address of structs on its own stack
    if (!writes)
        end = (uintptr_t)__libc_stack_end;
    if (address >= low && address < end && size <= end - address)
        return true;
    return !writes && ((in_image(address) == Image::read_only &&
                        in_image(address + size - 1) == Image::read_only) ||
                       (size <= sizeof stdout &&
                        (address == (uintptr_t)&stdin || address == (uintptr_t)&stdout ||
                         address == (uintptr_t)&stderr || address == (uintptr_t)&errno ||
                         address == (uintptr_t)&__libc_single_threaded)));
}

// The harness calls the runtime with addresses of its own: then no function of the program runs.
void guard_access(uintptr_t address, size_t size, bool writes, uintptr_t pc, uintptr_t stack)
{
    if (on_lane())
        refuse("call of a host function in a kernel", pc);
    if (!size || host_frames.empty() || is_own(address, size, writes, stack))
        return;
    if (in_heap(address))
        refuse("host code reads or writes device memory; only a kernel can", pc);
    if (address == UINTPTR_MAX)   // bounds.cpp
        refuse("index out of bounds in host code", pc);
    if (address < 4096)
        refuse(std::string(writes ? "write to" : "read of") + " a null pointer in host code", pc);
    refuse(std::string(writes ? "write" : "read") +
               " outside the variables and allocations of host code",
           pc);
}

// --- targets

// The compiler marks the beginning of each function whose address is taken (-fcf-protection).
void guard_target(uintptr_t function, uintptr_t pc)
{
#if defined(__x86_64__)
    static const unsigned char mark[4] = { 0xf3, 0x0f, 0x1e, 0xfa };   // endbr64

    if (host_frames.empty())
        return;   // the harness calls the week's function
    if (!within(function, sizeof mark, &__start_submission_text, &__stop_submission_text) ||
        memcmp((const void *)function, mark, sizeof mark) != 0)
        refuse("indirect call of a function that is not the program's own", pc);
#else
    (void)function, (void)pc;
#endif
}

// --- functions that are given addresses

// Where a function of the library was called: the address, and where the caller's frame begins.
struct From {
    void *call_site;
    uintptr_t stack;
};

// A piece of memory that a function of the library reads or writes.
static void touch(const void *pointer, size_t bytes, bool writes, const From &from)
{
    uintptr_t address = (uintptr_t)pointer;
    Worker *w = on_lane();

    if (!w)
        return guard_access(address, bytes, writes, (uintptr_t)from.call_site, from.stack);
    // the frames of these functions are on the lane's stack, below the caller's
    if (address < from.stack && (address >= w->stack_low || bytes > w->stack_low - address))
        refuse("access to the stack below the thread's variables", (uintptr_t)from.call_site);
    count_range((void *)pointer, bytes, writes, from.call_site);
}

static void host_only(const char *name, const From &from)
{
    if (on_lane())
        refuse(std::string("call of the host function ") + name + " in a kernel",
               (uintptr_t)from.call_site);
}

// At most `most` bytes of a text are read.
static void check_text(const char *text, const From &from, size_t most = SIZE_MAX)
{
    size_t n;

    if (!most)
        return;
    touch(text, 1, false, from);
    n = strnlen(text, most);
    touch(text, n + (n < most), false, from);
}

// The number at `at`, or the next argument in place of "*". -1: there is none.
static int format_number(const char **at, va_list *arguments)
{
    int n = -1;

    if (**at == '*') {
        ++*at;
        return va_arg(*arguments, int);
    }
    for (; isdigit((unsigned char)**at); ++*at)
        n = n > 99999999 ? INT_MAX : (n < 0 ? 0 : 10 * n) + **at - '0';
    return n;
}

// Checks a conversion, from behind its "%", and what it reads. Returns its end.
static const char *check_conversion(const char *at, va_list *arguments, const From &from)
{
    size_t flags = strspn(at, "-+ #0'"), length;
    const char *type;
    int precision = -1;

    at += flags;
    format_number(&at, arguments);
    if (*at == '.') {
        at++;
        precision = format_number(&at, arguments);
    }
    type = at;
    length = strspn(at, "hlqjztL");
    at += length;
    auto is = [&](const char *types) { return *at && strchr(types, *at); };
    if (*at == '%' && !flags && !length)
        return at + 1;
    if (is("diouxX") || (*at == 'c' && !length)) {
        if (length && *type != 'h')
            va_arg(*arguments, long);
        else
            va_arg(*arguments, int);
    } else if (is("eEfFgGaA") && *type == 'L') {
        va_arg(*arguments, long double);
    } else if (is("eEfFgGaA")) {
        va_arg(*arguments, double);
    } else if (*at == 'p') {
        va_arg(*arguments, void *);
    } else if (*at == 's' && !length) {
        check_text(va_arg(*arguments, const char *), from,
                   precision < 0 ? SIZE_MAX : (size_t)precision);
    } else {
        refuse(*at ? std::string("printf with %") + *at : "printf with % at the end",
               (uintptr_t)from.call_site);
    }
    return at + 1;
}

// %n stores to an address, and %s reads a text. Other conversions than those of C are refused.
static void check_format(const char *format, va_list given, const From &from)
{
    va_list arguments;

    check_text(format, from);
    va_copy(arguments, given);
    for (const char *at = format; (at = strchr(at, '%'));)
        at = check_conversion(at + 1, &arguments, from);
    va_end(arguments);
}

static void *allocated(void *p, size_t bytes)
{
    if (p)
        blocks[(uintptr_t)p] = bytes;
    return p;
}

static void *allocate(size_t bytes, const char *name, const From &from)
{
    host_only(name, from);
    return allocated(malloc(bytes ? bytes : 1), bytes);
}

static void release(void *p, const char *name, const From &from)
{
    host_only(name, from);
    if (p && !blocks.erase((uintptr_t)p))
        refuse(std::string(name) + " of memory that was not allocated", (uintptr_t)from.call_site);
    free(p);
}

static FILE *checked(FILE *file, const char *name, const From &from)
{
    host_only(name, from);
    if (file != stdout && file != stderr)
        refuse(std::string(name) + " to a file other than stdout and stderr",
               (uintptr_t)from.call_site);
    return file;
}

}   // namespace emu

using namespace emu;

extern "C" {

#define HERE \
    From { __builtin_return_address(0), (uintptr_t)__builtin_dwarf_cfa() }

// The caller's frame begins where its frame pointer points; this file and submissions are compiled
// with frame pointers.
void __tsan_func_entry(void *)
{
    const uintptr_t *at = *(const uintptr_t *const *)__builtin_frame_address(0);
    Frames &f = frames();
    Frame frame = { at, at[0], at[1], registers_stored((uintptr_t)__builtin_return_address(0)),
                    {}, 0 };

    for (unsigned i = 0; i < frame.registers; i++)
        frame.stored[i] = at[-1 - (int)i];
    if (f.empty())
        frame.end = on_lane() ? end_of_kernel(*worker, at) : (uintptr_t)(at + 2);
    f.push_back(frame);
    if (f.size() == 1 && on_lane())
        worker->stack_open = guard_stack(*worker);
}

void __tsan_func_exit(void)
{
    const uintptr_t *at = *(const uintptr_t *const *)__builtin_frame_address(0);
    Frames &f = frames();

    bool same = !f.empty() && f.back().at == at && f.back().saved == at[0] && f.back().to == at[1];

    for (unsigned i = 0; same && i < f.back().registers; i++)
        same = f.back().stored[i] == at[-1 - (int)i];
    if (!same)
        refuse("the stack does not hold the return address any more",
               (uintptr_t)__builtin_return_address(0));
    f.pop_back();
}

// --- the functions that `allowed` lists as guarded: a submission's call of NAME arrives here

size_t guarded_strlen(const char *text)
{
    host_only("strlen", HERE);
    check_text(text, HERE);
    return strlen(text);
}

int guarded_strcmp(const char *a, const char *b)
{
    host_only("strcmp", HERE);
    check_text(a, HERE);
    check_text(b, HERE);
    return strcmp(a, b);
}

int guarded_strncmp(const char *a, const char *b, size_t n)
{
    host_only("strncmp", HERE);
    check_text(a, HERE, n);
    check_text(b, HERE, n);
    return strncmp(a, b, n);
}

// A copy of n bytes, which may overlap.
static char *copied(char *to, const char *from, size_t n, const From &caller)
{
    touch(to, n, true, caller);
    memmove(to, from, n);
    return to;
}

char *guarded_strcpy(char *to, const char *from)
{
    host_only("strcpy", HERE);
    check_text(from, HERE);
    return copied(to, from, strlen(from) + 1, HERE);
}

char *guarded_strncpy(char *to, const char *from, size_t n)
{
    size_t length = strnlen(from, n);

    host_only("strncpy", HERE);
    touch(from, length, false, HERE);
    touch(to, n, true, HERE);
    copied(to, from, length, HERE);
    memset(to + length, 0, n - length);
    return to;
}

char *guarded_strcat(char *to, const char *from)
{
    host_only("strcat", HERE);
    check_text(to, HERE);
    check_text(from, HERE);
    copied(to + strlen(to), from, strlen(from) + 1, HERE);
    return to;
}

// The result has the type of the argument: without const in C.
const void *guarded_memchr(const void *memory, int c, size_t n)
{
    host_only("memchr", HERE);
    touch(memory, n, false, HERE);
    return memchr(memory, c, n);
}

const char *guarded_strchr(const char *text, int c)
{
    host_only("strchr", HERE);
    check_text(text, HERE);
    return strchr(text, c);
}

const char *guarded_strrchr(const char *text, int c)
{
    host_only("strrchr", HERE);
    check_text(text, HERE);
    return strrchr(text, c);
}

const char *guarded_strstr(const char *text, const char *part)
{
    host_only("strstr", HERE);
    check_text(text, HERE);
    check_text(part, HERE);
    return strstr(text, part);
}

static void check_number(const char *text, char **end, const char *name, const From &from)
{
    host_only(name, from);
    check_text(text, from);
    if (end)
        touch(end, sizeof *end, true, from);
}
long guarded_strtol(const char *text, char **end, int base)
{
    check_number(text, end, "strtol", HERE);
    return strtol(text, end, base);
}
long guarded___isoc23_strtol(const char *text, char **end, int base)   // of glibc 2.38 and later
{
    check_number(text, end, "strtol", HERE);
    return strtol(text, end, base);
}
double guarded_strtod(const char *text, char **end)
{
    check_number(text, end, "strtod", HERE);
    return strtod(text, end);
}
int guarded_atoi(const char *text)
{
    check_number(text, nullptr, "atoi", HERE);
    return atoi(text);
}
double guarded_atof(const char *text)
{
    check_number(text, nullptr, "atof", HERE);
    return atof(text);
}

int guarded_snprintf(char *to, size_t n, const char *format, ...)
{
    va_list arguments;

    host_only("snprintf", HERE);
    touch(to, n, true, HERE);
    va_start(arguments, format);
    check_format(format, arguments, HERE);
    int length = vsnprintf(to, n, format, arguments);
    va_end(arguments);
    return length;
}

int guarded_sprintf(char *to, const char *format, ...)
{
    va_list arguments, again;

    host_only("sprintf", HERE);
    va_start(arguments, format);
    check_format(format, arguments, HERE);
    va_copy(again, arguments);
    int length = vsnprintf(nullptr, 0, format, again);
    va_end(again);
    touch(to, (size_t)length + 1, true, HERE);
    vsnprintf(to, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return length;
}

int guarded_printf(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    check_format(format, arguments, HERE);
    if (on_lane())
        serve_log(*worker);
    int length = vfprintf(stdout, format, arguments);
    va_end(arguments);
    return length;
}

int guarded_fprintf(FILE *file, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    check_format(format, arguments, HERE);
    int length = vfprintf(checked(file, "fprintf", HERE), format, arguments);
    va_end(arguments);
    return length;
}

int guarded_puts(const char *text)
{
    check_text(text, HERE);
    if (on_lane())
        serve_log(*worker);
    return fputs(text, stdout) < 0 || fputc('\n', stdout) < 0 ? EOF : 0;
}
int guarded_fputs(const char *text, FILE *file)
{
    check_text(text, HERE);
    return fputs(text, checked(file, "fputs", HERE));
}
int guarded_fputc(int c, FILE *file) { return fputc(c, checked(file, "fputc", HERE)); }
int guarded_fflush(FILE *file) { return file ? fflush(checked(file, "fflush", HERE)) : 0; }

void guarded_perror(const char *text)
{
    host_only("perror", HERE);
    check_text(text, HERE);
    perror(text);
}
int guarded_getc(FILE *) { return EOF; }   // there is no input
int guarded_getchar(void) { return EOF; }

time_t guarded_time(time_t *result)
{
    host_only("time", HERE);
    if (result)
        touch(result, sizeof *result, true, HERE);
    return time(result);
}
int guarded_gettimeofday(struct timeval *result, void *zone)
{
    host_only("gettimeofday", HERE);
    touch(result, sizeof *result, true, HERE);
    if (zone)
        touch(zone, sizeof(struct timezone), true, HERE);
    return gettimeofday(result, (struct timezone *)zone);
}
int guarded_clock_gettime(clockid_t clock, struct timespec *result)
{
    host_only("clock_gettime", HERE);
    touch(result, sizeof *result, true, HERE);
    return clock_gettime(clock, result);
}

[[noreturn]] void guarded_exit(int status)
{
    host_only("exit", HERE);
    fflush(stdout);
    _exit(status);
}

void *guarded_malloc(size_t n) { return allocate(n, "malloc", HERE); }
void guarded_free(void *p) { release(p, "free", HERE); }
void *guarded_calloc(size_t n, size_t size)
{
    host_only("calloc", HERE);
    return allocated(calloc(n, size), n * size);
}
void *guarded_realloc(void *p, size_t n)
{
    host_only("realloc", HERE);
    auto block = blocks.find((uintptr_t)p);
    size_t had = block == blocks.end() ? 0 : block->second;
    void *to = allocate(n, "realloc", HERE);

    if (p && block == blocks.end())
        refuse("realloc of memory that was not allocated", (uintptr_t)HERE.call_site);
    if (to && p) {
        memcpy(to, p, std::min(had, n));
        release(p, "realloc", HERE);
    }
    return to;
}

static void *obtain(size_t n, const From &from)
{
    void *p = allocate(n, "new", from);

    if (!p)
        refuse("new: out of memory", (uintptr_t)from.call_site);
    return p;
}

void *guarded__Znwm(size_t n) { return obtain(n, HERE); }
void *guarded__ZnwmRKSt9nothrow_t(size_t n, const void *) { return allocate(n, "new", HERE); }
void *guarded__ZnamRKSt9nothrow_t(size_t n, const void *) { return allocate(n, "new", HERE); }
void *guarded__ZnwmSt11align_val_t(size_t n, size_t alignment)
{
    host_only("new", HERE);
    if (alignment < sizeof(void *) || alignment > 4096 || alignment & (alignment - 1) ||
        n > SIZE_MAX / 2)
        refuse("new with a wrong alignment or size", (uintptr_t)HERE.call_site);
    return allocated(aligned_alloc(alignment, (n + alignment) / alignment * alignment), n);
}
void guarded__ZdlPvSt11align_val_t(void *p, size_t) { release(p, "delete", HERE); }
void guarded__ZdlPvmSt11align_val_t(void *p, size_t, size_t) { release(p, "delete", HERE); }
void *guarded__Znam(size_t n) { return obtain(n, HERE); }
void guarded__ZdlPv(void *p) { release(p, "delete", HERE); }
void guarded__ZdaPv(void *p) { release(p, "delete", HERE); }
void guarded__ZdlPvm(void *p, size_t) { release(p, "delete", HERE); }
void guarded__ZdaPvm(void *p, size_t) { release(p, "delete", HERE); }

// A kernel could tell the host something by them.
int guarded_rand(void)
{
    host_only("rand", HERE);
    return rand();
}
void guarded_srand(unsigned seed)
{
    host_only("srand", HERE);
    srand(seed);
}

// Destructors of static variables do not run: nothing of the program runs when it has been judged.
int guarded___cxa_atexit(void (*)(void *), void *, void *) { return 0; }
// Of hash tables: std::unordered_map and std::unordered_set.
size_t guarded__ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(
    const std::__detail::_Prime_rehash_policy *policy, size_t n)
{
    host_only("std::unordered_map", HERE);
    touch(policy, sizeof *policy, true, HERE);
    return policy->_M_next_bkt(n);
}
std::pair<bool, size_t> guarded__ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(
    const std::__detail::_Prime_rehash_policy *policy, size_t buckets, size_t elements,
    size_t inserted)
{
    host_only("std::unordered_map", HERE);
    touch(policy, sizeof *policy, true, HERE);
    return policy->_M_need_rehash(buckets, elements, inserted);
}

size_t guarded__ZSt11_Hash_bytesPKvmm(const void *from, size_t n, size_t seed)
{
    host_only("std::hash", HERE);
    touch(from, n, false, HERE);
    return std::_Hash_bytes(from, n, seed);
}

// Device memory that the program allocated. It may free no other.
static std::map<void *, size_t> device_blocks;

static cudaError_t device_allocated(cudaError_t error, void **pointer, size_t bytes)
{
    if (error == cudaSuccess && *pointer)
        device_blocks[*pointer] = bytes;
    return error;
}
static void *device_released(void *pointer, const char *name, const From &from)
{
    host_only(name, from);
    if (pointer && !device_blocks.erase(pointer))
        refuse(std::string(name) + " of memory that the submission did not allocate",
               (uintptr_t)from.call_site);
    return pointer;
}
cudaError_t guarded_cudaMalloc(void **pointer, size_t bytes)
{
    host_only("cudaMalloc", HERE);
    touch(pointer, sizeof *pointer, true, HERE);
    return device_allocated(cudaMalloc(pointer, bytes), pointer, bytes);
}
cudaError_t guarded_cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
    host_only("cudaMallocAsync", HERE);
    touch(pointer, sizeof *pointer, true, HERE);
    return device_allocated(cudaMallocAsync(pointer, bytes, stream), pointer, bytes);
}
cudaError_t guarded_cudaFree(void *pointer)
{
    return cudaFree(device_released(pointer, "cudaFree", HERE));
}
cudaError_t guarded_cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    return cudaFreeAsync(device_released(pointer, "cudaFreeAsync", HERE), stream);
}

// The harness keeps the maps in its own memory. The program gets a copy, valid for some calls more.
const CUtensorMap *tensor_map_2d(CUtensorMapDataType type, const void *base, int rows, int cols,
                                 int box_rows, int box_cols, CUtensorMapSwizzle swizzle);
const CUtensorMap *guarded_tensor_map_2d(CUtensorMapDataType type, const void *base, int rows,
                                         int cols, int box_rows, int box_cols,
                                         CUtensorMapSwizzle swizzle)
{
    enum { KEPT = 16 };
    alignas(64) static CUtensorMap kept[KEPT];
    static unsigned next;
    CUtensorMap *copy = &kept[next++ % KEPT];

    host_only("tensor_map_2d", HERE);
    *copy = *tensor_map_2d(type, base, rows, cols, box_rows, box_cols, swizzle);
    blocks[(uintptr_t)copy] = sizeof *copy;
    return copy;
}

// -fsanitize=object-size: an access beyond a variable that the compiler knows. It may be one that
// no other call announces.
void __ubsan_handle_type_mismatch_v1(void *, uintptr_t)
{
    refuse("access beyond a variable", (uintptr_t)__builtin_return_address(0));
}

// --- calls between the harness and the program

void emu_check_target(uintptr_t target, uintptr_t call_site) { guard_target(target, call_site); }

#if defined(__x86_64__)
// The registers that a function of the program preserves for its caller are stored on its stack,
// where the program can change them. So the harness calls it through emu_host_entry, which keeps
// them, and the return address, here.
void *emu_host_function;
uintptr_t emu_host_kept[7];
void emu_host_entry(void);
void *emu_guarded(void *function)
{
    emu_host_function = function;
    return (void *)emu_host_entry;
}
asm(".text\n"
    ".globl emu_host_entry\n"
    "emu_host_entry:\n"
    "pop emu_host_kept(%rip)\n"
    "mov %rbx, 8+emu_host_kept(%rip); mov %rbp, 16+emu_host_kept(%rip)\n"
    "mov %r12, 24+emu_host_kept(%rip); mov %r13, 32+emu_host_kept(%rip)\n"
    "mov %r14, 40+emu_host_kept(%rip); mov %r15, 48+emu_host_kept(%rip)\n"
    "call *emu_host_function(%rip)\n"
    "mov 8+emu_host_kept(%rip), %rbx; mov 16+emu_host_kept(%rip), %rbp\n"
    "mov 24+emu_host_kept(%rip), %r12; mov 32+emu_host_kept(%rip), %r13\n"
    "mov 40+emu_host_kept(%rip), %r14; mov 48+emu_host_kept(%rip), %r15\n"
    "push emu_host_kept(%rip)\n"
    "ret\n");

// gcc -mindirect-branch=thunk-extern calls these in place of a register. The stack is aligned to 16
// bytes at the call.
#define SAVE                                                                                 \
    "push %rdi; push %rsi; push %rdx; push %rcx; push %r8; push %r9; push %rax; push %r10\n" \
    "sub $128, %rsp\n"                                                                       \
    "movups %xmm0, (%rsp); movups %xmm1, 16(%rsp); movups %xmm2, 32(%rsp)\n"                 \
    "movups %xmm3, 48(%rsp); movups %xmm4, 64(%rsp); movups %xmm5, 80(%rsp)\n"               \
    "movups %xmm6, 96(%rsp); movups %xmm7, 112(%rsp)\n"
#define RESTORE                                                                \
    "movups (%rsp), %xmm0; movups 16(%rsp), %xmm1; movups 32(%rsp), %xmm2\n"   \
    "movups 48(%rsp), %xmm3; movups 64(%rsp), %xmm4; movups 80(%rsp), %xmm5\n" \
    "movups 96(%rsp), %xmm6; movups 112(%rsp), %xmm7\n"                        \
    "add $128, %rsp\n"                                                         \
    "pop %r10; pop %rax; pop %r9; pop %r8; pop %rcx; pop %rdx; pop %rsi; pop %rdi\n"
#define THUNK(reg)                                     \
    asm(".globl __x86_indirect_thunk_" reg "\n"        \
        "__x86_indirect_thunk_" reg ":\n"              \
        "push %" reg "\n" SAVE "mov 192(%rsp), %rdi\n" \
        "mov 200(%rsp), %rsi\n"                        \
        "call emu_check_target\n" RESTORE "ret\n");
THUNK("rax")
THUNK("rbx")
THUNK("rcx")
THUNK("rdx")
THUNK("rsi")
THUNK("rdi")
THUNK("rbp")
THUNK("r8")
THUNK("r9")
THUNK("r10")
THUNK("r11")
THUNK("r12")
THUNK("r13")
THUNK("r14")
THUNK("r15")
#endif
}

// The initializers of the program's variables. The C library would call them before the variables
// of this file exist, and with separate registers.
static const struct Initializers {
    Initializers()
    {
        for (initializer **at = __start_submission_init; at < __stop_submission_init; at++)
            ((initializer *)emu_guarded((void *)*at))();
    }
} initializers;
