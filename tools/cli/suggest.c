#include "cli/suggest.h"

#include <string.h>

enum { LONGEST = 32, MOST_MISTAKES = 2 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Letters to leave out, add, change or exchange with their neighbor to get from one word to the other. */
static int mistakes(const char *a, const char *b)
{
    int rows = (int)strlen(a), columns = (int)strlen(b), cost[LONGEST + 1][LONGEST + 1];
    if (rows > LONGEST || columns > LONGEST) return LONGEST;
    for (int i = 0; i <= rows; i++)
        for (int k = 0; k <= columns; k++) {
            if (i == 0 || k == 0) {
                cost[i][k] = i + k;
                continue;
            }
            int least = smaller(cost[i - 1][k], cost[i][k - 1]) + 1;
            least = smaller(least, cost[i - 1][k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                least = smaller(least, cost[i - 2][k - 2] + 1);
            cost[i][k] = least;
        }
    return cost[rows][columns];
}

const char *suggest(const char *word, const char *const *list, int count)
{
    const char *nearest = NULL;
    int least = MOST_MISTAKES + 1;
    for (int i = 0; i < count; i++) {
        int found = mistakes(word, list[i]);
        /* Two mistakes in a short word leave nothing of it. */
        if (found < least && 2 * found < (int)strlen(list[i])) {
            least = found;
            nearest = list[i];
        }
    }
    return nearest;
}
