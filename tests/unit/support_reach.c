/* Where one agent can get if the others have no goals. */
#include "base/memory.h"
#include "support_worlds.h"

static uint32_t state_of(const world_reach *r, uint32_t occupied, int at)
{
    return occupied * (uint32_t)r->cells + (uint32_t)at;
}

static uint32_t leader_of(const world_reach *r, uint32_t state)
{
    while (r->leader[state] != state) state = r->leader[state] = r->leader[r->leader[state]];
    return state;
}

static void unite(world_reach *r, uint32_t a, uint32_t b)
{
    r->leader[leader_of(r, a)] = leader_of(r, b);
}

/* With every state that one move or the turn of a full ring leads to. */
static void unite_neighbors(world_reach *r, const world *w, uint32_t occupied, int at)
{
    uint32_t state = state_of(r, occupied, at);
    for (int cell = 0; cell < r->cells; cell++)
        for (int d = 0; d < DL_DIRECTIONS && occupied >> cell & 1; d++) {
            dl_cell to = w->grid->neighbor[cell][d];
            if (to == DL_NO_CELL || occupied >> to & 1) continue;
            unite(r, state, state_of(r, occupied ^ (1u << cell) ^ (1u << to), cell == at ? to : at));
        }
    for (int i = 0; i < w->rings; i++) {
        if ((occupied & w->ring[i].mask) != w->ring[i].mask) continue;
        for (int k = 0; k < w->ring[i].length; k++)
            if (w->ring[i].cell[k] == at)
                unite(r, state, state_of(r, occupied, w->ring[i].cell[(k + 1) % w->ring[i].length]));
    }
}

void world_reach_find(const world *w, world_reach *r)
{
    *r = (world_reach){.cells = w->grid->cells};
    uint32_t sets = 1u << r->cells, states = sets * (uint32_t)r->cells;
    r->leader = DL_ARRAY(uint32_t, states);
    r->cells_of = DL_ARRAY(uint32_t, states);
    assert_true(r->leader && r->cells_of);
    for (uint32_t state = 0; state < states; state++) r->leader[state] = state;
    for (uint32_t occupied = 1; occupied < sets; occupied++)
        for (int at = 0; at < r->cells; at++)
            if (occupied >> at & 1) unite_neighbors(r, w, occupied, at);
    for (uint32_t occupied = 1; occupied < sets; occupied++)
        for (int at = 0; at < r->cells; at++)
            if (occupied >> at & 1) r->cells_of[leader_of(r, state_of(r, occupied, at))] |= 1u << at;
}

void world_reach_free(world_reach *r)
{
    free(r->leader);
    free(r->cells_of);
}

uint32_t world_reach_from(const world_reach *r, uint32_t occupied, int at)
{
    return r->cells_of[leader_of(r, state_of(r, occupied, at))];
}
