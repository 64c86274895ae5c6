/* That a prediction of dl_exchange_find is exact for one set of occupied cells, shown by a few closed sequences of
 * moves.
 *
 * Closed sequences that are known to be possible generate a group. It is too large if one of them does what the
 * prediction forbids. It is large enough if it holds, for every class,
 *   all permutations:  a transposition, and transpositions that the group conjugates it to join the whole class;
 *   even ones:         the same with cycles of three;
 *   turns:             turns by amounts that have no factor in common with each other and the number of agents,
 * each of which leaves everything else in its place. Such elements are powers of elements of which only one cycle has
 * the right length: no order of a group has to be worked out. Sequences are drawn until that is so; whichever were
 * drawn, a certificate is one. */
#ifndef DL_TESTS_EXCHANGE_CERTIFICATE_H
#define DL_TESTS_EXCHANGE_CERTIFICATE_H

#include "support_exchange.h"
#include "walker.h"

typedef struct certificate_tally {
    uint64_t groups;     /* (occupied set, rules) certified or refuted */
    uint64_t sets;       /* occupied sets compared */
    uint64_t loops;      /* closed sequences drawn */
    uint64_t exhaustive; /* groups that Schreier's lemma had to decide */
} certificate_tally;

/* For the agents on `occupied`, and for some other sets of cells that they pass on their way. */
exchange_verdict certificate_find(walker *k, const dl_blocks *blocks, dl_rules rules, uint32_t occupied, dl_rng *rng,
                                  certificate_tally *tally);

#endif
