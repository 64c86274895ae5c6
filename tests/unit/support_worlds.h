/* Exhaustive oracles for small maps: what can be reached by moves, worked out without any theory. */
#ifndef DL_TESTS_SUPPORT_WORLDS_H
#define DL_TESTS_SUPPORT_WORLDS_H

#include "complete/rules.h"
#include "support.h"

enum { WORLD_MAX_CELLS = 20, WORLD_MAX_SQUARES = 64, WORLD_MAX_RINGS = 2048 };

/* A map with all its simple rings. */
typedef struct world {
    dl_grid *grid;
    int rings;
    struct {
        int length;
        uint8_t cell[WORLD_MAX_CELLS];
        uint32_t mask;
    } ring[WORLD_MAX_RINGS];
} world;

/* The height x width map whose cell i is free if bit i of `free_cells` is set. */
void world_create(world *w, int height, int width, uint64_t free_cells);
void world_free(world *w);

typedef struct world_permutation {
    uint8_t to[WORLD_MAX_CELLS];
} world_permutation;

/* The permutations of agents that closed sequences of moves achieve, from one BFS over sets of occupied cells
 * (Schreier's lemma): `arrangement[s]` says which agent stands where when the set s is first reached, and every move
 * that closes a circle yields a generator. Complete for connected maps. */
typedef struct world_group {
    int agents, sets, generators, generator_room;
    uint32_t *set;                  /* [sets] */
    world_permutation *arrangement; /* [sets]: agent -> cell */
    world_permutation *generator;   /* permutations of agents */
} world_group;

void world_group_find(const world *w, int agents, dl_rules rules, world_group *group);
void world_group_free(world_group *group);
/* True if the generated group has at least `order` elements. */
bool world_group_reaches(const world_group *group, uint64_t order);

/* Joint-state BFS by synchronous steps (or single moves under pebble rules): the length of a shortest plan from the
 * starts to the goals in steps (moves), -1 if there is none. For a handful of cells. */
int world_shortest_plan(const dl_instance *instance, dl_rules rules);

/* Where one agent can get if the others go wherever that helps (MAPF rules). A state is the set of occupied cells and
 * the agent's cell; moves can be undone, so that states fall into classes. */
typedef struct world_reach {
    int cells;
    uint32_t *leader;   /* [states] union-find */
    uint32_t *cells_of; /* [states], by leader: a bit for each cell that the agent gets to */
} world_reach;

void world_reach_find(const world *w, world_reach *reach);
void world_reach_free(world_reach *reach);
/* A bit for each cell. */
uint32_t world_reach_from(const world_reach *reach, uint32_t occupied, int at);

#endif
