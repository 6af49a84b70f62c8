// Texts of strangers, made safe for terminals, tables and spreadsheets: names of files and folders,
// and messages that quote source text.
#ifndef VISIBLE_H
#define VISIBLE_H

// The text, with each character escaped that a terminal executes or does not show: control
// characters as \x1b or \u009b, bidirectional controls and invisible characters as \u202e or
// \U000e0041, bytes that are not UTF-8 as \xff. Kept until the program ends.
char *visible_text(const char *text);

// The same for a name: a backslash becomes \\, so that different names stay different.
char *visible_name(const char *name);

// A text or a name as a field of a table: ' precedes a character at the start that makes it a
// formula of a spreadsheet. field_of_name() also puts ' before a ', so that names stay different.
char *field_of_text(const char *text);
char *field_of_name(const char *name);

// A name as the name of a file on any system: all but letters, digits, blanks, the characters
// ._-@+,()' within it, and UTF-8 characters that are shown, is written as %2f. Different names stay
// different; one that is too long ends with its hash.
char *file_name_of(const char *name);

#endif
