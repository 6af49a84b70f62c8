// The code that slides show: an excerpt of a stage, with the lines marked that it changes.
#ifndef SLIDE_CODE_H
#define SLIDE_CODE_H

// The most lines of code on a slide, and the most characters of a line.
enum { SLIDE_LINES = 15, SLIDE_COLUMNS = 76 };

// A block of code in Markdown. With `before`, the file of the stage that this one changes, new
// lines are marked by "+" and, if `signs` has it, old ones by "-"; "": no marks. It has the first
// line that contains the text `from` and those after it, `lines` in all; NULL chooses SLIDE_LINES
// with the most changes. Comments of whole lines are omitted. Returns NULL if no line contains
// `from`.
char *slide_code(const char *before, const char *after, const char *signs, const char *from,
                 int lines);

#endif
