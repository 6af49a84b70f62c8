// A week's file `messages`: lines "WORD: text". plots/README.md describes them.
#ifndef MESSAGES_H
#define MESSAGES_H

// The text of FOLDER/messages, or "" if there is no such file.
char *messages_of(const char *folder);

// What follows "WORD: " in the next such line of *text; NULL if there is none. Moves *text past
// that line, and modifies the text.
char *next_message(char **text, const char *word);

// The stages of the line "WORD: stage1 stage4 ..." in FOLDER/messages, or "" if there is no such
// line. Ends the program if the folder has no file of one of them.
const char *message_stages(const char *folder, const char *word);

// Whether "stage1 stage4 ..." has this stage.
int has_stage(const char *stages, const char *stage);

#endif
