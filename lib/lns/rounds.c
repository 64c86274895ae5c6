#include "lns/rounds.h"

#include <assert.h>
#include <stdbool.h>

static const double KICK_SHARE[DL_ROUNDS] = {
    [DL_ROUND_ALL] = 1, [DL_ROUND_LARGE] = 0.4, [DL_ROUND_MEDIUM] = 0.15, [DL_ROUND_SMALL] = 0.05};
/* How fast what is known of a kind follows its last rounds, and the share of all searches that every kind gets, because
 * what helps changes as plans get better. */
static const double REACTION = 0.3, CURIOSITY = 0.03;

double dl_round_share(dl_round kind)
{
    return KICK_SHARE[kind];
}

/* Searches go to kinds by the square of what they gain for one, so that the best get most: a kind is drawn the less
 * often the longer its rounds are. */
static double weight_of(const dl_round_record *known)
{
    if (known->value <= 0) return 0;
    return known->value * known->value * (double)known->rounds / (double)known->searches;
}

dl_round dl_rounds_draw(const dl_rounds *rounds, unsigned kinds, uint64_t searches, dl_rng *rng)
{
    double sum = 0;
    for (int kind = 0; kind < DL_ROUNDS; kind++) {
        if (!(kinds >> kind & 1)) continue;
        const dl_round_record *known = &rounds->known[kind];
        bool is_neglected = (double)known->searches < CURIOSITY * (double)searches;
        if (known->rounds == 0 || is_neglected) return (dl_round)kind;
        sum += weight_of(known);
    }
    double draw = dl_rng_unit(rng) * sum;
    dl_round last = DL_ROUND_ON; /* if nothing gains anything any more */
    for (int kind = 0; kind < DL_ROUNDS && sum > 0; kind++) {
        double weight = weight_of(&rounds->known[kind]);
        if (!(kinds >> kind & 1) || weight <= 0) continue;
        last = (dl_round)kind;
        if (draw < weight) break;
        draw -= weight;
    }
    return last;
}

void dl_rounds_learn(dl_rounds *rounds, dl_round kind, int64_t gain, uint64_t searches)
{
    assert(gain >= 0 && kind < DL_ROUNDS);
    dl_round_record *known = &rounds->known[kind];
    double value = (double)gain / (double)(searches + 1);
    known->value += known->rounds == 0 ? value : REACTION * (value - known->value);
    known->searches += searches + 1;
    known->rounds++;
}
