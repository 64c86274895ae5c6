/* Distance fields with costs of edges: Dial's algorithm, Dijkstra's with a ring of buckets instead of a heap, as all
 * steps cost less than the ring is long. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapf/field.h"

/* Longer than the most a step costs; a power of two. */
enum { RING = 512 };
_Static_assert(RING > DL_STEP_UNITS + DL_COST_MOST, "a step must not lead once round the ring");

enum { POLL_CELLS = 1 << 15, GUARD = 1, NOBODY = -1 };

/* Lists of cells by cost: a cell is in the list of the least cost known for it, and in no other. */
typedef struct ring {
    dl_cell head[RING];
    dl_cell *next, *before; /* [cells] */
} ring;

static void enlist(ring *r, dl_cell cell, uint32_t cost)
{
    dl_cell *head = &r->head[cost % RING];
    r->next[cell] = *head;
    r->before[cell] = NOBODY;
    if (*head != NOBODY) r->before[*head] = cell;
    *head = cell;
}

static void strike(ring *r, dl_cell cell, uint32_t cost)
{
    if (r->next[cell] != NOBODY) r->before[r->next[cell]] = r->before[cell];
    if (r->before[cell] != NOBODY)
        r->next[r->before[cell]] = r->next[cell];
    else
        r->head[cost % RING] = r->next[cell];
}

/* The steps into `cell`: each may be the first of a cheaper way from its other end. Returns how many cells came new. */
static int relax(ring *r, const dl_grid *grid, const dl_edge_costs *costs, uint32_t *row, dl_cell cell)
{
    int fresh = 0;
    for (int d = 0; d < DL_DIRECTIONS; d++) {
        dl_cell near = grid->neighbor[cell][d];
        if (near == DL_NO_CELL) continue;
        int extra = costs->extra[near][d ^ 1];
        if (extra == DL_COST_NEVER) continue;
        uint32_t cost = row[cell] + DL_STEP_UNITS + (uint32_t)extra, known = row[near];
        if (cost >= known) continue;
        if (known == DL_UNREACHABLE)
            fresh++;
        else
            strike(r, near, known);
        row[near] = cost;
        enlist(r, near, cost);
    }
    return fresh;
}

/* False when time is out. */
static bool measure(ring *r, const dl_grid *grid, const dl_edge_costs *costs, dl_cell goal, uint32_t *row,
                    const dl_deadline *deadline)
{
    for (dl_cell cell = 0; cell < grid->cells; cell++) row[cell] = DL_UNREACHABLE;
    for (int i = 0; i < RING; i++) r->head[i] = NOBODY;
    row[goal] = 0;
    enlist(r, goal, 0);
    int waiting = 1, settled = 0;
    for (uint32_t cost = 0; waiting > 0; cost++)
        for (dl_cell cell; (cell = r->head[cost % RING]) != NOBODY;) {
            assert(row[cell] == cost);
            strike(r, cell, cost);
            waiting += relax(r, grid, costs, row, cell) - 1;
            if (++settled % POLL_CELLS == 0 && dl_is_late(deadline)) return false;
        }
    return true;
}

/* Takes over `wide`, [GUARD + cells] with the guard in front; makes the field narrow where that holds all. */
static bool store(dl_field *field, const dl_grid *grid, uint32_t *wide)
{
    uint32_t most = 0;
    for (dl_cell cell = 0; cell < grid->cells; cell++)
        if (wide[GUARD + cell] != DL_UNREACHABLE && wide[GUARD + cell] > most) most = wide[GUARD + cell];
    if (most >= UINT16_MAX) {
        dl_field_free(field);
        field->wide = wide + GUARD;
        wide[0] = 0;
        return true;
    }
    if (field->wide) dl_field_free(field);
    if (!field->narrow) {
        uint16_t *block = dl_malloc(sizeof *block * ((size_t)grid->cells + GUARD));
        if (block) field->narrow = block + GUARD;
    }
    for (dl_cell cell = 0; cell < grid->cells && field->narrow; cell++)
        field->narrow[cell] = wide[GUARD + cell] == DL_UNREACHABLE ? UINT16_MAX : (uint16_t)wide[GUARD + cell];
    if (field->narrow) field->narrow[DL_NO_CELL] = 0;
    free(wide);
    return field->narrow != NULL;
}

bool dl_field_fill_with_costs(dl_field *field, const dl_grid *grid, const dl_edge_costs *costs, dl_cell goal,
                              const dl_deadline *deadline)
{
    size_t cells = (size_t)grid->cells;
    ring r = {.next = dl_malloc(sizeof *r.next * cells), .before = dl_malloc(sizeof *r.before * cells)};
    uint32_t *wide = dl_malloc(sizeof *wide * (cells + GUARD));
    bool done = r.next && r.before && wide && measure(&r, grid, costs, goal, wide + GUARD, deadline);
    free(r.next);
    free(r.before);
    if (done) return store(field, grid, wide);
    free(wide);
    return false;
}
