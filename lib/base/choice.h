/* Choices: one word out of a list written "a|b|c", stored as its index. For tools. */
#ifndef DL_BASE_CHOICE_H
#define DL_BASE_CHOICE_H

#include <assert.h>
#include <stdbool.h>
#include <string.h>

/* The word at `index`, or NULL after the last; it ends at '|' or the end of the list, *length characters long. */
static inline const char *dl_choice_word(const char *list, int index, int *length)
{
    assert(index >= 0);
    for (; index > 0 && list; index--) {
        list = strchr(list, '|');
        if (list) list++;
    }
    *length = list ? (int)strcspn(list, "|") : 0;
    return list;
}

/* The index of `word`, or -1. */
static inline int dl_choice_index(const char *list, const char *word)
{
    int length;
    const char *choice;
    for (int index = 0; (choice = dl_choice_word(list, index, &length)); index++)
        if (strlen(word) == (size_t)length && memcmp(choice, word, (size_t)length) == 0) return index;
    return -1;
}

static inline int dl_choice_count(const char *list)
{
    int count = 1;
    for (; *list; list++) count += *list == '|';
    return count;
}

#endif
