/* PIBT with the swap rule: priority inheritance with backtracking, one legal step for all agents at once. Agents choose
 * in the order of their priorities; one that stands in the way inherits the priority and moves first. */
#ifndef DL_LACAM_PIBT_H
#define DL_LACAM_PIBT_H

#include "base/deadline.h"
#include "base/memory.h"
#include "base/rng.h"
#include "mapf/distance.h"

enum { DL_NO_AGENT = 0xFFFF };

/* What an agent would like to do, best first: four bits an action, the first choice lowest. */
typedef uint32_t dl_action_order;

enum { DL_PERMUTATIONS = 24 };

/* What PIBT knows about an instance: immutable, shared by all generators. */
typedef struct dl_pibt_tables {
    const dl_instance *instance;
    uint8_t *guide;                         /* [agents][cells] directions that come closer to the goal */
    dl_cell (*step)[DL_ACTIONS];            /* [cells] where an action leads, DL_NO_CELL where blocked */
    uint8_t *exits;                         /* [cells] directions with a free neighbor */
    uint8_t *dead_ends;                     /* [cells] directions whose neighbor has no other exit */
    uint8_t *degree;                        /* [cells] number of exits */
    int32_t *start_distance;                /* [agents] from start to goal */
    void *memory;                           /* of these arrays */
    uint16_t shuffled[16][DL_PERMUTATIONS]; /* the orders of the actions in a set of directions, four bits each */
} dl_pibt_tables;

/* NULL if the deadline passed (large maps take their time) or memory is out. */
DL_MUST_CHECK dl_pibt_tables *dl_pibt_tables_create(const dl_instance *instance, dl_distance *distance,
                                                    const dl_deadline *deadline);
void dl_pibt_tables_free(dl_pibt_tables *tables);
/* Bytes they will take. */
size_t dl_pibt_tables_bytes(const dl_instance *instance);

static inline uint8_t dl_pibt_guide(const dl_pibt_tables *tables, int agent, dl_cell cell)
{
    return tables->guide[(size_t)agent * (size_t)tables->instance->grid->cells + (size_t)cell];
}

/* One generator per thread. */
typedef struct dl_pibt {
    const dl_pibt_tables *tables;
    bool swap; /* the swap rule: two agents head-on in a corridor back off to the next junction */
    /* [agents] orders of all five actions that replace the order by distance in the next step, or NULL; blocked moves
     * are skipped, an entry of 0 leaves that agent to its distances. */
    const dl_action_order *preference;
    dl_rng rng;
    const dl_deadline *deadline; /* of the step at hand; NULL = none */
    bool late;                   /* seen to have passed */
    size_t walked;               /* steps along corridors, ever */
    int depth;                   /* agents that wait for each other right now */
    const dl_cell *at;           /* the configuration of the current call */
    dl_cell *to;                 /* the successor in the making, DL_NO_CELL = undecided */
    uint16_t *now, *next;        /* [cells] who stands there, who has taken it for the next step */
} dl_pibt;

/* False when memory is out; release it all the same. */
DL_MUST_CHECK bool dl_pibt_init(dl_pibt *pibt, const dl_pibt_tables *tables, bool swap, dl_rng rng);
void dl_pibt_release(dl_pibt *pibt);

/* "These agents go to these cells." */
typedef struct dl_constraints {
    int count;
    uint16_t *agent;
    dl_cell *cell;
} dl_constraints;

/* From `at` to a legal successor `to` [agents] that keeps `constraints` (may be NULL); agents choose in `order`. False
 * if that did not work out, which only constraints can cause (and queues of more than 16,000 agents, and a deadline).
 */
bool dl_pibt_step(dl_pibt *pibt, const dl_cell *at, const uint16_t *order, const dl_constraints *constraints,
                  dl_cell *to);

#endif
