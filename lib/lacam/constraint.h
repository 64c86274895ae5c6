/* LaCAM's low level: the tree of partial assignments "agent a goes to cell c" below a configuration, breadth first,
 * enumerated from two numbers instead of a queue. Level k assigns the first k agents of the order in all ways; the
 * assignments of a level are the numbers of a mixed-radix system whose last digit is the deepest agent. */
#ifndef DL_LACAM_CONSTRAINT_H
#define DL_LACAM_CONSTRAINT_H

#include "lacam/pibt.h"

typedef struct dl_constraint_cursor {
    uint64_t index; /* of the next assignment in its level */
    uint32_t level;
} dl_constraint_cursor;

typedef enum dl_constraint_outcome {
    DL_CONSTRAINT_READY,
    DL_CONSTRAINT_REJECTED, /* this one collides in itself; ask again */
    DL_CONSTRAINT_EXHAUSTED /* there are no more */
} dl_constraint_outcome;

/* Writes the next assignment below configuration `at` to `out` (room for all agents). `seed` shuffles the cells of
 * each agent, anew for each prefix; it must be the same for every call on one configuration. */
dl_constraint_outcome dl_constraint_next(const dl_pibt_tables *tables, const dl_cell *at, const uint16_t *order,
                                         uint64_t seed, dl_constraint_cursor *cursor, dl_constraints *out);

#endif
