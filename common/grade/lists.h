// The lists of what a submission may name, in the file `allowed` of this folder.
#ifndef LISTS_H
#define LISTS_H

// Whether a word is in the list of that name. An entry may have * for any characters.
int is_listed(const char *list, const char *word);

// All words of a list, separated by blanks.
const char *listed(const char *list);

#endif
