#define _GNU_SOURCE   // strsep
#include "source.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "program.h"
#include "tool.h"

static const char directives[] =
    "include define undef if ifdef ifndef elif else endif error warning "
    "pragma";
// What a directive of a submission may not ask.
static const char compilers[] =
    "__NVCC__ __CUDA_ARCH__ __GNUC__ __GNUG__ __SANITIZE_THREAD__ EMU_SOURCE_PASS";

// --- scanning C++

// The length of the comment or literal at s, at least to its end; 0: there is none.
static size_t opaque(const char *s)
{
    const char *end = NULL;
    size_t n = 1;

    if (s[0] == '/' && s[1] == '/')
        return strcspn(s, "\n");
    if (s[0] == '/' && s[1] == '*')
        return (end = strstr(s + 2, "*/")) ? (size_t)(end + 2 - s) : strlen(s);
    if (s[0] != '"' && s[0] != '\'')
        return 0;
    while (s[n] && s[n] != s[0] && s[n] != '\n')
        n += s[n] == '\\' && s[n + 1] ? 2 : 1;
    return n + (s[n] == s[0]);
}

static size_t word_at(const char *s)
{
    size_t n = 0;

    while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '$' || (unsigned char)s[n] > 127)
        n++;
    return n;
}

// The length of the number at s, in which ' separates digits. 0: there is none.
static size_t number_at(const char *s)
{
    size_t n = isdigit((unsigned char)s[0]) ? 1 : 0;

    while (n)
        if (word_at(s + n))
            n += word_at(s + n);
        else if (s[n] == '.' || (s[n] == '\'' && isalnum((unsigned char)s[n + 1])) ||
                 (s[n] && strchr("+-", s[n]) && strchr("eEpP", s[n - 1])))
            n++;
        else
            break;
    return n;
}

// The length of the comment, literal, number or word at s, or else 1.
static size_t token_at(const char *s)
{
    size_t n = opaque(s);

    n = n ? n : number_at(s);
    n = n ? n : word_at(s);
    return n ? n : 1;
}

// A copy in which comments are blanks, and lines that end in "\" are joined.
static char *without_comments(const char *text)
{
    char *copy = must_malloc(strlen(text) + 1), *joined = must_malloc(strlen(text) + 1),
         *to = joined;

    for (; *text; text++)
        if (text[0] == '\\' && text[strspn(text + 1, " \t\r") + 1] == '\n')
            text += strspn(text + 1, " \t\r") + 1;
        else
            *to++ = *text;
    *to = '\0';
    to = copy;
    for (const char *at = joined; *at;) {
        size_t n = token_at(at);

        if (opaque(at) && at[0] == '/')
            *to++ = ' ';
        else
            to = (char *)memcpy(to, at, n) + n;
        at += n;
    }
    *to = '\0';
    return copy;
}

// The sections into which the source pass puts variables.
static int is_own_section(const char *quoted)
{
    static const char *const own[] = { "\"emu_device\")", "\"emu_constant\")", "\"emu_managed\")",
                                       "\"emu_subscripts\")" };

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strncmp(quoted, own[i], strlen(own[i])) == 0)
            return 1;
    return 0;
}

// Whether the argument of an attribute follows: a text or a number.
static int has_argument(const char *next)
{
    size_t n = strspn(next, " \t\n(");

    return memchr(next, '(', n) && (next[n] == '"' || isdigit((unsigned char)next[n]));
}

// Checks a word of code and what follows it.
static const char *word_of_code(const char *word, const char *next)
{
    const char *argument = next + strspn(next, " \t\n(");

    if (has_word("asm __asm __asm__", word))
        return "inline assembly";
    // The CPU device does not count what the compiler generates for these.
    if (strncmp(word, "__builtin_ia32", 14) == 0 || strncmp(word, "__builtin_aarch64", 17) == 0)
        return text_of("'%s', whose accesses are not counted", text_head(word, 40));
    if (has_word("section __section__", word) && *argument == '"' && !is_own_section(argument))
        return "a section attribute";
    // The accesses of a function with these attributes may not be counted as they are written.
    if (strncmp(word, "no_sanitize", strlen("no_sanitize")) == 0 ||
        strncmp(word, "__no_sanitize", strlen("__no_sanitize")) == 0 ||
        (has_word("optimize __optimize__ target __target__", word) && has_argument(next)))
        return text_of("the attribute '%s'", text_head(word, 40));
    if (has_word("R LR uR UR u8R", word) && *next == '"')   // may contain what looks like code
        return "a raw string";
    return NULL;
}

// Checks code without comments.
static const char *code(const char *at)
{
    const char *wrong = NULL;

    while (*at && !wrong) {
        const char *next = at + token_at(at);

        if (number_at(at) && *next == '\'')   // compilers differ in where this number ends
            wrong = "a quote after a number";
        else if (strncmp(at, "##", 2) == 0 || strncmp(at, "%:%:", 4) == 0)
            wrong = "the operator ##";
        else if (word_at(at) && !number_at(at))
            wrong = word_of_code(text_of("%.*s", (int)(next - at), at), next);
        at = next;
    }
    return wrong;
}

// Checks what follows "#pragma".
static const char *pragma(const char *line)
{
    char gcc[8], word[32];

    if (sscanf(line, "%7s %31[a-z_]", gcc, word) == 2 && strcmp(gcc, "GCC") == 0 &&
        has_word("optimize target push_options", word))
        return text_of("#pragma GCC %s", word);
    return NULL;
}

// Checks the words of a directive. With a condition on the compiler, a GPU would time other code
// than the CPU device counts.
static const char *condition(const char *line)
{
    for (; *line; line += token_at(line)) {
        const char *word = text_of("%.*s", (int)word_at(line), line);

        if (*word && has_word(compilers, word))
            return text_of("'%s' in a directive", word);
    }
    return NULL;
}

// Checks what follows "#".
static const char *directive(const char *line)
{
    const char *word = line + strspn(line, " \t"), *argument;
    size_t n = word_at(word);

    if (!n && !*word)
        return NULL;
    if (!n || !has_word(directives, text_of("%.*s", (int)n, word)))
        return text_of("the directive '#%s'", text_head(word, 40));
    argument = word + n + strspn(word + n, " \t");
    return strncmp(word, "pragma", n) == 0 ? pragma(argument) : condition(argument);
}

const char *submission_source(const char *text)
{
    const char *plain = without_comments(text), *wrong = NULL;
    char *lines = text_of("%s", plain), *line;

    while (!wrong && (line = strsep(&lines, "\n"))) {
        const char *at = line + strspn(line, " \t\v\f");

        line[strcspn(line, "\r")] = '\0';
        if (at[0] == '#' || strncmp(at, "%:", 2) == 0 || strncmp(at, "?\?=", 3) == 0)
            wrong = directive(at + (at[0] == '#' ? 1 : at[0] == '%' ? 2 : 3));
    }
    return wrong ? wrong : code(plain);
}

const char *submission_preprocessed(const char *text, const char *file)
{
    char *copy = text_of("%s", text), *lines = must_malloc(strlen(text) + 2), *to = lines, *line;
    const char *mark = text_of("\"%s\"", file), *wrong = NULL;
    int own = 0;

    while (!wrong && (line = strsep(&copy, "\n")))
        if (line[0] == '#' && line[1] == ' ' && isdigit((unsigned char)line[2]))
            own = strstr(line, mark) != NULL;
        else if (own && strncmp(line, "#pragma", strlen("#pragma")) == 0)
            wrong = pragma(line + strlen("#pragma"));
        else if (own)
            to += sprintf(to, "%s\n", line);
    *to = '\0';
    return wrong ? wrong : code(lines);
}

// --- symbols

// Functions of the runtime that a submission may call, by the beginning of their names,
static const char *const called_prefixes[] = {
    "__tsan_",          "__sanitizer_cov_trace_pc",
    "__ubsan_handle_",  "__sync",
    "__pipeline_",      "__cuda",
    "cudaOccupancy",    "cudaLaunchKernel",
    "cudaFunc",         "cudaMemcpyToSymbol",
    "cudaGetSymbol",    "__threadfence",
    "tensor_map_",      "__x86_indirect_thunk_",
    "emu_thread_index", "emu_block_index",
    "emu_block_dim",    "emu_grid_dim",
    "emu_ptx_run_",
};
// and by their names: what the headers of the CPU device call; its other functions control the
// counts.
static const char called[] =
    "emu_run emu_untyped_launch emu_launch_bounds emu_cluster_dims emu_is_cooperative "
    "emu_grid_barrier emu_shared emu_dynamic_shared emu_symbol_copy emu_nanosleep emu_syncwarp "
    "emu_shfl emu_ballot emu_reduce emu_to_16_bits emu_from_16_bits "
    "emu_clock emu_tex1d_fetch emu_tex2d emu_shared_offset emu_shared_pointer emu_is_in "
    "scratch refuse cudaGetDevice cudaDeviceGetAttribute cudaGetLastError cudaPeekAtLastError "
    "cudaGetErrorString cudaGetErrorName cudaMemset cudaMemsetAsync cudaStreamSynchronize "
    "cudaEventCreate cudaEventDestroy cudaEventRecord cudaEventSynchronize cudaEventElapsedTime "
    "cudaDeviceSynchronize cudaCreateTextureObject cudaDestroyTextureObject cudaCreateChannelDesc "
    "cudaGridDependencySynchronize cudaTriggerProgrammaticLaunchCompletion "
    "__activemask __trap clock64 __assert_fail";

// Functions of the libraries that kernels call, too: arithmetic and printing. All others have a
// gate.
static const char of_kernels[] =
    "printf puts putchar vprintf __printf_chk __stack_chk_fail clock "
    "abs labs sqrt sqrtf cbrt cbrtf fabs fabsf fmin fminf fmax fmaxf fma fmaf fmod fmodf floor "
    "floorf ceil ceilf round roundf trunc truncf rint rintf nearbyint nearbyintf lround lroundf "
    "lrint lrintf llround llroundf llrint llrintf exp expf exp2 exp2f expm1 expm1f log logf log2 "
    "log2f log10 log10f log1p log1pf pow powf hypot hypotf sin sinf cos cosf tan tanf asin asinf "
    "acos acosf atan atanf atan2 atan2f sinh sinhf cosh coshf tanh tanhf erf erff copysign "
    "copysignf ldexp ldexpf";

// The functions that copy memory, whose accesses common/emu/guard.cpp counts.
static const char of_memory[] = "memcpy memmove memset memcmp";

// Functions of the libraries that could change the counts beside the call, or unprotect memory.
static const char of_processes[] =
    "pthread_create thrd_create signal sigaction sigaltstack sigprocmask pthread_sigmask raise "
    "setjmp _setjmp sigsetjmp __sigsetjmp longjmp _longjmp siglongjmp makecontext swapcontext "
    "setcontext getcontext mmap mmap64 mprotect pkey_mprotect mremap munmap madvise brk sbrk "
    "syscall prctl arch_prctl personality dlopen dlsym dlmopen pthread_atfork at_quick_exit "
    // these call a function at an address that they are given
    "qsort qsort_r bsearch lfind lsearch tsearch tfind tdelete twalk twalk_r tdestroy ftw ftw64 "
    "nftw nftw64 scandir scandir64 scandirat glob glob64 fopencookie pthread_once call_once "
    "pthread_key_create tss_create on_exit error register_printf_function "
    "register_printf_specifier register_printf_type";
static const char of_threads[] = "_ZNSt6thread";

// Overloaded functions of the CPU device: _Z9atomicAddPff and the like.
static int is_atomic(const char *symbol)
{
    const char *name = symbol + 2 + strspn(symbol + 2, "0123456789");

    return strncmp(symbol, "_Z", 2) == 0 && strncmp(name, "atomic", 6) == 0;
}

static int is_called(const char *symbol)
{
    int n = sizeof called_prefixes / sizeof *called_prefixes;

    for (int i = 0; i < n; i++)
        if (strncmp(symbol, called_prefixes[i], strlen(called_prefixes[i])) == 0)
            return 1;
    return has_word(called, symbol) || is_atomic(symbol);
}

// What a program of binutils prints.
static char *listing(const char *command)
{
    int failed;
    char *text = output_of(command, &failed);

    if (failed)
        fail("%s: failed; apt-get install binutils", command);
    return text;
}

// Why a symbol that the object defines is refused, or NULL: its own calls would reach it in place
// of the runtime. Templates from headers are weak, and may exist twice.
static const char *defined(const char *symbol, char type, const char *runtime)
{
    return is_called(symbol) || strncmp(symbol, "emu_", 4) == 0 ||
                   (strchr("TDBRSGC", type) && has_word(runtime, symbol))
             ? text_of("a definition of '%s'", text_head(symbol, 80))
             : NULL;
}

// Why a symbol that the object uses is refused, or NULL. `runtime` is the list of the runtime's
// symbols.
static const char *used(const char *symbol, const char *runtime)
{
    if (is_called(symbol) || has_word(of_kernels, symbol))
        return NULL;
    if (has_word(runtime, symbol))
        return text_of("a call of '%s'", text_head(symbol, 80));
    if (has_word(of_processes, symbol) || strncmp(symbol, of_threads, strlen(of_threads)) == 0)
        return text_of("a call of '%s', which could change the counts", text_head(symbol, 80));
    return NULL;
}

const char *submission_symbols(const char *object, const char *runtime)
{
    char *lines = listing(text_of("nm -g %s", shell_word(object))),
         *names = listing(text_of("nm -g --defined-only -j %s", shell_word(runtime))), *line;
    const char *wrong = NULL;

    for (char *c = names; *c; c++)
        if (*c == '\n')
            *c = ' ';
    while (!wrong && (line = strsep(&lines, "\n"))) {
        const char *symbol = strrchr(line, ' ');
        char type = symbol && symbol > line ? symbol[-1] : ' ';

        if (symbol && strchr("Uwv", type))
            wrong = used(symbol + 1, names);
        else if (symbol && type == 'i')
            wrong = text_of("an indirect function, '%s'", text_head(symbol + 1, 80));
        else if (symbol)
            wrong = defined(symbol + 1, type, names);
    }
    return wrong;
}

// --- gates

// The symbol that a relocation of a call names, or NULL.
static char *called_symbol(char *line)
{
    static const char *const calls[] = { "R_X86_64_PLT32", "R_AARCH64_CALL26", "R_AARCH64_JUMP26" };
    char *at = NULL, symbol[4096];

    for (size_t i = 0; !at && i < sizeof calls / sizeof *calls; i++)
        at = strstr(line, calls[i]);
    return at && sscanf(at, "%*s %*s %4095s", symbol) == 1 ? text_of("%s", symbol) : NULL;
}

// Whether host code calls this function, which then changes variables of the runtime: exit() runs
// its destructors.
static int is_entry(const char *symbol)
{
    return strncmp(symbol, "cuda", 4) == 0 || strncmp(symbol, "tensor_map_", 11) == 0 ||
           has_word("scratch refuse emu_run emu_symbol_copy emu_untyped_launch exit", symbol);
}

static void write_gate(FILE *code, int i, const char *symbol)
{
#if defined(__x86_64__)
    fprintf(code,
            ".globl emu_gate_%d\nemu_gate_%d:\nlea \"%s\"(%%rip), %%r10\n"
            "lea 9f(%%rip), %%r11\njmp %s\n9: .asciz \"%s\"\n",
            i, i, symbol, is_entry(symbol) ? "emu_entry" : "emu_gate", symbol);
#else
    if (is_entry(symbol)) {
        fprintf(code, ".globl emu_gate_%d\nemu_gate_%d:\nb \"%s\"\n", i, i, symbol);
        return;
    }
    fprintf(code,
            ".globl emu_gate_%d\nemu_gate_%d:\nadrp x16, \"%s\"\nadd x16, x16, :lo12:\"%s\"\n"
            "adr x17, 9f\nb emu_gate\n9: .asciz \"%s\"\n.align 2\n",
            i, i, symbol, symbol, symbol);
#endif
}

int submission_gates(const char *object, const char *list, const char *assembly)
{
    char *lines = listing(text_of("readelf -rW %s", shell_word(object))), *line, *symbol;
    char *undefined = listing(text_of("nm -u -j %s", shell_word(object)));
    FILE *names = fopen(list, "w"), *code = fopen(assembly, "w");
    const char *seen = "";
    int n = 0;

    if (!names || !code)
        fail("%s: cannot be written: %s", names ? assembly : list, strerror(errno));
    for (char *c = undefined; *c; c++)
        if (*c == '\n')
            *c = ' ';
    fputs(".text\n", code);
    while ((line = strsep(&lines, "\n"))) {
        symbol = called_symbol(line);
        if (!symbol || !has_word(undefined, symbol) || has_word(seen, symbol) ||
            (is_called(symbol) && !is_entry(symbol)) || has_word(of_kernels, symbol))
            continue;
        seen = with_word(seen, symbol);
        if (has_word(of_memory, symbol)) {
            fprintf(names, "%s emu_%s\n", symbol, symbol);
            continue;
        }
        fprintf(names, "%s emu_gate_%d\n", symbol, n);
        write_gate(code, n++, symbol);
    }
    fputs(".section .note.GNU-stack,\"\",%progbits\n", code);
    if (fclose(names) != 0 || fclose(code) != 0)
        fail("%s: cannot be written: %s", list, strerror(errno));
    return seen[0] != '\0';
}
