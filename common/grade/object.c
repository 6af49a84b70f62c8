// The symbols of an object file, read from its ELF tables.
#include <ctype.h>
#include <elf.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lists.h"
#include "program.h"
#include "source.h"
#include "tool.h"

// --- lines

static int is_word_character(char c) { return isalnum((unsigned char)c) || c == '_'; }

// A word of the source, and its line; line 0: it is not there.
struct word_place {
    const char *word;
    int line;
};

static struct word_place place_of_word(const char *word, size_t n, const char *words)
{
    int line = 1;

    for (const char *at = words; *at; at++) {
        line += *at == '\n';
        if (strncmp(at, word, n) == 0 && !is_word_character(at[n]) &&
            (at == words || !is_word_character(at[-1])))
            return (struct word_place){ text_of("%.*s", (int)n, word), line };
    }
    return (struct word_place){ word, 0 };
}

// The first word of the source that stands in the symbol. A name of C++ contains its words as
// "7example", with their lengths.
static struct word_place place_of_symbol(const char *symbol, const char *words)
{
    const char *plain = fnmatch("__isoc[0-9][0-9]_*", symbol, 0) == 0 ? symbol + 9 : symbol;
    struct word_place p = place_of_word(plain, strlen(plain), words);

    for (const char *at = symbol; !p.line && *at;) {
        char *word;
        size_t n = isdigit((unsigned char)*at) ? strtoul(at, &word, 10) : 0;

        if (!n || n > strlen(word)) {
            at += n ? strspn(at, "0123456789") : 1;
            continue;
        }
        p = place_of_word(word, n, words);
        at = word + n;
    }
    return p.line ? p : (struct word_place){ text_head(symbol, 60), 0 };
}

// What a submission uses in place of some functions.
static const struct {
    const char *name, *advice;
} advice[] = {
    { "cudaMemcpy*", "such copies are not counted; copy in a kernel" },
    { "cudaMemset2D*", "use cudaMemset" },
    { "cudaMalloc*", "use scratch() or cudaMalloc" },
    { "cudaHost*", "use scratch() or cudaMalloc" },
    { "cudaLaunchHostFunc", "a submission has no callbacks" },
    { "cudaStreamAddCallback", "a submission has no callbacks" },
    { "cublas*", "write the kernel" },
    { "qsort", "use std::sort" },
    { "*random_device*", "use a fixed seed" },
    { "_ZNSt6thread*", "a submission has one thread" },
    { "pthread_*", "a submission has one thread" },
    { "*vsnprintf*", "use snprintf" },
    { "*scanf", "there is no input" },
    { "fopen*", "there are no files" },
    { "getenv", "there is no environment" },
    { "_exit", "use exit" },
};

static const char *advice_for(const char *symbol)
{
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
        if (fnmatch(advice[i].name, symbol, 0) == 0)
            return advice[i].advice;
    return "allowed are the lists 'symbols' and 'guarded' of common/grade/allowed";
}

// --- the table of symbols

struct object {
    char *bytes;
    size_t n;
};

static struct object read_object(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct object o = { 0 };
    size_t got;
    char piece[65536];

    while (file && (got = fread(piece, 1, sizeof piece, file)) > 0) {
        o.bytes = realloc(o.bytes, o.n + got + 1);
        if (!o.bytes)
            fail("%s: out of memory", path);
        memcpy(o.bytes + o.n, piece, got);
        o.n += got;
    }
    if (!file || fclose(file) != 0 || !o.n)
        fail("%s: cannot be read", path);
    o.bytes[o.n] = '\0';
    return o;
}

// `size` bytes at `offset`, or NULL if the file is shorter.
static const void *part(const struct object *o, size_t offset, size_t size)
{
    return offset <= o->n && size <= o->n - offset ? o->bytes + offset : NULL;
}

// A function of C++ that is not the library's: probably one that the submission declares.
static int is_own_name(const char *symbol)
{
    static const char *const library[] = { "_ZSt*", "_ZNSt*", "_ZNKSt*", "_ZNS[a-z]*",
                                           "_ZNKS[a-z]*" };

    for (size_t i = 0; i < sizeof library / sizeof *library; i++)
        if (fnmatch(library[i], symbol, 0) == 0)
            return 0;
    return strncmp(symbol, "_Z", 2) == 0;
}

// `words`: those of the source.
static const char *wrong_symbol(const Elf64_Sym *s, const char *name, const char *list,
                                const char *words)
{
    int undefined = s->st_shndx == SHN_UNDEF, is_main = strcmp(name, "main") == 0;
    int known = is_listed(list, name) || is_listed("guarded", name) || is_listed("compiler", name);
    int is_indirect = ELF64_ST_TYPE(s->st_info) == STT_GNU_IFUNC;
    struct word_place p;
    const char *at;

    if (!is_indirect &&
        (!name[0] || ELF64_ST_BIND(s->st_info) == STB_LOCAL || (undefined && known)))
        return NULL;
    p = place_of_symbol(name, words);
    at = p.line ? text_of("line %d: ", p.line) : "";
    if (is_indirect)
        return text_of("%san indirect function, '%s'", at, p.word);
    if (undefined && is_own_name(name) && p.line)
        return text_of("line %d: undefined reference to '%s': the file does not define it, or with "
                       "other parameters",
                       p.line, p.word);
    if (undefined)
        return text_of("%s'%s': %s", at, p.word, advice_for(name));
    if ((known || strncmp(name, "emu", 3) == 0 || is_main) && !is_listed("compiler", name) &&
        ELF64_ST_BIND(s->st_info) != STB_WEAK)
        return text_of("%sa definition of '%s'%s", at, p.word,
                       is_main ? ": remove it, or put it between #ifdef and #endif"
                               : ", which the course or a library has; choose another name");
    return NULL;
}

const char *submission_symbols(const char *path, const char *list, const char *source)
{
    struct object o = read_object(path);
    const Elf64_Ehdr *header = part(&o, 0, sizeof *header);
    const Elf64_Shdr *sections =
        header ? part(&o, header->e_shoff, header->e_shnum * sizeof *sections) : NULL;
    const char *wrong = NULL, *first = NULL, *words = source_words(source);
    int found = 0;

    for (int i = 0; sections && i < header->e_shnum; i++) {
        const Elf64_Shdr *s = &sections[i],
                         *names = s->sh_link < header->e_shnum ? &sections[s->sh_link] : s;
        const Elf64_Sym *symbol = part(&o, s->sh_offset, s->sh_size);
        const char *text = part(&o, names->sh_offset, names->sh_size);

        if (s->sh_type != SHT_SYMTAB || !symbol || !text)
            continue;
        found = 1;
        for (size_t k = 0; k < s->sh_size / sizeof *symbol; k++) {
            if (symbol[k].st_name >= names->sh_size)
                continue;
            wrong = wrong_symbol(&symbol[k], text + symbol[k].st_name, list, words);
            // one that names its line is better
            if (wrong && strncmp(wrong, "line ", 5) == 0)
                break;
            first = first ? first : wrong;
        }
    }
    if (!found)
        fail("%s: not an object file", path);
    free(o.bytes);
    return wrong && strncmp(wrong, "line ", 5) == 0 ? wrong : first;
}
