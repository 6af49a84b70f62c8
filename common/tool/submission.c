#define _GNU_SOURCE   // strsep
#include "submission.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "tool.h"

static const char headers[] =
    "math.h cmath float.h cfloat limits.h climits stdint.h cstdint stddef.h "
    "cstddef stdio.h cstdio string.h cstring assert.h cassert "
    "cuda_runtime.h cooperative_groups.h cooperative_groups/reduce.h "
    "cuda_fp16.h cuda_bf16.h cuda_pipeline.h cuda_pipeline_primitives.h";
static const char directives[] =
    "include define undef if ifdef ifndef elif else endif error warning "
    "pragma";
// What a directive of a submission may not ask.
static const char compilers[] =
    "__NVCC__ __CUDA_ARCH__ __GNUC__ __GNUG__ __SANITIZE_THREAD__ EMU_SOURCE_PASS";
// Functions of memory, whose accesses the CPU device does not count. nvcc generates calls of some
// for the host.
static const char of_memory[] =
    "memcpy memmove memset memcmp mempcpy memccpy memchr bcopy bzero bcmp strcpy strncpy stpcpy "
    "stpncpy strcat strncat strcmp strncmp strlen strnlen strchr __memcpy_chk __memset_chk";

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
    const char *argument = next + strspn(next, " \t\n("),
               *function = strncmp(word, "__builtin_", 10) == 0 ? word + 10 : word;

    if (has_word("asm __asm __asm__", word))
        return "inline assembly";
    // The CPU device does not count what the compiler generates for these.
    if (has_word(of_memory, function) || strncmp(word, "__builtin___", 12) == 0 ||
        strncmp(word, "__builtin_ia32", 14) == 0 || strncmp(word, "__builtin_aarch64", 17) == 0)
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

static int allowed_header(const char *name, const char *own)
{
    char bare[64];
    size_t n = strlen(name);

    if (n < 3 || n > sizeof bare || !strchr("\"<", name[0]) || !strchr("\">", name[n - 1]))
        return 0;
    snprintf(bare, sizeof bare, "%.*s", (int)n - 2, name + 1);
    return strcmp(bare, own) == 0 || has_word(headers, bare);
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
static const char *directive(const char *line, const char *header)
{
    const char *word = line + strspn(line, " \t"), *argument;
    size_t n = word_at(word);

    if (!n && !*word)
        return NULL;
    if (!n || !has_word(directives, text_of("%.*s", (int)n, word)))
        return text_of("the directive '#%s'", text_head(word, 40));
    argument = word + n + strspn(word + n, " \t");
    if (strncmp(word, "include", n) == 0) {
        const char *name = text_of("%.*s", (int)strcspn(argument, " \t"), argument);

        return allowed_header(name, header) ? NULL
                                            : text_of("#include %s", text_head(argument, 60));
    }
    return strncmp(word, "pragma", n) == 0 ? pragma(argument) : condition(argument);
}

const char *submission_source(const char *text, const char *header)
{
    const char *plain = without_comments(text), *wrong = NULL;
    char *lines = text_of("%s", plain), *line;

    while (!wrong && (line = strsep(&lines, "\n"))) {
        const char *at = line + strspn(line, " \t\v\f");

        line[strcspn(line, "\r")] = '\0';
        if (at[0] == '#' || strncmp(at, "%:", 2) == 0 || strncmp(at, "?\?=", 3) == 0)
            wrong = directive(at + (at[0] == '#' ? 1 : at[0] == '%' ? 2 : 3), header);
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

// Functions that a submission may call: of the runtime, by the beginning of their names,
static const char *const called_prefixes[] = {
    "__tsan_",         "__sanitizer_cov_trace_pc",
    "__ubsan_handle_", "__sync",
    "__pipeline_",     "__cuda",
    "cudaOccupancy",   "cudaLaunchKernel",
    "cudaFunc",        "cudaMemcpyToSymbol",
    "cudaGetSymbol",   "__threadfence",
    "tensormap_",
};
// and by their names. Those of C take no file, process or address.
static const char called[] =
    // what the headers of the CPU device call; its other functions control the counts
    "emu_run emu_untyped_launch emu_launch_bounds emu_is_cooperative emu_grid_barrier emu_shared "
    "emu_dynamic_shared emu_symbol_copy emu_thread_index emu_block_index emu_block_dim "
    "emu_grid_dim "
    "emu_syncwarp emu_shfl emu_ballot emu_reduce emu_clock emu_tex1d_fetch emu_tex2d "
    "scratch refuse cudaGetDevice cudaDeviceGetAttribute cudaGetLastError cudaPeekAtLastError "
    "cudaGetErrorString cudaGetErrorName cudaMemset cudaMemsetAsync cudaStreamSynchronize "
    "cudaDeviceSynchronize cudaCreateTextureObject cudaDestroyTextureObject cudaCreateChannelDesc "
    "cudaGridDependencySynchronize cudaTriggerProgrammaticLaunchCompletion "
    "__activemask __nanosleep __trap clock clock64 __assert_fail printf puts putchar vprintf "
    "__printf_chk __stack_chk_fail "
    // what nvcc and g++ generate; a program that ends early has no result
    "__cxa_atexit __dso_handle atexit exit _GLOBAL_OFFSET_TABLE_ __gxx_personality_v0 "
    "__cxa_guard_acquire __cxa_guard_release __cxa_guard_abort _Unwind_Resume "
    "abs labs sqrt sqrtf cbrt cbrtf fabs fabsf fmin fminf fmax fmaxf fma fmaf fmod fmodf floor "
    "floorf "
    "ceil ceilf round roundf trunc truncf rint rintf nearbyint nearbyintf lround lroundf lrint "
    "lrintf "
    "llround llroundf llrint llrintf exp expf exp2 exp2f expm1 expm1f log logf log2 log2f log10 "
    "log10f log1p log1pf pow powf hypot hypotf sin sinf cos cosf tan tanf sincos sincosf asin "
    "asinf "
    "acos acosf atan atanf atan2 atan2f sinh sinhf cosh coshf tanh tanhf erf erff copysign "
    "copysignf "
    "ldexp ldexpf frexp frexpf modf modff";

// Overloaded functions of the CPU device: _Z9atomicAddPff and the like.
static int is_atomic(const char *symbol)
{
    const char *name = symbol + 2 + strspn(symbol + 2, "0123456789");

    return strncmp(symbol, "_Z", 2) == 0 && strncmp(name, "atomic", 6) == 0;
}

static int may_call(const char *symbol, int counted)
{
    int n = sizeof called_prefixes / sizeof *called_prefixes;
    const char *per_thread = strstr(symbol, "_pt");   // cudaMemsetAsync_ptsz, cudaMemset_ptds

    if (per_thread && strncmp(symbol, "cuda", 4) == 0)
        symbol = text_of("%.*s", (int)(per_thread - symbol), symbol);
    for (int i = 0; i < n; i++)
        if (strncmp(symbol, called_prefixes[i], strlen(called_prefixes[i])) == 0)
            return 1;
    return has_word(called, symbol) || is_atomic(symbol) ||
           (!counted && has_word(of_memory, symbol));
}

// A function or variable of the submission's own. A function of the standard library or of the CPU
// device, such as operator new, would replace that of the program; templates from headers are weak
// symbols ('V', 'W', 'u'), and do not.
static int may_define(char type, const char *symbol, const char *entry)
{
    static const char *const of_others[] = { "_Znw",  "_Zna",   "_Zdl",    "_Zda",         "_ZSt",
                                             "_ZNSt", "_ZNKSt", "_ZN3emu", "_ZN9__gnu_cxx" };

    if (strcmp(symbol, entry) == 0 || strncmp(symbol, "DW.ref.", 7) == 0 || strchr("BDGRS", type) ||
        (strchr("VWu", type) && strncmp(symbol, "_Z", 2) == 0 && strncmp(symbol, "_Zn", 3) != 0 &&
         strncmp(symbol, "_Zd", 3) != 0))
        return 1;
    for (size_t i = 0; i < sizeof of_others / sizeof *of_others; i++)
        if (strncmp(symbol, of_others[i], strlen(of_others[i])) == 0)
            return 0;
    return strncmp(symbol, "_Z", 2) == 0;
}

const char *submission_symbols(const char *object, const char *entry, int counted)
{
    FILE *nm = popen(text_of("nm -g '%s'", object), "r");
    const char *wrong = NULL;
    char line[4096];

    if (!nm)
        fail("nm cannot be started");
    while (fgets(line, sizeof line, nm)) {
        char type = 0, *symbol, address[32];

        line[strcspn(line, "\n")] = '\0';
        symbol = strrchr(line, ' ');
        if (!symbol++ || (sscanf(line, " %c ", &type) == 1 && !strchr("Uwv", type) &&
                          sscanf(line, "%31s %c ", address, &type) != 2))
            continue;
        if (wrong ||
            (strchr("Uwv", type) ? may_call(symbol, counted) : may_define(type, symbol, entry)))
            continue;
        wrong = text_of(strchr("Uwv", type) ? "a call of '%s'" : "a definition of '%s'",
                        text_head(symbol, 80));
    }
    if (pclose(nm) != 0)
        fail("nm cannot read %s: apt-get install binutils", object);
    return wrong;
}
