// The symbols of an object file, read from its ELF tables.
#include <ctype.h>
#include <elf.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../emu/pass/lex.h"
#include "lists.h"
#include "program.h"
#include "source.h"
#include "text.h"

// --- lines

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
        if (strncmp(at, word, n) == 0 && !lex_in_word(at[n]) &&
            (at == words || !lex_in_word(at[-1])))
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
static const void *bytes_at(const struct object *o, size_t offset, size_t size)
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
    int known = is_listed(list, name) || is_listed("symbols", name) || is_listed("guarded", name) ||
                is_listed("counted", name) || is_listed("compiler", name);
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

// --- the code

static const Elf64_Shdr *sections_of(const struct object *o, const Elf64_Ehdr **header)
{
    *header = bytes_at(o, 0, sizeof **header);
    return *header ? bytes_at(o, (*header)->e_shoff, (*header)->e_shnum * sizeof(Elf64_Shdr))
                   : NULL;
}

// Whether a function begins at this place of a section.
static int is_function(const struct object *o, int section, size_t offset)
{
    const Elf64_Ehdr *header;
    const Elf64_Shdr *sections = sections_of(o, &header);

    for (int i = 0; i < header->e_shnum; i++) {
        const Elf64_Sym *symbol = bytes_at(o, sections[i].sh_offset, sections[i].sh_size);

        for (size_t k = 0; sections[i].sh_type == SHT_SYMTAB && symbol &&
                           k < sections[i].sh_size / sizeof *symbol;
             k++)
            if (symbol[k].st_shndx == section && symbol[k].st_value == offset &&
                ELF64_ST_TYPE(symbol[k].st_info) == STT_FUNC)
                return 1;
    }
    return 0;
}

// Whether the code contains, elsewhere than at the beginning of a function, the instruction to
// which guard.cpp lets indirect calls go: as a part of a constant.
static int has_odd_mark(const struct object *o)
{
    static const char mark[4] = "\xf3\x0f\x1e\xfa";
    const Elf64_Ehdr *header;
    const Elf64_Shdr *sections = sections_of(o, &header);

    for (int i = 0; sections && header->e_machine == EM_X86_64 && i < header->e_shnum; i++) {
        size_t n = sections[i].sh_size;
        const char *code =
            sections[i].sh_flags & SHF_EXECINSTR ? bytes_at(o, sections[i].sh_offset, n) : NULL;

        for (size_t at = 0; code && at + sizeof mark <= n; at++)
            if (memcmp(code + at, mark, sizeof mark) == 0 && !is_function(o, i, at))
                return 1;
    }
    return 0;
}

// The name of a function of the lists that the code uses in another way than by a call: as data,
// the accesses to which would not be counted. NULL: there is none.
static const char *used_as_data(const struct object *o, const char *list)
{
    const Elf64_Ehdr *header;
    const Elf64_Shdr *sections = sections_of(o, &header);

    for (int i = 0; sections && header->e_machine == EM_X86_64 && i < header->e_shnum; i++) {
        const Elf64_Shdr *s = &sections[i];
        const Elf64_Rela *r = bytes_at(o, s->sh_offset, s->sh_size);
        const Elf64_Shdr *table = s->sh_link < header->e_shnum ? &sections[s->sh_link] : NULL;
        const Elf64_Sym *symbols = table ? bytes_at(o, table->sh_offset, table->sh_size) : NULL;
        const Elf64_Shdr *names =
            table && table->sh_link < header->e_shnum ? &sections[table->sh_link] : NULL;
        const char *text = names ? bytes_at(o, names->sh_offset, names->sh_size) : NULL;

        for (size_t k = 0;
             s->sh_type == SHT_RELA && r && symbols && text && k < s->sh_size / sizeof *r; k++) {
            size_t at = ELF64_R_SYM(r[k].r_info);
            const Elf64_Sym *symbol = at < table->sh_size / sizeof *symbols ? &symbols[at] : NULL;

            if (symbol && symbol->st_shndx == SHN_UNDEF && symbol->st_name < names->sh_size &&
                (ELF64_R_TYPE(r[k].r_info) != R_X86_64_PLT32 || r[k].r_addend != -4) &&
                (is_listed(list, text + symbol->st_name) ||
                 is_listed("guarded", text + symbol->st_name)))
                return text + symbol->st_name;
        }
    }
    return NULL;
}

const char *submission_symbols(const char *path, const char *list, const char *source)
{
    struct object o = read_object(path);
    const Elf64_Ehdr *header = bytes_at(&o, 0, sizeof *header);
    const Elf64_Shdr *sections =
        header ? bytes_at(&o, header->e_shoff, header->e_shnum * sizeof *sections) : NULL;
    const char *wrong = NULL, *first = NULL, *words = source_words(source);
    int found = 0;

    for (int i = 0; sections && i < header->e_shnum; i++) {
        const Elf64_Shdr *s = &sections[i],
                         *names = s->sh_link < header->e_shnum ? &sections[s->sh_link] : s;
        const Elf64_Sym *symbol = bytes_at(&o, s->sh_offset, s->sh_size);
        const char *text = bytes_at(&o, names->sh_offset, names->sh_size);

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
    if (!first && strcmp(list, "gpu") != 0) {
        const char *name = used_as_data(&o, list);

        if (name)
            first = text_of("'%s' in another way than by a call", text_head(name, 80));
        else if (has_odd_mark(&o))
            first = "a constant that contains 0xfa1e0ff3, which marks the beginning of functions";
    }
    free(o.bytes);
    return wrong && strncmp(wrong, "line ", 5) == 0 ? wrong : first;
}
