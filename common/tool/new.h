// What `make new` and `make new-exercise` have in common. They end the program with the command's
// name if an argument is not usable.
#ifndef NEW_H
#define NEW_H

// NAME can be a part of a file's name: letters, digits and _.
void must_be_new_name(const char *command, const char *name);

// The file of the stage that the user gave as FROM: "3" or "stage3".
const char *stage_to_copy(const char *command, const char *from);

// "my_stage" is "my stage".
const char *name_with_blanks(const char *name);

#endif
