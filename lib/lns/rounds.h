/* Rounds: once a descent has stalled, it goes on in rounds. A round begins with a kick of all agents or of those of a
 * region, or with nothing. Which kind comes next is learned from what rounds of a kind gained for their searches, so a
 * run limited by iterations is repeatable. For tools. */
#ifndef DL_LNS_ROUNDS_H
#define DL_LNS_ROUNDS_H

#include <stdint.h>

#include "base/rng.h"

/* What a round begins with. */
typedef enum dl_round {
    DL_ROUND_ALL,    /* a kick of all agents */
    DL_ROUND_LARGE,  /* ... of the agents of a region: 40 % of them */
    DL_ROUND_MEDIUM, /* ... 15 % */
    DL_ROUND_SMALL,  /* ... 5 % */
    DL_ROUND_ON,     /* nothing: improvement goes on */
    DL_ROUNDS
} dl_round;

enum { DL_ALL_ROUNDS = (1 << DL_ROUNDS) - 1 };

/* What is known of a kind of round. */
typedef struct dl_round_record {
    uint64_t rounds, searches;
    double value; /* gain for a search, smoothed */
} dl_round_record;

typedef struct dl_rounds {
    dl_round_record known[DL_ROUNDS];
} dl_rounds;

/* The share of the agents that a kick of this kind takes; 0 = there is no kick. */
double dl_round_share(dl_round kind);
/* The kind of the next round, among those of the bits 1 << kind in `kinds`; `searches` is how many all rounds took. */
dl_round dl_rounds_draw(const dl_rounds *rounds, unsigned kinds, uint64_t searches, dl_rng *rng);
/* A round of this kind took so many searches and lowered the cost by `gain`. */
void dl_rounds_learn(dl_rounds *rounds, dl_round kind, int64_t gain, uint64_t searches);

#endif
