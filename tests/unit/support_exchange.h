/* What dl_exchange_find says about the agents of a small world, and how that compares with what moves generate. */
#ifndef DL_TESTS_SUPPORT_EXCHANGE_H
#define DL_TESTS_SUPPORT_EXCHANGE_H

#include "complete/exchange.h"
#include "support_worlds.h"

/* What the classes say about agents instead of cells. */
typedef struct prediction {
    int agents, classes;
    uint8_t kind[WORLD_MAX_CELLS];
    int8_t class_of[WORLD_MAX_CELLS];
    int8_t next[WORLD_MAX_CELLS];
    int size[WORLD_MAX_CELLS];
} prediction;

/* `at` says on which cell each agent stands. */
void prediction_make(const world *w, const dl_blocks *blocks, dl_rules rules, int agents, const world_permutation *at,
                     prediction *p);
bool prediction_permits(const prediction *p, const world_permutation *g);
/* Of the same agents on two sets of cells. */
bool prediction_same(const prediction *a, const prediction *b);

typedef enum exchange_verdict {
    EXCHANGE_AGREES,
    EXCHANGE_MORE_IS_POSSIBLE,
    EXCHANGE_LESS_IS_POSSIBLE,
    EXCHANGE_CHANGES_ON_THE_WAY,
} exchange_verdict;

const char *exchange_verdict_text(exchange_verdict verdict);

/* Of all sets of so many occupied cells, by Schreier's lemma; `sets` is raised by their number. */
exchange_verdict exchange_compare_exhaustively(const world *w, const dl_blocks *blocks, dl_rules rules, int agents,
                                               uint64_t *sets);

#endif
