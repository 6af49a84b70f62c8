// A week's file `messages`: lines "WORD: text". plots/README.md describes them.
#ifndef MESSAGES_H
#define MESSAGES_H

struct lines;

// What follows "WORD: " in the next such line; NULL if there is none.
char *next_message(struct lines *, const char *word);

// What follows "WORD: " in the first such line of FOLDER/messages; NULL if there is none.
char *message(const char *folder, const char *word);

// The stages of the line "WORD: stage1 stage4 ..." in FOLDER/messages, or "" if there is no such
// line. Ends the program if the folder has no file of one of them.
const char *message_stages(const char *folder, const char *word);

#endif
