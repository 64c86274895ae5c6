#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "complete/solvability.h"

typedef struct gatherer {
    const dl_grid *grid;
    int32_t *occupant;
    int32_t *rank;  /* [cells]: place in breadth-first order; the cells before any place are connected */
    dl_cell *order; /* the inverse of rank */
    dl_cell *queue, *from;
    uint32_t *stamp, stamps;
    const dl_deadline *deadline;
    size_t turn; /* cells looked at, between two looks at the clock */
    bool late;
} gatherer;

static bool is_late(gatherer *g)
{
    if (!g->late) g->late = dl_is_late_at(g->deadline, g->turn++);
    return g->late;
}

static void rank_cells(gatherer *g)
{
    const dl_grid *grid = g->grid;
    int ranked = 0;
    for (dl_cell root = 0; root < grid->cells && !g->late; root++) {
        if (g->stamp[root]) continue;
        int head = ranked;
        g->stamp[root] = 1;
        g->order[ranked++] = root;
        for (; head < ranked && !is_late(g); head++) {
            dl_cell cell = g->order[head];
            g->rank[cell] = head;
            for (int d = 0; d < DL_DIRECTIONS; d++) {
                dl_cell next = grid->neighbor[cell][d];
                if (next == DL_NO_CELL || g->stamp[next]) continue;
                g->stamp[next] = 1;
                g->order[ranked++] = next;
            }
        }
    }
    assert(g->late || ranked == grid->cells);
    g->stamps = 1;
}

/* The nearest cell before `cell` in rank that is occupied (or free); leaves the way there in from[]. */
static dl_cell nearest(gatherer *g, dl_cell cell, bool occupied)
{
    int tail = 0;
    g->stamps++;
    g->queue[tail++] = cell;
    g->stamp[cell] = g->stamps;
    for (int head = 0; head < tail && !is_late(g); head++) {
        dl_cell at = g->queue[head];
        if (at != cell && (g->occupant[at] >= 0) == occupied) return at;
        for (int d = 0; d < DL_DIRECTIONS; d++) {
            dl_cell next = g->grid->neighbor[at][d];
            if (next == DL_NO_CELL || g->stamp[next] == g->stamps || g->rank[next] > g->rank[cell]) continue;
            g->stamp[next] = g->stamps;
            g->from[next] = at;
            g->queue[tail++] = next;
        }
    }
    return DL_NO_CELL;
}

/* Settles cells from the last in rank to the first: what is not yet settled stays connected. */
bool dl_gather(const dl_grid *grid, const uint8_t *wanted, const dl_deadline *deadline, int32_t *occupant)
{
    size_t cells = (size_t)grid->cells;
    gatherer g = {.grid = grid,
                  .occupant = occupant,
                  .rank = DL_ARRAY(int32_t, cells),
                  .order = DL_ARRAY(dl_cell, cells),
                  .queue = DL_ARRAY(dl_cell, cells),
                  .from = DL_ARRAY(dl_cell, cells),
                  .stamp = DL_ARRAY(uint32_t, cells),
                  .deadline = deadline};
    bool fits = g.rank && g.order && g.queue && g.from && g.stamp;
    if (fits) rank_cells(&g);
    for (int i = grid->cells - 1; i >= 0 && fits && !is_late(&g); i--) {
        dl_cell cell = g.order[i];
        bool full = occupant[cell] >= 0;
        if (full == (wanted[cell] != 0)) continue;
        /* Through free cells the nearest agent walks in; through full ones a chain steps toward the nearest free cell.
         */
        dl_cell at = nearest(&g, cell, !full);
        if (at == DL_NO_CELL) continue;
        if (!full) {
            assert(occupant[at] >= 0 && g.rank[at] < g.rank[cell]);
            occupant[cell] = occupant[at];
            occupant[at] = -1;
            continue;
        }
        assert(occupant[at] < 0 && occupant[cell] >= 0);
        for (; at != cell; at = g.from[at]) occupant[at] = occupant[g.from[at]];
        occupant[cell] = -1;
    }
    free(g.rank);
    free(g.order);
    free(g.queue);
    free(g.from);
    free(g.stamp);
    return fits && !g.late;
}
