/* What somebody may have meant who mistyped a word. */
#ifndef DL_CLI_SUGGEST_H
#define DL_CLI_SUGGEST_H

/* The word of the list that is nearest to `word`, or NULL if none is near. */
const char *suggest(const char *word, const char *const *list, int count);

#endif
