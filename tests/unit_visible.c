// Names and messages of strangers: what a terminal executes or does not show is escaped, and
// different names stay different. SHA-256.
//
// Links: common/grade/visible.c common/grade/sha256.c
#include "../common/grade/sha256.h"
#include "../common/grade/visible.h"

#include <stdlib.h>

#include "tap.h"

static void names(void)
{
    same_text(visible_name("ada.cu"), "ada.cu", "a plain name is as it was");
    same_text(visible_name("Zo\xC3\xAB \xE7\x8E\x8B \xF0\x9F\x98\x80.cu"),
              "Zo\xC3\xAB \xE7\x8E\x8B \xF0\x9F\x98\x80.cu",
              "letters and signs of UTF-8 are as they were");
    same_text(visible_name("a\ab\rc\x1b[2Jd\x7f"), "a\\x07b\\x0dc\\x1b[2Jd\\x7f", "C0 and DEL");
    same_text(visible_name("a\xC2\x9B"
                           "31m"),
              "a\\u009b31m", "C1 controls");
    same_text(visible_name("a\xE2\x80\xAE"
                           "b\xE2\x81\xA6\xE2\x80\x8F\xD8\x9C"),
              "a\\u202eb\\u2066\\u200f\\u061c", "bidirectional controls");
    same_text(visible_name("a\xEF\xBB\xBF\xE2\x80\x8B\xF3\xA0\x81\x81"),
              "a\\ufeff\\u200b\\U000e0041", "characters without width");
    same_text(visible_name("\x9B\xC3(\xC0\xAF\xED\xA0\x80\xF5\x80\x80\x80\xE2\x80"),
              "\\x9b\\xc3(\\xc0\\xaf\\xed\\xa0\\x80\\xf5\\x80\\x80\\x80\\xe2\\x80",
              "bytes that are not UTF-8: alone, too long, surrogates, too large, cut off");
    same_text(visible_name("a\\x1b"), "a\\\\x1b", "a backslash is doubled in a name");
    same_text(visible_text("a\\x1b\x1b"), "a\\x1b\\x1b", "and not in a text");
}

static void fields(void)
{
    same_text(field_of_name("=cmd|x"), "'=cmd|x", "no formula");
    same_text(field_of_name("+1"), "'+1", "also with +");
    same_text(field_of_name("-1"), "'-1", "also with -");
    same_text(field_of_name("@a"), "'@a", "also with @");
    same_text(field_of_name("'=a"), "''=a", "a name that begins with ' stays different");
    same_text(field_of_name("a=b"), "a=b", "within a name they are plain");
    same_text(field_of_name("\t=a"), "\\x09=a", "a tab before = is visible");
    same_text(field_of_text("'x' is missing"), "'x' is missing", "a text that begins with '");
    same_text(field_of_text("-x"), "'-x", "a text that begins with -");
}

static void files(void)
{
    char *name = malloc(401);

    same_text(file_name_of("Ada Lovelace_12_assignsubmission_file_"),
              "Ada Lovelace_12_assignsubmission_file_", "a folder of Moodle");
    same_text(file_name_of("../a\\b:c\n%"), "%2e.%2fa%5cb%3ac%0a%25",
              "no part of a path, no character that a system reserves");
    same_text(file_name_of("-rf"), "%2drf", "no option");
    same_text(file_name_of("a\xE2\x80\xAE\xFF"), "a%e2%80%ae%ff", "nothing invisible");
    memset(name, 'a', 400);
    name[400] = '\0';
    ok(strlen(file_name_of(name)) < 200, "a long name is shortened");
    name[399] = 'b';
    ok(strncmp(file_name_of(name), name, 140) == 0 && strlen(file_name_of(name)) == 140 + 1 + 16,
       "it ends with its hash");
}

static void hashes(void)
{
    char text[SHA256_TEXT], a[200];

    memset(a, 'a', sizeof a);
    sha256("", 0, text);
    same_text(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
              "of nothing");
    sha256("abc", 3, text);
    same_text(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "of abc");
    sha256(a, 55, text);
    same_text(text, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318",
              "of 55 bytes");
    sha256(a, 56, text);
    same_text(text, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a",
              "of 56 bytes");
    sha256(a, 64, text);
    same_text(text, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb",
              "of a block");
    sha256(a, 200, text);
    same_text(text, "c2a908d98f5df987ade41b5fce213067efbcc21ef2240212a41e54b5e7c28ae5",
              "of 200 bytes");
}

int main(void)
{
    names();
    fields();
    files();
    hashes();
    return failures > 0;
}
